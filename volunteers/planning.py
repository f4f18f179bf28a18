"""A list on its way into the register: sorted out under lock, then written in few statements."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from typing import Any

from django.utils.translation import gettext as _

from registry.access import BadInput
from registry.base import BATCH, insert_all
from registry.doubles import same_humans
from registry.history import Act
from registry.models import Address, Organization, Person, WorkItem, person_number
from registry.services import Actor, lock_roots, note_doubles, saying, tidy, unsaved_person
from volunteers.comparing import (
    Compared,
    OwnRoster,
    RosterLine,
    Status,
    address_of,
    humans,
    plain_names,
)
from volunteers.ending import end_membership
from volunteers.models import Activity, Membership, RosterFile
from volunteers.services import Statement, refuse_self

STATED = {
    "born_on": "born_on_stated",
    "is_adult": "is_adult_stated",
    "is_resident": "is_resident_stated",
}
"""Columns of a membership that a list may fill where they are empty."""


@contextmanager
def naming(line: RosterLine) -> Iterator[None]:
    """A mistake found inside is told with the row it stands in."""
    try:
        yield
    except BadInput as bad:
        raise in_row(line, bad) from bad


def in_row(line: RosterLine, bad: BadInput) -> BadInput:
    """The mistake, with the row it stands in."""
    told = _("Row %(row)s, “%(name)s”: %(reason)s")
    shown = {"row": line.number, "name": line.entry.full_name, "reason": bad.message}
    return BadInput(bad.field, told % shown)


class Plan:
    """One list of one organization. `sort_out` reads and locks, `write` writes."""

    def __init__(
        self,
        by: Actor,
        organization: Organization,
        lines: Sequence[RosterLine],
        statement: Statement,
        roster_file: RosterFile | None,
    ) -> None:
        self.by, self.organization, self.statement = by, organization, statement
        self.lines, self.roster_file = lines, roster_file
        self.people: dict[int, Person] = {}
        """The person of each line, by the line's place."""
        self.fresh: list[Person] = []
        self.linked: list[Person] = []
        self.made: list[Membership] = []
        self.changed: list[Membership] = []
        self.same: list[Membership] = []
        self.differing: list[Membership] = []
        self.activities = 0

    @property
    def people_by_number(self) -> dict[int, Person]:
        """The person of each line, by the line's number in the file."""
        return {line.number: self.people[place] for place, line in enumerate(self.lines)}

    def sort_out(self) -> None:
        """Find who is meant, lock those known in the order of their ids, look once more."""
        self.plain = plain_names(tidy(line.entry.full_name) for line in self.lines)
        self.compared = self._compare()
        groups = humans(self.lines, self.plain)
        same = same_humans(self._named(group) for group in groups)
        roots = [self._own(group) or same.get(self._named(group)) for group in groups]
        locked = lock_roots(root for root in roots if root)
        if locked:
            # What was read before the lock may have changed while waiting for it.
            self.compared = self._compare()
        for group, root in zip(groups, roots, strict=True):
            self._settle(group, locked[root] if root else None)

    def _compare(self) -> list[Compared]:
        own = OwnRoster(self.organization)
        self.lines = own.recognised(self.lines, self.plain)
        found = own.compare(self.lines, self.plain)
        return [_sure(line, one) for line, one in zip(self.lines, found, strict=True)]

    def _named(self, group: Sequence[int]) -> tuple[str, date | None]:
        """Name and birth date: equal ones are one human (decisions 16)."""
        days = (self.lines[place].entry.born_on for place in group)
        name = tidy(self.lines[group[0]].entry.full_name)
        return name, next((day for day in days if day), None)

    def _own(self, group: Sequence[int]) -> int | None:
        known = (self.compared[place].known for place in group)
        return next((person.pk for person in known if person), None)

    def _settle(self, group: Sequence[int], person: Person | None) -> None:
        line = self.lines[group[0]]
        if person is None:
            person = unsaved_person(line.entry.person)
            _name, person.born_on = self._named(group)
            self.fresh.append(person)
        elif self._own(group) is None:
            self.linked.append(person)
        if any(self.compared[place].status is not Status.SAME for place in group):
            with naming(line):
                refuse_self(self.by, person, self.statement, line.entry.full_name)
        self.people.update(dict.fromkeys(group, person))

    def told(self) -> dict[str, Any]:
        """What the act keeps: which file, how many lines of which kind."""
        counts: dict[str, int] = defaultdict(int)
        for one in self.compared:
            counts[one.status.value] += 1
        file = self.roster_file
        about = {"file": file.name, "sha256": file.sha256} if file else {}
        return {**about, "lines": len(self.lines), **counts}

    def write(self, act: Act) -> None:
        """Write everything, inside the running act."""
        _number(self.fresh)
        Person.objects.bulk_create(self.fresh, batch_size=BATCH)
        text = _("The roster was changed meanwhile: look at the check page again, then confirm.")
        with saying("membership_one_at_a_time", "starts_on", text):
            self.made = Membership.objects.bulk_create(self._memberships(), BATCH)
        insert_all(Address, self._addresses())
        self._note_doubles()
        self._change(act)
        self.activities = insert_all(Activity, self._activities())
        insert_all(Act, (act.part("member.enrolled", row.person, {}) for row in self.made))

    def _new(self) -> Iterator[tuple[Person, RosterLine, Compared]]:
        for place, (line, one) in enumerate(zip(self.lines, self.compared, strict=True)):
            if one.status is Status.NEW:
                yield self.people[place], line, one

    def _signed(self) -> dict[str, Any]:
        return {
            "attested_on": self.statement.attested_on,
            "attested_by": self.statement.attested_by,
            "evidence": self.statement.evidence,
        }

    def _memberships(self) -> list[Membership]:
        return [
            Membership(
                person=person,
                organization=self.organization,
                kind=line.entry.kind,
                starts_on=line.entry.starts_on,
                ends_on=line.entry.ends_on,
                name_stated=tidy(line.entry.full_name),
                born_on_stated=line.entry.born_on,
                is_adult_stated=line.entry.is_adult,
                is_resident_stated=line.entry.is_resident,
                roster_file=self.roster_file,
                **self._signed(),
            )
            for person, line, _one in self._new()
        ]

    def _addresses(self) -> Iterator[Address]:
        return (
            Address(
                person=person,
                stated_by=self.organization,
                street=line.entry.street,
                city=line.entry.city,
                state=line.entry.state,
                postal_code=line.entry.postal_code,
                starts_on=line.entry.starts_on,
            )
            for person, line, one in self._new()
            if line.has_address
            and not (one.known and address_of(line.entry) in one.known.addresses)
        )

    def _note_doubles(self) -> None:
        """Joins and possible doubles are listed for the clerk; no organization sees them."""
        joins = (
            WorkItem(
                kind=WorkItem.Kind.LINKED,
                person=person,
                organization=self.organization,
                cite="§ 10-63(10)",
            )
            for person in self.linked
        )
        insert_all(WorkItem, joins)
        note_doubles(self.fresh, self.organization)

    def _change(self, act: Act) -> None:
        """Add what was missing to rows that are there; count the rest and leave it alone."""
        filled = []
        for line, one in zip(self.lines, self.compared, strict=True):
            if (row := one.membership) is None:
                continue
            enters = {change.field for change in one.changes if change.enters}
            if "ends_on" in enters and line.entry.ends_on:
                with naming(line):
                    end_membership(self.by, row, last_day=line.entry.ends_on)
            if enters & {*STATED, "confirmed"}:
                self._fill(row, line, enters)
                filled.append(row)
            self._count(row, one, enters)
        Membership.objects.bulk_update(filled, [*STATED.values(), *self._signed()], BATCH)
        insert_all(Act, (act.part("member.confirmed", row.person, {}) for row in filled))

    def _fill(self, row: Membership, line: RosterLine, enters: set[str]) -> None:
        for name, column in STATED.items():
            if name in enters:
                setattr(row, column, getattr(line.entry, name))
        for column, value in self._signed().items():
            setattr(row, column, value)

    def _count(self, row: Membership, one: Compared, enters: set[str]) -> None:
        if enters:
            self.changed.append(row)
        if any(not change.enters for change in one.changes):
            self.differing.append(row)
        elif not enters:
            self.same.append(row)

    def _activities(self) -> Iterator[Activity]:
        written: set[tuple[int, date, str]] = set()
        for place, (line, one) in enumerate(zip(self.lines, self.compared, strict=True)):
            deed, person = line.entry.activity, self.people[place]
            if deed is None or (one.known and one.known.has_done(deed)):
                continue
            if (key := (person.pk, deed.done_on, deed.kind)) in written:
                continue
            written.add(key)
            yield Activity(
                person=person,
                organization=self.organization,
                done_on=deed.done_on,
                kind=deed.kind,
                description=deed.description,
                **self._signed(),
            )


def _number(people: Iterable[Person]) -> None:
    """Numbers are drawn at random: of many at once, one may be taken already."""
    drawn: set[str] = set()
    waiting = list(people)
    while waiting:
        for person in waiting:
            while person.number in drawn:
                person.number = person_number()
            drawn.add(person.number)
        rows = Person.objects.filter(number__in=[person.number for person in waiting])
        taken = set(rows.values_list("number", flat=True))
        waiting = [person for person in waiting if person.number in taken]


def _sure(line: RosterLine, found: Compared | BadInput) -> Compared:
    if isinstance(found, BadInput):
        raise in_row(line, found)
    return found
