"""Acts on what a body is run by: an officer who leaves."""

from __future__ import annotations

from datetime import date

from django.utils import timezone
from django.utils.translation import gettext as _

from licenses.models import Officer
from registry.access import BadInput, Capability, Refused, require
from registry.history import acting
from registry.models import WorkItem
from registry.ruleset import in_force
from registry.services import Actor, check_days, lock_organizations, lock_row


def officer_left(by: Actor, officer: Officer, *, last_day: date) -> Officer:
    """Record an officer's last day. Fewer than two who sign checks is listed for the clerk.

    Raises BadInput for a day to come or before the first, Refused when it is recorded already.
    """
    organization = officer.organization
    require(by, Capability.APPLY, organization)
    today = timezone.localdate()
    if last_day > today:
        raise BadInput("last_day", _("This day is still to come: record what has happened."))
    check_days(officer.starts_on, last_day, field="last_day")
    with acting(by, "officer.left", organization=organization, data={"name": officer.full_name}):
        lock_organizations(organization)
        lock_row(officer)
        if officer.ends_on is not None:
            raise Refused(_("The last day is recorded already."))
        officer.ends_on = last_day
        officer.save(update_fields=["ends_on"])
        _look_at_signatures(officer, today)
    return officer


def _look_at_signatures(officer: Officer, today: date) -> None:
    """Two principal officers sign every check, without exception (§ 10-64(b))."""
    bank = in_force(today).bank
    left = Officer.objects.standing().filter(
        organization=officer.organization, signs_checks=True, ends_on=None
    )
    if officer.signs_checks and bank.signatures and left.count() < bank.signatures:
        WorkItem.objects.create(
            kind=WorkItem.Kind.APPLICATION,
            organization=officer.organization,
            cite=bank.cite,
            note=_("%(name)s left: too few principal officers sign checks now.")
            % {"name": officer.full_name},
        )
