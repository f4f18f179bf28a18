"""The files of the IRS: read a row at a time, refused or passed over with the reason."""

from __future__ import annotations

import io
import os
import zipfile
from datetime import date
from pathlib import Path

import pytest

from licenses.bmf import (
    LONGEST,
    BadFile,
    BadLine,
    Charity,
    Kind,
    Reader,
    Revocation,
    opened,
    read_charity,
    read_revocation,
)
from tests.licenses.irs_files import HEADER, LINE, LISTED, POST, line, listed

SAMPLES = os.environ.get("BONA_FIDE_SAMPLES")
PUB78 = "012345678|Marsh Lantern Post|Dade City|FL|United States|EO"
POSTCARD = "012345678|2025|MARSH POST|T|F|01-01-2025|12-31-2025|||Pat Sample|1 Road||A||FL|3|US|1||"


def read(content: bytes | str, kind: Kind = Kind.BMF) -> tuple[list[tuple[int, str]], list[str]]:
    """Line number and EIN of each good row, and what was told of the others."""
    data = content.encode() if isinstance(content, str) else content
    reader = Reader(io.BytesIO(data), kind)
    return [(number, row.ein) for number, _text, row in reader], reader.told


def refusal(content: bytes | str, kind: Kind = Kind.BMF) -> str:
    with pytest.raises(BadFile) as caught:
        read(content, kind)
    return str(caught.value)


def test_a_row_keeps_every_column_as_text() -> None:
    row = read_charity(
        '001234567,"""QUOTED"" POST, INC",, PO BOX 1 ,TORONTO ON,,00000-0000,0861,19,9,1000,000000,'
        '1,00,000000000,5,01,,0,0,02,0,12,,-1250,-800,W30,"AKA ""Q"", LTD"'
    )

    assert (row.ein, row.name, row.street, row.state) == (
        "001234567", '"QUOTED" POST, INC', "PO BOX 1", ""
    )  # fmt: skip
    assert (row.group, row.subsection, row.ruling, row.income) == ("0861", "19", "000000", "-1250")
    assert row.sort_name == 'AKA "Q", LTD'
    assert len(row) == 28


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (LINE.rpartition(",")[0], "it has 27 of the 28 columns"),
        (LINE + ",MORE", "it has 29 of the 28 columns"),
        (line(ein="12345678"), "“12345678” is not an EIN of nine digits"),
        (line(ein="1.23E+08"), "“1.23E+08” is not an EIN of nine digits"),
        (line(ein="000000000"), "“000000000” is not an EIN of nine digits"),
        (line(name=" "), "the name is missing"),
        (line(name='"OPEN'), "a quotation mark is not closed"),
        (line(name="MARSH\0POST"), "it holds a NUL character"),
    ],
)
def test_a_row_that_is_none_says_why(text, why) -> None:
    with pytest.raises(BadLine) as caught:
        read_charity(text)
    assert str(caught.value) == why


REVOKED = Revocation("012345678", "MARSH LANTERN POST 42", "19", date(2020, 5, 15), None, None)


@pytest.mark.parametrize(
    ("text", "row"),
    [
        (LISTED, REVOKED._replace(posted_on=date(2020, 8, 11))),
        (LISTED.removesuffix("|"), REVOKED._replace(posted_on=date(2020, 8, 11))),
        (listed(), REVOKED),
        (listed(back="15-MAY-2021"), REVOKED._replace(reinstated_on=date(2021, 5, 15))),
        (
            LISTED.replace("||1 SAMPLE", "|HOME | OF THE POST|1 SAMPLE") + "15-MAY-2021  ",
            REVOKED._replace(posted_on=date(2020, 8, 11), reinstated_on=date(2021, 5, 15)),
        ),
    ],
)
def test_a_revocation_is_read_with_or_without_its_last_field(text, row) -> None:
    assert read_revocation(text) == row


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (listed(revoked="31-FEB-2020"), "“31-FEB-2020” is not in the calendar"),
        (listed(revoked="15-MAI-2020"), "“15-MAI-2020” is not in the calendar"),
        (listed(ein="12345678"), "“12345678” is not an EIN of nine digits"),
        (PUB78, "not a row of the list: it has 11 or 12 fields between bars, with dates"),
        (
            listed() + "soon",
            "not a row of the list: it has 11 or 12 fields between bars, with dates",
        ),
    ],
)
def test_a_revocation_that_is_none_says_why(text, why) -> None:
    with pytest.raises(BadLine) as caught:
        read_revocation(text)
    assert str(caught.value) == why


def test_rows_are_numbered_as_an_editor_numbers_them_and_bad_ones_are_passed_over() -> None:
    content = "\ufeff\n" + "\r\n".join(
        [HEADER, LINE, "", "broken", line(ein="590000001", name='"CUT'), line(ein="590000002")]
    )

    assert read(content + "\n") == (
        [(3, "012345678"), (7, "590000002")],
        ["line 5: it has 1 of the 28 columns.", "line 6: a quotation mark is not closed."],
    )


def test_an_open_quotation_mark_does_not_swallow_the_rows_after_it() -> None:
    many = "\n".join(line(ein=f"59{n:07d}") for n in range(1, 40))

    good, told = read(f"{HEADER}\n{line(name=chr(34) + 'OPEN')}\n{many}\n")

    assert (len(good), told) == (39, ["line 2: a quotation mark is not closed."])


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "latin-1"])
def test_names_are_read_in_whatever_encoding_the_file_has(encoding) -> None:
    content = f"{HEADER}\n{line(name='CAFÉ PEÑA')}\n".encode(encoding)

    [(_number, _text, row)] = list(Reader(io.BytesIO(content), Kind.BMF))

    assert row.name == "CAFÉ PEÑA"


@pytest.mark.parametrize(
    ("content", "kind", "sentence"),
    [
        ("", Kind.BMF, "The file holds no organization: download it again."),
        (HEADER + "\n", Kind.BMF, "The file holds no organization: download it again."),
        ("\n\n", Kind.REVOCATIONS, "The file holds no organization: download it again."),
        ("<!DOCTYPE html>\n<html>", Kind.BMF,
         "This is a web page, not a file of the IRS: download the file again."),
        (f"{HEADER}\n{LINE}\n{LINE[:60]}", Kind.BMF,
         "The file breaks off in line 3: the download was not complete. Download it again."),
        (f"\n{LISTED}\n{LISTED[:60]}", Kind.REVOCATIONS,
         "The file breaks off in line 3: the download was not complete. Download it again."),
        (f"{HEADER}\nEIN\n", Kind.BMF, ("No row of the file can be read; line 2: it has 1 of"
         " the 28 columns. Download it again.")),
        (HEADER.replace("RULING,", "") + "\n", Kind.BMF,
         "This is no master file: the column RULING is missing."),
        (HEADER.replace("EIN,NAME", "EIN,ICO").replace("ICO,ICO", "ICO,NAME"), Kind.BMF,
         "This is no master file as the IRS gives it: its columns stand in another order."),
        (PUB78, Kind.REVOCATIONS,
         ("This is Publication 78, the list for deductible gifts. Most bodies that run bingo need"
         " not stand in it, so it says nothing here: load the master file.")),
        (POSTCARD, Kind.REVOCATIONS,
         "This is the list of Forms 990-N (e-Postcard), not the auto-revocation list."),
        (LISTED, Kind.BMF, "This is the auto-revocation list: name it after --revocations."),
        (HEADER, Kind.REVOCATIONS, "This is a master file: name it after --bmf."),
        (LINE, Kind.BMF, ("This is no file of the IRS that can be used here: its first line is"
         " unknown.")),
        (HEADER + "\n" + "x" * (LONGEST + 1), Kind.BMF,
         "Line 2 does not end: this is no file of the IRS."),
    ],
)  # fmt: skip
def test_another_file_or_a_broken_one_is_refused_in_one_sentence(content, kind, sentence) -> None:
    assert refusal(content, kind) == sentence


def zipped(path: Path, **members: str) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "."), content)
    return path


def test_the_one_text_file_of_a_zip_archive_is_read(tmp_path) -> None:
    path = zipped(tmp_path / "list.zip", list__txt=f"\r\n{LISTED}\r\n")

    with opened(path) as (source, size):
        rows = [row for _number, _text, row in Reader(source, Kind.REVOCATIONS)]

    assert (rows, size) == ([read_revocation(LISTED)], len(LISTED) + 4)


@pytest.mark.parametrize(
    ("members", "sentence"),
    [
        ({"xl/workbook__xml": ""}, "This is an Excel workbook: load the file as the IRS gives it."),
        ({"a__txt": "", "b__txt": ""},
         "The zip archive holds 2 files: unpack it and load the right one."),
    ],
)  # fmt: skip
def test_an_archive_of_something_else_is_refused(tmp_path, members, sentence) -> None:
    path = zipped(tmp_path / "list.zip", **members)

    with pytest.raises(BadFile) as caught, opened(path):
        pass
    assert str(caught.value) == sentence


def test_a_damaged_archive_and_a_missing_file_are_refused(tmp_path) -> None:
    whole = zipped(tmp_path / "list.zip", list__txt=LISTED * 90).read_bytes()
    (tmp_path / "cut.zip").write_bytes(whole[:50])
    told = []
    for name in ("cut.zip", "none.csv"):
        with pytest.raises(BadFile) as caught, opened(tmp_path / name):
            pass
        told.append(str(caught.value))

    broken = bytearray(zipped(tmp_path / "list.zip", list__txt=LISTED * 90).read_bytes())
    broken[60:90] = b"\xff" * 30
    (tmp_path / "broken.zip").write_bytes(broken)
    with pytest.raises(BadFile) as caught, opened(tmp_path / "broken.zip") as (source, _size):
        list(Reader(source, Kind.REVOCATIONS))
    told.insert(0, str(caught.value))

    assert told == [
        "The zip archive is damaged or locked: download it again.",
        "The zip archive is damaged or locked: download it again.",
        "It cannot be read (No such file or directory): check the path.",
    ]


@pytest.mark.skipif(not SAMPLES, reason="no samples: BONA_FIDE_SAMPLES is not set")
def test_real_rows_are_all_read_and_every_broken_sample_is_answered() -> None:
    def answer(name: str, kind: Kind) -> tuple[int, int] | str:
        with Path(str(SAMPLES), "irs", name).open("rb") as source:
            reader = Reader(source, kind)
            try:
                return sum(1 for _row in reader), reader.passed
            except BadFile as bad:
                return str(bad).partition(":")[0]

    assert {
        name: answer(name, kind)
        for name, kind in {
            "eo_bmf_real_sample.csv": Kind.BMF,
            "eo_bmf_synthetic_traps.csv": Kind.BMF,
            "eo_bmf_synthetic_latin1.csv": Kind.BMF,
            "eo_bmf_synthetic_truncated.csv": Kind.BMF,
            "eo_bmf_header_only.csv": Kind.BMF,
            "eo_bmf_html_error_page.csv": Kind.BMF,
            "data-download-revocation_sample.txt": Kind.REVOCATIONS,
            "data-download-revocation_multi.txt": Kind.REVOCATIONS,
            "data-download-pub78_sample.txt": Kind.REVOCATIONS,
            "data-download-epostcard_embedded_pipes_SYNTHETIC.txt": Kind.REVOCATIONS,
        }.items()
    } == {
        "eo_bmf_real_sample.csv": (40, 0),
        "eo_bmf_synthetic_traps.csv": (30, 0),
        "eo_bmf_synthetic_latin1.csv": (30, 0),
        "eo_bmf_synthetic_truncated.csv": "The file breaks off in line 31",
        "eo_bmf_header_only.csv": "The file holds no organization",
        "eo_bmf_html_error_page.csv": "This is a web page, not a file of the IRS",
        "data-download-revocation_sample.txt": (26, 0),
        "data-download-revocation_multi.txt": (6, 0),
        "data-download-pub78_sample.txt": (
            "This is Publication 78, the list for deductible gifts. Most bodies that run bingo need"
            " not stand in it, so it says nothing here"
        ),
        "data-download-epostcard_embedded_pipes_SYNTHETIC.txt": (
            "This is the list of Forms 990-N (e-Postcard), not the auto-revocation list."
        ),
    }


def test_the_post_of_these_tests_is_a_row() -> None:
    assert read_charity(LINE) == POST
    assert isinstance(POST, Charity)
