"""Takes Social Security numbers out of a file before anything of it is kept (F.S. 119.071(5))."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from registry.entries import SSN, has_ssn
from volunteers.readers.columns import plain
from volunteers.readers.sheets import Cell, Sheet, as_text, is_blank
from volunteers.readers.tables import ZIP, read_file
from volunteers.readers.workbooks import OLD_WORKBOOK

REMOVED = "[SSN removed]"
"""Stands in a kept file where such a number stood; the row is refused by it."""
HEADING = re.compile(
    r"ssn?|s s n?|social|(?:last 4 )?ssn .*|.* ssn(?: .*)?|.*\bsoc(?:ial)? sec(?:urity)?\b.*"
    r"|.*\bseguro social\b.*"
)
TYPED = re.compile(r">\s*(?:s\.?s\.?n\.?|ss ?#|social|soc[^<]{0,6} sec[^<]*)\s*<", re.IGNORECASE)
DIGITS = 9
FEW, MOST = 3, 0.5
"""A column of at least three such numbers, in more than half its cells, is one of them."""


@dataclass(frozen=True, slots=True)
class Received:
    """A file as it may be kept, and what was taken out of it."""

    content: bytes
    dropped: tuple[str, ...] = ()
    """Headings of columns of Social Security numbers."""
    removed: int = 0
    """How many single cells held such a number."""
    is_rewritten: bool = False


def received(name: str, content: bytes) -> Received:
    """The file without Social Security numbers. Raises BadFile when it cannot be read."""
    sheet = read_file(name, content)
    dropped = _ssn_columns(sheet)
    clean = _without(sheet, dropped)
    removed = sum(cell == REMOVED for row in clean.rows for cell in row)
    removed -= sum(cell == REMOVED for row in sheet.rows for cell in row)
    elsewhere = _holds_elsewhere(content)
    if not (dropped or removed or elsewhere):
        return Received(content)
    headings = tuple(_heading(sheet, place) for place in sorted(dropped))
    return Received(written(clean), headings, removed, is_rewritten=True)


def _heading(sheet: Sheet, place: int) -> str:
    headings = sheet.headings
    told = headings[place] if place < len(headings) else ""
    return told if told and not has_ssn(told) else _("column %(number)s") % {"number": place + 1}


def _ssn_columns(sheet: Sheet) -> set[int]:
    width = max((len(row) for row in sheet.rows), default=0)
    named = {
        place for place, heading in enumerate(sheet.headings) if HEADING.fullmatch(plain(heading))
    }
    held = [0] * width
    filled = [0] * width
    for _number, row in sheet.lines():
        for place, cell in enumerate(row):
            if not is_blank(cell):
                filled[place] += 1
                held[place] += _may_hold(cell) and SSN.fullmatch(as_text(cell)) is not None
    return named | {p for p in range(width) if held[p] >= FEW and held[p] > MOST * filled[p]}


def _without(sheet: Sheet, dropped: set[int]) -> Sheet:
    """The table without those numbers, and without what it hides: text can hide nothing."""
    rows: list[list[Cell]] = [
        []
        if number in sheet.hidden and number >= sheet.header_row
        else [
            "" if place in sheet.hidden_columns else _cleaned(cell)
            for place, cell in enumerate(row)
            if place not in dropped
        ]
        for number, row in enumerate(sheet.rows)
    ]
    faults = sheet.faults.items()
    kept = {(row, p): what for (row, p), what in faults if p not in dropped and rows[row]}
    for (row, place), what in kept.items():
        shift = sum(gone < place for gone in dropped)
        rows[row][place - shift] = what if what.startswith("#") else "#FORMULA!"
    return replace(sheet, rows=rows)


def _cleaned(cell: Cell) -> Cell:
    return REMOVED if _may_hold(cell) and has_ssn(as_text(cell)) else cell


def _may_hold(cell: Cell) -> bool:
    """A quick look before the slow one: nine digits at least."""
    return isinstance(cell, str) and len(cell) >= DIGITS


def _holds_elsewhere(content: bytes) -> bool:
    """True when a part of the workbook that is not shown holds such a number: it is not kept."""
    from volunteers.readers.looking import unpacked

    if content.startswith(OLD_WORKBOOK):
        texts = iter([content.decode("latin-1"), content.decode("latin-1").replace("\0", "")])
    elif content.startswith(ZIP):
        texts = (part.decode("utf-8", "replace") for part in unpacked(content).values())
    else:
        return False
    return any(SSN.search(text) or TYPED.search(text) for text in texts)


def written(sheet: Sheet) -> bytes:
    """The table as CSV in the file's own encoding and delimiter; a workbook's as CSV (UTF-8).

    Letters that can be read in several ways stay the bytes they are.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=sheet.delimiter or ",")
    writer.writerows(_texts(row) for row in sheet.rows)
    wide = not sheet.encoding or sheet.encoding.startswith(("utf-16", "utf-32"))
    return text.getvalue().encode("utf-8-sig" if wide else sheet.encoding)


def _texts(row: Sequence[Cell]) -> list[str]:
    return [cell if isinstance(cell, str) else cell.isoformat() for cell in row]
