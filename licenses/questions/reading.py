"""Reads answers as they were typed, and tells what is still missing. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext as _

from licenses.questions import Answers, Item, Question, Rows, Step, Type, asked, filled
from registry.entries import Unreadable, read_day, read_name

LAST_FOUR = re.compile(r"[0-9]{4}")
CLOCK = re.compile(r"(\d{1,2})(?:[:.](\d{2}))?\s*([ap])?\.?\s*m?\.?", re.IGNORECASE | re.ASCII)
MONEY = re.compile(r"\$?\s*(\d{1,3}(?:,\d{3})*|\d+)(\.\d{1,2})?", re.ASCII)
MOST, MOST_LONG, DOLLAR_DIGITS = 200, 4000, 10
WIDTHS = {"office": 120, "city": 100, "county": 100, "postal_code": 10}
"""Letters of an answer that the register keeps in a narrower column."""
HOURS_A_DAY, NOON, MINUTES = 24, 12, 60


@dataclass(frozen=True, slots=True)
class Gap:
    """One thing that is missing or cannot stay so: where, what, and whether the law asks it."""

    step: str
    item: str
    label: str
    sentence: str
    cite: str = ""
    is_required: bool = True
    row: int | None = None

    @property
    def anchor(self) -> str:
        """The name of its field on the step's page."""
        return self.item if self.row is None else f"{self.item}-{self.row}"


def read_answer(question: Question, typed: str, today: date) -> Any:
    """The value of what was typed; raises Unreadable with one sentence. Times are minutes."""
    text = " ".join(typed.split()) if question.type is not Type.LONG else typed.strip()
    _check_length(question, text)
    if question.type is Type.DATE:
        return read_day(text, today.year)
    if question.type is Type.BIRTH_DATE:
        return _birth_date(text, today)
    if question.type is Type.NAME:
        return read_name(text)
    if question.type in (Type.CHOICE, Type.YES_NO):
        return _choice(question, text)
    reader = READERS.get(question.type)
    return reader(text) if reader else text


def _check_length(question: Question, text: str) -> None:
    """What a grant writes into the register must fit there."""
    most = MOST_LONG if question.type is Type.LONG else WIDTHS.get(question.key, MOST)
    if len(text) > most:
        raise Unreadable(
            _("This is too long: write it in at most %(most)s letters.") % {"most": most}
        )


def _choice(question: Question, text: str) -> str:
    if question.choices and text not in {value for value, _label in question.choices}:
        raise Unreadable(
            _("“%(value)s” is not on the list: choose one of those shown.") % {"value": text}
        )
    return text


def _birth_date(text: str, today: date) -> date:
    day = read_day(text)
    if day > today:
        raise Unreadable(_("“%(value)s” is still to come: check the year.") % {"value": text})
    return day


def _money(text: str) -> Decimal:
    match = MONEY.fullmatch(text)
    try:
        if match and len(match[1].replace(",", "")) <= DOLLAR_DIGITS:
            return Decimal(match[1].replace(",", "") + (match[2] or ""))
    except InvalidOperation:
        pass
    raise Unreadable(
        _("“%(value)s” is no amount: write dollars as 150 or 150.00.") % {"value": text}
    )


def _last_four(text: str) -> str:
    if not LAST_FOUR.fullmatch(text):
        raise Unreadable(_("Write the last four digits only, for example 0428."))
    return text


def _email(text: str) -> str:
    try:
        validate_email(text)
    except ValidationError:
        raise Unreadable(
            _("“%(value)s” is no e-mail address: write it as name@example.org.") % {"value": text}
        ) from None
    return text


def _minutes(text: str) -> int:
    """6:30 pm, 18:30 or 24:00 as minutes after midnight."""
    match = CLOCK.fullmatch(text)
    if match:
        hour, minute, half = int(match[1]), int(match[2] or 0), (match[3] or "").lower()
        if half and 1 <= hour <= NOON:
            hour = hour % NOON + (NOON if half == "p" else 0)
        total = hour * MINUTES + minute
        if (
            minute < MINUTES
            and total <= HOURS_A_DAY * MINUTES
            and not (half and hour > HOURS_A_DAY)
        ):
            return total
    raise Unreadable(_("“%(value)s” is no time: write it as 6:30 pm or 18:30.") % {"value": text})


READERS: Mapping[Type, Any] = {
    Type.MONEY: _money,
    Type.LAST_FOUR: _last_four,
    Type.EMAIL: _email,
    Type.TIME: _minutes,
}


def values_of(items: Sequence[Item], answers: Mapping[str, Any], today: date) -> dict[str, Any]:
    """What can be read of a step, or of one row: by question its value, by list its rows."""
    found: dict[str, Any] = {}
    for item in items:
        if not asked(item, answers):
            continue
        if isinstance(item, Rows):
            found[item.key] = [
                values_of(item.questions, row, today) for row in filled(item, answers)
            ]
        elif str(answers.get(item.key, "")).strip():
            try:
                found[item.key] = read_answer(item, str(answers[item.key]), today)
            except Unreadable:
                continue
    return found


def all_values(steps: Sequence[Step], answers: Answers, today: date) -> dict[str, dict[str, Any]]:
    """What can be read of the whole application, by step."""
    return {step.key: values_of(step.items, answers.get(step.key, {}), today) for step in steps}


def gaps_in(step: Step, answers: Mapping[str, Any], today: date) -> Iterator[Gap]:
    """What is missing or unreadable on one step, in the order of the page."""
    for item in step.items:
        if not asked(item, answers):
            continue
        if isinstance(item, Question):
            yield from _of_question(step, item, answers, today)
        else:
            yield from _of_rows(step, item, answers, today)


def _of_question(
    step: Step, question: Question, answers: Mapping[str, Any], today: date
) -> Iterator[Gap]:
    sentence = problem(question, str(answers.get(question.key, "")), today)
    if sentence:
        is_unread = bool(str(answers.get(question.key, "")).strip())
        required = question.is_required or is_unread
        yield Gap(step.key, question.key, str(question.label), sentence, question.cite, required)


def _of_rows(step: Step, rows: Rows, answers: Mapping[str, Any], today: date) -> Iterator[Gap]:
    entries = filled(rows, answers)
    if len(entries) < rows.least:
        sentence = _("Add at least one.")
        yield Gap(step.key, rows.key, str(rows.label), sentence, rows.cite)
    for number, row in enumerate(entries):
        for question in rows.questions:
            if not asked(question, row):
                continue
            typed = str(row.get(question.key, ""))
            sentence = problem(question, typed, today)
            if sentence and (question.is_required or typed.strip()):
                label = f"{rows.one} {number + 1}: {question.label}"
                field = f"{rows.key}-{number}-{question.key}"
                yield Gap(step.key, field, label, sentence, question.cite)


def problem(question: Question, typed: str, today: date) -> str:
    """What is wrong with one answer, "" when nothing is; an empty one is missing."""
    if not typed.strip():
        return _("Not answered yet.")
    try:
        read_answer(question, typed, today)
    except Unreadable as unreadable:
        return str(unreadable)
    return ""
