"""A roster taken away as a file and dropped again: nothing has changed."""

from __future__ import annotations

from datetime import date

import pytest
from django.utils import timezone

from tests.factories import (
    AccountHolderFactory,
    ActivityFactory,
    AddressFactory,
    LicensedFactory,
    MembershipFactory,
    PersonFactory,
    UserFactory,
    WorkerFactory,
    days_ago,
)
from volunteers.comparing import Status
from volunteers.imports import judge
from volunteers.readers import Choices

pytestmark = pytest.mark.django_db
TRICKY = [
    "-Dash Demo",
    "=1+1 Sample",
    "@SUM(1+1)*cmd",
    "'Quoted Prueba",
    "Łukasz Żółć-Przykład",
    "王小明",
    "عبد الرحمن بن مثال",
    'Pat "Bo" Sample, Jr.',
]


@pytest.fixture
def post():
    return LicensedFactory(name="Marsh Lantern Post 1", slug="marsh-lantern")


@pytest.fixture
def ada(client, post):
    user = AccountHolderFactory(organization=post, user=UserFactory(name="Ada Reyes")).user
    client.force_login(user)
    return user


@pytest.fixture
def roster(post):
    """A roster with everything a roster can hold, a human with two spells among it."""
    for name in TRICKY:
        WorkerFactory(person=PersonFactory(full_name=name), organization=post)
    back = MembershipFactory(
        organization=post, starts_on=days_ago(900), ends_on=days_ago(400), kind="volunteer"
    )
    MembershipFactory(
        organization=post,
        person=back.person,
        starts_on=days_ago(60),
        is_adult_stated=False,
        is_resident_stated=False,
        kind="honorary",
    )
    ActivityFactory(organization=post, person=back.person, done_on=days_ago(500), kind="parade")
    AddressFactory(
        person=back.person,
        stated_by=post,
        street="+1 Cypress Way",
        state="FL",
        postal_code="01069",
    )
    for _namesake in range(2):
        MembershipFactory(
            organization=post,
            person=PersonFactory(full_name="Two of One Name", born_on=None),
            born_on_stated=None,
            starts_on=days_ago(70),
        )
    merged_in = PersonFactory(full_name="Two of One Name", born_on=None, merged_into=back.person)
    MembershipFactory(
        organization=post,
        person=merged_in,
        starts_on=days_ago(390),
        ends_on=days_ago(300),
        born_on_stated=None,
    )
    elsewhere = MembershipFactory(person=back.person)
    ActivityFactory(organization=elsewhere.organization, person=back.person, done_on=days_ago(2))


def taken_away(client, kind):
    response = client.get(f"/organizations/marsh-lantern/people/?export={kind}")
    assert response["Content-Disposition"] == f'attachment; filename="people.{kind}"'
    return b"".join(response.streaming_content if response.streaming else [response.content])


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_a_roster_that_comes_back_unchanged_changes_nothing(client, ada, post, roster, kind):
    content = taken_away(client, kind)

    read = judge(ada, post, (f"people.{kind}", content), Choices(), timezone.localdate())

    assert [question.text for question in read.questions] == []
    assert {row.status for row in read.rows} == {Status.SAME}
    assert len(read.rows) == len(TRICKY) + 5
    assert read.to_enter == 0


def test_a_file_names_each_spell_and_no_birth_date_or_other_organization(client, ada, roster):
    text = taken_away(client, "csv").decode()

    assert text.count("Worker Number") == 2
    assert f"{days_ago(900)},{days_ago(400)}" in text
    assert str(date(1970, 1, 2)) not in text
    assert str(days_ago(2)) not in text


def test_only_the_people_shown_are_taken_away(client, ada, roster):
    response = client.get("/organizations/marsh-lantern/people/?q=zolc&export=csv")
    text = b"".join(response.streaming_content).decode()

    assert [line.partition(",")[0] for line in text.splitlines()[1:]] == ["Łukasz Żółć-Przykład"]
