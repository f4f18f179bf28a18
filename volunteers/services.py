"""Acts on rosters: enroll people and record what they did; each under the person's lock."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date

from django.db import connection, transaction
from django.db.models import F, Value
from django.utils import timezone
from django.utils.translation import gettext as _

from registry.access import BadInput, Capability, require
from registry.doubles import same_human
from registry.history import acting, seek_first_press
from registry.human_names import take_apart
from registry.models import Organization, Person, Plain, User, WorkItem
from registry.periods import Period
from registry.ruleset import in_force
from registry.selectors import root_of
from registry.services import (
    Actor,
    PersonEntry,
    check_person,
    lock_people,
    lock_person,
    note_doubles,
    numbered,
    refuse_merged,
    refuse_ssn,
    saying,
    tidy,
    unsaved_person,
)
from volunteers.models import Activity, Membership, RosterFile

NAMES = 1063
"""The advisory locks of names, apart from any others."""


@dataclass(frozen=True, slots=True)
class Statement:
    """Who answers for a fact, since when, and what shows it (decisions 14)."""

    attested_on: date | None = None
    attested_by: str = ""
    evidence: str = ""


NOBODY = Statement()


@dataclass(frozen=True, slots=True)
class Deed:
    """One activity as it is stated."""

    kind: str
    done_on: date
    description: str = ""


@dataclass(frozen=True, slots=True)
class Enrollment:
    """One line of a roster, as a form or a file states it."""

    full_name: str
    kind: str
    starts_on: date
    given_name: str = ""
    family_name: str = ""
    ends_on: date | None = None
    born_on: date | None = None
    is_adult: bool = False
    is_resident: bool | None = None
    street: str = ""
    city: str = ""
    state: str = ""
    postal_code: str = ""
    activity: Deed | None = None
    duties: tuple[str, ...] = field(default=())

    @property
    def person(self) -> PersonEntry:
        """The part of the line that says who it is."""
        return PersonEntry(self.full_name, self.given_name, self.family_name, self.born_on)


def enroll(
    by: Actor,
    organization: Organization,
    entry: Enrollment,
    statement: Statement,
    *,
    roster_file: RosterFile | None = None,
) -> Membership:
    """Put a person on an organization's roster (§ 10-63(12)); a possible double goes to the clerk.

    Raises BadInput with the field, for bad dates, a person already on the roster, or an officer
    who attests for himself. What the register knows of the person elsewhere never shows.
    """
    require(by, Capability.KEEP_ROSTER, organization)
    check_enrollment(entry)
    with transaction.atomic():
        refuse_merged(organization)
        lock_names([entry.full_name])
        seek_first_press()
        person, known = find_or_make(by, entry, organization)
        refuse_self(by, person, statement, entry.full_name)
        with acting(by, "member.enrolled", organization=organization, person=person):
            keep_person(person, known=known, organization=organization)
            row = write_membership(person, organization, entry, statement, roster_file)
            # Asked of a known person as well: an answer takes as long for either (decisions 16).
            note_doubles([person], organization)
            return row


def lock_names(names: Iterable[str]) -> None:
    """Hold these names until the transaction ends: two who enter one person wait for each other.

    All of a list at once, in one order, so that two lists never deadlock; lower and upper case,
    accents, titles and the order of the words are the same name. Names share a thousand locks,
    since the server has only so many.
    Persons are locked after this, never before.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock(%s, key) FROM (SELECT DISTINCT"
            " hashtext(n) & 1023 AS key FROM unnest(%s::text[]) AS n ORDER BY 1) AS keys",
            [NAMES, list({" ".join(sorted(take_apart(name).words)) for name in names})],
        )


def check_enrollment(entry: Enrollment) -> None:
    """Raise BadInput unless the line alone makes sense."""
    check_person(entry.person)
    refuse_ssn("street", entry.street, entry.city)
    if entry.ends_on and entry.ends_on < entry.starts_on:
        raise BadInput("ends_on", _("The leave date lies before the join date. Check both."))
    if entry.activity:
        check_deed(entry.activity)
        if entry.activity.done_on < entry.starts_on:
            raise BadInput(
                "done_on",
                _("The activity lies before the join date, so it does not count. Check both."),
            )


def check_deed(deed: Deed) -> None:
    """Raise BadInput for bingo work, which § 10-63(12) does not count, or a day to come."""
    if not in_force(timezone.localdate()).activity.counts(deed.kind):
        raise BadInput(
            "kind",
            _("Bingo work does not count (§ 10-63(12)). Name an activity other than bingo."),
        )
    if deed.done_on > timezone.localdate():
        raise BadInput(
            "done_on", _("The date lies in the future. Record the activity once it has happened.")
        )
    refuse_ssn("description", deed.description)


def find_or_make(by: Actor, entry: Enrollment, organization: Organization) -> tuple[Person, bool]:
    """The person meant: on this roster already, known by name and birth date, or new."""
    mine = on_this_roster(entry, organization)
    if mine is not None:
        return mine, True
    same = same_human(tidy(entry.full_name), entry.born_on)
    if same is not None:
        return same, True
    return numbered(unsaved_person(entry.person)), False


def on_this_roster(entry: Enrollment, organization: Organization) -> Person | None:
    """The person whom the organization itself listed under this name, unless birth dates differ.

    Only its own words are asked: the registered name may be another organization's. Raises
    BadInput for days on which it has him already, under whichever of his records.
    """
    rows = Membership.objects.standing().annotate(plain_stated=Plain(F("name_stated")))
    rows = rows.filter(organization=organization, plain_stated=Plain(Value(tidy(entry.full_name))))
    fits = [
        (root_of(row.person), row)
        for row in rows.select_related("person")
        if entry.born_on is None or row.born_on_stated in {None, entry.born_on}
    ]
    if len({person.pk for person, _row in fits}) != 1:
        return None
    days = Period(entry.starts_on, entry.ends_on)
    if any(row.period.overlaps(days) for _person, row in fits):
        raise BadInput("starts_on", listed_already())
    return fits[0][0]


def listed_already() -> str:
    """Why a person is not put on the roster twice."""
    return _(
        "This person is on the roster on some of these days already. End or correct that line."
    )


def refuse_self(
    by: Actor, person: Person, statement: Statement, name: str, field: str = "full_name"
) -> None:
    """Nobody attests for himself (decisions 14): neither who is signed in nor who signed a paper.

    A login that is tied to a person is known by it, everybody else by the name he signs with.
    """
    if is_about_oneself(by, person, statement, name):
        raise BadInput(
            field,
            _("This line is about %(name)s: another officer of the organization must confirm it.")
            % {"name": name},
        )


def is_about_oneself(by: Actor, person: Person, statement: Statement, name: str) -> bool:
    """Tell whether who states it is whom it is about; without a statement nobody is."""
    if statement.attested_on is None:
        return False
    tied = by.person if isinstance(by, User) else None
    if tied is not None and root_of(tied).pk == person.pk:
        return True
    in_own_name = isinstance(by, User) and statement.attested_by == by.get_full_name()
    if tied is not None and in_own_name:
        return False
    return _alike(statement.attested_by, name)


def _alike(one: str, other: str) -> bool:
    return tidy(one).casefold() == tidy(other).casefold()


def keep_person(person: Person, *, known: bool, organization: Organization) -> None:
    """Write a new person, or note a join by name and birth date on the clerk's list.

    Either is locked, so that both take as long (decisions 16).
    """
    if not known:
        person.save(force_insert=True)
    lock_person(person)
    if known:
        _note_link(person, organization)


def _note_link(person: Person, organization: Organization) -> None:
    """A join across organizations is listed for the clerk; one inside a roster is no join."""
    if person.memberships.filter(organization=organization).exists():
        return
    WorkItem.objects.create(
        kind=WorkItem.Kind.LINKED,
        person=person,
        organization=organization,
        cite="§ 10-63(10)",
        data={"same": "name and birth date"},
    )


def write_membership(
    person: Person,
    organization: Organization,
    entry: Enrollment,
    statement: Statement,
    roster_file: RosterFile | None,
) -> Membership:
    """Write the line itself, with address and activity, inside a running act."""
    with saying("membership_one_at_a_time", "starts_on", listed_already()):
        membership = Membership.objects.create(
            person=person,
            organization=organization,
            kind=entry.kind,
            starts_on=entry.starts_on,
            ends_on=entry.ends_on,
            name_stated=tidy(entry.full_name),
            born_on_stated=entry.born_on,
            is_adult_stated=entry.is_adult,
            is_resident_stated=entry.is_resident,
            roster_file=roster_file,
            attested_on=statement.attested_on,
            attested_by=statement.attested_by,
            evidence=statement.evidence,
        )
    _write_address(person, organization, entry)
    if entry.activity:
        write_activity(person, organization, entry.activity, statement)
    return membership


def _write_address(person: Person, organization: Organization, entry: Enrollment) -> None:
    if entry.street or entry.city or entry.postal_code:
        person.addresses.create(
            stated_by=organization,
            street=entry.street,
            city=entry.city,
            state=entry.state,
            postal_code=entry.postal_code,
            starts_on=entry.starts_on,
        )


def write_activity(
    person: Person, organization: Organization, deed: Deed, statement: Statement
) -> None:
    """Write one activity inside a running act; the same one again is found, not doubled."""
    write_activities([person], organization, deed, statement)


def write_activities(
    people: Iterable[Person], organization: Organization, deed: Deed, statement: Statement
) -> None:
    """Write what these people did together; who has it already keeps it, confirmed if it was not.

    People whose records were joined are given by their surviving record.
    """
    by_pk = {person.pk: person for person in people}
    there = Activity.objects.standing().filter(
        person__in=by_pk, organization=organization, done_on=deed.done_on, kind=deed.kind
    )
    known = set(there.values_list("person_id", flat=True))
    shown = {
        "attested_on": statement.attested_on,
        "attested_by": statement.attested_by,
        "evidence": statement.evidence,
    }
    if known and statement.attested_on:
        there.filter(attested_on=None).update(**shown)
    Activity.objects.bulk_create(
        Activity(
            person=person,
            organization=organization,
            done_on=deed.done_on,
            kind=deed.kind,
            description=deed.description,
            **shown,
        )
        for pk, person in by_pk.items()
        if pk not in known
    )


def record_activity(
    by: Actor,
    organization: Organization,
    memberships: Sequence[Membership],
    deed: Deed,
    statement: Statement,
) -> int:
    """Record who took part in something other than bingo; returns how many were recorded.

    Raises BadInput on `people` for who was not on the roster on that day or confirms himself.
    """
    require(by, Capability.KEEP_ROSTER, organization)
    check_deed(deed)
    check_enrolled(memberships, deed.done_on)
    for row in memberships:
        refuse_self(by, root_of(row.person), statement, row.name_stated, "people")
    told = _told(deed, memberships)
    with acting(by, "activity.recorded", organization=organization, data=told):
        refuse_merged(organization, but=by)
        people = lock_people([row.person for row in memberships])
        write_activities(people.values(), organization, deed, statement)
    return len({person.pk for person in people.values()})


def check_enrolled(memberships: Sequence[Membership], day: date) -> None:
    """Raise BadInput naming those who were not on the roster on the day."""
    outside = [row.name_stated for row in memberships if not row.period.covers(day)]
    if outside:
        raise BadInput(
            "people",
            _("Not on the roster on that day: %(names)s. Leave them out, or check the date.")
            % {"names": ", ".join(outside)},
        )


def _told(deed: Deed, memberships: Sequence[Membership]) -> dict[str, object]:
    return {
        "kind": deed.kind,
        "done_on": deed.done_on.isoformat(),
        "people": [row.name_stated for row in memberships],
    }


def statement_of(
    by: Actor, *, on_behalf_of: str = "", evidence: str = "", received_on: date | None = None
) -> Statement:
    """The statement the acting officer makes today, or the one on a paper a clerk keys in.

    A paper's statement is dated by its receipt (decisions 18).
    """
    name = on_behalf_of or (by.get_full_name() if isinstance(by, User) else by.value)
    return Statement(received_on or timezone.localdate(), name, evidence)
