"""How often one address may ask the public pages; counted in the cache that all processes share."""

from __future__ import annotations

import time

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

MINUTE = 60


def throttled(request: HttpRequest, what: str) -> HttpResponse | None:
    """The page that says "slow down" once an address asked too often this minute, else None.

    Who is signed in is counted by his login too, wherever he asks from.
    """
    asked = [_asked(what, _address(request))]
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        asked.append(_asked(what, f"user-{user.pk}"))
    if max(asked) <= settings.PUBLIC_PAGES_A_MINUTE[what]:
        return None
    response = render(request, "429.html", status=429)
    response["Retry-After"] = str(MINUTE)
    return response


def _asked(what: str, whose: str) -> int:
    """How often this minute, this time counted in."""
    key = f"throttle:{what}:{whose}:{int(time.time() // MINUTE)}"
    cache.add(key, 0, timeout=2 * MINUTE)
    try:
        return int(cache.incr(key))
    except ValueError:
        # A full cache dropped the count between the two lines.
        return 1


def _address(request: HttpRequest) -> str:
    """The client's address, past as many proxies as are ours."""
    return str(get_adapter(request).get_client_ip(request))
