"""Regulators work with a second factor: without one they are led to set it up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect

from registry.access import is_regulator
from registry.credentials import has_second_factor

SET_UP = "mfa_activate_totp"
HAS_FACTOR = "has-second-factor"


class SecondFactorMiddleware:
    """Leads a regulator without a second factor to the page that sets it up.

    Public pages and everything about the own account stay open, so nobody is locked out.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Nothing happens before the view is known."""
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        """A redirect to the set-up page, or None when the view may run."""
        if not settings.REQUIRE_SECOND_FACTOR or _is_open(request, view):
            return None
        if not _needs_factor(request.user) or _has_factor(request):
            return None
        messages.info(request, _("Your role needs a second factor. Set it up here once."))
        response = redirect(SET_UP)
        if request.headers.get("HX-Request"):
            # A fragment would swallow the page it is redirected to.
            return HttpResponseClientRedirect(response.url)
        return response


def _is_open(request: HttpRequest, view: Callable[..., Any]) -> bool:
    name = (request.resolver_match and request.resolver_match.url_name) or ""
    return name.startswith(("account_", "mfa_")) or not getattr(view, "login_required", True)


def _needs_factor(user: Any) -> bool:
    """Regulators, and superusers, who look into every table."""
    return is_regulator(user) or user.is_superuser


def _has_factor(request: HttpRequest) -> bool:
    """Asks once per session: a regulator cannot take the factor off again."""
    if request.session.get(HAS_FACTOR):
        return True
    if not has_second_factor(request.user):
        return False
    request.session[HAS_FACTOR] = True
    return True
