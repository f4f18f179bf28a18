"""Appeals to the board of county commissioners (§ 10-93), stays, and what comes of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from licenses.applying import lock_application, move
from licenses.models import Appeal, Application, Decision
from licenses.ordering import lift
from licenses.rules import Status
from licenses.selectors import letter_of
from registry.access import BadInput, Capability, Refused, require
from registry.documents import Paper, keep_document
from registry.history import acting
from registry.models import Document, User
from registry.services import check_days, lock_row, refuse_ssn, saying

AGAINST = frozenset({"deny", "warn", "suspend", "condition", "revoke"})
"""Decisions that can be appealed."""


@dataclass(frozen=True, slots=True)
class Filing:
    """An appeal as it came in, with the stay if one was ordered."""

    filed_on: date
    stay_from: date | None = None
    stay_to: date | None = None
    stay_cite: str = ""
    paper: Paper | None = None


def appeal_until(decision: Decision) -> date | None:
    """The last day for an appeal; None while the letter is not served or no days are known."""
    letter = letter_of(decision)
    days = decision.appeal.get("days")
    if not days or letter is None or letter.served_on is None:
        return None
    return letter.served_on + timedelta(days=days)


def file_appeal(by: User, decision: Decision, filing: Filing) -> Appeal:
    """Note an appeal. A late one is noted too: whether it counts is for the board to say."""
    require(by, Capability.WORK_ON_APPLICATIONS)
    if decision.kind not in AGAINST:
        raise Refused(_("Only a decision against somebody is appealed."))
    _check(filing, decision)
    text = _("An appeal against this decision is open already.")
    with (
        acting(by, "appeal.filed", organization=decision.organization),
        saying("appeal_one_open", "filed_on", text),
    ):
        lock_row(decision)
        kept = filing.paper and keep_document(
            decision.organization, Document.Kind.APPEAL, filing.paper, by=by
        )
        appeal: Appeal = Appeal.objects.create(
            decision=decision,
            filed_on=filing.filed_on,
            paper=kept or None,
            stay_from=filing.stay_from,
            stay_to=filing.stay_to,
            stay_cite=filing.stay_cite.strip(),
        )
    return appeal


def _check(filing: Filing, decision: Decision) -> None:
    if filing.filed_on > timezone.localdate():
        raise BadInput("filed_on", _("This day is still to come. Check the date."))
    if filing.filed_on < decision.decided_on:
        raise BadInput("filed_on", _("It was decided later than that. Check the date."))
    _check_stay(filing.stay_from, filing.stay_to, filing.stay_cite)


def _check_stay(stay_from: date | None, stay_to: date | None, ordered_by: str) -> None:
    if stay_to and not stay_from:
        raise BadInput("stay_from", _("Write from which day the decision is stayed."))
    if stay_from:
        check_days(stay_from, stay_to, field="stay_to")
    if stay_from and not ordered_by.strip():
        raise BadInput("stay_cite", _("Write who ordered the stay, and when."))
    refuse_ssn("stay_cite", ordered_by)


def order_stay(
    by: User, appeal: Appeal, *, stay_from: date, stay_to: date | None, ordered_by: str
) -> Appeal:
    """Note that the board or a court stays the decision from a day, to a day or until decided."""
    require(by, Capability.WORK_ON_APPLICATIONS)
    _check_stay(stay_from, stay_to, ordered_by)
    with acting(by, "appeal.stayed", reason=ordered_by, organization=appeal.decision.organization):
        lock_row(appeal)
        _refuse_closed(appeal)
        appeal.stay_from, appeal.stay_to = stay_from, stay_to
        appeal.stay_cite = ordered_by.strip()
        appeal.save(update_fields=["stay_from", "stay_to", "stay_cite"])
    return appeal


@dataclass(frozen=True, slots=True)
class Result:
    """What came of an appeal: by whom, on which day, in what words."""

    outcome: str
    outcome_on: date
    outcome_by: str
    note: str = ""


def close_appeal(by: User, appeal: Appeal, result: Result) -> Appeal:
    """Note what the board or a court decided.

    A stay ends with that day. A reversal lifts the order from that day on, or gives a denied
    application back to the administrator to be decided anew; nothing is undone for days gone by.
    """
    require(by, Capability.WORK_ON_APPLICATIONS)
    _check_result(appeal, result)
    with acting(by, "appeal.closed", reason=result.note, organization=appeal.decision.organization):
        lock_row(appeal)
        _refuse_closed(appeal)
        appeal.outcome, appeal.outcome_on = result.outcome, result.outcome_on
        appeal.outcome_by, appeal.outcome_note = result.outcome_by.strip(), result.note.strip()
        _end_stay(appeal, result.outcome_on)
        appeal.save()
        if result.outcome == Appeal.Outcome.REVERSED:
            _reverse(appeal.decision, result)
    return appeal


def _end_stay(appeal: Appeal, last_day: date) -> None:
    """A stay ends with the result; one that had not begun by then stays nothing."""
    if appeal.stay_from and appeal.stay_from > last_day:
        appeal.stay_from = appeal.stay_to = None
    elif appeal.stay_from:
        appeal.stay_to = min(appeal.stay_to or last_day, last_day)


def _check_result(appeal: Appeal, result: Result) -> None:
    if result.outcome not in Appeal.Outcome.values:
        raise BadInput("outcome", _("Choose one of the results that are shown."))
    if result.outcome_on > timezone.localdate():
        raise BadInput("outcome_on", _("This day is still to come. Check the date."))
    if result.outcome_on < appeal.filed_on:
        raise BadInput("outcome_on", _("The appeal was filed later than that. Check the date."))
    if not result.outcome_by.strip():
        raise BadInput("outcome_by", _("Write who decided: the board, or which court."))
    refuse_ssn("note", result.note, result.outcome_by)


def _refuse_closed(appeal: Appeal) -> None:
    if appeal.outcome:
        raise Refused(_("This appeal is decided already."))


def _reverse(decision: Decision, result: Result) -> None:
    reason = _("reversed by %(who)s") % {"who": result.outcome_by}
    for sanction in decision.sanctions.standing():
        if sanction.ends_on is None or sanction.ends_on >= result.outcome_on:
            lift(sanction, result.outcome_on, reason)
    if decision.application is not None:
        _decide_anew(decision, decision.application, reason)


def _decide_anew(decision: Decision, application: Application, reason: str) -> None:
    text = _("Another application of this class is open: decide or withdraw that one first.")
    with saying("application_one_open", "outcome", text):
        row = lock_application(application)
        move(row, Status.RECOMMENDED)
        decision.voided_at, decision.void_reason = timezone.now(), reason
        decision.save(update_fields=["voided_at", "void_reason"])
        row.save(update_fields=["status", "since"])
