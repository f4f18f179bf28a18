"""The print page, the scan page, and the command behind the same door."""

from __future__ import annotations

import io
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pypdf import PdfReader

from registry.history import Act
from tests.factories import (
    AccountHolderFactory,
    AssignmentFactory,
    NameTagFactory,
    RoleGrantFactory,
    WorkerFactory,
    days_ago,
)
from volunteers.models import NameTag

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _address(settings) -> None:
    settings.PUBLIC_ADDRESS = "https://bingo.example.gov"


@pytest.fixture
def ada():
    return AccountHolderFactory()


@pytest.fixture
def client(ada) -> Client:
    signed_in = Client()
    signed_in.force_login(ada.user)
    return signed_in


def worker(organization, name: str = "Mary Quinn"):
    membership = WorkerFactory(organization=organization, person__full_name=name)
    return AssignmentFactory(person=membership.person, organization=organization)


def page(organization) -> str:
    return reverse("tags_print", args=[organization.slug])


def sent(*rows, **more) -> dict[str, object]:
    today = timezone.localdate().isoformat()
    return {"on": today, "people": [r.pk for r in rows], "start": 1, "token": uuid4(), **more}


def text_of(response) -> str:
    pages = PdfReader(io.BytesIO(response.content)).pages
    return " ".join(" ".join(p.extract_text() for p in pages).split())


def test_the_page_offers_the_cleared_and_names_the_others_with_the_reason(ada, client) -> None:
    worker(ada.organization)
    WorkerFactory(
        organization=ada.organization, person__full_name="Søren Ågård", starts_on=days_ago(29)
    )

    text = client.get(page(ada.organization)).content.decode()

    assert "1 tag can be printed for this day." in text
    assert "Søren Ågård" in text
    assert "29 of 30 days" in text


def test_the_button_gives_the_paper_and_the_print_is_in_the_history(ada, client) -> None:
    row = worker(ada.organization)

    response = client.post(page(ada.organization), sent(row))

    assert (response.status_code, response["Content-Type"]) == (200, "application/pdf")
    assert "Mary Quinn" in text_of(response)
    assert ada.organization.name in text_of(response)
    assert Act.objects.filter(verb="tags.printed", by=ada.user).count() == 1


def test_a_second_press_prints_the_same_tags_and_makes_none(ada, client) -> None:
    form = sent(worker(ada.organization))

    first = client.post(page(ada.organization), form)
    second = client.post(page(ada.organization), form)

    assert first.content == second.content
    assert NameTag.objects.count() == 1


def test_somebody_elses_worker_cannot_be_slipped_into_the_form(ada, client) -> None:
    mine, stranger = worker(ada.organization), worker(AccountHolderFactory().organization)

    response = client.post(page(ada.organization), sent(mine, stranger))

    assert response.status_code == 422
    assert NameTag.objects.count() == 0


def test_a_name_that_does_not_fit_is_to_be_mended_and_the_others_print(ada, client) -> None:
    worker(ada.organization, "A" * 200)
    good = worker(ada.organization)

    text = client.get(page(ada.organization)).content.decode()
    response = client.post(page(ada.organization), sent(good))

    assert "does not fit at 18 points" in text
    assert response.status_code == 200


def test_without_a_public_address_the_tags_carry_no_code(ada, client, settings) -> None:
    settings.PUBLIC_ADDRESS = ""
    row = worker(ada.organization)

    text = client.get(page(ada.organization)).content.decode()
    document = client.post(page(ada.organization), sent(row)).content

    assert "printed without a code" in text
    assert list(PdfReader(io.BytesIO(document)).pages[0].images) == []


def test_blank_tags_and_a_replaced_one(ada, client) -> None:
    tag = NameTagFactory(assignment=worker(ada.organization))

    blank = client.post(
        reverse("tags_blank", args=[ada.organization.slug]), {"count": 7, "token": uuid4()}
    )
    replaced = client.post(
        reverse("tag_replace", args=[ada.organization.slug, tag.pk]), {"token": uuid4()}
    )

    assert len(PdfReader(io.BytesIO(blank.content)).pages) == 2
    assert replaced["Location"] == f"{page(ada.organization)}?only={tag.assignment_id}"
    tag.refresh_from_db()
    assert tag.replaced_at is not None


@pytest.mark.parametrize(
    ("day", "sentence"), [("31/31/2026", "31/31/2026"), ("1/1/2000", "cannot be judged")]
)
def test_a_day_that_cannot_be_shows_today_and_says_why(day, sentence, ada, client) -> None:
    response = client.get(page(ada.organization), {"on": day})

    assert response.status_code == 200
    assert sentence in response.content.decode()
    assert response.context["on"] == timezone.localdate()


@pytest.mark.parametrize("people", [1, 3])
def test_the_page_takes_the_same_queries_for_one_and_for_three(
    people: int, ada, client, django_assert_max_num_queries
) -> None:
    for _ in range(people):
        worker(ada.organization)
    client.get(page(ada.organization))

    with django_assert_max_num_queries(32):
        client.get(page(ada.organization))


def scan(token: str, client: Client | None = None):
    return (client or Client()).get(f"/T/{token}")


def test_a_good_tag_shows_name_and_organization_and_no_reasons(ada) -> None:
    tag = NameTagFactory(assignment=worker(ada.organization))

    response = scan(tag.token)
    text = response.content.decode()

    assert "Good today" in text
    assert "Mary Quinn" in text
    assert "§ 10-63(12)" not in text
    assert response["X-Robots-Tag"] == "noindex"
    assert "no-store" in response["Cache-Control"]


def test_a_tag_that_is_not_good_shows_no_name(ada) -> None:
    row = worker(ada.organization)
    tag = NameTagFactory(assignment=row, name="Printed Otherwise")

    text = scan(tag.token).content.decode()

    assert "Not good today" in text
    assert "Printed Otherwise" not in text
    assert "Mary Quinn" not in text


def test_unknown_tokens_give_one_and_the_same_page() -> None:
    pages = {scan(token).status_code for token in ("0" * 32, "x", "A" * 300)}

    assert pages == {200}
    assert "Unknown tag" in scan("x").content.decode()


def test_a_regulator_reads_the_reasons_too(ada) -> None:
    tag = NameTagFactory(assignment=worker(ada.organization))
    clerk = Client()
    clerk.force_login(RoleGrantFactory().user)

    text = scan(tag.token, clerk).content.decode()

    assert "30 days" in text
    assert tag.assignment.person.number in text


def test_one_address_that_asks_too_often_is_told_to_wait(settings) -> None:
    settings.PUBLIC_PAGES_A_MINUTE = {"scan": 3}

    answers = [scan("x").status_code for _ in range(5)]

    assert sorted(answers) == [200, 200, 200, 429, 429]


def run(*arguments: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command("print_tags", *arguments, stdout=out, stderr=err)
    except SystemExit as left:
        return int(left.code or 0), out.getvalue(), err.getvalue()
    return 0, out.getvalue(), err.getvalue()


def test_the_command_prints_nothing_for_an_officer_of_another_organization(ada, tmp_path) -> None:
    worker(ada.organization)
    stranger = AccountHolderFactory().user
    given = ["--organization", ada.organization.slug, "--output", str(tmp_path / "x.pdf")]

    code, _out, err = run(*given, "--as", stranger.email)

    assert code == 2
    assert err.startswith("Your role does not include this")
    assert NameTag.objects.count() == 0


def test_the_command_writes_the_paper_and_names_those_left_out(ada, tmp_path: Path) -> None:
    worker(ada.organization)
    WorkerFactory(organization=ada.organization, person__full_name="Too New", starts_on=days_ago(3))
    target = tmp_path / "tags.pdf"

    code, out, _err = run(
        "--organization", ada.organization.slug, "--output", str(target), "--as", ada.user.email
    )

    assert code == 0
    assert "no tag: Too New: " in out
    assert f"1 tags written to {target}" in out
    assert target.read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--organization", "nowhere"], "No organization has the address name 'nowhere'"),
        (["--as", "nobody@example.org"], "Nobody signs in as 'nobody@example.org'"),
        (["--output", "/nowhere/at/all.pdf"], "choose a folder that is there and yours"),
        (["--on", "2000-01-01"], "cannot be judged: ask about a later day."),
    ],
)
def test_the_command_says_in_one_sentence_what_is_wrong(
    arguments: list[str], sentence: str, ada, tmp_path: Path
) -> None:
    given = ["--organization", ada.organization.slug, "--output", str(tmp_path / "x.pdf")]

    code, _out, err = run(*given, *arguments)

    assert code == 2
    assert sentence in err
    assert not (tmp_path / "x.pdf").exists()
