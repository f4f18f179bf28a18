"""Django's makemigrations, as the owner: it reads what the application may not see yet."""

from typing import Any

from django.core.management.commands.makemigrations import Command as DjangoCommand

from registry.database import as_owner


class Command(DjangoCommand):
    """The same command under the owner's role."""

    def handle(self, *args: Any, **options: Any) -> Any:
        """Run it on a connection of the owner."""
        with as_owner():
            return super().handle(*args, **options)
