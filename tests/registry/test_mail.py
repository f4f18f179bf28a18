"""Letters wait in the queue, are carried by the worker, and survive a mail server that is away."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core import mail
from django.core.mail import EmailMultiAlternatives, get_connection
from django.core.management import call_command
from django.db import transaction
from django.http import Http404
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from registry import mail as register_mail
from registry.demo_mail import letter_box
from registry.mail import WAITS, demo_letters

# The worker closes its connection between letters, so its tests cannot share one transaction.
pytestmark = pytest.mark.django_db(transaction=True)


class Away(mail.backends.base.BaseEmailBackend):
    """A mail server that does not answer."""

    def send_messages(self, email_messages: Any) -> int:
        """Refuse like a closed port."""
        raise ConnectionRefusedError(111, "Connection refused")


@pytest.fixture
def queue(settings: Any) -> Any:
    """The real queue, emptied by a real worker into the test's own outbox."""
    settings.TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}
    settings.MAIL_CARRIER = "django.core.mail.backends.locmem.EmailBackend"
    return settings


def letter(**changes: Any) -> EmailMultiAlternatives:
    values = {
        "subject": "Łukasz, your tag",
        "body": "It is ready.",
        "from_email": "county@example.gov",
        "to": ["lukasz@example.org"],
        "cc": ["ada@example.org"],
        "bcc": ["kept@example.gov"],
        "reply_to": ["desk@example.gov"],
        "headers": {"X-Kind": "tag"},
    }
    message = EmailMultiAlternatives(
        **{**values, **changes}, connection=get_connection("registry.mail.QueuedBackend")
    )
    message.attach_alternative("<p>It is ready.</p>", "text/html")
    return message


def work() -> None:
    call_command("work", batch=True)


def test_a_letter_arrives_as_it_was_written_once_the_worker_comes(queue: Any) -> None:
    letter().send()
    assert mail.outbox == []

    work()

    arrived = mail.outbox[0]
    names = ("subject", "body", "from_email", "to", "cc", "bcc", "reply_to", "extra_headers")
    assert {name: getattr(arrived, name) for name in names} == {
        name: getattr(letter(), name) for name in names
    }
    assert [(text, kind) for text, kind in arrived.alternatives] == [
        ("<p>It is ready.</p>", "text/html")
    ]
    assert len(mail.outbox) == 1


def test_a_letter_of_a_transaction_that_is_taken_back_is_never_sent(queue: Any) -> None:
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        letter().send()
        assert DBTaskResult.objects.count() == 1
        1 / 0  # noqa: B018

    work()

    assert (mail.outbox, DBTaskResult.objects.count()) == ([], 0)


def test_a_mail_server_that_is_away_delays_the_letter_and_breaks_nothing(queue: Any) -> None:
    queue.MAIL_CARRIER = f"{__name__}.Away"
    letter().send()

    work()

    kept = DBTaskResult.objects.get(status="READY")
    wait = kept.run_after - timezone.now()
    assert timedelta(0) < wait <= WAITS[0]
    assert kept.args_kwargs["args"][1] == 2

    queue.MAIL_CARRIER = "django.core.mail.backends.locmem.EmailBackend"
    DBTaskResult.objects.update(run_after=timezone.now())
    work()

    assert [arrived.subject for arrived in mail.outbox] == ["Łukasz, your tag"]


def test_after_the_last_attempt_the_letter_is_given_up_in_the_open(queue: Any) -> None:
    queue.MAIL_CARRIER = f"{__name__}.Away"

    packed = register_mail._packed(letter())
    with pytest.raises(ConnectionRefusedError):
        register_mail.deliver.func(packed, len(WAITS) + 1)

    assert not DBTaskResult.objects.exists()


def test_an_attachment_is_refused_before_the_letter_is_queued(queue: Any) -> None:
    message = letter()
    message.attach("roster.csv", "name", "text/csv")

    with pytest.raises(ValueError, match="no attachments"):
        message.send()

    assert not DBTaskResult.objects.exists()


def test_the_demo_shows_its_letters_newest_first_on_page_and_terminal(
    queue: Any, rf: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    queue.MAIL_CARRIER = "registry.mail.DemoCarrier"
    queue.DEMO = True
    for subject in ("First", "Second <b>"):
        letter(subject=subject, body="See http://localhost:8000/accounts/").send()
    work()

    page = letter_page(rf).content.decode()

    assert [str(shown["Subject"]) for shown in demo_letters(9)] == ["Second <b>", "First"]
    assert page.index("Second &lt;b&gt;") < page.index("First")
    assert 'href="http://localhost:8000/accounts/"' in page
    assert "--- Mail to lukasz@example.org: First" in capsys.readouterr().out


def test_outside_the_demo_there_is_no_letter_box(rf: Any) -> None:
    with pytest.raises(Http404):
        letter_page(rf)


def letter_page(rf: Any) -> Any:
    request = rf.get("/demo/mail/")
    request.user = AnonymousUser()
    return letter_box(request)
