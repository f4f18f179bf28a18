"""Periods against sets of days."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from registry.periods import Period, days_after, months_after, runs, spanning, without

BASE = date(2024, 2, 20)
days = st.integers(0, 20).map(lambda n: BASE + timedelta(days=n))


@st.composite
def periods(draw: st.DrawFn) -> Period:
    first = draw(days)
    length = draw(st.none() | st.integers(-2, 8))
    return Period(first, None if length is None else first + timedelta(days=length))


def days_of(*some: Period) -> set[date]:
    """The days of these periods within a horizon."""
    horizon = [BASE + timedelta(days=n) for n in range(60)]
    return {day for day in horizon if any(period.covers(day) for period in some)}


@given(periods(), periods())
def test_two_periods_share_the_days_that_both_cover(one: Period, other: Period) -> None:
    shared = one.common(other)

    assert days_of(*([shared] if shared else [])) == days_of(one) & days_of(other)
    assert one.overlaps(other) == bool(days_of(one) & days_of(other))


@given(st.lists(periods(), max_size=5))
def test_runs_cover_the_same_days_and_never_touch(some: list[Period]) -> None:
    joined = runs(some)

    assert days_of(*joined) == days_of(*some)
    edges = list(pairwise(joined))
    assert all(later.starts_on > days_after(sooner.last, 1) for sooner, later in edges)


@given(st.lists(periods(), max_size=4), st.lists(periods(), max_size=4))
def test_taking_out_holes_leaves_the_other_days(some: list[Period], holes: list[Period]) -> None:
    left = without(some, holes)

    assert days_of(*left) == days_of(*some) - days_of(*holes)
    assert not any(period.is_empty for period in left)


def test_a_gap_that_is_allowed_joins_two_runs() -> None:
    first, second = Period(date(2026, 1, 1), date(2026, 1, 31)), Period(date(2026, 2, 4))

    assert runs([second, first]) == [first, second]
    assert runs([second, first], gap_days=2) == [first, second]
    assert runs([second, first], gap_days=3) == [Period(date(2026, 1, 1))]


def test_a_row_cancelled_before_its_start_covers_nothing() -> None:
    cancelled = Period(date(2026, 6, 1), date(2026, 4, 1))

    assert (cancelled.is_empty, cancelled.covers(date(2026, 5, 1))) == (True, False)
    assert runs([cancelled]) == []
    assert without([cancelled], []) == []


def test_a_period_to_the_calendar_s_end_has_no_end() -> None:
    assert spanning(BASE, date.max) == Period(BASE)
    assert spanning(BASE, BASE) == Period(BASE, BASE)
    assert Period(BASE).last == date.max


@pytest.mark.parametrize(
    ("day", "count", "later"),
    [
        (date(2024, 1, 31), 30, date(2024, 3, 1)),
        (date(2026, 3, 8), -1, date(2026, 3, 7)),
        (date.max, 1, date.max),
        (date.min, -1, date.min),
    ],
)
def test_days_are_counted_by_date_and_stop_at_the_calendar_s_ends(
    day: date, count: int, later: date
) -> None:
    assert days_after(day, count) == later


@pytest.mark.parametrize(
    ("day", "months", "clamped", "rolled"),
    [
        (date(2025, 8, 31), 6, date(2026, 2, 28), date(2026, 3, 1)),
        (date(2027, 8, 31), 6, date(2028, 2, 29), date(2028, 3, 1)),
        (date(2025, 12, 15), 1, date(2026, 1, 15), date(2026, 1, 15)),
        (date(2025, 1, 1), 0, date(2025, 1, 1), date(2025, 1, 1)),
        (date(9999, 12, 1), 1, date.max, date.max),
    ],
)
def test_months_end_on_the_same_day_or_where_the_month_ends(
    day: date, months: int, clamped: date, rolled: date
) -> None:
    assert months_after(day, months) == clamped
    assert months_after(day, months, clamps=False) == rolled
