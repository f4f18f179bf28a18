"""What would become of people if records were one human, or two: judged by the same rules."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from registry.access import Anyone, is_regulator
from registry.models import Address, Organization, Person
from registry.ruleset import TextUnknown, in_force
from registry.selectors import family_of
from registry.verdicts import Ruling, Verdict
from volunteers.gathering import Asked, bodies_of
from volunteers.models import Activity, Assignment, Determination, Membership, Suspension
from volunteers.rules import decide, rule_on
from volunteers.selectors import facts_for

MOVED = (Membership, Activity, Suspension, Assignment, Determination)
"""What an organization stated of a person or was granted for him, and what was decided of both."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One organization of a person: today's answer as the records stand, and as they would."""

    organization: Organization
    before: tuple[Ruling, ...]
    after: Ruling


@dataclass(frozen=True, slots=True)
class Clash:
    """An approval that alone was lawful and of one human is not: which test, from which day."""

    organization: Organization
    day: date
    last: date
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Union:
    """What joining two records would do, organization by organization, and what would clash."""

    bodies: tuple[Judged, ...]
    clashes: tuple[Clash, ...]


def union_of(kept: Person, gone: Person, today: date) -> Union:
    """Judge two surviving persons as the one human they would be, from today and for every day
    on which an approval begins."""
    families = {kept.pk: family_of(kept), gone.pk: family_of(gone)}
    kin = frozenset(pk for family in families.values() for pk in family)
    bodies = []
    for body in bodies_with(kin):
        sides = [one for one in (kept, gone) if _belongs(families[one.pk], body)]
        before = tuple(judged(one, body, today) for one in sides)
        bodies.append(Judged(body, before, judged(kept, body, today, kin=kin)))
    return Union(tuple(bodies), tuple(_clashes(kept, kin, today)))


def bodies_with(kin: Collection[int]) -> list[Organization]:
    """The organizations that list these records or were granted an approval for one, by name."""
    ids = {
        *Membership.objects.standing().filter(person__in=kin).values_list("organization", flat=True)
    } | {
        *Assignment.objects.standing().filter(person__in=kin).values_list("organization", flat=True)
    }
    return list(Organization.objects.filter(pk__in=ids).order_by("name", "pk"))


def _belongs(kin: Collection[int], body: Organization) -> bool:
    lines = Membership.objects.standing().filter(person__in=kin, organization=body)
    rows = Assignment.objects.standing().filter(person__in=kin, organization=body)
    return lines.exists() or rows.exists()


def judged(
    person: Person,
    body: Organization,
    day: date,
    *,
    kin: frozenset[int] = frozenset(),
    without: Iterable[tuple[str, int]] = (),
) -> Ruling:
    """The answer for a day, with exactly these records as one human and these rows left out."""
    asked = Asked(body, day, as_approved=True, kin=kin, without=tuple(without))
    return rule_on(facts_for(person, asked), in_force(day))


def _clashes(kept: Person, kin: frozenset[int], today: date) -> Iterable[Clash]:
    standing = Assignment.objects.standing().filter(person__in=kin).order_by("starts_on", "pk")
    rows = list(standing.select_related("organization", "person"))
    starts = sorted({row.starts_on for row in rows} | {today})
    seen: set[tuple[int, str]] = set()
    for row in rows:
        for day in (day for day in starts if row.period.covers(day)):
            for verdict in _new_bars(row, kept, kin, day):
                if (row.pk, verdict.rule) not in seen:
                    seen.add((row.pk, verdict.rule))
                    yield Clash(row.organization, day, row.ends_on, verdict)


def _new_bars(row: Assignment, kept: Person, kin: frozenset[int], day: date) -> list[Verdict]:
    """What bars one human that does not bar the record alone."""
    try:
        law = in_force(day)
    except TextUnknown:
        return []
    alone = decide(facts_for(row.person, Asked(row.organization, day, as_approved=True)), law)
    both = facts_for(kept, Asked(row.organization, day, as_approved=True, kin=kin))
    # While the two are asked about, the one other place is only "not shown": that is no bar yet.
    known = {(verdict.rule, verdict.outcome) for verdict in alone.verdicts if verdict.bars}
    return [v for v in decide(both, law).verdicts if v.bars and (v.rule, v.outcome) not in known]


def records_of(user: Anyone, person: Person) -> list[Person]:
    """The records that were joined into a surviving one; regulators only."""
    return joined_records(person) if is_regulator(user) else []


def joined_records(person: Person) -> list[Person]:
    """The records that were joined into a surviving one, in the order of their entry."""
    kin = [pk for pk in family_of(person) if pk != person.pk]
    return list(Person.objects.filter(pk__in=kin).select_related("merged_into").order_by("pk"))


@dataclass(frozen=True, slots=True)
class Moved:
    """What goes with an organization when its person is parted from a record, by table."""

    rows: tuple[tuple[str, int], ...]
    """(word for the rows, how many), only of what there is."""
    before: tuple[Ruling, ...]
    here: Ruling
    """For the organization that leaves, on its own rows alone."""
    others: tuple[Judged, ...]
    """For the organizations that stay, without its rows."""


def moved_with(person: Person, organization: Organization, today: date) -> Moved:
    """What parting an organization's rows from a person would do, judged on today's rules."""
    kin, leaving = family_of(person), list(bodies_of(organization))
    own, rest = _rows_by_side(kin, leaving)
    bodies = [body for body in bodies_with(kin) if body.pk not in leaving]
    counts = [_count(model, kin, leaving) for model in MOVED]
    lives = Address.objects.filter(person__in=kin, stated_by__in=leaving).count()
    counts.append((str(Address._meta.model_name), lives))
    others = tuple(
        Judged(body, (judged(person, body, today),), judged(person, body, today, without=own))
        for body in bodies
    )
    return Moved(
        rows=tuple(pair for pair in counts if pair[1]),
        before=(judged(person, organization, today),),
        here=judged(person, organization, today, without=rest),
        others=others,
    )


def _count(model: Any, kin: Collection[int], bodies: Collection[int]) -> tuple[str, int]:
    rows = model.objects.standing().filter(person__in=kin, organization__in=bodies)
    return str(model._meta.model_name), rows.count()


def _rows_by_side(
    kin: Sequence[int], bodies: Collection[int]
) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
    """The rows of the organization and all others, as `Asked.without` names them."""
    tables: dict[str, Any] = {
        "memberships": Membership,
        "suspensions": Suspension,
        "activities": Activity,
        "places": Assignment,
        "decisions": Determination,
    }
    own: list[tuple[str, int]] = []
    rest: list[tuple[str, int]] = []
    for name, model in tables.items():
        for pk, body in model.objects.filter(person__in=kin).values_list("pk", "organization"):
            (own if body in bodies else rest).append((name, pk))
    return own, rest
