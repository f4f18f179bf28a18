"""What stands in one cell, read by the field it belongs to. One sentence where it cannot be."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from registry.entries import Unreadable, is_placeholder, read_ein, read_name
from registry.exports import unprotect
from registry.ruleset import Ruleset
from volunteers.models import Kind
from volunteers.readers.columns import plain
from volunteers.readers.days import NO_LEAVE_DATE, DayReader
from volunteers.readers.sheets import Cell, as_text, brief
from volunteers.words import duty_word

LENGTHS = {
    "given_name": 120, "middle_name": 60, "family_name": 120, "suffix": 20, "full_name": 200,
    "second_family_name": 60, "person_number": 20,
    "street": 150, "street_more": 50, "city": 100, "state": 30, "postal_code": 10, "activity": 40,
    "organization": 200,
}  # fmt: skip
ENTITY = re.compile(r"&(?:#\d+|#x[0-9a-f]+|[a-z]{2,8});", re.IGNORECASE)
TWICE = re.compile("[\u00c2-\u00f4][^\x00-\x7f]")
"""Two letters beyond ASCII, of which the first begins a letter in UTF-8."""
TWO_PEOPLE = re.compile(
    r".*\S\s+(?:and|&)\s+\S.*|[^/<>]*[^\W\d_]\.?\s*[/+;]\s*[^\W\d_][^/<>]*|\S+ y \S+ \S.*",
    re.IGNORECASE,
)
"""Also “José y María Ejemplo”, and not “María Ejemplo y Prueba”: those are two surnames."""
TWO_GIVEN = re.compile(r".*\S y \S.*", re.IGNORECASE)
NOT_NAMES = frozenset({"vacant", "vacante", "empty", "nobody", "no name", "deleted", "cancelled"})
MORE_THAN_A_NAME = re.compile(
    r"\S+@\S+\.\w+|\d{1,4}[/.-]\d{1,2}[/.-]\d{2,4}|\d{3}[-. ]\d{4}\b"
    r"|\((?:deceased|died|inactive|left|moved|resigned|retired|suspended)\b",
    re.IGNORECASE,
)
"""An address of electronic mail, a day, a telephone number, what became of the person."""
LOST = "\ufffd"
LOST_IN_NAME = re.compile(r"\w\?|\?\w")
"""What a program writes for a letter that it did not know."""
SHORT_ZIP, ZIP = re.compile(r"\d{3,4}"), 5
SHORT_EIN, EIN = re.compile(r"[0-9]{7,8}"), 9
YES = frozenset(
    {"yes", "y", "x", "true", "t", "1", "si", "oui", "ja", "✓", "✔", "adult", "18", "18 or over"}
)
NO = frozenset({"no", "n", "none", "false", "f", "0", "non", "nein", "minor"})
RESIDENT = frozenset({"fl", "florida", "resident", "pasco", "pasco county", "county"})
ADULT = 18
AGE = re.compile(r"\d{1,3}")

KINDS: dict[str, str] = {
    "member": Kind.MEMBER, "mem": Kind.MEMBER, "m": Kind.MEMBER, "miembro": Kind.MEMBER,
    "full": Kind.MEMBER, "full member": Kind.MEMBER, "active member": Kind.MEMBER,
    "regular": Kind.REGULAR, "regular member": Kind.REGULAR, "reg": Kind.REGULAR,
    "associate": Kind.ASSOCIATE, "associate member": Kind.ASSOCIATE, "assoc": Kind.ASSOCIATE,
    "honorary": Kind.HONORARY, "honorary member": Kind.HONORARY, "hon": Kind.HONORARY,
    "volunteer": Kind.VOLUNTEER, "vol": Kind.VOLUNTEER, "v": Kind.VOLUNTEER,
    "voluntario": Kind.VOLUNTEER, "voluntaria": Kind.VOLUNTEER,
}  # fmt: skip
DUTIES = {
    "call": "caller", "calling": "caller", "bingo caller": "caller", "number caller": "caller",
    "sales": "seller", "selling": "seller", "card seller": "seller", "card sales": "seller",
    "floor worker": "floor", "floor walker": "floor", "runner": "floor",
    "verifying": "verifier", "verification": "verifier",
    "cash": "cashier", "bank": "cashier", "banker": "cashier",
    "person in charge": "in_charge", "charge": "in_charge", "member in charge": "in_charge",
    "designated member": "in_charge", "helper": "assisting", "help": "assisting",
    "assist": "assisting", "assistant": "assisting", "assisting only": "assisting",
}  # fmt: skip


class CellReader:
    """Reads cells by field, with the file's way of writing days and the duties of the law."""

    def __init__(self, days: DayReader, law: Ruleset) -> None:
        self.days, self.duties = days, duties_of(law)
        day = self.days.read
        self._by_field: Mapping[str, Callable[[Cell], Any]] = {
            "starts_on": day,
            "ends_on": self._leave_date,
            "born_on": day,
            "activity_on": day,
            "is_adult": _adult,
            "is_resident": _resident,
            "kind": _kind,
            "duties": self._duties,
            "postal_code": _postal_code,
            "other_organization": _others,
            "organization_ein": _ein,
        }

    def read(self, field: str, cell: Cell) -> Any:
        """The cell's value for a field; Unreadable with value, reason and remedy."""
        refuse_controls(as_text(cell))
        special = self._by_field.get(field)
        if special is not None:
            return special(cell)
        text = text_of(cell)
        return _short(field, read_name(text) if field.endswith("name") else text)

    def _leave_date(self, cell: Cell) -> Any:
        return None if as_text(cell).casefold() in NO_LEAVE_DATE else self.days.read(cell)

    def _duties(self, cell: Cell) -> tuple[str, ...]:
        parts = re.split(r"[,;/+&|]|\band\b", text_of(cell))
        return tuple(dict.fromkeys(self._duty(part) for part in parts if part.strip()))

    def _duty(self, text: str) -> str:
        found = self.duties.get(plain(text))
        if found is None:
            known = dict.fromkeys(duty_word(code) for code in self.duties.values())
            raise Unreadable(
                _("“%(value)s” is not a duty we know: write %(known)s, or leave it empty.")
                % {"value": brief(text.strip()), "known": ", ".join(known)}
            )
        return found


def duties_of(law: Ruleset) -> dict[str, str]:
    """The code of each duty by the words people write for it."""
    codes = (*law.duties.direct, *law.duties.assisting)
    named = {plain(word): code for code in codes for word in (code, duty_word(code))}
    return named | {word: code for word, code in DUTIES.items() if code in codes}


def text_of(cell: Cell) -> str:
    """A cell's text on one line, as a spreadsheet shows it; codes of web pages are refused."""
    text = unprotect(as_text(cell))
    if LOST in text:
        raise Unreadable(_lost(text))
    if ENTITY.search(text) and html.unescape(text) != text:
        raise Unreadable(
            _("“%(value)s” holds a web page's code for a letter: write “%(letter)s” instead.")
            % {"value": brief(text), "letter": brief(html.unescape(text))}
        )
    if meant := twice_written(text):
        raise Unreadable(
            _("“%(value)s” holds letters that were read wrongly once: write “%(letter)s” instead.")
            % {"value": brief(text), "letter": brief(meant)}
        )
    return text


def refuse_controls(text: str) -> None:
    """Raise Unreadable for what cannot be seen, and would hide in whatever it is part of."""
    if any(ord(letter) < ord(" ") for letter in text):
        shown = "".join(letter for letter in text if letter >= " ")
        raise Unreadable(
            _("“%(value)s” holds a control character that cannot be printed: type it anew.")
            % {"value": brief(shown)}
        )


def _lost(text: str) -> str:
    return _(
        "“%(value)s” has lost letters on its way here: type it anew, or save the file as “CSV"
        " UTF-8” where it is still right."
    ) % {"value": brief(text)}


def twice_written(text: str) -> str:
    """What “JosÃ©” was before a program took its UTF-8 for Windows-1252; "" for sound text."""
    if text.isascii() or not TWICE.search(text):
        return ""
    try:
        return text.encode("windows-1252").decode()
    except UnicodeError:
        return ""


def refuse_nobody(name: str) -> None:
    """Raise Unreadable for what stands in the place of a name, for half a name, and for more."""
    if LOST_IN_NAME.search(name):
        raise Unreadable(_lost(name))
    is_half = name.startswith(",") or name.endswith(",")
    is_word = is_placeholder(name) or plain(name) in NOT_NAMES
    if is_half or is_word or not any(letter.isalpha() for letter in name):
        raise Unreadable(
            _(
                "“%(value)s” is nobody's whole name: write it as the person does, or leave the row"
                " out."
            )
            % {"value": brief(name)}
        )
    if MORE_THAN_A_NAME.search(name):
        raise Unreadable(
            _("“%(value)s” holds more than a name: keep the name alone in this column.")
            % {"value": brief(name)}
        )


def refuse_two_people(name: str, given: str = "") -> None:
    """One row is one person: “Mary and John Example” are two.

    Of a name in parts the given names are looked at: “Example & Sons” is a surname somewhere.
    """
    if given and TWO_GIVEN.fullmatch(given):
        raise _two_people(name)
    name = given or name
    if TWO_PEOPLE.fullmatch(name):
        raise _two_people(name)


def _two_people(name: str) -> Unreadable:
    text = _("“%(value)s” names two people: give each a row of their own.")
    return Unreadable(text % {"value": brief(name)})


def _short(field: str, text: str) -> str:
    if len(text) > LENGTHS[field]:
        raise Unreadable(
            _("“%(value)s…” has %(count)s letters, %(limit)s is the limit: shorten it.")
            % {"value": text[:30], "count": len(text), "limit": LENGTHS[field]}
        )
    return text


def _postal_code(cell: Cell) -> str:
    """A ZIP code; a spreadsheet that took it for a number dropped its leading zeros."""
    text = text_of(cell)
    return _short("postal_code", text.zfill(ZIP) if SHORT_ZIP.fullmatch(text) else text)


def _ein(cell: Cell) -> str:
    """An EIN; a spreadsheet that took it for a number dropped its leading zeros."""
    text = text_of(cell)
    if is_placeholder(text):
        return ""
    return read_ein(text.zfill(EIN) if SHORT_EIN.fullmatch(text) else text)


def _others(cell: Cell) -> tuple[str, ...]:
    """The names of other organizations in one cell."""
    names = (name.strip() for name in re.split(r"[;/|]", text_of(cell)))
    found = tuple(
        dict.fromkeys(name for name in names if plain(name) not in NO | {"na", "n a", ""})
    )
    if any(plain(name) in YES for name in found):
        raise Unreadable(
            _("“%(value)s” names no organization: write its name, or leave it empty.")
            % {"value": brief(as_text(cell))}
        )
    return found


def _adult(cell: Cell) -> bool:
    word = plain(text_of(cell)) or as_text(cell).strip()
    if AGE.fullmatch(word) and word not in {"0", "1"}:
        return int(word) >= ADULT
    return _yes_no(cell, word, YES)


def _resident(cell: Cell) -> bool:
    word = plain(text_of(cell)) or as_text(cell).strip()
    return _yes_no(cell, word, YES | RESIDENT)


def _yes_no(cell: Cell, word: str, yes: frozenset[str]) -> bool:
    if word in yes or word in NO:
        return word in yes
    raise Unreadable(
        _("“%(value)s” is neither yes nor no: write yes, no, or leave it empty.")
        % {"value": brief(as_text(cell))}
    )


def is_kind(cell: Cell) -> bool:
    """True for a word that says how somebody belongs."""
    return plain(as_text(cell)) in KINDS


def _kind(cell: Cell) -> str:
    found = KINDS.get(plain(text_of(cell)))
    if found is None:
        raise Unreadable(
            _(
                "“%(value)s” is not a kind we know: write member, regular, associate, honorary or"
                " volunteer, or set the column to “not used”."
            )
            % {"value": brief(as_text(cell))}
        )
    return found
