"""What a real installation must have answered: checks of `manage.py check --deploy`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import urlsplit

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register

from registry import database


@register(Tags.security, deploy=True)
def is_ready_for_the_public(
    app_configs: Sequence[AppConfig] | None, **_kwargs: Any
) -> list[CheckMessage]:
    """One error for each answer that is missing or fit for a demo only."""
    return [Error(text, hint=hint, id=f"bona.D{code:03}") for code, text, hint in _faults()]


def _faults() -> Iterable[tuple[int, str, str]]:
    if settings.DEMO:
        yield 1, "This is the demo: its mail is shown to everybody.", "unset BONA_FIDE_DEMO"
    if not settings.REQUIRE_SECOND_FACTOR:
        yield 2, "Regulators may work without a second factor.", "unset REQUIRE_SECOND_FACTOR"
    if urlsplit(settings.PUBLIC_ADDRESS).scheme != "https":
        yield 3, "The register has no https address of its own.", "set PUBLIC_ADDRESS"
    if database.is_embedded():
        yield 4, "The embedded database is for demo, training and tests.", "set DATABASE_URL"
    elif not database.has_two_roles():
        yield (
            5,
            "The application owns its tables, so it could switch its own history off.",
            "set DATABASE_OWNER_URL to a second role that owns them",
        )
