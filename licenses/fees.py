"""The fee of a license (§ 10-91(a), A15): what is due, and what was received."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.utils import timezone
from django.utils.translation import gettext as _

from licenses.applying import about, lock_application
from licenses.models import Application, Receipt
from licenses.numbering import next_number
from licenses.rules import Status, fee_share, first_day, license_year
from registry.access import BadInput, Capability, Refused, require
from registry.adopting import law_on
from registry.history import acting
from registry.models import User
from registry.ruleset import Ruleset
from registry.services import refuse_ssn

LETTER = "R"
"""The letter of receipts: R-2027-0042."""
CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Fee:
    """What is due: "full" or "half", and how much; None where the county has set no amount."""

    share: str
    amount: Decimal | None
    first_day: date


def fee_for(license_class: str, first: date, law: Ruleset) -> Fee:
    """The fee of a license of this class that begins on this day. Pure."""
    licensing = law.licensing
    full = licensing.fee_class_a if license_class == "A" else licensing.fee_class_b
    share = fee_share(first, law)
    if full is None:
        return Fee(share, None, first)
    part = licensing.fee_half_share if share == "half" else Decimal(1)
    return Fee(share, (full * part).quantize(CENT), first)


def fee_of(application: Application, day: date) -> Fee:
    """The fee of an application if it is granted on this day, or of its license once it is."""
    license_ = getattr(application, "license", None)
    prior = application.prior.term if application.prior else None
    first = license_.issued_on if license_ else first_day(day, prior)
    return fee_for(application.license_class, first, law_on(first))


@dataclass(frozen=True, slots=True)
class Payment:
    """Money as it was received at the counter or by mail."""

    amount: Decimal
    received_on: date
    method: str
    reference: str = ""


def receive_fee(by: User, application: Application, payment: Payment) -> Receipt:
    """Note money received for an application and give it a receipt number.

    Raises BadInput for no money, a day to come or an unknown way, Refused once it is withdrawn.
    """
    require(by, Capability.WORK_ON_APPLICATIONS)
    _check(payment)
    with acting(by, "fee.received", **about(application, amount=str(payment.amount))):
        row = lock_application(application)
        if row.status in (Status.DENIED, Status.WITHDRAWN):
            raise Refused(_("The application is closed: no fee is due."))
        fee = fee_of(row, timezone.localdate())
        receipt: Receipt = Receipt.objects.create(
            application=row,
            number=next_number(LETTER, license_year(payment.received_on)),
            share=fee.share,
            due=fee.amount,
            amount=payment.amount,
            received_on=payment.received_on,
            method=payment.method,
            reference=payment.reference.strip(),
        )
        return receipt


def _check(payment: Payment) -> None:
    if payment.amount <= 0:
        raise BadInput("amount", _("Write the amount received, in dollars."))
    if payment.received_on > timezone.localdate():
        raise BadInput("received_on", _("This day is still to come. Check the date."))
    if payment.method not in Receipt.Method.values:
        raise BadInput("method", _("Choose one of the ways that are shown."))
    refuse_ssn("reference", payment.reference)
