"""The worker: takes what waits in the queue (mail, long printing) until it is told to stop."""

from typing import Any

from django.core.management.base import CommandParser
from django.db import connection
from django_tasks_db.management.commands.db_worker import Command as Worker

from registry.lifeline import follow_parent


class Command(Worker):  # type: ignore[misc]
    """django-tasks' worker over all queues, without a reloader."""

    help = "Do what waits in the queue: mail, long printing."

    def add_arguments(self, parser: CommandParser) -> None:
        """The worker's own options with quieter defaults."""
        super().add_arguments(parser)
        parser.set_defaults(queue_name="*", reload=False, startup_delay=False, verbosity=0)

    def handle(self, **options: Any) -> None:
        """Work until SIGTERM or Ctrl-C."""
        # Counted among the server's users first: should the parent be killed while this starts,
        # somebody is left who stops the embedded database.
        connection.ensure_connection()
        follow_parent()
        super().handle(**options)
