"""The rules against the law told slowly, day by day, and against what the county decided."""

from __future__ import annotations

import dataclasses
import json
import os
import re
from dataclasses import replace
from datetime import date, time, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.serializers.json import DjangoJSONEncoder
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from registry.periods import Period
from registry.ruleset import Ruleset, in_force
from registry.verdicts import Effect, Outcome, Ruling, Verdict
from tests.volunteers.day_by_day import BARRING, DayByDay, asked_about
from volunteers import words
from volunteers.cases import facts_of, read_case
from volunteers.facts import (
    Decision,
    Done,
    Elsewhere,
    Facts,
    Interest,
    Kind,
    LicenseSpell,
    Place,
    Question,
    Spell,
)
from volunteers.rules import ORDER, decide, one_other, rule_on, tenure
from volunteers.rules.judging import TESTS
from volunteers.words.page import worded

DATA = Path(__file__).parent.parent / "data"
CASES = json.loads((DATA / "cases.json").read_text())
RULES = {
    "TENURE": "tenure",
    "NOT_MEMBER": "membership",
    "SUSPENDED": "suspension",
    "NO_ACTIVITY": "activity",
    "LICENSE": "license",
    "ONE_OTHER": "one_other",
    "AGE": "age",
    "PRESENCE": "presence",
    "OK": None,
}
OUTCOMES = {"PASS": "met", "FAIL": "not_met", "NOT SHOWN": "not_shown"}
LAW = in_force(date(2026, 6, 1))
ON = date(2026, 6, 15)


def told(ruling: Ruling) -> tuple[str, str, str | None]:
    """Answer, outcome and rule, as a case names them."""
    bar = ruling.first_bar
    answer = "allowed" if ruling.allows else "denied"
    return answer, ruling.outcome.value, bar.rule if bar else None


def verdict_of(ruling: Ruling, rule: str) -> Verdict:
    return next(verdict for verdict in ruling.verdicts if verdict.rule == rule)


def lawful(**changes: Any) -> Facts:
    """A member of a year with one activity, approved since March: cleared in all tests."""
    facts = Facts(
        body="A",
        organization="Post 4412",
        on=ON,
        spells=(Spell(Kind.REGULAR, Period(date(2025, 6, 1))),),
        activities=(Done("food pantry", date(2026, 2, 1)),),
        licenses=(LicenseSpell(Period(date(2025, 10, 1), date(2026, 9, 30)), (), "A-2026-0001"),),
        places=(Place("A", "Post 4412", Period(date(2026, 3, 1), date(2026, 9, 30))),),
        is_adult_attested=True,
        is_resident=True,
    )
    return replace(facts, **changes)


def place(body: str, first: date, last: date | None = None, **more: Any) -> Place:
    return Place(body, f"Organization {body}", Period(first, last), **more)


# The cases of the county


@pytest.mark.parametrize("raw", CASES, ids=[raw["id"] for raw in CASES])
def test_each_case_is_answered_as_it_says(raw: dict[str, Any]) -> None:
    case = read_case(raw, 1)

    ruling = rule_on(facts_of(case), in_force(case.on))

    assert told(ruling) == (raw["expected"], OUTCOMES[raw["verdict"]], RULES[raw["reason"]])


OTHERWISE = [
    (raw, mark)
    for raw in CASES
    for mark in raw["depends_on"]
    if re.match(r"(allowed|denied)\b", raw["otherwise"] or "")
    and (raw["id"], mark) != ("O076", "P20")
]


@pytest.mark.parametrize(("raw", "mark"), OTHERWISE, ids=[f"{r['id']}-{m}" for r, m in OTHERWISE])
def test_the_other_reading_answers_otherwise(raw: dict[str, Any], mark: str) -> None:
    case = read_case(raw, 1)
    law = in_force(case.on)
    facts = facts_of(case)
    if mark == "P15":
        facts = replace(facts, excused=True)
    others = [(key, r.others[0]) for key, r in law.readings.items() if mark in r.marks]

    answers = [told(rule_on(facts, law.with_reading(*other)))[0] for other in others]

    wanted = raw["otherwise"].split()[0]
    assert wanted in answers
    assert told(rule_on(facts, law))[0] != wanted
    differing = {r.key for v in rule_on(facts, law).verdicts for r in v.readings if r.would_differ}
    assert differing & {key for key, _ in others}


def test_an_own_hall_is_only_mentioned_when_work_for_hall_owners_bars() -> None:
    raw = next(raw for raw in CASES if raw["id"] == "O076")
    law = LAW.with_reading("lessor.work", "bars")

    ruling = rule_on(facts_of(read_case(raw, 1)), law)

    assert told(ruling) == ("allowed", "met", None)
    own_hall = verdict_of(ruling, "own_hall")
    assert (own_hall.outcome, own_hall.effect) == (Outcome.NOT_MET, Effect.INFORMS)


def test_a_restart_at_the_merger_ends_on_may_31() -> None:
    raw = next(raw for raw in CASES if raw["id"] == "O101")
    law = LAW.with_reading("tenure.merger", "restarts")

    assert rule_on(facts_of(read_case(raw, 1)), law).eligible_on == date(2026, 5, 31)


# The law told slowly

BASE = date(2026, 8, 20)
SMALL = in_force(BASE, str(DATA / "short_terms.toml"))
HORIZON = BASE + timedelta(days=110)
days = st.integers(0, 60).map(lambda n: BASE + timedelta(days=n))
lengths = st.integers(-2, 25)
SWITCHED = [
    "license.effect",
    "license.home",
    "membership.leave_day",
    "tenure.count_mode",
    "tenure.binds",
    "tenure.unbroken",
    "tenure.tack_kinds",
    "tenure.suspension",
    "tenure.merger",
    "tenure.place",
    "tenure.measured_at",
    "activity.look_back",
    "activity.same_spell",
    "activity.measured_at",
    "one_other.window",
    "one_other.members_exempt",
    "one_other.counts",
    "one_other.per_license",
    "lessor.interest_bars",
    "lessor.work",
    "presence.excuse",
    "presence.binds",
    "age.leap_birthday",
]


def rarely(strategy: st.SearchStrategy[Any], otherwise: Any) -> st.SearchStrategy[Any]:
    return st.one_of(*[st.just(otherwise)] * 3, strategy)


@st.composite
def periods(draw: st.DrawFn) -> Period:
    first = draw(days)
    length = draw(st.none() | lengths)
    return Period(first, None if length is None else first + timedelta(days=length))


def few(strategy: st.SearchStrategy[Any], most: int) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(strategy, max_size=most).map(tuple)


carried = rarely(days, None)
mostly = st.sampled_from([True, True, True, False])
seldom = st.sampled_from([False, False, False, True])
spells = st.builds(Spell, st.sampled_from(list(Kind)), periods(), shown=mostly, carried_on=carried)
deeds = st.builds(
    Done,
    st.sampled_from(["food pantry", "bingo", "board meeting"]),
    rarely(st.none(), None) | days | days | days,
    shown=mostly,
    carried_on=carried,
)
licenses = st.none() | few(st.builds(LicenseSpell, periods(), few(periods(), 2)), 2)
places = st.builds(
    Place,
    st.sampled_from("ABCD"),
    st.just("somewhere"),
    periods(),
    licenses=rarely(licenses, None),
    takes_place=mostly,
    order=st.integers(0, 2),
    is_lessor=seldom,
    is_member=seldom,
    is_home=seldom,
)
decisions = st.builds(
    Decision,
    st.sampled_from(BARRING),
    st.sampled_from(list(Outcome)),
    periods(),
    st.just("the board"),
    days,
)


@st.composite
def asked(draw: st.DrawFn) -> Facts:
    on = draw(days)
    question = draw(st.sampled_from(list(Question)))
    born = rarely(st.integers(0, 100).map(lambda n: date(2008, 8, 1) + timedelta(days=n)), None)
    return Facts(
        body="A",
        organization="Post 4412",
        on=on,
        question=question,
        until=draw(st.none() | lengths.map(lambda n: on + timedelta(days=max(n, 0)))),
        began_on=draw(rarely(days, None)),
        spells=draw(few(spells, 4)),
        suspensions=draw(few(periods(), 2)),
        activities=draw(few(deeds, 4)),
        licenses=draw(rarely(licenses, None)),
        places=draw(few(places, 5)),
        interests=draw(
            rarely(
                few(
                    st.builds(Interest, st.just("L"), st.just("owner"), periods(), st.booleans()), 2
                ),
                (),
            )
        ),
        elsewhere=draw(rarely(few(st.builds(Elsewhere, st.just("B"), held_on=carried), 2), ())),
        decisions=draw(rarely(few(decisions, 2), ())),
        born_on=draw(born),
        is_adult_attested=draw(mostly),
        in_charge=draw(st.booleans()),
        assisting=draw(seldom),
        double_open=draw(seldom),
        birth_is_own=draw(mostly),
        leases_only=draw(seldom),
        excused=draw(st.booleans()),
        home_spells=draw(rarely(few(spells, 2), None)),
        home_activities=draw(rarely(few(deeds, 2), None)),
    )


@st.composite
def switches(draw: st.DrawFn) -> dict[str, Any]:
    keys = draw(st.lists(st.sampled_from(SWITCHED), max_size=2, unique=True))
    chosen = {key: draw(st.sampled_from(SMALL.readings[key].others)) for key in keys}
    rolling = draw(st.integers(0, 9)) == 0
    return chosen | ({"one_other.window": "rolling_days"} if rolling else {})


def read_by(switched: dict[str, Any]) -> Ruleset:
    """The short terms, with some questions read otherwise."""
    law = SMALL
    for key, value in switched.items():
        law = law.with_reading(key, value)
    return law


# The same examples on each run; EXAMPLES=5000 looks for new ones.
EXAMPLES = int(os.environ.get("EXAMPLES", "60"))
slowly = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    database=None,
    derandomize="EXAMPLES" not in os.environ,
)


TURNS: list[tuple[str, Any]] = [
    (key, other) for key in SWITCHED for other in SMALL.readings[key].others
]


@pytest.mark.parametrize("turn", [(), *TURNS], ids=lambda turn: "-".join(map(str, turn)))
@settings(slowly, max_examples=max(EXAMPLES // 2, 1))
@given(facts=asked(), switched=switches())
def test_every_test_and_every_date_equal_the_walk_day_by_day(
    turn: tuple[str, Any], facts: Facts, switched: dict[str, Any]
) -> None:
    law = read_by(switched | dict([turn] if turn else []))
    walk = DayByDay(facts, law, BASE, HORIZON)

    ruling = rule_on(facts, law)

    outcomes = {v.rule: v.outcome.value for v in ruling.verdicts if v.rule in BARRING}
    assert outcomes == {rule: walk.outcome(rule, facts.on) for rule in BARRING}
    cures = {v.rule: within(v.cures_on) for v in ruling.verdicts if v.rule in BARRING}
    assert cures == {rule: told_cure(walk, rule) for rule in BARRING}
    assert within(ruling.eligible_on) == walk.eligible(facts.on)


def within(day: date | None) -> date | None:
    """A day that the walk can reach."""
    return day if day is None or day <= HORIZON else None


def told_cure(walk: DayByDay, rule: str) -> date | None:
    if walk.outcome(rule, walk.facts.on) == "met":
        return None
    if rule == "age" and walk.facts.born_on and not walk.facts.birth_is_own:
        return None
    return walk.cure(rule, walk.facts.on)


@slowly
@given(facts=asked(), switched=switches())
def test_the_eligible_day_is_the_first_on_which_asking_anew_allows(
    facts: Facts, switched: dict[str, Any]
) -> None:
    law = read_by(switched)
    ruling = rule_on(facts, law)

    last = facts.until if facts.question is Question.ASSIGN and facts.until else HORIZON
    span = [facts.on + timedelta(days=n) for n in range((min(last, HORIZON) - facts.on).days + 1)]
    allowed = (day for day in span if decide(asked_about(facts, day), law).allows)
    assert within(ruling.eligible_on) == next(allowed, None)


extremes = st.sampled_from([date.min, date.max, date(2024, 2, 29), date(9999, 1, 1), date(1, 1, 2)])


@slowly
@given(data=st.data(), facts=asked(), switched=switches())
def test_no_rule_ever_raises(data: st.DataObject, facts: Facts, switched: dict[str, Any]) -> None:
    law = read_by(switched)
    ends = st.builds(Period, extremes, st.none() | extremes)
    extreme = replace(
        facts,
        on=data.draw(extremes),
        until=data.draw(st.none() | extremes),
        began_on=data.draw(st.none() | extremes),
        born_on=data.draw(st.none() | extremes),
        spells=(*facts.spells, Spell(Kind.MEMBER, data.draw(ends))),
        suspensions=(*facts.suspensions, data.draw(ends)),
        activities=(*facts.activities, Done("dues", data.draw(extremes))),
        places=(*facts.places, Place("B", "b", data.draw(ends))),
        decisions=(*facts.decisions, Decision("age", Outcome.MET, data.draw(ends), "b", ON)),
    )

    ruling = rule_on(extreme, law)

    assert [verdict.rule for verdict in ruling.verdicts] == list(ORDER)
    assert all(words.sentence(verdict, county=True) for verdict in ruling.verdicts)


# What an organization may learn


@slowly
@given(facts=asked(), switched=switches())
def test_what_an_organization_reads_is_the_same_whoever_the_others_are(
    facts: Facts, switched: dict[str, Any]
) -> None:
    law = read_by(switched)
    law = law.with_reading("tenure.place", "asked").with_reading("license.home", "ignored")
    renamed = replace(
        facts,
        places=tuple(
            p if p.body == "A" else replace(p, name="Elks 2520", order=p.order)
            for p in facts.places
        ),
        elsewhere=tuple(replace(e, name="Elks 2520", starts_at=time(9)) for e in facts.elsewhere),
        interests=tuple(replace(i, lessor="Fun Hall", tie="employee") for i in facts.interests),
    )

    one, other = (rule_on(f, law).for_organization() for f in (facts, renamed))

    assert one == other
    assert all(not verdict.private for verdict in one.verdicts)
    assert worded(one, law, county=False) == worded(other, law, county=False)


@slowly
@given(facts=asked(), switched=switches())
def test_a_day_shown_to_an_organization_is_the_day_of_its_own_rows(
    facts: Facts, switched: dict[str, Any]
) -> None:
    law = read_by(switched)
    seen = rule_on(facts, law).for_organization()
    alone = replace(
        facts,
        places=tuple(p for p in facts.places if p.body == "A" and not p.is_lessor),
        elsewhere=(),
        interests=(),
        decisions=tuple(
            d for d in facts.decisions if d.rule not in {"one_other", "lessor", "presence"}
        ),
        leases_only=False,
        born_on=facts.born_on if facts.birth_is_own else date(1990, 1, 1),
        home_spells=None,
        home_activities=None,
    )
    if facts.leases_only or law.tenure.place == "home" or law.license.home == "required":
        return

    if seen.eligible_on is not None:
        assert seen.eligible_on == rule_on(alone, law).eligible_on


# The rest, one by one


def test_a_lawful_worker_is_cleared_in_every_test() -> None:
    ruling = rule_on(lawful(), LAW)

    assert {v.rule: v.outcome for v in ruling.verdicts} == dict.fromkeys(ORDER, Outcome.MET)
    assert (ruling.allows, ruling.eligible_on, ruling.ruleset) == (True, ON, LAW.stamp)


def test_each_test_has_its_effect_and_cite_from_the_ruleset() -> None:
    ruling = rule_on(lawful(in_charge=True), LAW)

    assert {v.rule: (v.effect.value, v.cite, v.is_policy) for v in ruling.verdicts} == {
        "license": ("bars", "§ 10-64(a)", False),
        "membership": ("bars", "§ 10-63(12)", False),
        "suspension": ("bars", "§ 10-63(12)", False),
        "tenure": ("bars", "§ 10-63(12)", False),
        "activity": ("bars", "§ 10-63(12)", True),
        "one_other": ("bars", "§ 10-63(10)", False),
        "lessor": ("bars", "§ 10-65(b)", False),
        "age": ("bars", "§ 10-63(5)", False),
        "presence": ("bars", "§ 10-63(10)", False),
        "residence": ("asks", "F.S. 849.0931(8)", False),
        "membership_class": ("asks", "F.S. 849.0931(8)", False),
        "rotation": ("informs", "§ 10-63(10)", True),
        "active_member": ("informs", "§ 10-93(a)(1)d", False),
        "own_hall": ("informs", "§ 10-65(b)", False),
    }


def test_an_approval_given_too_early_is_cited_and_only_a_new_one_cures_it() -> None:
    early = lawful(
        spells=(Spell(Kind.VOLUNTEER, Period(date(2026, 5, 1))),),
        activities=(Done("food pantry", date(2026, 5, 2)),),
        places=(place("A", date(2026, 5, 10)),),
    )

    verdict = verdict_of(rule_on(early, LAW), "tenure")
    again = replace(
        early, places=(place("A", date(2026, 5, 10), ON), place("A", ON + timedelta(1)))
    )

    assert (verdict.outcome, verdict.cite, verdict.code) == (
        Outcome.NOT_MET,
        "§ 10-93(a)(1)d",
        "start",
    )
    assert verdict.cures_on is None
    assert "new approval is needed" in words.sentence(verdict, county=False)
    assert rule_on(again, LAW).eligible_on == ON + timedelta(1)


@pytest.mark.parametrize(
    ("reading", "full"),
    [
        ("restart", date(2026, 7, 11)),
        ("excluded", date(2026, 7, 7)),
        ("barred_only", date(2026, 7, 1)),
    ],
)
def test_a_suspension_of_six_days_moves_the_thirtieth_day(reading: str, full: date) -> None:
    new = lawful(
        spells=(Spell(Kind.MEMBER, Period(date(2026, 6, 1))),),
        suspensions=(Period(date(2026, 6, 5), date(2026, 6, 10)),),
        activities=(Done("meeting", date(2026, 6, 3)),),
        places=(),
    )
    law = LAW if reading == "restart" else LAW.with_reading("tenure.suspension", reading)

    assert rule_on(new, law).eligible_on == full


def test_days_left_out_are_those_before_the_count_is_full() -> None:
    new = lawful(
        on=date(2026, 7, 1),
        spells=(Spell(Kind.MEMBER, Period(date(2026, 6, 1))),),
        suspensions=(Period(date(2026, 7, 1), date(2026, 7, 9)),),
        places=(),
    )

    ruling = rule_on(new, LAW.with_reading("tenure.suspension", "excluded"))

    assert verdict_of(ruling, "tenure").outcome is Outcome.MET
    assert told(ruling) == ("denied", "not_met", "suspension")


def test_a_home_license_that_must_be_good_too_cures_when_it_begins() -> None:
    home = LicenseSpell(Period(date(2026, 8, 1), date(2026, 9, 30)))
    rows = (
        place("A", date(2026, 3, 1)),
        place("B", date.min, is_home=True, licenses=(home,)),
    )
    law = LAW.with_reading("license.home", "required")

    verdict = verdict_of(rule_on(lawful(places=rows), law), "license")

    assert (verdict.outcome, verdict.cures_on) == (Outcome.NOT_MET, date(2026, 8, 1))
    assert verdict.without_private().cures_on is None


def test_began_on_alone_is_judged_where_no_rows_of_the_organization_are_listed() -> None:
    early = lawful(spells=(Spell(Kind.MEMBER, Period(date(2026, 5, 1))),), places=())

    assert tenure(replace(early, began_on=date(2026, 5, 10)), LAW).cite == "§ 10-93(a)(1)d"
    assert tenure(replace(early, began_on=date(2026, 6, 1)), LAW).outcome is Outcome.MET


def test_not_yet_offers_the_first_lawful_day_of_an_approval() -> None:
    new = lawful(
        question=Question.ASSIGN,
        until=date(2026, 9, 30),
        spells=(Spell(Kind.MEMBER, Period(date(2026, 6, 1))),),
        activities=(Done("ceremony", date(2026, 6, 2)),),
        places=(),
    )

    assert rule_on(new, LAW).eligible_on == date(2026, 7, 1)
    assert rule_on(replace(new, until=date(2026, 6, 30)), LAW).eligible_on is None


def test_those_that_began_first_keep_their_places() -> None:
    rows = (
        place("B", date(2026, 1, 1), order=7),
        place("A", date(2026, 2, 1), order=3),
        place("C", date(2026, 2, 1), order=5),
    )

    answers = {body: one_other(lawful(body=body, places=rows), LAW).outcome.value for body in "ABC"}

    assert answers == {"A": "met", "B": "met", "C": "not_met"}


def test_a_renewal_on_the_next_day_keeps_the_first_start() -> None:
    rows = (
        place("A", date(2026, 1, 1), date(2026, 5, 31), order=1),
        place("B", date(2026, 2, 1), order=2),
        place("A", date(2026, 6, 1), order=3),
        place("C", date(2026, 3, 1), order=4),
    )

    answers = {body: one_other(lawful(body=body, places=rows), LAW).outcome.value for body in "ABC"}

    assert answers == {"A": "met", "B": "met", "C": "not_met"}


def test_b_in_spring_and_c_in_autumn_leave_room_for_a_all_year() -> None:
    rows = (
        place("B", date(2026, 3, 1), date(2026, 5, 31)),
        place("C", date(2026, 6, 1), date(2026, 9, 30)),
    )
    asked_for = lawful(
        question=Question.ASSIGN, on=date(2026, 3, 1), until=date(2026, 9, 30), places=rows
    )

    assert one_other(asked_for, LAW).outcome is Outcome.MET
    third = replace(asked_for, places=(*rows, place("D", date(2026, 5, 31), date(2026, 5, 31))))
    assert one_other(third, LAW).outcome is Outcome.NOT_MET


def test_a_full_place_is_not_shown_while_a_possible_double_is_looked_at() -> None:
    full = (place("B", date(2026, 1, 1)), place("C", date(2026, 1, 1)))
    asked_for = lawful(question=Question.ASSIGN, places=full, double_open=True)

    assert one_other(asked_for, LAW).outcome is Outcome.NOT_SHOWN
    assert one_other(replace(asked_for, places=full[:1]), LAW).outcome is Outcome.MET


def test_a_helper_needs_neither_thirty_days_nor_a_place_but_is_grown_up_and_no_hall_owner() -> None:
    helper = lawful(
        assisting=True,
        spells=(),
        activities=(),
        places=(place("B", date(2026, 1, 1)), place("C", date(2026, 1, 1))),
    )

    assert told(rule_on(helper, LAW)) == ("allowed", "met", None)
    young = replace(helper, born_on=date(2010, 1, 1))
    assert told(rule_on(young, LAW)) == ("denied", "not_met", "age")
    owner = replace(helper, interests=(Interest("Fun Hall", "owner", Period(date(2020, 1, 1))),))
    assert told(rule_on(owner, LAW)) == ("denied", "not_met", "lessor")


def test_help_without_game_or_money_takes_no_place() -> None:
    rows = (
        place("B", date(2026, 1, 1), takes_place=False),
        place("C", date(2026, 1, 1)),
        place("A", date(2026, 2, 1)),
    )

    assert one_other(lawful(places=rows), LAW).outcome is Outcome.MET


def test_a_decision_is_honored_for_its_period_only() -> None:
    decision = Decision(
        "tenure",
        Outcome.MET,
        Period(date(2026, 6, 1), date(2026, 6, 20)),
        "the board",
        date(2026, 5, 30),
    )
    new = lawful(
        spells=(Spell(Kind.MEMBER, Period(date(2026, 6, 1))),), decisions=(decision,), places=()
    )
    new = replace(new, activities=(Done("meeting", date(2026, 6, 3)),))

    verdict = verdict_of(rule_on(new, LAW), "tenure")

    assert verdict.outcome is Outcome.MET
    assert words.sentence(verdict, county=False) == "Met by decision of the board on May 30, 2026."
    assert told(rule_on(replace(new, on=date(2026, 6, 21)), LAW)) == ("denied", "not_met", "tenure")
    against = replace(decision, outcome=Outcome.NOT_MET)
    assert told(rule_on(lawful(decisions=(against,)), LAW)) == ("denied", "not_met", "tenure")


def test_the_later_decision_holds_whichever_period_began_first() -> None:
    board = Decision("age", Outcome.NOT_MET, Period(date(2026, 3, 1)), "b", date(2026, 1, 1))
    court = Decision("age", Outcome.MET, Period(date(2026, 1, 1)), "a court", date(2026, 2, 1))

    assert rule_on(lawful(decisions=(board, court)), LAW).allows
    assert rule_on(lawful(decisions=(court, board)), LAW).allows


def test_an_approval_over_months_needs_a_decision_for_each_full_day() -> None:
    rows = (place("B", date(2026, 1, 1)), place("C", date(2026, 1, 1)))
    decision = Decision(
        "one_other", Outcome.MET, Period(ON, date(2026, 7, 31)), "a court", date(2026, 6, 1)
    )
    asked_for = lawful(question=Question.ASSIGN, places=rows, decisions=(decision,))

    assert one_other(replace(asked_for, until=date(2026, 7, 31)), LAW).code == "decided"
    assert one_other(replace(asked_for, until=date(2026, 8, 1)), LAW).outcome is Outcome.NOT_MET


def test_a_birth_date_from_elsewhere_tells_no_day() -> None:
    young = lawful(born_on=date(2008, 7, 1), is_adult_attested=False, birth_is_own=False)

    ruling = rule_on(young, LAW)
    verdict = verdict_of(ruling, "age")
    seen = ruling.for_organization()

    assert ruling.eligible_on == date(2026, 7, 1)
    assert (verdict.cures_on, dict(verdict.params)) == (None, {"years": 18})
    assert (seen.eligible_on, verdict_of(seen, "age").private) == (None, {})
    assert "2026" not in words.sentence(verdict, county=False)
    assert words.sentence(verdict, county=True) == "Under 18 on this day. Of age on Jul 1, 2026."


def test_an_own_birth_date_tells_the_day() -> None:
    young = lawful(born_on=date(2008, 7, 1), is_adult_attested=False)

    seen = rule_on(young, LAW).for_organization()

    assert (seen.eligible_on, verdict_of(seen, "age").cures_on) == (date(2026, 7, 1),) * 2


def test_a_place_taken_elsewhere_hides_name_and_days_from_the_organization() -> None:
    rows = (
        place("A", date(2026, 5, 1), order=9),
        place("B", date(2026, 1, 1), date(2026, 6, 30)),
        place("C", date(2026, 1, 1)),
    )

    ruling = rule_on(lawful(places=rows), LAW)
    seen = ruling.for_organization()

    assert ruling.eligible_on == date(2026, 7, 1)
    verdict = verdict_of(ruling, "one_other")
    assert words.sentence(verdict, county=True) == (
        "The one other place is taken; from Wed, Jul 1, 2026. "
        "Also: Organization B since Jan 1, 2026; Organization C since Jan 1, 2026."
    )
    assert words.sentence(verdict, county=False) == "The one other place is taken."
    assert (seen.eligible_on, seen.eligible_here_on) == (None, None)
    assert "rotation" not in {v.rule for v in seen.verdicts}
    assert verdict_of(ruling, "rotation").outcome is Outcome.NOT_MET


def test_an_eligible_day_moved_by_others_is_not_shown_to_the_organization() -> None:
    new = lawful(
        spells=(Spell(Kind.MEMBER, Period(date(2026, 6, 1))),),
        activities=(Done("meeting", date(2026, 6, 3)),),
        places=(
            place("B", date(2026, 6, 20), date(2026, 8, 31)),
            place("C", date(2026, 6, 20), date(2026, 8, 31)),
        ),
    )

    ruling = rule_on(new, LAW)

    assert ruling.eligible_on == date(2026, 9, 1)
    assert ruling.for_organization().eligible_on == date(2026, 7, 1)


def test_readings_that_look_at_others_are_kept_from_organizations() -> None:
    rows = (place("A", date(2026, 5, 1)), place("B", date(2026, 1, 1), date(2026, 4, 30)))
    ruling = rule_on(lawful(places=(*rows, place("C", date(2026, 1, 1)))), LAW)

    mine = {r.key for v in ruling.verdicts for r in v.readings}
    theirs = {r.key for v in ruling.for_organization().verdicts for r in v.readings}

    assert mine - theirs == {
        "age.leap_birthday",
        "one_other.window",
        "one_other.members_exempt",
        "one_other.counts",
        "one_other.per_license",
        "lessor.interest_bars",
        "lessor.work",
        "presence.excuse",
        "presence.binds",
        "license.home",
        "tenure.place",
    }
    window = next(
        r for r in verdict_of(ruling, "one_other").readings if r.key == "one_other.window"
    )
    assert (window.value, window.would_differ) == ("concurrent", True)


def test_two_places_at_once_cite_a_paragraph_for_the_person_in_charge_only() -> None:
    clash = (Elsewhere("Elks 2520", time(13), time(16)),)

    anyone = rule_on(lawful(elsewhere=clash), LAW)
    in_charge = rule_on(lawful(elsewhere=clash, in_charge=True), LAW)

    assert [r.first_bar.cite for r in (anyone, in_charge) if r.first_bar] == ["", "§ 10-63(10)"]
    assert anyone.eligible_on == ON + timedelta(1)
    assert words.sentence(verdict_of(anyone, "presence"), county=True) == (
        "At another place at the same hours; from Tue, Jun 16, 2026. "
        "Also at Elks 2520, 1:00 PM to 4:00 PM."
    )


def test_an_unattested_joining_day_is_a_missing_paper() -> None:
    stated = lawful(spells=(Spell(Kind.REGULAR, Period(date(2025, 6, 1)), shown=False),))

    ruling = rule_on(stated, LAW)

    assert told(ruling) == ("denied", "not_shown", "membership")
    assert words.headline(ruling) == "Papers missing"
    assert words.missing(ruling) == (
        "an officer's dated statement of the joining day",
        "an officer's statement of enrolment",
    )


@pytest.mark.parametrize(
    ("deed", "code"),
    [
        (Done("food pantry", date(2025, 6, 15)), "met"),
        (Done("food pantry", date(2025, 6, 14)), "too_old"),
        (Done("food pantry", ON), "met"),
        (Done("food pantry", date(2026, 6, 16)), "later"),
        (Done("food pantry", date(2026, 2, 1), shown=False), "unattested"),
        (Done("food pantry", None), "undated"),
        (Done("Bingo", date(2026, 2, 1)), "refused"),
        (Done("meeting", date(2025, 5, 31)), "too_old"),
        (Done("meeting", date(2026, 2, 1), carried_on=date(2026, 7, 1)), "none"),
    ],
)
def test_an_activity_counts_for_a_year_once_an_officer_confirms_it(deed: Done, code: str) -> None:
    verdict = verdict_of(rule_on(lawful(activities=(deed,)), LAW), "activity")

    assert verdict.code == code
    assert verdict.outcome is (Outcome.MET if code == "met" else Outcome.NOT_SHOWN)


def test_an_activity_of_a_former_membership_does_not_count() -> None:
    back = lawful(
        spells=(
            Spell(Kind.MEMBER, Period(date(2020, 1, 1), date(2026, 2, 28))),
            Spell(Kind.MEMBER, Period(date(2026, 3, 2))),
        ),
        activities=(Done("meeting", date(2026, 2, 1)),),
    )

    assert verdict_of(rule_on(back, LAW), "activity").code == "former"


def test_papers_alone_do_not_help_who_fails_another_test() -> None:
    ruling = rule_on(lawful(activities=(), born_on=date(2012, 1, 1)), LAW)

    assert told(ruling) == ("denied", "not_shown", "activity")
    assert words.headline(ruling) == "Not cleared"


def test_a_volunteer_is_cleared_by_the_county_and_asked_by_the_state() -> None:
    ruling = rule_on(lawful(spells=(Spell(Kind.VOLUNTEER, Period(date(2025, 6, 1))),)), LAW)

    assert ruling.allows
    asks = {v.rule: v.outcome.value for v in ruling.verdicts if v.outcome is not Outcome.MET}
    assert asks == {"membership_class": "not_shown", "active_member": "not_shown"}


def test_six_months_are_counted_by_the_calendar(tmp_path: Path) -> None:
    path = tmp_path / "half_a_year.toml"
    path.write_text(
        'extends = "pasco"\n[[tenure]]\nvalid_from = 2008-09-23\ndays = "UNSET"\nmonths = 6\n'
    )
    law = in_force(date(2026, 1, 1), str(path))
    spells = (Spell(Kind.MEMBER, Period(date(2025, 8, 31))),)
    facts = lawful(spells=spells, on=date(2026, 2, 27), places=(), activities=(), licenses=None)

    verdict = verdict_of(rule_on(facts, law), "tenure")

    assert (verdict.outcome, verdict.cures_on) == (Outcome.NOT_MET, date(2026, 2, 28))
    next_day = law.with_reading("tenure.month_end", "next_day")
    assert verdict_of(rule_on(facts, next_day), "tenure").cures_on == date(2026, 3, 1)
    assert words.sentence(verdict, county=False) == (
        "Member since Aug 31, 2025; 6 months are needed; from Sat, Feb 28."
    )


def test_the_sentence_of_tenure_counts_days_and_names_the_day() -> None:
    facts = lawful(
        spells=(Spell(Kind.REGULAR, Period(date(2026, 11, 13))),),
        on=date(2026, 12, 5),
        places=(),
        licenses=None,
        activities=(Done("food pantry", date(2026, 11, 20)),),
    )

    ruling = rule_on(facts, LAW)

    assert words.sentence(verdict_of(ruling, "tenure"), county=False) == (
        "Member since Nov 13, 2026: 22 of 30 days; from Sun, Dec 13."
    )
    assert words.spoken(ruling, county=True) == (
        "Not yet: 22 of the 30 days have passed; from Sun, Dec 13, 2026 the answer is yes."
    )
    assert words.headline(ruling) == "Not cleared"


@slowly
@given(facts=asked(), switched=switches())
def test_what_is_read_to_a_caller_names_no_one_else_and_no_birthday(
    facts: Facts, switched: dict[str, Any]
) -> None:
    law = read_by(switched)
    facts = replace(
        facts,
        places=tuple(replace(p, name="Secret Lodge") for p in facts.places),
        interests=tuple(replace(i, lessor="Secret Lodge") for i in facts.interests),
        elsewhere=tuple(replace(e, name="Secret Lodge") for e in facts.elsewhere),
        activities=tuple(d for d in facts.activities if d.done_on),
    )
    ruling = rule_on(facts, law)

    for county in (True, False):
        said = words.spoken(ruling, county=county)
        assert "Secret" not in said
        assert said.endswith(".")
        if any(v.rule == "age" and v.bars for v in ruling.verdicts):
            assert not re.search(r"\d{4} the answer is yes", said)


def test_every_code_that_a_rule_can_say_has_words() -> None:
    source = "".join(p.read_text() for p in Path("volunteers/rules").glob("*.py"))
    said = set(re.findall(r'say\(\s*law,\s*"(\w+)",\s*"(\w+)"', source))

    worded_codes = {*words.SENTENCES, *words.SPECIAL}
    assert said - {("not", "asked")} <= worded_codes | {(rule, "not_asked") for rule in ORDER}


def test_recorded_dates_kept_as_text_read_the_same() -> None:
    facts = lawful(spells=(Spell(Kind.REGULAR, Period(date(2026, 6, 1))),), places=())
    verdict = verdict_of(rule_on(facts, LAW), "tenure")
    kept = json.loads(json.dumps(dict(verdict.params), cls=DjangoJSONEncoder))

    again = dataclasses.replace(verdict, params=kept)
    assert words.sentence(again, county=True) == words.sentence(verdict, county=True)


def test_tests_are_registered_in_the_order_of_the_answer() -> None:
    assert set(TESTS) == set(ORDER)
    assert ORDER[:9] == BARRING
