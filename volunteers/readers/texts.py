"""Rows out of text: which letters, which delimiter. No guess that would be silently wrong."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from django.utils.translation import gettext as _

from volunteers.readers.columns import SEARCHED, known_headings
from volunteers.readers.letters import decode
from volunteers.readers.sheets import (
    MAX_CELLS,
    MAX_COLUMNS,
    MAX_LINES,
    MAX_ROWS,
    QUOTES,
    BadFile,
    Cell,
    Sheet,
    too_far,
    too_many_lines,
)

DELIMITERS = (",", ";", "\t", "|")
NAMED = re.compile(r"\"?sep=(.)\"?[ \t,;]*(?:\r\n|\r|\n|$)", re.IGNORECASE)
"""A first line by which a spreadsheet program is told the delimiter; no program shows it."""
PADDING = "\0\x1a\r\n "
"""What old programs write behind the last line."""
BLANKS_BEHIND = re.compile(r'" +(?=[,;|\t\r\n]|$)')


def read_text(content: bytes, encoding: str = "", delimiter: str = "") -> Sheet:
    """The rows of a CSV file. Raises BadFile with one sentence."""
    encoding, text, doubt = decode(content, encoding)
    if text.lstrip()[:9].casefold().startswith(("<!doctype", "<html", "<?xml", "<table")):
        raise BadFile(
            _("This is a web page or XML, no table: open it and save it as CSV (UTF-8) or XLSX.")
        )
    text = text.rstrip(PADDING)
    _hold_lines(text)
    named = NAMED.match(text)
    text = text[named.end() :] if named else text
    delimiter = delimiter or (named[1] if named else find_delimiter(text))
    rows, faults = _rows(text, delimiter)
    return Sheet(
        rows=rows,
        kind="csv",
        encoding=encoding,
        delimiter=delimiter,
        doubt=doubt,
        faults=faults,
    )


def _hold_lines(text: str) -> None:
    lines = max(text.count("\n"), text.count("\r"))
    if lines > MAX_LINES:
        raise too_many_lines(lines)
    divided = max(map(text.count, DELIMITERS))
    if divided > MAX_CELLS:
        raise too_far(lines + 1, divided // (lines + 1) + 1)


def find_delimiter(text: str) -> str:
    """The delimiter by which a row has most known headings, else most rows have as many cells."""
    return max(DELIMITERS, key=lambda delimiter: _evenness(text, delimiter))


def _evenness(text: str, delimiter: str) -> tuple[int, float, int]:
    widths: Counter[int] = Counter()
    known = 0
    try:
        for row in _reader(io.StringIO(text, newline=""), delimiter):
            if any(cell.strip() for cell in row):
                if widths.total() < SEARCHED:
                    known = max(known, known_headings(row))
                widths[len(row)] += 1
    except csv.Error:
        return 0, 0.0, 0
    width, rows = max(widths.items(), key=lambda item: item[1], default=(0, 0))
    return (known, rows / widths.total(), width) if width > 1 or known > 1 else (0, 0.0, 0)


def _reader(lines: Iterable[str], delimiter: str, *, strict: bool = False) -> Any:
    """A blank behind a delimiter belongs to neither cell."""
    return csv.reader(lines, delimiter=delimiter, strict=strict, skipinitialspace=True)


def _rows(text: str, delimiter: str) -> tuple[list[list[Cell]], dict[tuple[int, int], str]]:
    """The rows, and the cells of which the quotation marks do not say where they end."""
    strict = _reader(io.StringIO(text, newline=""), delimiter, strict=True)
    try:
        return _kept(strict), {}
    except csv.Error as error:
        if "unexpected end" in str(error) or "field limit" in str(error):
            raise _never_closed(strict.line_num, error) from None
    lines = _Lines(text)
    loose = _reader(lines, delimiter)
    faults: dict[tuple[int, int], str] = {}
    try:
        rows = _kept(_watched(loose, lines, delimiter, faults))
    except csv.Error as error:
        raise _never_closed(loose.line_num, error) from None
    return rows, faults


def _never_closed(line: int, error: csv.Error) -> BadFile:
    if "field limit" in str(error):
        return BadFile(
            _(
                "A cell near line %(line)s has more than %(limit)s letters: empty it, or close its"
                " quotation mark."
            )
            % {"line": line, "limit": csv.field_size_limit()}
        )
    return BadFile(
        _("A quotation mark near line %(line)s is opened and never closed: mend that line.")
        % {"line": line}
    )


class _Lines:
    """The lines of a text, and those taken since they were asked for."""

    def __init__(self, text: str) -> None:
        self.rest, self.taken = io.StringIO(text, newline=""), list[str]()

    def __iter__(self) -> Iterator[str]:
        for line in self.rest:
            self.taken.append(line)
            yield line

    def since(self) -> str:
        """The lines taken since the last call."""
        found, self.taken = "".join(self.taken), []
        return found


def _watched(
    loose: Iterable[list[str]], lines: _Lines, delimiter: str, faults: dict[tuple[int, int], str]
) -> Iterator[list[str]]:
    """The rows as they come; what cannot be told apart into cells is noted as a fault."""
    for number, row in enumerate(loose):
        raw = lines.since()
        if '"' in raw and len(row) <= MAX_COLUMNS and not _is_sound(raw, delimiter):
            marked = [place for place, cell in enumerate(row) if '"' in cell]
            faults |= {(number, place): QUOTES for place in marked or range(len(row))}
        yield row


def _is_sound(raw: str, delimiter: str) -> bool:
    try:
        list(_reader(io.StringIO(BLANKS_BEHIND.sub('"', raw), newline=""), delimiter, strict=True))
    except csv.Error:
        return False
    return True


def _kept(reader: Iterable[list[str]]) -> list[list[Cell]]:
    """All rows; millions of empty ones take no room, and too many others end the reading."""
    rows: list[list[Cell]] = []
    empty: list[Cell] = []
    filled, cells = 0, 0
    for row in reader:
        is_filled = any(row)
        rows.append(list[Cell](row) if is_filled else empty)
        filled += is_filled
        cells += len(row) if is_filled else 0
        if filled > MAX_ROWS + SEARCHED or cells > MAX_CELLS:
            raise too_far(len(rows), len(row))
    return rows
