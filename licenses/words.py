"""Licenses and exemptions in words, the same on every page. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from licenses.rules import State
from registry.periods import Period
from registry.worded import Mark

STATES: Mapping[State, Promise] = {
    State.IN_FORCE: gettext_lazy("In force"),
    State.SUSPENDED: gettext_lazy("Suspended"),
    State.NOT_YET: gettext_lazy("Not yet in force"),
    State.ENDED: gettext_lazy("Ended"),
}
MARKS: Mapping[State, Mark] = {
    State.IN_FORCE: Mark.CLEARED,
    State.SUSPENDED: Mark.NOT_CLEARED,
    State.NOT_YET: Mark.NOTE,
    State.ENDED: Mark.NOT_CLEARED,
}


@dataclass(frozen=True, slots=True)
class Standing:
    """How one license stands on a day; `until` is the last day of the suspension that covers it."""

    license_class: str
    number: str
    state: State
    period: Period
    until: date | None = None

    @property
    def word(self) -> str:
        """In force, Suspended, Not yet in force or Ended."""
        return str(STATES[self.state])

    @property
    def mark(self) -> Mark:
        """The mark beside the word."""
        return MARKS[self.state]


def short_day(day: date) -> str:
    """Sep 30, 2027."""
    return date_format(day, pgettext("short day", "M j, Y"))


def sentence(standing: Standing) -> str:
    """One license in one clause: "Licensed, class A, to Sep 30, 2027"."""
    named = {
        "class": standing.license_class,
        "first": short_day(standing.period.starts_on),
        "last": short_day(standing.period.last),
        "until": short_day(standing.until) if standing.until else "",
    }
    if standing.state is State.IN_FORCE:
        return _("Licensed, class %(class)s, to %(last)s") % named
    if standing.state is State.NOT_YET:
        return _("Class %(class)s license begins on %(first)s") % named
    if standing.state is State.ENDED:
        return _("Class %(class)s license ended on %(last)s") % named
    if standing.until:
        return _("Class %(class)s license suspended to %(until)s") % named
    return _("Class %(class)s license suspended until further notice") % named


def standing_line(standings: Iterable[Standing], basis: str = "") -> str:
    """How an organization stands: each license that matters on the day, then its exemption."""
    parts = [sentence(standing) for standing in standings] or [_("No license is recorded")]
    return " · ".join([*parts, *filter(None, [basis])])
