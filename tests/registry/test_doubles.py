"""Who may be the same as whom: few questions to the database, nobody asked about twice."""

from __future__ import annotations

from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.blocking import EACH, SLIPS, Candidates
from registry.database import as_owner
from registry.doubles import doubles_of, doubles_of_entry, near_days, same_human, same_humans
from registry.history import System, acting
from registry.matching import Class
from registry.migrations import __name__ as migrations
from registry.models import Person, WorkItem
from registry.services import PersonEntry, register_person
from tests.factories import (
    AccountHolderFactory,
    AddressFactory,
    DifferentPeopleFactory,
    PersonFactory,
    RoleGrantFactory,
    WorkItemFactory,
)

pytestmark = pytest.mark.django_db
BORN = date(1948, 12, 1)


def found(person: Person) -> list[tuple[str, str]]:
    """The others that one may be, with the class."""
    return [
        (Person.objects.get(pk=one.other + one.person - person.pk).full_name, one.likeness.what)
        for one in doubles_of([person])
    ]


def many(count: int, born_on: date = BORN) -> list[Person]:
    rows = [Person(full_name=f"Zed Other{n}", born_on=born_on) for n in range(count)]
    with acting(System.SET_UP, "test.made"):
        return Person.objects.bulk_create(rows)


@pytest.mark.parametrize(
    ("name", "born_on", "what"),
    [
        ("Robert Example", BORN, "possible"),
        ("EXAMPLE, BOB", BORN, "same"),
        ("Example Bob", None, "possible"),
        ("Bob Exampel", date(1948, 12, 2), "possible"),
        ("Dr. Bob Example Jr.", date(1990, 1, 1), "possible"),
        ("Bob Muster", date(1948, 12, 2), None),
        ("Vera Muster", BORN, None),
    ],
)
@pytest.mark.parametrize("crowd", [0, 250])
def test_whoever_is_near_is_found_alone_and_in_a_crowd(name, born_on, what, crowd):
    PersonFactory(full_name=name, born_on=born_on)
    bob = PersonFactory(full_name="Bob Example", born_on=BORN)
    asked = [*many(crowd, date(2001, 5, 6)), bob]

    mine = [one.likeness.what.value for one in doubles_of(asked) if one.person == bob.pk]

    assert mine == ([what] if what else [])


def test_the_questions_are_few_whatever_the_number():
    PersonFactory(full_name="Bob Example", born_on=BORN)
    counts = []
    for asked in ([], many(1), many(300)):
        with CaptureQueriesContext(connection) as queries:
            doubles_of(asked)
        counts.append(len(queries))

    assert counts == [0, 3, 4]


def test_a_pair_is_named_once_and_the_later_record_asks():
    first, second = PersonFactory(full_name="Bob Example"), PersonFactory(full_name="Rob Example")

    both = doubles_of([first, second])

    assert [(one.person, one.other) for one in both] == [(second.pk, first.pk)]


def test_who_was_told_apart_or_is_asked_about_already_is_not_named_again():
    bob = PersonFactory(full_name="Bob Example")
    others = [
        PersonFactory(full_name=name) for name in ("Rob Example", "Bobby Example", "B Example")
    ]
    DifferentPeopleFactory(first=bob, second=others[0])
    WorkItemFactory(person=others[1], other=bob)

    assert found(bob) == [("B Example", "possible")]


def test_what_is_said_of_a_record_holds_for_the_one_it_was_joined_to():
    bob, rob = PersonFactory(full_name="Bob Example"), PersonFactory(full_name="Rob Example")
    DifferentPeopleFactory(first=bob, second=rob)
    root = PersonFactory(full_name="Vera Muster", born_on=date(1999, 9, 9))
    with acting(System.SET_UP, "test.made"):
        Person.objects.filter(pk=rob.pk).update(merged_into=root)

    assert found(bob) == []


def test_a_joined_record_leads_to_the_surviving_one_and_never_to_itself():
    root = PersonFactory(full_name="Vera Muster", born_on=date(1999, 9, 9))
    PersonFactory(full_name="Rob Example", merged_into=root)

    assert found(PersonFactory(full_name="Bob Example")) == [("Vera Muster", "possible")]
    assert found(root) == []


def test_the_likeliest_ten_are_named():
    for n in range(12):
        PersonFactory(full_name=f"Bob Example{'x' * n}"[:30])
    PersonFactory(full_name="Rob Example")

    named = found(PersonFactory(full_name="Bob Example"))

    assert (len(named), named[0]) == (10, ("Bob Example", "same"))


def test_only_one_surviving_person_with_name_and_birth_date_is_linked():
    bob = PersonFactory(full_name="Bob Example", born_on=BORN)
    PersonFactory(full_name="Example, Bob", born_on=BORN, merged_into=bob)
    PersonFactory(full_name="Robert Example", born_on=BORN)

    assert same_human("EXAMPLE, BOB", BORN) == bob
    assert same_humans([("Bob Example", None), ("Bob Exampl", BORN)]) == {}
    PersonFactory(full_name="Bob Example", born_on=BORN)
    assert same_human("Bob Example", BORN) is None


def test_a_slip_of_one_digit_is_near_and_so_are_the_days_beside_it():
    near = near_days(date(1960, 2, 29))

    assert {date(1960, 3, 1), date(1960, 2, 28), date(1980, 2, 29), date(1960, 2, 19)} <= set(near)
    assert date(1960, 2, 29) not in near
    assert near_days(None) == []


def test_a_clerk_sees_who_is_near_while_typing_and_an_officer_nobody():
    bob = PersonFactory(full_name="Bob Example", born_on=BORN)
    AddressFactory(person=bob, postal_code="33525")
    clerk, officer = RoleGrantFactory().user, AccountHolderFactory().user

    seen = doubles_of_entry(clerk, "Robert Example", BORN)

    assert [(person, one.what) for person, one in seen] == [(bob, Class.POSSIBLE)]
    assert doubles_of_entry(clerk, "Robert Example", BORN, known=bob) == []
    assert doubles_of_entry(clerk, " ", None) == []
    assert doubles_of_entry(officer, "Robert Example", BORN) == []


def test_a_person_entered_by_a_clerk_is_listed_beside_who_may_be_the_same():
    bob = PersonFactory(full_name="Bob Example", born_on=BORN)

    made = register_person(RoleGrantFactory().user, PersonEntry("Robert Example", born_on=BORN))

    item = WorkItem.objects.get()
    assert (item.kind, item.person, item.other) == ("possible_double", made, bob)
    assert item.data["reasons"] == [
        {"code": "nickname", "one": "robert", "other": "bob"},
        {"code": "birth_same"},
    ]


@pytest.mark.django_db(transaction=True)
def test_names_that_were_there_before_are_written_anew_without_an_act():
    from importlib import import_module

    doubles = import_module(f"{migrations}.0002_doubles")
    row = PersonFactory(full_name="Dr. Tomás D'Angelo")
    with as_owner(), connection.cursor() as cursor:
        cursor.execute(doubles.BACK.replace("DROP FUNCTION registry_match_key(text);", ""))
        cursor.execute(doubles.REFRESH)
        cursor.execute("SELECT search_name FROM registry_person")
        before = cursor.fetchone()[0]
        cursor.execute(doubles.PLAIN.split("CREATE FUNCTION registry_match_key")[0])
        cursor.execute(doubles.REFRESH)

    row = Person.objects.get()
    assert (before, row.search_name) == ("dr. tomas d'angelo", "dr. tomas dangelo")
    assert row.match_key == "dangelo tomas"


def test_a_birth_date_that_hundreds_share_is_looked_at_sixty_times_each_and_no_name_is_lost():
    crowd = many(300)
    twin = PersonFactory(full_name="Other0 Zed", born_on=BORN)

    pairs = Candidates([person.pk for person in [*crowd, twin]])

    assert len(pairs) <= 301 * EACH
    assert {crowd[0].pk, twin.pk} in [{one.pk, other.pk} for one, other in pairs]


def test_a_long_list_asks_three_questions_a_person_at_most_the_likeliest_first():
    crowd = many(200)
    twin = PersonFactory(full_name="Other0 Zed", born_on=BORN)

    listed = doubles_of([*crowd, twin])

    asked = [one.person for one in listed]
    assert max(map(asked.count, asked)) == 3
    assert next(one.other for one in listed if one.person == twin.pk) == crowd[0].pk


def test_one_digit_apart_is_compared_and_most_of_a_birth_date_is_not():
    """Else the days of one month crowd out the one birth date that was mistyped."""
    crowd = [person for day in range(10, 17) for person in many(20, date(1950, 6, day))]
    twin = PersonFactory(full_name="Zed Other", born_on=date(1950, 6, 7))
    meant = PersonFactory(full_name="Zoe Otter", born_on=date(1950, 6, 1))

    pairs = [
        {one.pk, other.pk} - {twin.pk}
        for one, other in Candidates([twin.pk, *range(10**9, 10**9 + 200)])
    ]

    assert {meant.pk} in pairs
    assert len(pairs) <= SLIPS
    assert {crowd[0].pk} not in pairs
