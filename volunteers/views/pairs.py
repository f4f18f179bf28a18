"""What pages of joins and partings show: two records with all that hangs on them, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from licenses.models import LessorInterest
from licenses.selectors import interests_of
from registry.matching import Likeness
from registry.models import Address, Person
from registry.reasons import kept, word_reasons
from registry.selectors import addresses_of
from registry.templatetags.register import short_day
from registry.verdicts import Ruling
from registry.worded import Mark
from volunteers.lookups import Belonging, belongings_of
from volunteers.models import Activity
from volunteers.selectors import activities_of
from volunteers.unions import Clash, Judged, joined_records
from volunteers.words import mark_of, sentence, title

MOVED_WORDS = {
    "membership": gettext_lazy("memberships"),
    "activity": gettext_lazy("activities"),
    "suspension": gettext_lazy("suspensions"),
    "assignment": gettext_lazy("worker approvals, with their tags"),
    "determination": gettext_lazy("decisions on one test"),
    "address": gettext_lazy("addresses"),
}


@dataclass(frozen=True, slots=True)
class Side:
    """One of two records set side by side, with all that hangs on it."""

    person: Person
    records: Sequence[Person]
    belongings: Sequence[Belonging]
    activities: Sequence[Activity]
    interests: Sequence[LessorInterest]
    addresses: Sequence[Address]


def side_of(person: Person, today: date) -> Side:
    """Everything the register holds under one record."""
    return Side(
        person,
        joined_records(person),
        belongings_of(person, today),
        list(activities_of(person)[:20]),
        list(interests_of(person)),
        list(addresses_of(person)),
    )


@dataclass(frozen=True, slots=True)
class Told:
    """One organization before and after, in words: the mark, the 30 days, the one other."""

    organization: str
    before: Sequence[tuple[Mark, str]]
    after: tuple[Mark, str]


def told(body: Judged) -> Told:
    """The answers of one organization in words."""
    return Told(body.organization.name, [*map(_line, body.before)], _line(body.after))


def _line(ruling: Ruling) -> tuple[Mark, str]:
    """The mark, and what the two tests say that a join can change most."""
    shown = [v for v in ruling.verdicts if v.rule in {"tenure", "one_other"} or v.bars]
    text = " ".join(f"{title(v.rule)}: {sentence(v, county=True)}" for v in shown)
    return mark_of(ruling), text


def clash_line(clash: Clash) -> str:
    """VFW Post 4412, Nov 2, 2026 to Sep 30, 2027. One other organization: ..."""
    return _("%(organization)s, %(day)s to %(last)s. %(title)s: %(sentence)s") % {
        "organization": clash.organization.name,
        "day": short_day(clash.day),
        "last": short_day(clash.last),
        "title": title(clash.verdict.rule),
        "sentence": sentence(clash.verdict, county=True),
    }


def clash_kept(data: Mapping[str, str]) -> str:
    """A clash as a work item keeps it, in words."""
    first, last = (date.fromisoformat(data[key]) for key in ("day", "last"))
    return _("%(organization)s, %(day)s to %(last)s. %(title)s (%(cite)s)") % {
        "organization": data["organization"],
        "day": short_day(first),
        "last": short_day(last),
        "title": title(data["rule"]),
        "cite": data["cite"],
    }


def likeness_words(likeness: Likeness) -> str:
    """Why two records may be one human, as one sentence."""
    return word_reasons(kept(likeness)["reasons"])
