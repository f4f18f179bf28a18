"""The law of a day as the county applies it: the ruleset with what was adopted laid over it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import date
from functools import lru_cache

from django.db.models import QuerySet
from django.http import Http404

from registry.access import Anyone, Capability, can
from registry.adopted import AdoptedValue
from registry.history import System
from registry.models import User
from registry.overlaying import Laid, lay_over
from registry.ruleset import Ruleset, in_force


def law_on(day: date, name: str | None = None) -> Ruleset:
    """The ruleset in force on a day with the adopted values that count on it; one query.

    Raises what `in_force` raises.
    """
    rows = counting(day).values_list("key", "value", "cite")
    return laid_over(in_force(day, name), (Laid(*row) for row in rows))


def counting(day: date, user: Anyone = System.NIGHTLY) -> QuerySet[AdoptedValue]:
    """The row of each key that counts on a day: the last begun, of those the last consented to."""
    rows = AdoptedValue.objects.visible_to(user).standing()
    begun = rows.filter(consented_at__isnull=False, valid_from__lte=day)
    found: QuerySet[AdoptedValue] = begun.order_by("key", "-valid_from", "-consented_at", "-pk")
    return found.distinct("key")


def laid_over(law: Ruleset, rows: Iterable[Laid]) -> Ruleset:
    """As `lay_over`, remembered for each ruleset and set of rows."""
    return _remembered(law, tuple((row.key, json.dumps(row.value), row.cite) for row in rows))


@lru_cache(maxsize=32)
def _remembered(law: Ruleset, rows: tuple[tuple[str, str, str], ...]) -> Ruleset:
    return lay_over(law, [Laid(key, json.loads(value), cite) for key, value, cite in rows])


def values_counting(user: Anyone, day: date) -> dict[str, AdoptedValue]:
    """The rows that count on a day, by key, with the two people and the paper; for regulators."""
    return {row.key: row for row in _with_people(counting(day, user))}


def proposals(user: Anyone) -> list[AdoptedValue]:
    """What waits for a second person, the oldest first; for regulators."""
    rows = AdoptedValue.objects.visible_to(user).standing().filter(consented_at=None)
    return list(_with_people(rows).order_by("proposed_at", "pk"))


def next_value(key: str, day: date) -> AdoptedValue | None:
    """The adopted value that takes the place of one which begins on a day; None if none does."""
    rows = AdoptedValue.objects.standing().filter(key=key, consented_at__isnull=False)
    found: AdoptedValue | None = (
        rows.filter(valid_from__gt=day).order_by("valid_from", "pk").first()
    )
    return found


def awaiting(user: User) -> int:
    """How many proposals wait for this user as the second person; 0 for who may set no values."""
    if not can(user, Capability.SET_VALUES):
        return 0
    rows = AdoptedValue.objects.standing().filter(consented_at=None)
    return int(rows.exclude(proposed_by=user).count())


def values_of(user: Anyone, key: str) -> list[AdoptedValue]:
    """All that was ever proposed under a key, the newest first; for regulators."""
    rows = AdoptedValue.objects.visible_to(user).filter(key=key)
    return list(_with_people(rows).order_by("-proposed_at", "-pk"))


def value_for(user: Anyone, key: str, pk: int) -> AdoptedValue:
    """One row under its key; what is not there for the user is a 404."""
    found = _with_people(AdoptedValue.objects.visible_to(user).filter(key=key, pk=pk)).first()
    if found is None:
        raise Http404
    return found


def _with_people(rows: QuerySet[AdoptedValue]) -> QuerySet[AdoptedValue]:
    return rows.select_related("proposed_by", "consented_by", "document").defer(
        "document__content", "document__cleaned"
    )
