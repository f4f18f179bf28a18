"""The roster's pages, as an officer, a clerk and a stranger meet them."""

import csv
import io
import re
from datetime import date
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from registry.history import Act, System, acting
from registry.models import Person, WorkItem
from tests.factories import (
    AccountHolderFactory,
    ActivityFactory,
    AssignmentFactory,
    LicensedFactory,
    MembershipFactory,
    NameTagFactory,
    PersonFactory,
    RoleGrantFactory,
    SuspensionFactory,
    UserFactory,
    WorkerFactory,
    days_ago,
)
from volunteers.models import Activity, Assignment, Membership, Suspension

pytestmark = pytest.mark.django_db

PEOPLE = "/organizations/marsh-lantern/people/"


@pytest.fixture
def today():
    return timezone.localdate()


@pytest.fixture
def post():
    return LicensedFactory(name="Marsh Lantern Post 1", slug="marsh-lantern")


@pytest.fixture
def elks():
    return LicensedFactory(name="Cypress Elks 2", slug="elks")


@pytest.fixture
def ada(client, post):
    """Account holder of the post, signed in."""
    user = AccountHolderFactory(organization=post, user=UserFactory(name="Ada Reyes")).user
    client.force_login(user)
    return user


def sign_in(client, role):
    user = RoleGrantFactory(role=role, user=UserFactory(name=f"The {role}")).user
    client.force_login(user)
    return user


@pytest.fixture
def cleo(client):
    """A clerk, signed in."""
    return sign_in(client, "clerk")


@pytest.fixture
def sam(client):
    """A supervisor, signed in."""
    return sign_in(client, "supervisor")


def text_of(response):
    html = re.sub(r"<(script|style|svg|head).*?</\1>", " ", response.content.decode(), flags=re.S)
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def page_of(row, act=""):
    return f"{PEOPLE}{row.pk}/{act}"


def typed(day):
    return day.strftime("%m/%d/%Y")


def sent(**fields):
    return {"token": str(uuid4())} | fields


def enrolled(**changes):
    stated = {
        "given_name": "José",
        "family_name": "Muñoz",
        "kind": "regular",
        "starts_on": typed(days_ago(40)),
        "born_on": "02/03/1961",
        "is_resident": "yes",
        "activity_kind": "food pantry",
        "done_on": typed(days_ago(3)),
        "confirm": "on",
    }
    return sent(**(stated | changes))


# Everyone


def test_the_roster_shows_everyone_and_how_each_stands(client, ada, post, today):
    cleared = WorkerFactory(person=PersonFactory(full_name="Clara Clear"), organization=post)
    row = AssignmentFactory(person=cleared.person, organization=post, duties=["caller", "seller"])
    NameTagFactory(assignment=row, number=731)
    late = WorkerFactory(
        person=PersonFactory(full_name="Lars Late"), organization=post, starts_on=days_ago(20)
    )
    MembershipFactory(
        person=PersonFactory(full_name="Greta Gone"), organization=post, ends_on=days_ago(3)
    )

    response = client.get(PEOPLE)
    rows = [
        " ".join(re.sub(r"<[^>]+>", " ", row).split())
        for row in re.findall(r"<tr>\s*<th scope=\"row\".*?</tr>", response.content.decode(), re.S)
    ]

    joined = cleared.starts_on.strftime("%b %-d, %Y")
    until = row.ends_on.strftime("%b %-d, %Y")
    assert rows[0] == (
        f"Clara Clear regular member {joined} Cleared Caller, Seller, to {until} 000731"
    )
    assert rows[1].startswith("Greta Gone regular member")
    assert "Left" in rows[1]
    assert rows[2] == (
        f"Lars Late regular member {late.starts_on.strftime('%b %-d, %Y')} Not cleared"
        f" from {days_ago(-10).strftime('%a, %b %-d, %Y')}"
    )


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", ["Ann", "Bea", "Cid", "Dot", "Eve"]),
        ("?standing=cleared", ["Ann"]),
        ("?standing=later", ["Bea"]),
        ("?standing=missing", ["Cid"]),
        ("?standing=not_cleared", ["Dot"]),
        ("?standing=left", ["Eve"]),
        ("?q=be", ["Bea"]),
        ("?q=%20", ["Ann", "Bea", "Cid", "Dot", "Eve"]),
        ("?standing=cleared&q=bea", []),
        ("?standing=nonsense", ["Ann", "Bea", "Cid", "Dot", "Eve"]),
    ],
)
def test_the_roster_is_filtered_by_standing_and_name(client, ada, post, query, names):
    def worker(name, **columns):
        return WorkerFactory(person=PersonFactory(full_name=name), organization=post, **columns)

    worker("Ann")
    worker("Bea", starts_on=days_ago(20))
    worker("Cid", activity=False)
    full = worker("Dot")
    for _n in range(2):
        AssignmentFactory(person=full.person)
    worker("Eve", ends_on=days_ago(1))

    html = client.get(f"{PEOPLE}{query}").content.decode()

    assert re.findall(r'<th scope="row".*?<bdi>(\w+)</bdi>', html, re.S) == names


def test_each_standing_says_how_many(client, ada, post):
    WorkerFactory(organization=post)
    WorkerFactory(organization=post, starts_on=days_ago(20))
    WorkerFactory(organization=post, activity=False)

    text = text_of(client.get(f"{PEOPLE}?standing=cleared"))

    assert "All 3 Cleared 1 From a later day 1 Papers missing 1 Not cleared 0 Left 0" in text


def test_another_day_judges_everyone_for_it(client, ada, post):
    WorkerFactory(organization=post, starts_on=days_ago(20))
    ActivityFactory(person=Person.objects.get(), organization=post, done_on=days_ago(5))
    later = days_ago(-10)

    shown = {
        day: text_of(client.get(f"{PEOPLE}?on={day:%m/%d/%Y}")) for day in (days_ago(-9), later)
    }

    assert f"How everyone stands on {later:%a, %b} {later.day}, {later.year}." in shown[later]
    assert "Not cleared from" in shown[days_ago(-9)]
    assert "Not cleared from" not in shown[later]


def test_a_day_before_the_law_is_known_judges_nobody_and_says_why(client, ada, post):
    WorkerFactory(organization=post)

    response = client.get(f"{PEOPLE}?on=07/01/2008")

    assert response.status_code == 200
    assert "not known before 2008-09-23" in text_of(response)
    assert "0 people" in text_of(response)


def test_a_day_that_cannot_be_read_is_said_and_today_is_shown(client, ada, post):
    WorkerFactory(organization=post)

    response = client.get(f"{PEOPLE}?on=13/45/2026")

    assert response.status_code == 200
    assert "has no month 13" in text_of(response)
    assert "1 person" in text_of(response)


def test_the_roster_is_saved_as_a_file_with_all_its_lines(client, ada, post, settings):
    names = ["=HYPERLINK(1)", *(f"Number {n:02d}" for n in range(60))]
    for name in names:
        WorkerFactory(person=PersonFactory(full_name=name), organization=post)

    response = client.get(f"{PEOPLE}?export=csv")
    lines = b"".join(response.streaming_content).decode().removeprefix("\ufeff")
    rows = list(csv.reader(io.StringIO(lines)))

    assert rows[0][:4] == ["Full name", "Kind (member, volunteer)", "Join date", "Leave date"]
    assert rows[0][-4:] == ["Person number", "Standing", "From when, or why not", "Approved for"]
    assert sorted(row[0] for row in rows[1:]) == sorted(["'=HYPERLINK(1)", *names[1:]])
    assert rows[1][1:5] == ["regular member", days_ago(31).isoformat(), "", "yes"]
    assert rows[1][-3] == "Cleared"
    assert Act.objects.get(verb="list.downloaded").organization == post


@pytest.mark.parametrize("count", [1, 3])
def test_the_roster_asks_as_often_for_three_as_for_one(client, ada, post, count):
    for _n in range(count):
        worker = WorkerFactory(organization=post)
        NameTagFactory(assignment=AssignmentFactory(person=worker.person, organization=post))
        AssignmentFactory(person=worker.person)
    client.get(PEOPLE)

    with CaptureQueriesContext(connection) as queries:
        client.get(PEOPLE)

    assert len(queries) == 28


def test_an_empty_roster_offers_the_first_act(client, ada):
    html = client.get(PEOPLE).content.decode()

    assert "0 people" in html
    assert f'class="usa-button" href="{PEOPLE}add/"' in html


@pytest.mark.parametrize("column", ["name", "kind", "since", "word", "tag"])
def test_the_roster_is_sorted_by_each_of_its_columns(client, ada, post, column):
    for name in ("Zoe Abel", "Abe Zorn"):
        WorkerFactory(person=PersonFactory(full_name=name), organization=post)
    tagged = WorkerFactory(person=PersonFactory(full_name="Moe Mann"), organization=post)
    NameTagFactory(assignment=AssignmentFactory(person=tagged.person, organization=post))

    found = [
        re.findall(
            r"<bdi>(\w+ \w+)</bdi></a>",
            client.get(f"{PEOPLE}?sort={sign}{column}").content.decode(),
        )
        for sign in ("", "-")
    ]

    assert [sorted(names) for names in found] == [["Abe Zorn", "Moe Mann", "Zoe Abel"]] * 2
    if column == "name":
        assert found == [
            ["Zoe Abel", "Moe Mann", "Abe Zorn"],
            ["Abe Zorn", "Moe Mann", "Zoe Abel"],
        ]


# Who may see and do what

GETS = ["", "add/", "approve/", "activity/", "confirm/"]
ACTS = ["end/", "confirm/", "void/", "suspend/", "approve/", "ask-place/", "correct/"]


@pytest.fixture
def rows(post, elks):
    """One row of every kind at the post, and one of every kind at the elks."""
    found = {}
    for body in (post, elks):
        worker = WorkerFactory(organization=body)
        found[body.slug] = {
            "people": worker,
            "activities": worker.person.activities.get(),
            "suspensions": SuspensionFactory(person=worker.person, organization=body),
            "approvals": AssignmentFactory(person=worker.person, organization=body),
        }
    return found


def addresses(slug, rows):
    """Every address of a roster, with the ids of these rows."""
    base = f"/organizations/{slug}"
    found = [f"{base}/people/{act}" for act in GETS]
    found += [f"{base}/people/{rows['people'].pk}/{act}" for act in ("", *ACTS)]
    found += [f"{base}/activities/{rows['activities'].pk}/void/"]
    found += [f"{base}/suspensions/{rows['suspensions'].pk}/{act}/" for act in ("end", "void")]
    found += [f"{base}/approvals/{rows['approvals'].pk}/{act}/" for act in ("end", "free", "void")]
    return found


def answers(client, found):
    return {re.sub(r"\d+", "#", a.split("/", 3)[3]): client.get(a).status_code for a in found}


def test_an_account_holder_opens_what_is_his_to_do(client, ada, rows):
    found = answers(client, addresses("marsh-lantern", rows["marsh-lantern"]))

    not_his = {a for a, status in found.items() if status != 200}
    assert {a: found[a] for a in not_his} == {
        "people/#/correct/": 403,
        "people/#/void/": 403,
        "activities/#/void/": 403,
        "suspensions/#/void/": 403,
        "approvals/#/void/": 403,
        "approvals/#/free/": 403,
    }


def test_a_clerk_opens_everything_but_corrections_and_a_supervisor_these_too(client, rows):
    for role, closed in (("clerk", {"people/#/correct/": 403}), ("supervisor", {})):
        sign_in(client, role)
        found = answers(client, addresses("marsh-lantern", rows["marsh-lantern"]))
        assert {a: status for a, status in found.items() if status != 200} == closed


def test_an_auditor_reads_and_changes_nothing(client, rows):
    sign_in(client, "auditor")

    found = answers(client, addresses("marsh-lantern", rows["marsh-lantern"]))

    assert {a for a, status in found.items() if status == 200} == {"people/", "people/#/"}
    assert set(found.values()) == {200, 403}


def test_another_organizations_pages_and_rows_are_not_there(client, ada, rows):
    theirs = addresses("elks", rows["elks"])
    mixed = [a for a in addresses("marsh-lantern", rows["elks"]) if re.search(r"\d", a)]
    acts = Act.objects.count()

    assert {client.get(a).status_code for a in (*theirs, *mixed)} == {404, 403}
    form = {"reason": "x", "confirmed": "1"}
    assert {client.post(a, sent(**form)).status_code for a in mixed} == {404, 403, 405}
    assert {a for a in mixed if client.get(a).status_code == 403} == {
        a for a in mixed if a.endswith(("correct/", "free/"))
    }
    assert Act.objects.count() == acts


def test_rows_that_are_not_there_are_not_found(client, cleo, post, rows):
    gone = {name: type("Row", (), {"pk": 999_999}) for name in rows["elks"]}
    found = [a for a in addresses("marsh-lantern", gone) if "999999" in a]

    assert {client.get(a).status_code for a in found if "correct" not in a} == {404}


def test_nobody_who_is_not_signed_in_sees_a_roster(client, rows):
    found = addresses("marsh-lantern", rows["marsh-lantern"])

    assert {client.get(a).status_code for a in found} == {302}


def test_lists_and_pages_take_no_post(client, ada, rows):
    person = rows["marsh-lantern"]["people"]

    assert [client.post(a, sent()).status_code for a in (PEOPLE, page_of(person))] == [405, 405]


# Adding a person


def test_a_person_is_added_with_the_officers_statement(client, ada, post, today):
    response = client.post(f"{PEOPLE}add/", enrolled(), follow=True)

    row = Membership.objects.get()
    assert response.redirect_chain == [(page_of(row), 302)]
    assert "The county check is pending" in text_of(response)
    assert (row.name_stated, row.kind, row.starts_on, row.born_on_stated) == (
        "José Muñoz",
        "regular",
        days_ago(40),
        date(1961, 2, 3),
    )
    assert (row.attested_by, row.attested_on, row.is_resident_stated) == ("Ada Reyes", today, True)
    assert Activity.objects.get().done_on == days_ago(3)


@pytest.mark.parametrize(
    ("changes", "errors"),
    [
        (
            {"given_name": "", "family_name": ""},
            {"given_name": ["Write first and last name, or the full name."]},
        ),
        ({"kind": ""}, {"kind": ["This is needed to go on: choose one of those shown."]}),
        ({"starts_on": ""}, {"starts_on": ["This is needed to go on: fill it in."]}),
        ({"confirm": ""}, {"confirm": ["This is needed to go on: tick it."]}),
        (
            {"given_name": "078-05-1120"},
            {
                "given_name": [
                    (
                        "This looks like a Social Security number; the register keeps none:"
                        " take it out."
                    )
                ]
            },
        ),
        ({"done_on": ""}, {"done_on": ["Give the date on which it took place."]}),
        ({"activity_kind": ""}, {"activity_kind": ["Choose what took place on that day."]}),
        (
            {"done_on": typed(days_ago(50))},
            {
                "done_on": [
                    "The activity lies before the join date, so it does not count. Check both."
                ]
            },
        ),
        (
            {"born_on": typed(days_ago(4000)), "is_adult": "on"},
            {"is_adult": ["By the birth date the person is under 18: correct one of the two."]},
        ),
    ],
)
def test_a_line_that_cannot_be_taken_says_why_beside_the_field(client, ada, changes, errors):
    response = client.post(f"{PEOPLE}add/", enrolled(**changes))

    assert response.status_code == 422
    assert response.context["form"].errors == errors
    assert (Membership.objects.count(), Person.objects.count()) == (0, 0)


def test_a_name_may_be_one_word_or_whole(client, ada):
    client.post(f"{PEOPLE}add/", enrolled(given_name="", family_name="", full_name="Suharti"))

    person = Person.objects.get()
    assert (person.full_name, person.given_name, person.family_name) == ("Suharti", "", "")


def test_a_second_press_adds_nobody(client, ada):
    form = enrolled()
    client.post(f"{PEOPLE}add/", form)

    response = client.post(f"{PEOPLE}add/", form, follow=True)

    assert response.redirect_chain == [(PEOPLE, 302)]
    assert "already done the first time" in text_of(response)
    assert Membership.objects.count() == 1


def test_a_clerk_adds_from_paper_and_says_whose(client, cleo, post):
    bare = client.post(f"{PEOPLE}add/", enrolled())
    paper = {"officer": "Ada Reyes", "received_on": typed(days_ago(2))}
    client.post(f"{PEOPLE}add/", enrolled(**paper))

    assert set(bare.context["form"].errors) == {"officer", "received_on"}
    row = Membership.objects.get()
    assert (row.attested_by, row.attested_on) == ("Ada Reyes", days_ago(2))
    assert row.evidence.startswith("paper received on")
    act = Act.objects.get(verb="member.enrolled")
    assert (act.by, act.data) == (
        cleo,
        {"on_behalf_of": "Ada Reyes", "received_on": days_ago(2).isoformat()},
    )


def test_an_account_holder_cannot_speak_for_another_officer(client, ada):
    client.post(f"{PEOPLE}add/", enrolled(officer="Somebody Else", received_on=typed(days_ago(2))))

    assert Membership.objects.get().attested_by == "Ada Reyes"
    assert Act.objects.get(verb="member.enrolled").data == {}


def neutral(response, row):
    """The page without what is a person's own: ids, number and tokens."""
    html = response.content.decode().replace(row.person.number, "NUMBER")
    html = re.sub(r"(people/|activities/|person=)\d+", r"\1ID", html)
    html = re.sub(r'value="[0-9a-f-]{36}"', "TOKEN", html)
    return re.sub(r'(csrfmiddlewaretoken" value=|X-CSRFToken": )"[^"]*"', "CSRF", html)


def test_a_person_known_elsewhere_looks_like_a_new_one_on_every_page(client, ada, post, elks):
    known = PersonFactory(full_name="José Muñoz", given_name="J", born_on=date(1961, 2, 3))
    WorkerFactory(person=known, organization=elks, starts_on=days_ago(900))
    AssignmentFactory(person=known, organization=elks)
    seen, linked = [], []
    for born in ("02/03/1961", "02/04/1961"):
        stated = enrolled(given_name="JOSE", family_name="MUNOZ", born_on=born)
        made = client.post(f"{PEOPLE}add/", stated, follow=True)
        row = Membership.objects.filter(organization=post).latest("pk")
        linked.append(row.person == known)
        acts = ["", "approve/", "confirm/", "end/", "suspend/", "void/"]
        pages = [made, *(client.get(page_of(row, act)) for act in acts), client.get(PEOPLE)]
        pages.append(client.post(page_of(row, "approve/?live"), grant()))
        seen.append([(page.status_code, neutral(page, row)) for page in pages])
        with acting(System.SET_UP, "test.voided"):
            Membership.objects.filter(pk=row.pk).update(voided_at=timezone.now())
            Activity.objects.filter(organization=post).update(voided_at=timezone.now())

    assert linked == [True, False]
    assert seen[0] == seen[1]
    assert all("José" not in html for _status, html in seen[0])


# One person


def test_the_page_of_a_person_shows_standing_statements_and_rows(client, ada, post, today):
    row = WorkerFactory(organization=post, starts_on=days_ago(60))
    SuspensionFactory(
        person=row.person,
        organization=post,
        starts_on=days_ago(55),
        ends_on=days_ago(50),
        reason="dues",
    )
    NameTagFactory(assignment=AssignmentFactory(person=row.person, organization=post), number=731)

    text = text_of(client.get(page_of(row)))

    for words in (
        "Cleared",
        "Regular member, since",
        "30 days § 10-63(12)",
        "confirmed by Ada Reyes",
        "Food pantry",
        "Suspended",
        "dues",
        "Caller",
        "Tag 000731",
        "Birth date stated, not shown here",
        "Number " + row.person.number,
    ):
        assert words in text
    assert "1970" not in text


def test_nothing_from_another_organization_shows_on_a_holders_page(client, ada, post, elks):
    row = WorkerFactory(organization=post)
    WorkerFactory(person=row.person, organization=elks, name_stated="Elkish Name")
    AssignmentFactory(person=row.person, organization=elks, duties=["verifier"])
    full = AssignmentFactory(person=row.person)
    pages = ["", "approve/", "confirm/", "end/", "suspend/", "ask-place/"]

    shown = [text_of(client.get(page_of(row, act))) for act in pages]
    shown.append(
        text_of(
            client.post(
                page_of(row, "approve/"),
                sent(starts_on=typed(timezone.localdate()), duties="caller"),
            )
        )
    )
    shown += [text_of(client.get(f"{PEOPLE}{act}")) for act in GETS]

    for text in shown:
        for word in ("Cypress Elks", "Elkish", full.organization.name, "verifier to"):
            assert word not in text
    assert "The one other place is taken." in shown[0]
    assert "Ask for a place" in shown[0]


def test_the_county_sees_whose_place_it_is_and_the_way_to_the_person(client, cleo, post, elks):
    row = WorkerFactory(organization=post)
    AssignmentFactory(person=row.person, organization=elks)
    AssignmentFactory(person=row.person)

    html = client.get(page_of(row)).content.decode()

    assert "Cypress Elks 2" in html
    assert f"/people/{row.person.number}/" in html
    assert "History" in html


def test_an_unconfirmed_person_is_not_asked_about_elsewhere(client, ada, post):
    row = MembershipFactory(organization=post, attested_on=None)
    for _n in range(2):
        AssignmentFactory(person=row.person)

    text = text_of(client.get(page_of(row)))

    assert "Papers missing" in text
    assert "One other organization" not in text
    assert "are asked once an officer confirms this line" in text


@pytest.mark.parametrize(
    ("columns", "label", "query"),
    [
        ({"starts_on": days_ago(60)}, "Approve as a worker", ""),
        ({"starts_on": days_ago(20)}, "Approve from", f"?starts_on={days_ago(-10).isoformat()}"),
    ],
)
def test_the_first_act_is_the_approval_from_its_first_lawful_day(
    client, ada, post, columns, label, query
):
    row = WorkerFactory(organization=post, **columns)

    html = client.get(page_of(row)).content.decode()

    button = re.search(r'heading-acts"><a class="usa-button" href="([^"]*)">([^<]*)', html)
    assert button[1] == f"{page_of(row)}approve/{query}"
    assert button[2].startswith(label)


@pytest.mark.parametrize("count", [1, 3])
def test_a_persons_page_asks_as_often_for_many_rows_as_for_one(client, ada, post, count):
    row = WorkerFactory(organization=post, starts_on=days_ago(300))
    for n in range(count):
        ActivityFactory(person=row.person, organization=post, done_on=days_ago(20 + n))
        SuspensionFactory(
            person=row.person,
            organization=post,
            starts_on=days_ago(200 + 3 * n),
            ends_on=days_ago(199 + 3 * n),
        )
        approval = AssignmentFactory(
            person=row.person,
            organization=post,
            starts_on=days_ago(150 + 5 * n),
            ends_on=days_ago(148 + 5 * n),
        )
        NameTagFactory(assignment=approval)
    client.get(page_of(row))

    with CaptureQueriesContext(connection) as queries:
        client.get(page_of(row))

    assert len(queries) == 38


def test_what_was_entered_today_may_be_taken_back_from_the_page(client, ada, post):
    client.post(f"{PEOPLE}add/", enrolled())
    mine = Membership.objects.get()
    other = WorkerFactory(organization=post)

    pages = [client.get(page_of(row)).content.decode() for row in (mine, other)]

    assert [page.count("Entered in error") for page in pages] == [2, 0]


# Approving


def grant(**changes):
    return sent(**({"starts_on": typed(timezone.localdate()), "duties": "caller"} | changes))


def test_a_worker_is_approved(client, ada, post, today):
    row = WorkerFactory(organization=post)

    response = client.post(page_of(row, "approve/"), grant(), follow=True)

    made = Assignment.objects.get()
    assert response.redirect_chain == [(page_of(row), 302)]
    assert (made.person, made.starts_on, made.duties) == (row.person, today, ["caller"])
    assert f"Approved: Caller, {today:%b} {today.day}" in text_of(response)


def test_a_refusal_shows_the_verdicts_and_offers_the_first_lawful_day(client, ada, post):
    row = WorkerFactory(organization=post, starts_on=days_ago(20))

    response = client.post(page_of(row, "approve/"), grant(duties=["caller", "seller"]))

    later = days_ago(-10)
    assert response.status_code == 409
    assert "30 days § 10-63(12)" in text_of(response)
    assert f"Start on {later:%a, %b} {later.day}, {later.year} instead" in text_of(response)
    assert (
        f"{page_of(row)}approve/?starts_on={later.isoformat()}&amp;duties=caller&amp;duties=seller"
        in response.content.decode()
    )
    assert [act.person for act in Act.objects.filter(verb="assignment.refused")] == [row.person]
    assert not Assignment.objects.exists()


def test_the_offered_day_fills_the_form_and_is_granted(client, ada, post):
    row = WorkerFactory(organization=post, starts_on=days_ago(20))
    refused = client.post(page_of(row, "approve/"), grant())
    offered = re.search(r'href="([^"]*starts_on=[^"]*)"', refused.content.decode())[1]
    html = client.get(offered.replace("&amp;", "&")).content.decode()

    client.post(page_of(row, "approve/"), grant(starts_on=typed(days_ago(-10))))

    assert f'value="{typed(days_ago(-10))}"' in html
    assert re.search(r'value="caller"[^>]*checked', html)
    assert Assignment.objects.get().starts_on == days_ago(-10)


def test_after_a_refusal_the_same_page_may_be_pressed_again(client, ada, post):
    row = WorkerFactory(organization=post, starts_on=days_ago(20))
    form = grant()
    client.post(page_of(row, "approve/"), form)

    response = client.post(
        page_of(row, "approve/"), form | {"starts_on": typed(days_ago(-10))}, follow=True
    )

    assert response.redirect_chain == [(page_of(row), 302)]
    assert Assignment.objects.count() == 1


def test_the_ruling_follows_the_form_without_leaving_a_trace(client, ada, post):
    row = WorkerFactory(organization=post, starts_on=days_ago(20))
    acts = Act.objects.count()
    url = page_of(row, "approve/") + "?live"

    tried = {
        day: client.post(url, grant(starts_on=typed(day)))
        for day in (timezone.localdate(), days_ago(-10))
    }
    helper = client.post(url, grant(duties="assisting"))
    empty = client.post(url, grant(duties=[]))

    assert [("Not cleared" in text_of(t)) for t in tried.values()] == [True, False]
    assert "<html" not in helper.content.decode()
    assert "Cleared" in text_of(helper)
    assert empty.content == b""
    assert Act.objects.count() == acts


def test_when_another_organization_frees_a_place_is_told_to_the_county_alone(client, ada, post):
    row = WorkerFactory(organization=post)
    for days in (10, 20):
        AssignmentFactory(person=row.person, ends_on=days_ago(-days))

    def offered():
        live = client.post(page_of(row, "approve/?live"), grant())
        refused = client.post(page_of(row, "approve/"), grant())
        return [("Start on" in text_of(page), "Also:" in text_of(page)) for page in (live, refused)]

    assert offered() == [(False, False)] * 2
    sign_in(client, "clerk")
    assert offered() == [(True, True)] * 2


def test_of_an_unconfirmed_person_no_answer_speaks_of_elsewhere(client, ada, post):
    row = WorkerFactory(organization=post, attested_on=None)
    for _n in range(2):
        AssignmentFactory(person=row.person)

    live = client.post(page_of(row, "approve/?live"), grant())
    refused = client.post(page_of(row, "approve/"), grant())

    assert (live.status_code, refused.status_code) == (200, 409)
    for page in (live, refused):
        assert "Papers missing" in text_of(page)
        assert "One other organization" not in text_of(page)


def test_a_preview_of_a_free_and_of_a_full_person_takes_the_same_queries(client, ada, post):
    people = [WorkerFactory(organization=post) for _n in range(2)]
    for _n in range(2):
        AssignmentFactory(person=people[1].person)
    client.get(PEOPLE)
    counts = []
    for row in people:
        with CaptureQueriesContext(connection) as queries:
            client.post(page_of(row, "approve/") + "?live", grant())
        counts.append(len(queries))

    assert counts[0] == counts[1]


def many(**changes):
    return sent(**({"duties": "caller"} | changes))


def test_those_eligible_are_approved_in_one_step_others_on_their_day(client, ada, post, today):
    def worker(name, **columns):
        return WorkerFactory(person=PersonFactory(full_name=name), organization=post, **columns)

    one, two, three = (worker(name) for name in ("Una", "Duo", "Tri"))
    late = worker("Late", starts_on=days_ago(20))
    bare = worker("Bare", activity=False)
    done = worker("Done")
    AssignmentFactory(person=done.person, organization=post)

    page = text_of(client.get(f"{PEOPLE}approve/"))
    response = client.post(
        f"{PEOPLE}approve/",
        many(people=[one.pk, two.pk], later=late.pk, **{f"duty_{two.pk}": "seller"}),
        follow=True,
    )

    assert "Eligible on" in page
    assert "Not eligible: 1 Bare" in page
    assert "Approved already: 1 Done" in page
    assert "3 people approved." in text_of(response)
    made = {row.person_id: (row.duties, row.starts_on) for row in Assignment.objects.all()}
    assert made.pop(done.person_id)
    assert made == {
        one.person_id: (["caller"], today),
        two.person_id: (["seller"], today),
        late.person_id: (["caller"], days_ago(-10)),
    }
    assert not Assignment.objects.filter(person__in=[three.person_id, bare.person_id]).exists()


def test_only_whom_the_law_allows_can_be_ticked(client, ada, post, elks):
    bare = WorkerFactory(organization=post, activity=False)
    WorkerFactory(organization=post)
    stranger = WorkerFactory(organization=elks)

    for row in (bare, stranger):
        response = client.post(f"{PEOPLE}approve/", many(people=row.pk))
        assert response.status_code == 422
        assert "is not on the list" in text_of(response)

    assert not Assignment.objects.exists()


def test_of_many_the_refused_are_named_with_the_reason(client, ada, post):
    member = WorkerFactory(organization=post)
    helper = WorkerFactory(
        person=PersonFactory(full_name="Vera Volunteer"), organization=post, kind="volunteer"
    )

    response = client.post(
        f"{PEOPLE}approve/", many(people=[member.pk, helper.pk], duties="in_charge"), follow=True
    )
    alone = client.post(f"{PEOPLE}approve/", many(people=helper.pk, duties="in_charge"))

    assert "1 person approved." in text_of(response)
    assert "Vera Volunteer was not approved. The person in charge is a member" in text_of(response)
    assert alone.status_code == 409
    assert "Nobody was approved." in text_of(alone)
    assert Act.objects.filter(verb="assignment.refused", person=helper.person).count() == 2


@pytest.mark.parametrize(("tick", "checked"), [("all", 3), ("none", 0)])
def test_all_or_none_are_ticked_without_a_script(client, ada, post, tick, checked):
    for _n in range(3):
        WorkerFactory(organization=post)

    for page, name in ((f"{PEOPLE}approve/", "people"), (f"{PEOPLE}activity/", "people")):
        response = client.post(page, many(tick=tick, description="Cans"))
        html = response.content.decode()
        assert response.status_code == 200
        assert len(re.findall(rf'name="{name}"[^>]*checked', html)) == checked
        assert "error" not in html.split("<main")[1].split("</main")[0]

    assert not Assignment.objects.exists()


def test_all_who_were_there_that_day_are_ticked_but_not_the_officer(client, ada, post):
    on = {"organization": post}
    there = WorkerFactory(**on, starts_on=days_ago(60), ends_on=days_ago(20))
    MembershipFactory(**on, starts_on=days_ago(10))
    WorkerFactory(**on, person=PersonFactory(full_name="Ada Reyes"), starts_on=days_ago(60))

    html = client.post(
        f"{PEOPLE}activity/", deed(tick="all", done_on=typed(days_ago(30)))
    ).content.decode()

    assert re.findall(r'name="people" value="(\d+)"[^>]*checked', html) == [str(there.pk)]


def test_nobody_ticked_is_said(client, ada, post):
    WorkerFactory(organization=post)

    response = client.post(f"{PEOPLE}approve/", many())

    assert response.status_code == 422
    assert "Nobody is ticked: tick whom to approve." in text_of(response)


def test_another_first_day_judges_everyone_for_it(client, ada, post):
    WorkerFactory(
        person=PersonFactory(full_name="Lars Late"), organization=post, starts_on=days_ago(20)
    )
    later = days_ago(-10)

    page = f"{PEOPLE}approve/?starts_on={later:%m/%d/%Y}"
    shown = text_of(client.get(page))
    client.post(page, many(people=Membership.objects.get().pk))

    assert f"Eligible on {later:%a, %b} {later.day}, {later.year}: 1" in shown
    assert Assignment.objects.get().starts_on == later


@pytest.mark.parametrize("count", [1, 3])
def test_approving_many_asks_as_often_for_three_as_for_one(client, ada, post, count):
    for _n in range(count):
        WorkerFactory(organization=post)
        WorkerFactory(organization=post, starts_on=days_ago(20))
    client.get(f"{PEOPLE}approve/")

    with CaptureQueriesContext(connection) as queries:
        client.get(f"{PEOPLE}approve/")

    assert len(queries) == 28


# Ending, freeing, asking


def asked_then_confirmed(client, page, form):
    """A careful act: the page that shows what would happen, then the result."""
    first = client.post(page, form)
    return first, client.post(page, form | {"confirmed": "1"}, follow=True)


def test_a_leave_date_shows_what_ends_and_then_ends_it(client, ada, post, today):
    row = WorkerFactory(organization=post)
    AssignmentFactory(person=row.person, organization=post)
    form = sent(ends_on=typed(today))

    first, last = asked_then_confirmed(client, page_of(row, "end/"), form)

    assert "Ends on" in text_of(first)
    assert "the approval as Caller" in text_of(first)
    assert "The leave date is recorded." in text_of(last)
    row.refresh_from_db()
    assert (row.ends_on, Assignment.objects.get().ends_on) == (today, today)


def test_a_leave_date_before_the_join_date_is_refused_beside_the_field(client, ada, post):
    row = WorkerFactory(organization=post)

    response = client.post(page_of(row, "end/"), sent(ends_on=typed(days_ago(40)), confirmed="1"))

    assert response.status_code == 422
    assert response.context["form"].errors == {
        "ends_on": ["The leave date lies before the join date. Check both."]
    }


def test_an_approval_is_ended_and_a_second_press_finds_it(client, ada, post, today):
    worker = WorkerFactory(organization=post)
    row = AssignmentFactory(person=worker.person, organization=post, starts_on=days_ago(-3))
    page = f"/organizations/marsh-lantern/approvals/{row.pk}/end/"
    form = sent(ends_on=typed(today))

    first, last = asked_then_confirmed(client, page, form)
    again = client.post(page, form | {"confirmed": "1"}, follow=True)

    assert "withdrawn before it begins" in text_of(first)
    assert last.redirect_chain == [(page_of(worker), 302)]
    assert "already done" in text_of(again)
    row.refresh_from_db()
    assert row.voided_at is not None


def test_a_clerk_frees_a_place_on_the_persons_word(client, cleo, post, today):
    worker = WorkerFactory(organization=post)
    row = AssignmentFactory(person=worker.person, organization=post, starts_on=days_ago(20))
    page = f"/organizations/marsh-lantern/approvals/{row.pk}/free/"
    form = sent(received_on=typed(days_ago(2)), stated_on=typed(days_ago(9)), reason="Letter.")

    first, last = asked_then_confirmed(client, page, form)

    assert "the later of receipt and the day stated" in text_of(first)
    assert last.status_code == 200
    row.refresh_from_db()
    assert row.ends_on == days_ago(2)
    assert Act.objects.get(verb="place.freed").reason == "Letter."


def test_a_place_is_asked_for(client, ada, post):
    row = WorkerFactory(organization=post)

    response = client.post(page_of(row, "ask-place/"), sent(reason="She calls well."), follow=True)

    assert "The county clerk has your request." in text_of(response)
    assert WorkItem.objects.get().note == "She calls well."


# Suspensions, confirmations, activities


def test_a_suspension_is_recorded_and_ended_from_the_page(client, ada, post, today):
    row = WorkerFactory(organization=post)
    client.post(page_of(row, "suspend/"), sent(starts_on=typed(days_ago(5)), reason="dues"))
    hole = Suspension.objects.get()

    client.post(
        f"/organizations/marsh-lantern/suspensions/{hole.pk}/end/", sent(ends_on=typed(today))
    )

    hole.refresh_from_db()
    assert (hole.person, hole.starts_on, hole.ends_on, hole.reason) == (
        row.person,
        days_ago(5),
        today,
        "dues",
    )


def test_an_officer_adds_the_papers_that_were_missing(client, ada, post):
    row = WorkerFactory(
        person=PersonFactory(born_on=None),
        organization=post,
        is_adult_stated=False,
        born_on_stated=None,
        attested_on=None,
    )
    before = text_of(client.get(page_of(row)))

    client.post(page_of(row, "confirm/"), sent(is_adult="on", is_resident="yes", confirm="on"))

    assert "Papers missing" in before
    assert "Cleared" in text_of(client.get(page_of(row)))


def test_what_was_stated_already_is_not_asked_again(client, ada, post):
    row = WorkerFactory(organization=post)

    html = client.get(page_of(row, "confirm/")).content.decode()

    assert 'name="born_on"' not in html
    assert 'name="is_adult"' not in html
    assert "1970" not in html


def test_lines_nobody_answers_for_are_confirmed_by_ticking(client, ada, post, elks):
    row = MembershipFactory(organization=post, attested_on=None, name_stated="Stated Name")
    deed = ActivityFactory(person=row.person, organization=post, attested_on=None)
    theirs = MembershipFactory(organization=elks, attested_on=None)
    invited = "Confirm lines (2)" in text_of(client.get(PEOPLE))
    offered = text_of(client.get(f"{PEOPLE}confirm/"))
    keys = [f"membership-{row.pk}", f"activity-{deed.pk}"]

    stolen = client.post(f"{PEOPLE}confirm/", sent(lines=f"membership-{theirs.pk}", confirm="on"))
    response = client.post(f"{PEOPLE}confirm/", sent(lines=keys, confirm="on"), follow=True)

    assert invited
    assert "2 lines confirmed." in text_of(response)
    assert offered.count("Stated Name:") == 2
    assert row.person.full_name not in offered
    assert stolen.status_code == 422
    for one in (row, deed, theirs):
        one.refresh_from_db()
    assert [one.is_shown for one in (row, deed, theirs)] == [True, True, False]
    assert "An officer answers for every line" in text_of(client.get(f"{PEOPLE}confirm/"))


def deed(**changes):
    stated = {"done_on": typed(days_ago(3)), "kind": "meeting", "confirm": "on"}
    return sent(**(stated | changes))


def test_who_took_part_is_recorded_for_all_ticked(client, ada, post):
    rows = [WorkerFactory(organization=post, activity=False) for _n in range(3)]

    response = client.post(f"{PEOPLE}activity/", deed(people=[r.pk for r in rows[:2]]), follow=True)

    assert response.redirect_chain == [(PEOPLE, 302)]
    assert "Recorded for 2 people." in text_of(response)
    assert set(Activity.objects.values_list("person", "kind", "done_on", "attested_by")) == {
        (row.person_id, "meeting", days_ago(3), "Ada Reyes") for row in rows[:2]
    }


def test_for_one_person_the_page_offers_that_one_ticked(client, ada, post, elks):
    row, _other = (WorkerFactory(organization=post) for _n in range(2))
    stranger = WorkerFactory(organization=elks)

    html = client.get(f"{PEOPLE}activity/?person={row.pk}").content.decode()
    foreign = client.get(f"{PEOPLE}activity/?person={stranger.pk}").content.decode()

    assert re.findall(r'name="people" value="(\d+)"[^>]*checked', html) == [str(row.pk)]
    assert len(re.findall(r'name="people"', html)) == 1
    assert len(re.findall(r'name="people"', foreign)) == 2
    assert stranger.name_stated not in foreign


def test_the_membership_of_the_day_counts_for_who_came_back(client, ada, post):
    person = PersonFactory()
    same = {"person": person, "organization": post}
    MembershipFactory(**same, starts_on=days_ago(300), ends_on=days_ago(100))
    now = MembershipFactory(**same, starts_on=days_ago(50))

    inside = client.post(f"{PEOPLE}activity/", deed(people=now.pk, done_on=typed(days_ago(150))))
    between = client.post(f"{PEOPLE}activity/", deed(people=now.pk, done_on=typed(days_ago(70))))

    assert inside.status_code == 302
    assert between.status_code == 422
    assert now.name_stated in str(between.context["form"].errors["people"])


def test_another_organizations_people_cannot_be_ticked(client, ada, post, elks):
    WorkerFactory(organization=post)
    stranger = WorkerFactory(organization=elks, activity=False)

    response = client.post(f"{PEOPLE}activity/", deed(people=stranger.pk))

    assert response.status_code == 422
    assert Activity.objects.filter(kind="meeting").count() == 0


# Correcting and taking back


def test_a_correction_shows_what_falls_then_ends_it_and_grants_anew(client, sam, post, today):
    row = WorkerFactory(organization=post, starts_on=days_ago(40))
    AssignmentFactory(
        person=row.person, organization=post, starts_on=days_ago(5), eligible_on=days_ago(10)
    )
    form = sent(
        starts_on=typed(days_ago(34)),
        kind="regular",
        reason="Minutes of the meeting.",
        end_fallen="on",
        grant_anew="on",
    )

    first, last = asked_then_confirmed(client, page_of(row, "correct/"), form)

    assert "Approvals that no longer stand and end" in text_of(first)
    assert "30 days § 10-63(12)" in text_of(first)
    assert Membership.objects.get().starts_on == days_ago(34)
    assert "1 approval no longer stands." in text_of(last)
    assert "Approved anew from today" in text_of(last)
    assert set(Assignment.objects.values_list("starts_on", "ends_on")) == {
        (days_ago(5), days_ago(1)),
        (today, post.licenses.get().expires_on),
    }


def test_a_correction_that_fells_nothing_says_so(client, sam, post):
    row = WorkerFactory(organization=post, starts_on=days_ago(40))
    form = sent(starts_on=typed(days_ago(41)), kind="associate", reason="Card.")

    first, _last = asked_then_confirmed(client, page_of(row, "correct/"), form)

    assert "No approval rests on this." in text_of(first)
    row.refresh_from_db()
    assert (row.starts_on, row.kind) == (days_ago(41), "associate")


def test_a_line_of_today_is_taken_back_and_a_second_press_finds_it(client, ada, post):
    client.post(f"{PEOPLE}add/", enrolled())
    row = Membership.objects.get()
    form = sent(reason="Another club's member.")

    first, last = asked_then_confirmed(client, page_of(row, "void/"), form)
    again = client.post(page_of(row, "void/"), form | {"confirmed": "1"}, follow=True)

    assert "Nothing is done yet." in text_of(first)
    assert last.redirect_chain == [(PEOPLE, 302)]
    assert "already done" in text_of(again)
    row.refresh_from_db()
    assert row.void_reason == "Another club's member."
    assert client.get(page_of(row)).status_code == 404


@pytest.mark.parametrize("kind", ["activities", "suspensions", "approvals"])
def test_a_clerk_takes_back_a_row_of_each_kind(client, cleo, rows, kind):
    row = rows["marsh-lantern"][kind]
    page = f"/organizations/marsh-lantern/{kind}/{row.pk}/void/"

    _first, last = asked_then_confirmed(client, page, sent(reason="Wrong person."))

    row.refresh_from_db()
    assert (row.void_reason, row.voided_at is not None) == ("Wrong person.", True)
    assert last.redirect_chain == [(page_of(rows["marsh-lantern"]["people"]), 302)]


def test_what_an_account_holder_may_not_take_back_stays(client, ada, rows):
    row = rows["marsh-lantern"]["people"]

    response = client.post(page_of(row, "void/"), sent(reason="x", confirmed="1"))

    assert response.status_code == 403
    assert "Only what you entered yourself today" in text_of(response)
    row.refresh_from_db()
    assert row.voided_at is None
