"""Days in a file: one order for the whole file, settled by the days that leave no doubt."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from functools import lru_cache

from django.utils.translation import gettext as _

from registry.entries import (
    MONTHS_A_YEAR,
    NEAR_FUTURE,
    Unreadable,
    is_placeholder,
    numeric_day,
    read_day,
)
from volunteers.readers.columns import DAYS, Columns
from volunteers.readers.sheets import Cell, Choices, Sheet, as_text, is_blank

TWO_DIGITS = 100
SERIAL = re.compile(r"\d{1,7}(?:\.\d+)?")
EXCEL_SERIAL = re.compile(r"[1-9]\d{4}(?:\.\d+)?")
"""From 1927 to 2173: shorter numbers are years or nothing, longer ones days without marks."""
EPOCHS = {"1900": date(1899, 12, 30), "1904": date(1904, 1, 1)}
STAND_INS = frozenset(
    {date(1, 1, 1), date(1753, 1, 1), date(1899, 12, 30), date(1899, 12, 31), date(1900, 1, 1)}
    | {date(1904, 1, 1), date(2099, 12, 31), date(2999, 12, 31), date(9999, 12, 31)}
)
"""Days that programs write where nobody gave them one."""
CLOCK = re.compile(
    r"(.*\d),?[T ](?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?"
    r"(?: ?[ap]\.?m\.?)?(?: ?Z| ?UTC|[+-]\d{2}:?\d{2})?",
    re.IGNORECASE,
)
"""A day with the time of day behind it, as programs write one."""
LONGEST = 60
"""Letters of a day with its time."""
STAND_IN_NUMBER = re.compile(r"0+|0{2,8}|9{6,8}")
NO_YEAR = re.compile(
    r"0{1,4}([/.-]?)0{1,2}\1(?:0{4}|0{1,2})"
    r"|\d{1,2}([/.-])\d{1,2}\2(?:0000|0001|9999)|(?:0000|0001|9999)([/.-])\d{1,2}\3\d{1,2}"
)
SHORT_YEAR = re.compile(r"[^\W\d_]+\W+(?:\d{1,2}\W+)?(\d{2})$")
STAND_IN_YEARS = frozenset(f"{day.year:04}" for day in STAND_INS)
NO_LEAVE_DATE = frozenset({"-", "--", "n/a", "na", "none", "open", "present", "current", "active"})
OPTIONAL_DAYS = ("ends_on", "born_on", "activity_on")
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
            cell = row[place] if place < len(row) else ""
            if isinstance(cell, str) and 0 < len(cell) <= LONGEST:
                yield number, written_day(cell)


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


class StandIn(Unreadable):
    """A day, or a word in its place, that stands for none."""


@dataclass(frozen=True, slots=True)
class DayReader:
    """Reads the day in a cell by the file's order."""

    order: Order
    today: date
    past_years: bool = False
    """A year of two digits is the latest one that is not to come."""
    serials: str = ""
    """A key of EPOCHS, where a person said what bare numbers count from."""

    def read(self, cell: Cell) -> date:
        """The day; Unreadable with one sentence that names the value and the remedy.

        StandIn for 1900-01-01, 00/00/0000, “unknown” and their like.
        """
        text = written_day(cell)
        found = cell if isinstance(cell, date) else self._written(text)
        if found in STAND_INS:
            raise StandIn(_stands_for_none(text))
        return found

    def _written(self, text: str) -> date:
        if len(text) > LONGEST:
            raise Unreadable(
                _("“%(value)s…” is too long for a date: write month, day and year, as 11/30/2026.")
                % {"value": text[:LONGEST]}
            )
        if self.serials in EPOCHS and EXCEL_SERIAL.fullmatch(text):
            return serial_day(text, self.serials)
        if SERIAL.fullmatch(text) and not STAND_IN_NUMBER.fullmatch(text):
            raise Unreadable(
                _(
                    "“%(value)s” is a bare number, not a date: format the column as dates in the"
                    " spreadsheet, or write 11/30/2026."
                )
                % {"value": text}
            )
        if is_stand_in(text):
            raise StandIn(_stands_for_none(text))
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


def written_day(cell: Cell) -> str:
    """What a cell says of a day, without the time of day and the mark that keeps it text."""
    text = as_text(cell).lstrip("'")
    match = CLOCK.fullmatch(text) if len(text) <= LONGEST else None
    return match[1] if match else text


def serial_day(text: str, epoch: str) -> date:
    """The day that a spreadsheet's number means, counted from 1900 or 1904."""
    return EPOCHS[epoch] + timedelta(days=int(float(text)))


def is_stand_in(cell: Cell) -> bool:
    """True for what stands for no day: 1900-01-01, 0000-00-00, 12/31/9999, n/a, unknown."""
    if isinstance(cell, date):
        return cell in STAND_INS
    return len(cell) <= LONGEST and _text_stands_in(cell)


@lru_cache(maxsize=4096)
def _text_stands_in(cell: str) -> bool:
    text = written_day(cell)
    if is_placeholder(text) or STAND_IN_NUMBER.fullmatch(text) or NO_YEAR.fullmatch(text):
        return True
    try:
        return any(year in text for year in STAND_IN_YEARS) and read_day(text) in STAND_INS
    except Unreadable:
        return False


def _stands_for_none(text: str) -> str:
    return _("“%(value)s” stands for no date: leave it empty, or write the day as 11/30/2026.") % {
        "value": text
    }


def serial_in(sheet: Sheet, columns: Columns) -> tuple[int, str] | None:
    """Row and text of the first bare number in place of a day."""
    return next((w for w in _written(sheet, columns) if EXCEL_SERIAL.fullmatch(w[1])), None)


def stand_in(sheet: Sheet, columns: Columns) -> tuple[int, str, str] | None:
    """Row, field and text of the first day that stands for none, where none is needed."""
    for number, row in sheet.lines():
        for field in OPTIONAL_DAYS:
            place = columns.places.get(field, len(row))
            cell = row[place] if place < len(row) else ""
            is_open = field == "ends_on" and as_text(cell).casefold() in NO_LEAVE_DATE
            if not is_blank(cell) and not is_open and is_stand_in(cell):
                return number, field, as_text(cell)
    return None


def two_digit_years(sheet: Sheet, columns: Columns) -> str:
    """The first day written with a year of two digits, "" when there is none."""
    return next((text for _row, text, _year in _short_years(sheet, columns)), "")


def year_to_come(sheet: Sheet, columns: Columns, today: date) -> tuple[int, str] | None:
    """Row and text of the first day whose year of two digits would lie in the future as 20.."""
    short = _short_years(sheet, columns)
    return next((w[:2] for w in short if w[2] > today.year % TWO_DIGITS), None)


def _short_years(sheet: Sheet, columns: Columns) -> Iterator[tuple[int, str, int]]:
    for number, text in _written(sheet, columns):
        found = numeric_day(text)
        if found and found[2] < TWO_DIGITS:
            yield number, text, found[2]
        elif named := SHORT_YEAR.search(text):
            yield number, text, int(named[1])
