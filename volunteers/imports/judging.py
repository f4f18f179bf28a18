"""A whole file judged against the organization's own roster. The register is never asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import date
from itertools import islice
from typing import Any

from django.utils.translation import gettext as _

from licenses.selectors import licenses_by_organization
from registry.access import BadInput
from registry.models import Organization, User
from registry.periods import Period
from registry.ruleset import Ruleset, in_force
from registry.selectors import root_of
from registry.services import tidy
from registry.verdicts import Ruling, Verdict
from registry.worded import Mark
from volunteers import facts
from volunteers.comparing import (
    Compared,
    OwnPerson,
    OwnRoster,
    RosterLine,
    Status,
    humans,
    plain_names,
)
from volunteers.gathering import license_spells, running
from volunteers.imports.elsewhere import others_named, places_of, skip_others
from volunteers.imports.lines import LineReader, Problem, ReadRow, shown
from volunteers.imports.questions import Question, Reading, hidden_said, open_questions
from volunteers.readers import Choices, Columns, Sheet, columns_of, order_of, read_file
from volunteers.readers.days import DayReader, Order, Ordered, two_digit_years
from volunteers.rules import rule_briefly
from volunteers.words import mark_of, sentence

REMEMBERED = 1_000
"""Answers kept for rows of which the same is known; every date makes another one."""
GROWN_UP = 25
"""Years: older people are told apart from minors without their birth date."""


@dataclass(slots=True)
class JudgedRow:
    """One row: what it would do, what is wrong with it, and from when the person may work."""

    number: int
    name: str
    status: Status
    values: dict[str, Any] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    line: RosterLine | None = None
    compared: Compared | None = None
    mark: Mark | None = None
    eligible_on: date | None = None
    bar: Verdict | None = None
    """The first test that bars; only on what the organization itself says."""

    @property
    def is_judged(self) -> bool:
        """True for a row that can be entered."""
        return self.status not in {Status.REFUSED, Status.SKIPPED}

    @property
    def why(self) -> str:
        """That test in words."""
        return sentence(self.bar, county=False) if self.bar else ""

    def may_be_approved(self, today: date) -> bool:
        """True for who may work today and has no approval yet."""
        known = self.compared.known if self.compared else None
        return self.eligible_on == today and not (known and known.is_approved(today))

    @property
    def enters(self) -> bool:
        """True when the row would write anything."""
        if self.status is not Status.CHANGED or self.compared is None:
            return self.status is Status.NEW
        return any(change.enters for change in self.compared.changes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Understood:
    """What was understood of a file before any of its rows is judged."""

    sheet: Sheet
    columns: Columns
    ordered: Ordered
    choices: Choices
    questions: list[Question]
    today: date

    @property
    def mentions(self) -> list[str]:
        """What the spreadsheet hides, a sentence each."""
        return hidden_said(self.sheet, self.choices)

    @property
    def two_digit_day(self) -> str:
        """A day written with a year of two digits, "" when there is none."""
        return two_digit_years(self.sheet, self.columns)


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview(Understood):
    """What was understood of a file, and each of its rows judged. Nothing is saved."""

    rows: list[JudgedRow]

    @property
    def counts(self) -> dict[str, int]:
        """How many rows there are, of which status, and who may work when."""
        by_status = Counter(row.status for row in self.rows)
        judged = [row for row in self.rows if row.is_judged]
        return {
            "rows": len(self.rows),
            **{status.value: by_status[status] for status in Status},
            "cleared": sum(row.eligible_on == self.today for row in judged),
            "later": sum(bool(row.eligible_on and row.eligible_on > self.today) for row in judged),
            "missing": sum(row.mark is Mark.MISSING and not row.eligible_on for row in judged),
        }

    @property
    def good(self) -> list[RosterLine]:
        """The lines that can be entered."""
        return [r.line for r in self.rows if r.line and r.is_judged]

    @property
    def to_enter(self) -> int:
        """How many rows would change the roster."""
        return sum(row.enters for row in self.rows)

    @property
    def duties_to_approve(self) -> dict[int, tuple[str, ...]]:
        """By row, the duties that the file names for those who may be approved today."""
        return {
            row.number: row.line.entry.duties
            for row in self.rows
            if row.line and row.is_judged and row.may_be_approved(self.today)
        }

    def as_json(self) -> dict[str, Any]:
        """The object that `import_roster --json` prints."""
        named: dict[str, str | None] = {}
        for place, heading in enumerate(self.sheet.headings):
            key = heading if heading not in named else f"{heading} ({place + 1})"
            named[key] = self.columns.field_of(place) or None
        return {
            "encoding": self.sheet.encoding or None,
            "delimiter": self.sheet.delimiter or None,
            "sheet": self.sheet.sheet or None,
            "header_row": self.sheet.header_row or None,
            "date_order": None if self.ordered.order is Order.OPEN else self.ordered.order or None,
            "columns": named,
            "counts": self.counts,
            "questions": [question.text for question in self.questions],
            "rows": [_row_json(row) for row in self.rows],
        }


def _row_json(row: JudgedRow) -> dict[str, Any]:
    return {
        "row": row.number,
        "status": row.status.value,
        "values": {name: _plain_value(value) for name, value in row.values.items()},
        "problems": [
            {"column": p.column, "value": p.value, "reason": p.reason} for p in row.problems
        ],
        "eligible_on": row.eligible_on.isoformat() if row.eligible_on else None,
    }


def _plain_value(value: Any) -> Any:
    return value if value is None or isinstance(value, bool) else shown(value)


def judge(
    by: User | None,
    organization: Organization,
    file: tuple[str, bytes],
    choices: Choices,
    today: date,
) -> Preview:
    """Read a file and judge its rows. Raises BadFile when it cannot be read.

    The same queries are made whoever is in the file, all of them on the organization's own rows.
    """
    return judge_rows(by, organization, understand(file, choices, today))


def understand(file: tuple[str, bytes], choices: Choices, today: date) -> Understood:
    """Read a file as chosen, without judging its rows. Raises BadFile when it cannot be read."""
    sheet = read_file(*file, choices)
    columns = columns_of(sheet, choices)
    ordered = order_of(sheet, columns, choices)
    return Understood(
        sheet=sheet,
        columns=columns,
        ordered=ordered,
        choices=choices,
        questions=open_questions(Reading(sheet, columns, ordered, choices, today)),
        today=today,
    )


def judge_rows(
    by: User | None,
    organization: Organization,
    seen: Understood,
    *,
    first: int | None = None,
    tell: Callable[[str, int, int], None] | None = None,
) -> Preview:
    """Judge the rows of a file that was understood: all, or only the `first` of them.

    `tell` is called with what is being done (read, judge), how many rows are and are to be done.
    """
    law = in_force(seen.today)
    reader = LineReader(seen.sheet, seen.columns, _day_reader(seen), seen.choices, law)
    rows = islice(reader.rows(), first)
    read = list(_told(rows, sum(1 for _line in seen.sheet.lines()), tell) if tell else rows)
    foreign = skip_others(read, organization, reader)
    judging = _Judging(by, organization, seen.today, law, tell)
    judged = judging.rows(read, reader.column("other_organization"))
    told = {f.name: getattr(seen, f.name) for f in fields(Understood)}
    return Preview(**told | {"questions": [*seen.questions, *foreign]}, rows=judged)


def _told(
    rows: Iterable[ReadRow], total: int, tell: Callable[[str, int, int], None]
) -> Iterator[ReadRow]:
    for done, row in enumerate(rows, 1):
        tell("read", done, total)
        yield row


def _day_reader(seen: Understood) -> DayReader:
    past = seen.choices.two_digit_years == "past"
    return DayReader(seen.ordered.order, seen.today, past_years=past, serials=seen.choices.serials)


def _unjudged(row: ReadRow) -> JudgedRow:
    status = Status.SKIPPED if row.is_skipped else Status.REFUSED
    return JudgedRow(row.number, row.name, status, row.values, row.problems)


def _is_said(verdict: Verdict, asked: facts.Facts) -> bool:
    """True for the test of other organizations where the file itself names some."""
    return verdict.rule == "one_other" and bool(asked.places)


class _Judging:
    """The organization's own rows, and the rows of one file held against them."""

    def __init__(
        self,
        by: User | None,
        organization: Organization,
        today: date,
        law: Ruleset,
        tell: Callable[[str, int, int], None] | None = None,
    ) -> None:
        self.by, self.organization, self.today, self.law = by, organization, today, law
        self.tell = tell
        self.own = OwnRoster(organization)
        licenses = licenses_by_organization([organization.pk]).get(organization.pk, [])
        self.licenses = license_spells(running(licenses, today))
        self.rulings: dict[facts.Facts, Ruling] = {}
        self.others: dict[int, tuple[str, ...]] = {}
        self.others_column = ""

    def rows(self, read: Sequence[ReadRow], others_column: str) -> list[JudgedRow]:
        """Every row with its status and its answer."""
        judged = [_unjudged(row) for row in read]
        good = [(row, r.line) for row, r in zip(judged, read, strict=True) if r.line]
        plain = plain_names([*(tidy(row.name) for row in read), *self._own_names()])
        lines = self.own.recognised([line for _row, line in good], plain)
        good = [(row, line) for (row, _line), line in zip(good, lines, strict=True)]
        self.others = others_named(read, self.organization, plain)
        self.others_column = others_column
        self._refuse_repeated(good, plain)
        compared = zip(good, self.own.compare(lines, plain), strict=True)
        for done, ((row, line), found) in enumerate(compared, 1):
            self._take(row, line, found, plain)
            if self.tell:
                self.tell("judge", done, len(good))
        return judged

    def _take(
        self, row: JudgedRow, line: RosterLine, found: Compared | BadInput, plain: dict[str, str]
    ) -> None:
        row.line = line
        if isinstance(found, BadInput):
            row.problems.append(Problem(_("Name"), row.name, found.message))
            return
        row.compared = found
        if self._is_own(line, found, plain) and found.status is not Status.SAME:
            told = _("This line is about yourself: another officer must confirm it.")
            row.problems.append(Problem(_("Name"), row.name, told))
        if row.problems:
            return
        row.status = found.status
        self._answer(row, line, found.known)

    @staticmethod
    def _refuse_repeated(
        good: Iterable[tuple[JudgedRow, RosterLine]], plain: dict[str, str]
    ) -> None:
        """The same person twice is a mistake, unless the one row ends before the other begins."""
        good = list(good)
        for group in humans([line for _row, line in good], plain):
            taken: list[tuple[Period, int]] = []
            for place in group:
                row, line = good[place]
                period = Period(line.entry.starts_on, line.entry.ends_on)
                other = next((n for seen, n in taken if seen.overlaps(period)), None)
                if other is None:
                    taken.append((period, line.number))
                    continue
                text = _("“%(name)s” also stands in row %(row)s: keep one of the two.")
                told = text % {"name": row.name, "row": other}
                row.problems.append(Problem(_("Name"), row.name, told))

    def _own_names(self) -> list[str]:
        """The names under which the officer himself could stand in the file."""
        if self.by is None:
            return []
        return [tidy(self.by.person.full_name if self.by.person else self.by.name)]

    def _is_own(self, line: RosterLine, found: Compared, plain: dict[str, str]) -> bool:
        """True when the line is about the officer who brings the file (decisions 14)."""
        mine = self.by.person if self.by else None
        if mine is not None and found.known is not None:
            return found.known.pk == root_of(mine).pk
        names = {plain[name] for name in self._own_names() if name}
        born = {line.entry.born_on, mine.born_on if mine else None} - {None}
        return plain[tidy(line.entry.full_name)] in names and len(born) <= 1

    def _answer(self, row: JudgedRow, line: RosterLine, known: OwnPerson | None) -> None:
        """From when the person may work, by the file's and the organization's own rows alone."""
        asked = self._facts(line, known)
        ruling = self.rulings.get(asked)
        if ruling is None:
            whole = rule_briefly(asked, self.law)
            seen = tuple(v for v in whole.verdicts if not v.crosses or _is_said(v, asked))
            if len(self.rulings) >= REMEMBERED:
                self.rulings.clear()
            ruling = self.rulings[asked] = replace(whole, verdicts=seen)
        row.mark, row.eligible_on = mark_of(ruling), ruling.eligible_on
        row.bar = ruling.first_bar
        if any(_is_said(verdict, asked) and verdict.bars for verdict in ruling.verdicts):
            row.problems.append(self._too_many(row.number, line.entry.full_name))

    def _too_many(self, number: int, name: str) -> Problem:
        others = "; ".join(self.others[number])
        text = _(
            "%(name)s also works for %(others)s, as the file says, and one other organization is"
            " the most (§ 10-63(10)): the row can be entered, and the person is not cleared."
        )
        return Problem(self.others_column, others, text % {"name": name, "others": others})

    def _facts(self, line: RosterLine, known: OwnPerson | None) -> facts.Facts:
        entry = line.entry
        rows = known.spells if known else []
        spells = {row.starts_on: (row.ends_on, row.kind) for row in rows}
        if not known or known.spell_for(entry) is None:
            spells[entry.starts_on] = entry.ends_on, entry.kind
        elif entry.starts_on in spells:
            ends_on, kind = spells[entry.starts_on]
            spells[entry.starts_on] = ends_on or entry.ends_on, kind
        done = [(row.kind, row.done_on) for row in known.activities] if known else []
        if entry.activity:
            done.append((entry.activity.kind, entry.activity.done_on))
        stated = (entry.born_on, *(row.born_on_stated for row in reversed(rows)))
        born = next((day for day in stated if day), None)
        grown_up = born is not None and born.year + GROWN_UP < self.today.year
        return facts.Facts(
            body=self.organization.pk,
            organization=self.organization.name,
            on=self.today,
            spells=tuple(
                facts.Spell(facts.Kind(kind), Period(starts_on, ends_on))
                for starts_on, (ends_on, kind) in spells.items()
            ),
            suspensions=tuple(known.suspensions) if known else (),
            activities=tuple(facts.Done(kind, day) for kind, day in sorted(set(done))),
            licenses=self.licenses,
            places=places_of(self.others.get(line.number, ())),
            born_on=None if grown_up else born,
            is_adult_attested=grown_up or entry.is_adult or any(r.is_adult_stated for r in rows),
            is_resident=entry.is_resident,
        )
