"""Who may be the same human as whom: candidates from the database, judged in Python.

A constant number of queries, however many are asked about.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db import connection
from django.db.models import Q

from registry.access import Anyone, is_regulator
from registry.blocking import EACH, Candidates, Entry
from registry.human_names import take_apart
from registry.matching import Class, Known, Likeness, compare
from registry.models import Address, DifferentPeople, Person
from registry.selectors import family_of

MANY = 200
"""From so many on, one pass over the register is cheaper than asking for each."""
BEST = 10
"""So many questions a person."""
FEW = 3
"""Of a long list so many: who is near ten others there is a namesake of most of them."""
TYPED = 2**60
"""Stands for the id of who is not saved yet: later than any that is."""

_ASKED = """
WITH asked AS MATERIALIZED (
  SELECT id, full_name, born_on, match_key FROM registry_person p WHERE id = ANY (%(ids)s))
"""
_TYPED = """
WITH asked AS MATERIALIZED (
  SELECT %(typed)s::bigint AS id, %(name)s::text AS full_name, %(born_on)s::date AS born_on,
         registry_match_key(%(name)s::text) AS match_key)
"""
_SAME_DAY = """
  SELECT a.id AS one, p.id AS other FROM asked a CROSS JOIN LATERAL (
    SELECT id FROM registry_person WHERE born_on = a.born_on AND id <> a.id LIMIT %(each)s) p
"""
_SAME_WORDS = """
  SELECT a.id, p.id FROM asked a CROSS JOIN LATERAL (
    SELECT id FROM registry_person WHERE match_key = a.match_key AND id <> a.id LIMIT %(each)s) p
"""
_NEAR_DAY = r"""
  SELECT n.id, p.id
    FROM unnest(%(near_ids)s::bigint[], %(near_days)s::date[]) AS n (id, day)
    JOIN asked a ON a.id = n.id
    JOIN registry_person p ON p.born_on = n.day AND p.id <> a.id
     AND regexp_replace(p.match_key, '(\w)\w* ?', '\1', 'g')
       = regexp_replace(a.match_key, '(\w)\w* ?', '\1', 'g')
"""
_NO_DAY = """
  SELECT a.id, p.id FROM asked a CROSS JOIN LATERAL (
    SELECT id FROM registry_person
     WHERE search_name %% registry_plain(a.full_name) AND id <> a.id
       AND (born_on IS NULL OR a.born_on IS NULL)
     ORDER BY similarity(search_name, registry_plain(a.full_name)) DESC, id LIMIT %(each)s) p
"""
_FOUND = """
, pairs AS ({ways})
SELECT pairs.one, a.full_name, a.born_on, pairs.other, p.full_name, p.born_on,
       CASE WHEN p.merged_into_id IS NULL THEN p.id ELSE registry_person_root(p.id) END
  FROM pairs JOIN asked a ON a.id = pairs.one JOIN registry_person p ON p.id = pairs.other
"""
_TOLD_APART = """
SELECT registry_person_root(first_id), registry_person_root(second_id)
  FROM registry_differentpeople WHERE voided_at IS NULL
UNION
SELECT registry_person_root(person_id), registry_person_root(other_id)
  FROM registry_workitem w
 WHERE kind = 'possible_double' AND other_id IS NOT NULL
   AND (person_id = ANY (%(ids)s) OR other_id = ANY (%(ids)s))
   AND (closed_at IS NULL OR NOT EXISTS (
     SELECT FROM registry_differentpeople d
      WHERE d.voided_at > w.closed_at
        AND ARRAY[registry_person_root(d.first_id), registry_person_root(d.second_id)]
         <@ ARRAY[registry_person_root(w.person_id), registry_person_root(w.other_id)]))
"""


@dataclass(frozen=True, slots=True)
class Double:
    """Two surviving records that may be one human, with what speaks for it."""

    person: int
    other: int
    likeness: Likeness


@dataclass(frozen=True, slots=True)
class _Row:
    """One candidate as the database hands it out."""

    one: int
    one_name: str
    one_born: date | None
    other: int
    other_name: str
    other_born: date | None
    root: int


def doubles_of(people: Sequence[Person]) -> list[Double]:
    """For saved, surviving persons: whom each may be the same as, the likeliest first.

    Three queries or four, whatever the number. Pairs already told apart or listed are left out.
    """
    if not people:
        return []
    ids = [person.pk for person in people]
    if len(ids) >= MANY:
        pairs = Candidates(ids)
        judged = _judged((_row(*pair) for pair in pairs), pairs.keys())
        return _best(judged, _told_apart(ids), most=FEW)
    rows = _rows(_ASKED, {"ids": ids, **_near(people)})
    return _best(_judged(rows, _keys(rows)), _told_apart(ids))


def _keys(rows: Iterable[_Row]) -> set[int]:
    return {pk for row in rows for pk in (row.one, row.other)}


def _row(one: Entry, other: Entry) -> _Row:
    return _Row(
        one.pk, one.full_name, one.born_on, other.pk, other.full_name, other.born_on, other.root
    )


def doubles_of_entry(
    user: Anyone, full_name: str, born_on: date | None, known: Person | None = None
) -> list[tuple[Person, Likeness]]:
    """Whom a person being typed may be the same as; regulators only, for others there is nobody."""
    if not is_regulator(user) or not full_name.strip():
        return []
    near = [(TYPED, day) for day in near_days(born_on)]
    asked = {"typed": TYPED, "name": full_name, "born_on": born_on, **_split(near)}
    kin = set(family_of(known)) if known else set()
    rows = [row for row in _rows(_TYPED, asked) if row.other not in kin]
    found = _best(_judged(rows, _keys(rows)), set())
    people = Person.objects.in_bulk([double.other for double in found])
    return [(people[double.other], double.likeness) for double in found]


def _rows(asked: str, params: dict[str, Any]) -> list[_Row]:
    """Candidates of a few, through the indexes."""
    ways = f"{_SAME_DAY} UNION {_SAME_WORDS} UNION {_NEAR_DAY} UNION {_NO_DAY}"
    with connection.cursor() as cursor:
        cursor.execute(asked + _FOUND.format(ways=ways), {**params, "each": EACH})
        return [_Row(*row) for row in cursor.fetchall()]


def _near(people: Sequence[Person]) -> dict[str, Any]:
    return _split([(person.pk, day) for person in people for day in near_days(person.born_on)])


def _split(near: Iterable[tuple[int, date]]) -> dict[str, Any]:
    pairs = list(near)
    return {"near_ids": [pk for pk, _day in pairs], "near_days": [day for _pk, day in pairs]}


def near_days(born_on: date | None) -> list[date]:
    """The birth dates that one slip makes of this one: a digit, the day before or after, turned."""
    if born_on is None:
        return []
    text = born_on.strftime("%Y%m%d")
    slips = {
        text[:place] + digit + text[place + 1 :] for place in range(8) for digit in "0123456789"
    }
    slips.add(text[:4] + text[6:] + text[4:6])
    days = {day for slip in slips if (day := _day(slip))}
    days |= {born_on + timedelta(days=1), born_on - timedelta(days=1)}
    return sorted(days - {born_on})


def _day(text: str) -> date | None:
    try:
        return date(int(text[:4]), int(text[4:6]), int(text[6:]))
    except ValueError:
        return None


def _judged(rows: Iterable[_Row], ids: Collection[int]) -> Iterator[Double]:
    """Compare each candidate, one after the other; addresses are read of these ids."""
    lives = _lives(ids)
    for row in rows:
        if row.one == row.root:
            continue
        one = Known(row.one_name, row.one_born, *lives[row.one])
        likeness = compare(one, Known(row.other_name, row.other_born, *lives[row.other]))
        if likeness.what is not Class.DIFFERENT:
            yield _newer_first(row.one, row.root, likeness)


def _lives(ids: Collection[int]) -> dict[int, tuple[frozenset[str], frozenset[str]]]:
    """By person the postal codes and the whole addresses that were ever given."""
    codes: dict[int, set[str]] = defaultdict(set)
    whole: dict[int, set[str]] = defaultdict(set)
    rows = Address.objects.standing().filter(person__in=ids or [0])
    for pk, street, city, code in rows.values_list("person_id", "street", "city", "postal_code"):
        codes[pk].add(code[:5])
        if street:
            whole[pk].add(" ".join(f"{street} {code[:5] or city}".casefold().split()))
    return {pk: (frozenset(codes[pk] - {""}), frozenset(whole[pk])) for pk in ids}


def _told_apart(ids: Sequence[int]) -> set[frozenset[int]]:
    """The pairs that somebody has looked at, or that wait for somebody to look."""
    with connection.cursor() as cursor:
        cursor.execute(_TOLD_APART, {"ids": list(ids)})
        return {frozenset(row) for row in cursor.fetchall()}


def _newer_first(one: int, root: int, likeness: Likeness) -> Double:
    return Double(max(one, root), min(one, root), likeness)


def _best(found: Iterable[Double], apart: set[frozenset[int]], most: int = BEST) -> list[Double]:
    """Each pair once, with its likeliest reasons; at most so many a person, the likeliest first.

    No more than those are ever held.
    """
    best: dict[int, list[Double]] = defaultdict(list)
    for double in found:
        kept = best[double.person]
        if len(kept) >= most and _rank(double) >= _rank(kept[-1]):
            continue
        if frozenset({double.person, double.other}) not in apart:
            best[double.person] = _with(kept, double)[:most]
    return sorted((double for kept in best.values() for double in kept), key=_rank)


def _rank(double: Double) -> tuple[int, int]:
    return -double.likeness.score, double.other


def _with(kept: list[Double], double: Double) -> list[Double]:
    """One more, in order; of one pair the likelier."""
    ordered = sorted([*kept, double], key=_rank)
    return list({one.other: one for one in reversed(ordered)}.values())[::-1]


def likeness_of(one: Person, other: Person) -> Likeness:
    """How like two records are, with all that is known of them."""
    lives = _lives({one.pk, other.pk})
    first, second = (
        Known(person.full_name, person.born_on, *lives[person.pk]) for person in (one, other)
    )
    return compare(first, second)


def same_humans(wanted: Iterable[tuple[str, date | None]]) -> dict[tuple[str, date | None], int]:
    """By name and birth date as given, the one surviving person who has both (decisions 16).

    One query. Who is unclear, because several have both, is not in the answer; nor is anybody
    without a birth date.
    """
    asked = {(name, born_on) for name, born_on in wanted if born_on is not None}
    rows = Person.objects.filter(born_on__in={born_on for _name, born_on in asked})
    roots: dict[tuple[Any, date | None], set[int]] = defaultdict(set)
    for pk, name, born_on, up in rows.values_list("pk", "full_name", "born_on", "merged_into_id"):
        roots[take_apart(name).key, born_on].add(pk if up is None else _root(pk))
    found: dict[tuple[str, date | None], int] = {}
    for name, born_on in asked:
        pks = roots.get((take_apart(name).key, born_on), set())
        if len(pks) == 1:
            found[name, born_on] = next(iter(pks))
    return found


def same_human(full_name: str, born_on: date | None) -> Person | None:
    """The one surviving person with this name and birth date; None when none or several."""
    pk = same_humans([(full_name, born_on)]).get((full_name, born_on))
    return Person.objects.get(pk=pk) if pk else None


def _root(pk: int) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT registry_person_root(%s::bigint)", [pk])
        return int(cursor.fetchone()[0])


def different_from(user: Anyone, person: Person) -> list[tuple[DifferentPeople, Person]]:
    """Who was found to be somebody else than this person, with the row; regulators only."""
    kin = family_of(person)
    rows = DifferentPeople.objects.visible_to(user).standing()
    rows = rows.filter(Q(first__in=kin) | Q(second__in=kin)).select_related("first", "second")
    return [(row, row.second if row.first_id in kin else row.first) for row in rows.order_by("pk")]
