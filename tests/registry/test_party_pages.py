"""Pages about who is in the register and who signs in."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from registry.history import Act, System, acting
from registry.models import AccountHolder, Address, Organization, Person, RoleGrant
from tests.factories import (
    AccountHolderFactory,
    OrganizationFactory,
    PersonFactory,
    RoleGrantFactory,
    UserFactory,
    days_ago,
)

pytestmark = pytest.mark.django_db
TOKEN = "7f0c2c52-2c19-4b7c-a8f7-6c60d1f7ab11"


def typed(day):
    return day.strftime("%m/%d/%Y")


@pytest.fixture
def sam(client):
    """A supervisor, signed in, who may do everything on these pages."""
    user = RoleGrantFactory(role="supervisor", user__name="Sam Okafor").user
    client.force_login(user)
    return user


class World:
    """One row of each kind for the pages to act on."""

    def __init__(self) -> None:
        self.holder = AccountHolderFactory(
            organization__slug="heron-lake", user__email="ada@example.org", starts_on=days_ago(9)
        )
        self.person = PersonFactory(full_name="Pat Sample")
        with acting(System.SET_UP, "test.made"):
            self.address = Address.objects.create(
                person=self.person, city="Hudson", starts_on=days_ago(9)
            )
        self.user = UserFactory(email="ben@example.org", name="Ben Castillo")
        self.grant = RoleGrantFactory(user=self.user, role="inspector", starts_on=days_ago(9))

    def address_of(self, name: str) -> str:
        arguments = {
            "organization_new": [],
            "person_new": [],
            "holder_name": ["heron-lake"],
            "holder_end": ["heron-lake", self.holder.pk],
            "address_record": [self.person.number],
            "address_end": [self.person.number, self.address.pk],
            "address_void": [self.person.number, self.address.pk],
            "role_grant": [self.user.pk],
            "role_end": [self.user.pk, self.grant.pk],
        }
        return reverse(name, args=arguments[name])


@pytest.fixture
def world():
    return World()


TODAY = typed(timezone.localdate())
ACTS = {
    "organization_new": {"name": "Elks 2520", "kind": "charitable", "ein": "00-0012345"},
    "person_new": {"full_name": "Hal Weller", "born_on": "6/6/1956"},
    "holder_name": {"email": "BEN@example.org", "starts_on": TODAY},
    "holder_end": {"last_day": TODAY},
    "address_record": {"city": "Dade City", "state": "FL", "starts_on": TODAY, "is_exempt": "on"},
    "address_end": {"last_day": TODAY},
    "address_void": {"reason": "Another Pat."},
    "role_grant": {"role": "clerk", "starts_on": TODAY},
    "role_end": {"last_day": TODAY},
}
LEADS_TO = {
    "organization_new": "/organizations/elks-2520/",
    "person_new": None,
    "holder_name": "/organizations/heron-lake/",
    "holder_end": "/organizations/heron-lake/",
}


def written():
    return [
        list(Organization.objects.order_by("pk").values_list("name", "ein")),
        list(Person.objects.order_by("pk").values_list("full_name", "born_on")),
        list(AccountHolder.objects.order_by("pk").values_list("user__email", "ends_on")),
        list(Address.objects.order_by("pk").values_list("city", "ends_on", "voided_at")),
        list(RoleGrant.objects.order_by("pk").values_list("user", "role", "ends_on")),
    ]


@pytest.mark.parametrize("name", ACTS)
def test_the_form_opens(client, sam, world, name) -> None:
    html = client.get(world.address_of(name)).text

    assert html.count("<h1>") == 1
    assert re.search(r'<form class="usa-form[^"]*" method="post"', html)


@pytest.mark.parametrize("name", ACTS)
def test_the_act_is_done_once(client, sam, world, name) -> None:
    page, sent, before = world.address_of(name), ACTS[name] | {"token": TOKEN}, written()

    first = client.post(page, sent)
    done = written()
    second = client.post(page, sent)

    assert first.status_code == 302
    assert LEADS_TO.get(name) in {None, first["Location"]}
    assert done != before
    assert second.status_code == 302
    assert written() == done


@pytest.mark.parametrize("name", ACTS)
@pytest.mark.parametrize("who", ["inspector", "holder", "nobody"])
def test_a_role_without_it_is_refused_and_nothing_written(client, world, name, who) -> None:
    user = {
        "inspector": lambda: RoleGrantFactory(role="inspector").user,
        "holder": lambda: world.holder.user,
        "nobody": UserFactory,
    }[who]()
    client.force_login(user)
    before = written()
    hidden = {404} if who == "nobody" and name.startswith("holder") else {403}

    assert client.get(world.address_of(name)).status_code in hidden
    assert client.post(world.address_of(name), ACTS[name]).status_code in hidden
    assert written() == before


@pytest.mark.parametrize("name", ACTS)
def test_a_clerk_keeps_parties_but_grants_no_office(client, world, name) -> None:
    client.force_login(RoleGrantFactory().user)

    status = client.get(world.address_of(name)).status_code

    assert status == (403 if name.startswith("role") else 200)


def test_bad_and_foreign_ids_are_not_there(client, sam, world) -> None:
    other = AccountHolderFactory(organization__slug="elks")
    stranger = PersonFactory()
    before = written()
    pages = [
        "/organizations/nowhere/holders/new/",
        reverse("holder_end", args=["heron-lake", other.pk]),
        reverse("holder_end", args=["elks", world.holder.pk]),
        "/people/P-NOBODY/addresses/new/",
        reverse("address_end", args=[stranger.number, world.address.pk]),
        reverse("address_void", args=[stranger.number, world.address.pk]),
        reverse("role_grant", args=[0]),
        reverse("role_end", args=[sam.pk, world.grant.pk]),
        reverse("user_detail", args=[0]),
    ]

    for page in pages:
        assert client.get(page).status_code == 404, page
        assert client.post(page, {"last_day": TODAY, "reason": "x"}).status_code in {404, 405}, page
    assert written() == before


def test_an_address_an_organization_stated_is_not_the_clerks_to_end(client, sam, world) -> None:
    with acting(System.SET_UP, "test.made"):
        stated = Address.objects.create(
            person=world.person, stated_by=world.holder.organization, starts_on=days_ago(3)
        )

    page = reverse("address_end", args=[world.person.number, stated.pk])

    assert client.post(page, ACTS["address_end"]).status_code == 404


@pytest.mark.parametrize(
    ("name", "change", "sentence"),
    [
        ("organization_new", {"name": ""}, "This is needed to go on: fill it in."),
        ("organization_new", {"kind": "sports"}, "is not on the list"),
        ("organization_new", {"ein": "12-345"}, "“12-345” is not an EIN"),
        ("organization_new", {"ein": "123456789"}, "stands for no EIN"),
        ("organization_new", {"existing_since": "30/30/1961"}, "has no month 30"),
        ("person_new", {"full_name": "Pat 078-05-1120"}, "Social Security number"),
        ("person_new", {"born_on": "6/6/56"}, "leaves the year open"),
        ("person_new", {"born_on": "6/6/1856"}, "is too early"),
        ("holder_name", {"email": "nobody@example.org"}, "“nobody@example.org” belongs to nobody"),
        ("holder_name", {"email": "ada@example.org"}, "acts for the organization already"),
        ("holder_name", {"email": "ada"}, "valid email"),
        ("holder_end", {"last_day": typed(days_ago(10))}, "lies before the first"),
        ("address_record", {"city": ""}, "This is needed to go on"),
        ("address_record", {"ends_on": typed(days_ago(5))}, "lies before the first"),
        ("address_end", {"last_day": typed(days_ago(10))}, "lies before the first"),
        ("address_void", {"reason": ""}, "This is needed to go on"),
        ("role_grant", {"role": "inspector"}, "holds this office already"),
        ("role_end", {"last_day": typed(days_ago(10))}, "lies before the first"),
    ],
)
def test_a_mistake_comes_back_as_one_sentence(client, sam, world, name, change, sentence) -> None:
    before = written()

    response = client.post(world.address_of(name), ACTS[name] | change)

    assert response.status_code == 422
    assert sentence in response.text
    assert written() == before


def test_an_ein_of_any_prefix_is_kept_as_text_and_is_nobody_elses(client, sam, world) -> None:
    page = world.address_of("organization_new")
    client.post(page, ACTS["organization_new"])

    again = client.post(page, ACTS["organization_new"] | {"name": "Other", "ein": "000012345"})

    assert again.status_code == 422
    assert "Another organization has this EIN." in again.text
    assert Organization.objects.get(name="Elks 2520").ein == "000012345"


def test_nobody_grants_himself_an_office(client, sam) -> None:
    page = reverse("role_grant", args=[sam.pk])

    response = client.post(page, {"role": "administrator", "starts_on": TODAY})

    assert response.status_code == 409
    assert "This is about yourself. A colleague must do it." in response.text
    assert "Grant an office" not in client.get(reverse("user_detail", args=[sam.pk])).text


def test_the_last_supervisor_cannot_be_ended(client, sam) -> None:
    page = reverse("role_end", args=[sam.pk, sam.grants.get().pk])

    response = client.post(page, {"last_day": TODAY})

    assert response.status_code == 422
    assert "This is the last supervisor." in response.text


def rows_of(html):
    body = html.split("<tbody>")[1].split("</tbody>")[0]
    cells = [re.findall(r"<t[hd].*?</t[hd]>", row, re.DOTALL) for row in body.split("</tr>")[:-1]]
    return [[" ".join(re.sub(r"<[^>]+>", " ", c).split()) for c in row] for row in cells]


def test_the_list_tells_who_holds_which_office_and_acts_for_whom(client, sam, world) -> None:
    AccountHolderFactory(
        user=world.user, organization__name="Elks 2520", organization__slug="elks-2520"
    )
    RoleGrantFactory(user=world.user, role="clerk", starts_on=days_ago(30), ends_on=days_ago(1))
    gone = AccountHolderFactory(user=world.user, ends_on=days_ago(1))

    rows = {row[1]: row for row in rows_of(client.get(reverse("user_list")).text)}

    assert rows["ben@example.org"][:4] == [
        "Ben Castillo", "ben@example.org", "inspector", "Elks 2520"
    ]  # fmt: skip
    assert rows[sam.email][2] == "supervisor"
    assert gone.organization.name not in rows["ben@example.org"][3]


def test_a_login_shows_offices_since_when_and_to_when(client, sam, world) -> None:
    RoleGrantFactory(user=world.user, role="clerk", starts_on="2025-01-01", ends_on="2025-06-30")

    html = client.get(reverse("user_detail", args=[world.user.pk])).text

    text = " ".join(re.sub(r"<[^>]+>", " ", html).split())
    assert "Clerk Jan 1 – Jun 30, 2025 (last day)" in text  # noqa: RUF001 - as spans are shown
    assert "Inspector since" in text
    assert "Holds today: inspector." in text


def test_the_list_of_users_takes_the_same_queries_for_one_and_three(
    client, sam, django_assert_num_queries
) -> None:
    client.get(reverse("user_list"))
    with CaptureQueriesContext(connection) as one:
        client.get(reverse("user_list"))
    for _more in range(2):
        RoleGrantFactory(user=AccountHolderFactory().user)

    with django_assert_num_queries(len(one)):
        client.get(reverse("user_list"))


def test_users_are_for_those_who_manage_them(client, world) -> None:
    for user in (RoleGrantFactory().user, world.holder.user, UserFactory()):
        client.force_login(user)
        assert client.get(reverse("user_list")).status_code == 403
        assert client.get(reverse("user_detail", args=[world.user.pk])).status_code == 403


def test_the_list_of_users_as_a_file_is_kept_as_taken(client, sam, world) -> None:
    response = client.get(reverse("user_list"), {"export": "csv"})

    text = b"".join(response).decode("utf-8-sig")
    assert "Ben Castillo,ben@example.org,inspector," in text
    assert Act.objects.get(verb="list.downloaded").by == sam


def test_an_organization_called_new_has_a_page_of_its_own(client, sam) -> None:
    response = client.post(reverse("organization_new"), {"name": "New", "kind": "other"})

    assert response["Location"] == "/organizations/new-2/"
    assert "<bdi>New</bdi>" in client.get("/organizations/new-2/").text


def test_a_kind_that_needs_none_is_not_asked_for_an_exemption(client, sam) -> None:
    OrganizationFactory(slug="park", kind="associational")
    OrganizationFactory(slug="post", kind="charitable")

    park = client.get(reverse("organization_detail", args=["park"])).text
    post = client.get(reverse("organization_detail", args=["post"])).text

    assert ("Tax exemption" in park, "Tax exemption" in post) == (False, True)
