"""Closed spans of county-local calendar dates: the last day counts. Pure."""

from __future__ import annotations

from calendar import monthrange
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
        shared = spanning(max(self.starts_on, other.starts_on), min(self.last, other.last))
        return None if shared.is_empty else shared


def spanning(starts_on: date, last: date) -> Period:
    """Return the period from one day to another, without end when the last is date.max."""
    return Period(starts_on, None if last == date.max else last)


def days_after(day: date, days: int) -> date:
    """Return the day so many days later (or earlier), stopping at the calendar's ends."""
    try:
        return day + timedelta(days=days)
    except OverflowError:
        return date.max if days > 0 else date.min


def months_after(day: date, months: int, *, clamps: bool = True) -> date:
    """Return the same day of a later month.

    A month without that day gives its last day when `clamps`, else the first of the next month.
    """
    year, month0 = divmod(day.year * 12 + day.month - 1 + months, 12)
    if year > date.max.year:
        return date.max
    last = monthrange(year, month0 + 1)[1]
    if day.day <= last:
        return date(year, month0 + 1, day.day)
    end = date(year, month0 + 1, last)
    return end if clamps else end + ONE_DAY


def runs(periods: Iterable[Period], *, gap_days: int = 0) -> list[Period]:
    """Join periods that overlap, follow on the next day or after a gap allowed; skip empty ones."""
    joined: list[Period] = []
    for period in sorted((p for p in periods if not p.is_empty), key=lambda p: p.starts_on):
        if joined and period.starts_on <= days_after(joined[-1].last, 1 + gap_days):
            last = max(joined[-1].last, period.last)
            joined[-1] = spanning(joined[-1].starts_on, last)
        else:
            joined.append(period)
    return joined


def without(periods: Iterable[Period], holes: Iterable[Period]) -> list[Period]:
    """Return the periods with the days of the holes taken out."""
    left = [period for period in periods if not period.is_empty]
    for hole in holes:
        left = [part for period in left for part in _cut(period, hole)]
    return left


def _cut(period: Period, hole: Period) -> list[Period]:
    if not period.overlaps(hole):
        return [period]
    parts = []
    if period.starts_on < hole.starts_on:
        parts.append(Period(period.starts_on, hole.starts_on - ONE_DAY))
    if hole.last < period.last:
        parts.append(Period(hole.last + ONE_DAY, period.ends_on))
    return parts
