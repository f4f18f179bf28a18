"""Reads a workbook in a process of its own, which may run out of memory or time alone.

A few bytes of it can ask for gigabytes, and what they ask for shows only while it is built. The
program gets the workbook on its standard input and writes its tables as JSON; a list of one text
is a day. It imports nothing of the register, so that it starts quickly.
"""

from __future__ import annotations

import io
import json
import resource
import sys
from datetime import date, datetime
from typing import Any

MEMORY = 192 * 2**20
SECONDS = 4
LIMIT, PASSWORD, TOO_FAR, DAMAGED = 1_000_000, 3, 4, 5
"""Cells of one sheet; and what the exit codes say."""


def plain_cell(value: Any) -> str | date:
    """Days stay days, numbers become the digits a person would type."""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, (str, date)):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    is_whole = isinstance(value, float) and value.is_integer()
    return "" if value is None else str(int(value) if is_whole else value)


def shown_sheets(book: Any) -> tuple[list[str], list[str]]:
    """The names of the sheets that are shown, and of those that are not."""
    import python_calamine as calamine

    shown: list[str] = []
    hidden: list[str] = []
    for sheet in book.sheets_metadata:
        if sheet.typ is calamine.SheetTypeEnum.WorkSheet:
            visible = sheet.visible is calamine.SheetVisibleEnum.Visible
            (shown if visible else hidden).append(sheet.name)
    return shown, hidden


def told(content: bytes) -> dict[str, Any]:
    """The tables of a workbook as JSON tells them; SystemExit where they are too much."""
    import python_calamine as calamine

    with calamine.CalamineWorkbook.from_filelike(io.BytesIO(content)) as book:
        shown, hidden = shown_sheets(book)
        sheets = {name: book.get_sheet_by_name(name) for name in shown}
        for sheet in sheets.values():
            if (sheet.total_height or 0) * (sheet.total_width or 0) > LIMIT:
                sys.stdout.write(f"{sheet.total_height} {sheet.total_width}")
                sys.exit(TOO_FAR)
        rows = {name: list(map(_row, sheet.iter_rows())) for name, sheet in sheets.items()}
        every = [sheet.name for sheet in book.sheets_metadata]
    return {"rows": rows, "hidden": hidden, "all": every}


def _row(values: list[Any]) -> list[str | list[str]]:
    cells = (plain_cell(value) for value in values)
    return [[cell.isoformat()] if isinstance(cell, date) else cell for cell in cells]


def main() -> None:
    """Read standard input within the limits; the exit code says why it could not be read."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    import python_calamine as calamine

    try:
        whole = told(sys.stdin.buffer.read())
    except calamine.PasswordError:
        sys.exit(PASSWORD)
    except calamine.CalamineError:
        sys.exit(DAMAGED)
    except MemoryError:
        sys.exit(TOO_FAR)
    json.dump(whole, sys.stdout)


if __name__ == "__main__":
    main()
