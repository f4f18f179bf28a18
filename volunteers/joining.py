"""Join and part the records of people; a join is a pointer, no row is moved or lost by it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from registry.access import BadInput, Capability, Refused, require
from registry.constraints import constraint_of
from registry.history import acting, seek_first_press
from registry.models import Address, DifferentPeople, Organization, Person, User, WorkItem
from registry.selectors import family_of, root_of
from registry.services import Actor, lock_people, need_reason, note_doubles, numbered, saying, void
from volunteers.deciding import refuse_tie, watching
from volunteers.gathering import OrganizationRoot
from volunteers.models import Membership
from volunteers.selectors import bodies_of
from volunteers.unions import MOVED, Union, bodies_with, joined_records, union_of

ONCE = frozenset(
    {
        "membership_one_at_a_time",
        "suspension_one_at_a_time",
        "activity_once",
        "assignment_one_per_organization",
        "determination_once",
    }
)
"""What the database holds for one record of a person."""


def join_people(by: Actor, kept: Person, gone: Person, *, reason: str) -> Union:
    """Make two records one human, under the number of `kept`; both numbers lead to it.

    What the law would not allow together is not refused: it is listed for the clerk, with the
    days and cites, and nothing ends by itself. Raises Refused for records that are one already or
    were found to be two people, and for who is tied to one of them.
    """
    require(by, Capability.JOIN_PEOPLE)
    need_reason(reason)
    with transaction.atomic():
        seek_first_press()
        one, other = _locked(kept, gone)
        if one.pk == other.pk:
            raise Refused(_("These are one record already. Look at the person's page."))
        _refuse_ties(by, one, other)
        if _apart(family_of(one), family_of(other)).exists():
            raise Refused(_("These were found to be different people. Take that back first."))
        union = union_of(one, other, timezone.localdate())
        told = _told(one, other, union)
        with acting(by, "person.joined", reason=reason, person=one, data=told):
            _close_pair(one, other, _("Joined into %(number)s.") % {"number": one.number})
            other.merged_into = one
            other.save(update_fields=["merged_into"])
            _note_union(one, other, union, reason)
    return union


def _locked(one: Person, other: Person) -> tuple[Person, Person]:
    locked = lock_people([one, other])
    return locked[one.pk], locked[other.pk]


def _refuse_ties(by: Actor, *people: Person) -> None:
    """Nobody decides about himself or his own organizations' people (decisions 28)."""
    for person in people:
        if isinstance(by, User) and by.person and root_of(by.person).pk == root_of(person).pk:
            raise Refused(_("This is about yourself. A colleague must do it."))
        for body in bodies_with(family_of(person)):
            refuse_tie(by, person, body)


def _apart(one: Collection[int], other: Collection[int]) -> Any:
    """The standing findings that records of one family are other people than of the second."""
    return DifferentPeople.objects.standing().filter(
        Q(first__in=one, second__in=other) | Q(first__in=other, second__in=one)
    )


def _told(one: Person, other: Person, union: Union) -> dict[str, Any]:
    """What the act keeps: both numbers, and what was shown before it was confirmed."""
    return {
        "kept": one.number,
        "joined": other.number,
        "bodies": [
            {
                "organization": body.organization.name,
                "before": [ruling.allows for ruling in body.before],
                "after": body.after.allows,
            }
            for body in union.bodies
        ],
        "clashes": clashes_kept(union),
    }


def clashes_kept(union: Union) -> list[dict[str, str]]:
    """What a work item and an act keep of each clash; worded when it is shown."""
    return [
        {
            "rule": clash.verdict.rule,
            "cite": clash.verdict.cite,
            "organization": clash.organization.name,
            "day": clash.day.isoformat(),
            "last": clash.last.isoformat(),
        }
        for clash in union.clashes
    ]


def _note_union(one: Person, other: Person, union: Union, reason: str) -> None:
    if not union.clashes:
        return
    cites = sorted({clash.verdict.cite for clash in union.clashes})
    WorkItem.objects.create(
        kind=WorkItem.Kind.UNION,
        person=one,
        other=other,
        cite=", ".join(cites)[:80],
        note=reason,
        data={"clashes": clashes_kept(union)},
    )


def _close_pair(one: Person, other: Person, outcome: str) -> None:
    """Take the open questions about these two off the list."""
    first, second = family_of(one), family_of(other)
    items = WorkItem.objects.filter(kind=WorkItem.Kind.POSSIBLE_DOUBLE, closed_at=None).filter(
        Q(person__in=first, other__in=second) | Q(person__in=second, other__in=first)
    )
    for item in items:
        item.closed_at, item.outcome = timezone.now(), outcome
        item.save(update_fields=["closed_at", "outcome"])


def part_record(by: Actor, person: Person, number: str, *, reason: str) -> Person:
    """Take back a join: the record of this number stands for itself again, with its own rows.

    What was entered since under the number that stayed goes along where only this record is on
    the organization's roster: it can mean nobody else. The two are remembered as different
    people. Raises BadInput for a number that is no part of this human, Refused for who is tied
    to him.
    """
    require(by, Capability.JOIN_PEOPLE)
    need_reason(reason)
    with transaction.atomic():
        seek_first_press()
        root = lock_people([person])[person.pk]
        _refuse_ties(by, root)
        record = next((row for row in joined_records(root) if row.number == number), None)
        if record is None:
            raise BadInput("reason", _("This record is no part of the person, or not any more."))
        told = {"kept": root.number, "parted": record.number}
        with (
            acting(by, "person.parted", reason=reason, person=root, data=told),
            watching(by, root, reason, parted=record),
        ):
            record.merged_into = None
            record.save(update_fields=["merged_into"])
            _bring_along(root, record)
            _remember(record, root, reason)
            _close_unions(root, record)
    return record


def _bring_along(root: Person, record: Person) -> None:
    kin = family_of(root)
    only = _rosters_of(family_of(record)) - _rosters_of(kin)
    for model in MOVED:
        rows = model.objects.filter(person__in=kin).annotate(body=OrganizationRoot("organization"))
        for row in rows.filter(body__in=only):
            with suppress(Refused), _refusing_overlaps():
                row.person = record
                row.save(update_fields=["person"])
    lives = Address.objects.filter(person__in=kin).annotate(body=OrganizationRoot("stated_by"))
    for address in lives.filter(body__in=only):
        address.person = record
        address.save(update_fields=["person"])


def _rosters_of(kin: Collection[int]) -> set[int]:
    """The legal bodies that list one of these records."""
    rows = Membership.objects.standing().filter(person__in=kin)
    return set(rows.values_list(OrganizationRoot("organization"), flat=True))


def _close_unions(root: Person, record: Person) -> None:
    items = WorkItem.objects.filter(kind=WorkItem.Kind.UNION, closed_at=None, other=record)
    for item in items.filter(person__in=family_of(root)):
        item.closed_at, item.outcome = timezone.now(), _("The records were parted again.")
        item.save(update_fields=["closed_at", "outcome"])


def part_organization(
    by: Actor, person: Person, organization: Organization, *, reason: str
) -> Person:
    """Undo a link by name and birth date: what this organization stated becomes a new person.

    Its memberships, activities, suspensions, approvals, decisions and addresses go along, tags
    with their approvals, and what bodies that it took over had stated; each move is kept in the
    history. The two are remembered as different people. Raises Refused where the organization is
    the only one, or has no row, or has several on one day under records that were joined.
    """
    require(by, Capability.JOIN_PEOPLE)
    need_reason(reason)
    with transaction.atomic():
        seek_first_press()
        root = lock_people([person])[person.pk]
        _refuse_ties(by, root)
        bodies = list(bodies_of(organization))
        new = numbered(_as_stated(root, bodies))
        told = {"kept": root.number, "parted": new.number}
        with (
            acting(
                by,
                "person.parted",
                reason=reason,
                person=root,
                organization=organization,
                data=told,
            ),
            watching(by, root, reason, parted=new),
        ):
            new.save(force_insert=True)
            with _refusing_overlaps():
                _move(family_of(root), new, bodies)
            _remember(new, root, reason)
            _close_links(root, bodies)
            note_doubles([new])
    return new


def _as_stated(root: Person, bodies: Collection[int]) -> Person:
    """The person as the organization's latest line has him."""
    kin = family_of(root)
    lines = Membership.objects.standing().filter(person__in=kin, organization__in=bodies)
    line = lines.order_by("-starts_on", "-pk").first()
    if line is None or all(body.pk in bodies for body in bodies_with(kin)):
        raise Refused(_("There is nothing to part: only one organization lists this person."))
    return Person(full_name=line.name_stated, born_on=line.born_on_stated)


@contextmanager
def _refusing_overlaps() -> Iterator[None]:
    """Two joined records with lines of one organization on one day are not one line again."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        if constraint_of(error) not in ONCE:
            raise
        raise Refused(
            _(
                "Joined records have lines of this organization on the same days. Part those"
                " records by their numbers first."
            )
        ) from error


def _move(kin: Collection[int], new: Person, bodies: Collection[int]) -> None:
    for model in MOVED:
        for row in model.objects.filter(person__in=kin, organization__in=bodies):
            row.person = new
            row.save(update_fields=["person"])
    for row in Address.objects.filter(person__in=kin, stated_by__in=bodies):
        row.person = new
        row.save(update_fields=["person"])


def _close_links(root: Person, bodies: Collection[int]) -> None:
    items = WorkItem.objects.filter(
        kind=WorkItem.Kind.LINKED,
        closed_at=None,
        person__in=family_of(root),
        organization__in=bodies,
    )
    for item in items:
        item.closed_at, item.outcome = timezone.now(), _("Parted: they are different people.")
        item.save(update_fields=["closed_at", "outcome"])


def _remember(one: Person, other: Person, reason: str) -> DifferentPeople:
    first, second = sorted((one, other), key=lambda person: person.pk)
    return DifferentPeople.objects.create(first=first, second=second, reason=reason)


def tell_apart(by: Actor, one: Person, other: Person, *, reason: str) -> DifferentPeople:
    """Record that two records are two humans: the question is closed and not asked again.

    Raises Refused for records that are one, for a pair told apart already, and for who is tied
    to one of them.
    """
    require(by, Capability.KEEP_PEOPLE)
    need_reason(reason)
    with transaction.atomic():
        seek_first_press()
        first, second = _locked(one, other)
        if first.pk == second.pk:
            raise Refused(_("These are one record. Part them first."))
        _refuse_ties(by, first, second)
        if _apart(family_of(first), family_of(second)).exists():
            raise Refused(_("These two were told apart already."))
        told = {"numbers": [first.number, second.number]}
        text = _("These two were told apart already.")
        with (
            acting(by, "people.told_apart", reason=reason, person=first, data=told),
            saying("differentpeople_once", "reason", text),
        ):
            _close_pair(first, second, _("Different people."))
            return _remember(first, second, reason)


def take_back(by: Actor, finding: DifferentPeople, *, reason: str) -> DifferentPeople:
    """Take back “different people”, entered in error: the pair may be asked about again."""
    return void(by, finding, reason=reason, capability=Capability.KEEP_PEOPLE)


def look_again(by: Actor, person: Person) -> int:
    """Look for records that may be the same person; returns how many new ones are listed."""
    require(by, Capability.KEEP_PEOPLE)
    with acting(by, "doubles.looked", person=person):
        return note_doubles([lock_people([person])[person.pk]])
