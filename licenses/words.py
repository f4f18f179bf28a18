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
    State.CONTINUED: gettext_lazy("Still in force while the county decides"),
    State.SUSPENDED: gettext_lazy("Suspended"),
    State.CONDITION: gettext_lazy("Conditionally revoked"),
    State.REVOKED: gettext_lazy("Revoked"),
    State.SURRENDERED: gettext_lazy("Surrendered"),
    State.NOT_YET: gettext_lazy("Not yet in force"),
    State.ENDED: gettext_lazy("Ended"),
}
MARKS: Mapping[State, Mark] = {
    State.IN_FORCE: Mark.CLEARED,
    State.CONTINUED: Mark.CLEARED,
    State.SUSPENDED: Mark.NOT_CLEARED,
    State.CONDITION: Mark.NOT_CLEARED,
    State.REVOKED: Mark.NOT_CLEARED,
    State.SURRENDERED: Mark.NOT_CLEARED,
    State.NOT_YET: Mark.NOTE,
    State.ENDED: Mark.NOT_CLEARED,
}


@dataclass(frozen=True, slots=True)
class Standing:
    """How one license stands on a day.

    `since` and `until` are the first and last day of the order that covers the day; `period` is
    the term printed on the license; `continued_to` the last day of its continuation, if known.
    """

    license_class: str
    number: str
    state: State
    period: Period
    until: date | None = None
    since: date | None = None
    continued_to: date | None = None

    @property
    def last_day(self) -> date:
        """The last day it ran, once it ended; until then the day printed on it."""
        ended = self.continued_to if self.state is State.ENDED else None
        return ended or self.period.last

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


PLAIN: Mapping[State, Promise] = {
    State.IN_FORCE: gettext_lazy("Licensed, class %(class)s, to %(last)s"),
    State.CONTINUED: gettext_lazy(
        "Licensed, class %(class)s: its term ended on %(last)s, but it is still in force while the"
        " county decides on its renewal (§ 10-91)"
    ),
    State.CONDITION: gettext_lazy("Class %(class)s license conditionally revoked on %(since)s"),
    State.REVOKED: gettext_lazy("Class %(class)s license revoked on %(since)s"),
    State.SURRENDERED: gettext_lazy("Class %(class)s license surrendered on %(since)s"),
    State.NOT_YET: gettext_lazy("Class %(class)s license begins on %(first)s"),
    State.ENDED: gettext_lazy("Class %(class)s license ended on %(last)s"),
}
"""The states that are told in one way; a suspension is told with or without its last day."""


def sentence(standing: Standing) -> str:
    """One license in one clause: "Licensed, class A, to Sep 30, 2027"."""
    named = {
        "class": standing.license_class,
        "first": short_day(standing.period.starts_on),
        "last": short_day(standing.last_day),
        "until": short_day(standing.until) if standing.until else "",
        "since": short_day(standing.since) if standing.since else "",
    }
    if standing.state in PLAIN:
        return str(PLAIN[standing.state]) % named
    if standing.until:
        return _("Class %(class)s license suspended to %(until)s") % named
    return _("Class %(class)s license suspended until further notice") % named


def standing_line(standings: Iterable[Standing], basis: str = "") -> str:
    """How an organization stands: each license that matters on the day, then its exemption."""
    parts = [sentence(standing) for standing in standings] or [_("No license is recorded")]
    return " · ".join([*parts, *filter(None, [basis])])
