"""Roster files read and judged: right rows, or one sentence; and nothing told about others."""

from __future__ import annotations

import io
import json
import os
import struct
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.entries import Unreadable
from registry.models import Organization, User
from tests.factories import (
    AccountHolderFactory,
    ActivityFactory,
    AssignmentFactory,
    LicensedFactory,
    MembershipFactory,
    PersonFactory,
    SuspensionFactory,
    UserFactory,
    WorkerFactory,
    days_ago,
)
from tests.volunteers.workbook import (
    HEADER,
    PAT,
    instead,
    label,
    ods,
    ods_row,
    ods_texts,
    record,
    row,
    workbook,
    xls,
)
from volunteers.comparing import Status
from volunteers.imports import Preview, judge
from volunteers.readers import BadFile, Choices, columns_of, order_of, read_file, received
from volunteers.readers.days import DayReader, Order
from volunteers.readers.ssn import REMOVED

MADE = Path(__file__).parent.parent / "data" / "rosters"
TODAY = date(2026, 11, 30)

TEN = [
    ("Siobhán O'Example", "2025-01-15", "member"),
    ("José Núñez-Prueba", "2024-02-29", "volunteer"),
    ("Pat Sample", "2026-10-31", "member"),
    ("María de los Ángeles Ejemplo y Prueba", "2019-07-04", "member"),
    ("Łukasz Żółć", "2026-11-01", "volunteer"),
    ("Ng Srb", "2023-12-31", "member"),
    ("Jennifer Null", "2020-01-01", "member"),
    ("Müller-Lüdenscheidt Muster", "2026-10-01", "volunteer"),
    ("Zoë D\u2019Example", "2026-09-05", "member"),
    ("Lee van der Voorbeeld", "2012-12-12", "member"),
]
NINE = [one for one in TEN if one[0] != "Łukasz Żółć"]


@pytest.fixture(autouse=True)
def _on_the_day_the_files_were_made() -> Iterator[None]:
    """The files name days; they are judged on the one they were made for."""
    with time_machine.travel(datetime(2026, 11, 30, 17, 0, tzinfo=UTC), tick=False):
        yield


def made(name: str) -> bytes:
    return (MADE / name).read_bytes()


def judged(
    content: bytes,
    organization: Organization | None = None,
    *,
    by: User | None = None,
    name: str = "roster.csv",
    **choices: Any,
) -> Preview:
    """The file judged on the day the files were made for."""
    asked = organization or LicensedFactory()
    return judge(by, asked, (name, content), Choices(**choices), TODAY)


def closing(content: bytes, behind: str) -> bytes:
    """The workbook with something behind the rows of its sheet."""
    with zipfile.ZipFile(io.BytesIO(content)) as whole:
        part = whole.read("xl/worksheets/1.xml").decode()
    return instead("xl/worksheets/1.xml", part.replace("</worksheet>", f"{behind}</worksheet>"))


def csv_of(*rows: str, header: str = "Full name,Join date") -> bytes:
    return "\n".join([header, *rows]).encode()


def listed(preview: Preview) -> list[tuple[str, str, str]]:
    """Name, join date and kind of every good row."""
    return [
        (line.entry.full_name, line.entry.starts_on.isoformat(), line.entry.kind)
        for line in preview.good
    ]


def wrong(preview: Preview) -> dict[int, list[tuple[str, str]]]:
    """Column and value of each mistake, by row."""
    return {
        row.number: [(p.column, p.value) for p in row.problems]
        for row in preview.rows
        if row.problems
    }


# What a file is, by its bytes.


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "understood", "rows"),
    [
        ("iso.csv", ("utf-8", ",", 1, "ymd"), TEN),
        ("iso_lf_no_final_newline.csv", ("utf-8", ",", 1, "ymd"), TEN),
        ("us_excel_utf8_bom.csv", ("utf-8-sig", ",", 1, "mdy"), TEN),
        ("us_excel_cp1252.csv", ("windows-1252", ",", 1, "mdy"), NINE),
        ("de_excel_semicolon_cp1252.csv", ("windows-1252", ";", 1, "dmy"), NINE),
        ("fr_excel_semicolon_utf8_bom.csv", ("utf-8-sig", ";", 1, "dmy"), TEN),
        ("utf16be_bom.csv", ("utf-16-be", ",", 1, "ymd"), TEN),
        ("excel_unicode_text_utf16le_tab.txt", ("utf-16-le", "\t", 1, "mdy"), TEN),
    ],
)
def test_the_same_people_are_read_however_their_file_was_written(
    name: str, understood: tuple[Any, ...], rows: list[tuple[str, str, str]]
) -> None:
    preview = judged(made(name))

    found = (preview.sheet.encoding, preview.sheet.delimiter, preview.sheet.header_row)
    assert (*found, preview.ordered.order.value) == understood
    assert listed(preview) == rows
    assert (wrong(preview), preview.questions) == ({}, [])


def test_a_tab_divides_cells_and_lone_carriage_returns_end_lines() -> None:
    sheet = read_file("x", b"Full name\tJoin date\rPat Sample\t2026-01-02\r")

    assert (sheet.delimiter, sheet.rows[1]) == ("\t", ["Pat Sample", "2026-01-02"])


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("empty.csv", "“empty.csv” is empty: drop the file that holds the roster."),
        ("only_bom.csv", "“only_bom.csv” is empty: drop the file that holds the roster."),
        ("only_newlines.csv", "“only_newlines.csv” is empty: drop the file that holds the roster."),
        (
            "header_only.csv",
            "The file has no rows below its header (row 1): fill in one person a row.",
        ),
        (
            "pdf_named_csv.csv",
            "“pdf_named_csv.csv” is a PDF file: save the roster as XLSX or CSV (UTF-8).",
        ),
        (
            "empty_workbook.xlsx",
            "The workbook's sheets are empty: drop the one that holds the roster.",
        ),
        (
            "external_entity.xlsx",
            (
                "The workbook declares entities of its own, which no spreadsheet program writes:"
                " open it, save it anew as XLSX and drop it again."
            ),
        ),
        (
            "truncated.xlsx",
            "The workbook is damaged or cut off: open it, save it anew as XLSX and drop it again.",
        ),
        (
            "zip_bomb_60MB_inside.xlsx",
            (
                "Unpacked, the workbook would take 58 MB; 20 MB is the limit:"
                " copy the roster alone into a new workbook and save that."
            ),
        ),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_sentence(name: str, sentence: str) -> None:
    with pytest.raises(BadFile) as refused:
        read_file(name, made(name))

    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "damaged or cut off"),
        (b"<html><table><tr><td>Full name</td></tr></table></html>", "a web page"),
        ("Full name,Join date\nJosé Łuk,".encode() + b"\xff1/2/2026\n", "Line 2 holds a byte (FF)"),
        (b'Full name,Join date\n"Pat Sample,1/2/2026\n', "is opened and never closed"),
        (csv_of(*["A,1/2/2026"] * 20_001), "at most 20000 rows, 200 columns"),
        (b"a," * 300 + b"\n" + b"1," * 300 + b"\n", "column 301"),
        (b"Full name,Join date\n" + b"\n" * 200_001 + b"Pat,1/2/2026", "200002 lines"),
        (b"Full name\n" + b"x" * 10 * 2**20, "more than 10 MB"),
    ],
)
def test_broken_and_boundless_text_is_refused(content: bytes, part: str) -> None:
    with pytest.raises(BadFile) as refused:
        read_file("roster.csv", content)

    assert part in str(refused.value)


def test_a_quotation_mark_inside_a_cell_that_is_not_quoted_is_only_a_letter() -> None:
    sheet = read_file("x", b'Full name,Join date\nPat "Bud" Sample,1/2/2026\n"Lee" Test,1/3/2026\n')

    assert sheet.rows[1][0] == 'Pat "Bud" Sample'


@pytest.mark.django_db
def test_a_cell_whose_end_its_quotation_marks_do_not_tell_is_refused_and_never_mangled() -> None:
    rows = csv_of(
        '"Lee "Bo" Test",1/2/2026',
        '"Pat \\"Bud\\" Sample",1/3/2026',
        '"Sample, Kim" ,"1/4/2026" ',
        'Ann ""Nan"" Demo, "1/5/2026"',
        '"Bo ""Bear"" Test",1/6/2026',
    )
    preview = judged(rows)
    kept = judged(received("x", rows.replace(b"1/2/2026", b"123-45-6789")).content)

    assert {row.number: [p.value for p in row.problems] for row in preview.rows[:2]} == {
        2: ['Lee Bo" Test"'],
        3: ['Pat \\Bud\\" Sample"'],
    }
    assert [name for name, _day, _kind in listed(preview)] == [
        "Kim Sample", 'Ann ""Nan"" Demo', 'Bo "Bear" Test',
    ]  # fmt: skip
    assert [row.status.value for row in kept.rows] == ["refused", "refused", "new", "new", "new"]


@pytest.mark.django_db
def test_what_old_programs_write_behind_the_last_line_is_nobody() -> None:
    padded = judged(csv_of("Pat Sample,1/2/2026") + b"\r\n\x1a" + b"\0" * 100)

    assert [row.status.value for row in padded.rows] == ["new"]


@pytest.mark.django_db
def test_a_cell_merged_with_the_one_above_is_named_and_never_read_as_empty() -> None:
    header = [("First name", "Last name", "Join date"), ("Pat", "Sample", "1/2/2026")]
    merged = "<mergeCells><mergeCell ref='A1:C1'/><mergeCell ref='A3:A5'/></mergeCells>"
    rows = row(1, "Our roster") + "".join(row(n, *told) for n, told in enumerate(header, 2))
    more = row(4, "", "Test", "1/2/2026") + row(6, "Kim", "Demo", "1/2/2026")
    book = closing(workbook(rows + more), merged)
    spanned = ods_row("First name", "Last name", "Join date") + ods_row(
        last='<table:table-cell table:number-rows-spanned="2"><text:p>Pat</text:p>'
        "</table:table-cell>" + ods_texts("Sample", "1/2/2026")
    )
    sheet = ods(("M", spanned + ods_row("", "Test", "1/2/2026"), "on"))
    cells = ((0, "First name"), (1, "Last name"), (2, "Join date"))
    old = b"".join(label(0, n, text) for n, text in cells)
    old += b"".join(label(1, n, text) for n, text in enumerate(("Pat", "Sample", "1/2/2026")))
    old += label(2, 1, "Test") + label(2, 2, "1/2/2026")
    old += record(0xE5, struct.pack("<HHHHH", 1, 1, 2, 0, 0))

    assert wrong(judged(book)) == {4: [("First name", "#MERGED!")]}
    assert wrong(judged(sheet)) == {3: [("First name", "#MERGED!")]}
    assert wrong(judged(xls(("M", old, 0)))) == {3: [("First name", "#MERGED!")]}


def test_a_semicolon_inside_names_does_not_win_over_the_comma_of_every_row() -> None:
    rows = ["Ann O&#039;Example,1/15/2025,member", "Bo O&#039;Example,1/16/2025,member"]
    sheet = read_file("x", csv_of(*rows, "Cy Test,1/17/2025,member", header="Name,Joined,Role"))

    assert sheet.delimiter == ","
    assert [len(row) for row in sheet.rows] == [3, 3, 3, 3]


@pytest.mark.django_db
def test_a_web_pages_code_for_a_letter_is_named_and_not_entered() -> None:
    preview = judged(csv_of("Ann O&#039;Example,1/15/2025"))

    assert preview.rows[0].problems[0].reason == (
        "“Ann O&#039;Example” holds a web page's code for a letter: write “Ann O'Example” instead."
    )


@pytest.mark.django_db
def test_letters_that_were_read_wrongly_once_are_named_with_what_they_were() -> None:
    preview = judged(
        csv_of("JosÃ© NÃºÃ±ez,1/22/2025", "Ãngel Sample,1/22/2025", "Åse Kjær,1/22/2025")
    )

    assert preview.rows[0].problems[0].reason == (
        "“JosÃ© NÃºÃ±ez” holds letters that were read wrongly once: write “José Núñez” instead."
    )
    assert [row.status for row in preview.rows[1:]] == [Status.NEW, Status.NEW]


# Workbooks.


def test_a_sheet_formatted_to_its_last_cell_is_read_to_its_last_value() -> None:
    sheet = read_file("x", made("formatted_to_last_row_and_column.xlsx"))

    assert [row[0] for row in sheet.rows] == ["First name", "Siobhán", "José", "Pat"]


@pytest.mark.django_db
def test_every_kind_of_date_cell_is_the_right_day_or_a_named_mistake() -> None:
    preview = judged(made("dates_ten_kinds.xlsx"), date_order="mdy")

    assert [(name, day) for name, day, _kind in listed(preview)] == [
        ("Siobhán O'Example", "2025-01-15"),
        ("José Núñez-Prueba", "2024-02-29"),
        ("Pat Sample", "2026-10-31"),
        ("Jennifer Null", "2020-01-01"),
        ("Müller-Lüdenscheidt Muster", "2026-10-01"),
        ("Lee van der Voorbeeld", "2012-12-12"),
    ]
    assert wrong(preview) == {
        5: [("Join date", "43650")],
        6: [("Join date", "46327.5")],
        7: [("Join date", "31.12.2023")],
        10: [("Join date", "")],
    }


@pytest.mark.django_db
def test_error_cells_are_named_and_never_read_as_empty() -> None:
    preview = judged(made("error_cells.xlsx"))

    assert wrong(preview) == {
        2: [("Last name", "#N/A")],
        3: [("Join date", "#VALUE!")],
        4: [("Join date", "#REF!")],
    }


@pytest.mark.django_db
def test_a_formula_without_a_result_is_named() -> None:
    formula = PAT.replace(
        '<c r="A2" t="inlineStr"><is><t>Pat Sample</t></is>', '<c r="A2"><f>C2</f>'
    )
    preview = judged(workbook(HEADER + formula))

    assert [p.reason for p in preview.rows[0].problems] == [
        "The formula has no result yet: open the file, save it, and drop it again."
    ]


@pytest.mark.django_db
def test_a_row_that_the_spreadsheet_hides_is_left_out_and_says_so_until_it_is_wanted() -> None:
    content = made("hidden_row_filter_strikethrough_comment.xlsx")
    preview, wanted = judged(content), judged(content, hidden_rows=True)

    assert [r.number for r in preview.rows if r.status is Status.SKIPPED] == [3]
    assert preview.rows[1].problems[0].reason == (
        "The spreadsheet hides this row: show it there, or take hidden rows in."
    )
    hidden_column = "Columns are hidden in the spreadsheet and not used: Role."
    assert preview.mentions == [
        "1 row is hidden in the spreadsheet and left out: 3.",
        hidden_column,
    ]
    assert [r.number for r in wanted.rows if r.status is Status.SKIPPED] == []
    assert wanted.mentions == ["1 row is hidden in the spreadsheet: 3.", hidden_column]


def test_hidden_sheets_are_never_read() -> None:
    content = workbook(
        sheets=(("Old", "hidden", HEADER + PAT.replace("Pat", "Old")), ("Now", "visible", ""))
    )

    assert read_file("x", content).sheets == ("Now",)


@pytest.mark.django_db
def test_two_sheets_that_look_like_rosters_are_asked_about_and_either_can_be_chosen() -> None:
    other = HEADER + PAT.replace("Pat", "Lee")
    content = workbook(sheets=(("2025", "visible", ""), ("2026", "visible", other)))

    preview = judged(content)

    assert [(q.code, q.control) for q in preview.questions] == [("sheet", "sheet")]
    assert judged(content, sheet="2026").rows[0].name == "Lee Sample"
    assert judged(content, sheet="2026").questions == []


@pytest.mark.django_db
def test_identifiers_stay_digits_and_a_zip_code_gets_its_zero_back() -> None:
    preview = judged(made("numbers_and_leading_zeros.xlsx"))

    assert [row.values["postal_code"] for row in preview.rows] == [
        "33525",
        "03901",
        "33525-0001",
        "01069",
    ]
    assert [row[3] for row in preview.sheet.rows[1:]] == ["42", "0042", "42", "1000000000000001"]


def hostile() -> dict[str, bytes]:
    """Workbooks that ask for far more than they weigh."""
    far = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    again = f"<row>{'<c t=' + chr(34) + 's' + chr(34) + '><v>0</v></c>' * 40}</row>" * 1_000
    wide = f"<row>{''.join(f'<c><v>{n + 10_000}</v></c>' for n in range(60))}</row>"
    return {
        "a million empty rows": workbook(HEADER + PAT + '<row r="3"/>' * 600_000),
        "a cell in the last corner": workbook(HEADER + PAT + far),
        "one long text repeated": workbook(
            HEADER + again, shared=f"<si><t>{'A' * 32_000}</t></si>"
        ),
        "a text longer than a cell": workbook(shared=f"<si><t>{'A' * 70_000}</t></si>"),
        "a place that is none": workbook('<row r="1"><c r="ZZZZZ99999999"><v>1</v></c></row>'),
        "seven hundred thousand cells": workbook(HEADER + wide * 12_000),
        "a bomb": made("zip_bomb_60MB_inside.xlsx"),
    }


def test_hostile_workbooks_are_answered_within_five_seconds_and_300_megabytes(
    tmp_path: Path,
) -> None:
    for name, content in hostile().items():
        (tmp_path / f"{name}.xlsx").write_bytes(content)
    program = (
        "import re, resource, sys, time; from pathlib import Path\n"
        "from django.conf import settings; settings.configure(USE_I18N=False)\n"
        "from volunteers.readers import BadFile, received\n"
        "worst = 0.0\n"
        "for path in sorted(Path(sys.argv[1]).iterdir()):\n"
        "    start = time.process_time()\n"
        "    try: received(path.name, path.read_bytes())\n"
        "    except BadFile: pass\n"
        "    worst = max(worst, time.process_time() - start)\n"
        # getrusage's peak on Linux reaches back to the test process, before the program began.
        "own = Path('/proc/self/status')\n"
        "peak = (int(re.search(r'VmHWM:\\s+(\\d+)', own.read_text())[1]) if own.exists()\n"
        "    else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
        "print(worst, peak // 1024)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(MADE.parent.parent.parent)},
    )

    seconds, megabytes = done.stdout.split()
    assert float(seconds) < 5
    assert int(megabytes) < 300


def test_a_workbook_of_another_kind_inside_is_never_opened() -> None:
    content = workbook(parts={"xl/workbook.bin": "x", "content.xml": "<x/>", "mimetype": "x"})

    assert read_file("x", content).rows[1] == ["Pat Sample", "1/2/2026"]


def test_a_zip_directory_that_lies_about_sizes_is_found_out() -> None:
    content = workbook(HEADER + PAT * 50)
    end = content.rfind(b"PK\x01\x02")
    at = content.find(b"PK\x01\x02")
    while at != -1 and at <= end:
        content = content[: at + 24] + b"\x10\0\0\0" + content[at + 28 :]
        at = content.find(b"PK\x01\x02", at + 4)

    with pytest.raises(BadFile, match="damaged or cut off"):
        read_file("x", content)


# Social Security numbers.


def test_a_column_of_social_security_numbers_is_dropped_before_the_file_is_kept() -> None:
    content = csv_of(
        "Pat Sample,1/2/2026,000-12-3456", "Lee Test,1/3/2026,", header="Full name,Join date,SS#"
    )

    kept = received("roster.csv", content)

    assert kept.content == b"Full name,Join date\r\nPat Sample,1/2/2026\r\nLee Test,1/3/2026\r\n"
    assert (kept.dropped, kept.removed) == (("SS#",), 0)


def test_a_column_full_of_them_is_dropped_whatever_its_heading() -> None:
    rows = [f"P{n},1/2/2026,000-12-345{n}" for n in range(4)]

    kept = received("roster.csv", csv_of(*rows, header="Full name,Join date,Ref"))

    assert b"000-12" not in kept.content
    assert kept.dropped == ("Ref",)


@pytest.mark.django_db
def test_a_single_one_is_taken_out_and_its_row_refused() -> None:
    content = csv_of(
        "Pat Sample,1/2/2026,see 000-12-3456",
        "Lee Test,1/3/2026,kitchen",
        header="Full name,Join date,Notes",
    )

    kept = received("roster.csv", content)
    preview = judged(kept.content)

    assert (kept.dropped, kept.removed) == ((), 1)
    assert REMOVED.encode() in kept.content
    assert b"000-12" not in kept.content
    assert wrong(preview) == {2: [("Notes", "")]}
    assert listed(preview) == [("Lee Test", "2026-01-03", "member")]


def test_a_workbook_with_one_anywhere_is_kept_as_its_roster_alone() -> None:
    content = workbook(parts={"xl/comments1.xml": "<comments><t>000-12-3456</t></comments>"})

    kept = received("roster.xlsx", content)

    assert kept.content == "\ufeffFull name,Join date\r\nPat Sample,1/2/2026\r\n".encode()


def test_what_holds_none_is_kept_as_it_came() -> None:
    content = csv_of("Pat Sample,1/2/2026,59-1234567", header="Full name,Join date,EIN")

    assert received("roster.csv", content).content == content


# Columns.


@pytest.mark.django_db
def test_headings_are_known_by_many_names() -> None:
    preview = judged(made("header_case_space_synonyms.csv"))

    assert listed(preview) == [
        ("Pat Sample", "2026-01-02", "volunteer"),
        ("Lee Test", "2026-01-03", "member"),
        ("Kim Demo", "2026-01-04", "honorary"),
    ]


@pytest.mark.django_db
def test_titles_above_the_header_are_passed_over_and_totals_below_are_left_out() -> None:
    preview = judged(made("title_rows_above_header.csv"))

    assert (preview.sheet.header_row, listed(preview)) == (4, TEN)
    assert wrong(preview) == {16: [("", "Total members:")]}
    assert preview.rows[-1].status is Status.SKIPPED


@pytest.mark.django_db
def test_without_a_join_date_the_file_stops_and_today_is_never_put_in_its_place() -> None:
    preview = judged(csv_of("Pat Sample,1/2/2026", header="Full name,Mystery"))

    assert [(q.code, q.control) for q in preview.questions] == [("starts_on_missing", "column_1")]
    assert preview.good == []
    chosen = judged(
        csv_of("Pat Sample,1/2/2026", header="Full name,Mystery"),
        columns={0: "full_name", 1: "starts_on"},
    )
    assert listed(chosen) == [("Pat Sample", "2026-01-02", "member")]


@pytest.mark.django_db
def test_a_column_of_dues_is_not_taken_for_one_of_kinds_but_one_wrong_word_is() -> None:
    head = "Name,Joined,Membership Type"
    dues = csv_of("Pat Sample,2020-01-02,Gold", "Lee Test,2020-01-02,", header=head)
    word = csv_of(
        "Pat Sample,2020-01-02,Gold",
        "Lee Test,2020-01-02,member",
        "Kim Demo,2020-01-03,vol",
        header=head,
    )

    asked, refused = judged(dues), judged(word)

    assert [(q.code, q.control) for q in asked.questions] == [("kind", "column_2")]
    assert "holds “Gold” (row 2)" in asked.questions[0].text
    answered = judged(dues, columns={0: "full_name", 1: "starts_on", 2: ""})
    assert (answered.questions, [row.status for row in answered.rows]) == ([], [Status.NEW] * 2)
    assert refused.questions == []
    assert [row.status for row in refused.rows] == [Status.REFUSED, Status.NEW, Status.NEW]


@pytest.mark.django_db
def test_two_columns_for_one_field_and_a_doubtful_one_are_asked_about() -> None:
    preview = judged(made("civicrm_member_export.csv"))

    assert [(q.code, q.control) for q in preview.questions] == [
        ("starts_on_twice", "column_9"),
        ("leave_date_doubtful", "column_11"),
        ("kind", "column_6"),
    ]


@pytest.mark.django_db
def test_last_name_first_is_turned_and_parts_are_put_together() -> None:
    turned = judged(csv_of('"Example, Mary Ann",1/2/2026', '"Sample, Pat, Jr.",1/3/2026'))
    parts = judged(
        csv_of("Pat,Q,Sample,Jr.,1/2/2026", header="First,Middle,Last,Suffix,Member Since")
    )
    mononym = judged(csv_of("Suharti,,1/2/2026", header="First name,Last name,Joined"))

    assert [row.name for row in turned.rows] == ["Mary Ann Example", "Pat Sample Jr."]
    assert parts.rows[0].name == "Pat Q Sample Jr."
    assert mononym.rows[0].name == "Suharti"


@pytest.mark.django_db
def test_html_in_a_name_is_taken_as_it_stands() -> None:
    preview = judged(made("html_in_names.csv"))

    assert [row.name for row in preview.rows] == [
        "<b>Pat</b> <script>alert(1)</script>",
        '<link rel="attachment" href="file:///etc/passwd"> Test',
        '<img src="http://127.0.0.1:9/x"> Demo',
    ]


# Days.


@pytest.mark.django_db
def test_impossible_days_are_refused_each_with_its_row_and_value() -> None:
    preview = judged(made("impossible_dates.csv"))

    assert listed(preview) == [
        ("F X", "1951-01-01", "member"),
        ("H X", "2008-07-17", "member"),
        ("I X", "1987-06-15", "member"),
        ("J X", "2026-09-05", "member"),
        ("Q X", "2026-11-01", "member"),
        ("S X", "2026-11-01", "member"),
    ]
    assert {row: problems[0][1] for row, problems in wrong(preview).items()} == {
        2: "02/29/2023",
        3: "2026-02-30",
        4: "13/13/2026",
        5: "0000-00-00",
        6: "1900-01-01",
        8: "9999-12-31",
        12: "n/a",
        13: "pending",
        14: "",
        15: "2026-11-31",
        16: "yesterday",
        17: "2027-05-01",
        19: "1/2/3",
    }


@pytest.mark.django_db
def test_contradicting_orders_are_a_question_and_a_choice_settles_every_row() -> None:
    content = made("ambiguous_dates_us_vs_intl.csv")

    asked, month_first = judged(content), judged(content, date_order="mdy")

    assert [(q.code, q.text) for q in asked.questions] == [
        (
            "date_order",
            (
                "The dates contradict each other: “12/31/2025” (row 4) has the month first,"
                " “31/12/2025” (row 5) the day. Say which order the file means."
            ),
        )
    ]
    assert list(wrong(asked)) == [2, 3, 6]
    assert month_first.questions == []
    assert [day for _name, day, _kind in listed(month_first)] == [
        "2026-03-04",
        "2026-04-03",
        "2025-12-31",
    ]
    assert wrong(month_first) == {
        5: [("Join date", "31/12/2025")],
        6: [("Join date", "11/12/10")],
    }


@pytest.mark.parametrize(
    ("header", "days", "order"),
    [
        ("Join date", ["3/4/2026", "12/31/2025"], Order.MONTH_FIRST),
        ("Join date", ["3/4/2026", "31/12/2025"], Order.DAY_FIRST),
        ("Join date", ["3/4/2026"], Order.MONTH_FIRST),
        ("Join date (dd/mm/yyyy)", ["3/4/2026"], Order.DAY_FIRST),
        ("Join date", ["3.4.2026"], Order.OPEN),
        ("Join date", ["2026-04-03"], Order.YEAR_FIRST),
        ("Join date", ["Apr 3, 2026"], Order.NONE),
        ("Join date", ["2/29/24", "3/4/26"], Order.MONTH_FIRST),
    ],
)
def test_the_days_without_doubt_decide_the_order_for_all(
    header: str, days: list[str], order: Order
) -> None:
    sheet = read_file("x", csv_of(*[f"P{d},{d}" for d in days], header=f"Full name;{header}"))
    sheet = read_file("x", "\n".join([f"Full name;{header}", *[f"Pat;{d}" for d in days]]).encode())

    assert order_of(sheet, columns_of(sheet, Choices()), Choices()).order is order


@pytest.mark.django_db
def test_two_digit_years_are_refused_until_the_past_is_meant_and_never_become_2065() -> None:
    content = made("two_digit_years.csv")

    refused, past = judged(content), judged(content, two_digit_years="past")

    assert refused.counts["refused"] == 12
    assert refused.rows[10].problems[0].reason == (
        "“3/4/65” leaves the year open: write it with four digits, as 11/30/2026."
    )
    assert [day for _name, day, _kind in listed(past)][-2:] == ["1965-03-04", "1948-07-04"]


def test_a_day_with_a_clock_beside_it_is_that_day() -> None:
    reader = DayReader(Order.MONTH_FIRST, TODAY)

    assert reader.read("2013-11-23T02:30:31-08:00") == date(2013, 11, 23)
    assert reader.read("2026-11-01 00:00:00") == date(2026, 11, 1)
    assert reader.read("1/2/2026 12:00:00 AM") == date(2026, 1, 2)
    assert reader.read("1/2/2026, 9:05") == date(2026, 1, 2)
    with pytest.raises(Unreadable):
        reader.read("1/2/2026 29:05")


@pytest.mark.django_db
def test_the_order_of_days_is_settled_by_those_with_a_clock_as_well() -> None:
    preview = judged(csv_of("Pat Sample,3/4/2026 10:30", "Lee Test,13/4/2026 9:00"))

    assert [day for _name, day, _kind in listed(preview)] == ["2026-04-03", "2026-04-13"]


# Rows.


@pytest.mark.django_db
def test_no_sentence_quotes_a_whole_book() -> None:
    fields = ("First name", "Last name", "Birth date", "Street", "ZIP", "Resident", "18 or over")
    fields += ("Kind", "Join date", "Activity", "Duty", "Suffix", "Other organization", "EIN")
    usual = {"First name": "Pat", "Last name": "Sample", "Join date": "1/2/2026"}
    rows = [usual | {name: "Zq &#039; " * 1_000} for name in fields]
    text = [",".join(f'"{row.get(name, "")}"' for name in fields) for row in rows]

    preview = judged(csv_of(*text, header=",".join(fields)))

    told = [problem.reason for one in preview.rows for problem in one.problems]
    assert len(told) >= len(fields) - 1
    assert max(map(len, told)) < 250


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("cells", "problem"),
    [
        ({"kind": "platinum"}, ("Kind", "platinum")),
        ({"duty": "caller, juggler"}, ("Duty", "caller, juggler")),
        ({"resident": "sometimes"}, ("Resident", "sometimes")),
        ({"left": "1/1/1999"}, ("Leave date", "1/1/1999")),
        ({"born": "1/1/2027"}, ("Birth date", "1/1/2027")),
        ({"name": "Mary and John Example"}, ("Full name", "Mary and John Example")),
        ({"name": "x" * 201}, ("Full name", "x" * 201)),
        ({"act": "bingo", "on": "10/1/2026"}, ("Activity", "bingo")),
        ({"act": "meeting", "on": ""}, ("Activity date", "")),
        ({"act": "", "on": "10/1/2026"}, ("Activity", "")),
        ({"act": "meeting", "on": "12/1/2026"}, ("Activity date", "12/1/2026")),
    ],
)
def test_each_mistake_names_its_column_and_value(
    cells: dict[str, str], problem: tuple[str, str]
) -> None:
    usual = {
        "name": "Pat Sample",
        "join": "1/2/2026",
        "left": "",
        "born": "1/1/1970",
        "kind": "member",
        "resident": "yes",
        "act": "",
        "on": "",
        "duty": "caller",
    }
    header = "Full name,Join date,Leave date,Birth date,Kind,Resident,Activity,Activity date,Duty"
    row = ",".join(f'"{cell}"' for cell in (usual | cells).values())

    preview = judged(csv_of(row, header=header), date_order="mdy")

    assert wrong(preview) == {2: [problem]}


@pytest.mark.django_db
def test_rows_with_too_few_or_too_many_cells_and_blank_rows() -> None:
    ragged, blank = judged(made("ragged.csv")), judged(made("blank_rows_inside.csv"))

    assert wrong(ragged) == {2: [("Join date", "")], 3: [("", "extra; extra2")]}
    assert [row.number for row in blank.rows] == [2, 6]


@pytest.mark.django_db
def test_a_zero_byte_is_a_mistake_of_its_row() -> None:
    preview = judged(made("nul_bytes.csv"))

    assert wrong(preview) == {2: [("First name", "Pat")], 3: [("Last name", "Test")]}


@pytest.mark.django_db
def test_a_protected_cell_of_our_own_lists_is_read_as_it_was() -> None:
    preview = judged(csv_of("'-Dash Demo,1/2/2026"))

    assert preview.rows[0].name == "-Dash Demo"


@pytest.mark.django_db
def test_the_same_person_twice_is_a_mistake_unless_the_spells_follow_each_other() -> None:
    header = "Full name,Join date,Leave date,Birth date"
    preview = judged(
        csv_of(
            "Pat Sample,1/2/2020,5/1/2021,1/1/1970",
            "PÁT SAMPLE,6/1/2021,,",
            "Pat Sample,7/1/2021,,1/1/1970",
            "Pat Sample,1/2/2020,,2/2/1990",
            header=header,
        )
    )

    assert {row.number: row.status for row in preview.rows} == {
        2: Status.NEW,
        3: Status.NEW,
        4: Status.REFUSED,
        5: Status.NEW,
    }
    assert preview.rows[2].problems[0].reason == (
        "“Pat Sample” also stands in row 3: keep one of the two."
    )


@pytest.mark.django_db
def test_bare_numbers_become_the_days_that_a_person_says_they_are() -> None:
    content = made("excel_serials_as_text.csv")

    asked, read, refused = (judged(content, serials=way) for way in ("", "1900", "refuse"))

    assert [q.code for q in asked.questions] == ["serials"]
    assert [day for _name, day, _kind in listed(read)] == [day for _name, day, _kind in TEN]
    assert (read.questions, refused.questions, refused.counts["refused"]) == ([], [], 10)


@pytest.mark.django_db
def test_a_year_alone_is_never_counted_in_days() -> None:
    preview = judged(csv_of("Pat Sample,2019", "Lee Test,45672"), serials="1900")

    assert wrong(preview) == {2: [("Join date", "2019")]}


@pytest.mark.django_db
def test_a_day_that_stands_for_none_is_left_empty_if_so_wanted_but_never_a_join_date() -> None:
    header = "Full name,Join date,Leave date,Birth date"
    content = csv_of(
        "Pat Sample,1/22/2026,12/31/9999,01/01/1900", "Lee Test,1/1/1900,,", header=header
    )

    asked, left = judged(content), judged(content, placeholders="empty")

    assert wrong(asked)[2] == [("Leave date", "12/31/9999"), ("Birth date", "01/01/1900")]
    assert listed(left) == [("Pat Sample", "2026-01-22", "member")]
    assert (left.good[0].entry.ends_on, left.good[0].entry.born_on) == (None, None)
    assert [problem.reason for problem in left.rows[1].problems] == [
        "“1/1/1900” stands for a day that is not known: ask the person, then write it."
    ]


@pytest.mark.django_db
def test_what_is_nobody_is_left_out_with_its_reason() -> None:
    preview = judged(
        csv_of(
            "Pat Sample,1/2/2026",
            "FULL NAME,Join date",
            "Full name,Join date",
            "Total: 12,",
            "12 members,",
            "Total Recall,1/2/2026",
            "Grand total,",
            "Total,12",
            "Full name,Join date,what the county wrote beside it",
            header="Full name,Join date,Problem",
        )
    )

    told = {row.number: (row.status.value, row.problems[0].reason) for row in preview.rows[1:3]}
    assert told == {
        3: ("skipped", "This is the header again."),
        4: ("skipped", "This is the header again."),
    }
    assert [row.status.value for row in preview.rows] == [
        "new", "skipped", "skipped", "skipped", "skipped", "new", "skipped", "skipped", "skipped",
    ]  # fmt: skip
    assert (preview.counts["rows"], preview.counts["skipped"]) == (9, 7)
    assert [name for name, _day, _kind in listed(preview)] == ["Pat Sample", "Total Recall"]


@pytest.mark.django_db
def test_rows_of_another_organization_are_left_out_and_a_file_of_others_is_asked_about() -> None:
    ours = LicensedFactory(name="Gulf Shore Helpers, Inc.")
    header = "Full name,Join date,Club"
    mixed = judged(
        csv_of(
            "Pat Sample,1/22/2026,GULF SHORE HELPERS",
            "Lee Test,1/22/2026,Elm Street Lodge",
            "Kim Demo,1/22/2026,",
            header=header,
        ),
        ours,
    )
    others = csv_of("Lee Test,1/22/2026,Elm Street Lodge", header=header)

    assert [row.status.value for row in mixed.rows] == ["new", "skipped", "new"]
    assert wrong(mixed) == {3: [("Club", "Elm Street Lodge")]}
    assert mixed.questions == []
    assert [(q.code, q.control) for q in judged(others, ours).questions] == [
        ("organization", "column_2")
    ]
    columns = {0: "full_name", 1: "starts_on", 2: ""}
    assert judged(others, ours, columns=columns).counts["new"] == 1


@pytest.mark.django_db
def test_rows_with_the_ein_of_another_are_left_out_where_the_own_one_is_known() -> None:
    rows = csv_of(
        "Pat Sample,1/22/2026,59-1111144",
        "Lee Test,1/22/2026,591111145",
        "Kim Demo,1/22/2026,",
        "Bo Demo,1/22/2026,n/a",
        header="Full name,Join date,Organisation EIN",
    )
    ours = judged(rows, LicensedFactory(ein="591111144"))
    others = judged(rows.replace(b"59-1111144", b"591111146"), LicensedFactory(ein="591111147"))

    assert [row.status.value for row in ours.rows] == ["new", "skipped", "new", "new"]
    assert wrong(ours) == {3: [("Organisation EIN", "591111145")]}
    assert ours.questions == []
    assert [(q.code, q.control) for q in others.questions] == [("organization_ein", "column_2")]
    assert [row.status.value for row in others.rows] == ["new"] * 4
    assert judged(rows, LicensedFactory(ein=None)).counts["new"] == 4


@pytest.mark.django_db
def test_who_stands_in_one_file_under_three_eins_works_for_two_others() -> None:
    ours = LicensedFactory(ein="591111144")
    rows = [f"Pat Sample,1/22/2026,{ein}" for ein in (591111144, 591111145, 591111146)]
    read = judged(csv_of(*rows, header="Full name,Join date,Organisation EIN"), ours)
    two = judged(csv_of(*rows[:2], header="Full name,Join date,Organisation EIN"), ours)

    assert [row.status.value for row in read.rows] == ["new", "skipped", "skipped"]
    assert "§ 10-63(10)" in read.rows[0].problems[0].reason
    assert read.rows[0].eligible_on is None
    assert two.rows[0].problems == []


@pytest.mark.django_db
def test_a_number_tells_namesakes_apart_and_a_strange_one_says_nothing() -> None:
    ours = LicensedFactory()
    first, second = (
        MembershipFactory(
            organization=ours,
            person=PersonFactory(full_name="Pat Sample", born_on=None),
            born_on_stated=None,
            starts_on=date(2026, 1, 2),
            ends_on=day,
        )
        for day in (None, date(2026, 5, 1))
    )
    strange = MembershipFactory(person=PersonFactory(full_name="Pat Sample", born_on=None))
    header = "Full name,Join date,Leave date,Kind,Person number"
    told = csv_of(
        f"Pat Sample,1/2/2026,,member,{first.person.number}",
        f"Pat Sample,1/2/2026,5/1/2026,member,{second.person.number.lower()}",
        header=header,
    )

    def alone(number: str) -> list[tuple[str, list[str]]]:
        read = judged(csv_of(f"Pat Sample,1/2/2026,,member,{number}", header=header), ours)
        return [(row.status.value, [p.reason for p in row.problems]) for row in read.rows]

    assert [(row.status, row.problems) for row in judged(told, ours).rows] == [
        (Status.SAME, []), (Status.SAME, []),
    ]  # fmt: skip
    assert alone(first.person.number) == [("same", [])]
    assert alone("")[0][0] == "refused"
    assert alone(strange.person.number) == alone("P-NOBODY") == alone("")
    elsewhere = csv_of(
        *(f"Lee Test,1/2/2026,,member,{n}" for n in (strange.person.number, "P-NOBODY")),
        header=header,
    )
    assert [row.status.value for row in judged(elsewhere, ours).rows] == ["new", "refused"]
    misplaced = csv_of(
        *(f"Lee Test,1/2/2026,,member,{row.person.number}" for row in (first, second)),
        header=header,
    )
    assert [row.status.value for row in judged(misplaced, ours).rows] == ["new", "refused"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("---", "nobody's whole name"),
        ("N/A", "nobody's whole name"),
        ("Vacant", "nobody's whole name"),
        ('"Sample,"', "nobody's whole name"),
        ("Jos?", "has lost letters"),
        ("Jos\ufffd Sample", "has lost letters"),
        ("pat@sample.example", "more than a name"),
        ("Pat Sample 813-555-0100", "more than a name"),
        ("Pat Sample (deceased)", "more than a name"),
        ('"Pat\n1/2/2026,Lee"', "more than a name"),
        ("Mary/John Example", "two people"),
        ("Mary Example; John Example", "two people"),
        ("José y María Ejemplo", "two people"),
        ("María Ejemplo y Prueba", ""),
        ("Anne-Marie d'Example III", ""),
        ("=1+1 Sample", ""),
    ],
)
def test_what_is_no_whole_name_of_one_person_is_refused(name: str, part: str) -> None:
    row = judged(csv_of(f"{name},1/2/2026")).rows[0]

    assert [part in p.reason for p in row.problems] == ([True] if part else [])


@pytest.mark.django_db
def test_a_control_character_is_named_in_a_day_as_well() -> None:
    preview = judged(csv_of("Pat Sample,1/2\0/2026", "Lee Test,1/2/2026"))

    assert preview.rows[0].problems[0].reason == (
        "“1/2/2026” holds a control character that cannot be printed: type it anew."
    )


@pytest.mark.django_db
def test_half_a_name_in_columns_is_asked_about() -> None:
    first = judged(csv_of("Pat,1/2/2026", header="First name,Join date"))
    whole = judged(
        csv_of(
            "Pat,Sample,Prueba,2 de enero de 2026",
            header="Nombre,Primer apellido,Segundo apellido,Fecha de alta",
        )
    )

    assert [q.code for q in first.questions] == ["family_name_missing"]
    assert "Last name" in first.questions[0].text
    assert listed(whole) == [("Pat Sample Prueba", "2026-01-02", "member")]
    assert whole.good[0].entry.family_name == "Sample Prueba"


@pytest.mark.django_db
def test_rows_are_tested_against_each_other_by_what_the_file_itself_says() -> None:
    """Two other organizations for one person in one file: entered, and not cleared (D21)."""
    ours = LicensedFactory(name="Gulf Shore Helpers")
    header = "Full name,Join date,Birth date,Activity,Activity date,Also works for,Organization"
    done = "1/22/2020,1/2/1970,meeting,10/1/2026"
    preview = judged(
        csv_of(
            f"One Other,{done},Elm Street Lodge,",
            f"Two Others,{done},Elm Street Lodge; Oak Hall Friends,",
            f"Spread Sample,{done},Elm Street Lodge,Gulf Shore Helpers",
            f"SPREAD SAMPLE,{done},,Oak Hall Friends",
            f"Twice Named,{done},Elm Street Lodge; The Elm Street Lodge Inc.,",
            f"Namesake Sample,{done},Elm Street Lodge,",
            "Namesake Sample,1/22/2020,2/2/1980,meeting,10/1/2026,Oak Hall Friends,",
            f"Yes Sample,{done},yes,",
            f"No Sample,{done},none,",
            header=header,
        ),
        ours,
        date_order="mdy",
    )

    assert {row.name: (row.status.value, row.eligible_on) for row in preview.rows} == {
        "One Other": ("new", TODAY),
        "Two Others": ("new", None),
        "Spread Sample": ("new", None),
        "SPREAD SAMPLE": ("skipped", None),
        "Twice Named": ("new", TODAY),
        "Namesake Sample": ("new", TODAY),
        "Yes Sample": ("refused", None),
        "No Sample": ("new", TODAY),
    }
    assert preview.rows[1].problems[0].reason == (
        "Two Others also works for Elm Street Lodge; Oak Hall Friends, as the file says, and one"
        " other organization is the most (§ 10-63(10)): the row can be entered, and the person is"
        " not cleared."
    )
    assert preview.rows[1].bar is not None
    assert preview.rows[1].bar.rule == "one_other"
    assert {2, 6, 7, 8, 10} == set(preview.duties_to_approve)
    assert preview.to_enter == 7


# Against the organization's own roster.


@pytest.mark.django_db
def test_a_line_is_new_the_same_or_changed_and_says_in_what() -> None:
    organization = LicensedFactory()
    for name in ("Same Sample", "Left Sample", "Kind Sample", "Born Sample", "Joined Sample"):
        MembershipFactory(
            organization=organization,
            person=PersonFactory(full_name=name),
            starts_on=date(2020, 1, 2),
        )
    header = "Full name,Join date,Leave date,Birth date,Kind"
    preview = judged(
        csv_of(
            "Same Sample,1/2/2020,,1/2/1970,regular",
            "Left Sample,1/2/2020,3/1/2026,1/2/1970,member",
            "Kind Sample,1/2/2020,,,volunteer",
            "Born Sample,1/2/2020,,2/2/1971,",
            "Joined Sample,5/2/2021,,1/2/1970,",
            "New Sample,1/2/2020,,,",
            header=header,
        ),
        organization,
    )

    told = {
        row.name: (row.status, [(c.field, c.enters) for c in row.compared.changes])
        for row in preview.rows
        if row.compared
    }
    assert told == {
        "Same Sample": (Status.SAME, []),
        "Left Sample": (Status.CHANGED, [("ends_on", True)]),
        "Kind Sample": (Status.CHANGED, [("kind", False)]),
        "Born Sample": (Status.CHANGED, [("born_on", False)]),
        "Joined Sample": (Status.CHANGED, [("starts_on", False)]),
        "New Sample": (Status.NEW, []),
    }


@pytest.mark.django_db
def test_what_was_missing_on_the_roster_is_added_by_a_list() -> None:
    organization = LicensedFactory()
    MembershipFactory(
        organization=organization,
        person=PersonFactory(full_name="Pat Sample"),
        starts_on=date(2020, 1, 2),
        born_on_stated=None,
        is_adult_stated=False,
        is_resident_stated=None,
        attested_on=None,
    )
    header = "Full name,Join date,Birth date,18+,Resident,Activity,Activity date"
    preview = judged(
        csv_of("Pat Sample,1/2/2020,1/1/1970,yes,yes,meeting,10/1/2026", header=header),
        organization,
    )

    compared = preview.rows[0].compared
    assert compared is not None
    assert {change.field: change.enters for change in compared.changes} == dict.fromkeys(
        ["born_on", "is_adult", "is_resident", "activity", "confirmed"], True
    )


@pytest.mark.django_db
def test_a_new_name_with_the_same_birth_and_join_date_is_a_difference_not_a_new_person() -> None:
    organization = LicensedFactory()
    MembershipFactory(
        organization=organization,
        person=PersonFactory(full_name="Mary Miller"),
        starts_on=date(2020, 1, 2),
    )

    changed = judged(
        csv_of("Mary Stone,1/2/2020,1/2/1970", header="Full name,Join date,Birth date"),
        organization,
    )
    twins = judged(
        csv_of(
            "Mary Miller,1/2/2020,1/2/1970",
            "Martha Miller,1/2/2020,1/2/1970",
            header="Full name,Join date,Birth date",
        ),
        organization,
    )

    stranger = judged(
        csv_of("Olga Stone,1/2/2020,1/2/1970", header="Full name,Join date,Birth date"),
        organization,
    )

    assert changed.rows[0].status is Status.CHANGED
    assert stranger.rows[0].status is Status.NEW
    assert [row.status for row in twins.rows] == [Status.SAME, Status.NEW]


@pytest.mark.django_db
def test_father_and_son_of_one_name_are_told_apart_by_birth_or_join_date_else_asked() -> None:
    organization = LicensedFactory()
    for year, joined in ((1940, date(2001, 1, 2)), (1970, date(2011, 1, 2))):
        person = PersonFactory(full_name="John Example", born_on=date(year, 3, 4))
        MembershipFactory(organization=organization, person=person, starts_on=joined)
    header = "Full name,Join date,Birth date"

    preview = judged(
        csv_of(
            "John Example,1/2/2001,3/4/1940",
            "John Example,1/2/2011,3/4/1970",
            header=header,
        ),
        organization,
    )
    open_ = judged(csv_of("John Example,1/2/2015,", header=header), organization)

    assert [row.status for row in preview.rows] == [Status.SAME, Status.SAME]
    assert open_.rows[0].problems[0].reason == (
        "Several people on your roster have the name “John Example”: John Example (joined Jan 2,"
        " 2001); John Example (joined Jan 2, 2011). Add the birth date that you entered for the"
        " one you mean."
    )


@pytest.mark.django_db
def test_a_name_without_sr_or_jr_stops_and_lists_who_may_be_meant() -> None:
    organization = LicensedFactory()
    for name, year in (("John Example Sr.", 2001), ("John Example, Jr.", 2011)):
        MembershipFactory(
            organization=organization,
            person=PersonFactory(full_name=name),
            starts_on=date(year, 1, 2),
        )
    MembershipFactory(
        organization=organization,
        person=PersonFactory(full_name="Ann Only Jr."),
        starts_on=date(2011, 1, 2),
    )

    preview = judged(
        csv_of("John Example,1/22/2015", "John Example,1/2/2011", "Ann Only,1/22/2015"),
        organization,
    )
    elsewhere = judged(csv_of("John Example,1/22/2015"))

    assert preview.rows[0].problems[0].reason == (
        "Several people on your roster have the name “John Example”: John Example Sr. (joined"
        " Jan 2, 2001); John Example, Jr. (joined Jan 2, 2011). Add the birth date that you"
        " entered for the one you mean."
    )
    assert preview.rows[2].status is Status.NEW
    assert elsewhere.rows[0].status is Status.NEW


@pytest.mark.django_db
def test_an_officers_own_line_is_a_mistake_until_somebody_else_brings_it() -> None:
    holder = AccountHolderFactory(user=UserFactory(name="Ada Reyes"))
    tied = AccountHolderFactory(
        user=UserFactory(person=PersonFactory(full_name="Bea Own")),
        organization=holder.organization,
    )
    content = csv_of("ADA REYES,1/2/2020", "Bea Own,1/2/2020")

    by_ada = judged(content, holder.organization, by=holder.user)
    by_bea = judged(content, holder.organization, by=tied.user)

    assert list(wrong(by_ada)) == [2]
    assert list(wrong(by_bea)) == [3]
    assert wrong(judged(content, holder.organization)) == {}


@pytest.mark.django_db
def test_the_answer_rests_on_the_file_and_the_own_rows_alone() -> None:
    organization = LicensedFactory()
    worker = MembershipFactory(
        organization=organization,
        person=PersonFactory(full_name="Known Sample"),
        starts_on=date(2020, 1, 2),
    )
    ActivityFactory(person=worker.person, organization=organization, done_on=date(2026, 10, 1))
    header = "Full name,Join date,Birth date,Activity,Activity date"

    preview = judged(
        csv_of(
            "Known Sample,1/2/2020,1/2/1970,,",
            "Ready Sample,1/2/2020,1/2/1970,meeting,10/1/2026",
            "Later Sample,11/13/2026,1/2/1970,meeting,11/20/2026",
            "Young Sample,1/2/2026,12/25/2008,meeting,10/1/2026",
            "Idle Sample,1/2/2020,1/2/1970,,",
            header=header,
        ),
        organization,
        date_order="mdy",
    )

    assert [(row.name, row.eligible_on) for row in preview.rows] == [
        ("Known Sample", TODAY),
        ("Ready Sample", TODAY),
        ("Later Sample", date(2026, 12, 13)),
        ("Young Sample", date(2026, 12, 25)),
        ("Idle Sample", None),
    ]
    assert {k: preview.counts[k] for k in ("cleared", "later", "missing")} == {
        "cleared": 2,
        "later": 2,
        "missing": 1,
    }


@pytest.mark.django_db
def test_only_who_may_work_and_is_not_approved_yet_is_offered_for_approval() -> None:
    organization = LicensedFactory()
    for name in ("Known Sample", "Approved Sample"):
        person = PersonFactory(full_name=name)
        WorkerFactory(person=person, organization=organization, starts_on=date(2020, 1, 2))
    AssignmentFactory(person=person, organization=organization)

    preview = judge(
        None,
        organization,
        ("x", csv_of("Known Sample,1/2/2020", "Approved Sample,1/2/2020")),
        Choices(),
        days_ago(0),
    )

    assert preview.duties_to_approve == {2: ()}


@pytest.mark.django_db
def test_a_preview_tells_nothing_of_people_whom_others_know() -> None:
    """The same rows, the same words and the same queries whether the register knows them or not."""
    organization = LicensedFactory()
    for n in range(3):
        person = PersonFactory(full_name=f"Busy Worker{n}")
        for _place in range(2):
            other = LicensedFactory()
            WorkerFactory(person=person, organization=other)
            AssignmentFactory(person=person, organization=other)
    header = "Full name,Join date,Birth date,Activity,Activity date"

    def look(name: str) -> tuple[Any, list[str]]:
        rows = [f"{name}{n},1/2/2020,1/2/1970,meeting,10/1/2026" for n in range(3)]
        with CaptureQueriesContext(connection) as asked:
            preview = judged(csv_of(*rows, header=header), organization, date_order="mdy")
        told = json.dumps(preview.as_json()).replace(name, "X")
        return told, [query["sql"].replace(name, "X") for query in asked.captured_queries]

    known, unknown = look("Busy Worker"), look("Idle Worker")

    assert known == unknown
    assert '"status": "new"' in known[0]


@pytest.mark.django_db
def test_a_preview_asks_the_same_queries_for_one_row_and_for_three() -> None:
    organization = LicensedFactory()
    WorkerFactory(organization=organization)

    def queries(count: int) -> int:
        rows = [f"Pat{n} Sample,1/2/2020" for n in range(count)]
        with CaptureQueriesContext(connection) as asked:
            judged(csv_of(*rows), organization)
        return len(asked)

    assert queries(1) == queries(3)


@pytest.mark.django_db
def test_a_suspended_member_is_not_cleared_by_a_fresh_list() -> None:
    organization = LicensedFactory()
    row = WorkerFactory(
        organization=organization,
        person=PersonFactory(full_name="Pat Sample"),
        starts_on=date(2020, 1, 2),
    )
    SuspensionFactory(person=row.person, organization=organization, starts_on=days_ago(3))

    preview = judge(
        None, organization, ("x", csv_of("Pat Sample,1/2/2020")), Choices(), days_ago(0)
    )

    assert (preview.rows[0].status, preview.rows[0].eligible_on) == (Status.SAME, None)


# Real files of other projects' readers, where they are at hand.

SAMPLES = os.environ.get("BONA_FIDE_SAMPLES")


@pytest.mark.skipif(not SAMPLES, reason="no samples: BONA_FIDE_SAMPLES is not set")
def test_every_sample_file_ends_in_rows_or_in_one_sentence() -> None:
    files = sorted(Path(SAMPLES or "", "rosters").rglob("*.*"))
    assert files

    for path in files:
        try:
            sheet = read_file(path.name, received(path.name, path.read_bytes()).content)
        except BadFile as refused:
            assert ":" in str(refused), path.name
        else:
            assert any(True for _line in sheet.lines())


@pytest.mark.skipif(not SAMPLES, reason="no samples: BONA_FIDE_SAMPLES is not set")
def test_the_csv_spectrum_is_read_as_its_answers_say() -> None:
    folder = Path(SAMPLES or "", "rosters", "csv-spectrum")

    for answers in sorted(folder.glob("*.json")):
        file = answers.with_suffix(".csv")
        if file.name == "location_coordinates.csv":
            continue  # not in any encoding
        sheet = read_file(file.name, file.read_bytes())
        headings = sheet.headings
        rows = [dict(zip(headings, row, strict=False)) for _number, row in sheet.lines()]
        assert rows == json.loads(answers.read_text()), file.name
