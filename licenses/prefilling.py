"""What the register knows already, as the beginning of an empty step: nothing is asked twice."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils import timezone

from licenses.irs import status_of
from licenses.questions import Answers, Step
from licenses.rules import asks_for_exemption
from licenses.selectors import exemption_of
from registry.access import Anyone, is_regulator
from registry.models import Organization, User


def before_anything_typed(user: Anyone, organization: Organization, step: Step) -> dict[str, Any]:
    """Answers to begin an empty step with; they count only once they are saved."""
    asked = {item.key for item in step.items}
    found = _known(user, organization, step.key)
    return {key: text for key, text in found.items() if key in asked and text}


def _known(user: Anyone, organization: Organization, step: str) -> dict[str, str]:
    if step == "exemption" and asks_for_exemption(organization.kind):
        return _exemption(organization)
    if step == "representative" and isinstance(user, User) and not is_regulator(user):
        return {"name": user.name}
    return {}


def _exemption(organization: Organization) -> dict[str, str]:
    kept, irs = exemption_of(organization), status_of(organization, timezone.localdate())
    since = organization.existing_since
    return {
        "basis": kept.basis if kept else (irs.basis if irs.is_shown else ""),
        "existing_since": since.strftime("%m/%d/%Y") if since else "",
    }


def names_known(answers: Answers) -> list[str]:
    """The names typed on any step, so that nobody types one twice."""
    typed = [*_names(answers, "officers", "officers"), *_names(answers, "in_charge", "members")]
    typed.append(str(answers.get("representative", {}).get("name", "")))
    return list(dict.fromkeys(name for name in typed if name.strip()))


def _names(answers: Answers, step: str, rows: str) -> Iterable[str]:
    return (str(row.get("name", "")) for row in answers.get(step, {}).get(rows, ()))
