"""Rulings for people, the rows of a roster, and what hangs on them; scoped where a user asks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TypeVar

from django.db import models
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from registry.access import Anyone, is_regulator
from registry.base import VoidableModel
from registry.models import Organization, Person, Plain
from registry.periods import Period
from registry.ruleset import Ruleset, in_force
from registry.selectors import by_name
from registry.verdicts import Ruling
from volunteers.facts import Facts, Question
from volunteers.gathering import (
    Asked,
    Gathered,
    bodies_of,
    families,
    is_assisting,
    license_spells,
)
from volunteers.models import (
    Activity,
    Assignment,
    Membership,
    NameTag,
    RosterFile,
    Suspension,
)
from volunteers.rules import rule_briefly, rule_on

__all__ = [
    "Asked",
    "RosterRow",
    "activities_of",
    "activity_for",
    "asked_for_assignment",
    "assignment_for",
    "assignments_of",
    "bodies_of",
    "current_assignments",
    "facts_for",
    "facts_for_many",
    "families",
    "good_tags",
    "is_assisting",
    "judged_rows",
    "latest_membership",
    "latest_of_each",
    "license_spells",
    "line_for",
    "membership_for",
    "memberships_of",
    "named",
    "roster_file_for",
    "roster_files_of",
    "roster_on",
    "ruling_for",
    "rulings_for_many",
    "seen_by",
    "stated_names",
    "suspension_for",
    "tag_of",
]
Line = TypeVar("Line", bound=VoidableModel)


def facts_for(person: Person, asked: Asked) -> Facts:
    """The facts about one person."""
    return facts_for_many([person], asked)[person.pk]


def facts_for_many(
    persons: Sequence[Person], asked: Asked, duties: Mapping[int, Sequence[str]] | None = None
) -> dict[int, Facts]:
    """The facts about many persons by their ids, in a constant number of queries.

    `duties` are each person's own, where they differ from one to another.
    """
    found = Gathered(persons, asked, duties or {})
    return {person.pk: found.facts(person) for person in persons}


def ruling_for(person: Person, asked: Asked) -> Ruling:
    """The judgement of one person under the law in force on the asked day."""
    return rule_on(facts_for(person, asked), in_force(asked.on))


def rulings_for_many(persons: Sequence[Person], asked: Asked) -> dict[int, Ruling]:
    """The judgement of many persons by their ids."""
    law = in_force(asked.on)
    return {pk: rule_on(facts, law) for pk, facts in facts_for_many(persons, asked).items()}


def seen_by(user: Anyone, ruling: Ruling, *, confirmed: bool) -> Ruling:
    """A ruling as this user may know it (decisions 6).

    An organization learns nothing that rests on others' rows, and of a person whom none of its
    officers has confirmed not even whether a test on others' rows is met.
    """
    if is_regulator(user):
        return ruling
    asked = tuple(v for v in ruling.verdicts if confirmed or not v.crosses)
    return replace(ruling, verdicts=asked).for_organization()


@dataclass(frozen=True, slots=True)
class RosterRow:
    """One person on an organization's roster, with today's facts and the ruling."""

    membership: Membership
    assignment: Assignment | None
    tag: NameTag | None
    ruling: Ruling
    confirmed: bool = True
    """An officer of this organization answers for one of the person's memberships here."""


def memberships_of(user: Anyone, organization: Organization) -> QuerySet[Membership]:
    """The roster of an organization, by name; nothing for those who may not see it."""
    rows = Membership.objects.visible_to(user).standing().filter(organization=organization)
    return rows.select_related("person").order_by("person__sort_name", "pk")


def named(user: Anyone, rows: QuerySet[Membership], text: str) -> QuerySet[Membership]:
    """The lines meant by part of a name: as stated, and for regulators also as registered."""
    stated = by_name(rows.annotate(search_name=Plain(F("name_stated"))), text)
    meant = Q(pk__in=stated.order_by().values("pk"))
    if is_regulator(user):
        people = by_name(Person.objects.visible_to(user), text)
        meant |= Q(person__in=people.order_by().values("pk"))
    return rows.filter(meant)


def membership_for(user: Anyone, organization: Organization, pk: int) -> Membership | None:
    """One row of the organization's roster, None when it is not the user's to see."""
    return memberships_of(user, organization).filter(pk=pk).first()


def latest_membership(
    user: Anyone, row: Membership | Assignment | Suspension | Activity
) -> Membership | None:
    """The line under which the person of a row is listed here, the latest first."""
    kin = families([row.person_id])[row.person_id]
    rows = memberships_of(user, row.organization).filter(person__in=kin)
    return rows.order_by("-starts_on", "-pk").first()


def stated_names(organization: Organization, person_ids: Iterable[int]) -> dict[int, str]:
    """The names under which the organization itself lists these people, the latest of each."""
    rows = Membership.objects.standing().filter(
        organization=organization, person__in=list(person_ids)
    )
    return dict(rows.order_by("starts_on", "pk").values_list("person_id", "name_stated"))


def assignment_for(
    user: Anyone, organization: Organization, pk: int, *, void: bool = False
) -> Assignment | None:
    """One approval of the organization, None when it is not the user's to see.

    Void ones only where they are asked for: a form pressed twice finds its row again.
    """
    return _line(Assignment, user, organization, pk, void=void)


def suspension_for(
    user: Anyone, organization: Organization, pk: int, *, void: bool = False
) -> Suspension | None:
    """One suspension by the organization, None when it is not the user's to see."""
    return _line(Suspension, user, organization, pk, void=void)


def activity_for(
    user: Anyone, organization: Organization, pk: int, *, void: bool = False
) -> Activity | None:
    """One activity for the organization, None when it is not the user's to see."""
    return _line(Activity, user, organization, pk, void=void)


def line_for(user: Anyone, organization: Organization, pk: int) -> Membership | None:
    """One row of the organization's roster, also a void one."""
    return _line(Membership, user, organization, pk, void=True)


def _line(
    model: type[Line], user: Anyone, organization: Organization, pk: int, *, void: bool
) -> Line | None:
    rows: QuerySet[Line] = model.objects.visible_to(user).filter(organization=organization, pk=pk)
    rows = rows if void else rows.filter(voided_at__isnull=True)
    return rows.select_related("person", "organization").first()


def roster_on(user: Anyone, organization: Organization, day: date) -> list[RosterRow]:
    """Everyone whose membership covers the day or is still to come, judged for that day.

    Who is approved as a helper only is judged as a helper (decisions 8).
    """
    rows = memberships_of(user, organization).exclude(ends_on__lt=day)
    asked = Asked(organization, day, as_approved=True)
    return judged_rows(latest_of_each(rows, day), asked, rule=rule_briefly)


def latest_of_each(rows: Iterable[Membership], day: date) -> list[Membership]:
    """One line a human: the one that covers the day, else the next to come, else the last."""
    rows = list(rows)
    kin = families(row.person_id for row in rows)
    best: dict[int, Membership] = {}
    for row in rows:
        human = min(kin[row.person_id])
        if human not in best or _nearness(row, day) > _nearness(best[human], day):
            best[human] = row
    chosen = {row.pk for row in best.values()}
    return [row for row in rows if row.pk in chosen]


def _nearness(row: Membership, day: date) -> tuple[int, int]:
    if row.period.covers(day):
        return 2, row.starts_on.toordinal()
    if row.starts_on > day:
        return 1, -row.starts_on.toordinal()
    return 0, row.starts_on.toordinal()


def judged_rows(
    memberships: Sequence[Membership],
    asked: Asked,
    *,
    rule: Callable[[Facts, Ruleset], Ruling] = rule_on,
) -> list[RosterRow]:
    """The memberships with their assignment, tag and ruling for the asked day.

    Long lists judge by `rule_briefly`, which leaves the readings out.
    """
    persons = [row.person for row in memberships]
    law = in_force(asked.on)
    facts = facts_for_many(persons, asked)
    assignments = current_assignments(asked.organization, asked.on, facts)
    tags = {tag.assignment_id: tag for tag in good_tags([a.pk for a in assignments.values()])}
    return [
        RosterRow(
            membership=row,
            assignment=(assignment := assignments.get(row.person_id)),
            tag=tags.get(assignment.pk) if assignment else None,
            ruling=rule(facts[row.person_id], law),
            confirmed=any(spell.shown for spell in facts[row.person_id].spells),
        )
        for row in memberships
    ]


def current_assignments(
    organization: Organization, day: date, person_ids: Iterable[int]
) -> dict[int, Assignment]:
    """By person id, the approval that covers the day, or the next one to come."""
    kin = families(person_ids)
    everyone = {pk for ids in kin.values() for pk in ids}
    rows = _approvals(organization, day).filter(person__in=everyone)
    by_record: dict[int, Assignment] = {}
    for row in rows.select_related("license").order_by("starts_on", "pk"):
        by_record.setdefault(row.person_id, row)
    found = {pk: [by_record[one] for one in ids if one in by_record] for pk, ids in kin.items()}
    return {pk: min(rows, key=lambda row: row.starts_on) for pk, rows in found.items() if rows}


def unapproved(
    rows: QuerySet[Membership], organization: Organization, day: date
) -> QuerySet[Membership]:
    """Of roster rows, those under whose own number no approval covers the day or is to come.

    One whose approval stands under another number of the same human is still among them.
    """
    there = _approvals(organization, day).filter(person=OuterRef("person"))
    return rows.filter(~Exists(there))


def _approvals(organization: Organization, day: date) -> QuerySet[Assignment]:
    bodies = list(bodies_of(organization))
    return Assignment.objects.standing().filter(organization__in=bodies, ends_on__gte=day)


def assignments_of(person: Person, organization: Organization) -> QuerySet[Assignment]:
    """All standing approvals of a human for an organization, newest first, with their tags."""
    rows = Assignment.objects.standing().filter(
        organization__in=list(bodies_of(organization)), person__in=families([person.pk])[person.pk]
    )
    tags = NameTag.objects.order_by("-number")
    prefetch = models.Prefetch("tags", queryset=tags)
    return rows.select_related("license").prefetch_related(prefetch).order_by("-starts_on", "pk")


def good_tags(assignment_ids: Iterable[int]) -> QuerySet[NameTag]:
    """The tags of these assignments that were not replaced."""
    return NameTag.objects.filter(assignment__in=list(assignment_ids), replaced_at__isnull=True)


def tag_of(token: str) -> NameTag | None:
    """The tag with this token, whatever became of it; None for an unknown token."""
    rows = NameTag.objects.select_related("assignment__person", "assignment__organization")
    return rows.filter(token=token.upper()).first()


def activities_of(person: Person, organization: Organization | None = None) -> QuerySet[Activity]:
    """A person's activities, newest first; for one organization when it is named."""
    rows = Activity.objects.standing().filter(person__in=families([person.pk])[person.pk])
    rows = rows.filter(organization=organization) if organization else rows
    return rows.select_related("organization").order_by("-done_on", "pk")


def roster_file_for(user: Anyone, organization: Organization, pk: int) -> RosterFile | None:
    """One roster file of the organization, None when it is not the user's to see."""
    rows = RosterFile.objects.visible_to(user).filter(organization=organization)
    return rows.filter(pk=pk).first()


def roster_files_of(user: Anyone, organization: Organization) -> QuerySet[RosterFile]:
    """The roster files of an organization, newest first, without what they hold."""
    rows = RosterFile.objects.visible_to(user).filter(organization=organization)
    return rows.defer("content").order_by("-uploaded_at", "-pk")


def asked_for_assignment(
    assignment: Assignment,
    instead: tuple[tuple[int, Period], ...] = (),
    without: tuple[tuple[str, int], ...] = (),
) -> Asked:
    """The question under which an assignment is judged anew: from its own start to its end."""
    return Asked(
        organization=assignment.organization,
        on=assignment.starts_on,
        question=Question.ASSIGN,
        until=assignment.ends_on,
        duties=tuple(assignment.duties),
        ignoring=frozenset({assignment.pk}),
        instead=instead,
        without=without,
    )
