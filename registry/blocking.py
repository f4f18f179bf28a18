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

from registry.models import Person

EACH = 60
"""So many candidates a person and way of looking; a placeholder for a birth date has thousands."""
COMMON = 25
"""In a long list a name with other initials that so many share tells nothing by itself."""
CHUNK = 5_000
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


def candidates(ids: Collection[int]) -> list[tuple[Entry, Entry]]:
    """For the saved persons of these ids, each pair with a record that may be meant, once.

    Two queries, the second of them read as it comes.
    """
    index = _Index(_entries(Person.objects.filter(pk__in=ids)), frozenset(ids))
    for row in _entries(Person.objects.all()):
        index.look(row)
    return [*index.pairs.values(), *index.loose_pairs()]


def _entries(rows: Any) -> Iterator[Entry]:
    alone = When(merged_into__isnull=True, then=F("pk"))
    root = Case(alone, default=_Root(F("pk")), output_field=IntegerField())
    named = rows.annotate(root=root).order_by("pk")
    columns = named.values_list("pk", "full_name", "born_on", "match_key", "root")
    return (Entry(*row) for row in columns.iterator(chunk_size=CHUNK))


class _Index:
    """Those asked about by each key under which they can be found; the register goes past them."""

    def __init__(self, asked: Iterable[Entry], ids: frozenset[int]) -> None:
        self.ids = ids
        self.pairs: dict[tuple[int, int], tuple[Entry, Entry]] = {}
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
        if entry.pk == row.pk:
            return True
        self._pair(entry, row)
        self.found[entry.pk, way] += 1
        return self.found[entry.pk, way] < EACH

    def _pair(self, entry: Entry, row: Entry) -> None:
        if entry.root != row.root:
            self.pairs.setdefault(_both(entry, row), (entry, row))

    def loose_pairs(self) -> Iterator[tuple[Entry, Entry]]:
        """Those who share a word, of whom one has no birth date; not what every other is called."""
        pairs = {}
        for word, rows in self.shared.items():
            if len(rows) > COMMON:
                continue
            for entry in self.loose[word]:
                for row in rows:
                    both = _both(entry, row)
                    known = entry.born_on is not None and row.born_on is not None
                    if entry.root != row.root and not known and both not in self.pairs:
                        pairs[both] = entry, row
        return iter(pairs.values())


def _both(one: Entry, other: Entry) -> tuple[int, int]:
    return (one.pk, other.pk) if one.pk < other.pk else (other.pk, one.pk)


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
