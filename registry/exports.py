"""CSV and XLSX that a spreadsheet opens without running anything, and that can be read back."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.http import HttpResponse, StreamingHttpResponse
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


XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
WIDTH = 18
"""Letters a column of a workbook shows."""


def xlsx_bytes(title: str, rows: Iterable[Iterable[Any]]) -> bytes:
    """The rows as an XLSX workbook of one sheet, header row first and kept in view.

    Text is written as text, so that nothing in it is ever calculated; days are days. `title`
    names the sheet, as far as a sheet may have that name.
    """
    import xlsxwriter

    whole = io.BytesIO()
    options = {"constant_memory": True, "default_date_format": "mm/dd/yyyy"}
    with xlsxwriter.Workbook(whole, options) as book:
        sheet = book.add_worksheet(re.sub(r"[\[\]:*?/\\']", " ", title)[:31].strip() or None)
        sheet.set_column(0, 200, WIDTH)
        sheet.freeze_panes(1, 0)
        bold = book.add_format({"bold": True})
        for number, row in enumerate(rows):
            for place, cell in enumerate(row):
                _write_cell(sheet, number, place, cell, None if number else bold)
    return whole.getvalue()


def _write_cell(sheet: Any, row: int, column: int, cell: Any, shape: Any) -> None:
    if cell is None or cell == "":
        return
    if isinstance(cell, date) and not isinstance(cell, datetime):
        sheet.write_datetime(row, column, cell, shape)
    elif isinstance(cell, (int, float, Decimal)) and not isinstance(cell, bool):
        sheet.write_number(row, column, cell, shape)
    else:
        text = cell.isoformat() if isinstance(cell, datetime) else str(cell)
        sheet.write_string(row, column, text, shape)


def xlsx_response(filename: str, rows: Iterable[Iterable[Any]]) -> HttpResponse:
    """A download of the rows as a workbook; nothing is kept by caches on the way."""
    title = filename.rpartition(".")[0]
    return HttpResponse(
        xlsx_bytes(title, rows),
        content_type=XLSX,
        headers={
            "Content-Disposition": content_disposition_header(
                as_attachment=True, filename=filename
            ),
            "Cache-Control": "private, no-store",
        },
    )


FILES = {"csv": csv_response, "xlsx": xlsx_response}
"""How a list is written as a file, by the ending of its name."""
