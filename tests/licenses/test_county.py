"""The county's desk: the queue, one application, the letters, the second administrator."""

from __future__ import annotations

from datetime import date

import pytest
from django.core import mail

from licenses.applying import save_step
from licenses.models import Application, Decision, License
from licenses.rules import Status
from registry.history import Act, System, acting
from registry.models import Letter
from tests.factories import AccountHolderFactory, OrganizationFactory, RoleGrantFactory
from tests.licenses.test_applying import OWN
from tests.licenses.test_granting import at, handed_in, recommended
from tests.licenses.test_questions import COMPLETE

pytestmark = pytest.mark.django_db


@pytest.fixture
def waiting(ada, clerk, ivan) -> Application:
    """An application that waits for the administrator."""
    return recommended(ada, clerk, ivan)


def page(application, name="work") -> str:
    return (
        f"/organizations/{application.organization.slug}/applications/{application.number}/{name}/"
    )


def press(client, address, **typed):
    """Fill in the form, look at the preview where there is one, and confirm."""
    return client.post(address, {**typed, "confirmed": "1"})


def letter() -> Letter:
    return Letter.objects.get()


def texts(row) -> list[tuple[str, str]]:
    return [(one["text"], one["cite"]) for one in row.paragraphs]


def test_the_queue_shows_what_waits_for_whom(client, ada, clerk):
    application = handed_in(ada)
    client.force_login(clerk)

    shown = client.get("/applications/?waits=clerk").content.decode()

    assert application.number in shown
    assert "1 application" in shown
    assert (
        application.number not in client.get("/applications/?waits=administrator").content.decode()
    )


def test_each_office_sees_the_act_that_is_its_own(client, ada, clerk, ivan, adam):
    application = handed_in(ada)
    for status, user, verb in (
        (Status.SUBMITTED, clerk, "Find it complete"),
        (Status.INVESTIGATION, ivan, "Report to the administrator"),
        (Status.RECOMMENDED, adam, "Grant the license"),
    ):
        with_status(application, status)
        client.force_login(user)
        shown = client.get(page(application)).content.decode()
        others = {"Find it complete", "Report to the administrator", "Grant the license"} - {verb}

        assert verb in shown
        assert not any(other in shown for other in others)


def with_status(application, status) -> None:
    with acting(System.SET_UP, "test.made"):
        Application.objects.filter(pk=application.pk).update(status=status)


def test_an_application_comes_from_the_clerk_to_the_letter_through_the_pages(
    client, ada, clerk, ivan, adam
):
    with at(date(2026, 12, 1)):
        application = recommended(ada, clerk, ivan)
        client.force_login(adam)

        preview = client.post(page(application, "grant"), {}).content.decode()
        done = press(client, page(application, "grant"))

    assert "Nothing is done yet" in preview
    assert "License A-2027-… runs from Dec 1, 2026 to Sep 30, 2027, its last day." in preview
    assert done.url == page(application)
    assert texts(letter()) == [
        (
            (
                f"Your application {application.number} for a license of class A: to conduct bingo"
                " was granted on Dec 1, 2026."
            ),
            "§ 10-84",
        ),
        ("License A-2027-0001 runs from Dec 1, 2026 to Sep 30, 2027, its last day.", "§ 10-91(a)"),
        (
            "Print it from the register and keep it posted where bingo is played, in plain view.",
            "§ 10-64(a)",
        ),
    ]
    assert [message.to for message in mail.outbox] == [[ada.user.email]]


def test_pressed_twice_there_is_one_decision_and_one_number(client, ada, clerk, ivan, adam):
    application = recommended(ada, clerk, ivan)
    client.force_login(adam)
    token = {"token": "0d2f6f0e-5c1f-4a87-9d5b-1f6f2a3b4c5d"}

    first = press(client, page(application, "grant"), **token)
    second = press(client, page(application, "grant"), **token)

    assert (first.status_code, second.status_code) == (302, 302)
    assert (Decision.objects.count(), License.objects.count(), Letter.objects.count()) == (1, 1, 1)


def test_a_denial_says_each_ground_with_its_cite_and_the_way_to_appeal(
    client, ada, clerk, ivan, adam
):
    with at(date(2026, 12, 1)):
        application = recommended(ada, clerk, ivan)
        client.force_login(adam)
        form = client.get(page(application, "deny")).content.decode()
        typed = {
            "ground_deny_years": "on",
            "facts_deny_years": "Founded in 2025.",
            "reason": "The charity is too young.",
            "none_set": "on",
            "reading_deadlines.appeal_stays": "on",
        }
        done = press(client, page(application, "deny"), **typed)

    assert "These grounds were only inferred" in form
    assert "ground_deny_conviction" not in form
    assert done.status_code == 302
    assert texts(letter()) == [
        (
            (
                f"Your application {application.number} for a license of class A: to conduct bingo"
                " was denied on Dec 1, 2026."
            ),
            "§ 10-84",
        ),
        (
            (
                "The organization has not existed and been active for three years."
                " What was found: Founded in 2025."
            ),
            "F.S. 849.0931(1)(c)",
        ),
        ("The charity is too young.", ""),
        (
            (
                "You may appeal to the board of county commissioners."
                " No number of days is set for the appeal."
            ),
            "§ 10-93",
        ),
        (
            "The appeal does not stop this decision, unless the board orders that it does.",
            "§ 10-93",
        ),
        (texts(letter())[-1][0], ""),
    ]
    assert texts(letter())[-1][0].startswith("The ordinance leaves open: ")
    assert texts(letter())[-1][0].endswith("I adopt it for this decision.")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"none_set": ""}, "The days for an appeal are not set."),
        ({"ground_deny_years": ""}, "Choose at least one ground"),
        ({"facts_deny_years": ""}, "Write what was found for each ground."),
        ({"reading_deadlines.appeal_stays": ""}, "This is needed to go on: tick it."),
        ({"ground_deny_conviction": "on", "ground_deny_years": ""}, "Choose at least one ground"),
    ],
)
def test_no_letter_goes_out_that_is_not_settled(client, waiting, adam, change, sentence):
    client.force_login(adam)
    typed = {
        "ground_deny_years": "on",
        "facts_deny_years": "Founded in 2025.",
        "reason": "Too young.",
        "none_set": "on",
        "reading_deadlines.appeal_stays": "on",
    }

    answer = press(client, page(waiting, "deny"), **{**typed, **change})

    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not Letter.objects.exists()


def test_questions_go_out_in_words_and_stand_on_the_page(client, ada, clerk):
    application = handed_in(ada)
    client.force_login(clerk)
    typed = {"reason_1": "paper", "step_1": "premises", "text_1": "The lease, please."}

    preview = client.post(page(application, "send-back"), typed).content.decode()
    press(client, page(application, "send-back"), **typed)

    line = "Premises: A paper is needed to show what you state. The lease, please."
    assert line in preview
    assert texts(letter())[1:] == [(line, "")]
    assert "The lease, please." in client.get(page(application)).content.decode()
    assert mail.outbox[0].subject == f"Questions about your application {application.number}"


def test_looking_at_a_statement_shows_it_once_and_is_kept(client, ada, clerk, ivan):
    application = recommended(ada, clerk, ivan)
    statement = application.statements.first()
    client.force_login(clerk)
    work = client.get(page(application)).content.decode()

    shown = client.post(page(application, f"statements/{statement.pk}/look")).content.decode()

    assert OWN["born_on"] not in work
    assert OWN["born_on"] in shown
    assert Act.objects.get(verb="statement.revealed").by == clerk


def test_the_number_of_section_10_84_is_only_noted(client, ada, clerk, ivan):
    application = recommended(ada, clerk, ivan)
    statement = application.statements.first()
    client.force_login(clerk)

    press(client, page(application, f"statements/{statement.pk}/number"), received_on="11/30/2026")

    shown = client.get(page(application)).content.decode()
    assert f"Number handed to the sheriff on paper, received by {clerk.get_full_name()}" in shown


def test_money_gives_a_receipt_on_paper(client, ada, clerk):
    application = handed_in(ada)
    client.force_login(clerk)

    press(
        client, page(application, "fee"),
        amount="75", received_on="11/30/2026", method="check", reference="1021",
    )  # fmt: skip

    receipt = application.receipts.get()
    paper = client.get(page(application, f"receipts/{receipt.number}"))
    assert paper["Content-Type"] == "application/pdf"
    assert paper.content.startswith(b"%PDF-")
    assert Act.objects.filter(verb="receipt.printed").count() == 1


@pytest.mark.parametrize("name", ["work", "accept", "grant", "fee"])
def test_an_applicant_does_not_come_to_the_countys_desk(client, ada, name):
    application = handed_in(ada)
    client.force_login(ada.user)

    assert client.get(page(application, name)).status_code == 403


def test_another_organizations_number_is_not_there(client, ada, clerk):
    application = handed_in(ada)
    other = OrganizationFactory()
    client.force_login(clerk)

    address = f"/organizations/{other.slug}/applications/{application.number}/work/"
    assert client.get(address).status_code == 404


def test_who_holds_the_organizations_account_cannot_decide(client, ada, clerk, ivan, adam):
    application = recommended(ada, clerk, ivan)
    AccountHolderFactory(user=adam, organization=ada.organization)
    client.force_login(adam)

    assert client.get(page(application, "grant")).status_code == 403


def test_a_step_mended_after_questions_is_seen_by_the_clerk(client, ada, clerk):
    application = handed_in(ada)
    client.force_login(clerk)
    press(client, page(application, "send-back"), reason_1="unclear", step_1="bank")
    save_step(ada.user, application, "bank", {**COMPLETE["bank"], "bank": "Mended"}, revision=1)

    assert "Mended" in client.get(page(application)).content.decode()


def test_two_administrators_find_one_decision(client, ada, clerk, ivan, adam):
    application = recommended(ada, clerk, ivan)
    client.force_login(adam)
    press(client, page(application, "grant"))
    client.force_login(RoleGrantFactory(role="administrator").user)

    answer = press(client, page(application, "grant"))

    assert answer.status_code == 409
    assert "has decided already: license granted." in answer.content.decode()
    assert Decision.objects.count() == 1
