"""Values that a county adopts where its ordinance is silent or open, laid over a ruleset. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from registry.ruleset import Ruleset

MOST_DAYS, MOST_TEXTS, LONGEST = 3660, 20, 200
DEAREST = Decimal(100_000)


class Kind(StrEnum):
    """What somebody adopts, by the way it is written."""

    MONEY = "money"
    DAYS = "days"
    YES_NO = "yes_no"
    TEXTS = "texts"
    GROUND = "ground"
    READING = "reading"


class Unfit(ValueError):
    """The value is none of this kind; the sentence says what to write."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One thing that may be adopted: what it is, and what the files of the rules say of it."""

    key: str
    kind: Kind
    title: str | Promise
    cite: str
    stated: Any
    """The value in the files; None where they have none, False for a ground that is off."""
    text: str = ""
    needs_counsel: bool = False
    """True where it answers an open question of the text: counsel is one of the two."""
    meaning: str = ""
    """A reading's value in words."""


class Laid(NamedTuple):
    """One adopted value: `value` as it is kept (JSON), None where none counts any more."""

    key: str
    value: Any
    cite: str


VALUES: Mapping[str, tuple[Kind, Promise]] = {
    "licensing.fee_class_a": (Kind.MONEY, gettext_lazy("License fee, class A")),
    "licensing.fee_class_b": (Kind.MONEY, gettext_lazy("License fee, class B")),
    "deadlines.investigation_days": (Kind.DAYS, gettext_lazy("Days for the investigation")),
    "deadlines.decision_days": (Kind.DAYS, gettext_lazy("Days for the decision")),
    "deadlines.appeal_days": (Kind.DAYS, gettext_lazy("Days for an appeal")),
    "deadlines.hearing_days": (Kind.DAYS, gettext_lazy("Days until the hearing")),
    "deadlines.appeal_stays": (Kind.YES_NO, gettext_lazy("An appeal stays the sanction")),
    "excuse.reasons": (Kind.TEXTS, gettext_lazy("Reasons for an excuse")),
}
"""Values of the rules' blocks that a county may adopt; grounds and readings come beside them."""


def slots_of(law: Ruleset) -> dict[str, Slot]:
    """All that may be adopted under these rules, by key, in the order in which it is shown."""
    return {slot.key: slot for slot in (*_values(law), *_grounds(law), *_readings(law))}


def _values(law: Ruleset) -> Iterator[Slot]:
    for key, (kind, title) in VALUES.items():
        block, name = key.split(".")
        provision = getattr(law, block)
        reading = law.readings.get(key)
        yield Slot(
            key,
            kind,
            title,
            provision.cite,
            getattr(provision, name),
            text=reading.question if reading else "",
            needs_counsel=reading is not None,
        )


def _grounds(law: Ruleset) -> Iterator[Slot]:
    for code, ground in law.grounds.items():
        if ground.inferred:
            yield Slot(
                f"ground.{code}",
                Kind.GROUND,
                ground.title,
                ground.cite,
                ground.confirmed,
                text=f"{ground.text} {ground.note}".strip(),
                needs_counsel=True,
            )


def _readings(law: Ruleset) -> Iterator[Slot]:
    for key, reading in law.readings.items():
        block = key.partition(".")[0]
        if key not in VALUES and not reading.confirmed:
            yield Slot(
                f"reading.{key}",
                Kind.READING,
                reading.question,
                getattr(law, block).cite,
                reading.value,
                needs_counsel=True,
                meaning=reading.says(reading.value),
            )


def kept(slot: Slot, value: Any) -> Any:
    """The value as it is kept (JSON): money as text. Raises Unfit with a sentence."""
    return KEPT[slot.kind](slot, value)


def _money(_slot: Slot, value: Any) -> str:
    told = _("“%(value)s” is no amount up to $%(most)s: write it as 125.00.")
    unfit = Unfit(told % {"value": value, "most": f"{DEAREST:,}"})
    if not isinstance(value, str | int | Decimal) or isinstance(value, bool):
        raise unfit
    try:
        amount = Decimal(value)
        cents = amount.quantize(Decimal("0.01"))
    except InvalidOperation:
        raise unfit from None
    if cents != amount or not 0 <= cents <= DEAREST:
        raise unfit
    return str(abs(cents))


def _days(_slot: Slot, value: Any) -> int:
    if type(value) is int and 1 <= value <= MOST_DAYS:
        return value
    raise Unfit(_("Write a whole number of days, from 1 to %(most)s.") % {"most": MOST_DAYS})


def _yes_no(_slot: Slot, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    raise Unfit(_("Choose yes or no."))


def _texts(_slot: Slot, value: Any) -> list[str]:
    texts = list(value) if isinstance(value, list | tuple) else []
    plain = [" ".join(text.split()) for text in texts if isinstance(text, str)]
    fits = all(0 < len(text) <= LONGEST for text in plain) and len(plain) == len(texts)
    if not 1 <= len(plain) <= MOST_TEXTS or not fits or len(set(plain)) < len(plain):
        raise Unfit(
            _("Write one to %(most)s different reasons, each on its own line.")
            % {"most": MOST_TEXTS}
        )
    return plain


def _ground(_slot: Slot, value: Any) -> bool:
    if value is True:
        return True
    raise Unfit(_("A ground can only be confirmed as it stands."))


def _reading(slot: Slot, value: Any) -> Any:
    if type(value) is type(slot.stated) and value == slot.stated:
        return value
    raise Unfit(_("A reading can only be confirmed as the rules have it."))


KEPT: Mapping[Kind, Callable[[Slot, Any], Any]] = {
    Kind.MONEY: _money,
    Kind.DAYS: _days,
    Kind.YES_NO: _yes_no,
    Kind.TEXTS: _texts,
    Kind.GROUND: _ground,
    Kind.READING: _reading,
}


def typed(slot: Slot, value: Any) -> Any:
    """A kept value as the ruleset has it: Decimal, int, bool or a tuple of texts."""
    if slot.kind is Kind.MONEY:
        return Decimal(value)
    return tuple(value) if slot.kind is Kind.TEXTS else value


def told(slot: Slot, value: Any) -> str:
    """A value in words, whether kept or typed; None is what only the ordinance itself has."""
    return _("as provided by ordinance") if value is None else TOLD[slot.kind](slot, value)


TOLD: Mapping[Kind, Callable[[Slot, Any], str]] = {
    Kind.MONEY: lambda _slot, value: f"${Decimal(value):,.2f}",
    Kind.DAYS: lambda _slot, value: (
        ngettext("%(days)s day", "%(days)s days", value) % {"days": value}
    ),
    Kind.YES_NO: lambda _slot, value: _("yes") if value else _("no"),
    Kind.TEXTS: lambda _slot, value: "; ".join(value),
    Kind.GROUND: lambda _slot, value: _("may be chosen") if value else _("may not be chosen"),
    Kind.READING: lambda slot, _value: slot.meaning,
}


def lay_over(law: Ruleset, rows: Iterable[Laid]) -> Ruleset:
    """The ruleset with these values in place of its own, one row a key; its fingerprint says so.

    A row that names nothing of these rules, or fits no longer, does not count.
    """
    slots, taken = slots_of(law), []
    top = law
    for row in sorted(rows, key=lambda row: row.key):
        if row.key in slots and fits(slots[row.key], row.value):
            top = _laid(top, slots[row.key], row)
            taken.append(row)
    if not taken:
        return law
    mark = hashlib.sha256(json.dumps(taken).encode()).hexdigest()[:8]
    return replace(top, fingerprint=f"{law.fingerprint}+values:{mark}", _variants={})


def fits(slot: Slot, value: Any) -> bool:
    """True for a kept value that may count."""
    try:
        return bool(kept(slot, value) == value)
    except Unfit:
        return False


def _laid(law: Ruleset, slot: Slot, row: Laid) -> Ruleset:
    kind, _dot, rest = slot.key.partition(".")
    adopted = {**law.adopted, slot.key: row.cite}
    match slot.kind:
        case Kind.GROUND:
            grounds = {**law.grounds, rest: replace(law.grounds[rest], confirmed=True)}
            return replace(law, grounds=grounds, adopted=adopted, _variants={})
        case Kind.READING:
            return replace(_confirmed(law, rest), adopted=adopted, _variants={})
    value = typed(slot, row.value)
    if slot.key in law.readings:
        law = _confirmed(law.with_reading(slot.key, value), slot.key)
        return replace(law, adopted=adopted, _variants={})
    block: dict[str, Any] = {kind: replace(getattr(law, kind), **{rest: value})}
    return replace(law, **block, adopted=adopted, _variants={})


def _confirmed(law: Ruleset, key: str) -> Ruleset:
    readings = {**law.readings, key: replace(law.readings[key], confirmed=True)}
    return replace(law, readings=readings, _variants={})
