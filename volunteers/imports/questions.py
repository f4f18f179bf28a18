"""What a person must say before a file can be entered, each with the control that answers it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from django.utils.formats import date_format
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from volunteers.imports.cells import is_kind
from volunteers.readers.columns import FIELDS, Columns
from volunteers.readers.days import (
    EPOCHS,
    Order,
    Ordered,
    serial_day,
    serial_in,
    stand_in,
    year_to_come,
)
from volunteers.readers.letters import encoding_word
from volunteers.readers.sheets import Choices, Sheet, as_text, is_blank

MENTIONED = 10
MANY = 60
"""Letters of a row that a question shows."""


@dataclass(frozen=True, slots=True)
class Question:
    """One open question; the import stops until it is answered."""

    code: str
    text: str
    control: str
    """The form field that answers it."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How a file is read, and on which day."""

    sheet: Sheet
    columns: Columns
    ordered: Ordered
    choices: Choices
    today: date


def open_questions(about: Reading) -> list[Question]:
    """Everything about this file that cannot be known from the file alone."""
    return [
        *_about_letters(about),
        *_about_sheets(about.sheet, about.choices),
        *_about_header(about),
        *_about_columns(about.sheet, about.columns),
        *_about_kinds(about),
        *_about_days(about.ordered),
        *_about_numbers(about),
        *_about_stand_ins(about),
    ]


def _about_letters(about: Reading) -> Iterator[Question]:
    doubt = about.sheet.doubt
    if doubt is None:
        return
    ways = ", ".join(f"“{word}” ({encoding_word(name)})" for name, word in doubt.readings)
    text = _("The letters of line %(line)s can be read as %(ways)s. Say which is right.")
    if len(doubt.readings) == 1:
        text = _("The letters of line %(line)s are read as %(ways)s. Say whether that is right.")
    yield Question("encoding", text % {"line": doubt.line, "ways": ways}, "encoding")


def _about_header(about: Reading) -> Iterator[Question]:
    if about.sheet.has_header or about.choices.header_row or about.choices.columns is not None:
        return
    _number, first = next(about.sheet.lines())
    cells = "; ".join(filter(None, map(as_text, first)))
    text = _(
        "The first row (“%(cells)s”) looks like a person and not like headings: say in which row"
        " the headings stand, or that there are none."
    )
    yield Question("no_header", text % {"cells": Truncator(cells).chars(MANY)}, "header_row")


def _about_numbers(about: Reading) -> Iterator[Question]:
    found = None if about.choices.serials else serial_in(about.sheet, about.columns)
    if found:
        row, value = found
        days = {epoch: date_format(serial_day(value, epoch), "M j, Y") for epoch in EPOCHS}
        text = _(
            "“%(value)s” (row %(row)s) is a bare number where a date is expected. Counted from 1900"
            " it would be %(first)s, counted from 1904 %(second)s: say which, or refuse such rows."
        )
        told = text % {"value": value, "row": row, "first": days["1900"], "second": days["1904"]}
        yield Question("serials", told, "serials")
    asked = not about.choices.two_digit_years
    year = year_to_come(about.sheet, about.columns, about.today) if asked else None
    if year:
        row, value = year
        text = _(
            "“%(value)s” (row %(row)s) leaves the century open: say that a year of two digits is"
            " the latest one not after %(year)s, or refuse such rows."
        )
        told = text % {"value": value, "row": row, "year": about.today.year}
        yield Question("two_digit_years", told, "two_digit_years")


def _about_stand_ins(about: Reading) -> Iterator[Question]:
    found = None if about.choices.placeholders else stand_in(about.sheet, about.columns)
    if found:
        row, field, value = found
        text = _(
            "“%(value)s” (row %(row)s, %(field)s) stands for no date: say that such days are left"
            " empty, or refuse such rows."
        )
        told = text % {"value": value, "row": row, "field": FIELDS[field]}
        yield Question("placeholders", told, "placeholders")


def _about_sheets(sheet: Sheet, choices: Choices) -> Iterator[Question]:
    if sheet.also_fits and not choices.sheet:
        names = ", ".join(f"“{name}”" for name in (sheet.sheet, *sheet.also_fits))
        text = _("Several sheets look like a roster: %(names)s. Choose the one to bring in.")
        yield Question("sheet", text % {"names": names}, "sheet")


def _about_columns(sheet: Sheet, columns: Columns) -> Iterator[Question]:
    for missing in columns.missing:
        yield Question(f"{missing}_missing", _missing(missing), _first_unused(columns))
    for field, places in columns.rivals.items():
        names = ", ".join(f"“{_heading(sheet, place)}”" for place in places)
        text = _("Several columns could be “%(field)s”: %(names)s. Set all but one to “not used”.")
        told = text % {"field": FIELDS[field], "names": names}
        yield Question(f"{field}_twice", told, f"column_{places[0]}")
    for place in columns.doubtful:
        text = _(
            "“%(name)s” may say when somebody left, or only until when dues are paid:"
            " set it to “Leave date” or “not used”."
        )
        told = text % {"name": _heading(sheet, place)}
        yield Question("leave_date_doubtful", told, f"column_{place}")


def _about_kinds(about: Reading) -> Iterator[Question]:
    """A column of fees or sorts of dues is named like one of kinds and seldom is one."""
    place = about.columns.places.get("kind")
    if place is None or about.choices.columns is not None:
        return
    cells = [(n, row[place]) for n, row in about.sheet.lines() if place < len(row)]
    filled = [(number, cell) for number, cell in cells if not is_blank(cell)]
    strange = [(number, as_text(cell)) for number, cell in filled if not is_kind(cell)]
    if 2 * len(strange) <= len(filled):
        return
    row, value = strange[0]
    text = _(
        "“%(name)s” holds “%(value)s” (row %(row)s) and says hardly anywhere that somebody is a"
        " member or a volunteer: set it to “not used”, or to “%(field)s” if it means that."
    )
    told = {"name": _heading(about.sheet, place), "value": value, "row": row}
    told["field"] = str(FIELDS["kind"])
    yield Question("kind", text % told, f"column_{place}")


def _missing(field: str) -> str:
    if field == "starts_on":
        return _(
            "No column says since when each person belongs: choose it below, or add a column"
            " “Join date” to the file. Today is never put in its place."
        )
    if field == "full_name":
        return _(
            "No column holds the names: choose it below, or add a column “Full name” to the file."
        )
    return _(
        "Only one part of the names has a column: choose the column “%(field)s”, or set the other"
        " one to “Full name” if it holds the whole."
    ) % {"field": FIELDS[field]}


def _first_unused(columns: Columns) -> str:
    used = set(columns.places.values())
    return f"column_{next(place for place in range(len(used) + 1) if place not in used)}"


def _heading(sheet: Sheet, place: int) -> str:
    headings = sheet.headings
    told = headings[place] if place < len(headings) else ""
    number = {"number": place + 1}
    if sum(heading == told for heading in headings) > 1:
        return _("%(heading)s, column %(number)s") % {"heading": told, **number}
    return told or _("column %(number)s") % number


def _about_days(ordered: Ordered) -> Iterator[Question]:
    if ordered.order is not Order.OPEN or not ordered.month_first or not ordered.day_first:
        return
    (row, month_first), (other, day_first) = ordered.month_first, ordered.day_first
    if ordered.month_first == ordered.day_first:
        text = _("“%(day)s” (row %(row)s) can be two days. Say whether month or day comes first.")
        told = text % {"day": month_first, "row": row}
    else:
        text = _(
            "The dates contradict each other: “%(month)s” (row %(row)s) has the month first,"
            " “%(day)s” (row %(other)s) the day. Say which order the file means."
        )
        told = text % {"month": month_first, "row": row, "day": day_first, "other": other}
    yield Question("date_order", told, "date_order")


def hidden_said(sheet: Sheet, choices: Choices) -> list[str]:
    """What a spreadsheet hides, a sentence each."""
    return [*_hidden_rows(sheet, choices), *_hidden(sheet)]


def _hidden_rows(sheet: Sheet, choices: Choices) -> Iterator[str]:
    rows = sorted(number + 1 for number in sheet.hidden if number >= sheet.header_row)
    if not rows:
        return
    if choices.hidden_rows:
        told = ngettext(
            "%(count)s row is hidden in the spreadsheet: %(rows)s.",
            "%(count)s rows are hidden in the spreadsheet: %(rows)s.",
            len(rows),
        )
    else:
        told = ngettext(
            "%(count)s row is hidden in the spreadsheet and left out: %(rows)s.",
            "%(count)s rows are hidden in the spreadsheet and left out: %(rows)s.",
            len(rows),
        )
    first = ", ".join(map(str, rows[:MENTIONED])) + ("…" if len(rows) > MENTIONED else "")
    yield told % {"count": len(rows), "rows": first}


def _hidden(sheet: Sheet) -> Iterator[str]:
    columns = [_heading(sheet, place) for place in sorted(sheet.hidden_columns)]
    if columns:
        text = _("Columns are hidden in the spreadsheet and not used: %(names)s.")
        yield text % {"names": ", ".join(columns)}
    if sheet.hidden_sheets:
        text = _("Sheets are hidden in the workbook and not read: %(names)s.")
        yield text % {"names": ", ".join(sheet.hidden_sheets)}
