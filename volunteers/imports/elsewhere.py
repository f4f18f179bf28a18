"""What a file itself says of other organizations: whose row it is, and for whom else one works.

Only the file's own words are looked at, so that nothing of the register can show (decisions 6).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date

from django.utils.translation import gettext as _

from registry.periods import Period
from registry.services import tidy
from volunteers import facts
from volunteers.imports.lines import LineReader, Problem, ReadRow
from volunteers.imports.questions import Question
from volunteers.readers.columns import plain

EMPTY_WORDS = frozenset(
    {"the", "inc", "incorporated", "llc", "ltd", "co", "corp", "no", "of", "and"}
)


def words_of(name: str) -> frozenset[str]:
    """The words of an organization's name that tell it from others."""
    return frozenset(plain(name).split()) - EMPTY_WORDS


def is_same(name: str, other: str) -> bool:
    """True when one of two names of organizations says nothing that the other does not."""
    first, second = words_of(name), words_of(other)
    return first <= second or second <= first


def skip_others(read: Sequence[ReadRow], organization: str, lines: LineReader) -> list[Question]:
    """Leave out the rows that the file says are another organization's.

    A file of which no row is this organization's is asked about.
    """
    said = [(row, row.values["organization"]) for row in read if row.values.get("organization")]
    foreign = [(row, name) for row, name in said if not is_same(name, organization)]
    for row, name in foreign:
        told = _("The file says that this row is another organization's, so it is left out.")
        row.skip(Problem(lines.column("organization"), name, told))
    return [_nobodys(foreign, organization, lines)] if said and foreign == said else []


def _nobodys(
    foreign: Sequence[tuple[ReadRow, str]], organization: str, lines: LineReader
) -> Question:
    row, name = foreign[0]
    text = _(
        "No row names %(organization)s; row %(row)s says “%(name)s”. If the column “%(column)s”"
        " means something else, set it to “not used”."
    )
    column = lines.column("organization")
    told = {"organization": organization, "row": row.number, "name": name, "column": column}
    return Question("organization", text % told, f"column_{lines.columns.places['organization']}")


def others_named(
    read: Sequence[ReadRow], organization: str, plain_names: dict[str, str]
) -> dict[int, tuple[str, ...]]:
    """By row, the other organizations that the file names for that human in any of its rows."""
    named: dict[str, list[tuple[date | None, str]]] = defaultdict(list)
    for row in read:
        name = plain_names.get(tidy(row.name), "")
        for other in _others_in(row, organization):
            named[name].append((row.values.get("born_on"), other))
    found = {}
    for row in read if named else ():
        born = row.values.get("born_on")
        told = named.get(plain_names.get(tidy(row.name), ""), ())
        fits = [other for day, other in told if None in {day, born} or day == born]
        if row.line and fits:
            found[row.number] = _distinct(fits)
    return found


def _others_in(row: ReadRow, organization: str) -> Iterator[str]:
    names = (*row.values.get("other_organization", ()), row.values.get("organization"))
    return (name for name in names if name and not is_same(name, organization))


def _distinct(names: Sequence[str]) -> tuple[str, ...]:
    kept: list[str] = []
    for name in names:
        if not any(is_same(name, other) for other in kept):
            kept.append(name)
    return tuple(kept)


def places_of(names: Sequence[str]) -> tuple[facts.Place, ...]:
    """The places that these organizations take, of which no beginning is known."""
    always = Period(date.min, None)
    return tuple(facts.Place(("named in the file", name), name, always) for name in names)
