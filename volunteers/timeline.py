"""Memberships drawn as bars on one common scale, with the day on which the count is full. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from registry.periods import Period, days_after
from registry.ruleset import Ruleset
from volunteers.facts import Facts
from volunteers.rules.counting import count_on, known

WIDTH = 1000
YEARS_BACK = 2
DAYS_AHEAD = 60


@dataclass(frozen=True, slots=True)
class Scale:
    """The days from the left edge of a drawing to the right one."""

    first: date
    last: date

    def at(self, day: date) -> int:
        """The place of a day between 0 and WIDTH; days outside stand on the edge."""
        inside = min(max(day, self.first), self.last)
        return round((inside - self.first).days * WIDTH / max((self.last - self.first).days, 1))


@dataclass(frozen=True, slots=True)
class Bar:
    """One membership: its role, where it begins, how long it is, and whether it began earlier."""

    kind: str
    x: int
    width: int
    began_earlier: bool


@dataclass(frozen=True, slots=True)
class Line:
    """One organization's bars; `full_on` is the day on which the count of days is full."""

    bars: tuple[Bar, ...]
    full_on: date | None
    mark: int | None
    """Where that day stands, None when it lies outside of the drawing."""


def scale_for(periods: Iterable[Period], today: date) -> Scale:
    """Two years back at most, from the first day of all, to some weeks after today."""
    start = date(today.year - YEARS_BACK, today.month, 1)
    earliest = min((period.starts_on for period in periods), default=start)
    return Scale(max(start, min(earliest, today)), days_after(today, DAYS_AHEAD))


def full_on(facts: Facts, law: Ruleset) -> date | None:
    """The day on which the count of § 10-63(12) that runs on the asked day, or last ran, is full.

    None for who never belonged, and where the law's number is not known.
    """
    if law.tenure.days is None and law.tenure.months is None:
        return None
    periods = [spell.period for spell in known(facts.spells, law, facts.on)]
    begun = [period for period in periods if period.starts_on <= facts.on]
    if not periods:
        return None
    latest = max(begun, key=lambda period: period.last) if begun else min(periods, key=_start)
    day = max(min(facts.on, latest.last), latest.starts_on)
    count = count_on(facts.spells, facts, law, day)
    return count.full_on if count and count.full_on != date.max else None


def _start(period: Period) -> date:
    return period.starts_on


def line_for(facts: Facts, law: Ruleset, scale: Scale) -> Line:
    """The bars of one organization, oldest first, with the mark of the full count."""
    spells = sorted(known(facts.spells, law, facts.on), key=lambda spell: spell.period.starts_on)
    full = full_on(facts, law)
    shown = full is not None and scale.first <= full <= scale.last
    return Line(
        bars=_bars([(spell.kind.value, spell.period) for spell in spells], scale),
        full_on=full,
        mark=scale.at(full) if full and shown else None,
    )


def _bars(spells: Sequence[tuple[str, Period]], scale: Scale) -> tuple[Bar, ...]:
    seen = [(kind, period) for kind, period in spells if period.last >= scale.first]
    return tuple(
        Bar(
            kind=kind,
            x=scale.at(period.starts_on),
            # A day is a line of its own, however long the drawing.
            width=max(scale.at(days_after(period.last, 1)) - scale.at(period.starts_on), 3),
            began_earlier=period.starts_on < scale.first,
        )
        for kind, period in seen
        if period.starts_on <= scale.last
    )
