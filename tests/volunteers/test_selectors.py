"""Facts gathered for one person and for many, and a roster as each user may see it."""

from datetime import date, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from registry.history import System, acting
from registry.models import WorkItem
from registry.periods import Period
from registry.ruleset import in_force
from registry.verdicts import Outcome
from tests.factories import (
    AccountHolderFactory,
    ActivityFactory,
    AssignmentFactory,
    LessorInterestFactory,
    LicensedFactory,
    LicenseFactory,
    MembershipFactory,
    OrganizationFactory,
    PersonFactory,
    RoleGrantFactory,
    SanctionFactory,
    SuspensionFactory,
    WorkerFactory,
    WorkItemFactory,
    days_ago,
)
from volunteers.facts import Done, Interest, Kind, LicenseSpell, Place, Question, Spell
from volunteers.models import Determination
from volunteers.rosters import Standing, dossier_of, lines_of, standing_counts
from volunteers.selectors import (
    Asked,
    current_assignments,
    facts_for,
    facts_for_many,
    latest_of_each,
    memberships_of,
    named,
    roster_on,
    ruling_for,
    rulings_for_many,
    seen_by,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def today():
    return timezone.localdate()


@pytest.fixture
def post():
    return LicensedFactory(name="Marsh Lantern Post 1", slug="marsh-lantern")


@pytest.fixture
def ada(post):
    return AccountHolderFactory(organization=post).user


@pytest.fixture
def cleo():
    return RoleGrantFactory(role="clerk").user


def merge(person, root):
    with acting(System.SET_UP, "test.merged"):
        person.merged_into = root
        person.save()


def absorb(organization, survivor, on):
    with acting(System.SET_UP, "test.merged"):
        organization.merged_into, organization.merged_on = survivor, on
        organization.save()


def busy_person(post):
    """Somebody with a row of every kind, at the post and elsewhere."""
    person = PersonFactory()
    WorkerFactory(person=person, organization=post)
    SuspensionFactory(person=person, organization=post, ends_on=days_ago(1))
    LessorInterestFactory(person=person)
    AssignmentFactory(person=person)
    with acting(System.SET_UP, "test.decided"):
        Determination.objects.create(
            person=person,
            organization=post,
            rule="tenure",
            is_met=True,
            decided_by="board",
            decided_on=days_ago(2),
            reference="minutes",
            starts_on=days_ago(2),
        )
    return person


def test_the_facts_are_the_rows_of_the_person_and_the_organization(post, today):
    person = PersonFactory(born_on=date(1970, 1, 2))
    WorkerFactory(person=person, organization=post)
    hole = SuspensionFactory(person=person, organization=post, ends_on=days_ago(1))
    interest = LessorInterestFactory(person=person)
    elsewhere = AssignmentFactory(person=person)
    ActivityFactory(person=person)

    facts = facts_for(person, Asked(post, today))

    license_ = post.licenses.get()
    there = elsewhere.license
    assert facts.spells == (Spell(Kind.REGULAR, Period(days_ago(31))),)
    assert facts.suspensions == (hole.period,)
    assert facts.activities == (Done("food pantry", days_ago(10)),)
    assert facts.licenses == (LicenseSpell(license_.period, (), license_.number),)
    assert facts.interests == (Interest(interest.lessor.name, "owner", interest.period),)
    assert facts.places == (
        Place(
            body=elsewhere.organization_id,
            name=elsewhere.organization.name,
            period=elsewhere.period,
            licenses=(LicenseSpell(there.period, (), there.number),),
            order=elsewhere.pk,
        ),
    )
    assert (facts.born_on, facts.birth_is_own, facts.is_resident) == (date(1970, 1, 2), True, True)
    assert (facts.body, facts.began_on, facts.double_open) == (post.pk, None, False)


def test_void_rows_are_no_facts(post, today):
    person = busy_person(post)
    before = facts_for(person, Asked(post, today))
    with acting(System.SET_UP, "test.voided"):
        for rows in (
            person.memberships,
            person.suspensions,
            person.activities,
            person.assignments,
            person.lessor_interests,
            person.determinations,
        ):
            rows.update(voided_at=timezone.now())

    after = facts_for(person, Asked(post, today))

    rows = ("spells", "suspensions", "activities", "places", "interests", "decisions")
    assert {name: len(getattr(before, name)) for name in rows} == dict.fromkeys(rows, 1)
    assert {name: len(getattr(after, name)) for name in rows} == dict.fromkeys(rows, 0)


def test_many_at_once_are_judged_as_each_alone(post, today):
    people = [busy_person(post), PersonFactory(), WorkerFactory(organization=post).person]
    twin = WorkerFactory(organization=post).person
    merge(twin, people[2])
    people.append(twin)
    asked = Asked(post, today, Question.ASSIGN, until=days_ago(-100), duties=("caller",))

    together = facts_for_many(people, asked)

    assert together == {person.pk: facts_for(person, asked) for person in people}
    assert rulings_for_many(people, asked) == {p.pk: ruling_for(p, asked) for p in people}


@pytest.mark.parametrize("count", [1, 3, 30])
def test_facts_take_the_same_queries_for_any_number(post, today, count):
    people = [busy_person(post) for _n in range(count)]

    with CaptureQueriesContext(connection) as queries:
        facts_for_many(people, Asked(post, today))

    assert len(queries) == 14


def test_records_that_were_joined_speak_of_one_human(post, today):
    root, twin = PersonFactory(born_on=date(1970, 1, 2)), PersonFactory(born_on=None)
    MembershipFactory(person=twin, organization=post, born_on_stated=None)
    ActivityFactory(person=root, organization=post)
    AssignmentFactory(person=twin)
    alone = facts_for(twin, Asked(post, today))
    merge(twin, root)

    by_twin, by_root = (facts_for(person, Asked(post, today)) for person in (twin, root))

    assert len(alone.activities) == 0
    assert by_twin == by_root
    assert (len(by_root.spells), len(by_root.activities), len(by_root.places)) == (1, 1, 1)
    assert (by_twin.born_on, by_twin.birth_is_own) == (date(1970, 1, 2), False)


def test_rows_of_an_absorbed_body_count_from_the_merger_on(post, today):
    old = LicensedFactory()
    person = WorkerFactory(organization=old, starts_on=days_ago(200)).person
    AssignmentFactory(person=person, organization=old, starts_on=days_ago(100))
    absorb(old, post, days_ago(20))

    facts = facts_for(person, Asked(post, today))

    assert facts.spells == (Spell(Kind.REGULAR, Period(days_ago(200)), carried_on=days_ago(20)),)
    assert facts.activities == (Done("food pantry", days_ago(10), carried_on=days_ago(20)),)
    assert [place.body for place in facts.places] == [post.pk]
    assert facts.began_on == days_ago(100)
    assert ruling_for(person, Asked(post, today)).allows
    assert not ruling_for(person, Asked(post, days_ago(21))).allows
    assert current_assignments(post, today, [person.pk])[person.pk].organization == old


def test_a_suspended_license_is_told_with_its_days(post, today):
    sanction = SanctionFactory(license=post.licenses.get(), ends_on=days_ago(-5))
    gone = SanctionFactory(
        license=post.licenses.get(), starts_on=days_ago(40), ends_on=days_ago(30)
    )
    with acting(System.SET_UP, "test.voided"):
        gone.voided_at = timezone.now()
        gone.save()

    facts = facts_for(PersonFactory(), Asked(post, today))

    assert [spell.suspended for spell in facts.licenses] == [(sanction.period,)]


def test_a_hall_owner_is_judged_as_one_unless_a_license_to_conduct_runs(today):
    hall = OrganizationFactory()
    LicenseFactory(organization=hall, license_class="B")
    worker = AssignmentFactory(organization=hall)
    both = OrganizationFactory()
    LicenseFactory(organization=both, license_class="B")
    LicenseFactory(organization=both, license_class="A")

    at_hall, at_both = (facts_for(worker.person, Asked(body, today)) for body in (hall, both))

    assert (at_hall.leases_only, at_both.leases_only) == (True, False)
    assert [place.is_lessor for place in at_both.places] == [True]


def test_an_expired_license_to_conduct_does_not_hide_one_to_lease(today):
    hall = OrganizationFactory()
    LicenseFactory(organization=hall, issued_on=days_ago(400), expires_on=days_ago(100))
    lease = LicenseFactory(organization=hall, license_class="B")

    facts = facts_for(PersonFactory(), Asked(hall, today))

    assert (facts.leases_only, [s.number for s in facts.licenses]) == (True, [lease.number])


def test_a_birth_date_that_only_the_organization_knows_counts_for_it_alone(post, today):
    person = PersonFactory(born_on=None)
    MembershipFactory(
        person=person, organization=post, born_on_stated=days_ago(6000), is_adult_stated=False
    )
    other = MembershipFactory(person=person, born_on_stated=None, is_adult_stated=True)

    here, there = (facts_for(person, Asked(b, today)) for b in (post, other.organization))

    assert (here.born_on, here.birth_is_own, here.is_adult_attested) == (
        days_ago(6000),
        True,
        False,
    )
    assert (there.born_on, there.is_adult_attested) == (None, True)


def test_a_registered_birth_date_the_organization_did_not_state_is_not_its_own(post, today):
    person = PersonFactory(born_on=date(1970, 1, 2))
    MembershipFactory(person=person, organization=post, born_on_stated=None)

    assert facts_for(person, Asked(post, today)).birth_is_own is False


def test_what_nobody_answers_for_shows_neither_age_nor_residence(post, today):
    person = PersonFactory(born_on=None)
    MembershipFactory(person=person, organization=post, born_on_stated=None, attested_on=None)

    facts = facts_for(person, Asked(post, today))

    assert (facts.is_adult_attested, facts.is_resident) == (False, None)
    assert [spell.shown for spell in facts.spells] == [False]


class Doubles:
    """Somebody new to the register, and a namesake who may be the same, with a given load."""

    def __init__(self, post, mine, theirs, *, mirrored=False):
        self.new, self.old = WorkerFactory(organization=post).person, PersonFactory()
        for _n in range(mine):
            AssignmentFactory(person=self.new)
        for _n in range(theirs):
            AssignmentFactory(person=self.old)
        pair = (self.old, self.new) if mirrored else (self.new, self.old)
        self.item = WorkItemFactory(person=pair[0], other=pair[1])

    def verdict(self, post, today):
        ruling = ruling_for(self.new, Asked(post, today, Question.ASSIGN, until=today))
        verdict = next(v for v in ruling.verdicts if v.rule == "one_other")
        return verdict.outcome, verdict.code


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize(
    ("mine", "theirs", "answer"),
    [
        (0, 0, (Outcome.MET, "met")),
        (0, 1, (Outcome.MET, "met")),
        (1, 0, (Outcome.MET, "met")),
        (0, 2, (Outcome.NOT_SHOWN, "pending")),
        (1, 1, (Outcome.NOT_SHOWN, "pending")),
        (2, 0, (Outcome.NOT_MET, "taken")),
        (2, 1, (Outcome.NOT_MET, "taken")),
    ],
)
def test_who_may_be_the_same_matters_only_where_he_would_fill_the_place(
    post, today, mine, theirs, answer, mirrored
):
    doubles = Doubles(post, mine, theirs, mirrored=mirrored)

    assert doubles.verdict(post, today) == answer


def test_who_may_be_the_same_is_not_named_where_he_changes_nothing(post, today):
    doubles = Doubles(post, 0, 1)

    ruling = ruling_for(doubles.new, Asked(post, today))

    one_other = next(v for v in ruling.verdicts if v.rule == "one_other")
    assert one_other.private == {"others": []}
    assert facts_for(doubles.new, Asked(post, today)).double_open is False


def test_a_closed_question_of_doubles_no_longer_matters(post, today):
    doubles = Doubles(post, 0, 2)
    with acting(System.SET_UP, "test.closed"):
        WorkItem.objects.filter(pk=doubles.item.pk).update(closed_at=timezone.now())

    assert doubles.verdict(post, today) == (Outcome.MET, "met")


def test_a_question_of_doubles_takes_the_same_queries(post, today):
    plain, doubles = WorkerFactory(organization=post).person, Doubles(post, 0, 2)
    counts = []
    for person in (plain, doubles.new):
        with CaptureQueriesContext(connection) as queries:
            ruling_for(person, Asked(post, today))
        counts.append(len(queries))

    assert counts[0] == counts[1]


def test_who_is_approved_as_a_helper_is_judged_as_one_on_the_roster_alone(post, today):
    helper = MembershipFactory(organization=post, starts_on=days_ago(3)).person
    AssignmentFactory(person=helper, organization=post, duties=["assisting"], takes_place=False)

    (row,) = roster_on(RoleGrantFactory().user, post, today)

    assert row.ruling.allows
    assert not ruling_for(helper, Asked(post, today)).allows


def test_rows_left_out_or_dated_otherwise_are_judged_so(post, today):
    membership = WorkerFactory(organization=post)
    person, activity = membership.person, membership.person.activities.get()

    def bars(**change):
        ruling = ruling_for(person, Asked(post, today, **change))
        return [verdict.rule for verdict in ruling.verdicts if verdict.bars]

    assert bars() == []
    assert bars(instead=((membership.pk, Period(days_ago(29))),)) == ["tenure"]
    assert bars(without=(("activities", activity.pk),)) == ["activity"]
    assert bars(without=(("memberships", membership.pk),)) == ["membership", "tenure", "activity"]


def test_one_line_a_human_the_one_of_the_day_then_the_next_then_the_last(post, today, cleo):
    person = PersonFactory()
    same = {"person": person, "organization": post}
    old = MembershipFactory(**same, starts_on=days_ago(300), ends_on=days_ago(200))
    now = MembershipFactory(**same, starts_on=days_ago(100), ends_on=days_ago(10))
    later = MembershipFactory(**same, starts_on=days_ago(-10))
    twin = MembershipFactory(organization=post, starts_on=days_ago(400), ends_on=days_ago(390))
    merge(twin.person, person)
    rows = list(memberships_of(cleo, post))

    days = [days_ago(395), days_ago(250), days_ago(150), days_ago(50), today, days_ago(-20)]

    assert [latest_of_each(rows, day) for day in days] == [
        [twin],
        [old],
        [now],
        [now],
        [later],
        [later],
    ]


def test_a_roster_is_everyone_not_gone_on_the_day(post, today, cleo):
    WorkerFactory(organization=post, ends_on=today)
    gone = MembershipFactory(organization=post, ends_on=days_ago(1))
    MembershipFactory(organization=post, starts_on=days_ago(-5))
    MembershipFactory()

    shown = [row.membership for row in roster_on(cleo, post, today)]

    assert len(shown) == 2
    assert gone not in shown


def test_another_organization_has_no_roster_for_an_account_holder(post, ada, today):
    stranger = WorkerFactory()

    assert list(memberships_of(ada, stranger.organization)) == []
    assert roster_on(ada, stranger.organization, today) == []


@pytest.mark.parametrize("count", [1, 3])
def test_a_roster_takes_the_same_queries_for_any_number(post, cleo, today, count):
    for _n in range(count):
        busy_person(post)
    memberships_of(cleo, post).exists()

    with CaptureQueriesContext(connection) as queries:
        lines_of(cleo, post, memberships_of(cleo, post), today)

    assert len(queries) == 19


def standings(user, post, day):
    return {
        line.name: line.standing for line in lines_of(user, post, memberships_of(user, post), day)
    }


def test_everyone_stands_in_one_part_of_the_roster(post, cleo, today):
    def person(name, **columns):
        return WorkerFactory(person=PersonFactory(full_name=name), organization=post, **columns)

    person("Clear")
    late = person("Late", starts_on=days_ago(5))
    ActivityFactory(person=late.person, organization=post, done_on=days_ago(1))
    person("Paperless", activity=False)
    person("Unconfirmed", attested_on=None)
    person("Gone", ends_on=days_ago(1))
    full = person("Full")
    for _n in range(2):
        AssignmentFactory(person=full.person)

    assert standings(cleo, post, today) == {
        "Clear": Standing.CLEARED,
        "Late": Standing.LATER,
        "Paperless": Standing.MISSING,
        "Unconfirmed": Standing.MISSING,
        "Gone": Standing.LEFT,
        "Full": Standing.NOT_CLEARED,
    }
    assert standing_counts(cleo, post, today) == {
        Standing.CLEARED: 1,
        Standing.LATER: 1,
        Standing.MISSING: 2,
        Standing.NOT_CLEARED: 1,
        Standing.LEFT: 1,
    }


def test_an_organization_is_not_told_from_when_another_one_frees_a_place(post, ada, cleo, today):
    full = WorkerFactory(organization=post)
    for days in (10, 20):
        AssignmentFactory(person=full.person, ends_on=days_ago(-days))

    (own,) = lines_of(ada, post, memberships_of(ada, post), today)
    (county,) = lines_of(cleo, post, memberships_of(cleo, post), today)

    assert (own.standing, own.ruling.eligible_on) == (Standing.NOT_CLEARED, None)
    assert (county.standing, county.ruling.eligible_on) == (Standing.LATER, days_ago(-11))
    assert [v.private for v in own.ruling.verdicts if v.rule == "one_other"] == [{}]


def test_of_whom_no_officer_confirmed_an_organization_learns_nothing_from_elsewhere(
    post, ada, cleo, today
):
    columns = {"organization": post, "attested_on": None, "born_on_stated": None}
    free, full = (MembershipFactory(**columns) for _n in range(2))
    for _n in range(2):
        AssignmentFactory(person=full.person)
    LessorInterestFactory(person=full.person)

    def seen(membership):
        (line,) = lines_of(ada, post, [membership], today)
        return [(v.rule, v.outcome, v.code) for v in line.ruling.verdicts], line.standing

    assert seen(free) == seen(full)
    assert {"one_other", "lessor", "presence"} & {rule for rule, *_ in seen(full)[0]} == set()
    assert "one_other" in [
        v.rule for v in lines_of(cleo, post, [full], today)[0].ruling.verdicts if v.bars
    ]


def test_a_ruling_reaches_regulators_whole(post, cleo, ada, today):
    person = WorkerFactory(organization=post).person
    ruling = ruling_for(person, Asked(post, today))

    assert seen_by(cleo, ruling, confirmed=False) is ruling
    assert "rotation" not in [v.rule for v in seen_by(ada, ruling, confirmed=True).verdicts]


def test_a_name_is_found_as_the_organization_stated_it(post, ada, cleo):
    person = PersonFactory(full_name="Zofia Nowak-Registered")
    line = MembershipFactory(person=person, organization=post, name_stated="Zofia Stated")

    def found(user, text):
        return list(named(user, memberships_of(user, post), text))

    assert [found(ada, text) for text in ("stated", "zo", "registered", "")] == [
        [line],
        [line],
        [],
        [line],
    ]
    assert [found(cleo, text) for text in ("stated", "registered")] == [[line], [line]]


def test_the_file_on_a_person_holds_this_organizations_rows_only(post, ada, today):
    person = PersonFactory()
    mine = WorkerFactory(person=person, organization=post)
    approval = AssignmentFactory(person=person, organization=post)
    hole = SuspensionFactory(person=person, organization=post)
    other = WorkerFactory(person=person)
    AssignmentFactory(person=person, organization=other.organization)
    SuspensionFactory(person=person, organization=other.organization)

    found = dossier_of(ada, mine, today)

    assert list(found.memberships) == [mine]
    assert list(found.assignments) == [approval]
    assert list(found.suspensions) == [hole]
    assert [row.organization for row in found.activities] == [post]
    assert found.address is None


def test_the_law_of_the_asked_day_judges(post):
    membership = WorkerFactory(organization=post)

    ruling = ruling_for(membership.person, Asked(post, timezone.localdate() + timedelta(days=1)))

    assert ruling.ruleset == in_force(ruling.on).stamp
