"""The law as dated files: `in_force(on)` gives the typed ruleset of a day. Imports no Django."""

from __future__ import annotations

import hashlib
import os
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from datetime import date
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

from registry import provisions as law_of
from registry.grounds import Ground, Text
from registry.provisions import Provision, Reading, spelled
from registry.verdicts import Effect

# One county per installation: the environment names it, as it does for the settings.
COUNTY = os.environ.get("RULESET") or "pasco"
FOLDER = Path(__file__).parent / "rulesets"
UNSET = "UNSET"
HEAD = {"name", "title", "level", "extends", "time_zone", "first_text", "source", "floors"}


class BadRuleset(ValueError):
    """A ruleset file cannot be used; the sentence says which place, why and what to do."""


class TextUnknown(LookupError):
    """No text of the law is known for the day, so nothing may be judged by it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Ruleset:
    """Every value the law gives on one day, with where it stands; numbers unknown are None."""

    name: str
    title: str
    time_zone: str
    fingerprint: str
    license: law_of.License
    membership: law_of.Membership
    suspension: Provision
    tenure: law_of.Tenure
    activity: law_of.Activity
    one_other: law_of.OneOther
    lessor: law_of.Lessor
    age: law_of.Age
    presence: law_of.Presence
    residence: law_of.Residence
    membership_class: Provision
    rotation: law_of.Rotation
    active_member: Provision
    own_hall: Provision
    duties: law_of.Duties
    tag: law_of.Tag
    licensing: law_of.Licensing
    hours: law_of.Hours
    week: law_of.Week
    play: law_of.Play
    premises: law_of.Premises
    prizes: law_of.Prizes
    instant: law_of.Instant
    charity: law_of.Charity
    bank: law_of.Bank
    vote: law_of.Vote
    excuse: law_of.Excuse
    pay: law_of.Pay
    posting: law_of.Posting
    deadlines: law_of.Deadlines
    procedure: law_of.Procedure
    records: law_of.Records
    exemption: law_of.Exemption
    readings: Mapping[str, Reading]
    grounds: Mapping[str, Ground]
    texts: Mapping[str, Text]
    layers: Mapping[str, str]
    """Which layer gave each value, as "tenure.days" -> "pasco"."""
    adopted: Mapping[str, str] = field(default_factory=dict)
    """Where each value stands that the county adopted, as "licensing.fee_class_a" -> its cite."""
    _variants: dict[tuple[str, object], Ruleset] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Ruleset {self.stamp}>"

    @property
    def stamp(self) -> str:
        """Name and fingerprint, as a recorded ruling keeps them."""
        return f"{self.name} {self.fingerprint}"

    @property
    def license_year_end(self) -> tuple[int, int]:
        """Month and day on which every license ends (§ 10-91(a))."""
        return self.licensing.year_end_month, self.licensing.year_end_day

    def cite_of(self, key: str) -> str:
        """Where a value as "deadlines.appeal_days" stands: the county's own source, or the law."""
        return self.adopted.get(key) or str(getattr(self, key.partition(".")[0]).cite)

    def with_reading(self, key: str, value: object) -> Ruleset:
        """Return this ruleset with one open question read otherwise; KeyError for an unknown key.

        Raises BadRuleset when the value is not one the key can have.
        """
        variant = self._variants.get((key, value))
        if variant is None:
            variant = self._variants[key, value] = self._read_otherwise(key, value)
        return variant

    def _read_otherwise(self, key: str, value: object) -> Ruleset:
        reading = self.readings[key]
        block, name = key.split(".")
        provision = getattr(self, block)
        checked = _checked(value, get_type_hints(type(provision))[name], where=key)
        others = tuple(v for v in (reading.value, *reading.others) if v != checked)
        changes: dict[str, Any] = {block: replace(provision, **{name: checked})}
        readings = {**self.readings, key: replace(reading, value=checked, others=others)}
        mark = f"{self.fingerprint}+{key}={spelled(checked)}"
        return replace(self, **changes, readings=readings, fingerprint=mark, _variants={})


@dataclass(frozen=True, slots=True, eq=False)
class _Layer:
    name: str
    raw: bytes
    data: dict[str, Any]


def in_force(on: date, name: str | None = None) -> Ruleset:
    """Return the ruleset in force on a day: a county's name, or the path of a TOML file.

    Raises TextUnknown for a day before the first known text, BadRuleset for an unusable file.
    """
    layers = _layers(name or COUNTY)
    for layer in layers:
        first = layer.data.get("first_text")
        if first and on < first:
            raise TextUnknown(
                f"The text of {layer.data['title']} is not known before {first.isoformat()}, "
                f"so {on.isoformat()} cannot be judged: ask about a later day."
            )
    return _assembled(layers, tuple(_picked(layer, on) for layer in layers))


def county_time_zone(name: str | None = None) -> str:
    """Return the IANA time zone in which the county's days begin."""
    return _time_zone(_layers(name or COUNTY))


def titles(name: str | None = None) -> dict[str, str]:
    """Return the newest short title of each block, as "tenure" -> "30 days"."""
    found: dict[str, str] = {}
    for layer in _layers(name or COUNTY):
        for block in PROVISIONS:
            rows = sorted(layer.data.get(block, ()), key=lambda row: row["valid_from"])
            if rows:
                found[block] = rows[-1]["title"]
    return found


def as_provided(value: object) -> str:
    """Print a value of the law, or say that the ordinance has it where the text is not known."""
    from django.utils.translation import gettext

    return gettext("as provided by ordinance") if value is None else str(value)


# The blocks that every ruleset has, by name; `reading`, `ground` and `text` are lists.
PROVISIONS: dict[str, type[Provision]] = {
    name: hint
    for name, hint in get_type_hints(Ruleset).items()
    if isinstance(hint, type) and issubclass(hint, Provision)
}
_Row: TypeAlias = dict[str, Any]
_Picks: TypeAlias = tuple[tuple[str, str, int], ...]
Built = TypeVar("Built")
LISTS = {"reading": "key", "ground": "code", "text": "cite"}


def _layers(name: str) -> tuple[_Layer, ...]:
    if not name.endswith(".toml"):
        return _named(name)
    path = Path(name)
    return _from_file(path, path.stat().st_mtime_ns if path.exists() else 0)


@lru_cache(maxsize=8)
def _from_file(path: Path, changed_at: int) -> tuple[_Layer, ...]:
    """Read a file once for each time it was saved: `changed_at` is part of the key."""
    layer = _read(path)
    return (*_base(layer), layer)


@lru_cache(maxsize=8)
def _named(name: str) -> tuple[_Layer, ...]:
    known = sorted(path.stem for path in FOLDER.glob("*.toml"))
    if name not in known:
        raise BadRuleset(
            f"There is no ruleset {name!r}: use one of {', '.join(known)}, "
            "or the path of a .toml file."
        )
    layer = _read(FOLDER / f"{name}.toml")
    return (*_base(layer), layer)


def _base(layer: _Layer) -> tuple[_Layer, ...]:
    extends = layer.data.get("extends")
    return _named(extends) if extends else ()


def _read(path: Path) -> _Layer:
    try:
        raw = path.read_bytes()
        data = tomllib.loads(raw.decode("utf-8"))
    except OSError as problem:
        raise BadRuleset(f"{path}: cannot be read ({problem.strerror}): check the path.") from None
    except ValueError as problem:
        raise BadRuleset(f"{path}: is not valid TOML ({problem}): mend that place.") from None
    unknown = sorted(set(data) - HEAD - set(PROVISIONS) - set(LISTS))
    if unknown:
        raise BadRuleset(f"{path}: {unknown[0]!r} is no block of a ruleset: remove or rename it.")
    return _Layer(data.get("name", path.stem), raw, {"title": path.stem, **data})


def _time_zone(layers: tuple[_Layer, ...]) -> str:
    found = [layer.data["time_zone"] for layer in layers if "time_zone" in layer.data]
    if not found:
        raise BadRuleset(f"{layers[-1].name}: no time_zone is stated: add one.")
    return str(found[-1])


@lru_cache(maxsize=256)
def _picked(layer: _Layer, on: date) -> _Picks:
    """Name the row of each block, and of each listed item, that is in force on the day."""
    found: dict[tuple[str, str], tuple[date, int]] = {}
    for block in (*PROVISIONS, *LISTS):
        for index, row in enumerate(layer.data.get(block, ())):
            key = (block, str(row.get(LISTS.get(block, ""), "")))
            since = row.get("valid_from", date.min)
            if since <= on and since >= found.get(key, (date.min, 0))[0]:
                found[key] = (since, index)
    return tuple((block, item, index) for (block, item), (_, index) in found.items())


@lru_cache(maxsize=32)
def _assembled(layers: tuple[_Layer, ...], picks: tuple[_Picks, ...]) -> Ruleset:
    """Lay the rows of all layers over one another, base first, and type them."""
    rows: dict[str, dict[str, _Row]] = {block: {} for block in (*PROVISIONS, *LISTS)}
    given: dict[str, str] = {}
    for layer, picked in zip(layers, picks, strict=True):
        for block, item, index in picked:
            row = layer.data[block][index]
            below = rows[block].setdefault(item, {})
            rows[block][item] = {**below, **row}
            given.update({f"{block}.{name}": layer.name for name in row if block in PROVISIONS})
    for layer, picked in zip(layers, picks, strict=True):
        _hold_floors(layer, picked, rows, given)
    top = layers[-1]
    blocks: dict[str, Any] = {name: _provision(name, rows[name], top) for name in PROVISIONS}
    return Ruleset(
        name=top.name,
        title=top.data["title"],
        time_zone=_time_zone(layers),
        fingerprint=hashlib.sha256(b"".join(layer.raw for layer in layers)).hexdigest()[:12],
        readings={key: _reading(key, row, blocks) for key, row in rows["reading"].items()},
        grounds={code: _ground(code, row) for code, row in rows["ground"].items()},
        texts={cite: _built(Text, row, f"[[text]] {cite}") for cite, row in rows["text"].items()},
        layers=given,
        **blocks,
    )


def _hold_floors(
    layer: _Layer, picked: _Picks, rows: dict[str, dict[str, _Row]], given: dict[str, str]
) -> None:
    """Put a layer's own value back where a layer above loosened what may only be tightened."""
    for block, item, index in picked:
        stated = layer.data[block][index]
        for name in stated:
            rule = layer.data.get("floors", {}).get(f"{block}.{name}")
            row = rows[block][item]
            if rule and stated[name] != UNSET and _is_looser(row[name], stated[name], rule):
                row[name] = stated[name]
                given[f"{block}.{name}"] = layer.name


def _is_looser(value: Any, floor: Any, rule: str) -> bool:
    if value == UNSET:
        return True
    mine, theirs = Decimal(str(value)), Decimal(str(floor))
    return mine > theirs if rule == "lower" else mine < theirs


def _provision(name: str, rows: dict[str, _Row], top: _Layer) -> Provision:
    if "" not in rows:
        raise BadRuleset(f"{top.name}: no [[{name}]] is in force on that day: add one.")
    return _built(PROVISIONS[name], rows[""], f"{top.name}, [[{name}]]")


def _reading(key: str, row: _Row, blocks: Mapping[str, Provision]) -> Reading:
    block, _, name = key.partition(".")
    hint = get_type_hints(type(blocks[block])).get(name) if block in blocks else None
    if hint is None:
        raise BadRuleset(f"[[reading]] {key!r}: there is no such value: name it block.value.")
    others = [_checked(value, hint, f"[[reading]] {key}") for value in row.get("others", ())]
    value = getattr(blocks[block], name)
    return Reading(
        key=key,
        question=row.get("question", ""),
        value=value,
        others=tuple(other for other in others if other != value),
        marks=tuple(row.get("marks", ())),
        means=row.get("means", {}),
        confirmed=row.get("confirmed", False),
        crosses=row.get("crosses", False),
    )


def _ground(code: str, row: _Row) -> Ground:
    """A ground that cites nothing cannot be chosen, so it is not even read."""
    where = f"[[ground]] {code}"
    ground = _built(Ground, row, where)
    if not ground.cite.strip() or ground.cite == UNSET:
        raise BadRuleset(f"{where}: no cite is stated: name the paragraph it rests on.")
    return ground


def _built(kind: type[Built], row: _Row, where: str) -> Built:
    """Make a typed block of a row; BadRuleset names the value that is unknown, missing or wrong."""
    hints = get_type_hints(kind)
    for name in row:
        if name not in hints:
            raise BadRuleset(f"{where}: {name!r} is no value of this block: remove or rename it.")
    for spec in fields(kind):  # type: ignore[arg-type]
        if spec.default is MISSING and spec.name not in row:
            raise BadRuleset(f"{where}: {spec.name!r} is missing: add it, or state {UNSET!r}.")
    return kind(**{name: _checked(row[name], hints[name], f"{where} {name}") for name in row})


def _checked(value: Any, hint: Any, where: str) -> Any:
    """Return the value as its type has it; BadRuleset when it does not fit."""
    if get_origin(hint) is UnionType:
        hint = next(arg for arg in get_args(hint) if arg is not type(None))
        if value is None or value == UNSET:
            return None
    try:
        return _typed(value, hint)
    except (ValueError, TypeError, InvalidOperation):
        wanted = ", ".join(map(spelled, get_args(hint))) or getattr(hint, "__name__", str(hint))
        raise BadRuleset(f"{where}: {value!r} does not fit: state {wanted}.") from None


def _typed(value: Any, hint: Any) -> Any:
    if get_origin(hint) is Literal:
        return _one_of(value, get_args(hint))
    if get_origin(hint) is tuple:
        return tuple(_typed(each, get_args(hint)[0]) for each in _listed(value))
    if hint is Decimal and isinstance(value, str | int | Decimal) and not isinstance(value, bool):
        return Decimal(value)
    if hint is Effect:
        return Effect(value)
    if type(value) is not hint:
        raise TypeError(value)
    return value


def _listed(value: Any) -> list[Any] | tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise TypeError(value)
    return value


def _one_of(value: Any, allowed: tuple[Any, ...]) -> Any:
    if value not in allowed:
        raise ValueError(value)
    return value
