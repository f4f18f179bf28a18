"""Tests on the person alone: age, residence, enrolment (§ 10-63(5), F.S. 849.0931). Pure."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from registry.ruleset import Ruleset
from registry.verdicts import Outcome, Verdict
from volunteers.facts import Facts, Kind
from volunteers.rules.counting import known
from volunteers.rules.judging import decided, decision_on, judged, say


@judged("age", "age.leap_birthday", spans=True)
def age(facts: Facts, law: Ruleset) -> Verdict:
    """§ 10-63(5), F.S. 849.0931(10)(a): old enough on the day (P17).

    Of a birth date that the organization did not enter nothing may tell, not even the day on
    which a decision gives way to it.
    """
    decision = decision_on("age", facts, facts.on)
    verdict = decided(law, "age", decision) if decision else _age(facts, law)
    return replace(verdict, crosses=True) if is_guarded(facts) else verdict


def is_guarded(facts: Facts) -> bool:
    """Tell whether there is a birth date that the asking organization did not enter."""
    return facts.born_on is not None and not facts.birth_is_own


def _age(facts: Facts, law: Ruleset) -> Verdict:
    params = {"years": law.age.min_years}
    if facts.born_on is None:
        if facts.is_adult_attested:
            return say(law, "age", "attested", params=params)
        return say(law, "age", "no_birth", Outcome.NOT_SHOWN, params=params)
    grown_on = comes_of_age(facts.born_on, law)
    if facts.on >= grown_on:
        # Worded by what the organization said itself, so that it reads as it always did.
        said = "attested" if facts.is_adult_attested and not facts.birth_is_stated else "met"
        return say(law, "age", said, params=params)
    return say(law, "age", "young", Outcome.NOT_MET, params=params, private={"grown_on": grown_on})


def comes_of_age(born_on: date, law: Ruleset) -> date:
    """Return the birthday of the lawful age; for February 29 by the reading of P17."""
    year = born_on.year + law.age.min_years
    if year > date.max.year:
        return date.max
    try:
        return born_on.replace(year=year)
    except ValueError:
        return date(year, 3, 1) if law.age.leap_birthday == "mar_1" else date(year, 2, 28)


@judged("residence")
def residence(facts: Facts, law: Ruleset) -> Verdict:
    """F.S. 849.0931(8): a resident of the organization's community (A18)."""
    if facts.is_resident:
        return say(law, "residence", "met")
    if facts.is_resident is None:
        return say(law, "residence", "none", Outcome.NOT_SHOWN)
    return say(law, "residence", "outside", Outcome.NOT_MET)


@judged("membership_class", "membership_class.effect")
def membership_class(facts: Facts, law: Ruleset) -> Verdict:
    """F.S. 849.0931(8): enrolled as a member of any class, which a volunteer is not (A19)."""
    here = [s for s in known(facts.spells, law, facts.on) if s.period.covers(facts.on)]
    enrolled = [spell for spell in here if spell.kind is not Kind.VOLUNTEER]
    shown = [spell for spell in enrolled if spell.shown]
    if shown:
        return say(law, "membership_class", "met", params={"kind": shown[0].kind.value})
    code = "unattested" if enrolled else "volunteer" if here else "none"
    return say(law, "membership_class", code, Outcome.NOT_SHOWN)


@judged("active_member")
def active_member(facts: Facts, law: Ruleset) -> Verdict:
    """§ 10-93(a)(1)d speaks of an active member: a plain volunteer is mentioned."""
    here = [s for s in known(facts.spells, law, facts.on) if s.period.covers(facts.on)]
    if any(spell.kind is not Kind.VOLUNTEER for spell in here) or not here:
        return say(law, "active_member", "met")
    return say(law, "active_member", "volunteer", Outcome.NOT_SHOWN)
