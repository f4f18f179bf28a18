"""What a grant writes into the register: officers, members in charge, bank, premises, interests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, TypeVar

from django.db.models import Q
from django.utils import timezone

from licenses.models import (
    BankAccount,
    InCharge,
    LessorInterest,
    License,
    Officer,
    Premises,
)
from registry.base import EffectiveModel
from registry.models import Organization, Person
from registry.periods import ONE_DAY
from registry.services import PersonEntry, note_doubles, unsaved_person

Values = Mapping[str, Mapping[str, Any]]
R = TypeVar("R", bound=EffectiveModel)


def settle(license_: License, values: Values) -> None:
    """Inside the act of a grant: what was applied for stands in the register from the first day.

    What is no longer named ends on the day before; what is named alike goes on.
    """
    organization, first = license_.organization, license_.issued_on
    own = {"organization": organization}
    _replace(Officer.objects.filter(**own), _officers(organization, first, values), first)
    if license_.license_class == License.Class.A:
        members = InCharge.objects.filter(**own)
        _replace(members, _in_charge(organization, first, values), first)
    accounts = BankAccount.objects.filter(**own, purpose=_purpose(license_))
    _replace(accounts, _accounts(license_, values), first)
    # A body with both classes has its places under each: the other license's stay.
    other_class = Q(license__isnull=False) & ~Q(license__license_class=license_.license_class)
    places = Premises.objects.filter(**own).exclude(other_class)
    _replace(places, _premises(license_, values), first)
    if license_.license_class == License.Class.B:
        _interests(organization, first, values)
    since = values.get("exemption", {}).get("existing_since")
    if since and organization.existing_since is None:
        organization.existing_since = since
        organization.save(update_fields=["existing_since"])


def _replace(before: Any, wanted: Sequence[R], first: date) -> None:
    """The rows wanted stand from the first day on; of those before, what says the same is left."""
    rows = before.standing().exclude(ends_on__lt=first)
    standing = {_says(row): row for row in rows.select_for_update(no_key=True, of=("self",))}
    new = {_says(row): row for row in wanted}
    for says, row in standing.items():
        if says not in new:
            _end(row, first - ONE_DAY)
    before.model.objects.bulk_create(row for says, row in new.items() if says not in standing)


LEFT_ASIDE = frozenset(
    {"id", "starts_on", "ends_on", "voided_at", "void_reason", "license", "organization"}
)


def _says(row: EffectiveModel) -> tuple[Any, ...]:
    """What a row says, its days and its license left aside."""
    fields = (f for f in row._meta.concrete_fields if f.name not in LEFT_ASIDE)
    return tuple(getattr(row, field.attname) for field in fields)


def _end(row: EffectiveModel, last_day: date) -> None:
    if last_day < row.starts_on:
        row.voided_at, row.void_reason = timezone.now(), "replaced before it began"
    else:
        row.ends_on = last_day
    row.save(update_fields=["ends_on", "voided_at", "void_reason"])


def _officers(organization: Organization, first: date, values: Values) -> list[Officer]:
    named = {
        (row["name"], row["office"]): row
        for row in values.get("officers", {}).get("officers", ())
        if row.get("name") and row.get("office")
    }
    return [
        Officer(
            organization=organization,
            full_name=name,
            office=office,
            signs_checks=row.get("signs") == "yes",
            starts_on=first,
        )
        for (name, office), row in named.items()
    ]


def _in_charge(organization: Organization, first: date, values: Values) -> list[InCharge]:
    rows = values.get("in_charge", {}).get("members", ())
    names = dict.fromkeys(row["name"] for row in rows if row.get("name"))
    return [InCharge(organization=organization, full_name=name, starts_on=first) for name in names]


def _purpose(license_: License) -> str:
    """Bingo money and lease income have each their own account (§§ 10-64(b), 10-65(c))."""
    is_conducting = license_.license_class == License.Class.A
    return BankAccount.Purpose.BINGO if is_conducting else BankAccount.Purpose.LEASE


def _accounts(license_: License, values: Values) -> list[BankAccount]:
    bank = values.get("bank", {})
    if not all(bank.get(key) for key in ("bank", "county", "last_four")):
        return []
    account = BankAccount(
        organization=license_.organization,
        purpose=_purpose(license_),
        bank=bank["bank"],
        branch_county=bank["county"],
        last_four=bank["last_four"],
        starts_on=license_.issued_on,
    )
    return [account]


def _premises(license_: License, values: Values) -> list[Premises]:
    places = values.get("premises", {}).get("places", ())
    return [_place(license_, row) for row in places if row.get("name") and row.get("street")]


def _place(license_: License, row: Mapping[str, Any]) -> Premises:
    return Premises(
        organization=license_.organization,
        license=license_,
        name=row["name"],
        street=row["street"],
        city=row.get("city", ""),
        postal_code=row.get("postal_code", ""),
        basis=row.get("basis", Premises.Basis.OWNED),
        owner_name=row.get("owner", ""),
        lease_starts_on=row.get("lease_from"),
        lease_ends_on=row.get("lease_to"),
        rent=row["rent"] if row.get("rent") in Premises.Rent.values else "",
        rent_amount=row.get("amount"),
        starts_on=license_.issued_on,
    )


def _interests(lessor: Organization, first: date, values: Values) -> None:
    """Everyone with an interest in a hall owner, its officers too (§ 10-65(b)); each a person."""
    named: dict[str, str] = {}
    for row in values.get("officers", {}).get("officers", ()):
        if row.get("name"):
            is_director = "director" in str(row.get("office", "")).casefold()
            named[row["name"]] = "director" if is_director else "officer"
    for row in values.get("interests", {}).get("people", ()):
        if row.get("name") and row.get("tie"):
            named.setdefault(row["name"], row["tie"])
    known = set(
        LessorInterest.objects.on(first)
        .filter(lessor=lessor, person__full_name__in=named)
        .values_list("person__full_name", "tie")
    )
    for name, tie in named.items():
        if (name, tie) not in known:
            person: Person = unsaved_person(PersonEntry(name))
            person.save(force_insert=True)
            note_doubles([person])
            LessorInterest.objects.create(person=person, lessor=lessor, tie=tie, starts_on=first)
