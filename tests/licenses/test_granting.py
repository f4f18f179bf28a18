"""From the county's desk to the license: check, investigate, report, decide."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time

import pytest
import time_machine
from django.core.exceptions import PermissionDenied

from licenses.appealing import Filing, Result, file_appeal
from licenses.applying import Oath, save_step, start_application
from licenses.fees import Fee, Payment, fee_of, receive_fee
from licenses.granting import STAY, Entry, Found, Route
from licenses.investigating import Ask, accept, add_note, check_record, recommend, send_back
from licenses.models import Application, Decision, InCharge, LessorInterest, License, Premises
from licenses.reading import steps_of
from licenses.rules import State
from licenses.selectors import license_on, licenses_of, standing_of
from licenses.services import void_license
from licenses.stating import key_in_statement, name_statements
from licenses.words import sentence
from registry import flows
from registry.access import BadInput, Refused
from registry.documents import Paper
from registry.flows import decide_application, hand_in, make_final, present_renewal, withdraw
from tests.factories import (
    PDF,
    AccountHolderFactory,
    AssignmentFactory,
    LicenseFactory,
    OrganizationFactory,
    RoleGrantFactory,
    StatementFactory,
    WorkerFactory,
)
from tests.licenses.test_applying import OWN, fill
from tests.licenses.test_questions import COMPLETE
from volunteers.merging import merge_organizations
from volunteers.models import Assignment
from volunteers.renewing import HERE, LEFT, Stay, confirm_workers

pytestmark = pytest.mark.django_db
GRANT = Entry("grant")
ROUTE = Route(days=30, source="Resolution 26-114")
DENY = Entry(
    "deny",
    grounds=[Found("deny_years", "Founded in 2025")],
    reason="The charity is too young",
    route=ROUTE,
    readings=[STAY],
)


def at(day: date) -> time_machine.travel:
    """The morning of a county day."""
    return time_machine.travel(datetime.combine(day, time(12), UTC), tick=False)


def handed_in(ada, *, prior=None) -> Application:
    application = start_application(ada.user, ada.organization, license_class="A", prior=prior)
    if prior is None or prior.application is None:
        fill(ada.user, application)
    if prior:
        save_step(ada.user, application, "prior", {"shown": "license"}, revision=0)
    return hand_in(ada.user, application, Oath("Ada Reyes"))


def recommended(ada, clerk, ivan, *, prior=None) -> Application:
    application = handed_in(ada, prior=prior)
    for statement in name_statements(ada.user, application):
        day = application.presented_on
        key_in_statement(clerk, statement, OWN, signed_as="S", received_on=day)
        check_record(ivan, statement, result="nothing", checked_on=day)
    accept(clerk, application)
    add_note(ivan, application, text="All as stated")
    return recommend(ivan, application, advice="grant", note="Nothing against it")


@pytest.fixture
def waiting(ada, clerk, ivan) -> Application:
    """An application that waits for the administrator."""
    return recommended(ada, clerk, ivan)


def test_a_charity_comes_from_nothing_to_a_license(ada, clerk, ivan, adam):
    with at(date(2026, 12, 1)):
        application = recommended(ada, clerk, ivan)

        decide_application(adam, application, GRANT)

        license_ = License.objects.get(application=application)
        assert (license_.number, license_.issued_on, license_.expires_on) == (
            "A-2027-0001", date(2026, 12, 1), date(2027, 9, 30),
        )  # fmt: skip
    officers = ada.organization.officers.values_list("full_name", "office", "signs_checks")
    assert sorted(officers) == [("Ada Reyes", "President", True), ("Ben Ochoa", "Treasurer", True)]
    assert InCharge.objects.get().full_name == "Mary Quinn"
    account = ada.organization.bank_accounts.get()
    assert (account.purpose, account.bank, account.last_four) == (
        "bingo",
        "Bank of Dade City",
        "0428",
    )
    place = Premises.objects.get()
    assert (place.name, place.basis, place.lease_ends_on, place.rent_amount, place.license) == (
        "Heron Hall", "leased", date(2027, 9, 30), 150, license_,
    )  # fmt: skip


def test_a_decision_against_keeps_its_grounds_as_they_stood(ada, clerk, ivan, adam):
    application = recommended(ada, clerk, ivan)

    decision = decide_application(adam, application, DENY)

    assert decision.grounds == [
        {
            "code": "deny_years",
            "cite": "F.S. 849.0931(1)(c)",
            "text": "The organization has not existed and been active for three years.",
            "facts": "Founded in 2025",
        }
    ]
    assert decision.appeal == {
        "days": 30, "source": "Resolution 26-114", "stays": False, "none_set": False,
    }  # fmt: skip
    assert Application.objects.get().status == "denied"
    assert not License.objects.exists()


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"grounds": []}, "grounds"),
        ({"grounds": [Found("deny_conviction", "Theft in 2024")]}, "grounds"),
        ({"grounds": [Found("enticed", "Coupons")]}, "grounds"),
        ({"grounds": [Found("deny_years", " ")]}, "facts"),
        ({"reason": ""}, "reason"),
        ({"route": Route()}, "appeal_days"),
        ({"route": Route(days=30)}, "appeal_days"),
        ({"readings": []}, "readings"),
    ],
)
def test_no_decision_against_without_a_ground_in_use_facts_and_a_settled_appeal_route(
    waiting, adam, change, field
):
    with pytest.raises(BadInput) as bad:
        decide_application(adam, waiting, replace(DENY, **change))

    assert bad.value.field == field
    assert not Decision.objects.exists()


def test_the_second_administrator_is_told_who_decided(ada, clerk, ivan, adam):
    application = recommended(ada, clerk, ivan)
    decide_application(adam, application, GRANT)

    with pytest.raises(Refused) as refused:
        decide_application(RoleGrantFactory(role="administrator").user, application, DENY)

    assert refused.value.message == f"{adam} has decided already: license granted."
    assert License.objects.count() == 1


def test_nobody_decides_before_the_report_nor_reports_before_every_statement(
    ada, clerk, ivan, adam
):
    application = handed_in(ada)
    name_statements(ada.user, application)
    accept(clerk, application)

    with pytest.raises(Refused, match="The statements of Ada Reyes, Ben Ochoa are still to come"):
        recommend(ivan, application, advice="grant", note="Fine")
    with pytest.raises(Refused, match="the application is under investigation"):
        decide_application(adam, application, GRANT)


def test_who_belongs_to_the_organization_decides_nothing_about_it(ada, clerk, ivan, adam):
    application = recommended(ada, clerk, ivan)
    AccountHolderFactory(user=adam, organization=ada.organization)
    adam.__dict__.pop("_held", None)

    with pytest.raises(PermissionDenied):
        decide_application(adam, application, GRANT)


def test_what_comes_back_keeps_its_day_and_its_questions(ada, clerk):
    with at(date(2026, 12, 1)):
        application = handed_in(ada)
        send_back(clerk, application, [Ask("paper", "premises", "The lease, please")])
    with at(date(2026, 12, 9)):
        save_step(ada.user, application, "bank", {**COMPLETE["bank"], "bank": "Two"}, revision=1)
        hand_in(ada.user, application, Oath("Ada Reyes"))

    application.refresh_from_db()
    assert (application.status, application.presented_on) == ("submitted", date(2026, 12, 1))
    assert application.queries.get().text == "The lease, please"


@pytest.mark.parametrize(
    ("day", "fee"),
    [
        (date(2027, 3, 31), Fee("full", None, date(2027, 3, 31))),
        (date(2027, 4, 1), Fee("half", None, date(2027, 4, 1))),
    ],
)
def test_the_fee_goes_by_the_day_of_issue_and_an_unset_amount_stays_unset(ada, day, fee):
    assert fee_of(start_application(ada.user, ada.organization, license_class="A"), day) == fee


def test_money_received_has_a_number(ada, clerk):
    with at(date(2026, 12, 1)):
        application = handed_in(ada)

        receipt = receive_fee(clerk, application, Payment(75, date(2026, 11, 30), "check", "1021"))

    assert (receipt.number, receipt.share, receipt.due, receipt.amount) == (
        "R-2027-0001", "full", None, 75,
    )  # fmt: skip


# Renewal: a license to September 30, 2027.


@pytest.fixture
def licensed(ada, clerk, ivan, adam):
    with at(date(2026, 12, 1)):
        decide_application(adam, recommended(ada, clerk, ivan), GRANT)
        return License.objects.get()


def state(license_, day) -> State:
    return standing_of(licenses_of(license_.organization).get(pk=license_.pk), day).state


def approved(license_, **more) -> Assignment:
    with at(date(2027, 1, 5)):
        worker = WorkerFactory(organization=license_.organization)
        return AssignmentFactory(
            person=worker.person,
            organization=license_.organization,
            license=license_,
            starts_on=date(2027, 1, 5),
            eligible_on=date(2027, 1, 5),
            ends_on=license_.expires_on,
            **more,
        )


def test_a_renewal_opens_in_its_window(ada, licensed):
    with (
        at(date(2027, 7, 1)),
        pytest.raises(Refused, match="from Jul 2, 2027 on"),
    ):
        start_application(ada.user, ada.organization, license_class="A", prior=licensed)


def test_renewed_early_it_loses_no_days_and_asks_only_for_what_is_new(
    ada, clerk, ivan, adam, licensed
):
    with at(date(2027, 8, 1)):
        application = recommended(ada, clerk, ivan, prior=licensed)
        decide_application(adam, application, GRANT)

    new = License.objects.get(application=application)
    assert (new.number, new.issued_on, new.expires_on) == (
        "A-2028-0001", date(2027, 10, 1), date(2028, 9, 30),
    )  # fmt: skip
    assert [state(licensed, date(2027, 9, 30)), state(licensed, date(2027, 10, 1))] == [
        State.IN_FORCE, State.ENDED,
    ]  # fmt: skip
    assert ada.organization.officers.standing().filter(ends_on=None).count() == 2


def test_presented_in_time_it_stays_in_force_until_the_decision(ada, clerk, ivan, adam, licensed):
    worker = approved(licensed)
    with at(date(2027, 9, 30)):
        application = recommended(ada, clerk, ivan, prior=licensed)
        confirm_workers(ada.user, application, {worker.pk: Stay(HERE)})
    worker.refresh_from_db()
    assert state(licensed, date(2027, 10, 1)) is State.CONTINUED
    assert license_on(ada.organization, date(2027, 12, 1)) == licensed
    assert worker.ends_on == date(2028, 9, 30)

    with at(date(2027, 11, 5)):
        decide_application(adam, application, GRANT)

    new = License.objects.get(application=application)
    assert (new.issued_on, new.expires_on) == (date(2027, 11, 5), date(2028, 9, 30))
    assert [state(licensed, day) for day in (date(2027, 11, 4), date(2027, 11, 5))] == [
        State.CONTINUED, State.ENDED,
    ]  # fmt: skip
    worker.refresh_from_db()
    assert worker.ends_on == date(2027, 11, 4)
    follower = Assignment.objects.get(license=new)
    assert (follower.person, follower.starts_on, follower.ends_on, follower.duties) == (
        worker.person, date(2027, 11, 5), date(2028, 9, 30), worker.duties,
    )  # fmt: skip


def test_who_left_is_not_carried_over(ada, clerk, ivan, adam, licensed):
    worker = approved(licensed)
    with at(date(2027, 8, 1)):
        application = recommended(ada, clerk, ivan, prior=licensed)
        confirm_workers(ada.user, application, {worker.pk: Stay(LEFT, date(2027, 7, 15))})
        decide_application(adam, application, GRANT)

    assert not Assignment.objects.filter(license__application=application).exists()


def test_a_denied_renewal_stays_in_force_until_the_denial_is_final(
    ada, clerk, ivan, adam, licensed
):
    worker = approved(licensed)
    with at(date(2027, 9, 30)):
        application = recommended(ada, clerk, ivan, prior=licensed)
    with at(date(2027, 10, 20)):
        decide_application(adam, application, DENY)
    assert state(licensed, date(2027, 11, 20)) is State.CONTINUED

    with at(date(2027, 11, 25)):
        make_final(clerk, application, final_on=date(2027, 11, 22))

    assert [state(licensed, day) for day in (date(2027, 11, 22), date(2027, 11, 23))] == [
        State.CONTINUED, State.ENDED,
    ]  # fmt: skip
    worker.refresh_from_db()
    assert worker.ends_on == date(2027, 11, 22)


def test_paper_that_reached_the_county_in_time_counts_from_its_day(ada, clerk, licensed):
    with at(date(2027, 10, 4)):
        application = start_application(
            ada.user, ada.organization, license_class="A", prior=licensed
        )
        assert state(licensed, date(2027, 10, 4)) is State.ENDED
        present_renewal(clerk, application, received_on=date(2027, 9, 30), shown="proof")

    assert state(licensed, date(2027, 10, 4)) is State.CONTINUED


def test_withdrawn_while_it_continues_it_ends_that_day(ada, licensed):
    worker = approved(licensed)
    with at(date(2027, 9, 29)):
        application = handed_in(ada, prior=licensed)
    with at(date(2027, 10, 10)):
        withdraw(ada.user, application, reason="We stop")

    assert [state(licensed, day) for day in (date(2027, 10, 10), date(2027, 10, 11))] == [
        State.CONTINUED, State.ENDED,
    ]  # fmt: skip
    worker.refresh_from_db()
    assert worker.ends_on == date(2027, 10, 10)


def test_a_hall_owner_is_licensed_with_everyone_who_has_an_interest_in_it(clerk, ivan, adam):
    owner = AccountHolderFactory(organization=OrganizationFactory(kind="other"))
    application = start_application(owner.user, owner.organization, license_class="B")
    place = {"name": "Cypress Hall", "street": "2 Main St", "city": "Hudson"}
    answers = {
        "applicant": {"form": "individual"},
        "officers": {"officers": [{"name": "Cy Press", "office": "Director", "signs": "yes"}]},
        "representative": {"name": "Cy Press"},
        "bank": COMPLETE["bank"],
        "premises": {"places": [place]},
        "interests": {"none_besides": "yes", "people": [{"name": "Di Press", "tie": "owner"}]},
        "history": {"revoked": "no"},
    }
    fill(owner.user, application, answers)
    hand_in(owner.user, application, Oath("Cy Press"))
    for statement in name_statements(owner.user, application):
        day = Application.objects.get().presented_on
        key_in_statement(clerk, statement, OWN, signed_as="Cy Press", received_on=day)
    accept(clerk, application)
    recommend(ivan, application, advice="grant", note="Fine")

    decide_application(adam, application, GRANT)

    assert License.objects.get().number.startswith("B-")
    interests = LessorInterest.objects.values_list("person__full_name", "tie")
    assert sorted(interests) == [("Cy Press", "director"), ("Di Press", "owner")]
    assert owner.organization.bank_accounts.get().purpose == "lease"


def granted_class_b(body, clerk, ivan, adam) -> License:
    """The body lets its hall too: a license of class B, with a bank and a place of its own."""
    application = start_application(body.user, body.organization, license_class="B")
    hall = {"name": "Cypress Hall", "street": "2 Main St", "city": "Hudson"}
    answers = {
        **COMPLETE,
        "bank": {"bank": "Gulf Bank", "county": "Pasco", "last_four": "7711"},
        "premises": {"places": [hall]},
        "interests": {"none_besides": "yes", "people": [{"name": "Di Press", "tie": "owner"}]},
    }
    steps = {step.key for step in steps_of(application)}
    fill(body.user, application, {key: answers[key] for key in steps & set(answers)})
    hand_in(body.user, application, Oath("Ada Reyes"))
    application.refresh_from_db()
    for statement in name_statements(body.user, application):
        day = application.presented_on
        key_in_statement(clerk, statement, OWN, signed_as="S", received_on=day)
    accept(clerk, application)
    recommend(ivan, application, advice="grant", note="Fine")
    decide_application(adam, application, GRANT)
    return License.objects.get(application=application)


def test_a_second_class_leaves_bank_and_places_of_the_first(ada, clerk, ivan, adam, licensed):
    with at(date(2027, 2, 1)):
        granted_class_b(ada, clerk, ivan, adam)

    accounts = ada.organization.bank_accounts.standing().filter(ends_on=None)
    assert sorted(accounts.values_list("purpose", "last_four")) == [
        ("bingo", "0428"), ("lease", "7711"),
    ]  # fmt: skip
    places = ada.organization.premises.standing().filter(ends_on=None)
    assert sorted(places.values_list("name", "license__license_class")) == [
        ("Cypress Hall", "B"), ("Heron Hall", "A"),
    ]  # fmt: skip


@pytest.mark.parametrize("how", ["decide", "recommend"])
def test_who_is_on_its_roster_decides_and_investigates_nothing_about_it(
    ada, clerk, ivan, adam, how
):
    application = recommended(ada, clerk, ivan)
    who = {"decide": adam, "recommend": ivan}[how]
    who.person = WorkerFactory(organization=ada.organization).person

    with pytest.raises(Refused, match="You belong to this organization"):
        if how == "decide":
            decide_application(adam, application, GRANT)
        else:
            flows.recommend(ivan, application, advice="grant", note="Fine")


def test_a_body_that_is_taken_over_continues_nothing(ada, clerk, licensed):
    with at(date(2027, 9, 20)):
        application = handed_in(ada, prior=licensed)
    assert state(licensed, date(2027, 10, 5)) is State.CONTINUED

    with at(date(2027, 10, 20)):
        merge_organizations(
            RoleGrantFactory(role="supervisor").user,
            ada.organization,
            OrganizationFactory(),
            merged_on=date(2027, 10, 10),
            paper=Paper("articles.pdf", PDF),
            reason="Merged",
        )

    application.refresh_from_db()
    assert application.status == "withdrawn"
    assert [state(licensed, day) for day in (date(2027, 10, 9), date(2027, 10, 10))] == [
        State.CONTINUED, State.ENDED,
    ]  # fmt: skip


@pytest.mark.parametrize("then", ["grant", "withdraw"])
def test_a_denial_is_not_final_while_an_appeal_is_open_nor_undone_by_a_late_reversal(
    ada, clerk, ivan, adam, licensed, then
):
    with at(date(2027, 9, 30)):
        application = recommended(ada, clerk, ivan, prior=licensed)
    with at(date(2027, 10, 20)):
        denial = decide_application(adam, application, DENY)
        appeal = file_appeal(clerk, denial, Filing(date(2027, 10, 20)))
        with pytest.raises(Refused, match="An appeal against it is open"):
            make_final(clerk, application, final_on=date(2027, 10, 20))
    with at(date(2027, 11, 1)):
        flows.close_appeal(clerk, appeal, Result("upheld", date(2027, 11, 1), "the board"))
        make_final(clerk, application, final_on=date(2027, 11, 1))
    with at(date(2027, 12, 1)):
        appeal = file_appeal(clerk, denial, Filing(date(2027, 11, 20)))
        flows.close_appeal(clerk, appeal, Result("reversed", date(2027, 12, 1), "the court"))
        if then == "grant":
            decide_application(adam, application, GRANT)
        else:
            withdraw(ada.user, application, reason="We stop")

    assert [state(licensed, day) for day in (date(2027, 11, 1), date(2027, 11, 2))] == [
        State.CONTINUED, State.ENDED,
    ]  # fmt: skip
    found = licenses_of(ada.organization).get(pk=licensed.pk)
    said = sentence(standing_of(found, date(2027, 11, 2)))
    assert said == "Class A license ended on Nov 1, 2027"


def test_a_license_on_which_an_application_rests_is_not_taken_out(ada, clerk, licensed):
    number = licensed.application.number
    with pytest.raises(Refused, match=f"It was granted on application {number}"):
        void_license(clerk, licensed, reason="Typo")
    old = LicenseFactory(issued_on=date(2026, 10, 1), expires_on=date(2027, 9, 30))
    body = AccountHolderFactory(organization=old.organization)
    with at(date(2027, 8, 1)):
        renewal = start_application(body.user, old.organization, license_class="A", prior=old)
        with pytest.raises(Refused, match=f"The renewal {renewal.number} rests on this license"):
            void_license(clerk, old, reason="Typo")
        withdraw(body.user, renewal, reason="We stop")
        assert void_license(clerk, old, reason="Typo").voided_at


def test_no_social_security_number_enters_as_a_signature_or_a_source(waiting, ada, adam, clerk):
    number = "Ada 123-45-6789"
    statement = StatementFactory(application=waiting)
    tried = {
        "sworn_by": lambda: hand_in(ada.user, waiting, Oath(number)),
        "signed_as": lambda: key_in_statement(
            clerk, statement, OWN, signed_as=number, received_on=waiting.presented_on
        ),
        "appeal_source": lambda: decide_application(
            adam, waiting, replace(DENY, route=Route(days=30, source=number))
        ),
    }

    for field, attempt in tried.items():
        with pytest.raises(BadInput) as bad:
            attempt()
        assert bad.value.field == field


def test_the_day_a_denial_became_final_is_recorded_once(ada, clerk, ivan, adam, licensed):
    with at(date(2027, 9, 30)):
        application = recommended(ada, clerk, ivan, prior=licensed)
    with at(date(2027, 10, 20)):
        decide_application(adam, application, DENY)
        make_final(clerk, application, final_on=date(2027, 10, 20))

        with pytest.raises(Refused, match="is recorded already"):
            make_final(clerk, application, final_on=date(2027, 10, 20))
