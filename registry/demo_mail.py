"""The demo's letter box: one page with the mail that a real installation would send."""

from __future__ import annotations

from email.message import EmailMessage

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from registry.mail import demo_letters

MOST = 50


@login_not_required
@require_safe
def letter_box(request: HttpRequest) -> HttpResponse:
    """The newest letters; 404 outside the demo, where mail is nobody else's business."""
    if not settings.DEMO:
        raise Http404
    letters = [_shown(letter) for letter in demo_letters(MOST)]
    return render(request, "registry/demo_mail.html", {"letters": letters})


def _shown(letter: EmailMessage) -> dict[str, str]:
    body = letter.get_body(("plain",))
    return {
        "to": str(letter["To"]),
        "subject": str(letter["Subject"]),
        "date": str(letter["Date"]),
        "text": body.get_content() if body else "",
    }
