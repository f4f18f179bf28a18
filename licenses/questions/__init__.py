"""The questions of an application (§ 10-84), step by step, each with its cite. Pure.

Only what the ordinance requires is required; all else is requested. Pages, the printed list, the
check for what is missing and the investigator's view are all made of these.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Protocol

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Text = str | Promise
Answers = Mapping[str, Mapping[str, Any]]
"""By step and question what was typed, as it was typed; rows are lists of such mappings."""
YES, NO = "yes", "no"
YES_NO: Sequence[tuple[str, Text]] = ((YES, _("Yes")), (NO, _("No")))
SAID_YES = frozenset({YES})


class Type(StrEnum):
    """What kind of answer a question takes."""

    TEXT = "text"
    LONG = "long"
    NAME = "name"
    DATE = "date"
    BIRTH_DATE = "birth_date"
    MONEY = "money"
    CHOICE = "choice"
    YES_NO = "yes_no"
    EMAIL = "email"
    LAST_FOUR = "last_four"
    TIME = "time"


@dataclass(frozen=True, slots=True)
class Situation:
    """Which questions are asked depends on the class, on new or renewal, and on the body."""

    license_class: str
    is_renewal: bool = False
    body: str = "charitable"


@dataclass(frozen=True, slots=True)
class When:
    """A question is asked only where another of its step, or its row, has one of these answers."""

    key: str
    answers: frozenset[str]

    def holds(self, answers: Mapping[str, Any]) -> bool:
        """Tell by the answers beside it."""
        return str(answers.get(self.key, "")) in self.answers


@dataclass(frozen=True, slots=True)
class Question:
    """One thing that is asked, with the paragraph that asks for it."""

    key: str
    label: Text
    cite: str = ""
    type: Type = Type.TEXT
    is_required: bool = False
    why: Text = ""
    hint: Text = ""
    choices: Sequence[tuple[str, Text]] = ()
    when: When | None = None
    classes: str = "AB"
    bodies: frozenset[str] = frozenset()
    only_renewal: bool = False


@dataclass(frozen=True, slots=True)
class Rows:
    """A list of alike entries: officers, premises, days of play."""

    key: str
    label: Text
    one: Text
    questions: Sequence[Question]
    cite: str = ""
    least: int = 0
    most: int | None = None
    why: Text = ""
    when: When | None = None
    classes: str = "AB"
    bodies: frozenset[str] = frozenset()
    only_renewal: bool = False

    @property
    def is_required(self) -> bool:
        """True where the law asks for at least one."""
        return self.least > 0


Item = Question | Rows


@dataclass(frozen=True, slots=True)
class Paper:
    """A document that is asked for; never a condition where the ordinance names none (0b.8)."""

    kind: str
    label: Text
    cite: str = ""
    is_required: bool = False
    classes: str = "AB"
    bodies: frozenset[str] = frozenset()
    only_renewal: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """One topic, one page."""

    key: str
    title: Text
    lead: Text
    items: Sequence[Item] = ()
    papers: Sequence[Paper] = ()
    classes: str = "AB"
    bodies: frozenset[str] = frozenset()
    only_renewal: bool = False

    @property
    def questions(self) -> Iterator[Question]:
        """The questions that stand alone."""
        return (item for item in self.items if isinstance(item, Question))

    @property
    def rows(self) -> Iterator[Rows]:
        """The lists."""
        return (item for item in self.items if isinstance(item, Rows))


class Restricted(Protocol):
    """What may be asked of some applicants only."""

    @property
    def classes(self) -> str: ...
    @property
    def bodies(self) -> frozenset[str]: ...
    @property
    def only_renewal(self) -> bool: ...


def fits(thing: Restricted, situation: Situation) -> bool:
    """Tell whether it is asked of this applicant at all."""
    return (
        situation.license_class in thing.classes
        and (not thing.bodies or situation.body in thing.bodies)
        and (situation.is_renewal or not thing.only_renewal)
    )


def steps_for(situation: Situation, steps: Sequence[Step]) -> list[Step]:
    """The steps of this applicant, each with only what is asked of him."""
    return [_fitted(step, situation) for step in steps if fits(step, situation)]


def _fitted(step: Step, situation: Situation) -> Step:
    items = tuple(_rows(item, situation) for item in step.items if fits(item, situation))
    papers = tuple(paper for paper in step.papers if fits(paper, situation))
    return replace(step, items=items, papers=papers)


def _rows(item: Item, situation: Situation) -> Item:
    if isinstance(item, Question):
        return item
    return replace(item, questions=tuple(q for q in item.questions if fits(q, situation)))


def asked(item: Item, beside: Mapping[str, Any]) -> bool:
    """Tell whether it is asked, given the answers beside it."""
    return item.when is None or item.when.holds(beside)


def filled(rows: Rows, answers: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The entries of a list in which anything was typed."""
    return [row for row in answers.get(rows.key, ()) if any(str(v).strip() for v in row.values())]
