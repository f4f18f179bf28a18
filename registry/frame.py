"""The frame around each page: where the user can go, who he is and for whom he acts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext_lazy as _

from registry.access import Anyone, Capability, can, is_regulator, organizations_held
from registry.models import Organization
from registry.ruleset import in_force
from registry.selectors import organizations
from registry.tables import Link

MOST = 7
"""A navigation longer than this is a list nobody reads."""


class Entry(NamedTuple):
    """One entry of the navigation: its words, the name of its page, who may see it."""

    label: Any
    page: str
    capability: Capability


COUNTY = (
    Entry(_("Home"), "home", Capability.SIGNED_IN),
    Entry(_("May they work?"), "desk", Capability.SEE_REGISTER),
    Entry(_("People"), "person_list", Capability.SEE_REGISTER),
    Entry(_("Organizations"), "organization_list", Capability.SEE_REGISTER),
    Entry(_("Applications"), "application_queue", Capability.SEE_WORK),
    Entry(_("Waiting"), "work_list", Capability.SEE_WORK),
    Entry(_("Users"), "user_list", Capability.MANAGE_USERS),
    Entry(_("Rules"), "rules", Capability.PUBLIC),
)
OWN = (
    Entry(_("Overview"), "organization_detail", Capability.SEE_OWN),
    Entry(_("People"), "membership_list", Capability.SEE_OWN),
    Entry(_("Bring in a roster"), "roster_file", Capability.KEEP_ROSTER),
    Entry(_("Who took part?"), "activity_add", Capability.KEEP_ROSTER),
    Entry(_("May they work?"), "organization_desk", Capability.ASK),
    Entry(_("Name tags"), "tags_print", Capability.PRINT_TAGS),
    Entry(_("Rules"), "rules", Capability.PUBLIC),
)
OPEN = (
    Entry(_("Home"), "home", Capability.PUBLIC),
    Entry(_("Who is licensed"), "public_register", Capability.PUBLIC),
    Entry(_("Check a tag"), "tag_check", Capability.PUBLIC),
    Entry(_("Rules"), "rules", Capability.PUBLIC),
)


def frame(request: HttpRequest) -> dict[str, Any]:
    """Context processor: county, nav, demo, the organization of the page and those held."""
    return {
        "county": in_force(timezone.localdate(), settings.RULESET).title,
        "demo": settings.DEMO,
        "nav": SimpleLazyObject(lambda: navigation(request)),
        "acting_for": SimpleLazyObject(lambda: _acting_for(request)),
        "held": SimpleLazyObject(lambda: _held(request)),
        "sets_values": SimpleLazyObject(lambda: can(_user(request), Capability.SET_VALUES)),
    }


def navigation(request: HttpRequest) -> list[Link]:
    """At most seven entries: the county's for regulators, an organization's for its people."""
    user = _user(request)
    organization = _acting_for(request)
    if is_regulator(user):
        return _links(request, COUNTY, user, None)
    if organization is not None:
        return _links(request, OWN, user, organization)
    return _links(request, OPEN, user, None)


def _links(
    request: HttpRequest, entries: Iterable[Entry], user: Anyone, organization: Organization | None
) -> list[Link]:
    found = [
        (str(entry.label), _address(entry.page, organization))
        for entry in entries
        if can(user, entry.capability, organization)
    ]
    here = max((url for _label, url in found if _is_above(url, request.path)), key=len, default="")
    return [Link(label, url, is_current=url == here) for label, url in found if url][:MOST]


def _is_above(url: str, path: str) -> bool:
    """True when the page lies at or below the address; everything lies below the home page."""
    return path == url or (url not in ("", "/") and path.startswith(url))


def _address(page: str, organization: Organization | None) -> str:
    """The page's address, with the organization's slug where it has one; "" if there is none."""
    for arguments in ({"slug": organization.slug},) if organization else ():
        try:
            return reverse(page, kwargs=arguments)
        except NoReverseMatch:
            continue
    try:
        return reverse(page)
    except NoReverseMatch:
        return ""


def _user(request: HttpRequest) -> Anyone:
    """Nobody on an error page that is drawn before anybody was recognized."""
    return getattr(request, "user", AnonymousUser())


def _acting_for(request: HttpRequest) -> Organization | None:
    """The organization of the page, else the only one the user holds."""
    named: Organization | None = getattr(request, "organization", None)
    if named is not None or is_regulator(_user(request)):
        return named
    held = _held(request)
    return held[0] if len(held) == 1 else None


def _held(request: HttpRequest) -> list[Organization]:
    """The organizations the user acts for, asked once a request."""
    if not hasattr(request, "_held_organizations"):
        user = _user(request)
        ids = organizations_held(user)
        found = list(organizations(user).filter(pk__in=ids)) if ids else []
        request._held_organizations = found  # type: ignore[attr-defined] # noqa: SLF001
    return list(request._held_organizations)  # type: ignore[attr-defined] # noqa: SLF001
