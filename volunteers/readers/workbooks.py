"""Rows out of a workbook, XLSX, ODS or XLS, after a look through its parts."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from volunteers.readers import oldbooks, opendocument
from volunteers.readers.apart import plain_cell, shown_sheets
from volunteers.readers.columns import find_header, fits_roster
from volunteers.readers.looking import (
    Looked,
    damaged,
    look_through,
    packed,
    sheet_parts,
    unpacked,
)
from volunteers.readers.sheets import BadFile, Cell, Sheet, is_blank

OLD_WORKBOOK = oldbooks.MARK


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
    return replace(_chosen(filled, wanted), kind=book.kind, hidden_sheets=book.hidden)


def _old(content: bytes) -> _Book:
    looked = oldbooks.look_through(content)
    read = oldbooks.tables(content)
    seen = dict(zip(read.every, looked, strict=False))
    return _Book("xls", read.rows, seen, read.hidden)


def _zipped(content: bytes) -> _Book:
    parts = unpacked(content)
    if opendocument.is_spreadsheet(parts):
        found = opendocument.look_through(parts)
        rows, hidden = _tables(opendocument.packed(parts))
        return _Book("ods", rows, found, hidden)
    if "xl/workbook.xml" not in parts:
        raise BadFile(
            _("This is no workbook that can be read here: save the roster as XLSX or CSV (UTF-8).")
        )
    seen = look_through(parts)
    looked = {name: seen.get(place) for name, place in sheet_parts(parts).items()}
    whole = packed(parts)
    parts.clear()
    rows, hidden = _tables(whole)
    return _Book("xlsx", rows, looked, hidden)


def _chosen(tables: dict[str, Sheet], wanted: str) -> Sheet:
    fitting = [name for name, sheet in tables.items() if fits_roster(sheet)]
    name = wanted if wanted in tables else next(iter(fitting or tables))
    others = () if wanted in tables else tuple(other for other in fitting if other != name)
    return replace(tables[name], sheet=name, sheets=tuple(tables), also_fits=others)


def _tables(whole: io.BytesIO) -> tuple[dict[str, list[list[Cell]]], tuple[str, ...]]:
    import python_calamine as calamine

    try:
        with calamine.CalamineWorkbook.from_filelike(whole) as book:
            shown, hidden = shown_sheets(book)
            sheets = {name: book.get_sheet_by_name(name) for name in shown}
            return {name: _rows(sheet.iter_rows()) for name, sheet in sheets.items()}, tuple(hidden)
    except calamine.CalamineError:
        raise damaged() from None
    except BaseException as panic:
        # The reader's own faults come as a panic, which is no Exception and would end the worker.
        if type(panic).__name__ != "PanicException":
            raise
        raise damaged() from None


def _rows(found: Iterable[list[Any]]) -> list[list[Cell]]:
    return [_trimmed([plain_cell(value) for value in row]) for row in found]


def _table(rows: list[list[Cell]], seen: Looked | None) -> Sheet:
    if seen is None:
        raise damaged()
    rows = [_trimmed(row) for row in rows]
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


def _reach(rows: list[list[Cell]], row: int, column: int) -> None:
    """A fault reads as an empty cell, which may lie beyond the last filled one."""
    while len(rows) <= row:
        rows.append([])
    rows[row].extend("" for _missing in range(column + 1 - len(rows[row])))


def _trimmed(row: list[Cell]) -> list[Cell]:
    while row and is_blank(row[-1]):
        row.pop()
    return row
