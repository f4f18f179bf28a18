"""From which day waiting alone would do: asked of the days on which an answer can turn. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date

from registry.periods import Period, days_after
from registry.ruleset import Ruleset
from registry.verdicts import Outcome
from volunteers.facts import Facts, Question
from volunteers.rules.counting import full_on
from volunteers.rules.elsewhere import change_days
from volunteers.rules.judging import TESTS
from volunteers.rules.personal import comes_of_age


class Later:
    """The same facts asked about later days: for an approval, later starts with the same end."""

    def __init__(self, facts: Facts, law: Ruleset) -> None:
        sessions = tuple(replace(e, held_on=e.held_on or facts.on) for e in facts.elsewhere)
        self.facts = replace(facts, elsewhere=sessions) if sessions else facts
        self.law = law
        self.days = _days(facts, law)
        self._asked: dict[date, Facts] = {}

    def on(self, day: date) -> Facts:
        """Return the facts, asked about another day."""
        if day not in self._asked:
            self._asked[day] = replace(self.facts, on=day)
        return self._asked[day]

    def cure(self, rule: str) -> date | None:
        """Return the first later day on which one test is met, None when none is known."""
        judge = TESTS[rule].judge
        met = (d for d in self.days if judge(self.on(d), self.law).outcome is Outcome.MET)
        return next(met, None)

    def eligible(
        self, rules: Collection[str], cures: Mapping[str, date | None], *, crossing: bool
    ) -> date | None:
        """Return the first later day on which none of the rules bars.

        `cures` are those of the rules that bar now; `crossing` False leaves out what rests on
        other organizations' rows.
        """
        earliest = [cures[rule] for rule in rules if rule in cures]
        if None in earliest:
            return None
        start = max((day for day in earliest if day), default=self.facts.on)
        for day in self.days:
            if day >= start and not self._barred(rules, day, crossing=crossing):
                return day
        return None

    def _barred(self, rules: Iterable[str], day: date, *, crossing: bool) -> bool:
        verdicts = (TESTS[rule].judge(self.on(day), self.law) for rule in rules)
        return any(verdict.bars and (crossing or not verdict.crosses) for verdict in verdicts)


def _days(facts: Facts, law: Ruleset) -> list[date]:
    """Return the days after the asked one on which the answer of any test can turn better."""
    last = facts.until if facts.question is Question.ASSIGN and facts.until else date.max
    found = {day for day in _changes(facts, law) if facts.on < day <= last and day < date.max}
    return sorted(found)


def _changes(facts: Facts, law: Ruleset) -> Iterator[date]:
    yield from _changes_of_standing(facts, law)
    yield from _changes_of_activity(facts)
    yield from _edges(decision.period for decision in facts.decisions)
    yield from _edges(interest.period for interest in facts.interests)
    for license_ in facts.licenses or ():
        yield from _edges((license_.period, *license_.suspended))
    for place in facts.places:
        yield from change_days(place, law)
    if facts.elsewhere:
        yield from (day for e in facts.elsewhere for day in _around(e.held_on or facts.on))
    if facts.born_on:
        yield comes_of_age(facts.born_on, law)


def _changes_of_standing(facts: Facts, law: Ruleset) -> Iterator[date]:
    starts = {days_after(hole.last, 1) for hole in facts.suspensions}
    for spell in (*facts.spells, *(facts.home_spells or ())):
        starts |= {spell.period.starts_on, spell.carried_on or spell.period.starts_on}
    for start in starts:
        yield start
        yield full_on(start, facts, law)


def _changes_of_activity(facts: Facts) -> Iterator[date]:
    for deed in (*facts.activities, *(facts.home_activities or ())):
        if deed.done_on:
            yield deed.done_on
        if deed.carried_on:
            yield deed.carried_on


def _edges(periods: Iterable[Period]) -> Iterator[date]:
    for period in periods:
        yield period.starts_on
        yield days_after(period.last, 1)


def _around(day: date) -> tuple[date, date]:
    return day, days_after(day, 1)
