"""What people type, read or refused with one sentence."""

import csv
import os
from datetime import date
from pathlib import Path

import pytest
from django.utils import translation

from registry.entries import Unreadable, has_ssn, is_placeholder, read_day, read_ein, read_name

NOVEMBER_30 = date(2026, 11, 30)
WIDE_DIGITS = "".join(chr(0xFF10 + int(digit)) for digit in "270125367")


def sentence(read, *arguments):
    with pytest.raises(Unreadable) as caught:
        read(*arguments)
    return str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "11/30/2026",
        " 11/30/2026 ",
        "11-30-2026",
        "11.30.2026",
        "2026-11-30",
        "2026/11/30",
        "2026-11-30 00:00:00",
        "2026-11-30T00:00",
        "Nov 30 2026",
        "Nov. 30, 2026",
        "november 30th, 2026",
        "30 Nov 2026",
        "30-Nov-2026",
        "Mon, Nov 30, 2026",
        "11/30/26",
    ],
)
def test_the_usual_ways_to_write_a_day_are_read(text):
    assert read_day(text, 2026) == NOVEMBER_30


@pytest.mark.parametrize("text", ["30 de noviembre de 2026", "30 nov 2026", "lun, 30 nov 2026"])
def test_month_names_of_the_language_in_use_are_read(text):
    with translation.override("es"):
        assert read_day(text) == NOVEMBER_30


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2/29/2028", date(2028, 2, 29)),
        ("2/29/00", date(2000, 2, 29)),
        ("3/1/36", date(2036, 3, 1)),
        ("3/1/37", date(1937, 3, 1)),
    ],
)
def test_two_digits_are_the_latest_year_not_ten_years_ahead(text, expected):
    assert read_day(text, 2026) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "2/30/2026",
            "“2/30/2026” is not in the calendar: that month has 28 days; correct the day.",
        ),
        (
            "2/29/2027",
            "“2/29/2027” is not in the calendar: that month has 28 days; correct the day.",
        ),
        ("30/11/2026", "“30/11/2026” has no month 30: write the month first, as 11/30/2026."),
        (
            "Tue, Nov 30, 2026",
            "“Tue, Nov 30, 2026” does not agree: Nov 30, 2026 is a Monday; correct one of the two.",
        ),
        ("soon", "“soon” is not a date we can read: write month, day and year, as 11/30/2026."),
        (
            "11/30/0000",
            "“11/30/0000” leaves the year open: write it with four digits, as 11/30/2026.",
        ),
        ("45991", "“45991” is not a date we can read: write month, day and year, as 11/30/2026."),
    ],
)
def test_an_impossible_day_is_named_with_the_remedy(text, expected):
    assert sentence(read_day, text, 2026) == expected


@pytest.mark.parametrize(
    "text", ["TBD", "n/a", "00/00/0000", "99/99/9999", "0000-00-00", "1/1/0001", "12/31/9999", "-"]
)
def test_a_stand_in_is_no_date(text):
    assert sentence(read_day, text, 2026) == (
        f"“{text}” stands for no date: leave it empty, or write the day as 11/30/2026."
    )


def test_without_a_year_to_go_by_two_digits_are_refused():
    assert sentence(read_day, "11/30/26") == (
        "“11/30/26” leaves the year open: write it with four digits, as 11/30/2026."
    )


def test_placeholders_are_told_from_values():
    told = {text: is_placeholder(text) for text in ("TBD", " none ", "x", "May", "11/30/2026")}

    assert told == {"TBD": True, " none ": True, "x": True, "May": False, "11/30/2026": False}


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Mary   Quinn ", "Mary Quinn"),
        ("O", "O"),
        ("<b>Pat</b>", "<b>Pat</b>"),
        ("Null", "Null"),
        ("Łukasz O\u2019Neil-Čapek", "Łukasz O\u2019Neil-Čapek"),
        ("محمد عبد الله", "محمد عبد الله"),
        ("李小龍", "李小龍"),
        ("Ze\u0301", "Zé"),
        ("\ufeffPat\u200b", "Pat"),
        ("\u0645\u06cc\u200c\u062e", "\u0645\u06cc\u200c\u062e"),
        ("x" * 200, "x" * 200),
    ],
)
def test_a_name_is_taken_as_it_is_written(typed, kept):
    assert read_name(typed) == kept


def test_a_name_with_a_control_character_is_refused():
    assert sentence(read_name, "Pat\u202eyr") == (
        "“Patyr” holds a control character that cannot be printed: type the name anew."
    )
    assert sentence(read_name, "Pat\x07") == (
        "“Pat” holds a control character that cannot be printed: type the name anew."
    )


@pytest.mark.parametrize("text", ["", "   ", "\u200b", "\u00a0"])
def test_a_name_of_nothing_to_see_is_empty(text):
    assert sentence(read_name, text) == ("The name is empty: write it as the person writes it.")


@pytest.mark.parametrize(
    ("typed", "digits"),
    [
        ("27-0125367", "270125367"),
        ("27 0125367", "270125367"),
        ("27\u20130125367", "270125367"),
        ("\t27-0125367\n", "270125367"),
        ("000019818", "000019818"),
        ("99-9999999", "999999999"),
        ("27-0125367\u200b", "270125367"),
    ],
)
def test_an_ein_of_any_prefix_is_read_as_text(typed, digits):
    assert read_ein(typed) == digits


@pytest.mark.parametrize(
    "typed",
    ["12-345678", "19818", "2.70125E+08", "27/0125367", "---", WIDE_DIGITS, "1-23456789"],
)
def test_what_is_not_nine_digits_is_no_ein(typed):
    assert sentence(read_ein, typed) == (
        f"“{typed}” is not an EIN: it has nine digits, written as 12-3456780."
    )


@pytest.mark.parametrize("typed", ["123456789", "12-3456789", "00-0000000", "111111111"])
def test_digits_that_stand_for_no_ein_are_refused(typed):
    assert sentence(read_ein, typed) == (
        f"“{typed}” stands for no EIN: copy it from the organization's IRS letter."
    )


@pytest.mark.skipif(
    "BONA_FIDE_SAMPLES" not in os.environ, reason="no samples: BONA_FIDE_SAMPLES is not set"
)
def test_the_sample_eins_are_answered_as_the_file_says():
    path = Path(os.environ["BONA_FIDE_SAMPLES"], "irs", "ein_cases.csv")
    with path.open(encoding="utf-8", newline="") as file:
        cases = [row for row in csv.DictReader(file) if row["expected"].startswith("accept")]

    assert [read_ein(case["raw"]) for case in cases] == [case["normalised"] for case in cases]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("078-05-1120", True),
        ("card: 078 05 1120.", True),
        ("078\u201305\u20131120", True),
        (f"{WIDE_DIGITS[:3]}-05-1120", True),
        ("078 - 05 - 1120", True),
        ("078/05/1120", True),
        ("078\u00ad-05\u200b-1120", True),
        ("SSN 078051120", True),
        ("Social Security no. 078051120", True),
        ("12-3456789", False),
        ("813-555-0100", False),
        ("+1 (813) 555-0100", False),
        ("33525-1234", False),
        ("2026-11-30", False),
        ("11/30/2026, 10/31/2026", False),
        ("A-2027-0042", False),
        ("123456789", False),
    ],
)
def test_a_social_security_number_is_seen(text, found):
    assert has_ssn(text) is found
