"""The only builder of facts: rows of many persons, fetched once each, handed out one by one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from django.db import connection
from django.db.models import F, Func, IntegerField, Q, QuerySet

from licenses.models import LessorInterest, License
from licenses.selectors import licenses_by_organization, rests_of, runs_of
from registry.models import Organization, Person, WorkItem
from registry.periods import Period
from registry.ruleset import Ruleset, in_force
from registry.verdicts import Outcome
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
from volunteers.models import Activity, Assignment, Determination, Membership, Suspension
from volunteers.rules import one_other


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
    without: tuple[tuple[str, int], ...] = ()
    """Rows, as ("activities", 7), judged as if they were not there: what voiding would do."""
    kin: frozenset[int] = frozenset()
    """Judge as if exactly these records were the one human asked about: a join, or a parting."""
    as_approved: bool = False
    """Judge each by the duties of the approval here that covers the day: helpers as helpers."""


class OrganizationRoot(Func):
    """The surviving body of an organization, asked of the database."""

    function = "registry_organization_root"
    output_field: Any = IntegerField()


def families(ids: Iterable[int]) -> dict[int, list[int]]:
    """For each person id, the ids of all records that are the same human."""
    return {pk: kin for pk, (_root, kin) in _humans(ids).items()}


def _humans(ids: Iterable[int]) -> dict[int, tuple[int, list[int]]]:
    """For each person id, the surviving record's id and those of all its records."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id, root, registry_person_family(root) FROM"
            " (SELECT id, registry_person_root(id) AS root FROM unnest(%s::bigint[]) AS id) AS one",
            [list(ids)],
        )
        return {row[0]: (row[1], row[2]) for row in cursor.fetchall()}


def bodies_of(organization: Organization) -> dict[int, date | None]:
    """The ids of the bodies that are this one now, with the day their rows count for it (P13)."""
    rows = _bodies(organization)
    return {pk: _arrived(pk, rows) for pk in rows}


def _bodies(organization: Organization) -> dict[int, tuple[int | None, date | None]]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT o.id, o.merged_into_id, o.merged_on FROM registry_organization o"
            " WHERE o.id = ANY (registry_organization_family(registry_organization_root(%s)))",
            [organization.pk],
        )
        return {row[0]: (row[1], row[2]) for row in cursor.fetchall()}


def _arrived(pk: int, rows: dict[int, tuple[int | None, date | None]]) -> date | None:
    days = []
    up, day = rows[pk]
    while up is not None and day is not None:
        days.append(day)
        up, day = rows[up]
    return max(days, default=None)


@dataclass
class Gathered:
    """The rows that speak of many persons, whatever number: always the same few queries."""

    persons: Sequence[Person]
    asked: Asked
    duties: Mapping[int, Sequence[str]] = field(default_factory=dict)
    """By person id, the duties asked about where they are not the same for all."""
    rows: dict[str, dict[int, list[Any]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.law = in_force(self.asked.on)
        self._know_people()
        bodies = _bodies(self.asked.organization)
        self.arrived = {pk: _arrived(pk, bodies) for pk in bodies}
        self.body = next(pk for pk, (up, _day) in bodies.items() if up is None)
        here = {"organization__in": list(self.arrived)}
        memberships = Membership.objects.standing().filter(**here)
        self._take("memberships", memberships.order_by("starts_on", "pk"))
        self._take("suspensions", Suspension.objects.standing().filter(**here))
        self._take("activities", Activity.objects.standing().filter(**here))
        self._take("decisions", Determination.objects.standing().filter(**here))
        self._take("interests", LessorInterest.objects.standing().select_related("lessor"))
        self._take("places", self._assignments(), self.everyone | self.lookalikes)
        self._license_bodies()

    def _know_people(self) -> None:
        """Who is who: the surviving records, and whom they may be the same as (decisions 16)."""
        humans = _humans(person.pk for person in self.persons)
        self.kin = {pk: list(self.asked.kin) or kin for pk, (_root, kin) in humans.items()}
        self.everyone = {pk for kin in self.kin.values() for pk in kin}
        roots = Person.objects.in_bulk({root for root, _kin in humans.values()})
        self.root = {pk: roots[root] for pk, (root, _kin) in humans.items()}
        if self.asked.kin:
            self.root = {person.pk: person for person in self.persons}
        pairs = self._doubles()
        of_others = families({pk for pair in pairs for pk in pair})
        self.double: dict[int, set[int]] = defaultdict(set)
        for one, other in pairs:
            self.double[one] |= set(of_others[other])
            self.double[other] |= set(of_others[one])
        self.lookalikes = {pk for kin in of_others.values() for pk in kin}

    def _doubles(self) -> list[tuple[int, int]]:
        mine = list(self.everyone)
        items = WorkItem.objects.filter(
            Q(person__in=mine) | Q(other__in=mine),
            kind=WorkItem.Kind.POSSIBLE_DOUBLE,
            closed_at=None,
            person__isnull=False,
            other__isnull=False,
        )
        return list(items.values_list("person_id", "other_id"))

    def _assignments(self) -> QuerySet[Assignment]:
        rows: QuerySet[Assignment] = Assignment.objects.standing().annotate(
            body=OrganizationRoot(F("organization_id"))
        )
        rows = rows.exclude(pk__in=self.asked.ignoring)
        return rows.select_related("organization", "license").order_by("pk")

    def _take(self, name: str, rows: QuerySet[Any], whose: set[int] | None = None) -> None:
        left_out = {pk for table, pk in self.asked.without if table == name}
        by_person: dict[int, list[Any]] = defaultdict(list)
        for row in rows.filter(person__in=whose or self.everyone):
            if row.pk not in left_out:
                by_person[row.person_id].append(row)
        self.rows[name] = by_person

    def _license_bodies(self) -> None:
        bodies = {row.body for rows in self.rows["places"].values() for row in rows}
        self.licenses = licenses_by_organization(bodies | {self.body})
        here = running(self.licenses.get(self.body, []), self.asked.on)
        self.spells_here = license_spells(here)
        self.leases_only = any(row.license_class == License.Class.B for row in here)

    def _of(self, name: str, person: Person) -> list[Any]:
        return [row for pk in self.kin[person.pk] for row in self.rows[name].get(pk, ())]

    def facts(self, person: Person) -> Facts:
        """What the rules may look at about this person."""
        memberships = sorted(self._of("memberships", person), key=lambda row: row.starts_on)
        facts = Facts(
            body=self.body,
            organization=self.asked.organization.name,
            on=self.asked.on,
            question=self.asked.question,
            until=self.asked.until,
            began_on=self._began_on(person),
            spells=tuple(self._spell(row) for row in memberships),
            suspensions=tuple(row.period for row in self._of("suspensions", person)),
            activities=tuple(self._done(row) for row in self._of("activities", person)),
            licenses=self.spells_here,
            leases_only=self.leases_only,
            places=tuple(self._place(row) for row in self._of("places", person)),
            interests=tuple(self._interest(row) for row in self._of("interests", person)),
            decisions=tuple(_decision(row) for row in self._of("decisions", person)),
            **stated(self.root[person.pk], memberships),
            **self._duties(person),
        )
        return self._with_doubles(facts, person)

    def _with_doubles(self, facts: Facts, person: Person) -> Facts:
        """Who may be the same person counts only where he would fill the place (decisions 16)."""
        kin = self.kin[person.pk]
        doubles = {pk for one in kin for pk in self.double.get(one, ())} - set(kin)
        rows = [row for pk in doubles for row in self.rows["places"].get(pk, ())]
        theirs = tuple(self._place(row) for row in rows if row.body != self.body)
        if not theirs or one_other(facts, self.law).bars:
            return facts
        both = replace(facts, places=(*facts.places, *theirs), double_open=True)
        return both if one_other(both, self.law).bars else facts

    def _here(self, person: Person) -> list[Assignment]:
        """The approvals of this very body that cover the asked day."""
        return [
            row
            for row in self._of("places", person)
            if row.body == self.body and row.period.covers(self.asked.on)
        ]

    def _began_on(self, person: Person) -> date | None:
        if self.asked.question is Question.ASSIGN:
            return None
        return min((row.starts_on for row in self._here(person)), default=None)

    def _duties(self, person: Person) -> dict[str, Any]:
        duties = self.duties.get(person.pk, self.asked.duties)
        if self.asked.as_approved:
            duties = [duty for row in self._here(person) for duty in row.duties]
        in_charge = "in_charge" in duties
        return {"in_charge": in_charge, "assisting": is_assisting(duties, self.law)}

    def _spell(self, row: Membership) -> Spell:
        carried = self.arrived[row.organization_id]
        period = dict(self.asked.instead).get(row.pk, row.period)
        return Spell(Kind(row.kind), period, shown=row.is_shown, carried_on=carried)

    def _done(self, row: Activity) -> Done:
        carried = self.arrived[row.organization_id]
        return Done(row.kind, row.done_on, shown=row.is_shown, carried_on=carried)

    def _place(self, row: Any) -> Place:
        kind = row.license.license_class
        same = [one for one in self.licenses.get(row.body, []) if one.license_class == kind]
        return Place(
            body=row.body,
            name=row.organization.name,
            period=row.period,
            licenses=license_spells(same),
            takes_place=row.takes_place,
            order=row.pk,
            is_lessor=kind == License.Class.B,
        )

    def _interest(self, row: LessorInterest) -> Interest:
        own = row.lessor_id in self.arrived
        return Interest(row.lessor.name, row.tie, row.period, own_hall=own)


def running(rows: Iterable[License], on: date) -> list[License]:
    """The licenses a body's people are judged by: those to conduct, or those to lease a hall.

    What runs on the day decides which; of both, or of neither, those to conduct.
    """
    rows = list(rows)
    kinds = {row.license_class for row in rows if row.period.covers(on)}
    kinds = kinds or {row.license_class for row in rows}
    kind = License.Class.A if License.Class.A in kinds else License.Class.B
    return [row for row in rows if row.license_class == kind]


def license_spells(rows: Iterable[License]) -> tuple[LicenseSpell, ...]:
    """The days on which these licenses run, with those on which each rested in between."""
    return tuple(
        LicenseSpell(run, tuple(rests_of(row)), row.number) for row in rows for run in runs_of(row)
    )


def _decision(row: Determination) -> Decision:
    outcome = Outcome.MET if row.is_met else Outcome.NOT_MET
    return Decision(row.rule, outcome, row.period, row.get_decided_by_display(), row.decided_on)


def stated(person: Person, memberships: Sequence[Membership]) -> dict[str, Any]:
    """Birth date and residence: the register's own, else what this organization's officer stated.

    The memberships are in the order of their start; the latest statement counts.
    """
    shown = [row for row in memberships if row.is_shown]
    births = [row.born_on_stated for row in shown if row.born_on_stated is not None]
    residence = [row.is_resident_stated for row in shown if row.is_resident_stated is not None]
    born_on = person.born_on or (births[-1] if births else None)
    return {
        "born_on": born_on,
        "is_adult_attested": any(row.is_adult_stated for row in shown),
        "is_resident": residence[-1] if residence else None,
        "birth_is_own": any(row.born_on_stated == born_on for row in memberships),
        "birth_is_stated": any(row.born_on_stated for row in memberships),
    }


def is_assisting(duties: Sequence[str], law: Ruleset) -> bool:
    """True when every duty is help without game or money (decisions 8)."""
    return bool(duties) and all(duty in law.duties.assisting for duty in duties)
