"""The only builder of facts, and the rosters of organizations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.db import connection
from django.db.models import F, Func, IntegerField, QuerySet
from registry.ruleset import Ruleset, in_force

from licenses.models import LessorInterest, License
from licenses.selectors import licenses_by_organization, suspensions_of
from registry.access import Anyone
from registry.models import Organization, Person, WorkItem
from registry.periods import Period
from registry.verdicts import Outcome, Ruling
from volunteers.facts import (
    Decision,
    Done,
    Facts,
    Interest,
    Kind,
    LicenseSpell,
    Place,
    Question,
    Spell,
)
from volunteers.models import (
    Activity,
    Assignment,
    Determination,
    Membership,
    NameTag,
    RosterFile,
    Suspension,
)
from volunteers.rules import rule_on


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked about each person: a day, or a span to be approved for, and the duties."""

    organization: Organization
    on: date
    question: Question = Question.CONDUCT
    until: date | None = None
    duties: tuple[str, ...] = ()
    ignoring: frozenset[int] = frozenset()
    """Assignments to be left out of the facts: the one that is being extended or granted anew."""
    instead: tuple[tuple[int, Period], ...] = ()
    """Memberships judged as if they had these dates: what a correction would do."""


def facts_for(person: Person, asked: Asked) -> Facts:
    """The facts about one person."""
    return facts_for_many([person], asked)[person.pk]


def facts_for_many(persons: Sequence[Person], asked: Asked) -> dict[int, Facts]:
    """The facts about many persons by their ids, in a constant number of queries."""
    found = _Gathered(persons, asked)
    return {person.pk: found.facts(person) for person in persons}


def ruling_for(person: Person, asked: Asked) -> Ruling:
    """The judgement of one person under the law in force on the asked day."""
    return rule_on(facts_for(person, asked), in_force(asked.on))


def rulings_for_many(persons: Sequence[Person], asked: Asked) -> dict[int, Ruling]:
    """The judgement of many persons by their ids."""
    law = in_force(asked.on)
    return {pk: rule_on(facts, law) for pk, facts in facts_for_many(persons, asked).items()}


class OrganizationRoot(Func):
    """The surviving body of an organization, asked of the database."""

    function = "registry_organization_root"
    output_field: Any = IntegerField()


def families(ids: Iterable[int]) -> dict[int, list[int]]:
    """For each person id, the ids of all records that are the same human."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id, registry_person_family(registry_person_root(id))"
            " FROM unnest(%s::bigint[]) AS id",
            [list(ids)],
        )
        return {row[0]: row[1] for row in cursor.fetchall()}


def _arrivals(organization: Organization) -> dict[int, date | None]:
    """The ids of the bodies that are this one now, with the day their rows count for it (P13)."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT o.id, o.merged_into_id, o.merged_on FROM registry_organization o"
            " WHERE o.id = ANY (registry_organization_family(registry_organization_root(%s)))",
            [organization.pk],
        )
        rows = {row[0]: (row[1], row[2]) for row in cursor.fetchall()}
    return {pk: _arrived(pk, rows) for pk in rows}


def _arrived(pk: int, rows: dict[int, tuple[int | None, date | None]]) -> date | None:
    days = []
    up, day = rows[pk]
    while up is not None and day is not None:
        days.append(day)
        up, day = rows[up]
    return max(days, default=None)


@dataclass
class _Gathered:
    """Rows of many persons, fetched once each, handed out person by person."""

    persons: Sequence[Person]
    asked: Asked
    rows: dict[str, dict[int, list[Any]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.kin = families(person.pk for person in self.persons)
        self.everyone = sorted({pk for kin in self.kin.values() for pk in kin})
        self.arrived = _arrivals(self.asked.organization)
        self.body = _root_id(self.asked.organization)
        here = {"organization__in": list(self.arrived)}
        self._take("memberships", Membership.objects.standing().filter(**here))
        self._take("suspensions", Suspension.objects.standing().filter(**here))
        self._take("activities", Activity.objects.standing().filter(**here))
        self._take("decisions", Determination.objects.standing().filter(**here))
        self._take("interests", LessorInterest.objects.standing().select_related("lessor"))
        self._take("doubles", WorkItem.objects.filter(kind="possible_double", closed_at=None))
        self._take("places", self._assignments())
        self._license_bodies()

    def _assignments(self) -> QuerySet[Assignment]:
        rows: QuerySet[Assignment] = Assignment.objects.standing().annotate(
            body=OrganizationRoot(F("organization_id"))
        )
        return rows.exclude(pk__in=self.asked.ignoring).select_related("organization")

    def _take(self, name: str, rows: QuerySet[Any]) -> None:
        by_person: dict[int, list[Any]] = defaultdict(list)
        for row in rows.filter(person__in=self.everyone).order_by("pk"):
            by_person[row.person_id].append(row)
        self.rows[name] = by_person

    def _license_bodies(self) -> None:
        bodies = {row.body for rows in self.rows["places"].values() for row in rows}
        self.licenses = licenses_by_organization(bodies | {self.body})

    def _of(self, name: str, person: Person) -> list[Any]:
        return [row for pk in self.kin[person.pk] for row in self.rows[name].get(pk, ())]

    def facts(self, person: Person) -> Facts:
        """What the rules may look at about this person."""
        memberships, places = self._of("memberships", person), self._places(person)
        return Facts(
            body=self.body,
            organization=self.asked.organization.name,
            on=self.asked.on,
            question=self.asked.question,
            until=self.asked.until,
            began_on=self._began_on(places),
            spells=tuple(self._spell(row) for row in memberships),
            suspensions=tuple(row.period for row in self._of("suspensions", person)),
            activities=tuple(self._done(row) for row in self._of("activities", person)),
            licenses=license_spells(self.licenses.get(self.body, [])),
            places=places,
            interests=tuple(self._interest(row) for row in self._of("interests", person)),
            decisions=tuple(_decision(row) for row in self._of("decisions", person)),
            double_open=bool(self._of("doubles", person)),
            **_stated(person, memberships),
            **_duties(self.asked),
        )

    def _began_on(self, places: tuple[Place, ...]) -> date | None:
        if self.asked.question is Question.ASSIGN:
            return None
        here = (p for p in places if p.body == self.body and p.period.covers(self.asked.on))
        return min((place.period.starts_on for place in here), default=None)

    def _spell(self, row: Membership) -> Spell:
        carried = self.arrived[row.organization_id]
        period = dict(self.asked.instead).get(row.pk, row.period)
        return Spell(Kind(row.kind), period, shown=row.is_shown, carried_on=carried)

    def _done(self, row: Activity) -> Done:
        carried = self.arrived[row.organization_id]
        return Done(row.kind, row.done_on, shown=row.is_shown, carried_on=carried)

    def _places(self, person: Person) -> tuple[Place, ...]:
        return tuple(
            Place(
                body=row.body,
                name=row.organization.name,
                period=row.period,
                licenses=license_spells(self.licenses.get(row.body, [])),
                takes_place=row.takes_place,
                order=row.pk,
            )
            for row in self._of("places", person)
        )

    def _interest(self, row: LessorInterest) -> Interest:
        own = row.lessor_id in self.arrived
        return Interest(row.lessor.name, row.tie, row.period, own_hall=own)


def _root_id(organization: Organization) -> int:
    while organization.merged_into is not None:
        organization = organization.merged_into
    return organization.pk


def license_spells(rows: Iterable[License]) -> tuple[LicenseSpell, ...]:
    """The days on which a body may run games: class A, or class B where it only leases."""
    rows = list(rows)
    conduct = [row for row in rows if row.license_class == "A"] or rows
    return tuple(
        LicenseSpell(row.period, tuple(s.period for s in suspensions_of(row)), row.number)
        for row in conduct
    )


def _decision(row: Determination) -> Decision:
    outcome = Outcome.MET if row.is_met else Outcome.NOT_MET
    return Decision(row.rule, outcome, row.period, row.get_decided_by_display(), row.decided_on)


def _stated(person: Person, memberships: Sequence[Membership]) -> dict[str, Any]:
    """Birth date and residence: the register's own, and what this organization stated."""
    residence = [m.is_resident_stated for m in memberships if m.is_resident_stated is not None]
    return {
        "born_on": person.born_on,
        "is_adult_attested": any(m.is_adult_stated and m.is_shown for m in memberships),
        "is_resident": residence[-1] if residence else None,
        "birth_is_own": any(m.born_on_stated == person.born_on for m in memberships),
    }


def _duties(asked: Asked) -> dict[str, Any]:
    law = in_force(asked.on)
    return {
        "in_charge": "in_charge" in asked.duties,
        "assisting": is_assisting(asked.duties, law),
    }


def is_assisting(duties: Sequence[str], law: Ruleset) -> bool:
    """True when every duty is help without game or money (decisions 8)."""
    return bool(duties) and all(duty in law.duties.assisting for duty in duties)


@dataclass(frozen=True, slots=True)
class RosterRow:
    """One person on an organization's roster, with today's facts and the ruling."""

    membership: Membership
    assignment: Assignment | None
    tag: NameTag | None
    ruling: Ruling


def memberships_of(user: Anyone, organization: Organization) -> QuerySet[Membership]:
    """The roster of an organization, by name; nothing for those who may not see it."""
    rows = Membership.objects.visible_to(user).standing().filter(organization=organization)
    return rows.select_related("person").order_by("person__sort_name", "pk")


def membership_for(user: Anyone, organization: Organization, pk: int) -> Membership | None:
    """One row of the organization's roster, None when it is not the user's to see."""
    return memberships_of(user, organization).filter(pk=pk).first()


def roster_on(user: Anyone, organization: Organization, day: date) -> list[RosterRow]:
    """Everyone whose membership covers the day or is still to come, judged for that day."""
    rows = memberships_of(user, organization).exclude(ends_on__lt=day)
    latest = {row.person_id: row for row in rows}
    return judged_rows(list(latest.values()), Asked(organization, day))


def judged_rows(memberships: Sequence[Membership], asked: Asked) -> list[RosterRow]:
    """The memberships with their assignment, tag and ruling for the asked day."""
    persons = [row.person for row in memberships]
    rulings = rulings_for_many(persons, asked)
    assignments = current_assignments(asked.organization, asked.on, [p.pk for p in persons])
    tags = {tag.assignment_id: tag for tag in good_tags([a.pk for a in assignments.values()])}
    return [
        RosterRow(
            membership=row,
            assignment=(assignment := assignments.get(row.person_id)),
            tag=tags.get(assignment.pk) if assignment else None,
            ruling=rulings[row.person_id],
        )
        for row in memberships
    ]


def current_assignments(
    organization: Organization, day: date, person_ids: Iterable[int]
) -> dict[int, Assignment]:
    """By person id, the assignment that covers the day, or the next one to come."""
    rows = Assignment.objects.standing().filter(
        organization=organization, ends_on__gte=day, person__in=list(person_ids)
    )
    found: dict[int, Assignment] = {}
    for row in rows.select_related("license").order_by("starts_on"):
        found.setdefault(row.person_id, row)
    return found


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


def asked_for_assignment(
    assignment: Assignment, instead: tuple[tuple[int, Period], ...] = ()
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
    )
