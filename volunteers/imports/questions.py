"""What a person must say before a file can be entered, each with the control that answers it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from volunteers.readers.columns import FIELDS, Columns
from volunteers.readers.days import Order, Ordered
from volunteers.readers.sheets import Choices, Sheet


@dataclass(frozen=True, slots=True)
class Question:
    """One open question; the import stops until it is answered."""

    code: str
    text: str
    control: str
    """The form field that answers it."""


def open_questions(
    sheet: Sheet, columns: Columns, ordered: Ordered, choices: Choices
) -> list[Question]:
    """Everything about this file that cannot be known from the file alone."""
    return [
        *_about_sheets(sheet, choices),
        *_about_columns(sheet, columns),
        *_about_days(ordered),
    ]


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


def _missing(field: str) -> str:
    if field == "starts_on":
        return _(
            "No column says since when each person belongs: choose it below, or add a column"
            " “Join date” to the file. Today is never put in its place."
        )
    return _("No column holds the names: choose it below, or add a column “Full name” to the file.")


def _first_unused(columns: Columns) -> str:
    used = set(columns.places.values())
    return f"column_{next(place for place in range(len(used) + 1) if place not in used)}"


def _heading(sheet: Sheet, place: int) -> str:
    headings = sheet.headings
    told = headings[place] if place < len(headings) else ""
    return told or _("column %(number)s") % {"number": place + 1}


def _about_days(ordered: Ordered) -> Iterator[Question]:
    if ordered.order is not Order.OPEN or not ordered.month_first or not ordered.day_first:
        return
    (row, month_first), (other, day_first) = ordered.month_first, ordered.day_first
    if row == other:
        text = _("“%(day)s” (row %(row)s) can be two days. Say whether month or day comes first.")
        told = text % {"day": month_first, "row": row}
    else:
        text = _(
            "The dates contradict each other: “%(month)s” (row %(row)s) has the month first,"
            " “%(day)s” (row %(other)s) the day. Say which order the file means."
        )
        told = text % {"month": month_first, "row": row, "day": day_first, "other": other}
    yield Question("date_order", told, "date_order")
