"""What somebody tells the county reaches the clerk, nameless if he likes, and nobody else."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from inspections.models import Concern
from inspections.services import report_concern
from registry.access import BadInput
from registry.history import Act, System
from registry.models import WorkItem
from tests.factories import AccountHolderFactory, NameTagFactory, RoleGrantFactory

pytestmark = pytest.mark.django_db


def send(client: Client | None = None, **fields: object):
    sent = {"text": "A caller wore no tag.", "token": uuid4(), **fields}
    return (client or Client()).post(reverse("concern_new"), sent)


def test_a_concern_without_a_name_becomes_one_thing_that_waits() -> None:
    tag = NameTagFactory()

    response = send(tag_number=tag.number)

    item = WorkItem.objects.get()
    assert response["Location"] == reverse("concern_sent")
    assert (item.kind, item.note) == ("concern", "A caller wore no tag.")
    assert (item.organization, item.person) == (
        tag.assignment.organization,
        tag.assignment.person,
    )
    assert Act.objects.get(verb="concern.received").by_name == "system: public"


def test_a_tag_number_nobody_knows_is_kept_as_it_was_read() -> None:
    send(tag_number=424242)

    concern = Concern.objects.get()
    assert (concern.tag_number, concern.organization) == (424242, None)


def test_a_second_press_tells_the_county_once() -> None:
    token = uuid4()

    answers = [send(token=token)["Location"] for _ in range(2)]

    assert answers == [reverse("concern_sent")] * 2
    assert Concern.objects.count() == 1


@pytest.mark.parametrize("text", ["", "   ", "His number is 123-45-6789"])
def test_an_empty_concern_and_a_social_security_number_are_refused(text: str) -> None:
    response = send(text=text)

    assert response.status_code == 422
    assert Concern.objects.count() == 0


def test_the_service_refuses_an_empty_concern_by_itself() -> None:
    with pytest.raises(BadInput) as refused:
        report_concern(System.PUBLIC, text=" ")

    assert (refused.value.field, refused.value.message) == (
        "text",
        "Say what you saw, in a sentence or two.",
    )


def test_too_many_from_one_place_are_asked_to_wait(settings) -> None:
    settings.PUBLIC_PAGES_A_MINUTE = {"concern": 2}

    answers = [send().status_code for _ in range(3)]

    assert sorted(answers) == [302, 302, 429]


def test_the_clerk_reads_it_and_says_how_it_ended_and_the_organization_reads_nothing() -> None:
    tag = NameTagFactory()
    send(tag_number=tag.number, contact="Jo, 555-0100")
    item = WorkItem.objects.get()
    clerk, officer = Client(), Client()
    clerk.force_login(RoleGrantFactory().user)
    officer.force_login(AccountHolderFactory(organization=tag.assignment.organization).user)
    page = reverse("work_detail", args=[item.pk])

    assert "Jo, 555-0100" in clerk.get(page).content.decode()
    assert officer.get(page).status_code == 403
    closed = clerk.post(
        reverse("work_close", args=[item.pk]), {"outcome": "Spoke to the hall.", "token": uuid4()}
    )

    item.refresh_from_db()
    assert closed["Location"] == reverse("work_list")
    assert (item.outcome, item.closed_at is None) == ("Spoke to the hall.", False)
    assert "Jo, 555-0100" not in clerk.get(reverse("work_list")).content.decode()
