"""Which licenses can be renewed now, and from when on another one can."""

from __future__ import annotations

from datetime import date

from licenses.models import License
from licenses.rules import OPEN, Status, renewal_opens
from licenses.selectors import licenses_of, runs_of
from registry.adopting import law_on
from registry.models import Organization
from registry.periods import ONE_DAY


def opens_on(license_: License, today: date) -> date:
    """The first day on which the renewal of a license can be filled in."""
    return renewal_opens(license_.expires_on, law_on(today).procedure.renewal_window_days)


def renewable(organization: Organization, today: date) -> list[License]:
    """The licenses an organization can begin to renew today: the last of each class.

    None that a revocation or a surrender ended, or whose renewal is under way or granted.
    """
    window = law_on(today).procedure.renewal_window_days
    last: dict[str, License] = {}
    for row in licenses_of(organization):
        last.setdefault(row.license_class, row)
    return [
        row
        for _letter, row in sorted(last.items())
        if renewal_opens(row.expires_on, window) <= today
        and any(run.covers(min(today, row.expires_on)) for run in runs_of(row))
        and not any(one.status in OPEN | {Status.GRANTED} for one in row.renewals.all())
    ]


def first_day_after(license_: License) -> date:
    """The first day of what an early renewal brings: no day is lost."""
    return license_.expires_on + ONE_DAY
