"""Acts on licenses, exemptions and interests, and what stands in the register after."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from licenses.models import Exemption, LessorInterest, License, Sanction
from licenses.rules import State
from licenses.selectors import (
    exemption_of,
    interested_in,
    is_lessor,
    lessors,
    license_on,
    licenses_shown,
    organizations_on,
    standing_of,
    standing_on,
    standings_on,
)
from licenses.services import (
    ExemptionEntry,
    end_interest,
    end_suspension,
    issue_license,
    record_exemption,
    record_interest,
    suspend_license,
    void_license,
)
from registry.access import BadInput, Refused
from registry.history import Act
from tests.factories import (
    AccountHolderFactory,
    AssignmentFactory,
    ExemptionFactory,
    LessorInterestFactory,
    LicensedFactory,
    LicenseFactory,
    OrganizationFactory,
    PersonFactory,
    RoleGrantFactory,
    SanctionFactory,
    days_ago,
)

pytestmark = pytest.mark.django_db
YEAR = {"issued_on": date(2026, 10, 1), "expires_on": date(2027, 9, 30)}


@pytest.fixture
def cleo():
    """A clerk."""
    return RoleGrantFactory().user


@pytest.fixture
def ivan():
    """An inspector, who keeps nothing."""
    return RoleGrantFactory(role="inspector").user


def refused_on(field, call):
    with pytest.raises(BadInput) as caught:
        call()
    assert caught.value.field == field
    return caught.value.message


def test_numbers_run_by_class_and_license_year_and_are_never_given_twice(cleo) -> None:
    posts = [OrganizationFactory() for _ in range(3)]
    first = issue_license(cleo, posts[0], license_class="A", **YEAR)
    void_license(cleo, first, reason="Wrong organization.")

    second = issue_license(cleo, posts[1], license_class="A", **YEAR)
    hall = issue_license(cleo, posts[1], license_class="B", **YEAR)
    early = issue_license(
        cleo, posts[2], license_class="A", issued_on=date(2026, 9, 30), expires_on=date(2026, 9, 30)
    )

    numbers = [row.number for row in (first, second, hall, early)]
    assert numbers == ["A-2027-0001", "A-2027-0002", "B-2027-0001", "A-2026-0001"]
    act = Act.objects.filter(verb="license.issued").order_by("at").first()
    assert (act.by, act.organization) == (cleo, posts[0])


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"license_class": "C"}, "license_class"),
        ({"expires_on": date(2026, 9, 30)}, "expires_on"),
        ({"issued_on": date(1990, 1, 1)}, "issued_on"),
    ],
)
def test_a_license_without_sense_is_refused_and_takes_no_number(cleo, change, field) -> None:
    post = OrganizationFactory()

    refused_on(field, lambda: issue_license(cleo, post, **{"license_class": "A", **YEAR, **change}))

    assert not License.objects.exists()
    assert issue_license(cleo, post, license_class="A", **YEAR).number == "A-2027-0001"


def test_two_licenses_of_one_class_share_no_day(cleo) -> None:
    post = OrganizationFactory()
    issue_license(cleo, post, license_class="A", **YEAR)

    refused_on("issued_on", lambda: issue_license(cleo, post, license_class="A", **YEAR))

    assert list(License.objects.values_list("number", flat=True)) == ["A-2027-0001"]


def test_a_license_under_which_somebody_is_approved_is_not_taken_out(cleo) -> None:
    assignment = AssignmentFactory()

    with pytest.raises(Refused) as caught:
        void_license(cleo, assignment.license, reason="Typo.")

    assert caught.value.message == ("1 worker approval rests on this license: take it back first.")
    assignment.license.refresh_from_db()
    assert assignment.license.voided_at is None


def test_a_suspension_is_kept_with_its_paragraph_and_ends_on_a_day(cleo) -> None:
    row = LicenseFactory()
    days = {"starts_on": days_ago(5), "ends_on": None}

    made = suspend_license(cleo, row, **days, reason="No deposits.", cite="§ 10-93(a)(1)f")

    assert standing_of(row, timezone.localdate()).state is State.SUSPENDED
    message = refused_on("starts_on", lambda: suspend_license(cleo, row, **days, reason="Again."))
    assert message == "The license is already suspended on some of these days."
    refused_on("last_day", lambda: end_suspension(cleo, made, last_day=days_ago(6)))
    end_suspension(cleo, made, last_day=days_ago(1))
    rows = Sanction.objects.values_list("reason", "cite", "starts_on", "ends_on")
    assert list(rows) == [("No deposits.", "§ 10-93(a)(1)f", days_ago(5), days_ago(1))]
    kept = list(made.events.order_by("pgh_id").values_list("cite", "ends_on"))
    assert kept == [("§ 10-93(a)(1)f", None), ("§ 10-93(a)(1)f", days_ago(1))]


def test_a_suspension_needs_a_reason_and_a_day_of_the_license(cleo) -> None:
    row = LicenseFactory()
    days = {"starts_on": days_ago(5), "ends_on": None}

    refused_on("reason", lambda: suspend_license(cleo, row, **days, reason=""))
    late = {"starts_on": row.expires_on + timedelta(days=1), "ends_on": None}
    refused_on("starts_on", lambda: suspend_license(cleo, row, **late, reason="Late."))
    early = {"starts_on": days_ago(5), "ends_on": days_ago(6)}
    refused_on("ends_on", lambda: suspend_license(cleo, row, **early, reason="Swapped."))

    assert not Sanction.objects.exists()


LETTER = ExemptionEntry("501(c)(19)", "letter", "letter of 1962", date(2026, 1, 5))


def test_a_newer_exemption_takes_the_place_of_the_older_which_is_kept(cleo) -> None:
    old = ExemptionFactory(basis="501(c)(3)")

    made = record_exemption(cleo, old.organization, LETTER)

    old.refresh_from_db()
    assert (exemption_of(old.organization), old.voided_at is None) == (made, False)
    assert (made.basis, made.evidence, made.reference) == ("501(c)(19)", "letter", "letter of 1962")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"basis": "501(c)(30)"}, "basis"),
        ({"basis": "501(d)"}, "basis"),
        ({"reference": "of 078-05-1120"}, "reference"),
        ({"verified_on": date(2199, 1, 1)}, "verified_on"),
    ],
)
def test_an_exemption_without_sense_leaves_the_older_standing(cleo, change, field) -> None:
    old = ExemptionFactory()

    refused_on(field, lambda: record_exemption(cleo, old.organization, replace(LETTER, **change)))

    assert list(Exemption.objects.standing()) == [old]


def test_a_tie_to_a_hall_owner_is_recorded_once_and_ended(cleo) -> None:
    pat, hall = PersonFactory(), OrganizationFactory(kind="other")
    tie = {"lessor": hall, "tie": "employee", "starts_on": days_ago(30)}

    row = record_interest(cleo, pat, **tie)

    refused_on("tie", lambda: record_interest(cleo, pat, **tie))
    refused_on("last_day", lambda: end_interest(cleo, row, last_day=days_ago(31)))
    end_interest(cleo, row, last_day=days_ago(0))
    rows = LessorInterest.objects.values_list("person", "lessor", "tie", "starts_on", "ends_on")
    assert list(rows) == [(pat.pk, hall.pk, "employee", days_ago(30), days_ago(0))]


def test_only_a_hall_owner_can_be_named_in_a_tie(cleo) -> None:
    post = LicensedFactory()

    message = refused_on(
        "lessor",
        lambda: record_interest(
            cleo, PersonFactory(), lessor=post, tie="owner", starts_on=days_ago(1)
        ),
    )

    assert message == (
        f"{post.name} holds no class B license: only a hall owner can be named here."
    )


def test_who_keeps_no_licenses_changes_none(ivan) -> None:
    sanction, pat = SanctionFactory(), PersonFactory()
    row, post = sanction.license, sanction.license.organization
    calls = [
        lambda: issue_license(ivan, post, license_class="B", **YEAR),
        lambda: void_license(ivan, row, reason="No."),
        lambda: suspend_license(ivan, row, starts_on=days_ago(1), ends_on=None, reason="No."),
        lambda: end_suspension(ivan, sanction, last_day=days_ago(0)),
        lambda: record_exemption(ivan, post, LETTER),
        lambda: record_interest(ivan, pat, lessor=post, tie="owner", starts_on=days_ago(1)),
    ]
    before = Act.objects.count()

    for call in calls:
        with pytest.raises(PermissionDenied):
            call()

    assert Act.objects.count() == before


def test_hall_owners_are_those_that_only_lease_or_hold_a_class_b(cleo) -> None:
    hall = OrganizationFactory(kind="other", name="Anclote Hall")
    both = LicenseFactory(license_class="B", organization__name="Elks").organization
    LicensedFactory()

    assert list(lessors(cleo)) == [hall, both]
    assert [is_lessor(row) for row in (hall, both)] == [True, True]
    own = AccountHolderFactory(organization=both)
    assert list(lessors(own.user)) == [both]


def test_people_tied_to_a_hall_owner_are_seen_by_regulators_only(cleo) -> None:
    hall = OrganizationFactory(kind="other")
    ada = AccountHolderFactory(organization=hall).user
    running = LessorInterestFactory(lessor=hall)
    LessorInterestFactory(lessor=hall, ends_on=days_ago(1))

    assert list(interested_in(cleo, hall, days_ago(0))) == [running]
    assert list(interested_in(ada, hall, days_ago(0))) == []


def test_the_licenses_that_matter_are_those_of_the_day_else_the_latest() -> None:
    post = OrganizationFactory()
    old = LicenseFactory(organization=post, issued_on="2024-10-01", expires_on="2025-09-30")
    new = LicenseFactory(organization=post, issued_on="2025-10-01", expires_on="2026-09-30")
    hall = LicenseFactory(
        organization=post, license_class="B", issued_on="2025-11-01", expires_on="2026-09-30"
    )
    rows = list(License.objects.filter(organization=post))

    def numbers(day):
        return [row.number for row in standings_on(rows, day)]

    assert numbers(date(2026, 1, 1)) == [new.number, hall.number]
    assert numbers(date(2025, 1, 1)) == [old.number]
    assert numbers(date(2027, 1, 1)) in ([new.number], [hall.number])
    assert license_on(post, date(2026, 1, 1)) == new
    assert [row.license for row in licenses_shown(post, date(2026, 1, 1))] == [hall, new, old]


def test_an_organization_is_told_with_what_it_holds_and_shows() -> None:
    post = LicenseFactory(**YEAR).organization
    ExemptionFactory(organization=post)

    assert standing_on(post, date(2026, 12, 1)) == "Licensed, class A, to Sep 30, 2027 · 501(c)(19)"
    assert standing_on(OrganizationFactory(), date(2026, 12, 1)) == "No license is recorded"


def test_the_list_agrees_with_each_license_on_every_day(cleo) -> None:
    licensed = LicenseFactory(issued_on="2026-01-10", expires_on="2026-03-10").organization
    row = licensed.licenses.get()
    SanctionFactory(license=row, starts_on="2026-01-20", ends_on="2026-01-25")
    SanctionFactory(
        license=row, starts_on="2026-02-01", ends_on="2026-02-03", voided_at="2026-02-01T12:00Z"
    )
    SanctionFactory(license=row, starts_on="2026-03-05")

    for number in range(75):
        day = date(2026, 1, 5) + timedelta(days=number)
        found = organizations_on(cleo, day).get(pk=licensed.pk)
        state = standing_of(row, day).state
        assert (found.is_in_force, found.is_suspended) == (
            state is State.IN_FORCE,
            state is State.SUSPENDED,
        ), day
