"""The law inside: one pure function a test, and the ruling over all of them.

Every function takes `(facts, law)`, answers with a Verdict and never raises.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date

from registry.provisions import Reading, spelled
from registry.ruleset import Ruleset
from registry.verdicts import Effect, Outcome, ReadingUsed, Ruling, Verdict
from volunteers.facts import Facts
from volunteers.rules.elsewhere import lessor, one_other, own_hall, presence, rotation
from volunteers.rules.judging import TESTS
from volunteers.rules.personal import active_member, age, is_guarded, membership_class, residence
from volunteers.rules.standing import activity, license_in_force, membership, suspension, tenure
from volunteers.rules.waiting import Later

__all__ = [
    "ORDER",
    "active_member",
    "activity",
    "age",
    "decide",
    "lessor",
    "license_in_force",
    "membership",
    "membership_class",
    "one_other",
    "own_hall",
    "presence",
    "residence",
    "rests_on",
    "rotation",
    "rule_briefly",
    "rule_on",
    "suspension",
    "tenure",
]

# The first that bars, in this order, is the answer's.
ORDER = (
    "license",
    "membership",
    "suspension",
    "tenure",
    "activity",
    "one_other",
    "lessor",
    "age",
    "presence",
    "residence",
    "membership_class",
    "rotation",
    "active_member",
    "own_hall",
)


def rule_on(facts: Facts, law: Ruleset) -> Ruling:
    """Judge one question by every test, with cure dates and the readings each answer rests on."""
    ruling = rule_briefly(facts, law)
    verdicts = (replace(v, readings=_readings(v, facts, law)) for v in ruling.verdicts)
    return replace(ruling, verdicts=tuple(verdicts))


def rule_briefly(facts: Facts, law: Ruleset) -> Ruling:
    """Judge with cure dates and without the readings: some four times quicker, for long lists."""
    bare = decide(facts, law)
    later = Later(facts, law)
    cures = {v.rule: later.cure(v.rule) for v in bare.verdicts if v.outcome is not Outcome.MET}
    verdicts = tuple(_cured(verdict, facts, cures) for verdict in bare.verdicts)
    if bare.allows:
        return replace(bare, verdicts=verdicts)
    barring = [v.rule for v in bare.verdicts if v.effect is Effect.BARS]
    now = {v.rule: cures[v.rule] for v in bare.verdicts if v.bars}
    return replace(
        bare,
        verdicts=verdicts,
        eligible_on=later.eligible(barring, now, crossing=True),
        eligible_here_on=_eligible_here(bare, later, now),
    )


def decide(facts: Facts, law: Ruleset) -> Ruling:
    """Judge one question without cure dates and readings: some ten times quicker."""
    verdicts = tuple(TESTS[rule].judge(facts, law) for rule in ORDER)
    ruling = Ruling(facts.on, verdicts, law.stamp)
    if not ruling.allows:
        return ruling
    return replace(ruling, eligible_on=facts.on, eligible_here_on=facts.on)


def _eligible_here(bare: Ruling, later: Later, cures: Mapping[str, date | None]) -> date | None:
    """Return the first day by this organization's own rows, whatever others' rows say."""
    own_bars = [v for v in bare.verdicts if v.bars and not v.crosses]
    if not own_bars:
        return bare.on
    own = {verdict.rule: cures[verdict.rule] for verdict in own_bars}
    rules = [v.rule for v in bare.verdicts if v.effect is Effect.BARS]
    return later.eligible(rules, own, crossing=False)


def _cured(verdict: Verdict, facts: Facts, cures: Mapping[str, date | None]) -> Verdict:
    """Add the cure date; a birth date from elsewhere leaves none."""
    hidden = verdict.rule == "age" and is_guarded(facts)
    cures_on = None if hidden else cures.get(verdict.rule)
    return verdict if cures_on == verdict.cures_on else replace(verdict, cures_on=cures_on)


def rests_on(verdict: Verdict, law: Ruleset) -> list[Reading]:
    """The open questions on which a verdict rests; none where it was not asked, or decided."""
    if verdict.code in {"not_asked", "decided"}:
        return []
    known = (law.readings.get(key) for key in TESTS[verdict.rule].readings)
    return [reading for reading in known if reading and reading.others]


def _readings(verdict: Verdict, facts: Facts, law: Ruleset) -> tuple[ReadingUsed, ...]:
    return tuple(_reading(reading, verdict, facts, law) for reading in rests_on(verdict, law))


def _reading(reading: Reading, verdict: Verdict, facts: Facts, law: Ruleset) -> ReadingUsed:
    """Ask the test again by each other reading; name the one that decides otherwise."""
    differing = [o for o in reading.others if _differs(reading.key, o, verdict, facts, law)]
    return ReadingUsed(
        key=reading.key,
        value=spelled(reading.value),
        other=spelled((differing or reading.others)[0]),
        would_differ=bool(differing),
        confirmed=reading.confirmed,
        crosses=reading.crosses,
    )


def _differs(key: str, other: object, verdict: Verdict, facts: Facts, law: Ruleset) -> bool:
    again = TESTS[verdict.rule].judge(facts, law.with_reading(key, other))
    return (again.outcome, again.bars) != (verdict.outcome, verdict.bars)
