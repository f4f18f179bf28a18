"""A clerk makes a passkey and signs in with it alone; a device in software answers for him."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from playwright.sync_api import Page

from registry.history import Act
from registry.models import User
from tests.factories import RoleGrantFactory
from tests.journeys.conftest import findings, fits

pytestmark = pytest.mark.django_db(transaction=True)

DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def with_device(page: Page) -> tuple[Any, str]:
    """Plug a device into the browser."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    added = session.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})
    return session, added["authenticatorId"]


def test_a_clerk_adds_a_passkey_and_signs_in_with_it_alone(
    page: Page, live_server: Any, sign_in: Callable[[User], None], settings: Any
) -> None:
    settings.REQUIRE_SECOND_FACTOR = True
    clerk = RoleGrantFactory().user
    session, device = with_device(page)
    refused: list[str] = []
    page.on("console", lambda line: refused.append(line.text) if line.type == "error" else None)

    sign_in(clerk)
    page.goto(f"{live_server.url}/organizations/")
    page.get_by_role("link", name="add a passkey instead").click()
    assert (findings(page), fits(page)) == ([], True)
    page.get_by_label("Name of the device").fill("Laptop at the counter")
    page.get_by_role("button", name="Make the passkey").click()
    page.wait_for_url("**/reauthenticate/**")
    page.goto(f"{live_server.url}/organizations/")
    assert page.url.endswith("/organizations/")
    page.goto(f"{live_server.url}/accounts/2fa/webauthn/")
    assert page.get_by_text("Laptop at the counter", exact=True).is_visible()
    assert findings(page) == []

    page.get_by_role("button", name="Sign out").click()
    page.goto(f"{live_server.url}/accounts/login/?next=/organizations/")
    assert findings(page) == []
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url(f"{live_server.url}/organizations/")

    verbs = Act.objects.filter(by=clerk).order_by("at").values_list("verb", "data")
    assert [(verb, json.dumps(data)) for verb, data in verbs] == [
        ("user.signed_in", "{}"),
        ("user.webauthn_added", "{}"),
        ("user.signed_out", "{}"),
        ("user.signed_in", '{"by": "passkey"}'),
    ]
    assert refused == []

    session.send("WebAuthn.setUserVerified", {"authenticatorId": device, "isUserVerified": False})
    page.get_by_role("button", name="Sign out").click()
    page.goto(f"{live_server.url}/accounts/login/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.get_by_text("The passkey was not used").wait_for()


def test_after_the_password_the_passkey_is_the_second_step(
    page: Page, live_server: Any, sign_in: Callable[[User], None]
) -> None:
    clerk = RoleGrantFactory().user
    with_device(page)
    sign_in(clerk)
    page.goto(f"{live_server.url}/accounts/2fa/webauthn/add/")
    page.get_by_text("It signs me in alone").click()
    page.get_by_role("button", name="Make the passkey").click()
    page.wait_for_url("**/reauthenticate/**")
    page.get_by_role("button", name="Sign out").click()

    page.goto(f"{live_server.url}/accounts/login/")
    page.get_by_label("Email").fill(clerk.email)
    page.get_by_label("Password", exact=True).fill("a password for journeys")
    page.locator("main").get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url("**/2fa/authenticate/")
    assert findings(page) == []
    page.get_by_role("button", name="Use your passkey").click()
    page.wait_for_url(f"{live_server.url}/")

    kept = Authenticator.objects.get(user=clerk, type=Authenticator.Type.WEBAUTHN)
    assert kept.wrap().is_passwordless is not True
