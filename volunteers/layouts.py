"""How files of one layout were read before, proposed for the next one. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from volunteers.readers import Choices, Order, Sheet, columns_of, order_of
from volunteers.readers.columns import plain
from volunteers.readers.days import Ordered

PROBLEM = frozenset({"problem", "problema"})
"""Headings of the column that is added to a file handed back; it says nothing of a person."""
FOUND = ("encoding", "delimiter", "sheet", "header_row")
"""What is found out from a file: a choice in its place fits only a file that was found alike."""


def layout_of(sheet: Sheet) -> str:
    """A mark of the kind of file and of its headings in their order."""
    headings = [plain(heading) for heading in without_problem(sheet.headings)]
    told = "\x1f".join(["workbook" if sheet.sheet else "text", *headings])
    return hashlib.sha256(told.encode()).hexdigest()


def without_problem(headings: list[str]) -> list[str]:
    """The headings without the column that we added at their end."""
    return headings[:-1] if headings and plain(headings[-1]) in PROBLEM else headings


def found_in(sheet: Sheet) -> dict[str, Any]:
    """What was found out from the file itself, as its options keep it."""
    return {name: getattr(sheet, name) for name in FOUND}


def read_alike(sheet: Sheet, before: Mapping[str, Any]) -> dict[str, Any]:
    """The choices made for an earlier file of this layout, as far as they fit this one.

    `before` are that file's options. A date order is kept where no day of the new file settles it.
    """
    found, was = found_in(sheet), before.get("found", {})
    known = {f.name for f in fields(Choices)}
    made = {name: value for name, value in before.items() if name in known}
    for name in FOUND:
        if found[name] != was.get(name):
            made.pop(name, None)
    open_order = Choices.from_options({**made, "date_order": ""})
    if not _leaves_order(order_of(sheet, columns_of(sheet, open_order), open_order)):
        made.pop("date_order", None)
    return made


def _leaves_order(found: Ordered) -> bool:
    """True when no day of the file settles the order, and none contradicts another."""
    if found.order is Order.OPEN:
        return found.month_first == found.day_first
    return not found.is_shown
