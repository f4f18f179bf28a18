"""The training county, served on this machine: `make demo`."""

import os
import shutil
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import (
    BaseCommand,
    CommandError,
    CommandParser,
    call_command,
    get_commands,
)
from django.db import connection

from registry import database
from registry.database import as_owner
from registry.embedded import server
from registry.places import remember_address
from registry.serving import (
    check_port,
    port_number,
    prepare_database,
    reaching_the_database,
    serve,
)

HOST = "127.0.0.1"
MARK = "Filled by make demo."


class Command(BaseCommand):
    """Database, training county, worker and web server in one."""

    help = "Serve the training county on this machine, until Ctrl-C or SIGTERM."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Where to serve, and whether to begin afresh."""
        parser.add_argument("--port", default="8000")
        parser.add_argument("--reset", action="store_true", help="throw the demo's data away first")

    def handle(self, *args: Any, **options: Any) -> None:
        """Prepare and serve; each hindrance is one sentence."""
        port = port_number(options["port"])
        address = f"http://localhost:{port}"
        check_port(HOST, port)
        if options["reset"]:
            check_is_embedded()
        os.environ["PUBLIC_ADDRESS"] = settings.PUBLIC_ADDRESS = address
        with reaching_the_database():
            check_is_demo()
            if options["reset"]:
                reset()
        self.stdout.write("Preparing the training county ...")
        fill()
        if database.is_embedded():
            remember_address(address)
        serve(HOST, port, ready=lambda: self._say_ready(address))

    def _say_ready(self, address: str) -> None:
        self.stdout.write(
            f"\nThe register is at {address}\n"
            f"Its mail shows at {address}/demo/mail/ and here.\n"
            "Stop with Ctrl-C. The data is kept; `make demo RESET=1` starts afresh.\n"
        )
        self.stdout.flush()


def check_is_demo() -> None:
    """Raises CommandError for a database with a register that the demo did not make."""
    with as_owner(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT obj_description(to_regclass('registry_act')), to_regclass('registry_act')"
        )
        mark, table = cursor.fetchone()
        if table is None or mark == MARK:
            return
        cursor.execute("SELECT EXISTS (SELECT 1 FROM registry_act)")
        if cursor.fetchone()[0]:
            raise CommandError(
                "This database holds a register that the demo did not make, and keeps it: "
                "name another in DATABASE_URL, or another folder in BONA_FIDE_DATA."
            )


def check_is_embedded() -> None:
    """Raises CommandError when the data lies on somebody's own server, where nothing is dropped."""
    if not database.is_embedded():
        raise CommandError(
            "RESET=1 empties the embedded database only. DATABASE_URL names a server of your own: "
            "drop and create its database yourself, then run make demo."
        )


def reset() -> None:
    """Throw the demo's rows, documents and letters away."""
    connection.close()
    server.recreate_database(Path(settings.DATABASES["default"]["HOST"]))
    for folder in (settings.MEDIA_ROOT, settings.DEMO_MAIL):
        shutil.rmtree(folder, ignore_errors=True)


def fill() -> None:
    """Bring the tables up to date and load the training county, if that is not done yet."""
    prepare_database()
    call_command("collectstatic", interactive=False, verbosity=0)
    with as_owner(), connection.cursor() as cursor:
        cursor.execute(f"COMMENT ON TABLE registry_act IS '{MARK}'")
    if "seed_demo" in get_commands():
        call_command("seed_demo")
