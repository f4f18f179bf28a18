"""A roster as a file: every membership of the people shown, as the organization stated it.

The importer reads it back and finds nothing changed. Birth dates stay in the register: like the
pages, a file says only whether somebody was stated to be 18 or over.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from django.utils.translation import gettext as _

from registry.access import Anyone
from registry.models import Address, Organization
from volunteers.models import Activity, Membership
from volunteers.readers.columns import FIELDS
from volunteers.selectors import families, memberships_of

STATED = (
    "full_name", "kind", "starts_on", "ends_on", "is_adult", "is_resident",
    "street", "city", "state", "postal_code", "activity_on", "activity",
)  # fmt: skip
"""The columns that the importer reads, by its own names for them."""


def roster_rows(
    user: Anyone,
    organization: Organization,
    shown: Sequence[int],
    today: Mapping[int, Sequence[Any]],
) -> Iterator[list[Any]]:
    """Header and one row a membership of the people who have one among `shown` (membership ids).

    `today` gives what stands beside a membership under the last three headings of `beside`.
    """
    rows = list(memberships_of(user, organization))
    kin = families(row.person_id for row in rows)
    wanted = {min(kin[row.person_id]) for row in rows if row.pk in set(shown)}
    rows = [row for row in rows if min(kin[row.person_id]) in wanted]
    deeds = _by_human(Activity, {"organization": organization}, kin)
    homes = _by_human(Address, {"stated_by": organization}, kin)
    yield [*(str(FIELDS[name]) for name in STATED), *beside()]
    for row in rows:
        human = min(kin[row.person_id])
        said = _stated(row, deeds[human], homes[human])
        yield [*(said.get(name) for name in STATED), row.person.number, *today.get(row.pk, ())]


def beside() -> list[str]:
    """Headings of what the register knows besides; no importer takes them for a statement.

    By the number the importer tells apart people of one name; the rest it leaves alone.
    """
    return [_("Person number"), _("Standing"), _("From when, or why not"), _("Approved for")]


def _by_human(
    model: Any, whose: Mapping[str, Any], kin: Mapping[int, Sequence[int]]
) -> dict[int, list[Any]]:
    """The organization's own rows by the human they are about, in the order of entry."""
    found: dict[int, list[Any]] = defaultdict(list)
    for row in model.objects.standing().filter(**whose).order_by("pk"):
        if row.person_id in kin:
            found[min(kin[row.person_id])].append(row)
    return found


def _stated(row: Membership, deeds: Iterable[Activity], homes: Sequence[Address]) -> dict[str, Any]:
    done = max((d for d in deeds if _within(row, d.done_on)), key=_when, default=None)
    home = homes[-1] if homes else None
    return {
        "full_name": row.name_stated,
        "kind": str(row.get_kind_display()),
        "starts_on": row.starts_on,
        "ends_on": row.ends_on,
        "is_adult": _("yes") if row.is_adult_stated else None,
        "is_resident": {True: _("yes"), False: _("no"), None: None}[row.is_resident_stated],
        "street": home.street if home else None,
        "city": home.city if home else None,
        "state": home.state if home else None,
        "postal_code": home.postal_code if home else None,
        "activity_on": done.done_on if done else None,
        "activity": done.kind if done else None,
    }


def _within(row: Membership, day: date) -> bool:
    """An activity before the join date is none of this membership; the importer would refuse it."""
    return day >= row.starts_on


def _when(deed: Activity) -> tuple[date, int]:
    return deed.done_on, deed.pk
