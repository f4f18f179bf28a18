"""A line of a list against the organization's own roster: new, same or changed.

Nothing else of the register is looked at, so that a list tells nothing about anybody (decisions 6).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from typing import Any

from django.db import connection
from django.db.models import F, Func, IntegerField
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from registry.access import BadInput
from registry.models import Address, Organization, Plain
from registry.periods import Period
from registry.services import tidy
from volunteers.models import Activity, Assignment, Kind, Membership, Suspension
from volunteers.services import Deed, Enrollment

FEW = 50
GENERATIONS = frozenset({"sr", "jr", "senior", "junior", "ii", "iii", "iv"})
MEMBERS = frozenset({Kind.REGULAR, Kind.ASSOCIATE, Kind.HONORARY})


class Status(StrEnum):
    """What a line would do to the roster."""

    NEW = "new"
    SAME = "same"
    CHANGED = "changed"
    REFUSED = "refused"
    SKIPPED = "skipped"
    """Nobody of this list: a header again, a total, a hidden row, another organization's."""


@dataclass(frozen=True, slots=True)
class RosterLine:
    """One line as it is to be entered, and what it does not say of itself."""

    entry: Enrollment
    says_kind: bool = True
    """False when the kind is only assumed, so that it contradicts nothing."""
    number: int = 0
    person_number: str = ""
    """A person's number as the list has it; it tells people of one name on the roster apart."""
    known: int | None = None
    """The human of the own roster whom name and number mean together."""

    @property
    def has_address(self) -> bool:
        """True when it says more of where the person lives than the state."""
        return bool(self.entry.street or self.entry.city or self.entry.postal_code)


@dataclass(frozen=True, slots=True)
class Change:
    """One thing a line says otherwise than the roster; only what `enters` is written."""

    field: str
    was: Any
    now: Any
    enters: bool = False


@dataclass(slots=True)
class OwnPerson:
    """One human as this organization's own rows know him: under the name it stated itself."""

    pk: int
    spells: list[Membership] = field(default_factory=list)
    suspensions: list[Period] = field(default_factory=list)
    activities: list[Activity] = field(default_factory=list)
    addresses: set[tuple[str, ...]] = field(default_factory=set)
    approved: list[Period] = field(default_factory=list)

    def stated(self, born_on: date | None) -> bool:
        """True unless the organization stated another birth date."""
        days = {row.born_on_stated for row in self.spells} - {None}
        return born_on is None or not days or born_on in days

    def has_done(self, deed: Deed) -> bool:
        """True when this very activity is recorded."""
        return any((row.done_on, row.kind) == (deed.done_on, deed.kind) for row in self.activities)

    def is_approved(self, day: date) -> bool:
        """True when an approval runs on the day or begins later."""
        return any(period.last >= day for period in self.approved)

    def spell_for(self, entry: Enrollment) -> Membership | None:
        """The row with the same join date, else one that shares days with the line.

        Of two rows of joined records that begin on one day, the one under the line's name.
        """
        period = Period(entry.starts_on, entry.ends_on)
        same = [row for row in self.spells if row.starts_on == entry.starts_on]
        same.sort(key=lambda row: row.name_stated != tidy(entry.full_name))
        shared = [row for row in self.spells if row.period.overlaps(period)]
        return next(iter(same or shared), None)


@dataclass(frozen=True, slots=True)
class Compared:
    """What a line is to the roster: whom and which row it means, and what it would change."""

    status: Status
    known: OwnPerson | None = None
    membership: Membership | None = None
    changes: tuple[Change, ...] = ()


class _PersonRoot(Func):
    """The surviving record of a person, asked of the database."""

    function = "registry_person_root"
    output_field: Any = IntegerField()


def plain_names(names: Iterable[str]) -> dict[str, str]:
    """Each name as stored search names are written; one query for all."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name, registry_plain(name) FROM unnest(%s::text[]) AS name",
            [sorted(set(names))],
        )
        return dict(cursor.fetchall())


class OwnRoster:
    """The organization's own rows, fetched once, in five queries whatever the list holds."""

    def __init__(self, organization: Organization) -> None:
        self.people: dict[int, OwnPerson] = {}
        self._by_name: dict[str, set[int]] = defaultdict(set)
        self._by_stem: dict[str, set[int]] = defaultdict(set)
        self._words: dict[int, set[str]] = defaultdict(set)
        self._by_days: dict[tuple[date | None, date], set[int]] = defaultdict(set)
        self._by_number: dict[str, int] = {}
        here = {"organization": organization}
        memberships = Membership.objects.standing().filter(**here)
        told = {"plain_stated": Plain(F("name_stated")), "person_number": F("person__number")}
        for row in _rooted(memberships.annotate(**told)):
            self._take(row)
        for person in self.people.values():
            person.spells.sort(key=lambda row: row.starts_on)
        for row in _rooted(Suspension.objects.standing().filter(**here)):
            self._person(row).suspensions.append(row.period)
        for row in _rooted(Activity.objects.standing().filter(**here)):
            self._person(row).activities.append(row)
        for row in _rooted(Address.objects.standing().filter(stated_by=organization)):
            self._person(row).addresses.add(address_of(row))
        for row in _rooted(Assignment.objects.standing().filter(**here)):
            self._person(row).approved.append(row.period)

    def _person(self, row: Any) -> OwnPerson:
        return self.people.setdefault(row.root, OwnPerson(row.root))

    def _take(self, row: Any) -> None:
        self._person(row).spells.append(row)
        self._by_days[row.born_on_stated, row.starts_on].add(row.root)
        self._by_name[row.plain_stated].add(row.root)
        self._by_stem[_stem(row.plain_stated)].add(row.root)
        self._words[row.root].update(row.plain_stated.split())
        self._by_number[row.person_number] = row.root

    def recognised(self, lines: Sequence[RosterLine], plain: dict[str, str]) -> list[RosterLine]:
        """The lines, each with the human whom it means by name and number.

        A number that is none of this roster's, or goes with another name, says nothing: nobody
        learns whether it is somebody's.
        """
        return [
            replace(line, known=self._numbered(line, plain)) if line.person_number else line
            for line in lines
        ]

    def _numbered(self, line: RosterLine, plain: dict[str, str]) -> int | None:
        root = self._by_number.get(line.person_number.strip().upper())
        named = self._by_name.get(plain[tidy(line.entry.full_name)], ())
        return root if root in named else None

    def compare(
        self, lines: Sequence[RosterLine], plain: dict[str, str]
    ) -> list[Compared | BadInput]:
        """What each line of a list is to the roster, a BadInput where it could mean several people.

        Only somebody whom no line means by name can be meant under another name or birth date.
        """
        meant = [self._meant(line, plain[tidy(line.entry.full_name)]) for line in lines]
        taken = {one.pk for one in meant if isinstance(one, OwnPerson)}
        return [
            one
            if isinstance(one, BadInput)
            else _compared(line, one or self._guess(line, plain, taken))
            for line, one in zip(lines, meant, strict=True)
        ]

    def _named(self, plain: str) -> list[OwnPerson]:
        return [self.people[pk] for pk in sorted(self._by_name.get(plain, ()))]

    def _meant(self, line: RosterLine, plain: str) -> OwnPerson | BadInput | None:
        """The one person of this name; of several, the one with this number, birth or join date.

        A name without Sr. or Jr. may mean each who has one, when there are several.
        """
        entry = line.entry
        fits = [person for person in self._named(plain) if person.stated(entry.born_on)]
        fits = [person for person in fits if person.pk == line.known] or fits
        if not fits and plain == _stem(plain):
            alike = [self.people[pk] for pk in sorted(self._by_stem.get(plain, ()))]
            alike = [person for person in alike if person.stated(entry.born_on)]
            fits = alike if len(alike) > 1 else []
        if len(fits) > 1:
            fits = _closest(fits, entry)
        if len(fits) > 1:
            return BadInput(
                "full_name",
                _(
                    "Several people on your roster have the name “%(name)s”: %(people)s. Add the"
                    " birth date that you entered for the one you mean."
                )
                % {"name": entry.full_name, "people": "; ".join(map(_described, fits))},
            )
        return fits[0] if fits else None

    def _guess(self, line: RosterLine, plain: dict[str, str], taken: set[int]) -> OwnPerson | None:
        """Somebody who differs in the birth date or in a part of the name, not in the join date."""
        entry = line.entry
        same_name = self._named(plain[tidy(entry.full_name)])
        found = {person.pk for person in same_name if _has_start(person, entry.starts_on)}
        if not found and entry.born_on:
            born = self._by_days.get((entry.born_on, entry.starts_on), set())
            words = set(plain[tidy(entry.full_name)].split())
            found = {pk for pk in born if words & self._words[pk]}
        free = sorted(found - taken)
        return self.people[free[0]] if len(free) == 1 else None


def _stem(plain: str) -> str:
    """A plain name without what tells father from son."""
    words = [word for word in plain.split() if word.strip(".,") not in GENERATIONS]
    return " ".join(word.rstrip(",") for word in words)


def _described(person: OwnPerson) -> str:
    """Somebody by what this organization stated itself."""
    row = person.spells[-1]
    joined = date_format(person.spells[0].starts_on, "M j, Y")
    return _("%(name)s (joined %(day)s)") % {"name": row.name_stated, "day": joined}


def _compared(line: RosterLine, known: OwnPerson | None) -> Compared:
    membership = known.spell_for(line.entry) if known else None
    if known is None or membership is None:
        return Compared(Status.NEW, known)
    changes = tuple(_changes(line, known, membership))
    status = Status.CHANGED if changes else Status.SAME
    return Compared(status, known, membership, changes)


def _rooted(rows: Any) -> Any:
    """The rows with the surviving record of each person as `root`."""
    return rows.annotate(root=_PersonRoot(F("person_id"))).order_by("pk")


def _closest(fits: list[OwnPerson], entry: Enrollment) -> list[OwnPerson]:
    """Of several people of one name, those with this very birth date, else this join date."""
    born = [p for p in fits if any(row.born_on_stated == entry.born_on for row in p.spells)]
    if entry.born_on and born:
        return born
    return [p for p in fits if _has_start(p, entry.starts_on)] or fits


def _has_start(person: OwnPerson, day: date) -> bool:
    return any(row.starts_on == day for row in person.spells)


def address_of(row: Any) -> tuple[str, ...]:
    """The parts of an address, of a row or of a line, to be held against each other."""
    return (row.street, row.city, row.state, row.postal_code)


def _changes(line: RosterLine, known: OwnPerson, row: Membership) -> Iterator[Change]:
    """What the line says otherwise; what was empty is filled, what was said stays as it is."""
    entry = line.entry
    if tidy(entry.full_name) != row.name_stated:
        yield Change("full_name", row.name_stated, tidy(entry.full_name))
    if line.says_kind and not _same_kind(row.kind, entry.kind):
        yield Change("kind", row.get_kind_display(), Kind(entry.kind).label)
    yield from _other_days(entry, row)
    yield from _other_statements(entry, row)
    if line.has_address and address_of(entry) not in known.addresses:
        was = ", ".join(filter(None, max(known.addresses))) if known.addresses else None
        yield Change("street", was, ", ".join(filter(None, address_of(entry))))
    if entry.activity and not known.has_done(entry.activity):
        yield Change("activity", None, entry.activity, enters=True)
    if not row.is_shown:
        yield Change("confirmed", was=False, now=True, enters=True)


def _same_kind(was: str, now: str) -> bool:
    """“Member” leaves the class open, so it contradicts none of them."""
    return was == now or (now == Kind.MEMBER and was in MEMBERS)


def _other_days(entry: Enrollment, row: Membership) -> Iterator[Change]:
    same_start = entry.starts_on == row.starts_on
    if not same_start:
        yield Change("starts_on", row.starts_on, entry.starts_on)
    if entry.ends_on != row.ends_on:
        added = row.ends_on is None and same_start
        yield Change("ends_on", row.ends_on, entry.ends_on, enters=added)


def _other_statements(entry: Enrollment, row: Membership) -> Iterator[Change]:
    if entry.born_on and entry.born_on != row.born_on_stated:
        added = row.born_on_stated is None
        yield Change("born_on", row.born_on_stated, entry.born_on, enters=added)
    if entry.is_adult and not row.is_adult_stated:
        yield Change("is_adult", row.is_adult_stated, entry.is_adult, enters=True)
    if entry.is_resident is not None and entry.is_resident != row.is_resident_stated:
        added = row.is_resident_stated is None
        yield Change("is_resident", row.is_resident_stated, entry.is_resident, enters=added)


def same_person(first: RosterLine, second: RosterLine) -> bool:
    """True when two lines of one name mean one human: no number or birth date tells them apart."""
    if first.known and second.known:
        return first.known == second.known
    days = {first.entry.born_on, second.entry.born_on}
    return None in days or len(days) == 1


def humans(lines: Sequence[RosterLine], plain: dict[str, str]) -> list[list[int]]:
    """The places of a list's lines by human: one list each, in the order of the file."""
    groups: list[list[int]] = []
    named: dict[str, list[list[int]]] = defaultdict(list)
    for place, line in enumerate(lines):
        mine = [
            group
            for group in named[plain[tidy(line.entry.full_name)]]
            if all(same_person(lines[other], line) for other in _few(group))
        ]
        if mine:
            mine[0].append(place)
            continue
        groups.append([place])
        named[plain[tidy(line.entry.full_name)]].append(groups[-1])
    return groups


def _few(group: list[int]) -> list[int]:
    """Thousands of copies of one row need not all be held against the next."""
    return group[:FEW]
