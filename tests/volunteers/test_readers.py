"""Any file is read rightly, asked about, or refused in one sentence; no database is needed."""

from __future__ import annotations

import csv
import gzip
import io
import os
import re
import struct
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from tests.volunteers.workbook import (
    HEADER,
    MAIN,
    PAT,
    instead,
    label,
    ods,
    ods_cells,
    ods_row,
    oldmark,
    record,
    row,
    workbook,
    xls,
)
from volunteers.imports import Understood, understand
from volunteers.readers import BadFile, Choices, read_file, received
from volunteers.readers.columns import field_named
from volunteers.readers.letters import decode
from volunteers.readers.sheets import NO_HEADER, is_blank

TODAY = date(2026, 11, 30)
ROOT = Path(__file__).parent.parent.parent
SAMPLES = os.environ.get("BONA_FIDE_SAMPLES")


def seen(content: bytes, **choices: object) -> Understood:
    return understand(("roster", content), Choices(**choices), TODAY)  # type: ignore[arg-type]


def asked(content: bytes, **choices: object) -> list[tuple[str, str]]:
    """Code and control of each open question."""
    return [(q.code, q.control) for q in seen(content, **choices).questions]


def csv_of(*rows: str, header: str = "Full name,Join date", encoding: str = "utf-8") -> bytes:
    return "\n".join([header, *rows, ""]).encode(encoding)


# Every sample file: the header's row, how many rows it has, and what is asked; or the sentence.

BOTH = "full_name_missing starts_on_missing"
NONE = "no_header full_name_missing starts_on_missing"
NO_ROWS = "The file has no rows below its header"
OUTCOMES: dict[str, tuple[int, int, str] | str] = {
    "civicrm/individual_dates_type16.csv": (1, 2, "starts_on_missing kind"),
    "civicrm/individual_dates_type2.csv": (1, 3, "starts_on_missing kind"),
    "civicrm/individual_dates_type32.csv": (1, 2, "starts_on_missing kind"),
    "civicrm/individual_dates_type8.csv": (1, 1, "starts_on_missing kind"),
    "civicrm/individual_unicode.csv": (1, 1, "starts_on_missing"),
    "civicrm/memberships_invalid.csv": (1, 1, "full_name_missing kind"),
    "civicrm/memberships_valid.csv": (1, 1, "full_name_missing kind"),
    "civicrm/specialchar_with_BOM.csv": (1, 1, "starts_on_missing"),
    "csv-spectrum/comma_in_quotes.csv": (1, 1, "starts_on_missing"),
    "csv-spectrum/empty.csv": (1, 2, BOTH),
    "csv-spectrum/empty_crlf.csv": (1, 2, BOTH),
    "csv-spectrum/escaped_quotes.csv": (1, 2, BOTH),
    "csv-spectrum/json.csv": (1, 1, BOTH),
    "csv-spectrum/location_coordinates.csv": (1, 1, BOTH),
    "csv-spectrum/newlines.csv": (1, 3, BOTH),
    "csv-spectrum/newlines_crlf.csv": (1, 3, BOTH),
    "csv-spectrum/quotes_and_newlines.csv": (1, 2, BOTH),
    "csv-spectrum/simple.csv": (1, 1, BOTH),
    "csv-spectrum/simple_crlf.csv": (1, 1, BOTH),
    "csv-spectrum/utf8.csv": (1, 2, BOTH),
    "csvkit/bad.csv": (1, 3, BOTH),
    "csvkit/bad_skip_lines.csv": (4, 3, BOTH),
    "csvkit/blanks.csv": (1, 1, BOTH),
    "csvkit/date_like_number.csv": (1, 1, BOTH),
    "csvkit/dummy.xls": (1, 1, BOTH),
    "csvkit/dummy.xlsx": (1, 1, BOTH),
    "csvkit/dummy_col_shuffled_ragged.csv": (1, 1, BOTH),
    "csvkit/empty.csv": "is empty",
    "csvkit/mac_newlines.csv": (1, 2, BOTH),
    "csvkit/no_header_row.csv": (0, 1, NONE),
    "csvkit/null_byte.csv": (1, 1, BOTH),
    "csvkit/optional_quote_characters.csv": (1, 1, BOTH),
    "csvkit/sheets.xlsx": (1, 5, BOTH),
    "csvkit/test.xls": (1, 5, BOTH),
    "csvkit/test.xlsx": (1, 5, BOTH),
    "csvkit/test_date_format.csv": (1, 2, BOTH),
    "csvkit/test_empty_columns.csv": (1, 2, BOTH),
    "csvkit/test_empty_columns_long_row.csv": NO_ROWS,
    "csvkit/test_empty_columns_short_row.csv": NO_ROWS,
    "csvkit/test_extra_header.csv": (1, 1, BOTH),
    "csvkit/test_header_newline.csv": (1, 1, BOTH),
    "csvkit/test_ignore_case.csv": (1, 5, BOTH),
    "csvkit/test_latin1.csv": (1, 2, BOTH),
    "csvkit/test_locale.csv": (1, 1, BOTH),
    "csvkit/test_no_leading_zeroes.csv": (1, 1, BOTH),
    "csvkit/test_numeric_date_format.csv": (1, 2, BOTH),
    "csvkit/test_skip_lines.csv": (4, 1, BOTH),
    "csvkit/test_skip_lines.xlsx": (4, 5, BOTH),
    "csvkit/test_utf16_big.csv": (1, 2, BOTH),
    "csvkit/test_utf16_little.csv": (1, 2, BOTH),
    "csvkit/test_utf8.csv": (1, 2, BOTH),
    "csvkit/test_utf8_bom.csv": (1, 2, BOTH),
    "made/ambiguous_dates_us_vs_intl.csv": (1, 5, "date_order"),
    "made/big_20000_rows.csv": (1, 20000, ""),
    "made/blank_rows_inside.csv": (1, 2, ""),
    "made/civicrm_member_export.csv": (1, 6, "starts_on_twice leave_date_doubtful kind"),
    "made/dates_ten_kinds.xlsx": (1, 10, "date_order serials"),
    "made/de_excel_semicolon_cp1252.csv": (1, 9, ""),
    "made/donorperfect_layout.csv": (1, 2, "starts_on_missing"),
    "made/empty.csv": "is empty",
    "made/empty_workbook.xlsx": "sheets are empty",
    "made/error_cells.xlsx": (1, 3, ""),
    "made/excel_serials_as_text.csv": (1, 10, "serials"),
    "made/excel_unicode_text_utf16le_tab.txt": (1, 10, ""),
    "made/external_entity.xlsx": "declares entities",
    "made/formatted_to_last_row_and_column.xlsx": (1, 3, ""),
    "made/fr_excel_semicolon_utf8_bom.csv": (1, 10, ""),
    "made/header_case_space_synonyms.csv": (1, 3, ""),
    "made/header_only.csv": NO_ROWS,
    "made/hidden_row_filter_strikethrough_comment.xlsx": (1, 10, ""),
    "made/html_in_names.csv": (1, 3, ""),
    "made/impossible_dates.csv": (1, 19, ""),
    "made/invalid_utf8_middle.csv": (1, 3001, ""),
    "made/iso.csv": (1, 10, ""),
    "made/iso_lf_no_final_newline.csv": (1, 10, ""),
    "made/nul_bytes.csv": (1, 2, ""),
    "made/numbers_and_leading_zeros.xlsx": (1, 4, ""),
    "made/only_bom.csv": "is empty",
    "made/only_newlines.csv": "is empty",
    "made/pdf_named_csv.csv": "is a PDF file",
    "made/quotes_and_newlines.csv": (1, 2, ""),
    "made/ragged.csv": (1, 3, ""),
    "made/title_rows_above_header.csv": (4, 11, ""),
    "made/truncated.xlsx": "damaged or cut off",
    "made/two_digit_years.csv": (1, 12, "two_digit_years"),
    "made/us_excel_cp1252.csv": (1, 9, ""),
    "made/us_excel_utf8_bom.csv": (1, 10, ""),
    "made/utf16be_bom.csv": (1, 10, ""),
    "made/xlsx_named_csv.csv": (1, 10, "date_order serials"),
    "made/zip_bomb_60MB_inside.xlsx": "20 MB is the limit",
    "papaparse/long-sample.csv": (0, 8, NONE),
    "papaparse/sample-header.csv": (1, 2, "starts_on_missing"),
    "papaparse/utf-8-bom-sample.csv": (1, 1, BOTH),
    "xlsx-calamine/any_sheets.xlsx": (0, 4, NONE),
    "xlsx-calamine/column_row_ranges.xlsx": (0, 5, NONE),
    "xlsx-calamine/date.ods": (0, 4, NONE),
    "xlsx-calamine/date.xls": (0, 3, NONE),
    "xlsx-calamine/date.xlsx": (0, 3, NONE),
    "xlsx-calamine/date_1904.xls": (0, 3, NONE),
    "xlsx-calamine/date_1904.xlsx": (0, 3, NONE),
    "xlsx-calamine/date_iso.xlsx": (0, 6, NONE),
    "xlsx-calamine/date_quoted_format.xlsx": (0, 4, NONE),
    "xlsx-calamine/empty_s_attribute.xlsx": (1, 4, "starts_on_missing"),
    "xlsx-calamine/empty_shared_string.xlsx": NO_ROWS,
    "xlsx-calamine/empty_sheet.xlsx": "sheets are empty",
    "xlsx-calamine/encoded_entities.xlsx": NO_ROWS,
    "xlsx-calamine/errors.xlsx": (1, 6, BOTH),
    "xlsx-calamine/has_x000D_.xlsx": NO_ROWS,
    "xlsx-calamine/header-row.xlsx": (9, 1, BOTH),
    "xlsx-calamine/hyperlinks.xlsx": (1, 7, BOTH),
    "xlsx-calamine/inlineStr_cdata.xlsx": (1, 1, BOTH),
    "xlsx-calamine/merge_cells.xlsx": (1, 1, BOTH),
    "xlsx-calamine/merged_range.xlsx": (1, 2, BOTH),
    "xlsx-calamine/no-header.xlsx": (0, 2, NONE),
    "xlsx-calamine/nonstandard-xml-ns-prefix.xlsx": (1, 2, BOTH),
    "xlsx-calamine/pass_protected.xlsx": "locked with a password",
    "xlsx-calamine/rph.xlsx": NO_ROWS,
    "xlsx-calamine/strict_iso_paths.xlsx": (1, 75, BOTH),
    "xlsx-calamine/string-ref.xlsx": (1, 1, BOTH),
    "xlsx-calamine/table_with_absolute_paths.xlsx": (1, 4, "starts_on_missing"),
    "xlsx-calamine/whitespace_trim.xlsx": (1, 2, BOTH),
}


def outcome(path: Path) -> tuple[int, int, str] | str:
    """What becomes of a file that somebody drops."""
    try:
        found = seen(received(path.name, path.read_bytes()).content)
    except BadFile as refused:
        return str(refused)
    codes = " ".join(question.code for question in found.questions)
    return found.sheet.header_row, sum(1 for _line in found.sheet.lines()), codes


@pytest.mark.skipif(not SAMPLES, reason="no samples: BONA_FIDE_SAMPLES is not set")
def test_every_sample_file_ends_in_its_rows_in_its_questions_or_in_one_sentence() -> None:
    folder = Path(SAMPLES or "", "rosters")
    files = {str(p.relative_to(folder)): p for p in folder.rglob("*.*") if p.suffix != ".json"}

    found = {name: outcome(path) for name, path in files.items()}

    assert set(found) == set(OUTCOMES)
    for name, expected in OUTCOMES.items():
        told = found[name]
        if isinstance(expected, str):
            assert isinstance(told, str), (name, told)
            assert expected in told, (name, told)
        else:
            assert told == expected, name


@pytest.mark.skipif(not SAMPLES, reason="no samples: BONA_FIDE_SAMPLES is not set")
@pytest.mark.parametrize("name", ["date.xlsx", "date_1904.xlsx", "date.xls", "date_1904.xls"])
def test_a_day_is_the_same_day_in_both_calendars_and_kinds_of_workbook(name: str) -> None:
    sheet = read_file(name, Path(SAMPLES or "", "rosters", "xlsx-calamine", name).read_bytes())

    assert [row[:2] for row in sheet.rows[:2]] == [
        [date(2021, 1, 1), "15"],
        [date(2021, 1, 2), "16"],
    ]


# Letters.

NAMES = {
    "western": [
        "José Núñez",
        "Siobhán O\u2019Example",
        "María de los Ángeles",
        "Zoë D\u2019Example",
    ],
    "nordic": ["Søren Sørensen", "Åse Kjær", "Bjørn Ålborg"],
    "czech": ["Jiří Dvořák", "Petr Novotný", "Božena Němcová"],
    "polish": ["Łukasz Żółć", "Małgorzata Wiśniewska"],
    "hungarian": ["Erdős Pál", "Fehér Ernő"],
    "russian": ["Иван Петров", "Мария Иванова"],
    "greek": ["Γιώργος Παπαδόπουλος", "Μαρία Οικονόμου"],
    "spanish Mac": ["Ana García", "Luis Muñoz"],
}


@pytest.mark.parametrize(
    ("names", "written", "read"),
    [
        ("western", "windows-1252", "windows-1252"),
        ("nordic", "windows-1252", "windows-1252"),
        ("western", "mac_roman", "mac-roman ?"),
        ("nordic", "mac_roman", "mac-roman ?"),
        ("spanish Mac", "mac_roman", "mac-roman ?"),
        ("czech", "windows-1250", "windows-1250 ?"),
        ("czech", "iso-8859-2", "windows-1250 ?"),
        ("polish", "windows-1250", "windows-1250 ?"),
        ("polish", "iso-8859-2", "iso-8859-2 ?"),
        ("hungarian", "windows-1250", "windows-1250 ?"),
        ("russian", "windows-1251", "windows-1251 ?"),
        ("russian", "koi8-r", "koi8-r ?"),
        ("greek", "windows-1253", "windows-1253 ?"),
        ("nordic", "ibm850", "ibm850 ?"),
    ],
)
def test_letters_are_read_or_asked_about_and_never_taken_for_western_ones(
    names: str, written: str, read: str
) -> None:
    content = csv_of(*[f"{name},1/2/2026" for name in NAMES[names]], encoding=written)

    encoding, _text, doubt = decode(content)

    assert f"{encoding}{' ?' if doubt else ''}" == read
    ways = [name for name, _word in doubt.readings] if doubt else [encoding]
    assert content.decode(written) in [decode(content, way)[1] for way in ways]


def test_a_word_that_is_plausible_in_two_ways_is_shown_in_both_and_a_choice_settles_it() -> None:
    content = csv_of("Ann Sample,1/2/2026", "Pat O\u2019brien,1/2/2026", encoding="windows-1252")

    question = seen(content).questions[0]

    assert (question.code, question.control) == ("encoding", "encoding")
    assert question.text == (
        "The letters of line 3 can be read as “O\u2019brien” (Western (Windows-1252)),"
        " “Oíbrien” (Western, old Macintosh (Mac Roman)). Say which is right."
    )
    assert asked(content, encoding="windows-1252") == []
    assert seen(content, encoding="mac-roman").sheet.rows[2][0] == "Pat Oíbrien"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_text_of_two_bytes_a_letter_is_read_with_and_without_its_mark(
    encoding: str, mark: str
) -> None:
    content = (mark + "Full name,Join date\r\nŁukasz Żółć,1/2/2026\r\n").encode(encoding)

    sheet = read_file("x", content)

    assert (sheet.encoding, sheet.rows[1]) == (encoding, ["Łukasz Żółć", "1/2/2026"])


def test_a_broken_letter_in_utf_8_names_its_line_whatever_ends_the_lines() -> None:
    content = "Full name,Join date\rJosé Łuk,1/2/2026\rPat".encode() + b"\xff,1/2/2026\r"

    with pytest.raises(BadFile, match=r"^Line 3 holds a byte \(FF\) that is no letter in UTF-8:"):
        read_file("x", content)


UNICODE = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be")
ANY = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\ufeff"), max_size=8)
WESTERN = st.text(st.characters(codec="windows-1252", exclude_characters="\0"), max_size=8)
WORDS = st.lists(
    st.sampled_from([word for names in NAMES.values() for name in names for word in name.split()]),
    max_size=3,
).map(" ".join)
WAYS = [*((codec, ANY) for codec in UNICODE), ("windows-1252", WESTERN), ("mac-roman", WORDS)]


@st.composite
def files(draw: st.DrawFn) -> tuple[list[list[str]], str, str, str]:
    """A table, its encoding, what divides its cells and what ends its lines."""
    codec, texts = draw(st.sampled_from(WAYS))
    rows = draw(st.lists(st.lists(texts, min_size=3, max_size=3), min_size=1, max_size=4))
    ends = draw(st.sampled_from(["\r\n", "\n", "\r"]))
    return rows, codec, draw(st.sampled_from(",;\t|")), ends


@settings(max_examples=200, deadline=None)
@given(files())
@example(([["José", "a;b", "c|d"]], "mac-roman", ",", "\r"))
@example(([["Ж", "日本", "\u2028"]], "utf-16-le", ";", "\n"))
def test_any_table_is_read_back_as_it_was_or_asked_about(
    file: tuple[list[list[str]], str, str, str],
) -> None:
    rows, codec, delimiter, end = file
    # A row of headings under the header is its second line, and rightly read so.
    assume(not any(field_named(cell) for cells in rows for cell in cells))
    whole = io.StringIO(newline="")
    writer = csv.writer(whole, delimiter=delimiter, lineterminator=end, quoting=csv.QUOTE_ALL)
    writer.writerows([["Full name", "Join date", "Notes"], *rows])
    content = whole.getvalue().encode(codec, "replace")
    by_chance = codec not in UNICODE and not content.isascii() and is_utf_8(content)
    text = io.StringIO(content.decode(codec), newline="")
    expected = [cells if any(cells) else [] for cells in csv.reader(text, delimiter=delimiter)]

    try:
        sheet = read_file("roster.csv", content)
    except BadFile:
        assert codec not in UNICODE or all(is_blank(cell) for cells in rows for cell in cells)
        return

    if sheet.doubt is None and not by_chance:
        assert [list(cells) for cells in sheet.rows] == expected
        assert sheet.delimiter == delimiter


def is_utf_8(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


# Lines and cells.


@pytest.mark.parametrize(
    ("content", "delimiter", "header_row"),
    [
        (b"sep=|\nFull name|Join date\nPat Sample|1/2/2026\n", "|", 1),
        (b'"sep=;"\r\nFull name;Join date\r\nPat Sample;1/2/2026\r\n', ";", 1),
        (b"Full name|Join date\rPat Sample|1/2/2026\r", "|", 1),
        (b"Full name\tJoin date\nPat Sample\t1/2/2026\r\n", "\t", 1),
        (b"Roster; as of today\n\nFull name,Join date\nPat Sample,1/2/2026\n", ",", 3),
        (b'Full name;Join date\nPat Sample;1/2/2026\n"a,b";x\n"c,d";y\n', ";", 1),
    ],
)
def test_the_delimiter_is_the_one_of_the_headings_or_the_one_that_is_named(
    content: bytes, delimiter: str, header_row: int
) -> None:
    sheet = read_file("x", content)

    assert (sheet.delimiter, sheet.header_row) == (delimiter, header_row)
    assert sheet.rows[header_row] == ["Pat Sample", "1/2/2026"]


# The header.


def test_rows_without_a_header_are_asked_about_and_none_of_them_is_lost() -> None:
    content = b"Pat,Sample,1/2/2026\nLee,Test,1/3/2026\n"

    found = seen(content)

    assert [(q.code, q.control) for q in found.questions] == [
        ("no_header", "header_row"),
        ("full_name_missing", "column_0"),
        ("starts_on_missing", "column_0"),
    ]
    assert found.questions[0].text == (
        "The first row (“Pat; Sample; 1/2/2026”) looks like a person and not like headings: say in"
        " which row the headings stand, or that there are none."
    )
    columns = {0: "given_name", 1: "family_name", 2: "starts_on"}
    assert asked(content, header_row=NO_HEADER, columns=columns) == []
    assert [n for n, _row in seen(content, header_row=NO_HEADER).sheet.lines()] == [1, 2]


def test_two_columns_of_one_name_are_asked_about_by_their_numbers() -> None:
    found = seen(csv_of("Pat,1/2/2026,1/2/2020", header="Full name,Joined,Joined"))

    assert found.questions[0].text == (
        "Several columns could be “Join date”: “Joined, column 2”, “Joined, column 3”."
        " Set all but one to “not used”."
    )


def test_a_heading_that_spans_two_rows_belongs_to_the_lower_one() -> None:
    found = seen(b"Member,,Join date,Role\nFirst name,Last name,,\nPat,Sample,1/22/2026,member\n")

    assert found.sheet.header_row == 2
    assert found.columns.places == {"given_name": 0, "family_name": 1, "starts_on": 2, "kind": 3}


# What stands for days.


@pytest.mark.parametrize(
    ("upper", "lower", "fields"),
    [
        ("First,Last,Join", "Name,Name,Date", ["given_name", "family_name", "starts_on"]),
        (
            ",,Membership,",
            "First,Last,Start,End",
            ["given_name", "family_name", "starts_on", "ends_on"],
        ),
        ("Member,Member,Date", "First,Last,Joined", ["given_name", "family_name", "starts_on"]),
    ],
)
def test_headings_of_two_lines_are_read_together(upper: str, lower: str, fields: list[str]) -> None:
    told = understand(("x", f"{upper}\n{lower}\nPat,Sample,1/2/2026,\n".encode()), Choices(), TODAY)

    assert [*told.columns.places] == fields
    assert [number for number, _row in told.sheet.lines()] == [3]
    assert told.questions == []


def test_marks_below_a_heading_are_no_second_line_of_it() -> None:
    sheet = read_file("x", b"Full name,Join date\n*,-\nPat Sample,1/2/2026\n")

    assert (sheet.header_row, sheet.headings) == (1, ["Full name", "Join date"])


def test_two_days_of_one_row_that_contradict_each_other_are_both_named() -> None:
    content = b"Name,Birth date,Join date\nPat Sample,31/12/1960,01/13/2026\n"
    (question,) = understand(("x", content), Choices(), TODAY).questions

    assert question.text.startswith("The dates contradict each other: “01/13/2026” (row 2)")


def test_bare_numbers_are_asked_about_with_the_days_they_could_be() -> None:
    content = csv_of("Pat Sample,45672", "Lee Test,2019")

    question = seen(content).questions[0]

    assert (question.code, question.control) == ("serials", "serials")
    assert question.text == (
        "“45672” (row 2) is a bare number where a date is expected. Counted from 1900 it would be"
        " Jan 15, 2025, counted from 1904 Jan 16, 2029: say which, or refuse such rows."
    )
    assert [asked(content, serials=way) for way in ("1900", "1904", "refuse")] == [[], [], []]


def test_only_years_that_would_lie_in_the_future_are_asked_about() -> None:
    assert asked(csv_of("A,3/14/26", "B,1/15/24")) == []
    assert asked(csv_of("A,3/14/25", "B,7/4/48")) == [("two_digit_years", "two_digit_years")]
    assert asked(csv_of("A,Jul 4 48")) == [("two_digit_years", "two_digit_years")]
    assert asked(csv_of("B,7/14/48"), two_digit_years="refuse") == []


@pytest.mark.parametrize(
    "written",
    ["1900-01-01", "01/01/1900", "1/1/1900", "0000-00-00", "00/00/0000", "9999-12-31",
     "12/31/9999", "1899-12-30", "00000000", "n/a", "unknown"],
)  # fmt: skip
def test_what_stands_for_no_day_is_asked_about_where_none_is_needed(written: str) -> None:
    header = "Full name,Join date,Birth date"
    content = csv_of(f"Pat Sample,1/22/2026,{written}", header=header)

    assert asked(content) == [("placeholders", "placeholders")]
    assert asked(content, placeholders="empty") == []
    assert asked(csv_of(f"Pat Sample,{written}")) == []


def test_a_real_birth_date_is_no_stand_in() -> None:
    header = "Full name,Join date,Birth date"

    assert asked(csv_of("Pat Sample,1/22/2026,12/31/1999", header=header)) == []


# Workbooks of every kind.

CELLS = label(0, 0, "Full name") + label(0, 1, "Join date")
CELLS += label(1, 0, "Pat Sample") + label(1, 1, "1/2/2026")
LEE = label(2, 0, "Lee Test") + label(2, 1, "1/3/2026")
ROWS = ods_row("Full name", "Join date") + ods_row("Pat Sample", "1/2/2026")


def hidden_row(number: int) -> bytes:
    return record(0x208, number.to_bytes(2, "little") + b"\0" * 10 + b"\x20\0\0\0")


def test_a_workbook_kept_as_text_keeps_nothing_of_what_it_hid() -> None:
    rows = [ods_row("Full name", "Join date", "SSN", "Note")]
    rows += [ods_row("Pat Sample", "1/2/2026", "000-12-3456", "a")]
    rows += [ods_row("Gone Sample", "1/2/2026", "000-12-3457", "b", hidden=True)]
    columns = '<table:table-column table:number-columns-repeated="3"/>'
    columns += '<table:table-column table:visibility="collapse"/>'

    kept = received("roster.ods", ods(("M", columns + "".join(rows), "on")))

    assert kept.content == "\ufeffFull name,Join date,\r\nPat Sample,1/2/2026,\r\n\r\n".encode()
    assert kept.dropped == ("SSN",)


HIDDEN_COLUMN = record(0x7D, b"\x01\0\x01\0\0\0\x0f\0\x01\0")


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        (
            "xlsx",
            workbook(
                sheets=(
                    ("Old", "hidden", ""),
                    (
                        "Members",
                        "visible",
                        HEADER + PAT + row(3, "Lee Test", "1/3/2026").replace(
                            'r="3">', 'r="3" hidden="1">', 1
                        ),
                    ),
                ),
                columns='<cols><col min="2" max="2" hidden="1"/></cols>',
            ),
        ),
        (
            "ods",
            ods(
                ("Old", ROWS, "off"),
                (
                    "Members",
                    '<table:table-column/><table:table-column table:visibility="collapse"/>'
                    + ROWS
                    + ods_row("Lee Test", "1/3/2026", hidden=True),
                    "on",
                ),
            ),
        ),
        (
            "xls",
            xls(("Old", CELLS, 1), ("Members", HIDDEN_COLUMN + CELLS + LEE + hidden_row(2), 0)),
        ),
    ],
)  # fmt: skip
def test_each_kind_of_workbook_tells_what_it_hides(kind: str, content: bytes) -> None:
    sheet = read_file("roster.csv", content)

    assert sheet.kind == kind
    assert sheet.rows[:2] == [["Full name", "Join date"], ["Pat Sample", "1/2/2026"]]
    assert (sheet.hidden, sheet.hidden_columns) == ({2}, {1})
    assert (sheet.sheet, sheet.hidden_sheets) == ("Members", ("Old",))


def test_errors_of_each_kind_of_workbook_are_named_at_their_cells() -> None:
    error = record(0x205, b"\x02\0\x01\0\0\0\x2a\x01")
    wrong = (
        '<table:table-cell table:formula="of:=1/0" calcext:value-type="error">'
        "<text:p>#DIV/0!</text:p></table:table-cell>"
    )
    empty = '<table:table-cell table:formula="of:=A1"/>'
    old = read_file("x", xls(("M", CELLS + label(2, 0, "Lee Test") + error, 0)))
    table = ROWS + ods_row("Lee", last=wrong) + ods_row("Kim", last=empty)
    open_ = read_file(
        "x",
        ods(("M", table.replace("<table:table-row", '<table:table-row xmlns:calcext="c"'), "on")),
    )

    assert old.faults == {(2, 1): "#N/A"}
    assert open_.faults == {(2, 1): "#DIV/0!", (3, 1): "="}


def hostile() -> dict[str, bytes]:
    """Workbooks that ask for far more than they weigh, or pretend to be whole."""
    far = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    corner = label(65535, 255, "x")
    many = b"".join(label(n, c, "A" * 9) for n in range(2, 9000) for c in range(20))
    plain = b"PK\x01\x02\x14\x03\x14\0\0\0"
    loop = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
    return {
        "xls corner": xls(("M", CELLS + corner, 0)),
        "xls corners": xls(*[(f"M{n}", CELLS + corner, 0) for n in range(20)]),
        "xls empty rows": xls(("M", CELLS + b"".join(map(hidden_row, range(2, 65000))), 0)),
        "xls password": xls(("M", CELLS, 0), first=record(0x2F, b"\1\0\0\0" + b"x" * 50)),
        "xlsx password": xls(("M", CELLS, 0), stream="EncryptedPackage"),
        "xls cut off": xls(("M", CELLS * 50, 0))[:7000],
        "xls cut off early": xls(("M", CELLS, 0))[:600],
        "xls noise": oldmark() + bytes(range(256)) * 4000,
        "xls many cells": xls(("M", CELLS + many, 0)),
        "ods rows": ods(("M", ROWS + ods_row("x", repeated=1048576), "on")),
        "ods cells": ods(("M", ROWS + ods_row(last=ods_cells(16384, "a")) * 1000, "on")),
        "ods gap": ods(("M", ROWS + ods_row(last=ods_cells(16383), repeated=10**6) + ROWS, "on")),
        "ods empty rows": ods(("M", ROWS + ods_row("") * 100_000, "on")),
        "ods one text": ods(("M", ROWS + ods_row("A" * 30_000, repeated=100_000), "on")),
        "ods entities": ods(("M", ROWS, "on"), head=loop),
        "ods password": ods(("M", ROWS, "on"), manifest="<m><encryption-data/></m>"),
        "ods cut off": ods(("M", ROWS, "on"))[:700],
        "ods bomb": ods(("M", ROWS + " " * 60_000_000, "on")),
        "ods below nothing": ods(("M", ROWS + ods_row("x", repeated=-5), "on")),
        "ods blanks": ods(("M", ods_row("Full name", "<text:s text:c='999999999'/>"), "on")),
        "ods deep": ods(("M", "<a>" * 1_000_000, "on")),
        "xlsx deep": workbook("<a>" * 1_000_000),
        "xlsx one tag": workbook(" ".join(["<row", *(f"a{n}='1'" for n in range(900_000)), "/>"])),
        "xlsx columns below nothing": workbook(
            columns='<cols><col min="-99999999999" max="3" hidden="1"/></cols>'
        ),
        "xlsx texts announced": instead(
            "xl/sharedStrings.xml", f'<sst xmlns="{MAIN}" uniqueCount="2147483648"/>'
        ),
        "xlsx lying size": lying(workbook(parts={"xl/media/1": "0" * 200_000_000})),
        "xlsx letters nobody knows": instead(
            "xl/worksheets/1.xml", "<?xml version='1.0' encoding='nope'?><worksheet/>"
        ),
        "ods merged": ods(
            (
                "M",
                ods_row(
                    "Full name",
                    last='<table:table-cell table:number-rows-spanned="99999999"'
                    ' table:number-columns-spanned="9999999"/>',
                )
                * 3_000,
                "on",
            )
        ),
        "xlsx empty rows": workbook(HEADER + PAT + '<row r="3"/>' * 600_000),
        "xlsx texts": workbook(shared="<si><t/></si>" * 900_000),
        "xlsx errors": workbook(
            HEADER + PAT + ("<row>" + '<c t="e"><v>#N/A</v></c>' * 26 + "</row>") * 12_000
        ),
        "csv bad quotes": b"Full name,Join date\n" + b'"a"b,' * 1_600_000,
        "csv headings": b"\n".join(b"%d" % n + b"x" * 100_000 + b",y" for n in range(90)),
        "csv one word": b"\xff" * 9_000_000,
        "csv many cells": (b",".join([b"a"] * 200) + b"\n") * 12_000,
        "gzip": gzip.compress(b"Full name,Join date\n" + bytes(range(256)) * 40),
        "xlsx corner": workbook(HEADER + PAT + far),
        "xlsx password inside": workbook(HEADER + PAT).replace(plain, plain[:-2] + b"\1\0"),
    }


def lying(content: bytes) -> bytes:
    """The workbook whose directory says of the last part that it is small."""
    at = content.rfind(b"PK\x01\x02") + 24
    return content[:at] + struct.pack("<I", 1000) + content[at + 4 :]


READABLE = {
    "xls empty rows",
    "xls many cells",
    "ods empty rows",
    "xlsx columns below nothing",
    "csv headings",
}
"""They hold a roster all the same."""


def test_hostile_files_of_each_kind_are_answered_within_five_seconds_and_300_megabytes(
    tmp_path: Path,
) -> None:
    for name, content in hostile().items():
        (tmp_path / name).write_bytes(content)
    program = (
        "import resource, sys, time; from pathlib import Path\n"
        "from django.conf import settings; settings.configure(USE_I18N=False)\n"
        "from volunteers.readers import BadFile, received\n"
        "for path in sorted(Path(sys.argv[1]).iterdir()):\n"
        "    start = time.monotonic()\n"
        "    try: received(path.name, path.read_bytes()); told = ''\n"
        "    except BadFile as refused: told = str(refused)\n"
        "    print(path.name, time.monotonic() - start, told, sep='|')\n"
        "status = Path('/proc/self/status').read_text().splitlines()\n"
        "own = next(line for line in status if line.startswith('VmHWM'))\n"
        "apart = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss\n"
        "print('peak', (int(own.split()[1]) + apart) // 1024, '', sep='|')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    *lines, peak = (line.split("|") for line in done.stdout.splitlines())

    assert {name: bool(told) for name, _s, told in lines} == {
        name: name not in READABLE for name in hostile()
    }
    assert max(float(seconds) for _name, seconds, _told in lines) < 5
    assert int(peak[1]) < 300
    sentences = {name: told for name, _seconds, told in lines}
    assert all(re.search("password", sentences[name]) for name in sentences if "password" in name)
    assert all("damaged" in sentences[name] for name in sentences if "cut off" in name)
