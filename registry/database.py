"""Which PostgreSQL the register works on, and under which of its two roles."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

from registry.places import data_directory

OWNER = "bonafide_owner"
APP = "bonafide_app"
NAME = "bonafide"
EMBEDDED = "registry.embedded"
PORT = 5432

# A service waits at most this long for a row that somebody else is deciding on.
LOCK_TIMEOUT = "-c lock_timeout=3000"


def from_url_or_embedded() -> dict[str, Any]:
    """Django's settings of the database as the application uses it.

    DATABASE_URL names a server; without it the embedded one is used, which starts when a
    connection is first opened. Raises ImproperlyConfigured with one sentence on a bad address.
    """
    url = os.environ.get("DATABASE_URL")
    return _from_url(url) if url else _embedded(data_directory() / "postgres")


def owner_login() -> dict[str, Any]:
    """USER and PASSWORD of the role that owns the tables: DATABASE_OWNER_URL, or the embedded one.

    With DATABASE_URL alone both roles are the same: that works, but then the application could
    switch its own history off, so a deploy check refuses it.
    """
    url = os.environ.get("DATABASE_URL")
    if not url:
        return {"USER": OWNER, "PASSWORD": ""}
    owner_url = os.environ.get("DATABASE_OWNER_URL") or url
    application, owner = _from_url(url), _from_url(owner_url)
    if _place(application) != _place(owner):
        raise ImproperlyConfigured(
            "DATABASE_OWNER_URL must name the same server and database as DATABASE_URL; "
            "only the user and the password differ."
        )
    return {"USER": owner["USER"], "PASSWORD": owner["PASSWORD"]}


def application_role() -> str:
    """The name of the role the application connects as, whoever is connected just now."""
    return str(from_url_or_embedded()["USER"])


def has_two_roles() -> bool:
    """True when the application's role does not own the tables, so that it cannot undo history."""
    return bool(application_role() != owner_login()["USER"])


def is_embedded() -> bool:
    """True when no DATABASE_URL is given and the register starts its own PostgreSQL."""
    return not os.environ.get("DATABASE_URL")


@contextmanager
def as_owner() -> Iterator[None]:
    """This thread's connection works as the owner of the tables: for migrate and its kin."""
    from django.conf import settings
    from django.db import connection

    if connection.in_atomic_block:
        raise RuntimeError("The database role cannot change inside a transaction.")
    # All threads share this dictionary: it is replaced, never changed.
    before = connection.settings_dict
    connection.close()
    connection.settings_dict = {**before, **settings.DATABASE_OWNER}
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict = before


def _embedded(folder: Path) -> dict[str, Any]:
    return _settings(EMBEDDED, NAME=NAME, USER=APP, HOST=str(folder), PORT=str(PORT))


def _from_url(url: str) -> dict[str, Any]:
    parts = urlsplit(url)
    name = unquote(parts.path.removeprefix("/"))
    if parts.scheme not in {"postgres", "postgresql"} or not name:
        raise ImproperlyConfigured(
            "DATABASE_URL and DATABASE_OWNER_URL must look like "
            "postgresql://user:password@host:5432/name."
        )
    options = dict(parse_qsl(parts.query))
    options["options"] = " ".join(filter(None, [LOCK_TIMEOUT, options.get("options")]))
    return _settings(
        "django.db.backends.postgresql",
        NAME=name,
        USER=unquote(parts.username or ""),
        PASSWORD=unquote(parts.password or ""),
        HOST=unquote(parts.hostname or "") or options.pop("host", ""),
        PORT=_port(parts),
        OPTIONS=options,
    )


def _port(parts: SplitResult) -> str:
    try:
        return str(parts.port or "")
    except ValueError as error:
        raise ImproperlyConfigured(
            "The port in DATABASE_URL must be a number up to 65535."
        ) from error


def _place(database: dict[str, Any]) -> tuple[str, str, str]:
    return database["HOST"], database["PORT"] or str(PORT), database["NAME"]


def _settings(engine: str, **values: Any) -> dict[str, Any]:
    return {
        "ENGINE": engine,
        "PASSWORD": "",
        "OPTIONS": {"options": LOCK_TIMEOUT},
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        **values,
    }
