"""A whole ruling in words, for the page, the letter and the tag desk."""

from __future__ import annotations

from django.utils.translation import gettext as _

from registry.ruleset import Ruleset
from registry.verdicts import Outcome, ReadingUsed, Ruling, Verdict
from registry.worded import WordedReading, WordedRuling, WordedVerdict
from volunteers import words
from volunteers.words.shown import long_day


def worded(ruling: Ruling, law: Ruleset, *, county: bool) -> WordedRuling:
    """The answer as one large line, one sentence to read out, then each test.

    For an organization everything that rests on rows from elsewhere is taken out first.
    """
    seen = ruling if county else ruling.for_organization()
    return WordedRuling(
        mark=words.mark_of(seen),
        headline=words.headline(seen),
        spoken=words.spoken(ruling, county=county),
        later=_later(seen),
        verdicts=tuple(worded_verdict(v, law, county=county) for v in seen.verdicts),
        eligible_on=seen.eligible_on,
        ruleset=seen.ruleset,
    )


def _later(ruling: Ruling) -> str:
    if ruling.allows or ruling.eligible_on is None:
        return ""
    day = long_day(ruling.eligible_on, near=ruling.on)
    return _("From %(day)s the answer would be yes.") % {"day": day}


def worded_verdict(verdict: Verdict, law: Ruleset, *, county: bool) -> WordedVerdict:
    """One test in words, with the text of its paragraph and the readings it rests on."""
    text = law.texts.get(verdict.cite)
    seen = verdict if county else verdict.without_private()
    return WordedVerdict(
        title=words.title(verdict.rule),
        cite=verdict.cite,
        outcome=verdict.outcome.value,
        effect=verdict.effect.value,
        sentence=words.sentence(seen, county=county),
        readings=tuple(_reading(used, law) for used in seen.readings),
        text=_(text.text) if text else "",
        remedy=words.paper(verdict) if verdict.outcome is Outcome.NOT_SHOWN else "",
        is_policy=verdict.is_policy,
    )


def _reading(used: ReadingUsed, law: Ruleset) -> WordedReading:
    reading = law.readings[used.key]
    return WordedReading(
        question=_(reading.question),
        taken=_(reading.says(used.value)),
        other=_(reading.says(used.other)),
        would_differ=used.would_differ,
        confirmed=used.confirmed,
    )
