"""Two at once: one application, one number, one decision; the other is told in words."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from licenses.appealing import Filing, file_appeal
from licenses.applying import save_step, start_application
from licenses.granting import STAY, Found, Route
from licenses.models import Application, Decision, License, LicenseCounter
from licenses.ordering import Order
from licenses.services import void_license
from registry import flows
from registry.access import BadInput, Refused
from registry.models import Letter
from tests.factories import (
    AccountHolderFactory,
    DecisionFactory,
    LicenseFactory,
    OrganizationFactory,
    RoleGrantFactory,
    days_ago,
)
from tests.licenses.test_granting import DENY, GRANT, recommended

pytestmark = [pytest.mark.race, pytest.mark.django_db(transaction=True)]


def at_once(*acts: Callable[[], Any]) -> list[Any]:
    """Run the acts in threads of their own, together; what each gave, or raised."""
    gate, told = threading.Barrier(len(acts)), [None] * len(acts)

    def run(number: int, act: Callable[[], Any]) -> None:
        try:
            gate.wait()
            told[number] = act()
        except Exception as error:
            told[number] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return told


def test_two_administrators_at_once_give_one_decision(ada, clerk, ivan, adam):
    other = RoleGrantFactory(role="administrator").user
    for _round in range(5):
        body = OrganizationFactory(kind="charitable")
        application = recommended(AccountHolderFactory(organization=body), clerk, ivan)

        told = at_once(
            lambda row=application: flows.decide_application(adam, row, GRANT),
            lambda row=application: flows.decide_application(other, row, DENY),
        )

        refused = [one for one in told if isinstance(one, Refused)]
        decided = [one for one in told if isinstance(one, Decision)]
        assert (len(decided), len(refused)) == (1, 1), told
        assert "has decided already" in refused[0].message
        assert Letter.objects.filter(organization=body, kind__startswith="decision").count() == 1

    assert License.objects.count() == Decision.objects.filter(kind="grant").count()


def test_eight_at_once_begin_one_application(ada):
    def begin() -> Application:
        return start_application(ada.user, ada.organization, license_class="A")

    told = at_once(*[begin] * 8)

    assert {one.number for one in told} == {Application.objects.get().number}


def test_numbers_given_at_once_have_no_gap_and_no_double():
    holders = [
        AccountHolderFactory(organization=OrganizationFactory(kind="charitable")) for _ in range(8)
    ]

    told = at_once(
        *[
            lambda one=one: start_application(one.user, one.organization, license_class="A")
            for one in holders
        ]
    )

    numbers = sorted(row.number for row in told)
    last = LicenseCounter.objects.get(license_class="F").last
    assert [int(number[-4:]) for number in numbers] == list(range(last - 7, last + 1))


def test_of_two_who_save_a_step_at_once_one_is_told(ada):
    application = start_application(ada.user, ada.organization, license_class="A")

    told = at_once(
        lambda: save_step(ada.user, application, "bank", {"bank": "One"}, revision=0),
        lambda: save_step(ada.user, application, "bank", {"bank": "Two"}, revision=0),
    )

    assert sorted(type(one).__name__ for one in told) == ["ApplicationStep", "StaleStep"]


def test_two_administrators_who_order_the_same_at_once_order_it_once(adam):
    other = RoleGrantFactory(role="administrator").user
    license_ = LicenseFactory()
    wanted = Order(
        "suspend",
        starts_on=days_ago(0),
        grounds=[Found("records", "No game sheets")],
        reason="Records are missing.",
        route=Route(days=20, source="Resolution 26-114"),
        readings=[STAY],
    )

    told = at_once(
        lambda: flows.order(adam, license_, wanted),
        lambda: flows.order(other, license_, wanted),
    )

    refused = [one for one in told if isinstance(one, BadInput)]
    assert (len(refused), Decision.objects.count(), Letter.objects.count()) == (1, 1, 1), told


def test_two_clerks_who_record_an_appeal_at_once_record_it_once(clerk):
    other = RoleGrantFactory(role="clerk").user
    decision = DecisionFactory()
    filing = Filing(decision.decided_on)

    told = at_once(
        lambda: file_appeal(clerk, decision, filing),
        lambda: file_appeal(other, decision, filing),
    )

    refused = [one for one in told if isinstance(one, BadInput)]
    assert (len(refused), decision.appeals.count()) == (1, 1), told


def test_a_license_is_not_taken_out_while_its_renewal_is_begun(ada, clerk):
    license_ = LicenseFactory(organization=ada.organization, expires_on=days_ago(-30))

    told = at_once(
        lambda: void_license(clerk, license_, reason="Typo"),
        lambda: start_application(
            ada.user, ada.organization, license_class="A", prior=License.objects.get()
        ),
    )

    license_.refresh_from_db()
    began = Application.objects.filter(prior=license_).exists()
    assert not (license_.voided_at and began), told
