"""What is public about licenses: names of bodies, numbers, places, orders; never a person's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from licenses.models import CertificateCopy, Decision, License, Premises
from licenses.rules import State
from licenses.selectors import standing_of, standings_on, with_orders
from licenses.words import Standing
from registry.models import Organization
from registry.selectors import matching_organizations


@dataclass(frozen=True, slots=True)
class Action:
    """One decision of the county as everyone may read it."""

    what: str
    number: str
    decided_on: date
    cites: str
    appealed: bool
    outcome: str
    """What came of the appeal, in words; empty while there is none."""


@dataclass(frozen=True, slots=True)
class Licensee:
    """One body with its licenses on a day, its places, and what was decided."""

    organization: Organization
    licenses: Sequence[Standing]
    places: Sequence[str]
    actions: Sequence[Action]


def licensees(text: str = "") -> QuerySet[Organization]:
    """Every body that holds or held a license; by name, EIN or number; none that was merged."""
    held = License.objects.standing().filter(organization=OuterRef("pk"))
    rows = Organization.objects.filter(Exists(held), merged_into__isnull=True)
    found = rows.filter(_meant(rows, text)) if text else rows
    licenses = with_orders(License.objects.standing())
    return found.prefetch_related(Prefetch("licenses", licenses, to_attr="held")).order_by(
        "search_name", "pk"
    )


def _meant(rows: QuerySet[Organization], text: str) -> Q:
    """By name, EIN or part of a license number."""
    numbered = License.objects.standing().filter(number__icontains=text)
    named = matching_organizations(rows, text).order_by().values("pk")
    return Q(pk__in=named) | Q(pk__in=numbered.values("organization"))


def licensee(slug: str, day: date) -> Licensee | None:
    """One body by the name in its address; None where it never held a license."""
    organization = licensees().filter(slug=slug).first()
    if organization is None:
        return None
    held: list[License] = organization.held  # type: ignore[attr-defined]
    newest = sorted(held, key=lambda row: row.issued_on, reverse=True)
    return Licensee(
        organization,
        [standing_of(row, day) for row in newest],
        places_on(organization, day),
        actions_of(organization, day),
    )


def places_on(organization: Organization, day: date) -> list[str]:
    """Where it may play on a day, or lets others play."""
    rows = Premises.objects.on(day).filter(organization=organization).order_by("name", "pk")
    return [f"{row.name}, {row.street}, {row.city}" for row in rows]


def actions_of(organization: Organization, day: date) -> list[Action]:
    """The county's decisions about its licenses up to a day, newest first."""
    rows = Decision.objects.standing().filter(organization=organization, decided_on__lte=day)
    rows = rows.exclude(kind=Decision.Kind.DENY).select_related("license", "application__license")
    # What was decided about a license that was entered in error is no longer about anything.
    void = Q(license__voided_at__isnull=False) | Q(application__license__voided_at__isnull=False)
    shown = rows.exclude(void).prefetch_related("appeals").order_by("-decided_on", "-pk")
    return [_action(row) for row in shown]


def _action(row: Decision) -> Action:
    granted = getattr(row.application, "license", None) if row.application else None
    license_ = granted or row.license
    appeals = [one for one in row.appeals.all() if one.voided_at is None]
    return Action(
        what=row.get_kind_display(),
        number=license_.number if license_ else "",
        decided_on=row.decided_on,
        cites=", ".join(dict.fromkeys(ground["cite"] for ground in row.grounds)),
        appealed=any(not one.outcome for one in appeals),
        outcome=", ".join(one.get_outcome_display() for one in appeals if one.outcome),
    )


def as_data(organization: Organization, day: date) -> dict[str, Any]:
    """One body as data: the fields of the public JSON, documented on its page."""
    found = standings_on(organization.held, day)  # type: ignore[attr-defined]
    return {
        "name": organization.name,
        "kind": organization.kind,
        "city": organization.city,
        "page": organization.slug,
        "licenses": [
            {
                "number": row.number,
                "class": row.license_class,
                "first_day": row.period.starts_on.isoformat(),
                "last_day": row.last_day.isoformat(),
                "status": row.state.value,
                "status_in_words": row.word,
            }
            for row in found
        ],
    }


def facts_of(license_: License, day: date) -> dict[str, Any]:
    """What is printed on a license, as it stands on a day: frozen with each copy."""
    standing = standing_of(license_, day)
    return {
        "number": license_.number,
        "class": license_.license_class,
        "name": license_.organization.name,
        "first_day": license_.issued_on.isoformat(),
        "last_day": license_.expires_on.isoformat(),
        "continued": standing.state is State.CONTINUED,
        "places": places_on(license_.organization, max(day, license_.issued_on)),
    }


@dataclass(frozen=True, slots=True)
class CopySeen:
    """A printed license that somebody scanned: is it the current one, and how does it stand?"""

    copy: CertificateCopy
    is_current: bool
    standing: Standing
    changed: Sequence[str]


def copy_seen(token: str, day: date) -> CopySeen | None:
    """The copy behind a code; None for an unknown one."""
    rows = CertificateCopy.objects.filter(token=token.upper())
    copy: CertificateCopy | None = rows.select_related("license__organization").first()
    if copy is None or copy.license.voided_at is not None:
        return None
    now = facts_of(copy.license, day)
    changed = [key for key, value in now.items() if copy.facts.get(key) != value]
    return CopySeen(copy, not changed, standing_of(copy.license, day), changed)
