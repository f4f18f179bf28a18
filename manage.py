#!/usr/bin/env python3
"""The register's command line: `python manage.py help` lists what it can do."""

import os
import signal
import sys
from types import FrameType

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line


def main() -> None:
    """Run one command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "registry.settings")
    if sys.argv[1:2] == ["demo"]:
        # Settings are read before the command: they have to know.
        os.environ.setdefault("BONA_FIDE_DEMO", "1")
    # Python dies of these without a word to atexit, and the embedded PostgreSQL would live on.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _leave)
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"{sys.argv[0]}: {error}")
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)


def _leave(number: int, frame: FrameType | None) -> None:
    sys.exit(128 + number)


if __name__ == "__main__":
    main()
