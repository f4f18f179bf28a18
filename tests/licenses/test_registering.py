"""An organization that comes by itself: found, registered once, or claimed by a code."""

from __future__ import annotations

import re
from datetime import timedelta
from uuid import uuid4

import pytest
import time_machine
from django.core import mail
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from licenses.registering import (
    EinTaken,
    Why,
    code_on_paper,
    mail_code,
    register_own_organization,
)
from registry.access import BadInput, Refused
from registry.claims import ask_for_code, claim_organization, give_code, refusal_of_code
from registry.credentials import confirm_address
from registry.history import Act
from registry.models import AccountHolder, ClaimCode, Letter, Organization, WorkItem
from registry.services import OrganizationEntry
from tests.factories import (
    AccountHolderFactory,
    IrsOrganizationFactory,
    OrganizationFactory,
    RoleGrantFactory,
    UserFactory,
)
from tests.licenses.test_irs_pages import in_master
from tests.test_constraints import at_once

pytestmark = pytest.mark.django_db
EIN = "012345678"
ENTRY = OrganizationEntry("Marsh Lantern Post 42", "charitable", EIN, city="Dade City")
START, NEW = "/register-organization/", "/register-organization/new/"


def newcomer():
    """Somebody who signed up and confirmed the address, and acts for nobody."""
    user = UserFactory(name="Nora Vale")
    confirm_address(user)
    return user


@pytest.fixture
def nora():
    return newcomer()


@pytest.fixture
def theirs(client, nora):
    """A browser in which Nora is signed in."""
    client.force_login(nora)
    return client


@pytest.fixture
def post():
    """An organization of the register, for which somebody acts."""
    return AccountHolderFactory(
        organization=OrganizationFactory(name="Heron Lake Post", slug="heron"),
        user=UserFactory(email="ben@heron.example", name="Ben Ochoa"),
    ).organization


def said(response) -> str:
    """The page's words, without what differs each time."""
    text = re.sub(r"<[^>]*>", " ", response.content.decode())
    return " ".join(text.split())


# Registering


def test_by_its_irs_row_it_is_registered_and_its_officer_acts_for_it(theirs, nora):
    in_master()
    found = said(theirs.get(START, {"q": "lantern"}))
    form = theirs.get(NEW, {"ein": EIN}).context["form"]
    typed = {name: form[name].value() or "" for name in form.fields}

    response = theirs.post(f"{NEW}?ein={EIN}", typed)

    body = Organization.objects.get(ein=EIN)
    assert "We are this one" in found
    assert response.url == reverse("organization_detail", args=[body.slug])
    assert list(AccountHolder.objects.values_list("user", "organization", "starts_on")) == [
        (nora.pk, body.pk, timezone.localdate())
    ]
    item = WorkItem.objects.get()
    assert (item.kind, item.organization, item.data["now"]["ein"]) == ("registration", body, EIN)
    assert item.note.splitlines()[0] == f"Registered by {nora}."
    assert Act.objects.get(verb="organization.registered").organization == body


def test_who_is_in_no_file_says_why_and_that_says_the_kind(theirs):
    typed = {"why_not": "hall", "name": "Cypress Hall", "state": "FL"}

    theirs.post(NEW, typed)

    assert Organization.objects.get().kind == "other"
    assert "We only lease a hall for bingo" in WorkItem.objects.get().note
    assert theirs.post(NEW, {"name": "Nobody"}).status_code == 422


def test_pressed_twice_it_is_one_organization(theirs):
    typed = {"why_not": "church", "name": "Chapel on the Marsh", "token": str(uuid4())}

    answers = [theirs.post(NEW, typed).status_code for _press in range(2)]

    assert answers == [302, 302]
    counted = (Organization, AccountHolder, WorkItem)
    assert [model.objects.count() for model in counted] == [1, 1, 1]


@pytest.mark.django_db(transaction=True)
def test_two_officers_at_once_with_one_ein_make_one_organization():
    officers = newcomer(), newcomer()
    entry = OrganizationEntry("Gulf Reef Club", "charitable", EIN)

    def register(by):
        try:
            return register_own_organization(by, entry, why=Why.NEW_RULING)
        except BadInput as bad:
            return bad.field

    made = at_once(*[lambda by=by: register(by) for by in officers])

    assert sorted(str(one) for one in made) == ["Gulf Reef Club", "ein"]
    assert AccountHolder.objects.count() == WorkItem.objects.count() == 1


def test_a_known_ein_leads_to_the_claim_also_of_the_body_that_took_it_over(theirs, nora, post):
    OrganizationFactory(ein=EIN, merged_into=post, merged_on=timezone.localdate())

    response = theirs.post(NEW, {"why_not": "church", "name": "Copy", "ein": "01-2345678"})

    assert response.url == reverse("register_claim", args=["heron"])
    with pytest.raises(EinTaken):
        register_own_organization(nora, ENTRY, why=Why.CHURCH)
    assert not WorkItem.objects.exists()


def test_nearly_the_same_name_is_told_to_the_clerk_alone(nora, post):
    entry = OrganizationEntry("Heron Lake Post 7", "charitable")

    register_own_organization(nora, entry, why=Why.GROUP)

    assert "Nearly the same name: Heron Lake Post (Dade City)." in WorkItem.objects.get().note


@pytest.mark.parametrize("path", [START, NEW, f"{START}heron/", f"{START}heron/ask/"])
def test_without_a_confirmed_address_nobody_gets_further(client, post, path):
    client.force_login(UserFactory())

    assert client.get(path).url == reverse("account_email")
    sent = {"code": "X", "why_not": "church", "name": "Chapel"}
    assert client.post(path, sent).status_code in {403, 405}
    assert not WorkItem.objects.exists()


def test_who_holds_an_office_neither_registers_nor_claims(post):
    cleo = RoleGrantFactory().user
    confirm_address(cleo)

    with pytest.raises(Refused, match="a colleague"):
        register_own_organization(cleo, ENTRY, why=Why.CHURCH)
    with pytest.raises(Refused, match="a colleague"):
        claim_organization(cleo, post, give_code(cleo, post, how="letter"))


# Claiming


def other_organizations_code(clerk, post) -> str:
    give_code(clerk, post, how="letter")
    return give_code(clerk, OrganizationFactory(), how="letter")


def old_code(clerk, post) -> str:
    noon = timezone.localtime().replace(hour=12)
    with time_machine.travel(noon - timedelta(days=31), tick=False):
        return give_code(clerk, post, how="letter")


def used_code(clerk, post) -> str:
    code = give_code(clerk, post, how="letter")
    claim_organization(newcomer(), post, code)
    return code


def withdrawn_code(clerk, post) -> str:
    code = give_code(clerk, post, how="letter")
    give_code(clerk, post, how="letter")
    return code


def guessed_code(clerk, post) -> str:
    return "2345-6789-ABCD-EFGH-JKMN-PQRS-TVWX"


BAD = [guessed_code, other_organizations_code, old_code, used_code, withdrawn_code]


@pytest.mark.parametrize("bad", BAD)
def test_whatever_is_wrong_with_a_code_the_answer_is_the_same(theirs, nora, post, bad):
    clerk = RoleGrantFactory().user
    nobodys = OrganizationFactory(name="Heron Lake Post", slug="nobodys")
    guess = said(theirs.post(f"{START}nobodys/", {"code": "guess"}))

    response = theirs.post(f"{START}heron/", {"code": bad(clerk, post)})

    assert response.status_code == 409
    assert refusal_of_code() in said(response)
    assert said(response) == guess
    assert not AccountHolder.objects.filter(user=nora).exists()
    refused = Act.objects.filter(verb="claim.refused", by=nora)
    assert set(refused.values_list("organization", flat=True)) == {post.pk, nobodys.pk}


def test_a_code_works_once_however_it_is_written(theirs, nora, post):
    clerk = RoleGrantFactory().user
    code = give_code(clerk, post, how="letter")
    item = ask_for_code(nora, post)

    response = theirs.post(f"{START}heron/", {"code": f" {code.lower().replace('-', ' ')} "})

    assert response.url == reverse("organization_detail", args=["heron"])
    assert AccountHolder.objects.get(user=nora).organization == post
    row = ClaimCode.objects.get()
    assert (row.used_by, code.replace("-", "") in str(row.__dict__)) == (nora, False)
    item.refresh_from_db()
    assert item.closed_at is not None
    assert theirs.get(f"{START}heron/").url == reverse("organization_detail", args=["heron"])


@pytest.mark.django_db(transaction=True)
def test_of_two_who_claim_by_one_code_at_once_one_is_let_in():
    body = OrganizationFactory()
    code = give_code(RoleGrantFactory().user, body, how="letter")
    two = newcomer(), newcomer()

    made = at_once(*[lambda by=by: claim_organization(by, body, code) for by in two])

    assert sorted(type(one).__name__ for one in made) == ["AccountHolder", "Refused"]
    assert AccountHolder.objects.count() == 1


def test_pages_of_a_claim_say_nothing_of_who_acts(theirs, post):
    OrganizationFactory(name="Heron Lake Post", slug="nobodys")

    for page in ("", "ask/"):
        held, free = (theirs.get(f"{START}{slug}/{page}") for slug in ("heron", "nobodys"))
        assert said(held) == said(free)
        assert "ben" not in said(held).lower()


def test_guessing_is_slowed_down_by_address_and_by_login(nora, post):
    first, second = (Client(REMOTE_ADDR=f"192.0.2.{n}") for n in (1, 2))
    for one in (first, second):
        one.force_login(nora)

    answers = [first.post(f"{START}heron/", {"code": "x"}).status_code for _try in range(5)]

    assert answers == [409] * 5
    assert second.post(f"{START}heron/", {"code": "x"}).status_code == 429


def test_asked_for_twice_a_code_is_one_question_of_the_asker_alone(theirs, nora, post):
    answers = [theirs.post(f"{START}heron/ask/", {}) for _press in range(2)]

    assert [one.url for one in answers] == [f"{START}heron/"] * 2
    item = WorkItem.objects.get()
    assert (item.kind, item.note) == ("claim", f"{nora} asks to act for this organization.")
    assert "ben@heron.example" not in item.note


# The clerk's part


def test_the_printed_code_is_in_the_paper_and_nowhere_else(client, post, nora):
    clerk = RoleGrantFactory().user

    letter = code_on_paper(clerk, post, signed_by="Cleo Marsh")

    printed = next(one["text"] for one in letter.paragraphs if "code:" in one["text"])
    code = printed.removeprefix("The code: ")
    kept = Letter.objects.get()
    assert kept.printed_at is not None
    assert code not in str(kept.paragraphs)
    assert not any(code in str(act.data) for act in Act.objects.all())
    claim_organization(nora, post, code)


def test_a_clerk_opens_the_letter_once_and_a_second_press_gives_no_second_code(client, post):
    client.force_login(RoleGrantFactory().user)
    page, token = reverse("claim_code_give", args=["heron"]), str(uuid4())

    first, second = (client.post(page, {"how": "letter", "token": token}) for _press in range(2))

    assert first["Content-Type"] == "application/pdf"
    assert (second.status_code, ClaimCode.objects.count()) == (302, 1)


def test_a_code_goes_by_e_mail_to_an_address_that_is_not_kept(client, post, nora):
    client.force_login(RoleGrantFactory().user)
    page = reverse("claim_code_give", args=["heron"])
    assert client.post(page, {"how": "address"}).status_code == 422

    client.post(page, {"how": "address", "email": "new@heron.example"})

    (sent,) = mail.outbox
    code = re.search(r"\b(\w{4}-){6}\w{4}\b", sent.body)
    assert sent.to == ["new@heron.example"]
    assert code is not None
    claim_organization(nora, post, code.group())
    assert "new@heron" not in str(list(Act.objects.values_list("data", flat=True)))


def test_a_code_goes_to_those_who_act_already_if_there_are_any(post):
    clerk = RoleGrantFactory().user

    assert mail_code(clerk, post) == 1
    assert mail.outbox[0].to == ["ben@heron.example"]
    with pytest.raises(BadInput, match="print the letter"):
        mail_code(clerk, OrganizationFactory())
    assert ClaimCode.objects.count() == 1


def test_only_who_keeps_organizations_gives_codes(post):
    with pytest.raises(PermissionDenied):
        give_code(RoleGrantFactory(role="inspector").user, post, how="letter")


def test_one_finds_an_organization_by_ein_or_name_in_both_lists(theirs, post):
    in_master()
    IrsOrganizationFactory(ein="012345670", name="HERON SOCIETY")

    assert [len(theirs.get(START, {"q": text}).context["held"]) for text in ("her", "he")] == [1, 0]
    by_ein = theirs.get(START, {"q": "01-2345678"}).context["found"]
    assert [row.charity.ein for row in by_ein] == [EIN]
