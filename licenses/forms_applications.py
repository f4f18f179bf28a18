"""The applicant's forms, made of the questions: what is typed is kept as it was typed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms.boundfield import BoundField
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from licenses.applying import MOST_ROWS
from licenses.forms import bases
from licenses.questions import Paper, Question, Rows, Step, Type, asked, filled
from licenses.questions.reading import Gap, problem
from registry.fields import DateField, DateInput
from registry.forms import RegisterForm, Why
from registry.uploads import UploadField

FEW = 3
"""As many choices stand side by side; more of them go into a list."""
SHORT, LONG = 300, 4000
PAPER = "paper_"
ROW = re.compile(r"(\d{1,3})-(\w+)")
PLAIN_WHY = gettext_lazy("The ordinance asks for it.")
REQUESTED_WHY = gettext_lazy("The county asks for it; you can hand in without it.")


def typed_answers(step: Step, sent: Mapping[str, Any], *, without: str = "") -> dict[str, Any]:
    """What was typed on a step; empty answers and entries are left out, and the entry `without`."""
    found: dict[str, Any] = {}
    for item in step.items:
        if isinstance(item, Question):
            text = _text(sent, item.key)
            found |= {item.key: text} if text else {}
        elif rows := _typed_rows(item, sent, without):
            found[item.key] = rows
    return found


def _typed_rows(rows: Rows, sent: Mapping[str, Any], without: str) -> list[dict[str, str]]:
    entries = [
        {
            question.key: _text(sent, f"{rows.key}-{number}-{question.key}")
            for question in rows.questions
        }
        for number in _numbers(rows, sent)
        if f"{rows.key}-{number}" != without
    ]
    kept = [{key: text for key, text in entry.items() if text} for entry in entries]
    return [entry for entry in kept if entry]


def _numbers(rows: Rows, sent: Mapping[str, Any]) -> list[int]:
    names = (name.removeprefix(f"{rows.key}-") for name in sent if name.startswith(f"{rows.key}-"))
    numbers = {int(match[1]) for name in names if (match := ROW.fullmatch(name))}
    # One more than can be kept, so that it is refused and nothing is left out in silence.
    return sorted(numbers)[: MOST_ROWS + 1]


def _text(sent: Mapping[str, Any], name: str) -> str:
    return str(sent.get(name, "")).replace("\r\n", "\n").replace("\0", "").strip()


def flat(step: Step, answers: Mapping[str, Any]) -> dict[str, str]:
    """Answers by the names of their fields: `bank`, `officers-0-name`."""
    found: dict[str, str] = {}
    for item in step.items:
        if isinstance(item, Question):
            found[item.key] = str(answers.get(item.key, ""))
            continue
        for number, row in enumerate(filled(item, answers)):
            found |= {f"{item.key}-{number}-{key}": str(text) for key, text in row.items()}
    return found


@dataclass(frozen=True)
class Entry:
    """One entry of a list on the page: its name for the button that takes it out, its fields."""

    name: str
    title: str
    fields: Sequence[Part]
    is_new: bool


@dataclass(frozen=True)
class Part:
    """What stands on the page: a field or a list, and on which answer it depends."""

    field: BoundField | None = None
    rows: Rows | None = None
    entries: Sequence[Entry] = ()
    sentences: Sequence[str] = ()
    when: str = ""
    answers: str = ""
    is_full: bool = False


class StepForm(RegisterForm):
    """One step. Nothing is required here: what is missing is told on the last page.

    `more` is the list that gets another empty entry, `unlawful` what the ordinance says to the
    answers, `papers` the headings under which files are taken.
    """

    def __init__(
        self,
        answers: Mapping[str, Any],
        files: Any = None,
        *,
        step: Step,
        more: str = "",
        unlawful: Sequence[Gap] = (),
        names: Sequence[str] = (),
        **kwargs: Any,
    ) -> None:
        self.step, self.answers, self.more = step, answers, more
        self.unlawful, self.names = unlawful, names
        self.why: dict[str, Why] = {}  # type: ignore[misc]
        self.counts = {rows.key: self._count(rows) for rows in step.rows}
        super().__init__(flat(step, answers), files, **kwargs)

    def _count(self, rows: Rows) -> int:
        there = len(filled(rows, self.answers))
        return there + 1 if rows.key == self.more else max(there, 1)

    def prepare(self) -> None:
        """A field for each question and each paper."""
        del self.fields["token"]
        for item in self.step.items:
            if isinstance(item, Question):
                self._ask(item, item.key)
                continue
            for number in range(self.counts[item.key]):
                for question in item.questions:
                    self._ask(question, f"{item.key}-{number}-{question.key}")
        for paper in self.step.papers:
            self._take(paper)

    def _ask(self, question: Question, name: str) -> None:
        self.fields[name] = field_of(question)
        self._names(question, self.fields[name])
        mark(self.fields[name], question)
        self.why[name] = why_of(question)

    def _names(self, question: Question, field: forms.Field) -> None:
        if question.type is Type.NAME and self.names:
            field.widget.attrs["list"] = "names"

    def _take(self, paper: Paper) -> None:
        field = UploadField(label=paper.label, several=True, required=False)
        self.fields[PAPER + paper.kind] = field
        mark(field, paper)
        if paper.cite:
            self.why[PAPER + paper.kind] = Why(REQUESTED_WHY, paper.cite)

    def clean(self) -> dict[str, Any]:
        """Beside each answer that cannot be read, or may not stay so, the sentence that says it."""
        today = timezone.localdate()
        for name, question, beside in self._asked():
            typed = self.data.get(name, "")
            sentence = problem(question, typed, today) if typed.strip() else ""
            if sentence and asked(question, beside) and name not in self.errors:
                self.add_error(name, ValidationError(sentence, code="unread"))
        for gap in self.unlawful:
            if gap.item in self.fields:
                self.add_error(gap.item, ValidationError(gap.sentence, code="unlawful"))
        return super().clean() or {}

    def _asked(self) -> Iterator[tuple[str, Question, Mapping[str, Any]]]:
        for item in self.step.items:
            if isinstance(item, Question):
                yield item.key, item, self.answers
                continue
            for number, row in enumerate(filled(item, self.answers)):
                for question in item.questions:
                    yield f"{item.key}-{number}-{question.key}", question, row

    def papers(self) -> Iterator[tuple[str, Any]]:
        """The files that were sent and can be kept, with their heading."""
        for paper in self.step.papers:
            for file in self.cleaned_data.get(PAPER + paper.kind) or ():
                yield paper.kind, file

    def parts(self) -> Iterator[Part]:
        """The page from top to bottom, without the papers."""
        for item in self.step.items:
            if isinstance(item, Question):
                yield self._part(item, item.key, "")
            else:
                yield self._list(item)

    def uploads(self) -> Iterator[tuple[Paper, BoundField]]:
        """Each heading with its field."""
        for paper in self.step.papers:
            yield paper, self[PAPER + paper.kind]

    def _part(self, question: Question, name: str, before: str) -> Part:
        when = question.when
        if when is None:
            return Part(self[name])
        return Part(self[name], when=before + when.key, answers=" ".join(sorted(when.answers)))

    def _list(self, rows: Rows) -> Part:
        count, there = self.counts[rows.key], len(filled(rows, self.answers))
        entries = [self._entry(rows, number, is_new=number >= there) for number in range(count)]
        # While another entry is being added the list is not judged yet.
        found = self.unlawful if self.more != rows.key else ()
        sentences = [gap.sentence for gap in found if gap.item == rows.key]
        when, answers = (rows.when.key, " ".join(rows.when.answers)) if rows.when else ("", "")
        full = rows.most is not None and count >= rows.most
        return Part(
            rows=rows,
            entries=entries,
            sentences=sentences,
            when=when,
            answers=answers,
            is_full=full,
        )

    def _entry(self, rows: Rows, number: int, *, is_new: bool) -> Entry:
        before = f"{rows.key}-{number}-"
        fields = [self._part(one, before + one.key, before) for one in rows.questions]
        return Entry(f"{rows.key}-{number}", f"{rows.one} {number + 1}", fields, is_new)


def why_of(question: Question) -> Why:
    """Why it is asked, and the paragraph."""
    plain = PLAIN_WHY if question.is_required else REQUESTED_WHY
    return Why(question.why or plain, question.cite)


def mark(field: forms.Field, asked_for: Question | Paper) -> None:
    """What the ordinance does not require says that it is requested."""
    field.is_requested = not asked_for.is_required  # type: ignore[attr-defined]


def field_of(question: Question) -> forms.Field:
    """The field of a question: it takes every text, and keeps it."""
    return forms.CharField(
        label=str(question.label),
        required=False,
        max_length=LONG if question.type is Type.LONG else SHORT,
        widget=_widget(question),
        help_text=str(question.hint or _hint(question)),
    )


def _hint(question: Question) -> Any:
    if question.type is Type.DATE:
        return _("For example 11/30/2026")
    if question.type is Type.BIRTH_DATE:
        return _("For example 11/30/1961")
    return _("For example 6:30 pm") if question.type is Type.TIME else ""


def _widget(question: Question) -> forms.Widget:
    if question.type in (Type.CHOICE, Type.YES_NO):
        choices = list(question.choices) or bases()
        if len(choices) <= FEW:
            return forms.RadioSelect(choices=choices)
        return forms.Select(choices=[("", _("Choose one")), *choices])
    if question.type is Type.LONG:
        return forms.Textarea(attrs={"rows": 4})
    if question.type in (Type.DATE, Type.BIRTH_DATE):
        return DateInput()
    attributes = {"autocomplete": "off"}
    if question.type in (Type.LAST_FOUR, Type.MONEY):
        attributes["inputmode"] = "decimal" if question.type is Type.MONEY else "numeric"
    return forms.TextInput(attrs=attributes)


class StatementForm(StepForm):
    """One person's own statement: signed by name; here what is required is required at once."""

    signed_as = forms.CharField(
        label=gettext_lazy("Your full name, as your signature"), required=False, max_length=200
    )

    def __init__(
        self, *args: Any, signed_as: str = "", received_on: str = "", **kwargs: Any
    ) -> None:
        self.typed = {"signed_as": signed_as, "received_on": received_on}
        super().__init__(*args, **kwargs)
        self.data = {**self.data, **self.typed}

    def hold(self, gaps: Sequence[Gap]) -> bool:
        """Put each thing that is missing beside its field; True when nothing is."""
        for gap in gaps:
            if gap.is_required and gap.item in self.fields and gap.item not in self.errors:
                self.add_error(gap.item, gap.sentence)
            elif gap.is_required and gap.item not in self.fields:
                self.add_error(None, f"{gap.label}: {gap.sentence}")
        if not self.typed["signed_as"].strip():
            self.add_error("signed_as", _("You sign by writing your full name."))
        return not self.errors


def day_of(text: str) -> date | None:
    """The day a clerk typed, None for one that cannot be read."""
    try:
        found: date | None = DateField(required=False).clean(text)
    except ValidationError:
        return None
    return found
