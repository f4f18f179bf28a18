"""One door to all kinds of files: recognised by content, read, its header found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from volunteers.readers.columns import field_named, find_header, plain
from volunteers.readers.sheets import (
    MAX_BYTES,
    MAX_COLUMNS,
    MAX_ROWS,
    NO_HEADER,
    BadFile,
    Cell,
    Choices,
    Sheet,
    as_text,
    is_blank,
    too_far,
)
from volunteers.readers.texts import read_text
from volunteers.readers.workbooks import OLD_WORKBOOK, read_workbook

ZIP = b"PK\x03\x04"
OTHER_KINDS = {b"%PDF": "PDF", b"\x89PNG": "PNG", b"\xff\xd8\xff": "JPEG", b"{\\rtf": "RTF"}


def read_file(name: str, content: bytes, choices: Choices | None = None) -> Sheet:
    """The table in a roster file, with its header row.

    `name` is only for sentences. Raises BadFile: empty, too large, no kind of file we read.
    """
    choices = choices or Choices()
    refuse_other_kinds(name, content)
    if content.startswith((ZIP, OLD_WORKBOOK)):
        sheet = read_workbook(content, choices.sheet)
    else:
        sheet = read_text(content, choices.encoding, choices.delimiter)
    sheet = sheet.under(_header_row(sheet, choices.header_row))
    _complete_header(sheet)
    _hold_limits(sheet)
    return sheet


def _complete_header(sheet: Sheet) -> None:
    """A heading of two rows: the upper one belongs to the cell below it, and to those beside.

    “First” above “Name” is the first name, “Membership” above “Start” and “End” both.
    """
    if sheet.header_row < 2:  # noqa: PLR2004 - nothing stands above the first row
        return
    above, header = sheet.rows[sheet.header_row - 2 : sheet.header_row]
    for place, whole in _joined(above, header):
        header[place] = whole
    for place, cell in enumerate(above):
        is_free = place >= len(header) or is_blank(header[place])
        if is_free and isinstance(cell, str) and field_named(cell):
            header.extend("" for _missing in range(place + 1 - len(header)))
            header[place] = cell


def _joined(above: Sequence[Cell], header: Sequence[Cell]) -> Iterator[tuple[int, str]]:
    """Place and text of each heading that is another one with what stands above it.

    A title above, of which a heading takes nothing, leaves it as it is.
    """
    last = ""
    for place, below in enumerate(map(as_text, header)):
        own = as_text(above[place]) if place < len(above) else ""
        last = own or last
        whole = f"{last} {below}"
        if last and plain(below) and field_named(whole) not in {"", field_named(below)}:
            yield place, whole


def _hold_limits(sheet: Sheet) -> None:
    lines = [number for number, _row in sheet.lines()]
    if not lines:
        raise BadFile(_no_rows(sheet))
    width = max(len(row) for row in sheet.rows)
    if len(lines) > MAX_ROWS or width > MAX_COLUMNS:
        raise too_far(lines[-1], width)


def refuse_other_kinds(name: str, content: bytes) -> None:
    """Raise BadFile for what is neither text nor a workbook, by its first bytes."""
    if not content.strip(b"\xef\xbb\xbf \t\r\n,;"):
        raise BadFile(
            _("“%(name)s” is empty: drop the file that holds the roster.") % {"name": name}
        )
    if len(content) > MAX_BYTES:
        raise BadFile(
            _("“%(name)s” has more than %(limit)s MB: drop the roster alone, without pictures.")
            % {"name": name, "limit": MAX_BYTES // 2**20}
        )
    for mark, kind in OTHER_KINDS.items():
        if content.startswith(mark):
            raise BadFile(
                _("“%(name)s” is a %(kind)s file: save the roster as XLSX or CSV (UTF-8).")
                % {"name": name, "kind": kind}
            )


def _header_row(sheet: Sheet, wanted: int) -> int:
    if wanted == NO_HEADER:
        return 0
    if 0 < wanted <= len(sheet.rows) and any(not is_blank(c) for c in sheet.rows[wanted - 1]):
        return wanted
    return find_header(sheet.rows)


def _no_rows(sheet: Sheet) -> str:
    return _("The file has no rows below its header (row %(row)s): fill in one person a row.") % {
        "row": sheet.header_row
    }
