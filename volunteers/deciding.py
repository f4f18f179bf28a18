"""Acts on a person that may take the ground from approvals: corrections, interests, decisions.

Approvals go on until a regulator ends them; each that no longer stands becomes a work item with
its cites (decisions 12).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from licenses import services as licenses
from registry import services as registry
from registry.access import BadInput, Capability, Refused, is_regulator, require
from registry.history import acting
from registry.models import Organization, Person, User, WorkItem
from registry.ruleset import in_force, titles
from registry.selectors import family_of, root_of
from registry.services import (
    Actor,
    PersonEntry,
    check_days,
    lock_person,
    refuse_ssn,
    saying,
)
from registry.verdicts import Verdict
from volunteers.models import Assignment, Determination, Membership
from volunteers.rules import ORDER, decide
from volunteers.selectors import Asked, facts_for

Bars = dict[Assignment, list[Verdict]]


@dataclass(frozen=True, slots=True)
class Fallen:
    """An approval that no longer stands, and the first test that says so."""

    assignment: Assignment
    verdict: Verdict


@contextmanager
def watching(
    by: Actor, person: Person, reason: str, *, parted: Person | None = None
) -> Iterator[list[Fallen]]:
    """Lock the person for a change, then list the approvals that no longer stand after it.

    The list is filled when the change is written. What stood in an approval's way before is not
    the change's doing. `parted` is who is another person after the change: his are listed too.
    """
    fallen: list[Fallen] = []
    with transaction.atomic():
        person = lock_person(person)
        before = _bars(person)
        yield fallen
        for one in filter(None, (person, parted)):
            gone = []
            for row, bars in _bars(one).items():
                known = {verdict.rule for verdict in before.get(row, ())}
                gone += [Fallen(row, bar) for bar in bars if bar.rule not in known][:1]
            _note(by, one, gone, reason)
            fallen += gone


def _bars(person: Person) -> Bars:
    """What stands in the way of each approval that runs today or later."""
    today = timezone.localdate()
    rows = Assignment.objects.standing().filter(person__in=family_of(person), ends_on__gte=today)
    found: Bars = {}
    for row in rows.select_related("organization").order_by("starts_on", "pk"):
        on = max(today, row.starts_on)
        facts = facts_for(person, Asked(row.organization, on, duties=tuple(row.duties)))
        found[row] = [v for v in decide(facts, in_force(on)).verdicts if v.bars]
    return found


def _note(by: Actor, person: Person, fallen: list[Fallen], reason: str) -> None:
    """One work item for each organization whose approvals no longer stand."""
    by_body: dict[Organization, list[Fallen]] = defaultdict(list)
    for one in fallen:
        by_body[one.assignment.organization].append(one)
    for body, ones in by_body.items():
        with acting(by, "approvals.listed", person=person, organization=body):
            WorkItem.objects.create(
                kind=WorkItem.Kind.CORRECTION,
                person=person,
                organization=body,
                cite=", ".join(sorted({one.verdict.cite for one in ones}))[:80],
                note=reason,
                data={"assignments": [one.assignment.pk for one in ones], "ended": False},
            )


def correct_person(by: Actor, person: Person, entry: PersonEntry, *, reason: str) -> list[Fallen]:
    """Correct the registered name or birth date; returns the approvals that no longer stand."""
    require(by, Capability.KEEP_PEOPLE)
    with watching(by, person, reason) as fallen:
        registry.correct_person(by, person, entry, reason=reason)
    return fallen


@dataclass(frozen=True, slots=True)
class InterestEntry:
    """A tie to a hall owner as it is stated."""

    lessor: Organization
    tie: str
    starts_on: date
    ends_on: date | None = None


def record_interest(by: Actor, person: Person, entry: InterestEntry) -> list[Fallen]:
    """Write a tie to a hall owner (§ 10-65(b)); returns the approvals that no longer stand."""
    require(by, Capability.KEEP_PEOPLE)
    columns = {name: getattr(entry, name) for name in InterestEntry.__slots__}
    with watching(by, person, _("An interest in a hall owner was recorded.")) as fallen:
        licenses.record_interest(by, person, **columns)
    return fallen


@dataclass(frozen=True, slots=True)
class DecisionEntry:
    """What administrator, board or court decided on one test, for which days, and where it says."""

    organization: Organization
    rule: str
    is_met: bool
    decided_by: str
    decided_on: date
    reference: str
    starts_on: date
    ends_on: date | None = None


def record_decision(by: Actor, person: Person, entry: DecisionEntry) -> list[Fallen]:
    """Write a decision of administrator, board or court; the rules honor it (decisions 4).

    Returns the approvals that no longer stand. Raises Refused for somebody who decides about
    himself or about a body he belongs to, BadInput with the field for days that make no sense or
    that another decision covers.
    """
    require(by, Capability.DECIDE, entry.organization)
    refuse_tie(by, person, entry.organization)
    _check_decision(entry)
    columns = {name: getattr(entry, name) for name in DecisionEntry.__slots__}
    text = _("Another decision on this test covers some of these days: take that one out first.")
    with (
        watching(by, person, entry.reference) as fallen,
        acting(
            by,
            "decision.recorded",
            reason=entry.reference,
            person=person,
            organization=entry.organization,
        ),
        saying("determination_once", "rule", text),
    ):
        Determination.objects.create(person=root_of(person), **columns)
    return fallen


def _check_decision(entry: DecisionEntry) -> None:
    if entry.rule not in ORDER:
        raise BadInput("rule", _("Choose one of the tests that are shown."))
    if entry.decided_by not in Determination.By.values:
        raise BadInput("decided_by", _("Choose one of those shown."))
    if entry.decided_on > timezone.localdate():
        raise BadInput("decided_on", _("The decision lies in the future. Check the date."))
    if not entry.reference.strip():
        raise BadInput("reference", _("Name the paper: its number, or its date and signer."))
    refuse_ssn("reference", entry.reference)
    check_days(entry.starts_on, entry.ends_on)


def void_decision(by: Actor, decision: Determination, *, reason: str) -> list[Fallen]:
    """Take out a decision that was entered in error; the test answers by itself again.

    Returns the approvals that no longer stand.
    """
    require(by, Capability.DECIDE, decision.organization)
    refuse_tie(by, decision.person, decision.organization)
    with watching(by, decision.person, reason) as fallen:
        registry.void(by, decision, reason=reason, capability=Capability.DECIDE)
    return fallen


def refuse_tie(by: Actor, person: Person, organization: Organization) -> None:
    """A regulator decides nothing about himself or a body he belongs to (decisions 28)."""
    if not isinstance(by, User) or by.person is None or not is_regulator(by):
        return
    if root_of(by.person).pk == root_of(person).pk:
        raise Refused(_("This is about yourself. A colleague must do it."))
    refuse_own_body(by, organization)


def refuse_own_body(by: Actor, organization: Organization) -> None:
    """A regulator decides nothing about a body he belongs to (decisions 28)."""
    if not isinstance(by, User) or by.person is None or not is_regulator(by):
        return
    today = timezone.localdate()
    mine = Membership.objects.on(today).filter(person__in=family_of(by.person))
    if mine.filter(organization=organization).exists():
        raise Refused(_("You belong to this organization. A colleague must do it."))


def titled_tests() -> list[tuple[str, str]]:
    """The tests a decision can be about, by their titles, in the order in which they answer."""
    named = titles()
    return [(rule, _(named[rule])) for rule in ORDER if rule in named]
