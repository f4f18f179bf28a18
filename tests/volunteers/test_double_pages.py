"""The pages of doubles: the form that warns, the work list, side by side, join, part, apart."""

from __future__ import annotations

import html as html_module
import re
from datetime import date

import pytest
from django.urls import reverse
from django.utils import timezone

from registry.models import DifferentPeople, Person, WorkItem
from tests.factories import (
    AccountHolderFactory,
    AssignmentFactory,
    DifferentPeopleFactory,
    MembershipFactory,
    PersonFactory,
    RoleGrantFactory,
    WorkerFactory,
    WorkItemFactory,
    days_ago,
)
from volunteers.joining import join_people

pytestmark = pytest.mark.django_db
TOKEN = "0d5f1c60-4b7e-4d0e-9d43-1a3c5b7f9e22"
BORN = date(1961, 2, 3)


def text_of(response) -> str:
    """The words of the page's main part, or of the part that was sent."""
    html = response.content.decode()
    html = html.split('<main id="main"')[-1].split("</main>")[0]
    return html_module.unescape(" ".join(re.sub(r"<[^>]+>", " ", html).split()))


@pytest.fixture
def sue(client):
    """A supervisor, signed in."""
    user = RoleGrantFactory(role="supervisor").user
    client.force_login(user)
    return user


def test_who_enters_a_person_sees_who_may_be_the_same_before_saving(client, sue):
    bob = PersonFactory(full_name="Bob Example", born_on=BORN)
    typed = {"full_name": "Robert Example", "born_on": "02/03/1961"}

    shown = text_of(client.post(reverse("person_new") + "?live", typed))

    assert f"Bob Example #{bob.number} : Nickname: Robert and Bob; same birth date." in shown
    assert client.post(reverse("person_new") + "?live", {"full_name": "Vera"}).content == b""
    assert Person.objects.get() == bob


def test_an_officer_sees_nobody_while_typing_and_a_clerk_does(client):
    PersonFactory(full_name="Bob Example", born_on=BORN)
    holder, clerk = AccountHolderFactory(), RoleGrantFactory().user
    url = reverse("membership_add", args=[holder.organization.slug])
    typed = {
        "full_name": "Robert Example",
        "kind": "member",
        "starts_on": "02/03/2020",
        "born_on": "02/03/1961",
        "confirm": "on",
    }
    paper = {"on_behalf_of": "Ada Reyes", "received_on": "02/03/2026"}
    seen = {}
    for user in (holder.user, clerk):
        client.force_login(user)
        page = client.get(url).content.decode()
        answer = client.post(f"{url}?live", {**typed, **paper}).content.decode()
        seen[user] = ("hx-post" in page, "Bob Example" in answer)

    assert seen[holder.user] == (False, False)
    assert seen[clerk][0]


def test_a_work_item_says_why_and_leads_to_both_answers(client, sue):
    one, two = PersonFactory(full_name="Bob Example"), PersonFactory(full_name="Rob Example")
    reasons = [{"code": "nickname", "one": "bob", "other": "rob"}, {"code": "birth_same"}]
    item = WorkItemFactory(person=two, other=one, data={"reasons": reasons, "score": 92})

    page = client.get(reverse("work_detail", args=[item.pk]))

    assert "Nickname: Bob and Rob; same birth date." in text_of(page)
    for name in ("person_join", "person_different"):
        assert reverse(name, args=[two.number, one.number]) in page.content.decode()


def test_two_records_are_set_side_by_side_previewed_and_joined(client, sue):
    today = timezone.localdate()
    row = AssignmentFactory(person=WorkerFactory(person__full_name="Pat Sample").person)
    other = PersonFactory(full_name="Pat A Sample", born_on=BORN)
    for days in (1, 2):
        AssignmentFactory(person=other, starts_on=days_ago(days))
    url = reverse("person_join", args=[row.person.number, other.number])

    side_by_side = text_of(client.get(url))
    typed = {"token": TOKEN, "keep": other.number, "reason": "Same license photo."}
    preview = client.post(url, typed)
    assert not Person.objects.filter(merged_into__isnull=False).exists()
    done = client.post(url, {**typed, "confirmed": "1"})
    again = client.post(url, {**typed, "confirmed": "1"})

    assert row.organization.name in side_by_side
    assert "Feb 3, 1961" not in side_by_side
    assert "the law does not allow this together" in text_of(preview)
    assert f"{row.organization.name}, " in text_of(preview)
    assert (done.status_code, again.status_code) == (302, 302)
    assert done.url == again.url == reverse("person_detail", args=[other.number])
    assert Person.objects.get(pk=row.person.pk).merged_into == other
    item = WorkItem.objects.get(kind="union")
    shown = text_of(client.get(reverse("work_detail", args=[item.pk])))
    assert "One other organization (§ 10-63(10))" in shown
    assert today.strftime("%Y") in shown


def test_the_page_of_a_person_names_joined_and_different_records(client, sue):
    kept, gone, other = (PersonFactory(full_name=f"Pat {name}") for name in ("A", "B", "C"))
    join_people(sue, kept, gone, reason="One.")
    row = DifferentPeopleFactory(first=kept, second=other, reason="Mother and daughter")

    page = client.get(reverse("person_detail", args=[gone.number]))

    shown = text_of(page)
    assert f"Pat B #{gone.number} is joined to this record" in shown
    assert f"Not the same as Pat C #{other.number} : Mother and daughter" in shown
    part = reverse("person_part", args=[kept.number, gone.number])
    assert part in page.content.decode()
    client.post(part, {"reason": "Two humans."})
    assert Person.objects.get(pk=gone.pk).merged_into is None
    client.post(reverse("different_void", args=[kept.number, row.pk]), {"reason": "Typo."})
    standing = DifferentPeople.objects.standing().values_list("second", flat=True)
    assert list(standing) == [gone.pk]


def test_an_organizations_person_is_parted_after_a_preview(client, sue):
    person = PersonFactory(full_name="Pat Sample", born_on=BORN)
    lines = [MembershipFactory(person=person) for _n in range(2)]
    url = reverse("person_part_organization", args=[person.number, lines[1].organization.slug])

    preview = client.post(url, {"reason": "Two.", "token": TOKEN})
    assert "Memberships: 1" in text_of(preview)
    client.post(url, {"reason": "Two.", "token": TOKEN, "confirmed": "1"})

    lines[1].refresh_from_db()
    assert (lines[0].person, lines[1].person.full_name) == (person, "Pat Sample")
    assert lines[1].person != person


def test_the_other_record_is_chosen_and_is_not_the_same(client, sue):
    one, two = PersonFactory(full_name="Pat A"), PersonFactory(full_name="Pat B")
    url = reverse("person_join_choose", args=[one.number])

    answers = [
        client.post(url, {"other": person.full_name, "other_key": person.number})
        for person in (one, two)
    ]

    assert [answer.status_code for answer in answers] == [422, 302]
    assert answers[1].url == reverse("person_join", args=[one.number, two.number])
    assert client.get(reverse("person_join", args=[one.number, one.number])).status_code == 404


def test_different_people_and_looking_again_from_the_page(client):
    client.force_login(RoleGrantFactory().user)
    one, two = PersonFactory(full_name="Bob Example"), PersonFactory(full_name="Rob Example")

    client.post(reverse("person_doubles", args=[one.number]), {})
    page = client.get(reverse("person_different", args=[one.number, two.number]))
    client.post(reverse("person_different", args=[one.number, two.number]), {"reason": "Twins."})

    assert "Nickname: Bob and Rob" in text_of(page)
    assert WorkItem.objects.get().outcome == "Different people."
    assert DifferentPeople.objects.get().reason == "Twins."
    again = client.post(reverse("person_doubles", args=[one.number]), {}, follow=True)
    assert "Nobody new was found." in again.content.decode()
