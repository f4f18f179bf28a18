"""The page of an organization, the list of people, the page of a person and its acts."""

from __future__ import annotations

import csv
import html as html_module
import io
import re
from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from licenses.models import LessorInterest
from registry.history import Act, acting
from registry.models import Organization, Person, WorkItem
from tests.factories import (
    AccountHolderFactory,
    ActivityFactory,
    AssignmentFactory,
    ExemptionFactory,
    LessorInterestFactory,
    LicensedFactory,
    MembershipFactory,
    NameTagFactory,
    OrganizationFactory,
    PersonFactory,
    RoleGrantFactory,
    SanctionFactory,
    UserFactory,
    WorkerFactory,
    WorkItemFactory,
    days_ago,
)
from tests.volunteers.test_deciding import entry_for
from volunteers.deciding import record_decision
from volunteers.models import Determination

pytestmark = pytest.mark.django_db
TOKEN = "7f0c2c52-2c19-4b7c-a8f7-6c60d1f7ab11"
TODAY = timezone.localdate().strftime("%m/%d/%Y")


def text_of(html):
    """The words of the page's main part."""
    main = html.split('<main id="main"')[1].split("</main>")[0]
    return html_module.unescape(" ".join(re.sub(r"<[^>]+>", " ", main).split()))


def rows_of(html):
    body = html.split("<tbody>")[1].split("</tbody>")[0]
    cells = [re.findall(r"<t[hd].*?</t[hd]>", row, re.DOTALL) for row in body.split("</tr>")[:-1]]
    return [
        [html_module.unescape(" ".join(re.sub(r"<[^>]+>", " ", c).split())) for c in row]
        for row in cells
    ]


@pytest.fixture
def post():
    """A licensed organization with an exemption."""
    body = LicensedFactory(name="Heron Lake Post", slug="heron-lake", street="4412 Post Road")
    ExemptionFactory(organization=body, evidence="letter", reference="letter of 1962")
    return body


@pytest.fixture
def sam(client):
    """A supervisor, signed in, who may do everything on these pages."""
    user = RoleGrantFactory(role="supervisor").user
    client.force_login(user)
    return user


@pytest.fixture
def quinn(post):
    """An approved worker of the post with a tag, born Jan 2, 1970."""
    row = WorkerFactory(organization=post, person__full_name="Mary Quinn")
    NameTagFactory(assignment=AssignmentFactory(person=row.person, organization=post))
    return row


def page_of(thing):
    if isinstance(thing, Organization):
        return reverse("organization_detail", args=[thing.slug])
    return reverse("person_detail", args=[thing.number])


# The organization


def test_the_page_begins_with_how_it_stands(client, sam, post) -> None:
    html = client.get(page_of(post)).text

    last = post.licenses.get().expires_on
    standing = f"Licensed, class A, to {last:%b} {last.day}, {last.year} · 501(c)(19)"
    assert f'<p class="standing">{standing}</p>' in html
    text = text_of(html)
    assert text.startswith(f"> Heron Lake Post {standing}") or standing in text[:200]
    assert "Address 4412 Post Road, Dade City, FL" in text
    assert "Shown by determination or affirmation letter: letter of 1962" in text


def test_people_are_counted_by_standing_with_links_to_the_roster(client, sam, post, quinn) -> None:
    MembershipFactory(organization=post, starts_on=days_ago(3))
    MembershipFactory(organization=post, attested_on=None)
    lapsed = WorkerFactory(organization=post)
    LessorInterestFactory(person=lapsed.person)
    MembershipFactory(organization=post, ends_on=days_ago(1))
    MembershipFactory()

    html = client.get(page_of(post)).text

    found = re.findall(
        r'<a class="tally" href="([^"]+)"><span class="tally-number">(\d+)</span>(.*?)</a>', html
    )
    roster = reverse("membership_list", args=["heron-lake"])
    told = [
        (url, int(n), " ".join(re.sub(r"<[^>]+>", " ", word).split())) for url, n, word in found
    ]
    assert sum(n for _url, n, _word in told) == 4
    assert [(url, word) for url, _n, word in told] == [
        (f"{roster}?standing=cleared", "Cleared"),
        (f"{roster}?standing=later", "From a later day"),
        (f"{roster}?standing=missing", "Papers missing"),
        (f"{roster}?standing=not_cleared", "Not cleared"),
    ]
    assert told[0][1] == 1
    assert client.get(told[0][0]).status_code == 200


def test_licenses_show_their_suspensions_with_reason_and_paragraph(client, sam, post) -> None:
    SanctionFactory(
        license=post.licenses.get(),
        starts_on="2026-11-18",
        ends_on="2026-12-30",
        reason="No deposits.",
        cite="§ 10-93(a)(1)f",
    )

    text = text_of(client.get(page_of(post)).text)

    assert (
        "Suspended Nov 18 – Dec 30, 2026 (last day): No deposits. § 10-93(a)(1)f" in text  # noqa: RUF001
    )


def test_an_account_holder_sees_his_own_page_without_the_countys_part(client, post, quinn) -> None:
    ada = AccountHolderFactory(organization=post, user__name="Ada Reyes").user
    client.force_login(ada)
    hall = LessorInterestFactory(lessor=post)

    html = client.get(page_of(post)).text

    text = text_of(html)
    assert "Ada Reyes" in text
    assert "1 Cleared" in text
    for hidden in ("History", hall.person.full_name, "Issue a license", "Name an account holder"):
        assert hidden not in text
    assert client.get(reverse("organization_change", args=["heron-lake"])).status_code == 403


def test_another_organizations_page_is_not_there(client, post) -> None:
    client.force_login(AccountHolderFactory().user)
    assert client.get(page_of(post)).status_code == 404
    client.force_login(UserFactory())
    assert client.get(page_of(post)).status_code == 404


def test_a_hall_owner_shows_who_is_tied_to_it(client, sam) -> None:
    tie = LessorInterestFactory(
        lessor__kind="other", lessor__slug="hall", person__full_name="Hank Weller"
    )

    text = text_of(client.get(page_of(tie.lessor)).text)

    assert "People tied to this hall owner § 10-65(b) Hank Weller : owner, since" in text


def test_the_history_is_short_until_all_of_it_is_asked_for(client, sam, post) -> None:
    for number in range(14):
        with acting(sam, "license.issued", organization=post, reason=f"Nr {number}."):
            pass

    short, whole = (client.get(page_of(post), q).text for q in ({}, {"history": "all"}))

    assert short.count("License issued") == 12
    assert 'href="/organizations/heron-lake/?history=all#history"' in short
    assert whole.count("License issued") == 14
    assert "Show the whole history" not in whole


def test_the_page_takes_the_same_queries_however_many_belong_to_it(
    client, sam, post, quinn, django_assert_num_queries
) -> None:
    client.get(page_of(post))
    with CaptureQueriesContext(connection) as one:
        client.get(page_of(post))
    for _more in range(2):
        row = WorkerFactory(organization=post)
        NameTagFactory(assignment=AssignmentFactory(person=row.person, organization=post))
        AccountHolderFactory(organization=post)
        LessorInterestFactory(lessor=post)

    with django_assert_num_queries(len(one)):
        client.get(page_of(post))


def change_of(post, **change):
    return {
        "name": post.name,
        "kind": post.kind,
        "street": post.street,
        "city": post.city,
        "state": "FL",
        "reason": "New charter.",
        **change,
    }


def test_a_change_first_tells_what_changes_and_how_many_tags_go_stale(
    client, sam, post, quinn
) -> None:
    page = reverse("organization_change", args=["heron-lake"])
    other = WorkerFactory(organization=post)
    NameTagFactory(
        assignment=AssignmentFactory(person=other.person, organization=post),
        replaced_at=timezone.now(),
    )
    sent = change_of(post, name="Heron Lake Hall", kind="authorized")

    told = client.post(page, sent)

    text = text_of(told.text)
    assert told.status_code == 200
    assert "Licensed name: from “Heron Lake Post” to “Heron Lake Hall”." in text
    assert "Kind: from “charitable organization” to “authorized organization”." in text
    assert "1 name tag carries another name and must be printed anew." in text
    post.refresh_from_db()
    assert post.name == "Heron Lake Post"

    done = client.post(page, sent | {"confirmed": "1", "token": TOKEN})
    again = client.post(page, sent | {"confirmed": "1", "token": TOKEN})
    post.refresh_from_db()
    assert (done.status_code, again.status_code) == (302, 302)
    assert (post.name, post.slug, post.kind) == ("Heron Lake Hall", "heron-lake", "authorized")
    assert Act.objects.get(verb="organization.changed").reason == "New charter."


def test_a_change_of_nothing_says_so(client, sam, post) -> None:
    page = reverse("organization_change", args=["heron-lake"])

    assert "Nothing is changed." in client.post(page, change_of(post)).text


def test_a_change_without_a_reason_or_with_a_taken_ein_is_refused(client, sam, post) -> None:
    OrganizationFactory(ein="000012345")
    page = reverse("organization_change", args=["heron-lake"])

    for change, sentence in (
        ({"reason": ""}, "This is needed to go on"),
        ({"ein": "00-0012345", "confirmed": "1"}, "Another organization has this EIN."),
    ):
        response = client.post(page, change_of(post, **change))
        assert (response.status_code, sentence in response.text) == (422, True)
    post.refresh_from_db()
    assert post.ein is None


# The list of people


def test_people_are_listed_with_number_decade_and_organizations(client, sam, quinn) -> None:
    MembershipFactory(person=quinn.person, organization__name="Elks 2520")
    nobody = PersonFactory(full_name="Adam Zero", born_on=None)

    rows = rows_of(client.get(reverse("person_list")).text)

    assert rows == [
        ["Mary Quinn", f"#{quinn.person.number}", "50 to 59", "Elks 2520 ; Heron Lake Post"],
        ["Adam Zero", f"#{nobody.number}", "not known", ""],
    ]


@pytest.mark.parametrize(
    ("typed", "names"),
    [("lukasz", ["Łukasz Żółć"]), ("soren", ["Søren Ågård"]), ("o", ["O"]), ("zz", [])],
)
def test_people_are_found_as_typed(client, sam, typed, names) -> None:
    for name in ("Łukasz Żółć", "Søren Ågård", "O"):
        PersonFactory(full_name=name)

    html = client.get(reverse("person_list"), {"q": typed}).text

    assert [row[0] for row in (rows_of(html) if "<tbody>" in html else [])] == names
    assert ("Nobody fits" in html) is not bool(names)
    assert f'value="{typed}"' in html


def test_the_search_swaps_only_the_table_while_typing(client, sam) -> None:
    html = client.get(reverse("person_list")).text

    form = re.search(r'<form class="filters" method="get"[^>]*', html)[0]
    assert 'hx-target=".table-frame" hx-select=".table-frame"' in form


def test_the_list_as_a_file_holds_no_birth_date(client, sam, quinn) -> None:
    response = client.get(reverse("person_list"), {"export": "csv", "q": "quinn"})

    rows = list(csv.reader(io.StringIO(b"".join(response).decode("utf-8-sig"))))
    assert rows == [
        ["Name", "Number", "Age", "Belongs to"],
        ["Mary Quinn", quinn.person.number, "50 to 59", "Heron Lake Post"],
    ]
    assert Act.objects.get(verb="list.downloaded").data == {
        "list": "people",
        "query": "export=csv&q=quinn",
    }


def test_the_list_takes_the_same_queries_for_one_and_three(
    client, sam, quinn, django_assert_num_queries
) -> None:
    client.get(reverse("person_list"), {"q": "m"})
    with CaptureQueriesContext(connection) as one:
        client.get(reverse("person_list"), {"q": "m"})
    for _more in range(2):
        MembershipFactory(person__full_name="Mary More")

    with django_assert_num_queries(len(one)):
        client.get(reverse("person_list"), {"q": "m"})


def test_the_list_is_for_regulators_and_entering_for_clerks(client, post) -> None:
    client.force_login(AccountHolderFactory(organization=post).user)
    assert client.get(reverse("person_list")).status_code == 403
    client.force_login(RoleGrantFactory(role="auditor").user)
    assert "Enter a person" not in client.get(reverse("person_list")).text


# The person


def test_the_page_begins_with_number_decade_and_where_they_work(client, sam, quinn) -> None:
    html = client.get(page_of(quinn.person)).text

    line = f"#{quinn.person.number} · age 50 to 59 · may work today for Heron Lake Post"
    assert f'<p class="standing">{line}</p>' in html
    text = text_of(html)
    assert "Heron Lake Post Cleared Approved as Caller to" in text


def test_each_organization_is_answered_with_the_reason_and_the_day(client, sam, post) -> None:
    row = MembershipFactory(organization=post, starts_on=days_ago(10))
    ActivityFactory(person=row.person, organization=post)

    text = text_of(client.get(page_of(row.person)).text)

    assert "works nowhere today" in text
    assert re.search(
        r"Heron Lake Post Not cleared 30 days: Member since \w+ \d+, \d{4}: 10 of 30 days; from "
        r".*? From \w+, \w+ \d+(, \d{4})? the answer would be yes\. Not approved\.",
        text,
    )


def test_memberships_are_drawn_and_told_in_words(client, sam, post) -> None:
    row = MembershipFactory(organization=post, starts_on=days_ago(10), kind="volunteer")

    html = client.get(page_of(row.person)).text

    (drawn,) = re.findall(r'<svg class="timeline-bar".*?</svg>', html, re.DOTALL)
    assert drawn.count('<rect class="spell spell--volunteer"') == 1
    assert drawn.count('class="full-mark"') == 1
    assert "style=" not in drawn
    full = days_ago(-20)
    words = f"30 days full on {full:%b} {full.day}, {full.year}."
    assert f"Volunteer since {days_ago(10):%b} {days_ago(10).day}" in text_of(html)
    assert words in text_of(html)


def test_the_birth_date_is_shown_on_request_alone_and_the_look_is_kept(client, sam, quinn) -> None:
    reveal = reverse("birth_date_reveal", args=[quinn.person.number])
    assert "1970" not in client.get(page_of(quinn.person)).text

    html = client.post(reveal).text

    assert "Birth date Fri, Jan 2, 1970" in text_of(html)
    act = Act.objects.get(verb="birth_date.revealed")
    assert (act.by, act.person) == (sam, quinn.person)
    assert "1970" not in client.get(page_of(quinn.person)).text
    assert client.get(reveal).status_code == 405
    assert Act.objects.filter(verb="birth_date.revealed").count() == 1


@pytest.mark.parametrize("role", ["inspector", "auditor", "counsel", "records", "administrator"])
def test_who_has_no_need_is_shown_no_birth_date(client, quinn, role) -> None:
    client.force_login(RoleGrantFactory(role=role).user)

    html = client.get(page_of(quinn.person)).text

    assert ("Show the birth date" in html, "1970" in html) == (False, False)
    assert client.post(reverse("birth_date_reveal", args=[quinn.person.number])).status_code == 403
    assert not Act.objects.filter(verb="birth_date.revealed").exists()


def test_statements_stand_side_by_side(client, sam, quinn) -> None:
    MembershipFactory(
        person=quinn.person,
        organization__name="Elks 2520",
        name_stated="Marie Quinn",
        born_on_stated=date(1971, 2, 3),
        is_resident_stated=None,
        attested_on=None,
    )

    html = client.get(page_of(quinn.person)).text

    rows = [[*row[:5], row[6]] for row in rows_of(html)]
    day = f"{timezone.localdate():%b} {timezone.localdate().day}, {timezone.localdate().year}"
    assert rows == [
        ["Elks 2520", "Marie Quinn differs", "differs", "yes", "not stated", "not confirmed"],
        ["Heron Lake Post", "Mary Quinn", "the same", "yes", "yes", f"{day}, Ada Reyes"],
    ]
    assert "1971" not in html
    revealed = client.post(reverse("birth_date_reveal", args=[quinn.person.number])).text
    assert "Feb 3, 1971" in rows_of(revealed)[0][2]


def test_all_that_the_register_holds_of_a_person_is_there(client, sam, quinn) -> None:
    person = quinn.person
    record_decision(sam, person, entry_for(quinn, is_met=True))
    LessorInterestFactory(person=person, lessor__name="Anclote Hall", tie="stockholder")
    WorkItemFactory(person=person, cite="§ 10-63(10)")
    approval = person.assignments.get()

    html = client.get(page_of(person)).text

    text = text_of(html)
    tag = approval.tags.get()
    for words in (
        f"Heron Lake Post Caller, {approval.starts_on:%b} {approval.starts_on.day}",
        f"tag {tag}",
        "Food pantry,",
        "Stockholder: Anclote Hall , since",
        "30 days met · Heron Lake Post · the board of county commissioners,",
        "Resolution 26-114",
        "May be the same person · open since",
        "Decision on one test recorded: Heron Lake Post · “Resolution 26-114”",
    ):
        assert words in text, words
    free = reverse("assignment_free", args=["heron-lake", approval.pk])
    assert f'href="{free}"' in html
    assert client.get(free).status_code == 200


def test_an_exempt_address_is_shown_to_those_who_need_it(client, sam, quinn) -> None:
    page = reverse("address_record", args=[quinn.person.number])
    sent = {"street": "1 Hidden Lane", "city": "Hudson", "state": "FL", "is_exempt": "on"}
    client.post(page, sent | {"starts_on": TODAY})
    assert "1 Hidden Lane, Hudson" in client.get(page_of(quinn.person)).text

    client.force_login(RoleGrantFactory(role="auditor").user)
    html = client.get(page_of(quinn.person)).text

    assert ("Hidden" in html, "exempt from disclosure" in html) == (False, True)


def test_a_person_on_no_roster_has_a_page(client, sam) -> None:
    text = text_of(client.get(page_of(PersonFactory())).text)

    assert "On no roster, so nowhere." in text
    assert "Never approved to work anywhere." in text


def test_the_person_is_found_by_an_old_number_and_by_nobody_but_regulators(
    client, sam, quinn
) -> None:
    old = PersonFactory(merged_into=quinn.person)
    assert "Mary Quinn" in client.get(page_of(old)).text
    assert client.get("/people/P-NOBODY/").status_code == 404

    client.force_login(AccountHolderFactory(organization=quinn.organization).user)
    assert client.get(page_of(quinn.person)).status_code == 403


def test_the_page_takes_the_same_queries_however_much_is_recorded(
    client, sam, quinn, django_assert_num_queries
) -> None:
    client.get(page_of(quinn.person))
    with CaptureQueriesContext(connection) as few:
        client.get(page_of(quinn.person))
    for _more in range(3):
        ActivityFactory(
            person=quinn.person, organization=quinn.organization, done_on=days_ago(_more)
        )
        LessorInterestFactory(person=quinn.person)
        WorkItemFactory(person=quinn.person)

    with django_assert_num_queries(len(few)):
        client.get(page_of(quinn.person))


# The acts on a person


@pytest.fixture
def hall():
    return OrganizationFactory(kind="other", name="Anclote Hall", slug="anclote-hall")


@pytest.fixture
def marks(quinn, hall):
    """An interest and a decision to act on."""
    tie = LessorInterestFactory(
        person=quinn.person, lessor=hall, starts_on=days_ago(99), ends_on=days_ago(98)
    )
    by = RoleGrantFactory(role="administrator").user
    record_decision(by, quinn.person, entry_for(quinn, is_met=True))
    return tie, Determination.objects.get()


ACTS = {
    "person_correct": {"full_name": "Mary Quinn-Alvarez", "reason": "Married."},
    "interest_record": {"lessor_key": "anclote-hall", "tie": "owner", "starts_on": TODAY},
    "interest_end": {"last_day": TODAY},
    "interest_void": {"reason": "Another Quinn."},
    "decision_record": {
        "body": "heron-lake", "rule": "activity", "is_met": "yes", "decided_by": "court",
        "decided_on": TODAY, "reference": "Case 26-7", "starts_on": TODAY,
    },
    "decision_void": {"reason": "Another Quinn."},
}  # fmt: skip


def act_page(name, person, marks):
    tie, decision = marks
    more = {"interest_end": [tie.pk], "interest_void": [tie.pk], "decision_void": [decision.pk]}
    return reverse(name, args=[person.number, *more.get(name, [])])


def written():
    return [
        list(Person.objects.order_by("pk").values_list("full_name", "born_on")),
        list(LessorInterest.objects.order_by("pk").values_list("tie", "ends_on", "voided_at")),
        list(Determination.objects.order_by("pk").values_list("rule", "is_met", "voided_at")),
    ]


@pytest.mark.parametrize("name", ACTS)
def test_the_act_opens_is_done_once_and_leads_back(client, sam, quinn, marks, name) -> None:
    page, sent, before = (
        act_page(name, quinn.person, marks),
        ACTS[name] | {"token": TOKEN},
        written(),
    )
    assert client.get(page).text.count("<h1>") == 1

    first = client.post(page, sent)
    done = written()
    second = client.post(page, sent)

    assert (first.status_code, first["Location"]) == (302, page_of(quinn.person))
    assert done != before
    assert second.status_code == 302
    assert written() == done


@pytest.mark.parametrize("name", ACTS)
@pytest.mark.parametrize("who", ["inspector", "holder"])
def test_a_role_without_it_is_refused_and_nothing_written(client, quinn, marks, name, who) -> None:
    holder = AccountHolderFactory(organization=quinn.organization).user
    client.force_login(holder if who == "holder" else RoleGrantFactory(role="inspector").user)
    before = written()

    assert client.get(act_page(name, quinn.person, marks)).status_code == 403
    assert client.post(act_page(name, quinn.person, marks), ACTS[name]).status_code == 403
    assert written() == before


def test_a_clerk_records_no_decision_and_an_administrator_nothing_else(
    client, quinn, marks
) -> None:
    statuses = {}
    for role in ("clerk", "administrator"):
        client.force_login(RoleGrantFactory(role=role).user)
        statuses[role] = [
            client.get(act_page(name, quinn.person, marks)).status_code for name in ACTS
        ]

    assert statuses == {
        "clerk": [200, 200, 200, 200, 403, 403],
        "administrator": [403, 403, 403, 403, 200, 200],
    }


def test_ids_of_another_person_are_not_there(client, sam, quinn, marks) -> None:
    stranger, before = PersonFactory(), written()

    for name in ("interest_end", "interest_void", "decision_void"):
        page = act_page(name, stranger, marks)
        assert client.get(page).status_code == 404
        assert client.post(page, ACTS[name]).status_code == 404
    for name, sent in ACTS.items():
        page = act_page(name, stranger, marks).replace(stranger.number, "P-NOBODY")
        assert client.post(page, sent).status_code == 404
    assert written()[1:] == before[1:]


@pytest.mark.parametrize(
    ("name", "change", "sentence"),
    [
        ("person_correct", {"full_name": ""}, "This is needed to go on"),
        ("person_correct", {"reason": ""}, "This is needed to go on"),
        ("person_correct", {"born_on": "1/2/1971", "unknown": "on"}, "leave one of the two"),
        ("interest_record", {"lessor_key": "heron-lake"}, "was not found"),
        ("interest_record", {"tie": "cousin"}, "is not on the list"),
        ("interest_record", {"ends_on": "1/1/2009"}, "lies before the first"),
        ("interest_end", {"last_day": "1/1/2009"}, "lies before the first"),
        ("decision_record", {"body": "anclote-hall"}, "is not on the list"),
        ("decision_record", {"rule": "tenure"}, "Another decision on this test"),
        ("decision_record", {"reference": ""}, "This is needed to go on"),
        ("decision_record", {"decided_on": "1/1/2199"}, "is too late"),
    ],
)
def test_a_mistake_comes_back_as_one_sentence(client, sam, marks, name, change, sentence) -> None:
    before = written()

    response = client.post(act_page(name, marks[1].person, marks), ACTS[name] | change)

    assert response.status_code == 422
    assert sentence in html_module.unescape(response.text)
    assert written() == before


def test_an_empty_birth_date_leaves_the_recorded_one_unseen(client, sam, quinn) -> None:
    page = reverse("person_correct", args=[quinn.person.number])
    assert "1970" not in client.get(page).text

    client.post(page, ACTS["person_correct"])
    quinn.person.refresh_from_db()
    assert quinn.person.born_on == date(1970, 1, 2)
    client.post(page, ACTS["person_correct"] | {"born_on": "1/2/1969"})
    quinn.person.refresh_from_db()
    assert quinn.person.born_on == date(1969, 1, 2)
    client.post(page, ACTS["person_correct"] | {"unknown": "on"})
    quinn.person.refresh_from_db()
    assert quinn.person.born_on is None


def test_who_looks_away_an_approval_is_told_so(client, sam, quinn, hall) -> None:
    page = reverse("interest_record", args=[quinn.person.number])

    html = client.post(page, ACTS["interest_record"], follow=True).text

    assert "1 approval no longer stands: it waits on the work list to be looked at." in html
    assert WorkItem.objects.get(kind="correction").cite == "§ 10-65(b)"


def test_a_recused_supervisor_is_not_offered_a_decision(client, sam, quinn) -> None:
    AccountHolderFactory(user=sam, organization=quinn.organization)
    page = reverse("decision_record", args=[quinn.person.number])

    response = client.post(page, ACTS["decision_record"])

    assert response.status_code == 403
    assert not Determination.objects.exists()


def test_hall_owners_are_found_and_nobody_else(client, sam, hall, post) -> None:
    page = reverse("lessor_lookup")

    assert 'data-key="anclote-hall"' in client.get(page, {"q": "hall"}).text
    assert "data-key" not in client.get(page, {"q": "heron"}).text
    client.force_login(AccountHolderFactory(organization=post).user)
    assert client.get(page, {"q": "hall"}).status_code == 403
