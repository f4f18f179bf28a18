"""A case file, read into facts: the what-if door of the rules. Pure.

The letters of a case are organizations. What a case leaves out is fine: licensed, adult, resident,
not suspended. `home` is an approval without end, from a beginning that is not recorded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from registry.periods import ONE_DAY, Period, spanning
from volunteers.facts import (
    Done,
    Elsewhere,
    Facts,
    Kind,
    LicenseSpell,
    Place,
    Question,
    Spell,
)

IGNORED = {"expected", "verdict", "reason", "paragraph", "depends_on", "otherwise", "note", "case"}
A_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class BadCase(ValueError):
    """A case that cannot be judged; one sentence with case, key, value, reason and remedy."""


@dataclass(frozen=True, slots=True)
class Case:
    """One case with everything checked: dates are dates, rows have their keys."""

    id: str
    question: Question
    at: str
    on: date
    until: date | None
    home: str | None
    memberships: tuple[Mapping[str, Any], ...]
    suspensions: tuple[Mapping[str, Any], ...]
    assignments: tuple[Mapping[str, Any], ...]
    activities: tuple[Mapping[str, Any], ...]
    licenses: tuple[Mapping[str, Any], ...]
    mergers: tuple[Mapping[str, Any], ...]
    same_legal_entity: Mapping[str, str]
    lessors: tuple[str, ...]
    overlapping_session_at: tuple[str, ...]
    born: date | None


def read_case(raw: object, number: int) -> Case:
    """Check one object of a case file; BadCase when a key, a value or a date is wrong.

    `number` is its place in the list, for an object without an id.
    """
    if not isinstance(raw, dict):
        raise BadCase(f"Case no. {number} is {_shown(raw)}, which is no object: write {{...}}.")
    name = raw.get("id")
    if not isinstance(name, str) or not name.strip():
        raise BadCase(
            f"Case no. {number}, key 'id': {_shown(name)} is no name of a case: write a short text."
        )
    read = _Reader(name, raw)
    read.refuse_unknown(raw, {*KEYS, *IGNORED})
    values = {key: check(read, key) for key, check in KEYS.items() if key != "time"}
    ends_early = values["until"] is not None and values["until"] < values["on"]
    if values["question"] is Question.ASSIGN and ends_early:
        read.refuse("until", raw["until"], "lies before 'on'", "give a later day, or null")
    return Case(**values)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads values out of one case and refuses wrong ones by name."""

    case: str
    raw: Mapping[str, Any]

    def refuse(self, key: str, value: object, why: str, remedy: str) -> None:
        raise BadCase(f"Case {self.case}, key {key!r}: {_shown(value)} {why}: {remedy}.")

    def refuse_unknown(self, row: Mapping[str, Any], known: Iterable[str], where: str = "") -> None:
        for key in row:
            if key not in known:
                names = ", ".join(sorted(set(known) - IGNORED))
                self.refuse(where + key, row[key], "stands under an unknown key", f"use {names}")

    def text(self, value: object, key: str) -> str:
        if not isinstance(value, str) or not value.strip():
            self.refuse(key, value, "is no text", "write a name in quotes")
        return str(value)

    def day(self, value: object, key: str) -> date:
        if not isinstance(value, str) or not A_DATE.fullmatch(value):
            self.refuse(key, value, "is no date", "write it as 2026-05-31")
        try:
            return date.fromisoformat(str(value))
        except ValueError:
            self.refuse(key, value, "is a day that does not exist", "check month and day")
            raise

    def one_of(self, value: object, key: str, allowed: Iterable[str]) -> str:
        choices = list(allowed)
        if value not in choices:
            self.refuse(key, value, "is not known here", f"use {' or '.join(choices)}")
        return str(value)

    def rows(self, key: str, columns: Mapping[str, Callable[..., Any]]) -> tuple[Any, ...]:
        """Check a list of objects, each with these keys; those that may be missing give None."""
        found = []
        for index, row in enumerate(self.list(key)):
            where = f"{key}[{index}]"
            if not isinstance(row, dict):
                self.refuse(where, row, "is no object", "write {...}")
            self.refuse_unknown(row, columns, f"{where}.")
            found.append(
                {c: check(self, row.get(c), f"{where}.{c}") for c, check in columns.items()}
            )
        return tuple(found)

    def list(self, key: str) -> list[Any]:
        value = self.raw.get(key)
        if value is not None and not isinstance(value, list):
            self.refuse(key, value, "is no list", "write [...]")
        return value or []


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."  # noqa: PLR2004


def _text(read: _Reader, value: object, key: str) -> str:
    return read.text(value, key)


def _day(read: _Reader, value: object, key: str) -> date:
    return read.day(value, key)


def _any_day(read: _Reader, value: object, key: str) -> date | None:
    return None if value is None else read.day(value, key)


def _role(read: _Reader, value: object, key: str) -> Kind:
    return Kind(read.one_of(value, key, [kind.value for kind in Kind]))


def _status(read: _Reader, value: object, key: str) -> str:
    return read.one_of(value, key, ["active", "suspended"])


def _letters(read: _Reader, key: str) -> tuple[str, ...]:
    return tuple(read.text(value, f"{key}[{i}]") for i, value in enumerate(read.list(key)))


def _same(read: _Reader, key: str) -> dict[str, str]:
    value = read.raw.get(key) or {}
    if not isinstance(value, dict):
        read.refuse(key, value, "is no object", 'write {"BL": "B"}')
    return {name: read.text(other, f"{key}.{name}") for name, other in value.items()}


def _question(read: _Reader, key: str) -> Question:
    asked = read.raw.get(key) or Question.CONDUCT.value
    return Question(read.one_of(asked, key, [question.value for question in Question]))


def _value(check: Callable[..., Any]) -> Callable[[_Reader, str], Any]:
    return lambda read, key: check(read, read.raw.get(key), key)


def _optional(check: Callable[..., Any]) -> Callable[[_Reader, str], Any]:
    return lambda read, key: None if read.raw.get(key) is None else _value(check)(read, key)


def _rows(**columns: Callable[..., Any]) -> Callable[[_Reader, str], Any]:
    return lambda read, key: read.rows(key, columns)


KEYS: dict[str, Callable[[_Reader, str], Any]] = {
    "id": _value(_text),
    "question": _question,
    "at": _value(_text),
    "on": _value(_day),
    "until": _optional(_day),
    "time": _optional(_text),
    "home": _optional(_text),
    "memberships": _rows(org=_text, role=_role, join=_day, leave=_any_day),
    "suspensions": _rows(org=_text, first=_day, last=_any_day),
    "assignments": _rows(entity=_text, first=_day, last=_any_day),
    "activities": _rows(org=_text, kind=_text, on=_any_day),
    "licenses": _rows(entity=_text, first=_day, last=_any_day, status=_status),
    "mergers": _rows(old=_text, new=_text, on=_day),
    "same_legal_entity": _same,
    "lessors": _letters,
    "overlapping_session_at": _letters,
    "born": _optional(_day),
}


def facts_of(case: Case) -> Facts:
    """Return the facts of a case about the organization it asks about (decisions 7, 10, 11)."""
    return _Gathered(case).facts()


class _Gathered:
    """The rows of a case, seen from the organization it asks about."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.days = (date.min, *sorted({row["on"] for row in case.mergers}))

    def facts(self) -> Facts:
        case = self.case
        return Facts(
            body=self.body(case.at, case.on),
            organization=case.at,
            on=case.on,
            question=case.question,
            until=case.until,
            spells=self.spells(case.at),
            suspensions=self.suspensions(),
            activities=self.activities(case.at),
            licenses=self.licenses(case.at, case.on),
            places=tuple(self.places()),
            elsewhere=tuple(Elsewhere(name) for name in case.overlapping_session_at),
            born_on=case.born,
            is_adult_attested=case.born is None,
            is_resident=True,
            leases_only=case.at in case.lessors,
            home_spells=self.spells(case.home) if case.home else None,
            home_activities=self.activities(case.home) if case.home else None,
        )

    def body(self, letter: str, day: date) -> str:
        """Return the legal body behind a letter on a day: licenses and mergers resolved."""
        seen = {letter}
        while True:
            same = self.case.same_legal_entity.get(letter)
            after = same or self._merged_into(letter, day)
            if after is None or after in seen:
                return letter
            seen.add(letter := after)

    def _merged_into(self, letter: str, day: date) -> str | None:
        rows = (row for row in self.case.mergers if row["old"] == letter and row["on"] <= day)
        return next((row["new"] for row in rows), None)

    def arrives(self, letter: str, at: str) -> date | None:
        """Return the day from which two letters are one body: date.min for always, None for never.

        A case has few mergers, so each day on which one happens is looked at.
        """
        together = (day for day in self.days if self.body(letter, day) == self.body(at, day))
        return next(together, None)

    def spells(self, at: str) -> tuple[Spell, ...]:
        return tuple(
            Spell(row["role"], Period(row["join"], row["leave"]), carried_on=carried)
            for row, carried in self._of(self.case.memberships, at)
        )

    def activities(self, at: str) -> tuple[Done, ...]:
        return tuple(
            Done(row["kind"], row["on"], carried_on=carried)
            for row, carried in self._of(self.case.activities, at)
        )

    def suspensions(self) -> tuple[Period, ...]:
        rows = self._of(self.case.suspensions, self.case.at)
        return tuple(
            Period(row["first"], row["last"])
            for row, carried in rows
            if carried is None or carried <= self.case.on
        )

    def _of(
        self, rows: Iterable[Mapping[str, Any]], at: str
    ) -> Iterable[tuple[Mapping[str, Any], date | None]]:
        """Yield the rows of an organization and of those merged into it, with the day they came."""
        for row in rows:
            arrived = self.arrives(row["org"], at)
            if arrived is not None:
                yield row, None if arrived == date.min else arrived

    def licenses(self, letter: str, day: date) -> tuple[LicenseSpell, ...] | None:
        """Return the licenses behind a letter; None when the case lists none: it is licensed.

        A suspended row stands for a license that is not in force, but not expired either.
        """
        holder = self._merged_into(letter, day) or letter
        rows = [row for row in self.case.licenses if row["entity"] == holder]
        periods = {
            status: [Period(r["first"], r["last"]) for r in rows if r["status"] == status]
            for status in ("active", "suspended")
        }
        held = tuple(periods["suspended"])
        active = [LicenseSpell(period, held) for period in periods["active"]]
        return (*active, *(LicenseSpell(period, (period,)) for period in held)) if rows else None

    def places(self) -> Iterable[Place]:
        """Yield the approvals, home first; one that a merger moves to another body in parts."""
        if self.case.home:
            yield from self._parts(self.case.home, Period(date.min), 0)
        for order, row in enumerate(self.case.assignments, 1):
            yield from self._parts(row["entity"], Period(row["first"], row["last"]), order)

    def _parts(self, letter: str, whole: Period, order: int) -> Iterable[Place]:
        ends = [day - ONE_DAY for day in self.days[1:]] + [date.max]
        for first, last in zip(self.days, ends, strict=True):
            part = whole.common(spanning(first, last))
            if part:
                yield self._place(letter, part, whole, order)

    def _place(self, letter: str, part: Period, whole: Period, order: int) -> Place:
        case, day = self.case, part.starts_on
        body = self.body(letter, day)
        return Place(
            body=self.body(case.at, case.on) if body == self.body(case.at, day) else body,
            name=letter,
            period=part,
            licenses=self.licenses(letter, day),
            order=order,
            is_lessor=letter in case.lessors,
            is_member=self._is_member(letter),
            is_home=letter == case.home and whole.starts_on == date.min,
            began_on=whole.starts_on,
        )

    def _is_member(self, letter: str) -> bool:
        spells = (spell for spell in self.spells(letter) if spell.kind is not Kind.VOLUNTEER)
        return any(spell.period.covers(self.case.on) for spell in spells)
