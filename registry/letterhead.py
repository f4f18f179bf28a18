"""A letter on paper: the county's head, the words with their cites, how it was served."""

from __future__ import annotations

from django.conf import settings

from registry import pdf
from registry.letters import page_of
from registry.models import Letter
from registry.ruleset import in_force


def letter_pdf(letter: Letter) -> bytes:
    """The letter as a tagged PDF; the code at its foot only where the register has an address."""
    address = f"{settings.PUBLIC_ADDRESS}{page_of(letter)}" if settings.PUBLIC_ADDRESS else ""
    context = {
        "letter": letter,
        "county": in_force(letter.written_on, settings.RULESET).title,
        "addressee": letter.addressee.splitlines(),
        "signature": letter.signed_by.splitlines(),
        "address": address,
        "code": pdf.code_of(address) if address else "",
    }
    return pdf.render("pdf/letter.html", context)
