"""Memberships drawn on one scale, with the day on which the count is full."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from registry.periods import Period
from registry.ruleset import in_force
from volunteers.facts import Facts, Kind, Spell
from volunteers.timeline import WIDTH, Bar, Scale, full_on, line_for, scale_for

TODAY = date(2026, 11, 30)
LAW = in_force(TODAY)
FACTS = Facts(body=1, organization="Post", on=TODAY)


def spell(first, last=None, kind=Kind.REGULAR):
    return Spell(kind, Period(first, last))


def test_the_scale_goes_two_years_back_at_most_and_some_weeks_ahead() -> None:
    assert scale_for([], TODAY) == Scale(date(2024, 11, 1), date(2027, 1, 29))
    assert scale_for([Period(date(2006, 1, 1))], TODAY).first == date(2024, 11, 1)
    assert scale_for([Period(date(2026, 8, 1))], TODAY).first == date(2026, 8, 1)
    assert scale_for([Period(date(2026, 12, 24))], TODAY).first == TODAY


def test_days_outside_stand_on_the_edge() -> None:
    scale = Scale(date(2026, 1, 1), date(2026, 1, 11))

    days = [date(2025, 1, 1), date(2026, 1, 1), date(2026, 1, 6), date(2026, 1, 11), date.max]
    assert [scale.at(day) for day in days] == [0, 0, WIDTH // 2, WIDTH, WIDTH]


def test_a_scale_of_one_day_divides_by_nothing() -> None:
    assert Scale(TODAY, TODAY).at(TODAY) == 0


@pytest.mark.parametrize(
    ("spells", "day"),
    [
        ((), None),
        ((spell(date(2026, 11, 13)),), date(2026, 12, 13)),
        # Left and came back: the present count runs.
        ((spell(date(2020, 1, 1), date(2026, 1, 31)), spell(date(2026, 11, 1))),
         date(2026, 12, 1)),
        # Without a gap the count goes on.
        ((spell(date(2020, 1, 1), date(2026, 10, 31)), spell(date(2026, 11, 1))),
         date(2020, 1, 31)),
        # Left: what was reached then.
        ((spell(date(2026, 1, 1), date(2026, 1, 10)),), date(2026, 1, 31)),
        # Still to come.
        ((spell(date(2026, 12, 24)),), date(2027, 1, 23)),
    ],
)  # fmt: skip
def test_the_count_is_full_thirty_days_after_it_began(spells, day) -> None:
    assert full_on(replace(FACTS, spells=spells), LAW) == day


def test_where_the_number_is_not_known_no_day_is_marked() -> None:
    unset = replace(LAW, tenure=replace(LAW.tenure, days=None))

    assert full_on(replace(FACTS, spells=(spell(date(2026, 11, 13)),)), unset) is None


def test_a_line_is_drawn_with_its_bars_and_its_mark() -> None:
    scale = Scale(date(2026, 11, 1), date(2027, 2, 9))
    rows = (spell(date(2026, 11, 11)), spell(date(2026, 1, 1), date(2026, 11, 5), Kind.VOLUNTEER))

    line = line_for(replace(FACTS, spells=rows), LAW, scale)

    assert line.bars == (
        Bar("volunteer", 0, 50, began_earlier=True),
        Bar("regular", 100, 900, began_earlier=False),
    )
    assert (line.full_on, line.mark) == (date(2026, 12, 11), 400)


def test_a_mark_outside_of_the_drawing_is_not_drawn_and_old_spells_are_left_out() -> None:
    scale = Scale(date(2026, 11, 1), date(2027, 2, 9))
    rows = (spell(date(2010, 1, 1), date(2011, 1, 1)), spell(date(2020, 1, 1)))

    line = line_for(replace(FACTS, spells=rows), LAW, scale)

    assert line.bars == (Bar("regular", 0, WIDTH, began_earlier=True),)
    assert (line.full_on, line.mark) == (date(2020, 1, 31), None)


def test_one_day_is_still_seen() -> None:
    scale = Scale(date(2000, 1, 1), date(2027, 2, 9))
    rows = (spell(date(2026, 11, 11), date(2026, 11, 11)),)

    (bar,) = line_for(replace(FACTS, spells=rows), LAW, scale).bars

    assert bar.width == 3
