"""System checks: every model is scoped, has a history, and is never written without an Act."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pghistory.trigger
import pgtrigger
from django.apps import AppConfig, apps
from django.core import checks
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections, models

OURS = ("registry", "licenses", "volunteers", "inspections")
UNTRACKED = {
    "registry.act",
    "registry.limit",
    # The queue's own rows, and copies that can be made again.
    "volunteers.filejob",
    "volunteers.filereading",
    "volunteers.filereadingrow",
    # Copied from the IRS.
    "licenses.irsfile",
    "licenses.irsorganization",
    "licenses.irsrevocation",
    "licenses.irsstanding",
}


def own_models() -> Iterable[type[models.Model]]:
    """The register's models, without their history."""
    for model in apps.get_models():
        if model._meta.app_label in OURS and not hasattr(model, "pgh_tracked_model"):
            yield model


@register(Tags.models)
def models_are_held(app_configs: Sequence[AppConfig] | None, **_kwargs: Any) -> list[CheckMessage]:
    """Each model declares its tenant, has a history and demands an actor."""
    return [error for model in own_models() for error in _faults(model)]


def _faults(model: type[models.Model]) -> Iterable[CheckMessage]:
    label = model._meta.label_lower
    if not hasattr(model, "tenant"):
        yield Error(
            f"{label} does not say whose rows it holds", hint="tenant = ...", id="bona.E001"
        )
    if label in UNTRACKED:
        return
    triggers = [trigger for owner, trigger in pgtrigger.registered() if owner is model]
    if not any(isinstance(trigger, pghistory.trigger.Event) for trigger in triggers):
        yield Error(f"{label} has no history", hint="@audited()", id="bona.E002")
    if not any(trigger.name == "require_actor" for trigger in triggers):
        yield Error(f"{label} can be written by nobody", hint="@audited()", id="bona.E003")


@register(Tags.database)
def database_is_held(
    app_configs: Sequence[AppConfig] | None, databases: Sequence[str] | None = None, **_kwargs: Any
) -> list[CheckMessage]:
    """The history's functions are sealed, pgtrigger's switch is dead, the limits are the law's."""
    if not databases:
        return []
    with connections["default"].cursor() as cursor:
        cursor.execute("SELECT to_regclass('registry_limit') IS NOT NULL")
        return _database_faults(cursor) if cursor.fetchone()[0] else []


def _database_faults(cursor: Any) -> list[CheckMessage]:
    from registry.grants import current_cap, history_functions

    faults: list[CheckMessage] = []
    cursor.execute(
        "SELECT count(*) FROM pg_proc WHERE proname = ANY (%s) AND prosecdef", [history_functions()]
    )
    if cursor.fetchone()[0] != len(history_functions()):
        faults.append(
            Error("history can be written by its writers", hint="migrate", id="bona.E004")
        )
    cursor.execute("SELECT prosrc FROM pg_proc WHERE proname = '_pgtrigger_should_ignore'")
    if "false" not in str(cursor.fetchone()):
        faults.append(Error("triggers can be switched off", hint="migrate", id="bona.E005"))
    cursor.execute("SELECT organizations_per_person FROM registry_limit")
    if cursor.fetchone() != (current_cap(),):
        faults.append(
            checks.Warning("the database counts by another limit", hint="migrate", id="bona.W001")
        )
    return faults
