"""Orders against a license (§ 10-93): warn, suspend, revoke, surrender; and reinstatement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from licenses.granting import Entry, Found, Route, grounds_kept, route_kept
from licenses.models import Decision, License, Sanction
from licenses.words import short_day
from registry.access import BadInput, Capability, Refused, require
from registry.adopting import law_on
from registry.history import acting
from registry.models import User
from registry.periods import ONE_DAY
from registry.services import check_days, lock_row, need_reason, refuse_ssn, saying

Kind = Decision.Kind
KINDS = {
    Kind.WARN: Sanction.Kind.WARNING,
    Kind.SUSPEND: Sanction.Kind.SUSPENSION,
    Kind.CONDITION: Sanction.Kind.CONDITION,
    Kind.REVOKE: Sanction.Kind.REVOCATION,
}
"""What each decision puts on a license."""
VERBS = {
    Kind.WARN: "license.warned",
    Kind.SUSPEND: "license.suspended",
    Kind.CONDITION: "license.conditionally_revoked",
    Kind.REVOKE: "license.revoked",
}


@dataclass(frozen=True, slots=True)
class Order:
    """What the administrator orders, from when to when, on which grounds."""

    kind: str
    starts_on: date
    ends_on: date | None = None
    condition: str = ""
    cure_by: date | None = None
    grounds: Sequence[Found] = ()
    reason: str = ""
    route: Route = field(default_factory=Route)
    readings: Sequence[str] = ()

    @property
    def entry(self) -> Entry:
        """The part that every decision has."""
        return Entry(self.kind, self.grounds, self.reason, self.route, self.readings)


def order(by: User, license_: License, wanted: Order) -> Decision:
    """Order something against a license; the caller writes the letter in the same transaction.

    Raises BadInput for a ground not in use, a day gone by, or an appeal route that is not
    settled; Refused for a license that does not run on the first day.
    """
    require(by, Capability.DECIDE_LICENSES, license_.organization)
    decision, sanction = preview_order(by, license_, wanted)
    text = _("An order of this kind stands on some of these days already.")
    with (
        acting(
            by, VERBS[Kind(wanted.kind)], reason=wanted.reason, organization=license_.organization
        ),
        saying("sanction_once", "starts_on", text),
    ):
        lock_row(license_)
        decision.save(force_insert=True)
        sanction.decision = decision
        sanction.save(force_insert=True)
    return decision


def preview_order(by: User, license_: License, wanted: Order) -> tuple[Decision, Sanction]:
    """What `order` would write, unsaved, so that the letter is read before. Raises as that does."""
    today = timezone.localdate()
    _check(license_, wanted, today)
    law = law_on(today)
    grounds = grounds_kept(wanted.entry, law, wanted.kind, license_.license_class)
    need_reason(wanted.reason)
    decision = Decision(
        organization=license_.organization,
        license=license_,
        kind=wanted.kind,
        grounds=grounds,
        reason=wanted.reason.strip(),
        appeal=route_kept(wanted.entry, law),
        readings=sorted(wanted.readings),
        decided_on=today,
        decided_by=by,
    )
    return decision, _sanction(license_, wanted, grounds)


def _check(license_: License, wanted: Order, today: date) -> None:
    if wanted.kind not in KINDS:
        raise BadInput("kind", _("Choose one of the orders that are shown."))
    if wanted.starts_on < today:
        raise BadInput("starts_on", _("An order holds from today on, never for days gone by."))
    check_days(wanted.starts_on, wanted.ends_on)
    if not license_.period.covers(wanted.starts_on):
        raise Refused(_("The license does not run on that day: nothing is ordered against it."))
    if wanted.kind == Kind.CONDITION and not (wanted.condition.strip() and wanted.cure_by):
        raise BadInput("condition", _("Write the condition, and by when it must be met."))
    if wanted.cure_by and wanted.cure_by < wanted.starts_on:
        raise BadInput("cure_by", _("This lies before the order. Check both days."))
    refuse_ssn("condition", wanted.condition)


def _sanction(license_: License, wanted: Order, grounds: list[dict[str, Any]]) -> Sanction:
    is_warning = wanted.kind == Kind.WARN
    return Sanction(
        license=license_,
        kind=KINDS[Kind(wanted.kind)],
        starts_on=wanted.starts_on,
        ends_on=wanted.starts_on if is_warning else wanted.ends_on,
        reason=wanted.reason.strip(),
        cite=", ".join(dict.fromkeys(ground["cite"] for ground in grounds))[:80],
        condition=wanted.condition.strip(),
        cure_by=wanted.cure_by,
    )


def accept_surrender(by: User, license_: License, *, last_day: date, reason: str) -> Decision:
    """Record that the holder gives the license back; it runs to its last day and no longer."""
    require(by, Capability.WORK_ON_APPLICATIONS)
    need_reason(reason)
    today = timezone.localdate()
    if last_day < today or not license_.period.covers(last_day):
        raise BadInput("last_day", _("Choose a day from today on, on which the license runs."))
    text = _("The license was surrendered already.")
    with (
        acting(by, "license.surrendered", reason=reason, organization=license_.organization),
        saying("sanction_once", "last_day", text),
    ):
        lock_row(license_)
        decision: Decision = Decision.objects.create(
            organization=license_.organization,
            license=license_,
            kind=Kind.SURRENDER,
            reason=reason.strip(),
            decided_on=today,
            decided_by=by,
        )
        Sanction.objects.create(
            license=license_,
            kind=Sanction.Kind.SURRENDER,
            starts_on=last_day + ONE_DAY,
            reason=reason.strip(),
            decision=decision,
        )
    return decision


def reinstate(by: User, sanction: Sanction, *, from_day: date, reason: str) -> Decision:
    """End an order from a day on: its condition is met, or it is lifted.

    Worker approvals that ended with the license are granted anew, never revived.
    """
    license_ = sanction.license
    require(by, Capability.DECIDE_LICENSES, license_.organization)
    need_reason(reason)
    if from_day < timezone.localdate():
        raise BadInput("from_day", _("A license is reinstated from today or a later day."))
    with acting(by, "license.reinstated", reason=reason, organization=license_.organization):
        lock_row(license_)
        lock_row(sanction)
        if sanction.ends_on and sanction.ends_on < from_day:
            raise Refused(
                _("This order ends on %(day)s already.") % {"day": short_day(sanction.ends_on)}
            )
        lift(sanction, from_day, reason)
        decision: Decision = Decision.objects.create(
            organization=license_.organization,
            license=license_,
            kind=Kind.REINSTATE,
            reason=reason.strip(),
            decided_on=timezone.localdate(),
            decided_by=by,
        )
    return decision


def lift(sanction: Sanction, from_day: date, reason: str) -> None:
    """Inside a running act: an order ends before the day; one that had not begun is void."""
    if from_day <= sanction.starts_on:
        sanction.voided_at, sanction.void_reason = timezone.now(), reason
    else:
        sanction.ends_on = from_day - ONE_DAY
    sanction.save(update_fields=["ends_on", "voided_at", "void_reason"])
