"""A whole list entered as one act: all of its lines or none, approvals in the same step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.utils import timezone

from registry.access import Capability, require
from registry.history import acting, seek_first_press
from registry.models import Organization, Person, User
from registry.services import Actor, refuse_merged
from volunteers.assigning import Grant, Granted, assign_many
from volunteers.comparing import RosterLine
from volunteers.models import Membership, RosterFile
from volunteers.planning import Plan, naming
from volunteers.selectors import current_assignments
from volunteers.services import Statement, check_enrollment, lock_names


@dataclass(frozen=True, slots=True)
class Entered:
    """What became of a list: the rows of the roster it speaks of, and who was approved."""

    made: list[Membership]
    changed: list[Membership]
    """Rows to which a leave date, an activity or a missing paper was added."""
    same: list[Membership]
    differing: list[Membership]
    """Lines that also say something else than the roster, which only a clerk corrects."""
    activities: int = 0
    granted: Granted = field(default_factory=lambda: Granted([], []))

    @property
    def counts(self) -> dict[str, int]:
        """The numbers, as page and history state them."""
        return {
            "made": len(self.made),
            "changed": len(self.changed),
            "same": len(self.same),
            "differing": len(self.differing),
            "activities": self.activities,
            "approved": len(self.granted.made),
        }


@dataclass(frozen=True, slots=True)
class Wanted:
    """One list to be entered, the statement it rests on, and whom to approve for which duties."""

    lines: Sequence[RosterLine]
    statement: Statement
    duties: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """Duties by the number of the line: those to be approved from today."""
    left_out: int = 0
    """How many rows of the file have mistakes and are not among the lines."""


def enter_roster(
    by: Actor, organization: Organization, wanted: Wanted, *, roster_file: RosterFile | None = None
) -> Entered:
    """Enter a whole list, all or nothing, in one act (decisions 14, 16).

    New lines become rows; a leave date, an activity, a statement that was missing is added to rows
    that are there; all other differences are left to a clerk. Whoever the law refuses is entered
    and not approved. Raises BadInput with the row, and then nothing is entered: a bad line, several
    people of one name, an officer's own line. The same form again finds the first (AlreadyDone).
    """
    require(by, Capability.KEEP_ROSTER, organization)
    for line in wanted.lines:
        with naming(line):
            check_enrollment(line.entry)
    with transaction.atomic():
        refuse_merged(organization)
        lock_names(line.entry.full_name for line in wanted.lines)
        seek_first_press()
        plan = Plan(by, organization, wanted.lines, wanted.statement, roster_file)
        plan.sort_out()
        told = plan.told()
        with acting(by, "roster.entered", organization=organization, data=told) as act:
            plan.write(act)
            granted = _approve(by, organization, wanted, plan.people_by_number)
            done = Entered(
                plan.made, plan.changed, plan.same, plan.differing, plan.activities, granted
            )
            _note_entry(by, roster_file, done, wanted.left_out)
    return done


def _approve(
    by: Actor, organization: Organization, wanted: Wanted, people: Mapping[int, Person]
) -> Granted:
    """Approve those asked for from today; who is approved already is passed over."""
    today = timezone.localdate()
    asked = [(people[number], duties) for number, duties in wanted.duties.items()]
    there = current_assignments(organization, today, [person.pk for person, _duties in asked])
    grants = [(person, Grant(today, duties)) for person, duties in asked if person.pk not in there]
    return assign_many(by, organization, grants) if grants else Granted([], [])


def _note_entry(by: Actor, roster_file: RosterFile | None, done: Entered, left_out: int) -> None:
    """The file remembers each time it was entered, by whom and with what result."""
    if roster_file is None:
        return
    now = timezone.now()
    roster_file.refresh_from_db(fields=["entered_at", "result"])
    told: dict[str, Any] = {
        "at": now.isoformat(),
        "by": by.get_full_name() if isinstance(by, User) else by.value,
        "counts": done.counts,
        "left_out": left_out,
        "refused": [person.pk for person, _refused in done.granted.refused],
    }
    roster_file.entered_at = roster_file.entered_at or now
    roster_file.result = {"entries": [*roster_file.result.get("entries", []), told]}
    roster_file.save(update_fields=["entered_at", "result"])
