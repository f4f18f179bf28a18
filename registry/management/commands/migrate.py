"""Django's migrate, as the owner of the tables, and the cache's table with it."""

from typing import Any

from django.core.management import call_command
from django.core.management.commands.migrate import Command as DjangoCommand
from django.db import connections

from registry.database import application_role, as_owner, has_two_roles


class Command(DjangoCommand):
    """The same command under the owner's role."""

    def get_check_kwargs(self, options: dict[str, Any]) -> Any:
        """Not what the database holds: what is missing there, this command brings."""
        found: Any = super().get_check_kwargs(options)
        return {**found, "databases": None}

    def handle(self, *args: Any, **options: Any) -> None:
        """Run it on a connection of the owner."""
        with as_owner():
            super().handle(*args, **options)
            if not (options["plan"] or options["check_unapplied"]):
                _prepare_cache(options["database"])


def _prepare_cache(database: str) -> None:
    """The cache is no model, so no migration makes its table and no signal grants it."""
    call_command("createcachetable", database=database, verbosity=0)
    connection = connections[database]
    if has_two_roles() and "cache" in connection.introspection.table_names():
        with connection.cursor() as cursor:
            table, role = map(connection.ops.quote_name, ("cache", application_role()))
            cursor.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {table} TO {role}")
