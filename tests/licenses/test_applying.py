"""Filling in an application and handing it in: nothing lost, nothing twice, nothing early."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied

from licenses.applying import (
    Oath,
    StaleStep,
    add_paper,
    hand_in,
    save_step,
    start_application,
    withdraw,
)
from licenses.models import Application, ApplicationStep
from licenses.reading import answers_of, application_for, statements_shown
from licenses.stating import (
    complete_statement,
    key_in_statement,
    make_link,
    name_statements,
    reveal_statement,
    statement_by_key,
)
from registry.access import BadInput, Refused
from registry.history import Act
from tests.factories import (
    AccountHolderFactory,
    LicenseFactory,
    OrganizationFactory,
    RoleGrantFactory,
    days_ago,
)
from tests.licenses.test_questions import COMPLETE

pytestmark = pytest.mark.django_db
OWN = {
    "born_on": "3/4/1961",
    "street": "1 Lake Rd",
    "city": "Dade City",
    "state": "Florida",
    "convicted": "no",
    "naturalized": "no",
    "revoked": "no",
}


@pytest.fixture
def application(ada):
    return start_application(ada.user, ada.organization, license_class="A")


def fill(by, application, answers=COMPLETE) -> None:
    for step, typed in answers.items():
        save_step(by, application, step, typed, revision=0)


def office(role):
    return RoleGrantFactory(role=role).user


def test_beginning_twice_gives_one_application_and_one_number(ada, application):
    again = start_application(ada.user, ada.organization, license_class="A")

    assert again == application
    assert application.number.startswith("F-")
    assert Act.objects.filter(verb="application.started").count() == 1


def test_a_license_that_runs_is_renewed_and_not_applied_for(ada):
    LicenseFactory(organization=ada.organization)

    with pytest.raises(Refused, match="renew that one"):
        start_application(ada.user, ada.organization, license_class="A")


def test_a_hall_owner_does_not_apply_to_conduct():
    owner = AccountHolderFactory(organization=OrganizationFactory(kind="other"))

    with pytest.raises(BadInput, match="hall owner only, and those need class B"):
        start_application(owner.user, owner.organization, license_class="A")


def test_one_officer_begins_and_another_goes_on(ada, application):
    ben = AccountHolderFactory(organization=ada.organization).user
    save_step(ada.user, application, "applicant", {"form": "corporation"}, revision=0)
    typed = {"form": "corporation", "state": "Florida"}

    row = save_step(ben, application, "applicant", typed, revision=1)

    assert answers_of(application) == {"applicant": typed}
    assert (row.revision, row.saved_by) == (2, ben.name or str(ben))


def test_two_who_write_the_same_step_lose_nothing(ada, application):
    save_step(ada.user, application, "bank", {"bank": "One"}, revision=0)

    with pytest.raises(StaleStep) as stale:
        save_step(ada.user, application, "bank", {"bank": "Two"}, revision=0)

    assert stale.value.saved.answers == {"bank": "One"}
    assert answers_of(application) == {"bank": {"bank": "One"}}


def test_saving_the_same_again_writes_nothing(ada, application):
    save_step(ada.user, application, "bank", {"bank": "One"}, revision=0)

    save_step(ada.user, application, "bank", {"bank": "One"}, revision=0)

    assert ApplicationStep.objects.get(application=application).revision == 1
    assert Act.objects.filter(verb="application.saved").count() == 1


@pytest.mark.parametrize(
    ("step", "answers", "field"),
    [
        ("bank", {"bank": "078-05-1120"}, "bank"),
        ("officers", {"officers": [{"name": "A"}, {"office": "SSN 078051120"}]},
         "officers-1-office"),
        ("interests", {"none_besides": "no"}, "step"),
    ],
)  # fmt: skip
def test_no_social_security_number_and_no_step_of_another_class_is_kept(
    ada, application, step, answers, field
):
    with pytest.raises(BadInput) as bad:
        save_step(ada.user, application, step, answers, revision=0)

    assert bad.value.field == field
    assert not ApplicationStep.objects.exists()


def test_a_complete_application_is_handed_in_once_and_then_closed_to_its_writers(ada, application):
    fill(ada.user, application)

    hand_in(ada.user, application, Oath("Ada Reyes"))

    application.refresh_from_db()
    assert (application.status, application.presented_on, application.sworn_by) == (
        "submitted", days_ago(0), "Ada Reyes",
    )  # fmt: skip
    with pytest.raises(Refused, match="the application is handed in"):
        hand_in(ada.user, application, Oath("Ada Reyes"))
    with pytest.raises(Refused, match="is with the county"):
        save_step(ada.user, application, "bank", {"bank": "Two"}, revision=1)


def test_what_is_missing_is_counted_and_nothing_is_handed_in(ada, application):
    fill(ada.user, application, {**COMPLETE, "bank": {"bank": "Bank of Dade City"}})

    with pytest.raises(Refused, match=r"^2 answers that the ordinance requires are missing"):
        hand_in(ada.user, application, Oath("Ada Reyes"))

    application.refresh_from_db()
    assert (application.status, application.presented_on) == ("draft", None)


def test_nobody_swears_without_a_name(ada, application):
    fill(ada.user, application)

    with pytest.raises(BadInput) as bad:
        hand_in(ada.user, application, Oath(" "))

    assert bad.value.field == "sworn_by"


def test_a_stranger_neither_sees_nor_fills_in(ada, application):
    stranger = AccountHolderFactory().user

    assert application_for(stranger, ada.organization, application.number) is None
    with pytest.raises(PermissionDenied):
        save_step(stranger, application, "bank", {"bank": "One"}, revision=0)


def test_each_officer_states_for_himself_and_colleagues_see_only_that_he_did(ada, application):
    fill(ada.user, application)
    first, _second = name_statements(ada.user, application)
    key = make_link(ada.user, first)

    complete_statement(key, OWN, signed_as="Ada Reyes")

    assert [shown[1:] for shown in statements_shown(application)] == [
        ("Ada Reyes", "President", True),
        ("Ben Ochoa", "Treasurer", False),
    ]
    assert statement_by_key(key, days_ago(0)) is None
    first.refresh_from_db()
    assert first.answers == OWN


def test_a_link_works_until_it_is_replaced_or_old(ada, application):
    fill(ada.user, application)
    statement = name_statements(ada.user, application)[0]
    old = make_link(ada.user, statement)
    new = make_link(ada.user, statement)

    assert statement_by_key(old, days_ago(0)) is None
    assert statement_by_key(f" {new.lower()} ", days_ago(-30)) == statement
    assert statement_by_key(new, days_ago(-31)) is None


def test_an_incomplete_statement_is_not_taken(ada, application):
    fill(ada.user, application)
    key = make_link(ada.user, name_statements(ada.user, application)[0])

    with pytest.raises(BadInput) as bad:
        complete_statement(key, {**OWN, "convicted": ""}, signed_as="Ada Reyes")

    assert bad.value.field == "convicted"
    assert statement_by_key(key, days_ago(0)) is not None


def test_a_statement_is_signed_with_the_name_of_who_states(ada, application):
    fill(ada.user, application)
    key = make_link(ada.user, name_statements(ada.user, application)[0])

    with pytest.raises(BadInput, match="as it stands here: Ada Reyes"):
        complete_statement(key, OWN, signed_as="Somebody Else")

    assert complete_statement(key, OWN, signed_as=" ada  reyes ").completed_at


def test_an_officer_who_leaves_states_nothing_more(ada, application):
    fill(ada.user, application)
    first, second = name_statements(ada.user, application)
    key = make_link(ada.user, second)
    officers = [{"name": "Ada Reyes", "office": "President", "signs": "yes"}]
    save_step(ada.user, application, "officers", {"officers": officers}, revision=1)

    assert name_statements(ada.user, application) == [first]
    assert statement_by_key(key, days_ago(0)) is None


def test_only_the_county_looks_at_a_statement_and_each_look_is_kept(ada, application):
    fill(ada.user, application)
    statement = name_statements(ada.user, application)[0]
    cleo = office("clerk")
    key_in_statement(cleo, statement, OWN, signed_as="Ada Reyes", received_on=days_ago(1))
    statement.refresh_from_db()

    assert reveal_statement(cleo, statement) == OWN
    assert Act.objects.get(verb="statement.revealed").by == cleo
    with pytest.raises(PermissionDenied):
        reveal_statement(ada.user, statement)


def test_a_withdrawn_application_leaves_room_for_another(ada, application):
    withdraw(ada.user, application, reason="We found no hall")

    again = start_application(ada.user, ada.organization, license_class="A")

    assert again.number != application.number
    assert Application.objects.get(pk=application.pk).status == "withdrawn"


def test_a_paper_of_an_unknown_kind_is_not_added(ada, application):
    with pytest.raises(BadInput) as bad:
        add_paper(ada.user, application, "recipe", None)

    assert bad.value.field == "kind"
