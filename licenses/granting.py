"""The administrator's decision on an application (§§ 10-84, 10-91), and what a grant writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from licenses.applying import about, lock_application, move
from licenses.models import Application, Decision, License
from licenses.numbering import next_number
from licenses.reading import values_of
from licenses.rules import Status, first_day, last_day_of_term, license_year
from licenses.settling import settle
from registry.access import BadInput, Capability, Refused, require
from registry.adopting import law_on
from registry.grounds import Ground
from registry.history import acting
from registry.models import User
from registry.periods import ONE_DAY
from registry.provisions import Reading
from registry.ruleset import Ruleset
from registry.services import lock_organizations, need_reason, refuse_merged, refuse_ssn, saying

STAY = "deadlines.appeal_stays"
"""The open reading on which every appeal route rests (A30)."""


@dataclass(frozen=True, slots=True)
class Found:
    """A ground by its code, and the facts that were found for it."""

    code: str
    facts: str


@dataclass(frozen=True, slots=True)
class Route:
    """The appeal route of a letter: so many days by a source, or stated that none are set."""

    days: int | None = None
    source: str = ""
    none_set: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """What the administrator decides, on which grounds, and on which open readings he relies."""

    kind: str
    grounds: Sequence[Found] = ()
    reason: str = ""
    route: Route = field(default_factory=Route)
    readings: Sequence[str] = ()


def decide_application(by: User, application: Application, entry: Entry) -> Decision:
    """Grant or deny an application that the sheriff's office reported on; once.

    A grant writes the license under the next number, with its officers, bank and premises.
    Raises BadInput for a ground without cite or not in use, or an appeal route that is not
    settled (decisions 38); Refused when it was decided already.
    """
    require(by, Capability.DECIDE_LICENSES, application.organization)
    today = timezone.localdate()
    law = law_on(today)
    if entry.kind not in (Decision.Kind.GRANT, Decision.Kind.DENY):
        raise BadInput("kind", _("Choose: grant it, or deny it."))
    renewal = "deny_renewal" if application.prior_id else "deny"
    grounds = grounds_kept(entry, law, renewal, application.license_class)
    with transaction.atomic(), acting(by, VERBS[entry.kind], **about(application)):
        lock_organizations(application.organization)
        row = lock_application(application)
        _refuse_decided(row)
        move(row, GRANTS[entry.kind])
        decision = _decision(by, row, entry, grounds, law, today)
        if entry.kind == Decision.Kind.GRANT:
            refuse_merged(row.organization)
            _grant(row, today)
        row.save()
    return decision


VERBS = {"grant": "application.granted", "deny": "application.denied"}
GRANTS = {"grant": Status.GRANTED, "deny": Status.DENIED}


def _refuse_decided(application: Application) -> None:
    decision = application.decisions.standing().select_related("decided_by").first()
    if decision is not None:
        raise Refused(
            _("%(name)s has decided already: %(decision)s.")
            % {"name": decision.decided_by, "decision": decision.get_kind_display()}
        )


def usable_grounds(law: Ruleset, decision: str, license_class: str) -> list[Ground]:
    """The grounds that may be chosen: with a cite, for this decision and class, not switched off.

    Grounds that are only inferred stay off until counsel confirms them (law.md § 2.3).
    """
    return [
        ground
        for ground in law.grounds.values()
        if ground.usable and decision in ground.decisions and license_class in ground.classes
    ]


def switched_off(law: Ruleset, decision: str, license_class: str) -> list[Ground]:
    """The grounds that would fit, were they confirmed."""
    return [
        ground
        for ground in law.grounds.values()
        if not ground.usable and decision in ground.decisions and license_class in ground.classes
    ]


def adoptable(law: Ruleset) -> list[Reading]:
    """The readings a letter with an appeal route rests on, as long as counsel is silent."""
    reading = law.readings.get(STAY)
    return [reading] if reading and not reading.confirmed else []


def grounds_kept(
    entry: Entry, law: Ruleset, decision: str, license_class: str
) -> list[dict[str, Any]]:
    """The grounds as the decision keeps them, with cite and words of this day.

    Raises BadInput where one is needed and missing, not in use, or without the facts found.
    """
    usable = {ground.code: ground for ground in usable_grounds(law, decision, license_class)}
    if entry.kind != Decision.Kind.GRANT and not entry.grounds:
        raise BadInput("grounds", _("Choose at least one ground: a decision against names it."))
    kept = []
    for found in entry.grounds:
        ground = usable.get(found.code)
        if ground is None:
            raise BadInput("grounds", _("This ground cannot be chosen: it is not in use."))
        if not found.facts.strip():
            raise BadInput("facts", _("Write what was found for each ground."))
        refuse_ssn("facts", found.facts)
        kept.append(
            {
                "code": ground.code,
                "cite": ground.cite,
                "text": str(ground.text),
                "facts": found.facts.strip(),
            }
        )
    return kept


def route_kept(entry: Entry, law: Ruleset) -> dict[str, Any]:
    """The appeal route as the decision keeps it; a grant has none.

    Raises BadInput while its days are unknown and the signer neither names them with their
    source nor states that none are set, or relies on a reading he did not adopt (decisions 38).
    """
    if entry.kind == Decision.Kind.GRANT:
        return {}
    days, source = law.deadlines.appeal_days, law.cite_of("deadlines.appeal_days")
    if days is None:
        days, source = entry.route.days, entry.route.source.strip()
        refuse_ssn("appeal_source", source)
        if not entry.route.none_set and not (days and source):
            raise BadInput(
                "appeal_days",
                _(
                    "The days for an appeal are not set. Write them with their source,"
                    " or state that none are set."
                ),
            )
    if any(reading.key not in entry.readings for reading in adoptable(law)):
        raise BadInput(
            "readings",
            _("The letter rests on a reading that counsel has not confirmed: adopt it by name."),
        )
    told = {"days": days, "source": source, "stays": law.deadlines.appeal_stays}
    return told | {"none_set": days is None}


def preview_decision(
    by: User, application: Application, entry: Entry
) -> tuple[Decision, License | None]:
    """What `decide_application` would write now, unsaved, for the letter to be read before.

    Raises BadInput as that does.
    """
    today = timezone.localdate()
    law = law_on(today)
    renewal = "deny_renewal" if application.prior_id else "deny"
    grounds = grounds_kept(entry, law, renewal, application.license_class)
    decision = _unsaved(by, application, entry, grounds, law)
    decision.decided_on = today
    license_ = _license(application, today) if entry.kind == Decision.Kind.GRANT else None
    return decision, license_


def _decision(
    by: User,
    application: Application,
    entry: Entry,
    grounds: list[dict[str, Any]],
    law: Ruleset,
    today: date,
) -> Decision:
    decision = _unsaved(by, application, entry, grounds, law)
    decision.decided_on = today
    decision.save(force_insert=True)
    return decision


def _unsaved(
    by: User, application: Application, entry: Entry, grounds: list[dict[str, Any]], law: Ruleset
) -> Decision:
    if entry.kind == Decision.Kind.DENY:
        need_reason(entry.reason)
    refuse_ssn("reason", entry.reason)
    return Decision(
        organization=application.organization,
        application=application,
        license=application.prior,
        kind=entry.kind,
        grounds=grounds,
        reason=entry.reason.strip(),
        appeal=route_kept(entry, law),
        readings=sorted(entry.readings),
        decided_by=by,
    )


def _license(application: Application, today: date) -> License:
    """The license a grant of today gives, unsaved and without its number."""
    prior = application.prior
    first = first_day(today, prior.term if prior else None)
    return License(
        organization=application.organization,
        application=application,
        license_class=application.license_class,
        number=f"{application.license_class}-{license_year(first)}-…",
        issued_on=first,
        expires_on=last_day_of_term(first),
    )


def _grant(application: Application, today: date) -> License:
    license_, prior = _license(application, today), application.prior
    text = _("The organization already holds a class %(class)s license on some of these days.")
    with saying("license_one_per_class", "kind", text % {"class": application.license_class}):
        year = license_year(license_.issued_on)
        license_.number = next_number(application.license_class, year)
        license_.save(force_insert=True)
    # Days on which a denial was final already are not covered afterwards by a reversal.
    if prior and license_.issued_on > prior.expires_on + ONE_DAY and not application.continued_to:
        application.continued_to = license_.issued_on - ONE_DAY
    settle(license_, values_of(application, today))
    return license_


def make_final(by: User, application: Application, *, final_on: date) -> Application:
    """Record the day on which the denial of a renewal became final (§ 10-91(b)).

    Until then the license before it stays in force, if the renewal was presented in time.
    """
    require(by, Capability.WORK_ON_APPLICATIONS)
    if final_on > timezone.localdate():
        raise BadInput("final_on", _("This day is still to come. Check the date."))
    with acting(by, "decision.final", **about(application, final_on=final_on.isoformat())):
        row = lock_application(application)
        decision = row.decisions.standing().first()
        if row.status != Status.DENIED or row.prior is None or decision is None:
            raise Refused(_("Only the denial of a renewal becomes final here."))
        if row.continued_to is not None:
            raise Refused(_("The day on which it became final is recorded already."))
        if decision.appeals.standing().filter(outcome="").exists():
            raise Refused(_("An appeal against it is open: record first what came of that."))
        if final_on < decision.decided_on:
            raise BadInput("final_on", _("It was decided later than that. Check the date."))
        row.continued_to = final_on
        row.save(update_fields=["continued_to"])
    return row
