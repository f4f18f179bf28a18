"""Why two records may be one human, in words; rows keep only codes. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from registry.matching import Likeness

REASONS: Mapping[str, Promise] = {
    "name_same": gettext_lazy("same name"),
    "name_same_but_marks": gettext_lazy(
        "same name but for accents, apostrophes, capitals or the order around a comma"
    ),
    "title_aside": gettext_lazy("same name, a title or degree left aside"),
    "suffix_missing": gettext_lazy("same name, but only one is called Sr. or Jr."),
    "suffix_differs": gettext_lazy("same name, but one is Sr. and the other Jr."),
    "hyphen": gettext_lazy("same name, written with and without a hyphen"),
    "blanks": gettext_lazy("same letters, parted into words differently"),
    "swapped": gettext_lazy("first and last name have changed places"),
    "nickname": gettext_lazy("nickname: %(one)s and %(other)s"),
    "initial": gettext_lazy("%(one)s may stand for %(other)s"),
    "middle": gettext_lazy("same first and last name, a middle name differs or is missing"),
    "part_missing": gettext_lazy("one record has only a part of the name"),
    "part_same": gettext_lazy("a part of the name is the same"),
    "given_differs": gettext_lazy("the first names differ: perhaps twins, perhaps a second name"),
    "family_differs": gettext_lazy("the last names differ: perhaps by marriage"),
    "lookalike": gettext_lazy("written with look-alike letters of another alphabet"),
    "script": gettext_lazy("the same name in another script"),
    "signs": gettext_lazy("the same name with other signs of its script"),
    "birth_same": gettext_lazy("same birth date"),
    "birth_unknown": gettext_lazy("one birth date is not known"),
    "births_unknown": gettext_lazy("neither birth date is known"),
    "birth_day_and_month": gettext_lazy("day and month of birth have changed places"),
    "birth_century": gettext_lazy("birth dates a century apart"),
    "birth_next_day": gettext_lazy("birth dates one day apart"),
    "birth_digit": gettext_lazy("birth dates differ by one digit"),
    "birth_differs": gettext_lazy("the birth dates differ"),
    "postal_same": gettext_lazy("same ZIP code"),
    "address_same": gettext_lazy("same address"),
}


def word_reason(data: Mapping[str, Any]) -> str:
    """One reason in words, as it was kept: its code with its parameters."""
    code = data.get("code", "")
    if code == "letters":
        return ngettext(
            "%(one)s and %(other)s differ by %(count)s letter",
            "%(one)s and %(other)s differ by %(count)s letters",
            int(data["count"]),
        ) % {**data, "one": _name(data["one"]), "other": _name(data["other"])}
    told = {key: _name(str(value)) for key, value in data.items()}
    return str(REASONS[code]) % told if code in REASONS else ""


def _name(word: str) -> str:
    return word[:1].upper() + word[1:]


def word_reasons(data: Iterable[Mapping[str, Any]]) -> str:
    """All reasons as one sentence: “Same birth date; Jon and John differ by 1 letter.”"""
    words = "; ".join(filter(None, map(word_reason, data)))
    if not words:
        return ""
    return _("%(reasons)s.") % {"reasons": _name(words)}


def kept(likeness: Likeness) -> dict[str, Any]:
    """A likeness as a work item keeps it."""
    return {
        "score": likeness.score,
        "class": likeness.what.value,
        "reasons": [reason.as_data() for reason in likeness.reasons],
    }
