"""Name tags as acts (§ 10-63(10)): issued for those cleared, replaced when lost or out of date."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from registry.access import Anyone, Capability, require
from registry.history import acting
from registry.models import Organization
from registry.selectors import root_of
from registry.services import Actor, refuse_merged
from registry.verdicts import Ruling
from volunteers.models import Assignment, NameTag
from volunteers.selectors import Asked, RosterRow, good_tags, roster_on, ruling_for, tag_of

LONGEST_NUMBER = 9


@dataclass(frozen=True, slots=True)
class TagPlan:
    """Who gets a tag for a day, and who does not: cleared and approved, or why not."""

    ready: list[RosterRow]
    left_out: list[RosterRow]


def plan_tags(user: Anyone, organization: Organization, on: date) -> TagPlan:
    """Everyone on the roster, split by whether a tag for that day is lawful (cases D28)."""
    rows = roster_on(user, organization, on)
    ready = [row for row in rows if _is_ready(row, on)]
    chosen = {row.membership.pk for row in ready}
    return TagPlan(ready, [row for row in rows if row.membership.pk not in chosen])


def _is_ready(row: RosterRow, on: date) -> bool:
    return row.ruling.allows and row.assignment is not None and row.assignment.period.covers(on)


def issue_tags(
    by: Actor,
    organization: Organization,
    assignments: Sequence[Assignment],
    *,
    on: date,
    with_duty: bool = False,
    with_end: bool = False,
) -> list[NameTag]:
    """The tags of these assignments: the good one that each has, or a new one; one recorded act.

    A tag whose print no longer equals the register is replaced by a new number.
    """
    require(by, Capability.PRINT_TAGS, organization)
    with acting(by, "tags.printed", organization=organization, data={"on": on.isoformat()}):
        rows = Assignment.objects.select_for_update(no_key=True, of=("self",)).filter(
            pk__in=[row.pk for row in assignments]
        )
        locked = list(rows.select_related("person", "organization").order_by("person_id"))
        good = {tag.assignment_id: tag for tag in good_tags([row.pk for row in locked])}
        return [
            _tag_for(row, good.get(row.pk), duty=with_duty, with_end=with_end) for row in locked
        ]


def _tag_for(row: Assignment, tag: NameTag | None, *, duty: bool, with_end: bool) -> NameTag:
    words = {
        "name": root_of(row.person).full_name,
        "organization_name": row.organization.name,
        "duty": row.duties[0] if duty else "",
        "valid_to": row.ends_on if with_end else None,
    }
    if tag and all(getattr(tag, key) == value for key, value in words.items()):
        return tag
    if tag:
        _replace(tag)
    return _new_tag(row, **words)


def record_blanks(by: Actor, organization: Organization, count: int) -> None:
    """Keep in the history how many tags without a name were printed."""
    require(by, Capability.PRINT_TAGS, organization)
    with acting(by, "tags.blank_printed", organization=organization, data={"count": count}):
        refuse_merged(organization)


def tag_for(user: Anyone, organization: Organization | None, pk: int) -> NameTag | None:
    """One good tag of the organization, None when it is not the user's to see."""
    rows: QuerySet[NameTag] = NameTag.objects.visible_to(user)
    rows = rows.filter(assignment__organization=organization, replaced_at__isnull=True)
    return (
        rows.select_related("assignment__person", "assignment__organization").filter(pk=pk).first()
    )


def tag_numbered(number: int) -> NameTag | None:
    """The tag with this printed number, None when there is none."""
    rows = NameTag.objects.select_related("assignment__person", "assignment__organization")
    return rows.filter(number=number).first()


def find_tags(user: Anyone, text: str) -> list[NameTag]:
    """Tags by their printed number, leading zeros or none, as far as the user may see them."""
    digits = text.removeprefix("#").strip()
    if not (digits.isascii() and digits.isdigit()) or len(digits) > LONGEST_NUMBER:
        return []
    rows: QuerySet[NameTag] = NameTag.objects.visible_to(user).filter(number=int(digits))
    return list(rows.select_related("assignment__person", "assignment__organization"))


def _new_tag(row: Assignment, **words: object) -> NameTag:
    with connection.cursor() as cursor:
        cursor.execute("SELECT nextval('volunteers_nametag_number')")
        number = cursor.fetchone()[0]
    tag: NameTag = NameTag.objects.create(assignment=row, number=number, **words)
    return tag


def _replace(tag: NameTag) -> None:
    tag.replaced_at = timezone.now()
    tag.save(update_fields=["replaced_at"])


def replace_lost_tag(by: Actor, tag: NameTag, *, reason: str = "") -> NameTag:
    """A new tag for a lost one; the old number answers "replaced" from now on."""
    organization = tag.assignment.organization
    require(by, Capability.PRINT_TAGS, organization)
    with acting(
        by,
        "tag.replaced",
        reason=reason,
        organization=organization,
        person=tag.assignment.person,
        data={"number": tag.number},
    ):
        refuse_merged(organization)
        # As in issue_tags, so that a print at the same moment waits for the new tag.
        Assignment.objects.select_for_update(no_key=True).get(pk=tag.assignment_id)
        tag = NameTag.objects.select_for_update().get(pk=tag.pk)
        if tag.replaced_at is not None:
            return NameTag.objects.get(assignment=tag.assignment, replaced_at__isnull=True)
        _replace(tag)
        return _new_tag(
            tag.assignment,
            name=tag.name,
            organization_name=tag.organization_name,
            duty=tag.duty,
            valid_to=tag.valid_to,
        )


class TagState(StrEnum):
    """What a scan may tell the public (decisions 24)."""

    GOOD = "good"
    NOT_GOOD = "not_good"
    REPLACED = "replaced"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class TagAnswer:
    """The scan page: name and organization as printed only while the tag is good."""

    state: TagState
    tag: NameTag | None = None


def check_tag(token: str, on: date) -> TagAnswer:
    """What the tag with this token says on the day; all unknown tokens look alike."""
    tag = tag_of(token)
    if tag is None:
        return TagAnswer(TagState.UNKNOWN)
    if tag.replaced_at is not None:
        return TagAnswer(TagState.REPLACED, tag)
    good = _still_true(tag) and _is_cleared(tag.assignment, on)
    return TagAnswer(TagState.GOOD if good else TagState.NOT_GOOD, tag)


def check_numbered(text: str, on: date) -> TagState:
    """The state alone of the tag with this printed number: no name goes with a number."""
    digits = text.removeprefix("#").strip()
    if not (digits.isascii() and digits.isdigit()) or len(digits) > LONGEST_NUMBER:
        return TagState.UNKNOWN
    tag = tag_numbered(int(digits))
    return check_tag(tag.token, on).state if tag else TagState.UNKNOWN


def _still_true(tag: NameTag) -> bool:
    person, organization = root_of(tag.assignment.person), tag.assignment.organization
    return (tag.name, tag.organization_name) == (person.full_name, organization.name)


def _is_cleared(assignment: Assignment, on: date) -> bool:
    if assignment.voided_at is not None or not assignment.period.covers(on):
        return False
    duties = tuple(assignment.duties)
    return ruling_today(assignment, on, duties).allows


def ruling_today(assignment: Assignment, on: date, duties: tuple[str, ...]) -> Ruling:
    """The worker of this assignment judged for one day."""
    asked = Asked(assignment.organization, on, duties=duties)
    return ruling_for(root_of(assignment.person), asked)
