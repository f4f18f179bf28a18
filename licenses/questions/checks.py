"""What the ordinance says to the answers of an application, each with its cite. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from licenses.questions import Answers, Situation, Step
from licenses.questions.places import PERCENTAGES
from licenses.questions.reading import Gap, all_values, gaps_in
from licenses.words import short_day
from registry.periods import ONE_DAY, days_after, months_after
from registry.ruleset import Ruleset

MONTHS = 12
Values = Mapping[str, Mapping[str, Any]]
Check = Callable[[Values, Ruleset, date], Iterator[Gap]]


def missing(
    situation: Situation, steps: Sequence[Step], answers: Answers, law: Ruleset, today: date
) -> list[Gap]:
    """All that stands between the answers and a complete application, in the order of the steps.

    What the ordinance does not require comes as well, marked so: it is requested.
    """
    found = [gap for step in steps for gap in gaps_in(step, answers.get(step.key, {}), today)]
    found += lawful(situation, steps, answers, law, today)
    order = {step.key: number for number, step in enumerate(steps)}
    return sorted(found, key=lambda gap: order[gap.step])


def lawful(
    situation: Situation, steps: Sequence[Step], answers: Answers, law: Ruleset, today: date
) -> list[Gap]:
    """Where what was answered is not what the law allows."""
    values = all_values(steps, answers, today)
    there = {step.key for step in steps}
    found = (gap for check in CHECKS for gap in check(values, law, today))
    return [gap for gap in found if gap.step in there and _counts(gap, situation)]


def _counts(gap: Gap, situation: Situation) -> bool:
    """An individual who leases a hall signs alone (§ 10-65(c))."""
    return not (gap.item == "officers" and situation.license_class == "B")


def _signatures(values: Values, law: Ruleset, _today: date) -> Iterator[Gap]:
    officers = values.get("officers", {}).get("officers", ())
    signing = sum(row.get("signs") == "yes" for row in officers)
    if officers and law.bank.signatures and signing < law.bank.signatures:
        sentence = ngettext(
            "%(needed)s principal officers sign every check, but %(count)s is named to sign.",
            "%(needed)s principal officers sign every check, but %(count)s are named to sign.",
            signing,
        ) % {"needed": law.bank.signatures, "count": signing}
        yield Gap("officers", "officers", _("Officers and directors"), sentence, law.bank.cite)


def _in_charge(values: Values, law: Ruleset, _today: date) -> Iterator[Gap]:
    named = len(values.get("in_charge", {}).get("members", ()))
    most = law.charity.max_in_charge
    if most is not None and named > most:
        sentence = _("At most %(most)s are designated, but %(count)s are named: take some out.")
        told = sentence % {"most": most, "count": named}
        yield Gap("in_charge", "members", _("Members in charge"), told, "F.S. 849.0931(8)")


def _bank(values: Values, law: Ruleset, _today: date) -> Iterator[Gap]:
    county = values.get("bank", {}).get("county", "")
    if county and _place(county) != _place(law.title):
        sentence = _("“%(value)s”: the account must be with a branch in %(county)s.")
        told = sentence % {"value": county, "county": law.title}
        yield Gap("bank", "county", _("County of the branch"), told, law.bank.cite)


def _place(county: str) -> str:
    return county.casefold().split(",")[0].removesuffix(" county").strip()


def _existence(values: Values, law: Ruleset, today: date) -> Iterator[Gap]:
    since = values.get("exemption", {}).get("existing_since")
    years = law.charity.existence_years
    if since and years and months_after(since, years * MONTHS) > today:
        sentence = ngettext(
            "A charity must have existed for %(years)s year; since %(day)s it has not.",
            "A charity must have existed for %(years)s years; since %(day)s it has not.",
            years,
        ) % {"years": years, "day": short_day(since)}
        yield Gap(
            "exemption", "existing_since", _("In existence since"), sentence, "F.S. 849.0931(1)(c)"
        )


def _leases(values: Values, law: Ruleset, _today: date) -> Iterator[Gap]:
    for number, place in enumerate(values.get("premises", {}).get("places", ())):
        start, end, years = place.get("lease_from"), place.get("lease_to"), law.charity.lease_years
        if start and end and years and end < months_after(start, years * MONTHS) - ONE_DAY:
            sentence = ngettext(
                "The lease must run for at least %(years)s year.",
                "The lease must run for at least %(years)s years.",
                years,
            ) % {"years": years}
            yield _of_place(number, "lease_to", _("Lease to"), sentence, "F.S. 849.0931(11)(c)")
        if place.get("rent") in PERCENTAGES:
            sentence = _(
                "Rent may not turn on receipts, attendance or seats: it is a fixed amount."
            )
            yield _of_place(number, "rent", _("Rent is"), sentence, "§ 10-68(6)")


def _of_place(number: int, key: str, label: str, sentence: str, cite: str) -> Gap:
    named = f"{_('Place')} {number + 1}: {label}"
    return Gap("premises", f"places-{number}-{key}", named, sentence, cite)


def _days(values: Values, law: Ruleset, _today: date) -> Iterator[Gap]:
    rows = values.get("play", {}).get("days", ())
    days = {row.get("weekday") for row in rows if row.get("games") in ("bingo", "both")}
    most = law.play.max_days_per_week
    if most is not None and len(days) > most:
        sentence = _("Bingo is played on at most %(most)s days of a week, here on %(count)s.")
        told = sentence % {"most": most, "count": len(days)}
        yield Gap("play", "days", _("Days of play"), told, law.play.cite)
    for number, row in enumerate(rows):
        yield from _hours(number, row, law)


def _hours(number: int, row: Mapping[str, Any], law: Ruleset) -> Iterator[Gap]:
    opens, closes = row.get("opens"), row.get("closes")
    if opens is None or closes is None:
        return
    label = f"{_('Day')} {number + 1}"
    if closes <= opens:
        sentence = _("It ends before it begins. Midnight is written 24:00; no play goes beyond it.")
    elif opens < law.hours.opens_minute or closes > law.hours.closes_minute:
        sentence = _("Play is between %(opens)s and %(closes)s only.") % {
            "opens": law.hours.opens,
            "closes": law.hours.closes,
        }
    else:
        return
    yield Gap("play", f"days-{number}-closes", label, sentence, law.hours.cite)


def _history(values: Values, _law: Ruleset, today: date) -> Iterator[Gap]:
    for number, row in enumerate(values.get("history", {}).get("revocations", ())):
        if row.get("when") and row["when"] >= days_after(today, 1):
            yield Gap(
                "history",
                f"revocations-{number}-when",
                f"{_('License')} {number + 1}: {_('Date')}",
                _("This day is still to come: check the year."),
                "§ 10-84(a)(5)",
            )


CHECKS: Sequence[Check] = (
    _signatures,
    _in_charge,
    _bank,
    _existence,
    _leases,
    _days,
    _history,
)
