"""Candidates for a long list: one pass over the register, bounded whatever stands in it.

Two people are compared when they share a birth date, all words of the name, the initials and most
of the birth date, or, where one birth date is not known, a word and the other initials.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any, TypeAlias

from django.db.models import Case, F, Func, IntegerField, When

from registry.matching import Birth, compare_births
from registry.models import Person

EACH = 60
"""So many candidates a person and way of looking; a placeholder for a birth date has thousands."""
SLIPS = 10
"""And so many with the same initials whose birth dates are one slip apart."""
COMMON = 25
"""In a long list a name with other initials that so many share tells nothing by itself."""
CHUNK = 5_000
LOW = 2**32 - 1
"""A pair is one number, the smaller key above: a third of the room of two in a tuple."""
Key: TypeAlias = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One record as it is compared; `root` is the surviving record's id."""

    pk: int
    full_name: str
    born_on: date | None
    match_key: str
    root: int


class _Root(Func):
    """The surviving record of a person, asked of the database only where there is another."""

    function = "registry_person_root"
    output_field: Any = IntegerField()


class Candidates:
    """For the saved persons of these ids, each pair with a record that may be meant, once.

    Two queries, the second of them read as it comes. Of a pair its two keys are kept, for lists
    of few birth dates have hundreds of thousands of pairs; the records are handed out again.
    """

    def __init__(self, ids: Collection[int]) -> None:
        self._index = _Index(_entries(Person.objects.filter(pk__in=ids)))
        for row in _entries(Person.objects.all()):
            self._index.look(row)
        self._index.look_loosely()

    def keys(self) -> set[int]:
        """Of everybody who stands in a pair."""
        return set(self._index.met)

    def __len__(self) -> int:
        return len(self._index.pairs)

    def __iter__(self) -> Iterator[tuple[Entry, Entry]]:
        met = self._index.met
        return ((met[pair >> 32], met[pair & LOW]) for pair in self._index.pairs)


def _entries(rows: Any) -> Iterator[Entry]:
    alone = When(merged_into__isnull=True, then=F("pk"))
    root = Case(alone, default=_Root(F("pk")), output_field=IntegerField())
    named = rows.annotate(root=root).order_by("pk")
    columns = named.values_list("pk", "full_name", "born_on", "match_key", "root")
    return (Entry(*row) for row in columns.iterator(chunk_size=CHUNK))


class _Index:
    """Those asked about by each key under which they can be found; the register goes past them."""

    def __init__(self, asked: Iterable[Entry]) -> None:
        self.met: dict[int, Entry] = {}
        self.pairs: set[int] = set()
        self.waiting: dict[Key, list[Entry]] = defaultdict(list)
        self.loose: dict[str, list[Entry]] = defaultdict(list)
        self.found: Counter[tuple[int, str]] = Counter()
        self.shared: dict[str, list[Entry]] = defaultdict(list)
        """By loose key, the rows of the register that have it, up to one more than COMMON."""
        for entry in asked:
            for key in _keys(entry):
                self.waiting[key].append(entry)
            for word in _loose_keys(entry):
                self.loose[word].append(entry)

    def look(self, row: Entry) -> None:
        """Note whom this record of the register may be."""
        for key in _keys(row):
            if (waiting := self.waiting.get(key)) is not None:
                self.waiting[key] = [e for e in waiting if self._take(e, row, key[0])]
        for word in _loose_keys(row):
            if word in self.loose and len(self.shared[word]) <= COMMON:
                self.shared[word].append(row)

    def _take(self, entry: Entry, row: Entry, way: str) -> bool:
        """Note a pair; False once the person has as many of this way as are looked at."""
        most = SLIPS if way == "slip" else EACH
        if self.found[entry.pk, way] >= most:
            return False
        if entry.pk == row.pk or (way == "slip" and not _is_slip(entry, row)):
            return True
        self._pair(entry, row)
        self.found[entry.pk, way] += 1
        return True

    def _pair(self, entry: Entry, row: Entry) -> None:
        if entry.root == row.root:
            return
        low, high = sorted((entry.pk, row.pk))
        pair = low << 32 | high
        if pair not in self.pairs:
            self.pairs.add(pair)
            self.met[entry.pk], self.met[row.pk] = entry, row

    def look_loosely(self) -> None:
        """Those who share a word, of whom one has no birth date; not what every other is called."""
        for word, rows in self.shared.items():
            for entry in self.loose[word] if len(rows) <= COMMON else ():
                for row in rows:
                    if entry.born_on is None or row.born_on is None:
                        self._pair(entry, row)


def _is_slip(entry: Entry, row: Entry) -> bool:
    """Most of a birth date in common is shared by many; one slip apart are few."""
    return compare_births(entry.born_on, row.born_on)[0] is Birth.SLIP


def _keys(entry: Entry) -> Iterator[Key]:
    """What must be equal for a comparison: all words, the birth date, or most of both."""
    yield "words", entry.match_key
    if (born := entry.born_on) is None:
        return
    yield "day", born
    letters = "".join(word[0] for word in entry.match_key.split())
    yield "slip", letters, "ym", born.year, born.month
    yield "slip", letters, "yd", born.year, born.day
    yield "slip", letters, "md", born.month, born.day
    yield "slip", letters, "turned", born.year, *sorted((born.month, born.day))


def _loose_keys(entry: Entry) -> Iterator[str]:
    """Each word with the initials of the others."""
    words = entry.match_key.split()
    for place, word in enumerate(words):
        yield word + " " + "".join(other[0] for other in words[:place] + words[place + 1 :])
