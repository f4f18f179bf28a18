"""The workers of a license at its renewal: still here or left, then approved anew in one step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from django.utils import timezone
from django.utils.translation import gettext as _

from licenses.applying import about, lock_application
from licenses.models import Application, ApplicationStep, License
from licenses.rules import first_day, last_day_of_term
from registry.access import BadInput, Capability, Refused, require
from registry.deeds import details
from registry.history import Act, acting
from registry.periods import ONE_DAY, Period
from registry.ruleset import in_force
from registry.services import Actor
from registry.verdicts import Ruling
from volunteers.assigning import Grant, Granted, fitted, grant_many, hindrance_of
from volunteers.facts import LicenseSpell, Question
from volunteers.models import Assignment
from volunteers.rules import rule_briefly
from volunteers.selectors import Asked, facts_for_many

STEP = "workers"
HERE, LEFT = "here", "left"


@dataclass(frozen=True, slots=True)
class Stay:
    """What the organization says of one worker: still here, or left on a day."""

    answer: str
    left_on: date | None = None


def workers_of(license_: License) -> list[Assignment]:
    """The approvals that run to the end of a license or beyond: those the renewal asks about."""
    rows = Assignment.objects.standing().filter(license=license_, ends_on__gte=license_.expires_on)
    return list(rows.select_related("person").order_by("person__sort_name", "pk"))


@dataclass(frozen=True, slots=True)
class Worker:
    """One worker of the license before, what was said of him, what the law says from `first` on."""

    approval: Assignment
    stay: Stay | None
    ruling: Ruling
    hindrance: str

    @property
    def allows(self) -> bool:
        """True where he would be approved anew."""
        return self.ruling.allows and not self.hindrance


def workers_judged(application: Application, today: date) -> tuple[date, list[Worker]]:
    """The first day of the license a renewal would bring, and each worker judged for its term.

    As if it were granted today: a preview, in a few queries for all.
    """
    prior = application.prior
    if prior is None:
        return today, []
    first = first_day(today, prior.term)
    last = last_day_of_term(first)
    rows, law = workers_of(prior), in_force(first)
    before = frozenset(Assignment.objects.filter(license=prior).values_list("pk", flat=True))
    asked = Asked(application.organization, first, Question.ASSIGN, last, ignoring=before)
    duties = {row.person_id: tuple(row.duties) for row in rows}
    found = facts_for_many([row.person for row in rows], asked, duties)
    granted = (LicenseSpell(Period(first, last)),)
    leases_only = prior.license_class == License.Class.B
    said, workers = confirmed(application), []
    for row in rows:
        facts = replace(found[row.person_id], licenses=granted, leases_only=leases_only)
        facts = fitted(facts, law)
        hindrance = hindrance_of(facts, Grant(first, tuple(row.duties)), law)
        workers.append(Worker(row, said.get(row.pk), rule_briefly(facts, law), hindrance))
    return first, workers


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one worker at the renewal: approved anew, or why not."""

    approval: Assignment
    anew: Assignment | None
    why: str


def outcomes_of(application: Application) -> list[Outcome]:
    """Of a granted renewal, each worker of the license before; empty for any other."""
    license_ = License.objects.filter(application=application).first()
    if application.prior is None or license_ is None:
        return []
    rows, said = workers_of(application.prior), confirmed(application)
    anew = Assignment.objects.standing().filter(license=license_, starts_on=license_.issued_on)
    by_person = {row.person_id: row for row in anew}
    refused = _refusals(application, license_)
    return [
        Outcome(
            row,
            by_person.get(row.person_id),
            _why_not(said.get(row.pk), refused.get(row.person_id, "")),
        )
        for row in rows
    ]


def _refusals(application: Application, license_: License) -> dict[int, str]:
    """Why the carrying over refused somebody, by person, as the history keeps it."""
    acts = Act.objects.filter(
        organization=application.organization,
        verb="assignment.refused",
        data__on=license_.issued_on.isoformat(),
    )
    rows = acts.filter(person__isnull=False).order_by("at")
    return {int(act.person_id or 0): act.reason or details(act.data) for act in rows}


def _why_not(stay: Stay | None, refused: str) -> str:
    if stay is None:
        return _("It was not said that this worker is still here.")
    if stay.answer == LEFT:
        return _("Left the organization.")
    return refused


def confirmed(application: Application) -> dict[int, Stay]:
    """What was said so far, by approval."""
    row = application.steps.filter(step=STEP).first()
    said = row.answers.get(STEP, ()) if row else ()
    return {
        int(one["approval"]): Stay(
            one["answer"], date.fromisoformat(one["left_on"]) if one.get("left_on") else None
        )
        for one in said
    }


def confirm_workers(by: Actor, application: Application, said: Mapping[int, Stay]) -> None:
    """Keep what the organization says of each worker; who left is not approved anew.

    To end his membership, and with it his approval, is the roster's own act. Raises BadInput for
    an approval of another license, or for a day to come.
    """
    require(by, Capability.APPLY, application.organization)
    if application.prior is None:
        raise Refused(_("Only a renewal asks about the workers."))
    known = {row.pk: row for row in workers_of(application.prior)}
    if set(said) - set(known):
        raise BadInput("workers", _("One of these workers is not on this license any more."))
    today = timezone.localdate()
    for pk, stay in said.items():
        if stay.left_on and stay.left_on > today:
            raise BadInput(f"left_{pk}", _("This day is still to come. Check the date."))
    with acting(by, "workers.confirmed", **about(application)):
        row = lock_application(application)
        if not row.is_open:
            raise Refused(_("The application is closed."))
        answers = [
            {
                "approval": pk,
                "answer": stay.answer,
                "left_on": stay.left_on.isoformat() if stay.left_on else "",
            }
            for pk, stay in said.items()
        ]
        _keep(row, answers, str(by))


def _keep(application: Application, answers: list[dict[str, object]], by: str) -> None:
    step = application.steps.filter(step=STEP).first() or ApplicationStep(
        application=application, step=STEP
    )
    step.answers, step.saved_at, step.saved_by = {STEP: answers}, timezone.now(), by
    step.revision += 1
    step.save()


def carry_over(by: Actor, application: Application, license_: License) -> Granted:
    """Approve those who are still here anew under the renewed license, each judged as any other.

    One step for all; who is refused stands in the result, with the ruling, and in the history.
    """
    prior = application.prior
    if prior is None:
        return Granted([], [])
    here = {pk for pk, stay in confirmed(application).items() if stay.answer == HERE}
    rows = Assignment.objects.standing().filter(license=prior, pk__in=here)
    last = license_.issued_on - ONE_DAY
    wanted = [
        (row.person, Grant(starts_on=license_.issued_on, duties=tuple(row.duties)))
        for row in rows.filter(ends_on__gte=min(last, prior.expires_on)).select_related("person")
    ]
    return grant_many(by, application.organization, wanted) if wanted else Granted([], [])
