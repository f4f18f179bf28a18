"""What verdicts and rulings say: codes and parameters become sentences here and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _

from registry.ruleset import titles
from registry.verdicts import Outcome, Ruling, Verdict
from registry.worded import Mark
from volunteers.words.catalogue import (
    DUTIES,
    PAPERS,
    SENTENCES,
    SPOKEN,
    TIES,
)
from volunteers.words.shown import as_date, long_day, sessions, since, values


def title(rule: str) -> str:
    """The short name of a test, as "30 days" or "One other organization"."""
    return _(titles()[rule])


def duty_word(code: str) -> str:
    """The name of a duty, the code itself for an unknown one."""
    return str(DUTIES.get(code, code))


def mark_of(ruling: Ruling) -> Mark:
    """How the whole answer looks: papers missing where nothing but papers stands in the way."""
    bars = [verdict for verdict in ruling.verdicts if verdict.bars]
    if not bars:
        return Mark.CLEARED
    only_papers = all(verdict.outcome is Outcome.NOT_SHOWN for verdict in bars)
    return Mark.MISSING if only_papers else Mark.NOT_CLEARED


def headline(ruling: Ruling) -> str:
    """Cleared, Not cleared, or Papers missing where nothing but papers stands in the way."""
    mark = mark_of(ruling)
    if mark is Mark.CLEARED:
        return _("Cleared")
    return _("Papers missing") if mark is Mark.MISSING else _("Not cleared")


def sentence(verdict: Verdict, *, county: bool) -> str:
    """One sentence on one test; for the county a second one on what comes from elsewhere."""
    seen = verdict if county else verdict.without_private()
    told = _told(seen)
    if seen.cures_on and seen.cures_on != as_date(seen.params.get("since")):
        day = long_day(seen.cures_on, near=as_date(seen.params.get("on")))
        told = _("%(sentence)s; from %(day)s") % {"sentence": told, "day": day}
    told = _("%(sentence)s.") % {"sentence": told}
    more = ELSEWHERE[seen.rule](seen) if seen.private and seen.rule in ELSEWHERE else ""
    return f"{told} {more}" if more else told


def _told(verdict: Verdict) -> str:
    special = SPECIAL.get((verdict.rule, verdict.code)) or SPECIAL.get(("", verdict.code))
    if special:
        return special(verdict)
    return str(SENTENCES[verdict.rule, verdict.code]) % values(verdict.params)


def _license_met(verdict: Verdict) -> str:
    shown = values(verdict.params)
    if not shown["until"]:
        return _("%(number)s, in force") % shown if shown["number"] else _("In force")
    if not shown["number"]:
        return _("In force to %(until)s") % shown
    return _("%(number)s, to %(until)s") % shown


def _license_suspended(verdict: Verdict) -> str:
    if not verdict.params["until"]:
        return _("The license is suspended")
    return _("The license is suspended to %(until)s") % values(verdict.params)


def _suspended(verdict: Verdict) -> str:
    if not verdict.params["until"]:
        return _("Suspended since %(since)s") % values(verdict.params)
    return _("Suspended from %(since)s to %(until)s") % values(verdict.params)


def _short(verdict: Verdict) -> str:
    shown = values(verdict.params)
    if shown["unit"] == "months":
        return _("%(kind)s since %(since)s; %(needs)s months are needed") % shown
    if "began_on" in shown:
        told = _(
            "%(kind)s since %(since)s: %(days)s of %(needs)s days; "
            "the approval came too early, and a new one is needed from %(full_on)s"
        )
        return told % shown
    return _("%(kind)s since %(since)s: %(days)s of %(needs)s days") % shown


def _not_asked(verdict: Verdict) -> str:
    if verdict.params["why"] == "lessor":
        return _("Not asked for work at a hall owner")
    return _("Not asked of helpers who touch neither game nor money")


def _decided(verdict: Verdict) -> str:
    shown = values(verdict.params)
    if verdict.outcome is Outcome.MET:
        return _("Met by decision of %(by)s on %(decided_on)s") % shown
    if verdict.outcome is Outcome.NOT_MET:
        return _("Not met by decision of %(by)s on %(decided_on)s") % shown
    return _("Not shown by decision of %(by)s on %(decided_on)s") % shown


SPECIAL: Mapping[tuple[str, str], Callable[[Verdict], str]] = {
    ("license", "met"): _license_met,
    ("license", "suspended"): _license_suspended,
    ("suspension", "suspended"): _suspended,
    ("tenure", "short"): _short,
    ("", "not_asked"): _not_asked,
    ("", "decided"): _decided,
}


def _other_places(verdict: Verdict) -> str:
    others = since(verdict.private["others"])
    if not others:
        return ""
    day, on = as_date(verdict.private.get("from_day")), as_date(verdict.private.get("on"))
    if day and on and day > on:
        return _("Too many from %(day)s: %(others)s.") % {"day": long_day(day), "others": others}
    return _("Also: %(others)s.") % {"others": others}


def _ties(verdict: Verdict) -> str:
    rows = verdict.private["ties"]
    named = (f"{row['name']} ({TIES.get(row['tie'], row['tie'])})" for row in rows)
    return _("Tied to %(names)s.") % {"names": "; ".join(named)}


def _clash(verdict: Verdict) -> str:
    return _("Also at %(sessions)s.") % {"sessions": sessions(verdict.private["sessions"])}


def _grown(verdict: Verdict) -> str:
    if verdict.cures_on or not verdict.private:
        return ""
    return _("Of age on %(grown_on)s.") % values(verdict.private)


def _many(verdict: Verdict) -> str:
    names = "; ".join(verdict.private["names"])
    return _("This one and %(names)s.") % {"names": names}


# What only the county reads, after the sentence that everyone may read.
ELSEWHERE: Mapping[str, Callable[[Verdict], str]] = {
    "one_other": _other_places,
    "lessor": _ties,
    "presence": _clash,
    "age": _grown,
    "rotation": _many,
}


def spoken(ruling: Ruling, *, county: bool) -> str:
    """One sentence safe to read to any caller: no other organization, no birth date.

    No day is named where it could give either away. For organizations it ends with whom to ask.
    """
    seen = ruling.for_organization()
    bar = seen.first_bar
    if bar is None:
        return _("Yes: cleared for %(day)s.") % {"day": long_day(ruling.on)}
    parts = {"why": _spoken(bar)}
    day = seen.eligible_on
    if day and not any(v.bars and v.rule == "age" for v in ruling.verdicts):
        parts["day"] = long_day(day)
        return _("Not yet: %(why)s; from %(day)s the answer is yes.") % parts
    if bar.crosses and not county:
        return _("No: %(why)s; the county clerk can say more.") % parts
    if mark_of(seen) is Mark.MISSING:
        return _("Not yet: %(why)s.") % parts
    return _("No: %(why)s.") % parts


def _spoken(bar: Verdict) -> str:
    if bar.rule == "tenure" and bar.code == "short" and bar.params["unit"] == "days":
        return _("%(days)s of the %(needs)s days have passed") % values(bar.params)
    if bar.rule == "tenure" and bar.code == "start":
        return _("the approval was given too early, and a new one is needed")
    if (bar.rule, bar.code) == ("one_other", "pending"):
        return _("the county's check is pending")
    if bar.outcome is Outcome.NOT_SHOWN:
        return _("a paper is missing, namely %(paper)s") % {"paper": paper(bar)}
    return str(SPOKEN[bar.rule])


def missing(ruling: Ruling) -> tuple[str, ...]:
    """What would help where a test is not shown, one clause each, without doubles."""
    papers = [paper(v) for v in ruling.verdicts if v.outcome is Outcome.NOT_SHOWN]
    return tuple(dict.fromkeys(papers))


def paper(verdict: Verdict) -> str:
    """The paper for one verdict that is not shown, "" where none is known."""
    found = PAPERS.get((verdict.rule, verdict.code)) or PAPERS.get((verdict.rule, ""))
    return str(found or _("a paper that shows it"))
