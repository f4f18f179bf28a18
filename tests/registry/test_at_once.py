"""Two clerks at the same moment, on one row or for one name: each gets an answer, none an error."""

from __future__ import annotations

import pytest
from django.utils import timezone

from licenses.models import Exemption
from licenses.services import ExemptionEntry, end_interest, record_exemption
from registry.access import BadInput, Capability, Refused
from registry.history import Act
from registry.models import Organization
from registry.offices import end_holder, end_role
from registry.services import OrganizationEntry, close_work_item, found_organization, void
from tests.factories import (
    AccountHolderFactory,
    LessorInterestFactory,
    OrganizationFactory,
    RoleGrantFactory,
    WorkItemFactory,
    days_ago,
)
from tests.test_constraints import at_once


def two(role: str = "clerk"):
    return RoleGrantFactory(role=role).user, RoleGrantFactory(role=role).user


@pytest.mark.django_db(transaction=True)
def test_two_organizations_of_one_name_entered_at_once_get_two_addresses() -> None:
    entry = OrganizationEntry("Gulf Reef Club", "charitable")

    at_once(*[lambda by=by: found_organization(by, entry) for by in two()])

    slugs = Organization.objects.order_by("slug").values_list("slug", flat=True)
    assert list(slugs) == ["gulf-reef-club", "gulf-reef-club-2"]


@pytest.mark.django_db(transaction=True)
def test_of_two_exemptions_recorded_at_once_the_later_stands() -> None:
    post = OrganizationFactory()
    entry = ExemptionEntry("501(c)(19)")

    made = at_once(*[lambda by=by: record_exemption(by, post, entry) for by in two()])

    assert [type(one) for one in made] == [Exemption, Exemption]
    assert Exemption.objects.standing().count() == 1


@pytest.mark.django_db
def test_what_a_colleague_closed_meanwhile_keeps_his_words() -> None:
    (one, other), item = two(), WorkItemFactory()
    seen_before = type(item).objects.get(pk=item.pk)
    close_work_item(one, item, outcome="They are two people.")

    with pytest.raises(BadInput) as told:
        close_work_item(other, seen_before, outcome="The same.")

    item.refresh_from_db()
    assert (told.value.field, item.outcome) == ("outcome", "They are two people.")
    assert Act.objects.filter(verb="work.closed").count() == 1


@pytest.mark.django_db
def test_what_a_colleague_took_out_meanwhile_is_neither_ended_nor_taken_out_again() -> None:
    (one, other), tie = two(), LessorInterestFactory()
    seen_before = type(tie).objects.get(pk=tie.pk)
    void(one, tie, reason="Wrong person.", capability=Capability.KEEP_PEOPLE)

    with pytest.raises(Refused):
        void(other, seen_before, reason="Typo.", capability=Capability.KEEP_PEOPLE)
    with pytest.raises(Refused):
        end_interest(other, seen_before, last_day=days_ago(0))

    tie.refresh_from_db()
    assert (tie.void_reason, tie.ends_on) == ("Wrong person.", None)


@pytest.mark.django_db
def test_an_office_or_account_is_never_ended_later_than_it_ends() -> None:
    sam, today = RoleGrantFactory(role="supervisor").user, timezone.localdate()
    RoleGrantFactory(role="supervisor")
    office = RoleGrantFactory(user=sam, role="administrator", ends_on=today)
    account = AccountHolderFactory(user=sam, ends_on=days_ago(1))

    with pytest.raises(BadInput):
        end_role(sam, office, last_day=days_ago(-300))
    with pytest.raises(BadInput):
        end_holder(sam, account, last_day=days_ago(-300))

    office.refresh_from_db()
    account.refresh_from_db()
    assert (office.ends_on, account.ends_on) == (today, days_ago(1))
