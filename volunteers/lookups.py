"""Reading for desk and pages: whom may be asked about, and where a person belongs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import F, Prefetch, Q, QuerySet

from registry.access import Anyone, is_regulator
from registry.models import Organization, Person
from registry.ruleset import in_force
from registry.selectors import family_of, find_people_rows
from registry.verdicts import Ruling
from volunteers.facts import Facts
from volunteers.gathering import OrganizationRoot
from volunteers.models import Assignment, Determination, Membership, NameTag
from volunteers.rules import rule_on
from volunteers.selectors import Asked, facts_for, memberships_of, named, seen_by


def own_lines(user: Anyone, organization: Organization, text: str = "") -> QuerySet[Membership]:
    """The lines of an organization's own roster, past ones too, by any part of the name."""
    rows = memberships_of(user, organization).order_by("person__sort_name", "pk")
    return named(user, rows, text) if text.strip() else rows


def own_line(user: Anyone, organization: Organization, number: str) -> Membership | None:
    """The latest line of the roster for the person of this number; nobody else is there."""
    rows = memberships_of(user, organization).filter(person__number=number.upper())
    return rows.order_by("-starts_on", "-pk").first()


def membership_on(
    user: Anyone, organization: Organization, person: Person, day: date
) -> Membership | None:
    """The line of the roster that covers the day for this human, None when there is none."""
    rows = memberships_of(user, organization).filter(
        Q(ends_on__isnull=True) | Q(ends_on__gte=day),
        starts_on__lte=day,
        person__in=family_of(person),
    )
    return rows.first()


def answer_for(user: Anyone, person: Person, organization: Organization, day: date) -> Ruling:
    """May the person conduct for the organization on a day, as this user may know it.

    Who is approved as a helper only is judged as a helper. Raises TextUnknown for a day before
    the first known text of the law.
    """
    facts = facts_for(person, Asked(organization, day, as_approved=True))
    confirmed = any(spell.shown for spell in facts.spells)
    return seen_by(user, rule_on(facts, in_force(day)), confirmed=confirmed)


def people_found(user: Anyone, text: str) -> QuerySet[Person]:
    """The persons meant by what was typed, each with the organizations he belongs to."""
    rows = Membership.objects.standing().select_related("organization")
    ordered = rows.order_by("organization__name", "pk")
    return find_people_rows(user, text).prefetch_related(
        Prefetch("memberships", ordered, to_attr="belongings")
    )


def organizations_of(person: Person) -> list[Organization]:
    """The organizations of a person's rosters, out of what `people_found` fetched."""
    rows = person.belongings  # type: ignore[attr-defined]
    return list(dict.fromkeys(row.organization for row in rows))


@dataclass(frozen=True, slots=True)
class Belonging:
    """One organization in a person's life: its rows, and the answer for the day."""

    organization: Organization
    memberships: tuple[Membership, ...]
    assignments: tuple[Assignment, ...]
    facts: Facts
    ruling: Ruling

    @property
    def line(self) -> Membership | None:
        """The latest line of the organization's roster, None for who was never on it."""
        return self.memberships[-1] if self.memberships else None

    def approval_on(self, day: date) -> Assignment | None:
        """The approval that covers a day, else the next one, None when there is none to come."""
        return next((row for row in self.assignments if row.ends_on >= day), None)


def belongings_of(person: Person, day: date) -> list[Belonging]:
    """Every organization the person belongs or belonged to, or is approved for, judged for a day.

    Raises TextUnknown for a day before the first known text of the law.
    """
    kin = family_of(person)
    lines = Membership.objects.standing().filter(person__in=kin).select_related("organization")
    approvals = Assignment.objects.standing().filter(person__in=kin)
    approvals = approvals.select_related("organization", "license").prefetch_related("tags")
    memberships: dict[Organization, list[Membership]] = defaultdict(list)
    assignments: dict[Organization, list[Assignment]] = defaultdict(list)
    for line in lines.order_by("starts_on", "pk"):
        memberships[line.organization].append(line)
    for row in approvals.order_by("starts_on", "pk"):
        assignments[row.organization].append(row)
    bodies = sorted({*memberships, *assignments}, key=lambda body: body.name)
    return [_judged(person, body, memberships[body], assignments[body], day) for body in bodies]


def _judged(
    person: Person,
    body: Organization,
    memberships: Sequence[Membership],
    assignments: Sequence[Assignment],
    day: date,
) -> Belonging:
    facts = facts_for(person, Asked(body, day, as_approved=True))
    ruling = rule_on(facts, in_force(day))
    return Belonging(body, tuple(memberships), tuple(assignments), facts, ruling)


def bodies_of(person: Person) -> list[Organization]:
    """The organizations of which a human is or was a member, volunteer or worker, by name."""
    kin = family_of(person)
    rows = Organization.objects.filter(
        Q(memberships__person__in=kin, memberships__voided_at__isnull=True)
        | Q(assignments__person__in=kin, assignments__voided_at__isnull=True)
    )
    return list(rows.distinct().order_by("name", "pk"))


def legal_bodies(organizations: Iterable[Organization]) -> list[Organization]:
    """The legal bodies that these organizations are today, mergers followed, by name."""
    ids = {organization.pk for organization in organizations}
    roots = Organization.objects.filter(pk__in=ids).values_list(OrganizationRoot(F("pk")))
    return list(Organization.objects.filter(pk__in=roots).order_by("name", "pk"))


def decisions_on(person: Person) -> QuerySet[Determination]:
    """What administrator, board or court decided about a person, newest first."""
    rows = Determination.objects.standing().filter(person__in=family_of(person))
    return rows.select_related("organization").order_by("-decided_on", "pk")


def decision_for(user: Anyone, person: Person, pk: int) -> Determination | None:
    """One standing decision about a person, None for all but regulators."""
    if not is_regulator(user):
        return None
    found: Determination | None = decisions_on(person).filter(pk=pk).first()
    return found


def printed_otherwise(organization: Organization, name: str, day: date) -> int:
    """How many good name tags carry another name of the organization, on a day or later."""
    rows = NameTag.objects.filter(
        assignment__organization=organization,
        assignment__voided_at__isnull=True,
        assignment__ends_on__gte=day,
        replaced_at__isnull=True,
    )
    return rows.exclude(organization_name=name).count()
