"""Tags as acts: one good one an approval, replaced when lost or when its print is out of date."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from registry.history import Act, System, acting
from tests.factories import (
    AccountHolderFactory,
    AssignmentFactory,
    LicensedFactory,
    NameTagFactory,
    RoleGrantFactory,
    SanctionFactory,
    SuspensionFactory,
    UserFactory,
    WorkerFactory,
    days_ago,
)
from volunteers.models import NameTag
from volunteers.tagging import (
    TagState,
    check_numbered,
    check_tag,
    issue_tags,
    plan_tags,
    replace_lost_tag,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada():
    """An officer of a licensed organization."""
    return AccountHolderFactory()


def worker(organization, **more):
    """A cleared and approved worker's approval."""
    membership = WorkerFactory(organization=organization, **more)
    return AssignmentFactory(person=membership.person, organization=organization)


def names(rows) -> list[str]:
    return sorted(row.membership.name_stated for row in rows)


def test_only_those_cleared_and_approved_get_a_tag_and_each_other_is_left_out(ada) -> None:
    here = ada.organization
    worker(here, person__full_name="Cleared")
    WorkerFactory(organization=here, person__full_name="Not approved")
    WorkerFactory(organization=here, person__full_name="Too new", starts_on=days_ago(29))
    WorkerFactory(organization=here, person__full_name="Only bingo", activity=False)
    WorkerFactory(organization=here, person__full_name="Young", person__born_on=days_ago(6000))
    suspended = WorkerFactory(organization=here, person__full_name="Suspended")
    SuspensionFactory(person=suspended.person, organization=here)

    plan = plan_tags(ada.user, here, timezone.localdate())

    assert names(plan.ready) == ["Cleared"]
    assert names(plan.left_out) == ["Not approved", "Only bingo", "Suspended", "Too new", "Young"]


def test_printing_again_gives_the_same_tags(ada) -> None:
    rows = [worker(ada.organization) for _ in range(3)]
    today = timezone.localdate()

    first = issue_tags(ada.user, ada.organization, rows, on=today)
    again = issue_tags(ada.user, ada.organization, rows, on=today)

    assert [tag.pk for tag in first] == [tag.pk for tag in again]
    assert Act.objects.filter(verb="tags.printed").count() == 2


def test_a_new_name_makes_a_new_tag_and_the_old_one_answers_replaced(ada) -> None:
    row, today = worker(ada.organization), timezone.localdate()
    old = issue_tags(ada.user, ada.organization, [row], on=today)[0]
    with acting(System.SET_UP, "test.renamed"):
        row.person.full_name = "Mary Quinn-Reyes"
        row.person.save()

    assert check_tag(old.token, today).state is TagState.NOT_GOOD
    new = issue_tags(ada.user, ada.organization, [row], on=today)[0]

    assert (new.name, new.pk == old.pk) == ("Mary Quinn-Reyes", False)
    assert check_tag(old.token, today).state is TagState.REPLACED
    assert check_tag(new.token, today).state is TagState.GOOD


def test_a_lost_tag_is_replaced_once_however_often_the_button_is_pressed(ada) -> None:
    old = NameTagFactory(assignment=worker(ada.organization))

    first = replace_lost_tag(ada.user, old, reason="lost at the fair")
    second = replace_lost_tag(ada.user, old, reason="lost at the fair")

    assert first.pk == second.pk
    assert NameTag.objects.filter(assignment=old.assignment, replaced_at=None).count() == 1
    assert check_tag(old.token, timezone.localdate()).state is TagState.REPLACED


def test_a_tag_is_good_only_while_the_register_would_clear_its_wearer(ada) -> None:
    row, today = worker(ada.organization), timezone.localdate()
    tag = NameTagFactory(assignment=row)
    assert check_tag(tag.token, today).state is TagState.GOOD

    SanctionFactory(license=ada.organization.licenses.get())

    assert check_tag(tag.token, today).state is TagState.NOT_GOOD
    assert check_tag(tag.token, row.ends_on + timedelta(days=1)).state is TagState.NOT_GOOD


def test_unknown_codes_look_alike_and_small_letters_are_read() -> None:
    tag = NameTagFactory(assignment=worker(LicensedFactory()))
    today = timezone.localdate()

    answers = [check_tag(token, today) for token in ("", "x", "0" * 32, tag.token[:-1])]

    assert {(a.state, a.tag) for a in answers} == {(TagState.UNKNOWN, None)}
    assert check_tag(tag.token.lower(), today).state is TagState.GOOD


@pytest.mark.parametrize("text", ["", "abc", "-1", "99999999999999999999", "١٢٣"])
def test_a_number_that_is_none_is_an_unknown_tag(text: str) -> None:
    assert check_numbered(text, timezone.localdate()) is TagState.UNKNOWN


def test_a_number_tells_the_state_with_leading_zeros_or_none() -> None:
    tag = NameTagFactory(assignment=worker(LicensedFactory()), number=731)
    today = timezone.localdate()

    assert [check_numbered(t, today) for t in ("731", "000731", "#731")] == [TagState.GOOD] * 3
    assert str(tag) == "000731"


def test_another_organization_prints_nothing_here(ada) -> None:
    stranger = AccountHolderFactory().user
    row = worker(ada.organization)

    with pytest.raises(PermissionDenied):
        issue_tags(stranger, ada.organization, [row], on=timezone.localdate())
    with pytest.raises(PermissionDenied):
        issue_tags(UserFactory(), ada.organization, [row], on=timezone.localdate())

    assert NameTag.objects.count() == 0


def test_a_clerk_prints_for_any_organization() -> None:
    organization, clerk = LicensedFactory(), RoleGrantFactory().user

    made = issue_tags(clerk, organization, [worker(organization)], on=timezone.localdate())

    assert len(made) == 1
