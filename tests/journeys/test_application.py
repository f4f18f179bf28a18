"""From sign-up to a submitted class A application, with pictures."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.core import mail
from playwright.sync_api import Page

from licenses.models import Application, Statement
from tests.factories import (
    AccountHolderFactory,
    IrsOrganizationFactory,
    MembershipFactory,
    OrganizationFactory,
    days_ago,
)
from tests.journeys.conftest import PASSWORD, findings, fits
from tests.licenses.test_questions import COMPLETE
from tests.registry.hostile import photo

pytestmark = [pytest.mark.journey, pytest.mark.django_db(transaction=True)]
WIDTHS = (1280, 390)
NEVER_ASKED = {"token", "revision", "csrfmiddlewaretoken"}


class Diary:
    """What the journey meets: pages, fields, labels; a picture of each page at both widths."""

    def __init__(self, page: Page, folder: Path) -> None:
        self.page, self.folder = page, folder
        self.pages: list[str] = []
        self.labels: Counter[str] = Counter()
        self.fields = self.filled = 0

    def keep(self, name: str) -> None:
        """Look at the page at both widths; nothing scrolls sideways and axe finds nothing."""
        self.pages.append(name)
        for width in WIDTHS:
            self.page.set_viewport_size({"width": width, "height": 900})
            self.page.screenshot(path=self.folder / f"{name}-{width}.png", full_page=True)
            assert (name, width, findings(self.page), fits(self.page)) == (name, width, [], True)
        self.page.set_viewport_size({"width": 1280, "height": 900})

    def count(self) -> None:
        """The questions of this page that can be seen, a group of radio buttons once."""
        named = self.page.locator("main form").first.evaluate(
            "form => [...new Set([...form.elements]"
            ".filter(f => f.name && f.type !== 'hidden' && f.type !== 'submit'"
            " && f.type !== 'fieldset' && f.offsetParent)"
            ".map(f => f.name))]"
        )
        self.fields += len(set(named) - NEVER_ASKED)


def fill(page: Page, name: str, value: str) -> None:
    """Answer one question, whatever kind of field it has."""
    field = page.locator(f"[name='{name}']")
    kind = field.first.evaluate("f => f.type")
    if kind == "radio":
        chosen = page.locator(f"[name='{name}'][value='{value}']")
        page.locator(f"label[for='{chosen.get_attribute('id')}']").click()
    elif kind == "select-one":
        field.select_option(value)
    else:
        field.fill(value)


def answer(diary: Diary, step: str) -> None:
    """Type the answers of a step as a person would, entry by entry."""
    for key, value in COMPLETE[step].items():
        if isinstance(value, str):
            fill(diary.page, key, value)
            diary.filled += 1
            continue
        for number, row in enumerate(value):
            if number:
                diary.page.get_by_role("button", name="Add another").click()
            for question, typed in row.items():
                fill(diary.page, f"{key}-{number}-{question}", typed)
                diary.filled += 1


@pytest.fixture
def ada():
    body = OrganizationFactory(kind="charitable", existing_since=days_ago(9000))
    holder = AccountHolderFactory(organization=body, user__name="Ada Reyes")
    MembershipFactory(organization=body, person__full_name="Ada Reyes", starts_on=days_ago(400))
    return holder


def sign_up(diary: Diary, address: str) -> None:
    """Make an account, follow the link in the letter, sign in."""
    page = diary.page
    page.goto(address)
    page.get_by_role("link", name="Register your organization").click()
    diary.count()
    diary.keep("a-sign-up")
    page.get_by_label("Your name").fill("Ada Reyes")
    page.get_by_label("Email").fill("ada@lantern.example")
    page.locator("[name=password1]").fill(PASSWORD)
    page.locator("[name=password2]").fill(PASSWORD)
    diary.filled += 4
    page.get_by_role("button", name="Make the account").click()
    page.wait_for_url("**/confirm-email/**")
    diary.keep("b-letter-sent")
    link = re.search(r"https?://\S+/confirm-email/\S+", mail.outbox[-1].body)
    assert link
    page.goto(address + urlsplit(link[0]).path)
    diary.keep("c-confirm")
    page.get_by_role("button", name="Yes, confirm it").click()
    page.get_by_label("Email").fill("ada@lantern.example")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign in", exact=True).click()


def register(diary: Diary) -> None:
    """Find the charity in the IRS's file and register it."""
    page = diary.page
    page.get_by_role("link", name="Register your organization").first.click()
    page.get_by_role("heading", name="Register your organization").wait_for()
    diary.count()
    diary.keep("d-find")
    page.get_by_label("EIN, or words of the name").fill("01-2345678")
    diary.filled += 1
    page.get_by_role("button", name="Find it").click()
    page.get_by_role("link", name="We are this one").click()
    diary.count()
    diary.keep("e-register")
    fill(page, "existing_since", "5/1/1999")
    diary.filled += 1
    page.get_by_role("button", name="Register the organization").click()
    page.get_by_text("Registered: you act for it from now on.").wait_for()
    diary.keep("f-own-page")


def test_a_charity_comes_from_sign_up_to_a_submitted_application(
    page: Page, live_server, tmp_path
) -> None:
    diary = Diary(page, tmp_path)
    IrsOrganizationFactory()
    sign_up(diary, live_server.url)
    register(diary)
    page.goto(live_server.url)
    diary.keep("00-home")
    page.get_by_role("link", name="Apply for a license").click()
    diary.keep("01-start")
    diary.count()
    page.locator("label[for=id_license_class_0]").click()
    page.get_by_role("button", name="Begin the application").click()
    for number, step in enumerate(COMPLETE, start=2):
        page.wait_for_url(f"**/steps/{step}/**")
        answer(diary, step)
        if step == "exemption":
            letter = {"name": "letter.png", "mimeType": "image/png", "buffer": photo("PNG")}
            page.set_input_files("[name=paper_determination]", letter)
            page.get_by_role("button", name="Hand in these files").click()
            page.get_by_role("link", name="letter.png").wait_for()
        page.locator("#saved", has_text="Saved").wait_for()
        diary.count()
        diary.keep(f"{number:02}-{step}")
        page.get_by_role("button", name="Save and continue").click()
    page.get_by_text("Everything that the ordinance requires is there.").wait_for()
    diary.count()
    diary.keep("12-hand-in")
    page.locator("label[for=id_swears]").click()
    page.get_by_label("Full name of the representative").fill("Ada Reyes")
    page.get_by_role("button", name="Hand in the application").click()
    page.get_by_text("It is handed in. The county has it now.").wait_for()
    diary.keep("13-follow")

    assert Application.objects.get().status == "submitted"
    assert Statement.objects.count() == 2
    told = {"pages": len(diary.pages), "fields": diary.fields, "answers": diary.filled}
    (tmp_path / "counts.txt").write_text(f"{told}\n")
    assert told["pages"] <= 20


def test_an_officer_states_for_himself_behind_a_link(
    page: Page, live_server, ada, tmp_path
) -> None:
    from licenses.applying import save_step, start_application
    from licenses.stating import make_link, name_statements

    application = start_application(ada.user, ada.organization, license_class="A")
    save_step(ada.user, application, "representative", {"name": "Ada Reyes"}, revision=0)
    key = make_link(ada.user, name_statements(ada.user, application)[0])
    diary = Diary(page, tmp_path)

    page.goto(f"{live_server.url}/statements/{key}/")
    for name, value in (
        ("born_on", "3/4/1961"),
        ("street", "1 Lake Rd"),
        ("city", "Dade City"),
        ("state", "Florida"),
        ("convicted", "no"),
        ("naturalized", "no"),
        ("revoked", "no"),
        ("signed_as", "Ada Reyes"),
    ):
        fill(page, name, value)
    diary.keep("20-statement")
    assert not page.locator("#id_convictions").is_visible()
    page.get_by_role("button", name="Sign and send to the county").click()
    page.get_by_role("heading", name="Thank you").wait_for()
    diary.keep("21-thanks")

    assert Statement.objects.get().completed_at


def test_what_was_typed_outlives_the_session(page: Page, live_server, sign_in, ada) -> None:
    from licenses.applying import start_application

    application = start_application(ada.user, ada.organization, license_class="A")
    bank = f"/organizations/{ada.organization.slug}/applications/{application.number}/steps/bank/"
    sign_in(ada.user)
    page.goto(live_server.url + bank)
    page.context.clear_cookies()

    fill(page, "bank", "Bank of Dade City")
    page.locator("[name=county]").fill("Pasco")
    page.locator("[name=county]").press("Tab")
    page.get_by_text("Not saved yet: what you typed is kept in this window").wait_for()
    sign_in(ada.user)
    page.goto(live_server.url + bank)

    assert page.get_by_text("What you had typed before is in the fields again.").is_visible()
    assert page.locator("[name=bank]").input_value() == "Bank of Dade City"
    page.get_by_role("button", name="Save and leave").click()
    page.wait_for_url(f"**/applications/{application.number}/**")
    assert application.steps.get().answers == {"bank": "Bank of Dade City", "county": "Pasco"}
    page.goto(live_server.url + bank)
    assert not page.get_by_text("What you had typed before").is_visible()
