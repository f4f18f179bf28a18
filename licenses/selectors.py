"""Reading licenses: which run on a day, and what stands on them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import DateField, Exists, OuterRef, Prefetch, Q, QuerySet, Value

from licenses.models import Exemption, LessorInterest, License, Sanction
from licenses.rules import state_on
from licenses.words import Standing, standing_line
from registry.access import Anyone
from registry.models import Organization, Person
from registry.selectors import family_of, organizations


def licenses_of(organization: Organization) -> QuerySet[License]:
    """All standing licenses of an organization, newest first, with what was ordered on them."""
    rows = License.objects.standing().filter(organization=organization)
    return rows.prefetch_related("sanctions").order_by("-issued_on", "license_class", "pk")


def license_for(user: Anyone, organization: Organization, number: str) -> License | None:
    """One license of the organization by its number, None when it is not there for the user."""
    rows = License.objects.visible_to(user).standing()
    return rows.filter(organization=organization, number=number).first()


def suspension_for(user: Anyone, license_: License, pk: int) -> Sanction | None:
    """One standing suspension of a license, None when it is not there for the user."""
    rows = Sanction.objects.visible_to(user).standing()
    return rows.filter(license=license_, pk=pk).select_related("license__organization").first()


def license_on(organization: Organization, day: date) -> License | None:
    """The license under which a worker is approved: class A, else the class B of a hall owner."""
    rows = License.objects.standing().filter(
        organization=organization, issued_on__lte=day, expires_on__gte=day
    )
    return rows.order_by("license_class").first()


def licenses_by_organization(ids: Iterable[int]) -> dict[int, list[License]]:
    """The standing licenses of many organizations, with their suspensions; two queries."""
    found: dict[int, list[License]] = defaultdict(list)
    rows = License.objects.standing().filter(organization__in=ids).order_by("issued_on")
    for row in rows.prefetch_related("sanctions"):
        found[row.organization_id].append(row)
    return found


def suspensions_of(license_: License) -> list[Sanction]:
    """The standing suspensions of a license, out of what was prefetched."""
    return [row for row in license_.sanctions.all() if row.voided_at is None]


def standing_of(license_: License, day: date) -> Standing:
    """How a license stands on a day, out of what was prefetched."""
    holes = [row.period for row in suspensions_of(license_)]
    covering = [hole for hole in holes if hole.covers(day)]
    return Standing(
        license_class=license_.license_class,
        number=license_.number,
        state=state_on(license_.period, holes, day),
        period=license_.period,
        until=covering[0].ends_on if covering else None,
    )


def standings_on(licenses: Sequence[License], day: date) -> list[Standing]:
    """The licenses that matter on a day, class A first: those that cover it, else the latest."""
    covering = [row for row in licenses if row.period.covers(day)]
    latest = sorted(licenses, key=lambda row: row.expires_on)[-1:]
    shown = sorted(covering or latest, key=lambda row: row.license_class)
    return [standing_of(row, day) for row in shown]


@dataclass(frozen=True, slots=True)
class LicenseShown:
    """One license with how it stands on a day and what was ordered against it, newest first."""

    license: License
    standing: Standing
    suspensions: Sequence[Sanction]


def licenses_shown(organization: Organization, day: date) -> list[LicenseShown]:
    """Every license of an organization, newest first."""
    return [
        LicenseShown(
            license=row,
            standing=standing_of(row, day),
            suspensions=sorted(suspensions_of(row), key=lambda hole: hole.starts_on, reverse=True),
        )
        for row in licenses_of(organization)
    ]


def standing_on(organization: Organization, day: date) -> str:
    """One sentence: "Licensed, class A, to Sep 30, 2027 · 501(c)(19)"."""
    shown = exemption_of(organization)
    licenses = list(licenses_of(organization))
    return standing_line(standings_on(licenses, day), str(shown) if shown else "")


def organizations_on(user: Anyone, day: date) -> QuerySet[Organization]:
    """The surviving organizations a user may see, each with its licenses and the day asked.

    `held` are its standing licenses, `on` the day, `is_in_force` and `is_suspended` what one of
    them is on that day.
    """
    covering = License.objects.standing().filter(
        organization=OuterRef("pk"), issued_on__lte=day, expires_on__gte=day
    )
    holes = Sanction.objects.on(day).filter(license=OuterRef("pk"))
    held = License.objects.standing().prefetch_related("sanctions")
    return (
        organizations(user)
        .filter(merged_into__isnull=True)
        .annotate(
            on=Value(day, output_field=DateField()),
            is_in_force=Exists(covering.filter(~Exists(holes))),
            is_suspended=Exists(covering.filter(Exists(holes))),
        )
        .prefetch_related(Prefetch("licenses", held, to_attr="held"))
    )


def exemption_of(organization: Organization) -> Exemption | None:
    """The exemption an organization shows, None when none is recorded."""
    return Exemption.objects.standing().filter(organization=organization).first()


def interests_of(person: Person) -> QuerySet[LessorInterest]:
    """A person's interests in hall owners, also those recorded under a number joined to his."""
    rows = LessorInterest.objects.standing().filter(person__in=family_of(person))
    return rows.select_related("lessor").order_by("starts_on", "pk")


def interested_in(user: Anyone, lessor: Organization, day: date) -> QuerySet[LessorInterest]:
    """The people tied to a hall owner on a day or later; regulators only."""
    rows: QuerySet[LessorInterest] = LessorInterest.objects.visible_to(user).standing()
    running = rows.filter(lessor=lessor).exclude(ends_on__lt=day).select_related("person")
    return running.order_by("person__sort_name", "pk")


def interest_for(user: Anyone, person: Person, pk: int) -> LessorInterest | None:
    """One standing interest of a person, None for all but regulators."""
    rows = LessorInterest.objects.visible_to(user).standing()
    return rows.filter(person__in=family_of(person), pk=pk).select_related("lessor").first()


def lessors(user: Anyone) -> QuerySet[Organization]:
    """The hall owners a user may see, by name: bodies that only lease, or that hold a class B."""
    rows = organizations(user).filter(merged_into__isnull=True)
    return rows.filter(Q(kind=Organization.Kind.OTHER) | Exists(_class_b(OuterRef("pk"))))


def is_lessor(organization: Organization) -> bool:
    """True for a body that only leases, or holds or held a class B license (§ 10-65)."""
    return organization.kind == Organization.Kind.OTHER or _class_b(organization.pk).exists()


def _class_b(organization: Any) -> QuerySet[License]:
    rows: QuerySet[License] = License.objects.standing().filter(
        organization=organization, license_class=License.Class.B
    )
    return rows
