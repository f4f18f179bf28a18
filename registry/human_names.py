"""A human's name taken apart: its words in order, its suffix, how each word may be read. Pure."""

# ruff: noqa: RUF001 - the characters that look alike are what this module is about

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

from anyascii import anyascii
from nicknames import NickNamer

TITLES = frozenset({"mr", "mrs", "ms", "miss", "mx", "dr", "rev", "fr", "hon", "prof", "pastor"})
DEGREES = frozenset(["phd", "dds", "dmd", "esq", "rn", "cpa", "lpn", "msw", "mba"])
# After a comma these are degrees; else they may be family names, as Do and Ma are.
SHORT_DEGREES = frozenset(["do", "md", "dd", "ma", "ba", "jd", "ret", "usn", "usmc", "usaf"])
SUFFIXES = {
    "sr": "sr",
    "senior": "sr",
    "jr": "jr",
    "junior": "jr",
    "ii": "2",
    "iii": "3",
    "iv": "4",
}
APOSTROPHES = dict.fromkeys(map(ord, "'’‘ʼʻ`´ʹ′ʾʿ＇"))
DASHES = dict.fromkeys(map(ord, "‐‑‒–—−﹣－"), "-")
# Latin letters that are no letter with an accent, as they are typed without them.
LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe", "ð": "d"}
    | {"þ": "th", "ŋ": "ng", "ĸ": "k", "ə": "e", "ƙ": "k", "ɗ": "d", "ɓ": "b", "ĳ": "ij"}
)
# Letters of other alphabets that look like a Latin one: a name may be disguised with them.
LOOKALIKES = str.maketrans(
    dict(zip("авсԁеһіјкӏмпорԛгѕтиԝхуԍ", "abcdehijklmnopqrstuwxyg", strict=True))
    | dict(zip("ѵћѡοαβεικνρτυχ", "vhwoabeiknptux", strict=True))
    | {"н": "h", "ь": "b", "ё": "e", "ї": "i", "є": "e"}
)
MOST_WORDS = 5
POINTS, ABOVE = range(10, 37), range(200, 241)


@dataclass(frozen=True, slots=True)
class Name:
    """One name taken apart. `key` is what two equal names have in common (decisions 16)."""

    key: tuple[str, str]
    words: tuple[str, ...]
    """Folded words, the given name first, the family name last; hyphens part words."""
    suffix: str
    is_aside: bool
    """A title or a degree stood beside the name and was left out."""
    lookalike: str
    """The name with look-alike letters read as Latin, "" where a word mixes no alphabets."""
    is_latin: bool
    given: str
    """The first word; "" where the name has only one."""
    family: str
    """The last word."""

    @property
    def joined(self) -> str:
        """All letters in order, without blanks."""
        return "".join(self.words)


def fold(text: str) -> str:
    """A text as equal names share it: no case, accents, vowel points, apostrophes, nothing unseen.

    Marks that make another letter (as in Japanese or Hindi) stay.
    """
    text = unicodedata.normalize("NFKC", text.translate(APOSTROPHES)).casefold().translate(DASHES)
    bare = (
        letter
        for letter in unicodedata.normalize("NFD", text)
        if not _is_mark(letter) and unicodedata.category(letter) != "Cf"
    )
    return unicodedata.normalize("NFC", "".join(bare).translate(APOSTROPHES)).translate(LETTERS)


def _is_mark(letter: str) -> bool:
    place = unicodedata.combining(letter)
    return place in POINTS or place in ABOVE


def _bare(word: str) -> str:
    return fold(word).replace(".", "").strip(',;()[]"“”')


def _is_beside(part: str) -> bool:
    words = [_bare(word) for word in part.split()]
    return bool(words) and all(
        word in TITLES | DEGREES | SHORT_DEGREES or word in SUFFIXES for word in words
    )


def _in_order(text: str) -> tuple[list[str], list[str]]:
    """The words of the name, first name first, and those that stand beside it after commas."""
    first, *rest = text.replace("，", ",").replace("、", ",").split(",")
    beside = [word for part in rest if _is_beside(part) for word in part.split()]
    rest = [part for part in rest if part.strip() and not _is_beside(part)]
    ordered = [*rest, first]
    return [word for part in ordered for word in _spaced(part)], beside


def _spaced(part: str) -> list[str]:
    """A.B. Example is written with and without a blank after the dots."""
    return part.replace(".", ". ").split()


@lru_cache(maxsize=16_384)
def take_apart(full_name: str) -> Name:
    """Read one full name, "First Last" or "Last, First"; titles, degrees and suffix set apart."""
    ordered, beside = _in_order(full_name)
    words = [word for word in map(_bare, ordered) if word]
    words, aside = _undressed(_degrees_joined(words))
    suffixes = [SUFFIXES[w] for w in (*map(_bare, beside), *aside) if w in SUFFIXES]
    suffix = suffixes[0] if suffixes else ""
    letters = tuple(part for word in words for part in word.split("-") if part)
    return Name(
        key=(" ".join(words), suffix),
        words=letters,
        suffix=suffix,
        is_aside=len(beside) + len(aside) > len(suffixes),
        lookalike=_unmasked(words),
        is_latin=all(ord(letter) < 0x250 for letter in "".join(letters)),  # noqa: PLR2004
        given=letters[0] if len(letters) > 1 else "",
        family=letters[-1] if letters else "",
    )


def _degrees_joined(words: list[str]) -> list[str]:
    """Ph. D. and D. D. S. stand as one word at the end."""
    for count in (3, 2):
        tail = "".join(words[-count:])
        if len(words) > count and tail in DEGREES and len(words[-1]) == 1:
            return [*words[:-count], tail]
    return words


def _undressed(words: list[str]) -> tuple[list[str], list[str]]:
    aside = []
    while len(words) > 1 and words[0] in TITLES:
        aside.append(words[0])
        words = words[1:]
    while len(words) > 1 and (words[-1] in DEGREES or words[-1] in SUFFIXES):
        aside.append(words[-1])
        words = words[:-1]
    return words, aside


def _unmasked(words: Iterable[str]) -> str:
    """The words with look-alikes read as Latin, where some word is of them alone or is mixed."""
    read = [word.translate(LOOKALIKES) for word in words]
    changed = [was for was, now in zip(words, read, strict=True) if was != now and now.isascii()]
    return " ".join(read) if changed else ""


@lru_cache(maxsize=1)
def _namer() -> NickNamer:
    return NickNamer()


@lru_cache(maxsize=16_384)
def formal_names(word: str) -> frozenset[str]:
    """The names a first name may be short for, itself among them: Pat is Patricia or Patrick."""
    return frozenset({word, *_namer().canonicals_of(word)})


def are_nicknames(one: str, other: str) -> bool:
    """True where one first name is short for the other, or both for the same name."""
    if one == other or min(len(one), len(other)) < 2:  # noqa: PLR2004 - an initial is no nickname
        return False
    return bool(formal_names(one) & formal_names(other))


def spelled_out(name: Name) -> Iterator[str]:
    """The name in Latin letters, joined in each order of its words: scripts differ in order."""
    words = [anyascii(word).lower().replace(" ", "").replace("'", "") for word in name.words]
    if len(words) > MOST_WORDS:
        yield "".join(words)
        return
    for order in permutations(words):
        yield "".join(order)
