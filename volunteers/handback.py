"""A roster file handed back: its rows and cells as they were read, and what is wrong beside."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from volunteers.comparing import Status
from volunteers.filerows import FileRows
from volunteers.imports import Understood
from volunteers.layouts import PROBLEM
from volunteers.readers.columns import plain
from volunteers.readers.sheets import Cell


def with_problems(seen: Understood, judged: FileRows, heading: str) -> Iterator[list[Any]]:
    """Every row of the file as it was read, one column more; the reader takes it as no field.

    A column of problems that was handed back before is replaced.
    """
    sheet = seen.sheet
    told = {row.number: row.told for row in judged.rows(Status.REFUSED)}
    headings = sheet.headings
    before = {place for place, text in enumerate(headings) if plain(text) in PROBLEM}
    width = max((len(row) for row in sheet.rows), default=0)
    if not sheet.has_header:
        yield [*_padded([], before, width), heading]
    for number, row in enumerate(sheet.rows, 1):
        last = heading if number == sheet.header_row else told.get(number, "")
        yield [*_padded(row, before, width), last]


def _padded(row: list[Cell], without: set[int], width: int) -> Iterator[Cell]:
    places = zip_longest(range(width), row, fillvalue="")
    return (cell for place, cell in places if place not in without)
