"""Reading for the eligibility desk: whom an organization may ask about."""

from __future__ import annotations

from datetime import date

from django.db.models import Q, QuerySet

from registry.access import Anyone
from registry.models import Organization, Person
from registry.selectors import by_name
from volunteers.models import Membership
from volunteers.selectors import families, memberships_of


def own_people(user: Anyone, organization: Organization, text: str = "") -> QuerySet[Person]:
    """The people of an organization's own roster, past ones too, by any part of their name."""
    mine = memberships_of(user, organization).order_by().values("person")
    rows: QuerySet[Person] = Person.objects.filter(pk__in=mine)
    found = by_name(rows, text) if text.strip() else rows
    return found.order_by("sort_name", "pk")


def membership_on(
    user: Anyone, organization: Organization, person: Person, day: date
) -> Membership | None:
    """The line of the roster that covers the day for this human, None when there is none."""
    rows = memberships_of(user, organization).filter(
        Q(ends_on__isnull=True) | Q(ends_on__gte=day),
        starts_on__lte=day,
        person__in=families([person.pk])[person.pk],
    )
    return rows.first()
