"""Offices of regulators and accounts of organizations: granted by others, and ended."""

from __future__ import annotations

from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from registry.access import BadInput, Capability, Refused, require
from registry.history import acting
from registry.models import AccountHolder, Organization, RoleGrant, User
from registry.services import Actor, check_days, lock_row, saying


def grant_role(by: Actor, user: User, role: str, *, starts_on: date) -> RoleGrant:
    """Give a regulator an office from a day on; nobody gives one to himself."""
    require(by, Capability.MANAGE_USERS)
    _refuse_own_login(by, user)
    text = _("The user holds this office already on some of these days.")
    with (
        acting(by, "role.granted", data={"user": str(user), "role": role}),
        saying("rolegrant_once", "role", text),
    ):
        grant: RoleGrant = RoleGrant.objects.create(user=user, role=role, starts_on=starts_on)
        return grant


def end_role(by: Actor, grant: RoleGrant, *, last_day: date) -> RoleGrant:
    """End an office from the day after its last day; somebody must be left to manage users."""
    require(by, Capability.MANAGE_USERS)
    check_days(grant.starts_on, last_day, field="last_day")
    with acting(by, "role.ended", data={"user": str(grant.user), "role": grant.role}):
        if grant.role == RoleGrant.Role.SUPERVISOR:
            _keep_a_supervisor(grant)
        _end(grant, last_day)
    return grant


def _keep_a_supervisor(grant: RoleGrant) -> None:
    """The supervisors are locked, so that two of them cannot end each other at once."""
    rows = RoleGrant.objects.select_for_update(no_key=True).standing()
    lasting = rows.filter(role=grant.role, ends_on__isnull=True, user__is_active=True)
    if not [row for row in lasting.order_by("pk") if row.pk != grant.pk]:
        raise BadInput(
            "last_day",
            _("This is the last supervisor. Grant the office to somebody else first."),
        )


def name_holder(
    by: Actor, user: User, organization: Organization, *, starts_on: date
) -> AccountHolder:
    """Let a user act for an organization from a day on; nobody names himself."""
    require(by, Capability.KEEP_ORGANIZATIONS, organization)
    _refuse_own_login(by, user)
    text = _("This user acts for the organization already on some of these days.")
    with (
        acting(by, "holder.named", organization=organization, data={"user": str(user)}),
        saying("accountholder_once", "email", text),
    ):
        holder: AccountHolder = AccountHolder.objects.create(
            user=user, organization=organization, starts_on=starts_on
        )
        return holder


def end_holder(by: Actor, holder: AccountHolder, *, last_day: date) -> AccountHolder:
    """End an account from the day after its last day."""
    organization = holder.organization
    require(by, Capability.KEEP_ORGANIZATIONS, organization)
    check_days(holder.starts_on, last_day, field="last_day")
    with acting(by, "holder.ended", organization=organization, data={"user": str(holder.user)}):
        _end(holder, last_day)
    return holder


def _end(row: RoleGrant | AccountHolder, last_day: date) -> None:
    """Set the last day; never a later one, which would be a grant that nobody made."""
    lock_row(row)
    if row.ends_on is not None and row.ends_on < last_day:
        raise BadInput(
            "last_day",
            _("This ends on %(day)s already. Choose an earlier day, or grant it anew.")
            % {"day": date_format(row.ends_on, "M j, Y")},
        )
    row.ends_on = last_day
    row.save(update_fields=["ends_on"])


def _refuse_own_login(by: Actor, user: User) -> None:
    if isinstance(by, User) and by.pk == user.pk:
        raise Refused(_("This is about yourself. A colleague must do it."))
