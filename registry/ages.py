"""An age told as roughly as the work allows: a birth date is for those who need it. Pure."""

from __future__ import annotations

from datetime import date

from django.utils.translation import gettext as _

DECADE = 10


def years_between(born_on: date, day: date) -> int:
    """Return the full years of age on a day; a birthday on February 29 falls on March 1."""
    return day.year - born_on.year - ((day.month, day.day) < (born_on.month, born_on.day))


def age_band(born_on: date | None, day: date, adult_years: int) -> str:
    """Return the decade of an age: enough to tell two namesakes apart, and no more."""
    if born_on is None:
        return _("not known")
    years = years_between(born_on, day)
    if years < adult_years:
        return _("under %(years)s") % {"years": adult_years}
    decade = years // DECADE * DECADE
    span = {"first": max(decade, adult_years), "last": decade + DECADE - 1}
    return _("%(first)s to %(last)s") % span
