"""Reading the parties: whom may this user see, and who is meant by what was typed."""

from __future__ import annotations

from typing import Any

from django.db.models import BooleanField, Case, Q, QuerySet, Value, When
from django.http import Http404

from registry.access import Anyone, Capability, can, is_regulator
from registry.history import Act
from registry.models import Organization, Person, Plain, User, WorkItem

LIMIT = 25
LAST = "\uffff"


def organizations(user: Anyone) -> QuerySet[Organization]:
    """The organizations this user may open, by name."""
    return Organization.objects.visible_to(user).order_by("name", "pk")


def organization_for(user: Anyone, slug: str) -> Organization:
    """The organization of this address; what is not the user's is not there (404)."""
    found = organizations(user).filter(slug=slug).first()
    if found is None:
        raise Http404
    return found


def _plain(text: str) -> str:
    """What was typed, as the stored search names are written (asked of the database)."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT registry_plain(%s)", [text.replace("\0", "")])
        return str(cursor.fetchone()[0])


def by_name(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    """Rows whose name begins with a short text, or holds each word of a longer one.

    A prefix is a range in the plain index; three letters and more use the trigram index.
    """
    plain = _plain(text)
    if len(plain) < 3:  # noqa: PLR2004 - a trigram has three letters
        return rows.filter(search_name__gte=plain, search_name__lt=plain + LAST)
    for word in plain.split():
        rows = rows.filter(search_name__contains=word)
    starts = When(search_name__startswith=plain, then=Value(value=True))
    first = Case(starts, default=Value(value=False), output_field=BooleanField())
    ordered: QuerySet[Any] = rows.annotate(starts=first).order_by("-starts")
    return ordered


def find_organizations(user: Anyone, text: str) -> list[Organization]:
    """Up to 25 organizations by any part of their name or by EIN; all when nothing is typed."""
    rows = organizations(user).filter(merged_into__isnull=True)
    digits = text.replace("-", "").strip()
    if digits.isascii() and digits.isdigit() and len(digits) == 9:  # noqa: PLR2004 - an EIN
        return list(rows.filter(ein=digits))
    found = by_name(rows, text) if text.strip() else rows
    return list(found.order_by(*(found.query.order_by or ()), "name", "pk")[:LIMIT])


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


def find_people(user: Anyone, text: str) -> list[Person]:
    """Up to 25 persons by any part of their name, accent or none, or by number."""
    return list(find_people_rows(user, text)[:LIMIT])


def find_people_rows(user: Anyone, text: str) -> QuerySet[Person]:
    """The persons meant by what was typed, best first, as rows that can be filtered on."""
    rows = people(user)
    if not text.strip():
        return rows
    number = text.strip().upper().removeprefix("#")
    if number.startswith("P-"):
        return rows.filter(number__startswith=number)
    found = by_name(rows, text)
    by_family = found
    if len(text.strip()) < 3:  # noqa: PLR2004 - short: family names count as well
        plain = _plain(text)
        by_family = rows.filter(
            Q(search_name__gte=plain, search_name__lt=plain + LAST)
            | Q(sort_name__gte=plain, sort_name__lt=plain + LAST)
        )
        return by_family.order_by("sort_name", "pk")
    return by_family.order_by("-starts", "sort_name", "pk")


def same_human(name: str, born_on: Any) -> Person | None:
    """The one surviving person with this very name and birth date; None when none or several."""
    if born_on is None:
        return None
    rows = Person.objects.filter(search_name=Plain(Value(name)), born_on=born_on)
    roots = {root_of(row).pk: root_of(row) for row in rows[:LIMIT]}
    return next(iter(roots.values())) if len(roots) == 1 else None


def namesakes(person: Person) -> list[Person]:
    """Others with the same name whose birth date does not tell them apart for certain."""
    rows = Person.objects.filter(search_name=Plain(Value(person.full_name))).exclude(pk=person.pk)
    return list(rows.filter(merged_into__isnull=True)[:LIMIT])


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
        rows = rows.filter(person=person)
    if organization is not None:
        rows = rows.filter(organization=organization)
    return rows.order_by("-at", "pk")


def users(user: Anyone) -> QuerySet[User]:
    """Everyone with a login, for those who manage them."""
    rows = User.objects.all() if can(user, Capability.MANAGE_USERS) else User.objects.none()
    return rows.prefetch_related("grants", "holdings__organization").order_by("email")
