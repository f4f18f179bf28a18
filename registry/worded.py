"""Verdicts in words, as a page, a letter or a tag desk shows them. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from registry.verdicts import Effect, Outcome


class Mark(StrEnum):
    """How a status looks: a word, a shape and a colour, never colour alone."""

    CLEARED = "cleared"
    MISSING = "missing"
    NOT_CLEARED = "not_cleared"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class WordedReading:
    """One open question of the text: how it is read here, and the other way to read it."""

    question: str
    taken: str
    other: str = ""
    would_differ: bool = False
    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class WordedVerdict:
    """One test's answer in words. `text` restates the paragraph; `remedy` is what would help."""

    title: str
    cite: str
    outcome: str
    effect: str
    sentence: str
    readings: tuple[WordedReading, ...] = ()
    text: str = ""
    remedy: str = ""
    is_policy: bool = False

    @property
    def mark(self) -> Mark:
        """Only a test that bars may look like a refusal."""
        if self.outcome == Outcome.MET:
            return Mark.CLEARED
        if self.effect != Effect.BARS:
            return Mark.NOTE
        return Mark.MISSING if self.outcome == Outcome.NOT_SHOWN else Mark.NOT_CLEARED


@dataclass(frozen=True, slots=True)
class WordedRuling:
    """The whole answer: one large line, one sentence to read to a caller, then each test."""

    mark: Mark
    headline: str
    spoken: str = ""
    later: str = ""
    """What would be true from which day, as “From Sun, Dec 13 she would be.”"""
    verdicts: tuple[WordedVerdict, ...] = ()
    eligible_on: date | None = None
    ruleset: str = ""


def mark_of(verdicts: Iterable[WordedVerdict]) -> Mark:
    """The mark of the first verdict that bars, cleared when none does."""
    barring = (v.mark for v in verdicts if v.mark in {Mark.MISSING, Mark.NOT_CLEARED})
    return next(barring, Mark.CLEARED)
