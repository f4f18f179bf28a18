"""Acts of the county on an application before the decision: check, ask, investigate, recommend."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from licenses.applying import about, lock_application, move
from licenses.letters import Ask, questions_draft
from licenses.models import Application, InvestigationNote, Query, RecordCheck, Statement
from licenses.reading import gaps_of, statements_shown, steps_of
from licenses.rules import Status
from licenses.words_applications import REASONS
from registry.access import BadInput, Capability, Refused, require
from registry.history import acting
from registry.letters import email_letter, write_letter
from registry.models import User
from registry.services import need_reason, refuse_ssn


def accept(by: User, application: Application) -> Application:
    """The clerk found it complete: the sheriff's investigation begins (§ 10-91(b))."""
    require(by, Capability.WORK_ON_APPLICATIONS)
    with acting(by, "application.accepted", **about(application)):
        row = lock_application(application)
        if any(gap.is_required for gap in gaps_of(row, timezone.localdate())):
            raise Refused(_("Something that the ordinance requires is missing: send it back."))
        move(row, Status.INVESTIGATION)
        row.save(update_fields=["status", "since"])
    return row


def send_back(by: User, application: Application, asks: Sequence[Ask]) -> Application:
    """Return it to the applicant with questions; it stays presented on its day (§ 10-91(b))."""
    require(by, Capability.WORK_ON_APPLICATIONS)
    _check_asks(application, asks)
    with acting(by, "application.sent_back", **about(application)):
        row = lock_application(application)
        move(row, Status.RETURNED)
        row.save(update_fields=["status", "since"])
        queries = Query.objects.bulk_create(
            Query(application=row, step=ask.step, reason=ask.reason, text=ask.text, asked_by=by)
            for ask in asks
        )
        letter = write_letter(by, row.organization, questions_draft(by, row, queries))
        email_letter(by, letter)
    return row


def _check_asks(application: Application, asks: Sequence[Ask]) -> None:
    if not asks:
        raise BadInput("reason", _("Ask at least one question, or choose one of the reasons."))
    steps = {step.key for step in steps_of(application)} | {""}
    for ask in asks:
        if ask.reason not in REASONS or ask.step not in steps:
            raise BadInput("reason", _("Choose one of the reasons, and one of the steps."))
        if ask.reason == "other" and not ask.text.strip():
            raise BadInput("text", _("Write what is to be done."))
        refuse_ssn("text", ask.text)


def add_note(by: User, application: Application, *, text: str) -> InvestigationNote:
    """Note what was found in the investigation; no Social Security number, no report text."""
    require(by, Capability.INVESTIGATE, application.organization)
    if not text.strip():
        raise BadInput("text", _("Write what was found."))
    refuse_ssn("text", text)
    with acting(by, "investigation.noted", **about(application)):
        lock_application(application)
        note: InvestigationNote = InvestigationNote.objects.create(
            application=application, text=text.strip(), written_by=by
        )
        return note


def check_record(by: User, statement: Statement, *, result: str, checked_on: date) -> RecordCheck:
    """Note that somebody's record was checked: by, on, result; nothing of what the report says."""
    application = statement.application
    require(by, Capability.INVESTIGATE, application.organization)
    if result not in RecordCheck.Result.values:
        raise BadInput("result", _("Choose one of the results that are shown."))
    if checked_on > timezone.localdate():
        raise BadInput("checked_on", _("This day is still to come. Check the date."))
    with acting(by, "record.checked", **about(application)):
        lock_application(application)
        check: RecordCheck = RecordCheck.objects.create(
            statement=statement, checked_by=by, checked_on=checked_on, result=result
        )
        return check


def recommend(by: User, application: Application, *, advice: str, note: str) -> Application:
    """The investigator reports to the administrator who decides; every statement must be there."""
    require(by, Capability.INVESTIGATE, application.organization)
    if advice not in Application.Advice.values:
        raise BadInput("advice", _("Choose: grant it, or deny it."))
    need_reason(note)
    with acting(by, "application.recommended", reason=note, **about(application)):
        row = lock_application(application)
        _refuse_unchecked(row)
        move(row, Status.RECOMMENDED)
        row.advice, row.advised_by, row.advice_note = advice, by, note
        row.advised_on = timezone.localdate()
        row.save()
    return row


def _refuse_unchecked(application: Application) -> None:
    open_ones = [name for _pk, name, _capacity, done in statements_shown(application) if not done]
    if open_ones:
        raise Refused(
            ngettext(
                "The statement of %(names)s is still to come (§ 10-84(a)).",
                "The statements of %(names)s are still to come (§ 10-84(a)).",
                len(open_ones),
            )
            % {"names": ", ".join(open_ones)}
        )


def investigate_again(by: User, application: Application, *, reason: str) -> Application:
    """The administrator wants more to be looked into before he decides."""
    require(by, Capability.DECIDE_LICENSES, application.organization)
    need_reason(reason)
    with acting(by, "application.given_back", reason=reason, **about(application)):
        row = lock_application(application)
        move(row, Status.INVESTIGATION)
        row.save(update_fields=["status", "since"])
    return row
