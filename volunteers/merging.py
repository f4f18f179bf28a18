"""Two bodies become one: what it does is worked out first, then written in one act (P13).

The merged body points to the one that survives, so that its members' time and their activities
count on and both are one organization under § 10-63(10). Its running memberships, suspensions and
approvals end with the day before and go on, day by day the same, under the surviving body.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, TypeVar

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from licenses.models import License
from licenses.selectors import last_to_approve, license_on, licenses_of
from licenses.services import end_licenses
from registry.access import BadInput, Capability, require
from registry.base import BATCH, EffectiveModel, insert_all
from registry.documents import Paper, check_paper, keep_document
from registry.history import Act, acting
from registry.models import Document, Limit, Organization, Person, WorkItem
from registry.periods import ONE_DAY, Period, without
from registry.services import Actor, lock_organizations, lock_people, need_reason
from volunteers.deciding import refuse_own_body
from volunteers.gathering import OrganizationRoot, families
from volunteers.models import Assignment, Membership, Suspension

Row = TypeVar("Row", bound=EffectiveModel)


@dataclass(slots=True)
class Merger:
    """What a merger does: rows that end, and those in which they go on."""

    merged_on: date
    ends: list[Any] = field(default_factory=list)
    """Rows of the merged body that reach the day of the merger, of whatever kind."""
    memberships: list[Membership] = field(default_factory=list)
    suspensions: list[Suspension] = field(default_factory=list)
    assignments: list[Assignment] = field(default_factory=list)
    """Unsaved rows under the surviving body."""
    lost: list[Assignment] = field(default_factory=list)
    """Approvals that end: no license of the surviving body on their days, or over the limit."""
    licenses: int = 0
    """Licenses of the merged body that end: a license is the holder's alone."""
    freed: int = 0
    """People approved by both: two places until now, one from the merger on."""

    @property
    def counts(self) -> dict[str, int]:
        """The numbers, as page and history state them."""
        return {
            "memberships": len(self.memberships),
            "suspensions": len(self.suspensions),
            "approvals": len(self.assignments),
            "approvals_ended": len(self.lost),
            "places_freed": self.freed,
            "licenses_ended": self.licenses,
        }


def check_merger(gone: Organization, survivor: Organization, merged_on: date) -> None:
    """Raise BadInput for a body merged into itself or twice, and for a day to come."""
    if gone.merged_into_id is not None:
        raise BadInput("survivor", _("This organization was merged already: see its page."))
    if survivor.pk == gone.pk:
        raise BadInput("survivor", _("Choose another organization: one body cannot take itself."))
    if survivor.merged_into_id is not None:
        raise BadInput(
            "survivor",
            _("“%(name)s” was merged itself: choose the organization that took it over.")
            % {"name": survivor.name},
        )
    if merged_on > timezone.localdate():
        raise BadInput(
            "merged_on", _("The day lies in the future: record the merger once it has happened.")
        )


def plan_merger(gone: Organization, survivor: Organization, merged_on: date) -> Merger:
    """What merging would do to rosters and approvals; nothing is written."""
    plan = Merger(merged_on)
    plan.memberships = _carried(plan, Membership, gone, survivor)
    plan.suspensions = _carried(plan, Suspension, gone, survivor)
    approvals = _carried(plan, Assignment, gone, survivor)
    for row in approvals:
        _license(plan, row, license_on(survivor, row.starts_on))
    _leave_out_excess(plan, (gone, survivor))
    both = (_approved_after(body, merged_on) for body in (gone, survivor))
    plan.freed = len(set.intersection(*both))
    plan.licenses = sum(row.expires_on >= merged_on for row in licenses_of(gone))
    return plan


def _license(plan: Merger, row: Assignment, license_: License | None) -> None:
    """An approval goes on under the surviving body's license, and no longer than that."""
    row.license = license_ or row.license
    if license_ is None:
        plan.lost.append(row)
        return
    row.ends_on = min(row.ends_on, last_to_approve(license_))
    plan.assignments.append(row)


def _leave_out_excess(plan: Merger, merging: tuple[Organization, Organization]) -> None:
    """Who is over the limit of § 10-63(10) already is not approved anew, as the database has it."""
    most = Limit.objects.values_list("organizations_per_person", flat=True).first()
    if most is None:
        return
    kin = families(row.person_id for row in plan.assignments)
    beside = _places_beside({pk for one in kin.values() for pk in one}, merging, plan.merged_on)
    rows, plan.assignments = plan.assignments, []
    for row in rows:
        others = [place for pk in kin[row.person_id] for place in beside[pk]]
        is_over = row.takes_place and _most_at_once(row.period, others) >= most
        (plan.lost if is_over else plan.assignments).append(row)


def _places_beside(
    people: Iterable[int], merging: Iterable[Organization], day: date
) -> dict[int, list[tuple[int, Period]]]:
    """By record the other legal bodies that take a place on the day or later, with their days."""
    rows = Assignment.objects.standing().annotate(body=OrganizationRoot("organization"))
    rows = rows.filter(person__in=list(people), takes_place=True, ends_on__gte=day)
    found: dict[int, list[tuple[int, Period]]] = defaultdict(list)
    for row in rows.exclude(body__in=[body.pk for body in merging]):
        found[row.person_id].append((row.body, row.period))
    return found


def _most_at_once(days: Period, others: Sequence[tuple[int, Period]]) -> int:
    """The most other bodies on any one of the days; only where one begins can be the worst."""
    begins = {days.starts_on, *(p.starts_on for _body, p in others if days.covers(p.starts_on))}
    return max(len({body for body, p in others if p.covers(day)}) for day in begins)


def _approved_after(organization: Organization, day: date) -> set[int]:
    """The humans, by the least of their ids, with an approval that reaches the day."""
    rows = Assignment.objects.standing().filter(organization=organization, ends_on__gte=day)
    return {min(kin) for kin in families(rows.values_list("person_id", flat=True)).values()}


def _carried(
    plan: Merger, model: type[Row], gone: Organization, survivor: Organization
) -> list[Row]:
    """Copies of the rows that reach the merger, for the days that no row of the survivor covers."""
    theirs = _reaching(model, gone, plan.merged_on)
    plan.ends += theirs
    mine = _reaching(model, survivor, plan.merged_on)
    kin = families(row.person_id for row in [*theirs, *mine])
    taken: dict[int, list[Period]] = defaultdict(list)
    for row in mine:
        taken[min(kin[row.person_id])].append(row.period)
    found = []
    for row in theirs:
        human = min(kin[row.person_id])
        days = Period(max(row.starts_on, plan.merged_on), row.ends_on)
        for part in without([days], taken[human]):
            taken[human].append(part)
            found.append(_copy(row, survivor, part))
    return found


def _reaching(model: type[Row], organization: Organization, day: date) -> list[Any]:
    rows = model.objects.standing().filter(organization=organization).exclude(ends_on__lt=day)
    return list(rows.select_related("person").order_by("starts_on", "pk"))


def _copy(row: Row, survivor: Organization, days: Period) -> Any:
    """The same row, unsaved, for other days of another body."""
    names = [f.attname for f in row._meta.concrete_fields if not f.primary_key]
    again = type(row)(**{name: getattr(row, name) for name in names})
    again.starts_on, again.ends_on = days.starts_on, days.ends_on
    again.organization = survivor  # type: ignore[attr-defined]
    return again


def merge_organizations(
    by: Actor,
    gone: Organization,
    survivor: Organization,
    *,
    merged_on: date,
    paper: Paper,
    reason: str,
) -> Merger:
    """Record that one body was taken over by another, with the paper that shows it (P13).

    Raises BadInput with the field for an impossible pair or day, or a paper that is none, Refused
    for who belongs to one of the bodies himself. Whoever is over the limit of § 10-63(10) already
    is not approved anew; a clerk's work item.
    """
    require(by, Capability.CORRECT, gone)
    require(by, Capability.CORRECT, survivor)
    need_reason(reason)
    for body in (gone, survivor):
        refuse_own_body(by, body)
    check_paper(paper)
    with transaction.atomic():
        gone, survivor = lock_organizations(gone, survivor)
        check_merger(gone, survivor, merged_on)
        lock_people([row.person for row in plan_merger(gone, survivor, merged_on).ends])
        plan = plan_merger(gone, survivor, merged_on)
        told = {"into": survivor.name, "merged_on": merged_on.isoformat(), **plan.counts}
        with acting(by, "organization.merged", reason=reason, organization=gone, data=told):
            document = keep_document(gone, Document.Kind.MERGER, paper, by=by)
            gone.merged_into, gone.merged_on = survivor, merged_on
            gone.merger_document = document
            gone.save(update_fields=["merged_into", "merged_on", "merger_document"])
            end_licenses(gone, merged_on - ONE_DAY, reason=_why(survivor))
            _end(plan.ends, merged_on - ONE_DAY, _why(survivor))
            _take_over(by, gone, survivor, plan, reason)
    return plan


def _why(survivor: Organization) -> str:
    return f"merged into {survivor.name}"


def _end(rows: Iterable[Any], last_day: date, reason: str) -> None:
    """Each row ends with the day; one that had not begun by then is void."""
    for row in rows:
        if row.starts_on > last_day:
            row.voided_at, row.void_reason = timezone.now(), reason
        else:
            row.ends_on = last_day
        if isinstance(row, Assignment):
            row.end_reason = reason
    for model, names in (
        (Membership, ()),
        (Suspension, ()),
        (Assignment, ("end_reason",)),
    ):
        changed: list[Any] = [row for row in rows if isinstance(row, model)]
        columns = ["ends_on", "voided_at", "void_reason", *names]
        model.objects.bulk_update(changed, columns, batch_size=BATCH)


def _take_over(
    by: Actor, gone: Organization, survivor: Organization, plan: Merger, reason: str
) -> None:
    """The surviving body's history tells it too, with a part for each person."""
    told = {"of": gone.name, "merged_on": plan.merged_on.isoformat()}
    with acting(by, "organization.took_over", reason=reason, organization=survivor, data=told) as a:
        insert_all(Membership, plan.memberships)
        insert_all(Suspension, plan.suspensions)
        _approve(plan, survivor)
        people = {row.person_id: row.person for row in plan.memberships}
        insert_all(Act, (a.part("member.carried_over", person, {}) for person in people.values()))
        _look_at(plan.lost, survivor)


def _approve(plan: Merger, survivor: Organization) -> None:
    """All at once; where the database refuses one, each alone, so that it refuses nobody else."""
    rows, plan.assignments = plan.assignments, []
    try:
        with transaction.atomic():
            plan.assignments = Assignment.objects.bulk_create(rows, BATCH)
    except IntegrityError:
        for row in rows:
            _approve_one(plan, row)


def _approve_one(plan: Merger, row: Assignment) -> None:
    row.pk = None
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:
        plan.lost.append(row)
    else:
        plan.assignments.append(row)


def _look_at(lost: Sequence[Assignment], survivor: Organization) -> None:
    """Who is no longer approved is looked at by a clerk, once each."""
    people: dict[int, Person] = {row.person_id: row.person for row in lost}
    WorkItem.objects.bulk_create(
        WorkItem(
            kind=WorkItem.Kind.CORRECTION,
            person=person,
            organization=survivor,
            cite="§ 10-63(10)",
            note=_("The approval ended with the merger and was not carried over."),
        )
        for person in people.values()
    )
