"""What a rule answers: outcome, effect, cite, facts and the day it cures itself. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from typing import Any


class Outcome(StrEnum):
    """A missing paper is not a broken law: it is not shown, never not met."""

    MET = "met"
    NOT_MET = "not_met"
    NOT_SHOWN = "not_shown"


class Effect(StrEnum):
    """What a test that is not met does: bars a grant, asks for a paper, or only informs."""

    BARS = "bars"
    ASKS = "asks"
    INFORMS = "informs"


@dataclass(frozen=True, slots=True)
class ReadingUsed:
    """An open question of the text, how it was read, and whether another reading decides otherwise.

    `key` finds question and plain words in the ruleset's `readings`.
    """

    key: str
    value: str
    other: str
    would_differ: bool
    confirmed: bool = False
    crosses: bool = False
    """True when the other reading looked at another organization's rows."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One test's answer. `code` and `params` are worded by volunteers.words.

    `private` is for regulators only.
    """

    rule: str
    cite: str
    outcome: Outcome
    effect: Effect
    code: str
    params: Mapping[str, Any] = field(default_factory=dict)
    private: Mapping[str, Any] = field(default_factory=dict)
    cures_on: date | None = None
    readings: tuple[ReadingUsed, ...] = ()
    is_policy: bool = False
    crosses: bool = False
    """True when the answer rests on another organization's rows."""

    @property
    def bars(self) -> bool:
        """True when this verdict alone refuses a grant or a tag."""
        return self.effect is Effect.BARS and self.outcome is not Outcome.MET

    def without_private(self) -> Verdict:
        """The verdict as an organization may see it: nothing that rests on rows from elsewhere."""
        own = () if self.crosses else tuple(r for r in self.readings if not r.crosses)
        cures_on = None if self.crosses else self.cures_on
        return replace(self, private={}, cures_on=cures_on, readings=own)


@dataclass(frozen=True, slots=True)
class Ruling:
    """All verdicts on one question about one person, one organization and one day."""

    on: date
    verdicts: tuple[Verdict, ...]
    ruleset: str
    eligible_on: date | None = None
    """First day, from the asked one, on which no barring test fails on the recorded facts."""
    eligible_here_on: date | None = None
    """The same on this organization's own rows alone, so that it tells nothing of others."""

    @property
    def allows(self) -> bool:
        """True when no barring test fails."""
        return not any(verdict.bars for verdict in self.verdicts)

    @property
    def first_bar(self) -> Verdict | None:
        """The first barring verdict in the order of decisions: it is the answer's."""
        return next((verdict for verdict in self.verdicts if verdict.bars), None)

    @property
    def outcome(self) -> Outcome:
        """The outcome of the first barring failure, met when there is none."""
        return self.first_bar.outcome if self.first_bar else Outcome.MET

    def for_organization(self) -> Ruling:
        """The ruling with everything taken out that an organization may not learn.

        A mere notice about other organizations (rotation) is left out altogether.
        """
        hides = any(verdict.bars and verdict.crosses for verdict in self.verdicts)
        day = None if hides else self.eligible_here_on or self.eligible_on
        seen = tuple(
            verdict.without_private()
            for verdict in self.verdicts
            if not (verdict.crosses and verdict.effect is Effect.INFORMS)
        )
        return replace(self, verdicts=seen, eligible_on=day, eligible_here_on=day)
