"""The rows of a roster file as a list, and the files an organization sent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import django_tables2 as tables
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from registry.tables import RegisterTable
from registry.templatetags.register import short_day, when
from registry.worded import Mark
from volunteers.comparing import Change, Status
from volunteers.imports import JudgedRow
from volunteers.models import RosterFile
from volunteers.readers.columns import FIELDS
from volunteers.services import Deed

WORDS = {
    Status.NEW: gettext_lazy("New"),
    Status.SAME: gettext_lazy("On the roster"),
    Status.CHANGED: gettext_lazy("Changed"),
    Status.REFUSED: gettext_lazy("Refused"),
}
MARKS = {
    Status.NEW: Mark.NOTE,
    Status.SAME: Mark.CLEARED,
    Status.CHANGED: Mark.MISSING,
    Status.REFUSED: Mark.NOT_CLEARED,
}


@dataclass(frozen=True, slots=True)
class FileRow:
    """One row of a file in words."""

    judged: JudgedRow
    today: date

    @property
    def pk(self) -> int:
        """The row's number."""
        return self.judged.number

    @property
    def name(self) -> str:
        """The name as far as it could be read."""
        return self.judged.name or _("(no name)")

    @property
    def status(self) -> str:
        """The status in one word."""
        return str(WORDS[self.judged.status])

    @property
    def status_mark(self) -> Mark:
        """Its shape and colour."""
        return MARKS[self.judged.status]

    @property
    def is_new(self) -> bool:
        """True for a row that makes a new line on the roster."""
        return self.judged.status is Status.NEW

    @property
    def since(self) -> date | None:
        """The join date."""
        day: date | None = self.judged.values.get("starts_on")
        return day

    @property
    def is_judged(self) -> bool:
        """True where the rules gave an answer."""
        return self.judged.mark is not None

    @property
    def later(self) -> date | None:
        """The day from which waiting alone clears the person."""
        day = self.judged.eligible_on
        return day if day and day > self.today else None

    @property
    def may_work(self) -> str:
        """When the person may work, as a file says it."""
        return self.judged.eligible_on.isoformat() if self.judged.eligible_on else ""

    @property
    def notes(self) -> list[str]:
        """What is wrong, or what would change, or which test bars: one sentence each."""
        return list(self._notes())

    def _notes(self) -> Iterator[str]:
        for problem in self.judged.problems:
            yield f"{problem.column}: {problem.reason}" if problem.column else problem.reason
        for change in self.judged.compared.changes if self.judged.compared else ():
            if not self.judged.problems:
                yield change_said(change)
        if self.judged.why and not self.judged.problems:
            yield self.judged.why

    @property
    def told(self) -> str:
        """The notes in one cell."""
        return " ".join(self.notes)


def change_said(change: Change) -> str:
    """One difference from the roster in words, and what becomes of it."""
    named = {"confirmed": _("Confirmed by an officer")} | FIELDS
    shown = {"field": named[change.field], "was": _shown(change.was), "now": _shown(change.now)}
    if change.field == "confirmed":
        return _("Nobody has confirmed this line so far; your statement confirms it.")
    if change.enters:
        return _("%(field)s will be added: %(now)s.") % shown
    if change.now is None:
        return _("%(field)s: the roster says %(was)s; ask the county clerk to correct it.") % shown
    return (
        _("%(field)s: the roster says %(was)s, this file %(now)s; ask the county clerk to correct.")
        % shown
    )


def _shown(value: Any) -> str:
    if isinstance(value, Deed):
        return f"{value.kind}, {short_day(value.done_on)}"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, date):
        return short_day(value)
    return str(value) if value else _("nothing")


class FileRowTable(RegisterTable):
    """Every row with its status, its problem and from when the person may work."""

    caption = ngettext_lazy("%(shown)s row", "%(shown)s rows", "count")
    row_template = "volunteers/_roster_file_row.html"
    name = tables.Column(gettext_lazy("Name"))
    number = tables.Column(gettext_lazy("Row"), accessor="pk")
    status = tables.Column(gettext_lazy("Status"), order_by="judged__status")
    since = tables.Column(gettext_lazy("Join date"), order_by="judged__number")
    may_work = tables.Column(gettext_lazy("May work"), order_by="may_work")
    told = tables.Column(gettext_lazy("What it says"), orderable=False)

    class Meta:
        empty_text = gettext_lazy("No row of this kind.")
        orderable = False


class RosterFileTable(RegisterTable):
    """The files an organization sent, newest first."""

    caption = ngettext_lazy("%(shown)s roster file", "%(shown)s roster files", "count")
    row_template = "volunteers/_roster_file.html"
    name = tables.Column(gettext_lazy("File"))
    uploaded_at = tables.Column(gettext_lazy("Received"))
    state = tables.Column(gettext_lazy("State"), orderable=False)

    class Meta:
        empty_text = gettext_lazy("No roster file yet.")
        orderable = False


@dataclass(frozen=True, slots=True)
class FileLine:
    """One file in words."""

    file: RosterFile
    url: str

    @property
    def pk(self) -> int:
        """The file's key."""
        return self.file.pk

    @property
    def name(self) -> str:
        """Its name."""
        return self.file.name

    @property
    def uploaded_at(self) -> datetime:
        """When it came."""
        return self.file.uploaded_at

    @property
    def is_entered(self) -> bool:
        """True when rows of it were entered."""
        return self.file.entered_at is not None

    @property
    def state(self) -> str:
        """Entered when and by whom, or still waiting."""
        return entered_said(self.file) or _("Not entered yet")


def entries_of(file: RosterFile) -> list[dict[str, Any]]:
    """Each time the file was entered: when, by whom, with what numbers."""
    found: list[dict[str, Any]] = file.result.get("entries", [])
    return found


def entered_said(file: RosterFile) -> str:
    """“Entered on Mon, Nov 30, 2026, 7:42 PM by Ada Reyes: 297 people”; "" before that."""
    entries = entries_of(file)
    if not entries:
        return ""
    first = entries[0]
    made = sum(entry["counts"]["made"] for entry in entries)
    told = ngettext(
        "Entered on %(when)s by %(by)s: %(count)s new line",
        "Entered on %(when)s by %(by)s: %(count)s new lines",
        made,
    )
    at = when(datetime.fromisoformat(first["at"]))
    return told % {"when": at, "by": first["by"], "count": made}
