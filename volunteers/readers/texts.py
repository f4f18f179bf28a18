"""Rows out of text: which letters, which delimiter. No guess that would be silently wrong."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable

from django.utils.translation import gettext as _

from volunteers.readers.columns import SEARCHED, known_headings
from volunteers.readers.letters import decode
from volunteers.readers.sheets import MAX_ROWS, BadFile, Cell, Sheet, too_far

DELIMITERS = (",", ";", "\t", "|")
NAMED = re.compile(r"\"?sep=(.)\"?[ \t,;]*(?:\r\n|\r|\n|$)", re.IGNORECASE)
"""A first line by which a spreadsheet program is told the delimiter; no program shows it."""
MAX_LINES = 10 * MAX_ROWS
"""Empty lines and line breaks inside cells count here."""


def read_text(content: bytes, encoding: str = "", delimiter: str = "") -> Sheet:
    """The rows of a CSV file. Raises BadFile with one sentence."""
    encoding, text, doubt = decode(content, encoding)
    if text.lstrip()[:9].casefold().startswith(("<!doctype", "<html", "<?xml", "<table")):
        raise BadFile(
            _("This is a web page, not a roster: open it and save it as CSV (UTF-8) or XLSX.")
        )
    _hold_lines(text)
    named = NAMED.match(text)
    text = text[named.end() :] if named else text
    delimiter = delimiter or (named[1] if named else find_delimiter(text))
    rows = _rows(text, delimiter)
    return Sheet(rows=rows, kind="csv", encoding=encoding, delimiter=delimiter, doubt=doubt)


def _hold_lines(text: str) -> None:
    lines = max(text.count("\n"), text.count("\r"))
    if lines > MAX_LINES:
        raise BadFile(
            _("The file has %(lines)s lines; %(limit)s is the limit: delete the empty ones.")
            % {"lines": lines, "limit": MAX_LINES}
        )


def find_delimiter(text: str) -> str:
    """The delimiter by which a row has most known headings, else most rows have as many cells."""
    return max(DELIMITERS, key=lambda delimiter: _evenness(text, delimiter))


def _evenness(text: str, delimiter: str) -> tuple[int, float, int]:
    widths: Counter[int] = Counter()
    known = 0
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
            if any(cell.strip() for cell in row):
                if widths.total() < SEARCHED:
                    known = max(known, known_headings(row))
                widths[len(row)] += 1
    except csv.Error:
        return 0, 0.0, 0
    width, rows = max(widths.items(), key=lambda item: item[1], default=(0, 0))
    return (known, rows / widths.total(), width) if width > 1 or known > 1 else (0, 0.0, 0)


def _rows(text: str, delimiter: str) -> list[list[Cell]]:
    strict = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        return _kept(strict)
    except csv.Error as error:
        if "unexpected end" in str(error) or "field limit" in str(error):
            raise BadFile(
                _("A quotation mark near line %(line)s is opened and never closed: mend that line.")
                % {"line": strict.line_num}
            ) from None
    loose = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        return _kept(loose)
    except csv.Error:
        raise BadFile(
            _("Line %(line)s cannot be told apart into cells: mend its quotation marks.")
            % {"line": loose.line_num}
        ) from None


def _kept(reader: Iterable[list[str]]) -> list[list[Cell]]:
    """All rows; millions of empty ones take no room, and too many others end the reading."""
    rows: list[list[Cell]] = []
    empty: list[Cell] = []
    filled = 0
    for row in reader:
        rows.append(list[Cell](row) if any(row) else empty)
        filled += any(row)
        if filled > MAX_ROWS + SEARCHED:
            raise too_far(len(rows), len(row))
    return rows
