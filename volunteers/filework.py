"""What is done with a roster file: its rows judged and entered, long files in the queue.

A short file is judged anew by every page; a long one once, and pages show what was kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django_tasks import task

from registry.access import BadInput
from registry.history import from_paper, pressed, seek_first_press
from registry.models import User
from registry.templatetags.register import when
from volunteers.comparing import Status
from volunteers.entering import Entered, Wanted, enter_roster
from volunteers.filerows import FileRows, JudgedFile, KeptFile
from volunteers.imports import Preview, judge_rows, understand
from volunteers.jobs import Teller, ask, is_lost, working
from volunteers.keeping import basis_of, keep_reading, kept_reading
from volunteers.models import FileJob, RosterFile
from volunteers.readers import Choices
from volunteers.services import Statement, statement_of

LONG_ROWS, LONG_BYTES, LONG_WORKBOOK = 2_000, 2**20, 100_000
"""A file is long from here on; the rows of a workbook show in its packed bytes only."""
TEXT, WORKBOOK = (b"\n", b"\r"), (b"PK", b"\xd0\xcf")


def is_long(file: RosterFile) -> bool:
    """True for a file that takes more than a second or two: it goes through the queue."""
    content = bytes(file.content)
    if content.startswith(WORKBOOK):
        return len(content) > LONG_WORKBOOK
    return len(content) > LONG_BYTES or max(map(content.count, TEXT)) > LONG_ROWS


@dataclass(frozen=True, slots=True)
class Confirmed:
    """What an officer says of a file on the page, as a job keeps it."""

    approve: bool = False
    duty: str = ""
    officer: str = ""
    """Who signed the paper, where county staff key it in."""
    received_on: date | None = None

    def as_json(self) -> dict[str, Any]:
        """The words as JSON keeps them."""
        day = self.received_on.isoformat() if self.received_on else None
        return {
            "approve": self.approve,
            "duty": self.duty,
            "officer": self.officer,
            "received_on": day,
        }

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Confirmed:
        """The words back from a job's arguments."""
        day = date.fromisoformat(told["received_on"]) if told["received_on"] else None
        return cls(told["approve"], told["duty"], told["officer"], day)


def wanted_of(by: User, preview: Preview, said: Confirmed) -> Wanted:
    """The good rows of a file and what was stated of them.

    BadInput while a question is open, and for a file that would change nothing.
    """
    if preview.questions:
        raise BadInput("", preview.questions[0].text)
    if not preview.to_enter:
        raise BadInput("", nothing_said(preview.counts))
    usual = (said.duty,) if said.duty else ()
    approving = preview.duties_to_approve if said.approve else {}
    duties = {number: named or usual for number, named in approving.items()}
    return Wanted(preview.good, _statement(by, said), duties, preview.counts["refused"])


def enter_rows(by: User, file: RosterFile, wanted: Wanted, said: Confirmed) -> Entered:
    """Enter the good rows of a file, all or none; inside `pressed`, else as enter_roster."""
    if said.received_on is None:
        return enter_roster(by, file.organization, wanted, roster_file=file)
    with from_paper(said.officer, said.received_on):
        return enter_roster(by, file.organization, wanted, roster_file=file)


def _statement(by: User, said: Confirmed) -> Statement:
    if not said.officer:
        return statement_of(by, evidence=_("officer's statement on a roster file"))
    return statement_of(
        by,
        on_behalf_of=said.officer,
        evidence=_("signed roster"),
        received_on=said.received_on,
    )


def nothing_said(counts: Mapping[str, int]) -> str:
    """The sentence for a file that would change nothing."""
    if not any(counts[status] for status in (Status.NEW, Status.CHANGED, Status.SAME)):
        return _("No row of this file can be entered: correct the rows, then drop the file again.")
    return _("Nothing in this file is new: every good row is on the roster already.")


# Long files.


def kept_rows(by: User, file: RosterFile, today: date) -> FileRows | None:
    """A long file as it was judged; None until that is done, and when anything has changed."""
    reading = kept_reading(file, by, basis_of(file, by, today))
    return KeptFile(reading) if reading else None


def start_reading(by: User, file: RosterFile) -> FileJob:
    """Have the rows of a long file judged; whoever asks again finds the first."""
    job, _is_new = ask(
        by, file, FileJob.Kind.READ, {"language": get_language()}, read_long_file.enqueue
    )
    return job


def start_entering(
    by: User, file: RosterFile, said: Confirmed, token: UUID, basis: str = ""
) -> FileJob:
    """Have the rows of a long file entered as they were judged; the first press is found.

    `basis` is what the answers rested on that were confirmed, now when it is left out.
    """
    arguments = {
        "language": get_language(),
        "token": str(token),
        "said": said.as_json(),
        "basis": basis or basis_of(file, by, timezone.localdate()),
    }
    job, _is_new = ask(by, file, FileJob.Kind.ENTER, arguments, enter_long_file.enqueue)
    return job


def start_again(by: User, job: FileJob) -> FileJob:
    """Ask anew for what was stopped: with the same token, so nothing is ever entered twice."""
    if job.kind == FileJob.Kind.READ:
        return start_reading(by, job.roster_file)
    if by.pk != job.asked_by_id:
        raise BadInput("", _("Only who confirmed the file can start this again: confirm it anew."))
    said = Confirmed.from_json(job.arguments["said"])
    token, basis = UUID(job.arguments["token"]), job.arguments["basis"]
    return start_entering(by, job.roster_file, said, token, basis)


@task()
def read_long_file(key: int) -> None:
    """Judge every row of a file once and keep what comes out, for who asked."""
    with working(key) as taken:
        if taken:
            job, teller = taken
            today = timezone.localdate()
            basis = basis_of(job.roster_file, job.asked_by, today)
            judged = JudgedFile(_judged(job, teller, today))
            teller.phase("keep")
            keep_reading(job.roster_file, job.asked_by, basis, judged.summary(), judged.to_keep())


@task()
def enter_long_file(key: int) -> None:
    """Judge the rows again and enter them, all or none, as who asked for it."""
    with working(key) as taken:
        if taken:
            job, teller = taken
            today = timezone.localdate()
            with pressed(UUID(job.arguments["token"])):
                seek_first_press()
                if basis_of(job.roster_file, job.asked_by, today) != job.arguments["basis"]:
                    raise BadInput("", _changed_said())
                said = Confirmed.from_json(job.arguments["said"])
                # The rows as judged are let go before the large part begins.
                wanted = wanted_of(job.asked_by, _judged(job, teller, today), said)
                teller.phase("write")
                enter_rows(job.asked_by, job.roster_file, wanted, said)


def _judged(job: FileJob, teller: Teller, today: date) -> Preview:
    file = job.roster_file
    teller.phase("read")
    content = (file.name, bytes(file.content))
    seen = understand(content, Choices.from_options(file.options), today)
    return judge_rows(job.asked_by, file.organization, seen, tell=teller.count)


def _changed_said() -> str:
    return _("The roster or the file's reading has changed: look at the rows again, then confirm.")


# Words.

PHASES: dict[str, Callable[[], str]] = {
    "": lambda: _("Starting"),
    "read": lambda: _("Reading the file"),
    "judge": lambda: _("Checking the rows"),
    "keep": lambda: _("Keeping the answers"),
    "write": lambda: _("Entering all rows in one step"),
}


def phase_said(job: FileJob) -> str:
    """What is being done just now, as a label."""
    if job.state == FileJob.State.WAITING:
        return _("Waiting for its turn")
    return PHASES.get(job.phase, PHASES[""])()


def waiting_said(job: FileJob) -> str:
    """When work begins that nobody has taken yet; "" once it was taken."""
    if job.state != FileJob.State.WAITING:
        return ""
    return _("It begins as soon as what was asked for before is done.")


def job_said(job: FileJob) -> str:
    """How the work on a file stands, in one line; "" when it is done."""
    if job.state == FileJob.State.DONE:
        return ""
    if job.state == FileJob.State.FAILED or is_lost(job, timezone.now()):
        return _("Stopped")
    told = phase_said(job)
    if not job.total:
        return told
    counted = ngettext("%(done)s of %(total)s row", "%(done)s of %(total)s rows", job.total)
    return f"{told}: {counted % {'done': intcomma(job.done), 'total': intcomma(job.total)}}"


def asked_said(job: FileJob) -> str:
    """Who asked for the work, and when."""
    told = {"by": job.asked_by.get_full_name(), "when": when(job.asked_at)}
    if job.kind == FileJob.Kind.ENTER:
        return _("%(by)s confirmed this file on %(when)s.") % told
    return _("%(by)s asked for this on %(when)s.") % told
