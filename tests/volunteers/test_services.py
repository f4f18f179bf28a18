"""Enrolling, activities, confirmations, suspensions: what is in the register afterwards."""

import threading
from datetime import date
from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from registry.access import BadInput
from registry.history import Act, AlreadyDone, System, acting, from_paper, pressed
from registry.models import Person, WorkItem
from tests.factories import (
    AccountHolderFactory,
    ActivityFactory,
    LicensedFactory,
    MembershipFactory,
    PersonFactory,
    RoleGrantFactory,
    SuspensionFactory,
    UserFactory,
    days_ago,
)
from volunteers.attesting import Papers, confirm_lines, state_papers
from volunteers.models import Activity, Membership, Suspension
from volunteers.services import (
    Deed,
    Enrollment,
    Statement,
    enroll,
    record_activity,
    statement_of,
)
from volunteers.suspending import end_suspension, suspend_member

pytestmark = pytest.mark.django_db

PANTRY = Deed("food pantry", days_ago(3), "Sorting cans")


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


def line(**changes):
    stated = {"full_name": "José Muñoz", "kind": "regular", "starts_on": days_ago(40)}
    return Enrollment(**(stated | changes))


def merge(person, root):
    with acting(System.SET_UP, "test.merged"):
        person.merged_into = root
        person.save()


def verbs():
    return list(Act.objects.exclude(verb="test.made").order_by("at").values_list("verb", flat=True))


# Enrolling


def test_a_new_person_is_entered_with_everything_stated(post, ada, today):
    entry = line(
        given_name="José",
        family_name="Muñoz",
        born_on=date(1961, 2, 3),
        is_resident=True,
        street="12 Fern Way",
        city="Dade City",
        state="FL",
        postal_code="33525",
        activity=PANTRY,
    )

    made = enroll(ada, post, entry, statement_of(ada))

    person = made.person
    assert (person.full_name, person.given_name, person.family_name, person.born_on) == (
        "José Muñoz",
        "José",
        "Muñoz",
        date(1961, 2, 3),
    )
    assert (made.organization, made.kind, made.starts_on, made.ends_on) == (
        post,
        "regular",
        days_ago(40),
        None,
    )
    assert (made.name_stated, made.born_on_stated) == ("José Muñoz", date(1961, 2, 3))
    assert (made.is_adult_stated, made.is_resident_stated) == (False, True)
    assert (made.attested_on, made.attested_by, made.evidence) == (today, "Ada Reyes", "")
    assert str(person.addresses.get()) == "12 Fern Way, Dade City, FL, 33525"
    assert person.addresses.get().stated_by == post
    deed = person.activities.get()
    assert (deed.kind, deed.done_on, deed.description, deed.attested_by) == (
        "food pantry",
        days_ago(3),
        "Sorting cans",
        "Ada Reyes",
    )
    act = Act.objects.get(verb="member.enrolled")
    assert (act.by, act.organization, act.person) == (ada, post, person)


def test_a_birth_date_is_no_statement_of_age(post, ada):
    made = enroll(ada, post, line(born_on=days_ago(5000)), statement_of(ada))

    assert made.is_adult_stated is False


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"full_name": "  "}, "full_name", "A name is missing"),
        ({"full_name": "José 078-05-1120"}, "full_name", "Social Security number"),
        ({"street": "078-05-1120"}, "street", "Social Security number"),
        ({"born_on": days_ago(-1)}, "born_on", "cannot be right"),
        ({"ends_on": days_ago(41)}, "ends_on", "lies before the join date"),
        ({"activity": Deed("bingo", days_ago(3))}, "kind", "Bingo work does not count"),
        ({"activity": Deed("Bingo committee", days_ago(3))}, "kind", "Bingo work does not count"),
        ({"activity": Deed("meeting", days_ago(-1))}, "done_on", "lies in the future"),
        ({"activity": Deed("meeting", days_ago(41))}, "done_on", "before the join date"),
        ({"activity": Deed("meeting", days_ago(4), "078-05-1120")}, "description", "Security"),
    ],
)
def test_a_line_that_makes_no_sense_is_refused_in_one_sentence_and_leaves_nothing(
    post, ada, changes, field, words
):
    with pytest.raises(BadInput) as refused:
        enroll(ada, post, line(**changes), statement_of(ada))

    assert refused.value.field == field
    assert words in refused.value.message
    assert (Person.objects.count(), Membership.objects.count(), verbs()) == (0, 0, [])


def test_a_person_already_on_the_roster_on_those_days_is_refused(post, ada):
    first = enroll(ada, post, line(), statement_of(ada))

    with pytest.raises(BadInput) as refused:
        enroll(ada, post, line(full_name="jose munoz", starts_on=days_ago(3)), statement_of(ada))

    assert refused.value.field == "starts_on"
    assert list(Membership.objects.all()) == [first]
    assert Person.objects.count() == 1


def test_who_comes_back_is_the_same_person_and_no_joining_is_noted(post, ada):
    first = enroll(ada, post, line(ends_on=days_ago(20)), statement_of(ada))

    again = enroll(ada, post, line(starts_on=days_ago(10)), statement_of(ada))

    assert again.person == first.person
    assert WorkItem.objects.count() == 0


def test_equal_name_and_birth_date_are_one_human_listed_for_the_clerk(post, ada):
    known = PersonFactory(full_name="José  Muñoz", born_on=date(1961, 2, 3))

    made = enroll(
        ada, post, line(full_name="JOSE MUNOZ", born_on=date(1961, 2, 3)), statement_of(ada)
    )

    assert made.person == known
    assert made.name_stated == "JOSE MUNOZ"
    assert Person.objects.get().full_name == "José  Muñoz"
    assert list(WorkItem.objects.values_list("kind", "person", "organization")) == [
        ("linked", known.pk, post.pk)
    ]


@pytest.mark.parametrize(
    ("registered", "stated"),
    [
        (date(1961, 2, 3), None),
        (None, date(1961, 2, 3)),
        (None, None),
        (date(1961, 2, 3), date(1962, 2, 3)),
    ],
)
def test_less_than_name_and_birth_date_is_a_new_person_and_a_question(
    post, ada, registered, stated
):
    known = PersonFactory(full_name="José Muñoz", born_on=registered)

    made = enroll(ada, post, line(born_on=stated), statement_of(ada))

    assert made.person != known
    assert list(WorkItem.objects.values_list("kind", "person", "other")) == [
        ("possible_double", made.person.pk, known.pk)
    ]


def test_a_joined_record_leads_to_the_surviving_one(post, ada):
    root = PersonFactory(full_name="Maria Lind", born_on=date(1961, 2, 3))
    merge(PersonFactory(full_name="José Muñoz", born_on=date(1961, 2, 3)), root)

    made = enroll(ada, post, line(born_on=date(1961, 2, 3)), statement_of(ada))

    assert made.person == root


def test_two_people_of_one_name_on_a_roster_are_told_apart_by_birth_date(post, ada):
    first = enroll(ada, post, line(born_on=date(1961, 2, 3)), statement_of(ada))
    second = enroll(ada, post, line(born_on=date(1990, 5, 6)), statement_of(ada))

    assert first.person != second.person
    assert list(WorkItem.objects.values_list("kind", flat=True)) == ["possible_double"]


def test_nobody_confirms_himself(post, today):
    own = PersonFactory(full_name="José Muñoz", born_on=date(1961, 2, 3))
    officer = AccountHolderFactory(
        organization=post, user=UserFactory(name="J. M.", person=own)
    ).user

    with pytest.raises(BadInput) as refused:
        enroll(officer, post, line(born_on=date(1961, 2, 3)), statement_of(officer))

    assert refused.value.field == "full_name"
    assert "another officer" in refused.value.message
    assert Membership.objects.count() == 0


@pytest.mark.parametrize("signer", ["José Muñoz", "JOSÉ  MUÑOZ"])
def test_a_paper_signed_by_the_person_himself_shows_nothing(post, cleo, today, signer):
    paper = statement_of(cleo, on_behalf_of=signer, received_on=today)

    with pytest.raises(BadInput):
        enroll(cleo, post, line(), paper)


def test_a_namesake_who_is_known_to_be_somebody_else_may_confirm(post):
    other = PersonFactory(full_name="José Muñoz", born_on=date(1940, 1, 1))
    officer = AccountHolderFactory(
        organization=post, user=UserFactory(name="José Muñoz", person=other)
    ).user

    made = enroll(officer, post, line(born_on=date(1990, 5, 6)), statement_of(officer))

    assert made.attested_by == "José Muñoz"


def test_a_clerk_keys_in_a_paper_on_behalf_of_the_officer_who_signed(post, cleo):
    paper = statement_of(cleo, on_behalf_of="Ada Reyes", evidence="letter", received_on=days_ago(2))

    with from_paper("Ada Reyes", days_ago(2)):
        made = enroll(cleo, post, line(), paper)

    assert (made.attested_on, made.attested_by, made.evidence) == (
        days_ago(2),
        "Ada Reyes",
        "letter",
    )
    act = Act.objects.get(verb="member.enrolled")
    assert act.by == cleo
    assert act.data == {"on_behalf_of": "Ada Reyes", "received_on": days_ago(2).isoformat()}


def test_only_those_who_keep_the_roster_enter_people(post, cleo):
    stranger = AccountHolderFactory().user
    auditor = RoleGrantFactory(role="auditor").user

    for user in (stranger, auditor):
        with pytest.raises(PermissionDenied):
            enroll(user, post, line(), statement_of(user))

    assert Person.objects.count() == 0


def test_a_known_and_an_unknown_person_take_as_many_questions_to_find(post, ada):
    PersonFactory(full_name="Known Person", born_on=date(1961, 2, 3))
    PersonFactory(full_name="Likely Person", born_on=None)
    enroll(ada, post, line(), statement_of(ada))
    counts = []
    for name in ("Known Person", "Likely Person", "Unknown Person"):
        with CaptureQueriesContext(connection) as queries:
            enroll(ada, post, line(full_name=name, born_on=date(1961, 2, 3)), statement_of(ada))
        counts.append(len(queries))

    assert max(counts) - min(counts) <= 1, counts


def test_a_second_press_finds_the_first(post, ada):
    token = uuid4()
    with pressed(token):
        first = enroll(ada, post, line(), statement_of(ada))

    with pytest.raises(AlreadyDone) as already, pressed(token):
        enroll(ada, post, line(), statement_of(ada))

    assert already.value.act.person == first.person
    assert Membership.objects.count() == 1


def at_once(*jobs):
    """Run the jobs in threads that start together; what each gave back or raised."""
    barrier, results = threading.Barrier(len(jobs)), [None] * len(jobs)

    def run(index, job):
        try:
            connection.ensure_connection()
            barrier.wait()
            results[index] = job()
        except (BadInput, AlreadyDone) as told:
            results[index] = told
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


@pytest.mark.django_db(transaction=True)
def test_two_presses_at_once_enter_one_line():
    holder = AccountHolderFactory()
    token = uuid4()

    def press():
        with pressed(token):
            return enroll(holder.user, holder.organization, line(), statement_of(holder.user))

    told = at_once(press, press)

    assert sorted(type(one).__name__ for one in told) == ["AlreadyDone", "Membership"]
    assert Person.objects.filter(full_name="José Muñoz").count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_organizations_that_enter_one_person_at_once_enter_one_human():
    holders = [AccountHolderFactory() for _n in range(4)]
    entry = line(born_on=date(1961, 2, 3))

    told = at_once(
        *(lambda h=h: enroll(h.user, h.organization, entry, statement_of(h.user)) for h in holders)
    )

    assert len({one.person_id for one in told}) == 1
    assert Person.objects.filter(full_name="José Muñoz").count() == 1
    assert WorkItem.objects.filter(kind="linked").count() == 3


@pytest.mark.django_db(transaction=True)
def test_two_officers_who_enter_one_person_at_once_enter_one_line():
    post = LicensedFactory()
    officers = [AccountHolderFactory(organization=post).user for _n in range(2)]

    told = at_once(*(lambda o=o: enroll(o, post, line(), statement_of(o)) for o in officers))

    assert sorted(type(one).__name__ for one in told) == ["BadInput", "Membership"]
    assert Membership.objects.count() == 1


# Activities


def test_who_took_part_is_recorded_once_for_each(post, ada):
    rows = [MembershipFactory(organization=post) for _n in range(3)]

    count = record_activity(ada, post, [*rows, rows[0]], PANTRY, statement_of(ada))

    assert count == 3
    assert set(Activity.objects.values_list("person", "kind", "done_on", "attested_by")) == {
        (row.person_id, "food pantry", days_ago(3), "Ada Reyes") for row in rows
    }
    act = Act.objects.get(verb="activity.recorded")
    assert act.data["people"] == [row.name_stated for row in (*rows, rows[0])]


def test_the_same_again_adds_nothing_and_confirms_what_nobody_had(post, ada, today):
    row = MembershipFactory(organization=post)
    ActivityFactory(person=row.person, organization=post, done_on=days_ago(3), attested_on=None)

    record_activity(ada, post, [row], PANTRY, statement_of(ada))
    record_activity(ada, post, [row], PANTRY, Statement(days_ago(1), "Somebody Else"))

    assert list(Activity.objects.values_list("attested_on", "attested_by")) == [
        (today, "Ada Reyes")
    ]


def test_who_was_not_on_the_roster_that_day_is_named(post, ada):
    inside, outside = (
        MembershipFactory(organization=post, starts_on=days_ago(days)) for days in (10, 2)
    )

    with pytest.raises(BadInput) as refused:
        record_activity(ada, post, [inside, outside], PANTRY, statement_of(ada))

    assert refused.value.field == "people"
    assert outside.name_stated in refused.value.message
    assert inside.name_stated not in refused.value.message
    assert Activity.objects.count() == 0


def test_an_officer_cannot_confirm_that_he_took_part(post):
    own = MembershipFactory(organization=post)
    officer = AccountHolderFactory(organization=post, user=UserFactory(person=own.person)).user

    with pytest.raises(BadInput) as refused:
        record_activity(officer, post, [own], PANTRY, statement_of(officer))

    assert refused.value.field == "people"


def test_three_hundred_took_part_in_few_queries(post, ada):
    rows = [MembershipFactory(organization=post) for _n in range(30)]
    record_activity(ada, post, rows[:1], PANTRY, statement_of(ada))
    counts = []
    for group, day in ((rows[:3], 3), (rows, 4)):
        with CaptureQueriesContext(connection) as queries:
            record_activity(ada, post, group, Deed("meeting", days_ago(day)), statement_of(ada))
        counts.append(len(queries))

    assert counts[0] == counts[1]


def test_activities_of_joined_records_are_the_survivors(post, ada):
    row, root = MembershipFactory(organization=post), PersonFactory()
    merge(row.person, root)

    record_activity(ada, post, [Membership.objects.get(pk=row.pk)], PANTRY, statement_of(ada))

    assert Activity.objects.get().person == root


# Confirming


def test_an_officer_answers_for_lines_nobody_had_confirmed(post, ada, today):
    row = MembershipFactory(organization=post, attested_on=None, attested_by="")
    deed = ActivityFactory(person=row.person, organization=post, attested_on=None, attested_by="")
    done = MembershipFactory(organization=post, attested_by="Earlier Officer")

    count = confirm_lines(ada, post, [row, deed, done], statement_of(ada))

    assert count == 2
    for one in (row, deed, done):
        one.refresh_from_db()
    assert [(one.attested_on, one.attested_by) for one in (row, deed, done)] == [
        (today, "Ada Reyes"),
        (today, "Ada Reyes"),
        (today, "Earlier Officer"),
    ]


def test_lines_of_ones_own_are_for_another_officer(post):
    row = MembershipFactory(organization=post, attested_on=None)
    deed = ActivityFactory(person=row.person, organization=post, attested_on=None)
    officer = AccountHolderFactory(organization=post, user=UserFactory(person=row.person)).user

    for one in (row, deed):
        with pytest.raises(BadInput) as refused:
            confirm_lines(officer, post, [one], statement_of(officer))
        assert refused.value.field == "lines"

    assert not Membership.objects.exclude(attested_on=None).exists()


def test_papers_that_were_missing_are_added_and_nothing_is_taken_back(post, ada, today):
    row = MembershipFactory(
        organization=post,
        attested_on=None,
        is_adult_stated=False,
        is_resident_stated=True,
        born_on_stated=None,
    )
    ActivityFactory(person=row.person, organization=post, attested_on=None)

    state_papers(ada, row, Papers(is_adult=True), statement_of(ada))
    state_papers(ada, row, Papers(), statement_of(ada))

    row.refresh_from_db()
    assert (row.is_adult_stated, row.is_resident_stated, row.born_on_stated) == (True, True, None)
    assert (row.attested_on, row.attested_by) == (today, "Ada Reyes")
    assert Activity.objects.get().attested_by == "Ada Reyes"


def test_a_birth_date_is_stated_once(post, ada):
    row = MembershipFactory(organization=post, born_on_stated=date(1961, 2, 3))

    with pytest.raises(BadInput) as refused:
        state_papers(ada, row, Papers(born_on=date(1961, 2, 4)), statement_of(ada))

    assert refused.value.field == "born_on"


# Suspensions


def test_a_suspension_is_recorded_and_ended(post, ada, today):
    row = MembershipFactory(organization=post)
    hole = suspend_member(ada, row, starts_on=days_ago(5), ends_on=None, reason="dues")

    end_suspension(ada, hole, last_day=today)

    assert list(Suspension.objects.values_list("person", "starts_on", "ends_on", "reason")) == [
        (row.person_id, days_ago(5), today, "dues")
    ]
    assert verbs() == ["member.suspended", "member.suspension_ended"]


@pytest.mark.parametrize(
    ("starts", "ends", "field"), [(5, 6, "ends_on"), (3, None, "starts_on"), (0, 0, "starts_on")]
)
def test_a_suspension_that_makes_no_sense_is_refused(post, ada, starts, ends, field):
    row = MembershipFactory(organization=post)
    SuspensionFactory(person=row.person, organization=post)

    with pytest.raises(BadInput) as refused:
        suspend_member(
            ada,
            row,
            starts_on=days_ago(starts),
            ends_on=None if ends is None else days_ago(ends),
            reason="dues",
        )

    assert refused.value.field == field
    assert Suspension.objects.count() == 1


def test_a_suspension_that_is_over_is_not_ended_again(post, ada, today):
    row = MembershipFactory(organization=post)
    hole = SuspensionFactory(person=row.person, organization=post, ends_on=days_ago(1))
    early = SuspensionFactory(person=row.person, organization=post, starts_on=days_ago(-5))

    for one, day in ((hole, today), (early, today)):
        with pytest.raises(BadInput) as refused:
            end_suspension(ada, one, last_day=day)
        assert refused.value.field == "ends_on"

    assert set(Suspension.objects.values_list("ends_on", flat=True)) == {days_ago(1), None}
