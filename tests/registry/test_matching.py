"""Two people as known: one human, perhaps, or two; and the reasons, in words."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path

import pytest
from django.core.management import call_command
from hypothesis import given
from hypothesis import strategies as st

from registry.human_names import take_apart
from registry.matching import Class, Known, compare, is_same
from registry.measuring import GIVEN, halves, measure, read_pairs, strangers
from registry.reasons import REASONS, kept, word_reasons

BORN = date(1948, 12, 1)
SAMPLES = os.environ.get("BONA_FIDE_SAMPLES")


def why(one: Known, other: Known) -> tuple[str, str]:
    likeness = compare(one, other)
    return likeness.what.value, word_reasons(kept(likeness)["reasons"])


SAME_NAMES = [
    ("Siobhán O'Example", "SIOBHAN O\u2019EXAMPLE"),
    ("D'Angelo Demo", "DAngelo Demo"),
    ("Keku\u02bbuipo\u02bbi Example", "Kekuuipoi Example"),
    ("Straße Beispiel", "STRASSE BEISPIEL"),
    ("Łukasz Żółć", "lukasz zolc"),
    ("EXAMPLE, PATRICIA A", "Patricia A. Example"),
    ("Dr. Bill Example", "Bill Example, DDS"),
    ("Rev. Dr. Pat Q. Sample, D.D., Ph.D.", "Pat Q Sample"),
    ("John Example Jr.", "Example, John, Jr"),
    ("Nguye\u0302\u0303n Thi\u0323 Thu\u031b\u0309", "Nguyễn Thị Thử"),
    ("\uae40\uc608\uc2dc", "\u1100\u1175\u11b7\u110b\u1168\u1109\u1175"),
    ("שָׂרָה דוגמה", "שרה דוגמה"),
    ("Pat\u200bSample", "PatSample"),
    ("Smith\u2011Example", "Smith-Example"),
    ("\u0130rem I\u015f\u0131k", "irem isik"),
]


@pytest.mark.parametrize(("one", "other"), SAME_NAMES)
def test_one_name_written_in_two_ways_is_the_same_with_the_same_birth_date(one, other):
    assert compare(Known(one, BORN), Known(other, BORN)).what is Class.SAME
    assert is_same(Known(one, BORN), Known(other, BORN))
    assert compare(Known(one, BORN), Known(other)).what is Class.POSSIBLE


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        ("Bob Example", "Robert Example", "Nickname: Bob and Robert; same birth date."),
        ("Elizabeth Test", "Betty Test", "Nickname: Elizabeth and Betty; same birth date."),
        ("Peggy Test", "Margaret Test", "Nickname: Peggy and Margaret; same birth date."),
        ("Ted Test", "Theodore Test", "Nickname: Ted and Theodore; same birth date."),
        (
            "Marta Exemple",
            "Marta Example",
            "Exemple and Example differ by 1 letter; same birth date.",
        ),
        (
            "Marta Exmaple",
            "Martha Example",
            "Marta and Martha differ by 1 letter; Exmaple and Example differ by 1 letter;",
        ),
        ("Example Pat", "Pat Example", "First and last name have changed places; same birth date."),
        ("P. Sample", "Pat Sample", "P may stand for Pat; same birth date."),
        (
            "Pat Ann Sample",
            "Pat Sample",
            "Same first and last name, a middle name differs or is missing; same birth date.",
        ),
        (
            "Mary Placeholder",
            "Mary Sample",
            "The last names differ: perhaps by marriage; same birth date.",
        ),
        (
            "Ann Sample",
            "Otis Sample",
            "The first names differ: perhaps twins, perhaps a second name; same birth date.",
        ),
        (
            "John Example Sr.",
            "John Example Jr.",
            "Same name, but one is Sr. and the other Jr.; same birth date.",
        ),
        (
            "John Example",
            "John Example Jr.",
            "Same name, but only one is called Sr. or Jr.; same birth date.",
        ),
        ("王小明", "Xiaoming Wang", "The same name in another script; same birth date."),
        (
            "山﨑 見本",
            "山崎 見本",
            "The same name with other signs of its script; same birth date.",
        ),
        (
            "\u0405\u0430m\u0440l\u0435 Tester",
            "Sample Tester",
            "Written with look-alike letters of another alphabet; same birth date.",
        ),
        ("Mary-Ann Sample", "Mary Ann Sample", "Same name, written with and without a hyphen;"),
        ("Hayd En Sample", "Hayden Sample", "Same letters, parted into words differently;"),
        ("Sample", "Otis Sample", "One record has only a part of the name; same birth date."),
    ],
)
def test_a_name_near_another_is_possible_and_says_why(one, other, words):
    what, said = why(Known(one, BORN), Known(other, BORN))

    assert (what, said[: len(words)]) == ("possible", words)


@pytest.mark.parametrize(
    ("day", "words"),
    [
        (date(1948, 1, 12), "day and month of birth have changed places"),
        (date(1948, 12, 2), "birth dates one day apart"),
        (date(1949, 12, 1), "birth dates differ by one digit"),
        (date(1984, 12, 1), "birth dates differ by one digit"),
        (date(2048, 12, 1), "birth dates a century apart"),
        (date(1979, 3, 14), "the birth dates differ"),
        (None, "one birth date is not known"),
    ],
)
def test_one_name_with_another_birth_date_is_possible_and_says_how_they_differ(day, words):
    what, said = why(Known("Sam Fiction", BORN), Known("Sam Fiction", day))

    assert (what, said) == ("possible", f"Same name; {words}.")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Known("Pat Example", BORN), Known("Patrick Example", date(1979, 12, 1))),
        (Known("John Example Sr.", date(1920, 5, 5)), Known("John Example Jr.", date(1950, 8, 9))),
        (Known("Otis Sample", BORN), Known("Vera Muster", BORN)),
        (Known("Mary Sample"), Known("Mary Muster")),
        (
            Known("Vera Muster", None, frozenset({"33525"}), frozenset({"1 oak st 33525"})),
            Known("Otis Sample", None, frozenset({"33525"}), frozenset({"1 oak st 33525"})),
        ),
    ],
)
def test_a_part_of_a_name_or_a_shared_address_makes_nobody_the_same(one, other):
    assert compare(one, other).what is Class.DIFFERENT


def test_a_shared_address_with_a_shared_birth_date_is_worth_a_look_and_never_a_join():
    home = (frozenset({"33525"}), frozenset({"1 oak st 33525"}))

    what, said = why(Known("Otis Sample", BORN, *home), Known("Vera Muster", BORN, *home))

    assert (what, said) == ("possible", "Same birth date; same address.")


WORDS = st.sampled_from([*GIVEN.split(), "Dr.", "Jr.", "Sr.", "O'Neil", "Łuk", "王", "A."])
NAMES = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)
DAYS = st.none() | st.dates(date(1948, 11, 28), date(1948, 12, 3))


@given(NAMES, NAMES, DAYS, DAYS)
def test_who_comes_first_is_all_one_and_only_equal_names_and_days_are_the_same(a, b, one, other):
    there, back = compare(Known(a, one), Known(b, other)), compare(Known(b, other), Known(a, one))

    assert (there.what, there.score) == (back.what, back.score)
    is_one = one is not None and one == other and take_apart(a).key == take_apart(b).key
    assert (there.what is Class.SAME) == is_one == is_same(Known(a, one), Known(b, other))
    assert {reason.code for reason in there.reasons} - set(REASONS) <= {"letters"}


@pytest.mark.skipif(not SAMPLES, reason="no samples: BONA_FIDE_SAMPLES is not set")
def test_doubles_are_found_on_labelled_pairs_with_strangers_of_the_same_birthday() -> None:
    path = Path(str(SAMPLES), "names", "febrl_labelled_pairs.csv")
    pairs = read_pairs(path.read_text(encoding="utf-8").splitlines())

    done = measure([*pairs, *strangers(125, pairs)])

    assert (done.recall >= 0.95, done.precision >= 0.95) == (True, True), done.table
    assert all(measure(half).recall >= 0.95 for half in halves(pairs))
    assert done.table["non-match", "same"] == done.table["stranger", "same"] == 0


@pytest.mark.skipif(not SAMPLES, reason="no samples: BONA_FIDE_SAMPLES is not set")
def test_what_must_be_looked_at_is_possible_and_what_is_different_is_never_the_same(capsys) -> None:
    path = Path(str(SAMPLES), "names", "person_match_pairs.csv")

    call_command("match", pairs=path)

    assert "all: 19 pairs, recall 1.000" in capsys.readouterr().out
    table = measure(read_pairs(path.read_text(encoding="utf-8").splitlines())).table
    assert {key: table[key] for key in table if "different" not in key} == {
        ("same", "same"): 5,
        ("review", "possible"): 12,
    }
    assert table["different", "same"] == 0
