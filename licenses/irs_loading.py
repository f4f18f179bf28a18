"""Loads a file of the IRS in one transaction; until it ends, readers see the file before it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from licenses.bmf import BadFile, Charity, Kind, Reader, Revocation, opened
from licenses.models import IrsFile, IrsOrganization, IrsRevocation
from registry.access import Capability, require
from registry.history import acting
from registry.services import Actor

LOADING = 1065
"""The advisory lock of loading, apart from any others."""
STEP = 5_000
"""Rows between two looks at the progress."""
CHUNK = 1 << 20
SORTING = "128MB"
"""What the database may hold while it sorts new words into the index of names."""
HALF = 0.5
"""A file of one name that lost more than this part of its rows was cut off on the way."""

Progress = Callable[[int, float], None]
"""Told the rows read so far and the part of the file, from 0 to 1."""

ORGANIZATION_COLUMNS = ("file_id", "line", "ein", "name", "second_name", "row")
REVOCATION_COLUMNS = (
    "file_id", "line", "ein", "revoked_on", "posted_on", "reinstated_on", "row"
)  # fmt: skip
DOUBLES = {
    IrsOrganization: "ein",
    IrsRevocation: "ein, revoked_on, posted_on, reinstated_on",
}


@dataclass(frozen=True, slots=True)
class Loaded:
    """What became of one file. `doubled` rows stood in it before; `told` are the first passed."""

    file: IrsFile
    is_new: bool
    doubled: int = 0
    told: tuple[str, ...] = ()


def load_irs_file(
    by: Actor,
    path: Path,
    kind: Kind,
    *,
    file_date: date | None = None,
    progress: Progress | None = None,
) -> Loaded:
    """Load a master file or a revocation list in place of the one of the same name.

    A file that is loaded already changes nothing. Raises BadFile with one sentence.
    """
    require(by, Capability.KEEP_ORGANIZATIONS)
    name, digest = series_of(path), _fingerprint(path)
    day = file_date or _day_of(path)
    if day > timezone.localdate():
        raise BadFile(_("Its day, %(day)s, is still to come.") % {"day": day.isoformat()})
    with transaction.atomic():
        hold_loading()
        before = _current(kind, name, digest, day)
        if before and before.sha256 == digest:
            return Loaded(before, is_new=False)
        counts: dict[str, Any] = {
            "file": name,
            "kind": kind.value,
            "date": day.isoformat(),
            "sha256": digest,
        }
        file = IrsFile(kind=kind.value, name=name, sha256=digest, file_date=day)
        _retire(before)
        file.save(force_insert=True)
        reader, doubled = _copy(path, file, progress)
        _check_size(file, before)
        _drop_rows(before)
        counts |= {"rows": file.rows, "skipped": file.skipped, "doubled": doubled}
        with acting(by, "irs.loaded", data=counts):
            file.save(update_fields=["rows", "skipped"])
    return Loaded(file, is_new=True, doubled=doubled, told=tuple(reader.told))


def series_of(path: Path) -> str:
    """The name under which a newer file replaces this one: eo_fl.csv, also for eo_fl (1).csv."""
    stem, dot, ending = path.name.lower().rpartition(".")
    head, blank, number = stem.rpartition(" (")
    copied = blank and number.removesuffix(")").isdigit()
    return ((head if copied else stem) + dot + ending)[:200]


def _fingerprint(path: Path) -> str:
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while some := file.read(CHUNK):
                digest.update(some)
    except OSError as error:
        told = _("It cannot be read (%(why)s): check the path.")
        raise BadFile(told % {"why": error.strerror}) from None
    return digest.hexdigest()


def _day_of(path: Path) -> date:
    zone = timezone.get_current_timezone()
    return datetime.fromtimestamp(path.stat().st_mtime, tz=zone).date()


def hold_loading() -> None:
    """Inside a transaction: nobody else loads or compares until it ends; BadFile if one does."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [LOADING])
        if not cursor.fetchone()[0]:
            raise BadFile(_("Another file of the IRS is being loaded: wait until it is done."))


def _current(kind: Kind, name: str, digest: str, day: date) -> IrsFile | None:
    """The file that counts now: one with the same content, else of the same name."""
    rows = IrsFile.objects.filter(replaced_at=None)
    same: IrsFile | None = rows.filter(kind=kind.value, sha256=digest).first()
    before: IrsFile | None = same or rows.filter(name=name).first()
    if before and before.kind != kind.value:
        told = _("“%(name)s” is loaded as the other kind of file: does it belong after %(option)s?")
        raise BadFile(told % {"name": name, "option": f"--{before.kind}"})
    if before and not same and day < before.file_date:
        told = _("It is of %(day)s, older than the one of %(loaded)s that is loaded.")
        raise BadFile(told % {"day": day.isoformat(), "loaded": before.file_date.isoformat()})
    return before


def _retire(before: IrsFile | None) -> None:
    if before is not None:
        before.replaced_at = timezone.now()
        before.save(update_fields=["replaced_at"])


def _copy(path: Path, file: IrsFile, progress: Progress | None) -> tuple[Reader, int]:
    """Stream the rows into the table; returns the reader and how many rows stood there twice."""
    kind = Kind(file.kind)
    with opened(path) as (source, size):
        reader = Reader(source, kind)
        lines = _lines(reader, file.pk, lambda: _tell(progress, reader, size))
        model = IrsOrganization if kind is Kind.BMF else IrsRevocation
        columns = ORGANIZATION_COLUMNS if kind is Kind.BMF else REVOCATION_COLUMNS
        _stream(model, columns, lines)
    if progress:
        progress(reader.good, 1.0)
    doubled = _drop_doubles(model, file)
    file.rows, file.skipped = reader.good - doubled, reader.passed
    return reader, doubled


def _tell(progress: Progress | None, reader: Reader, size: int) -> None:
    if progress:
        progress(reader.good, reader.done / size if size else 0.0)


def _lines(reader: Reader, file_id: int, look: Callable[[], Any]) -> Iterable[tuple[Any, ...]]:
    for number, text, row in reader:
        if reader.good % STEP == 0:
            look()
        if isinstance(row, Charity):
            yield file_id, number, row.ein, row.name, row.sort_name, text
        else:
            yield _revocation(file_id, number, row, text)


def _revocation(file_id: int, number: int, row: Revocation, text: str) -> tuple[Any, ...]:
    days = (row.revoked_on, row.posted_on, row.reinstated_on)
    return file_id, number, row.ein, *days, text


def _stream(model: Any, columns: Iterable[str], lines: Iterable[tuple[Any, ...]]) -> None:
    statement = f"COPY {model._meta.db_table} ({', '.join(columns)}) FROM STDIN"
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL work_mem = '{SORTING}'")
        cursor.execute(f"SET LOCAL gin_pending_list_limit = '{SORTING}'")
        with cursor.copy(statement) as copy:
            for line in lines:
                copy.write_row(line)


def _drop_doubles(model: Any, file: IrsFile) -> int:
    """Of rows that say the same in one file, or of two of one EIN in a master file, the first."""
    table = model._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(
            f"DELETE FROM {table} WHERE file_id = %s AND id IN (SELECT id FROM ("  # noqa: S608
            f"SELECT id, row_number() OVER (PARTITION BY {DOUBLES[model]} ORDER BY line) AS place"
            f" FROM {table} WHERE file_id = %s) AS placed WHERE place > 1)",
            [file.pk, file.pk],
        )
        return int(cursor.rowcount)


def _check_size(file: IrsFile, before: IrsFile | None) -> None:
    if before and file.rows < before.rows * HALF:
        told = _(
            "It holds %(rows)s rows, fewer than half of the %(before)s that are loaded:"
            " the download was not complete. Download it again."
        )
        raise BadFile(told % {"rows": f"{file.rows:,}", "before": f"{before.rows:,}"})


def _drop_rows(before: IrsFile | None) -> None:
    if before is not None:
        model = IrsOrganization if before.kind == Kind.BMF else IrsRevocation
        model.objects.filter(file=before).delete()
