"""An organization's own suspensions of its members and volunteers (cases P6)."""

from __future__ import annotations

from datetime import date

from django.utils import timezone
from django.utils.translation import gettext as _

from licenses.services import check_span
from registry.access import BadInput, Capability, require
from registry.history import acting
from registry.services import Actor, lock_person, refuse_merged, refuse_ssn, saying
from volunteers.models import Membership, Suspension


def suspend_member(
    by: Actor, membership: Membership, *, starts_on: date, ends_on: date | None, reason: str
) -> Suspension:
    """Record that the organization suspended a member or volunteer (cases P6)."""
    organization = membership.organization
    require(by, Capability.KEEP_ROSTER, organization)
    check_span(starts_on, ends_on)
    refuse_ssn("reason", reason)
    text = _("The person is already suspended on some of these days.")
    with (
        acting(by, "member.suspended", organization=organization, person=membership.person),
        saying("suspension_one_at_a_time", "starts_on", text),
    ):
        refuse_merged(organization)
        return Suspension.objects.create(
            person=lock_person(membership.person),
            organization=organization,
            starts_on=starts_on,
            ends_on=ends_on,
            reason=reason,
        )


def end_suspension(by: Actor, suspension: Suspension, *, last_day: date) -> Suspension:
    """Record the last day of a suspension; one that is over already is left as it was.

    Raises BadInput on `ends_on` for a day before it began, and for one that is over.
    """
    require(by, Capability.KEEP_ROSTER, suspension.organization)
    with acting(
        by,
        "member.suspension_ended",
        organization=suspension.organization,
        person=suspension.person,
    ):
        lock_person(suspension.person)
        suspension.refresh_from_db()
        _check_suspension_end(suspension, last_day)
        suspension.ends_on = last_day
        suspension.save(update_fields=["ends_on"])
    return suspension


def _check_suspension_end(suspension: Suspension, last_day: date) -> None:
    if last_day < suspension.starts_on:
        raise BadInput("ends_on", _("The suspension begins only later. Check the day."))
    if suspension.voided_at or (
        suspension.ends_on is not None and suspension.ends_on < timezone.localdate()
    ):
        raise BadInput(
            "ends_on",
            _("This suspension is over already. If its days are wrong, ask the county clerk."),
        )
