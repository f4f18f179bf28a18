"""Long roster files: judged once and entered in the queue, however often one looks or presses."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from registry.history import Act, System, acting
from registry.models import User
from tests.factories import MembershipFactory
from tests.volunteers.test_roster_file_pages import BAD, Desk, good, sit_down
from volunteers import filework
from volunteers.filework import (
    Confirmed,
    enter_long_file,
    read_long_file,
    start_again,
    start_entering,
    start_reading,
)
from volunteers.jobs import DEAD, FORGOTTEN, is_lost
from volunteers.models import FileJob, FileReading, FileReadingRow, Membership, RosterFile

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _three_rows_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filework, "LONG_ROWS", 2)


@pytest.fixture
def idle(settings: Any) -> None:
    """The real queue, and no worker at it."""
    settings.TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}


@pytest.fixture
def desk() -> Desk:
    return sit_down()


ROWS = (good("Pat", duty="caller"), good("Lee", 20), BAD)


def test_a_long_file_is_judged_once_and_shown_from_what_was_kept(desk: Desk) -> None:
    file = desk.read(*ROWS)

    first = desk.client.get(desk.at("check", file))
    waited = desk.client.get(first["Location"])
    page = desk.client.get(desk.at("check", file, "?show=all"))
    desk.client.get(desk.at("check", file, "?show=new"))

    assert first["Location"] == desk.at("progress", file)
    assert waited["Location"] == desk.at("check", file)
    shown = [(row.name, row.number, row.status_word) for row in page.context["table"].records]
    assert shown == [
        ("Kim Demo", 4, "Refused"),
        ("Pat Sample", 2, "New"),
        ("Lee Sample", 3, "New"),
    ]
    assert [job.state for job in FileJob.objects.all()] == ["done"]


def test_a_kept_row_reads_as_one_that_was_judged_just_now(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = desk.read(*ROWS)
    url = desk.at("check", file, "?show=all")
    desk.client.get(url)
    kept = desk.client.get(url)

    monkeypatch.setattr(filework, "LONG_ROWS", 100)
    fresh = desk.client.get(url)

    assert kept.context["table"].records == fresh.context["table"].records
    assert kept.context["counts"] == fresh.context["counts"]
    assert FileReadingRow.objects.count() == 3


@pytest.mark.parametrize("what", ["roster", "choices", "day", "language"])
def test_what_was_kept_is_thrown_away_when_what_it_rests_on_changes(what: str, desk: Desk) -> None:
    file = desk.read(*ROWS)
    desk.client.get(desk.at("check", file))
    assert desk.client.get(desk.at("check", file)).status_code == 200

    headers = {}
    if what == "roster":
        MembershipFactory(organization=desk.organization, name_stated="Pat Sample")
    elif what == "choices":
        url = desk.at("read", file)
        desk.client.post(url, desk.sent(url, kind="volunteer"))
    elif what == "day":
        FileReading.objects.update(basis="another day")
    else:
        headers = {"HTTP_ACCEPT_LANGUAGE": "es"}

    again = desk.client.get(desk.at("check", file), **headers)

    assert again.get("Location") == desk.at("progress", file)
    assert FileJob.objects.count() == 2


def test_a_change_at_another_organization_throws_nothing_away(desk: Desk) -> None:
    file = desk.read(*ROWS)
    desk.client.get(desk.at("check", file))

    MembershipFactory(name_stated="Pat Sample", person__full_name="Pat Sample")

    assert desk.client.get(desk.at("check", file)).status_code == 200


def test_a_long_file_is_entered_in_the_queue_and_says_what_was_saved(desk: Desk) -> None:
    file = desk.read(*ROWS)
    desk.client.get(desk.at("check", file))
    url = desk.at("enter", file)
    data = desk.sent(url, confirmed="on", good_only="on", duty="seller")

    pressed = desk.client.post(url, data)
    done = desk.client.get(pressed["Location"], follow=True)
    again = desk.client.post(url, data)

    assert pressed["Location"] == desk.at("progress", file)
    assert done.redirect_chain[-1][0] == desk.at("done", file)
    assert "2 people entered, 1 approved." in done.content.decode()
    assert again["Location"] == desk.at("done", file)
    assert sorted(Membership.objects.values_list("name_stated", flat=True)) == [
        "Lee Sample",
        "Pat Sample",
    ]
    act = Act.objects.get(verb="roster.entered")
    assert (act.by, act.data["file"]) == (file.uploaded_by, "roster.csv")


@pytest.mark.usefixtures("idle")
def test_while_it_waits_a_second_press_and_a_second_officer_find_the_first(desk: Desk) -> None:
    file = desk.read(*ROWS)
    other = sit_down(desk.organization, "Bea Other")
    desk.client.get(desk.at("check", file))

    pages = [one.client.get(one.at("check", file), follow=True) for one in (desk, desk, other)]

    assert FileJob.objects.count() == 1
    for page in pages:
        text = page.content.decode()
        assert "Waiting for its turn" in text
        assert "Ada Reyes asked for this" in text
    files = desk.client.get(desk.url()).context["files"]
    assert [line.state for line in files] == ["Waiting for its turn"]


@pytest.mark.usefixtures("idle")
def test_two_officers_who_enter_one_file_at_once_enter_it_once(desk: Desk) -> None:
    file = desk.read(*ROWS)
    by = RosterFile.objects.get().uploaded_by
    other = sit_down(desk.organization, "Bea Other")
    bea = _user(other)
    said = Confirmed()

    first = start_entering(by, file, said, uuid4())
    second = start_entering(bea, file, said, uuid4())
    enter_long_file.func(first.pk)
    enter_long_file.func(first.pk)

    assert first == second
    assert FileJob.objects.get().state == "done"
    assert (Membership.objects.count(), Act.objects.filter(verb="roster.entered").count()) == (2, 1)


@pytest.mark.usefixtures("idle")
def test_nothing_is_entered_that_is_not_what_was_confirmed(desk: Desk) -> None:
    file = desk.read(*ROWS)
    job = start_entering(file.uploaded_by, file, Confirmed(), uuid4())
    MembershipFactory(organization=desk.organization)
    before = Membership.objects.count()

    enter_long_file.func(job.pk)
    page = desk.client.get(desk.at("progress", file))

    job.refresh_from_db()
    assert (job.state, Membership.objects.count()) == ("failed", before)
    assert "has changed: look at the rows again, then confirm." in page.content.decode()
    assert "Start it again" not in page.content.decode()


@pytest.mark.usefixtures("idle")
def test_a_dead_workers_job_is_found_and_started_again_without_entering_twice(desk: Desk) -> None:
    file = desk.read(*ROWS)
    by, token = file.uploaded_by, uuid4()
    dead = start_entering(by, file, Confirmed(), token)
    FileJob.objects.update(state="running", beat_at=timezone.now() - 2 * DEAD)

    page = desk.client.get(desk.at("progress", file))
    desk.client.post(desk.at("progress", file), {})
    fresh = FileJob.objects.latest("pk")
    enter_long_file.func(fresh.pk)
    # The first worker was only slow: it wakes and goes on.
    FileJob.objects.filter(pk=dead.pk).update(state="waiting")
    enter_long_file.func(dead.pk)

    assert "interrupted and nothing of it was entered" in page.content.decode()
    assert (fresh.pk != dead.pk, fresh.arguments == dead.arguments) == (True, True)
    assert (Membership.objects.count(), Act.objects.filter(verb="roster.entered").count()) == (2, 1)
    assert [job.state for job in FileJob.objects.order_by("pk")] == ["done", "done"]


@pytest.mark.usefixtures("idle")
def test_an_error_stops_the_job_with_a_sentence_and_goes_on_to_the_queue(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = desk.read(*ROWS)
    job = start_reading(file.uploaded_by, file)
    monkeypatch.setattr(filework, "understand", None)

    with pytest.raises(TypeError):
        read_long_file.func(job.pk)
    monkeypatch.undo()
    again = start_again(file.uploaded_by, job)
    read_long_file.func(again.pk)

    job.refresh_from_db()
    again.refresh_from_db()
    assert (job.state, again.state, again.pk != job.pk) == ("failed", "done", True)
    assert job.told == ""


@pytest.mark.usefixtures("idle")
def test_who_lost_his_office_meanwhile_enters_nothing(desk: Desk) -> None:
    file = desk.read(*ROWS)
    job = start_entering(file.uploaded_by, file, Confirmed(), uuid4())
    with acting(System.SET_UP, "holder.ended"):
        User.objects.update(is_active=False)

    enter_long_file.func(job.pk)

    job.refresh_from_db()
    assert (job.state, Membership.objects.count()) == ("failed", 0)
    assert job.told.startswith("Your role does not include this")


@pytest.mark.usefixtures("idle")
def test_the_bar_says_how_far_it_is_and_then_loads_the_page_anew(desk: Desk) -> None:
    file = desk.read(*ROWS)
    start_reading(file.uploaded_by, file)
    now = timezone.now()
    FileJob.objects.update(state="running", phase="judge", done=500, total=20_000, beat_at=now)

    part = desk.client.get(desk.at("progress", file, "?part"))
    FileJob.objects.update(state="done")
    over = desk.client.get(desk.at("progress", file, "?part"))

    text = part.content.decode()
    assert 'max="20000" value="500"' in text
    assert "500 of 20,000" in text
    assert "hx-trigger" in text
    assert (over["HX-Refresh"], over.content) == ("true", b"")


@pytest.mark.parametrize(
    ("state", "age", "lost"),
    [
        ("waiting", FORGOTTEN - timedelta(seconds=1), False),
        ("waiting", FORGOTTEN + timedelta(seconds=1), True),
        ("running", DEAD - timedelta(seconds=1), False),
        ("running", DEAD + timedelta(seconds=1), True),
        ("done", timedelta(days=1), False),
        ("failed", timedelta(days=1), False),
    ],
)
def test_a_job_is_lost_when_nobody_took_it_or_its_worker_fell_silent(
    state: str, age: timedelta, *, lost: bool
) -> None:
    now = timezone.now()

    assert is_lost(FileJob(state=state, asked_at=now - age, beat_at=now - age), now) is lost


def test_a_page_of_a_long_file_fetches_its_own_rows_only(
    desk: Desk, django_assert_max_num_queries: Any
) -> None:
    file = desk.read(*(good(f"P{n}") for n in range(130)))
    url = desk.at("check", file, "?show=all&page=2")
    desk.client.get(url)

    with django_assert_max_num_queries(40) as asked:
        page = desk.client.get(url)

    names = [row.name for row in page.context["table"].records]
    assert names == [f"P{n} Sample" for n in range(100, 130)]
    rows = [query["sql"] for query in asked if "volunteers_filereadingrow" in query["sql"]]
    assert rows
    assert [sql for sql in rows if "LIMIT" not in sql] == []


def test_a_page_of_a_long_file_does_not_read_the_file_again(desk: Desk) -> None:
    file = desk.read(*ROWS)
    desk.client.get(desk.at("check", file))
    with acting(System.SET_UP, "test.spoiled"):
        RosterFile.objects.update(content=b"\n" * 10)

    pages = [desk.client.get(desk.at(step, file)) for step in ("check", "enter")]

    assert [page.status_code for page in pages] == [200, 200]


def _user(desk: Desk) -> User:
    return User.objects.get(pk=desk.client.session["_auth_user_id"])
