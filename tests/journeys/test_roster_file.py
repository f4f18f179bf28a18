"""A roster file that leaves things open: what is chosen shows at once, and a bar moves itself."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.factories import AccountHolderFactory, RosterFileFactory
from tests.journeys.conftest import findings, fits
from volunteers.filework import read_long_file, start_reading
from volunteers.jobs import latest_job
from volunteers.models import FileJob, RosterFile

pytestmark = [pytest.mark.journey, pytest.mark.django_db(transaction=True)]

TITLED = "Name|Joined|Paid\nExample Post|roster|2026\nPerson|Entry\nJosé Example|03/04/2020\n"
WIDTHS = (1280, 390)


def looked_at(page: Page) -> None:
    """Nothing to find for a screen reader's user, nothing beside a telephone's screen."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert (findings(page), fits(page)) == ([], True), (page.url, width)
    page.set_viewport_size({"width": WIDTHS[0], "height": 900})


def test_columns_and_first_rows_follow_each_choice(
    page: Page, live_server: Any, sign_in: Any
) -> None:
    ada = AccountHolderFactory()
    sign_in(ada.user)
    page.get_by_role("navigation").get_by_role("link", name="Bring in a roster").click()
    content = TITLED.encode("windows-1252")
    upload = {"name": "club.txt", "mimeType": "text/plain", "buffer": content}
    page.set_input_files("input[type=file]", files=[upload])
    page.get_by_role("button", name="Read the file").click()

    page.get_by_label("Header").select_option(label="Row 3: Person · Entry")
    page.get_by_label("Entry").select_option("starts_on")
    page.get_by_label("Dates in numbers").select_option("dmy")

    expect(page.locator("#preview")).to_contain_text("since Apr 3, 2020")
    expect(page.locator("#preview")).to_contain_text("José Example")
    looked_at(page)
    page.get_by_role("button", name="Check the rows").click()
    page.get_by_role("link", name="Confirm 1 row").wait_for()
    looked_at(page)


def test_the_bar_moves_and_ends_at_the_rows(
    page: Page, live_server: Any, sign_in: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("volunteers.filework.LONG_ROWS", 1)
    settings.TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}
    ada = AccountHolderFactory()
    content = b"Name,Join date\nPat Sample,2020-01-02\nLee Sample,2/30/2020\n"
    file: RosterFile = RosterFileFactory(organization=ada.organization, content=content)
    start_reading(ada.user, file)
    sign_in(ada.user)

    page.goto(f"{live_server.url}/organizations/{ada.organization.slug}/rosters/{file.pk}/check/")
    page.get_by_text("It begins as soon as").wait_for()
    looked_at(page)
    FileJob.objects.update(
        state="running", phase="judge", done=1_500, total=20_000, beat_at=timezone.now()
    )
    page.get_by_text("1,500 of 20,000").wait_for()
    looked_at(page)
    FileJob.objects.update(state="waiting")
    job = latest_job(file)
    assert job is not None
    read_long_file.func(job.pk)

    page.get_by_role("heading", name="Check the rows").wait_for()
    page.get_by_text("1 row has a mistake.").wait_for()
    looked_at(page)
    FileJob.objects.update(state="failed", told="")
    page.goto(f"{page.url.removesuffix('check/')}progress/")
    page.get_by_role("button", name="Start it again").wait_for()
    looked_at(page)
