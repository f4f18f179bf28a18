"""The applicant's pages: nothing lost, nothing twice, nothing of others seen."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date

import pytest
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile

from licenses.applying import Oath, hand_in, save_step, start_application
from licenses.forms_applications import flat
from licenses.investigating import Ask, send_back
from licenses.models import Application, ApplicationPaper, ApplicationStep, Statement
from licenses.questions import Rows, Situation, steps_for
from licenses.questions.own import STATEMENT
from licenses.questions.steps import STEPS
from licenses.reading import answers_of, statements_shown
from registry.access import BadInput
from registry.history import Act
from tests.factories import AccountHolderFactory, MembershipFactory, OrganizationFactory, days_ago
from tests.licenses.test_applying import OWN, fill
from tests.licenses.test_granting import at, handed_in
from tests.licenses.test_questions import COMPLETE
from tests.registry.hostile import photo

pytestmark = pytest.mark.django_db
BY_KEY = {step.key: step for step in STEPS}
TOKEN = "0d2f6f0e-5c1f-4a87-9d5b-1f6f2a3b4c5d"


@pytest.fixture
def draft(ada, client) -> Application:
    """An application just begun, with its officer signed in."""
    client.force_login(ada.user)
    return start_application(ada.user, ada.organization, license_class="A")


def url(application, rest="") -> str:
    return (
        f"/organizations/{application.organization.slug}/applications/{application.number}/{rest}"
    )


def typed(step, answers, revision=0, **more) -> dict[str, object]:
    return {**flat(BY_KEY[step], answers), "revision": revision, **more}


def post(client, application, step, answers, **more):
    return client.post(url(application, f"steps/{step}/"), typed(step, answers, **more))


def text_of(answer) -> str:
    return re.sub(r"\s+", " ", answer.content.decode())


def main_of(answer) -> str:
    return text_of(answer).partition("<main")[2].partition("</main>")[0]


def test_begun_twice_it_is_one_application_with_one_number(client, ada):
    client.force_login(ada.user)
    start = f"/organizations/{ada.organization.slug}/applications/new/"

    answers = [client.post(start, {"license_class": "A", "token": TOKEN}) for _press in range(2)]

    assert [answer.status_code for answer in answers] == [302, 302]
    assert Application.objects.count() == 1


def test_every_step_goes_on_to_the_next_and_the_last_to_the_hand_in(client, draft):
    page = url(draft, "steps/applicant/")
    visited = []
    while "/steps/" in page:
        step = page.split("/steps/")[1].split("/")[0]
        visited.append(step)
        page = post(client, draft, step, COMPLETE[step], go="1").url

    assert visited == list(COMPLETE)
    assert page == url(draft, "hand-in/?saved=history")
    assert answers_of(draft) == COMPLETE
    assert "Everything that the ordinance requires is there." in text_of(client.get(page))


def test_a_question_says_its_cite_and_whether_it_is_only_requested(client, draft):
    shown = text_of(client.get(url(draft, "steps/applicant/")))

    assert "(optional)" not in shown
    assert '(requested)</span></label> <details class="why">' in shown
    assert "§ 10-84(a)(1)c" in shown
    assert f"<dd>{draft.organization.name}</dd>" in shown


def test_an_empty_step_begins_with_what_the_register_knows(client, ada, draft):
    ada.organization.existing_since = days_ago(5000)

    shown = text_of(client.get(url(draft, "steps/representative/")))

    assert f'name="name" value="{ada.user.name}"' in shown
    assert not ApplicationStep.objects.exists()


def test_an_answer_that_cannot_be_read_is_kept_with_its_sentence(client, draft):
    answers = {"bank": "One", "county": "Pasco", "last_four": "12345678"}

    answer = post(client, draft, "bank", answers, go="1")
    later = text_of(client.get(url(draft, "steps/bank/")))

    assert answer.status_code == 422
    assert answers_of(draft)["bank"] == answers
    assert "Write the last four digits only" in later
    assert 'value="12345678"' in later


def test_the_ordinance_speaks_beside_the_field(client, draft):
    place = {**COMPLETE["premises"]["places"][0], "rent": "receipts"}

    shown = text_of(post(client, draft, "premises", {"places": [place]}, go="1"))

    assert '<a href="#id_places-0-rent">Rent is</a>: Rent may not turn on receipts' in shown


def test_a_social_security_number_is_never_kept(client, draft):
    answer = post(client, draft, "bank", {"bank": "078-05-1120"}, go="1")
    auto = client.post(url(draft, "steps/bank/?autosave"), typed("bank", {"bank": "078-05-1120"}))

    assert (answer.status_code, auto.status_code) == (422, 422)
    assert "Nothing was saved" in text_of(answer)
    assert not ApplicationStep.objects.exists()


def test_an_answer_far_too_long_is_not_kept(client, draft):
    answer = post(client, draft, "bank", {"bank": "x" * 5000}, go="1")

    assert answer.status_code == 422
    assert not ApplicationStep.objects.exists()


def test_a_step_saves_itself_and_says_when(client, draft):
    answer = client.post(url(draft, "steps/bank/?autosave"), typed("bank", {"bank": "One"}))

    assert answer.status_code == 200
    assert re.search(r'data-revision="1">Saved \d+:\d\d [AP]M<', answer.content.decode())
    assert answers_of(draft)["bank"] == {"bank": "One"}


def test_two_officers_on_one_step_see_both_and_the_second_may_keep_his(client, ada, draft):
    ben = AccountHolderFactory(organization=ada.organization, user__name="Ben Ochoa").user
    save_step(ben, draft, "bank", {"bank": "Bank of Ben"}, revision=0)

    auto = client.post(url(draft, "steps/bank/?autosave"), typed("bank", {"bank": "Mine"}))
    both = post(client, draft, "bank", {"bank": "Mine"}, go="1")

    assert (auto.status_code, both.status_code) == (409, 409)
    assert "Ben Ochoa saved this step at" in text_of(auto)
    assert "<td>Bank of Ben</td><td>Mine</td>" in text_of(both)
    assert 'name="revision" value="1"' in text_of(both)
    assert answers_of(draft)["bank"] == {"bank": "Bank of Ben"}
    assert post(client, draft, "bank", {"bank": "Mine"}, revision=1, go="1").status_code == 302
    assert answers_of(draft)["bank"] == {"bank": "Mine"}


def test_entries_are_added_and_taken_out_without_a_script(client, draft):
    officers = COMPLETE["officers"]["officers"]

    added = post(client, draft, "officers", {"officers": officers}, add="officers")
    shown = text_of(client.get(added.url.partition("#")[0]))
    post(client, draft, "officers", {"officers": officers}, revision=1, remove="officers-0")

    assert added.url.endswith("?saved=officers&more=officers#id_officers-new")
    assert 'name="officers-2-name"' in shown
    assert answers_of(draft)["officers"] == {"officers": officers[1:]}


def test_an_officer_who_leaves_states_nothing_more(client, draft):
    officers = COMPLETE["officers"]["officers"]
    post(client, draft, "officers", {"officers": officers}, go="1")
    post(client, draft, "officers", {"officers": officers[:1]}, revision=1, go="1")

    assert [name for _pk, name, _capacity, _done in statements_shown(draft)] == ["Ada Reyes"]
    assert Statement.objects.get(full_name="Ben Ochoa").voided_at


def test_a_paper_is_handed_in_with_its_step_and_taken_out(client, draft):
    letter = SimpleUploadedFile("letter.png", photo("PNG"), "image/png")
    answers = typed("exemption", COMPLETE["exemption"], stay="1", paper_determination=letter)
    client.post(url(draft, "steps/exemption/"), answers)
    paper = ApplicationPaper.objects.get()
    shown = text_of(client.get(url(draft, "steps/exemption/")))

    post(client, draft, "exemption", COMPLETE["exemption"], revision=1, take_out=paper.pk)

    assert (paper.kind, answers_of(draft)["exemption"]) == ("determination", COMPLETE["exemption"])
    assert "letter.png" in shown
    paper.refresh_from_db()
    assert paper.voided_at


def test_a_file_that_is_no_paper_is_refused_and_the_words_stay(client, draft):
    program = SimpleUploadedFile("letter.pdf", b"MZ\x90\x00" * 20, "application/pdf")
    answers = typed("exemption", COMPLETE["exemption"], go="1", paper_determination=program)

    answer = client.post(url(draft, "steps/exemption/"), answers)

    assert answer.status_code == 422
    assert not ApplicationPaper.objects.exists()
    assert answers_of(draft)["exemption"] == COMPLETE["exemption"]


OATH = {"swears": "on", "sworn_by": "Ada Reyes"}


def test_it_is_handed_in_under_oath_once(client, ada, draft):
    fill(ada.user, draft)

    answers = [client.post(url(draft, "hand-in/"), {**OATH, "token": TOKEN}) for _press in (1, 2)]

    assert [answer.url for answer in answers] == [url(draft)] * 2
    draft.refresh_from_db()
    assert (draft.status, draft.sworn_by) == ("submitted", "Ada Reyes")
    assert Act.objects.filter(verb="application.handed_in").count() == 1
    assert len(statements_shown(draft)) == 2
    assert client.get(url(draft, "steps/bank/")).url == url(draft)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"swears": ""}, "Tick that it is sworn"),
        ({"sworn_by": "Ben Ochoa"}, "names Ada Reyes as the representative"),
    ],
)
def test_without_the_representatives_oath_it_is_not_handed_in(client, ada, draft, change, sentence):
    fill(ada.user, draft)

    answer = client.post(url(draft, "hand-in/"), {**OATH, **change})

    assert answer.status_code == 422
    assert sentence in text_of(answer)


def test_signed_on_paper_the_scan_is_the_oath(client, ada, draft):
    fill(ada.user, draft)
    scan = SimpleUploadedFile("signed.png", photo("PNG"), "image/png")

    client.post(url(draft, "hand-in/"), {"sworn_by": "Ada Reyes", "signed": scan})

    draft.refresh_from_db()
    assert (draft.status, draft.oath.kind) == ("submitted", "sworn")
    assert client.get(url(draft, "paper/")).content.startswith(b"%PDF")


def test_a_clerk_keys_in_a_paper_with_the_day_it_came(client, ada, draft, clerk):
    fill(ada.user, draft)
    client.force_login(clerk)
    day = days_ago(2)

    missing = client.post(url(draft, "hand-in/"), OATH)
    client.post(url(draft, "hand-in/"), {**OATH, "received_on": f"{day:%m/%d/%Y}"})

    assert missing.status_code == 422
    draft.refresh_from_db()
    assert (draft.status, draft.presented_on) == ("submitted", day)
    act = Act.objects.get(verb="application.handed_in")
    assert (act.by, act.data["on_behalf_of"]) == (clerk, "Ada Reyes")


def test_what_is_missing_is_one_list_with_the_requested_apart(client, draft):
    post(client, draft, "bank", {"bank": "One", "county": "Hernando"})

    shown = text_of(client.get(url(draft, "hand-in/")))

    field = url(draft, "steps/bank/#id_county")
    assert f'<a href="{field}">Bank: County of the branch</a>: “Hernando”' in shown
    assert "Requested, not answered:" in shown


def statement_link(client, draft, **more) -> str:
    pk = Statement.objects.order_by("pk").first().pk
    shown = text_of(client.post(url(draft, f"statements/{pk}/link/"), more))
    return re.search(r"http://testserver(/statements/\w+/)", shown)[1]


def named(ada, draft) -> None:
    from licenses.stating import name_statements

    fill(ada.user, draft)
    name_statements(ada.user, draft)


def test_each_states_for_himself_by_a_link_that_works_once(client, ada, draft):
    named(ada, draft)
    page = statement_link(client, draft, email="ben@example.org")
    client.logout()

    opened = client.get(page)
    lacking = client.post(page, {**flat(STATEMENT, OWN), "convicted": "", "signed_as": "A"})
    done = client.post(page, {**flat(STATEMENT, OWN), "signed_as": "Ada Reyes"})

    assert (opened.status_code, opened["X-Robots-Tag"]) == (200, "noindex, nofollow")
    assert "no-store" in opened["Cache-Control"]
    assert (lacking.status_code, done.url) == (422, "/statements/done/")
    assert Statement.objects.order_by("pk").first().answers == OWN
    assert [message.to for message in mail.outbox] == [["ben@example.org"]]
    assert page in mail.outbox[0].body
    assert not any("ben@example.org" in str(act.data) for act in Act.objects.all())
    used, wrong = client.get(page), client.get("/statements/" + "A" * 32 + "/")
    assert used.status_code == wrong.status_code == 404
    assert main_of(used) == main_of(wrong)


def test_colleagues_see_only_that_it_is_complete_and_the_clerk_keys_in_paper(
    client, ada, draft, clerk
):
    named(ada, draft)
    client.force_login(clerk)
    pk = Statement.objects.order_by("pk").first().pk
    sent = {**flat(STATEMENT, OWN), "signed_as": "Ada Reyes", "received_on": "11/30/2020"}

    answer = client.post(url(draft, f"statements/{pk}/from-paper/"), sent)
    client.force_login(ada.user)
    shown = text_of(client.get(url(draft, "statements/")))

    assert answer.status_code == 302
    assert shown.count("Complete") == shown.count("Still to come") == 1
    assert "1961" not in shown
    assert "1961" not in text_of(client.get(url(draft)))


def test_a_question_of_the_county_is_answered_and_handed_in_again(client, ada, clerk):
    application = handed_in(ada)
    send_back(clerk, application, [Ask(step="bank", reason="unclear", text="Which branch?")])
    client.force_login(ada.user)
    shown = text_of(client.get(url(application)))
    query = application.queries.get()

    client.post(url(application, f"questions/{query.pk}/"), {"answer": "Dade City, now written."})
    client.post(url(application, "hand-in/"), OATH)

    assert "What is written is not clear to us. Which branch?" in shown
    assert "Sent back with questions; with you since" in shown
    query.refresh_from_db()
    application.refresh_from_db()
    assert (query.answer, application.status) == ("Dade City, now written.", "submitted")


def test_it_is_withdrawn_with_a_reason(client, draft):
    client.post(url(draft, "withdraw/"), {"reason": "We found no hall."})

    draft.refresh_from_db()
    assert draft.status == "withdrawn"
    assert "Withdrawn on" in text_of(client.get(url(draft)))


def test_the_applicant_does_not_read_what_the_county_looks_into(client, ada, clerk, ivan):
    from tests.licenses.test_granting import recommended

    application = recommended(ada, clerk, ivan)
    client.force_login(ada.user)

    shown = text_of(client.get(url(application)))

    assert "Application found complete" in shown
    assert "Record of a person checked" not in shown
    assert "All as stated" not in shown


def test_two_organizations_in_two_tabs_stay_apart(client, ada, draft):
    other = AccountHolderFactory(user=ada.user, organization=OrganizationFactory(kind="charitable"))
    again = type(ada.user).objects.get(pk=ada.user.pk)
    second = start_application(again, other.organization, license_class="A")

    post(client, draft, "bank", {"bank": "First"}, go="1")
    post(client, second, "bank", {"bank": "Second"}, go="1")

    assert (answers_of(draft)["bank"], answers_of(second)["bank"]) == (
        {"bank": "First"},
        {"bank": "Second"},
    )
    crossed = url(draft, "steps/bank/").replace(draft.number, second.number)
    assert client.get(crossed).status_code == 404


def test_the_representative_is_judged_as_any_worker(client, ada, draft):
    save_step(ada.user, draft, "representative", {"name": "Mary Quinn"}, revision=0)
    nobody = text_of(client.get(url(draft, "representative/verdict/")))
    MembershipFactory(
        organization=ada.organization,
        person__full_name="Mary Quinn",
        name_stated="Mary Quinn",
        starts_on=days_ago(3),
    )

    found = text_of(client.get(url(draft, "representative/verdict/"), headers={"HX-Request": "1"}))

    assert "Mary Quinn is not on your roster: add this person." in nobody
    assert "How Mary Quinn stands on your roster today" in found
    assert "Not cleared" in found
    assert "3 of 30 days" in found
    assert "No license is recorded" not in found


def test_nothing_is_asked_twice() -> None:
    steps = steps_for(Situation("A"), STEPS)
    asked = Counter(
        str(question.label)
        for step in steps
        for item in step.items
        for question in (item.questions if isinstance(item, Rows) else [item])
    )

    # Officers, the representative and the members in charge are each named.
    assert {label: count for label, count in asked.items() if count > 1} == {"Full name": 3}


def test_who_guesses_at_links_is_slowed_down(client, settings) -> None:
    settings.PUBLIC_PAGES_A_MINUTE = {**settings.PUBLIC_PAGES_A_MINUTE, "statement": 2}

    with at(date(2026, 12, 1)):
        answers = [client.get("/statements/" + "B" * 32 + "/").status_code for _try in range(3)]

    assert answers == [404, 404, 429]


def test_the_list_to_have_at_hand_names_each_question_with_its_cite(client, draft):
    page = f"/organizations/{draft.organization.slug}/applications/have-at-hand/A/"

    shown = text_of(client.get(page))

    assert '<th scope="row">Bank</th><td>required</td><td>§ 10-64(b)</td>' in shown
    assert client.get(page + "paper/").content.startswith(b"%PDF")
    assert client.get(page.replace("/A/", "/C/")).status_code == 404


def test_letters_no_database_keeps_are_left_out_of_a_step(client, ada):
    application = start_application(ada.user, ada.organization, license_class="A")
    client.force_login(ada.user)
    page = f"/organizations/{ada.organization.slug}/applications/{application.number}/steps/bank/"

    client.post(page, {"bank": "Gulf\0 Bank", "revision": "0"})

    assert answers_of(application)["bank"] == {"bank": "Gulf Bank"}


CLOSED = "The application is closed: nothing in it is changed any more."


def test_what_is_with_the_county_or_closed_is_changed_by_nobody_who_goes_back(client, ada, clerk):
    application = handed_in(ada)
    send_back(clerk, application, [Ask(step="bank", reason="unclear", text="Which branch?")])
    client.force_login(ada.user)
    query = application.queries.get()
    client.post(url(application, f"questions/{query.pk}/"), {"answer": "Dade City."})
    client.post(url(application, "hand-in/"), OATH)

    late = client.post(url(application, f"questions/{query.pk}/"), {"answer": "Tampa."})
    back = client.get(url(application, "hand-in/"))
    client.post(url(application, "withdraw/"), {"reason": "We found no hall."})
    told = text_of(client.get(url(application, "steps/bank/"), follow=True))

    query.refresh_from_db()
    assert (late.status_code, query.answer) == (409, "Dade City.")
    assert (back.status_code, back.url) == (302, url(application))
    assert CLOSED in told


def test_no_link_is_made_or_mailed_that_could_not_be_used(client, ada, draft):
    named(ada, draft)
    done, open_ = Statement.objects.order_by("pk")
    page = statement_link(client, draft)
    client.post(page, {**flat(STATEMENT, OWN), "signed_as": "Ada Reyes"})
    sent = {"email": "ben@example.org"}

    complete = client.post(url(draft, f"statements/{done.pk}/link/"), sent)
    client.post(url(draft, "withdraw/"), {"reason": "We found no hall."})
    closed = client.post(url(draft, f"statements/{open_.pk}/link/"), sent)
    asked = client.post(url(draft, "statements/"))

    assert [complete.status_code, closed.status_code, asked.status_code] == [409, 409, 409]
    assert mail.outbox == []


def test_links_are_mailed_in_the_countys_name_only_so_often(client, ada, draft, settings):
    settings.PUBLIC_PAGES_A_MINUTE = {**settings.PUBLIC_PAGES_A_MINUTE, "statement_link": 2}
    named(ada, draft)
    page = url(draft, f"statements/{Statement.objects.first().pk}/link/")

    with at(date(2026, 12, 1)):
        sent = [client.post(page, {"email": "ben@example.org"}).status_code for _try in range(3)]

    assert sent == [200, 200, 429]
    assert len(mail.outbox) == 2


def test_capitals_make_nobody_another_person_who_states(client, draft):
    officers = [{"name": "Ada Reyes", "office": "President"}, {"name": "ADA  REYES"}]
    post(client, draft, "officers", {"officers": officers}, go="1")
    post(client, draft, "representative", {"name": "ada reyes"}, go="1")

    assert [name for _pk, name, *_rest in statements_shown(draft)] == ["Ada Reyes"]
    assert "does not fit" not in text_of(client.get(url(draft, "statements/")))


def test_who_states_has_the_office_that_was_written_last(client, draft):
    post(client, draft, "officers", {"officers": [{"name": "Ada Reyes"}]}, go="1")
    first = [capacity for _pk, _name, capacity, _done in statements_shown(draft)]
    later = {"officers": [{"name": "Ada Reyes", "office": "President"}]}
    post(client, draft, "officers", later, revision=1, go="1")

    assert first == ["officer or director"]
    assert [capacity for _pk, _name, capacity, _done in statements_shown(draft)] == ["President"]


def test_more_entries_than_are_kept_are_refused_and_none_is_lost_in_silence(client, draft):
    many = {f"officers-{number}-name": f"Officer {number}" for number in range(900)}

    answer = client.post(url(draft, "steps/officers/"), {**many, "revision": 0, "go": "1"})
    auto = client.post(url(draft, "steps/officers/?autosave"), {**many, "revision": 0})

    assert (answer.status_code, auto.status_code) == (422, 422)
    assert "These are more than 60 entries" in text_of(answer)
    assert answers_of(draft) == {}


def test_who_swears_is_the_one_a_colleague_named_last(ada, draft):
    fill(ada.user, draft)
    save_step(ada.user, draft, "representative", {"name": "Ben Ochoa"}, revision=1)

    with pytest.raises(BadInput, match="names Ben Ochoa as the representative"):
        hand_in(ada.user, draft, Oath("Ada Reyes"))
