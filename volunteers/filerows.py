"""The rows of a roster file in words, judged just now or kept from before; alike to every page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Protocol

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from registry.templatetags.register import short_day
from registry.worded import Mark
from volunteers.comparing import Change, Status
from volunteers.imports import JudgedRow, Preview, Question
from volunteers.keeping import rows_of
from volunteers.models import FileReading, FileReadingRow
from volunteers.readers.columns import FIELDS
from volunteers.readers.sheets import MERGED, brief
from volunteers.services import Deed

WORDS = {
    Status.NEW: gettext_lazy("New"),
    Status.SAME: gettext_lazy("On the roster"),
    Status.CHANGED: gettext_lazy("Changed"),
    Status.REFUSED: gettext_lazy("Refused"),
    Status.SKIPPED: gettext_lazy("Left out"),
}
MARKS = {
    Status.NEW: Mark.NOTE,
    Status.SAME: Mark.CLEARED,
    Status.CHANGED: Mark.MISSING,
    Status.REFUSED: Mark.NOT_CLEARED,
    Status.SKIPPED: Mark.NOTE,
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One mistake: the column's heading, what stands there, why it is refused and what to do."""

    column: str
    value: str
    reason: str

    @property
    def told(self) -> str:
        """Column, what stands there where the reason does not quote it, and the reason."""
        is_quoted = "“" in self.reason or self.value in self.reason
        has_words = self.value != MERGED and any(letter.isalnum() for letter in self.value)
        stands = f"“{brief(self.value)}”" if has_words and not is_quoted else ""
        where = " ".join(filter(None, (self.column, stands)))
        return f"{where}: {self.reason}" if where else self.reason


@dataclass(frozen=True, slots=True)
class FileRow:
    """One row of a file in words."""

    number: int
    name: str
    status: Status
    since: date | None
    mark: Mark | None
    """The rules' answer, None where they were not asked."""
    eligible_on: date | None
    faults: tuple[Fault, ...]
    remarks: tuple[str, ...]
    """What would change, or which test bars: one sentence each."""
    today: date

    @classmethod
    def of(cls, row: JudgedRow, today: date) -> FileRow:
        """A row that was judged just now."""
        faults = tuple(Fault(p.column, p.value, p.reason) for p in row.problems)
        return cls(
            number=row.number,
            name=row.name,
            status=row.status,
            since=row.values.get("starts_on"),
            mark=row.mark,
            eligible_on=row.eligible_on,
            faults=faults,
            remarks=() if faults else tuple(_remarks(row)),
            today=today,
        )

    @classmethod
    def kept(cls, row: FileReadingRow, today: date) -> FileRow:
        """A row that was kept."""
        return cls(
            number=row.number,
            name=row.name,
            status=Status(row.status),
            since=row.since,
            mark=Mark(row.mark) if row.mark else None,
            eligible_on=row.eligible_on,
            faults=tuple(Fault(*fault) for fault in row.told["faults"]),
            remarks=tuple(row.told["remarks"]),
            today=today,
        )

    def to_keep(self) -> FileReadingRow:
        """The row as it is kept, unsaved."""
        return FileReadingRow(
            number=self.number,
            status=self.status.value,
            is_good=self.status is not Status.REFUSED,
            name=self.name[:400],
            since=self.since,
            mark=self.mark.value if self.mark else "",
            eligible_on=self.eligible_on,
            told={
                "faults": [[f.column, f.value, f.reason] for f in self.faults],
                "remarks": self.remarks,
            },
        )

    @property
    def status_word(self) -> str:
        """The status in one word."""
        return str(WORDS[self.status])

    @property
    def status_mark(self) -> Mark:
        """Its shape and colour."""
        return MARKS[self.status]

    @property
    def is_new(self) -> bool:
        """True for a row that makes a new line on the roster."""
        return self.status is Status.NEW

    @property
    def later(self) -> date | None:
        """The day from which waiting alone clears the person."""
        day = self.eligible_on
        return day if day and day > self.today else None

    @property
    def told(self) -> str:
        """Mistakes and remarks in one cell."""
        return " ".join([*(fault.told for fault in self.faults), *self.remarks])


class FileRows(Protocol):
    """A whole file judged: what a page asks of it."""

    counts: Mapping[str, int]
    questions: Sequence[Question]
    """What a person must say before anything can be entered."""
    mentions: Sequence[str]
    """What the spreadsheet hides, a sentence each."""
    to_enter: int
    """How many rows would change the roster."""
    approving: int
    """How many may work today and are not approved yet."""
    without_duty: int
    """For how many of those the file names no duty."""
    today: date

    def rows(self, status: str = "") -> Worded:
        """The rows of a status or all, those with problems first; read as they are asked for."""
        ...


class JudgedFile:
    """A file whose rows were judged just now."""

    def __init__(self, preview: Preview) -> None:
        self._preview, self.today = preview, preview.today
        self.counts: Mapping[str, int] = preview.counts
        self.questions: Sequence[Question] = preview.questions
        self.mentions: Sequence[str] = preview.mentions
        self.to_enter = preview.to_enter
        duties = preview.duties_to_approve.values()
        self.approving, self.without_duty = len(duties), sum(not named for named in duties)

    def rows(self, status: str = "") -> Worded:
        """The rows in words, each worded when it is asked for."""
        chosen = [row for row in self._preview.rows if status in {"", row.status}]
        if not status:
            chosen.sort(key=lambda row: (row.status is not Status.REFUSED, row.number))
        return Worded(chosen, lambda row: FileRow.of(row, self.today))

    def summary(self) -> dict[str, Any]:
        """The numbers, as they are kept."""
        return {
            "counts": dict(self.counts),
            "questions": [[q.code, q.text, q.control] for q in self.questions],
            "mentions": list(self.mentions),
            "to_enter": self.to_enter,
            "approving": self.approving,
            "without_duty": self.without_duty,
            "today": self.today.isoformat(),
        }

    def to_keep(self) -> Iterator[FileReadingRow]:
        """Every row as it is kept, one after the other."""
        return (FileRow.of(row, self.today).to_keep() for row in self._preview.rows)


class KeptFile:
    """A file whose rows were judged before."""

    def __init__(self, reading: FileReading) -> None:
        self._reading, self.today = reading, reading.judged_on
        summary = reading.summary
        self.counts: Mapping[str, int] = summary["counts"]
        self.questions: Sequence[Question] = [Question(*told) for told in summary["questions"]]
        self.mentions: Sequence[str] = summary.get("mentions", ())
        self.to_enter: int = summary["to_enter"]
        self.approving: int = summary["approving"]
        self.without_duty: int = summary["without_duty"]

    def rows(self, status: str = "") -> Worded:
        """The rows in words, fetched as they are asked for."""
        kept = rows_of(self._reading, status)
        count = self.counts[status or "rows"]
        return Worded(kept, lambda row: FileRow.kept(row, self.today), count)


class Worded:
    """Rows that become words one by one: a page asks for its own hundred only."""

    def __init__(self, rows: Any, word: Callable[[Any], FileRow], count: int | None = None) -> None:
        self._all, self._word = rows, word
        self._count = len(rows) if count is None else count

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[FileRow]:
        rows = self._all if isinstance(self._all, list) else self._all.iterator(chunk_size=1_000)
        return (self._word(row) for row in rows)

    def __getitem__(self, place: Any) -> Any:
        found = self._all[place]
        return [self._word(row) for row in found] if isinstance(place, slice) else self._word(found)


def work_said(counts: Mapping[str, int]) -> str:
    """“By this file 250 may work today, 19 from a later day …”: every good row is counted once."""
    good = counts["new"] + counts["changed"] + counts["same"]
    cleared, later, missing = counts["cleared"], counts["later"], counts["missing"]
    rest = good - cleared - later - missing
    parts = (
        (cleared, _("%(count)s may work today")),
        (later, _("%(count)s from a later day")),
        (missing, ngettext("%(count)s lacks a paper", "%(count)s lack a paper", missing)),
        (rest, ngettext("%(count)s has left or may not", "%(count)s have left or may not", rest)),
    )
    told = [text % {"count": intcomma(count)} for count, text in parts if count]
    return _("By this file %(parts)s.") % {"parts": get_text_list(told, _("and"))} if told else ""


def _remarks(row: JudgedRow) -> Iterator[str]:
    for change in row.compared.changes if row.compared else ():
        yield change_said(change)
    if row.why:
        yield row.why


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
