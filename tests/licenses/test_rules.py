"""How a license stands on a day, and when its term ends."""

from __future__ import annotations

from datetime import date

import pytest

from licenses.rules import (
    Hole,
    Renewal,
    State,
    asks_for_exemption,
    fee_share,
    first_day,
    last_day_of_term,
    license_year,
    reminder_due,
    running,
    state_on,
    stayed,
)
from licenses.words import Standing, sentence, standing_line
from registry.models import Organization
from registry.periods import Period
from registry.ruleset import in_force
from registry.worded import Mark

YEAR = Period(date(2026, 10, 1), date(2027, 9, 30))
HOLE = Period(date(2026, 11, 18), date(2026, 12, 30))
OPEN = Period(date(2027, 5, 1))


@pytest.mark.parametrize(
    ("day", "state"),
    [
        (date(2026, 9, 30), State.NOT_YET),
        (date(2026, 10, 1), State.IN_FORCE),
        (date(2026, 11, 17), State.IN_FORCE),
        (date(2026, 11, 18), State.SUSPENDED),
        (date(2026, 12, 30), State.SUSPENDED),
        (date(2026, 12, 31), State.IN_FORCE),
        (date(2027, 9, 30), State.SUSPENDED),
        (date(2027, 10, 1), State.ENDED),
    ],
)
def test_a_license_stands_by_its_days_and_those_of_its_suspensions(day, state) -> None:
    holes = [Hole(State.SUSPENDED, period) for period in (HOLE, OPEN)]

    assert state_on(YEAR, YEAR, holes, day) is state


def renewal(presented_on, *, shown=True, is_waiting=True, continued_to=None) -> Renewal:
    return Renewal(presented_on, shown, is_waiting, continued_to)


@pytest.mark.parametrize(
    ("renewals", "last"),
    [
        ([], date(2027, 9, 30)),
        ([renewal(date(2027, 9, 30))], date.max),
        ([renewal(date(2027, 10, 1))], date(2027, 9, 30)),
        ([renewal(None)], date(2027, 9, 30)),
        ([renewal(date(2027, 9, 1), shown=False)], date(2027, 9, 30)),
        (
            [renewal(date(2027, 9, 1), is_waiting=False, continued_to=date(2027, 11, 3))],
            date(2027, 11, 3),
        ),
        (
            [renewal(date(2027, 7, 1), is_waiting=False, continued_to=date(2027, 8, 1))],
            date(2027, 9, 30),
        ),
        ([renewal(date(2027, 9, 1), is_waiting=False)], date(2027, 9, 30)),
    ],
)
def test_a_renewal_presented_in_time_keeps_a_license_running_until_it_is_decided(
    renewals, last
) -> None:
    assert running(YEAR, renewals) == Period(YEAR.starts_on, None if last == date.max else last)


@pytest.mark.parametrize(
    ("day", "state"),
    [
        (date(2027, 9, 30), State.IN_FORCE),
        (date(2027, 10, 1), State.CONTINUED),
        (date(2027, 11, 1), State.CONDITION),
        (date(2027, 12, 24), State.REVOKED),
    ],
)
def test_a_continued_license_says_so_and_the_gravest_order_counts(day, state) -> None:
    holes = [
        Hole(State.SUSPENDED, Period(date(2027, 11, 1))),
        Hole(State.CONDITION, Period(date(2027, 11, 1))),
        Hole(State.REVOKED, Period(date(2027, 12, 1))),
    ]

    assert state_on(YEAR, Period(YEAR.starts_on), holes, day) is state


def test_an_order_does_not_hold_on_the_days_on_which_it_is_stayed() -> None:
    order = Period(date(2027, 3, 1))
    stay = Period(date(2027, 3, 10), date(2027, 3, 20))

    assert stayed(order, [stay]) == [
        Period(date(2027, 3, 1), date(2027, 3, 9)),
        Period(date(2027, 3, 21)),
    ]


@pytest.mark.parametrize(
    ("decided_on", "prior_last", "first"),
    [
        (date(2027, 2, 3), None, date(2027, 2, 3)),
        (date(2027, 8, 20), date(2027, 9, 30), date(2027, 10, 1)),
        (date(2027, 9, 30), date(2027, 9, 30), date(2027, 10, 1)),
        (date(2027, 11, 5), date(2027, 9, 30), date(2027, 11, 5)),
    ],
)
def test_renewing_early_loses_no_days_and_late_gains_none(decided_on, prior_last, first) -> None:
    prior = Period(date(2026, 10, 1), prior_last) if prior_last else None

    assert first_day(decided_on, prior) == first


@pytest.mark.parametrize(
    ("first", "share"),
    [
        (date(2026, 10, 1), "full"),
        (date(2026, 10, 2), "full"),
        (date(2027, 3, 31), "full"),
        (date(2027, 4, 1), "half"),
        (date(2027, 9, 30), "half"),
        (date(2027, 10, 1), "full"),
    ],
)
def test_half_the_fee_is_due_from_april_to_september(first, share) -> None:
    assert fee_share(first, in_force(first)) == share


@pytest.mark.parametrize(
    ("today", "due"),
    [
        (date(2027, 7, 31), None),
        (date(2027, 8, 1), 60),
        (date(2027, 8, 31), 30),
        (date(2027, 9, 22), 30),
        (date(2027, 9, 23), 7),
        (date(2027, 9, 30), 7),
        (date(2027, 10, 1), 0),
        (date(2027, 12, 1), 0),
    ],
)
def test_the_nearest_reminder_is_due_and_no_more(today, due) -> None:
    assert reminder_due(YEAR.last, today, [60, 30, 7]) == due


@pytest.mark.parametrize(
    ("issued_on", "last"),
    [
        (date(2026, 10, 1), date(2027, 9, 30)),
        (date(2026, 9, 30), date(2026, 9, 30)),
        (date(2027, 4, 1), date(2027, 9, 30)),
    ],
)
def test_a_license_ends_on_the_next_last_day_of_the_license_year(issued_on, last) -> None:
    assert last_day_of_term(issued_on) == last
    assert license_year(issued_on) == last.year


def test_only_a_charitable_organization_is_asked_for_its_exemption() -> None:
    asked = [kind for kind in Organization.Kind.values if asks_for_exemption(kind)]

    assert asked == ["charitable"]


def standing(state, until=None, license_class="A"):
    return Standing(license_class, f"{license_class}-2027-0001", state, YEAR, until)


@pytest.mark.parametrize(
    ("row", "told", "mark"),
    [
        (standing(State.IN_FORCE), "Licensed, class A, to Sep 30, 2027", Mark.CLEARED),
        (standing(State.SUSPENDED, HOLE.ends_on),
         "Class A license suspended to Dec 30, 2026", Mark.NOT_CLEARED),
        (standing(State.SUSPENDED),
         "Class A license suspended until further notice", Mark.NOT_CLEARED),
        (standing(State.NOT_YET), "Class A license begins on Oct 1, 2026", Mark.NOTE),
        (standing(State.ENDED), "Class A license ended on Sep 30, 2027", Mark.NOT_CLEARED),
    ],
)  # fmt: skip
def test_a_license_is_told_in_one_clause(row, told, mark) -> None:
    assert (sentence(row), row.mark) == (told, mark)


def test_an_organization_stands_by_all_its_licenses_and_its_exemption() -> None:
    both = [standing(State.IN_FORCE), standing(State.ENDED, license_class="B")]

    assert standing_line(both, "501(c)(19)") == (
        "Licensed, class A, to Sep 30, 2027 · Class B license ended on Sep 30, 2027 · 501(c)(19)"
    )
    assert standing_line([]) == "No license is recorded"
