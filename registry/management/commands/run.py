"""Run the register for real: tables, static files, web server and worker."""

import os
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError, CommandParser, call_command

from registry import database
from registry.serving import check_port, port_number, prepare_database, serve


class Command(BaseCommand):
    """The register behind a web server that speaks https."""

    help = "Run the register: web server and worker, until Ctrl-C or SIGTERM."

    def add_arguments(self, parser: CommandParser) -> None:
        """Where to listen."""
        parser.add_argument("--port", default="8000")
        parser.add_argument("--host", default="127.0.0.1", help="the address to listen on")

    def handle(self, *args: Any, **options: Any) -> None:
        """Prepare and serve."""
        if settings.IS_PUBLIC and not os.environ.get("PUBLIC_ADDRESS"):
            raise CommandError(
                "PUBLIC_ADDRESS is not set: give the https address under which people reach the "
                "register, as in PUBLIC_ADDRESS=https://bingo.example.gov. "
                "To look around, use `make demo`."
            )
        host, port = options["host"], port_number(options["port"])
        check_port(host, port)
        prepare_database()
        call_command("collectstatic", interactive=False, verbosity=0)
        serve(host, port, ready=lambda: self._say_ready(host, port))

    def _say_ready(self, host: str, port: int) -> None:
        if database.is_embedded():
            self.stderr.write("No DATABASE_URL: the embedded database is for training only.")
        address = settings.PUBLIC_ADDRESS or f"http://{host}:{port}"
        self.stdout.write(f"The register runs at {address} (listening on {host}:{port}).")
