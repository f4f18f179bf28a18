"""After every migrate, as owner: the rights of the application's role, and the law's limits."""

from __future__ import annotations

from typing import Any

import pghistory.trigger
import pgtrigger
from django.apps import apps
from django.db import connection, models

from registry import database
from registry.base import RegisterModel
from registry.ruleset import in_force

EVERYTHING = "SELECT, INSERT, UPDATE, DELETE"
COPIES = {
    "volunteers.filereading",
    "volunteers.filereadingrow",
    "licenses.irsorganization",
    "licenses.irsrevocation",
}
"""Models whose rows say nothing that could not be made again, and so may be deleted."""
IGNORE_NOTHING = """
CREATE OR REPLACE FUNCTION public._pgtrigger_should_ignore(trigger_name name) RETURNS boolean
LANGUAGE sql STABLE AS $$ SELECT false $$
"""


def after_migrate(**_kwargs: Any) -> None:
    """Grant, seal the history functions, close pgtrigger's switch, write the limits.

    Runs after each migrate, because every AddTrigger restores what this takes away.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass('registry_limit') IS NOT NULL")
        if not cursor.fetchone()[0]:
            return
        _grant(cursor)
        _seal_history(cursor)
        cursor.execute(IGNORE_NOTHING)
        _write_limits(cursor)


def rights_on(model: type[models.Model]) -> str:
    """What the application's role may do with this model's table."""
    from registry.models import Act, Limit, User

    if model is Limit or model._meta.label_lower.endswith("event"):
        return "SELECT"
    if model is Act:
        return "SELECT, INSERT"
    if model._meta.label_lower in COPIES:
        return EVERYTHING
    if issubclass(model, RegisterModel | User):
        return "SELECT, INSERT, UPDATE"
    return EVERYTHING


def _grant(cursor: Any) -> None:
    if not database.has_two_roles():
        return
    app = connection.ops.quote_name(database.application_role())
    tables = {model._meta.db_table: rights_on(model) for model in apps.get_models()}
    tables |= {
        field.m2m_db_table(): EVERYTHING
        for model in apps.get_models()
        for field in model._meta.local_many_to_many
    }
    for table, rights in {**tables, "django_migrations": "SELECT"}.items():
        name = connection.ops.quote_name(table)
        cursor.execute("SELECT to_regclass(%s) IS NOT NULL", [name])
        if cursor.fetchone()[0]:
            cursor.execute(f"REVOKE ALL ON {name} FROM {app}")
            cursor.execute(f"GRANT {rights} ON {name} TO {app}")
    cursor.execute(f"GRANT USAGE ON SCHEMA public TO {app}")
    cursor.execute(f"GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {app}")
    cursor.execute("SELECT quote_ident(current_database())")
    cursor.execute(f"REVOKE TEMPORARY ON DATABASE {cursor.fetchone()[0]} FROM PUBLIC")


def history_functions() -> list[str]:
    """The names of the functions that write the history."""
    return [
        trigger.get_pgid(model)
        for model, trigger in pgtrigger.registered()
        if isinstance(trigger, pghistory.trigger.Event)
    ]


def _seal_history(cursor: Any) -> None:
    for name in history_functions():
        cursor.execute(
            f"ALTER FUNCTION {connection.ops.quote_name(name)}()"
            " SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp"
        )


def _write_limits(cursor: Any) -> None:
    cursor.execute(
        "INSERT INTO registry_limit (id, organizations_per_person) VALUES (1, %s)"
        " ON CONFLICT (id) DO UPDATE"
        " SET organizations_per_person = excluded.organizations_per_person",
        [current_cap()],
    )


def current_cap() -> int | None:
    """How many organizations one person may conduct for today (§ 10-63(10))."""
    from django.utils import timezone

    return in_force(timezone.localdate()).one_other.max_entities
