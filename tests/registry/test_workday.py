"""The first page of each role, the search box, and the pages that are open to everyone."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from registry.history import System, acting
from registry.models import WorkItem
from registry.ruleset import in_force
from tests.factories import (
    AccountHolderFactory,
    AssignmentFactory,
    LicensedFactory,
    NameTagFactory,
    RoleGrantFactory,
    SanctionFactory,
    UserFactory,
    WorkerFactory,
    WorkItemFactory,
    days_ago,
)

pytestmark = pytest.mark.django_db


def days_back(days: int) -> datetime:
    return timezone.now() - timedelta(days=days)


def signed_in(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def clerk() -> Client:
    return signed_in(RoleGrantFactory(user__name="Cleo Park").user)


def text(response) -> str:
    """What a person reads of a page: no markup, white space folded."""
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


@pytest.mark.parametrize(
    ("hour", "greeting"),
    [(6, "Good morning, Cleo"), (13, "Good afternoon, Cleo"), (21, "Good evening, Cleo")],
)
def test_the_clerk_is_greeted_by_the_countys_clock(hour: int, greeting: str) -> None:
    user = RoleGrantFactory(user__name="Cleo Park").user
    now = datetime(2026, 12, 1, hour, tzinfo=timezone.get_default_timezone())

    with time_machine.travel(now, tick=False):
        assert greeting in text(signed_in(user).get("/"))


def test_the_clerk_sees_what_waits_oldest_first_and_since_when(clerk) -> None:
    second, first = WorkItemFactory(person__full_name="Newer"), WorkItemFactory()
    with acting(System.SET_UP, "test.aged"):
        WorkItem.objects.filter(pk=first.pk).update(opened_at=days_back(6))

    page = clerk.get("/")

    assert "2 things wait, the oldest for 6 days." in text(page).replace("\xa0", " ")
    assert list(page.context["items"]) == [first, second]


def test_an_empty_list_says_what_will_stand_there(clerk) -> None:
    assert "Nothing waits." in text(clerk.get(reverse("work_list")))


def test_the_page_of_what_waits_begins_with_a_capital(clerk) -> None:
    item = WorkItemFactory()

    page = text(clerk.get(reverse("work_detail", args=[item.pk])))

    kind = item.get_kind_display()
    assert f"{kind[0].upper()}{kind[1:]}: {item.person}" in page


def test_only_who_holds_an_organization_is_shown_as_acting_for_it(clerk) -> None:
    holder = AccountHolderFactory()
    address = reverse("organization_detail", args=[holder.organization.slug])
    said = f"for {holder.organization}"

    assert said in text(signed_in(holder.user).get(address))
    assert said not in text(clerk.get(address))


def test_the_list_can_be_narrowed_to_one_kind(clerk) -> None:
    double, place = WorkItemFactory(), WorkItemFactory(kind="place")

    page = clerk.get(reverse("work_list"), {"kind": "place"})

    assert list(page.context["items"]) == [place]
    assert double.pk != place.pk


def test_an_officer_sees_license_and_people_at_a_glance() -> None:
    ada = AccountHolderFactory()
    WorkerFactory(organization=ada.organization)
    WorkerFactory(organization=ada.organization, starts_on=days_ago(20))
    WorkerFactory(organization=ada.organization, activity=False)

    shown = signed_in(ada.user).get("/").context["held"]

    assert [[count for _mark, _word, count, _key in row.counts] for row in shown] == [[1, 1, 1, 0]]
    assert shown[0].license.startswith("Licensed, class A, to ")


def test_a_login_without_organization_is_led_to_register_one() -> None:
    page = signed_in(UserFactory()).get("/")

    assert "You act for no organization yet" in text(page)
    assert 'href="/register-organization/"' in page.content.decode()


def test_the_public_reads_doors_and_no_names() -> None:
    WorkerFactory(person__full_name="Mary Quinn")

    page = text(Client().get("/"))

    assert "Look up a license" in page
    assert "Mary Quinn" not in page


def found(client: Client, typed: str) -> dict[str, list[str]]:
    page = client.get(reverse("search"), {"q": typed}).context["found"]
    return {kind: [str(row) for row in rows] for kind, rows in page.items() if rows}


def test_one_box_finds_organizations_people_and_tags_for_a_clerk(clerk) -> None:
    organization = LicensedFactory(name="Heron Lake Post")
    membership = WorkerFactory(organization=organization, person__full_name="Łukasz Heronski")
    row = AssignmentFactory(person=membership.person, organization=organization)
    tag = NameTagFactory(assignment=row, number=731)

    assert found(clerk, "heron")["organizations"] == ["Heron Lake Post"]
    assert found(clerk, "lukasz")["people"] == ["Łukasz Heronski"]
    assert found(clerk, "731")["tags"] == [str(tag)]
    assert len(found(clerk, organization.licenses.get().number[2:])["licenses"]) == 1


def test_an_officer_finds_only_what_is_his() -> None:
    ada, other = AccountHolderFactory(), LicensedFactory(name="Elsewhere Lodge")
    WorkerFactory(organization=other, person__full_name="Mary Elsewhere")
    NameTagFactory(number=731)
    client = signed_in(ada.user)

    assert [found(client, typed) for typed in ("elsewhere", "mary", "731")] == [{}, {}, {}]


def test_a_license_is_looked_up_by_everyone_with_how_it_stands_today() -> None:
    organization = LicensedFactory(name="Heron Lake Post")
    SanctionFactory(license=organization.licenses.get())

    page = text(Client().get(reverse("public_register"), {"q": "heron"}))

    assert "Heron Lake Post" in page
    assert "Suspended" in page


@pytest.mark.parametrize("typed", ["zz", "%", "' OR 1=1 --", "x" * 5000])
def test_what_fits_nobody_finds_nobody_and_breaks_nothing(typed: str) -> None:
    LicensedFactory()

    response = Client().get(reverse("public_register"), {"q": typed})

    assert response.status_code == 200
    assert "No licensee fits" in text(response)


def test_a_tags_number_tells_its_state_and_no_name() -> None:
    membership = WorkerFactory(person__full_name="Mary Quinn")
    row = AssignmentFactory(person=membership.person, organization=membership.organization)
    NameTagFactory(assignment=row, number=731)

    page = text(Client().get(reverse("tag_check"), {"number": "000731"}))

    assert "Good today" in page
    assert "Mary Quinn" not in page
    assert "Unknown tag" in text(Client().get(reverse("tag_check"), {"number": "732"}))


def test_the_rules_page_names_every_paragraph_and_every_open_question() -> None:
    law = in_force(timezone.localdate())

    page = Client().get(reverse("rules"))
    shown = text(page)

    assert [c for c in law.texts if f"{c} · {law.texts[c].title}" not in shown] == []
    assert len(page.context["readings"]) == len(law.readings)
    assert "Who may do what" not in shown


def test_staff_read_who_may_do_what(clerk) -> None:
    page = text(clerk.get(reverse("rules")))

    assert "Who may do what" in page
    assert "print name tags" in page


@pytest.mark.parametrize("name", ["help", "accessibility", "rules", "public_register", "tag_check"])
def test_open_pages_need_no_login(name: str) -> None:
    assert Client().get(reverse(name)).status_code == 200


def test_a_visitor_chooses_his_language() -> None:
    response = Client().post(reverse("set_language"), {"language": "es", "next": "/"})

    assert response["Location"] == "/"
