"""License terms (§ 10-91) and how a license stands on a day (§ 10-64(a)). Pure."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from enum import StrEnum

from registry.periods import Period
from registry.ruleset import Ruleset, in_force

ASKED_FOR_EXEMPTION = frozenset({"charitable"})
"""Kinds that F.S. 849.0931(1)(c) asks for a federal exemption; subsections (3) and (4) do not."""


class State(StrEnum):
    """How one license stands on a day."""

    IN_FORCE = "in_force"
    SUSPENDED = "suspended"
    NOT_YET = "not_yet"
    ENDED = "ended"


def state_on(period: Period, suspended: Iterable[Period], day: date) -> State:
    """Tell how a license stands on a day, of its days and those of its suspensions."""
    if day < period.starts_on:
        return State.NOT_YET
    if day > period.last:
        return State.ENDED
    return State.SUSPENDED if any(hole.covers(day) for hole in suspended) else State.IN_FORCE


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
