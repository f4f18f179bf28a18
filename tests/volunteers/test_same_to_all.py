"""An organization's pages are the same whatever the county knows or does about its people."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from registry.models import WorkItem
from tests.factories import (
    AccountHolderFactory,
    ActivityFactory,
    AddressFactory,
    AssignmentFactory,
    DeterminationFactory,
    LicensedFactory,
    NameTagFactory,
    RoleGrantFactory,
    SuspensionFactory,
    WorkerFactory,
    days_ago,
)
from volunteers.joining import join_people, look_again, part_record

pytestmark = pytest.mark.django_db
ONCE = re.compile(r"\b[A-Za-z0-9]{64}\b|[0-9a-f]{8}-[0-9a-f-]{27}")


def seen(client: Client, slug: str, pk: int) -> dict[str, tuple[int, str, int]]:
    """Every page on which the person shows: status, text, and how many queries it took."""
    roster = reverse("membership_list", args=[slug])
    person = reverse("membership_detail", args=[slug, pk])
    pages = [
        *(f"{roster}{query}" for query in ("", "?q=pat", "?export=csv", "?standing=cleared")),
        *(f"{person}{page}" for page in ("", "confirm/", "suspend/", "end/", "approve/")),
        *(reverse(name, args=[slug]) for name in ("organization_detail", "tags_print")),
        reverse("activity_add", args=[slug]),
        f"{reverse('organization_desk', args=[slug])}?person={pk}&on={timezone.localdate()}",
        "/search/?q=pat",
    ]
    return {url: look(client, url) for url in pages}


def differing(one: dict[str, tuple[int, str, int]], other: dict[str, tuple[int, str, int]]) -> list:
    """The pages that are not the same, with the lines that differ and both counts of queries."""
    return [
        (url, sorted(set(one[url][1].splitlines()) ^ set(other[url][1].splitlines()))[:4],
         (one[url][0], one[url][2]), (other[url][0], other[url][2]))
        for url in one if one[url] != other[url]
    ]  # fmt: skip


def look(client: Client, url: str) -> tuple[int, str, int]:
    with CaptureQueriesContext(connection) as asked:
        answer = client.get(url)
        text = b"".join(answer) if answer.streaming else answer.content
    return answer.status_code, ONCE.sub("", text.decode()), len(asked)


@pytest.mark.parametrize("stated", [date(1970, 1, 2), None])
def test_no_page_tells_a_possible_double_a_join_or_a_parting(stated) -> None:
    sue, ada = RoleGrantFactory(role="supervisor").user, AccountHolderFactory()
    post = ada.organization
    line = WorkerFactory(person__full_name="Pat Sample", organization=post, person__born_on=stated)
    approval = AssignmentFactory(person=line.person, organization=post)
    NameTagFactory(assignment=approval)
    client = Client()
    client.force_login(ada.user)
    first = seen(client, post.slug, line.pk)
    first = seen(client, post.slug, line.pk)

    hall = LicensedFactory(name="Hall Elsewhere")
    other = WorkerFactory(
        person__full_name="Patricia Sample", person__born_on=date(1970, 1, 3), organization=hall
    ).person
    AddressFactory(person=other, stated_by=hall, street="1 Placeholder Way")
    ActivityFactory(person=other, organization=hall, kind="meeting")
    SuspensionFactory(person=other, organization=hall)
    DeterminationFactory(person=other, organization=hall)
    assert look_again(sue, other) == 1
    assert differing(seen(client, post.slug, line.pk), first) == []

    join_people(sue, other, line.person, reason="One.")
    assert differing(seen(client, post.slug, line.pk), first) == []

    part_record(sue, other, line.person.number, reason="Two.")
    assert differing(seen(client, post.slug, line.pk), first) == []
    assert WorkItem.objects.filter(closed_at=None).count() == 0


def test_who_acts_for_a_body_that_was_taken_over_reads_on_and_enters_nothing(client) -> None:
    from tests.volunteers.test_merging import merge

    ada, survivor = AccountHolderFactory(), LicensedFactory(name="Marsh Lantern Post 1")
    slug = ada.organization.slug
    line = WorkerFactory(organization=ada.organization, attested_on=None, starts_on=days_ago(90))
    tag = NameTagFactory(
        assignment=AssignmentFactory(
            person=line.person, organization=ada.organization, starts_on=days_ago(20)
        )
    )
    merge(ada.organization, survivor)
    client.force_login(ada.user)
    today = timezone.localdate().strftime("%m/%d/%Y")
    last = days_ago(9).strftime("%m/%d/%Y")
    sent = {
        ("suspension_add", line.pk): {"starts_on": today, "reason": "Unruly."},
        ("assignment_ask", line.pk): {"reason": "Wanted."},
        ("membership_confirm", line.pk): {"confirm": "on"},
        ("tag_replace", tag.pk): {"reason": "Lost."},
        ("activity_add",): {
            "done_on": last, "kind": "food pantry", "people": [line.pk], "confirm": "on"
        },
        ("assignment_new", line.pk): {"starts_on": today, "duties": ["caller"]},
        ("membership_add",): {
            "full_name": "New Sample", "kind": "member", "starts_on": last, "confirm": "on"
        },
        ("tags_blank",): {"count": "4"},
    }  # fmt: skip

    page = client.get(reverse("organization_detail", args=[slug])).content.decode()
    assert "Marsh Lantern Post 1" in page
    assert reverse("organization_detail", args=[survivor.slug]) not in page
    for (name, *rest), typed in sent.items():
        url = reverse(name, args=[slug, *rest])
        token = client.get(url).context["form"]["token"].value()
        answer = client.post(url, {**typed, "token": token})
        assert (name, answer.status_code) == (name, 409)
        assert "was merged into Marsh Lantern Post 1" in answer.content.decode()
    assert client.get(f"/T/{tag.token}").status_code == 200
