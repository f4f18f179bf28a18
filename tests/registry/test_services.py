"""Acts on organizations, people, offices and accounts, and what stands in the register after."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from registry.access import BadInput, Capability, Refused
from registry.addresses import AddressEntry, end_address, record_address
from registry.history import Act, System, acting
from registry.models import AccountHolder, Address, Organization, Person, RoleGrant
from registry.offices import end_holder, end_role, grant_role, name_holder
from registry.services import (
    OrganizationEntry,
    PersonEntry,
    change_organization,
    correct_person,
    found_organization,
    lock_person,
    register_person,
    reveal_birth_date,
    void,
)
from tests.factories import (
    AccountHolderFactory,
    LessorInterestFactory,
    OrganizationFactory,
    PersonFactory,
    RoleGrantFactory,
    SanctionFactory,
    UserFactory,
    days_ago,
)

pytestmark = pytest.mark.django_db

POST = OrganizationEntry(
    name="Heron  Lake Post",
    kind="charitable",
    ein="000012345",
    street="4412 Post Road",
    city="Dade City",
    postal_code="33525",
    existing_since=date(1961, 5, 30),
)


@pytest.fixture
def cleo():
    """A clerk."""
    return RoleGrantFactory(user__name="Cleo Park").user


@pytest.fixture
def sam():
    """A supervisor."""
    return RoleGrantFactory(user__name="Sam Okafor", role="supervisor").user


@pytest.fixture
def ivan():
    """An inspector, who keeps nothing."""
    return RoleGrantFactory(role="inspector").user


def refused_on(field, call):
    with pytest.raises(BadInput) as caught:
        call()
    assert caught.value.field == field
    return caught.value.message


def test_an_organization_is_entered_with_its_name_tidied_and_any_prefix_of_ein(cleo) -> None:
    made = found_organization(cleo, POST)

    row = Organization.objects.get(pk=made.pk)
    assert (row.name, row.slug, row.ein) == ("Heron Lake Post", "heron-lake-post", "000012345")
    assert (row.kind, row.city, row.state) == ("charitable", "Dade City", "FL")
    act = Act.objects.get(verb="organization.founded")
    assert (act.by, act.organization) == (cleo, row)


def test_slugs_are_never_shared_nor_the_address_of_a_page(cleo) -> None:
    names = ["Post", "Post", "Post", "New", "王小明", "!!!"]

    slugs = [found_organization(cleo, OrganizationEntry(name, "other")).slug for name in names]

    assert slugs == ["post", "post-2", "post-3", "new-2", "wangxiaoming", "organization"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": "  "}, "name"),
        ({"kind": "sports club"}, "kind"),
        ({"ein": "12345"}, "ein"),
        ({"ein": "１２３４５６７８９"}, "ein"),  # noqa: RUF001 - full-width digits on purpose
        ({"name": "Post of 078-05-1120"}, "name"),
        ({"street": "SSN 078051120"}, "street"),
    ],
)
def test_a_field_that_makes_no_sense_is_named_and_nothing_is_written(cleo, change, field) -> None:
    refused_on(field, lambda: found_organization(cleo, replace(POST, **change)))

    assert not Organization.objects.exists()
    assert not Act.objects.filter(verb="organization.founded").exists()


def test_two_organizations_cannot_have_one_ein(cleo) -> None:
    found_organization(cleo, POST)

    message = refused_on("ein", lambda: found_organization(cleo, replace(POST, name="Other")))

    assert message == "Another organization has this EIN. Look it up by the number before going on."
    assert list(Organization.objects.values_list("name", flat=True)) == ["Heron Lake Post"]


def test_a_change_keeps_the_slug_and_what_stood_there_before(cleo) -> None:
    made = found_organization(cleo, POST)

    change_organization(cleo, made, replace(POST, name="Heron Lake Hall"), reason="New charter.")

    row = Organization.objects.get(pk=made.pk)
    assert (row.name, row.slug) == ("Heron Lake Hall", "heron-lake-post")
    names = list(row.events.order_by("pgh_id").values_list("name", flat=True))
    assert names == ["Heron Lake Post", "Heron Lake Hall"]
    assert Act.objects.get(verb="organization.changed").reason == "New charter."


def test_a_change_without_a_reason_is_refused(cleo) -> None:
    made = found_organization(cleo, POST)

    refused_on("reason", lambda: change_organization(cleo, made, POST, reason=" "))


def test_a_refused_change_leaves_the_object_at_hand_as_it_was(cleo) -> None:
    found_organization(cleo, POST)
    other = found_organization(cleo, OrganizationEntry("Elks", "charitable"))

    refused_on("ein", lambda: change_organization(cleo, other, POST, reason="Typo."))

    assert (other.name, Organization.objects.get(pk=other.pk).name) == ("Elks", "Elks")


def test_who_keeps_no_organizations_enters_and_changes_none(ivan) -> None:
    elks = OrganizationFactory()

    with pytest.raises(PermissionDenied):
        found_organization(ivan, POST)
    with pytest.raises(PermissionDenied):
        change_organization(ivan, elks, POST, reason="Because.")
    assert list(Organization.objects.all()) == [elks]


def test_a_person_is_entered_with_the_name_as_written(cleo) -> None:
    made = register_person(cleo, PersonEntry("  Łukasz\u00a0Żółć ", born_on=date(1949, 11, 30)))

    row = Person.objects.get(pk=made.pk)
    assert (row.full_name, row.born_on) == ("Łukasz Żółć", date(1949, 11, 30))
    assert row.number.startswith("P-")
    assert Act.objects.get(verb="person.registered").person == row


@pytest.mark.parametrize(
    ("entry", "field"),
    [
        (PersonEntry(" "), "full_name"),
        (PersonEntry("Pat 078-05-1120"), "full_name"),
        (PersonEntry("Pat", born_on=date(1826, 1, 1)), "born_on"),
    ],
)
def test_a_person_is_not_entered_without_sense(cleo, entry, field) -> None:
    refused_on(field, lambda: register_person(cleo, entry))

    assert not Person.objects.exists()


def test_nobody_is_born_tomorrow(cleo) -> None:
    entry = PersonEntry("Pat", born_on=days_ago(-1))

    refused_on("born_on", lambda: register_person(cleo, entry))


def test_a_correction_needs_a_reason_and_keeps_both_names(cleo) -> None:
    pat = PersonFactory(full_name="Pat Smaple")
    entry = PersonEntry("Pat Sample", born_on=pat.born_on)

    refused_on("reason", lambda: correct_person(cleo, pat, entry, reason=""))
    correct_person(cleo, pat, entry, reason="Letters swapped.")

    names = list(pat.events.order_by("pgh_id").values_list("full_name", flat=True))
    assert names == ["Pat Smaple", "Pat Sample"]


def test_the_lock_is_taken_on_the_surviving_record() -> None:
    root = PersonFactory()
    joined = PersonFactory(merged_into=PersonFactory(merged_into=root))

    assert lock_person(joined) == root


def test_a_look_at_a_birth_date_is_kept(cleo, ivan) -> None:
    pat = PersonFactory(born_on=date(1970, 1, 2))

    assert reveal_birth_date(cleo, pat) == date(1970, 1, 2)

    act = Act.objects.get(verb="birth_date.revealed")
    assert (act.by, act.person) == (cleo, pat)
    with pytest.raises(PermissionDenied):
        reveal_birth_date(ivan, pat)
    assert Act.objects.filter(verb="birth_date.revealed").count() == 1


HOME = AddressEntry(date(2026, 1, 1), street="1 Lake Road", city="Dade City", state="FL")


def test_the_clerks_own_address_ends_the_day_before_the_next_one(cleo) -> None:
    pat = PersonFactory()
    record_address(cleo, pat, HOME)

    record_address(cleo, pat, replace(HOME, starts_on=date(2026, 3, 1), street="2 Hill Road"))

    rows = list(pat.addresses.order_by("starts_on").values_list("street", "starts_on", "ends_on"))
    assert rows == [
        ("1 Lake Road", date(2026, 1, 1), date(2026, 2, 28)),
        ("2 Hill Road", date(2026, 3, 1), None),
    ]


def test_a_seasonal_address_and_that_of_an_organization_stand_beside_it(cleo) -> None:
    pat, post = PersonFactory(), OrganizationFactory()
    with acting(System.SET_UP, "test.made"):
        Address.objects.create(person=pat, stated_by=post, city="Hudson", starts_on=HOME.starts_on)
    record_address(cleo, pat, HOME)

    winter = replace(HOME, starts_on=date(2026, 11, 1), ends_on=date(2027, 3, 31), is_exempt=True)
    record_address(cleo, pat, winter)

    rows = pat.addresses.order_by("pk").values_list("ends_on", "is_exempt")
    assert list(rows) == [(None, False), (None, False), (date(2027, 3, 31), True)]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"street": "", "city": ""}, "city"),
        ({"ends_on": date(2025, 12, 31)}, "ends_on"),
        ({"street": "SSN 078-05-1120"}, "street"),
    ],
)
def test_an_address_without_sense_is_refused(cleo, change, field) -> None:
    pat = PersonFactory()

    refused_on(field, lambda: record_address(cleo, pat, replace(HOME, **change)))

    assert not Address.objects.exists()


def test_an_earlier_address_is_not_slipped_under_a_later_one(cleo) -> None:
    pat = PersonFactory()
    record_address(cleo, pat, HOME)

    early = replace(HOME, starts_on=date(2025, 1, 1))
    refused_on("starts_on", lambda: record_address(cleo, pat, early))

    assert pat.addresses.count() == 1


def test_an_address_ends_on_a_day_not_before_its_first(cleo) -> None:
    row = record_address(cleo, PersonFactory(), HOME)

    refused_on("last_day", lambda: end_address(cleo, row, last_day=date(2025, 12, 31)))
    end_address(cleo, row, last_day=date(2026, 6, 30))

    row.refresh_from_db()
    assert row.ends_on == date(2026, 6, 30)


def test_what_is_void_stays_with_its_reason_and_counts_for_nothing(cleo) -> None:
    tie = LessorInterestFactory()

    refused_on("reason", lambda: void(cleo, tie, reason="", capability=Capability.KEEP_PEOPLE))
    void(cleo, tie, reason="Wrong person.", capability=Capability.KEEP_PEOPLE)

    tie.refresh_from_db()
    assert (tie.void_reason, tie.voided_at is not None) == ("Wrong person.", True)
    assert not type(tie).objects.standing().exists()
    act = Act.objects.get(verb="lessorinterest.voided")
    assert (act.reason, act.person) == ("Wrong person.", tie.person)


def test_voiding_is_told_under_the_organization_of_the_row(cleo) -> None:
    sanction = SanctionFactory()

    void(cleo, sanction, reason="Typo.", capability=Capability.KEEP_ORGANIZATIONS)

    act = Act.objects.get(verb="sanction.voided")
    assert act.organization == sanction.license.organization


def test_an_office_is_granted_once_and_ended(sam) -> None:
    user, today = UserFactory(), timezone.localdate()

    grant = grant_role(sam, user, "inspector", starts_on=today)

    refused_on("role", lambda: grant_role(sam, user, "inspector", starts_on=days_ago(-9)))
    refused_on("last_day", lambda: end_role(sam, grant, last_day=days_ago(1)))
    end_role(sam, grant, last_day=today)
    assert list(user.grants.values_list("role", "starts_on", "ends_on")) == [
        ("inspector", today, today)
    ]


def test_nobody_gives_himself_an_office_or_an_account(sam, cleo) -> None:
    post = OrganizationFactory()

    with pytest.raises(Refused):
        grant_role(sam, sam, "administrator", starts_on=timezone.localdate())
    with pytest.raises(Refused):
        name_holder(cleo, cleo, post, starts_on=timezone.localdate())

    assert not RoleGrant.objects.filter(role="administrator").exists()
    assert not AccountHolder.objects.exists()


def test_the_last_supervisor_stays(sam) -> None:
    grant = sam.grants.get()

    message = refused_on("last_day", lambda: end_role(sam, grant, last_day=timezone.localdate()))

    assert message == "This is the last supervisor. Grant the office to somebody else first."
    RoleGrantFactory(role="supervisor")
    end_role(sam, grant, last_day=timezone.localdate())
    grant.refresh_from_db()
    assert grant.ends_on == timezone.localdate()


def test_a_clerk_grants_no_office(cleo) -> None:
    grant = RoleGrantFactory(role="inspector")

    with pytest.raises(PermissionDenied):
        grant_role(cleo, UserFactory(), "clerk", starts_on=timezone.localdate())
    with pytest.raises(PermissionDenied):
        end_role(cleo, grant, last_day=timezone.localdate())


def test_an_account_holder_is_named_once_and_ended_by_a_clerk(cleo) -> None:
    post, ada, today = OrganizationFactory(), UserFactory(), timezone.localdate()

    holder = name_holder(cleo, ada, post, starts_on=days_ago(3))

    refused_on("email", lambda: name_holder(cleo, ada, post, starts_on=today))
    end_holder(cleo, holder, last_day=today)
    rows = AccountHolder.objects.values_list("user", "organization", "starts_on", "ends_on")
    assert list(rows) == [(ada.pk, post.pk, days_ago(3), today)]
    told = list(Act.objects.filter(organization=post).order_by("at").values_list("verb", flat=True))
    assert told[-2:] == ["holder.named", "holder.ended"]


def test_an_account_holder_names_no_other(ivan) -> None:
    holder = AccountHolderFactory()

    for by in (holder.user, ivan):
        with pytest.raises(PermissionDenied):
            name_holder(by, UserFactory(), holder.organization, starts_on=days_ago(0))
        with pytest.raises(PermissionDenied):
            end_holder(by, holder, last_day=days_ago(0))
