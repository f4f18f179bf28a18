"""Two people set a value: it counts from its day, by both names, and nobody edits it."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DatabaseError, IntegrityError
from django.test import Client
from django.utils import timezone

from registry.access import BadInput, Refused
from registry.adopted import AdoptedValue
from registry.adopting import awaiting, law_on
from registry.consenting import Proposal, consent_to_value, propose_value, withdraw_value
from registry.documents import Paper
from registry.history import Act, acting
from registry.models import RoleGrant, User
from registry.ruleset import in_force
from tests.factories import (
    PDF,
    AccountHolderFactory,
    AdoptedValueFactory,
    RoleGrantFactory,
    UserFactory,
    days_ago,
)

pytestmark = pytest.mark.django_db

FEE = "licensing.fee_class_a"
TODAY = timezone.localdate


def holder_of(role: str) -> User:
    user: User = RoleGrantFactory(role=role).user
    return user


@pytest.fixture
def sue() -> User:
    """A supervisor."""
    return holder_of("supervisor")


@pytest.fixture
def ann() -> User:
    """The county administrator."""
    return holder_of("administrator")


@pytest.fixture
def cal() -> User:
    """Counsel."""
    return holder_of("counsel")


def proposal(**changed: Any) -> Proposal:
    given = {
        "key": FEE,
        "value": "125.00",
        "valid_from": days_ago(10),
        "cite": "Resolution 26-7",
        "source": "Adopted by the board in October",
    }
    return Proposal(**given | changed)


def fee(on: date) -> Decimal | None:
    return law_on(on).licensing.fee_class_a


def test_a_value_counts_from_its_day_once_a_second_person_consents(sue: User, ann: User) -> None:
    row = propose_value(sue, proposal())
    assert law_on(TODAY()) is in_force(TODAY())

    consent_to_value(ann, row)

    assert [fee(days_ago(days)) for days in (11, 10, 0)] == [None, Decimal(125), Decimal(125)]
    law = law_on(TODAY())
    assert law.cite_of(FEE) == "Resolution 26-7"
    assert law.stamp.startswith(f"{in_force(TODAY()).stamp}+values:")
    assert law_on(TODAY()) is law
    acts = Act.objects.filter(verb__startswith="value.").order_by("at")
    assert list(acts.values_list("verb", "by")) == [
        ("value.proposed", sue.pk),
        ("value.consented", ann.pk),
    ]


def test_the_law_of_a_day_costs_one_query(django_assert_num_queries: Any, ann: User) -> None:
    AdoptedValueFactory(consented_by=ann)
    AdoptedValueFactory(consented_by=ann, key="deadlines.appeal_days", value=15)

    with django_assert_num_queries(1):
        law = law_on(TODAY())

    assert (law.licensing.fee_class_a, law.deadlines.appeal_days) == (Decimal(125), 15)


def test_nobody_consents_to_the_own_proposal_and_the_database_holds_it(sue: User) -> None:
    row = propose_value(sue, proposal())

    with pytest.raises(Refused, match="somebody else must consent"):
        consent_to_value(sue, row)
    with pytest.raises(IntegrityError, match="by_two_people"), acting(sue, "value.consented"):
        AdoptedValue.objects.update(consented_by=sue, consented_at=timezone.now())

    assert fee(TODAY()) is None


def test_of_two_who_consent_the_second_is_told_who_was_first(sue: User, ann: User) -> None:
    row = propose_value(sue, proposal())
    later = AdoptedValue.objects.get(pk=row.pk)
    consent_to_value(ann, row)

    with pytest.raises(Refused, match=f"{ann.name} <{ann.email}> consented to this already"):
        consent_to_value(holder_of("administrator"), later)


@pytest.mark.parametrize("role", [r for r in RoleGrant.Role.values if r not in {
    "supervisor", "administrator", "counsel"
}])  # fmt: skip
def test_other_offices_neither_propose_nor_consent_nor_withdraw(role: str, sue: User) -> None:
    other, row = holder_of(role), propose_value(sue, proposal())

    for act in (
        lambda: propose_value(other, proposal(key="licensing.fee_class_b")),
        lambda: consent_to_value(other, row),
        lambda: withdraw_value(other, row, reason="No"),
    ):
        with pytest.raises(PermissionDenied):
            act()


OPEN = {"ground.deny_false": True, "reading.week.start": "sunday", "deadlines.appeal_stays": True}


@pytest.mark.parametrize("key", OPEN)
@pytest.mark.parametrize("counsel_is", ["proposer", "second", "neither"])
def test_an_open_question_needs_counsel_among_the_two(
    key: str, counsel_is: str, sue: User, ann: User, cal: User
) -> None:
    first, second = {"proposer": (cal, ann), "second": (sue, cal), "neither": (sue, ann)}[
        counsel_is
    ]
    row = propose_value(first, proposal(key=key, value=OPEN[key], cite="Opinion 4"))

    if counsel_is == "neither":
        with pytest.raises(Refused, match="one of the two must be counsel"):
            consent_to_value(second, row)
        assert law_on(TODAY()) is in_force(TODAY())
    else:
        consent_to_value(second, row)
        assert law_on(TODAY()).adopted == {key: "Opinion 4"}


def test_a_fee_needs_no_counsel(sue: User, ann: User) -> None:
    consent_to_value(ann, propose_value(sue, proposal()))

    assert fee(TODAY()) == Decimal(125)


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"value": "dear"}, "value"),
        ({"value": None}, "value"),
        ({"key": "tenure.days", "value": 10}, "value"),
        ({"key": "ground.enticed", "value": True}, "value"),
        ({"cite": " "}, "cite"),
        ({"source": ""}, "source"),
        ({"source": "123-45-6789"}, "source"),
        ({"valid_from": date(2008, 9, 22)}, "valid_from"),
        ({"paper": Paper("run.exe", b"MZ")}, "document"),
    ],
)
def test_what_cannot_be_adopted_is_refused_on_its_field(
    sue: User, changed: Any, field: str
) -> None:
    with pytest.raises(BadInput) as caught:
        propose_value(sue, proposal(**changed))

    assert caught.value.field == field
    assert not AdoptedValue.objects.exists()


def test_one_proposal_at_a_time(sue: User, ann: User) -> None:
    propose_value(sue, proposal())

    with pytest.raises(BadInput, match="proposed already"):
        propose_value(ann, proposal(value="99.00"))


def test_a_later_value_takes_over_on_its_day_and_of_one_day_the_last_agreed_one(
    sue: User, ann: User
) -> None:
    for value, days in (("100.00", 30), ("110.00", 20), ("120.00", 20), ("90.00", 40)):
        consent_to_value(ann, propose_value(sue, proposal(value=value, valid_from=days_ago(days))))

    counted = [fee(days_ago(days)) for days in (41, 40, 30, 20, 0)]

    assert counted == [None, Decimal(90), Decimal(100), Decimal(120), Decimal(120)]


def test_two_people_end_what_two_people_adopted(sue: User, ann: User) -> None:
    consent_to_value(ann, propose_value(sue, proposal()))
    end = propose_value(sue, proposal(value=None, valid_from=TODAY(), source="Repealed"))
    assert fee(TODAY()) == Decimal(125)

    consent_to_value(ann, end)

    assert (fee(days_ago(1)), fee(TODAY())) == (Decimal(125), None)
    with pytest.raises(BadInput, match="nothing can end"):
        propose_value(sue, proposal(value=None, valid_from=TODAY()))


def test_one_person_withdraws_only_what_does_not_count_yet(sue: User, ann: User) -> None:
    to_come = TODAY() + timedelta(days=30)
    agreed = consent_to_value(ann, propose_value(sue, proposal(valid_from=to_come)))
    withdraw_value(sue, agreed, reason="The board took it back")
    counts = consent_to_value(ann, propose_value(sue, proposal()))

    with pytest.raises(Refused, match="propose another value in its place"):
        withdraw_value(sue, counts, reason="Too dear")

    assert (fee(TODAY()), fee(to_come)) == (Decimal(125), Decimal(125))
    assert AdoptedValue.objects.filter(void_reason="The board took it back").count() == 1
    with pytest.raises(Refused, match="taken out already"):
        consent_to_value(ann, agreed)


@pytest.mark.parametrize("changed", [{"value": "1.00"}, {"cite": "§ 1"}, {"valid_from": TODAY()}])
def test_the_database_lets_nobody_edit_a_value(sue: User, changed: Any) -> None:
    row = propose_value(sue, proposal())

    with pytest.raises(DatabaseError, match="Cannot update"), acting(sue, "value.proposed"):
        AdoptedValue.objects.filter(pk=row.pk).update(**changed)


def test_what_waits_for_me_is_what_others_proposed(sue: User, ann: User) -> None:
    propose_value(sue, proposal())

    assert [awaiting(user) for user in (sue, ann, holder_of("clerk"))] == [0, 1, 0]


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


PAGE = f"/values/{FEE}/"


def test_the_page_says_what_is_not_set_and_leads_to_it(sue: User) -> None:
    said = signed_in(holder_of("auditor")).get("/values/").content.decode()

    unset = said.partition("Not set yet")[2].partition("</div>")[0]
    assert unset.count("<a ") == 6
    assert "as provided by ordinance" in said.lower()
    assert "Propose" not in signed_in(holder_of("auditor")).get(PAGE).content.decode()
    assert "Propose a value" in signed_in(sue).get(PAGE).content.decode()


def test_from_proposal_to_consent_on_the_pages(sue: User, ann: User) -> None:
    proposer, second = signed_in(sue), signed_in(ann)
    typed = {
        "value": "$1,250",
        "valid_from": "10/1/2026",
        "cite": "Resolution 26-7",
        "source": "Adopted by the board",
    }
    live = proposer.post(f"{PAGE}propose/?live", typed).content.decode()
    assert "From Oct 1, 2026 on: $1,250.00." in live
    paper = SimpleUploadedFile("resolution.pdf", PDF, "application/pdf")

    proposer.post(f"{PAGE}propose/", {**typed, "document": paper})
    row = AdoptedValue.objects.get()
    own = proposer.get(PAGE).content.decode()
    assert "You proposed this yourself" in own
    assert "Look and consent" not in own
    assert proposer.post(f"{PAGE}{row.pk}/consent/", {}).status_code == 409
    assert "One value waits for your consent" in second.get("/").content.decode()
    looked = second.get(f"{PAGE}{row.pk}/consent/").content.decode()
    assert "From Oct 1, 2026 on: $1,250.00." in looked
    assert "Now</dt><dd>As provided by ordinance" in looked
    second.post(f"{PAGE}{row.pk}/consent/", {})

    assert fee(date(2026, 10, 1)) == Decimal(1250)
    page = second.get(PAGE).content.decode()
    assert all(name in page for name in (sue.name, ann.name, "$1,250.00", "Resolution 26-7"))
    taken = second.get(f"{PAGE}{row.pk}/paper/")
    assert taken["Content-Disposition"] == 'attachment; filename="resolution.pdf"'
    assert signed_in(AccountHolderFactory().user).get(f"{PAGE}{row.pk}/paper/").status_code == 403


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"value": "cheap"}, "“cheap” is no amount"),
        ({"value": ""}, "This is needed to go on"),
        ({"cite": ""}, "This is needed to go on"),
    ],
)
def test_a_slip_comes_back_with_what_was_typed(sue: User, typed: Any, sentence: str) -> None:
    given = {"value": "5", "valid_from": "10/1/2026", "cite": "R 1", "source": "The board"}

    answer = signed_in(sue).post(f"{PAGE}propose/", given | typed)

    assert answer.status_code == 422
    assert sentence in answer.content.decode()


@pytest.mark.parametrize(
    ("key", "typed", "kept"),
    [
        ("deadlines.appeal_days", {"value": "15"}, 15),
        ("deadlines.appeal_stays", {"value": "no"}, False),
        ("excuse.reasons", {"value": "flood\r\n\r\nfuneral"}, ["flood", "funeral"]),
        ("ground.deny_false", {}, True),
        ("reading.tenure.unbroken", {}, True),
    ],
)
def test_each_kind_has_its_own_field(cal: User, key: str, typed: Any, kept: Any) -> None:
    given = {"valid_from": "10/1/2026", "cite": "Opinion 4", "source": "Asked on the telephone"}

    answer = signed_in(cal).post(f"/values/{key}/propose/", given | typed)

    assert answer.status_code == 302
    assert AdoptedValue.objects.get(key=key).value == kept


def test_the_form_ends_what_counts_and_not_what_is_typed_beside(sue: User, ann: User) -> None:
    AdoptedValueFactory(consented_by=ann)
    given = {"valid_from": TODAY().isoformat(), "cite": "R 2", "source": "Repealed", "ends": "on"}
    client = signed_in(sue)

    both = client.post(f"{PAGE}propose/", given | {"value": "5"})
    client.post(f"{PAGE}propose/", given)

    assert both.status_code == 422
    assert AdoptedValue.objects.get(consented_at=None).value is None


def test_the_rules_page_shows_what_counsel_confirmed(sue: User, ann: User, cal: User) -> None:
    before = Client().get("/rules/").content.decode()
    for key, value in (("reading.week.start", "sunday"), ("ground.deny_false", True)):
        AdoptedValueFactory(key=key, value=value, proposed_by=cal, consented_by=ann)

    after = Client().get("/rules/").content.decode()

    assert [t.count("Confirmed by counsel.") for t in (before, after)] == [0, 1]
    assert [t.count("Not used until counsel confirms it") for t in (before, after)] == [5, 4]


def test_an_unknown_value_is_not_there(sue: User) -> None:
    client = signed_in(sue)

    for address in ("/values/tenure.days/", "/values/x/propose/", f"{PAGE}999/consent/"):
        assert client.get(address).status_code == 404
    other = AdoptedValueFactory(key="deadlines.appeal_days", value=3, proposed_by=UserFactory())
    assert client.get(f"{PAGE}{other.pk}/consent/").status_code == 404
