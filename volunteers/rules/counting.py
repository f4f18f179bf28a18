"""Which rows count on a day, and how long somebody has belonged. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from registry.periods import ONE_DAY, Period, days_after, months_after, runs, without
from registry.ruleset import Ruleset
from volunteers.facts import Facts, Kind, Question, Spell


@dataclass(frozen=True, slots=True)
class Count:
    """One unbroken count: since when it runs, and the first day on which it is full."""

    since: date
    full_on: date


def spell_period(spell: Spell, law: Ruleset) -> Period:
    """Return the days a membership row covers, by the reading of its leave date (P4)."""
    period = spell.period
    if period.ends_on is None or law.membership.leave_day == "last_day":
        return period
    return Period(period.starts_on, days_after(period.ends_on, -1))


def known(spells: Iterable[Spell], law: Ruleset, known_on: date) -> list[Spell]:
    """Return the rows that count for this organization on a day, with the days they cover.

    Rows of a merged organization count from the merger on (P13); empty ones never do.
    """
    here = (s for s in spells if s.carried_on is None or s.carried_on <= known_on)
    dated = (s if law.membership.leave_day == "last_day" else _dated(s, law) for s in here)
    return [spell for spell in dated if not spell.period.is_empty]


def _dated(spell: Spell, law: Ruleset) -> Spell:
    return replace(spell, period=spell_period(spell, law))


def tenure_spells(facts: Facts, law: Ruleset) -> tuple[Spell, ...]:
    """Return the rows whose time counts: here, or at the home organization (P8)."""
    at_home = law.tenure.place == "home" and facts.home_spells is not None
    return facts.home_spells or () if at_home else facts.spells


def belongs_since(facts: Facts, law: Ruleset, day: date) -> date | None:
    """Return the first day of the present belonging, whatever the role; None outside of it."""
    here = known(tenure_spells(facts, law), law, facts.on)
    if not any(spell.period.covers(day) for spell in here):
        return None
    return _run_with(day, _joined(here, law))


def count_on(spells: Sequence[Spell], facts: Facts, law: Ruleset, day: date) -> Count | None:
    """Return the count of belonging that runs on a day; None for who does not belong (P3, P5, P6).

    Where each role counts alone, the count that is full first.
    """
    here = known(spells, law, facts.on)
    if law.tenure.merger == "restarts":
        here = [spell for spell in map(_from_merger, here) if not spell.period.is_empty]
    groups = [here] if law.tenure.tack_kinds else _by_role(here)
    found = [_count(group, facts, law, day) for group in groups]
    return min((c for c in found if c), key=lambda count: count.full_on, default=None)


def _count(group: list[Spell], facts: Facts, law: Ruleset, day: date) -> Count | None:
    if not any(spell.period.covers(day) for spell in group):
        return None
    counted = _joined(group, law)
    if law.tenure.suspension == "restart" and facts.suspensions:
        counted = without(counted, (hole for hole in facts.suspensions if not hole.is_empty))
    since = _run_with(day, counted)
    return Count(since, full_on(since, facts, law)) if since else None


def _joined(group: list[Spell], law: Ruleset) -> list[Period]:
    joined = runs((s.period for s in group), gap_days=law.tenure.grace_gap_days)
    if law.tenure.unbroken or len(joined) < 2:  # noqa: PLR2004
        return joined
    return [Period(joined[0].starts_on, joined[-1].ends_on)]


def _run_with(day: date, periods: Iterable[Period]) -> date | None:
    return next((period.starts_on for period in periods if period.covers(day)), None)


def _by_role(spells: list[Spell]) -> list[list[Spell]]:
    volunteers = [spell for spell in spells if spell.kind is Kind.VOLUNTEER]
    return [volunteers, [spell for spell in spells if spell.kind is not Kind.VOLUNTEER]]


def _from_merger(spell: Spell) -> Spell:
    start = max(spell.period.starts_on, spell.carried_on or date.min)
    return replace(spell, period=Period(start, spell.period.ends_on))


def full_on(since: date, facts: Facts, law: Ruleset) -> date:
    """Return the first day on which a count begun on `since` is full (P1, P6, A14).

    date.max when it never is: an open suspension whose days are left out.
    """
    tenure = law.tenure
    if tenure.months is not None:
        day = months_after(since, tenure.months, clamps=tenure.month_end == "clamp")
    else:
        day = days_after(since, tenure.days or 0)
    day = days_after(
        day, {"exclude_first": 0, "include_first": -1, "clear_days": 1}[tenure.count_mode]
    )
    return _stretched(since, day, facts) if tenure.suspension == "excluded" else day


def _stretched(since: date, day: date, facts: Facts) -> date:
    """Move a day later by the suspended days that lie before it."""
    for hole in runs(facts.suspensions):
        start = max(hole.starts_on, since)
        if start < day and start <= hole.last:
            day = (
                date.max if hole.ends_on is None else days_after(day, (hole.last - start).days + 1)
            )
    return day


def days_counted(count: Count, facts: Facts, law: Ruleset, day: date) -> int:
    """Return how many days of a count have passed on a day, as they are counted (P1, P6)."""
    passed = (day - count.since).days
    if law.tenure.suspension == "excluded" and day > count.since:
        before = Period(count.since, day - ONE_DAY)
        shared = (before.common(hole) for hole in runs(facts.suspensions))
        passed -= sum((s.last - s.starts_on).days + 1 for s in shared if s)
    shift = {"exclude_first": 0, "include_first": 1, "clear_days": -1}[law.tenure.count_mode]
    return max(passed + shift, 0)


def began_on(facts: Facts) -> date | None:
    """Return the first day of the approval here that covers the asked day (P19).

    None when there is none, when its start is not recorded, and when an approval is asked for.
    """
    if facts.question is Question.ASSIGN:
        return None
    here = [place for place in facts.places if place.body == facts.body]
    covering = [place.start for place in here if place.period.covers(facts.on)]
    if covering:
        start = max(covering)
        return None if start == date.min else start
    if here or facts.began_on is None or facts.began_on > facts.on:
        return None
    return facts.began_on
