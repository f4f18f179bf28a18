"""The workers of a license at its renewal: still here or left, then approved anew in one step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from django.utils import timezone
from django.utils.translation import gettext as _

from licenses.applying import about, lock_application
from licenses.models import Application, ApplicationStep, License
from registry.access import BadInput, Capability, Refused, require
from registry.history import acting
from registry.periods import ONE_DAY
from registry.services import Actor
from volunteers.assigning import Grant, Granted, grant_many
from volunteers.models import Assignment

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

    That somebody left also ends his approval, on the day he left or today; ending his membership
    is the roster's own act. Raises BadInput for an approval of another license.
    """
    require(by, Capability.APPLY, application.organization)
    if application.prior is None:
        raise Refused(_("Only a renewal asks about the workers."))
    known = {row.pk: row for row in workers_of(application.prior)}
    if set(said) - set(known):
        raise BadInput("workers", _("One of these workers is not on this license any more."))
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
