"""Reading the parties: whom may this user see, and who is meant by what was typed."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.db import connection
from django.db.models import (
    BigIntegerField,
    BooleanField,
    Case,
    F,
    Func,
    Prefetch,
    Q,
    QuerySet,
    Value,
    When,
)
from django.http import Http404
from django.utils import timezone

from registry.access import Anyone, Capability, can, is_regulator
from registry.history import Act
from registry.models import (
    AccountHolder,
    Address,
    Organization,
    Person,
    RoleGrant,
    User,
    WorkItem,
)

LIMIT = 25
LAST = "\U0010ffff"


def organizations(user: Anyone) -> QuerySet[Organization]:
    """The organizations this user may open, by name."""
    return Organization.objects.visible_to(user).order_by("name", "pk")


def taken_over_by(user: Anyone, organization: Organization) -> QuerySet[Organization]:
    """The bodies that this one took over, the latest merger first; for regulators."""
    rows = organizations(user) if is_regulator(user) else Organization.objects.none()
    return rows.filter(merged_into=organization).order_by("-merged_on", "pk")


def organization_for(user: Anyone, slug: str) -> Organization:
    """The organization of this address; what is not the user's is not there (404)."""
    found = organizations(user).filter(slug=slug).first()
    if found is None:
        raise Http404
    return found


def _plain(text: str) -> str:
    """What was typed, as the stored search names are written (asked of the database)."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT registry_plain(%s)", [text.replace("\0", "")])
        return str(cursor.fetchone()[0])


def _is_short(plain: str) -> bool:
    return len(plain) < 3  # noqa: PLR2004 - a trigram has three letters


def _begins(column: str, plain: str) -> Q:
    """A prefix as a range in the plain index, the one form that is fast."""
    return Q(**{f"{column}__gte": plain, f"{column}__lt": plain + LAST})


def _word_begins(plain: str) -> Q:
    """Words inside a name by their first letters; signs of scripts without blanks anywhere."""
    return Q(search_name__contains=f" {plain}" if plain.isascii() else plain)


def by_name(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    """Rows whose name begins with a short text, or holds each word of a longer one, best first.

    Three letters and more use the trigram index.
    """
    plain = _plain(text)
    if _is_short(plain):
        return rows.filter(_begins("search_name", plain) | _word_begins(plain))
    for word in plain.split():
        rows = rows.filter(search_name__contains=word)
    starts = When(search_name__startswith=plain, then=Value(value=True))
    first = Case(starts, default=Value(value=False), output_field=BooleanField())
    asked = rows.query.order_by
    ordered: QuerySet[Any] = rows.annotate(starts=first).order_by("-starts", *asked)
    return ordered


def matching_organizations(rows: QuerySet[Organization], text: str) -> QuerySet[Organization]:
    """Those of the rows whose name or EIN fits, best first; all when nothing is typed."""
    digits = text.replace("-", "").strip()
    if digits.isascii() and digits.isdigit() and len(digits) == 9:  # noqa: PLR2004 - an EIN
        return rows.filter(ein=digits)
    return by_name(rows, text) if text.strip() else rows


def find_organizations(user: Anyone, text: str) -> list[Organization]:
    """Up to 25 organizations by any part of their name or by EIN; all when nothing is typed."""
    rows = organizations(user).filter(merged_into__isnull=True)
    return list(matching_organizations(rows, text)[:LIMIT])


def people(user: Anyone) -> QuerySet[Person]:
    """All persons, for regulators; organizations see people through their own memberships."""
    rows = Person.objects.visible_to(user).filter(merged_into__isnull=True)
    return rows.order_by("sort_name", "pk")


def person_for(user: Anyone, number: str) -> Person:
    """The person of this number, resolved to the surviving record; 404 for all but regulators."""
    found = Person.objects.visible_to(user).filter(number=number.upper()).first()
    if found is None:
        raise Http404
    return root_of(found)


def root_of(person: Person) -> Person:
    """The surviving record of a person who was joined with another."""
    while person.merged_into is not None:
        person = person.merged_into
    return person


def surviving(person: Person) -> Person:
    """The same, in one query, so that no count of queries tells who was joined (decisions 16)."""
    root = Func(Value(person.pk), function="registry_person_root", output_field=BigIntegerField())
    found: Person = Person.objects.get(pk=root)
    return found


def find_people(user: Anyone, text: str) -> list[Person]:
    """Up to 25 persons by any part of their name, accent or none, or by number."""
    return list(find_people_rows(user, text)[:LIMIT])


def find_people_rows(user: Anyone, text: str) -> QuerySet[Person]:
    """The persons meant by what was typed, best first, as rows that can be filtered on.

    One or two letters begin a first or a family name; `P-7K2` begins a number.
    """
    rows = people(user)
    if not text.strip():
        return rows
    number = text.strip().upper().removeprefix("#")
    if number.startswith("P-"):
        return rows.filter(number__startswith=number)
    plain = _plain(text)
    if _is_short(plain):
        begins = _begins("search_name", plain) | _begins("sort_name", plain)
        return rows.filter(begins | _word_begins(plain))
    return by_name(rows, text)


def family_of(person: Person) -> list[int]:
    """The ids of all records that are the same human as this one."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT registry_person_family(registry_person_root(%s::bigint))", [person.pk]
        )
        return list(cursor.fetchone()[0])


def waiting(user: Anyone) -> QuerySet[WorkItem]:
    """What waits for a regulator, oldest first."""
    rows: QuerySet[WorkItem] = WorkItem.objects.visible_to(user).filter(closed_at__isnull=True)
    return rows.select_related("person", "other", "organization").order_by("opened_at", "pk")


def work_item_for(user: Anyone, pk: int) -> WorkItem:
    """One work item, 404 for all but regulators."""
    found: WorkItem | None = WorkItem.objects.visible_to(user).filter(pk=pk).first()
    if found is None:
        raise Http404
    return found


def acts_about(
    user: Anyone, *, person: Person | None = None, organization: Organization | None = None
) -> QuerySet[Act]:
    """The history of a person or an organization, newest first; regulators only."""
    rows = Act.objects.all() if is_regulator(user) else Act.objects.none()
    if person is not None:
        rows = rows.filter(person__in=family_of(person))
    if organization is not None:
        rows = rows.filter(organization=organization)
    return rows.select_related("person", "organization").order_by("-at", "pk")


def work_items_about(user: Anyone, person: Person) -> QuerySet[WorkItem]:
    """What waits or waited about a person, open ones first; regulators only."""
    kin = family_of(person)
    rows: QuerySet[WorkItem] = WorkItem.objects.visible_to(user).filter(
        Q(person__in=kin) | Q(other__in=kin)
    )
    open_first = F("closed_at").desc(nulls_first=True)
    return rows.select_related("organization").order_by(open_first, "opened_at", "pk")


def address_for(user: Anyone, person: Person, pk: int) -> Address | None:
    """One of the county's own addresses of a person, None for all but regulators."""
    if not is_regulator(user):
        return None
    rows = Address.objects.standing().filter(person__in=family_of(person))
    found: Address | None = rows.filter(stated_by__isnull=True, pk=pk).first()
    return found


def addresses_of(person: Person) -> QuerySet[Address]:
    """Where a person lives or lived, the latest first, with who stated it."""
    rows: QuerySet[Address] = Address.objects.standing().filter(person__in=family_of(person))
    return rows.select_related("stated_by").order_by("-starts_on", "pk")


def holders_of(organization: Organization, day: date) -> QuerySet[AccountHolder]:
    """Who acts for an organization on a day or will, by name."""
    rows: QuerySet[AccountHolder] = AccountHolder.objects.standing().filter(
        organization=organization
    )
    running = rows.exclude(ends_on__lt=day).select_related("user", "organization")
    return running.order_by("user__name", "user__email")


def holder_for(user: Anyone, organization: Organization, pk: int) -> AccountHolder | None:
    """One account of the organization, None when it is not there for the user."""
    rows = AccountHolder.objects.visible_to(user).standing().filter(organization=organization)
    found: AccountHolder | None = rows.select_related("user", "organization").filter(pk=pk).first()
    return found


def user_by_address(by: Anyone, email: str) -> User | None:
    """The user who signs in with this address, for those who name account holders."""
    if not can(by, Capability.KEEP_ORGANIZATIONS):
        return None
    return User.objects.filter(email__iexact=email.strip(), is_active=True).first()


def users(user: Anyone) -> QuerySet[User]:
    """Everyone with a login, by address, with what they hold today; for those who manage them."""
    rows = User.objects.all() if can(user, Capability.MANAGE_USERS) else User.objects.none()
    today = timezone.localdate()
    held = AccountHolder.objects.on(today).select_related("organization")
    grants = RoleGrant.objects.on(today).order_by("role")
    return rows.prefetch_related(
        Prefetch("grants", grants, to_attr="offices_today"),
        Prefetch("holdings", held.order_by("organization__name"), to_attr="held_today"),
    ).order_by("email")


def user_for(user: Anyone, pk: int) -> User:
    """One login, 404 for all but those who manage them."""
    found = users(user).filter(pk=pk).first()
    if found is None:
        raise Http404
    return found


def grant_for(user: Anyone, of: User, pk: int) -> RoleGrant | None:
    """One office of a login, None for all but those who manage them."""
    if not can(user, Capability.MANAGE_USERS):
        return None
    found: RoleGrant | None = RoleGrant.objects.standing().filter(user=of, pk=pk).first()
    return found


def offices_of(user: Anyone, of: User) -> list[RoleGrant]:
    """Every office of a login, past and to come, the latest first."""
    rows = RoleGrant.objects.standing().filter(user=of).order_by("-starts_on", "role")
    return list(rows) if can(user, Capability.MANAGE_USERS) else []


def holdings_of(user: Anyone, of: User) -> list[AccountHolder]:
    """Every organization a login acts or acted for, the latest first."""
    rows = AccountHolder.objects.standing().filter(user=of).select_related("organization")
    return list(rows.order_by("-starts_on", "pk")) if can(user, Capability.MANAGE_USERS) else []
