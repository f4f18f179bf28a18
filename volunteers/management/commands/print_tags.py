"""Print the name tags of an organization for one day, from the command line."""

from __future__ import annotations

import argparse
import os
import sys
from datetime import date
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.core.management.base import BaseCommand, CommandError
from django.db.models import QuerySet
from django.utils import timezone

from registry.access import Capability, require
from registry.history import System
from registry.models import Organization, User
from registry.ruleset import TextUnknown, in_force
from registry.services import Actor
from volunteers import tags
from volunteers.tagging import issue_tags, plan_tags, record_blanks


class Command(BaseCommand):
    """The same door as the page: only those cleared and approved; the others are named."""

    help = (
        "Writes the name tags of those who are cleared and approved for a day as a PDF of Letter"
        " sheets, six tags each, and names everybody else with the reason."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """The organization, the day, the file; the rest is optional."""
        parser.add_argument("--organization", required=True, metavar="SLUG")
        parser.add_argument("--on", type=_day, default=None, metavar="DATE", help="2026-12-05")
        parser.add_argument("--output", required=True, type=Path, metavar="FILE.pdf")
        parser.add_argument("--as", dest="email", metavar="EMAIL", help="who prints")
        parser.add_argument("--start", type=int, default=1, choices=range(1, tags.PER_SHEET + 1))
        parser.add_argument("--with-duty", action="store_true")
        parser.add_argument("--with-end", action="store_true", help="print the last day")
        parser.add_argument("--blank", type=int, default=0, metavar="N", help="only N blank tags")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print, or exit with 2 and one sentence."""
        try:
            self._print(options)
        except (CommandError, TextUnknown, PermissionDenied) as error:
            self.stderr.write(str(error))
            sys.exit(2)

    def _print(self, options: dict[str, Any]) -> None:
        on = options["on"] or timezone.localdate()
        organization, by, law = _organization(options), _actor(options), in_force(on)
        require(by, Capability.PRINT_TAGS, organization)
        _check_folder(options["output"])
        if options["blank"]:
            faces = tags.blank(organization.name, options["blank"])
            record_blanks(by, organization, len(faces))
        else:
            faces = self._faces(by, organization, on, options)
        if not faces:
            raise CommandError(f"No tag can be printed for {organization} on {on.isoformat()}.")
        _write(options["output"], tags.sheet(faces, law, start=options["start"]))
        self.stdout.write(f"{len(faces)} tags written to {options['output']}")

    def _faces(
        self, by: Actor, organization: Organization, on: date, options: dict[str, Any]
    ) -> list[tags.Face]:
        plan = plan_tags(by, organization, on)
        mending = tags.to_mend(plan.ready, organization.name, in_force(on))
        for row in plan.left_out:
            self.stdout.write(f"no tag: {row.membership.name_stated}: {tags.why_no_tag(by, row)}")
        for row, why in mending:
            self.stdout.write(f"no tag: {row.membership.name_stated}: {' '.join(why)}")
        bad = {row.membership.pk for row, _why in mending}
        chosen = [r.assignment for r in plan.ready if r.assignment and r.membership.pk not in bad]
        if not chosen:
            return []
        issued = issue_tags(
            by,
            organization,
            chosen,
            on=on,
            with_duty=options["with_duty"],
            with_end=options["with_end"],
        )
        return tags.faces_of(issued, settings.PUBLIC_ADDRESS)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no day: write it as 2026-12-05") from None


def _organization(options: dict[str, Any]) -> Organization:
    rows: QuerySet[Organization] = Organization.objects.filter(slug=options["organization"])
    found = rows.first()
    if found is None:
        raise CommandError(
            f"No organization has the address name {options['organization']!r}:"
            " it is the last part of the organization's page."
        )
    return found


def _actor(options: dict[str, Any]) -> Actor:
    """The named user, or whoever runs the machine."""
    if not options["email"]:
        return System.OPERATOR
    user = User.objects.filter(email__iexact=options["email"]).first()
    if user is None:
        raise CommandError(f"Nobody signs in as {options['email']!r}: check the address.")
    return user


def _check_folder(path: Path) -> None:
    """Printing is an act: whether the paper can be written is asked before it."""
    if not (path.parent.is_dir() and os.access(path.parent, os.W_OK)):
        raise CommandError(f"{path} cannot be written: choose a folder that is there and yours.")


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}.") from error
