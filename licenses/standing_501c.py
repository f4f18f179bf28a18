"""What the IRS's files say of one organization, as codes (F.S. 849.0931(1)(c)). Pure.

The files never decide: absence is no disproof, and only a human refuses.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import date
from enum import StrEnum

from rapidfuzz.fuzz import token_set_ratio

from licenses.bmf import Charity, Revocation


class Code(StrEnum):
    """How an organization stands in the files; words in `irs_words`."""

    NO_EIN = "no_ein"
    NO_FILE = "no_file"
    REVOKED = "revoked"
    LISTED = "listed"
    ABSENT = "absent"
    SECTION = "section"
    STATUS = "status"
    NAME = "name"
    GROUP = "group"
    REINSTATED = "reinstated"
    SHOWN = "shown"


SHOWING = frozenset({Code.GROUP, Code.REINSTATED, Code.SHOWN})
"""Codes with which the row of the master file shows an exemption."""
NO_GROUP = frozenset({"", "0000"})
SUBORDINATE = "9"
CENTRALS = frozenset({"1", "6", "7", "8"})
EXEMPT_STATUS = frozenset({"01", "02"})
SUBSECTIONS = frozenset(f"{number:02d}" for number in range(1, 30))
"""Paragraphs of section 501(c); 40 and above are other sections of the Code."""
MONTHS_A_YEAR = 12
ALIKE = 75
"""From this part of equal words on, a name of the register and one of the IRS are one name."""
ASIDE = frozenset([
    "inc", "incorporated", "corp", "corporation", "co", "llc", "ltd", "the", "of", "and", "a"
])  # fmt: skip


def exemption_signals(
    row: Charity | None, revocations: Iterable[Revocation], today: date, name: str = ""
) -> tuple[Code, ...]:
    """Every code that holds, the weightiest first: that one is how the organization stands.

    `row` is its row in the newest master file that has it; `name` is the register's name, not
    compared when it is empty.
    """
    known = [listed for listed in revocations if listed.revoked_on <= today]
    back = (Code.REINSTATED,) if known else ()
    if is_revoked(known, today):
        return (Code.LISTED, *_seen(row, name)) if row else (Code.REVOKED,)
    if row is None:
        return (Code.ABSENT, *back)
    return (*_seen(row, name), *back) or (Code.SHOWN,)


def is_revoked(revocations: Sequence[Revocation], today: date) -> bool:
    """True when no reinstatement follows the latest revocation, on its day or after it."""
    if not revocations:
        return False
    latest = max(row.revoked_on for row in revocations)
    back = (row.reinstated_on for row in revocations if row.reinstated_on)
    return not any(latest <= day <= today for day in back)


def _seen(row: Charity, name: str) -> Iterable[Code]:
    """What its row gives to look at or to ask for."""
    if row.subsection not in SUBSECTIONS:
        yield Code.SECTION
    if row.status not in EXEMPT_STATUS:
        yield Code.STATUS
    if name and not names_agree(name, f"{row.name} {row.sort_name}"):
        yield Code.NAME
    if row.group not in NO_GROUP or row.affiliation == SUBORDINATE:
        yield Code.GROUP


def basis_of(row: Charity | None) -> str:
    """The basis as an exemption is recorded, 501(c)(19); "" for another section of the Code."""
    return f"501(c)({int(row.subsection)})" if row and row.subsection in SUBSECTIONS else ""


def ruling_month(row: Charity) -> date | None:
    """The first day of the month of the ruling, None where the row gives none."""
    try:
        return date(int(row.ruling[:4]), int(row.ruling[4:6]), 1)
    except ValueError:
        return None


def has_existed(row: Charity, years: int | None, today: date) -> bool:
    """True when the ruling is so many years old: it existed; that it was active is not said."""
    month = ruling_month(row)
    if month is None or years is None:
        return False
    months = (today.year - month.year) * MONTHS_A_YEAR + today.month - month.month
    return months >= years * MONTHS_A_YEAR


def names_agree(ours: str, theirs: str) -> bool:
    """Whether two names are one, as the IRS cuts and shortens them; numbers must not differ."""
    one, other = _words(ours), _words(theirs)
    numbers = [{word for word in words if word.isdigit()} for words in (one, other)]
    if all(numbers) and not numbers[0] & numbers[1]:
        return False
    return token_set_ratio(" ".join(one), " ".join(other)) >= ALIKE


def _words(name: str) -> list[str]:
    """Small words without accents, forms of company and zeros before a number."""
    bare = unicodedata.normalize("NFKD", name.casefold())
    bare = "".join(letter for letter in bare if not unicodedata.combining(letter))
    bare = re.sub(r"['\u2019`.]", "", bare)
    words = (word.lstrip("0") or word for word in re.findall(r"\w+", bare))
    return [word for word in words if word not in ASIDE]


ACRONYMS = frozenset([
    "PO", "VFW", "AMVETS", "DAV", "BPOE", "FOE", "LOOM", "IOOF", "AARP", "PTA", "PTO", "PTSA",
    "YMCA", "YWCA", "USA", "US", "UAW", "IBEW", "NAACP", "ROTC", "II", "III", "IV", "VI",
    "VII", "VIII", "IX", "XI", "XII", "XIV", "XVI"
])  # fmt: skip
SMALL = frozenset([
    "of", "the", "and", "for", "in", "at", "to", "by", "on", "de", "la", "del", "y"
])  # fmt: skip
SHORTENED = frozenset([
    "ST", "DR", "MT", "FT", "JR", "SR", "LTD", "INC", "CORP", "BLVD", "CTR", "ASSN", "ASSOC",
    "FDN", "FNDTN", "SCHL", "TWP", "HWY", "MR", "MRS", "DEPT", "CLB", "PST", "LDG", "CNTY",
    "CHRCH"
])  # fmt: skip
VOWELS = frozenset("AEIOUY")
ORDINAL = re.compile(r"\d+(ST|ND|RD|TH)")


def title_case(name: str) -> str:
    """A name of the IRS's capitals as people write it: “VFW POST 0001” stays VFW Post 0001.

    A proposal only: a clerk corrects it.
    """
    spaced = re.sub(r",(?=\S)", ", ", name.replace("`", "'"))
    words = spaced.split()
    return " ".join(_titled(word, is_first=place == 0) for place, word in enumerate(words))


def _titled(word: str, *, is_first: bool) -> str:
    if "-" in word.strip("-"):
        return "-".join(_titled(part, is_first=is_first) for part in word.split("-"))
    bare = re.sub(r"[^A-Z]", "", word)
    if not is_first and word.casefold() in SMALL:
        return word.lower()
    if ORDINAL.fullmatch(word):
        return word.lower()
    if bare in ACRONYMS or (_is_initials(bare) and bare not in SHORTENED):
        return word
    return re.sub(r"^([^\w]*)(O'|MC(?=\w{3}))?(\w)(.*)$", _capitals, word)


def _is_initials(letters: str) -> bool:
    return len(letters) > 1 and not VOWELS & set(letters)


def _capitals(found: re.Match[str]) -> str:
    before, prefix, first, rest = found.groups(default="")
    return before + prefix.capitalize() + first.upper() + rest.lower()
