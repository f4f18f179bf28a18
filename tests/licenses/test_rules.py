"""How a license stands on a day, and when its term ends."""

from __future__ import annotations

from datetime import date

import pytest

from licenses.rules import State, asks_for_exemption, last_day_of_term, license_year, state_on
from licenses.words import Standing, sentence, standing_line
from registry.models import Organization
from registry.periods import Period
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
    assert state_on(YEAR, [HOLE, OPEN], day) is state


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
