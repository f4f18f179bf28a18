"""Letters are written once, mailed once, served once, and read by whom they concern."""

from __future__ import annotations

import io
from datetime import date
from typing import Any

import pikepdf
import pytest
from django.core import mail
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pypdf import PdfReader

from registry.access import BadInput, Refused
from registry.history import Act, System, acting
from registry.letterhead import letter_pdf
from registry.letters import (
    LetterDraft,
    Paragraph,
    correct_service,
    email_letter,
    letter_text,
    letters_of,
    serve_letter,
    write_letter,
)
from registry.models import Letter
from registry.packets import packet_pdf
from tests.factories import (
    AccountHolderFactory,
    LetterFactory,
    OrganizationFactory,
    RoleGrantFactory,
    UserFactory,
    days_ago,
)
from tests.registry import hostile
from tests.registry.test_at_once import at_once

pytestmark = pytest.mark.django_db

DRAFT = LetterDraft(
    kind="decision",
    subject="License A-2027-0042:\n denied + returned",
    addressee="Fay O'Brien, president\nHeron & Lake Post",
    paragraphs=[
        Paragraph("Your application, with + and <b>, is denied.", "§ 10-92(a)"),
        Paragraph("It isn't too late: you may appeal.\nWrite to us."),
    ],
    signed_by="Dana Price\nCounty administrator",
    key="decision:42",
)
WORDS = """\
Fay O'Brien, president
Heron & Lake Post

Re: License A-2027-0042: denied + returned

Your application, with + and <b>, is denied.
§ 10-92(a)

It isn't too late: you may appeal.
Write to us.

Dana Price
County administrator

This letter in the register: https://bingo.example.gov/organizations/heron/letters/{pk}/
"""


def write(organization: Any, draft: LetterDraft = DRAFT, **more: Any) -> Letter:
    with acting(System.SET_UP, "test.made"):
        return write_letter(System.SET_UP, organization, draft, **more)


@pytest.fixture
def heron() -> Any:
    return OrganizationFactory(name="Heron Lake Post", slug="heron")


def test_a_key_used_twice_gives_one_letter_and_one_act(heron: Any) -> None:
    first, second = write(heron), write(heron)
    third = write(heron, LetterDraft("note", "s", "a", [Paragraph("x")], "b"))
    fourth = write(heron, LetterDraft("note", "s", "a", [Paragraph("x")], "b"))

    assert first.pk == second.pk
    assert len({first.pk, third.pk, fourth.pk}) == 3
    acts = Act.objects.filter(verb="letter.written").order_by("at")
    assert [act.data["letter"] for act in acts] == [first.pk, third.pk, fourth.pk]
    with pytest.raises(ValueError, match="another organization"):
        write(OrganizationFactory())


@pytest.mark.django_db(transaction=True)
def test_two_at_once_with_one_key_write_one_letter() -> None:
    organization = OrganizationFactory()

    first, second = at_once(lambda: write(organization), lambda: write(organization))

    assert first.pk == second.pk
    assert Act.objects.filter(verb="letter.written").count() == 1


def test_a_letter_without_words_or_with_a_social_security_number_is_not_written(
    heron: Any,
) -> None:
    with pytest.raises(ValueError, match="says nothing"):
        write(heron, LetterDraft("note", "s", "a", [Paragraph(" ")], "b"))
    with pytest.raises(BadInput):
        write(heron, LetterDraft("note", "s", "a", [Paragraph("SSN 123-45-6789")], "b"))

    assert not Letter.objects.exists()


@pytest.mark.parametrize(
    "change", [{"subject": "another"}, {"paragraphs": []}, {"signed_by": "x"}, {"key": "y"}]
)
def test_what_a_letter_says_cannot_be_changed(heron: Any, change: dict[str, Any]) -> None:
    letter = write(heron)

    with pytest.raises(DatabaseError), acting(System.SET_UP, "test.made"), transaction.atomic():
        Letter.objects.filter(pk=letter.pk).update(**change)


def test_a_letter_is_served_whole_or_not_at_all(heron: Any) -> None:
    letter = write(heron)

    with pytest.raises(IntegrityError), acting(System.SET_UP, "test.made"), transaction.atomic():
        Letter.objects.filter(pk=letter.pk).update(served_on=timezone.localdate())


def test_the_mail_says_the_letters_own_words_once_to_each_who_acts_today(heron: Any) -> None:
    letter = write(heron)
    fay, _ben = (AccountHolderFactory(organization=heron) for _n in range(2))
    AccountHolderFactory(organization=heron, ends_on=days_ago(1))
    AccountHolderFactory(organization=heron, starts_on=days_ago(-1))
    AccountHolderFactory(organization=heron, user=UserFactory(is_active=False))

    counts = [email_letter(System.NIGHTLY, letter) for _n in range(2)]
    counts.append(email_letter(System.NIGHTLY, Letter.objects.get(), ["a+b@example.org"]))
    counts.append(email_letter(System.NIGHTLY, letter, ["a+b@example.org"], again=True))

    assert counts == [2, 0, 0, 1]
    assert [len(one.to) for one in mail.outbox] == [1, 1, 1]
    assert mail.outbox[2].to == ["a+b@example.org"]
    assert {fay.user.email} < {one.to[0] for one in mail.outbox}
    assert {one.subject for one in mail.outbox} == {"License A-2027-0042: denied + returned"}
    assert {one.body for one in mail.outbox} == {WORDS.format(pk=letter.pk)}
    letter.refresh_from_db()
    assert (letter.emailed_to, letter.emailed_at is None) == (1, False)
    assert not Act.objects.filter(data__icontains=fay.user.email).exists()


def test_without_an_address_of_its_own_the_register_names_none(heron: Any, settings: Any) -> None:
    settings.PUBLIC_ADDRESS = ""

    assert letter_text(write(heron)).endswith("Dana Price\nCounty administrator\n")


SERVED = {"how": "certified", "served_on": days_ago(1), "to": "Fay O'Brien"}


def test_a_letter_is_served_once_and_put_right_only_by_a_supervisor(heron: Any) -> None:
    letter = write(heron, written_on=days_ago(3))
    clerk, supervisor = RoleGrantFactory().user, RoleGrantFactory(role="supervisor").user

    serve_letter(clerk, letter, **SERVED)
    with pytest.raises(Refused, match=r"served already: to Fay O'Brien on"):
        serve_letter(clerk, Letter.objects.get(), **SERVED)
    with pytest.raises(PermissionDenied):
        correct_service(clerk, letter, **SERVED, reason="slip")
    with pytest.raises(BadInput):
        correct_service(supervisor, letter, **SERVED, reason=" ")
    right = SERVED | {"served_on": days_ago(2)}
    correct_service(supervisor, letter, **right, reason="The receipt says so.")

    letter.refresh_from_db()
    assert (letter.served_on, letter.served_how, letter.served_to, letter.served_by) == (
        days_ago(2), "certified", "Fay O'Brien", supervisor,
    )  # fmt: skip
    acts = Act.objects.filter(verb__startswith="letter.serv").order_by("at")
    assert [(act.verb, act.data["served_on"], act.reason) for act in acts] == [
        ("letter.served", days_ago(1).isoformat(), ""),
        ("letter.service_corrected", days_ago(2).isoformat(), "The receipt says so."),
    ]


@pytest.mark.django_db(transaction=True)
def test_of_two_clerks_at_once_one_serves() -> None:
    pk, clerk = LetterFactory().pk, RoleGrantFactory().user

    def serve() -> Letter:
        return serve_letter(clerk, Letter.objects.get(pk=pk), **SERVED)

    results = at_once(serve, serve)

    assert sorted(type(one).__name__ for one in results) == ["Letter", "Refused"]
    assert Act.objects.filter(verb="letter.served").count() == 1


@pytest.mark.parametrize(
    ("told", "field"),
    [
        ({"served_on": days_ago(4)}, "served_on"),
        ({"served_on": days_ago(-1)}, "served_on"),
        ({"to": "  "}, "to"),
        ({"how": "pigeon"}, "how"),
    ],
)
def test_a_service_that_cannot_be_is_refused(told: dict[str, Any], field: str) -> None:
    with pytest.raises(BadInput) as refused:
        serve_letter(System.SET_UP, LetterFactory(), **{**SERVED, **told})

    assert refused.value.field == field
    assert not Letter.objects.exclude(served_on=None).exists()


def test_the_letter_on_paper_is_tagged_and_says_all(heron: Any, settings: Any) -> None:
    letter = write(heron, written_on=date(2026, 11, 2))
    clerk = RoleGrantFactory(user=UserFactory(name="Cleo Park")).user
    serve_letter(clerk, letter, how="certified", served_on=date(2026, 11, 5), to="Fay O'Brien")

    content = letter_pdf(letter)
    assert letter_pdf(letter) == content
    settings.PUBLIC_ADDRESS = ""
    plain = letter_pdf(letter)

    document = pikepdf.open(io.BytesIO(content))
    assert "/StructTreeRoot" in document.Root
    assert bool(document.Root.MarkInfo.Marked)
    assert str(document.Root.Lang) == "en-us"
    assert str(document.docinfo.Title) == "License A-2027-0042: denied + returned"
    text = " ".join(PdfReader(io.BytesIO(content)).pages[0].extract_text().split())
    for words in [
        "Pasco County", "November 2, 2026", "Fay O'Brien, president Heron & Lake Post",
        "Re: License A-2027-0042: denied + returned",
        "Your application, with + and <b>, is denied. § 10-92(a) It isn't too late",
        "Dana Price County administrator",
        "Served on Thu, Nov 5, 2026 to Fay O'Brien: certified mail. Recorded by Cleo Park.",
        f"Letter {letter.pk}", "page 1 of 1",
        f"https://bingo.example.gov/organizations/ heron/letters/{letter.pk}/",
    ]:  # fmt: skip
        assert words in text
    assert len(PdfReader(io.BytesIO(content)).pages[0].images) == 1
    assert len(PdfReader(io.BytesIO(plain)).pages[0].images) == 0


def test_a_holder_reads_the_letters_of_his_own_and_no_others(client: Any) -> None:
    holder = AccountHolderFactory()
    own = holder.organization
    letter, foreign = LetterFactory(organization=own), LetterFactory()
    client.force_login(holder.user)
    page = f"/organizations/{own.slug}/letters/"

    shown = client.get(f"{page}{letter.pk}/").content.decode()
    paper = client.get(f"{page}{letter.pk}/pdf/")

    assert "Your license ends soon" in client.get(page).content.decode()
    assert "Renew it by September 30." in shown
    assert "Not served yet" in shown
    assert [w for w in (f"{letter.pk}/email/", "/serve/", "History") if w in shown] == []
    assert paper.content.startswith(b"%PDF-")
    assert client.get(f"{page}{foreign.pk}/").status_code == 404
    assert client.post(f"{page}{letter.pk}/serve/").status_code == 403
    assert list(letters_of(holder.user, foreign.organization)) == []
    assert list(Act.objects.filter(by=holder.user).values_list("verb", flat=True)) == [
        "letter.downloaded"
    ]
    letter.refresh_from_db()
    assert letter.printed_at is None


def test_a_clerk_mails_prints_and_serves_and_the_page_says_so(client: Any) -> None:
    holder = AccountHolderFactory()
    letter = LetterFactory(organization=holder.organization)
    client.force_login(RoleGrantFactory(user=UserFactory(name="Cleo Park")).user)
    page = f"/organizations/{holder.organization.slug}/letters/{letter.pk}/"
    typed = {"how": "hand", "served_on": days_ago(1).strftime("%m/%d/%Y"), "to": "Fay O'Brien"}

    mailed = client.post(f"{page}email/", {}, follow=True).content.decode()
    client.get(f"{page}pdf/")
    served = client.post(f"{page}serve/", typed, follow=True).content.decode()
    again = client.post(f"{page}serve/", typed)

    assert "on its way to 1 person" in mailed
    assert "to Fay O&#x27;Brien: handed over." in served
    assert "Cleo Park" in served
    assert (again.status_code, "This letter was served already" in again.content.decode()) == (
        409, True,
    )  # fmt: skip
    verbs = Act.objects.filter(data__letter=letter.pk).order_by("at").values_list("verb", flat=True)
    assert list(verbs) == ["letter.emailed", "letter.printed", "letter.served"]
    assert [one.to for one in mail.outbox] == [[holder.user.email]]


def test_where_nobody_acts_online_the_letter_is_to_be_printed(client: Any) -> None:
    letter = LetterFactory()
    client.force_login(RoleGrantFactory().user)

    answer = client.post(f"/organizations/{letter.organization.slug}/letters/{letter.pk}/email/")

    assert answer.status_code == 409
    assert "print the letter and mail it" in answer.content.decode()


def test_the_list_asks_as_often_for_three_letters_as_for_one(client: Any) -> None:
    first = LetterFactory()
    client.force_login(RoleGrantFactory().user)
    page = f"/organizations/{first.organization.slug}/letters/"
    client.get(page)

    with CaptureQueriesContext(connection) as one:
        client.get(page)
    LetterFactory.create_batch(2, organization=first.organization)
    with CaptureQueriesContext(connection) as three:
        client.get(page)

    assert len(three) == len(one)


def test_a_packet_has_contents_and_stamps_and_loses_nothing() -> None:
    turned = pikepdf.open(io.BytesIO(hostile.pdf("Turned")))
    turned.pages[0].rotate(90, relative=True)
    parts = [
        ("The decision", hostile.pdf("First page")),
        ("Lease of O'Brien & Sons", hostile.saved(turned)),
        ("Photo", hostile.photo()),
        ("Broken", b"%PDF-1.7 nothing"),
        ("Form", hostile.hostile_pdf()),
    ]

    content = packet_pdf("Appeal 2027-3", parts)

    pages = [" ".join(page.extract_text().split()) for page in PdfReader(io.BytesIO(content)).pages]
    document = pikepdf.open(io.BytesIO(content))
    assert [f"page {n} of 6" in text for n, text in enumerate(pages, 1)] == [True] * 6
    assert all("Appeal 2027-3" in text for text in pages)
    assert pages[0].startswith("2 3 4 5 6 Appeal 2027-3 5 papers 1. The decision 2. Lease of O'B")
    assert ("First page" in pages[1], "Turned" in pages[2]) == (True, True)
    assert "cannot be printed here" in pages[4]
    assert ("Lease of the hall" in pages[5], "Typed by hand" in pages[5]) == (True, True)
    assert [float(page.mediabox[2]) for page in document.pages] == [612, 612, 792, 792, 612, 612]
    with document.open_outline() as outline:
        assert [item.title for item in outline.root] == [
            f"{n}. {heading}" for n, (heading, _content) in enumerate(parts, 1)
        ]
    told = hostile.in_full(document)
    assert [word for word in (b"JavaScript", b"Launch", b"pdfuaid:part") if word in told] == []
