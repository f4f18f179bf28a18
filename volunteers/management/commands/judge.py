"""manage.py judge FILE.json: what would the law say of these cases?"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from registry.ruleset import BadRuleset, Ruleset, TextUnknown, in_force
from registry.verdicts import Ruling
from volunteers.cases import A_DATE, BadCase, Case, facts_of, read_case
from volunteers.rules import rule_on
from volunteers.words import sentence
from volunteers.words.shown import long_day

BAD_INPUT = 2


class Command(BaseCommand):
    """Judge the cases of a file; needs no database."""

    help = (
        "Judge a list of cases and print one JSON object a line: id, answer, outcome, rule, "
        "provision, reason, eligible_on. The answer is allowed or denied; denied means not "
        "cleared on that day, be it for a test that is not met or for a paper that is missing."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the file, the ruleset to try and the day to ask about."""
        parser.add_argument("file", type=Path, help="a JSON file with a list of cases")
        parser.add_argument(
            "--ruleset", help="a ruleset's name, or the path of a .toml file to try instead"
        )
        parser.add_argument("--on", help="ask about this day (2026-05-31) instead of each case's")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Print all answers, or one sentence on what is wrong and exit with 2."""
        try:
            cases = _asked_on(_read(options["file"]), options["on"])
            answers = [_answer(case, _law(case, options["ruleset"])) for case in cases]
        except (BadCase, BadRuleset) as problem:
            self.stderr.write(str(problem))
            sys.exit(BAD_INPUT)
        for answer in answers:
            self.stdout.write(json.dumps(answer, ensure_ascii=False))


def _read(path: Path) -> list[Case]:
    try:
        raw = json.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as problem:
        raise BadCase(f"{path}: cannot be read ({problem.strerror}): check the path.") from None
    except (ValueError, RecursionError) as problem:
        raise BadCase(f"{path}: is not valid JSON in UTF-8 ({problem}): mend that place.") from None
    if not isinstance(raw, list):
        raise BadCase(f"{path}: holds no list of cases: put the cases between [ and ].")
    cases = [read_case(item, number) for number, item in enumerate(raw, 1)]
    seen: set[str] = set()
    for case in cases:
        if case.id in seen:
            raise BadCase(f"Case {case.id}, key 'id': two cases have it: give each its own.")
        seen.add(case.id)
    return cases


def _asked_on(cases: list[Case], day: str | None) -> list[Case]:
    if day is None:
        return cases
    try:
        on = date.fromisoformat(day if A_DATE.fullmatch(day) else "")
    except ValueError:
        raise BadCase(f"--on: {day!r} is no date: write it as 2026-05-31.") from None
    return [replace(case, on=on) for case in cases]


def _law(case: Case, ruleset: str | None) -> Ruleset:
    try:
        return in_force(case.on, ruleset)
    except TextUnknown as unknown:
        raise BadCase(f"Case {case.id}, key 'on': {unknown}") from None


def _answer(case: Case, law: Ruleset) -> dict[str, str | None]:
    ruling = rule_on(facts_of(case), law)
    bar = ruling.first_bar
    return {
        "id": case.id,
        "answer": "allowed" if ruling.allows else "denied",
        "outcome": ruling.outcome.value,
        "rule": bar.rule if bar else None,
        "provision": (bar.cite or None) if bar else None,
        "reason": _reason(ruling),
        "eligible_on": ruling.eligible_on.isoformat() if ruling.eligible_on else None,
    }


def _reason(ruling: Ruling) -> str:
    if ruling.first_bar:
        return sentence(ruling.first_bar, county=True)
    return _("Cleared on %(day)s.") % {"day": long_day(ruling.on)}
