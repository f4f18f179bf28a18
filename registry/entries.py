"""Reads what people type, or send in files: days, names, EINs. No database and no clock."""

from __future__ import annotations

import re
import unicodedata
from calendar import monthrange
from datetime import date
from functools import lru_cache

from django.utils import dates
from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

PLACEHOLDERS = frozenset(
    {"-", "--", "---", ".", "?", "??", "x", "xx", "xxx", "na", "n/a", "n.a.", "nil", "nan", "nat"}
    | {"null", "none", "no", "unknown", "unk", "tbd", "tba", "tbc", "pending", "date", "open"}
)
STAND_IN_DAY = re.compile(r"(?:0{1,4}|9{2,4})(?:[/.-](?:0{1,4}|9{2,4})){2}")
STAND_IN_DAYS = frozenset({date(1, 1, 1), date(9999, 12, 31)})
FIRST_HALF = ("january", "february", "march", "april", "may", "june")
SECOND_HALF = ("july", "august", "september", "october", "november", "december")
MONTHS = (*FIRST_HALF, *SECOND_HALF)
IN_SPANISH = (
    *("enero", "febrero", "marzo", "abril", "mayo", "junio"),
    *("julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre"),
)
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS_A_YEAR = len(MONTHS)
NEAR_FUTURE = 10
"""Years ahead of `this_year` that a year of two digits may still mean."""

YEAR = r"(?P<year>\d{4}|\d{2})"
CLOCK = r"(?:[T ]0?0:00(?::00)?)?"
FORMS = tuple(
    re.compile(form)
    for form in (
        rf"(?P<year>\d{{4}})\s*([/.-])\s*(?P<month>\d{{1,2}})\s*\2\s*(?P<day>\d{{1,2}}){CLOCK}",
        rf"(?P<month>\d{{1,2}})\s*([/.-])\s*(?P<day>\d{{1,2}})\s*\2\s*{YEAR}{CLOCK}",
        rf"(?P<month>[^\W\d_]+)\.?\s+(?P<day>\d{{1,2}})(?:\s*,\s*|\s+){YEAR}",
        rf"(?P<day>\d{{1,2}})[\s-]+(?:de\s+)?(?P<month>[^\W\d_]+)\.?[\s-]+(?:de\s+)?{YEAR}",
        r"(?P<year>(?:19|20)\d\d)(?P<month>\d\d)(?P<day>\d\d)",
    )
)
MONTH_FIRST = FORMS[1]
DAY_FIRST = re.compile(rf"(?P<day>\d{{1,2}})\s*([/.-])\s*(?P<month>\d{{1,2}})\s*\2\s*{YEAR}{CLOCK}")
ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b", re.IGNORECASE)
WEEKDAY = re.compile(r"^([^\W\d_]+)\.?,\s*")

SEPARATORS = r"\s?[-./_\s\u2010-\u2015\u2212]\s?"
SSN = re.compile(rf"(?<![\d-])\d{{3}}{SEPARATORS}\d{{2}}{SEPARATORS}\d{{4}}(?![\d-])")
SSN_NAMED = re.compile(
    r"(?:\bssn\b|social\s+security|seguro\s+social)\D{0,20}(?<!\d)\d{9}(?!\d)", re.IGNORECASE
)
UNSEEN_EDGES = "\u200b\u200c\u200d\u2060\ufeff"
DIRECTION_MARKS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
EIN_STAND_INS = frozenset({"123456789", *(str(digit) * 9 for digit in range(9))})
"""Not 99-9999999: that prefix is given out, so only the IRS file can say that it is nobody's."""
EIN = re.compile(r"[0-9]{2}[-\s\u2010-\u2015\u2212]?[0-9]{7}")


class Unreadable(ValueError):
    """Names the value, says why it cannot be read and what to do; str() is that sentence."""


@lru_cache(maxsize=8)
def _numbers(kind: str, language: str) -> dict[str, int]:
    """Names of months or weekdays, long and short, in English and in the language in use.

    Months in Spanish as well, as lists of members here name them.
    """
    first = 1 if kind == "month" else 0
    english = MONTHS if kind == "month" else WEEKDAYS
    numbers = {name: number for number, name in enumerate(english, first)}
    if kind == "month":
        numbers |= {"sept": 9, "setiembre": 9, "set": 9}
        numbers |= {name: number for number, name in enumerate(IN_SPANISH, first)}
    numbers = {name[:3]: number for name, number in numbers.items()} | numbers
    own = (
        (dates.MONTHS, dates.MONTHS_3) if kind == "month" else (dates.WEEKDAYS, dates.WEEKDAYS_ABBR)
    )
    for names in own:
        numbers |= {str(name).casefold().rstrip("."): number for number, name in names.items()}
    return numbers


def is_placeholder(text: str) -> bool:
    """True for what stands in a cell instead of a value: TBD, n/a, 00/00/0000."""
    bare = text.strip().casefold()
    return bare in PLACEHOLDERS or STAND_IN_DAY.fullmatch(bare) is not None


def read_day(text: str, this_year: int | None = None, *, day_first: bool = False) -> date:
    """The day a person wrote: 11/30/2026, 2026-11-30, 30 Nov 2026, Nov 30 2026, Mon, Nov 30, 2026.

    A year of two digits is the latest one not more than ten years after `this_year`;
    without `this_year` it is refused. `day_first` reads 30/11/2026, for a file that writes so
    throughout. Raises Unreadable with one sentence.
    """
    bare = " ".join(text.split())
    if is_placeholder(bare):
        raise Unreadable(_stands_for_no_date() % {"value": bare})
    weekday, rest = _split_weekday(ORDINAL.sub("", bare))
    day = _checked(bare, *_parts(bare, _month_first(rest) if day_first else rest, this_year))
    if weekday is not None and day.weekday() != weekday:
        raise Unreadable(
            _("“%(value)s” does not agree: %(day)s is a %(weekday)s; correct one of the two.")
            % {"value": bare, "day": date_format(day, "M j, Y"), "weekday": date_format(day, "l")}
        )
    return day


def _stands_for_no_date() -> str:
    return _("“%(value)s” stands for no date: leave it empty, or write the day as 11/30/2026.")


def _split_weekday(text: str) -> tuple[int | None, str]:
    match = WEEKDAY.match(text)
    number = match and _numbers("weekday", get_language() or "").get(match[1].casefold())
    return (number, text[match.end() :]) if match and number is not None else (None, text)


def _month_first(text: str) -> str:
    """A day written 30/11/2026 as 11/30/2026; any other way of writing stays."""
    match = DAY_FIRST.fullmatch(text)
    return f"{match['month']}/{match['day']}/{match['year']}" if match else text


def numeric_day(text: str) -> tuple[int, int, int] | None:
    """The three numbers of a day written 3/4/2026, in their order; None for any other way."""
    match = MONTH_FIRST.fullmatch(" ".join(text.split()))
    return (int(match["month"]), int(match["day"]), int(match["year"])) if match else None


def _parts(bare: str, text: str, this_year: int | None) -> tuple[int, int, int]:
    """Year, month and day, not yet looked up in the calendar."""
    months = _numbers("month", get_language() or "")
    for form in FORMS:
        if match := form.fullmatch(text):
            named = match["month"]
            month = int(named) if named.isdecimal() else months.get(named.casefold())
            if month is not None:
                return _full_year(bare, match["year"], this_year), month, int(match["day"])
    raise Unreadable(
        _("“%(value)s” is not a date we can read: write month, day and year, as 11/30/2026.")
        % {"value": bare}
    )


def _full_year(bare: str, year: str, this_year: int | None) -> int:
    if len(year) == len("2026") and int(year):
        return int(year)
    if this_year is None or len(year) == len("2026"):
        raise Unreadable(
            _("“%(value)s” leaves the year open: write it with four digits, as 11/30/2026.")
            % {"value": bare}
        )
    latest = this_year + NEAR_FUTURE
    return latest - (latest - int(year)) % 100


def _checked(bare: str, year: int, month: int, day: int) -> date:
    if not 1 <= month <= MONTHS_A_YEAR:
        raise Unreadable(
            _("“%(value)s” has no month %(month)s: write the month first, as 11/30/2026.")
            % {"value": bare, "month": month}
        )
    last = monthrange(year, month)[1]
    if not 1 <= day <= last:
        raise Unreadable(
            _("“%(value)s” is not in the calendar: that month has %(last)s days; correct the day.")
            % {"value": bare, "last": last}
        )
    found = date(year, month, day)
    if found in STAND_IN_DAYS:
        raise Unreadable(_stands_for_no_date() % {"value": bare})
    return found


def read_name(text: str) -> str:
    """A name in any script, trimmed and with single blanks. Raises Unreadable with one sentence."""
    name = " ".join(unicodedata.normalize("NFC", text).strip(UNSEEN_EDGES).split())
    if any(unicodedata.category(letter) == "Cc" or letter in DIRECTION_MARKS for letter in name):
        raise Unreadable(
            _("“%(value)s” holds a control character that cannot be printed: type the name anew.")
            % {"value": "".join(c for c in name if c.isprintable() and c not in DIRECTION_MARKS)}
        )
    if not any(unicodedata.category(letter)[0] in "LMNPS" for letter in name):
        raise Unreadable(_("The name is empty: write it as the person writes it."))
    return name


def read_ein(text: str) -> str:
    """The nine digits of an EIN, any prefix. Raises Unreadable with one sentence."""
    bare = text.strip().strip(UNSEEN_EDGES).strip()
    digits = re.sub(r"[^0-9]", "", bare)
    if not EIN.fullmatch(bare):
        raise Unreadable(
            _("“%(value)s” is not an EIN: it has nine digits, written as 12-3456780.")
            % {"value": bare}
        )
    if digits in EIN_STAND_INS:
        raise Unreadable(
            _("“%(value)s” stands for no EIN: copy it from the organization's IRS letter.")
            % {"value": bare}
        )
    return digits


def has_ssn(text: str) -> bool:
    """True when the text holds what looks like a Social Security number (3, 2, 4 digits)."""
    seen = "".join(letter for letter in text if unicodedata.category(letter) != "Cf")
    plain = unicodedata.normalize("NFKC", seen)
    return bool(SSN.search(plain) or SSN_NAMED.search(plain))
