"""Rows out of an XLSX workbook, after a look through its parts."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime
from typing import Any

from django.utils.translation import gettext as _

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

OLD_WORKBOOK = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def read_workbook(content: bytes, wanted: str = "") -> Sheet:
    """The rows of the sheet wanted, else of the one that looks like a roster.

    Hidden sheets are never read. Raises BadFile with one sentence.
    """
    parts = unpacked(content)
    if "xl/workbook.xml" not in parts:
        raise BadFile(
            _("This is no workbook that can be read here: save the roster as XLSX or CSV (UTF-8).")
        )
    looked = look_through(parts)
    places = sheet_parts(parts)
    tables = _tables(parts, {name: looked.get(place) for name, place in places.items()})
    filled = {name: sheet for name, sheet in tables.items() if sheet.rows}
    if not filled:
        raise BadFile(_("The workbook's sheets are empty: drop the one that holds the roster."))
    return _chosen(filled, wanted)


def _chosen(tables: dict[str, Sheet], wanted: str) -> Sheet:
    fitting = [name for name, sheet in tables.items() if fits_roster(sheet)]
    name = wanted if wanted in tables else next(iter(fitting or tables))
    others = () if wanted in tables else tuple(other for other in fitting if other != name)
    return replace(tables[name], sheet=name, sheets=tuple(tables), also_fits=others)


def _tables(parts: dict[str, bytes], looked: dict[str, Looked | None]) -> dict[str, Sheet]:
    import python_calamine as calamine

    whole = packed(parts)
    parts.clear()
    try:
        with calamine.CalamineWorkbook.from_filelike(whole) as book:
            shown = [
                sheet.name
                for sheet in book.sheets_metadata
                if sheet.typ is calamine.SheetTypeEnum.WorkSheet
                and sheet.visible is calamine.SheetVisibleEnum.Visible
            ]
            return {name: _table(book.get_sheet_by_name(name), looked.get(name)) for name in shown}
    except calamine.CalamineError:
        raise damaged() from None
    except BaseException as panic:
        # The reader's own faults come as a panic, which is no Exception and would end the worker.
        if type(panic).__name__ != "PanicException":
            raise
        raise damaged() from None


def _table(sheet: Any, seen: Looked | None) -> Sheet:
    if seen is None:
        raise damaged()
    rows = [_trimmed([_cell(value) for value in row]) for row in sheet.iter_rows()]
    faults = seen.faults
    for row, column in faults:
        _reach(rows, row, column)
    while rows and not rows[-1]:
        rows.pop()
    found = Sheet(rows=rows, faults=faults, hidden=frozenset(seen.hidden))
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


def _cell(value: Any) -> Cell:
    """Days stay days, numbers become the digits a person would type."""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, (str, date)):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    is_whole = isinstance(value, float) and value.is_integer()
    return "" if value is None else str(int(value) if is_whole else value)
