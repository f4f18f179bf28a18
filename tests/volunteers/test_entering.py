"""A list entered: all of it or nothing, under one act, known people found, doubles listed."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.access import BadInput
from registry.history import Act, AlreadyDone, System, acting, pressed
from registry.models import Address, Organization, Person, WorkItem
from tests.factories import (
    AccountHolderFactory,
    ActivityFactory,
    AddressFactory,
    AssignmentFactory,
    LicensedFactory,
    MembershipFactory,
    PersonFactory,
    RosterFileFactory,
    UserFactory,
    WorkerFactory,
    days_ago,
)
from volunteers.comparing import RosterLine
from volunteers.entering import Entered, Wanted, enter_roster
from volunteers.filing import Upload, choose_reading, keep_file
from volunteers.models import Activity, Assignment, Membership, RosterFile
from volunteers.services import Deed, Enrollment, Statement, statement_of

pytestmark = pytest.mark.django_db

STATED = Statement(days_ago(0), "Ada Reyes", "officer's statement")


def line(name: str, number: int = 2, **stated: Any) -> RosterLine:
    """One line of a list: somebody who joined 40 days ago."""
    usual = {"kind": "regular", "starts_on": days_ago(40), "born_on": date(1970, 1, 2)}
    return RosterLine(Enrollment(full_name=name, **(usual | stated)), number=number)


def enter(
    organization: Organization, *lines: RosterLine, by: Any = System.SET_UP, **wanted: Any
) -> Entered:
    return enter_roster(by, organization, Wanted(lines, STATED, **wanted))


def items() -> list[tuple[str, str, str | None]]:
    """What waits for the clerk: kind, about whom, beside whom."""
    return [
        (item.kind, item.person.full_name, item.other.number if item.other else None)
        for item in WorkItem.objects.order_by("pk")
    ]


def test_a_line_writes_person_membership_address_and_activity_with_the_statement() -> None:
    organization = LicensedFactory()
    stated = line(
        "Łukasz Żółć",
        given_name="Łukasz",
        family_name="Żółć",
        is_adult=True,
        is_resident=True,
        street="1 Post Road",
        city="Dade City",
        state="FL",
        postal_code="33525",
        activity=Deed("food pantry", days_ago(4)),
    )

    done = enter(organization, stated)

    row = Membership.objects.get()
    assert done.counts == {
        "made": 1,
        "changed": 0,
        "same": 0,
        "differing": 0,
        "activities": 1,
        "approved": 0,
    }
    assert (row.person.full_name, row.person.search_name, row.person.born_on) == (
        "Łukasz Żółć",
        "lukasz zolc",
        date(1970, 1, 2),
    )
    assert (row.kind, row.starts_on, row.ends_on, row.name_stated) == (
        "regular",
        days_ago(40),
        None,
        "Łukasz Żółć",
    )
    assert (row.born_on_stated, row.is_adult_stated, row.is_resident_stated) == (
        date(1970, 1, 2),
        True,
        True,
    )
    assert (row.attested_on, row.attested_by, row.evidence) == (
        days_ago(0),
        "Ada Reyes",
        "officer's statement",
    )
    assert str(Address.objects.get()) == "1 Post Road, Dade City, FL, 33525"
    assert Activity.objects.get().attested_by == "Ada Reyes"


def test_everything_hangs_on_one_act_with_a_part_for_each_person() -> None:
    organization = LicensedFactory()

    enter(organization, line("Pat Sample"), line("Lee Test", 3))

    act = Act.objects.get(verb="roster.entered")
    parts = Act.objects.filter(verb="member.enrolled", part_of=act)
    assert (act.organization, act.data) == (organization, {"lines": 2, "new": 2})
    assert sorted(part.person.full_name for part in parts) == ["Lee Test", "Pat Sample"]
    for model in (Person, Membership):
        events = model.events.rel.related_model.objects.filter(pgh_context_id=act.pk)
        assert events.count() == 2, model


def test_a_bad_line_stops_all_of_them_and_names_its_row() -> None:
    organization = LicensedFactory()
    bad = line("Lee Test", 7, ends_on=days_ago(400))

    with pytest.raises(BadInput) as refused:
        enter(organization, line("Pat Sample"), bad)

    assert refused.value.message == (
        "Row 7, “Lee Test”: The leave date lies before the join date. Check both."
    )
    assert (Person.objects.count(), Membership.objects.count()) == (0, 0)
    assert not Act.objects.filter(verb="roster.entered").exists()


def test_an_equal_name_and_birth_date_is_linked_and_listed_for_the_clerk() -> None:
    known = PersonFactory(full_name="Pat Sample", born_on=date(1970, 1, 2))
    other = PersonFactory(full_name="Lee Test", born_on=date(1950, 1, 1))

    enter(LicensedFactory(), line("PÁT SAMPLE"), line("Lee Test", 3))

    linked, double = Membership.objects.order_by("name_stated").reverse()
    assert linked.person == known
    assert double.person not in {known, other}
    assert items() == [
        ("linked", "Pat Sample", None),
        ("possible_double", "Lee Test", other.number),
    ]


def test_without_a_birth_date_nobody_is_linked() -> None:
    known = PersonFactory(full_name="Pat Sample", born_on=date(1970, 1, 2))

    enter(LicensedFactory(), line("Pat Sample", born_on=None))

    assert Membership.objects.get().person != known
    assert items() == [("possible_double", "Pat Sample", known.number)]


def test_a_joined_record_is_entered_under_the_surviving_one() -> None:
    root = PersonFactory(full_name="Patricia Sample")
    PersonFactory(full_name="Pat Sample", born_on=date(1970, 1, 2), merged_into=root)

    enter(LicensedFactory(), line("Pat Sample"))

    assert Membership.objects.get().person == root


def test_two_namesakes_in_one_list_are_two_people_and_looked_at_once() -> None:
    organization = LicensedFactory()

    enter(organization, line("John Example"), line("John Example", 3, born_on=date(1990, 5, 6)))

    first, second = Person.objects.order_by("pk")
    assert items() == [("possible_double", "John Example", first.number)]
    assert WorkItem.objects.get().person == second


def test_two_spells_of_one_person_are_one_person() -> None:
    enter(
        LicensedFactory(),
        line("Pat Sample", starts_on=days_ago(900), ends_on=days_ago(400)),
        line("Pat Sample", 3, born_on=None),
    )

    assert Person.objects.count() == 1
    assert Membership.objects.count() == 2


def test_the_same_list_again_changes_nothing() -> None:
    organization = LicensedFactory()
    lines = [
        line("Pat Sample", street="1 Post Road", activity=Deed("meeting", days_ago(3))),
        line("Lee Test", 3),
    ]
    enter(organization, *lines)
    before = [model.objects.count() for model in (Person, Membership, Address, Activity)]

    again = enter(organization, *lines)

    assert (again.counts["made"], again.counts["same"]) == (0, 2)
    after = [model.objects.count() for model in (Person, Membership, Address, Activity)]
    assert after == before == [2, 2, 1, 1]


def test_a_leave_date_that_was_added_ends_the_row_and_its_approval() -> None:
    organization = LicensedFactory()
    row = WorkerFactory(organization=organization, person=PersonFactory(full_name="Pat Sample"))
    approval = AssignmentFactory(
        person=row.person, organization=organization, starts_on=days_ago(1)
    )

    done = enter(organization, line("Pat Sample", starts_on=row.starts_on, ends_on=days_ago(0)))

    row.refresh_from_db()
    approval.refresh_from_db()
    assert (done.counts["changed"], done.counts["made"]) == (1, 0)
    assert (row.ends_on, approval.ends_on) == (days_ago(0), days_ago(0))
    part = Act.objects.get(verb="member.left")
    assert (part.person, part.part_of.verb) == (row.person, "roster.entered")


def test_what_the_roster_says_is_never_overwritten() -> None:
    organization = LicensedFactory()
    row = MembershipFactory(organization=organization, person=PersonFactory(full_name="Pat Sample"))
    AddressFactory(person=row.person, stated_by=organization, street="1 Post Road")
    said = line(
        "Pat Sample",
        starts_on=row.starts_on,
        kind="volunteer",
        born_on=date(1971, 1, 2),
        is_resident=False,
        street="2 Marsh Court",
    )

    done = enter(organization, said)

    row.refresh_from_db()
    assert done.counts["differing"] == 1
    assert (row.kind, row.born_on_stated, row.is_resident_stated) == (
        "regular",
        date(1970, 1, 2),
        True,
    )
    assert Address.objects.count() == 1


def test_what_was_missing_is_filled_in_and_signed() -> None:
    organization = LicensedFactory()
    row = MembershipFactory(
        organization=organization,
        person=PersonFactory(full_name="Pat Sample"),
        born_on_stated=None,
        is_adult_stated=False,
        is_resident_stated=None,
        attested_on=None,
        attested_by="",
    )
    said = line(
        "Pat Sample",
        starts_on=row.starts_on,
        is_adult=True,
        is_resident=True,
        activity=Deed("meeting", days_ago(2)),
    )

    done = enter(organization, said)

    row.refresh_from_db()
    assert (done.counts["changed"], done.counts["activities"]) == (1, 1)
    assert (row.born_on_stated, row.is_adult_stated, row.is_resident_stated, row.attested_by) == (
        date(1970, 1, 2),
        True,
        True,
        "Ada Reyes",
    )


def test_an_activity_that_is_recorded_is_not_doubled() -> None:
    organization = LicensedFactory()
    row = MembershipFactory(organization=organization, person=PersonFactory(full_name="Pat Sample"))
    ActivityFactory(
        person=row.person, organization=organization, kind="meeting", done_on=days_ago(2)
    )

    deed = Deed("meeting", days_ago(2))
    enter(organization, line("Pat Sample", starts_on=row.starts_on, activity=deed))

    assert Activity.objects.count() == 1


def test_those_who_may_work_are_approved_in_the_same_step_and_the_rest_is_refused() -> None:
    organization = LicensedFactory()
    busy = PersonFactory(full_name="Busy Worker", born_on=date(1970, 1, 2))
    for _place in range(2):
        other = LicensedFactory()
        WorkerFactory(person=busy, organization=other)
        AssignmentFactory(person=busy, organization=other)
    deed = Deed("meeting", days_ago(2))
    lines = [line("Pat Sample", 2, activity=deed), line("Busy Worker", 3, activity=deed)]

    done = enter(organization, *lines, duties={2: ("caller",), 3: ("seller",)})

    rows = Assignment.objects.filter(organization=organization)
    assert [(row.person.full_name, row.duties) for row in rows] == [("Pat Sample", ["caller"])]
    assert [person.full_name for person, _refused in done.granted.refused] == ["Busy Worker"]
    assert Membership.objects.filter(organization=organization).count() == 2
    assert Act.objects.filter(verb="assignment.refused", person=busy).count() == 1


def test_who_is_approved_already_is_passed_over() -> None:
    organization = LicensedFactory()
    row = WorkerFactory(organization=organization, person=PersonFactory(full_name="Pat Sample"))
    AssignmentFactory(person=row.person, organization=organization)

    done = enter(organization, line("Pat Sample", starts_on=row.starts_on), duties={2: ("caller",)})

    assert (done.granted.made, done.granted.refused) == ([], [])


def test_an_officer_enters_no_line_about_himself() -> None:
    holder = AccountHolderFactory(user=UserFactory(name="Ada Reyes"))
    wanted = Wanted([line("Ada Reyes", 5)], statement_of(holder.user))

    with pytest.raises(BadInput) as refused:
        enter_roster(holder.user, holder.organization, wanted)

    assert refused.value.message.startswith("Row 5, “Ada Reyes”: This line is about Ada Reyes")
    assert Membership.objects.count() == 0


def test_several_people_of_one_name_on_the_roster_stop_the_list() -> None:
    organization = LicensedFactory()
    for year in (1940, 1970):
        person = PersonFactory(full_name="John Example", born_on=date(year, 3, 4))
        MembershipFactory(organization=organization, person=person)

    with pytest.raises(BadInput, match="Row 2, “John Example”: Several people"):
        enter(organization, line("John Example", born_on=None, starts_on=days_ago(10)))


def test_only_who_keeps_the_roster_enters_one() -> None:
    stranger = AccountHolderFactory().user
    organization = LicensedFactory()

    for act in (
        lambda: enter(organization, line("Pat Sample"), by=stranger),
        lambda: keep_file(stranger, organization, Upload("x", b"x", "0" * 64, {})),
        lambda: choose_reading(stranger, RosterFileFactory(organization=organization), {}),
    ):
        with pytest.raises(PermissionDenied):
            act()
    assert (Membership.objects.count(), RosterFile.objects.filter(name="x").count()) == (0, 0)


def test_a_second_press_finds_the_first() -> None:
    organization, token = LicensedFactory(), "00000000-0000-4000-8000-000000000001"

    with pressed(token):
        enter(organization, line("Pat Sample"))
    with pytest.raises(AlreadyDone) as again, pressed(token):
        enter(organization, line("Pat Sample"))

    assert again.value.act.verb == "roster.entered"
    assert Membership.objects.count() == 1


def test_the_file_remembers_each_time_it_was_entered() -> None:
    file = RosterFileFactory()
    holder = AccountHolderFactory(organization=file.organization)

    for name in ("Pat Sample", "Lee Test"):
        wanted = Wanted([line(name)], STATED)
        enter_roster(holder.user, file.organization, wanted, roster_file=file)

    file.refresh_from_db()
    entries = file.result["entries"]
    assert [(entry["by"], entry["counts"]["made"]) for entry in entries] == [
        (holder.user.name, 1),
        (holder.user.name, 1),
    ]
    assert file.entered_at is not None
    assert {row.roster_file for row in Membership.objects.all()} == {file}


def test_a_file_is_kept_once_and_its_reading_remembered() -> None:
    holder = AccountHolderFactory()
    upload = Upload("roster.csv", b"Full name,Joined\n", "a" * 64, {"ssn": {"columns": ["SSN"]}})

    first, is_new = keep_file(holder.user, holder.organization, upload)
    again, is_again_new = keep_file(holder.user, holder.organization, upload)
    choose_reading(holder.user, first, {"date_order": "mdy"})

    first.refresh_from_db()
    assert (first, is_new, is_again_new) == (again, True, False)
    assert (bytes(first.content), first.uploaded_by) == (upload.content, holder.user)
    assert {**first.options, "chosen_at": ""} == {"date_order": "mdy", "chosen_at": ""}


def test_thirty_lines_take_as_many_queries_as_three() -> None:
    organization = LicensedFactory()
    for n in range(30):
        PersonFactory(full_name=f"Known Person{n}", born_on=date(1970, 1, 2))
    deed = Deed("meeting", days_ago(2))

    def queries(first: int, count: int) -> int:
        lines = [
            line(f"{kind} Person{n}", n + 2, activity=deed, street="1 Post Road")
            for n in range(first, first + count)
            for kind in ("Known", "New")
        ]
        with CaptureQueriesContext(connection) as asked:
            enter(
                organization,
                *lines,
                duties={n + 2: ("caller",) for n in range(first, first + count)},
            )
        return len(asked)

    assert queries(0, 3) == queries(3, 27)


def test_numbers_drawn_twice_are_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = PersonFactory()
    drawn = iter([taken.number, taken.number, "P-222222", "P-333333", "P-444444"])
    field = Person._meta.get_field("number")
    monkeypatch.setattr(field, "_get_default", lambda: next(drawn))
    monkeypatch.setattr("volunteers.planning.person_number", lambda: next(drawn))

    enter(LicensedFactory(), line("Pat Sample"), line("Lee Test", 3))

    assert Person.objects.count() == 3


def test_a_write_outside_the_act_is_still_refused() -> None:
    from django.db.utils import IntegrityError

    with acting(System.SET_UP, "test.made"):
        row = MembershipFactory()
    with pytest.raises(IntegrityError, match="no act stands behind"):
        Membership.objects.filter(pk=row.pk).update(kind="honorary")
