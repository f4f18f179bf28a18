"""Tests on license, belonging, time and other activities (§ 10-63(12), § 10-64(a)). Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from typing import Any

from registry.periods import days_after
from registry.provisions import Activity, Tenure
from registry.ruleset import Ruleset
from registry.verdicts import Outcome, Verdict
from volunteers.facts import Done, Facts, Kind, LicenseSpell, Spell
from volunteers.rules.counting import (
    Count,
    began_on,
    belongs_since,
    count_on,
    days_counted,
    known,
    tenure_spells,
)
from volunteers.rules.judging import judged, say


@judged("license", "license.effect", "license.home")
def license_in_force(facts: Facts, law: Ruleset) -> Verdict:
    """§ 10-64(a): the organization's license is in force on the day (P12, P18)."""
    if law.license.home == "required" and not _home_is_licensed(facts):
        return replace(say(law, "license", "home", Outcome.NOT_MET), crosses=True)
    if facts.licenses is None:
        return say(law, "license", "unrecorded")
    code, params = _license_state(facts.licenses, facts.on)
    outcome = Outcome.MET if code == "met" else Outcome.NOT_MET
    return say(law, "license", code, outcome, params=params)


def is_active(licenses: Iterable[LicenseSpell], day: date) -> bool:
    """Tell whether one of the licenses runs on the day and is not suspended."""
    return any(
        spell.period.covers(day) and not any(hole.covers(day) for hole in spell.suspended)
        for spell in licenses
    )


def _home_is_licensed(facts: Facts) -> bool:
    homes = (p for p in facts.places if p.is_home and p.period.covers(facts.on))
    return all(p.licenses is None or is_active(p.licenses, facts.on) for p in homes)


def _license_state(licenses: tuple[LicenseSpell, ...], day: date) -> tuple[str, dict[str, Any]]:
    for spell in licenses:
        if is_active((spell,), day):
            return "met", {"number": spell.number, "until": spell.period.ends_on}
    for spell in licenses:
        if spell.period.covers(day):
            until = max((h.last for h in spell.suspended if h.covers(day)), default=date.max)
            open_ended = until == date.max
            return "suspended", {"number": spell.number, "until": None if open_ended else until}
    running = [spell.period for spell in licenses if not spell.period.is_empty]
    coming = [period.starts_on for period in running if period.starts_on > day]
    if coming:
        return "not_yet", {"since": min(coming)}
    return ("expired", {"until": max(p.last for p in running)}) if running else ("none", {})


@judged("membership", "membership.leave_day")
def membership(facts: Facts, law: Ruleset) -> Verdict:
    """§ 10-63(12): a member or volunteer of the organization on the day (P4, P13)."""
    here = known(facts.spells, law, facts.on)
    covering = [spell for spell in here if spell.period.covers(facts.on)]
    shown = [spell for spell in covering if spell.shown]
    if covering:
        spell = (shown or covering)[0]
        how = {"kind": spell.kind.value, "since": spell.period.starts_on}
        if shown:
            return say(law, "membership", "met", params=how)
        return say(law, "membership", "unattested", Outcome.NOT_SHOWN, params=how)
    wrong = _reversed(facts.spells)
    if wrong:
        params: dict[str, Any] = {"since": wrong.period.starts_on, "until": wrong.period.ends_on}
        return say(law, "membership", "reversed", Outcome.NOT_SHOWN, params=params)
    code, params = _absence(here, facts.on)
    return say(law, "membership", code, Outcome.NOT_MET, params=params)


def _reversed(spells: Iterable[Spell]) -> Spell | None:
    """Find a row that ends before it begins: an error in the data, never an open membership."""
    return next((spell for spell in spells if spell.period.is_empty), None)


def _absence(here: list[Spell], day: date) -> tuple[str, dict[str, Any]]:
    coming = [spell.period.starts_on for spell in here if spell.period.starts_on > day]
    if coming:
        return "not_yet", {"since": min(coming)}
    return ("left", {"until": max(s.period.last for s in here)}) if here else ("none", {})


@judged("suspension")
def suspension(facts: Facts, law: Ruleset) -> Verdict:
    """§ 10-63(12), "bona fide": not suspended by the organization on the day."""
    covering = [period for period in facts.suspensions if period.covers(facts.on)]
    if not covering:
        return say(law, "suspension", "met")
    last = max(period.last for period in covering)
    params = {
        "since": min(period.starts_on for period in covering),
        "until": None if last == date.max else last,
    }
    return say(law, "suspension", "suspended", Outcome.NOT_MET, params=params)


@judged(
    "tenure",
    "tenure.count_mode",
    "tenure.binds",
    "tenure.unbroken",
    "membership.leave_day",
    "tenure.tack_kinds",
    "tenure.suspension",
    "tenure.place",
    "tenure.merger",
    "tenure.measured_at",
)
def tenure(facts: Facts, law: Ruleset) -> Verdict:
    """§ 10-63(12): belonging for so many days, on the day and on the approval's own start.

    Failing on the start alone is § 10-93(a)(1)d, and only a new approval cures it (P19).
    """
    if law.tenure.days is None and law.tenure.months is None:
        return say(law, "tenure", "unset")
    start, measured = began_on(facts), law.tenure.measured_at
    if start is None or measured == "conduct":
        return _tenure_on(facts, law, facts.on)
    at_start = _tenure_on(facts, law, start)
    if measured == "both":
        answer = _tenure_on(facts, law, facts.on)
        if at_start.outcome is Outcome.MET:
            return answer
        if answer.outcome is not Outcome.MET:
            return replace(answer, params={**answer.params, "began_on": start})
    return at_start if at_start.outcome is Outcome.MET else _too_early(at_start, law.tenure, start)


def _too_early(verdict: Verdict, provision: Tenure | Activity, start: date) -> Verdict:
    params = {**verdict.params, "began_on": start}
    return replace(verdict, cite=provision.start_cite, code="start", params=params)


def _tenure_on(facts: Facts, law: Ruleset, day: date) -> Verdict:
    spells = tenure_spells(facts, law)
    shown = tuple(spell for spell in spells if spell.shown)
    attested = _time(shown, facts, law, day)
    if attested.outcome is Outcome.MET:
        return attested
    stated = attested if shown == spells else _time(spells, facts, law, day)
    if stated.outcome is Outcome.MET:
        code = "unattested" if stated.code == "met" else stated.code
        return replace(stated, outcome=Outcome.NOT_SHOWN, code=code)
    if stated.code == "no_time" and _reversed(spells):
        return replace(stated, outcome=Outcome.NOT_SHOWN)
    return stated


def _time(spells: tuple[Spell, ...], facts: Facts, law: Ruleset, day: date) -> Verdict:
    kind = _kind_on(spells, facts, law, day)
    if law.tenure.binds == "volunteers" and kind not in {None, Kind.VOLUNTEER}:
        return say(law, "tenure", "exempt")
    count = count_on(spells, facts, law, day)
    if count is None or kind is None:
        return say(law, "tenure", "no_time", Outcome.NOT_MET)
    params = _progress(count, facts, law, day) | {"kind": kind.value}
    if count.full_on <= day:
        return say(law, "tenure", "met", params=params)
    return say(law, "tenure", "short", Outcome.NOT_MET, params=params)


def _kind_on(spells: Iterable[Spell], facts: Facts, law: Ruleset, day: date) -> Kind | None:
    """Return how somebody belongs on a day: membership before volunteering."""
    kinds = [s.kind for s in known(spells, law, facts.on) if s.period.covers(day)]
    return next((kind for kind in kinds if kind is not Kind.VOLUNTEER), kinds[0] if kinds else None)


def _progress(count: Count, facts: Facts, law: Ruleset, day: date) -> dict[str, Any]:
    in_months = law.tenure.months is not None
    return {
        "since": count.since,
        "on": day,
        "full_on": count.full_on,
        "days": days_counted(count, facts, law, day),
        "needs": law.tenure.months if in_months else law.tenure.days,
        "unit": "months" if in_months else "days",
    }


@judged(
    "activity",
    "activity.look_back",
    "activity.same_spell",
    "activity.measured_at",
    "tenure.place",
    "tenure.unbroken",
    "membership.leave_day",
)
def activity(facts: Facts, law: Ruleset) -> Verdict:
    """§ 10-63(12): takes part in other activities than bingo; how many is the regulator's number.

    A missing activity is a missing paper: not shown, never not met (P7, P7b).
    """
    answer = _activity_on(facts, law, facts.on)
    start = began_on(facts) if law.activity.measured_at == "both" else None
    if start is None or answer.outcome is not Outcome.MET:
        return answer
    at_start = _activity_on(facts, law, start)
    if at_start.outcome is Outcome.MET:
        return answer
    return _too_early(at_start, law.activity, start)


def _activity_on(facts: Facts, law: Ruleset, day: date) -> Verdict:
    at_home = law.tenure.place == "home" and facts.home_activities is not None
    deeds = facts.home_activities or () if at_home else facts.activities
    since = belongs_since(facts, law, day) if law.activity.same_spell else date.min
    sorted_out: dict[str, list[Done]] = {}
    for deed in deeds:
        if deed.carried_on is None or deed.carried_on <= facts.on:
            sorted_out.setdefault(_weighed(deed, law, day, since), []).append(deed)
    code = next((code for code in WEIGHED if code in sorted_out), "none")
    params = _named(sorted_out[code]) if code in sorted_out else {}
    if len(sorted_out.get("met", ())) >= law.activity.min_count:
        return say(law, "activity", "met", params=params)
    code = "too_few" if code == "met" else code
    params |= {"on": day, "needs": law.activity.min_count, "window_days": law.activity.window_days}
    return say(law, "activity", code, Outcome.NOT_SHOWN, params=params)


# What becomes of an activity: it counts, or what keeps it from counting, easiest to mend first.
WEIGHED = ("met", "unattested", "undated", "too_old", "former", "later", "refused")


def _weighed(deed: Done, law: Ruleset, day: date, since: date | None) -> str:
    """Say whether an activity counts on a day ("met"), else what keeps it from counting."""
    window = law.activity.window_days if law.activity.look_back == "window" else None
    if not law.activity.counts(deed.kind):
        return "refused"
    if deed.done_on is None:
        return "undated"
    if deed.done_on > day:
        return "later"
    if window is not None and deed.done_on < days_after(day, -window):
        return "too_old"
    if since is None or deed.done_on < since:
        return "former"
    return "met" if deed.shown else "unattested"


def _named(deeds: list[Done]) -> dict[str, Any]:
    latest = max(deeds, key=lambda deed: deed.done_on or date.min)
    return {"kind": latest.kind, "done_on": latest.done_on}
