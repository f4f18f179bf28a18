"""One row of a file becomes one line of the roster, or the list of what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from registry.access import BadInput
from registry.entries import Unreadable, read_name
from registry.fields import OLDEST
from registry.ruleset import Ruleset
from volunteers.comparing import RosterLine
from volunteers.imports.cells import CellReader, refuse_nobody, refuse_two_people
from volunteers.readers.columns import FIELDS, Columns
from volunteers.readers.days import OPTIONAL_DAYS, DayReader, StandIn
from volunteers.readers.sheets import MERGED, QUOTES, Cell, Choices, Sheet, as_text, is_blank
from volunteers.readers.ssn import REMOVED
from volunteers.services import Deed, Enrollment, check_enrollment

NAMES = ("given_name", "middle_name", "family_name", "second_family_name", "suffix")
TOTAL = re.compile(
    r"(?:(?:grand |sub)?totals?|sum|count|number of members|members listed)\b[\s:=.-]*"
    r"(?:(?:members?|volunteers?|people|persons|rows|records)\b[\s:=.-]*)?\d*"
    r"|\d+ (?:members?|volunteers?|people|persons|rows|records)(?: (?:in )?total)?",
    re.IGNORECASE,
)
COUNTED = 4
"""Digits of the highest number that a total under a column of days is."""
NEEDED = {
    "full_name": gettext_lazy("a name"),
    "starts_on": gettext_lazy("the join date"),
    "activity_on": gettext_lazy("the day of the activity"),
    "activity": gettext_lazy("what was done"),
}
FROM_ENROLLMENT = {"done_on": "activity_on", "description": "activity"}
"""Fields of a refusal that a file calls otherwise."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake: the column's heading, what stands there, why it is refused and what to do."""

    column: str
    value: str
    reason: str


@dataclass(slots=True)
class ReadRow:
    """One row as it was read: values by field, mistakes, and the line when there are none."""

    number: int
    values: dict[str, Any] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    line: RosterLine | None = None
    is_skipped: bool = False
    """True for what is nobody to be entered; the one problem says why."""

    def skip(self, problem: Problem) -> None:
        """Leave the row out, for this reason alone."""
        self.problems, self.line, self.is_skipped = [problem], None, True

    @property
    def name(self) -> str:
        """The name as far as it could be read."""
        return str(self.values.get("full_name", ""))


class LineReader:
    """Reads the rows of one sheet."""

    def __init__(
        self, sheet: Sheet, columns: Columns, days: DayReader, choices: Choices, law: Ruleset
    ) -> None:
        self.sheet, self.columns, self.choices = sheet, columns, choices
        self.today = days.today
        self.cells = CellReader(days, law)
        self.headings = sheet.headings

    def rows(self) -> Iterator[ReadRow]:
        """Every row below the header that holds anything."""
        for number, cells in self.sheet.lines():
            yield self._row(number, cells)

    def _row(self, number: int, cells: Sequence[Cell]) -> ReadRow:
        row = ReadRow(number)
        if nobody := self._nobody(cells):
            row.skip(nobody)
            return row
        row.problems += self._whole_row(cells)
        for name, place in self.columns.places.items():
            self._cell(row, name, place, cells)
        self._name(row)
        self._hold_days(row, cells)
        if not row.problems:
            self._line(row, cells)
        if number - 1 in self.sheet.hidden and not self.choices.hidden_rows:
            told = _("The spreadsheet hides this row: show it there, or take hidden rows in.")
            row.skip(Problem("", row.name, told))
        return row

    def _nobody(self, cells: Sequence[Cell]) -> Problem | None:
        """The reason for leaving out a header that comes again, or a total."""
        place = self.columns.places.get("starts_on", len(cells))
        day = as_text(cells[place]).casefold() if place < len(cells) else ""
        is_count = day.isdecimal() and len(day) <= COUNTED
        if day and not is_count and day != self.column("starts_on").casefold():
            return None
        texts = {place: as_text(cell) for place, cell in enumerate(cells) if not is_blank(cell)}
        if self.sheet.has_header and self._is_header(texts):
            return Problem("", "; ".join(texts.values()), _("This is the header again."))
        total = next((text for text in texts.values() if TOTAL.fullmatch(text)), "")
        if total and (is_count or not day):
            return Problem("", total, _("This row counts the others: it is nobody."))
        return None

    def _is_header(self, texts: Mapping[int, str]) -> bool:
        """True when the columns that are used repeat their headings; others may say anything."""
        used = self.columns.places.values()
        said = {place: texts[place] for place in used if place in texts}
        headings = self.headings
        same = (
            p < len(headings) and headings[p].casefold() == t.casefold() for p, t in said.items()
        )
        return len(said) > 1 and all(same)

    def column(self, name: str) -> str:
        """The heading over a field, the field's own name where the file has no such column."""
        place = self.columns.places.get(name)
        heading = self.headings[place] if place is not None and place < len(self.headings) else ""
        return heading or str(FIELDS.get(name, name))

    def _whole_row(self, cells: Sequence[Cell]) -> Iterator[Problem]:
        width = len(self.headings)
        if any(not is_blank(cell) for cell in cells[width:]):
            yield Problem(
                "",
                "; ".join(as_text(cell) for cell in cells[width:]),
                _("The row has more cells than the header: put quotes around a comma in a name."),
            )
        for place, cell in enumerate(cells[:width]):
            if cell == REMOVED:
                yield Problem(
                    self.headings[place],
                    "",
                    _(
                        "What looked like a Social Security number stood here and was not kept:"
                        " take it out of your file and drop the file again."
                    ),
                )

    def _cell(self, row: ReadRow, name: str, place: int, cells: Sequence[Cell]) -> None:
        fault = self.sheet.faults.get((row.number - 1, place)) or _written_fault(cells, place)
        if fault:
            value = as_text(cells[place]) if fault == QUOTES else fault
            row.problems.append(Problem(self.column(name), value, _fault_reason(fault)))
            return
        if place >= len(cells) or is_blank(cells[place]) or cells[place] == REMOVED:
            return
        try:
            row.values[name] = self.cells.read(name, cells[place])
        except StandIn as unreadable:
            if name in OPTIONAL_DAYS and self.choices.placeholders == "empty":
                return
            told = str(unreadable) if name in OPTIONAL_DAYS else _not_known(cells[place])
            row.problems.append(Problem(self.column(name), as_text(cells[place]), told))
        except Unreadable as unreadable:
            value = "".join(letter for letter in as_text(cells[place]) if letter >= " ")
            row.problems.append(Problem(self.column(name), value, str(unreadable)))

    def _name(self, row: ReadRow) -> None:
        """The full name is the truth: as it stands, or put together from its parts."""
        values = row.values
        if "full_name" in values:
            values |= _turned(values["full_name"])
        else:
            values["full_name"] = " ".join(values[part] for part in NAMES if values.get(part))
        if not values["full_name"]:
            del values["full_name"]
            if not row.problems:
                row.problems.append(self._missing("full_name"))
            return
        try:
            values["full_name"] = read_name(values["full_name"])
            refuse_nobody(values["full_name"])
            refuse_two_people(values["full_name"], values.get("given_name", ""))
        except Unreadable as unreadable:
            row.problems.append(Problem(self._name_column(), row.name, str(unreadable)))

    def _name_column(self) -> str:
        names = [n for n in ("full_name", *NAMES) if n in self.columns.places]
        return self.column(names[0] if names else "full_name")

    def _missing(self, name: str) -> Problem:
        column = self._name_column() if name == "full_name" else self.column(name)
        text = _("There is no value, and %(what)s is needed: fill it in.")
        reason = text % {"what": NEEDED[name]}
        return Problem(column, "", reason)

    def _stands(self, name: str, cells: Sequence[Cell]) -> str:
        """What the file itself says under a field."""
        place = self.columns.places.get(name, len(cells))
        return as_text(cells[place]) if place < len(cells) else ""

    def _hold_days(self, row: ReadRow, cells: Sequence[Cell]) -> None:
        """What is needed, and days that cannot be."""
        values = row.values
        said = {problem.column for problem in row.problems}
        needed = (
            ("starts_on", True),
            ("activity_on", "activity" in values),
            ("activity", "activity_on" in values),
        )
        for name, is_needed in needed:
            if is_needed and name not in values and self.column(name) not in said:
                row.problems.append(self._missing(name))
        for name, reason in self._wrong_days(values):
            row.problems.append(Problem(self.column(name), self._stands(name, cells), reason))

    def _wrong_days(self, values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        start, end, born = (values.get(name) for name in ("starts_on", "ends_on", "born_on"))
        if start and start > self.today:
            yield (
                "starts_on",
                _(
                    "The join date lies in the future: a roster says who belongs already."
                    " Correct it, or add the person on that day."
                ),
            )
        if start and start.year < self.today.year - OLDEST:
            yield (
                "starts_on",
                _("Nobody living joined so long ago: correct the year, or leave the row out."),
            )
        if start and end and end < start:
            yield "ends_on", _("The leave date lies before the join date. Check both.")
        if start and born and born >= start:
            yield "born_on", _("The birth date lies after the join date. Check both.")

    def _line(self, row: ReadRow, cells: Sequence[Cell]) -> None:
        entry = self._entry(row.values)
        try:
            check_enrollment(entry)
        except BadInput as bad:
            name = FROM_ENROLLMENT.get(bad.field, bad.field)
            name = "activity" if bad.field == "kind" else name
            value = self._stands(name, cells) or shown(row.values.get(name, ""))
            row.problems.append(Problem(self.column(name), value, bad.message))
            return
        row.line = RosterLine(
            entry,
            says_kind="kind" in row.values,
            number=row.number,
            person_number=row.values.get("person_number", ""),
        )

    def _entry(self, values: Mapping[str, Any]) -> Enrollment:
        street = ", ".join(filter(None, (values.get("street"), values.get("street_more"))))
        kind, done_on = values.get("activity"), values.get("activity_on")
        return Enrollment(
            full_name=values["full_name"],
            given_name=values.get("given_name", ""),
            family_name=" ".join(
                values[part] for part in ("family_name", "second_family_name") if values.get(part)
            ),
            kind=values.get("kind") or self.choices.kind,
            starts_on=values["starts_on"],
            ends_on=values.get("ends_on"),
            born_on=values.get("born_on"),
            is_adult=values.get("is_adult", False),
            is_resident=values.get("is_resident"),
            street=street,
            city=values.get("city", ""),
            state=values.get("state", ""),
            postal_code=values.get("postal_code", ""),
            activity=Deed(kind, done_on) if kind and done_on else None,
            duties=values.get("duties", ()),
        )


def _not_known(cell: Cell) -> str:
    return _("“%(value)s” stands for a day that is not known: ask the person, then write it.") % {
        "value": as_text(cell)
    }


def shown(value: Any) -> str:
    """A value as a sentence, a table or JSON shows it."""
    if isinstance(value, date):
        return value.isoformat()
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def _turned(name: str) -> dict[str, str]:
    """“Example, Mary Ann” is Mary Ann Example; “Sample, Pat, Jr.” keeps what follows."""
    family, comma, rest = name.partition(",")
    given, _comma, suffix = (part.strip() for part in rest.partition(","))
    if suffix and _is_suffix(given):
        given, suffix = suffix, given
    if not comma or not given or not family.strip() or _is_suffix(given):
        return {"full_name": name}
    whole = " ".join(filter(None, (given, family.strip(), suffix)))
    return {"full_name": whole, "given_name": given, "family_name": family.strip()}


def _is_suffix(text: str) -> bool:
    return text.casefold().rstrip(".") in {"jr", "sr", "ii", "iii", "iv", "md", "phd", "esq"}


def _written_fault(cells: Sequence[Cell], place: int) -> str:
    """An error that a spreadsheet wrote into a text file."""
    text = as_text(cells[place]) if place < len(cells) else ""
    return text if text in FAULTS else ""


FAULTS = frozenset(
    {"#N/A", "#REF!", "#VALUE!", "#NAME?", "#DIV/0!", "#NUM!", "#NULL!", "#SPILL!", "#FORMULA!"}
    | {QUOTES, MERGED}
)
"""Also those of our own, which stand in a file that was kept without its hidden parts."""


def _fault_reason(fault: str) -> str:
    if fault == "=":
        return _("The formula has no result yet: open the file, save it, and drop it again.")
    if fault == QUOTES:
        return _(
            "The quotation marks do not say where the cell ends: write two of them for each one"
            " inside, or take them out."
        )
    if fault == MERGED:
        return _("The cell is merged with the one above: unmerge them, and fill each row.")
    return _("“%(value)s” is the spreadsheet's error, not a value: correct the formula.") % {
        "value": fault
    }
