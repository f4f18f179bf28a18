"""Looks through an OpenDocument spreadsheet (ODS): how far it reaches, what it hides, its errors.

One cell of it can stand for millions by a number of repeats.
"""

from __future__ import annotations

import io
import zipfile
from typing import Any
from xml.parsers import expat

from volunteers.readers.looking import (
    BROKEN_XML,
    MAX_ALL_TEXT,
    MAX_MERGED,
    Looked,
    damaged,
    deeper,
    hold_length,
    locked,
    parse,
    refuse_entities,
    repeats_too_much,
)
from volunteers.readers.sheets import (
    MAX_CELLS,
    MAX_COLUMNS,
    MAX_LINES,
    MAX_ROWS,
    too_far,
    too_many_lines,
)

KIND = b"application/vnd.oasis.opendocument.spreadsheet"
PARTS = ("mimetype", "content.xml", "META-INF/manifest.xml")
COUNT = 9
"""Digits of a number of repeats that is still believed."""
HIDING = frozenset({"collapse", "filter"})


def is_spreadsheet(parts: dict[str, bytes]) -> bool:
    """True for the parts of an ODS file."""
    return parts.get("mimetype", b"").strip() == KIND and "content.xml" in parts


def packed(parts: dict[str, bytes]) -> bytes:
    """The parts that were looked through, and no other, as a file again."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED) as archive:
        for name in PARTS:
            if name in parts:
                archive.writestr(name, parts[name])
    return whole.getvalue()


def look_through(parts: dict[str, bytes]) -> dict[str, Looked]:
    """What each table holds, by name. Raises BadFile: locked, damaged, or more than a roster."""
    if b"encryption-data" in parts.get("META-INF/manifest.xml", b""):
        raise locked()
    look = _Look()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = refuse_entities
    parser.StartElementHandler = look.opened
    parser.EndElementHandler = look.closed
    parser.CharacterDataHandler = look.text
    try:
        parse(parser, parts["content.xml"])
    except BROKEN_XML:
        raise damaged() from None
    return look.tables


class _Look:
    """Reads the document without building it."""

    def __init__(self) -> None:
        self.tables: dict[str, Looked] = {}
        self.seen = Looked()
        self.row, self.column, self.length, self.repeated = 0, 0, 0, 1
        self.row_reach, self.row_text = 0, 0
        self.cell: dict[str, str] | None = None
        self.value: list[str] = []
        self.notes, self.depth, self.lines = 0, 0, 0
        self.faults: dict[int, str] = {}

    def opened(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        self.depth = deeper(self.depth)
        local = name.rpartition(":")[2]
        found = {key.rpartition(":")[2]: value for key, value in attributes.items()}
        if local == "table":
            self.seen = self.tables.setdefault(found.get("name", ""), Looked())
            self.row, self.column = 0, 0
        elif local == "table-column":
            self._columns(found)
        elif local == "table-row":
            self.lines += 1
            if self.lines > MAX_LINES:
                raise too_many_lines(self.lines)
            self.column, self.row_reach, self.row_text, self.faults = 0, 0, 0, {}
            self.repeated = _count(found.get("number-rows-repeated", "1"))
            if found.get("visibility") in HIDING and self.row < MAX_ROWS:
                last = min(self.row + self.repeated, MAX_ROWS)
                self.seen.hidden.update(range(self.row, last))
        elif local in {"table-cell", "covered-table-cell"}:
            # The kind of an error stands in an attribute of the same local name.
            self.cell, self.value = found | {"is_error": _is_error(attributes)}, []
        elif local == "annotation":
            self.notes += 1

    def _columns(self, found: dict[str, str]) -> None:
        count = _count(found.get("number-columns-repeated", "1"))
        if found.get("visibility") in HIDING and self.column < MAX_COLUMNS:
            last = min(self.column + count, MAX_COLUMNS)
            self.seen.hidden_columns.update(range(self.column, last))
        self.column += count

    def text(self, text: str) -> None:
        """Text stands between the elements."""
        if self.cell is not None and not self.notes:
            self.value.append(text)

    def closed(self, name: str) -> None:
        """An element ends."""
        self.depth -= 1
        local = name.rpartition(":")[2]
        if local in {"table-cell", "covered-table-cell"} and self.cell is not None:
            self._end_cell(self.cell)
            self.cell = None
        elif local == "annotation":
            self.notes -= 1
        elif local == "table-row":
            self._end_row()

    def _end_cell(self, cell: dict[str, str]) -> None:
        text = "".join(self.value).strip()
        count = _count(cell.get("number-columns-repeated", "1"))
        is_filled = bool(text or cell.get("value-type") or cell.get("formula"))
        hold_length(len(text))
        self._note_merged(cell)
        if is_filled:
            self.row_reach = self.column + count
            self.row_text += len(text) * count
            if cell["is_error"]:
                self.faults[self.column] = text or "#N/A"
            elif "formula" in cell and not text and not cell.get("value-type"):
                self.faults[self.column] = "="
        self.column += count

    def _note_merged(self, cell: dict[str, str]) -> None:
        rows = _count(cell.get("number-rows-spanned", "1"))
        columns = _count(cell.get("number-columns-spanned", "1"))
        if rows > 1 and len(self.seen.merged) < MAX_MERGED:
            area = (self.row, self.row + rows - 1, self.column, self.column + columns - 1)
            self.seen.merged.append(area)

    def _end_row(self) -> None:
        if self.row_reach:
            seen = self.seen
            seen.last_row = self.row + self.repeated
            seen.last_column = max(seen.last_column, self.row_reach)
            self.length += self.row_text * self.repeated
            if seen.last_row * seen.last_column > MAX_CELLS:
                raise too_far(seen.last_row, seen.last_column)
            if self.length > MAX_ALL_TEXT:
                raise repeats_too_much()
            for row in range(self.row, seen.last_row) if self.faults else ():
                for column, what in self.faults.items():
                    seen.note(row, column, what)
        self.row += self.repeated


def _is_error(attributes: dict[str, str]) -> Any:
    return "error" in {attributes.get("calcext:value-type"), attributes.get("office:value-type")}


def _count(text: str) -> int:
    """How often something repeats; a number too long to be true is damage."""
    if not text.isdecimal() or len(text) > COUNT:
        raise damaged()
    return max(int(text), 1)
