"""Reminders of renewals: a letter so many days before a license ends, and once after."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from licenses.letters import addressee_of
from licenses.models import License
from licenses.rules import WAITING, Status, reminder_due
from licenses.selectors import runs_of, with_orders
from licenses.words import short_day
from registry.adopting import law_on
from registry.history import acting
from registry.letters import LetterDraft, Paragraph, email_letter, write_letter
from registry.models import Letter
from registry.services import Actor

KIND = "reminder"
CITE = "§ 10-91(b)"
SILENT = WAITING | {Status.GRANTED}
"""A renewal in one of these is under way or done: nobody is reminded of it."""


@dataclass(frozen=True, slots=True)
class Due:
    """One reminder: of which license, so many days before its end, 0 after it."""

    license: License
    days: int

    @property
    def key(self) -> str:
        """By which it is written once."""
        return f"renewal:{self.license.number}:{self.days}"


@dataclass(frozen=True, slots=True)
class Reminded:
    """How many reminders were written, and how many of them went to somebody by e-mail."""

    written: int
    mailed: int


def reminders_due(today: date) -> list[Due]:
    """The reminders that are due and not written yet, by the number of the license.

    After a missed night only the nearest of each license; none while a renewal is under way or
    granted, where another license of the class follows, or for a license that was ended.
    """
    days = law_on(today).procedure.reminder_days
    found = [due for due in _due(today, days) if due is not None]
    keys = [due.key for due in found]
    written = set(Letter.objects.filter(key__in=keys).values_list("key", flat=True))
    return [due for due in found if due.key not in written]


def _due(today: date, days: Sequence[int]) -> Iterator[Due | None]:
    most = timedelta(days=max(days, default=0))
    rows = License.objects.standing().filter(expires_on__range=(today - most, today + most))
    standing = with_orders(rows.filter(organization__merged_into=None))
    licenses = list(standing.select_related("organization").order_by("number"))
    latest = _latest({row.organization_id for row in licenses})
    for row in licenses:
        is_last = latest[row.organization_id, row.license_class] == row.expires_on
        if is_last and _ends_by_itself(row) and not _is_renewed(row):
            count = reminder_due(row.expires_on, today, days)
            yield None if count is None else Due(row, count)


def _latest(organizations: set[int]) -> dict[tuple[int, str], date]:
    """The last day any license of the class runs, by organization and class."""
    latest: dict[tuple[int, str], date] = defaultdict(lambda: date.min)
    rows = License.objects.standing().filter(organization__in=organizations)
    for pk, letter, last in rows.values_list("organization", "license_class", "expires_on"):
        latest[pk, letter] = max(latest[pk, letter], last)
    return latest


def _ends_by_itself(license_: License) -> bool:
    """False where a revocation or a surrender ended it before its day."""
    return any(run.covers(license_.expires_on) for run in runs_of(license_))


def _is_renewed(license_: License) -> bool:
    return any(row.status in SILENT for row in license_.renewals.all())


def send_reminders(by: Actor, today: date) -> Reminded:
    """Write each reminder that is due on a day, and mail it to who acts for the organization.

    Each in a transaction of its own: what fails leaves those before it sent. Where nobody acts
    online the letter waits to be printed.
    """
    written = mailed = 0
    for due in reminders_due(today):
        told = {"license": due.license.number, "days": due.days}
        organization = due.license.organization
        with acting(by, "renewal.reminded", organization=organization, data=told):
            letter = write_letter(by, organization, reminder_draft(due), written_on=today)
            mailed += bool(email_letter(by, letter))
        written += 1
    return Reminded(written, mailed)


def reminder_draft(due: Due) -> LetterDraft:
    """The letter of a reminder."""
    license_ = due.license
    told = {"number": license_.number, "day": short_day(license_.expires_on)}
    if due.days:
        subject = _("Renew license %(number)s by %(day)s") % told
        ends = _("License %(number)s runs to %(day)s, its last day.") % told
    else:
        subject = _("License %(number)s has ended") % told
        ends = _("License %(number)s ended on %(day)s. No renewal was presented by then.") % told
    return LetterDraft(
        kind=KIND,
        subject=subject,
        addressee=addressee_of(license_.organization),
        paragraphs=[Paragraph(ends, "§ 10-91(a)"), *_next(due)],
        signed_by=_("County clerk, bingo licensing"),
        key=due.key,
    )


def _next(due: Due) -> Iterator[Paragraph]:
    if due.days:
        text = ngettext(
            "Present the renewal by then, within %(days)s day, with this year's license or proof"
            " that it was lost. Then it stays in force while the county decides.",
            "Present the renewal by then, within %(days)s days, with this year's license or proof"
            " that it was lost. Then it stays in force while the county decides.",
            due.days,
        )
        yield Paragraph(text % {"days": due.days}, CITE)
        yield Paragraph(
            _(
                "In the register choose “Renew” on the page of your organization: last year's"
                " answers are there, only what changed is asked. Or ask the county for paper."
            )
        )
        return
    what = "§ 10-64(a)" if due.license.license_class == License.Class.A else "§ 10-65(a)"
    yield Paragraph(_("Without a license in force no bingo is played under it."), what)
    yield Paragraph(_("You can still ask for a new term: choose “Renew” in the register."), CITE)
