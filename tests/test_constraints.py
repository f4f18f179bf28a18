"""The database holds the law by itself: against a day-by-day count, and under a race."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from datetime import date, timedelta

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils import timezone

from registry.access import Refused
from registry.constraints import constraint_of
from registry.database import as_owner
from registry.history import System, acting
from registry.models import Limit, Organization, Person
from tests.factories import (
    AssignmentFactory,
    LicensedFactory,
    MembershipFactory,
    PersonFactory,
    RoleGrantFactory,
    UserFactory,
    WorkerFactory,
)
from volunteers.assigning import Grant, assign
from volunteers.models import Assignment

CAP = "assignment_one_other_organization"
FIRST = date(2027, 1, 1)


def add(person: Person, organization: Organization, start: int, end: int) -> Assignment:
    """An approval from one day number to another, straight into the table."""
    with acting(System.SET_UP, "test.proposed"), transaction.atomic():
        return Assignment.objects.create(
            person=person,
            organization=organization,
            license=organization.licenses.first(),
            duties=["caller"],
            eligible_on=FIRST,
            starts_on=FIRST + timedelta(days=start),
            ends_on=FIRST + timedelta(days=end),
        )


def over(rows: list[tuple[int, int, int]], most: int = 2) -> bool:
    """The naive count: on some day more than so many organizations."""
    days = range(min(r[1] for r in rows), max(r[2] for r in rows) + 1)
    return any(len({o for o, s, e in rows if s <= day <= e}) > most for day in days)


@pytest.mark.django_db
def test_the_cap_agrees_with_counting_day_by_day() -> None:
    chance = random.Random(63)
    organizations = [LicensedFactory() for _ in range(4)]
    refused = 0
    for _person in range(25):
        person, kept = PersonFactory(), []
        for _proposal in range(12):
            which, start = chance.randrange(4), chance.randrange(40)
            row = (which, start, start + chance.randrange(15))
            overlaps = any(o == which and s <= row[2] and row[1] <= e for o, s, e in kept)
            if overlaps:
                continue
            lawful = not over([*kept, row])
            try:
                add(person, organizations[which], row[1], row[2])
                assert lawful, (kept, row)
                kept.append(row)
            except IntegrityError as error:
                assert constraint_of(error) == CAP
                assert not lawful, (kept, row)
                refused += 1

    assert refused > 20


@pytest.mark.django_db
def test_a_widening_that_would_pass_the_cap_is_refused_and_a_shortening_never_is() -> None:
    person, (a, b, c) = PersonFactory(), [LicensedFactory() for _ in range(3)]
    add(person, a, 0, 30)
    add(person, b, 0, 10)
    third = add(person, c, 11, 20)

    def move(**days: int) -> None:
        with acting(System.SET_UP, "test.moved"), transaction.atomic():
            for column, day in days.items():
                setattr(third, column, FIRST + timedelta(days=day))
            third.save()

    move(ends_on=15)
    move(ends_on=25)
    with pytest.raises(IntegrityError) as refused:
        move(starts_on=10)

    assert constraint_of(refused.value) == CAP
    assert refused.value.__cause__.diag.message_detail == "2027-01-11"


@pytest.mark.django_db
def test_the_cap_counts_a_merged_person_as_one_human_and_merged_bodies_as_one() -> None:
    root, twin = PersonFactory(), PersonFactory()
    a, a2, b, c = [LicensedFactory() for _ in range(4)]
    with acting(System.SET_UP, "test.merged"):
        twin.merged_into = root
        twin.save()
        a2.merged_into, a2.merged_on = a, FIRST
        a2.save()
    add(root, a, 0, 30)
    add(twin, a2, 0, 30)
    add(twin, b, 0, 30)

    with pytest.raises(IntegrityError) as refused:
        add(root, c, 5, 6)

    assert constraint_of(refused.value) == CAP


@pytest.mark.django_db
def test_a_helper_without_game_or_money_takes_no_place() -> None:
    person = PersonFactory()
    for _ in range(2):
        AssignmentFactory(person=person)

    AssignmentFactory(person=person, duties=["kitchen"], takes_place=False)

    assert person.assignments.count() == 3


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("make", "name"),
    [
        (
            lambda: AssignmentFactory(eligible_on=timezone.localdate() + timedelta(days=1)),
            "assignment_after_tenure",
        ),
        (lambda: MembershipFactory(ends_on=date(2020, 1, 1)), "membership_ends_after_start"),
        (lambda: LicensedFactory(ein="12345"), "organization_ein_nine_digits"),
        (lambda: PersonFactory(full_name=""), "person_has_a_name"),
    ],
)
def test_the_database_refuses_what_no_row_may_say(make: Callable[[], object], name: str) -> None:
    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        make()

    assert constraint_of(refused.value) == name


@pytest.mark.django_db
def test_memberships_of_one_person_may_touch_but_share_no_day() -> None:
    first = MembershipFactory(starts_on=date(2026, 1, 1), ends_on=date(2026, 5, 31))
    same = {"person": first.person, "organization": first.organization}
    MembershipFactory(**same, starts_on=date(2026, 6, 1))

    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        MembershipFactory(**same, starts_on=date(2026, 5, 31), ends_on=date(2026, 5, 31))

    assert constraint_of(refused.value) == "membership_one_at_a_time"


def at_once(*jobs: Callable[[], object]) -> list[object]:
    """Run the jobs in threads that start together; what each gave back or raised."""
    barrier, results = threading.Barrier(len(jobs)), [None] * len(jobs)

    def run(index: int, job: Callable[[], object]) -> None:
        try:
            connection.ensure_connection()
            barrier.wait()
            results[index] = job()
        except (Refused, DatabaseError) as error:
            results[index] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def most_on_a_day(person: Person) -> int:
    """How many organizations the person conducts for on the worst day."""
    rows = [
        (a.organization_id, a.starts_on.toordinal(), a.ends_on.toordinal())
        for a in person.assignments.filter(voided_at=None)
    ]
    return max(len({o for o, s, e in rows if s <= day <= e}) for _o, day, _e in rows)


class Race:
    """One worker per round, member of many organizations, with one place already taken."""

    def __init__(self, organizations: int) -> None:
        self.clerk = RoleGrantFactory().user
        self.grant = Grant(timezone.localdate(), ("caller",))
        self.organizations = [LicensedFactory() for _ in range(organizations)]

    def worker(self) -> Person:
        person = PersonFactory()
        for organization in self.organizations:
            WorkerFactory(person=person, organization=organization)
        AssignmentFactory(person=person, organization=self.organizations[0])
        return person

    def run(self, way: Callable[[Person, Organization], object]) -> tuple[int, list[object]]:
        """The worst day after everyone asked at once, and what each was told."""
        person = self.worker()
        jobs = [lambda o=o: way(person, o) for o in self.organizations[1:]]
        told = at_once(*jobs)
        return most_on_a_day(person), told

    def properly(self, person: Person, organization: Organization) -> object:
        return assign(self.clerk, Person.objects.get(pk=person.pk), organization, self.grant)

    def naively(self, person: Person, organization: Organization) -> object:
        """Count, then insert: what one would write first, with the database's guard off."""
        taken = person.assignments.filter(voided_at=None).values("organization").distinct().count()
        if taken >= 2:
            raise Refused("full")
        return AssignmentFactory(person=person, organization=organization)


def without_limit() -> None:
    """Switch the database's count off; only the owner can."""
    with as_owner():
        Limit.objects.update(organizations_per_person=None)


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("clients", "rounds"), [(2, 300), (8, 100)])
def test_clients_at_once_never_pass_the_limit_and_nobody_sees_an_error(
    clients: int, rounds: int
) -> None:
    race = Race(clients + 1)
    worst, winners, unhandled = 0, [], []
    for _ in range(rounds):
        most, told = race.run(race.properly)
        worst = max(worst, most)
        winners.append(sum(isinstance(word, Assignment) for word in told))
        unhandled += [w for w in told if not isinstance(w, Assignment | Refused)]

    assert (worst, set(winners), unhandled) == (2, {1}, [])


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
def test_the_same_harness_catches_a_naive_version() -> None:
    without_limit()
    race = Race(3)

    worst = [race.run(race.naively)[0] for _ in range(30)]

    assert sum(most > 2 for most in worst) >= 15


@pytest.mark.django_db
def test_the_loser_of_a_race_is_told_the_paragraph() -> None:
    person, user = PersonFactory(), UserFactory()
    for _ in range(2):
        AssignmentFactory(person=person)

    with pytest.raises(IntegrityError) as refused, acting(user, "x"), transaction.atomic():
        AssignmentFactory(person=person)

    from registry.services import say_refusal

    assert "§ 10-63(10)" in say_refusal(refused.value).message
