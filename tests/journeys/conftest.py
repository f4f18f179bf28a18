"""A real browser that clicks through the pages as a person would."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

from registry.history import System, acting
from registry.models import User

# Playwright's sync interface runs an event loop in this thread; the ORM is used beside it.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
PASSWORD = "a password for journeys"


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    """One browser for all journeys."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=QUIET)
        yield started
        started.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh window; an error on the page's console fails the journey."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-US")
    context.set_default_timeout(10_000)
    window = context.new_page()
    said: list[str] = []
    window.on("pageerror", lambda error: said.append(str(error)))
    yield window
    context.close()
    assert said == []


@pytest.fixture
def sign_in(page: Page, live_server: Any) -> Callable[[User], None]:
    """Sign in through the login page."""

    def enter(user: User) -> None:
        user.set_password(PASSWORD)
        user.save(update_fields=["password"])
        with acting(System.SET_UP, "test.verified"):
            EmailAddress.objects.update_or_create(
                user=user, email=user.email, defaults={"verified": True, "primary": True}
            )
        page.goto(f"{live_server.url}/accounts/login/")
        page.get_by_label("Email").fill(user.email)
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.locator("main").get_by_role("button", name="Sign in", exact=True).click()
        page.wait_for_url(f"{live_server.url}/")

    return enter


def findings(page: Page) -> list[tuple[str, str]]:
    """What axe finds on the page as it stands."""
    options = {"runOnly": {"type": "tag", "values": STANDARDS}}
    found = Axe().run(page, options=options).response["violations"]
    return [(rule["id"], rule["nodes"][0]["html"][:120]) for rule in found]


def fits(page: Page) -> bool:
    """True when nothing makes the page scroll sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))
