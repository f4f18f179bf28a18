"""The representative of an application as the register judges any worker (§ 10-84(a)(2))."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy

from licenses.reading import answers_of
from licenses.views.applicant import address
from licenses.views.county import ONE, find_application
from registry.access import Capability, is_regulator
from registry.generic import PageView
from registry.human_names import fold
from registry.ruleset import Ruleset, TextUnknown, in_force
from registry.tables import Link
from registry.verdicts import Ruling
from registry.worded import WordedRuling
from volunteers.lookups import answer_for, membership_on, own_lines
from volunteers.models import Membership
from volunteers.rosters import name_for
from volunteers.words.page import worded

LICENSE = "license"
"""The test that asks for a license in force."""


class Representative(PageView):
    """May the representative conduct bingo today? A page, or a part of the step's page."""

    capability = Capability.SEE_OWN
    template_name = "volunteers/representative.html"
    title = gettext_lazy("The representative")

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The answer for whom the application names; in words when the roster does not."""
        self.application = find_application(request.user, self.own, kwargs["number"])
        named = str(answers_of(self.application).get("representative", {}).get("name", ""))
        name = " ".join(named.split())
        lines = self._lines(name) if name else []
        shown = {
            "name": name,
            "lines": len(lines),
            **(self._judged(lines[0]) if len(lines) == 1 else {}),
        }
        part = "HX-Request" in request.headers
        return self.page(shown, template="volunteers/_representative.html" if part else "")

    def trail(self) -> list[Link]:
        """Up to the application."""
        page = reverse("application_detail", args=address(self.application))
        return [Link(self.application.number, page)]

    def _lines(self, name: str) -> list[Membership]:
        """The people of this roster with exactly this name, each once."""
        user, wanted = self.request.user, fold(name)
        fitting = [
            line for line in own_lines(user, self.own, name) if fold(name_for(user, line)) == wanted
        ]
        return list({line.person_id: line for line in fitting}.values())

    def _judged(self, line: Membership) -> dict[str, Any]:
        """The ruling of today, as this user may know it."""
        user, today = self.request.user, timezone.localdate()
        try:
            ruling = answer_for(user, line.person, self.own, today)
        except TextUnknown as unknown:
            return {"unknown": str(unknown)}
        there = membership_on(user, self.own, line.person, today) or line
        return {
            "ruling": himself(ruling, in_force(today), county=is_regulator(user)),
            "since": there.starts_on,
        }


def himself(ruling: Ruling, law: Ruleset, *, county: bool) -> WordedRuling:
    """The tests about the person, without the license that is only being applied for."""
    rest = tuple(verdict for verdict in ruling.verdicts if verdict.rule != LICENSE)
    said = worded(replace(ruling, verdicts=rest), law, county=county)
    return replace(said, spoken="", later="")


urls: list[URLPattern] = [
    path(
        ONE + "representative/verdict/", Representative.as_view(), name="application_representative"
    )
]
