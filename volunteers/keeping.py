"""A long roster file as it was judged, kept until anything changes on which the answers rest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils.translation import get_language

from registry.models import User
from registry.ruleset import in_force
from volunteers.models import FileReading, FileReadingRow, RosterFile

BATCH = 1_000
ROSTER = """
SELECT count(*), sum(hashtextextended(mark, 0)) FROM (
  SELECT 'm' || m.xmin || ' ' || m.id || ' ' || registry_person_root(m.person_id) AS mark
    FROM volunteers_membership m WHERE m.organization_id = %(organization)s
  UNION ALL SELECT 's' || xmin || ' ' || id FROM volunteers_suspension
    WHERE organization_id = %(organization)s
  UNION ALL SELECT 'a' || xmin || ' ' || id FROM volunteers_activity
    WHERE organization_id = %(organization)s
  UNION ALL SELECT 'w' || xmin || ' ' || id FROM volunteers_assignment
    WHERE organization_id = %(organization)s
  UNION ALL SELECT 'h' || xmin || ' ' || id FROM registry_address
    WHERE stated_by_id = %(organization)s
  UNION ALL SELECT 'l' || xmin || ' ' || id FROM licenses_license
    WHERE organization_id = %(organization)s
  UNION ALL SELECT 'x' || s.xmin || ' ' || s.id FROM licenses_sanction s
    JOIN licenses_license l ON l.id = s.license_id WHERE l.organization_id = %(organization)s
) AS marks
"""
"""A row's xmin is another one after each change of the row."""


def basis_of(file: RosterFile, by: User, today: date) -> str:
    """A mark of all on which the answers about a file rest, for one user in his language."""
    with connection.cursor() as cursor:
        cursor.execute(ROSTER, {"organization": file.organization_id})
        count, marks = cursor.fetchone()
    own = [by.pk, by.name, by.person_id, by.person.full_name if by.person else ""]
    law = in_force(today).fingerprint
    parts = [file.sha256, file.options, file.organization.name, count, str(marks), own, law]
    told = json.dumps([*parts, today.isoformat(), get_language()], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()


def kept_reading(file: RosterFile, by: User, basis: str) -> FileReading | None:
    """The file as judged for this user, None when it rests on something that has changed."""
    rows = FileReading.objects.filter(roster_file=file, user=by, language=get_language() or "")
    found: FileReading | None = rows.filter(basis=basis).first()
    return found


def keep_reading(
    file: RosterFile,
    by: User,
    basis: str,
    summary: Mapping[str, Any],
    rows: Iterable[FileReadingRow],
) -> FileReading:
    """Keep a file as judged in place of what was kept before; rows are taken in batches.

    `summary` has the key `today`, the day it is judged for.
    """
    own = {"roster_file": file, "user": by, "language": get_language() or ""}
    with transaction.atomic():
        FileReading.objects.filter(**own).delete()
        reading: FileReading = FileReading.objects.create(
            **own, basis=basis, judged_on=summary["today"], summary=dict(summary)
        )
        batch: list[FileReadingRow] = []
        for row in rows:
            row.reading = reading
            batch.append(row)
            if len(batch) == BATCH:
                FileReadingRow.objects.bulk_create(batch)
                batch.clear()
        FileReadingRow.objects.bulk_create(batch)
    return reading


def rows_of(reading: FileReading, status: str = "") -> QuerySet[FileReadingRow]:
    """The rows of a reading, of one status or all, those with problems first."""
    rows = FileReadingRow.objects.filter(reading=reading)
    if status:
        return rows.filter(status=status).order_by("number")
    return rows.order_by("is_good", "number")
