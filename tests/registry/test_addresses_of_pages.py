"""What somebody writes into the address of a page is answered, whatever it is."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.test import Client

from registry import throttle
from tests.factories import AccountHolderFactory, PersonFactory, RoleGrantFactory, WorkerFactory

pytestmark = pytest.mark.django_db
NUL = "%00"


@pytest.fixture
def clerk() -> Client:
    client = Client()
    client.force_login(RoleGrantFactory(role="clerk").user)
    return client


def test_a_page_with_a_nul_in_its_address_is_not_there(clerk) -> None:
    pages = [f"/people/{NUL}/", f"/people/P{NUL}/correct/", f"/desk/{NUL}/post/2026-12-05/save/"]

    assert [clerk.get(page).status_code for page in [*pages, f"/T/{NUL}"]] == [404] * 4


@pytest.mark.parametrize(
    "page",
    ["/licenses/?q=", "/tags/?number=", "/search/?q=", "/desk/?on=today&person_key=",
     "/desk/?on=today&organization_key=", "/people/?q=", "/organizations/?q=",
     "/lookup/people/?q=", "/work/?kind="],
)  # fmt: skip
def test_a_nul_in_what_is_searched_for_is_left_out(clerk, page) -> None:
    PersonFactory(full_name="Ada Reyes")

    assert clerk.get(f"{page}Ada{NUL}%20Reyes").status_code == 200


def test_a_key_sent_with_a_nul_finds_nothing(clerk) -> None:
    person = PersonFactory()

    sent = {"lessor": "x", "lessor_key": "\0", "tie": "owner", "starts_on": "11/30/2026"}

    assert clerk.post(f"/people/{person.number}/interests/new/", sent).status_code == 422


@pytest.mark.parametrize("number", ["9" * 5000, "9" * 30, "9" * 12, "-1", "²", ""])
def test_a_number_no_row_has_chooses_nobody_and_no_page(number) -> None:
    ada, client = AccountHolderFactory(), Client()
    WorkerFactory(organization=ada.organization)
    client.force_login(ada.user)
    people = f"/organizations/{ada.organization.slug}/people/"

    for page in (f"{people}activity/?person={number}", f"{people}?page={number}"):
        assert client.get(page).status_code == 200


def test_a_count_that_a_full_cache_dropped_starts_anew(rf, settings, monkeypatch) -> None:
    settings.PUBLIC_PAGES_A_MINUTE = {"scan": 1}
    monkeypatch.setattr(cache, "add", lambda *_args, **_options: True)

    assert throttle.throttled(rf.get("/"), "scan") is None


def test_a_form_takes_as_many_ticks_as_a_roster_has_lines() -> None:
    ada, client = AccountHolderFactory(), Client()
    client.force_login(ada.user)
    sent = {"people": ["0"] * 20_000} | {f"duty_{n}": "" for n in range(20_000)}

    answer = client.post(f"/organizations/{ada.organization.slug}/people/approve/", sent)

    assert answer.status_code == 422
