"""Composition: acts that reach over several apps, each in one transaction (decisions 27).

What changes how long a license runs changes the approvals under it in the same transaction.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from django.db import transaction

from licenses import appealing, applying, granting, investigating, ordering
from licenses.letters import decision_draft, order_draft
from licenses.models import Appeal, Application, Decision, License, Sanction
from registry.documents import Paper
from registry.letters import email_letter, write_letter
from registry.models import Document, User
from registry.services import Actor
from volunteers.deciding import refuse_own_body
from volunteers.following import follow_license
from volunteers.renewing import carry_over


def hand_in(
    by: Actor,
    application: Application,
    oath: applying.Oath,
    *,
    received_on: date | None = None,
    signed: Paper | None = None,
) -> Application:
    """Hand an application in; a renewal in time carries the approvals on (§ 10-91(b)).

    `signed` is the printed application with the signature, where it was sworn on paper.
    """
    with transaction.atomic():
        if signed is not None:
            kept = applying.add_paper(by, application, Document.Kind.SWORN, signed)
            oath = replace(oath, paper=kept.document)
        row = applying.hand_in(by, application, oath, received_on=received_on)
        return _followed(by, row)


def present_renewal(
    by: Actor, application: Application, *, received_on: date, shown: str
) -> Application:
    """Note a renewal that came on paper; in time, it carries the approvals on."""
    with transaction.atomic():
        row = applying.present_renewal(by, application, received_on=received_on, shown=shown)
        return _followed(by, row)


def withdraw(by: Actor, application: Application, *, reason: str) -> Application:
    """Withdraw an application; what it kept in force ends, and the approvals with it."""
    with transaction.atomic():
        return _followed(by, applying.withdraw(by, application, reason=reason))


def decide_application(by: User, application: Application, entry: granting.Entry) -> Decision:
    """Decide an application; a renewed license takes its workers over in one judged step."""
    with transaction.atomic():
        refuse_own_body(by, application.organization)
        decision = granting.decide_application(by, application, entry)
        row = Application.objects.get(pk=application.pk)
        _followed(by, row)
        license_ = getattr(row, "license", None)
        if license_ is not None:
            carry_over(by, row, license_)
        letter = write_letter(by, row.organization, decision_draft(decision, license_))
        email_letter(by, letter)
        return decision


def order(by: User, license_: License, wanted: ordering.Order) -> Decision:
    """Order something against a license; its approvals follow, and the notice is written."""
    with transaction.atomic():
        refuse_own_body(by, license_.organization)
        decision = ordering.order(by, license_, wanted)
        return _noticed(by, decision)


def accept_surrender(by: User, license_: License, *, last_day: date, reason: str) -> Decision:
    """Take a license back; its approvals end with it."""
    with transaction.atomic():
        return _noticed(
            by, ordering.accept_surrender(by, license_, last_day=last_day, reason=reason)
        )


def reinstate(by: User, sanction: Sanction, *, from_day: date, reason: str) -> Decision:
    """Lift an order; the notice is written."""
    with transaction.atomic():
        refuse_own_body(by, sanction.license.organization)
        decision = ordering.reinstate(by, sanction, from_day=from_day, reason=reason)
        return _noticed(by, decision, from_day=from_day)


def order_stay(
    by: User, appeal: Appeal, *, stay_from: date, stay_to: date | None, ordered_by: str
) -> Appeal:
    """Note a stay; approvals granted under a longer one that it replaces end with it."""
    with transaction.atomic():
        row = appealing.order_stay(
            by, appeal, stay_from=stay_from, stay_to=stay_to, ordered_by=ordered_by
        )
        if row.decision.license is not None:
            follow_license(by, row.decision.license)
        return row


def recommend(by: User, application: Application, *, advice: str, note: str) -> Application:
    """The investigator's report; who belongs to the body investigates nothing about it."""
    refuse_own_body(by, application.organization)
    return investigating.recommend(by, application, advice=advice, note=note)


def close_appeal(by: User, appeal: Appeal, result: appealing.Result) -> Appeal:
    """Note what came of an appeal; approvals follow the license, and what waits is listed."""
    with transaction.atomic():
        closed = appealing.close_appeal(by, appeal, result)
        if closed.decision.license is not None:
            follow_license(by, closed.decision.license)
        return closed


def _noticed(by: User, decision: Decision, *, from_day: date | None = None) -> Decision:
    if decision.license is not None:
        follow_license(by, decision.license)
    draft = order_draft(decision, decision.sanctions.first(), from_day=from_day)
    email_letter(by, write_letter(by, decision.organization, draft))
    return decision


def make_final(by: User, application: Application, *, final_on: date) -> Application:
    """Record that a denial is final; the license before it and its approvals end that day."""
    with transaction.atomic():
        return _followed(by, granting.make_final(by, application, final_on=final_on))


def _followed(by: Actor, application: Application) -> Application:
    if application.prior is not None:
        follow_license(by, application.prior)
    return application
