"""Ending approvals and memberships by a day; places freed by the person, or asked for."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from django.utils import timezone
from django.utils.translation import gettext as _

from registry.access import BadInput, Capability, require
from registry.history import acting
from registry.models import WorkItem
from registry.periods import ONE_DAY, Period, runs
from registry.selectors import root_of
from registry.services import Actor, lock_person, need_reason, refuse_merged
from volunteers.models import Assignment, Membership
from volunteers.selectors import bodies_of, families
from volunteers.words.shown import short_day


def end_assignment(
    by: Actor, assignment: Assignment, *, last_day: date, reason: str = ""
) -> Assignment:
    """End an approval on a day; one that has not begun is withdrawn (voided).

    Only a clerk ends one in the past, with a reason (law.md A28).
    """
    organization = assignment.organization
    require(by, Capability.ASSIGN, organization)
    if last_day < timezone.localdate():
        require(by, Capability.KEEP_PEOPLE)
        need_reason(reason)
    with acting(
        by, "assignment.ended", reason=reason, organization=organization, person=assignment.person
    ):
        _end(assignment, last_day, reason)
    return assignment


def _end(assignment: Assignment, last_day: date, reason: str) -> None:
    """Lock, look again, then end; BadInput when there is nothing left to end."""
    lock_person(assignment.person)
    assignment.refresh_from_db()
    if assignment.voided_at is not None or assignment.ends_on <= last_day:
        raise BadInput(
            "ends_on",
            _("The approval ends on %(day)s already. Choose an earlier last day.")
            % {"day": short_day(assignment.ends_on)},
        )
    shorten(assignment, last_day, reason)


def shorten(assignment: Assignment, last_day: date, reason: str) -> None:
    """Inside a running act: the approval ends on the day, or is void where it had not begun."""
    if last_day < assignment.starts_on:
        assignment.voided_at, assignment.void_reason = timezone.now(), reason or "withdrawn"
    else:
        assignment.ends_on = min(assignment.ends_on, last_day)
        assignment.end_reason = reason
    assignment.save(update_fields=["voided_at", "void_reason", "ends_on", "end_reason"])


def free_place(
    by: Actor, assignment: Assignment, *, received_on: date, stated_on: date, reason: str
) -> Assignment:
    """End an approval on the person's own signed statement (§ 10-63(10) binds the person).

    It ends on the day of receipt or the stated day, whichever is later (decisions 17).
    """
    require(by, Capability.KEEP_PEOPLE)
    need_reason(reason)
    if received_on > timezone.localdate():
        raise BadInput("received_on", _("The day of receipt lies in the future. Check it."))
    with acting(
        by,
        "place.freed",
        reason=reason,
        organization=assignment.organization,
        person=assignment.person,
        data={"received_on": received_on.isoformat(), "stated_on": stated_on.isoformat()},
    ):
        _end(assignment, max(received_on, stated_on), reason)
    return assignment


def ask_for_place(by: Actor, membership: Membership, *, reason: str) -> WorkItem:
    """An organization asks the clerk for the person's place; the holder never learns who asked.

    Asked again while the first request waits, that one is found and nothing is added.
    """
    organization, person = membership.organization, membership.person
    require(by, Capability.KEEP_ROSTER, organization)
    need_reason(reason)
    with acting(by, "place.asked", reason=reason, organization=organization, person=person):
        refuse_merged(organization)
        lock_person(person)
        item, _made = WorkItem.objects.get_or_create(
            kind=WorkItem.Kind.PLACE,
            person=root_of(person),
            organization=organization,
            closed_at=None,
            defaults={"cite": "§ 10-63(10)", "note": reason},
        )
        return item


def running_assignments(membership: Membership, day: date) -> list[Assignment]:
    """The standing approvals of a membership's human here that reach the day or beyond."""
    rows = Assignment.objects.standing().filter(
        person__in=families([membership.person_id])[membership.person_id],
        organization__in=list(bodies_of(membership.organization)),
        ends_on__gte=day,
    )
    return list(rows.select_related("person", "organization").order_by("starts_on", "pk"))


def memberships_beside(membership: Membership) -> list[Membership]:
    """The human's other standing memberships with this legal body."""
    rows = Membership.objects.standing().filter(
        person__in=families([membership.person_id])[membership.person_id],
        organization__in=list(bodies_of(membership.organization)),
    )
    return list(rows.exclude(pk=membership.pk))


def covered_until(assignment: Assignment, periods: Iterable[Period]) -> date | None:
    """The last day to which these memberships carry an approval; None where not even its start."""
    covering = (run for run in runs(periods) if run.covers(assignment.starts_on))
    return next((run.last for run in covering), None)


def end_membership(by: Actor, membership: Membership, *, last_day: date) -> Membership:
    """Record the leave date (inclusive, cases P4); approvals end with the membership.

    They go on where another membership follows on the next day. Raises BadInput on `ends_on` for
    a day before the join date, and for a membership that is over: only a correction changes that.
    """
    organization = membership.organization
    require(by, Capability.KEEP_ROSTER, organization)
    with acting(by, "member.left", organization=organization, person=membership.person):
        lock_person(membership.person)
        membership.refresh_from_db()
        _check_leaving(membership, last_day)
        cut = cut_by(membership, Period(membership.starts_on, last_day))
        membership.ends_on = last_day
        membership.save(update_fields=["ends_on"])
        for row, last in cut:
            shorten(row, last, "membership ended")
    return membership


def _check_leaving(membership: Membership, last_day: date) -> None:
    if last_day < membership.starts_on:
        raise BadInput("ends_on", _("The leave date lies before the join date. Check both."))
    over = membership.ends_on is not None and membership.ends_on < timezone.localdate()
    if membership.voided_at or over:
        raise BadInput(
            "ends_on",
            _("This membership is over already. If its dates are wrong, ask the county clerk."),
        )


def cut_by(membership: Membership, period: Period | None) -> list[tuple[Assignment, date]]:
    """The approvals that would end earlier if the membership had these days, or none at all.

    With each comes its new last day, which lies before its start where nothing carries it.
    """
    periods_beside = [row.period for row in memberships_beside(membership)]
    periods = [*periods_beside, period] if period is not None else periods_beside
    before = [*periods_beside, membership.period]
    cut = []
    for row in running_assignments(membership, date.min):
        had, has = covered_until(row, before), covered_until(row, periods)
        if had != has and (has is None or has < row.ends_on):
            cut.append((row, has if has is not None else row.starts_on - ONE_DAY))
    return cut
