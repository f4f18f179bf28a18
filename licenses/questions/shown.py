"""Answers as they are read: in words, beside the question and its cite. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from licenses.questions import Answers, Question, Rows, Step, asked, filled


@dataclass(frozen=True, slots=True)
class Line:
    """One question and what was answered; "" where nothing was."""

    label: str
    text: str
    cite: str
    is_required: bool


@dataclass(frozen=True, slots=True)
class Entries:
    """A list: what it is, and its entries as lines."""

    label: str
    one: str
    rows: Sequence[Sequence[Line]]


@dataclass(frozen=True, slots=True)
class ShownStep:
    """One step as it is read: its lines, then its lists."""

    key: str
    title: str
    lines: Sequence[Line]
    lists: Sequence[Entries]


def shown(steps: Sequence[Step], answers: Answers) -> list[ShownStep]:
    """A whole application as it is read, with only what was asked."""
    return [shown_step(step, answers.get(step.key, {})) for step in steps]


def shown_step(step: Step, answers: Mapping[str, Any]) -> ShownStep:
    """One step as it is read."""
    lists = [_entries(rows, answers) for rows in step.rows if asked(rows, answers)]
    questions = [question for question in step.questions if asked(question, answers)]
    lines = [_line(question, answers) for question in questions]
    return ShownStep(step.key, str(step.title), lines, lists)


def _entries(rows: Rows, answers: Mapping[str, Any]) -> Entries:
    found = [
        [_line(question, row) for question in rows.questions if asked(question, row)]
        for row in filled(rows, answers)
    ]
    return Entries(str(rows.label), str(rows.one), found)


def _line(question: Question, answers: Mapping[str, Any]) -> Line:
    typed = str(answers.get(question.key, "")).strip()
    words = {value: str(label) for value, label in question.choices}
    return Line(str(question.label), words.get(typed, typed), question.cite, question.is_required)
