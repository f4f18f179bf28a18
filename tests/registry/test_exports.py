"""Files that a spreadsheet opens without running anything, and that come back unchanged."""

import csv
import io
from datetime import date, datetime
from decimal import Decimal

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from registry.exports import csv_response, protect, unprotect, xlsx_bytes


@pytest.mark.parametrize("text", ["=1+1", "+cmd", "-Dash Demo", "@SUM(A1)", "\t=1", "\r=1", " =1"])
def test_text_that_would_be_calculated_is_protected(text):
    assert protect(text) == f"'{text}"


@pytest.mark.parametrize("text", ["+1 (813) 555-0100", "-813", "813-555-0100", "O'Neil", "a=b", ""])
def test_telephone_numbers_and_plain_text_stay_as_they_are(text):
    assert protect(text) == text


def test_numbers_days_and_nothing_are_written_plainly():
    values = (Decimal("-12.50"), -3, date(2026, 11, 30), None, True)

    assert [protect(value) for value in values] == [Decimal("-12.50"), -3, "2026-11-30", "", True]


@given(st.text())
def test_every_text_comes_back_as_it_was(text):
    assert unprotect(protect(text)) == text


def test_a_file_has_the_mark_the_name_and_every_row():
    response = csv_response("people.csv", [["Name", "Telephone"], ["=Ada", "+1 (813) 555-0100"]])

    body = b"".join(response.streaming_content).decode("utf-8")

    assert response["Content-Disposition"] == 'attachment; filename="people.csv"'
    assert body.startswith("\ufeff")
    assert list(csv.reader(io.StringIO(body.removeprefix("\ufeff")))) == [
        ["Name", "Telephone"],
        ["'=Ada", "+1 (813) 555-0100"],
    ]


def test_a_workbook_holds_text_as_text_days_as_days_and_nothing_as_nothing():
    header = ["Name", "Telephone", "Joined", "Prize", "Note"]
    row = ["=HYPERLINK(1)", "+1 (813) 555-0100", date(2026, 2, 28), Decimal("12.50"), None]

    book = openpyxl.load_workbook(io.BytesIO(xlsx_bytes("people: [2026]", [header, row])))
    sheet = book["people   2026"]

    assert [cell.value for cell in sheet[1]] == header
    assert [(cell.data_type, cell.value) for cell in sheet[2]] == [
        ("s", "=HYPERLINK(1)"),
        ("s", "+1 (813) 555-0100"),
        ("d", datetime.fromisoformat("2026-02-28")),
        ("n", 12.5),
        ("n", None),
    ]
