"""Acts on the parties: found organizations, register and correct persons, hand out roles."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import date
from typing import Any, TypeVar

from django.db import DatabaseError, IntegrityError, connection, models, transaction
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import slugify
from django.utils.translation import gettext as _

from registry.access import BadInput, Capability, Refused, is_regulator, require
from registry.base import RegisterModel, VoidableModel, insert_all
from registry.constraints import PROVISIONS, constraint_of
from registry.doubles import doubles_of
from registry.entries import has_ssn
from registry.history import System, acting
from registry.models import Organization, Person, User, WorkItem
from registry.reasons import kept
from registry.selectors import root_of

Actor = User | System
V = TypeVar("V", bound=VoidableModel)
M = TypeVar("M", bound=models.Model)

EIN = re.compile(r"[0-9]{9}")
SLUGS = 1064
"""The advisory lock of slugs, apart from any others."""
RESERVED = frozenset({"new", "from-irs"})
"""Slugs that are pages beside the organizations."""


def lock_person(person: Person) -> Person:
    """The surviving record of this human, locked until the transaction ends.

    Everything about a person's eligibility takes this one lock.
    """
    pk = root_of(person).pk
    return lock_roots([pk])[pk]


def lock_people(persons: list[Person]) -> dict[int, Person]:
    """Lock many persons in the order of their ids, so that two lists at once never deadlock."""
    roots = {person.pk: root_of(person).pk for person in persons}
    locked = lock_roots(roots.values())
    return {pk: locked[root] for pk, root in roots.items()}


def lock_roots(ids: Iterable[int]) -> dict[int, Person]:
    """The surviving records by these ids, locked in one statement and in the order of their ids.

    Who was joined with another meanwhile is locked as that other, after all were let go: to wait
    for one while another is held would be to wait for each other.
    """
    roots = {pk: pk for pk in ids}
    while True:
        before = transaction.savepoint()
        rows = Person.objects.select_for_update(no_key=True).filter(pk__in=set(roots.values()))
        locked = {row.pk: row for row in rows.order_by("pk")} if roots else {}
        joined = {pk: row.merged_into_id for pk, row in locked.items() if row.merged_into_id}
        if not joined:
            transaction.savepoint_commit(before)
            return {pk: locked[root] for pk, root in roots.items()}
        transaction.savepoint_rollback(before)
        roots = {pk: joined.get(root) or root for pk, root in roots.items()}


def lock_organizations(*organizations: Organization) -> list[Organization]:
    """These organizations as they stand now, locked in the order of their ids."""
    ids = [organization.pk for organization in organizations]
    rows = Organization.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk")
    locked = {row.pk: row for row in rows}
    return [locked[pk] for pk in ids]


def refuse_merged(organization: Organization, but: Actor | None = None) -> None:
    """Raise Refused for an organization that was taken over; to `but` only if he is no regulator.

    A merger that is being recorded is waited for; one that comes later waits for this transaction.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT merged_into_id FROM registry_organization WHERE id = %s FOR SHARE",
            [organization.pk],
        )
        (survivor,) = cursor.fetchone()
    if survivor and not (isinstance(but, User) and is_regulator(but)):
        name = Organization.objects.get(pk=survivor).name
        raise Refused(
            _("%(gone)s was merged into %(name)s: enter it there.")
            % {"gone": organization.name, "name": name}
        )


def refuse_ssn(field: str, *texts: str) -> None:
    """No Social Security number enters any field (decisions 22; F.S. 119.071(5))."""
    if any(has_ssn(text) for text in texts):
        raise BadInput(
            field,
            _(
                "This looks like a Social Security number. The register keeps none:"
                " take it out and hand it to the sheriff on paper."
            ),
        )


@dataclass(frozen=True, slots=True)
class OrganizationEntry:
    """What is typed about an organization."""

    name: str
    kind: str
    ein: str = ""
    street: str = ""
    city: str = ""
    state: str = "FL"
    postal_code: str = ""
    existing_since: date | None = None


def found_organization(by: Actor, entry: OrganizationEntry) -> Organization:
    """Enter a new organization; its slug is made from the name and never changes."""
    require(by, Capability.KEEP_ORGANIZATIONS)
    return insert_organization(by, entry, "organization.founded")


def insert_organization(by: Actor, entry: OrganizationEntry, verb: str) -> Organization:
    """The same as another act, whose service has asked who may."""
    _check_organization(entry)
    organization = numbered(Organization(**_columns(entry)))
    with acting(by, verb, organization=organization), _unique_ein():
        organization.slug = _free_slug(entry.name)
        organization.save(force_insert=True)
    return organization


def change_organization(
    by: Actor, organization: Organization, entry: OrganizationEntry, *, reason: str
) -> Organization:
    """Change what the register says of an organization; tags with the old name go stale."""
    require(by, Capability.KEEP_ORGANIZATIONS, organization)
    need_reason(reason)
    _check_organization(entry)
    with (
        acting(by, "organization.changed", reason=reason, organization=organization),
        _unique_ein(),
    ):
        row = lock_organizations(organization)[0]
        for column, value in _columns(entry).items():
            setattr(row, column, value)
        row.save()
    return row


def _check_organization(entry: OrganizationEntry) -> None:
    if not entry.name.strip():
        raise BadInput("name", _("The name is missing. Write it as the license has it."))
    if entry.kind not in Organization.Kind.values:
        raise BadInput("kind", _("Choose one of the kinds that are shown."))
    if entry.ein and not EIN.fullmatch(entry.ein):
        raise BadInput("ein", _("An EIN has nine digits. Write it as 12-3456780."))
    refuse_ssn("name", entry.name)
    refuse_ssn("street", entry.street, entry.city)


@contextmanager
def saying(constraint: str, field: str, message: str) -> Iterator[None]:
    """Turn the database's no under this name into one sentence on one field (BadInput)."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        if constraint_of(error) != constraint:
            raise
        raise BadInput(field, message) from error


def _unique_ein() -> AbstractContextManager[None]:
    text = _("Another organization has this EIN. Look it up by the number before going on.")
    return saying("organization_ein_unique", "ein", text)


def _columns(entry: OrganizationEntry) -> dict[str, Any]:
    return {
        "name": " ".join(entry.name.split()),
        "kind": entry.kind,
        "ein": entry.ein or None,
        "street": entry.street,
        "city": entry.city,
        "state": entry.state,
        "postal_code": entry.postal_code,
        "existing_since": entry.existing_since,
    }


def _free_slug(name: str) -> str:
    """A slug nobody has; held until the transaction ends, so that two of one name get two."""
    from anyascii import anyascii

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [SLUGS])
    base = slugify(anyascii(name))[:70] or "organization"
    taken = set(Organization.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    numbered = (f"{base}-{n}" for n in range(2, len(taken) + 3))
    taken |= RESERVED
    return base if base not in taken else next(slug for slug in numbered if slug not in taken)


def numbered(row: M) -> M:
    """The unsaved row with its future id, so that the act that makes it can name it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT nextval(pg_get_serial_sequence(%s, 'id'))", [row._meta.db_table])
        row.pk = cursor.fetchone()[0]
    return row


@dataclass(frozen=True, slots=True)
class PersonEntry:
    """What is typed about a person; the full name is the truth, its parts are optional."""

    full_name: str
    given_name: str = ""
    family_name: str = ""
    born_on: date | None = None


def tidy(name: str) -> str:
    """A name as it is kept: composed letters, single blanks, nothing invisible."""
    text = unicodedata.normalize("NFC", name)
    text = "".join(
        " " if unicodedata.category(ch) in {"Cc", "Zs", "Zl", "Zp"} else ch for ch in text
    )
    return " ".join(text.split())


def register_person(by: Actor, entry: PersonEntry) -> Person:
    """Enter a person whom no organization has named yet; a clerk's act."""
    require(by, Capability.KEEP_PEOPLE)
    check_person(entry)
    person = numbered(unsaved_person(entry))
    with acting(by, "person.registered", person=person):
        person.save(force_insert=True)
        note_doubles([person])
    return person


def note_doubles(people: Sequence[Person], organization: Organization | None = None) -> int:
    """List whom these saved persons may be the same as, inside a running act; returns how many.

    For the clerk alone: each item keeps the reasons as codes, worded when it is shown.
    """
    items = (
        WorkItem(
            kind=WorkItem.Kind.POSSIBLE_DOUBLE,
            person_id=double.person,
            other_id=double.other,
            organization=organization,
            cite="§ 10-63(10)",
            data=kept(double.likeness),
        )
        for double in doubles_of(people)
    )
    return insert_all(WorkItem, items)


def unsaved_person(entry: PersonEntry) -> Person:
    """A new person as typed, tidied and not yet written."""
    return Person(
        full_name=tidy(entry.full_name),
        given_name=tidy(entry.given_name),
        family_name=tidy(entry.family_name),
        born_on=entry.born_on,
    )


def check_person(entry: PersonEntry) -> None:
    """Raise BadInput for a name that is none, a number where none belongs, or a future birth."""
    if not tidy(entry.full_name):
        raise BadInput(
            "full_name", _("A name is missing. Write it as it stands on the person's papers.")
        )
    refuse_ssn("full_name", entry.full_name)
    check_birth_date(entry.born_on)


def check_birth_date(born_on: date | None) -> None:
    """Raise BadInput for a birth date that no living worker has."""
    today = timezone.localdate()
    if (born_on and not today.year - 120 <= born_on.year) or (born_on and born_on > today):
        raise BadInput(
            "born_on",
            _("The birth date %(day)s cannot be right. Check it and give a four-digit year.")
            % {"day": date_format(born_on, "M j, Y")},
        )


def correct_person(by: Actor, person: Person, entry: PersonEntry, *, reason: str) -> Person:
    """Change the registered name or birth date; a clerk alone does that (decisions 15).

    Whoever that makes alike is listed, and never joined, however equal.
    """
    require(by, Capability.KEEP_PEOPLE)
    need_reason(reason)
    check_person(entry)
    with acting(by, "person.corrected", reason=reason, person=person):
        person = lock_person(person)
        person.full_name, person.given_name = tidy(entry.full_name), tidy(entry.given_name)
        person.family_name, person.born_on = tidy(entry.family_name), entry.born_on
        person.save()
        note_doubles([person])
    return person


def check_days(starts_on: date, ends_on: date | None, *, field: str = "ends_on") -> None:
    """Raise BadInput on the field of the last day when it lies before the first."""
    if ends_on and ends_on < starts_on:
        raise BadInput(
            field,
            _("The last day lies before the first, %(day)s. Check both.")
            % {"day": date_format(starts_on, "M j, Y")},
        )


def reveal_birth_date(by: User, person: Person) -> date | None:
    """The birth date, shown on request to those who need it; each look is an act."""
    require(by, Capability.SEE_BIRTH_DATE)
    with acting(by, "birth_date.revealed", person=person):
        return person.born_on


def void(by: Actor, row: V, *, reason: str, capability: Capability) -> V:
    """Take a row that was entered in error out of every count; it stays in the history."""
    organization, person = organization_of(row), getattr(row, "person", None)
    require(by, capability, organization)
    need_reason(reason)
    verb = f"{row._meta.model_name}.voided"
    with acting(by, verb, reason=reason, organization=organization, person=person):
        if person is not None:
            lock_person(person)
        lock_row(row)
        row.voided_at, row.void_reason = timezone.now(), reason
        row.save(update_fields=["voided_at", "void_reason"])
    return row


def lock_row(row: VoidableModel) -> None:
    """Lock a standing row and read it anew, so that of two acts at once the later sees the first.

    Raises Refused for a row that was taken out meanwhile.
    """
    rows = type(row).objects.select_for_update(no_key=True, of=("self",))
    row.refresh_from_db(from_queryset=rows)
    if row.voided_at is not None:
        raise Refused(_("This was taken out already: look at what stands there now."))


def organization_of(row: RegisterModel) -> Organization | None:
    """The organization a row belongs to, along the model's path; None for the county's rows."""
    found: Any = row
    for step in (row.tenant or "").split("__"):
        found = getattr(found, step, None) if step not in {"", "self"} else found
    return found if isinstance(found, Organization) else None


def need_reason(reason: str) -> None:
    """Raise BadInput when somebody changes the past without saying why."""
    if not reason.strip():
        raise BadInput("reason", _("Say why: the history keeps your words beside the change."))
    refuse_ssn("reason", reason)


def close_work_item(by: Actor, item: WorkItem, *, outcome: str) -> WorkItem:
    """Say how a work item ended; it leaves the list and stays in the history."""
    require(by, Capability.KEEP_PEOPLE)
    need_reason(outcome)
    with acting(by, "work.closed", reason=outcome, person=item.person):
        item.refresh_from_db(from_queryset=WorkItem.objects.select_for_update(no_key=True))
        if item.closed_at is not None:
            raise BadInput("outcome", _("A colleague took this off the list meanwhile."))
        item.closed_at, item.outcome = timezone.now(), outcome
        item.save(update_fields=["closed_at", "outcome"])
    return item


def say_refusal(error: DatabaseError) -> Refused:
    """The database's no as a refusal with its cite, for the rare race that got that far."""
    name = constraint_of(error) or ""
    cite = PROVISIONS.get(name)
    if cite is None:
        raise error
    return Refused(
        _("Another entry came first: %(cite)s does not allow this one.") % {"cite": cite}
    )
