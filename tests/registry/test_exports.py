"""Files that a spreadsheet opens without running anything, and that come back unchanged."""

import csv
import io
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from registry.exports import csv_response, protect, unprotect


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
