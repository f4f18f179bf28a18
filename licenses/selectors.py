"""Reading licenses: which run on a day, and what stands on them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import date

from django.db.models import QuerySet

from licenses.models import Exemption, LessorInterest, License, Sanction
from registry.access import Anyone
from registry.models import Organization, Person


def licenses_of(organization: Organization) -> QuerySet[License]:
    """All standing licenses of an organization, newest first, with what was ordered on them."""
    rows = License.objects.standing().filter(organization=organization)
    return rows.prefetch_related("sanctions").order_by("-issued_on", "pk")


def license_for(user: Anyone, organization: Organization, number: str) -> License | None:
    """One license of the organization by its number, None when it is not there for the user."""
    rows = License.objects.visible_to(user).standing()
    return rows.filter(organization=organization, number=number).first()


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


def exemption_of(organization: Organization) -> Exemption | None:
    """The exemption an organization shows, None when none is recorded."""
    return Exemption.objects.standing().filter(organization=organization).first()


def interests_of(person: Person) -> QuerySet[LessorInterest]:
    """A person's interests in hall owners."""
    rows = LessorInterest.objects.standing().filter(person=person)
    return rows.select_related("lessor").order_by("starts_on", "pk")


def lessors() -> QuerySet[Organization]:
    """The holders of a class B license, past or present."""
    rows = Organization.objects.filter(licenses__license_class="B")
    return rows.filter(licenses__voided_at__isnull=True).distinct().order_by("name", "pk")
