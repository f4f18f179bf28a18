"""Correcting the past in the open: dates of a membership, and lines entered in error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.utils import timezone
from django.utils.translation import gettext as _

from registry.access import BadInput, Capability, can, require
from registry.history import System, acting
from registry.models import Organization, Person, WorkItem
from registry.periods import Period
from registry.selectors import root_of
from registry.services import Actor, lock_person, need_reason, saying, void
from registry.verdicts import Ruling
from volunteers.assigning import Grant, Granted, assign_many
from volunteers.ending import cut_by, running_assignments, shorten
from volunteers.models import Activity, Assignment, Membership, Suspension
from volunteers.rosters import was_entered_today
from volunteers.selectors import asked_for_assignment, ruling_for

Row = Membership | Activity | Suspension | Assignment
TABLES: dict[type[Model], str] = {Membership: "memberships", Activity: "activities"}
"""Rows on which approvals rest, by the name under which facts gather them."""


@dataclass(frozen=True, slots=True)
class Fallen:
    """An approval that a change would take the ground from, and how long it could still stand."""

    assignment: Assignment
    ruling: Ruling
    last_day: date
    """Where the membership no longer carries it; the day before its start when nothing does."""

    @property
    def falls(self) -> bool:
        """True when it was not lawful from its start on; else it only ends earlier."""
        return not self.ruling.allows or self.last_day < self.assignment.starts_on

    @property
    def cite(self) -> str:
        """The paragraph by which it falls."""
        return self.ruling.first_bar.cite if self.ruling.first_bar else "§ 10-63(12)"


@dataclass(frozen=True, slots=True)
class Correction:
    """What a membership's dates and kind should have been, and what becomes of approvals."""

    period: Period
    kind: str
    end_fallen: bool = False
    """End the approvals that no longer stand; otherwise they go on and a work item waits."""
    grant_anew: bool = False
    """Ask again from today for those that ended."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """What a correction did: approvals that fell, and what became of granting them anew."""

    fallen: list[Fallen]
    anew: Granted


def fallen_with(membership: Membership, period: Period) -> list[Fallen]:
    """Which approvals would no longer stand if the membership had these dates."""
    cut = {row.pk: last for row, last in cut_by(membership, period)}
    return _fallen(membership, cut, instead=((membership.pk, period),))


def fallen_without(row: Membership | Activity) -> list[Fallen]:
    """Which approvals would no longer stand if this line were void."""
    without = ((TABLES[type(row)], row.pk),)
    if isinstance(row, Membership):
        cut = {one.pk: last for one, last in cut_by(row, None)}
        return _fallen(row, cut, without=without)
    membership = _membership_of(row)
    return _fallen(membership, {}, without=without) if membership else []


def _membership_of(row: Activity) -> Membership | None:
    rows = Membership.objects.standing().filter(
        organization=row.organization, person_id=row.person_id
    )
    found: Membership | None = rows.select_related("person", "organization").first()
    return found


def _fallen(membership: Membership, cut: dict[int, date], **change: Any) -> list[Fallen]:
    """Judge each running approval from its own start, with the change and without it.

    What stood in its way before is not this change's doing.
    """
    found = []
    for row in running_assignments(membership, timezone.localdate()):
        person = root_of(row.person)
        before = ruling_for(person, asked_for_assignment(row))
        after = ruling_for(person, asked_for_assignment(row, **change))
        if row.pk in cut or _bars(after) - _bars(before):
            found.append(Fallen(row, after, cut.get(row.pk, row.ends_on)))
    return found


def _bars(ruling: Ruling) -> set[str]:
    return {verdict.rule for verdict in ruling.verdicts if verdict.bars}


def correct_membership(
    by: Actor, membership: Membership, correction: Correction, *, reason: str
) -> Corrected:
    """Correct a membership's dates or kind; approvals fall only on the supervisor's word.

    Those that go on leave a work item with their cites (decisions 12); those granted anew are
    judged like any other.
    """
    organization = membership.organization
    require(by, Capability.CORRECT, organization)
    need_reason(reason)
    if correction.period.is_empty:
        raise BadInput("ends_on", _("The leave date lies before the join date. Check both."))
    with acting(
        by, "member.corrected", reason=reason, organization=organization, person=membership.person
    ):
        lock_person(membership.person)
        membership.refresh_from_db()
        fallen = fallen_with(membership, correction.period)
        _rewrite(membership, correction)
        _note(membership, fallen, reason, ended=correction.end_fallen)
        anew = Granted([], [])
        if correction.end_fallen:
            _end(fallen, "corrected join date")
            anew = _anew(by, organization, fallen) if correction.grant_anew else anew
    return Corrected(fallen, anew)


def _rewrite(membership: Membership, correction: Correction) -> None:
    text = _("With these dates the line would overlap another one of the same person.")
    membership.starts_on, membership.ends_on = (
        correction.period.starts_on,
        correction.period.ends_on,
    )
    membership.kind = correction.kind
    with saying("membership_one_at_a_time", "starts_on", text):
        membership.save(update_fields=["starts_on", "ends_on", "kind"])


def _note(line: Row, fallen: Sequence[Fallen], reason: str, *, ended: bool) -> None:
    """What a regulator looks at afterwards, with the cites."""
    if not fallen:
        return
    cites = sorted({one.cite for one in fallen})
    WorkItem.objects.create(
        kind=WorkItem.Kind.CORRECTION,
        person=root_of(line.person),
        organization=line.organization,
        cite=", ".join(cites)[:80],
        note=reason,
        data={"assignments": [one.assignment.pk for one in fallen], "ended": ended},
    )


def _end(fallen: Sequence[Fallen], why: str) -> None:
    """One that was never lawful ends yesterday, or is void; one that is cut ends on that day."""
    yesterday = timezone.localdate() - timedelta(days=1)
    for one in fallen:
        shorten(one.assignment, yesterday if one.falls else one.last_day, why)


def _anew(by: Actor, organization: Organization, fallen: Sequence[Fallen]) -> Granted:
    """Ask again from today for what fell, with the same duties."""
    today = timezone.localdate()
    wanted: list[tuple[Person, Grant]] = [
        (one.assignment.person, Grant(today, tuple(one.assignment.duties)))
        for one in fallen
        if one.falls
    ]
    return assign_many(by, organization, wanted)


def may_void(by: Actor, row: Row) -> bool:
    """May the user say that this line was entered in error?

    A clerk may, of any line; an account holder only of what he himself entered today, before
    anybody can have relied on it overnight. All else is for the clerk.
    """
    if isinstance(by, System) or can(by, Capability.KEEP_PEOPLE):
        return True
    return can(by, Capability.KEEP_ROSTER, row.organization) and was_entered_today(by, row)


def not_yours_to_take_back() -> str:
    """Why an account holder is sent to the clerk."""
    return _("Only what you entered yourself today can be taken back. Ask the county clerk.")


def void_line(by: Actor, row: Row, *, reason: str) -> list[Fallen]:
    """Take a line that was entered in error out of every count; approvals that rest on it end.

    Returns those approvals; a work item keeps their cites for the county.
    """
    if not may_void(by, row):
        raise PermissionDenied(not_yours_to_take_back())
    capability = Capability.ASSIGN if isinstance(row, Assignment) else Capability.KEEP_ROSTER
    with acting(by, "line.voided", reason=reason, organization=row.organization, person=row.person):
        lock_person(row.person)
        row.refresh_from_db()
        if row.voided_at is not None:
            raise BadInput("reason", _("This line was taken back already."))
        fallen = fallen_without(row) if isinstance(row, Membership | Activity) else []
        void(by, row, reason=reason, capability=capability)
        _note(row, fallen, reason, ended=True)
        _end(fallen, "entered in error")
    return fallen
