"""License terms (§ 10-91), the way of an application (§ 10-84), how a license stands. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from registry.periods import ONE_DAY, Period, spanning, without
from registry.ruleset import Ruleset, in_force

ASKED_FOR_EXEMPTION = frozenset({"charitable"})
"""Kinds that F.S. 849.0931(1)(c) asks for a federal exemption; subsections (3) and (4) do not."""


class Status(StrEnum):
    """Where an application is on its way to a decision."""

    DRAFT = "draft"
    SUBMITTED = "submitted"
    RETURNED = "returned"
    INVESTIGATION = "investigation"
    RECOMMENDED = "recommended"
    GRANTED = "granted"
    DENIED = "denied"
    WITHDRAWN = "withdrawn"


TRANSITIONS: Mapping[Status, frozenset[Status]] = {
    Status.DRAFT: frozenset({Status.SUBMITTED, Status.WITHDRAWN}),
    Status.SUBMITTED: frozenset({Status.INVESTIGATION, Status.RETURNED, Status.WITHDRAWN}),
    Status.RETURNED: frozenset({Status.SUBMITTED, Status.WITHDRAWN}),
    Status.INVESTIGATION: frozenset({Status.RECOMMENDED, Status.RETURNED, Status.WITHDRAWN}),
    Status.RECOMMENDED: frozenset(
        {
            Status.GRANTED,
            Status.DENIED,
            Status.INVESTIGATION,
            Status.RETURNED,
            Status.WITHDRAWN,
        }
    ),
    Status.GRANTED: frozenset(),
    # Only where the board or a court reverses the denial: then it is decided anew.
    Status.DENIED: frozenset({Status.RECOMMENDED}),
    Status.WITHDRAWN: frozenset(),
}
"""Where an application may go next; granted and withdrawn are the end."""
OPEN = frozenset(
    {
        Status.DRAFT,
        Status.SUBMITTED,
        Status.RETURNED,
        Status.INVESTIGATION,
        Status.RECOMMENDED,
    }
)


WAITING = OPEN | {Status.DENIED}
"""A denial ends nothing before the day on which it is final is recorded (§ 10-91(b))."""


class State(StrEnum):
    """How one license stands on a day."""

    IN_FORCE = "in_force"
    CONTINUED = "continued"
    SUSPENDED = "suspended"
    CONDITION = "condition"
    REVOKED = "revoked"
    SURRENDERED = "surrendered"
    NOT_YET = "not_yet"
    ENDED = "ended"

    @property
    def allows(self) -> bool:
        """True where the holder may conduct, or lease its hall (§§ 10-64(a), 10-65(a))."""
        return self in (State.IN_FORCE, State.CONTINUED)


@dataclass(frozen=True, slots=True)
class Hole:
    """Days on which a license does not hold, and as what it stands then."""

    state: State
    period: Period


FINAL = (State.REVOKED, State.SURRENDERED)
"""What ends a license, until it is reinstated; the rest only rests on it."""
GRAVEST = (State.REVOKED, State.SURRENDERED, State.CONDITION, State.SUSPENDED)


@dataclass(frozen=True, slots=True)
class Renewal:
    """What a renewal does for the license before it (§ 10-91(b))."""

    presented_on: date | None
    is_shown: bool
    is_waiting: bool
    """Not decided yet, or denied but not finally."""
    continued_to: date | None = None

    def continues(self, term: Period) -> bool:
        """Presented by the last day, with last year's license or proof of its loss."""
        return self.is_shown and self.presented_on is not None and self.presented_on <= term.last


def running(term: Period, renewals: Iterable[Renewal]) -> Period:
    """The days a license runs: its term, then on while a renewal presented in time is undecided."""
    lasts = [term.last]
    for renewal in renewals:
        if renewal.continues(term):
            waiting = date.max if renewal.is_waiting else term.last
            lasts.append(renewal.continued_to or waiting)
    return spanning(term.starts_on, max(lasts))


def stayed(period: Period, stays: Iterable[Period]) -> list[Period]:
    """The days on which an order holds: its own, without those on which it is stayed (A30)."""
    return without([period], stays)


def state_on(term: Period, period: Period, holes: Iterable[Hole], day: date) -> State:
    """Tell how a license stands on a day: of its term, its running days and what rests on it."""
    if day < term.starts_on:
        return State.NOT_YET
    found = {hole.state for hole in holes if hole.period.covers(day)}
    gravest = next((state for state in GRAVEST if state in found), None)
    if gravest in FINAL:
        return gravest
    if day > period.last:
        return State.ENDED
    return gravest or (State.CONTINUED if day > term.last else State.IN_FORCE)


def first_day(decided_on: date, prior: Period | None, law: Ruleset | None = None) -> date:
    """The first day of a license: that of the decision, for a renewal the day after the last.

    Renewing early never loses days; a license granted while the one before it is continued, or
    after it ended, begins on the day of the decision (§ 10-91).
    """
    if prior is None or decided_on > prior.last:
        return decided_on
    return prior.last + ONE_DAY


def fee_share(issued_on: date, law: Ruleset) -> str:
    """ "full" or "half" of the fee, by the first day of the license (§ 10-91(a), A15)."""
    licensing = law.licensing
    half_from = date(issued_on.year, licensing.half_fee_from_month, licensing.half_fee_from_day)
    return "half" if half_from <= issued_on <= last_day_of_term(half_from, law) else "full"


def renewal_opens(last_day: date, window_days: int) -> date:
    """The first day on which a renewal can be filled in."""
    return last_day - timedelta(days=window_days)


def reminder_due(last_day: date, today: date, days: Sequence[int]) -> int | None:
    """Which reminder is due: the nearest of so many days before the end, 0 after it; else None.

    After a missed night only the nearest one goes out, not all that were missed.
    """
    if today > last_day:
        return 0
    left = (last_day - today).days
    return min((count for count in days if left <= count), default=None)


def license_year(issued_on: date, law: Ruleset | None = None) -> int:
    """The year in which the license year of this day ends (§ 10-91(a): on September 30)."""
    return last_day_of_term(issued_on, law).year


def last_day_of_term(issued_on: date, law: Ruleset | None = None) -> date:
    """The last day of a license issued on this day: the next end of the license year."""
    month, day = (law or in_force(issued_on)).license_year_end
    this_year = date(issued_on.year, month, day)
    return this_year if issued_on <= this_year else date(issued_on.year + 1, month, day)


def asks_for_exemption(kind: str) -> bool:
    """Tell whether a body of this kind must show a federal tax exemption to conduct."""
    return kind in ASKED_FOR_EXEMPTION
