"""Long work on a roster file: asked for once, told how far it is, found when its worker died.

The row of a job is the queue's own: whatever the work does to the register, an act says.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from registry.access import BadInput, Capability, Refused, require
from registry.history import AlreadyDone
from registry.models import User
from volunteers.models import FileJob, RosterFile
from volunteers.readers import BadFile

logger = logging.getLogger(__name__)

BEAT = 1.0
"""Seconds between two words of a worker about how far it is."""
DEAD = timedelta(seconds=60)
"""A worker that said nothing for so long is gone."""
FORGOTTEN = timedelta(minutes=10)
"""Work that nobody took for so long may be asked for again."""
OPEN = (FileJob.State.WAITING, FileJob.State.RUNNING)


def is_lost(job: FileJob, now: datetime) -> bool:
    """True when an open job's worker died, or nobody ever took it."""
    if job.state == FileJob.State.RUNNING:
        return job.beat_at is None or job.beat_at < now - DEAD
    return job.state == FileJob.State.WAITING and job.asked_at < now - FORGOTTEN


def latest_job(file: RosterFile, kind: str = "") -> FileJob | None:
    """The job asked for last on a file, of one kind or any; None when there never was one."""
    rows = FileJob.objects.filter(roster_file=file).order_by("-pk").select_related("asked_by")
    found: FileJob | None = (rows.filter(kind=kind) if kind else rows).first()
    return found


def latest_jobs(files: Iterable[RosterFile]) -> dict[int, FileJob]:
    """The job asked for last on each of several files, by the file's key."""
    rows = FileJob.objects.filter(roster_file__in=list(files)).order_by("pk")
    return {job.roster_file_id: job for job in rows}


def ask(
    by: User,
    file: RosterFile,
    kind: FileJob.Kind,
    arguments: Mapping[str, Any],
    enqueue: Callable[[int], object],
) -> tuple[FileJob, bool]:
    """Have a job done on a file; the open one is found. Says whether it is new.

    `enqueue` puts the job's key into the queue, in the same transaction. A lost job is closed.
    """
    require(by, Capability.KEEP_ROSTER, file.organization)
    with transaction.atomic():
        there = _open_job(file, kind)
        if there is not None:
            return there, False
        try:
            with transaction.atomic():
                job = FileJob.objects.create(
                    roster_file=file, kind=kind, asked_by=by, arguments=dict(arguments)
                )
        except IntegrityError:
            there = _open_job(file, kind)
            if there is None:
                raise
            return there, False
        enqueue(job.pk)
    job.refresh_from_db()
    return job, True


def _open_job(file: RosterFile, kind: str) -> FileJob | None:
    rows = FileJob.objects.filter(roster_file=file, kind=kind, state__in=OPEN)
    job: FileJob | None = rows.select_for_update(of=("self",)).first()
    if job is None or not is_lost(job, timezone.now()):
        return job
    _end(job, FileJob.State.FAILED)
    return None


def lost_said() -> str:
    """The sentence for a job whose worker is gone."""
    return _("The work was interrupted and nothing of it was entered: start it again.")


class Teller:
    """Says how far a job is while it runs.

    It speaks on a connection of its own: what the work's one big transaction wrote nobody else
    could see. Its words are also the worker's heartbeat, so it speaks while the work is silent.
    """

    def __init__(self, job: FileJob) -> None:
        self._key, self._phase, self._done, self._total = job.pk, "", 0, 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._speak, daemon=True)

    def phase(self, name: str) -> None:
        """A new phase begins, whose steps nobody counted yet."""
        self._phase, self._done, self._total = name, 0, 0

    def count(self, phase: str, done: int, total: int) -> None:
        """So many of so many are done in a phase."""
        self._phase, self._done, self._total = phase, done, total

    def __enter__(self) -> Teller:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._over.set()
        self._thread.join()

    def _speak(self) -> None:
        own = None
        try:
            while not self._over.wait(BEAT):
                own = own or connection.copy()
                with own.cursor() as cursor:
                    cursor.execute(
                        "UPDATE volunteers_filejob SET beat_at = now(), phase = %s, done = %s,"
                        " total = %s WHERE id = %s AND state = 'running'",
                        [self._phase, self._done, self._total, self._key],
                    )
        except DatabaseError:
            logger.exception("Job %s cannot say how far it is", self._key)
        finally:
            if own is not None:
                own.close()


@contextmanager
def working(key: int) -> Iterator[tuple[FileJob, Teller] | None]:
    """Take a job and keep what became of it; None when somebody else has taken it.

    What a person can mend is kept as the job's sentence; every other error goes on to the queue,
    and the job counts as interrupted.
    """
    job = _take(key)
    if job is None:
        yield None
        return
    with override(job.arguments.get("language")):
        try:
            with Teller(job) as teller:
                yield job, teller
        except (BadFile, BadInput, Refused, PermissionDenied) as stop:
            _end(job, FileJob.State.FAILED, getattr(stop, "message", "") or str(stop))
        except AlreadyDone:
            _end(job, FileJob.State.DONE)
        except BaseException:
            _end(job, FileJob.State.FAILED)
            raise
        else:
            _end(job, FileJob.State.DONE)


def _take(key: int) -> FileJob | None:
    rows = FileJob.objects.filter(pk=key, state=FileJob.State.WAITING)
    if not rows.update(state=FileJob.State.RUNNING, beat_at=timezone.now()):
        return None
    about = ("roster_file__organization", "asked_by")
    found: FileJob = FileJob.objects.select_related(*about).get(pk=key)
    return found


def _end(job: FileJob, state: FileJob.State, told: str = "") -> None:
    """Close a job, unless it was given up as lost and closed before."""
    rows = FileJob.objects.filter(pk=job.pk, state__in=OPEN)
    rows.update(state=state, told=told, beat_at=timezone.now())
