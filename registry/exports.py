"""CSV that a spreadsheet opens without running anything in it, and that can be read back."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from typing import Any

from django.http import StreamingHttpResponse
from django.utils.http import content_disposition_header

FORMULA = re.compile(r"'*[\s\x00-\x1f]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]")
TELEPHONE = re.compile(r"[+-]?[\d\s().-]*\d[\d\s().-]*")


class _Echo:
    """A file that hands back what is written to it."""

    def write(self, value: str) -> str:
        return value


def protect(value: Any) -> Any:
    """A cell as it is written: text that a spreadsheet would calculate gets a leading quote.

    Numbers, dates and telephone numbers stay as they are; None is an empty cell.
    """
    if isinstance(value, (date, datetime)):
        return value.isoformat()
    if not isinstance(value, str):
        return "" if value is None else value
    return f"'{value}" if FORMULA.match(value) and not TELEPHONE.fullmatch(value) else value


def unprotect(text: str) -> str:
    """The text of a cell that `protect` wrote, for reading our own files back."""
    return text[1:] if text.startswith("'") and FORMULA.match(text[1:]) else text


def lines(rows: Iterable[Iterable[Any]]) -> Iterator[str]:
    """The rows as CSV, with the mark that tells a spreadsheet it is UTF-8."""
    writer = csv.writer(_Echo())
    yield "\ufeff"
    for row in rows:
        yield str(writer.writerow([protect(cell) for cell in row]))


def csv_response(filename: str, rows: Iterable[Iterable[Any]]) -> StreamingHttpResponse:
    """A download of the rows, header row first; nothing is kept by caches on the way."""
    disposition = content_disposition_header(as_attachment=True, filename=filename)
    return StreamingHttpResponse(
        lines(rows),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": disposition, "Cache-Control": "private, no-store"},
    )
