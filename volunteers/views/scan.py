"""What anyone reads who scans a tag: good today, not good today, replaced, or unknown."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext_lazy as _

from registry.access import Capability, is_regulator
from registry.generic import PageView
from registry.ruleset import in_force
from registry.throttle import throttled
from registry.worded import Mark
from volunteers.tagging import TagAnswer, TagState, check_tag, ruling_today
from volunteers.words.page import worded

LINES = {
    TagState.GOOD: (Mark.CLEARED, _("Good today")),
    TagState.NOT_GOOD: (Mark.NOT_CLEARED, _("Not good today")),
    TagState.REPLACED: (Mark.NOT_CLEARED, _("Replaced")),
    TagState.UNKNOWN: (Mark.MISSING, _("Unknown tag")),
}
NEXT = {
    TagState.GOOD: "",
    TagState.NOT_GOOD: _("Ask the person in charge."),
    TagState.REPLACED: _("A newer tag took its place. Ask the person in charge."),
    TagState.UNKNOWN: _("The register knows no tag with this code."),
}


class Scan(PageView):
    """One screen on a phone, for today only; reasons are for regulators."""

    capability = Capability.PUBLIC
    template_name = "volunteers/scan.html"
    title = _("Name tag")

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The answer; all unknown codes look alike."""
        if limited := throttled(request, "scan"):
            return limited
        answer = check_tag(kwargs["token"], timezone.localdate())
        mark, line = LINES[answer.state]
        shown = {
            "answer": answer,
            "mark": mark,
            "line": line,
            "next": NEXT[answer.state],
            "is_good": answer.state is TagState.GOOD,
            "now": timezone.localtime(),
            "more": self._more(answer),
        }
        response = self.page(shown)
        response["X-Robots-Tag"] = "noindex"
        add_never_cache_headers(response)
        return response

    def _more(self, answer: TagAnswer) -> dict[str, Any] | None:
        """For regulators: the ruling with its reasons, and the way to the person."""
        if answer.tag is None or not is_regulator(self.request.user):
            return None
        assignment, today = answer.tag.assignment, timezone.localdate()
        ruling = ruling_today(assignment, today, tuple(assignment.duties))
        return {
            "ruling": worded(ruling, in_force(today), county=True),
            "person": assignment.person,
            "organization": assignment.organization,
        }


urls: list[URLPattern] = [
    # Upper case, because the code on the tag is smaller that way.
    path("T/<str:token>", Scan.as_view(), name="tag_scan"),
    path("t/<str:token>", Scan.as_view()),
]
