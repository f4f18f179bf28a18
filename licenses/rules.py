"""License terms (§ 10-91). Pure."""

from __future__ import annotations

from datetime import date

from registry.ruleset import Ruleset, in_force


def license_year(issued_on: date, law: Ruleset | None = None) -> int:
    """The year in which the license year of this day ends (§ 10-91(a): on September 30)."""
    return last_day_of_term(issued_on, law).year


def last_day_of_term(issued_on: date, law: Ruleset | None = None) -> date:
    """The last day of a license issued on this day: the next end of the license year."""
    month, day = (law or in_force(issued_on)).license_year_end
    this_year = date(issued_on.year, month, day)
    return this_year if issued_on <= this_year else date(issued_on.year + 1, month, day)
