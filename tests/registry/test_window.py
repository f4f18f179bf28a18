"""The superusers' window onto the tables: no door of its own."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from registry.history import System, acting
from registry.models import User
from tests.factories import StatementFactory, UserFactory

pytestmark = pytest.mark.django_db
PEOPLE = "/window/registry/person/"


@pytest.fixture
def root(settings: Any) -> User:
    """A superuser of a county that requires a second factor."""
    settings.REQUIRE_SECOND_FACTOR = True
    user = UserFactory()
    with acting(System.SET_UP, "test.made"):
        user.is_superuser = True
        user.save()
    return user


def test_a_password_alone_opens_no_window(client: Client, root: User) -> None:
    told = {"username": root.email, "password": "correct horse"}

    answer = client.post("/window/login/", told)

    assert answer["Location"].startswith("/accounts/login/")
    assert "_auth_user_id" not in client.session


def test_a_superuser_without_a_second_factor_is_led_to_set_it_up(
    client: Client, root: User
) -> None:
    client.force_login(root)

    assert client.get(PEOPLE)["Location"] == "/accounts/2fa/totp/activate/"


def test_a_superuser_looks_at_every_table(client: Client, root: User, settings: Any) -> None:
    settings.REQUIRE_SECOND_FACTOR = False
    client.force_login(root)

    assert client.get(PEOPLE).status_code == 200


def test_the_window_shows_nothing_that_is_shown_only_where_each_look_is_kept(
    client: Client, root: User, settings: Any
) -> None:
    settings.REQUIRE_SECOND_FACTOR = False
    StatementFactory(answers={"convicted": "once in Ocala"}, signed_as="Maud Ellis")
    client.force_login(root)

    for table in ("statement", "statementevent"):
        rows = f"/window/licenses/{table}/"
        found = re.search(rf'href="({rows}[0-9]+/change/)', client.get(rows).content.decode())
        assert found
        for page in (rows, found[1]):
            shown = client.get(page).content.decode()
            assert "Ocala" not in shown
            assert "Maud Ellis" not in shown
