"""Approvals: granted, refused and ended by the law; corrections in the open."""

from datetime import date, timedelta
from uuid import uuid4

import pytest
import time_machine
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from registry.access import BadInput, Refused
from registry.database import as_owner
from registry.history import Act, AlreadyDone, System, acting, pressed
from registry.models import Limit, WorkItem
from registry.periods import Period
from tests.factories import (
    AccountHolderFactory,
    ActivityFactory,
    AssignmentFactory,
    LessorInterestFactory,
    LicensedFactory,
    LicenseFactory,
    MembershipFactory,
    NameTagFactory,
    OrganizationFactory,
    PersonFactory,
    RoleGrantFactory,
    SanctionFactory,
    SuspensionFactory,
    UserFactory,
    WorkerFactory,
    WorkItemFactory,
    days_ago,
)
from tests.volunteers.test_services import at_once
from volunteers.assigning import Grant, assign, assign_many, preview
from volunteers.correcting import (
    Correction,
    correct_membership,
    fallen_with,
    fallen_without,
    may_void,
    void_line,
)
from volunteers.ending import ask_for_place, end_assignment, end_membership, free_place
from volunteers.models import Assignment, Determination, Membership
from volunteers.services import Enrollment, enroll, statement_of
from volunteers.tagging import TagState, check_tag

pytestmark = pytest.mark.django_db


@pytest.fixture
def today():
    return timezone.localdate()


@pytest.fixture
def post():
    return LicensedFactory(name="Marsh Lantern Post 1")


@pytest.fixture
def ada(post):
    return AccountHolderFactory(organization=post, user=UserFactory(name="Ada Reyes")).user


@pytest.fixture
def cleo():
    return RoleGrantFactory(role="clerk", user=UserFactory(name="Cleo Park")).user


@pytest.fixture
def sam():
    return RoleGrantFactory(role="supervisor", user=UserFactory(name="Sam Okafor")).user


@pytest.fixture
def caller(today):
    return Grant(today, ("caller",))


def days_of(rows):
    return [(row.starts_on, row.ends_on) for row in rows.order_by("starts_on")]


def refusals():
    """The first bar of each refusal in the history."""
    acts = Act.objects.filter(verb="assignment.refused").order_by("at")
    bars = [
        [v["rule"] for v in act.data["verdicts"] if v["effect"] == "bars" and v["outcome"] != "met"]
        for act in acts
    ]
    return [(act.person_id, bar[0] if bar else None) for act, bar in zip(acts, bars, strict=True)]


def fill(person, count=2):
    for _n in range(count):
        AssignmentFactory(person=person)


# Granting


def test_an_approval_runs_from_the_day_asked_to_the_end_of_the_license(post, ada, caller, today):
    worker = WorkerFactory(organization=post)

    made = assign(ada, worker.person, post, caller)

    assert (made.person, made.organization, made.license) == (
        worker.person,
        post,
        post.licenses.get(),
    )
    assert (made.starts_on, made.ends_on) == (today, post.licenses.get().expires_on)
    assert (made.duties, made.takes_place, made.voided_at) == (["caller"], True, None)
    act = Act.objects.get(verb="assignment.made")
    assert (act.by, act.organization, act.person) == (ada, post, worker.person)
    assert act.data["allowed"] is True


@pytest.mark.parametrize(("asked", "ends"), [(20, 20), (5000, None), (None, None)])
def test_an_approval_never_outlasts_the_license(post, ada, today, asked, ends):
    worker = WorkerFactory(organization=post)
    last = today + timedelta(days=asked) if asked else None

    made = assign(ada, worker.person, post, Grant(today, ("caller",), last))

    expires_on = post.licenses.get().expires_on
    assert made.ends_on == (today + timedelta(days=ends) if ends else expires_on)


def test_an_approval_ends_with_a_membership_whose_last_day_is_known(post, ada, caller):
    worker = WorkerFactory(organization=post, ends_on=days_ago(-12))

    assert assign(ada, worker.person, post, caller).ends_on == days_ago(-12)


def test_the_day_from_which_tenure_was_full_is_frozen(post, ada, caller):
    worker = WorkerFactory(organization=post, starts_on=days_ago(45))
    made = assign(ada, worker.person, post, caller)

    with acting(System.SET_UP, "test.changed"):
        Membership.objects.filter(pk=worker.pk).update(starts_on=days_ago(5))
    made.refresh_from_db()

    assert made.eligible_on == days_ago(15)


def test_an_approval_may_begin_on_the_day_on_which_it_becomes_lawful(post, ada):
    worker = WorkerFactory(organization=post, starts_on=days_ago(20))
    ActivityFactory(person=worker.person, organization=post, done_on=days_ago(1))
    tomorrow = [Grant(days_ago(-day), ("caller",)) for day in (9, 10)]

    with pytest.raises(Refused):
        assign(ada, worker.person, post, tomorrow[0])
    made = assign(ada, worker.person, post, tomorrow[1])

    assert (made.starts_on, made.eligible_on) == (days_ago(-10), days_ago(-10))


def no_license(worker):
    with acting(System.SET_UP, "test.voided"):
        worker.organization.licenses.update(voided_at=timezone.now())


def one_activity_too_old(worker):
    with acting(System.SET_UP, "test.changed"):
        worker.person.activities.update(done_on=days_ago(366))


def tie(worker):
    LessorInterestFactory(person=worker.person)


def young(worker):
    with acting(System.SET_UP, "test.changed"):
        worker.person.born_on = days_ago(17 * 365)
        worker.person.save()


def left(worker):
    with acting(System.SET_UP, "test.changed"):
        Membership.objects.filter(pk=worker.pk).update(ends_on=days_ago(1))


def joined_late(worker):
    with acting(System.SET_UP, "test.changed"):
        Membership.objects.filter(pk=worker.pk).update(starts_on=days_ago(29))


def suspended(worker):
    SuspensionFactory(person=worker.person, organization=worker.organization)


def unanswered(worker):
    with acting(System.SET_UP, "test.changed"):
        Membership.objects.filter(pk=worker.pk).update(attested_on=None)


def full(worker):
    fill(worker.person)


def may_be_full(worker):
    old = PersonFactory()
    fill(old)
    WorkItemFactory(person=worker.person, other=old)


def license_suspended(worker):
    SanctionFactory(license=worker.organization.licenses.get())


@pytest.mark.parametrize(
    ("spoil", "rule"),
    [
        (no_license, "license"),
        (license_suspended, "license"),
        (left, "membership"),
        (unanswered, "membership"),
        (suspended, "suspension"),
        (joined_late, "tenure"),
        (one_activity_too_old, "activity"),
        (full, "one_other"),
        (may_be_full, "one_other"),
        (tie, "lessor"),
        (young, "age"),
    ],
)
def test_each_refusal_is_kept_with_its_verdicts(post, ada, caller, spoil, rule):
    worker = WorkerFactory(organization=post, starts_on=days_ago(400))
    spoil(worker)
    asked = preview(worker.person, post, caller)

    with pytest.raises(Refused) as refused:
        assign(ada, worker.person, post, caller)

    assert refused.value.ruling == asked
    assert refused.value.ruling.first_bar.rule == rule
    assert refusals() == [(worker.person_id, rule)]
    assert not Assignment.objects.filter(organization=post).exists()


def test_a_preview_leaves_no_trace(post, caller):
    worker = WorkerFactory(organization=post)
    acts = Act.objects.count()

    assert preview(worker.person, post, caller).allows
    assert Act.objects.count() == acts


def test_help_without_game_or_money_needs_no_thirty_days_and_takes_no_place(post, ada, today):
    newcomer = MembershipFactory(organization=post, starts_on=days_ago(3))
    fill(newcomer.person)

    made = assign(ada, newcomer.person, post, Grant(today, ("assisting",)))

    assert made.takes_place is False
    assert (made.eligible_on, made.starts_on) == (today, today)


def test_help_does_not_stand_in_the_way_of_another_organization(post, ada, today, caller):
    worker = WorkerFactory(organization=post)
    assign(ada, worker.person, post, Grant(today, ("assisting",)))
    fill(worker.person, 1)
    other = AccountHolderFactory()
    WorkerFactory(person=worker.person, organization=other.organization)

    assert assign(other.user, worker.person, other.organization, caller).takes_place


def test_one_duty_with_the_game_asks_everything(post, ada, today):
    newcomer = MembershipFactory(organization=post, starts_on=days_ago(3))

    with pytest.raises(Refused):
        assign(ada, newcomer.person, post, Grant(today, ("assisting", "seller")))


@pytest.mark.parametrize("kind", ["volunteer", "regular"])
def test_a_volunteer_is_not_in_charge(post, ada, today, kind):
    worker = WorkerFactory(organization=post, kind=kind)
    grant = Grant(today, ("caller", "in_charge"))

    if kind == "volunteer":
        with pytest.raises(Refused) as refused:
            assign(ada, worker.person, post, grant)
        assert "not a volunteer" in refused.value.message
        assert refusals() == [(worker.person_id, None)]
    else:
        assert assign(ada, worker.person, post, grant).duties == ["caller", "in_charge"]


def test_who_is_approved_already_is_not_approved_twice(post, ada, caller, today):
    worker = WorkerFactory(organization=post)
    assign(ada, worker.person, post, Grant(today, ("caller",), days_ago(-10)))

    with pytest.raises(Refused) as refused:
        assign(ada, worker.person, post, caller)
    after = assign(ada, worker.person, post, Grant(days_ago(-11), ("caller",)))

    assert "Already approved" in refused.value.message
    assert refusals() == [(worker.person_id, None)]
    assert after.starts_on == days_ago(-11)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"starts_on": days_ago(1)}, "starts_on"),
        ({"ends_on": days_ago(1)}, "ends_on"),
        ({"duties": ()}, "duties"),
        ({"duties": ("caller", "bouncer")}, "duties"),
    ],
)
def test_a_grant_that_makes_no_sense_is_no_refusal(post, ada, today, changes, field):
    worker = WorkerFactory(organization=post)
    grant = Grant(**({"starts_on": today, "duties": ("caller",)} | changes))

    with pytest.raises(BadInput) as refused:
        assign(ada, worker.person, post, grant)

    assert refused.value.field == field
    assert refusals() == []


def test_a_hall_owner_approves_without_the_thirty_days(today, caller):
    hall = OrganizationFactory()
    holder = AccountHolderFactory(organization=hall)
    lease = LicenseFactory(organization=hall, license_class="B")
    worker = MembershipFactory(organization=hall, starts_on=days_ago(2))

    made = assign(holder.user, worker.person, hall, caller)

    assert (made.license, made.takes_place) == (lease, True)


def test_only_those_who_approve_for_the_organization_may(post, caller):
    worker = WorkerFactory(organization=post)

    for user in (AccountHolderFactory().user, RoleGrantFactory(role="auditor").user):
        with pytest.raises(PermissionDenied):
            assign(user, worker.person, post, caller)

    assert not Assignment.objects.exists()


def test_a_regulator_does_not_approve_himself(post, caller):
    worker = WorkerFactory(organization=post)
    own = RoleGrantFactory(user=UserFactory(person=worker.person)).user

    with pytest.raises(Refused) as refused:
        assign(own, worker.person, post, caller)

    assert "yourself" in refused.value.message
    assert refusals() == [(worker.person_id, None)]


def test_what_the_board_decides_goes_beyond_the_limit_and_takes_no_place(post, ada, caller, today):
    worker = WorkerFactory(organization=post)
    fill(worker.person)
    with acting(System.SET_UP, "test.decided"):
        Determination.objects.create(
            person=worker.person,
            organization=post,
            rule="one_other",
            is_met=True,
            decided_by="board",
            decided_on=today,
            reference="minutes of today",
            starts_on=today,
        )

    assert assign(ada, worker.person, post, caller).takes_place is False


def test_joined_records_and_bodies_are_counted_as_one(post, ada, caller):
    root = PersonFactory()
    worker = WorkerFactory(organization=post)
    fill(root)
    with acting(System.SET_UP, "test.merged"):
        worker.person.merged_into = root
        worker.person.save()

    with pytest.raises(Refused) as refused:
        assign(ada, Membership.objects.get(pk=worker.pk).person, post, caller)
    with acting(System.SET_UP, "test.merged"):
        two = [row.organization for row in Assignment.objects.all()]
        two[0].merged_into, two[0].merged_on = two[1], days_ago(3)
        two[0].save()
    made = assign(ada, Membership.objects.get(pk=worker.pk).person, post, caller)

    assert refused.value.ruling.first_bar.rule == "one_other"
    assert made.person == root


# Many at once


def test_many_are_approved_in_one_act_and_each_refusal_is_kept(post, ada, caller):
    workers = [WorkerFactory(organization=post) for _n in range(3)]
    late = WorkerFactory(organization=post, starts_on=days_ago(3))
    bare = WorkerFactory(organization=post, activity=False)
    people = [row.person for row in (*workers, late, bare)]

    done = assign_many(ada, post, [(person, caller) for person in people])

    assert {row.person for row in done.made} == set(people[:3])
    assert [(person, said.ruling.first_bar.rule) for person, said in done.refused] == [
        (late.person, "tenure"),
        (bare.person, "activity"),
    ]
    whole = Act.objects.get(verb="assignments.made")
    parts = Act.objects.filter(part_of=whole, verb="assignment.made")
    assert {act.person for act in parts} == set(people[:3])
    assert refusals() == [(late.person_id, "tenure"), (bare.person_id, "activity")]


def test_each_of_many_may_ask_for_other_days_and_duties(post, ada, today):
    one, two = (WorkerFactory(organization=post).person for _n in range(2))

    assign_many(
        ada, post, [(one, Grant(today, ("caller",))), (two, Grant(days_ago(-7), ("seller",)))]
    )

    assert set(Assignment.objects.values_list("person", "starts_on")) == {
        (one.pk, today),
        (two.pk, days_ago(-7)),
    }
    assert {row.person: row.duties for row in Assignment.objects.all()} == {
        one: ["caller"],
        two: ["seller"],
    }


def test_one_person_twice_among_many_is_approved_once(post, ada, today):
    person = WorkerFactory(organization=post).person

    done = assign_many(
        ada, post, [(person, Grant(today, ("caller",))), (person, Grant(today, ("seller",)))]
    )

    assert [row.duties for row in done.made] == [["caller"]]


def test_many_take_as_many_queries_as_few(post, ada, caller):
    counts = []
    for size in (2, 30):
        people = [WorkerFactory(organization=post).person for _n in range(size)]
        ada.__dict__.pop("_roles", None)
        ada.__dict__.pop("_held", None)
        with CaptureQueriesContext(connection) as queries:
            assign_many(ada, post, [(person, caller) for person in people])
        counts.append(len(queries))

    assert counts[0] == counts[1]


@pytest.mark.django_db(transaction=True)
def test_what_the_database_alone_refuses_refuses_nobody_else(today):
    holder = AccountHolderFactory()
    people = [WorkerFactory(organization=holder.organization).person for _n in range(3)]
    fill(people[1], 1)
    with as_owner():
        Limit.objects.update(organizations_per_person=1)

    done = assign_many(
        holder.user, holder.organization, [(p, Grant(today, ("caller",))) for p in people]
    )

    assert {row.person for row in done.made} == {people[0], people[2]}
    assert [(person, said.message) for person, said in done.refused] == [
        (people[1], "Another entry came first: § 10-63(10) does not allow this one.")
    ]
    assert [act.person for act in Act.objects.filter(verb="assignment.refused")] == [people[1]]


# Pressed twice


def test_a_second_press_finds_the_first(post, ada, caller):
    people = [WorkerFactory(organization=post).person for _n in range(3)]
    for wanted in (people[:1], people[1:]):
        token = uuid4()
        with pressed(token):
            assign_many(ada, post, [(person, caller) for person in wanted])

        with pytest.raises(AlreadyDone), pressed(token):
            assign_many(ada, post, [(person, caller) for person in wanted])

    assert Assignment.objects.count() == 3
    assert refusals() == []


def test_after_a_refusal_the_same_form_may_be_tried_again(post, ada, caller):
    worker = WorkerFactory(organization=post, starts_on=days_ago(3))
    ActivityFactory(person=worker.person, organization=post, done_on=days_ago(1))
    token = uuid4()
    for _n in range(2):
        with pytest.raises(Refused), pressed(token):
            assign(ada, worker.person, post, caller)

    with pressed(token):
        made = assign(ada, worker.person, post, Grant(days_ago(-27), ("caller",)))

    assert len(refusals()) == 2
    assert Act.objects.get(token=token).person == made.person


@pytest.mark.django_db(transaction=True)
def test_two_presses_at_once_approve_once():
    holder = AccountHolderFactory()
    person = WorkerFactory(organization=holder.organization).person
    token, grant = uuid4(), Grant(timezone.localdate(), ("caller",))

    def press():
        with pressed(token):
            return assign(holder.user, person, holder.organization, grant)

    told = at_once(press, press)

    assert sorted(type(one).__name__ for one in told) == ["AlreadyDone", "Assignment"]
    assert Assignment.objects.count() == 1


# Ending


def test_an_approval_ends_on_a_day_and_its_place_is_free_from_the_next(post, ada, today, caller):
    worker = WorkerFactory(organization=post)
    fill(worker.person, 1)
    row = AssignmentFactory(person=worker.person, organization=post)
    other = AccountHolderFactory()
    WorkerFactory(person=worker.person, organization=other.organization)

    end_assignment(ada, row, last_day=today)

    assert (row.ends_on, row.voided_at) == (today, None)
    assert not preview(worker.person, other.organization, caller).allows
    assert preview(worker.person, other.organization, Grant(days_ago(-1), ("caller",))).allows


def test_an_approval_that_has_not_begun_is_withdrawn(post, ada, today):
    row = AssignmentFactory(organization=post, starts_on=days_ago(-5))

    end_assignment(ada, row, last_day=today, reason="changed plans")

    row.refresh_from_db()
    assert (row.void_reason, row.voided_at is not None) == ("changed plans", True)


def test_only_a_clerk_ends_an_approval_in_the_past_and_says_why(post, ada, cleo):
    row = AssignmentFactory(organization=post, starts_on=days_ago(30))

    with pytest.raises(PermissionDenied):
        end_assignment(ada, row, last_day=days_ago(2), reason="x")
    with pytest.raises(BadInput) as refused:
        end_assignment(cleo, row, last_day=days_ago(2))
    end_assignment(cleo, row, last_day=days_ago(2), reason="letter of the post")

    assert refused.value.field == "reason"
    assert (row.ends_on, row.end_reason) == (days_ago(2), "letter of the post")


def test_an_approval_is_not_ended_later_than_it_ends(post, ada, today):
    row = AssignmentFactory(organization=post, ends_on=days_ago(-3))

    for day in (days_ago(-3), days_ago(-4)):
        with pytest.raises(BadInput) as refused:
            end_assignment(ada, row, last_day=day)
        assert refused.value.field == "ends_on"


@pytest.mark.parametrize(("received", "stated", "last"), [(4, 9, 4), (4, 2, 2), (0, -3, -3)])
def test_a_place_is_freed_on_the_persons_word_by_the_later_day(post, cleo, received, stated, last):
    row = AssignmentFactory(organization=post, starts_on=days_ago(30))

    free_place(
        cleo,
        row,
        received_on=days_ago(received),
        stated_on=days_ago(stated),
        reason="signed letter",
    )

    row.refresh_from_db()
    assert row.ends_on == days_ago(last)
    act = Act.objects.get(verb="place.freed")
    assert (act.person, act.reason) == (row.person, "signed letter")
    assert act.data == {
        "received_on": days_ago(received).isoformat(),
        "stated_on": days_ago(stated).isoformat(),
    }


def test_a_place_is_freed_by_clerks_alone_with_a_paper_that_is_there(post, ada, cleo, today):
    row = AssignmentFactory(organization=post)

    with pytest.raises(PermissionDenied):
        free_place(ada, row, received_on=today, stated_on=today, reason="x")
    for changes, field in (
        ({"received_on": days_ago(-1)}, "received_on"),
        ({"reason": " "}, "reason"),
    ):
        asked = {"received_on": today, "stated_on": today, "reason": "letter"} | changes
        with pytest.raises(BadInput) as refused:
            free_place(cleo, row, **asked)
        assert refused.value.field == field

    assert Assignment.objects.get().ends_on == row.license.expires_on


def test_asking_for_a_place_reaches_the_clerk_once_and_nobody_else(post, ada):
    worker = WorkerFactory(organization=post)
    fill(worker.person)
    other = AccountHolderFactory(organization=Assignment.objects.first().organization).user

    first = ask_for_place(ada, worker, reason="She calls well.")
    again = ask_for_place(ada, worker, reason="Please.")

    assert first == again
    assert (first.kind, first.person, first.organization, first.cite, first.note) == (
        "place",
        worker.person,
        post,
        "§ 10-63(10)",
        "She calls well.",
    )
    assert list(WorkItem.objects.visible_to(other)) == []


# Leaving


def test_leaving_ends_approvals_with_the_membership(post, ada, today):
    worker = WorkerFactory(organization=post, starts_on=days_ago(100))
    running = AssignmentFactory(
        person=worker.person, organization=post, starts_on=days_ago(50), ends_on=days_ago(-9)
    )
    coming = AssignmentFactory(person=worker.person, organization=post, starts_on=days_ago(-10))
    elsewhere = AssignmentFactory(person=worker.person)

    end_membership(ada, worker, last_day=today)

    for row in (worker, running, coming, elsewhere):
        row.refresh_from_db()
    assert (worker.ends_on, running.ends_on, running.voided_at) == (today, today, None)
    assert coming.voided_at is not None
    assert elsewhere.ends_on == elsewhere.license.expires_on


def test_an_approval_goes_on_where_another_membership_follows(post, ada):
    worker = WorkerFactory(organization=post, kind="volunteer", ends_on=days_ago(-20))
    same = {"person": worker.person, "organization": post}
    row = AssignmentFactory(**same)
    MembershipFactory(**same, starts_on=days_ago(-21))
    ends = []

    for last_day in (days_ago(-20), days_ago(-5)):
        end_membership(ada, worker, last_day=last_day)
        row.refresh_from_db()
        ends.append(row.ends_on)

    assert ends == [row.license.expires_on, days_ago(-5)]


def test_an_approval_that_the_membership_did_not_carry_is_left_as_it_was(post, ada, today):
    worker = WorkerFactory(organization=post)
    row = AssignmentFactory(
        person=worker.person, organization=post, starts_on=days_ago(90), ends_on=days_ago(80)
    )

    end_membership(ada, worker, last_day=today)

    row.refresh_from_db()
    assert (row.starts_on, row.ends_on, row.voided_at) == (days_ago(90), days_ago(80), None)


def test_leaving_in_the_past_is_stated_and_never_refused(post, ada):
    worker = WorkerFactory(organization=post, starts_on=days_ago(100))
    row = AssignmentFactory(person=worker.person, organization=post, starts_on=days_ago(20))

    end_membership(ada, worker, last_day=days_ago(10))

    row.refresh_from_db()
    assert row.ends_on == days_ago(10)


def test_a_membership_that_is_over_is_corrected_and_not_ended_again(post, ada, today):
    over = WorkerFactory(organization=post, ends_on=days_ago(1))
    running = WorkerFactory(organization=post)

    for row, day in ((over, today), (running, days_ago(32))):
        with pytest.raises(BadInput) as refused:
            end_membership(ada, row, last_day=day)
        assert refused.value.field == "ends_on"

    over.refresh_from_db()
    running.refresh_from_db()
    assert (over.ends_on, running.ends_on) == (days_ago(1), None)


# Correcting


def corrected(row, **changes):
    stated = {"period": row.period, "kind": row.kind}
    return Correction(**(stated | changes))


@pytest.fixture
def approved(post):
    """A member of 40 days, approved 5 days ago."""
    worker = WorkerFactory(organization=post, starts_on=days_ago(40))
    ActivityFactory(person=worker.person, organization=post, done_on=days_ago(6))
    AssignmentFactory(
        person=worker.person,
        organization=post,
        starts_on=days_ago(5),
        eligible_on=days_ago(10),
    )
    return worker


def test_a_correction_shows_which_approvals_fall_by_which_cite(approved):
    assert fallen_with(approved, Period(days_ago(35))) == []

    (fallen,) = fallen_with(approved, Period(days_ago(34)))

    assert fallen.assignment == Assignment.objects.get()
    assert (fallen.falls, fallen.cite) == (True, "§ 10-63(12)")
    assert [verdict.rule for verdict in fallen.ruling.verdicts if verdict.bars] == ["tenure"]


def test_approvals_go_on_with_a_work_item_until_the_supervisor_says_so(approved, sam, post):
    before = Assignment.objects.get()

    correct_membership(
        sam, approved, corrected(approved, period=Period(days_ago(34))), reason="minutes"
    )

    approved.refresh_from_db()
    item = WorkItem.objects.get()
    assert approved.starts_on == days_ago(34)
    assert Assignment.objects.get().ends_on == before.ends_on
    assert Assignment.objects.get().eligible_on == days_ago(10)
    assert (item.kind, item.person, item.organization, item.cite, item.note) == (
        "correction",
        approved.person,
        post,
        "§ 10-63(12)",
        "minutes",
    )
    assert item.data == {"assignments": [before.pk], "ended": False}


def test_on_the_supervisors_word_they_end_yesterday(approved, sam):
    change = corrected(approved, period=Period(days_ago(34)), end_fallen=True)

    correct_membership(sam, approved, change, reason="minutes")

    assert days_of(Assignment.objects.all()) == [(days_ago(5), days_ago(1))]
    assert WorkItem.objects.get().data["ended"] is True


def test_what_fell_is_granted_anew_from_today_in_one_step(approved, sam, today):
    change = corrected(approved, period=Period(days_ago(34)), end_fallen=True, grant_anew=True)

    result = correct_membership(sam, approved, change, reason="minutes")

    expires_on = Assignment.objects.first().license.expires_on
    assert days_of(Assignment.objects.all()) == [(days_ago(5), days_ago(1)), (today, expires_on)]
    assert [row.eligible_on for row in result.anew.made] == [days_ago(4)]
    assert result.anew.refused == []


def test_what_is_not_lawful_today_is_not_granted_anew(approved, sam):
    change = corrected(approved, period=Period(days_ago(20)), end_fallen=True, grant_anew=True)

    result = correct_membership(sam, approved, change, reason="minutes")

    assert result.anew.made == []
    ((_person, said),) = result.anew.refused
    assert said.ruling.eligible_on == days_ago(-10)
    assert days_of(Assignment.objects.all()) == [(days_ago(5), days_ago(1))]
    assert [rule for _person, rule in refusals()] == ["tenure"]


def test_an_approval_of_today_that_falls_is_void(post, sam, today):
    worker = WorkerFactory(organization=post)
    AssignmentFactory(person=worker.person, organization=post, eligible_on=days_ago(1))
    change = corrected(worker, period=Period(days_ago(12)), end_fallen=True)

    correct_membership(sam, worker, change, reason="minutes")

    assert Assignment.objects.get().voided_at is not None


def test_a_corrected_leave_date_cuts_the_approval_to_it(approved, sam):
    period = Period(days_ago(40), days_ago(2))
    (fallen,) = fallen_with(approved, period)

    correct_membership(
        sam, approved, corrected(approved, period=period, end_fallen=True), reason="m"
    )

    assert (fallen.falls, fallen.last_day) == (False, days_ago(2))
    assert days_of(Assignment.objects.all()) == [(days_ago(5), days_ago(2))]


def test_what_stood_in_the_way_before_is_not_the_corrections_doing(approved):
    with acting(System.SET_UP, "test.voided"):
        approved.person.activities.update(voided_at=timezone.now())

    assert fallen_with(approved, Period(days_ago(39))) == []


@pytest.mark.parametrize(
    ("period", "field"),
    [
        (Period(days_ago(40), days_ago(41)), "ends_on"),
        (Period(days_ago(350)), "starts_on"),
    ],
)
def test_a_correction_that_makes_no_sense_is_refused(approved, sam, period, field):
    MembershipFactory(
        person=approved.person,
        organization=approved.organization,
        starts_on=days_ago(400),
        ends_on=days_ago(300),
    )

    with pytest.raises(BadInput) as refused:
        correct_membership(sam, approved, corrected(approved, period=period), reason="minutes")

    assert refused.value.field == field
    approved.refresh_from_db()
    assert approved.starts_on == days_ago(40)


def test_only_a_supervisor_who_does_not_act_for_the_organization_corrects(
    approved, sam, cleo, ada, post
):
    AccountHolderFactory(user=sam, organization=post)

    for user in (cleo, ada, sam):
        with pytest.raises(PermissionDenied):
            correct_membership(user, approved, corrected(approved), reason="x")


# Taking back


def entered(by, post, **changes):
    stated = {"full_name": "Nora Vale", "kind": "regular", "starts_on": days_ago(40)}
    return enroll(by, post, Enrollment(**(stated | changes)), statement_of(by))


def test_an_account_holder_takes_back_only_what_he_entered_himself_today(post, ada, cleo):
    mine = entered(ada, post)
    other = AccountHolderFactory(organization=post).user
    theirs = entered(other, post, full_name="Otto Brandt")
    older = MembershipFactory(organization=post)

    assert [may_void(ada, row) for row in (mine, theirs, older)] == [True, False, False]
    assert [may_void(cleo, row) for row in (mine, theirs, older)] == [True, True, True]
    with time_machine.travel(timezone.now() + timedelta(days=1)):
        assert may_void(ada, mine) is False
    with pytest.raises(PermissionDenied):
        void_line(ada, theirs, reason="x")

    void_line(ada, mine, reason="wrong club")
    mine.refresh_from_db()
    assert (mine.void_reason, mine.voided_at is not None) == ("wrong club", True)


def test_a_stranger_takes_nothing_back(post, ada):
    stranger = AccountHolderFactory().user
    row = entered(ada, post)

    with pytest.raises(PermissionDenied):
        void_line(stranger, row, reason="x")


def test_a_line_taken_back_takes_its_approvals_with_it(post, ada, caller, cleo):
    row = entered(ada, post, born_on=date(1970, 1, 2))
    ActivityFactory(person=row.person, organization=post)
    made = assign(ada, row.person, post, caller)
    tag = NameTagFactory(assignment=made)
    assert check_tag(tag.token, timezone.localdate()).state is TagState.GOOD
    (shown,) = fallen_without(row)

    (fallen,) = void_line(cleo, row, reason="another Nora Vale")

    made.refresh_from_db()
    assert shown.assignment == fallen.assignment == made
    assert made.voided_at is not None
    assert check_tag(tag.token, timezone.localdate()).state is TagState.NOT_GOOD
    assert WorkItem.objects.get().data == {"assignments": [made.pk], "ended": True}


def test_an_activity_taken_back_ends_what_rests_on_it_alone(post, cleo):
    worker = WorkerFactory(organization=post, starts_on=days_ago(60))
    second = ActivityFactory(person=worker.person, organization=post, done_on=days_ago(20))
    row = AssignmentFactory(person=worker.person, organization=post, starts_on=days_ago(5))
    first = worker.person.activities.exclude(pk=second.pk).get()

    assert void_line(cleo, first, reason="never happened") == []
    (fallen,) = void_line(cleo, second, reason="nor this")

    row.refresh_from_db()
    assert fallen.cite == "§ 10-63(12)"
    assert row.ends_on == days_ago(1)


def test_what_was_taken_back_is_not_taken_back_again_and_needs_a_reason(post, cleo):
    hole = SuspensionFactory(person=MembershipFactory(organization=post).person, organization=post)

    with pytest.raises(BadInput) as silent:
        void_line(cleo, hole, reason=" ")
    void_line(cleo, hole, reason="another member")
    with pytest.raises(BadInput) as again:
        void_line(cleo, hole, reason="once more")

    assert (silent.value.field, again.value.field) == ("reason", "reason")
    assert Act.objects.filter(verb="line.voided").count() == 1


def test_a_holder_takes_back_an_approval_of_today(post, ada, caller):
    made = assign(ada, WorkerFactory(organization=post).person, post, caller)

    void_line(ada, made, reason="the other one")

    made.refresh_from_db()
    assert made.voided_at is not None
