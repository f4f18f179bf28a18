"""Rows out of a workbook, XLSX, ODS or XLS, after a look through its parts.

Its cells are read in a process apart: a number in it can ask for gigabytes, and the reader then
ends the process it runs in.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from django.utils.translation import gettext as _

from registry.apart import run_apart
from volunteers.readers import apart, oldbooks, opendocument
from volunteers.readers.columns import find_header, fits_roster
from volunteers.readers.looking import (
    MAX_FAULTS,
    Area,
    Looked,
    damaged,
    locked,
    look_through,
    packed,
    sheet_parts,
    too_many_faults,
    too_much,
    unpacked,
)
from volunteers.readers.sheets import (
    MAX_CELLS,
    MAX_COLUMNS,
    MERGED,
    BadFile,
    Cell,
    Sheet,
    is_blank,
    too_far,
)

OLD_WORKBOOK = oldbooks.MARK
ANSWER = 32 * 2**20
"""Bytes of an answer that is still read."""
SECONDS = apart.SECONDS + 1


@dataclass(frozen=True, slots=True)
class _Book:
    """The tables that a workbook shows, and what was seen of each."""

    kind: str
    rows: Mapping[str, list[list[Cell]]]
    looked: Mapping[str, Looked | None]
    hidden: tuple[str, ...]


def read_workbook(content: bytes, wanted: str = "") -> Sheet:
    """The rows of the sheet wanted, else of the one that looks like a roster.

    Hidden sheets are never read. Raises BadFile with one sentence.
    """
    book = _old(content) if content.startswith(OLD_WORKBOOK) else _zipped(content)
    tables = {name: _table(rows, book.looked.get(name)) for name, rows in book.rows.items()}
    filled = {name: sheet for name, sheet in tables.items() if sheet.rows}
    if not filled:
        raise BadFile(_("The workbook's sheets are empty: drop the one that holds the roster."))
    chosen = _chosen(filled, wanted)
    if len(chosen.faults) > MAX_FAULTS:
        raise too_many_faults()
    return replace(chosen, kind=book.kind, hidden_sheets=book.hidden)


def _old(content: bytes) -> _Book:
    looked = oldbooks.look_through(content)
    read = _tables(content)
    seen = dict(zip(read.every, looked, strict=False))
    return _Book("xls", read.rows, seen, read.hidden)


def _zipped(content: bytes) -> _Book:
    parts = unpacked(content)
    if opendocument.is_spreadsheet(parts):
        found = opendocument.look_through(parts)
        read = _tables(opendocument.packed(parts))
        return _Book("ods", read.rows, found, read.hidden)
    if "xl/workbook.xml" not in parts:
        raise BadFile(
            _("This is no workbook that can be read here: save the roster as XLSX or CSV (UTF-8).")
        )
    seen = look_through(parts)
    looked = {name: seen.get(place) for name, place in sheet_parts(parts).items()}
    whole = packed(parts)
    parts.clear()
    read = _tables(whole)
    return _Book("xlsx", read.rows, looked, read.hidden)


def _chosen(tables: dict[str, Sheet], wanted: str) -> Sheet:
    fitting = [name for name, sheet in tables.items() if fits_roster(sheet)]
    name = wanted if wanted in tables else next(iter(fitting or tables))
    others = () if wanted in tables else tuple(other for other in fitting if other != name)
    return replace(tables[name], sheet=name, sheets=tuple(tables), also_fits=others)


@dataclass(frozen=True, slots=True)
class _Tables:
    """What was read apart."""

    rows: dict[str, list[list[Cell]]]
    """Of each sheet that is shown, by name."""
    hidden: tuple[str, ...]
    every: tuple[str, ...]
    """Names of all sheets in their order."""


def _tables(content: bytes) -> _Tables:
    """The rows of each sheet that is shown, and the names of all.

    Raises BadFile: locked, damaged, or more than can be read in bounded time and memory.
    """
    answer = run_apart(apart.__file__, content, seconds=SECONDS, most=ANSWER)
    if answer.code == 0:
        whole = json.loads(answer.output)
        rows = {name: _days(found) for name, found in whole["rows"].items()}
        return _Tables(rows, tuple(whole["hidden"]), tuple(whole["all"]))
    raise _refusal(answer.code, answer.output[:50].decode("ascii", "replace"))


def _refusal(code: int, answer: str) -> BadFile:
    if code == apart.PASSWORD:
        return locked()
    if code == apart.TOO_FAR and answer:
        row, column = answer.split()
        return too_far(int(row), int(column))
    return damaged() if code in {apart.DAMAGED, 1} else too_much()


def _days(rows: list[list[Any]]) -> list[list[Cell]]:
    return [[date.fromisoformat(c[0]) if isinstance(c, list) else c for c in row] for row in rows]


def _table(rows: list[list[Cell]], seen: Looked | None) -> Sheet:
    if seen is None:
        raise damaged()
    rows = [_trimmed(row) for row in rows]
    seen.faults |= dict.fromkeys(_merged_away(rows, seen.merged), MERGED)
    for row, column in seen.faults:
        _reach(rows, row, column)
    while rows and not rows[-1]:
        rows.pop()
    found = Sheet(
        rows=rows,
        faults=seen.faults,
        hidden=frozenset(seen.hidden),
        hidden_columns=frozenset(seen.hidden_columns),
    )
    return found.under(find_header(rows)) if rows else found


def _merged_away(rows: list[list[Cell]], areas: Iterable[Area]) -> Iterator[tuple[int, int]]:
    """Cells of filled rows that are merged with one above, and hold nothing of their own.

    Raises BadFile for areas that lie over each other, as no spreadsheet program merges cells.
    """
    covered = 0
    for first, last, left, right in areas:
        columns = range(left, min(right, MAX_COLUMNS) + 1)
        for row in range(first + 1, min(last, len(rows) - 1) + 1):
            covered += len(columns)
            if covered > MAX_CELLS:
                raise too_much()
            for column in columns if rows[row] else ():
                if column >= len(rows[row]) or is_blank(rows[row][column]):
                    yield row, column


def _reach(rows: list[list[Cell]], row: int, column: int) -> None:
    """A fault reads as an empty cell, which may lie beyond the last filled one."""
    while len(rows) <= row:
        rows.append([])
    rows[row].extend("" for _missing in range(column + 1 - len(rows[row])))


def _trimmed(row: list[Cell]) -> list[Cell]:
    while row and is_blank(row[-1]):
        row.pop()
    return row
