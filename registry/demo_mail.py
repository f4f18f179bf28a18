"""The demo's letter box: one page with the mail that a real installation would send."""

from __future__ import annotations

from datetime import UTC
from email.message import EmailMessage

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from registry.mail import demo_letters
from registry.templatetags.register import when

MOST = 50


@login_not_required
@require_safe
def letter_box(request: HttpRequest) -> HttpResponse:
    """The newest letters; 404 outside the demo, where mail is nobody else's business."""
    if not settings.DEMO:
        raise Http404
    letters = [_shown(letter) for letter in demo_letters(MOST)]
    context = {"title": _("Mail of the demo"), "letters": letters}
    return render(request, "registry/demo_mail.html", context)


def _shown(letter: EmailMessage) -> dict[str, str]:
    body = letter.get_body(("plain",))
    return {
        "to": str(letter["To"]),
        "subject": str(letter["Subject"]),
        # Written in UTC, which the header spells so that it is read without a zone.
        "date": when(letter["Date"].datetime.replace(tzinfo=UTC)),
        "text": body.get_content() if body else "",
    }
