"""Finding a license by what somebody typed: on the telephone, or on the public page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.db.models import Q, QuerySet

from licenses.models import License
from licenses.selectors import standing_of, with_orders
from licenses.words import Standing
from registry.access import Anyone
from registry.models import Organization
from registry.selectors import by_name

MOST = 25


@dataclass(frozen=True, slots=True)
class FoundLicense:
    """What is public about a license."""

    organization: Organization
    standing: Standing


def find_licenses(user: Anyone, text: str, day: date) -> list[FoundLicense]:
    """The same, of the organizations the user may open."""
    rows: QuerySet[License] = License.objects.visible_to(user).standing()
    return _found(rows, text, day)


def _found(rows: QuerySet[License], text: str, day: date) -> list[FoundLicense]:
    """By part of the number, with or without its letter, or by the name; newest first."""
    bodies = by_name(Organization.objects.all(), text).order_by().values("pk")
    meant = rows.filter(Q(number__icontains=text.strip()) | Q(organization__in=bodies))
    newest = with_orders(meant.select_related("organization"))
    newest = newest.order_by("-issued_on", "number")[:MOST]
    return [FoundLicense(row.organization, standing_of(row, day)) for row in newest]
