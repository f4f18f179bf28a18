"""Rows out of text: which letters, which delimiter. No guess that would be silently wrong."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable

from django.utils.translation import gettext as _

from volunteers.readers.columns import SEARCHED
from volunteers.readers.sheets import MAX_ROWS, BadFile, Cell, Sheet, too_far

DELIMITERS = (",", ";", "\t")
MAX_LINES = 10 * MAX_ROWS
"""Empty lines and line breaks inside cells count here."""
UTF_8_MARK = b"\xef\xbb\xbf"
UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")
UTF_16_SHARE = 0.1
"""Text of one byte a letter holds no zero bytes; every second one is zero in UTF-16."""


def read_text(content: bytes, encoding: str = "", delimiter: str = "") -> Sheet:
    """The rows of a CSV file. Raises BadFile with one sentence."""
    encoding, text = decode(content, encoding)
    if text.lstrip()[:9].casefold().startswith(("<!doctype", "<html", "<?xml", "<table")):
        raise BadFile(
            _("This is a web page, not a roster: open it and save it as CSV (UTF-8) or XLSX.")
        )
    _hold_lines(text)
    delimiter = delimiter or find_delimiter(text)
    return Sheet(rows=_rows(text, delimiter), encoding=encoding, delimiter=delimiter)


def _hold_lines(text: str) -> None:
    lines = max(text.count("\n"), text.count("\r"))
    if lines > MAX_LINES:
        raise BadFile(
            _("The file has %(lines)s lines; %(limit)s is the limit: delete the empty ones.")
            % {"lines": lines, "limit": MAX_LINES}
        )


def decode(content: bytes, encoding: str = "") -> tuple[str, str]:
    """The encoding's name and the text."""
    if content[:2] in UTF_16_MARKS or content[:4000].count(0) > UTF_16_SHARE * len(content[:4000]):
        raise BadFile(
            _("This text is in UTF-16 (“Unicode text”): save it as “CSV UTF-8” and drop it again.")
        )
    if encoding == "windows-1252":
        return encoding, _windows(content)
    if content.startswith(UTF_8_MARK):
        return "utf-8-sig", _utf_8(content[len(UTF_8_MARK) :])
    if encoding:
        return "utf-8", _utf_8(content)
    try:
        return "utf-8", content.decode()
    except UnicodeDecodeError as error:
        if _has_longer_letters(content):
            raise _unknown_letter(content, error.start) from None
    return "windows-1252", _windows(content)


def _utf_8(content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise _unknown_letter(content, error.start) from None


def _windows(content: bytes) -> str:
    try:
        return content.decode("windows-1252")
    except UnicodeDecodeError as error:
        raise _unknown_letter(content, error.start) from None


def _unknown_letter(content: bytes, place: int) -> BadFile:
    line = content.count(b"\n", 0, place) + 1
    return BadFile(
        _(
            "Line %(line)s holds a letter (byte %(byte)s) that is neither UTF-8 nor Windows-1252:"
            " save the file as “CSV UTF-8” and drop it again."
        )
        % {"line": line, "byte": f"{content[place]:02X}"}
    )


def _has_longer_letters(content: bytes) -> bool:
    """True when most letters beyond ASCII are whole UTF-8, so that it is no Windows-1252."""
    wrong = content.decode("utf-8", errors="replace").count("\ufffd")
    right = sum(letter > "\x7f" for letter in content.decode("utf-8", errors="ignore"))
    return right > wrong


def find_delimiter(text: str) -> str:
    """The delimiter by which most rows have the same number of cells, and more than one."""
    return max(DELIMITERS, key=lambda delimiter: _evenness(text, delimiter))


def _evenness(text: str, delimiter: str) -> tuple[float, int]:
    try:
        found = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        widths = Counter(len(row) for row in found if any(cell.strip() for cell in row))
    except csv.Error:
        return 0.0, 0
    width, rows = max(widths.items(), key=lambda item: item[1], default=(0, 0))
    return (rows / widths.total(), width) if width > 1 else (0.0, 0)


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
