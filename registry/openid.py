"""Which OpenID provider signs the county's officials in, as the environment names it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

NAMES = ("OPENID_SERVER_URL", "OPENID_CLIENT_ID", "OPENID_CLIENT_SECRET")
COUNTY = "county"
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def county_provider(environment: Mapping[str, str]) -> dict[str, Any]:
    """allauth's SOCIALACCOUNT_PROVIDERS for the county's provider; empty when none is named.

    Raises ImproperlyConfigured for one that is named in part, or asked without TLS.
    """
    server, client, secret = (environment.get(name, "").strip() for name in NAMES)
    if not (server or client or secret):
        return {}
    missing = [name for name in NAMES if not environment.get(name, "").strip()]
    if missing:
        raise ImproperlyConfigured(
            f"{' and '.join(missing)} missing: the county's sign-in needs {', '.join(NAMES)}."
        )
    address = urlsplit(server)
    is_local = address.scheme == "http" and address.hostname in LOOPBACK
    if address.scheme != "https" and not is_local:
        raise ImproperlyConfigured("OPENID_SERVER_URL must begin with https://.")
    app = {
        "provider_id": COUNTY,
        "name": COUNTY,
        "client_id": client,
        "secret": secret,
        "settings": {"server_url": server.rstrip("/"), "oauth_pkce_enabled": True},
    }
    return {"openid_connect": {"APPS": [app]}}
