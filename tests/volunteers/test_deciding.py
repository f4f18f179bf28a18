"""Corrections, interests and decisions, and what becomes of approvals that rest on the person."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from django.core.exceptions import PermissionDenied

from registry.access import BadInput, Refused
from registry.history import Act
from registry.models import WorkItem
from registry.services import PersonEntry
from tests.factories import (
    AccountHolderFactory,
    AssignmentFactory,
    LicensedFactory,
    MembershipFactory,
    OrganizationFactory,
    PersonFactory,
    RoleGrantFactory,
    WorkerFactory,
    days_ago,
)
from volunteers.deciding import (
    DecisionEntry,
    InterestEntry,
    correct_person,
    record_decision,
    record_interest,
    titled_tests,
    void_decision,
)
from volunteers.models import Determination
from volunteers.selectors import Asked, ruling_for

pytestmark = pytest.mark.django_db


@pytest.fixture
def cleo():
    """A clerk."""
    return RoleGrantFactory().user


@pytest.fixture
def adam():
    """The county administrator."""
    return RoleGrantFactory(role="administrator").user


@pytest.fixture
def worker():
    """An approved worker: membership, activity and approval at a licensed organization."""
    row = WorkerFactory()
    AssignmentFactory(person=row.person, organization=row.organization)
    return row


def entry_for(row, **change):
    whole = DecisionEntry(
        organization=row.organization,
        rule="tenure",
        is_met=False,
        decided_by="board",
        decided_on=days_ago(2),
        reference="Resolution 26-114",
        starts_on=days_ago(1),
    )
    return replace(whole, **change)


def items():
    return list(WorkItem.objects.filter(kind="correction").values_list("person", "cite", "data"))


def refused_on(field, call):
    with pytest.raises(BadInput) as caught:
        call()
    assert caught.value.field == field
    return caught.value.message


def test_a_name_is_corrected_and_approvals_stand(cleo, worker) -> None:
    person = worker.person
    entry = PersonEntry("Quinn Mary", born_on=person.born_on)

    assert correct_person(cleo, person, entry, reason="Letters swapped.") == []

    person.refresh_from_db()
    assert (person.full_name, items()) == ("Quinn Mary", [])
    assert Act.objects.get(verb="person.corrected").reason == "Letters swapped."


def test_a_birth_date_that_makes_too_young_is_recorded_and_the_approval_listed(
    cleo, worker
) -> None:
    person, approval = worker.person, worker.person.assignments.get()
    entry = PersonEntry(person.full_name, born_on=days_ago(365 * 16))

    fallen = correct_person(cleo, person, entry, reason="Passport seen.")

    assert [(one.assignment, one.verdict.rule) for one in fallen] == [(approval, "age")]
    data = {"assignments": [approval.pk], "ended": False}
    assert items() == [(person.pk, "§ 10-63(5)", data)]
    approval.refresh_from_db()
    assert approval.ends_on == approval.license.expires_on


def test_what_stood_in_the_way_before_is_not_the_corrections_doing(cleo, worker) -> None:
    person = worker.person
    young = PersonEntry(person.full_name, born_on=days_ago(365 * 16))
    correct_person(cleo, person, young, reason="Passport seen.")

    fallen = correct_person(cleo, person, replace(young, full_name="Young Quinn"), reason="Name.")

    assert (fallen, len(items())) == ([], 1)


def test_a_correction_that_makes_no_sense_changes_nothing(cleo, worker) -> None:
    person = worker.person

    refused_on("reason", lambda: correct_person(cleo, person, PersonEntry("X"), reason=" "))
    refused_on("full_name", lambda: correct_person(cleo, person, PersonEntry(" "), reason="Why."))

    person.refresh_from_db()
    assert person.full_name.startswith("Worker")
    assert not Act.objects.filter(verb="person.corrected").exists()


def test_an_interest_bars_and_lists_the_approval(cleo, worker) -> None:
    hall = OrganizationFactory(kind="other")

    fallen = record_interest(
        cleo, worker.person, InterestEntry(hall, "stockholder", starts_on=days_ago(9))
    )

    assert [one.verdict.rule for one in fallen] == ["lessor"]
    assert [cite for _person, cite, _data in items()] == ["§ 10-65(b)"]
    assert worker.person.lessor_interests.get().lessor == hall


def test_an_interest_that_has_ended_lists_nothing(cleo, worker) -> None:
    hall = OrganizationFactory(kind="other")

    fallen = record_interest(
        cleo, worker.person, InterestEntry(hall, "officer", days_ago(90), days_ago(1))
    )

    assert (fallen, items()) == ([], [])


def test_a_refused_interest_leaves_no_trace(cleo, worker) -> None:
    entry = InterestEntry(LicensedFactory(), "officer", days_ago(9))
    before = Act.objects.count()

    refused_on("lessor", lambda: record_interest(cleo, worker.person, entry))

    assert (worker.person.lessor_interests.count(), Act.objects.count()) == (0, before)


def test_a_decision_is_honored_on_its_days_for_its_organization(adam) -> None:
    row = MembershipFactory(starts_on=days_ago(5))
    asked = Asked(row.organization, days_ago(0))
    assert ruling_for(row.person, asked).first_bar.rule == "tenure"

    decision = entry_for(row, is_met=True, starts_on=days_ago(3), ends_on=days_ago(-3))
    assert record_decision(adam, row.person, decision) == []

    found = {v.rule: (v.code, v.outcome) for v in ruling_for(row.person, asked).verdicts}
    assert found["tenure"] == ("decided", "met")
    later = Asked(row.organization, days_ago(-4))
    assert ruling_for(row.person, later).first_bar.rule == "tenure"
    act = Act.objects.get(verb="decision.recorded")
    assert (act.by, act.person, act.organization, act.reason) == (
        adam, row.person, row.organization, "Resolution 26-114"
    )  # fmt: skip


def test_a_decision_that_a_test_is_not_met_lists_the_approval(adam, worker) -> None:
    fallen = record_decision(adam, worker.person, entry_for(worker))

    assert [one.verdict.rule for one in fallen] == ["tenure"]
    assert [cite for _person, cite, _data in items()] == ["§ 10-63(12)"]


def test_a_decision_taken_out_lets_the_test_answer_again(adam) -> None:
    row = WorkerFactory()
    record_decision(adam, row.person, entry_for(row))
    decision = Determination.objects.get()
    asked = Asked(row.organization, days_ago(0))
    assert not ruling_for(row.person, asked).allows

    void_decision(adam, decision, reason="Another Quinn.")

    assert ruling_for(row.person, asked).allows
    decision.refresh_from_db()
    assert decision.void_reason == "Another Quinn."


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"rule": "phase of the moon"}, "rule"),
        ({"decided_by": "me"}, "decided_by"),
        ({"decided_on": date(2199, 1, 1)}, "decided_on"),
        ({"reference": "  "}, "reference"),
        ({"reference": "078-05-1120"}, "reference"),
        ({"ends_on": date(2001, 1, 1)}, "ends_on"),
    ],
)
def test_a_decision_without_sense_is_refused(adam, change, field) -> None:
    row = MembershipFactory()

    refused_on(field, lambda: record_decision(adam, row.person, entry_for(row, **change)))

    assert not Determination.objects.exists()


def test_two_decisions_on_one_test_share_no_day(adam) -> None:
    row = MembershipFactory()
    record_decision(adam, row.person, entry_for(row))

    refused_on("rule", lambda: record_decision(adam, row.person, entry_for(row, is_met=True)))

    assert Determination.objects.count() == 1


def test_a_decision_is_for_administrator_and_supervisor_without_a_tie(cleo) -> None:
    row = MembershipFactory()
    holder = AccountHolderFactory(organization=row.organization).user
    RoleGrantFactory(user=holder, role="supervisor")
    inspector = RoleGrantFactory(role="inspector").user

    for by in (cleo, inspector, holder, AccountHolderFactory().user):
        with pytest.raises(PermissionDenied):
            record_decision(by, row.person, entry_for(row))

    assert not Determination.objects.exists()


def test_nobody_decides_about_himself_or_a_body_he_belongs_to(adam) -> None:
    row = MembershipFactory()
    adam.person = PersonFactory()
    member = MembershipFactory(person=adam.person, organization=row.organization)

    with pytest.raises(Refused) as caught:
        record_decision(adam, row.person, entry_for(row))
    assert caught.value.message == "You belong to this organization. A colleague must do it."
    adam.person = row.person
    with pytest.raises(Refused) as caught:
        record_decision(adam, row.person, entry_for(member))
    assert caught.value.message == "This is about yourself. A colleague must do it."
    assert not Determination.objects.exists()


def test_the_tests_are_named_by_their_titles_in_their_order() -> None:
    assert titled_tests()[:4] == [
        ("license", "License in force"),
        ("membership", "Member or volunteer"),
        ("suspension", "Not suspended"),
        ("tenure", "30 days"),
    ]
