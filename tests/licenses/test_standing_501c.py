"""What the files of the IRS say: the codes of every combination, and the words."""

from __future__ import annotations

import os
from datetime import date
from itertools import product
from pathlib import Path

import pytest

from licenses.bmf import Kind, Reader, Revocation
from licenses.irs_words import ALSO, HEADLINES, MARKS, SHORT, facts_of, say
from licenses.standing_501c import (
    SHOWING,
    Code,
    basis_of,
    exemption_signals,
    has_existed,
    is_revoked,
    names_agree,
    title_case,
)
from registry.worded import Mark
from tests.licenses.irs_files import POST, charity

TODAY = date(2026, 12, 1)
SAMPLES = os.environ.get("BONA_FIDE_SAMPLES")


def lost(revoked: str, back: str | None = None) -> Revocation:
    """A row of the list by its days."""
    reinstated = date.fromisoformat(back) if back else None
    return Revocation("012345678", "POST", "19", date.fromisoformat(revoked), None, reinstated)


LOST, BACK = lost("2020-05-15"), lost("2020-05-15", "2020-05-15")


@pytest.mark.parametrize(
    ("row", "revocations", "codes"),
    [
        (POST, [], [Code.SHOWN]),
        (charity(status="02"), [], [Code.SHOWN]),
        (charity(subsection="01"), [], [Code.SHOWN]),
        (charity(subsection="29"), [], [Code.SHOWN]),
        (POST, [BACK], [Code.REINSTATED]),
        (None, [LOST], [Code.REVOKED]),
        (POST, [LOST], [Code.LISTED]),
        (charity(status="12"), [LOST], [Code.LISTED, Code.STATUS]),
        (charity(group="0861"), [LOST], [Code.LISTED, Code.GROUP]),
        (charity(group="0861"), [], [Code.GROUP]),
        (charity(affiliation="9"), [], [Code.GROUP]),
        (charity(group=""), [], [Code.SHOWN]),
        (charity(group="5555", affiliation="6"), [BACK], [Code.GROUP, Code.REINSTATED]),
        (charity(status="12"), [], [Code.STATUS]),
        (charity(status="25"), [], [Code.STATUS]),
        (charity(status="32"), [], [Code.STATUS]),
        (charity(status=""), [], [Code.STATUS]),
        (charity(subsection="40"), [], [Code.SECTION]),
        (charity(subsection="92", status="12"), [], [Code.SECTION, Code.STATUS]),
        (charity(subsection="00"), [], [Code.SECTION]),
        (None, [], [Code.ABSENT]),
        (None, [BACK], [Code.ABSENT, Code.REINSTATED]),
    ],
)
def test_the_table_of_the_files(row, revocations, codes) -> None:
    assert list(exemption_signals(row, revocations, TODAY)) == codes


def test_another_name_is_looked_at_and_never_hides_what_weighs_more() -> None:
    assert exemption_signals(POST, [], TODAY, "Gulf Shore Lodge") == (Code.NAME,)
    assert exemption_signals(POST, [], TODAY, "Marsh Lantern Post 42") == (Code.SHOWN,)
    assert exemption_signals(POST, [LOST], TODAY, "Gulf Shore Lodge") == (Code.LISTED, Code.NAME)


@pytest.mark.parametrize(
    ("rows", "is_lost"),
    [
        ([], False),
        ([lost("2020-05-15")], True),
        ([lost("2020-05-15", "2020-05-15")], False),
        ([lost("2020-05-15", "2020-05-14")], True),
        ([lost("2020-05-15", "2026-12-01")], False),
        ([lost("2020-05-15", "2026-12-02")], True),
        ([lost("2016-03-15", "2016-08-15"), lost("2019-03-15", "2020-05-15")], False),
        ([lost("2019-03-15"), lost("2013-03-15", "2013-03-15")], True),
        ([lost("2013-03-15", "2013-03-15"), lost("2019-03-15")], True),
        ([lost("2013-03-15", "2020-01-01"), lost("2019-03-15")], False),
    ],
)
def test_reinstated_on_or_after_the_latest_revocation_is_not_revoked(rows, is_lost) -> None:
    assert is_revoked(rows, TODAY) is is_lost


def test_a_revocation_to_come_says_nothing_yet() -> None:
    assert exemption_signals(POST, [lost("2026-12-02")], TODAY) == (Code.SHOWN,)


@pytest.mark.skipif(not SAMPLES, reason="no samples: BONA_FIDE_SAMPLES is not set")
def test_real_revocations_are_answered_as_the_reports_say() -> None:
    found: dict[str, list[Revocation]] = {}
    for name in ("revocation_sample", "revocation_multi"):
        with Path(str(SAMPLES), "irs", f"data-download-{name}.txt").open("rb") as source:
            for _number, _text, row in Reader(source, Kind.REVOCATIONS):
                found.setdefault(row.ein, []).append(row)

    asked = ("010043788", "010015091", "010011694", "010275502", "003754390", "001037180")
    assert [is_revoked(found[ein], TODAY) for ein in asked] == [False, False, False] + [True] * 3


def test_every_code_has_its_words_and_only_three_show_an_exemption() -> None:
    assert set(HEADLINES) == set(MARKS) == set(SHORT) == set(Code)
    assert {code for code in Code if MARKS[code] is Mark.CLEARED} == SHOWING
    assert Mark.NOT_CLEARED not in MARKS.values()
    assert not any("shown" in str(words).lower() for words in ALSO.values())
    assert set(ALSO) == set(Code) - {
        Code.NO_EIN,
        Code.NO_FILE,
        Code.REVOKED,
        Code.LISTED,
        Code.ABSENT,
        Code.SHOWN,
    }


@pytest.mark.parametrize(
    ("ruling", "has"),
    [
        ("202312", True), ("202401", False), ("190001", True),
        ("000000", False), ("", False), ("202611", False), ("209913", False),
    ],
)  # fmt: skip
def test_a_ruling_of_so_many_years_supports_existence(ruling, has) -> None:
    assert has_existed(charity(ruling=ruling), 3, TODAY) is has
    assert has_existed(charity(ruling=ruling), None, TODAY) is False


def test_the_answer_in_words_for_a_subordinate_of_a_group() -> None:
    row = charity(group="0861", affiliation="9")

    said = say((Code.GROUP, Code.REINSTATED), row, TODAY, 3)

    assert (said.mark, said.headline) == (Mark.CLEARED, "Exemption shown, by a group ruling")
    assert said.meaning == (
        "It was revoked once and reinstated.",
        "The IRS has it under 501(c)(19), war veterans' post.",
        (
            "Its ruling is of January 1990: that supports 3 years of existence, and does not show"
            " that it was active."
        ),
    )
    assert said.asks == ("The central organization's letter, and proof that it lists this one.",)


def test_a_central_organization_is_asked_for_its_own_letter() -> None:
    said = say((Code.GROUP,), charity(group="5555", affiliation="6"), TODAY, 3)

    assert said.asks == (
        "Its own letter of the group ruling: it is itself the central organization.",
    )


def test_the_columns_that_matter_in_words() -> None:
    row = charity(subsection="92", status="12", ruling="000000", sort_name="AUX 3", zip_code="")

    assert facts_of(row) == [
        ("Name", "MARSH LANTERN POST 42"),
        ("Second line of the name", "AUX 3"),
        ("EIN", "01-2345678"),
        ("Address", "PO BOX 1, DADE CITY, FL"),
        ("Exempt under", "section 4947(a)(1): nonexempt charitable trust"),
        ("Status", "12, trust under section 4947(a)(2); it does not mean revoked"),
    ]
    assert (basis_of(row), basis_of(POST), basis_of(None)) == ("", "501(c)(19)", "")


def test_no_row_says_that_it_is_revoked_for_its_status_alone() -> None:
    for status, subsection in product(("12", "25", "32", "99"), ("03", "92")):
        codes = exemption_signals(charity(status=status, subsection=subsection), [], TODAY)
        assert not {Code.REVOKED, Code.LISTED} & set(codes)


@pytest.mark.parametrize(
    ("ours", "theirs", "agree"),
    [
        ("Marsh Lantern Post 42", "MARSH LANTERN POST 0042", True),
        ("Marsh Lantern Veterans Post 42", "VETERANS OF EXAMPLE WARS 00042 MARSH LANTERN", True),
        ("Marsh Lantern Post 42", "MARSH LANTERN POST 43", False),
        ("Peña Café, Inc.", "PENA CAFE", True),
        ("St. Brendan's Parish", "ST BRENDAN`S PARISH", True),
        ("Sunset Shuffleboard Club", "GULF SHORE CIVIC LEAGUE", False),
        ("Elfers Band Boosters", "ELFERS HIGH SCHOOL BAND BOOSTERS INC", True),
    ],
)
def test_names_are_one_as_the_irs_cuts_and_shortens_them(ours, theirs, agree) -> None:
    assert names_agree(ours, theirs) is agree


@pytest.mark.parametrize(
    ("capitals", "written"),
    [
        ("VFW POST 0001 SYNTHETIC", "VFW Post 0001 Synthetic"),
        ("ST MARY`S PARISH", "St Mary's Parish"),
        ("FARM BUREAU OF NOWHERE,INC", "Farm Bureau of Nowhere, Inc"),
        ('"QUOTED" NAME, LTD', '"Quoted" Name, Ltd'),
        ("O'EXAMPLE FAMILY FDN", "O'Example Family Fdn"),
        ("MCALLEN LODGE OF THE R F C", "McAllen Lodge of the R F C"),
        ("THE 25TH STREET MOTHER-DAUGHTER CLUB II", "The 25th Street Mother-Daughter Club II"),
        ("PEÑA & ÁLVAREZ FUND", "Peña & Álvarez Fund"),
        ("", ""),
    ],
)
def test_capitals_become_a_name_as_people_write_it(capitals, written) -> None:
    assert title_case(capitals) == written
