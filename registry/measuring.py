"""How well doubles are found: labelled pairs in, counts, precision and recall out. Pure."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random

from registry.matching import Class, Known, Likeness, compare

TRUE_LABELS = frozenset({"same", "review", "match"})
GIVEN = """
Ada Alma Amos Anita Arlo Bea Bert Carla Cecil Clara Cora Dale Della Dexter Dora Earl Edith Elmer
Elsa Emery Enid Ervin Esther Faye Felix Flora Floyd Freda Garth Gilda Glenn Greta Hank Hattie
Hazel Homer Ida Ike Inez Ira Iris Ivan Jewel Jonas June Karl Kay Kirk Lance Leona Leroy Lila
Lionel Lois Lorna Luther Mabel Mack Marvin Maude Merle Mona Myron Nadia Ned Nora Odell Ola Opal
Orin Oscar Otis Pearl Percy Petra Quinn Ralph Reba Rex Rhoda Roscoe Rosa Rufus Ruth Sadie Selma
Seth Silas Stella Tess Thora Tito Ula Ursula Vera Vern Viola Wade Wanda Wilma Xena Yvette Zane
Zelda
"""
STEMS = """
Alder Amber Arden Barn Birch Black Bram Brook Burn Carl Chester Clay Cold Copper Crow Dane Denver
Dray East Elm Fair Fern Gold Grand Green Hart Haver Hazel High Holl Iron Kings Lang Lark Lin Mar
Mill North Oak Old Penn Quill Raven Red Rose Silver South Stan Stone Summer Thorn Under Vale Water
West White Wild Win Wood York
"""
ENDS = """
berg born bridge combe croft dale field ford gate ham hurst land ley man mere more ridge shaw ton
wick worth
"""
POSTAL_CODES = [f"33{number}" for number in range(523, 599, 4)]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two people as known, and what somebody who knows said of them."""

    one: Known
    other: Known
    label: str

    @property
    def is_double(self) -> bool:
        """True where a person should look, or would join."""
        return self.label in TRUE_LABELS


@dataclass
class Measured:
    """What came out over many pairs."""

    table: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How many of each label fell into each class."""
    missed: list[Pair] = field(default_factory=list)
    wrong: list[Pair] = field(default_factory=list)

    def _count(self, *, double: bool, found: bool) -> int:
        return sum(
            count
            for (label, what), count in self.table.items()
            if (label in TRUE_LABELS) == double and (what != Class.DIFFERENT) == found
        )

    @property
    def recall(self) -> float:
        """Of the true doubles, the part that is found."""
        found = self._count(double=True, found=True)
        return found / max(found + self._count(double=True, found=False), 1)

    @property
    def precision(self) -> float:
        """Of what is found, the part that is true."""
        found = self._count(double=True, found=True)
        return found / max(found + self._count(double=False, found=True), 1)


def measure(pairs: Iterable[Pair]) -> Measured:
    """Compare each pair and count what came out against what was said."""
    done = Measured()
    for pair in pairs:
        likeness = compare(pair.one, pair.other)
        done.table[pair.label, likeness.what.value] += 1
        if pair.is_double and likeness.what is Class.DIFFERENT:
            done.missed.append(pair)
        if not pair.is_double and likeness.what is not Class.DIFFERENT:
            done.wrong.append(pair)
    return done


def explained(pairs: Iterable[Pair]) -> Iterator[tuple[Pair, Likeness]]:
    """Each pair with what the comparison says of it."""
    return ((pair, compare(pair.one, pair.other)) for pair in pairs)


def read_pairs(lines: Iterable[str]) -> list[Pair]:
    """Labelled pairs of a CSV: columns a, b, label, or given_a, surname_a, dob_a, postcode_a ...

    Raises ValueError for a heading that is neither.
    """
    reader = csv.DictReader(lines)
    heads = set(reader.fieldnames or ())
    if {"a", "b", "label"} <= heads:
        return [Pair(_told(row["a"]), _told(row["b"]), row["label"]) for row in reader]
    if {"given_a", "surname_a", "dob_a", "given_b", "surname_b", "dob_b", "label"} <= heads:
        return [Pair(_parts(row, "a"), _parts(row, "b"), row["label"]) for row in reader]
    raise ValueError("the columns must be a, b, label or given_a, surname_a, dob_a, ... label")


def _told(text: str) -> Known:
    name, born_on, *_rest = [*text.split("|"), "", ""]
    return Known(name, date.fromisoformat(born_on) if born_on else None)


def _parts(row: Mapping[str, str], side: str) -> Known:
    """One side of a row; the postcode is the whole address as far as the file knows it."""
    name = " ".join(filter(None, [row[f"given_{side}"], row[f"surname_{side}"]]))
    lives = frozenset(filter(None, [row.get(f"postcode_{side}")]))
    return Known(name or "-", _day(row[f"dob_{side}"]), lives, lives)


def _day(text: str) -> date | None:
    """A day of eight digits; one that no calendar has is not known."""
    try:
        return date(int(text[:4]), int(text[4:6]), int(text[6:8]))
    except ValueError:
        return None


def strangers(count: int, among: Sequence[Pair] = (), seed: int = 1) -> list[Pair]:
    """Pairs of invented people who share nothing but the day they were born on.

    They live where the people of the given pairs live, in the same proportions.
    """
    dice = Random(seed)  # noqa: S311 - invented names, no secret
    lives = [sorted(known.postal_codes) for pair in among for known in (pair.one, pair.other)]
    codes = [code for known in lives for code in known] or POSTAL_CODES
    return [_strangers(dice, codes) for _ in range(count)]


def _strangers(dice: Random, codes: Sequence[str]) -> Pair:
    born_on = date(1930, 1, 1) + timedelta(days=dice.randrange(27_000))
    one, other = (_stranger(dice, born_on, frozenset({dice.choice(codes)})) for _ in range(2))
    return Pair(one, other, "stranger")


def _stranger(dice: Random, born_on: date, lives: frozenset[str]) -> Known:
    family = dice.choice(STEMS.split()) + dice.choice(ENDS.split())
    return Known(f"{dice.choice(GIVEN.split())} {family}", born_on, lives, lives)


def halves(pairs: Sequence[Pair]) -> tuple[list[Pair], list[Pair]]:
    """Every second pair of each label: one half to tune by, one held out."""
    turn: Counter[str] = Counter()
    parts: tuple[list[Pair], list[Pair]] = ([], [])
    for pair in pairs:
        parts[turn[pair.label] % 2].append(pair)
        turn[pair.label] += 1
    return parts
