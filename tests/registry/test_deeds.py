"""The history speaks in words."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.apps import apps

from registry.base import VoidableModel
from registry.deeds import DEEDS, details, word_of

ROOT = Path(__file__).resolve().parents[2]
VERB = re.compile(r"[a-z_]+\.[a-z_]+")
ACTING = {"acting", "part", "_in_an_act", "Act"}


def verbs_in(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            given = [*node.args, *(key.value for key in node.keywords if key.arg == "verb")]
            for one in given if name in ACTING else ():
                for part in ast.walk(one):
                    if isinstance(part, ast.Constant) and VERB.fullmatch(str(part.value)):
                        yield str(part.value)


def test_every_verb_that_is_written_has_a_word() -> None:
    written = {
        verb
        for app in ("registry", "licenses", "volunteers", "inspections")
        for path in (ROOT / app).rglob("*.py")
        for verb in verbs_in(path)
    }

    assert len(written) > 30
    assert sorted(written - set(DEEDS)) == []


def test_every_row_that_can_be_void_has_a_word_for_it() -> None:
    models = [m for m in apps.get_models() if issubclass(m, VoidableModel)]

    missing = {f"{m._meta.model_name}.voided" for m in models} - set(DEEDS)

    assert sorted(missing) == []


def test_an_unknown_verb_is_shown_as_it_is() -> None:
    assert word_of("person.corrected") == "Name or birth date corrected"
    assert word_of("moon.landed") == "moon.landed"


ANSWER = {
    "on": "2026-12-05",
    "allowed": False,
    "caller": "Jo Fox",
    "telephone": "555-0100",
    "verdicts": [
        {"effect": "bars", "outcome": "met", "cite": "§ 10-64(a)"},
        {"effect": "bars", "outcome": "not_met", "cite": "§ 10-63(12)"},
        {"effect": "bars", "outcome": "not_shown", "cite": "§ 10-63(12)"},
        {"effect": "asks", "outcome": "not_shown", "cite": "F.S. 849.0931(8)"},
    ],
}


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({}, ""),
        (ANSWER, "not cleared for Dec 5, 2026 by § 10-63(12); told to Jo Fox, 555-0100"),
        (ANSWER | {"verdicts": [], "telephone": ""},
         "not cleared for Dec 5, 2026; told to Jo Fox"),
        ({"on": "2026-12-05", "allowed": True}, "cleared for Dec 5, 2026"),
        ({"user": "Ada <ada@example.org>", "role": "clerk"}, "Ada <ada@example.org>"),
        ({"on_behalf_of": "A. Reyes", "received_on": "2026-11-02"},
         "from paper of A. Reyes, received Nov 2, 2026"),
        ({"on": "2026-12-05"}, ""),
    ],
)  # fmt: skip
def test_an_act_tells_the_answer_who_was_told_and_from_which_paper(data, told) -> None:
    assert details(data) == told
