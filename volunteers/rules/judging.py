"""How every test answers: asked of this duty at all, decided already, or judged. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from registry.provisions import Provision
from registry.ruleset import Ruleset
from registry.verdicts import Outcome, Verdict
from volunteers.facts import Decision, Facts

Judge = Callable[[Facts, Ruleset], Verdict]


@dataclass(frozen=True, slots=True)
class Test:
    """A rule with the readings its answer hangs on."""

    judge: Judge
    readings: tuple[str, ...]


TESTS: dict[str, Test] = {}
# Tests whose answer rests on other organizations' rows even when it is met.
CROSSING = frozenset({"one_other", "lessor", "presence", "rotation"})


def judged(rule: str, *readings: str, spans: bool = False) -> Callable[[Judge], Judge]:
    """Register a test under its code.

    Around it: a duty that is not asked this, and a decision on the day, answer before it does.
    A test that `spans` several days asks for the decisions itself.
    """

    def register(judge: Judge) -> Judge:
        def answer(facts: Facts, law: Ruleset) -> Verdict:
            if not is_asked(rule, facts, law):
                why = "assisting" if facts.assisting else "lessor"
                return say(law, rule, "not_asked", params={"why": why})
            decision = None if spans else decision_on(rule, facts, facts.on)
            return decided(law, rule, decision) if decision else judge(facts, law)

        answer.__doc__, answer.__name__ = judge.__doc__, judge.__name__
        TESTS[rule] = Test(answer, readings)
        return answer

    return register


def is_asked(rule: str, facts: Facts, law: Ruleset) -> bool:
    """Tell whether the duties asked about carry this test."""
    if facts.assisting:
        return rule in law.duties.assisting_tests
    return not facts.leases_only or rule in law.duties.lessor_tests


def say(
    law: Ruleset,
    rule: str,
    code: str,
    outcome: Outcome = Outcome.MET,
    *,
    params: Mapping[str, Any] | None = None,
    private: Mapping[str, Any] | None = None,
) -> Verdict:
    """Return a verdict of a test, with cite and effect as the law has them."""
    provision: Provision = getattr(law, rule)
    return Verdict(
        rule=rule,
        cite=provision.cite,
        outcome=outcome,
        effect=provision.effect,
        code=code,
        params=params or {},
        private=private or {},
        is_policy=provision.is_policy,
        crosses=rule in CROSSING,
    )


def decision_on(rule: str, facts: Facts, day: date) -> Decision | None:
    """Return the latest decision on a test that covers a day, None when there is none."""
    if not facts.decisions:
        return None
    found = (d for d in facts.decisions if d.rule == rule and d.period.covers(day))
    return max(found, key=lambda decision: decision.decided_on, default=None)


def decided(law: Ruleset, rule: str, decision: Decision) -> Verdict:
    """Return the verdict that administrator, board or court has given already."""
    params = {"by": decision.by, "decided_on": decision.decided_on}
    return say(law, rule, "decided", decision.outcome, params=params)
