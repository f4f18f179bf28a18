"""Acts on where people live."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from registry.access import BadInput, Capability, require
from registry.history import acting
from registry.models import Address, Person
from registry.periods import ONE_DAY
from registry.services import Actor, check_days, lock_person, lock_row, refuse_ssn


@dataclass(frozen=True, slots=True)
class AddressEntry:
    """Where a person lives from a day on; a seasonal address has a last day."""

    starts_on: date
    street: str = ""
    city: str = ""
    state: str = ""
    postal_code: str = ""
    ends_on: date | None = None
    is_exempt: bool = False


def record_address(by: Actor, person: Person, entry: AddressEntry) -> Address:
    """Write where a person lives from a day on; the clerk's own record ends the day before.

    A seasonal address stands beside the other one. Raises BadInput with the field.
    """
    require(by, Capability.KEEP_PEOPLE)
    check_days(entry.starts_on, entry.ends_on)
    refuse_ssn("street", entry.street, entry.city)
    if not (entry.street or entry.city):
        raise BadInput("city", _("An address needs at least a city. Fill it in."))
    with acting(by, "address.recorded", person=person):
        person = lock_person(person)
        if entry.ends_on is None:
            _end_earlier_address(person, entry.starts_on)
        columns = {name: getattr(entry, name) for name in AddressEntry.__slots__}
        address: Address = Address.objects.create(person=person, **columns)
        return address


def _end_earlier_address(person: Person, starts_on: date) -> None:
    own = Address.objects.standing().filter(
        person=person, stated_by__isnull=True, ends_on__isnull=True
    )
    for row in own:
        if row.starts_on >= starts_on:
            raise BadInput(
                "starts_on",
                _("An address since %(day)s is recorded already: take that one out first.")
                % {"day": date_format(row.starts_on, "M j, Y")},
            )
        row.ends_on = starts_on - ONE_DAY
        row.save(update_fields=["ends_on"])


def end_address(by: Actor, address: Address, *, last_day: date) -> Address:
    """Record the last day of an address."""
    require(by, Capability.KEEP_PEOPLE)
    check_days(address.starts_on, last_day, field="last_day")
    with acting(by, "address.ended", person=address.person):
        lock_person(address.person)
        lock_row(address)
        address.ends_on = last_day
        address.save(update_fields=["ends_on"])
    return address
