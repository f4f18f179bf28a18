"""The ordinance in our own words, the numbers in force, and the readings."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from registry.access import MATRIX, Capability, Role, is_regulator
from registry.adopting import law_on
from registry.generic import PageView
from registry.provisions import Reading
from registry.ruleset import PROVISIONS, Ruleset
from registry.templatetags.register import anchor
from registry.worded import WordedReading


class Rules(PageView):
    """The ordinance in our own words, the numbers in force, the readings; for staff the matrix."""

    capability = Capability.PUBLIC
    template_name = "registry/rules.html"
    title = gettext_lazy("The rules")

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The rules of today."""
        law = law_on(timezone.localdate(), settings.RULESET)
        shown = {
            "law": law,
            "texts": [(anchor(text.cite), text) for text in law.texts.values()],
            "tests": tests_of(law),
            "grounds": law.grounds.values(),
            "readings": [readings_told(reading) for reading in law.readings.values()],
        }
        return self.page(shown | self._for_staff())

    def _for_staff(self) -> dict[str, Any]:
        if not is_regulator(self.request.user):
            return {}
        roles = [*Role, "account holder"]
        rows = [
            (_(capability.value), [role in allowed for role in roles])
            for capability, allowed in MATRIX.items()
        ]
        return {"matrix": rows, "roles": [str(getattr(role, "label", role)) for role in roles]}


def tests_of(law: Ruleset) -> list[Any]:
    """The tests that are made of a worker, in the order in which they decide."""
    wanted = (
        "license", "membership", "suspension", "tenure", "activity", "one_other", "lessor", "age",
        "presence", "residence", "membership_class",
    )  # fmt: skip
    return [getattr(law, name) for name in wanted if name in PROVISIONS]


def readings_told(reading: Reading) -> WordedReading:
    """One open question of the text, with the way it is read here and the other ways."""
    others = "; ".join(reading.says(value) for value in reading.others)
    taken = reading.says(reading.value)
    return WordedReading(reading.question, taken, others, confirmed=reading.confirmed)


urls: list[URLPattern] = [path("rules/", Rules.as_view(), name="rules")]
