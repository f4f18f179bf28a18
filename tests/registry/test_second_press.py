"""A form pressed twice shows what the first press did, also where that took its row away."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from registry.history import Act
from tests.factories import (
    AccountHolderFactory,
    AddressFactory,
    AssignmentFactory,
    DeterminationFactory,
    LessorInterestFactory,
    NameTagFactory,
    RoleGrantFactory,
    SanctionFactory,
)

pytestmark = pytest.mark.django_db


def supervisor() -> Client:
    client = Client()
    client.force_login(RoleGrantFactory(role="supervisor").user)
    return client


def address() -> str:
    row = AddressFactory()
    return reverse("address_void", args=[row.person.number, row.pk])


def interest() -> str:
    row = LessorInterestFactory()
    return reverse("interest_void", args=[row.person.number, row.pk])


def decision() -> str:
    row = DeterminationFactory()
    return reverse("decision_void", args=[row.person.number, row.pk])


def sanction() -> str:
    row = SanctionFactory()
    known = (row.license.organization.slug, row.license.number, row.pk)
    return reverse("license_suspension_void", args=known)


def license_() -> str:
    row = SanctionFactory().license
    return reverse("license_void", args=[row.organization.slug, row.number])


def tag() -> str:
    row = NameTagFactory(assignment=AssignmentFactory())
    return reverse("tag_replace", args=[row.assignment.organization.slug, row.pk])


@pytest.mark.parametrize("made", [address, interest, decision, sanction, license_, tag])
def test_a_second_press_finds_the_first_where_the_row_is_gone(made) -> None:
    client, page = supervisor(), made()
    sent = {"reason": "Typo.", "token": str(uuid4())}

    first = client.post(page, sent)
    count = Act.objects.count()
    second = client.post(page, sent, follow=True)

    assert (first.status_code, second.status_code) == (302, 200)
    assert "already done the first time" in second.content.decode()
    assert Act.objects.count() == count


def test_the_press_of_somebody_else_opens_nothing() -> None:
    page, sent = tag(), {"reason": "", "token": str(uuid4())}
    supervisor().post(page, sent)
    stranger = Client()
    stranger.force_login(AccountHolderFactory().user)

    assert stranger.post(page, sent).status_code == 404
    assert supervisor().post(page, sent | {"token": "no token"}).status_code == 404
    assert supervisor().post(page, sent).status_code == 404
