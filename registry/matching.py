"""Are two people as known one human? A class, a score and the reasons why. Pure.

Only SAME is ever joined without a person (decisions 16): equal names, equal known birth dates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import Enum, StrEnum
from functools import lru_cache
from typing import Any

from rapidfuzz.distance import OSA, JaroWinkler

from registry.human_names import Name, are_nicknames, spelled_out, take_apart


class Class(StrEnum):
    """How two people as known stand to each other."""

    SAME = "same"
    POSSIBLE = "possible"
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of one person. Shared contact data alone never says anything."""

    full_name: str
    born_on: date | None = None
    postal_codes: frozenset[str] = frozenset()
    addresses: frozenset[str] = frozenset()
    """Whole addresses, street and place; never a part of one."""

    def lives_near(self, other: Known) -> bool:
        """True where both gave the same postal code at some time."""
        return bool(self.postal_codes & other.postal_codes)

    def lived_with(self, other: Known) -> bool:
        """True where both gave the same whole address at some time."""
        return bool(self.addresses & other.addresses)


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that speaks for or against, as a code with its parameters; words elsewhere."""

    code: str
    params: Mapping[str, Any] = field(default_factory=dict)

    def as_data(self) -> dict[str, Any]:
        """The reason as it is kept in a row."""
        return {"code": self.code, **self.params}


@dataclass(frozen=True, slots=True)
class Likeness:
    """The answer: which class, how sure from 0 to 100, and why."""

    what: Class
    score: int
    reasons: tuple[Reason, ...] = ()


class Word(Enum):
    """How two words of two names stand to each other, with the weight of it."""

    EQUAL = 1.0
    NICKNAME = 0.9
    CLOSE = 0.8
    INITIAL = 0.5
    MISSING = 0.4
    OTHER = 0.0


class Birth(Enum):
    """How two birth dates stand to each other, with the weight of it."""

    EQUAL = 1.0
    SLIP = 0.7
    UNKNOWN = 0.4
    OTHER = 0.0


GOOD = frozenset({Word.EQUAL, Word.NICKNAME, Word.CLOSE})
NAME_WEIGHT, BIRTH_WEIGHT, POSTAL_WEIGHT = 60, 35, 5
ALIKE = 0.86
"""From this part of equal letters on, a name in two scripts is taken for one."""
SHARED = 3
LONG = 5
SURE = 100
CENTURY = 100


def compare(one: Known, other: Known) -> Likeness:
    """Judge two people as known; the same whichever comes first."""
    first, second = take_apart(one.full_name), take_apart(other.full_name)
    birth, birth_reason = compare_births(one.born_on, other.born_on)
    if first.key == second.key:
        return _of_one_name(one, other, (first, second), (birth, birth_reason))
    names = _Names(first, second)
    postal = one.lives_near(other)
    reasons = [*names.reasons, birth_reason]
    if birth is Birth.EQUAL and one.lived_with(other):
        reasons.append(Reason("address_same"))
    elif not _may_be_one(names, birth, postal=postal):
        return Likeness(Class.DIFFERENT, _score(names.weight, birth, postal=postal))
    return _possible(reasons, names.weight, birth, postal=postal)


def is_same(one: Known, other: Known) -> bool:
    """True for equal names and equal birth dates, all that joins without a person."""
    if one.born_on is None or one.born_on != other.born_on:
        return False
    return take_apart(one.full_name).key == take_apart(other.full_name).key


def _of_one_name(
    one: Known, other: Known, names: tuple[Name, Name], birth: tuple[Birth, Reason]
) -> Likeness:
    """Equal names: the same human by an equal birth date, else possible."""
    reasons = [Reason(_shape(one, other, names)), birth[1]]
    postal = one.lives_near(other)
    if birth[0] is Birth.EQUAL:
        return Likeness(Class.SAME, SURE, tuple(reasons))
    return _possible(reasons, Word.EQUAL.value, birth[0], postal=postal)


def _shape(one: Known, other: Known, names: tuple[Name, Name]) -> str:
    if one.full_name == other.full_name:
        return "name_same"
    return "title_aside" if names[0].is_aside or names[1].is_aside else "name_same_but_marks"


def _possible(reasons: list[Reason], weight: float, birth: Birth, *, postal: bool) -> Likeness:
    if postal and Reason("address_same") not in reasons:
        reasons.append(Reason("postal_same"))
    return Likeness(Class.POSSIBLE, _score(weight, birth, postal=postal), tuple(reasons))


def _score(weight: float, birth: Birth, *, postal: bool) -> int:
    return round(weight * NAME_WEIGHT + birth.value * BIRTH_WEIGHT + postal * POSTAL_WEIGHT)


class _Names:
    """Two unequal names side by side: which words fit, and how the names differ."""

    def __init__(self, one: Name, other: Name) -> None:
        self.one, self.other = one, other
        self.given = _compare_given(one, other)
        self.family = compare_words(one.family, other.family)
        self.reasons: list[Reason] = []
        self.shape = self._find_shape()
        self.weight = self._weigh()

    def _find_shape(self) -> str:
        """The one way in which the names are near each other; "" where they are not."""
        for look in (
            self._suffix,
            self._mixed_alphabets,
            self._scripts,
            self._blanks,
            self._swapped,
            self._straight,
            self._half,
        ):
            if shape := look():
                return shape
        return ""

    def _suffix(self) -> str:
        if self.one.words != self.other.words:
            return ""
        if self.one.suffix != self.other.suffix:
            both = bool(self.one.suffix and self.other.suffix)
            self.reasons.append(Reason("suffix_differs" if both else "suffix_missing"))
            return "rivals" if both else "whole"
        self.reasons.append(Reason("hyphen"))
        return "whole"

    def _mixed_alphabets(self) -> str:
        if not (self.one.lookalike or self.other.lookalike):
            return ""
        first, second = (
            take_apart(name.lookalike or " ".join(name.words)) for name in (self.one, self.other)
        )
        shared = sum(compare_words(a, b) in GOOD for a, b in _paired(first, second))
        if not shared or (len(first.words) > 1 and first.words[0] != second.words[0]):
            return ""
        self.reasons.append(Reason("lookalike"))
        return "whole"

    def _scripts(self) -> str:
        if self.one.is_latin and self.other.is_latin:
            return ""
        few, many = sorted((self.one, self.other), key=lambda name: (len(name.words), name.words))
        target = next(spelled_out(few))
        best = max(OSA.normalized_similarity(text, target) for text in spelled_out(many))
        if best < ALIKE:
            return ""
        is_other = self.one.is_latin != self.other.is_latin
        self.reasons.append(Reason("script" if is_other else "signs"))
        return "whole"

    def _blanks(self) -> str:
        if self.one.joined == self.other.joined:
            self.reasons.append(Reason("blanks"))
            return "whole"
        if len(self.one.words) != len(self.other.words) and _close(
            self.one.joined, self.other.joined
        ):
            self.reasons.append(Reason("blanks"))
            return "near"
        return ""

    def _swapped(self) -> str:
        if not (self.one.given and self.other.given) or self._fits_straight():
            return ""
        across = compare_words(self.one.given, self.other.family)
        back = compare_words(self.one.family, self.other.given)
        if across not in GOOD or back not in GOOD:
            return ""
        self.reasons.append(Reason("swapped"))
        self._tell(across, self.one.given, self.other.family)
        self._tell(back, self.one.family, self.other.given)
        return "whole" if {across, back} == {Word.EQUAL} else "near"

    def _fits_straight(self) -> bool:
        return self.given in GOOD and self.family in GOOD

    def _straight(self) -> str:
        near = {*GOOD, Word.INITIAL}
        if self.given not in near or self.family not in GOOD:
            return ""
        self._tell(self.given, self.one.given, self.other.given)
        self._tell(self.family, self.one.family, self.other.family)
        if self.given is Word.EQUAL and self.family is Word.EQUAL:
            self.reasons.append(Reason("middle"))
            return "whole"
        return "near"

    def _half(self) -> str:
        """One half fits: after a marriage, of twins, of a name that was cut, in other places."""
        if self.given is Word.MISSING and self._any_word() in GOOD:
            self.reasons.append(Reason("part_missing"))
            return "half"
        if self.family in GOOD:
            self._tell(self.family, self.one.family, self.other.family)
            self.reasons.append(Reason("given_differs"))
            return _half_or_less(self.family, self.one.family, self.other.family)
        if self.given in {Word.EQUAL, Word.NICKNAME, Word.CLOSE}:
            self._tell(self.given, self.one.given, self.other.given)
            self.reasons.append(Reason("family_differs"))
            return _half_or_less(self.given, self.one.given, self.other.given)
        if self._any_word() is Word.EQUAL:
            self.reasons.append(Reason("part_same"))
            return "half"
        return ""

    def _any_word(self) -> Word:
        """The best that any word of one name does with any of the other."""
        found = [
            compare_words(a, b)
            for a in self.one.words
            for b in self.other.words
            if min(len(a), len(b)) >= SHARED
        ]
        return max(found, key=lambda word: word.value, default=Word.OTHER)

    def _tell(self, how: Word, one: str, other: str) -> None:
        if how is Word.CLOSE:
            count = OSA.distance(one, other)
            self.reasons.append(Reason("letters", {"one": one, "other": other, "count": count}))
        elif how in {Word.NICKNAME, Word.INITIAL}:
            code = how.name.lower()
            self.reasons.append(Reason(code, {"one": one, "other": other}))

    def _weigh(self) -> float:
        return {"whole": 0.95, "rivals": 0.6, "near": 0.85, "half": 0.55, "faint": 0.4}.get(
            self.shape, 0.0
        )


def _may_be_one(names: _Names, birth: Birth, *, postal: bool) -> bool:
    """How near the names must be, by what the birth dates say."""
    if birth is Birth.EQUAL:
        return bool(names.shape) and (names.shape != "faint" or postal)
    if names.shape == "rivals":
        return birth is Birth.UNKNOWN
    if birth is Birth.OTHER:
        return (names.shape == "whole" and _is_all_of_it(names)) or (postal and _is_a_slip(names))
    if birth is Birth.SLIP:
        return names.shape in {"whole", "near"} or (names.shape == "half" and postal)
    return names.shape in {"whole", "near"}


def _is_all_of_it(names: _Names) -> bool:
    """Nothing but a suffix, a hyphen or a blank tells the names apart."""
    return {reason.code for reason in names.reasons} <= {"suffix_missing", "hyphen", "blanks"}


def _is_a_slip(names: _Names) -> bool:
    """The names are one but for keys that slipped and words that changed places."""
    codes = {reason.code for reason in names.reasons}
    return names.shape in {"whole", "near"} and codes <= {"letters", "swapped", "blanks", "hyphen"}


def _compare_given(one: Name, other: Name) -> Word:
    if not one.given or not other.given:
        return Word.MISSING
    if are_nicknames(one.given, other.given):
        return Word.NICKNAME
    return compare_words(one.given, other.given)


@lru_cache(maxsize=16_384)
def compare_words(one: str, other: str) -> Word:
    """How two words stand to each other: equal, a slip of the keys apart, an initial, or others."""
    if one == other:
        return Word.EQUAL if one else Word.MISSING
    if not one or not other:
        return Word.MISSING
    if min(len(one), len(other)) == 1:
        return Word.INITIAL if one[0] == other[0] else Word.OTHER
    return Word.CLOSE if _close(one, other) else Word.OTHER


def _close(one: str, other: str) -> bool:
    """One slip in a word of three letters, two in one of six, three in one of ten."""
    longest = max(len(one), len(other))
    if longest < SHARED:
        return False
    allowed = 1 + (longest >= 6) + (longest >= 10)  # noqa: PLR2004
    if abs(len(one) - len(other)) > min(allowed, 2):
        return False
    if OSA.distance(one, other, score_cutoff=allowed) > allowed:
        return False
    return longest < 6 or JaroWinkler.similarity(one, other) > 0.8  # noqa: PLR2004


def _half_or_less(how: Word, one: str, other: str) -> str:
    """A lone word that fits: short ones a slip apart are more often two names than one."""
    if how is not Word.CLOSE:
        return "half"
    is_sure = min(len(one), len(other)) >= LONG and OSA.distance(one, other) == 1
    return "half" if is_sure else "faint"


def _paired(one: Name, other: Name) -> list[tuple[str, str]]:
    return list(zip(one.words, other.words, strict=False))


def compare_births(one: date | None, other: date | None) -> tuple[Birth, Reason]:
    """How two birth dates stand to each other, and in which way they differ."""
    if one is None or other is None:
        both = one is None and other is None
        return Birth.UNKNOWN, Reason("births_unknown" if both else "birth_unknown")
    if one == other:
        return Birth.EQUAL, Reason("birth_same")
    slip = next((code for code, fits in SLIPS.items() if fits(one, other)), "")
    if slip:
        return Birth.SLIP, Reason(slip)
    return Birth.OTHER, Reason("birth_differs")


def _is_swapped(one: date, other: date) -> bool:
    return (one.year, one.month, one.day) == (other.year, other.day, other.month)


def _is_century(one: date, other: date) -> bool:
    same_day = (one.month, one.day) == (other.month, other.day)
    return same_day and (one.year - other.year) % CENTURY == 0


def _is_next_day(one: date, other: date) -> bool:
    return abs((one - other).days) == 1


def _is_one_digit(one: date, other: date) -> bool:
    """One digit differs, or two neighbours stand the other way round."""
    return OSA.distance(one.isoformat(), other.isoformat()) == 1


SLIPS: Mapping[str, Callable[[date, date], bool]] = {
    "birth_day_and_month": _is_swapped,
    "birth_century": _is_century,
    "birth_next_day": _is_next_day,
    "birth_digit": _is_one_digit,
}
