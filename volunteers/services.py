"""Acts on rosters: enroll, end, suspend, record activities; each under the person's lock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from django.db.models import Value
from django.utils import timezone
from django.utils.translation import gettext as _
from registry.ruleset import in_force

from licenses.services import check_span
from registry.access import BadInput, Capability, require
from registry.history import acting
from registry.models import Organization, Person, Plain, User, WorkItem
from registry.selectors import namesakes, root_of, same_human
from registry.services import (
    Actor,
    PersonEntry,
    check_person,
    lock_person,
    numbered,
    refuse_ssn,
    saying,
    tidy,
    unsaved_person,
)
from volunteers.models import Activity, Membership, RosterFile, Suspension


@dataclass(frozen=True, slots=True)
class Statement:
    """Who answers for a fact, since when, and what shows it (decisions 14)."""

    attested_on: date | None = None
    attested_by: str = ""
    evidence: str = ""


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
    person, known = find_or_make(by, entry, organization)
    refuse_self(by, person, statement)
    with acting(by, "member.enrolled", organization=organization, person=person):
        keep_person(person, entry, known=known, organization=organization)
        return write_membership(person, organization, entry, statement, roster_file)


def check_enrollment(entry: Enrollment) -> None:
    """Raise BadInput unless the line alone makes sense."""
    check_person(entry.person)
    refuse_ssn("street", entry.street, entry.city)
    if entry.ends_on and entry.ends_on < entry.starts_on:
        raise BadInput("ends_on", _("The leave date lies before the join date. Check both."))
    if entry.activity:
        check_deed(entry.activity)


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
    """The person of this name whom the organization itself listed, unless birth dates differ."""
    rows = Membership.objects.standing().filter(
        organization=organization, person__search_name=Plain(Value(tidy(entry.full_name)))
    )
    fits = [
        root_of(row.person)
        for row in rows.select_related("person")
        if entry.born_on is None or row.born_on_stated in {None, entry.born_on}
    ]
    return fits[0] if len({person.pk for person in fits}) == 1 else None


def refuse_self(by: Actor, person: Person, statement: Statement) -> None:
    """Nobody attests for himself (decisions 14)."""
    if not isinstance(by, User) or by.person is None or statement.attested_on is None:
        return
    if root_of(by.person).pk == person.pk:
        raise BadInput(
            "full_name",
            _("This line is about yourself. Another officer of the organization must confirm it."),
        )


def keep_person(
    person: Person, entry: Enrollment, *, known: bool, organization: Organization
) -> None:
    """Write a new person, or note a join by name and birth date; both reach the clerk's list."""
    if known:
        lock_person(person)
        _note_link(person, organization)
        return
    person.save(force_insert=True)
    for other in namesakes(person):
        WorkItem.objects.create(
            kind=WorkItem.Kind.POSSIBLE_DOUBLE,
            person=person,
            other=other,
            organization=organization,
            cite="§ 10-63(10)",
            data={"same": "name"},
        )


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
    text = _(
        "This person is on the roster on some of these days already. End or correct that line."
    )
    with saying("membership_one_at_a_time", "starts_on", text):
        membership = Membership.objects.create(
            person=person,
            organization=organization,
            kind=entry.kind,
            starts_on=entry.starts_on,
            ends_on=entry.ends_on,
            name_stated=tidy(entry.full_name),
            born_on_stated=entry.born_on,
            is_adult_stated=entry.is_adult or entry.born_on is not None,
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
) -> Activity:
    """Write one activity inside a running act; the same one again is found, not doubled."""
    activity, _made = Activity.objects.standing().get_or_create(
        person=person,
        organization=organization,
        done_on=deed.done_on,
        kind=deed.kind,
        defaults={
            "description": deed.description,
            "attested_on": statement.attested_on,
            "attested_by": statement.attested_by,
            "evidence": statement.evidence,
        },
    )
    found: Activity = activity
    return found


def record_activity(
    by: Actor,
    organization: Organization,
    memberships: Sequence[Membership],
    deed: Deed,
    statement: Statement,
) -> int:
    """Record who took part in something other than bingo; returns how many were recorded."""
    require(by, Capability.KEEP_ROSTER, organization)
    check_deed(deed)
    for membership in memberships:
        _was_enrolled(membership, deed)
        refuse_self(by, root_of(membership.person), statement)
    with acting(by, "activity.recorded", organization=organization, data=_told(deed, memberships)):
        for membership in sorted(memberships, key=lambda row: row.person_id):
            write_activity(lock_person(membership.person), organization, deed, statement)
    return len(memberships)


def _was_enrolled(membership: Membership, deed: Deed) -> None:
    if not membership.period.covers(deed.done_on):
        raise BadInput(
            "done_on",
            _("%(name)s was not on the roster on that day. Leave the person out or check the date.")
            % {"name": membership.name_stated},
        )


def _told(deed: Deed, memberships: Sequence[Membership]) -> dict[str, object]:
    return {
        "kind": deed.kind,
        "done_on": deed.done_on.isoformat(),
        "people": [row.name_stated for row in memberships],
    }


def confirm_membership(by: Actor, membership: Membership, statement: Statement) -> Membership:
    """An officer's later statement for a line that nobody had answered for."""
    require(by, Capability.KEEP_ROSTER, membership.organization)
    refuse_self(by, root_of(membership.person), statement)
    with acting(
        by, "member.confirmed", organization=membership.organization, person=membership.person
    ):
        lock_person(membership.person)
        membership.attested_on, membership.attested_by = (
            statement.attested_on,
            statement.attested_by,
        )
        membership.evidence = statement.evidence
        membership.save(update_fields=["attested_on", "attested_by", "evidence"])
    return membership


def suspend_member(
    by: Actor, membership: Membership, *, starts_on: date, ends_on: date | None, reason: str
) -> Suspension:
    """Record that the organization suspended a member or volunteer (cases P6)."""
    organization = membership.organization
    require(by, Capability.KEEP_ROSTER, organization)
    check_span(starts_on, ends_on)
    refuse_ssn("reason", reason)
    text = _("The person is already suspended on some of these days.")
    with (
        acting(by, "member.suspended", organization=organization, person=membership.person),
        saying("suspension_one_at_a_time", "starts_on", text),
    ):
        return Suspension.objects.create(
            person=lock_person(membership.person),
            organization=organization,
            starts_on=starts_on,
            ends_on=ends_on,
            reason=reason,
        )


def end_suspension(by: Actor, suspension: Suspension, *, last_day: date) -> Suspension:
    """Record the last day of a suspension."""
    require(by, Capability.KEEP_ROSTER, suspension.organization)
    check_span(suspension.starts_on, last_day)
    with acting(
        by,
        "member.suspension_ended",
        organization=suspension.organization,
        person=suspension.person,
    ):
        lock_person(suspension.person)
        suspension.ends_on = last_day
        suspension.save(update_fields=["ends_on"])
    return suspension


def statement_of(by: Actor, *, on_behalf_of: str = "", evidence: str = "") -> Statement:
    """The statement the acting officer makes today, or the one on a paper a clerk keys in."""
    name = on_behalf_of or (by.get_full_name() if isinstance(by, User) else by.value)
    return Statement(timezone.localdate(), name, evidence)
