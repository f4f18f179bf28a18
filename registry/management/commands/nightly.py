"""manage.py nightly: what the register does each night by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.utils import timezone
from django.utils.translation import gettext as _

from licenses.reminding import send_reminders
from registry.history import System

NIGHT = 2036
"""The advisory lock of the night, apart from any others."""


def reminders(today: date) -> str:
    """Remind of renewals; returns what was done."""
    done = send_reminders(System.NIGHTLY, today)
    told = {"written": done.written, "mailed": done.mailed, "print": done.written - done.mailed}
    return _("%(written)s written, %(mailed)s e-mailed, %(print)s to print") % told


STEPS: Mapping[str, Callable[[date], str]] = {"renewal reminders": reminders}


class Command(BaseCommand):
    """Each step by itself; run twice, late, or after missed nights it does nothing twice."""

    help = (
        "Sends what is due. Run it once each night; a missed night is caught up by the next one."
        " Exit code 1 when a step failed, the others are done all the same."
    )

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Do each step and say what it did."""
        today, failed = timezone.localdate(), []
        with alone():
            for name, step in STEPS.items():
                try:
                    self.stdout.write(f"{today.isoformat()} {name}: {step(today)}")
                except Exception as error:
                    failed.append(name)
                    self.stderr.write(f"{today.isoformat()} {name} failed: {error!r}")
        if failed:
            raise CommandError(_("Failed: %(names)s") % {"names": ", ".join(failed)})


@contextmanager
def alone() -> Iterator[None]:
    """Two nights at once wait for each other."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [NIGHT])
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [NIGHT])
