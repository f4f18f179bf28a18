"""Acts on what an officer answers for: lines nobody had confirmed, papers that were missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext as _

from registry.access import BadInput, Capability, require
from registry.history import acting
from registry.models import Organization
from registry.selectors import root_of
from registry.services import (
    Actor,
    check_birth_date,
    lock_people,
    lock_person,
    refuse_merged,
)
from volunteers.models import Activity, Membership
from volunteers.selectors import families, stated_names
from volunteers.services import Statement, refuse_self

SHOWN = ["attested_on", "attested_by", "evidence"]


@dataclass(frozen=True, slots=True)
class Papers:
    """What an officer can state of a person besides the join date; left out is not stated."""

    is_adult: bool = False
    is_resident: bool | None = None
    born_on: date | None = None


def confirm_lines(
    by: Actor,
    organization: Organization,
    lines: Sequence[Membership | Activity],
    statement: Statement,
) -> int:
    """An officer answers for lines that nobody had confirmed; returns how many they were.

    Raises BadInput on `lines` where a line is the officer's own.
    """
    require(by, Capability.KEEP_ROSTER, organization)
    names = stated_names(organization, {row.person_id for row in lines})
    for row in lines:
        name = names.get(row.person_id, row.person.full_name)
        refuse_self(by, root_of(row.person), statement, name, "lines")
    told = {"lines": [str(row) for row in lines]}
    with acting(by, "lines.confirmed", organization=organization, data=told):
        refuse_merged(organization, but=by)
        lock_people([row.person for row in lines])
        return sum(_confirm(row, statement) for row in lines)


def _confirm(row: Membership | Activity, statement: Statement) -> int:
    if row.is_shown:
        return 0
    _sign(row, statement)
    row.save(update_fields=SHOWN)
    return 1


def _sign(row: Membership | Activity, statement: Statement) -> None:
    row.attested_on = statement.attested_on
    row.attested_by = statement.attested_by
    row.evidence = statement.evidence


def state_papers(
    by: Actor, membership: Membership, papers: Papers, statement: Statement
) -> Membership:
    """An officer confirms a person's line, and states age or residence where they were missing.

    What was stated before is never taken back here; a birth date is stated once and then corrected
    by the clerk. The person's unconfirmed activities are confirmed with the line.
    """
    organization = membership.organization
    require(by, Capability.KEEP_ROSTER, organization)
    check_birth_date(papers.born_on)
    refuse_self(by, root_of(membership.person), statement, membership.name_stated)
    with acting(by, "member.confirmed", organization=organization, person=membership.person):
        refuse_merged(organization, but=by)
        lock_person(membership.person)
        membership.refresh_from_db()
        _state(membership, papers)
        _sign(membership, statement)
        membership.save()
        for row in unconfirmed_activities(membership):
            _confirm(row, statement)
    return membership


def _state(membership: Membership, papers: Papers) -> None:
    if papers.born_on and membership.born_on_stated not in {None, papers.born_on}:
        raise BadInput(
            "born_on",
            _("Another birth date was stated before. Ask the county clerk to correct it."),
        )
    membership.born_on_stated = membership.born_on_stated or papers.born_on
    membership.is_adult_stated = membership.is_adult_stated or papers.is_adult
    if papers.is_resident is not None:
        membership.is_resident_stated = papers.is_resident


def unconfirmed_activities(membership: Membership) -> list[Activity]:
    """The activities of the person for the organization that nobody answers for."""
    rows = Activity.objects.standing().filter(
        organization=membership.organization,
        person__in=families([membership.person_id])[membership.person_id],
        attested_on=None,
    )
    return list(rows.select_related("person"))
