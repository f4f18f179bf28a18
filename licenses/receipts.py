"""A receipt on paper."""

from __future__ import annotations

from django.conf import settings

from licenses.applying import about
from licenses.models import Receipt
from registry import pdf
from registry.history import acting
from registry.models import User
from registry.ruleset import in_force


def receipt_pdf(by: User, receipt: Receipt) -> bytes:
    """The receipt as a tagged PDF; that it was printed is kept."""
    application = receipt.application
    with acting(by, "receipt.printed", **about(application, receipt=receipt.number)):
        context = {
            "receipt": receipt,
            "application": application,
            "county": in_force(receipt.received_on, settings.RULESET).title,
        }
        return pdf.render("pdf/receipt.html", context)
