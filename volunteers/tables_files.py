"""The rows of a roster file as a list, and the files an organization sent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import django_tables2 as tables
from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from registry.tables import RegisterTable
from registry.templatetags.register import when
from volunteers.filerows import Worded
from volunteers.filework import job_said
from volunteers.models import FileJob, RosterFile


class FileRowTable(RegisterTable):
    """Every row with its status, its problem and from when the person may work."""

    caption = ngettext_lazy("%(shown)s row", "%(shown)s rows", "count")
    row_template = "volunteers/_roster_file_row.html"
    name = tables.Column(gettext_lazy("Name"))
    number = tables.Column(gettext_lazy("Row"))
    status = tables.Column(gettext_lazy("Status"), accessor="status_word")
    since = tables.Column(gettext_lazy("Join date"))
    may_work = tables.Column(gettext_lazy("May work"), accessor="eligible_on")
    told = tables.Column(gettext_lazy("What it says"), orderable=False)

    class Meta:
        empty_text = gettext_lazy("No row of this kind.")
        orderable = False

    def __init__(self, rows: Worded, **options: Any) -> None:
        super().__init__([], **options)
        # Put in here because a table makes a list of what it is given, all rows of it.
        self.data.data = rows

    def exported(self) -> Iterator[list[Any]]:
        """Header and every row, one after the other."""
        yield [str(column.header) for column in self.columns]
        for row in self.data:
            name = row.name or _("(no name)")
            yield [name, row.number, row.status_word, row.since, row.eligible_on, row.told]


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
    job: FileJob | None = None
    """Work on it that waits, runs or was stopped."""

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
        """Entered when and by whom, how far the work on it is, or still waiting."""
        if self.job and (told := job_said(self.job)):
            return told
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
    return told % {"when": at, "by": first["by"], "count": intcomma(made)}
