"""Which column is what: headings in many ways of writing, one field each; doubt is asked about."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from itertools import zip_longest

from django.utils.translation import gettext_lazy as _

from volunteers.readers.sheets import Cell, Choices, Sheet, as_text

LONGEST = 200
"""Letters of a heading; nothing longer is looked up, or remembered."""
SEARCHED = 30
"""Rows in which the header is looked for: title rows stand above it."""

FIELDS = {
    "full_name": _("Full name"),
    "given_name": _("First name"),
    "middle_name": _("Middle name"),
    "family_name": _("Last name"),
    "second_family_name": _("Second last name"),
    "suffix": _("Suffix (Jr., Sr., III)"),
    "born_on": _("Birth date"),
    "is_adult": _("18 or over"),
    "street": _("Street"),
    "street_more": _("Street, second line"),
    "city": _("City"),
    "state": _("State"),
    "postal_code": _("ZIP code"),
    "is_resident": _("Resident"),
    "kind": _("Kind (member, volunteer)"),
    "starts_on": _("Join date"),
    "ends_on": _("Leave date"),
    "activity_on": _("Last other activity: date"),
    "activity": _("Last other activity: what"),
    "duties": _("Duties"),
    "organization": _("Organization"),
    "organization_ein": _("EIN of the organization"),
    "person_number": _("Person number"),
    "other_organization": _("Other organization"),
}
DATUM = re.compile(
    r"[-+]?[\d.,]*\d|\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}(?:[T ].*)?|\S+@\S+\.\w+"
    r"|\d{1,2}[ -][A-Za-z]{3,9}\.?[ -]\d{2,4}|[A-Za-z]{3,9}\.? \d{1,2},? \d{2,4}"
)
DAYS = ("starts_on", "ends_on", "born_on", "activity_on")

SYNONYMS: dict[str, tuple[str, ...]] = {
    "full_name": (
        "full name", "name", "member name", "member", "volunteer name", "display name", "sort name",
        "name last first", "last name first name", "last first", "nombre completo", "nom complet",
        "person", "worker", "legal name", "name as on tag", "nombre y apellido",
        "nombre y apellidos", "nombres y apellidos", "apellidos y nombre", "apellidos y nombres",
        "apellidos nombre",
    ),
    "given_name": (
        "first name", "first", "given name", "given names", "forename", "fname", "firstname",
        "legal first name", "nombre", "nombres", "prenom", "vorname", "first name mi",
    ),
    "middle_name": ("middle name", "middle", "middle initial", "mi", "middlename", "mname"),
    "family_name": (
        "last name", "last", "family name", "surname", "lname", "lastname", "legal last name",
        "apellido", "apellidos", "nom", "nom de famille", "nachname", "familienname",
        "primer apellido", "apellido paterno", "apellido 1",
    ),
    "second_family_name": (
        "second last name", "last name 2", "maternal last name", "segundo apellido",
        "apellido materno", "apellido 2",
    ),
    "suffix": ("suffix", "name suffix", "jr sr"),
    "born_on": (
        "birth date", "birthdate", "birthday", "date of birth", "dob", "born", "born on", "b day",
        "birth day", "fecha de nacimiento", "date de naissance", "geburtsdatum",
    ),
    "is_adult": (
        "18 or over", "18 or older", "over 18", "adult", "is adult", "18 years or older",
        "age 18 or over", "at least 18", "mayor de edad", "mayor de 18",
    ),
    "street": (
        "street", "street address", "address", "address 1", "address1", "address line 1",
        "mailing address", "home address", "street 1", "direccion", "calle", "adresse", "strasse",
    ),
    "street_more": ("address 2", "address2", "address line 2", "apt", "unit", "street 2"),
    "city": ("city", "town", "ciudad", "ville", "ort", "home city"),
    "state": ("state", "state province", "st", "estado", "home state", "province"),
    "postal_code": (
        "zip", "zip code", "zipcode", "postal code", "post code", "postcode", "zip postal code",
        "zip 4", "codigo postal", "code postal", "plz",
    ),
    "is_resident": (
        "resident", "is resident", "florida resident", "fl resident", "county resident",
        "state resident", "residente", "pasco resident", "resident of florida",
    ),
    "kind": (
        "kind", "role", "type", "member type", "membership type", "type of member", "class",
        "member class", "membership class", "type of membership", "membership kind",
        "member or volunteer", "member volunteer", "tipo", "rolle", "clase", "member kind",
        "membership category", "category",
    ),
    "starts_on": (
        "join date", "joined", "joined on", "date joined", "member since", "since", "joindate",
        "membership date", "date of membership", "start date", "membership start date",
        "volunteer since", "enrolled", "enrolled on", "date enrolled", "enrollment date",
        "initiation date", "initiated", "admitted", "date admitted", "member from", "join",
        "membership start", "date of joining", "fecha de ingreso", "miembro desde", "beitritt",
        "eintrittsdatum", "date d adhesion", "from", "fecha de alta", "fecha de inscripcion",
        "fecha de afiliacion", "socio desde", "socia desde", "fecha de inicio", "member start",
        "membership begins", "fecha de incorporacion",
    ),
    "ends_on": (
        "leave date", "left", "left on", "date left", "member until", "until", "end date",
        "membership end date", "date of leaving", "resigned", "resigned on", "resignation date",
        "termination date", "terminated", "last day", "exit date", "fecha de baja", "austritt",
        "austrittsdatum", "membership end", "drop date", "dropped", "member end", "fecha de fin",
        "fecha de salida",
    ),
    "activity_on": (
        "last activity", "last activity date", "activity date", "last other activity",
        "date of last activity", "date of activity", "last other activity date",
        "date of last other activity", "last service date", "last volunteered", "activity on",
        "last activity on", "last other activity on", "fecha de actividad",
    ),
    "activity": (
        "activity", "activity kind", "kind of activity", "last activity kind", "activity type",
        "what activity", "other activity", "last other activity kind", "type of activity",
        "kind of last activity", "kind of last other activity", "last activity type",
        "last other activity what", "actividad", "what they did",
    ),
    "duties": (
        "duty", "duties", "bingo duty", "bingo duties", "job", "position", "bingo job",
        "bingo position", "funcion",
    ),
    "organization": (
        "organization", "organisation", "organization name", "organisation name", "org", "club",
        "charity", "post", "lodge", "chapter", "our organization", "organizacion",
    ),
    "organization_ein": (
        "ein", "fein", "organization ein", "organisation ein", "organization s ein", "org ein",
        "organisation s ein", "ein of the organization", "ein of the organisation", "charity ein",
        "club ein", "federal ein", "ein number", "employer identification number",
    ),
    "person_number": ("person number", "person no", "numero de persona"),
    "other_organization": (
        "other organization", "other organisation", "other organizations", "other organisations",
        "other org", "other orgs", "other club", "other clubs", "other post", "other posts",
        "other charity", "other charities", "also works for", "also works at", "also member of",
        "also volunteers for", "also volunteers at", "works elsewhere for", "second organization",
        "second organisation", "other bingo", "other bingo organization", "otra organizacion",
    ),
}  # fmt: skip
FIELD_OF = {heading: field for field, names in SYNONYMS.items() for heading in names}
DOUBTFUL = {
    "membership expiration date": "ends_on",
    "expiration date": "ends_on",
    "expiration": "ends_on",
    "expires": "ends_on",
    "expiry date": "ends_on",
    "paid through": "ends_on",
    "paid until": "ends_on",
    "dues paid through": "ends_on",
}
"""Headings that may mean a field: the end of a payment is often not the end of a membership."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Which field stands in which column, and what a person must decide."""

    places: Mapping[str, int]
    """Column from 0 by field."""
    rivals: Mapping[str, tuple[int, ...]]
    """Fields that several columns could hold, with all of those columns."""
    doubtful: tuple[int, ...] = ()
    """Columns that may say when somebody left, or only when the dues run out."""

    @property
    def missing(self) -> tuple[str, ...]:
        """What a roster cannot be without: a name and the join date."""
        asked = {*self.places, *self.rivals}
        parts = {"given_name", "family_name"} - asked
        needed = sorted(parts) if len(parts) == 1 else ["full_name"] if parts else []
        needed = [] if "full_name" in asked else needed
        return tuple(needed + ([] if "starts_on" in asked else ["starts_on"]))

    def field_of(self, place: int) -> str:
        """The field in a column, "" for a column that is not used."""
        return next((field for field, where in self.places.items() if where == place), "")


def plain(heading: str) -> str:
    """A heading without case, accents, marks, and what stands in brackets."""
    text = unicodedata.normalize("NFKD", re.sub(r"\([^)]*\)|\[[^\]]*\]", " ", heading))
    text = "".join(" " if not c.isalnum() else c for c in text if not unicodedata.combining(c))
    return " ".join(text.casefold().split())


def field_named(heading: str) -> str:
    """The field a heading names, "" when it names none, or is too long to be one."""
    return _field_named(heading) if len(heading) <= LONGEST else ""


@lru_cache(maxsize=4096)
def _field_named(heading: str) -> str:
    if heading.strip() == "18+":
        return "is_adult"
    return FIELD_OF.get(plain(heading), "")


def columns_of(sheet: Sheet, choices: Choices) -> Columns:
    """The fields by column: as chosen, else by the headings."""
    if choices.columns is not None:
        chosen = {p: f for p, f in choices.columns.items() if f in FIELDS}
        return _sorted_out(chosen, ())
    headings = sheet.headings if sheet.has_header else []
    shown = {p: h for p, h in enumerate(headings) if p not in sheet.hidden_columns}
    named = {place: field_named(heading) for place, heading in shown.items()}
    doubtful = tuple(p for p, heading in shown.items() if plain(heading) in DOUBTFUL)
    return _sorted_out({p: f for p, f in named.items() if f}, doubtful)


def _sorted_out(named: Mapping[int, str], doubtful: tuple[int, ...]) -> Columns:
    where: dict[str, tuple[int, ...]] = {}
    for place, field in named.items():
        where[field] = (*where.get(field, ()), place)
    if {"given_name", "family_name"} <= where.keys():
        where.pop("full_name", None)
    return Columns(
        places={field: places[0] for field, places in where.items() if len(places) == 1},
        rivals={field: places for field, places in where.items() if len(places) > 1},
        doubtful=doubtful,
    )


def known_headings(row: Sequence[Cell]) -> int:
    """How many different fields the cells of a row name."""
    return len({field_named(cell) for cell in row if isinstance(cell, str)} - {""})


def find_header(rows: Sequence[Sequence[Cell]]) -> int:
    """The number, from 1, of the row with the most headings; else the first row of full width.

    A single heading may as well be a word in somebody's row. 0: there is no header, because that
    row holds what only a person's row does.
    """
    best, most = 0, 1
    for number, row in enumerate(rows[:SEARCHED], 1):
        known = known_headings(row)
        if known > most:
            best, most = number, known
    if best:
        return best + _goes_on(rows[best - 1 : best + 1], most)
    first = _first_full(rows)
    is_person = rows and not known_headings(rows[first - 1]) and _holds_data(rows[first - 1])
    return 0 if is_person else first


def _goes_on(rows: Sequence[Sequence[Cell]], most: int) -> bool:
    """True when the row below the headings is their second line.

    It names more fields, or what stands in it completes each heading above it.
    """
    upper, lower = [[*map(as_text, row)] for row in (*rows, ())[:2]]
    pairs = [*zip_longest(upper, lower, fillvalue="")]
    told = [pair for pair in pairs if pair[1]]
    joined = [below or above for above, below in pairs]
    if all(field_named(below) for _above, below in told) and known_headings(joined) > most:
        return True
    whole = [plain(below) and field_named(f"{above} {below}") for above, below in told if above]
    return len(whole) > 1 and len(whole) == len(told) and all(whole)


def _first_full(rows: Sequence[Sequence[Cell]]) -> int:
    """The first row with as many cells as most have: titles and notes above it have fewer."""
    filled = {n: sum(as_text(c) != "" for c in row) for n, row in enumerate(rows[:SEARCHED], 1)}
    widths = Counter(width for width in filled.values() if width > 1)
    usual = widths.most_common(1)[0][0] if widths else 1
    first = (number for number, width in filled.items() if width >= usual)
    return next(first, next((n for n, row in enumerate(rows, 1) if any(map(as_text, row))), 1))


def _holds_data(row: Sequence[Cell]) -> bool:
    """True for a row with a day, a number or an address of electronic mail in a cell of its own."""
    return any(isinstance(cell, date) or DATUM.fullmatch(as_text(cell)) for cell in row)


def fits_roster(sheet: Sheet) -> bool:
    """True for a table with headings for a name and for a join date."""
    return not columns_of(sheet, Choices()).missing
