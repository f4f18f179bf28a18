"""Reminders of renewals over a year: each once, the nearest after missed nights, none too many."""

from __future__ import annotations

from datetime import date, timedelta
from io import StringIO

import pytest
import time_machine
from django.core import mail
from django.core.management import CommandError, call_command
from django.urls import reverse

from licenses.reminding import Reminded, reminders_due, send_reminders
from registry.history import Act, System
from registry.management.commands import nightly
from registry.models import Letter
from tests.factories import (
    AccountHolderFactory,
    ApplicationFactory,
    LicenseFactory,
    OrganizationFactory,
    RoleGrantFactory,
    SanctionFactory,
    UserFactory,
)
from tests.licenses.test_granting import at

pytestmark = pytest.mark.django_db
LAST = date(2027, 9, 30)


@pytest.fixture
def license_():
    """A license to September 30, 2027, of an organization for which Ada acts."""
    holder = AccountHolderFactory(
        organization=OrganizationFactory(name="Heron Lake Post"),
        user=UserFactory(email="ada@heron.example"),
        starts_on=date(2026, 10, 1),
    )
    return LicenseFactory(
        organization=holder.organization,
        number="A-2027-0042",
        issued_on=date(2026, 10, 1),
        expires_on=LAST,
    )


def nights(first: date, last: date, missed: frozenset[date] = frozenset()) -> list[tuple]:
    """Run each night but those missed; on which night which letter was written."""
    found = []
    for day in (first + timedelta(days=n) for n in range((last - first).days + 1)):
        if day in missed:
            continue
        with at(day):
            send_reminders(System.NIGHTLY, day)
        found += [(day, key) for key in keys_of(day)]
    return found


def keys_of(day: date) -> list[str]:
    rows = Letter.objects.filter(written_on=day).order_by("key")
    return [key.rpartition(":")[2] for key in rows.values_list("key", flat=True)]


def test_over_a_year_it_reminds_at_60_30_and_7_days_and_once_after(license_):
    assert nights(date(2027, 7, 25), date(2027, 12, 31)) == [
        (date(2027, 8, 1), "60"),
        (date(2027, 8, 31), "30"),
        (date(2027, 9, 23), "7"),
        (date(2027, 10, 1), "0"),
    ]
    assert [sent.to for sent in mail.outbox] == [["ada@heron.example"]] * 4
    assert mail.outbox[0].subject == "Renew license A-2027-0042 by Sep 30, 2027"
    assert mail.outbox[3].subject == "License A-2027-0042 has ended"
    by = Act.objects.filter(verb="renewal.reminded").values_list("by_name", flat=True)
    assert set(by) == {"system: nightly"}


def test_missed_nights_are_caught_up_by_the_nearest_reminder_only(license_):
    missed = {date(2027, 7, 30) + timedelta(days=n) for n in range(40)}

    written = nights(date(2027, 7, 29), date(2027, 9, 12), frozenset(missed))

    assert written == [(date(2027, 9, 8), "30")]


@pytest.mark.parametrize("status", ["draft", "submitted", "returned", "recommended", "denied"])
def test_while_a_renewal_is_under_way_nobody_is_reminded(license_, status):
    ApplicationFactory(
        organization=license_.organization,
        kind="renewal",
        prior=license_,
        status=status,
        prior_shown="license",
        presented_on=date(2027, 7, 20),
    )

    assert nights(date(2027, 7, 25), date(2027, 10, 3)) == []


def test_after_a_renewal_was_withdrawn_it_reminds_again(license_):
    ApplicationFactory(
        organization=license_.organization, kind="renewal", prior=license_, status="withdrawn"
    )

    assert [due.key for due in reminders_due(date(2027, 9, 28))] == ["renewal:A-2027-0042:7"]


def test_what_is_followed_ended_voided_or_long_gone_is_not_reminded_of(license_):
    LicenseFactory(
        organization=license_.organization,
        issued_on=date(2027, 10, 1),
        expires_on=date(2028, 9, 30),
    )
    revoked = LicenseFactory(issued_on=date(2026, 10, 1), expires_on=LAST)
    SanctionFactory(license=revoked, kind="revocation", starts_on=date(2027, 8, 1))
    LicenseFactory(issued_on=date(2025, 10, 1), expires_on=date(2026, 9, 30))

    assert reminders_due(date(2027, 9, 28)) == reminders_due(date(2027, 10, 2)) == []


def test_a_suspended_license_is_reminded_of(license_):
    SanctionFactory(license=license_, starts_on=date(2027, 9, 1), ends_on=date(2027, 9, 20))

    assert [due.days for due in reminders_due(date(2027, 9, 10))] == [30]


def test_where_nobody_acts_online_the_letter_waits_to_be_printed():
    LicenseFactory(number="A-2027-0007", issued_on=date(2026, 10, 1), expires_on=LAST)

    with at(date(2027, 8, 1)):
        done = send_reminders(System.NIGHTLY, date(2027, 8, 1))

    assert done == Reminded(written=1, mailed=0)
    letter = Letter.objects.get()
    assert (letter.kind, letter.emailed_at, letter.printed_at) == ("reminder", None, None)
    assert [one["cite"] for one in letter.paragraphs] == ["§ 10-91(a)", "§ 10-91(b)", ""]


def test_a_clerk_prints_what_nobody_received(client, license_):
    LicenseFactory(number="A-2027-0007", issued_on=date(2026, 10, 1), expires_on=LAST)
    with at(date(2027, 8, 1)):
        send_reminders(System.NIGHTLY, date(2027, 8, 1))
        client.force_login(RoleGrantFactory().user)
        page = reverse("letters_to_print")
        waiting = list(client.get(page).context["table"].data)
        work = client.get(reverse("work_list")).content.decode()
        paper = client.get(
            reverse("letter_pdf", args=[waiting[0].organization.slug, waiting[0].pk])
        )
        left = list(client.get(page).context["table"].data)

    assert [row.key for row in waiting] == ["renewal:A-2027-0007:60"]
    assert "Print 1 letter" in work
    assert paper["Content-Type"] == "application/pdf"
    assert left == []


@pytest.mark.parametrize("licenses", [1, 3])
def test_looking_takes_the_same_few_queries_for_many(licenses, django_assert_num_queries):
    for number in range(licenses):
        LicenseFactory(number=f"A-2027-{number}", issued_on=date(2026, 10, 1), expires_on=LAST)

    with django_assert_num_queries(6):
        assert len(reminders_due(date(2027, 8, 1))) == licenses


# The night


@pytest.mark.parametrize(
    "moment",
    ["2026-11-01T05:30:00+00:00", "2026-11-01T06:30:00+00:00", "2027-03-14T07:30:00+00:00"],
)
def test_a_night_on_which_the_clock_changes_reminds_once(moment):
    with time_machine.travel(moment, tick=False):
        LicenseFactory(issued_on=date(2026, 1, 1), expires_on=date.fromisoformat(moment[:10]))

        told = [night(), night()]

    assert told[0].endswith("renewal reminders: 1 written, 0 e-mailed, 1 to print\n")
    assert told[1].endswith("renewal reminders: 0 written, 0 e-mailed, 0 to print\n")


def night() -> str:
    out = StringIO()
    call_command("nightly", stdout=out)
    return out.getvalue()


def test_a_step_that_fails_stops_no_other_and_is_told(monkeypatch, license_):
    def broken(today: date) -> str:
        raise ValueError(today)

    steps = {"broken": broken, "renewal reminders": nightly.reminders}
    monkeypatch.setattr(nightly, "STEPS", steps)

    with at(date(2027, 8, 1)), pytest.raises(CommandError, match="Failed: broken"):
        night()

    assert Letter.objects.count() == 1
