"""Tests that look at what a person does for others (§ 10-63(10), § 10-65(b)).

Their parameters name nobody: names, hours and days from elsewhere are private. Pure.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import replace
from datetime import date
from typing import Any

from registry.periods import Period, days_after, runs, without
from registry.ruleset import Ruleset
from registry.verdicts import Outcome, Verdict
from volunteers.facts import Facts, Place, Question
from volunteers.rules.judging import decided, decision_on, judged, say

Begun = tuple[date, int, int]


@judged(
    "one_other",
    "one_other.window",
    "one_other.members_exempt",
    "one_other.counts",
    "one_other.per_license",
    spans=True,
)
def one_other(facts: Facts, law: Ruleset) -> Verdict:
    """§ 10-63(10): with this one, no more organizations than the limit, on each day asked about.

    On a day with too many, those that began first keep their places; for a new approval all
    recorded ones come first (P9, P10, P11, P14, P20).
    """
    limit = law.one_other.max_entities
    if limit is None or (facts.leases_only and not law.one_other.counts_lessor):
        return say(law, "one_other", "unset")
    others = _Others(facts, law)
    first_decision = None
    for day in others.days_to_look_at():
        decision = decision_on("one_other", facts, day)
        if decision and decision.outcome is not Outcome.MET:
            return decided(law, "one_other", decision)
        first_decision = first_decision or decision
        ahead = [] if decision else others.ahead_on(day)
        if len(ahead) >= limit:
            return _full(facts, law, others, (day, ahead))
    if first_decision:
        return decided(law, "one_other", first_decision)
    return say(law, "one_other", "met", private={"others": others.named_on(facts.on)})


def _full(
    facts: Facts, law: Ruleset, others: _Others, found: tuple[date, list[Hashable]]
) -> Verdict:
    day, ahead = found
    private = {"others": others.named(ahead, day), "from_day": day, "on": facts.on}
    if facts.double_open:
        return say(law, "one_other", "pending", Outcome.NOT_SHOWN, private=private)
    return say(law, "one_other", "taken", Outcome.NOT_MET, private=private)


class _Others:
    """The approvals of one person, by body, and when each takes a place."""

    def __init__(self, facts: Facts, law: Ruleset) -> None:
        self.facts, self.law = facts, law
        self.mine: list[tuple[int, Place]] = []
        self.theirs: dict[Hashable, list[tuple[int, Place]]] = defaultdict(list)
        own = _seat(facts.body, law, is_lessor=facts.leases_only)
        for index, place in enumerate(facts.places):
            seat = _seat(place.body, law, is_lessor=place.is_lessor)
            if not place.takes_place or place.period.is_empty:
                continue
            if seat == own:
                self.mine.append((index, place))
            elif self._counts(place):
                self.theirs[seat].append((index, place))
        self.taken = {
            seat: [period for _, place in rows for period in taken(place, law)]
            for seat, rows in self.theirs.items()
        }

    def _counts(self, place: Place) -> bool:
        rule = self.law.one_other
        return not (
            (rule.members_exempt and place.is_member)
            or (place.is_lessor and not rule.counts_lessor)
        )

    def days_to_look_at(self) -> list[date]:
        """Return the asked day; for an approval also each later day on which something begins."""
        facts = self.facts
        if facts.question is not Question.ASSIGN or not (self.theirs or facts.decisions):
            return [facts.on]
        begins = {period.starts_on for periods in self.taken.values() for period in periods}
        for decision in facts.decisions:
            begins |= {decision.period.starts_on, days_after(decision.period.last, 1)}
        last = facts.until or date.max
        return [facts.on, *sorted(day for day in begins if facts.on < day <= last)]

    def ahead_on(self, day: date) -> list[Hashable]:
        """Return the other bodies that hold a place on a day and come before this one."""
        window = _window(day, self.law)
        holding = [
            seat
            for seat, periods in self.taken.items()
            if any(period.overlaps(window) for period in periods)
        ]
        mine = self._my_begin(window)
        if mine is None:
            return holding
        return [seat for seat in holding if (_begun(self.theirs[seat], window) or mine) < mine]

    def _my_begin(self, window: Period) -> Begun | None:
        facts = self.facts
        if facts.question is Question.ASSIGN:
            return None
        if self.mine or facts.began_on is None or facts.began_on > window.last:
            return _begun(self.mine, window)
        return facts.began_on, len(facts.places), len(facts.places)

    def named_on(self, day: date) -> list[dict[str, Any]]:
        """Return name and start of the other bodies that hold a place on a day."""
        return self.named([s for s, p in self.taken.items() if any(x.covers(day) for x in p)], day)

    def named(self, seats: Iterable[Hashable], day: date) -> list[dict[str, Any]]:
        """Return name and start of these bodies, as the county may read them."""
        window = _window(day, self.law)
        return [
            {"name": self.theirs[seat][0][1].name, "since": _since(self.theirs[seat], window)}
            for seat in seats
        ]


def _seat(body: Hashable, law: Ruleset, *, is_lessor: bool) -> Hashable:
    """Name what counts as one: the legal body, or each of its licenses (P14)."""
    return (body, is_lessor) if law.one_other.per_license else body


def taken(place: Place, law: Ruleset) -> list[Period]:
    """Return the days on which an approval takes a place (P11)."""
    counts = law.one_other.counts
    if place.licenses is None or counts == "until_ended":
        return [place.period]
    found = []
    for spell in place.licenses:
        shared = place.period.common(spell.period)
        if shared:
            found += without([shared], spell.suspended) if counts == "in_force" else [shared]
    return found


def _window(day: date, law: Ruleset) -> Period:
    """Return the days over which organizations are counted for a day (P9)."""
    rule = law.one_other
    if rule.window == "license_year":
        return Period(law.licensing.year_start(day), day)
    if rule.window == "ever":
        return Period(date.min, day)
    if rule.window == "rolling_days" and rule.window_days:
        return Period(days_after(day, 1 - rule.window_days), day)
    return Period(day, day)


def _begun(rows: list[tuple[int, Place]], window: Period) -> Begun | None:
    """Return when the unbroken work for a body began that reaches into the window."""
    joined = runs(place.period for _, place in rows)
    run = next((period for period in joined if period.overlaps(window)), None)
    if run is None:
        return None
    return min((p.start, p.order, index) for index, p in rows if p.period.overlaps(run))


def _since(rows: list[tuple[int, Place]], window: Period) -> date | None:
    begun = _begun(rows, window)
    return begun[0] if begun and begun[0] > date.min else None


@judged("lessor", "lessor.interest_bars", "lessor.work")
def lessor(facts: Facts, law: Ruleset) -> Verdict:
    """§ 10-65(b): no interest in a hall owner; that of the own hall is only mentioned (A6, P20)."""
    everywhere = law.lessor.interest_bars == "all"
    ties = [
        {"name": interest.lessor, "tie": interest.tie}
        for interest in facts.interests
        if interest.period.covers(facts.on) and (everywhere or not interest.own_hall)
    ]
    if law.lessor.work == "bars":
        ties += [{"name": name, "tie": "work"} for name in _hall_owners(facts)]
    if ties:
        return say(law, "lessor", "barred", Outcome.NOT_MET, private={"ties": ties})
    return say(law, "lessor", "met")


def _hall_owners(facts: Facts) -> list[str]:
    """Return the hall owners, other than the asked body itself, for which the person works."""
    names = [
        place.name
        for place in facts.places
        if place.is_lessor and place.body != facts.body and place.period.covers(facts.on)
    ]
    return [*names, facts.organization] if facts.leases_only else names


@judged("own_hall")
def own_hall(facts: Facts, law: Ruleset) -> Verdict:
    """§ 10-65(b): a tie to the hall the organization itself owns is mentioned (A6)."""
    tied = any(i.own_hall and i.period.covers(facts.on) for i in facts.interests)
    works = any(
        place.is_lessor and place.body == facts.body and place.period.covers(facts.on)
        for place in facts.places
    )
    if tied or works:
        return say(law, "own_hall", "tied", Outcome.NOT_MET)
    return say(law, "own_hall", "met")


@judged("presence", "presence.excuse", "presence.binds")
def presence(facts: Facts, law: Ruleset) -> Verdict:
    """§ 10-63(10): at no other place at the same hours; the paragraph binds who is in charge.

    For anybody else the bar stands without a cite (P15, A17).
    """
    cite = law.presence.cite if facts.in_charge else ""
    clashes = [e for e in facts.elsewhere if e.held_on is None or e.held_on == facts.on]
    excused = facts.excused and law.presence.excuse == "recorded"
    bound = facts.in_charge or law.presence.binds == "everyone"
    if not clashes or excused or not bound:
        return replace(say(law, "presence", "met"), cite=cite)
    private = {
        "sessions": [
            {"name": e.name, "starts_at": e.starts_at, "ends_at": e.ends_at} for e in clashes
        ]
    }
    return replace(say(law, "presence", "clash", Outcome.NOT_MET, private=private), cite=cite)


@judged("rotation")
def rotation(facts: Facts, law: Ruleset) -> Verdict:
    """§ 10-63(10): more organizations in one license year than the limit are mentioned (A5)."""
    limit = law.rotation.max_entities
    year = Period(law.licensing.year_start(facts.on), facts.on)
    names = {
        place.body: place.name
        for place in facts.places
        if place.body != facts.body
        and place.takes_place
        and any(period.overlaps(year) for period in taken(place, law))
    }
    if limit is None or len(names) + 1 <= limit:
        return say(law, "rotation", "met")
    private = {"count": len(names) + 1, "names": sorted(names.values())}
    return say(law, "rotation", "many", Outcome.NOT_MET, private=private)


def change_days(place: Place, law: Ruleset) -> Iterable[date]:
    """Yield the days on which a place begins or stops to count, by any of the readings."""
    yield place.period.starts_on
    for last in (place.period.last, *(p.last for p in taken(place, law))):
        yield days_after(last, 1)
        yield days_after(law.licensing.year_end(last), 1)
        yield days_after(last, law.one_other.window_days or 1)
    for spell in place.licenses or ():
        yield from (spell.period.starts_on, days_after(spell.period.last, 1))
        for hole in spell.suspended:
            yield from (hole.starts_on, days_after(hole.last, 1))
