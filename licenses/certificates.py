"""The license on paper, to be posted where bingo is played (§ 10-64(a)): current facts only."""

from __future__ import annotations

from datetime import date

from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from licenses.copies import take_copy
from licenses.models import CertificateCopy, License
from registry import pdf
from registry.models import User
from registry.ruleset import in_force


def print_certificate(by: User, license_: License) -> bytes:
    """The license as a tagged PDF; Refused for one that is not in force (licenses.copies)."""
    return certificate(take_copy(by, license_), timezone.localdate())


def certificate(copy: CertificateCopy, day: date) -> bytes:
    """A copy as PDF/UA; the code only where the register has an address that lasts."""
    license_ = copy.license
    page = reverse("license_copy", args=[copy.token])
    address = f"{settings.PUBLIC_ADDRESS}{page}" if settings.PUBLIC_ADDRESS else ""
    context = {
        "license": license_,
        "facts": copy.facts,
        "is_continued": copy.facts.get("continued", False),
        "county": in_force(max(day, license_.issued_on), settings.RULESET).title,
        "address": address,
        "code": pdf.code_of(address) if address else "",
        "copy": copy,
    }
    return pdf.render("pdf/license.html", context)
