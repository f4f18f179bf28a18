"""Dates, kinds and names as a sentence shows them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date, time
from typing import Any

from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

A_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def long_day(day: date, *, near: date | None = None) -> str:
    """Sun, Dec 13, 2026; without the year where `near` has just named it."""
    if near is not None and near.year == day.year:
        return date_format(day, pgettext("day without year", "D, M j"))
    return date_format(day, pgettext("day", "D, M j, Y"))


def short_day(day: date) -> str:
    """Dec 13, 2026."""
    return date_format(day, pgettext("short day", "M j, Y"))


def as_date(value: Any) -> date | None:
    """A date, also one that a recorded act kept as text."""
    if isinstance(value, str) and A_DATE.fullmatch(value):
        return date.fromisoformat(value)
    return value if isinstance(value, date) else None


def as_time(value: Any) -> str:
    """1:30 PM, also of a time that a recorded act kept as text."""
    clock = time.fromisoformat(value) if isinstance(value, str) else value
    return time_format(clock, pgettext("time", "g:i A"))


def values(params: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters as they are shown: dates in words, and `kind` as a role and as a deed."""
    shown = {key: _plain(value) for key, value in params.items()}
    if "kind" in params:
        shown["deed"] = capital(str(params["kind"]))
        shown["kind"] = _("Volunteer") if params["kind"] == "volunteer" else _("Member")
    return shown


def _plain(value: Any) -> Any:
    day = as_date(value)
    return short_day(day) if day else value


def capital(text: str) -> str:
    """The text with its first letter capital, the rest as typed."""
    return text[:1].upper() + text[1:]


def since(rows: Iterable[Mapping[str, Any]]) -> str:
    """Elks 2520 since Jan 1, 2024; Post 4412."""
    return "; ".join(_since(row) for row in rows)


def _since(row: Mapping[str, Any]) -> str:
    day = as_date(row.get("since"))
    if day is None:
        return str(row["name"])
    return _("%(name)s since %(day)s") % {"name": row["name"], "day": short_day(day)}


def sessions(rows: Iterable[Mapping[str, Any]]) -> str:
    """Elks 2520, 1:00 PM to 4:00 PM; a name alone where the hours are not known."""
    return "; ".join(_session(row) for row in rows)


def _session(row: Mapping[str, Any]) -> str:
    if not row.get("starts_at") or not row.get("ends_at"):
        return str(row["name"])
    hours = {key: as_time(row[key]) for key in ("starts_at", "ends_at")}
    return _("%(name)s, %(starts_at)s to %(ends_at)s") % {"name": row["name"], **hours}
