"""Reading licenses: which run on a day, and what stands on them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import DateField, Exists, OuterRef, Prefetch, Q, QuerySet, Value

from licenses.models import (
    Appeal,
    Application,
    Decision,
    Exemption,
    LessorInterest,
    License,
    Sanction,
)
from licenses.rules import FINAL, WAITING, Hole, State, last_day_of_term, state_on, stayed
from licenses.words import Standing, standing_line
from registry.access import Anyone
from registry.models import Letter, Organization, Person
from registry.periods import ONE_DAY, Period, without
from registry.selectors import family_of, organizations


def licenses_of(organization: Organization) -> QuerySet[License]:
    """All standing licenses of an organization, newest first, with what was ordered on them."""
    rows = License.objects.standing().filter(organization=organization)
    return with_orders(rows).order_by("-issued_on", "license_class", "pk")


ORDERS = ("sanctions__decision__appeals", "renewals")
"""What says how a license stands: what was ordered, what stays it, what renews it."""
STATES = {
    Sanction.Kind.SUSPENSION: State.SUSPENDED,
    Sanction.Kind.CONDITION: State.CONDITION,
    Sanction.Kind.REVOCATION: State.REVOKED,
    Sanction.Kind.SURRENDER: State.SURRENDERED,
}
"""What a license is while an order holds; a warning changes nothing."""


def with_orders(rows: QuerySet[License]) -> QuerySet[License]:
    """Licenses with all that says how they stand, in a few queries for all."""
    return rows.prefetch_related(*ORDERS)


def license_for(user: Anyone, organization: Organization, number: str) -> License | None:
    """One license of the organization by its number, None when it is not there for the user."""
    rows = License.objects.visible_to(user).standing()
    return rows.filter(organization=organization, number=number).first()


def suspension_for(user: Anyone, license_: License, pk: int) -> Sanction | None:
    """One standing suspension of a license, None when it is not there for the user."""
    rows = Sanction.objects.visible_to(user).standing()
    return rows.filter(license=license_, pk=pk).select_related("license__organization").first()


def license_on(organization: Organization, day: date) -> License | None:
    """The license under which a worker is approved: class A, else the class B of a hall owner.

    Newest first, so that a renewed license comes before the one it continued.
    """
    rows = License.objects.standing().filter(running_on(day), organization=organization)
    return with_orders(rows).order_by("license_class", "-issued_on").first()


def running_on(day: date) -> Q:
    """The licenses that run on a day: in their term, or continued by a renewal (§ 10-91(b))."""
    presented = Application.objects.filter(
        prior=OuterRef("pk"), presented_on__lte=OuterRef("expires_on")
    ).exclude(prior_shown="")
    waiting = Q(status__in=sorted(WAITING), continued_to=None) | Q(continued_to__gte=day)
    continued = Q(Exists(presented.filter(waiting)))
    return Q(issued_on__lte=day) & (Q(expires_on__gte=day) | continued)


def licenses_by_organization(ids: Iterable[int]) -> dict[int, list[License]]:
    """The standing licenses of many organizations, with their suspensions; two queries."""
    found: dict[int, list[License]] = defaultdict(list)
    rows = License.objects.standing().filter(organization__in=ids).order_by("issued_on")
    for row in with_orders(rows):
        found[row.organization_id].append(row)
    return found


def orders_on(license_: License) -> list[Sanction]:
    """All standing orders against a license, warnings too, out of what was prefetched."""
    return [row for row in license_.sanctions.all() if row.voided_at is None]


def holes_of(license_: License) -> list[Hole]:
    """The days on which a license does not hold, without those on which an order is stayed."""
    return [
        Hole(STATES[Sanction.Kind(row.kind)], period)
        for row in orders_on(license_)
        if row.kind in STATES
        for period in stayed(row.period, _stays(row))
    ]


def _stays(row: Sanction) -> list[Period]:
    appeals = row.decision.appeals.all() if row.decision else ()
    return [
        Period(appeal.stay_from, appeal.stay_to)
        for appeal in appeals
        if appeal.stay_from and appeal.voided_at is None
    ]


def rests_of(license_: License) -> list[Period]:
    """The days on which a license rests without being ended: suspended, conditionally revoked."""
    return [hole.period for hole in holes_of(license_) if hole.state not in FINAL]


def runs_of(license_: License) -> list[Period]:
    """The days a license runs, continued and without what ended it; rests are within."""
    ends = [hole.period for hole in holes_of(license_) if hole.state in FINAL]
    return without([license_.period], ends)


def last_day_of(license_: License) -> date:
    """The last day on which a license runs as known today; date.max while it is continued."""
    return max((run.last for run in runs_of(license_)), default=license_.issued_on - ONE_DAY)


def last_to_approve(license_: License) -> date:
    """The last day for which workers can be approved under a license (decisions 9).

    While it is continued, the end of the license year that follows: what is decided before then
    ends or renews the approvals.
    """
    last = last_day_of(license_)
    return last_day_of_term(license_.expires_on + ONE_DAY) if last == date.max else last


def standing_of(license_: License, day: date) -> Standing:
    """How a license stands on a day, out of what was prefetched."""
    holes = holes_of(license_)
    state = state_on(license_.term, license_.period, holes, day)
    covering = [hole for hole in holes if hole.period.covers(day) and hole.state is state]
    return Standing(
        license_class=license_.license_class,
        number=license_.number,
        state=state,
        period=license_.term,
        until=covering[0].period.ends_on if covering else None,
        since=covering[0].period.starts_on if covering else None,
        continued_to=license_.period.ends_on if license_.is_continued else None,
    )


def standings_on(licenses: Sequence[License], day: date) -> list[Standing]:
    """The licenses that matter on a day, class A first: those that cover it, else the latest."""
    covering = {
        row.license_class: row
        for row in sorted(licenses, key=lambda row: row.issued_on)
        if row.period.covers(day)
    }
    latest = sorted(licenses, key=lambda row: row.expires_on)[-1:]
    shown = sorted(covering.values() or latest, key=lambda row: row.license_class)
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
            suspensions=sorted(orders_on(row), key=lambda hole: hole.starts_on, reverse=True),
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
    covering = License.objects.standing().filter(running_on(day), organization=OuterRef("pk"))
    stay = Q(stay_to__isnull=True) | Q(stay_to__gte=day)
    stays = Appeal.objects.standing().filter(
        stay, decision=OuterRef("decision"), stay_from__lte=day
    )
    holes = Sanction.objects.on(day).filter(~Exists(stays), license=OuterRef("pk"))
    holes = holes.exclude(kind=Sanction.Kind.WARNING)
    held = with_orders(License.objects.standing())
    return (
        organizations(user)
        .filter(merged_into__isnull=True)
        .annotate(
            on=Value(day, output_field=DateField()),
            is_in_force=Exists(covering.filter(~Exists(holes))),
            is_suspended=Exists(
                covering.filter(
                    Exists(holes.filter(kind=Sanction.Kind.SUSPENSION)),
                    ~Exists(holes.exclude(kind=Sanction.Kind.SUSPENSION)),
                )
            ),
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


def letter_of(decision: Decision) -> Letter | None:
    """The letter a decision went out with."""
    return Letter.objects.filter(key=f"decision:{decision.pk}").first()


def decisions_on(user: Anyone, license_: License) -> list[Decision]:
    """What was decided about a license, newest first, also what a reversal took back."""
    rows: QuerySet[Decision] = Decision.objects.visible_to(user)
    about = Q(license=license_) | Q(application__license=license_)
    shown = rows.filter(about, organization=license_.organization_id).exclude(kind="deny")
    return list(
        shown.select_related("decided_by", "organization")
        .prefetch_related("appeals", "sanctions")
        .order_by("-decided_on", "-pk")
    )


def decision_for(user: Anyone, organization: Organization, pk: int) -> Decision | None:
    """One decision about the organization, None when not there for the user."""
    rows = Decision.objects.visible_to(user).filter(organization=organization, pk=pk)
    found: Decision | None = rows.select_related("organization", "license", "application").first()
    return found


def appeal_for(user: Anyone, organization: Organization, pk: int) -> Appeal | None:
    """One appeal of the organization, None when not there for the user."""
    rows = Appeal.objects.visible_to(user).standing()
    mine = rows.filter(decision__organization=organization, pk=pk)
    found: Appeal | None = mine.select_related("decision__organization").first()
    return found
