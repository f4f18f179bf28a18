"""What a person can say about reading a file: one control for each of the reading's choices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from volunteers.imports import Understood
from volunteers.models import Kind
from volunteers.readers import Choices
from volunteers.readers.letters import ENCODINGS
from volunteers.readers.sheets import NO_HEADER, Sheet, as_text

DELIMITERS = {
    ",": gettext_lazy("Comma"),
    ";": gettext_lazy("Semicolon"),
    "\t": gettext_lazy("Tab"),
    "|": gettext_lazy("Vertical bar"),
}
TABULATOR = "tab"
"""A tab is no value that survives a form."""
ORDERS = {
    "mdy": gettext_lazy("Month first: 3/4/2026 is March 4"),
    "dmy": gettext_lazy("Day first: 3/4/2026 is April 3"),
}
SERIALS = {
    "1900": gettext_lazy("Days since 1900, as Excel counts: 46356 is Nov 30, 2026"),
    "1904": gettext_lazy("Days since 1904, as old Macintosh files count"),
    "refuse": gettext_lazy("No dates: refuse these rows"),
}
PLACEHOLDERS = {
    "empty": gettext_lazy("No date is known: leave it empty"),
    "refuse": gettext_lazy("Refuse these rows"),
}
HIDDEN = {"": gettext_lazy("Leave them out"), "yes": gettext_lazy("Take them in")}
HEADERS_OFFERED, SHOWN = 10, 70
LONG = 5
"""No column's place has so many digits."""


@dataclass(frozen=True, slots=True)
class Control:
    """One choice of the reading, with what is offered and what was understood."""

    name: str
    """The field of Choices that it fills."""
    label: Any
    offered: Callable[[Understood], Mapping[str, Any]]
    """Words by value; nothing where the file leaves nothing to choose."""
    found: Callable[[Understood], str]


def _encodings(seen: Understood) -> Mapping[str, Any]:
    own, doubt = seen.sheet.encoding, seen.sheet.doubt
    read = {name: name for name, _word in doubt.readings} if doubt else {}
    return {own: own, **read, **ENCODINGS} if own else {}


def _delimiters(seen: Understood) -> Mapping[str, Any]:
    own = seen.sheet.delimiter
    offered = {own: f"“{own}”", **DELIMITERS} if own else {}
    return {TABULATOR if mark == "\t" else mark: name for mark, name in offered.items()}


def _sheets(seen: Understood) -> Mapping[str, Any]:
    return {name: name for name in seen.sheet.sheets} if seen.sheet.sheet else {}


def _headers(seen: Understood) -> Mapping[str, Any]:
    """The rows that may be the header, with what stands in them, and none at all."""
    found: dict[str, Any] = {}
    for number, row in enumerate(seen.sheet.rows, 1):
        if told := " · ".join(filter(None, (as_text(cell) for cell in row))):
            found[str(number)] = _("Row %(row)s: %(cells)s") % {
                "row": number,
                "cells": told[:SHOWN],
            }
        if len(found) >= HEADERS_OFFERED and number >= seen.sheet.header_row:
            break
    return {**found, str(NO_HEADER): _("There is none: every row is a person")}


def _orders(seen: Understood) -> Mapping[str, Any]:
    return {} if seen.ordered.order in {"", "ymd"} else ORDERS


def _years(seen: Understood) -> Mapping[str, Any]:
    day = seen.two_digit_day
    if not day and not seen.choices.two_digit_years:
        return {}
    refused = _("Ask for four digits: “%(day)s” is refused") % {"day": day or "3/4/65"}
    past = _("The latest year that is not to come: 65 is 1965, 25 is 2025")
    return {"refuse": refused, "past": past}


def _when_asked(name: str, offered: Mapping[str, Any]) -> Callable[[Understood], Mapping[str, Any]]:
    """Offered while a question is open about it, and once it was answered."""

    def offer(seen: Understood) -> Mapping[str, Any]:
        asked = name in {question.control for question in seen.questions}
        return offered if asked or getattr(seen.choices, name) else {}

    return offer


def _chosen(name: str, usual: str = "") -> Callable[[Understood], str]:
    return lambda seen: str(getattr(seen.choices, name) or usual)


CONTROLS = (
    Control("encoding", gettext_lazy("Letters"), _encodings, lambda seen: seen.sheet.encoding),
    Control(
        "delimiter",
        gettext_lazy("Cells are divided by"),
        _delimiters,
        lambda seen: seen.sheet.delimiter.replace("\t", TABULATOR),
    ),
    Control("sheet", gettext_lazy("Sheet"), _sheets, lambda seen: seen.sheet.sheet),
    Control("header_row", gettext_lazy("Header"), _headers, lambda seen: _header(seen.sheet)),
    Control(
        "hidden_rows",
        gettext_lazy("Rows that the spreadsheet hides"),
        lambda seen: HIDDEN if seen.sheet.hidden else {},
        lambda seen: "yes" if seen.choices.hidden_rows else "",
    ),
    Control(
        "date_order",
        gettext_lazy("Dates in numbers"),
        _orders,
        lambda seen: str(seen.ordered.order),
    ),
    Control(
        "two_digit_years",
        gettext_lazy("Years of two digits"),
        _years,
        _chosen("two_digit_years", "refuse"),
    ),
    Control(
        "serials",
        gettext_lazy("Bare numbers in place of dates"),
        _when_asked("serials", SERIALS),
        _chosen("serials"),
    ),
    Control(
        "placeholders",
        gettext_lazy("Dates that stand for none"),
        _when_asked("placeholders", PLACEHOLDERS),
        _chosen("placeholders"),
    ),
    Control(
        "kind",
        gettext_lazy("Where the file does not say the kind"),
        lambda _seen: dict(Kind.choices),
        _chosen("kind"),
    ),
)


def _header(sheet: Sheet) -> str:
    return str(sheet.header_row or NO_HEADER)


def as_choice(name: str, value: str) -> Any:
    """What a control sends as the reading's choice of that name."""
    if name == "header_row":
        return int(value or 0)
    if name == "hidden_rows":
        return value == "yes"
    return "\t" if value == TABULATOR else value


def columns_sent(sent: Mapping[str, str]) -> dict[int, str]:
    """Field by the column's place, out of what a form sent."""
    found = {name.removeprefix("column_"): field for name, field in sent.items()}
    return {
        int(place): field
        for place, field in found.items()
        if f"column_{place}" in sent and place.isascii() and place.isdigit() and len(place) < LONG
    }


def low_level(sent: Mapping[str, str], stored: Understood, *, is_stored_shown: bool) -> Choices:
    """The choices that decide which cells there are, out of what a form sent.

    Where the page still showed the stored reading, another sheet or delimiter has another header.
    """
    made: dict[str, Any] = {}
    for name in ("encoding", "delimiter", "sheet"):
        if name in sent:
            made[name] = as_choice(name, str(sent[name]))
    if made.get("encoding") not in {*ENCODINGS, stored.sheet.encoding, None}:
        made["encoding"] = ""
    if made.get("delimiter") not in {*DELIMITERS, stored.sheet.delimiter, None}:
        made["delimiter"] = ""
    header = str(sent.get("header_row", ""))
    moved = any(
        made.get(name) not in {None, "", getattr(stored.sheet, name)}
        for name in ("delimiter", "sheet")
    )
    if header.removeprefix("-").isdecimal() and not (moved and is_stored_shown):
        made["header_row"] = max(NO_HEADER, int(header[:6]))
    made["hidden_rows"] = sent.get("hidden_rows") == "yes"
    return Choices(**made)
