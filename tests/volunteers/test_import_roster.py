"""manage.py import_roster: the same door as the page, without a trace unless told to commit."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from registry.history import Act
from registry.models import Organization, Person
from tests.factories import (
    AccountHolderFactory,
    LicensedFactory,
    RoleGrantFactory,
    UserFactory,
    days_ago,
)
from volunteers.models import Assignment, Membership, RosterFile

pytestmark = pytest.mark.django_db

HEADER = "First name,Last name,Birth date,Join date,Activity,Activity date,Duty"


def roster(folder: Path, *rows: str, header: str = HEADER, name: str = "roster.csv") -> Path:
    path = folder / name
    path.write_text("\n".join([header, *rows]), encoding="utf-8")
    return path


def good(first: str, days: int = 40) -> str:
    joined, done = days_ago(days).isoformat(), days_ago(min(days, 3)).isoformat()
    return f"{first},Sample,1970-01-02,{joined},meeting,{done},"


def run(path: Path, organization: Organization | str, *options: str) -> tuple[int, str, str]:
    """Exit code, what it printed, and what it complained of."""
    slug = organization if isinstance(organization, str) else organization.slug
    out, err = StringIO(), StringIO()
    try:
        call_command(
            "import_roster", str(path), "--organization", slug, *options, stdout=out, stderr=err
        )
    except SystemExit as stop:
        return int(stop.code or 0), out.getvalue(), err.getvalue().strip()
    return 0, out.getvalue(), err.getvalue().strip()


def told(path: Path, organization: Organization, *options: str) -> tuple[int, Any]:
    code, out, _err = run(path, organization, "--json", *options)
    return code, json.loads(out)


def rows() -> tuple[int, ...]:
    return tuple(m.objects.count() for m in (Person, Membership, RosterFile, Assignment, Act))


def test_without_commit_it_prints_the_whole_judgement_and_saves_nothing(tmp_path: Path) -> None:
    organization = LicensedFactory()
    path = roster(
        tmp_path, good("Pat"), good("Lee", 20), "Kim,Sample,,yesterday,,,", ",,,,,,", good("Pat")
    )
    before = rows()

    code, answer = told(path, organization)

    assert (code, rows()) == (0, before)
    assert {key: value for key, value in answer.items() if key != "rows"} == {
        "encoding": "utf-8",
        "delimiter": ",",
        "sheet": None,
        "header_row": 1,
        "date_order": "ymd",
        "columns": {
            "First name": "given_name",
            "Last name": "family_name",
            "Birth date": "born_on",
            "Join date": "starts_on",
            "Activity": "activity",
            "Activity date": "activity_on",
            "Duty": "duties",
        },
        "counts": {
            "rows": 4,
            "new": 2,
            "same": 0,
            "changed": 0,
            "refused": 2,
            "skipped": 0,
            "cleared": 1,
            "later": 1,
            "missing": 0,
        },
        "questions": [],
    }
    assert answer["rows"][0] == {
        "row": 2,
        "status": "new",
        "values": {
            "given_name": "Pat",
            "family_name": "Sample",
            "born_on": "1970-01-02",
            "starts_on": days_ago(40).isoformat(),
            "activity": "meeting",
            "activity_on": days_ago(3).isoformat(),
            "full_name": "Pat Sample",
        },
        "problems": [],
        "eligible_on": days_ago(0).isoformat(),
    }
    assert answer["rows"][1]["eligible_on"] == days_ago(-10).isoformat()
    assert answer["rows"][2]["problems"] == [
        {
            "column": "Join date",
            "value": "yesterday",
            "reason": (
                "“yesterday” is not a date we can read: write month, day and year, as 11/30/2026."
            ),
        }
    ]
    assert [row["row"] for row in answer["rows"]] == [2, 3, 4, 6]


def test_for_people_it_prints_a_short_table(tmp_path: Path) -> None:
    path = roster(tmp_path, good("Pat"), "Kim,Sample,,yesterday,,,")

    code, out, _err = run(path, LicensedFactory())

    lines = out.splitlines()
    assert code == 0
    assert lines[0] == "2 rows: 1 new, 1 refused"
    assert lines[1].split() == ["2", "new", days_ago(0).isoformat(), "Pat", "Sample"]
    assert lines[2].startswith("     3  refused -           Kim Sample  Join date: “yesterday”")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("%PDF-1.7", "is a PDF file"),
        ("Full name,Mystery\nPat,1/2/2026\n", "No column says since when each person belongs"),
        ("Full name,Join date\nA,12/31/2025\nB,31/12/2025\n", "The dates contradict each other"),
    ],
)
def test_a_refused_file_or_an_open_question_ends_with_2_and_its_reason(
    content: str, reason: str, tmp_path: Path
) -> None:
    path = tmp_path / "roster.csv"
    path.write_text(content, encoding="utf-8")

    code, _out, err = run(path, LicensedFactory(), "--json")

    assert code == 2
    assert reason in err


def test_questions_are_answered_by_options(tmp_path: Path) -> None:
    organization = LicensedFactory()
    rows_ = ["Pat Sample,12/31/2025", "Lee Test,3/4/65"]
    path = roster(tmp_path, *rows_, header="Full name,Mystery")

    code, answer = told(
        path,
        organization,
        "--column",
        "Mystery=starts_on",
        "--date-order",
        "mdy",
        "--past-years",
        "--kind",
        "volunteer",
    )

    assert (code, answer["date_order"]) == (0, "mdy")
    assert [row["values"]["starts_on"] for row in answer["rows"]] == ["2025-12-31", "1965-03-04"]


def test_every_choice_of_the_page_is_an_option(tmp_path: Path) -> None:
    organization = LicensedFactory()
    path = tmp_path / "roster.txt"
    path.write_bytes("José|45672|00/00/0000|3/4/65\r".encode("mac-roman"))
    options = ["--encoding", "mac-roman", "--delimiter", "pipe", "--no-header"]
    options += ["--column", "Column 1=full_name", "--column", "Column 2=starts_on"]
    options += ["--column", "Column 3=born_on", "--column", "Column 4=activity_on"]
    days = ["--serials", "1900", "--placeholders", "empty", "--two-digit-years", "past"]

    open_, answered = (told(path, organization, *options, *more) for more in ([], days))

    assert open_[0] == 2
    assert [text.split(" ")[0] for text in open_[1]["questions"]] == [
        "“45672”", "“3/4/65”", "“00/00/0000”",
    ]  # fmt: skip
    assert answered[0] == 0
    assert (answered[1]["encoding"], answered[1]["header_row"]) == ("mac-roman", None)
    assert answered[1]["rows"][0]["values"] == {
        "full_name": "José",
        "starts_on": "2025-01-15",
        "activity_on": "1965-03-04",
    }


def test_commit_enters_the_rows_as_somebody_and_approves_those_who_may_work(
    tmp_path: Path,
) -> None:
    holder = AccountHolderFactory()
    path = roster(tmp_path, good("Pat"), good("Lee", 20))

    code, _out, err = run(
        path,
        holder.organization,
        "--commit",
        "--as",
        holder.user.email.upper(),
        "--approve",
        "caller",
    )

    assert (code, err) == (0, "2 entered, 0 changed, 1 approved, 0 refused.")
    assert [row.name_stated for row in Membership.objects.order_by("pk")] == [
        "Pat Sample",
        "Lee Sample",
    ]
    assert Assignment.objects.get().duties == ["caller"]
    assert Act.objects.get(verb="roster.entered").by == holder.user
    assert RosterFile.objects.get().entered_at is not None


def test_a_second_commit_changes_nothing(tmp_path: Path) -> None:
    holder = AccountHolderFactory()
    path = roster(tmp_path, good("Pat"))
    options = ("--commit", "--as", holder.user.email)
    run(path, holder.organization, *options)
    before = rows()

    code, _out, err = run(path, holder.organization, *options)

    assert (code, err) == (0, "Nothing in this file is new: nothing was entered.")
    assert rows() == before


def test_bad_rows_stop_a_commit_unless_only_the_good_ones_are_meant(tmp_path: Path) -> None:
    holder = AccountHolderFactory()
    path = roster(tmp_path, *[good(f"P{n}") for n in range(7)], *["X,Y,,2/30/2026,,,"] * 3)
    options = ("--commit", "--as", holder.user.email)

    stopped = run(path, holder.organization, *options)
    nothing = rows()
    entered = run(path, holder.organization, *options, "--good-rows")

    assert (stopped[0], stopped[2]) == (
        2,
        "3 rows have mistakes, so nothing was entered: correct them, or say --good-rows.",
    )
    assert nothing[:4] == (0, 0, 0, 0)
    assert (entered[0], entered[2]) == (0, "7 entered, 0 changed, 0 approved, 0 refused.")
    assert Membership.objects.count() == 7


def test_county_staff_name_the_officer_who_signed(tmp_path: Path) -> None:
    clerk, organization = RoleGrantFactory().user, LicensedFactory()
    path = roster(tmp_path, good("Pat"))
    options = ("--commit", "--as", clerk.email)

    without = run(path, organization, *options)
    with_officer = run(
        path, organization, *options, "--officer", "Ada Reyes", "--received", "2026-01-05"
    )

    assert (without[0], with_officer[0]) == (2, 0)
    assert "--officer" in without[2]
    row = Membership.objects.get()
    assert (row.attested_by, row.attested_on.isoformat()) == ("Ada Reyes", "2026-01-05")
    assert Act.objects.get(verb="roster.entered").data["on_behalf_of"] == "Ada Reyes"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--commit",), "--commit needs --as EMAIL"),
        (("--commit", "--as", "who@example.org"), "Nobody signs in as “who@example.org”"),
        (("--commit", "--as", "nora@example.org"), "may not keep the roster"),
        (("--column", "Nowhere=kind"), "headings are First name"),
        (("--column", "Duty=nonsense"), "write HEADING=FIELD"),
    ],
)
def test_each_wrong_option_is_one_sentence(
    options: tuple[str, ...], reason: str, tmp_path: Path
) -> None:
    UserFactory(email="nora@example.org")

    code, _out, err = run(roster(tmp_path, good("Pat")), LicensedFactory(), *options)

    assert (code, reason in err) == (2, True), err
    assert Membership.objects.count() == 0


def test_an_unknown_organization_and_a_missing_file_are_one_sentence(tmp_path: Path) -> None:
    unknown = run(roster(tmp_path, good("Pat")), "nowhere")
    missing = run(tmp_path / "none.csv", LicensedFactory())

    assert (unknown[0], missing[0]) == (2, 2)
    assert unknown[2].startswith("There is no organization “nowhere”")
    assert "cannot be read (No such file or directory)" in missing[2]


def test_a_dropped_column_is_told_and_never_kept(tmp_path: Path) -> None:
    holder = AccountHolderFactory()
    path = roster(
        tmp_path,
        f"{good('Pat')},000-12-3456",
        header=f"{HEADER},SSN",
    )

    code, out, err = run(path, holder.organization, "--json", "--commit", "--as", holder.user.email)

    assert code == 0
    assert "the column SSN was dropped" in err
    assert "000-12" not in out
    assert b"000-12" not in bytes(RosterFile.objects.get().content)
