"""Days in a file: one order for the whole file, settled by the days that leave no doubt."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from django.utils.translation import gettext as _

from registry.entries import MONTHS_A_YEAR, NEAR_FUTURE, Unreadable, numeric_day, read_day
from volunteers.readers.columns import DAYS, Columns
from volunteers.readers.sheets import Cell, Choices, Sheet, as_text

TWO_DIGITS = 100
SERIAL = re.compile(r"\d{1,7}(?:\.\d+)?")
CLOCK = r"\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?"
ISO_TIME = re.compile(rf"(\d{{4}}-\d{{2}}-\d{{2}})[T ]{CLOCK}")
HINTS = (
    (re.compile(r"\bm{1,2}\W*d{1,2}(?:\W*y+)?\b", re.IGNORECASE), "mdy"),
    (re.compile(r"\bd{1,2}\W*m{1,2}(?:\W*y+)?\b", re.IGNORECASE), "dmy"),
)


class Order(StrEnum):
    """How days are written: month first, day first, year first; or the file contradicts itself."""

    MONTH_FIRST = "mdy"
    DAY_FIRST = "dmy"
    YEAR_FIRST = "ymd"
    NONE = ""
    """No day is written in numbers; cells that are days need no order."""
    OPEN = "?"


@dataclass(frozen=True, slots=True)
class Ordered:
    """The order of a file's days, and the two days that contradict each other when it is open."""

    order: Order
    month_first: tuple[int, str] | None = None
    """Row and text of a day that can only be read with the month first."""
    day_first: tuple[int, str] | None = None
    is_shown: bool = True
    """False when no day settles it and the order is the usual one here."""


def order_of(sheet: Sheet, columns: Columns, choices: Choices) -> Ordered:
    """The one order of all days in numbers: as chosen, by days without doubt, by the heading."""
    if choices.date_order:
        return Ordered(Order(choices.date_order))
    written = list(_written(sheet, columns))
    in_order = [(number, text, found) for number, text in written if (found := numeric_day(text))]
    if not in_order:
        iso = any(re.match(r"\d{4}\D", text) for _number, text in written)
        return Ordered(Order.YEAR_FIRST if iso else Order.NONE)
    evidence = [(n, text, _evidence(found)) for n, text, found in in_order]
    month = next(((n, text) for n, text, order in evidence if order == "mdy"), None)
    day = next(((n, text) for n, text, order in evidence if order == "dmy"), None)
    if month and day:
        return Ordered(Order.OPEN, month, day)
    if month or day:
        return Ordered(Order.MONTH_FIRST if month else Order.DAY_FIRST, month, day)
    return _unsettled(sheet, columns, in_order)


def _unsettled(
    sheet: Sheet, columns: Columns, in_order: list[tuple[int, str, tuple[int, int, int]]]
) -> Ordered:
    headings = sheet.headings
    places = [columns.places[f] for f in DAYS if f in columns.places]
    titles = " ".join(headings[place] for place in places if place < len(headings))
    hinted = {order for pattern, order in HINTS if pattern.search(titles)}
    if len(hinted) == 1:
        return Ordered(Order(hinted.pop()))
    if all("." in text for _number, text, _found in in_order):
        number, text, _found = in_order[0]
        return Ordered(Order.OPEN, (number, text), (number, text))
    return Ordered(Order.MONTH_FIRST, is_shown=False)


def _written(sheet: Sheet, columns: Columns) -> Iterator[tuple[int, str]]:
    places = [columns.places[field] for field in DAYS if field in columns.places]
    for number, row in sheet.lines():
        for place in places:
            if place < len(row) and isinstance(row[place], str):
                yield number, as_text(row[place]).lstrip("'")


def _evidence(found: tuple[int, int, int]) -> str:
    """Which order alone makes the three numbers a day; "" when both do or neither."""
    first, second, year = found
    full = year if year >= TWO_DIGITS else 2000 + year
    fits = {"mdy": _is_day(full, first, second), "dmy": _is_day(full, second, first)}
    ways = [order for order, fit in fits.items() if fit]
    return ways[0] if len(ways) == 1 else ""


def _is_day(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class DayReader:
    """Reads the day in a cell by the file's order."""

    order: Order
    today: date
    past_years: bool = False
    """A year of two digits is the latest one that is not to come."""

    def read(self, cell: Cell) -> date:
        """The day; Unreadable with one sentence that names the value and the remedy."""
        if isinstance(cell, date):
            return cell
        text = as_text(cell).lstrip("'")
        if SERIAL.fullmatch(text):
            raise Unreadable(
                _(
                    "“%(value)s” is a bare number, not a date: format the column as dates in the"
                    " spreadsheet, or write 11/30/2026."
                )
                % {"value": text}
            )
        if match := ISO_TIME.fullmatch(text):
            text = match[1]
        return self._ordered(text)

    def _ordered(self, text: str) -> date:
        found = numeric_day(text)
        if found is None or self.order is Order.MONTH_FIRST:
            return self._past(text, day_first=False)
        if self.order is not Order.DAY_FIRST:
            return self._without_order(text, found)
        if found[1] > MONTHS_A_YEAR:
            raise Unreadable(
                _("“%(value)s” has no month %(month)s: here the day comes first, as 30/11/2026.")
                % {"value": text, "month": found[1]}
            )
        return self._past(text, day_first=True)

    def _without_order(self, text: str, found: tuple[int, int, int]) -> date:
        evidence = _evidence(found)
        if evidence or found[0] == found[1]:
            return self._past(text, day_first=evidence == "dmy")
        raise Unreadable(
            _("“%(value)s” can be two days: say whether month or day comes first in this file.")
            % {"value": text}
        )

    def _past(self, text: str, *, day_first: bool) -> date:
        this_year = self.today.year - NEAR_FUTURE if self.past_years else None
        return read_day(text, this_year, day_first=day_first)


def two_digit_years(sheet: Sheet, columns: Columns) -> str:
    """The first day written with a year of two digits, "" when there is none."""
    for _number, text in _written(sheet, columns):
        found = numeric_day(text)
        named = re.search(r"[^\W\d_]+\W+(?:\d{1,2}\W+)?\d{2}$", text)
        if (found and found[2] < TWO_DIGITS) or named:
            return text
    return ""
