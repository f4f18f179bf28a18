"""From a file of three hundred people to printed name tags, and on to the scan."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, Response

from tests.factories import AccountHolderFactory, RoleGrantFactory, WorkerFactory, days_ago
from tests.journeys.conftest import findings, fits
from volunteers.models import Assignment, Membership, NameTag

pytestmark = [pytest.mark.journey, pytest.mark.django_db(transaction=True)]

ROSTER = Path(__file__).parents[2] / "fixtures" / "rosters" / "three_hundred.csv"


def is_paper(response: Response) -> bool:
    """The answer that is a PDF; it opens in a window of its own."""
    return response.headers.get("content-type") == "application/pdf"


def test_a_roster_of_three_hundred_becomes_tags_in_at_most_eight_pages(
    page: Page, live_server, sign_in
) -> None:
    ada = AccountHolderFactory()
    sign_in(ada.user)
    pages: list[str] = []
    page.on("framenavigated", lambda frame: pages.append(frame.url))

    page.get_by_role("navigation").get_by_role("link", name="Bring in a roster").click()
    page.set_input_files("input[type=file]", ROSTER)
    page.locator("main form button[type=submit]").click()
    page.get_by_role("button", name="Check the rows").click()
    assert findings(page) == []
    page.get_by_role("link", name="Confirm 300 rows").click()
    page.get_by_label("to be approved for whom the file names none").select_option("seller")
    for box in page.locator("main form input[type=checkbox]:not(:checked)").all():
        page.locator(f"label[for={box.get_attribute('id')}]").click()
    page.locator("main form button[type=submit]").click()
    page.get_by_role("link", name="Look at the rows of the file").wait_for(timeout=60_000)
    page.get_by_role("navigation").get_by_role("link", name="Name tags").click()
    with page.context.expect_event("response", is_paper, timeout=60_000):
        page.get_by_role("button", name="Print the tags").click()

    assert len(pages) <= 8
    assert Membership.objects.count() == 300
    assert NameTag.objects.count() == Assignment.objects.count() > 200


def test_a_tag_answers_whoever_scans_it(page: Page, live_server) -> None:
    from tests.factories import AssignmentFactory, NameTagFactory

    membership = WorkerFactory(person__full_name="Mary Quinn")
    row = AssignmentFactory(person=membership.person, organization=membership.organization)
    tag = NameTagFactory(assignment=row)
    page.set_viewport_size({"width": 390, "height": 844})

    page.goto(f"{live_server.url}/T/{tag.token}")

    assert page.get_by_text("Good today").is_visible()
    assert page.get_by_text("Mary Quinn").is_visible()
    assert (findings(page), fits(page)) == ([], True)
    page.get_by_role("link", name="Something wrong? Tell the county.").click()
    page.get_by_label("What did you see?").fill("A caller without a tag at the hall on Post Road.")
    page.get_by_role("button", name="Send this to the county").click()
    assert page.get_by_role("heading", name="Thank you").is_visible()


def test_the_desk_answers_while_the_clerk_types(page: Page, live_server, sign_in) -> None:
    membership = WorkerFactory(person__full_name="Łukasz Żółć", starts_on=days_ago(29))
    sign_in(RoleGrantFactory().user)

    page.goto(f"{live_server.url}/desk/")
    page.get_by_label("May", exact=True).press_sequentially("lukasz", delay=60)
    page.get_by_role("option", name="Łukasz Żółć").click()
    page.get_by_label("conduct bingo for").press_sequentially(
        membership.organization.name[:9], delay=60
    )
    page.get_by_role("option", name=membership.organization.name).click()

    page.get_by_text("Not cleared", exact=True).wait_for()
    page.locator(".htmx-request").wait_for(state="detached")
    assert page.get_by_text("29 of 30 days").first.is_visible()
    assert findings(page) == []
