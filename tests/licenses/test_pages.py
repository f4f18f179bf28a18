"""The list of organizations, and the pages that issue, suspend and void licenses."""

from __future__ import annotations

import csv
import io
import re
from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from licenses.forms import bases
from licenses.models import Exemption, License, Sanction
from registry.history import Act
from tests.factories import (
    AccountHolderFactory,
    AssignmentFactory,
    ExemptionFactory,
    LicensedFactory,
    LicenseFactory,
    OrganizationFactory,
    RoleGrantFactory,
    SanctionFactory,
    days_ago,
)

pytestmark = pytest.mark.django_db
TOKEN = "7f0c2c52-2c19-4b7c-a8f7-6c60d1f7ab11"


@pytest.fixture
def cleo(client):
    """A clerk, signed in."""
    user = RoleGrantFactory().user
    client.force_login(user)
    return user


@pytest.fixture
def post():
    """A licensed organization whose license was once suspended."""
    body = LicensedFactory(name="Heron Lake Post", slug="heron-lake")
    SanctionFactory(license=body.licenses.get(), starts_on=days_ago(9), ends_on=days_ago(8))
    return body


def typed(day):
    return day.strftime("%m/%d/%Y")


def rows_of(html):
    body = html.split("<tbody>")[1].split("</tbody>")[0]
    cells = [re.findall(r"<t[hd].*?</t[hd]>", row, re.DOTALL) for row in body.split("</tr>")[:-1]]
    return [[" ".join(re.sub(r"<[^>]+>", " ", c).split()) for c in row] for row in cells]


def test_the_list_tells_kind_city_and_each_license_on_the_day(client, cleo, post) -> None:
    both = LicenseFactory(
        number="A-2027-9001", organization__name="Elks", expires_on=days_ago(-10)
    ).organization
    LicenseFactory(
        number="B-2027-9001", organization=both, license_class="B", expires_on=days_ago(-20)
    )
    OrganizationFactory(name="Band Boosters", kind="associational", city="Elfers")

    rows = rows_of(client.get(reverse("organization_list")).text)

    last = post.licenses.get()
    ends = [f"{day:%b} {day.day}, {day.year}" for day in (days_ago(-10), days_ago(-20))]
    assert rows == [
        ["Band Boosters", "associational group or organization", "Elfers", "", "", ""],
        [
            "Elks",
            "charitable organization",
            "Dade City",
            "A-2027-9001 B-2027-9001",
            "In force In force",
            " ".join(ends),
        ],
        [
            "Heron Lake Post",
            "charitable organization",
            "Dade City",
            last.number,
            "In force",
            f"{last.expires_on:%b} {last.expires_on.day}, {last.expires_on.year}",
        ],
    ]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({"standing": "in_force"}, ["Heron Lake Post"]),
        ({"standing": "suspended"}, ["Suspended Lodge"]),
        ({"standing": "none"}, ["Ended Club", "Suspended Lodge"]),
        ({"standing": "suspended", "on": typed(days_ago(20))}, []),
        ({"q": "lodge"}, ["Suspended Lodge"]),
        ({"q": "00-0012345"}, ["Ended Club"]),
        ({"kind": "authorized"}, ["Ended Club"]),
        ({"on": "soon"}, ["Ended Club", "Heron Lake Post", "Suspended Lodge"]),
        ({"standing": "nonsense"}, ["Ended Club", "Heron Lake Post", "Suspended Lodge"]),
    ],
)
def test_the_list_is_filtered_by_license_name_ein_kind_and_day(
    client, cleo, post, query, names
) -> None:
    lodge = LicensedFactory(name="Suspended Lodge")
    SanctionFactory(license=lodge.licenses.get(), starts_on=days_ago(5))
    club = OrganizationFactory(name="Ended Club", kind="authorized", ein="000012345")
    LicenseFactory(organization=club, issued_on=days_ago(400), expires_on=days_ago(35))

    html = client.get(reverse("organization_list"), query).text

    found = [row[0] for row in rows_of(html)] if "<tbody>" in html else []
    assert (found, "No organization fits" in html) == (names, not names)


def test_the_list_as_a_file_holds_what_the_page_holds(client, cleo, post) -> None:
    response = client.get(reverse("organization_list"), {"export": "csv"})

    text = b"".join(response).decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text)))
    last = post.licenses.get()
    assert rows[0] == ["Name", "Kind", "City", "License", "On the day", "Last day"]
    assert rows[1][0] == "Heron Lake Post"
    assert rows[1][3:] == [last.number, "In force", last.expires_on.isoformat()]
    assert Act.objects.get(verb="list.downloaded").data["list"] == "organizations"


def test_the_list_takes_the_same_queries_for_one_and_three(
    client, cleo, post, django_assert_num_queries
) -> None:
    client.get(reverse("organization_list"))
    with CaptureQueriesContext(connection) as one:
        client.get(reverse("organization_list"))
    for _more in range(2):
        SanctionFactory(license=LicensedFactory().licenses.get())

    with django_assert_num_queries(len(one)):
        client.get(reverse("organization_list"))


def test_every_column_that_sorts_renders_both_ways(client, cleo, post) -> None:
    for key in ("name", "-name", "kind", "-kind", "city", "-city"):
        assert client.get(reverse("organization_list"), {"sort": key}).status_code == 200


def test_the_list_is_for_regulators_and_entering_for_clerks(client, post) -> None:
    client.force_login(AccountHolderFactory(organization=post).user)
    assert client.get(reverse("organization_list")).status_code == 403
    client.force_login(RoleGrantFactory(role="inspector").user)
    html = client.get(reverse("organization_list")).text
    assert ("Heron Lake Post" in html, "Enter an organization" in html) == (True, False)


def test_a_license_is_issued_with_its_number_and_the_last_day_suggested(client, cleo) -> None:
    OrganizationFactory(slug="elks")
    page = reverse("license_issue", args=["elks"])
    shown = client.get(page).text
    today = days_ago(0)
    end = date(today.year + (today > date(today.year, 9, 30)), 9, 30)
    assert f'value="{typed(end)}"' in shown
    sent = {"license_class": "A", "issued_on": typed(today), "expires_on": typed(end)}

    response = client.post(page, sent, follow=True)

    made = License.objects.get()
    assert (made.number, made.issued_on, made.expires_on) == (f"A-{end.year}-0001", today, end)
    assert f"The license is in the register as A-{end.year}-0001." in response.text
    assert response.redirect_chain == [("/organizations/elks/", 302)]


def test_another_last_day_is_taken_and_remarked_on_beforehand(client, cleo) -> None:
    OrganizationFactory(slug="elks")
    page = reverse("license_issue", args=["elks"])
    sent = {"license_class": "B", "issued_on": "10/1/2026", "expires_on": "6/30/2027"}

    told = client.post(f"{page}?live", sent).text

    assert "The license would run from Oct 1, 2026 to Jun 30, 2027 (last day)." in told
    assert "By § 10-91(a) a license issued that day ends on Sep 30, 2027." in told
    assert not License.objects.exists()
    usual = client.post(f"{page}?live", sent | {"expires_on": "9/30/2027"}).text
    assert "§ 10-91(a)" not in usual
    assert client.post(f"{page}?live", sent | {"issued_on": "1/1/1990"}).text == ""


ACTS = {
    "license_issue": {
        "license_class": "B", "issued_on": "10/1/2026", "expires_on": "9/30/2027"
    },
    "license_suspend": {
        "starts_on": typed(days_ago(2)), "cite": "§ 10-93(a)(1)f", "reason": "No deposits."
    },
    "license_void": {"reason": "Typo."},
    "license_suspension_end": {"last_day": typed(days_ago(0))},
    "license_suspension_void": {"reason": "Typo."},
    "exemption_record": {"basis": "501(c)(19)", "evidence": "letter", "reference": "of 1962"},
}  # fmt: skip


def address(name, body):
    row = body.licenses.get()
    arguments = [body.slug]
    if name.startswith(("license_suspend", "license_void", "license_suspension")):
        arguments.append(row.number)
    if name.startswith("license_suspension"):
        arguments.append(row.sanctions.get().pk)
    return reverse(name, args=arguments)


def written():
    return (
        list(License.objects.order_by("pk").values_list("pk", "voided_at")),
        list(Sanction.objects.order_by("pk").values_list("pk", "ends_on", "voided_at")),
        list(Exemption.objects.order_by("pk").values_list("pk", "voided_at")),
    )


@pytest.mark.parametrize("name", ACTS)
def test_the_form_opens_and_leads_back(client, cleo, post, name) -> None:
    html = client.get(address(name, post)).text

    assert 'href="/organizations/heron-lake/"' in html
    assert html.count("<h1>") == 1


@pytest.mark.parametrize("name", ACTS)
def test_the_act_is_done_once_and_leads_to_the_organization(client, cleo, post, name) -> None:
    page, sent, before = address(name, post), ACTS[name] | {"token": TOKEN}, written()

    first = client.post(page, sent)
    done = written()
    second = client.post(page, sent)

    assert (first.status_code, first["Location"]) == (302, "/organizations/heron-lake/")
    assert done != before
    assert second.status_code == 302
    assert written() == done


@pytest.mark.parametrize("name", ACTS)
@pytest.mark.parametrize("role", ["inspector", "administrator", "holder"])
def test_a_role_without_it_is_refused_and_nothing_written(client, post, name, role) -> None:
    if role == "holder":
        user = AccountHolderFactory(organization=post).user
    else:
        user = RoleGrantFactory(role=role).user
    client.force_login(user)
    before = written()

    assert client.get(address(name, post)).status_code == 403
    assert client.post(address(name, post), ACTS[name]).status_code == 403
    assert written() == before


@pytest.mark.parametrize("name", [name for name in ACTS if name != "license_issue"])
def test_ids_of_another_organization_are_not_there(client, cleo, post, name) -> None:
    other = LicensedFactory(slug="elks")
    SanctionFactory(license=other.licenses.get(), starts_on=days_ago(9), ends_on=days_ago(8))
    foreign = address(name, other).replace("/elks/", "/heron-lake/", 1)
    if name == "exemption_record":
        foreign = "/organizations/nowhere/exemption/"
    before = written()

    assert client.get(foreign).status_code == 404
    assert client.post(foreign, ACTS[name]).status_code == 404
    assert written() == before


@pytest.mark.parametrize(
    ("name", "change", "sentence"),
    [
        ("license_issue", {"expires_on": "9/30/2026"}, "lies before the day of issue"),
        ("license_issue", {"issued_on": "1/1/1990"}, "is not known before"),
        ("license_issue", {"license_class": "C"}, "is not on the list"),
        ("license_suspend", {"starts_on": typed(days_ago(8))}, "already suspended"),
        ("license_suspend", {"reason": ""}, "This is needed to go on"),
        ("license_suspend", {"cite": ""}, "This is needed to go on"),
        ("license_suspension_end", {"last_day": "1/1/2009"}, "lies before the first"),
        ("exemption_record", {"basis": "501(c)(30)"}, "is not on the list"),
        ("exemption_record", {"reference": "078-05-1120"}, "Social Security number"),
    ],
)
def test_a_mistake_comes_back_with_the_words_typed(
    client, cleo, post, name, change, sentence
) -> None:
    before = written()

    response = client.post(address(name, post), ACTS[name] | change)

    assert response.status_code == 422
    assert sentence in response.text
    assert written() == before


def test_a_license_with_approvals_is_not_taken_out(client, cleo, post) -> None:
    AssignmentFactory(organization=post)

    response = client.post(address("license_void", post), {"reason": "Typo."})

    assert response.status_code == 409
    assert "1 worker approval rests on this license: take it back first." in response.text
    assert post.licenses.get().voided_at is None


def test_what_is_recorded_of_the_exemption_is_offered_again(client, cleo, post) -> None:
    ExemptionFactory(organization=post, basis="501(c)(4)", reference="letter of 1962")

    html = client.get(address("exemption_record", post)).text

    assert re.search(r'<option value="501\(c\)\(4\)" selected>', html)
    assert 'value="letter of 1962"' in html


def test_every_basis_can_be_chosen_once() -> None:
    keys = [key for key, _label in bases()]

    assert sorted(keys) == sorted(["528", *(f"501(c)({n})" for n in range(1, 30))])
    assert keys[0] == "501(c)(3)"
