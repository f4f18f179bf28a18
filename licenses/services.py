"""Acts on licenses: issue, suspend, void; exemption; interests in hall owners."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from licenses.models import Application, Exemption, LessorInterest, License, Sanction
from licenses.numbering import next_number
from licenses.rules import OPEN, WAITING, Status, license_year
from licenses.selectors import is_lessor
from registry.access import BadInput, Capability, Refused, require
from registry.history import acting
from registry.models import Organization, Person
from registry.ruleset import TextUnknown
from registry.services import (
    Actor,
    check_days,
    lock_person,
    lock_row,
    need_reason,
    refuse_merged,
    refuse_ssn,
    saying,
    void,
)

BASIS = re.compile(r"528|501\(c\)\(([1-9]|1[0-9]|2[0-9])\)")


def issue_license(
    by: Actor, organization: Organization, *, license_class: str, issued_on: date, expires_on: date
) -> License:
    """Record a license (§§ 10-64(a), 10-65(a)) under the next number of its class and year."""
    require(by, Capability.KEEP_ORGANIZATIONS, organization)
    if license_class not in License.Class.values:
        raise BadInput("license_class", _("Choose class A or class B."))
    if expires_on < issued_on:
        raise BadInput("expires_on", _("The last day lies before the day of issue. Check both."))
    try:
        year = license_year(issued_on)
    except TextUnknown as unknown:
        raise BadInput("issued_on", str(unknown)) from None
    with acting(by, "license.issued", organization=organization):
        refuse_merged(organization)
        number = next_number(license_class, year)
        return _insert_license(organization, number, issued_on, expires_on)


def _insert_license(
    organization: Organization, number: str, issued_on: date, expires_on: date
) -> License:
    license_class = number[0]
    text = _("The organization already holds a class %(class)s license on some of these days.")
    with saying("license_one_per_class", "issued_on", text % {"class": license_class}):
        return License.objects.create(
            organization=organization,
            license_class=license_class,
            number=number,
            issued_on=issued_on,
            expires_on=expires_on,
        )


def void_license(by: Actor, license_: License, *, reason: str) -> License:
    """Take out a license that was entered in error; its number is not given again.

    Raises Refused while worker approvals or an application rest on it.
    """
    require(by, Capability.KEEP_ORGANIZATIONS, license_.organization)
    with transaction.atomic():
        # The full lock waits for an approval or a renewal that is being begun under this license.
        locked: License = License.objects.select_for_update().get(pk=license_.pk)
        _refuse_applied_for(locked)
        resting = locked.assignments.standing().count()
        if resting:
            raise Refused(
                ngettext(
                    "%(count)s worker approval rests on this license: take it back first.",
                    "%(count)s worker approvals rest on this license: take them back first.",
                    resting,
                )
                % {"count": resting}
            )
        return void(by, locked, reason=reason, capability=Capability.KEEP_ORGANIZATIONS)


def _refuse_applied_for(license_: License) -> None:
    if license_.application is not None:
        raise Refused(
            _("It was granted on application %(number)s: revoke it, or have it given back.")
            % {"number": license_.application.number}
        )
    resting = license_.renewals.exclude(status=Status.WITHDRAWN).first()
    if resting is not None:
        raise Refused(
            _("The renewal %(number)s rests on this license: it cannot be taken out.")
            % {"number": resting.number}
        )


def end_licenses(organization: Organization, last_day: date, *, reason: str) -> None:
    """Inside a running act: a body that is no more holds no license after this day.

    What had not begun by then is void; what it applied for is closed, and continues nothing.
    """
    _close_applications(organization, last_day)
    rows = License.objects.standing().filter(organization=organization, expires_on__gt=last_day)
    for row in rows.select_for_update():
        if row.issued_on > last_day:
            row.voided_at, row.void_reason = timezone.now(), reason
        else:
            row.expires_on = last_day
        row.save(update_fields=["expires_on", "voided_at", "void_reason"])


def _close_applications(organization: Organization, last_day: date) -> None:
    rows = Application.objects.filter(organization=organization)
    beyond = Q(status__in=sorted(WAITING), continued_to=None) | Q(continued_to__gt=last_day)
    rows.filter(beyond, prior__isnull=False).update(continued_to=last_day)
    rows.filter(status__in=sorted(OPEN)).update(status=Status.WITHDRAWN, since=timezone.now())


def suspend_license(
    by: Actor,
    license_: License,
    *,
    starts_on: date,
    ends_on: date | None,
    reason: str,
    cite: str = "",
) -> Sanction:
    """Record a suspension (§ 10-93) from a day, to a day or until further notice.

    Raises BadInput for a day on which the license does not run, or is suspended already.
    """
    require(by, Capability.KEEP_ORGANIZATIONS, license_.organization)
    need_reason(reason)
    refuse_ssn("cite", cite)
    check_days(starts_on, ends_on)
    if not license_.period.covers(starts_on):
        raise BadInput("starts_on", _("The license does not run on that day. Check the date."))
    text = _("The license is already suspended on some of these days.")
    with (
        acting(by, "license.suspended", reason=reason, organization=license_.organization),
        saying("sanction_once", "starts_on", text),
    ):
        sanction: Sanction = Sanction.objects.create(
            license=license_, starts_on=starts_on, ends_on=ends_on, reason=reason, cite=cite
        )
        return sanction


def end_suspension(by: Actor, sanction: Sanction, *, last_day: date) -> Sanction:
    """Record the last day on which a license is suspended; from the next day on it runs again.

    Raises Refused for an order of the county administrator, who alone lifts it.
    """
    organization = sanction.license.organization
    require(by, Capability.KEEP_ORGANIZATIONS, organization)
    _refuse_ordered(sanction)
    check_days(sanction.starts_on, last_day, field="last_day")
    text = _("The license is suspended again before that day. Check the date.")
    with (
        acting(by, "license.suspension_ended", organization=organization),
        saying("sanction_once", "last_day", text),
    ):
        lock_row(sanction)
        sanction.ends_on = last_day
        sanction.save(update_fields=["ends_on"])
    return sanction


def void_suspension(by: Actor, sanction: Sanction, *, reason: str) -> Sanction:
    """Take out a suspension that was entered in error.

    Raises Refused for an order of the county administrator, who alone lifts it.
    """
    _refuse_ordered(sanction)
    return void(by, sanction, reason=reason, capability=Capability.KEEP_ORGANIZATIONS)


def _refuse_ordered(sanction: Sanction) -> None:
    if sanction.decision_id is not None:
        raise Refused(_("The county administrator ordered this: only he lifts it (§ 10-93)."))


def check_span(starts_on: date, ends_on: date | None) -> None:
    """Raise BadInput when a period ends before it begins."""
    check_days(starts_on, ends_on)


@dataclass(frozen=True, slots=True)
class ExemptionEntry:
    """What an organization shows of its federal exemption."""

    basis: str
    evidence: str = ""
    reference: str = ""
    verified_on: date | None = None
    snapshot: Mapping[str, Any] = field(default_factory=dict)
    """What the IRS's files said when it was recorded; empty where they were not asked."""


def record_exemption(by: Actor, organization: Organization, entry: ExemptionEntry) -> Exemption:
    """Write the exemption an organization shows; an earlier record is voided, never lost."""
    require(by, Capability.KEEP_ORGANIZATIONS, organization)
    refuse_ssn("reference", entry.reference)
    if not BASIS.fullmatch(entry.basis):
        raise BadInput("basis", _("Choose 501(c)(1) to 501(c)(29), or 528."))
    if entry.verified_on and entry.verified_on > timezone.localdate():
        raise BadInput("verified_on", _("This day is still to come. Check the date."))
    with acting(by, "exemption.recorded", organization=organization):
        # The body is locked: where none is recorded yet there is no row to wait for.
        Organization.objects.select_for_update(no_key=True).get(pk=organization.pk)
        old = Exemption.objects.select_for_update().standing().filter(organization=organization)
        old.update(voided_at=timezone.now(), void_reason=_("a newer record took its place"))
        exemption: Exemption = Exemption.objects.create(
            organization=organization,
            basis=entry.basis,
            evidence=entry.evidence,
            reference=entry.reference,
            verified_on=entry.verified_on,
            snapshot=dict(entry.snapshot),
        )
        return exemption


def record_interest(
    by: Actor,
    person: Person,
    *,
    lessor: Organization,
    tie: str,
    starts_on: date,
    ends_on: date | None = None,
) -> LessorInterest:
    """Record a tie to a hall owner (§ 10-65(b)); it bars the person from that day on."""
    require(by, Capability.KEEP_PEOPLE)
    check_days(starts_on, ends_on)
    if not is_lessor(lessor):
        raise BadInput(
            "lessor",
            _("%(name)s holds no class B license: only a hall owner can be named here.")
            % {"name": lessor.name},
        )
    with acting(by, "interest.recorded", person=person, organization=lessor):
        person = lock_person(person)
        with saying(
            "lessorinterest_once", "tie", _("This tie is already recorded for these days.")
        ):
            interest: LessorInterest = LessorInterest.objects.create(
                person=person, lessor=lessor, tie=tie, starts_on=starts_on, ends_on=ends_on
            )
            return interest


def end_interest(by: Actor, interest: LessorInterest, *, last_day: date) -> LessorInterest:
    """Record that a tie to a hall owner ended."""
    require(by, Capability.KEEP_PEOPLE)
    check_days(interest.starts_on, last_day, field="last_day")
    with acting(by, "interest.ended", person=interest.person, organization=interest.lessor):
        lock_person(interest.person)
        lock_row(interest)
        interest.ends_on = last_day
        interest.save(update_fields=["ends_on"])
    return interest
