"""The two pages of django-allauth that change an address, each in one act and one transaction."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account import views
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, include, path, re_path

from registry.history import System, acting
from registry.models import User
from registry.passkeys import passkey_urls

View = Callable[..., HttpResponse]


def _in_an_act(verb: str, view: View) -> View:
    """The view with its POST in one act and one transaction; the rest is untouched.

    allauth changes an address in two tables one after the other, which RequireActor would stop
    half way.
    """

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method != "POST":
            return view(request, *args, **kwargs)
        by = request.user if isinstance(request.user, User) else System.SIGN_UP
        with acting(by, verb):
            return view(request, *args, **kwargs)

    return wrapped


account_urls: list[URLPattern | URLResolver] = [
    *passkey_urls,
    path(
        "accounts/email/",
        _in_an_act("user.addresses_kept", views.email),
        name="account_email",
    ),
    re_path(
        r"^accounts/confirm-email/(?P<key>[-:\w]+)/$",
        _in_an_act("user.address_confirmed", views.confirm_email),
        name="account_confirm_email",
    ),
    path("accounts/", include("allauth.account.urls")),
    path("accounts/2fa/", include("allauth.mfa.urls")),
]
"""All pages about accounts; our own come first, so that they are found before allauth's.

Of its social accounts there are none but the two of the county's sign-in: nobody connects others.
"""
