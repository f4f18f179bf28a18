"""Who may do what: one matrix, asked by every page and again by every service."""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING, Union

from django.core.exceptions import PermissionDenied
from django.utils import timezone
from django.utils.translation import gettext as _

from registry.history import System
from registry.models import AccountHolder, Organization, RoleGrant, User
from registry.verdicts import Ruling

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

Role = RoleGrant.Role
HOLDER = "account holder"


class Capability(StrEnum):
    """What a page or a service does, in the words of the work."""

    PUBLIC = "see public pages"
    SIGNED_IN = "sign in"
    SEE_REGISTER = "see the register"
    SEE_OWN = "see an organization's own pages"
    KEEP_ORGANIZATIONS = "keep organizations and licenses"
    KEEP_PEOPLE = "keep persons and their interests"
    JOIN_PEOPLE = "join and part records of people"
    SEE_BIRTH_DATE = "see birth dates"
    KEEP_ROSTER = "keep members, volunteers and activities"
    ASK = "ask whether a person may work"
    ASSIGN = "approve workers"
    PRINT_TAGS = "print name tags"
    CORRECT = "correct the past"
    SEND_LETTERS = "send letters and record their service"
    DECIDE = "record decisions of administrator, board or court"
    APPLY = "fill in applications"
    WORK_ON_APPLICATIONS = "work on applications"
    INVESTIGATE = "investigate applicants"
    DECIDE_LICENSES = "decide on licenses"
    SEE_STATEMENTS = "see officers' own statements"
    SET_VALUES = "set fees, days and readings together with a second person"
    SEE_WORK = "see what waits"
    MANAGE_USERS = "manage users and roles"


STAFF = frozenset(Role)
CLERKS = frozenset({Role.CLERK, Role.SUPERVISOR})
MATRIX: dict[Capability, frozenset[str]] = {
    Capability.SEE_REGISTER: STAFF,
    Capability.SEE_OWN: STAFF | {HOLDER},
    Capability.KEEP_ORGANIZATIONS: CLERKS,
    Capability.KEEP_PEOPLE: CLERKS,
    Capability.JOIN_PEOPLE: frozenset({Role.SUPERVISOR}),
    Capability.SEE_BIRTH_DATE: CLERKS | {Role.INVESTIGATOR},
    Capability.KEEP_ROSTER: CLERKS | {HOLDER},
    Capability.ASK: STAFF | {HOLDER},
    Capability.ASSIGN: CLERKS | {HOLDER},
    Capability.PRINT_TAGS: CLERKS | {HOLDER},
    Capability.CORRECT: frozenset({Role.SUPERVISOR}),
    Capability.SEND_LETTERS: CLERKS,
    Capability.DECIDE: frozenset({Role.ADMINISTRATOR, Role.SUPERVISOR}),
    Capability.APPLY: CLERKS | {HOLDER},
    Capability.WORK_ON_APPLICATIONS: CLERKS,
    Capability.INVESTIGATE: frozenset({Role.INVESTIGATOR}),
    Capability.DECIDE_LICENSES: frozenset({Role.ADMINISTRATOR}),
    Capability.SEE_STATEMENTS: CLERKS | {Role.INVESTIGATOR, Role.ADMINISTRATOR},
    Capability.SET_VALUES: frozenset({Role.SUPERVISOR, Role.ADMINISTRATOR, Role.COUNSEL}),
    Capability.SEE_WORK: STAFF,
    Capability.MANAGE_USERS: frozenset({Role.SUPERVISOR}),
}
"""Printed for staff on the rules page; a capability that is not here is nobody's."""

RECUSED = frozenset(
    {
        Capability.DECIDE,
        Capability.CORRECT,
        Capability.INVESTIGATE,
        Capability.DECIDE_LICENSES,
        Capability.SEE_STATEMENTS,
    }
)
"""What a regulator may not do for an organization whose account he holds (decisions 28)."""


class Refused(Exception):
    """The law or a plain condition says no; `ruling` or `message` says why."""

    def __init__(self, message: str = "", *, ruling: Ruling | None = None) -> None:
        super().__init__(message)
        self.message, self.ruling = message, ruling


class BadInput(Exception):
    """One field cannot be taken: which, why, and what to do."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field, self.message = field, message


Anyone = Union[User, "AnonymousUser", System]


def roles_of(user: Anyone, on: date | None = None) -> frozenset[str]:
    """The offices the user holds on a day, today when none is given."""
    if not isinstance(user, User) or not user.is_active:
        return frozenset()
    if on is None and "_roles" in user.__dict__:
        return frozenset(user.__dict__["_roles"])
    roles = frozenset(user.grants.on(on or timezone.localdate()).values_list("role", flat=True))
    if on is None:
        user.__dict__["_roles"] = roles
    return roles


def is_regulator(user: Anyone) -> bool:
    """True when the user holds an office today."""
    return bool(roles_of(user))


def organizations_held(user: Anyone) -> list[int]:
    """Ids of the organizations for which the user acts today."""
    if not isinstance(user, User) or not user.is_active:
        return []
    if "_held" not in user.__dict__:
        rows = AccountHolder.objects.on(timezone.localdate()).filter(user=user)
        user.__dict__["_held"] = list(rows.values_list("organization_id", flat=True))
    return list(user.__dict__["_held"])


def can(user: Anyone, capability: Capability, organization: Organization | None = None) -> bool:
    """May the user do this, for this organization where one is named?"""
    if capability is Capability.PUBLIC:
        return True
    if capability is Capability.SIGNED_IN:
        return isinstance(user, User) and user.is_active
    allowed = MATRIX.get(capability, frozenset())
    held = organizations_held(user)
    mine = organization.pk in held if organization else bool(held)
    if capability in RECUSED and organization and mine:
        return False
    return bool(allowed & roles_of(user)) or (HOLDER in allowed and mine)


def require(
    user: Anyone | object, capability: Capability, organization: Organization | None = None
) -> None:
    """Raise PermissionDenied unless the user may; system actors may what they are made for."""
    if isinstance(user, System):
        return
    if not can(user, capability, organization):  # type: ignore[arg-type]
        raise PermissionDenied(_("Your role does not include this: %s.") % _(capability.value))
