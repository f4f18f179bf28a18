"""The law of a day as the county applies it."""

from __future__ import annotations

from datetime import date

from registry.ruleset import Ruleset, in_force


def law_on(day: date) -> Ruleset:
    """The ruleset in force on a day, with the values the county has adopted laid over it."""
    return in_force(day)
