"""Approving workers: granted only if the law allows it on each day; each refusal is kept."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, TypedDict

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from licenses.models import License
from licenses.selectors import last_to_approve, license_on
from registry.access import BadInput, Capability, Refused, is_regulator, require
from registry.base import BATCH, insert_all
from registry.history import Act, acting, pressed, seek_first_press
from registry.models import Organization, Person, User
from registry.periods import runs
from registry.ruleset import Ruleset, in_force
from registry.selectors import root_of
from registry.services import Actor, lock_people, refuse_merged, say_refusal
from registry.verdicts import Ruling
from volunteers.facts import Facts, Kind, Question
from volunteers.models import Assignment
from volunteers.rules import one_other, rests_on, rule_briefly, rule_on
from volunteers.rules.judging import is_asked
from volunteers.selectors import Asked, facts_for_many, is_assisting


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


@dataclass(frozen=True, slots=True)
class Judged:
    """What the law says to one request, and the license it would run under."""

    facts: Facts
    ruling: Ruling
    license: License | None
    duties: tuple[str, ...]
    hindrance: str = ""
    """What stands in the way besides the law's tests, in one sentence."""

    @property
    def last_day(self) -> date:
        """The last day that was asked about: the license's, or where the membership ends."""
        return self.facts.until or self.facts.on

    @property
    def confirmed(self) -> bool:
        """An officer here answers for one of the person's memberships (decisions 6)."""
        return any(spell.shown for spell in self.facts.spells)

    @property
    def allows(self) -> bool:
        """True when the approval can be made."""
        return self.ruling.allows and not self.hindrance


class _About(TypedDict):
    """Whom an act is about."""

    organization: Organization
    person: Person
    data: dict[str, Any]


def told(ruling: Ruling) -> dict[str, Any]:
    """A ruling as an act keeps it: codes and parameters, worded when read."""
    law = in_force(ruling.on)
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
                "readings": [reading.key for reading in rests_on(verdict, law)],
            }
            for verdict in ruling.verdicts
        ],
    }


def asked_for(organization: Organization, grant: Grant, license_: License | None) -> Asked:
    """The question a grant asks: every day from its start to its end."""
    last = last_to_approve(license_) if license_ else None
    ends = grant.ends_on or last or grant.starts_on
    until = min(ends, last) if last else ends
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
    return judge([person], organization, grant)[person.pk].ruling


def judge(
    persons: Sequence[Person],
    organization: Organization,
    grant: Grant,
    *,
    rule: Callable[[Facts, Ruleset], Ruling] = rule_on,
) -> dict[int, Judged]:
    """What the law says to this grant for each person, by their ids; in a few queries for all.

    Long lists judge by `rule_briefly`, which leaves the readings out.
    """
    return judge_many([(person, grant) for person in persons], organization, rule=rule)


def judge_many(
    wanted: Sequence[tuple[Person, Grant]],
    organization: Organization,
    *,
    rule: Callable[[Facts, Ruleset], Ruling] = rule_on,
) -> dict[int, Judged]:
    """What the law says to each person's own grant, the first of each; in a few queries a span.

    However many duties there are, everyone who is asked for the same days is looked at together.
    """
    spans: dict[tuple[date, date | None], dict[int, tuple[Person, Grant]]] = defaultdict(dict)
    asked = {person.pk: (person, grant) for person, grant in reversed(wanted)}
    for pk, (person, grant) in asked.items():
        spans[grant.starts_on, grant.ends_on][pk] = person, grant
    judged: dict[int, Judged] = {}
    for group in spans.values():
        judged |= _judge_span(list(group.values()), organization, rule)
    return judged


def _judge_span(
    wanted: Sequence[tuple[Person, Grant]],
    organization: Organization,
    rule: Callable[[Facts, Ruleset], Ruling],
) -> dict[int, Judged]:
    """Grants of the same days, each judged for its own duties."""
    grants = {person.pk: grant for person, grant in wanted}
    span = wanted[0][1]
    license_ = license_on(organization, span.starts_on)
    asked = asked_for(organization, span, license_)
    law = in_force(span.starts_on)
    duties = {pk: grant.duties for pk, grant in grants.items()}
    found = facts_for_many([person for person, _grant in wanted], asked, duties)
    judged = {}
    for pk, grant in grants.items():
        facts = fitted(found[pk], law)
        ruling = rule(facts, law)
        hindrance = hindrance_of(facts, grant, law)
        if ruling.allows and not hindrance and license_ is None:
            hindrance = _("No license runs on that day under which an approval could be made.")
        judged[pk] = Judged(facts, ruling, license_, grant.duties, hindrance)
    return judged


def fitted(facts: Facts, law: Ruleset) -> Facts:
    """The span ends with the membership where a leave date is known: approvals end with it."""
    if facts.until is None or not is_asked("membership", facts, law):
        return facts
    covering = (run for run in runs(s.period for s in facts.spells) if run.covers(facts.on))
    last = min((run.last for run in covering), default=date.max)
    return replace(facts, until=min(facts.until, last))


def hindrance_of(facts: Facts, grant: Grant, law: Ruleset) -> str:
    """What stands in the way besides the law's tests; "" where nothing does."""
    span = facts.until or facts.on
    here = [p.period for p in facts.places if p.body == facts.body and not p.period.is_empty]
    if any(period.starts_on <= span and facts.on <= period.last for period in here):
        return _("Already approved here on some of these days. End that approval first.")
    kinds = {spell.kind for spell in facts.spells if spell.period.covers(facts.on)}
    if kinds == {Kind.VOLUNTEER} and set(grant.duties) & set(law.duties.members_only):
        return _("The person in charge is a member, not a volunteer. Choose other duties.")
    return ""


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
    return grant_many(by, organization, wanted)


def grant_many(
    by: Actor, organization: Organization, wanted: Sequence[tuple[Person, Grant]]
) -> Granted:
    """The same inside an act that somebody else may: a renewal carries its workers over."""
    for grant in dict.fromkeys(grant for _person, grant in wanted):
        check_grant(grant)
    done = Granted([], [])
    with transaction.atomic():
        refuse_merged(organization)
        people = lock_people([person for person, _grant in wanted])
        seek_first_press()
        asked = [(people[person.pk], grant) for person, grant in wanted]
        judged = judge_many(asked, organization, rule=rule_briefly)
        _decide(by, organization, list({p.pk: p for p in people.values()}.values()), judged, done)
    return done


def _decide(
    by: Actor,
    organization: Organization,
    people: Sequence[Person],
    judged: dict[int, Judged],
    done: Granted,
) -> None:
    """Write the approvals, then the refusals: those leave the form's token free for another try."""
    own = {p.pk for p in people if _is_own(by, p)}
    granted = [p for p in people if p.pk not in own and judged[p.pk].allows]
    if granted:
        _grant(by, organization, granted, judged, done)
    refused = [
        (p, _refusal(judged[p.pk], own=p.pk in own))
        for p in people
        if p.pk in own or not judged[p.pk].allows
    ]
    if refused:
        _refuse(by, organization, refused, judged, done)


def _is_own(by: Actor, person: Person) -> bool:
    """A regulator decides nothing about himself (decisions 28)."""
    if not isinstance(by, User) or by.person is None or not is_regulator(by):
        return False
    return root_of(by.person).pk == person.pk


def _refusal(judged: Judged, *, own: bool) -> Refused:
    """Why not: a colleague's to decide, a plain hindrance, or the law with all it rests on."""
    if own:
        return Refused(_("This is about yourself. A colleague must do it."))
    if judged.ruling.allows:
        return Refused(judged.hindrance)
    ruling = rule_on(judged.facts, in_force(judged.facts.on))
    return Refused(judged.hindrance, ruling=ruling)


def _refuse(
    by: Actor,
    organization: Organization,
    refused: Sequence[tuple[Person, Refused]],
    judged: Mapping[int, Judged],
    done: Granted,
) -> None:
    """One act for one person; of many, one act with a part for each, written together."""
    done.refused.extend(refused)
    if len(refused) == 1:
        ((person, said),) = refused
        about = _About(
            organization=organization, person=person, data=told(judged[person.pk].ruling)
        )
        with pressed(None), acting(by, "assignment.refused", reason=said.message, **about):
            return
    with pressed(None), acting(by, "assignments.refused", organization=organization) as act:
        parts = (
            act.part("assignment.refused", person, told(judged[person.pk].ruling), said.message)
            for person, said in refused
        )
        insert_all(Act, parts)


def _grant(
    by: Actor,
    organization: Organization,
    people: Sequence[Person],
    judged: dict[int, Judged],
    done: Granted,
) -> None:
    """One act for one person; of many, one act with a part for each, written together."""
    if len(people) > 1:
        try:
            done.made.extend(_grant_together(by, organization, people, judged))
        except IntegrityError:
            _grant_each(by, organization, people, judged, done)
    else:
        _grant_each(by, organization, people, judged, done)


def _grant_together(
    by: Actor, organization: Organization, people: Sequence[Person], judged: dict[int, Judged]
) -> list[Assignment]:
    with acting(by, "assignments.made", organization=organization) as act:
        parts = (act.part("assignment.made", p, told(judged[p.pk].ruling)) for p in people)
        insert_all(Act, parts)
        rows = [_unsaved(organization, person, judged[person.pk]) for person in people]
        return Assignment.objects.bulk_create(rows, BATCH)


def _grant_each(
    by: Actor,
    organization: Organization,
    people: Sequence[Person],
    judged: dict[int, Judged],
    done: Granted,
) -> None:
    """One by one: what the database alone refuses then refuses nobody else."""
    for person in people:
        _grant_one(by, organization, person, judged[person.pk], done)


def _grant_one(
    by: Actor, organization: Organization, person: Person, judged: Judged, done: Granted
) -> None:
    about = _About(organization=organization, person=person, data=told(judged.ruling))
    try:
        with acting(by, "assignment.made", **about):
            row = _unsaved(organization, person, judged)
            row.save(force_insert=True)
    except IntegrityError as error:
        _refuse(by, organization, [(person, say_refusal(error))], {person.pk: judged}, done)
    else:
        done.made.append(row)


def _unsaved(organization: Organization, person: Person, judged: Judged) -> Assignment:
    return Assignment(
        person=person,
        organization=organization,
        license=judged.license,
        duties=list(judged.duties),
        takes_place=_takes_place(judged),
        eligible_on=lawful_from(judged.ruling),
        starts_on=judged.facts.on,
        ends_on=judged.last_day,
    )


def _takes_place(judged: Judged) -> bool:
    """Help takes none; nor does what a decision allows beyond the limit (decisions 4, 8)."""
    law = in_force(judged.facts.on)
    if is_assisting(judged.duties, law):
        return False
    return not one_other(replace(judged.facts, decisions=()), law).bars


def lawful_from(ruling: Ruling) -> date:
    """The day from which tenure was full, frozen into the grant (decisions 12).

    The day asked about where tenure is not asked, or met by a decision.
    """
    tenure = next((v for v in ruling.verdicts if v.rule == "tenure"), None)
    day = tenure.params.get("full_on") if tenure else None
    return min(day, ruling.on) if isinstance(day, date) else ruling.on
