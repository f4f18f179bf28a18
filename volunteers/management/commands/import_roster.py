"""manage.py import_roster FILE --organization SLUG: the command's door to roster files."""

from __future__ import annotations

import codecs
import hashlib
import json
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from django.core.exceptions import PermissionDenied
from django.core.management.base import BaseCommand
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from registry.access import BadInput, Capability, can
from registry.entries import Unreadable, read_day
from registry.history import from_paper
from registry.models import Organization, User
from registry.ruleset import in_force
from volunteers.comparing import Status
from volunteers.entering import Entered, Wanted, enter_roster
from volunteers.filing import Upload, keep_file
from volunteers.imports import Preview, judge
from volunteers.imports.cells import duties_of
from volunteers.models import Kind
from volunteers.readers import BadFile, Choices, columns_of, read_file, received
from volunteers.readers.columns import FIELDS, plain
from volunteers.readers.letters import ENCODINGS
from volunteers.readers.sheets import NO_HEADER
from volunteers.services import Statement, statement_of

REFUSED = 2
ORDERS = ("mdy", "dmy", "ymd")
DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}


class _Stop(Exception):
    """The file is refused or a question is open; str() is the reason."""


class Command(BaseCommand):
    """Read a roster file and judge its rows; with --commit enter them in one act."""

    help = (
        "Reads a CSV, XLSX, XLS or ODS roster file and judges each row for an organization. Saves"
        " nothing, not even the file, without --commit. Exit code 2 when the file is refused, a"
        " question about it is open, or nothing was entered; the reason is on stderr."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The file, whose it is, how to read it, and whether to enter it."""
        parser.add_argument("file", type=Path, help="a CSV, XLSX, XLS or ODS file")
        parser.add_argument("--organization", required=True, help="the organization's slug")
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        self._reading_arguments(parser)
        self._answering_arguments(parser)
        self._entering_arguments(parser)

    @staticmethod
    def _reading_arguments(parser: ArgumentParser) -> None:
        reading = parser.add_argument_group("how to read it, where the file leaves it open")
        reading.add_argument("--date-order", choices=ORDERS, default="")
        reading.add_argument(
            "--encoding", type=_encoding, default="", help="such as " + ", ".join(ENCODINGS)
        )
        reading.add_argument("--delimiter", choices=sorted(DELIMITERS), default="")
        reading.add_argument("--sheet", default="", help="the sheet's name")
        header = reading.add_mutually_exclusive_group()
        header.add_argument("--header-row", type=int, default=0, help="its number, from 1")
        header.add_argument(
            "--no-header",
            dest="header_row",
            action="store_const",
            const=NO_HEADER,
            help="every row is a person; name columns as “Column 1=full_name”",
        )
        reading.add_argument(
            "--column",
            action="append",
            default=[],
            metavar="HEADING=FIELD",
            help="what a column is, empty for not used; fields: " + ", ".join(FIELDS),
        )

    @staticmethod
    def _answering_arguments(parser: ArgumentParser) -> None:
        reading = parser.add_argument_group("what its values mean, where the file leaves it open")
        reading.add_argument("--kind", choices=Kind.values, default=Kind.MEMBER)
        reading.add_argument(
            "--two-digit-years",
            choices=("past", "refuse"),
            default="",
            help="past: such a year is the latest one that is not to come",
        )
        reading.add_argument(
            "--past-years",
            dest="two_digit_years",
            action="store_const",
            const="past",
            help="the same as --two-digit-years past",
        )
        reading.add_argument(
            "--serials",
            choices=("1900", "1904", "refuse"),
            default="",
            help="what bare numbers in place of dates count from",
        )
        reading.add_argument(
            "--placeholders",
            choices=("empty", "refuse"),
            default="",
            help="days such as 1900-01-01 where none is needed",
        )
        reading.add_argument(
            "--hidden-rows", action="store_true", help="take in the rows that the spreadsheet hides"
        )

    @staticmethod
    def _entering_arguments(parser: ArgumentParser) -> None:
        entering = parser.add_argument_group("entering")
        entering.add_argument("--commit", action="store_true", help="enter the rows")
        entering.add_argument("--as", dest="actor", metavar="EMAIL", help="who acts")
        entering.add_argument("--good-rows", action="store_true", help="leave out rows in error")
        entering.add_argument("--approve", metavar="DUTY", help="approve those who may work today")
        entering.add_argument("--officer", default="", help="who signed the list, for a clerk")
        entering.add_argument("--received", default="", help="the day the paper came")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Print the judgement; one sentence on stderr and exit code 2 where it stops."""
        try:
            self._run(options)
        except (_Stop, BadFile, BadInput, PermissionDenied) as stop:
            self.stderr.write(getattr(stop, "message", "") or str(stop))
            sys.exit(REFUSED)

    def _run(self, options: dict[str, Any]) -> None:
        organization = _organization(options["organization"])
        by = _actor(options, organization)
        content = _content(options["file"])
        name = options["file"].name
        kept = received(name, content)
        today = timezone.localdate()
        file = (name, kept.content)
        choices = _choices(options, file)
        preview = judge(by, organization, file, choices, today)
        self._print(preview, as_json=options["json"])
        for heading in kept.dropped:
            told = _("Social Security numbers are not kept: the column %(name)s was dropped.")
            self.stderr.write(told % {"name": heading})
        if preview.questions:
            raise _Stop("\n".join(question.text for question in preview.questions))
        if options["commit"] and by is not None:
            digest = hashlib.sha256(content).hexdigest()
            upload = Upload(name, kept.content, digest, choices.as_options())
            self.stderr.write(_enter(by, organization, preview, upload, options))

    def _print(self, preview: Preview, *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(preview.as_json(), ensure_ascii=False))
            return
        counts = preview.counts
        each = ", ".join(f"{counts[s.value]} {s.value}" for s in Status if counts[s.value])
        self.stdout.write(f"{counts['rows']} rows: {each}")
        for told in preview.mentions:
            self.stdout.write(told)
        for line in _table(preview):
            self.stdout.write(line)


def _table(preview: Preview) -> Iterator[str]:
    """One short line a row: number, status, from when, name, what is wrong."""
    for row in preview.rows:
        day = row.eligible_on.isoformat() if row.eligible_on else "-"
        wrong = " ".join(f"{p.column}: {p.reason}" if p.column else p.reason for p in row.problems)
        yield f"{row.number:>6}  {row.status.value:<8}{day:<12}{row.name}  {wrong}".rstrip()


def _encoding(name: str) -> str:
    """An encoding that is offered, or any that the detector may have named."""
    try:
        return name if not name or name in ENCODINGS else codecs.lookup(name).name
    except LookupError:
        raise ArgumentTypeError(f"there is no encoding {name!r}") from None


def _organization(slug: str) -> Organization:
    found: Organization | None = Organization.objects.filter(slug=slug).first()
    if found is None:
        told = _("There is no organization “%(slug)s”: take the slug from its address.")
        raise _Stop(told % {"slug": slug})
    return found


def _actor(options: dict[str, Any], organization: Organization) -> User | None:
    """Who acts; needed only to enter."""
    email = options["actor"]
    if not email:
        if options["commit"]:
            raise _Stop(_("--commit needs --as EMAIL: every act has somebody who does it."))
        return None
    user = User.objects.filter(email__iexact=email.strip(), is_active=True).first()
    if user is None:
        raise _Stop(_("Nobody signs in as “%(email)s”: check the address.") % {"email": email})
    if not can(user, Capability.KEEP_ROSTER, organization):
        told = _("%(user)s may not keep the roster of %(organization)s.")
        raise _Stop(told % {"user": user, "organization": organization})
    return user


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        told = _("%(path)s cannot be read (%(why)s): check the path.")
        raise _Stop(told % {"path": path, "why": error.strerror}) from None


def _choices(options: dict[str, Any], file: tuple[str, bytes]) -> Choices:
    """The reading asked for; columns named on the command line are put over those found."""
    choices = Choices(
        encoding=options["encoding"],
        delimiter=DELIMITERS.get(options["delimiter"], ""),
        sheet=options["sheet"],
        header_row=options["header_row"],
        date_order=options["date_order"],
        two_digit_years=options["two_digit_years"],
        serials=options["serials"],
        placeholders=options["placeholders"],
        hidden_rows=options["hidden_rows"],
        kind=options["kind"],
    )
    if not options["column"]:
        return choices
    sheet = read_file(*file, choices)
    headings, found = sheet.headings, columns_of(sheet, choices)
    columns = {place: found.field_of(place) for place in range(len(headings))}
    for pair in options["column"]:
        heading, _equals, field = pair.rpartition("=")
        if heading not in headings or field not in {"", *FIELDS}:
            told = _("--column %(pair)s: write HEADING=FIELD; headings are %(headings)s.")
            raise _Stop(told % {"pair": pair, "headings": ", ".join(headings)})
        columns[headings.index(heading)] = field
    return replace(choices, columns=columns)


def _enter(
    by: User, organization: Organization, preview: Preview, upload: Upload, options: dict[str, Any]
) -> str:
    """Enter the good rows, file and all in one transaction; says what was saved."""
    refused = preview.counts["refused"]
    if refused and not options["good_rows"]:
        told = _(
            "%(count)s rows have mistakes, so nothing was entered:"
            " correct them, or say --good-rows."
        )
        raise _Stop(told % {"count": refused})
    if not preview.to_enter:
        return _("Nothing in this file is new: nothing was entered.")
    statement = _statement(by, options)
    wanted = Wanted(preview.good, statement, _duties(preview, options["approve"]))
    with ExitStack() as stack:
        stack.enter_context(transaction.atomic())
        if options["officer"] and statement.attested_on:
            stack.enter_context(from_paper(options["officer"], statement.attested_on))
        file, _is_new = keep_file(by, organization, upload)
        return _said(enter_roster(by, organization, wanted, roster_file=file))


def _statement(by: User, options: dict[str, Any]) -> Statement:
    """Account holders state themselves; county staff name the officer who signed."""
    if not options["officer"]:
        if can(by, Capability.KEEP_PEOPLE):
            raise _Stop(_("Name the officer who signed the list: --officer NAME --received DAY."))
        return statement_of(by, evidence=_("officer's statement on a roster file"))
    return statement_of(
        by,
        on_behalf_of=options["officer"],
        evidence=_("signed roster"),
        received_on=_day(options["received"]),
    )


def _day(text: str) -> date | None:
    try:
        return read_day(text) if text else None
    except Unreadable as unreadable:
        raise _Stop(f"--received: {unreadable}") from None


def _duties(preview: Preview, usual: str | None) -> dict[int, tuple[str, ...]]:
    if usual is None:
        return {}

    known = duties_of(in_force(preview.today))
    if plain(usual) not in known:
        told = _("--approve %(duty)s: there is no such duty; write one of %(known)s.")
        raise _Stop(told % {"duty": usual, "known": ", ".join(dict.fromkeys(known.values()))})
    return {n: named or (known[plain(usual)],) for n, named in preview.duties_to_approve.items()}


def _said(done: Entered) -> str:
    told = _("%(made)s entered, %(changed)s changed, %(approved)s approved, %(refused)s refused.")
    return told % {**done.counts, "refused": len(done.granted.refused)}
