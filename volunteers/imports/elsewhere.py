"""What a file itself says of other organizations: whose row it is, and for whom else one works.

Only the file's own words are looked at, so that nothing of the register can show (decisions 6).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import date

from django.utils.translation import gettext as _

from registry.models import Organization
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


def skip_others(
    read: Sequence[ReadRow], organization: Organization, lines: LineReader
) -> list[Question]:
    """Leave out the rows that the file says are another organization's, by its name or its EIN.

    A file of which no row is this organization's is asked about instead. An EIN says nothing
    where the organization's own is not known.
    """
    ours: dict[str, Callable[[str], bool]] = {
        "organization": lambda name: is_same(name, organization.name)
    }
    if organization.ein:
        ours["organization_ein"] = lambda ein: ein == organization.ein
    return [
        question
        for column, is_ours in ours.items()
        for question in _skip_by(column, is_ours, read, organization.name, lines)
    ]


def _skip_by(
    field: str,
    is_ours: Callable[[str], bool],
    read: Sequence[ReadRow],
    organization: str,
    lines: LineReader,
) -> Iterator[Question]:
    said = [(row, row.values[field]) for row in read if row.values.get(field)]
    foreign = [(row, value) for row, value in said if not is_ours(value)]
    if said and foreign == said:
        yield _nobodys(field, foreign[0], organization, lines)
        return
    for row, value in foreign:
        told = _("The file says that this row is another organization's, so it is left out.")
        row.skip(Problem(lines.column(field), value, told))


def _nobodys(
    field: str, foreign: tuple[ReadRow, str], organization: str, lines: LineReader
) -> Question:
    row, name = foreign
    text = _(
        "No row names %(organization)s; row %(row)s says “%(name)s”. If the column “%(column)s”"
        " means something else, set it to “not used”."
    )
    column = lines.column(field)
    told = {"organization": organization, "row": row.number, "name": name, "column": column}
    return Question(field, text % told, f"column_{lines.columns.places[field]}")


def others_named(
    read: Sequence[ReadRow], organization: Organization, plain_names: dict[str, str]
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


def _others_in(row: ReadRow, organization: Organization) -> Iterator[str]:
    """The other organizations of one row: each by its name, else by its EIN."""
    names = (*row.values.get("other_organization", ()), row.values.get("organization"))
    others = [name for name in names if name and not is_same(name, organization.name)]
    ein = row.values.get("organization_ein")
    if ein and organization.ein and ein != organization.ein and not others:
        others.append(ein)
    return iter(others)


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
