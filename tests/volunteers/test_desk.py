"""The eligibility desk: one question, one answer, kept when it is given."""

from __future__ import annotations

import html as html_module
import re
from datetime import date

import pytest
from django.db import connection
from django.http import QueryDict
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from registry.history import Act
from registry.services import PersonEntry
from tests.factories import (
    AccountHolderFactory,
    ActivityFactory,
    AssignmentFactory,
    LessorInterestFactory,
    LicensedFactory,
    LicenseFactory,
    MembershipFactory,
    PersonFactory,
    RoleGrantFactory,
    UserFactory,
    WorkerFactory,
    days_ago,
)
from volunteers.deciding import correct_person
from volunteers.views.desk import DeskForm

pytestmark = pytest.mark.django_db

# 23 days after this, Mary joined; 30 are needed.
ONE_OTHER = "Met: One other organization § 10-63(10) No third organization."
ROTATION = (
    "Met: Changing organizations § 10-63(10) No change of organizations worth a note."
    " regulator's standard"
)
HELPERS = "Met: 30 days § 10-63(12) Not asked of helpers who touch neither game nor money."
JOINED, ASKED = date(2026, 11, 13), date(2026, 12, 5)


@pytest.fixture
def mary():
    """Mary Quinn joined Post 4412 on Nov 13, 2026, and is approved at Elks 2520."""
    post = LicensedFactory(name="Heron Lake Post", slug="heron-lake", license=None)
    license_(post, "A-2027-9042")
    row = WorkerFactory(
        organization=post,
        person__full_name="Mary Quinn",
        starts_on=JOINED,
        attested_on=JOINED,
        activity=False,
    )
    activity(row, date(2026, 11, 20))
    elks = LicensedFactory(name="Elks 2520", slug="elks", license=None)
    license_(elks, "A-2027-9043")
    there = WorkerFactory(organization=elks, person=row.person, starts_on=date(2024, 1, 1))
    AssignmentFactory(
        person=there.person,
        organization=elks,
        starts_on=date(2026, 11, 1),
        eligible_on=date(2026, 11, 1),
    )
    return row


def license_(body, number):
    return LicenseFactory(
        organization=body,
        number=number,
        issued_on=date(2026, 10, 1),
        expires_on=date(2027, 9, 30),
    )


def activity(row, day):
    return ActivityFactory(person=row.person, organization=row.organization, done_on=day)


@pytest.fixture
def cleo(client):
    """A clerk, signed in."""
    user = RoleGrantFactory(user__name="Cleo Park").user
    client.force_login(user)
    return user


@pytest.fixture
def ada(client, mary):
    """Account holder of Mary's post, signed in."""
    user = AccountHolderFactory(organization=mary.organization).user
    client.force_login(user)
    return user


def question(row, on=ASKED, **more):
    return {
        "person": row.person.full_name,
        "person_key": row.person.number,
        "organization": row.organization.name,
        "organization_key": row.organization.slug,
        "on": on.strftime("%m/%d/%Y"),
        **more,
    }


def answer(html):
    """The words of the answer, line by line; of each test only what is seen before it is opened."""
    part = html.split('id="answer"')[1].split("</main>")[0].split(">", 1)[1]
    part = re.sub(r'<div class="verdict-more">.*?</details>', "\n", part, flags=re.DOTALL)
    joined = re.sub(r"\s+", " ", part.replace("\n", "\0")).replace("\0", " ")
    lines = re.sub(r"</(p|h2|li|a|summary|details)>", "\n", joined)
    text = html_module.unescape(re.sub(r"<[^>]+>", " ", lines))
    return [" ".join(line.split()) for line in text.split("\n") if line.strip()]


def test_a_clerk_reads_every_test_and_what_to_say(client, cleo, mary) -> None:
    html = client.get(reverse("desk"), question(mary)).text

    assert answer(html) == [
        "Mary Quinn for Heron Lake Post on Sat, Dec 5, 2026",
        "Not cleared From Sun, Dec 13 the answer would be yes.",
        "Say: Not yet: 22 of the 30 days have passed; from Sun, Dec 13, 2026 the answer is yes.",
        "Met: License in force § 10-64(a) A-2027-9042, to Sep 30, 2027.",
        "Met: Member or volunteer § 10-63(12) Member since Nov 13, 2026.",
        "Met: Not suspended § 10-63(12) Not suspended.",
        "Not met: 30 days § 10-63(12) Member since Nov 13, 2026: 22 of 30 days; from Sun, Dec 13.",
        "Met: Other activities § 10-63(12) Food pantry, Nov 20, 2026. regulator's standard",
        ONE_OTHER + " Also: Elks 2520 since Nov 1, 2026.",
        "Met: No hall-owner interest § 10-65(b) No interest in a hall owner is recorded.",
        "Met: 18 or over § 10-63(5) 18 or over.",
        "Met: One place at a time At no other place at these hours.",
        "Met: State: resident F.S. 849.0931(8) Resident of the community.",
        "Met: State: enrolled member F.S. 849.0931(8) County: yes; state: enrolled.",
        ROTATION,
        "Met: Active member § 10-93(a)(1)d No note.",
        "Met: Own hall § 10-65(b) No tie to an own hall is recorded.",
        *by_rules(html),
        "Approve from Sun, Dec 13, 2026",
        "Save this answer…",
        "Open the person's page",
    ]


def by_rules(html):
    return re.findall(r"By the rules pasco [0-9a-f]+\.", html)


def test_an_account_holder_reads_the_same_without_other_organizations(client, ada, mary) -> None:
    sent = {key: value for key, value in question(mary).items() if "organization" not in key}

    html = client.get(reverse("organization_desk", args=["heron-lake"]), sent).text

    lines = answer(html)
    assert lines[0] == "Mary Quinn for Heron Lake Post on Sat, Dec 5, 2026"
    assert lines[1:3] == [
        "Not cleared From Sun, Dec 13 the answer would be yes.",
        "Say: Not yet: 22 of the 30 days have passed; from Sun, Dec 13, 2026 the answer is yes.",
    ]
    assert ONE_OTHER in lines
    assert lines[-1] == "Approve from Sun, Dec 13, 2026"
    assert "Elks" not in html
    assert mary.person.number in html


def test_a_tie_is_told_to_the_clerk_by_name_and_to_the_holder_without(client, cleo, mary) -> None:
    LessorInterestFactory(person=mary.person, lessor__name="Anclote Hall")
    on = date(2026, 12, 20)
    asked = question(mary, on)

    told = answer(client.get(reverse("desk"), asked).text)
    client.force_login(AccountHolderFactory(organization=mary.organization).user)
    own = client.get(reverse("organization_desk", args=["heron-lake"]), asked).text

    assert any("Tied to Anclote Hall (owner)." in line for line in told)
    assert "Anclote" not in own
    assert answer(own)[1:3] == [
        "Not cleared",
        "Say: No: a tie to a hall owner is recorded; the county clerk can say more.",
    ]


def test_of_a_person_nobody_confirmed_a_holder_learns_nothing_from_elsewhere(
    client, ada, mary
) -> None:
    line = MembershipFactory(
        organization=mary.organization,
        person__full_name="Hank Weller",
        attested_on=None,
        starts_on=date(2025, 1, 1),
    )
    LessorInterestFactory(person=line.person)

    html = client.get(
        reverse("organization_desk", args=["heron-lake"]),
        {"person_key": line.person.number, "on": "12/05/2026"},
    ).text

    lines = answer(html)
    assert "Papers missing" in lines[1]
    assert any("30 days" in line for line in lines)
    assert not any("No hall-owner interest" in line for line in lines)
    assert not any("One other organization" in line for line in lines)


def test_a_holder_sees_the_name_it_stated_not_the_registered_one(client, ada, mary) -> None:
    clerk = RoleGrantFactory().user
    entry = PersonEntry("Mary Quinn-Alvarez", born_on=mary.person.born_on)
    correct_person(clerk, mary.person, entry, reason="Married.")

    page = reverse("organization_desk", args=["heron-lake"])
    html = client.get(page, {"person_key": mary.person.number, "on": "12/05/2026"}).text

    assert answer(html)[0].startswith("Mary Quinn for")
    assert "Alvarez" not in html


def test_a_person_without_membership_is_answered(client, cleo, mary) -> None:
    pat = PersonFactory(full_name="Pat Sample")
    asked = question(mary) | {"person": "Pat Sample", "person_key": pat.number}

    lines = answer(client.get(reverse("desk"), asked).text)

    assert lines[0] == "Pat Sample for Heron Lake Post on Sat, Dec 5, 2026"
    assert lines[1:3] == ["Not cleared", "Say: No: not on the organization's roster for that day."]
    assert "Approve" not in " ".join(lines)


def test_a_day_before_the_first_known_text_is_not_judged(client, cleo, mary) -> None:
    lines = answer(client.get(reverse("desk"), question(mary, date(1999, 1, 1))).text)

    assert len(lines) == 1
    assert "is not known before" in lines[0]
    assert "1999-01-01 cannot be judged" in lines[0]


def test_without_javascript_a_name_that_fits_several_offers_them(client, cleo, mary) -> None:
    other = PersonFactory(full_name="Mary Quill")

    html = client.get(
        reverse("desk"), {"person": "Mary Qui", "organization": "Heron", "on": "12/05/2026"}
    ).text

    assert "“Mary Qui” fits 2 entries: choose one of those shown." in html
    assert f'name="person_pick" value="{other.number}"' in html
    picked = {"person_pick": mary.person.number, "organization": "heron lake", "on": "2026-12-05"}
    assert answer(client.get(reverse("desk"), picked | {"person": "Mary Qui"}).text)[0] == (
        "Mary Quinn for Heron Lake Post on Sat, Dec 5, 2026"
    )


def test_with_htmx_the_answers_place_offers_them_as_links(client, cleo, mary) -> None:
    PersonFactory(full_name="Mary Quill")
    sent = {"person": "Mary Qui", "organization": "", "on": "12/05/2026"}

    html = client.get(reverse("desk"), sent, headers={"HX-Request": "true"}).text

    part = html.split('id="answer"')[1]
    links = [QueryDict(link.split("?")[1].replace("&amp;", "&")) for link in
             re.findall(r'href="(\?[^"]+)"', part)]  # fmt: skip
    assert [(row["person"], row["person_key"]) for row in links][1] == (
        "Mary Quinn", mary.person.number
    )  # fmt: skip
    # What is not filled in yet is no mistake while somebody types.
    assert "conduct bingo for" not in part


def test_the_form_swaps_only_the_answer(client, cleo, mary) -> None:
    html = client.get(reverse("desk")).text

    form = re.search(r'<form class="desk"[^>]*>', html)[0]
    assert 'method="get"' in form
    assert 'hx-target="#answer"' in form
    assert 'hx-select="#answer >' in form
    # Else the type-ahead's lists would look for an answer in theirs, and show nothing.
    assert 'hx-disinherit="*"' in html
    (line,) = answer(html)
    assert line.startswith("Fill in the three fields;")
    assert timezone.localdate().strftime("%m/%d/%Y") in html


def test_a_person_named_beforehand_is_filled_in_without_a_complaint(client, cleo, mary) -> None:
    ask = f"{reverse('desk')}?person_key={mary.person.number}"
    assert f'href="{ask}"' in client.get(reverse("person_detail", args=[mary.person.number])).text

    html = client.get(ask).text

    assert f'name="person_key" value="{mary.person.number}"' in html
    assert 'name="person" value="Mary Quinn"' in html
    assert ('id="errors"' in html, len(answer(html))) == (False, 1)


def test_other_organizations_people_are_found_neither_by_name_nor_by_key(client, ada, mary) -> None:
    other = WorkerFactory(person__full_name="Mary Other", organization__name="Elks of Hudson")
    page, look = (
        reverse(name, args=["heron-lake"]) for name in ("organization_desk", "own_person_lookup")
    )
    assert "Mary Quinn" in client.get(look, {"q": "mary"}).text

    assert "Mary Other" not in client.get(look, {"q": "mary"}).text
    sent = {"person": "Mary Other", "person_key": other.person.number, "on": "12/05/2026"}
    html = client.get(page, sent).text
    assert "was not found" in html
    assert answer(html) == []
    assert (
        client.get(reverse("organization_desk", args=[other.organization.slug])).status_code == 404
    )
    assert (
        client.get(reverse("own_person_lookup", args=[other.organization.slug])).status_code == 404
    )


def test_the_countys_desk_and_lookup_are_for_regulators(client, ada, mary) -> None:
    for name in ("desk", "person_lookup"):
        assert client.get(reverse(name), {"q": "mary"}).status_code == 403
    # An account holder's lookup of organizations holds his own alone.
    LicensedFactory(name="Elks of Hudson")
    found = client.get(reverse("organization_lookup"), {"q": "e"}).text
    assert "Hudson" not in found


def test_lookups_find_people_and_organizations(client, cleo, mary) -> None:
    found = client.get(reverse("person_lookup"), {"q": "quinn"}).text
    assert f'data-key="{mary.person.number}"' in found
    found = client.get(reverse("organization_lookup"), {"q": "heron"}).text
    assert 'data-key="heron-lake"' in found


def save_page(row, on="2026-12-05"):
    return reverse("answer_save", args=[row.person.number, row.organization.slug, on])


def test_a_saved_answer_is_in_the_history_with_the_caller(client, cleo, mary) -> None:
    page = save_page(mary)
    assert "Mary Quinn for Heron Lake Post on Sat, Dec 5, 2026." in client.get(page).text

    response = client.post(page, {"caller": "Jo Fox", "telephone": "555-0100"}, follow=True)

    act = Act.objects.get(verb="answer.given")
    assert (act.by, act.person, act.organization) == (cleo, mary.person, mary.organization)
    kept = {key: act.data[key] for key in ("caller", "telephone", "on", "allowed", "eligible_on")}
    assert kept == {
        "caller": "Jo Fox",
        "telephone": "555-0100",
        "on": "2026-12-05",
        "allowed": False,
        "eligible_on": "2026-12-13",
    }
    assert answer(response.text)[0] == "Mary Quinn for Heron Lake Post on Sat, Dec 5, 2026"
    person = client.get(reverse("person_detail", args=[mary.person.number])).text
    assert "not cleared for Dec 5, 2026 by § 10-63(12); told to Jo Fox, 555-0100" in person


def test_a_second_press_saves_no_second_answer(client, cleo, mary) -> None:
    sent = {"caller": "Jo Fox", "token": "7f0c2c52-2c19-4b7c-a8f7-6c60d1f7ab11"}

    for _press in range(2):
        assert client.post(save_page(mary), sent).status_code == 302

    assert Act.objects.filter(verb="answer.given").count() == 1


def test_an_answer_without_a_caller_is_not_saved(client, cleo, mary) -> None:
    assert client.post(save_page(mary), {"telephone": "555-0100"}).status_code == 422
    sent = {"caller": "Jo, 078-05-1120"}
    assert client.post(save_page(mary), sent).status_code == 422
    assert not Act.objects.filter(verb="answer.given").exists()


@pytest.mark.parametrize("on", ["2026-02-30", "soon", "1999-01-01"])
def test_an_answer_for_a_day_that_is_none_is_not_there(client, cleo, mary, on) -> None:
    assert client.get(save_page(mary, on)).status_code == 404
    assert client.post(save_page(mary, on), {"caller": "Jo"}).status_code == 404


def test_only_regulators_save_answers(client, ada, mary) -> None:
    assert client.post(save_page(mary), {"caller": "Jo Fox"}).status_code == 403
    assert not Act.objects.filter(verb="answer.given").exists()


def test_who_may_not_approve_is_offered_no_approval(client, mary) -> None:
    client.force_login(RoleGrantFactory(role="inspector").user)

    lines = answer(client.get(reverse("desk"), question(mary)).text)

    assert lines[-3:] == [*by_rules(lines[-3]), "Save this answer…", "Open the person's page"]


def test_a_helper_is_asked_what_helpers_are_asked(client, cleo) -> None:
    row = MembershipFactory(starts_on=days_ago(2))
    AssignmentFactory(person=row.person, organization=row.organization, duties=["assisting"],
                      takes_place=False)  # fmt: skip

    lines = answer(client.get(reverse("desk"), question(row, days_ago(0))).text)

    assert lines[1] == "Cleared"
    assert HELPERS in lines


def test_the_answer_takes_the_same_queries_however_much_is_known(
    client, cleo, django_assert_num_queries, mary
) -> None:
    client.get(reverse("desk"), question(mary))
    with CaptureQueriesContext(connection) as few:
        client.get(reverse("desk"), question(mary))
    for number in range(3):
        row = WorkerFactory(person=mary.person, starts_on=date(2020, 1, 1))
        activity(mary, date(2026, 11, 21 + number))
        AssignmentFactory(person=row.person, organization=row.organization, takes_place=False)

    with django_assert_num_queries(len(few)):
        client.get(reverse("desk"), question(mary))


def test_the_desk_of_nobody_asks_to_sign_in(client) -> None:
    assert client.get(reverse("desk")).status_code == 302
    client.force_login(UserFactory())
    assert client.get(reverse("desk")).status_code == 403


def test_the_form_offers_nothing_for_what_was_understood(cleo, mary) -> None:
    form = DeskForm(QueryDict("person=Mary+Quinn&organization=Nowhere&on=12/05/2026"), by=cleo)

    assert [(field.name, links) for field, _sentence, links in form.offers()] == [
        ("organization", [])
    ]
