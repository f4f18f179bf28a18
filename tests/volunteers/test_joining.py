"""Joining, parting and telling apart: pointers, rows, work items, and two at once."""

from __future__ import annotations

import threading
from datetime import date
from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection, transaction
from django.utils import timezone

from registry.access import BadInput, Refused
from registry.documents import Paper
from registry.history import Act, AlreadyDone, System, acting, pressed
from registry.models import Address, DifferentPeople, Person, WorkItem
from registry.selectors import family_of, person_for
from registry.services import PersonEntry, lock_people
from tests.factories import (
    PDF,
    AccountHolderFactory,
    ActivityFactory,
    AddressFactory,
    AssignmentFactory,
    LessorInterestFactory,
    LicensedFactory,
    MembershipFactory,
    NameTagFactory,
    PersonFactory,
    RoleGrantFactory,
    WorkerFactory,
    WorkItemFactory,
    days_ago,
)
from tests.test_constraints import at_once
from volunteers.assigning import Grant, assign
from volunteers.comparing import OwnRoster, RosterLine, plain_names
from volunteers.deciding import correct_person
from volunteers.joining import (
    join_people,
    look_again,
    part_organization,
    part_record,
    take_back,
    tell_apart,
)
from volunteers.merging import merge_organizations
from volunteers.models import Assignment, Membership
from volunteers.selectors import Asked, ruling_for
from volunteers.services import Enrollment, enroll, statement_of
from volunteers.unions import moved_with, union_of

pytestmark = pytest.mark.django_db
BORN = date(1961, 2, 3)


@pytest.fixture
def sue():
    """A supervisor."""
    return RoleGrantFactory(role="supervisor").user


def working(full_name="Pat Sample", *, starts_on=None, person=None, organization=None):
    """Somebody approved at a licensed organization."""
    person = person or PersonFactory(full_name=full_name)
    row = WorkerFactory(person=person, organization=organization or LicensedFactory())
    return AssignmentFactory(
        person=row.person,
        organization=row.organization,
        starts_on=starts_on or timezone.localdate(),
    )


# Join


def test_a_join_is_a_pointer_that_both_numbers_follow_and_no_row_moves(sue):
    kept, gone = PersonFactory(full_name="Pat Sample"), PersonFactory(full_name="Patricia Sample")
    line = MembershipFactory(person=gone)
    item = WorkItemFactory(person=gone, other=kept)

    join_people(sue, kept, gone, reason="Same passport.")

    line.refresh_from_db()
    item.refresh_from_db()
    assert line.person == gone
    assert [person_for(sue, one.number) for one in (kept, gone)] == [kept, kept]
    assert (item.closed_at is not None, item.outcome) == (True, f"Joined into {kept.number}.")
    act = Act.objects.get(verb="person.joined")
    assert (act.person, act.reason, act.by) == (kept, "Same passport.", sue)
    assert (act.data["kept"], act.data["joined"]) == (kept.number, gone.number)
    assert [body["organization"] for body in act.data["bodies"]] == [line.organization.name]
    assert not WorkItem.objects.filter(kind="union").exists()


def test_tenure_at_one_organization_counts_over_both_records(sue):
    post = LicensedFactory()
    kept, gone = PersonFactory(full_name="Pat Sample"), PersonFactory(full_name="Pat A Sample")
    MembershipFactory(person=gone, organization=post, starts_on=days_ago(60), ends_on=days_ago(10))
    MembershipFactory(person=kept, organization=post, starts_on=days_ago(9))
    ActivityFactory(person=kept, organization=post, done_on=days_ago(5))
    asked = Asked(post, timezone.localdate())

    union = union_of(kept, gone, timezone.localdate())
    before = ruling_for(kept, asked).allows
    join_people(sue, kept, gone, reason="One human.")

    (body,) = union.bodies
    assert [ruling.allows for ruling in body.before] == [False, False]
    assert (before, body.after.allows, ruling_for(kept, asked).allows) == (False, True, True)
    assert ruling_for(gone, asked).allows


def test_an_unlawful_union_is_joined_and_listed_with_cites_and_days(sue):
    first, second = working(starts_on=days_ago(20)), working("Pat A Sample", starts_on=days_ago(9))
    third = working(person=second.person, starts_on=days_ago(3))
    WorkItemFactory(person=second.person, other=first.person)

    union = join_people(sue, first.person, second.person, reason="Same fingerprints.")

    clash = {
        "rule": "one_other",
        "cite": "§ 10-63(10)",
        "organization": third.organization.name,
        "day": days_ago(3).isoformat(),
        "last": third.ends_on.isoformat(),
    }
    item = WorkItem.objects.get(kind="union")
    assert (item.person, item.other) == (first.person, second.person)
    assert (item.cite, item.note) == ("§ 10-63(10)", "Same fingerprints.")
    assert item.data == {"clashes": [clash]}
    assert [one.verdict.rule for one in union.clashes] == ["one_other"]
    assert Act.objects.get(verb="person.joined").data["clashes"] == [clash]
    assert Assignment.objects.standing().filter(ends_on__gte=timezone.localdate()).count() == 3


def test_an_interest_of_the_other_record_clashes_with_the_approval(sue):
    row, owner = working(), PersonFactory(full_name="Pat Sampel")
    LessorInterestFactory(person=owner)

    union = join_people(sue, row.person, owner, reason="Same person.")

    assert [(one.verdict.cite, one.organization) for one in union.clashes] == [
        ("§ 10-65(b)", row.organization)
    ]


def test_who_was_over_the_limit_before_is_no_news_of_the_union(sue):
    kept, gone = working(), PersonFactory(full_name="Pat B Sample")
    MembershipFactory(person=gone)

    assert union_of(kept.person, gone, timezone.localdate()).clashes == ()


def test_records_that_are_one_already_or_told_apart_are_not_joined(sue):
    one, two, three = (PersonFactory(full_name=name) for name in ("Pat A", "Pat B", "Pat C"))
    tell_apart(sue, one, three, reason="Sisters.")
    join_people(sue, one, two, reason="One.")

    for pair in ((two, one), (one, two), (two, three), (three, one)):
        with pytest.raises(Refused):
            join_people(sue, *pair, reason="Again.")
    with pytest.raises(BadInput):
        join_people(sue, one, three, reason=" ")
    assert Act.objects.filter(verb="person.joined").count() == 1


def test_a_second_press_finds_the_first(sue):
    kept, gone, token = PersonFactory(), PersonFactory(), uuid4()
    with pressed(token):
        join_people(sue, kept, gone, reason="One.")

    with pytest.raises(AlreadyDone), pressed(token):
        join_people(sue, kept, gone, reason="One.")


def test_only_a_supervisor_joins_and_nobody_about_himself_or_his_own_post(sue):
    one, two, post = PersonFactory(), PersonFactory(), LicensedFactory()
    clerk, tied = RoleGrantFactory().user, RoleGrantFactory(role="supervisor").user
    with pytest.raises(PermissionDenied):
        join_people(clerk, one, two, reason="One.")
    tied.person = PersonFactory()
    MembershipFactory(person=tied.person, organization=post)
    MembershipFactory(person=two, organization=post)

    for pair in ((one, tied.person), (one, two)):
        with pytest.raises(Refused):
            join_people(tied, *pair, reason="One.")
        with pytest.raises(Refused):
            tell_apart(tied, *pair, reason="Two.")
    assert Person.objects.filter(merged_into__isnull=False).count() == 0


# Part


def test_a_part_of_a_chain_stands_for_itself_again_with_what_hangs_on_it(sue):
    a, b, c = (PersonFactory(full_name=f"Pat {letter}") for letter in "ABC")
    join_people(sue, b, a, reason="One.")
    join_people(sue, c, b, reason="One.")
    assert sorted(family_of(a)) == [a.pk, b.pk, c.pk]

    part_record(sue, c, b.number, reason="Another birth certificate.")

    assert (sorted(family_of(c)), sorted(family_of(a))) == ([c.pk], [a.pk, b.pk])
    part_record(sue, b, a.number, reason="Cousins.")
    assert [family_of(one) for one in (a, b, c)] == [[a.pk], [b.pk], [c.pk]]
    pairs = DifferentPeople.objects.order_by("pk").values_list("first", "second")
    assert list(pairs) == [(b.pk, c.pk), (a.pk, b.pk)]
    with pytest.raises(BadInput):
        part_record(sue, c, b.number, reason="Again.")


def test_parting_lists_the_approvals_of_either_that_rested_on_the_other_record(sue):
    post, hall = LicensedFactory(), LicensedFactory()
    kept, gone = PersonFactory(full_name="Pat Sample"), PersonFactory(full_name="Pat A Sample")
    for old, new, body in ((gone, kept, post), (kept, gone, hall)):
        MembershipFactory(
            person=old, organization=body, ends_on=days_ago(9), starts_on=days_ago(60)
        )
        MembershipFactory(person=new, organization=body, starts_on=days_ago(8))
        ActivityFactory(person=new, organization=body, done_on=days_ago(5))
    join_people(sue, kept, gone, reason="One.")
    rows = [working_at(kept, post), working_at(gone, hall)]

    part_record(sue, kept, gone.number, reason="Two.")

    items = WorkItem.objects.filter(kind="correction").order_by("pk")
    told = [(item.person, item.cite, item.data["assignments"]) for item in items]
    assert told == [
        (kept, "§ 10-63(12)", [rows[0].pk]),
        (gone, "§ 10-63(12)", [rows[1].pk]),
    ]


def test_what_was_entered_since_goes_along_where_only_the_parted_record_is_listed(sue):
    post, hall = LicensedFactory(), LicensedFactory()
    kept = WorkerFactory(person__full_name="Pat Sample", organization=hall).person
    gone = MembershipFactory(person__full_name="Pat A Sample", organization=post).person
    ActivityFactory(person=gone, organization=post, kind="food pantry", done_on=days_ago(3))
    join_people(sue, kept, gone, reason="One.")
    since = [
        ActivityFactory(person=kept, organization=post, done_on=days_ago(2)),
        working_at(kept, post),
        AddressFactory(person=kept, stated_by=post),
    ]
    same = ActivityFactory(person=kept, organization=post, kind="food pantry", done_on=days_ago(3))
    stays = [ActivityFactory(person=kept, organization=hall, done_on=days_ago(1)),
             working_at(kept, hall), AddressFactory(person=kept)]  # fmt: skip

    part_record(sue, kept, gone.number, reason="Two.")

    for row in (*since, *stays, same):
        row.refresh_from_db()
    assert {row.person for row in since} == {gone}
    assert {row.person for row in (*stays, same)} == {kept}
    assert not WorkItem.objects.filter(kind="correction").exists()


def working_at(person, body):
    """An approval of this record at this body."""
    return AssignmentFactory(person=person, organization=body)


def test_parting_takes_the_union_off_the_list(sue):
    first, second = working(starts_on=days_ago(20)), working("Pat A Sample", starts_on=days_ago(9))
    working(person=second.person, starts_on=days_ago(3))
    join_people(sue, first.person, second.person, reason="One.")

    part_record(sue, first.person, second.person.number, reason="Two after all.")

    assert WorkItem.objects.get(kind="union").outcome == "The records were parted again."


def test_a_link_by_name_and_birth_date_is_parted_with_all_that_the_organization_stated(sue):
    ada = AccountHolderFactory()
    known = MembershipFactory(person__full_name="Pat Sample", person__born_on=BORN)
    entry = Enrollment(
        full_name="Pat Sample", kind="member", starts_on=days_ago(40), born_on=BORN, city="Hudson"
    )
    line = enroll(ada.user, ada.organization, entry, statement_of(ada.user))
    ActivityFactory(person=line.person, organization=ada.organization)
    AddressFactory(person=line.person)
    tag = NameTagFactory(
        assignment=AssignmentFactory(person=line.person, organization=ada.organization)
    )
    assert line.person == known.person

    new = part_organization(sue, line.person, ada.organization, reason="Another Pat Sample.")

    line.refresh_from_db()
    tag.assignment.refresh_from_db()
    known.refresh_from_db()
    assert (new.full_name, new.born_on) == ("Pat Sample", BORN)
    assert {line.person, tag.assignment.person, new.activities.get().person} == {new}
    assert list(Address.objects.filter(person=new).values_list("city", flat=True)) == ["Hudson"]
    assert known.person != new
    assert DifferentPeople.objects.get().first == known.person
    assert WorkItem.objects.get(kind="linked").outcome == "Parted: they are different people."
    assert not WorkItem.objects.filter(closed_at=None).exists()


def test_after_parting_neither_is_linked_or_asked_about_again_and_each_keeps_its_own(sue):
    ada, bea = AccountHolderFactory(), AccountHolderFactory()
    entry = Enrollment(full_name="Pat Sample", kind="member", starts_on=days_ago(40), born_on=BORN)
    first = enroll(bea.user, bea.organization, entry, statement_of(bea.user)).person
    enroll(ada.user, ada.organization, entry, statement_of(ada.user))
    new = part_organization(sue, first, ada.organization, reason="Two.")

    assert look_again(sue, new) == 0
    third = AccountHolderFactory()
    line = enroll(third.user, third.organization, entry, statement_of(third.user))

    assert line.person not in {first, new}
    asked = WorkItem.objects.filter(kind="possible_double", person=line.person)
    assert {item.other for item in asked} == {first, new}


def test_lines_of_two_joined_records_on_the_same_days_are_parted_by_number_first(sue):
    post, hall = LicensedFactory(), LicensedFactory()
    kept, gone = PersonFactory(full_name="Pat Sample"), PersonFactory(full_name="Pat A Sample")
    for person, body in ((kept, post), (gone, post), (kept, hall)):
        MembershipFactory(person=person, organization=body)
    join_people(sue, kept, gone, reason="One.")

    with pytest.raises(Refused, match="Part those records by their numbers first"):
        part_organization(sue, kept, post, reason="Two.")
    assert Person.objects.count() == 2
    part_record(sue, kept, gone.number, reason="Two.")
    assert part_organization(sue, kept, post, reason="Two.").memberships.get().organization == post


def test_with_an_organization_goes_what_a_body_it_took_over_had_stated(sue):
    post, old, hall = (LicensedFactory(name=name) for name in ("Post", "Old Post", "Hall"))
    person = WorkerFactory(organization=old, starts_on=days_ago(900)).person
    merge_organizations(
        sue, old, post, merged_on=days_ago(2), paper=Paper("a.pdf", PDF), reason="Merged."
    )
    with pytest.raises(Refused, match="only one organization"):
        part_organization(sue, person, post, reason="Two.")
    MembershipFactory(person=person, organization=hall)

    counts = dict(moved_with(person, post, timezone.localdate()).rows)
    new = part_organization(sue, person, post, reason="Two.")

    assert counts == {"membership": 2, "activity": 1}
    assert {row.organization for row in new.memberships.all()} == {post, old}
    assert person.memberships.get().organization == hall
    assert ruling_for(new, Asked(post, timezone.localdate())).allows


def test_where_only_one_organization_lists_a_person_there_is_nothing_to_part(sue):
    line = MembershipFactory()

    with pytest.raises(Refused):
        part_organization(sue, line.person, line.organization, reason="Two.")
    with pytest.raises(Refused):
        part_organization(sue, line.person, LicensedFactory(), reason="Two.")
    assert Membership.objects.get().person == line.person


# Different people


def test_different_people_close_the_question_and_can_be_taken_back(sue):
    clerk = RoleGrantFactory().user
    one, two = PersonFactory(full_name="Pat Sample"), PersonFactory(full_name="Pat A Sample")
    assert look_again(clerk, two) == 1

    row = tell_apart(clerk, two, one, reason="Mother and daughter.")

    assert (row.first, row.second, row.reason) == (one, two, "Mother and daughter.")
    assert WorkItem.objects.get().outcome == "Different people."
    assert look_again(clerk, one) == 0
    with pytest.raises(Refused):
        tell_apart(clerk, one, two, reason="Again.")
    take_back(clerk, row, reason="Wrong page.")
    assert (look_again(clerk, two), look_again(clerk, one)) == (1, 0)
    join_people(sue, one, two, reason="One.")
    with pytest.raises(Refused):
        tell_apart(clerk, one, two, reason="They are one record now.")


# Two at once


@pytest.mark.django_db(transaction=True)
def test_of_two_joins_in_opposite_directions_one_wins_and_none_makes_a_circle():
    users = [RoleGrantFactory(role="supervisor").user for _n in range(2)]
    one, two = PersonFactory(full_name="Pat A"), PersonFactory(full_name="Pat B")

    told = at_once(
        lambda: join_people(users[0], one, two, reason="One."),
        lambda: join_people(users[1], two, one, reason="One."),
    )

    assert sorted(type(answer).__name__ for answer in told) == ["Refused", "Union"]
    assert Person.objects.filter(merged_into__isnull=True).count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_join_beside_an_approval_refuses_it_or_lists_it():
    sue, holder = RoleGrantFactory(role="supervisor").user, AccountHolderFactory()
    first = working()
    working(person=first.person)
    other = WorkerFactory(person__full_name="Pat A Sample", organization=holder.organization).person
    grant = Grant(timezone.localdate(), ("caller",))

    at_once(
        lambda: join_people(sue, first.person, other, reason="One."),
        lambda: assign(holder.user, other, holder.organization, grant),
    )

    granted = Assignment.objects.filter(person=other).exists()
    assert Person.objects.get(pk=other.pk).merged_into == first.person
    assert WorkItem.objects.filter(kind="union").exists() == granted


@pytest.mark.django_db(transaction=True)
def test_who_waits_for_a_record_that_is_joined_meanwhile_holds_nothing_others_wait_for():
    a, b = PersonFactory(full_name="Pat A"), PersonFactory(full_name="Pat B")
    held, joined = threading.Event(), threading.Event()

    def joins():
        with acting(System.SET_UP, "person.joined", person=a):
            Person.objects.filter(pk=b.pk).update(merged_into=a)
            held.set()
            until_waiting()
        joined.set()

    def waits():
        held.wait()
        with transaction.atomic():
            return lock_people([b])[b.pk]

    def holds():
        with transaction.atomic():
            lock_people([a])
            joined.wait()
            until_waiting()
            return Person.objects.select_for_update(no_key=True).get(pk=b.pk)

    assert at_once(joins, waits, holds) == [None, a, b]


def until_waiting():
    """Come back when somebody waits for a lock."""
    with connection.cursor() as cursor:
        for _n in range(20_000):
            cursor.execute("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)")
            if cursor.fetchone()[0]:
                return


def test_lines_of_one_roster_that_begin_on_one_day_stay_the_same_when_they_are_joined(sue):
    holder = AccountHolderFactory()
    entries = [Enrollment(name, "member", days_ago(40)) for name in ("Pat Sample", "Zoë Sample")]
    rows = [enroll(holder.user, holder.organization, e, statement_of(holder.user)) for e in entries]
    join_people(sue, rows[0].person, rows[1].person, reason="Changed her first name.")

    plain = plain_names(entry.full_name for entry in entries)
    found = OwnRoster(holder.organization).compare([RosterLine(e) for e in entries], plain)

    assert [(one.status, one.membership) for one in found] == [("same", row) for row in rows]


# On entry


def entered(full_name, holder, born_on=None):
    """The person an officer's line makes or finds."""
    entry = Enrollment(full_name=full_name, kind="member", starts_on=days_ago(40), born_on=born_on)
    return enroll(holder.user, holder.organization, entry, statement_of(holder.user)).person


def test_a_shared_first_name_makes_two_people_and_asks_nobody():
    holder = AccountHolderFactory()
    pat = PersonFactory(full_name="Pat Example", born_on=date(1950, 1, 1))

    assert entered("Pat Bedelia-Test", holder) != pat
    assert not WorkItem.objects.exists()


def test_a_correction_that_makes_two_people_alike_asks_and_never_joins():
    clerk = RoleGrantFactory().user
    known = PersonFactory(full_name="Pat Sample", born_on=BORN)
    other = PersonFactory(full_name="Quinn Doe", born_on=BORN)
    apart = PersonFactory(full_name="Pat Sample", born_on=date(1990, 5, 6))
    tell_apart(clerk, other, apart, reason="Aunt and niece.")

    correct_person(clerk, other, PersonEntry("Pat SAMPLE", born_on=BORN), reason="By passport.")

    item = WorkItem.objects.get()
    assert (item.kind, {item.person, item.other}) == ("possible_double", {known, other})
    assert not Person.objects.filter(merged_into__isnull=False).exists()


@pytest.mark.parametrize(
    ("known", "typed"),
    [
        ("John Example", "Jоhn Example"),  # noqa: RUF001 - a Cyrillic letter is meant
        ("John Example", "Jon Example"),
        ("John Example", "John Exampel"),
        ("John Example", "J. Example"),
        ("Robert Example", "Bob Example"),
        ("Mary Ann Example", "Maryann Example"),
    ],
)
def test_to_leave_out_the_birth_date_and_change_a_letter_does_not_hide_anybody(known, typed):
    there = PersonFactory(full_name=known, born_on=BORN)
    PersonFactory(full_name="Zoë Placeholder", born_on=BORN)

    entered(typed, AccountHolderFactory())

    assert [item.other for item in WorkItem.objects.all()] == [there]


@pytest.mark.parametrize("is_known", [False, True])
def test_a_roster_answers_by_its_own_words_and_not_by_the_registered_name(is_known):
    if is_known:
        PersonFactory(full_name="Siobhán O'Example", born_on=BORN)
    holder = AccountHolderFactory()
    first = entered("O'EXAMPLE, SIOBHAN", holder, BORN)

    assert entered("Siobhan O'Example", holder) != first


def test_who_was_joined_meanwhile_is_still_found_on_the_roster_that_lists_him(sue):
    holder = AccountHolderFactory()
    mine = entered("Pat Sample", holder)
    join_people(sue, PersonFactory(full_name="Patricia Sample"), mine, reason="One.")

    with pytest.raises(BadInput, match="on the roster on some of these days already"):
        entered("Pat Sample", holder)


def test_who_fits_several_stays_new_and_the_clerk_gets_every_candidate():
    holder = AccountHolderFactory()
    senior = PersonFactory(full_name="John Example Sr.", born_on=date(1930, 1, 1))
    junior = PersonFactory(full_name="John Example Jr.", born_on=date(1958, 6, 7))

    new = entered("John Example", holder)

    items = WorkItem.objects.filter(kind="possible_double", person=new)
    assert {item.other for item in items} == {senior, junior}
    assert {item.data["reasons"][0]["code"] for item in items} == {"suffix_missing"}


def test_a_name_in_another_order_with_the_same_birth_date_is_linked_and_listed():
    known, holder = (
        PersonFactory(full_name="Siobhán O'Example", born_on=BORN),
        AccountHolderFactory(),
    )

    assert entered("O\u2019EXAMPLE, SIOBHAN", holder, BORN) == known
    assert [item.kind for item in WorkItem.objects.all()] == ["linked"]
