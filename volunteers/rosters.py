"""Reading a roster as its pages show it: everyone's standing on a day, and one person's all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any

from django.db.models import Model, QuerySet, TextChoices
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from registry.access import Anyone, is_regulator
from registry.history import Act, System
from registry.models import Address, Organization, Person, User
from registry.selectors import surviving
from registry.verdicts import Ruling
from registry.worded import Mark
from volunteers.models import Activity, Assignment, Membership, NameTag, Suspension
from volunteers.rules import rule_briefly
from volunteers.selectors import (
    Asked,
    RosterRow,
    assignments_of,
    families,
    judged_rows,
    latest_of_each,
    memberships_of,
    seen_by,
)
from volunteers.words import mark_of


class Standing(TextChoices):
    """How somebody on a roster stands on a day, as a list is filtered."""

    CLEARED = "cleared", _("Cleared")
    LATER = "later", _("From a later day")
    MISSING = "missing", _("Papers missing")
    NOT_CLEARED = "not_cleared", _("Not cleared")
    LEFT = "left", _("Left")


@dataclass(frozen=True, slots=True)
class Line:
    """One person of a roster on one day, as one user may see it; who left is not judged."""

    membership: Membership
    name: str
    on: date
    ruling: Ruling | None
    assignment: Assignment | None = None
    tag: NameTag | None = None

    @property
    def pk(self) -> int:
        """The membership's key, by which the line is opened."""
        return self.membership.pk

    @property
    def standing(self) -> Standing:
        """Which part of the roster the line belongs to."""
        if self.ruling is None:
            return Standing.LEFT
        if self.ruling.allows:
            return Standing.CLEARED
        if self.ruling.eligible_on is not None:
            return Standing.LATER
        missing = mark_of(self.ruling) is Mark.MISSING
        return Standing.MISSING if missing else Standing.NOT_CLEARED


def name_for(user: Anyone, membership: Membership) -> str:
    """The registered name for regulators; for the organization the one it stated itself.

    So a person whom the register knew before looks like a new one (decisions 15, 16).
    """
    return membership.person.full_name if is_regulator(user) else membership.name_stated


def lines_of(
    user: Anyone, organization: Organization, rows: Iterable[Membership], day: date
) -> list[Line]:
    """One line a human, judged for the day as this user may know it, in the order of the rows."""
    each = latest_of_each(rows, day)
    here = [row for row in each if row.ends_on is None or row.ends_on >= day]
    asked = Asked(organization, day, as_approved=True)
    judged = judged_rows(here, asked, rule=rule_briefly)
    by_pk = {row.membership.pk: row for row in judged}
    return [_line(user, row, by_pk.get(row.pk), day) for row in each]


def _line(user: Anyone, membership: Membership, row: RosterRow | None, day: date) -> Line:
    name = name_for(user, membership)
    if row is None:
        return Line(membership, name, day, None)
    seen = seen_by(user, row.ruling, confirmed=row.confirmed)
    return Line(membership, name, day, seen, row.assignment, row.tag)


def standing_counts(user: Anyone, organization: Organization, day: date) -> dict[Standing, int]:
    """How many people of a roster stand how on a day, every standing named."""
    lines = lines_of(user, organization, memberships_of(user, organization), day)
    found = Counter(line.standing for line in lines)
    return {standing: found[standing] for standing in Standing}


@dataclass(frozen=True, slots=True)
class Dossier:
    """Everything one organization and one person have to do with each other."""

    line: Line
    person: Person
    memberships: Sequence[Membership]
    activities: Sequence[Activity]
    suspensions: Sequence[Suspension]
    assignments: Sequence[Assignment]
    address: Address | None
    confirmed: bool
    takes_back: frozenset[tuple[type[Model], int]]
    """The rows that an account holder entered himself today, and so may take back."""

    @property
    def membership(self) -> Membership:
        """The membership that stands for the person on the day."""
        return self.line.membership


def dossier_of(user: Anyone, membership: Membership, day: date) -> Dossier:
    """The organization's file on the person of this membership, on a day."""
    organization = membership.organization
    kin = families([membership.person_id])[membership.person_id]
    rows = list(memberships_of(user, organization).filter(person__in=kin).order_by("-starts_on"))
    chosen = latest_of_each(rows, day)[0]
    (judged,) = judged_rows([chosen], Asked(organization, day, as_approved=True))
    seen = seen_by(user, judged.ruling, confirmed=judged.confirmed)
    line = Line(chosen, name_for(user, chosen), day, seen, judged.assignment, judged.tag)
    return Dossier(
        line=line,
        person=surviving(chosen.person),
        memberships=rows,
        activities=list(_here(Activity, kin, organization).order_by("-done_on", "pk")),
        suspensions=list(_here(Suspension, kin, organization).order_by("-starts_on", "pk")),
        assignments=list(assignments_of(chosen.person, organization)),
        address=_address(kin, organization),
        confirmed=judged.confirmed,
        takes_back=entered_today(user, organization),
    )


def _here(model: type[Any], kin: Sequence[int], organization: Organization) -> QuerySet[Any]:
    rows: QuerySet[Any] = model.objects.standing()
    return rows.filter(person__in=kin, organization=organization)


def _address(kin: Sequence[int], organization: Organization) -> Address | None:
    rows = Address.objects.standing().filter(person__in=kin, stated_by=organization)
    found: Address | None = rows.order_by("-starts_on", "-pk").first()
    return found


def unconfirmed(user: Anyone, organization: Organization) -> list[Membership | Activity]:
    """The lines of a roster that no officer answers for, people before what they did."""
    rows = memberships_of(user, organization).filter(attested_on=None)
    done = Activity.objects.visible_to(user).standing()
    done = done.filter(organization=organization, attested_on=None).select_related("person")
    return [*rows, *done.order_by("person__sort_name", "done_on", "pk")]


TAKEN_BACK: tuple[type[Any], ...] = (Membership, Activity, Suspension, Assignment)


def entered_today(user: Anyone, organization: Organization) -> frozenset[tuple[type[Model], int]]:
    """The organization's rows that this user entered since the county's midnight."""
    if not isinstance(user, User) or is_regulator(user):
        return frozenset()
    acts = list(_acts_of_today(user).filter(organization=organization).values_list("pk", flat=True))
    return frozenset(
        (model, pk) for model in TAKEN_BACK for pk in _inserted(model, acts, organization)
    )


def was_entered_today(user: User | System, row: Any) -> bool:
    """True when this very user entered the row since the county's midnight."""
    if not isinstance(user, User):
        return False
    events = row.events.filter(pgh_label="insert").values("pgh_context_id")
    return _acts_of_today(user).filter(pk__in=events).exists()


def _acts_of_today(user: User) -> QuerySet[Act]:
    midnight = timezone.make_aware(datetime.combine(timezone.localdate(), time.min))
    return Act.objects.filter(by=user, at__gte=midnight)


def _inserted(model: Any, acts: Sequence[Any], organization: Organization) -> Iterable[int]:
    events = model.pgh_event_model.objects.filter(
        pgh_label="insert", pgh_context_id__in=acts, organization=organization
    )
    return list(events.values_list("pgh_obj_id", flat=True))
