"""Approvals follow the license they are granted under (decisions 9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.db import IntegrityError, transaction

from licenses.models import License
from licenses.selectors import last_to_approve
from registry.history import acting
from registry.models import WorkItem
from registry.services import Actor, lock_people
from volunteers.ending import shorten
from volunteers.models import Assignment

ENDED = "the license ended"


@dataclass(frozen=True, slots=True)
class Followed:
    """How many approvals now end earlier, and how many later."""

    shortened: int
    extended: int


def follow_license(by: Actor, license_: License) -> Followed:
    """Approvals end when their license ends, and go on while it is continued (§ 10-91(b)).

    Call it in the transaction that changed the license. Whose limit of organizations would be
    passed by going on is left out and listed for the clerk.
    """
    license_ = License.objects.get(pk=license_.pk)
    last = last_to_approve(license_)
    rows = _standing(license_)
    late = [row for row in rows if row.ends_on > last]
    at_end = [row for row in rows if row.ends_on == license_.expires_on < last]
    if not late and not at_end:
        return Followed(0, 0)
    lock_people([row.person for row in (*late, *at_end)])
    with acting(by, "approvals.followed", organization=license_.organization):
        for row in late:
            shorten(row, last, ENDED)
        extended = _extend(license_, at_end, last)
    return Followed(len(late), extended)


def _standing(license_: License) -> list[Assignment]:
    rows = Assignment.objects.standing().filter(license=license_).select_related("person")
    return list(rows.order_by("pk"))


def _extend(license_: License, rows: Sequence[Assignment], last: date) -> int:
    """Each alone: what the limit of organizations does not allow stops nobody else."""
    done = 0
    for row in rows:
        try:
            with transaction.atomic():
                row.ends_on = last
                row.save(update_fields=["ends_on"])
        except IntegrityError:
            WorkItem.objects.create(
                kind=WorkItem.Kind.CORRECTION,
                person=row.person,
                organization=license_.organization,
                cite="§ 10-63(10)",
                note=(
                    "The license goes on while the county decides; this approval does not, because"
                    " another organization has the place by then."
                ),
            )
        else:
            done += 1
    return done
