"""Looks through a workbook's parts before anything builds its cells: how far, how much, what.

A few kilobytes can ask for a million rows, a billion cells or endless text. What is looked
through here is packed anew, so that what was checked is what is read.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any
from xml.parsers import expat

from django.utils.translation import gettext as _

from volunteers.readers.sheets import (
    MAX_CELLS,
    MAX_COLUMNS,
    MAX_LINES,
    BadFile,
    too_far,
    too_many_lines,
)

MAX_UNPACKED = 20 * 2**20
MAX_PARTS = 2_000
MAX_TEXT = 32_767
"""Letters in one cell: a spreadsheet's own limit."""
MAX_ALL_TEXT = 32 * 2**20
PLAIN_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
UNREADABLE = (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, ValueError, OSError)
OTHER_WORKBOOKS = re.compile(r"(?:.*\.bin|content\.xml|mimetype|META-INF/.*)$", re.IGNORECASE)
"""Parts by which the file would be read as another kind, which nobody looked through."""
PLACE = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6})")
LONG_TAG = re.compile(rb"<[^<>]{200000}")
"""One tag of so many bytes holds more attributes than any spreadsheet program writes."""
MAX_EVENTS = 3_000_000
"""Beginnings and ends of elements: twenty thousand rows of forty cells hold fewer."""
MAX_FAULTS = 10_000
"""Cells with errors that are still named one by one; a few more are remembered."""
DEPTH = 64
"""Elements inside each other; a spreadsheet program needs a dozen."""
BROKEN_XML = (expat.ExpatError, ValueError, LookupError)
"""A part that declares letters nobody knows is broken as well."""


def damaged() -> BadFile:
    """The sentence for a workbook that is cut off or broken."""
    return BadFile(
        _("The workbook is damaged or cut off: open it, save it anew as XLSX and drop it again.")
    )


def locked() -> BadFile:
    """The sentence for a file with a password."""
    return BadFile(_("The file is locked with a password: save it without one."))


def too_much() -> BadFile:
    """The sentence for a workbook that cannot be read in bounded time and memory."""
    return BadFile(
        _("The workbook asks for more than a roster needs: copy the roster alone into a new one.")
    )


def repeats_too_much() -> BadFile:
    """The sentence for one text that stands in too many cells."""
    return BadFile(_("The cells repeat more text than a roster holds: copy the roster alone."))


def unpacked(content: bytes) -> dict[str, bytes]:
    """The parts of a workbook, read within the limit that the zip directory is held to."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            _hold_limits(archive.infolist())
            names = dict.fromkeys(archive.namelist())
            return {name: _part(archive, name) for name in names if not name.endswith("/")}
    except UNREADABLE:
        raise damaged() from None


def _part(archive: zipfile.ZipFile, name: str) -> bytes:
    """One part, never more of it than the directory says: it may say less than there is."""
    with archive.open(name) as part:
        return part.read(archive.getinfo(name).file_size)


def _hold_limits(parts: list[zipfile.ZipInfo]) -> None:
    if any(part.flag_bits & 1 for part in parts):
        raise locked()
    if any(part.compress_type not in PLAIN_METHODS for part in parts):
        raise damaged()
    size = sum(part.file_size for part in parts)
    if len(parts) > MAX_PARTS:
        raise too_much()
    if size > MAX_UNPACKED:
        raise BadFile(
            _(
                "Unpacked, the workbook would take %(size)s MB; %(limit)s MB is the limit:"
                " copy the roster alone into a new workbook and save that."
            )
            % {"size": -(-size // 2**20), "limit": MAX_UNPACKED // 2**20}
        )


def packed(parts: dict[str, bytes]) -> bytes:
    """The parts as a workbook again, each once and not compressed, of no other kind than XLSX."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED) as archive:
        for name, part in parts.items():
            if not OTHER_WORKBOOKS.match(name):
                archive.writestr(name, part)
    return whole.getvalue()


Area = tuple[int, int, int, int]
"""First and last row, first and last column, from 0."""
MAX_MERGED = 5_000
"""Areas of merged cells that are remembered."""


@dataclass(slots=True)
class Looked:
    """What one part holds."""

    root: str = ""
    last_row: int = 0
    last_column: int = 0
    faults: dict[tuple[int, int], str] = field(default_factory=dict)
    hidden: set[int] = field(default_factory=set)
    """Rows from 0."""
    hidden_columns: set[int] = field(default_factory=set)
    merged: list[Area] = field(default_factory=list)
    shared: Counter[int] = field(default_factory=Counter)
    """How often each shared text is used."""
    texts: list[int] = field(default_factory=list)
    """Lengths of the shared texts."""
    found: list[dict[str, str]] = field(default_factory=list)
    """Attributes of the elements asked for."""

    def note(self, row: int, column: int, fault: str) -> None:
        """Remember an error, unless there are more than anybody wants to be told of."""
        if len(self.faults) <= MAX_FAULTS:
            self.faults[row, column] = fault


class _Enough(Exception):
    """The rest of this part does not matter."""


class _Look:
    """Reads one part without building it."""

    def __init__(self, wanted: str = "") -> None:
        self.seen, self.wanted = Looked(), wanted
        self.row, self.column, self.depth, self.lines = 0, 0, 0, 0
        self.kind, self.inside = "", ""
        self.value: list[str] = []
        self.filled, self.formula, self.length = False, False, 0

    def through(self, part: bytes) -> Looked:
        """What the part holds; BadFile for entities, a broken part or a cell too far away."""
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = refuse_entities
        parser.StartElementHandler = self._opened
        parser.EndElementHandler = self._closed
        parser.CharacterDataHandler = self._text
        try:
            parse(parser, part)
        except _Enough:
            pass
        except BROKEN_XML:
            raise damaged() from None
        return self.seen

    def _opened(self, name: str, attributes: dict[str, str]) -> None:
        local = name.rpartition(":")[2]
        self.depth = deeper(self.depth)
        if not self.seen.root:
            self.seen.root = local
            if not self.wanted and local not in {"worksheet", "sst"}:
                raise _Enough
        if local == self.wanted:
            self.seen.found.append(attributes)
        elif local == "row":
            self._row(attributes)
        elif local == "c":
            self._cell(attributes)
        elif local in {"v", "t", "f"}:
            self.inside, self.value = local, []
            self.formula = self.formula or local == "f"
        else:
            self._besides(local, attributes)

    def _besides(self, local: str, attributes: dict[str, str]) -> None:
        """What stands before and behind the rows: columns, merged cells."""
        is_new = len(self.seen.hidden_columns) < MAX_COLUMNS
        if local == "col" and is_new and attributes.get("hidden") in {"1", "true"}:
            first, last = int(attributes.get("min", 1)), int(attributes.get("max", 0))
            self.seen.hidden_columns.update(range(max(first, 1) - 1, min(last, MAX_COLUMNS)))
        elif local == "mergeCell" and len(self.seen.merged) < MAX_MERGED:
            self.seen.merged.append(_area(attributes.get("ref", "")))

    def _row(self, attributes: dict[str, str]) -> None:
        self.row, self.column = int(attributes.get("r", self.row + 1)), 0
        self.lines += 1
        if self.lines > MAX_LINES:
            raise too_many_lines(self.lines)
        if attributes.get("hidden") in {"1", "true"}:
            self.seen.hidden.add(self.row - 1)

    def _cell(self, attributes: dict[str, str]) -> None:
        self.kind, self.filled, self.formula = attributes.get("t", ""), False, False
        self.column += 1
        if place := attributes.get("r"):
            match = PLACE.fullmatch(place)
            if match is None:
                raise damaged()
            self.column, self.row = _column_number(match[1]), int(match[2])

    def _text(self, text: str) -> None:
        if self.inside:
            self.value.append(text)

    def _closed(self, name: str) -> None:
        self.depth -= 1
        local = name.rpartition(":")[2]
        if local == self.inside:
            self._value("".join(self.value))
            self.inside = ""
        elif local == "c":
            self._end_cell()
        elif local == "si":
            self.seen.texts.append(self.length)
            self.length = 0

    def _value(self, value: str) -> None:
        if self.inside == "t":
            self.length += len(value)
            hold_length(self.length)
        if self.inside == "f":
            return
        self.filled = self.filled or bool(value)
        if self.inside == "v" and self.kind == "s" and value.strip().isdecimal():
            self.seen.shared[int(value)] += 1
        elif self.inside == "v" and self.kind == "e" and value:
            self.seen.note(self.row - 1, self.column - 1, value)

    def _end_cell(self) -> None:
        self.length = 0
        if self.formula and not self.filled and self.kind != "str":
            self.seen.note(self.row - 1, self.column - 1, "=")
        if not (self.filled or self.formula):
            return
        self.seen.last_row = max(self.seen.last_row, self.row)
        self.seen.last_column = max(self.seen.last_column, self.column)
        if self.seen.last_row * self.seen.last_column > MAX_CELLS:
            raise too_far(self.seen.last_row, self.seen.last_column)


def deeper(depth: int) -> int:
    """One element further inside; BadFile where that is deeper than a workbook goes."""
    if depth >= DEPTH:
        raise too_much()
    return depth + 1


def parse(parser: Any, part: bytes) -> None:
    """Let expat read a part of bounded tags; BadFile where they are too long or too many."""
    if LONG_TAG.search(part) or events(part) > MAX_EVENTS:
        raise too_much()
    parser.Parse(part, True)  # noqa: FBT003 - expat's own signature


def events(part: bytes) -> int:
    """How often a reader of this part is told of a beginning or an end, at the most."""
    return part.count(b"<") + part.count(b"/>")


def too_many_faults() -> BadFile:
    """The sentence for a sheet with more errors than anybody mends one by one."""
    return BadFile(
        _(
            "More than %(limit)s cells hold errors such as #N/A: mend their formula, and drop the"
            " file again."
        )
        % {"limit": MAX_FAULTS}
    )


def refuse_entities(*_declared: Any) -> None:
    """Raise BadFile where a part declares entities, as expat calls it."""
    raise BadFile(
        _(
            "The workbook declares entities of its own, which no spreadsheet program writes:"
            " open it, save it anew as XLSX and drop it again."
        )
    )


def hold_length(length: int) -> None:
    """Raise BadFile for a cell that holds more text than a spreadsheet program keeps."""
    if length > MAX_TEXT:
        raise BadFile(
            _("A cell holds more than %(limit)s letters: empty it and save the workbook anew.")
            % {"limit": MAX_TEXT}
        )


def _area(reference: str) -> Area:
    """The area that a reference such as A2:B4 names."""
    first, _colon, last = reference.partition(":")
    ends = [PLACE.fullmatch(place) for place in (first, last or first)]
    if ends[0] is None or ends[1] is None:
        raise damaged()
    rows = [int(end[2]) - 1 for end in ends if end]
    columns = [_column_number(end[1]) - 1 for end in ends if end]
    return rows[0], rows[1], columns[0], columns[1]


def _column_number(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def look_through(parts: dict[str, bytes]) -> dict[str, Looked]:
    """Every part that holds cells or their texts, by name; BadFile where one is too much."""
    readable = {name: part for name, part in parts.items() if _is_xml(part)}
    if sum(map(events, readable.values())) > MAX_EVENTS:
        raise too_much()
    found = {name: _Look().through(part) for name, part in readable.items()}
    lengths = [length for seen in found.values() for length in seen.texts]
    for seen in found.values():
        used = sum(lengths[n] * times for n, times in seen.shared.items() if n < len(lengths))
        if used > MAX_ALL_TEXT:
            raise repeats_too_much()
    return found


def _is_xml(part: bytes) -> bool:
    """True for what may hold cells; pictures and the like are left alone."""
    return part.lstrip(b"\xef\xbb\xbf\xff\xfe\x00 \t\r\n")[:1] == b"<" or b"sheetData" in part


def sheet_parts(parts: dict[str, bytes]) -> dict[str, str]:
    """The part of each sheet by the sheet's name."""
    targets = {
        found.get("Id", ""): found.get("Target", "")
        for found in _elements(parts, "xl/_rels/workbook.xml.rels", "Relationship")
    }
    return {
        found.get("name", ""): _path(targets.get(_relation(found), ""))
        for found in _elements(parts, "xl/workbook.xml", "sheet")
    }


def _elements(parts: dict[str, bytes], name: str, wanted: str) -> list[dict[str, str]]:
    if name not in parts:
        raise damaged()
    return _Look(wanted).through(parts[name]).found


def _relation(attributes: dict[str, str]) -> str:
    return next((v for k, v in attributes.items() if k.rpartition(":")[2] == "id"), "")


def _path(target: str) -> str:
    path = PurePosixPath("xl") / target if not target.startswith("/") else PurePosixPath(target[1:])
    parts: list[str] = []
    for step in path.parts:
        if step == ".." and parts:
            parts.pop()
        elif step != ".":
            parts.append(step)
    return "/".join(parts)
