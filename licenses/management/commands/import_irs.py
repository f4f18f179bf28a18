"""manage.py import_irs: load the IRS's files, then list whose 501(c) standing changed."""

from __future__ import annotations

import argparse
import sys
from datetime import date
from pathlib import Path
from typing import Any

from django.core.exceptions import PermissionDenied
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from licenses.bmf import BadFile, Kind
from licenses.irs_acts import compare_standings
from licenses.irs_loading import Loaded, load_irs_file
from registry.access import Capability, require
from registry.entries import Unreadable, read_day
from registry.history import System
from registry.models import User
from registry.services import Actor

REFUSED = 2
WIDTH = 30


class Command(BaseCommand):
    """Each file by itself: one that is refused leaves the others, and what was loaded before."""

    help = (
        "Loads master files (eo1.csv, eo_fl.csv ...) and the auto-revocation list of the IRS, as"
        " text or zip. A newer file replaces the one of the same name; one that is loaded already"
        " changes nothing. Then lists every organization whose 501(c) standing changed. Exit code"
        " 2 when a file was refused."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """The files by kind; their day where it is not the file's own."""
        parser.add_argument("--bmf", nargs="+", type=Path, default=[], metavar="FILE")
        parser.add_argument("--revocations", nargs="+", type=Path, default=[], metavar="FILE")
        parser.add_argument("--date", type=_day, metavar="DATE", help="of all these files")
        parser.add_argument("--as", dest="email", metavar="EMAIL", help="who loads")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Load each, compare, and exit with 2 when one was refused."""
        files = [(path, Kind.BMF) for path in options["bmf"]]
        files += [(path, Kind.REVOCATIONS) for path in options["revocations"]]
        if not files:
            raise CommandError(_("Name a file after --bmf or --revocations."))
        try:
            by = _actor(options["email"])
            require(by, Capability.KEEP_ORGANIZATIONS)
        except PermissionDenied as denied:
            raise CommandError(str(denied)) from None
        refused = sum(not self._load(by, path, kind, options["date"]) for path, kind in files)
        try:
            self._say_changes(compare_standings(by))
        except BadFile as bad:
            raise CommandError(str(bad)) from None
        if refused:
            sys.exit(REFUSED)

    def _load(self, by: Actor, path: Path, kind: Kind, day: date | None) -> bool:
        """Load one file; False, with the reason on stderr, when it is refused."""
        bar = Bar(self.stderr, path.name)
        try:
            done = load_irs_file(by, path, kind, file_date=day, progress=bar.show)
        except BadFile as bad:
            bar.clear()
            self.stderr.write(f"{path.name}: {bad}")
            return False
        bar.clear()
        for line in done.told:
            self.stderr.write(f"{path.name}, {line}")
        self.stdout.write(_summary(path, done, dated_by_file=day is None))
        return True

    def _say_changes(self, count: int) -> None:
        told = ngettext(
            "The 501(c) standing of %(count)s organization changed: see “Waiting”.",
            "The 501(c) standing of %(count)s organizations changed: see “Waiting”.",
            count,
        )
        none = _("No organization's 501(c) standing changed.")
        self.stdout.write(told % {"count": count} if count else none)


class Bar:
    """How far a file is: its name, a bar, the rows so far. Only where somebody looks."""

    def __init__(self, stream: Any, name: str) -> None:
        self.stream, self.name = stream, name
        self.is_seen = bool(stream.isatty())
        self.length = 0

    def show(self, rows: int, part: float) -> None:
        """Draw it anew on the same line."""
        if not self.is_seen:
            return
        full = round(min(part, 1.0) * WIDTH)
        told = _("%(rows)s rows") % {"rows": f"{rows:,}"}
        line = f"{self.name}  [{'#' * full}{'.' * (WIDTH - full)}] {part:4.0%}  {told}"
        self.stream.write("\r" + line.ljust(self.length), ending="")
        self.stream.flush()
        self.length = len(line)

    def clear(self) -> None:
        """Leave the line for what comes next."""
        if self.length:
            self.stream.write("\r" + " " * self.length + "\r", ending="")


def _summary(path: Path, done: Loaded, *, dated_by_file: bool) -> str:
    file = done.file
    day = file.file_date.isoformat()
    if not done.is_new:
        told = _("%(path)s: already loaded, as %(name)s of %(day)s. Nothing was changed.")
        return told % {"path": path.name, "name": file.name, "day": day}
    told = _(
        "%(name)s: %(rows)s rows loaded, %(skipped)s passed over, %(doubled)s there twice;"
        " of %(day)s%(by)s."
    )
    return told % {
        "name": file.name,
        "rows": f"{file.rows:,}",
        "skipped": f"{file.skipped:,}",
        "doubled": f"{done.doubled:,}",
        "day": day,
        "by": _(", the file's own date") if dated_by_file else "",
    }


def _day(text: str) -> date:
    try:
        return read_day(text)
    except Unreadable as unreadable:
        raise argparse.ArgumentTypeError(str(unreadable)) from None


def _actor(email: str | None) -> Actor:
    """The named user, or whoever runs the machine."""
    if not email:
        return System.OPERATOR
    user = User.objects.filter(email__iexact=email.strip(), is_active=True).first()
    if user is None:
        raise CommandError(_("Nobody signs in as “%(email)s”.") % {"email": email})
    return user
