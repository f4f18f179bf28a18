"""Closed spans of county-local calendar dates: the last day counts. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

ONE_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Period:
    """The days from `starts_on` to `ends_on`, both included; `ends_on` None has no end."""

    starts_on: date
    ends_on: date | None = None

    @property
    def last(self) -> date:
        """The last day, date.max for a period without end."""
        return self.ends_on or date.max

    @property
    def is_empty(self) -> bool:
        """True when it ends before it begins, as a row cancelled before its start does."""
        return self.last < self.starts_on

    def covers(self, day: date) -> bool:
        """True when the day lies in the period."""
        return self.starts_on <= day <= self.last

    def overlaps(self, other: Period) -> bool:
        """True when the two periods share a day."""
        return self.common(other) is not None

    def common(self, other: Period) -> Period | None:
        """The days in both periods, None when there are none."""
        last = min(self.last, other.last)
        shared = Period(max(self.starts_on, other.starts_on), None if last == date.max else last)
        return None if shared.is_empty else shared


def runs(periods: Iterable[Period]) -> list[Period]:
    """Join periods that overlap or follow on the next day; empty ones are left out."""
    joined: list[Period] = []
    for period in sorted((p for p in periods if not p.is_empty), key=lambda p: p.starts_on):
        if joined and (
            joined[-1].last == date.max or period.starts_on <= joined[-1].last + ONE_DAY
        ):
            last = max(joined[-1].last, period.last)
            joined[-1] = Period(joined[-1].starts_on, None if last == date.max else last)
        else:
            joined.append(period)
    return joined
