"""Approving workers: granted only if the law allows it, ended by a day, corrected in the open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, TypedDict

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from registry.ruleset import in_force

from licenses.models import License
from licenses.selectors import license_on
from registry.access import BadInput, Capability, Refused, is_regulator, require
from registry.history import acting
from registry.models import Organization, Person, User, WorkItem
from registry.periods import Period
from registry.selectors import root_of
from registry.services import Actor, lock_people, lock_person, need_reason, say_refusal, saying
from registry.verdicts import Ruling
from volunteers.facts import Question
from volunteers.models import Assignment, Membership
from volunteers.rules import rule_on
from volunteers.selectors import (
    Asked,
    asked_for_assignment,
    facts_for_many,
    is_assisting,
    ruling_for,
)


@dataclass(frozen=True, slots=True)
class Grant:
    """From when to when, and for which duties; without an end it runs as long as the license."""

    starts_on: date
    duties: tuple[str, ...]
    ends_on: date | None = None


@dataclass(frozen=True, slots=True)
class Granted:
    """What became of many requests: the approvals made, and who was refused why."""

    made: list[Assignment]
    refused: list[tuple[Person, Refused]]


class _About(TypedDict):
    """Whom an act is about."""

    organization: Organization
    person: Person
    data: dict[str, Any]


def told(ruling: Ruling) -> dict[str, Any]:
    """A ruling as an act keeps it: codes and parameters, worded when read."""
    return {
        "on": ruling.on.isoformat(),
        "allowed": ruling.allows,
        "ruleset": ruling.ruleset,
        "eligible_on": ruling.eligible_on.isoformat() if ruling.eligible_on else None,
        "verdicts": [
            {
                "rule": verdict.rule,
                "cite": verdict.cite,
                "outcome": verdict.outcome.value,
                "effect": verdict.effect.value,
                "code": verdict.code,
                "params": dict(verdict.params),
                "private": dict(verdict.private),
                "readings": [reading.key for reading in verdict.readings],
            }
            for verdict in ruling.verdicts
        ],
    }


def asked_for(organization: Organization, grant: Grant, license_: License | None) -> Asked:
    """The question a grant asks: every day from its start to its end."""
    ends = grant.ends_on or (license_.expires_on if license_ else grant.starts_on)
    until = min(ends, license_.expires_on) if license_ else ends
    return Asked(organization, grant.starts_on, Question.ASSIGN, until, grant.duties)


def check_grant(grant: Grant) -> None:
    """Raise BadInput for a grant into the past, an end before the start, or without a duty."""
    if grant.starts_on < timezone.localdate():
        raise BadInput(
            "starts_on",
            _("An approval runs from today or later: it is never made for days gone by."),
        )
    if grant.ends_on and grant.ends_on < grant.starts_on:
        raise BadInput("ends_on", _("The last day lies before the first. Check both."))
    known = in_force(grant.starts_on).duties
    unknown = set(grant.duties) - set(known.direct) - set(known.assisting)
    if not grant.duties or unknown:
        raise BadInput("duties", _("Choose at least one duty from the list."))


def preview(person: Person, organization: Organization, grant: Grant) -> Ruling:
    """What `assign` would answer now, without lock and without record."""
    license_ = license_on(organization, grant.starts_on)
    return ruling_for(root_of(person), asked_for(organization, grant, license_))


def assign(by: Actor, person: Person, organization: Organization, grant: Grant) -> Assignment:
    """Approve a worker if the law allows it on every day asked for (§ 10-63(10), (12)).

    Raises Refused with the ruling; the refusal is kept in the history.
    """
    done = assign_many(by, organization, [(person, grant)])
    if done.refused:
        raise done.refused[0][1]
    return done.made[0]


def assign_many(
    by: Actor, organization: Organization, wanted: Sequence[tuple[Person, Grant]]
) -> Granted:
    """Approve many workers in one step; each is judged alone, and each refusal is kept."""
    require(by, Capability.ASSIGN, organization)
    for person, grant in wanted:
        check_grant(grant)
        _refuse_own(by, person)
    done = Granted([], [])
    with transaction.atomic():
        people = lock_people([person for person, _grant in wanted])
        for grant in dict.fromkeys(grant for _person, grant in wanted):
            group = [people[person.pk] for person, asked in wanted if asked == grant]
            _assign_group(by, organization, grant, group, done)
    return done


def _refuse_own(by: Actor, person: Person) -> None:
    """A regulator decides nothing about himself (decisions 28)."""
    if not isinstance(by, User) or by.person is None or not is_regulator(by):
        return
    if root_of(by.person).pk == root_of(person).pk:
        raise Refused(_("This is about yourself. A colleague must do it."))


def _assign_group(
    by: Actor, organization: Organization, grant: Grant, people: Sequence[Person], done: Granted
) -> None:
    license_ = license_on(organization, grant.starts_on)
    asked = asked_for(organization, grant, license_)
    law = in_force(grant.starts_on)
    facts = facts_for_many(people, asked)
    for person in people:
        ruling = rule_on(facts[person.pk], law)
        try:
            done.made.append(_grant_or_refuse(by, person, asked, license_, ruling))
        except Refused as refused:
            done.refused.append((person, refused))


def _grant_or_refuse(
    by: Actor, person: Person, asked: Asked, license_: License | None, ruling: Ruling
) -> Assignment:
    about = _About(organization=asked.organization, person=person, data=told(ruling))
    if not ruling.allows or license_ is None:
        with acting(by, "assignment.refused", **about):
            pass
        raise Refused(ruling=ruling)
    try:
        with acting(by, "assignment.made", **about):
            return _insert(person, asked, license_, ruling)
    except IntegrityError as error:
        refused = say_refusal(error)
    with acting(by, "assignment.refused", reason=refused.message, **about):
        pass
    raise refused


def _insert(person: Person, asked: Asked, license_: License, ruling: Ruling) -> Assignment:
    text = _("The person is already approved for this organization on some of these days.")
    with saying("assignment_one_per_organization", "starts_on", text):
        return Assignment.objects.create(
            person=person,
            organization=asked.organization,
            license=license_,
            duties=list(asked.duties),
            takes_place=not is_assisting(asked.duties, in_force(asked.on)),
            eligible_on=lawful_from(ruling),
            starts_on=asked.on,
            ends_on=asked.until or asked.on,
        )


def lawful_from(ruling: Ruling) -> date:
    """The day from which tenure was met, frozen into the grant (decisions 12)."""
    tenure = next((v for v in ruling.verdicts if v.rule == "tenure"), None)
    day = tenure.params.get("met_from") if tenure else None
    return day if isinstance(day, date) else ruling.on


def end_assignment(
    by: Actor, assignment: Assignment, *, last_day: date, reason: str = ""
) -> Assignment:
    """End an approval on a day; one that has not begun is withdrawn (voided).

    Only a clerk ends one in the past, with a reason (law.md A28).
    """
    organization = assignment.organization
    require(by, Capability.ASSIGN, organization)
    today = timezone.localdate()
    if last_day < today:
        require(by, Capability.KEEP_PEOPLE)
        need_reason(reason)
    with acting(
        by, "assignment.ended", reason=reason, organization=organization, person=assignment.person
    ):
        lock_person(assignment.person)
        assignment.refresh_from_db()
        _shorten(assignment, last_day, reason)
    return assignment


def _shorten(assignment: Assignment, last_day: date, reason: str) -> None:
    if last_day < assignment.starts_on:
        assignment.voided_at, assignment.void_reason = timezone.now(), reason or "withdrawn"
    else:
        assignment.ends_on = min(assignment.ends_on, last_day)
        assignment.end_reason = reason
    assignment.save(update_fields=["voided_at", "void_reason", "ends_on", "end_reason"])


def free_place(
    by: Actor, assignment: Assignment, *, received_on: date, stated_on: date, reason: str
) -> Assignment:
    """End an approval on the person's own signed statement (§ 10-63(10) binds the person).

    It ends on the day of receipt or the stated day, whichever is later (decisions 17).
    """
    require(by, Capability.KEEP_PEOPLE)
    need_reason(reason)
    last_day = max(received_on, stated_on)
    with acting(
        by,
        "place.freed",
        reason=reason,
        organization=assignment.organization,
        person=assignment.person,
        data={"received_on": received_on.isoformat(), "stated_on": stated_on.isoformat()},
    ):
        lock_person(assignment.person)
        _shorten(assignment, last_day, reason)
    return assignment


def ask_for_place(by: Actor, membership: Membership, *, reason: str) -> WorkItem:
    """An organization asks the clerk for the person's place; the holder never learns who asked."""
    require(by, Capability.KEEP_ROSTER, membership.organization)
    need_reason(reason)
    with acting(by, "place.asked", organization=membership.organization, person=membership.person):
        item: WorkItem = WorkItem.objects.create(
            kind=WorkItem.Kind.PLACE,
            person=membership.person,
            organization=membership.organization,
            cite="§ 10-63(10)",
            note=reason,
        )
    return item


def fallen_with(membership: Membership, period: Period) -> list[tuple[Assignment, Ruling]]:
    """Which approvals would no longer stand if the membership had these dates."""
    rows = Assignment.objects.standing().filter(
        organization=membership.organization,
        person=membership.person,
        ends_on__gte=timezone.localdate(),
    )
    instead = ((membership.pk, period),)
    judged = [
        (row, ruling_for(root_of(row.person), asked_for_assignment(row, instead)))
        for row in rows.select_related("person", "organization")
    ]
    return [(row, ruling) for row, ruling in judged if not ruling.allows]


def end_membership(by: Actor, membership: Membership, *, last_day: date) -> Membership:
    """Record the leave date (inclusive, cases P4); approvals end with the membership."""
    organization = membership.organization
    require(by, Capability.KEEP_ROSTER, organization)
    if last_day < membership.starts_on:
        raise BadInput("ends_on", _("The leave date lies before the join date. Check both."))
    with acting(by, "member.left", organization=organization, person=membership.person):
        lock_person(membership.person)
        membership.ends_on = last_day
        membership.save(update_fields=["ends_on"])
        for row in _running(membership, last_day):
            _shorten(row, last_day, "membership ended")
    return membership


def _running(membership: Membership, last_day: date) -> list[Assignment]:
    rows = Assignment.objects.standing().filter(
        person=membership.person, organization=membership.organization, ends_on__gt=last_day
    )
    return list(rows)


def correct_membership(
    by: Actor,
    membership: Membership,
    *,
    period: Period,
    kind: str,
    reason: str,
    end_fallen: bool,
) -> list[tuple[Assignment, Ruling]]:
    """Correct a membership's dates or kind; approvals fall only on the supervisor's word.

    Returns the approvals that no longer stand. Without `end_fallen` they go on and a work item
    with their cites waits (decisions 12).
    """
    require(by, Capability.CORRECT, membership.organization)
    need_reason(reason)
    if period.is_empty:
        raise BadInput("ends_on", _("The leave date lies before the join date. Check both."))
    about = _About(organization=membership.organization, person=membership.person, data={})
    text = _("With these dates the line would overlap another one of the same person.")
    with acting(by, "member.corrected", reason=reason, **about):
        lock_person(membership.person)
        fallen = fallen_with(membership, period)
        with saying("membership_one_at_a_time", "starts_on", text):
            membership.starts_on, membership.ends_on = period.starts_on, period.ends_on
            membership.kind = kind
            membership.save(update_fields=["starts_on", "ends_on", "kind"])
        _after_correction(membership, fallen, reason, end_fallen=end_fallen)
    return fallen


def _after_correction(
    membership: Membership,
    fallen: list[tuple[Assignment, Ruling]],
    reason: str,
    *,
    end_fallen: bool,
) -> None:
    if not fallen:
        return
    yesterday = timezone.localdate() - timedelta(days=1)
    cites = {ruling.first_bar.cite for _row, ruling in fallen if ruling.first_bar}
    WorkItem.objects.create(
        kind=WorkItem.Kind.CORRECTION,
        person=membership.person,
        organization=membership.organization,
        cite=", ".join(sorted(cites))[:80],
        note=reason,
        data={"assignments": [row.pk for row, _ruling in fallen], "ended": end_fallen},
    )
    if end_fallen:
        for row, _ruling in fallen:
            _shorten(row, yesterday, "corrected join date")
