"""Nobody writes without saying who, and nobody rewrites the past."""

from __future__ import annotations

import threading
from datetime import date

import psycopg
import pytest
from django.db import DatabaseError, IntegrityError, ProgrammingError, connection, transaction

from registry.history import Act, AlreadyDone, NoActor, System, acting, pressed
from registry.models import Organization, Person, User
from tests.factories import OrganizationFactory, PersonFactory, UserFactory
from volunteers.models import Membership

pytestmark = pytest.mark.django_db

NEW = {"name": "Heron House", "slug": "heron-house", "kind": "charitable"}
INSERT = (
    "INSERT INTO registry_person (number, full_name, given_name, family_name)"
    " VALUES ('P-AAAAAA', 'Somebody', '', '')"
)


def write_orm() -> None:
    Person.objects.create(full_name="Somebody", number="P-AAAAAA")


def write_bulk() -> None:
    Person.objects.bulk_create([Person(full_name="Somebody", number="P-AAAAAA")])


def write_sql() -> None:
    with connection.cursor() as cursor:
        cursor.execute(INSERT)


def write_copy() -> None:
    with connection.cursor() as cursor:
        copy = "COPY registry_person (number, full_name, given_name, family_name) FROM STDIN"
        with cursor.copy(copy) as rows:
            rows.write_row(("P-AAAAAA", "Somebody", "", ""))


WAYS = [write_orm, write_bulk, write_sql, write_copy]


@pytest.mark.parametrize("write", WAYS)
def test_a_write_without_an_act_is_refused(write) -> None:
    refusals = (DatabaseError, psycopg.errors.CheckViolation)
    with pytest.raises(refusals, match="no act stands behind"), transaction.atomic():
        write()

    assert not Person.objects.filter(number="P-AAAAAA").exists()


@pytest.mark.parametrize("write", WAYS)
def test_a_write_inside_an_act_is_kept_with_the_act(write) -> None:
    with acting(UserFactory(), "person.registered") as act:
        write()

    events = Person.pgh_event_model.objects.filter(number="P-AAAAAA")
    assert [(row.pgh_label, row.pgh_context_id) for row in events] == [("insert", act.pk)]


def test_an_update_without_an_act_is_refused_and_with_one_keeps_both_values() -> None:
    person = PersonFactory(full_name="Before")

    with pytest.raises(DatabaseError, match="no act"), transaction.atomic():
        Person.objects.filter(pk=person.pk).update(full_name="After")
    with acting(UserFactory(), "person.corrected"):
        Person.objects.filter(pk=person.pk).update(full_name="After")

    events = Person.pgh_event_model.objects.filter(pgh_obj=person).order_by("pgh_id")
    assert [row.full_name for row in events] == ["Before", "After"]


def test_an_act_that_is_over_covers_no_later_write() -> None:
    with acting(UserFactory(), "person.registered"):
        PersonFactory()

    with pytest.raises(DatabaseError, match="no act"), transaction.atomic():
        write_orm()


@pytest.mark.django_db(transaction=True)
def test_an_act_of_one_connection_covers_no_write_of_another() -> None:
    said: list[BaseException] = []

    def other() -> None:
        try:
            write_orm()
        except DatabaseError as error:
            said.append(error)
        finally:
            connection.close()

    with acting(UserFactory(), "person.registered"):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()

    assert "no act stands behind" in str(said[0])


def test_an_act_needs_somebody_who_acts() -> None:
    with pytest.raises(NoActor), acting(None, "person.registered"):
        pass
    with pytest.raises(NoActor), acting(User(email="not@saved.org"), "person.registered"):
        pass

    assert Act.objects.count() == 0


def test_acts_nest_and_the_inner_one_names_the_outer() -> None:
    user = UserFactory()

    with acting(user, "outer") as outer:
        with acting(user, "inner") as inner:
            first = PersonFactory()
        second = PersonFactory()

    assert inner.part_of_id == outer.pk
    assert first.pk != second.pk


def test_an_inner_act_that_fails_leaves_the_outer_one_in_charge() -> None:
    user = UserFactory()

    with acting(user, "outer") as outer:
        with pytest.raises(ValueError, match="stop"), acting(user, "inner"):
            raise ValueError("stop")
        write_orm()

    event = Person.pgh_event_model.objects.get(number="P-AAAAAA")
    assert event.pgh_context_id == outer.pk
    assert list(Act.objects.filter(verb="inner")) == []


def test_a_form_pressed_twice_finds_what_the_first_press_did() -> None:
    from uuid import uuid4

    user, token = UserFactory(), uuid4()
    with pressed(token), acting(user, "person.registered") as first:
        write_orm()

    with pytest.raises(AlreadyDone) as again, pressed(token), acting(user, "person.registered"):
        write_bulk()

    assert again.value.act == first
    assert Person.objects.filter(full_name="Somebody").count() == 1


FORBIDDEN = [
    "UPDATE registry_act SET verb = 'nothing'",
    "DELETE FROM registry_act",
    "TRUNCATE registry_act CASCADE",
    "UPDATE registry_personevent SET full_name = 'Nobody'",
    "DELETE FROM registry_personevent",
    "TRUNCATE registry_personevent",
    "INSERT INTO registry_personevent SELECT * FROM registry_personevent",
    "DROP TABLE registry_personevent",
    "DELETE FROM registry_person",
    "TRUNCATE registry_person CASCADE",
    "UPDATE registry_limit SET organizations_per_person = 99",
    "ALTER TABLE registry_person DISABLE TRIGGER ALL",
    "SET session_replication_role = replica",
    "SET ROLE bonafide_owner",
    "CREATE TABLE public.mine (id int)",
    "CREATE TEMPORARY TABLE registry_act (id uuid)",
    "CREATE FUNCTION public.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "DROP FUNCTION registry_require_act(name)",
]


@pytest.mark.parametrize("statement", FORBIDDEN)
def test_the_application_cannot_touch_the_past_or_the_guards(statement: str) -> None:
    PersonFactory()

    with (
        acting(UserFactory(), "tampering"),
        pytest.raises((ProgrammingError, IntegrityError, DatabaseError)) as refused,
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)

    assert refused.value.__cause__.sqlstate == "42501"


def test_the_switch_that_would_silence_triggers_does_nothing() -> None:
    with (
        pytest.raises(DatabaseError, match="no act"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(
            "SELECT set_config('pgtrigger.ignore', '{registry_person:require_actor}', true)"
        )
        cursor.execute(INSERT)


def test_a_password_is_neither_an_act_nor_in_the_history() -> None:
    user = UserFactory()
    before = User.pgh_event_model.objects.count()

    user.set_password("another horse")
    user.save(update_fields=["password"])

    assert User.pgh_event_model.objects.count() == before
    assert "password" not in {field.name for field in User.pgh_event_model._meta.fields}


def test_another_address_needs_an_act() -> None:
    user = UserFactory()
    user.email = "new@example.org"

    with pytest.raises(DatabaseError, match="no act"), transaction.atomic():
        user.save()


def test_an_act_of_the_system_is_only_for_known_actors() -> None:
    with acting(System.NIGHTLY, "swept") as act:
        OrganizationFactory(**NEW)

    assert (act.by, act.by_name) == (None, "system: nightly")
    with pytest.raises(IntegrityError), transaction.atomic():
        Act.objects.create(by=None, by_name="nobody", verb="swept")


def test_the_name_stays_in_the_history_when_the_user_changes_it() -> None:
    user = UserFactory(name="Cleo Park", email="cleo@example.org")
    with acting(user, "person.registered") as act:
        pass
    with acting(user, "user.renamed"):
        user.name = "Cleo Stone"
        user.save()

    assert Act.objects.get(pk=act.pk).by_name == "Cleo Park <cleo@example.org>"


def test_rows_of_one_act_hang_together_across_tables() -> None:
    person, organization = PersonFactory(), OrganizationFactory()
    with acting(UserFactory(), "member.enrolled") as act:
        organization.city = "Zephyrhills"
        organization.save()
        Membership.objects.create(
            person=person,
            organization=organization,
            kind="regular",
            starts_on=date(2026, 1, 1),
            name_stated="x",
        )

    assert Organization.pgh_event_model.objects.filter(pgh_context_id=act.pk).count() == 1
    assert Membership.pgh_event_model.objects.filter(pgh_context_id=act.pk).count() == 1
