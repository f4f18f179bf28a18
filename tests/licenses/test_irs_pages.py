"""The pages on what the IRS's files say, and entering an organization from them."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import pytest
from django.urls import reverse

from licenses.bmf import read_charity, read_revocation
from licenses.irs import irs_status
from licenses.models import Exemption, IrsRevocation
from registry.history import Act
from registry.models import Organization
from tests.factories import (
    AccountHolderFactory,
    ExemptionFactory,
    IrsFileFactory,
    IrsOrganizationFactory,
    OrganizationFactory,
    RoleGrantFactory,
    WorkItemFactory,
)
from tests.licenses.irs_files import line, listed

pytestmark = pytest.mark.django_db
EIN = "012345678"
TOKEN = "7f0c2c52-2c19-4b7c-a8f7-6c60d1f7ab11"


@pytest.fixture
def cleo(client):
    """A clerk, signed in."""
    user = RoleGrantFactory().user
    client.force_login(user)
    return user


@pytest.fixture
def post():
    """A charity of the register."""
    return OrganizationFactory(name="Marsh Lantern Post 42", slug="marsh", ein=EIN)


def in_master(text: str = "", **kwargs: Any):
    """A row of a master file that is loaded."""
    row = read_charity(text or line())
    return IrsOrganizationFactory(
        ein=row.ein,
        name=row.name,
        second_name=row.sort_name,
        row=text or line(),
        **{"file__name": "eo_fl.csv", **kwargs},
    )


def on_list(text: str) -> None:
    row = read_revocation(text)
    IrsRevocation.objects.create(
        file=IrsFileFactory(kind="revocations", name="list.txt"),
        line=4,
        ein=row.ein,
        revoked_on=row.revoked_on,
        reinstated_on=row.reinstated_on,
        row=text,
    )


def plain(html: str) -> str:
    """The words of the page's main part."""
    main = html.split("<main", 1)[1].split("</main>", maxsplit=1)[0]
    return " ".join(re.sub(r"<[^>]+>", " ", main).split())


def test_the_page_says_how_it_stands_with_both_rows_and_their_files(client, cleo, post) -> None:
    in_master(line(group="0861", affiliation="9"), line=12)
    on_list(listed(back="15-MAY-2021"))

    text = plain(client.get(reverse("organization_irs", args=["marsh"])).text)

    for words in (
        "Exemption shown, by a group ruling",
        "It was revoked once and reinstated.",
        "501(c)(19), war veterans&#x27; post",
        "0861, subordinate of a central organization",
        "The central organization&#x27;s letter, and proof that it lists this one.",
        "eo_fl.csv of Nov 10, 2026, line 12",
        "Revoked as of May 15, 2020; reinstated as of May 15, 2021 list.txt of Nov 10, 2026,",
        "Record this exemption",
    ):
        assert words in text


def test_an_officer_sees_it_and_records_nothing(client, post) -> None:
    in_master()
    client.force_login(AccountHolderFactory(organization=post).user)

    text = plain(client.get(reverse("organization_irs", args=["marsh"])).text)

    assert ("Exemption shown" in text, "Record this exemption" in text) == (True, False)
    assert "The auto-revocation list is not loaded" in text


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"kind": "associational"}, "an organization of its kind is not asked for a federal"),
        ({"ein": None}, "No EIN is recorded, so the IRS files cannot be asked"),
        ({"ein": "590000001"}, "Not in the IRS master file, which disproves nothing"),
        ({"name": "Gulf Shore Lodge"}, "To look at: the IRS has another name under this EIN"),
    ],
)
def test_what_is_not_asked_or_not_there_is_said_so(client, cleo, change, words) -> None:
    in_master()
    OrganizationFactory(**{"name": "Marsh Lantern Post", "slug": "marsh", "ein": EIN, **change})

    response = client.get(reverse("organization_irs", args=["marsh"]))

    assert (response.status_code, words in plain(response.text)) == (200, True)


def test_the_organizations_page_leads_there_for_those_that_are_asked(client, cleo, post) -> None:
    group = OrganizationFactory(kind="associational")
    ways = [
        f'href="{reverse("organization_irs", args=[body.slug])}"'
        in client.get(reverse("organization_detail", args=[body.slug])).text
        for body in (post, group)
    ]

    assert ways == [True, False]


def test_the_exemption_is_recorded_as_the_row_shows_it_and_the_row_is_kept(
    client, cleo, post
) -> None:
    in_master(line=12)
    ExemptionFactory(organization=post, basis="501(c)(4)")
    url = reverse("exemption_record", args=["marsh"]) + "?from=irs"

    html = client.get(url).text
    assert re.search(r'<option value="501\(c\)\(19\)" selected>', html)
    assert 'value="eo_fl.csv of Nov 10, 2026, line 12"' in html
    sent = {"basis": "501(c)(19)", "evidence": "irs", "reference": "row", "verified_on": ""}
    assert client.post(url, sent).status_code == 302

    shown = Exemption.objects.standing().get()
    assert (shown.basis, shown.snapshot["row"]["ein"]) == ("501(c)(19)", EIN)
    text = plain(client.get(reverse("organization_irs", args=["marsh"])).text)
    assert "Kept with the recorded exemption" in text


def test_an_exemption_shown_by_a_letter_keeps_no_row(client, cleo, post) -> None:
    in_master()
    url = reverse("exemption_record", args=["marsh"])

    client.post(url, {"basis": "501(c)(19)", "evidence": "letter"})

    assert Exemption.objects.get().snapshot == {}


def test_a_charity_is_looked_up_by_name_and_those_in_the_register_lead_there(
    client, cleo, post
) -> None:
    in_master()
    in_master(line(ein="590000001", name="MARSH LODGE", sort_name="AUX 7"), file__name="eo1.csv")
    page = reverse("irs_search")

    html = client.get(page, {"q": "marsh"}).text

    assert f'href="{reverse("irs_found", args=["590000001"])}"' in html
    assert f'href="{reverse("organization_detail", args=["marsh"])}"' in html
    text = plain(html)
    assert "MARSH LODGE AUX 7 59-0000001 · DADE CITY FL · 501(c)(19), war veterans" in text
    missing = plain(client.get(page, {"q": "99-9999999"}).text)
    assert "The files do not have “99-9999999”. That disproves nothing" in missing
    assert "Enter it by hand" in missing


def sent(**changes: str) -> dict[str, str]:
    return {
        "name": "VFW Post 42", "kind": "charitable", "street": "PO Box 1", "city": "Dade City",
        "state": "FL", "postal_code": "33525-0001", "existing_since": "", "token": TOKEN, **changes,
    }  # fmt: skip


def test_an_organization_is_entered_from_its_row_once(client, cleo) -> None:
    in_master(line(name="VFW POST 42"))
    url = reverse("irs_found", args=[EIN])

    html = client.get(url).text
    assert 'value="VFW Post 42"' in html
    assert 'value="01-2345678"' in html
    assert 'value="Dade City"' in html
    first, second = client.post(url, sent(ein="590000009")), client.post(url, sent())

    made = Organization.objects.get()
    assert (made.name, made.ein, made.slug) == ("VFW Post 42", EIN, "vfw-post-42")
    assert [first.url, second.status_code] == [
        reverse("organization_detail", args=[made.slug]),
        302,
    ]
    assert Exemption.objects.get().snapshot["source"]["file"] == "eo_fl.csv"
    assert Act.objects.filter(verb="organization.founded_from_irs").count() == 1
    assert client.get(url).url == reverse("organization_detail", args=[made.slug])


def test_an_ein_without_a_row_is_not_there(client, cleo) -> None:
    assert client.get(reverse("irs_found", args=[EIN])).status_code == 404
    assert client.get(reverse("irs_found", args=["nonsense"])).status_code == 404


def test_no_organization_takes_the_address_of_the_search(client, cleo) -> None:
    client.post(reverse("organization_new"), sent(name="From IRS"))

    assert Organization.objects.get().slug == "from-irs-2"


def test_a_standing_that_changed_shows_both_sides(client, cleo, post) -> None:
    in_master(line=12)
    before = irs_status(EIN, today=date(2026, 11, 1)).snapshot()
    now = {**before, "on": "2026-12-01", "codes": ["revoked"], "row": None, "source": None}
    now["revocations"] = [
        {
            "revoked_on": "2026-11-15", "posted_on": None, "reinstated_on": None, "name": "POST",
            "file": "list.txt", "date": "2026-11-20", "sha256": "a", "line": 4,
        }
    ]  # fmt: skip
    item = WorkItemFactory(
        kind="irs", person=None, organization=post, data={"before": before, "now": now}
    )

    text = plain(client.get(reverse("work_detail", args=[item.pk])).text)

    for words in (
        "501(c) standing changed: Marsh Lantern Post 42",
        "Before Exemption shown As the files stood on Sun, Nov 1, 2026. Name MARSH LANTERN POST 42",
        "Now Not shown: the IRS revoked the exemption As the files stood on Tue, Dec 1, 2026.",
        "No row in a master file.",
        "Revoked as of Nov 15, 2026; no reinstatement listed list.txt of Nov 20, 2026, line 4",
    ):
        assert words in text
