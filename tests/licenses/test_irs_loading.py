"""manage.py import_irs: one file in place of another, and whose standing changed by it."""

from __future__ import annotations

import os
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from licenses.irs import current_files, find_charities, irs_status
from licenses.irs_acts import compare_standings, found_from_irs
from licenses.irs_loading import series_of
from licenses.models import Exemption, IrsFile, IrsOrganization, IrsRevocation, IrsStanding
from licenses.standing_501c import Code
from registry.access import BadInput
from registry.history import Act, System
from registry.models import Organization, WorkItem
from registry.services import OrganizationEntry
from tests.factories import OrganizationFactory, RoleGrantFactory, days_ago
from tests.licenses.irs_files import line, listed, master, revocations

pytestmark = pytest.mark.django_db
OTHER = line(ein="590000001", name="GULF SHORE CIVIC LEAGUE", subsection="04")
REVOKED_EIN = "012345678"


def run(*options: Any) -> tuple[int, list[str], list[str]]:
    """Exit code, and the lines it printed and complained of."""
    out, err = StringIO(), StringIO()
    code = 0
    try:
        call_command("import_irs", *map(str, options), stdout=out, stderr=err)
    except SystemExit as stop:
        code = int(stop.code or 0)
    return code, out.getvalue().splitlines(), err.getvalue().splitlines()


def loaded() -> list[tuple[str, str]]:
    return list(IrsOrganization.objects.order_by("ein").values_list("ein", "name"))


def test_a_file_is_loaded_with_its_counts_date_and_who_loaded_it(tmp_path) -> None:
    path = master(tmp_path, line(), OTHER, "broken", line(name="MARSH LANTERN AGAIN"))

    code, out, err = run("--bmf", path, "--date", "Nov 10, 2026")

    assert (code, out, err) == (
        0,
        [
            "eo_fl.csv: 2 rows loaded, 1 passed over, 1 there twice; of 2026-11-10.",
            "No organization's 501(c) standing changed.",
        ],
        ["eo_fl.csv, line 4: it has 1 of the 28 columns."],
    )
    assert loaded() == [
        ("012345678", "MARSH LANTERN POST 42"),
        ("590000001", "GULF SHORE CIVIC LEAGUE"),
    ]
    file = IrsFile.objects.get()
    act = Act.objects.get(verb="irs.loaded")
    assert act.by_name == System.OPERATOR.value
    assert act.data == {
        "file": "eo_fl.csv", "kind": "bmf", "date": "2026-11-10", "sha256": file.sha256,
        "rows": 2, "skipped": 1, "doubled": 1,
    }  # fmt: skip


def test_the_files_own_date_counts_and_is_said_and_the_user_is_named(tmp_path) -> None:
    cleo = RoleGrantFactory().user
    path = revocations(tmp_path, listed())
    os.utime(path, (1_790_000_000, 1_790_000_000))

    code, out, _err = run("--revocations", path, "--as", cleo.email)

    assert (code, out[0]) == (
        0,
        (
            "data-download-revocation.txt: 1 rows loaded, 0 passed over, 0 there twice;"
            " of 2026-09-21, the file's own date."
        ),
    )
    assert Act.objects.get(verb="irs.loaded").by == cleo


def test_a_newer_file_of_the_same_name_takes_the_place_of_the_older(tmp_path) -> None:
    run("--bmf", master(tmp_path, line(), OTHER), "--date", "2026-10-10")
    run("--bmf", master(tmp_path, line(name="NEW NAME POST"), name="eo1.csv"), "--date", "2026-9-1")

    code, _out, err = run(
        "--bmf", master(tmp_path, OTHER, name="eo_fl (1).csv"), "--date", "2026-11-10"
    )

    assert (code, err) == (0, [])
    assert loaded() == [("012345678", "NEW NAME POST"), ("590000001", "GULF SHORE CIVIC LEAGUE")]
    assert [(file.name, file.file_date) for file in current_files()] == [
        ("eo_fl.csv", date(2026, 11, 10)),
        ("eo1.csv", date(2026, 9, 1)),
    ]
    assert IrsFile.objects.filter(replaced_at__isnull=False).count() == 1


def test_the_same_file_twice_says_so_and_does_nothing(tmp_path) -> None:
    path = master(tmp_path, line())
    run("--bmf", path, "--date", "2026-11-10")
    copy = master(tmp_path, line(), name="copy.csv")

    code, out, err = run("--bmf", path, copy)

    told = "already loaded, as eo_fl.csv of 2026-11-10. Nothing was changed."
    assert (code, out[:2], err) == (0, [f"eo_fl.csv: {told}", f"copy.csv: {told}"], [])
    assert (IrsFile.objects.count(), Act.objects.filter(verb="irs.loaded").count()) == (1, 1)


@pytest.mark.parametrize(
    ("lines", "day", "reason"),
    [
        ([line()], "2026-11-09",
         "It is of 2026-11-09, older than the one of 2026-11-10 that is loaded."),
        ([line(name="ONLY ONE LEFT")], "2026-11-11",
         ("It holds 1 rows, fewer than half of the 3 that are loaded: the download was not"
         " complete. Download it again.")),
        ([], "2026-11-11", "The file holds no organization: download it again."),
        ([OTHER] * 9, "2199-01-01", "Its day, 2199-01-01, is still to come."),
    ],
)  # fmt: skip
def test_a_file_that_would_lose_organizations_is_refused_and_the_old_one_stays(
    tmp_path, lines, day, reason
) -> None:
    third = line(ein="590000002")
    run("--bmf", master(tmp_path, line(), OTHER, third), "--date", "2026-11-10")
    before = loaded()

    code, _out, err = run("--bmf", master(tmp_path, *lines), "--date", day)

    assert (code, err) == (2, [f"eo_fl.csv: {reason}"])
    assert (loaded(), IrsFile.objects.count()) == (before, 1)
    assert IrsFile.objects.get().replaced_at is None


def test_a_refused_file_does_not_keep_the_others_out(tmp_path) -> None:
    bad = tmp_path / "eo2.csv"
    bad.write_text("<html>")

    code, out, err = run(
        "--bmf", bad, master(tmp_path, line()), "--revocations", revocations(tmp_path, listed())
    )

    assert (code, len(out), err) == (
        2,
        3,
        ["eo2.csv: This is a web page, not a file of the IRS: download the file again."],
    )
    assert (IrsOrganization.objects.count(), IrsRevocation.objects.count()) == (1, 1)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ([], "Name a file after --bmf or --revocations."),
        (["--bmf", "x.csv", "--as", "nobody@example.org"], "Nobody signs in as"),
        (["--bmf", "x.csv", "--date", "soon"], "is not a date we can read"),
    ],
)
def test_a_command_without_sense_is_told_so(options, reason) -> None:
    with pytest.raises(CommandError, match=reason):
        run(*options)


def test_who_keeps_no_organizations_loads_nothing(tmp_path) -> None:
    ivan = RoleGrantFactory(role="inspector").user

    with pytest.raises(CommandError, match="Your role does not include this"):
        run("--bmf", master(tmp_path, line()), "--as", ivan.email)
    assert not IrsFile.objects.exists()


def test_two_loads_at_once_are_one_after_the_other(tmp_path) -> None:
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(1065)")
            with pytest.raises(CommandError, match="Another file of the IRS is being loaded"):
                run("--bmf", master(tmp_path, line()))
    finally:
        other.close()


@pytest.mark.parametrize(
    ("name", "series"),
    [
        ("eo_fl.csv", "eo_fl.csv"),
        ("EO_FL (2).csv", "eo_fl.csv"),
        ("eo (old).csv", "eo (old).csv"),
        ("list", "list"),
    ],
)
def test_copies_of_a_download_are_the_same_series(name, series) -> None:
    assert series_of(Path(name)) == series


def load(folder: Path, *lines: str, day: str = "2026-11-10", **names: str) -> None:
    assert run("--bmf", master(folder, *lines, **names), "--date", day)[0] == 0


def test_an_ein_in_two_files_stands_as_the_newer_one_says(tmp_path) -> None:
    load(tmp_path, line(), day="2026-11-10")
    load(tmp_path, line(name="OLD NAME LODGE"), day="2026-09-01", name="eo3.csv")

    status = irs_status("012345678", today=date(2026, 12, 1))

    assert (status.codes, status.row.name) == ((Code.SHOWN,), "MARSH LANTERN POST 42")
    assert (status.source.file, status.source.line) == ("eo_fl.csv", 2)
    [found] = find_charities("old name lodge")
    assert found.charity.name == "MARSH LANTERN POST 42"


def test_what_the_files_do_not_have_is_told_apart(tmp_path) -> None:
    def code(ein: str) -> Code:
        return irs_status(ein).code

    assert (code("012345678"), code("12345678"), code("")) == (
        Code.NO_FILE, Code.NO_EIN, Code.NO_EIN
    )  # fmt: skip
    load(tmp_path, OTHER)
    run("--revocations", revocations(tmp_path, listed()))
    assert (code("012345678"), code("999999999")) == (Code.REVOKED, Code.ABSENT)


def test_a_snapshot_is_plain_data_with_every_row_and_its_file(tmp_path) -> None:
    load(tmp_path, line())
    run("--revocations", revocations(tmp_path, listed(back="15-MAY-2021")), "--date", "2026-11-02")

    kept = irs_status("012345678", today=date(2026, 12, 1)).snapshot()

    master_file, revoked_file = current_files()
    assert (kept["ein"], kept["on"], kept["codes"]) == ("012345678", "2026-12-01", ["reinstated"])
    assert len(kept["row"]) == 28
    assert kept["source"] == {
        "file": "eo_fl.csv", "date": "2026-11-10", "sha256": master_file.sha256, "line": 2
    }  # fmt: skip
    assert kept["revocations"] == [
        {
            "revoked_on": "2020-05-15", "posted_on": None, "reinstated_on": "2021-05-15",
            "name": "MARSH LANTERN POST 42", "file": "data-download-revocation.txt",
            "date": "2026-11-02", "sha256": revoked_file.sha256, "line": 3,
        }
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "eins"),
    [
        ("01-2345678", ["012345678"]),
        ("lantern marsh", ["012345678"]),
        ("auxiliary 7", ["590000003"]),
        ("café st. brendans", ["590000003"]),
        ("boys and girls", ["590000004"]),
        ("post", ["012345678"]),
        ("po", []),
        ("99-9999999", []),
        ("marsh nowhere", []),
        ("%", []),
    ],
)
def test_charities_are_found_by_ein_or_by_all_words_of_either_line(tmp_path, text, eins) -> None:
    load(
        tmp_path,
        line(),
        line(ein="590000003", name="ST BRENDAN'S CAFE", sort_name="AUXILIARY 7"),
        line(ein="590000004", name="BOYS & GIRLS LODGE"),
    )

    assert [found.charity.ein for found in find_charities(text)] == eins


ENTRY = OrganizationEntry("Marsh Lantern Post 42", "charitable", "012345678")


def test_an_organization_is_entered_from_its_row_and_the_row_is_kept(tmp_path) -> None:
    cleo = RoleGrantFactory().user
    load(tmp_path, line())

    made = found_from_irs(cleo, ENTRY)

    shown = Exemption.objects.get(organization=made)
    assert (shown.basis, shown.evidence, shown.reference, shown.verified_on) == (
        "501(c)(19)", "irs", "eo_fl.csv of Nov 10, 2026, line 2", timezone.localdate()
    )  # fmt: skip
    assert shown.snapshot["row"]["name"] == "MARSH LANTERN POST 42"
    outer = Act.objects.get(verb="organization.founded_from_irs")
    inner = Act.objects.filter(part_of=outer).order_by("at", "verb")
    assert {act.verb for act in inner} == {"organization.founded", "exemption.recorded"}
    assert shown.events.get().snapshot == shown.snapshot
    [found] = find_charities("marsh lantern")
    assert found.organization == made


@pytest.mark.parametrize(
    ("row", "kind", "recorded"),
    [
        (line(subsection="92", status="12"), "charitable", []),
        (line(), "authorized", []),
        (line(status="25"), "charitable", [("501(c)(19)", "")]),
    ],
)
def test_a_doubtful_row_shows_nothing_and_other_kinds_are_not_asked(
    tmp_path, row, kind, recorded
) -> None:
    load(tmp_path, row)

    found_from_irs(System.SET_UP, OrganizationEntry("Marsh Lantern Post 42", kind, "012345678"))

    assert list(Exemption.objects.values_list("basis", "evidence")) == recorded


def test_an_ein_that_no_file_has_enters_nothing() -> None:
    with pytest.raises(BadInput) as caught:
        found_from_irs(System.SET_UP, ENTRY)

    assert (caught.value.field, Organization.objects.count()) == ("ein", 0)


def items() -> list[tuple[Organization, list[str], list[str]]]:
    """Of each open item: about whom, the codes before and now."""
    rows = WorkItem.objects.filter(kind="irs", closed_at=None).order_by("pk")
    return [
        (row.organization, row.data["before"].get("codes", []), row.data["now"]["codes"])
        for row in rows
    ]


def test_a_standing_that_changed_is_listed_once_with_both_rows(tmp_path) -> None:
    post = OrganizationFactory(ein=REVOKED_EIN)
    load(tmp_path, line(), OTHER)
    assert items() == []

    _code, out, _err = run("--revocations", revocations(tmp_path, listed()), "--date", "2026-11-11")

    assert out[-1] == "The 501(c) standing of 1 organization changed: see “Waiting”."
    assert items() == [(post, ["shown"], ["listed"])]
    assert Act.objects.get(verb="irs.standing_changed").organization == post
    load(tmp_path, OTHER, day="2026-11-12")
    assert items() == [(post, ["shown"], ["revoked"])]
    load(tmp_path, OTHER, line(ein="590000009"), day="2026-11-13")
    assert items() == [(post, ["shown"], ["revoked"])]
    assert Act.objects.filter(verb="irs.standing_changed").count() == 2


def test_a_load_without_change_opens_nothing_and_a_closed_item_stays_closed(tmp_path) -> None:
    post = OrganizationFactory(ein=REVOKED_EIN)
    load(tmp_path, line())
    load(tmp_path, line(subsection="08"), day="2026-11-11")
    assert items() == [(post, ["shown"], ["shown"])]
    item = WorkItem.objects.get()
    assert [item.data[side]["row"]["subsection"] for side in ("before", "now")] == ["19", "08"]
    with_act_closed(item)

    load(tmp_path, line(subsection="08", assets="5"), day="2026-11-12")

    assert items() == []


def with_act_closed(item: WorkItem) -> None:
    from registry.history import acting

    with acting(System.SET_UP, "work.closed"):
        item.closed_at = timezone.now()
        item.save(update_fields=["closed_at"])


def test_what_was_kept_with_the_exemption_is_compared_first(tmp_path) -> None:
    load(tmp_path, line())
    made = found_from_irs(System.SET_UP, ENTRY)

    load(tmp_path, line(status="25"), day="2026-11-11")

    assert items() == [(made, ["shown"], ["status"])]


@pytest.mark.parametrize(
    ("change", "opened"),
    [
        ({}, [(["revoked"])]),
        ({"kind": "associational"}, []),
        ({"kind": "authorized"}, []),
        ({"ein": None}, []),
        ({"ein": "590000001"}, []),
        ({"merged_on": days_ago(1)}, []),
    ],
)
def test_at_first_sight_only_a_revoked_charity_is_listed(tmp_path, change, opened) -> None:
    if "merged_on" in change:
        change = change | {"merged_into": OrganizationFactory()}
    OrganizationFactory(**{"ein": REVOKED_EIN, **change})

    both = (master(tmp_path, OTHER), revocations(tmp_path, listed()))
    run("--bmf", both[0], "--revocations", both[1], "--date", "2026-11-11")

    assert [now for _body, _before, now in items()] == opened


def test_a_change_of_our_own_name_or_ein_is_none_of_the_irs(tmp_path) -> None:
    post = OrganizationFactory(ein=REVOKED_EIN, name="Marsh Lantern Post 42")
    load(tmp_path, line(), OTHER)
    from registry.history import acting

    with acting(System.SET_UP, "organization.changed"):
        post.name, post.ein = "Gulf Shore Lodge", "590000001"
        post.save()

    assert compare_standings(System.SET_UP) == 0
    assert IrsStanding.objects.get().ein == "590000001"


def test_many_organizations_are_compared_in_as_many_queries_as_one(
    tmp_path, django_assert_num_queries
) -> None:
    load(tmp_path, line(), *(line(ein=f"59000000{n}") for n in range(1, 4)))
    for count, eins in ((1, [REVOKED_EIN]), (3, ["590000001", "590000002"])):
        for ein in eins:
            OrganizationFactory(ein=ein)
        compare_standings(System.SET_UP)
        assert IrsStanding.objects.count() == count
        with django_assert_num_queries(9):
            compare_standings(System.SET_UP)


def test_a_list_takes_the_place_of_no_master_file_of_its_name(tmp_path) -> None:
    run("--bmf", master(tmp_path, line()))
    path = revocations(tmp_path, listed(), name="eo_fl.csv")

    told = run("--revocations", path)

    assert told[0] == 2
    assert told[2] == [
        "eo_fl.csv: “eo_fl.csv” is loaded as the other kind of file: does it belong after --bmf?"
    ]
    assert len(loaded()) == 1
