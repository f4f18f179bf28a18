"""Mail waits in the queue and is carried by the worker: a mail server that is away breaks no page.

The queue is in the database: what a transaction takes back is never sent.
"""

from __future__ import annotations

import logging
import secrets
import sys
from collections.abc import Iterable, Sequence
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage as ReadMessage
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, EmailMultiAlternatives, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.utils import timezone
from django_tasks import task

from registry.places import make_private

logger = logging.getLogger(__name__)

WAITS = [timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 240, 720, 1440)]
"""How long a letter waits after each vain attempt; two days in all, then it is given up."""

FIELDS = ("subject", "body", "from_email", "to", "cc", "bcc", "reply_to", "extra_headers")


class QueuedBackend(BaseEmailBackend):
    """Django's mail backend that only puts letters into the queue."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Queue each letter; the number of letters comes back. Letters have no attachments."""
        for message in email_messages:
            deliver.enqueue(_packed(message))
        return len(email_messages)


class DemoCarrier(BaseEmailBackend):
    """Keeps letters as files, shows them on a page of the demo and prints them."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Write one file a letter, named by its time; the number of letters comes back."""
        folder = make_private(Path(settings.DEMO_MAIL))
        for message in email_messages:
            name = f"{timezone.now():%Y%m%dT%H%M%S.%f}-{secrets.token_hex(4)}.eml"
            (folder / name).write_bytes(message.message().as_bytes())
            sys.stdout.write(f"\n--- Mail to {', '.join(message.to)}: {message.subject}\n")
            sys.stdout.write(f"{message.body}\n---\n")
        sys.stdout.flush()
        return len(email_messages)


@task()
def deliver(packed: dict[str, Any], attempt: int = 1) -> None:
    """Hand one letter to the mail server; in vain, queue it again for later.

    Raises the mail server's error when the last attempt fails, so that the queue shows it.
    """
    connection = get_connection(settings.MAIL_CARRIER)
    try:
        connection.send_messages([_unpacked(packed)])
    except OSError as error:
        if attempt > len(WAITS):
            raise
        logger.warning("Mail not taken at attempt %s, kept for later: %s", attempt, error)
        later = deliver.using(run_after=timezone.now() + WAITS[attempt - 1])
        later.enqueue(packed, attempt + 1)


def demo_letters(most: int) -> list[ReadMessage]:
    """The newest letters of the demo, newest first."""
    files: Iterable[Path] = sorted(Path(settings.DEMO_MAIL).glob("*.eml"), reverse=True)
    return [
        message_from_bytes(file.read_bytes(), policy=policy.default) for file in list(files)[:most]
    ]


def _packed(message: EmailMessage) -> dict[str, Any]:
    if message.attachments:
        raise ValueError("Letters carry no attachments: link to the page instead.")
    alternatives = getattr(message, "alternatives", None) or []
    packed: dict[str, Any] = {name: getattr(message, name) for name in FIELDS}
    packed |= {"subject": str(message.subject), "body": str(message.body)}
    return {**packed, "alternatives": [[str(text), kind] for text, kind in alternatives]}


def _unpacked(packed: dict[str, Any]) -> EmailMessage:
    values = {name: packed[name] for name in FIELDS if name != "extra_headers"}
    return EmailMultiAlternatives(
        **values,
        headers=packed["extra_headers"],
        alternatives=[(text, kind) for text, kind in packed["alternatives"]],
    )
