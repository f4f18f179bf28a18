"""What a file holds once it is read, and what a person may choose about how to read it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date
from itertools import islice
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from volunteers.readers.letters import Doubt

Cell = str | date
"""Text as it stands in the file, or a day where the file itself says that it is one."""

MAX_BYTES = 10 * 2**20
MAX_ROWS = 20_000
MAX_LINES = 10 * MAX_ROWS
"""Empty rows, and line breaks inside cells, count here."""
MAX_COLUMNS = 200
MAX_CELLS = 1_000_000
QUOTES, MERGED = "#QUOTES!", "#MERGED!"
"""Faults: a cell whose quotation marks do not say where it ends, one merged with another above."""
QUOTED = 60
"""Letters of a cell that a sentence quotes."""
NO_HEADER = -1
"""As the header row chosen: there is none, and every row is a person."""


class BadFile(Exception):
    """The file cannot be read at all; str() is one sentence with reason and remedy."""


def too_far(row: int, column: int) -> BadFile:
    """The sentence for a cell beyond what is read."""
    return BadFile(
        _(
            "The sheet reaches to row %(row)s, column %(column)s; at most %(rows)s rows,"
            " %(columns)s columns and %(cells)s cells are read: delete what lies outside the"
            " roster, or split the file."
        )
        % {
            "row": row,
            "column": column,
            "rows": MAX_ROWS,
            "columns": MAX_COLUMNS,
            "cells": MAX_CELLS,
        }
    )


def too_many_lines(lines: int) -> BadFile:
    """The sentence for a file of more lines than are looked at, the empty ones among them."""
    return BadFile(
        _("The file has %(lines)s lines; %(limit)s is the limit: delete the empty ones.")
        % {"lines": lines, "limit": MAX_LINES}
    )


@dataclass(frozen=True, slots=True)
class Choices:
    """How a person wants the file read; what is empty is found out from the file."""

    encoding: str = ""
    delimiter: str = ""
    sheet: str = ""
    header_row: int = 0
    """Its number from 1; NO_HEADER: there is none."""
    columns: Mapping[int, str] | None = None
    """Field by the column's place, "" for a column that is not used."""
    date_order: str = ""
    two_digit_years: str = ""
    """"past": a year of two digits is the latest one that is not to come; "refuse"."""
    serials: str = ""
    """What bare numbers in place of days count from: "1900" or "1904"; "refuse"."""
    placeholders: str = ""
    """Days that stand for none where none is needed: "empty" leaves them out; "refuse"."""
    hidden_rows: bool = False
    """True takes in the rows that the spreadsheet hides."""
    kind: str = "member"
    """How somebody belongs where the file does not say it."""

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Choices:
        """The choices as a roster file remembers them; unknown keys are of a later release."""
        known = {f.name: options[f.name] for f in fields(cls) if options.get(f.name)}
        if "columns" in known:
            known["columns"] = {int(place): name for place, name in known["columns"].items()}
        return cls(**known)

    def as_options(self) -> dict[str, Any]:
        """The choices made, as JSON keeps them."""
        made = {f.name: getattr(self, f.name) for f in fields(self)}
        if self.columns is not None:
            made["columns"] = {str(place): name for place, name in self.columns.items()}
        return {name: value for name, value in made.items() if value}


@dataclass(frozen=True, slots=True)
class Sheet:
    """One table. Rows are counted from 1, as a spreadsheet shows them."""

    rows: list[list[Cell]]
    kind: str = ""
    """csv, xlsx, xls or ods: what the file is, whatever its name says."""
    encoding: str = ""
    """A key of letters.ENCODINGS, or a codec that the detector named; "" in a workbook."""
    delimiter: str = ""
    sheet: str = ""
    sheets: tuple[str, ...] = ()
    header_row: int = 1
    """Counted from 1; 0 when there is none."""
    faults: Mapping[tuple[int, int], str] = field(default_factory=dict)
    """By row and column from 0: a spreadsheet's error such as #N/A, or "=" without a result."""
    hidden: frozenset[int] = frozenset()
    """Rows from 0 that the spreadsheet does not show."""
    also_fits: tuple[str, ...] = ()
    """Other sheets that look like a roster as well."""
    hidden_columns: frozenset[int] = frozenset()
    """Columns from 0 that the spreadsheet does not show; not used unless somebody says so."""
    hidden_sheets: tuple[str, ...] = ()
    """Names of sheets that are not shown, and never read."""
    doubt: Doubt | None = None
    """A word whose letters can be read in several ways."""

    @property
    def has_header(self) -> bool:
        """False when every row is taken for a person."""
        return self.header_row > 0

    @property
    def headings(self) -> list[str]:
        """The header's cells as text, without the blank ones at its end; else numbers."""
        if not self.has_header:
            width = max((len(row) for row in self.rows), default=0)
            return [_("Column %(number)s") % {"number": n} for n in range(1, width + 1)]
        found = [as_text(cell) for cell in self.rows[self.header_row - 1]]
        while found and not found[-1]:
            found.pop()
        return found

    def lines(self) -> Iterator[tuple[int, list[Cell]]]:
        """Each row below the header that holds anything, with its number."""
        wrong = {row for row, _column in self.faults}
        for number, row in enumerate(islice(self.rows, self.header_row, None), self.header_row + 1):
            if number - 1 in wrong or any(not is_blank(cell) for cell in row):
                yield number, row

    def under(self, header_row: int) -> Sheet:
        """The same table with another row as its header."""
        return replace(self, header_row=header_row)


def as_text(cell: Cell) -> str:
    """A cell as one line of text; a day as 2026-11-30."""
    return cell.isoformat() if isinstance(cell, date) else " ".join(cell.split())


def brief(text: str) -> str:
    """What a sentence quotes of a cell: all of it, or where it begins."""
    return text if len(text) <= QUOTED else f"{text[:QUOTED]}…"


def is_blank(cell: Cell) -> bool:
    """True for a cell that holds nothing to see."""
    return isinstance(cell, str) and not cell.strip().strip("\ufeff\u200b")
