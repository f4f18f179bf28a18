"""The what-if door: a file of cases in, one line a case out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from volunteers.management.commands.judge import Command

DATA = Path(__file__).parent.parent / "data"
CASES = DATA / "cases.json"


def judged(path: Path, *options: str) -> list[dict[str, Any]]:
    out = StringIO()
    call_command("judge", str(path), *options, stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def refused(path: Path, *options: str) -> str:
    """What is said on stderr, when nothing is printed and the exit is 2."""
    out, err = StringIO(), StringIO()
    with pytest.raises(SystemExit) as exit_:
        call_command("judge", str(path), *options, stdout=out, stderr=err)
    assert (exit_.value.code, out.getvalue()) == (2, "")
    return err.getvalue().rstrip("\n")


def written(tmp_path: Path, *cases: Any) -> Path:
    path = tmp_path / "cases.json"
    path.write_text(json.dumps(list(cases)))
    return path


CASE = {
    "id": "X1",
    "at": "A",
    "on": "2026-05-03",
    "memberships": [{"org": "A", "role": "member", "join": "2020-01-01", "leave": None}],
    "activities": [{"org": "A", "kind": "food pantry", "on": "2026-04-10"}],
}


def test_every_case_is_answered_on_its_own_line_as_it_says() -> None:
    rules = {
        "TENURE": "tenure",
        "NOT_MEMBER": "membership",
        "SUSPENDED": "suspension",
        "NO_ACTIVITY": "activity",
        "LICENSE": "license",
        "ONE_OTHER": "one_other",
        "AGE": "age",
        "PRESENCE": "presence",
        "OK": None,
    }
    outcomes = {"PASS": "met", "FAIL": "not_met", "NOT SHOWN": "not_shown"}

    answers = judged(CASES)

    assert [(a["id"], a["answer"], a["outcome"], a["rule"]) for a in answers] == [
        (c["id"], c["expected"], outcomes[c["verdict"]], rules[c["reason"]])
        for c in json.loads(CASES.read_text())
    ]


def test_an_answer_has_these_keys_and_a_sentence() -> None:
    answers = {answer["id"]: answer for answer in judged(CASES)}

    assert answers["O001"] == {
        "id": "O001",
        "answer": "denied",
        "outcome": "not_met",
        "rule": "tenure",
        "provision": "§ 10-63(12)",
        "reason": "Member since Mar 1, 2026: 29 of 30 days; from Tue, Mar 31.",
        "eligible_on": "2026-03-31",
    }
    assert answers["O002"] == {
        "id": "O002",
        "answer": "allowed",
        "outcome": "met",
        "rule": None,
        "provision": None,
        "reason": "Cleared on Tue, Mar 31, 2026.",
        "eligible_on": "2026-03-31",
    }
    assert (answers["O108"]["rule"], answers["O108"]["provision"]) == ("presence", None)
    assert answers["O048"]["eligible_on"] is None


def test_what_a_case_leaves_out_is_fine(tmp_path: Path) -> None:
    assert [answer["answer"] for answer in judged(written(tmp_path, CASE))] == ["allowed"]


def test_answers_do_not_change_with_what_a_case_says_of_its_own_answer(tmp_path: Path) -> None:
    remarks = {
        "expected": "denied",
        "verdict": "FAIL",
        "reason": "TENURE",
        "paragraph": 12,
        "depends_on": None,
        "otherwise": ["x"],
        "note": {},
        "case": 1,
        "time": "23:30",
    }

    assert judged(written(tmp_path, {**CASE, **remarks})) == judged(written(tmp_path, CASE))


def test_counsel_tries_another_ruleset(tmp_path: Path) -> None:
    case = {**CASE, "memberships": [{**CASE["memberships"][0], "join": "2026-02-01"}]}  # type: ignore[index]
    law = tmp_path / "half_a_year.toml"
    law.write_text(
        'extends = "pasco"\n[[tenure]]\nvalid_from = 2008-09-23\ndays = "UNSET"\nmonths = 6\n'
    )

    today = judged(written(tmp_path, case), "--ruleset", "pasco")
    tried = judged(written(tmp_path, case), "--ruleset", str(law))

    assert [(a["answer"], a["eligible_on"]) for a in today] == [("allowed", "2026-05-03")]
    assert [(a["answer"], a["eligible_on"]) for a in tried] == [("denied", "2026-08-01")]


def test_another_day_can_be_asked_about(tmp_path: Path) -> None:
    path = written(tmp_path, CASE)

    assert [a["answer"] for a in judged(path, "--on", "2019-12-31")] == ["denied"]


def test_the_help_says_what_denied_means() -> None:
    assert "denied means not cleared on that day" in Command().create_parser(
        "manage.py", "judge"
    ).format_help().replace("\n", " ").replace("  ", " ")


ROW = CASE["memberships"][0]  # type: ignore[index]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            {"on": "2026-02-30"},
            "Case X1, key 'on': '2026-02-30' is a day that does not exist: check month and day.",
        ),
        ({"on": "3 May"}, "Case X1, key 'on': '3 May' is no date: write it as 2026-05-31."),
        ({"on": "20260503"}, "Case X1, key 'on': '20260503' is no date: write it as 2026-05-31."),
        ({"on": None}, "Case X1, key 'on': None is no date: write it as 2026-05-31."),
        (
            {"on": "2008-09-22"},
            (
                "Case X1, key 'on': The text of Pasco County is not known before 2008-09-23, "
                "so 2008-09-22 cannot be judged: ask about a later day."
            ),
        ),
        ({"at": ""}, "Case X1, key 'at': '' is no text: write a name in quotes."),
        ({"id": None}, "Case no. 1, key 'id': None is no name of a case: write a short text."),
        (
            {"question": "eat"},
            "Case X1, key 'question': 'eat' is not known here: use conduct or assign.",
        ),
        (
            {"memberships": [{**ROW, "role": "king"}]},
            (
                "Case X1, key 'memberships[0].role': 'king' is not known here: "
                "use member or regular or associate or honorary or volunteer."
            ),
        ),
        (
            {"memberships": [{**ROW, "join": None}]},
            "Case X1, key 'memberships[0].join': None is no date: write it as 2026-05-31.",
        ),
        (
            {"memberships": [{**ROW, "joined": "2026-01-01"}]},
            (
                "Case X1, key 'memberships[0].joined': '2026-01-01' stands under an unknown key: "
                "use join, leave, org, role."
            ),
        ),
        ({"memberships": "A"}, "Case X1, key 'memberships': 'A' is no list: write [...]."),
        ({"memberships": ["A"]}, "Case X1, key 'memberships[0]': 'A' is no object: write {...}."),
        (
            {"licenses": [{"entity": "A", "first": "2026-01-01", "last": None, "status": "lost"}]},
            "Case X1, key 'licenses[0].status': 'lost' is not known here: use active or suspended.",
        ),
        (
            {"same_legal_entity": ["B"]},
            "Case X1, key 'same_legal_entity': ['B'] is no object: write {\"BL\": \"B\"}.",
        ),
        ({"lessors": [7]}, "Case X1, key 'lessors[0]': 7 is no text: write a name in quotes."),
        ({"born": 2008}, "Case X1, key 'born': 2008 is no date: write it as 2026-05-31."),
        (
            {"question": "assign", "until": "2026-05-02"},
            "Case X1, key 'until': '2026-05-02' lies before 'on': give a later day, or null.",
        ),
    ],
)
def test_a_bad_value_is_named_with_case_key_reason_and_remedy(
    tmp_path: Path, change: dict[str, Any], said: str
) -> None:
    path = written(tmp_path, {**CASE, "id": "X0"}, {**CASE, **change})

    assert refused(path).replace("Case no. 2", "Case no. 1") == said


def test_a_key_that_nobody_knows_is_not_passed_over(tmp_path: Path) -> None:
    said = refused(written(tmp_path, {**CASE, "suspension": []}))

    assert said.startswith(
        "Case X1, key 'suspension': [] stands under an unknown key: use activities,"
    )


def test_two_cases_of_one_name_are_refused(tmp_path: Path) -> None:
    assert refused(written(tmp_path, CASE, CASE)) == (
        "Case X1, key 'id': two cases have it: give each its own."
    )


def test_files_that_are_no_list_of_cases_are_refused_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "cases.json"

    assert refused(path) == f"{path}: cannot be read (No such file or directory): check the path."
    for text in ("[", '{"id": "X"}', "", "\ufeff{}", "[" * 100_000):
        path.write_text(text)
        said = refused(path)
        assert said.startswith(f"{path}: ")
        assert "\n" not in said
    path.write_bytes(b'[{"id": "\xff"}]')
    assert "is not valid JSON in UTF-8" in refused(path)
    path.write_text("[3]")
    assert refused(path) == "Case no. 1 is 3, which is no object: write {...}."


def test_options_that_make_no_sense_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, CASE)

    assert refused(path, "--on", "soon") == "--on: 'soon' is no date: write it as 2026-05-31."
    assert refused(path, "--ruleset", "marion").startswith("There is no ruleset 'marion'")


def test_a_mark_at_the_file_s_start_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "cases.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps([CASE]).encode())

    assert [answer["id"] for answer in judged(path)] == ["X1"]


def test_mergers_and_licenses_that_point_in_a_circle_end(tmp_path: Path) -> None:
    circle = {
        **CASE,
        "mergers": [
            {"old": "A", "new": "B", "on": "2026-01-01"},
            {"old": "B", "new": "A", "on": "2026-01-01"},
        ],
        "same_legal_entity": {"C": "D", "D": "C"},
        "assignments": [{"entity": "C", "first": "2026-01-01", "last": None}],
    }

    assert len(judged(written(tmp_path, circle))) == 1


def merged(**change: Any) -> dict[str, Any]:
    return {
        **CASE,
        "home": None,
        "memberships": [{"org": "A2", "role": "member", "join": "2020-01-01", "leave": None}],
        "activities": [{"org": "A2", "kind": "food pantry", "on": "2026-04-10"}],
        "mergers": [{"old": "A2", "new": "A", "on": "2026-05-01"}],
        **change,
    }


@pytest.mark.parametrize(
    ("at", "on", "answer", "rule"),
    [
        ("A", "2026-04-30", "denied", "membership"),
        ("A", "2026-05-01", "allowed", None),
        ("A2", "2026-04-30", "allowed", None),
        ("A2", "2026-05-01", "allowed", None),
    ],
)
def test_rows_of_a_merged_organization_count_from_the_merger_on(
    tmp_path: Path, at: str, on: str, answer: str, rule: str | None
) -> None:
    [told] = judged(written(tmp_path, merged(at=at, on=on)))

    assert (told["answer"], told["rule"]) == (answer, rule)


def test_two_places_become_one_on_the_day_of_the_merger(tmp_path: Path) -> None:
    third = merged(
        memberships=[*CASE["memberships"], *merged()["memberships"]],  # type: ignore[misc]
        at="C",
        home="A",
        assignments=[{"entity": "A2", "first": "2025-01-01", "last": None}],
    )
    third["memberships"].append({"org": "C", "role": "member", "join": "2020-01-01", "leave": None})
    third["activities"].append({"org": "C", "kind": "meeting", "on": "2026-04-01"})

    [before] = judged(written(tmp_path, {**third, "on": "2026-04-30"}))
    [after] = judged(written(tmp_path, {**third, "on": "2026-05-01"}))

    # Without an approval at C on record, the two others hold both places until they are one.
    assert (before["rule"], before["eligible_on"]) == ("one_other", "2026-05-01")
    assert after["answer"] == "allowed"


def test_judging_asks_no_database(tmp_path: Path) -> None:
    root = Path(__file__).parent.parent.parent
    away = {**os.environ, "DATABASE_URL": "postgres://nobody@127.0.0.1:1/nowhere"}

    run = subprocess.run(
        [sys.executable, "manage.py", "judge", str(written(tmp_path, CASE))],
        cwd=root,
        env=away,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (run.returncode, json.loads(run.stdout)["answer"]) == (0, "allowed")


def test_an_approval_on_record_is_judged_on_its_start_beside_a_home(tmp_path: Path) -> None:
    join = {"org": "A", "role": "member", "join": "2026-05-01", "leave": None}
    early = {"entity": "A", "first": "2026-05-10", "last": None}
    asked = {
        **CASE,
        "on": "2026-06-15",
        "home": "A",
        "memberships": [join],
        "activities": [{"org": "A", "kind": "meeting", "on": "2026-05-02"}],
    }

    [at_home] = judged(written(tmp_path, asked))
    [too_early] = judged(written(tmp_path, {**asked, "assignments": [early]}))

    assert (at_home["answer"], too_early["answer"]) == ("allowed", "denied")
    assert (too_early["rule"], too_early["provision"]) == ("tenure", "§ 10-93(a)(1)d")
    assert too_early["eligible_on"] is None
