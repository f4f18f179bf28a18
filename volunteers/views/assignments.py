"""Worker approvals: for one person with a live preview; ended, freed, asked for."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import cached_property
from typing import Any

from django.contrib import messages
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from registry.access import Capability, Refused
from registry.verdicts import Ruling
from registry.worded import WordedRuling
from volunteers.assigning import Grant, Judged, assign, judge
from volunteers.assignment_forms import (
    AskPlaceForm,
    AssignForm,
    EndForm,
    FreePlaceForm,
)
from volunteers.ending import ask_for_place, end_assignment, free_place
from volunteers.models import Assignment
from volunteers.selectors import assignment_for, seen_by
from volunteers.views.roster_base import (
    PersonAct,
    RowAct,
    approval_words,
    day_of,
    worded_for,
    worded_refusal,
)
from volunteers.words.shown import long_day


class AssignmentNew(PersonAct):
    """Approve one person; the ruling follows while the form is filled in."""

    capability = Capability.ASSIGN
    title = gettext_lazy("Approve %(name)s as a worker")
    template_name = "volunteers/assignment_new.html"
    preview_template = "volunteers/assignment_preview.html"
    form_class = AssignForm
    is_live = True
    later: date | None = None

    @property
    def verb(self) -> str:
        """Approve for Marsh Lantern Post 1."""
        return _("Approve for %(organization)s") % {"organization": self.own}

    def form_arguments(self) -> dict[str, Any]:
        """The first day of the address, today when it names none; the duties it names."""
        starts_on = day_of(self.request.GET.get("starts_on")) or timezone.localdate()
        duties = self.request.GET.getlist("duties")
        day = max(starts_on, timezone.localdate())
        return {"initial": {"starts_on": day, "duties": duties}}

    def _judged(self, grant: Grant) -> Judged:
        person = self.membership.person
        return judge([person], self.own, grant)[person.pk]

    def preview(self, form: Any) -> Mapping[str, Any]:
        """The ruling for the days and duties typed, and the first lawful day where it is later."""
        grant = form.grant()
        judged = self._judged(grant)
        confirmed = judged.confirmed
        seen = seen_by(self.request.user, judged.ruling, confirmed=confirmed)
        self._offer(seen)
        return {
            "ruling": worded_for(self.request.user, judged.ruling, confirmed=confirmed),
            "hindrance": judged.hindrance,
            "last_day": judged.last_day if judged.allows else None,
            "later": self.later,
            "later_url": self._later_url(grant),
        }

    def _offer(self, seen: Ruling) -> None:
        """“Not yet” offers the first lawful day, as far as it may be known."""
        day = seen.eligible_on
        self.later = day if day and not seen.allows and day > seen.on else None

    def _later_url(self, grant: Grant) -> str:
        if self.later is None:
            return ""
        query = [("starts_on", self.later.isoformat()), *(("duties", d) for d in grant.duties)]
        return f"{self.request.path}?{urlencode(query)}"

    def act(self, form: Any) -> Assignment:
        """Approve, or be refused; either is kept."""
        self.asked = form.grant()
        with form.on_paper():
            return assign(self.by, self.membership.person, self.own, self.asked)

    def word(self, refused: Refused) -> WordedRuling:
        """The verdicts, and the first lawful day where there is one."""
        confirmed = self._confirmed
        # One answer on the page: the refusal stands in the preview's stead.
        self.is_live = False
        if refused.ruling is not None:
            self._offer(seen_by(self.request.user, refused.ruling, confirmed=confirmed))
        return worded_refusal(self.request.user, refused, confirmed=confirmed)

    @cached_property
    def _confirmed(self) -> bool:
        return self._judged(Grant(timezone.localdate(), ())).confirmed

    def context(self) -> dict[str, Any]:
        """After a refusal, the way to the first lawful day."""
        offered = {"later": self.later, "later_url": self._later_url(self.asked)}
        return super().context() | (offered if self.later else {})

    asked = Grant(date.min, ())

    def done(self, result: Any) -> HttpResponseBase:
        """Say from when to when."""
        messages.success(self.request, _("Approved: %s.") % approval_words(result))
        return super().done(result)


class ApprovalAct(RowAct):
    """An act about one approval of the organization."""

    def find(self) -> Any:
        """An approval of this organization, void or not: a form pressed twice finds it again."""
        return assignment_for(self.request.user, self.own, self.kwargs["pk"], void=True)

    @property
    def about(self) -> str:
        """Which approval it is."""
        return approval_words(self.row)


class AssignmentEnd(ApprovalAct):
    """End an approval on a day; one that has not begun is withdrawn."""

    capability = Capability.ASSIGN
    title = gettext_lazy("End the approval of %(name)s")
    form_class = EndForm
    verb = gettext_lazy("End the approval")
    is_dangerous = True
    asks_first = True
    done_message = gettext_lazy("The approval ends. Its tag is good to that day.")

    def form_arguments(self) -> dict[str, Any]:
        """Today."""
        return {"initial": {"ends_on": timezone.localdate()}}

    def preview(self, form: Any) -> Mapping[str, Any]:
        """What the last day means."""
        day = form.cleaned_data["ends_on"]
        if day < self.row.starts_on:
            return {"sentence": _("The approval is withdrawn before it begins.")}
        told = _("The last day is %(day)s. From the day after, the place is free.")
        return {"sentence": told % {"day": long_day(day)}}

    def act(self, form: Any) -> Assignment:
        """End it."""
        taken = form.cleaned_data
        with form.on_paper():
            return end_assignment(
                self.by, self.row, last_day=taken["ends_on"], reason=taken["reason"]
            )


class AssignmentFree(ApprovalAct):
    """A clerk frees a place on the person's own signed statement (decisions 17)."""

    capability = Capability.KEEP_PEOPLE
    title = gettext_lazy("Free the place of %(name)s")
    form_class = FreePlaceForm
    verb = gettext_lazy("Free the place")
    is_dangerous = True
    asks_first = True
    done_message = gettext_lazy("The place is free from the day after the last day.")

    def form_arguments(self) -> dict[str, Any]:
        """Received today."""
        today = timezone.localdate()
        return {"initial": {"received_on": today, "stated_on": today}}

    def preview(self, form: Any) -> Mapping[str, Any]:
        """The later of the two days counts."""
        taken = form.cleaned_data
        day = long_day(max(taken["received_on"], taken["stated_on"]))
        told = _("The approval ends on %(day)s: the later of receipt and the day stated.")
        return {"sentence": told % {"day": day}}

    def act(self, form: Any) -> Assignment:
        """Free it."""
        taken = form.cleaned_data
        return free_place(
            self.by,
            self.row,
            received_on=taken["received_on"],
            stated_on=taken["stated_on"],
            reason=taken["reason"],
        )


class AssignmentAsk(PersonAct):
    """Ask the clerk for a place; whoever holds it never learns who asked."""

    capability = Capability.KEEP_ROSTER
    title = gettext_lazy("Ask for a place for %(name)s")
    about = gettext_lazy(
        "The county clerk asks whether a place can be freed, without saying who would like it."
        " Only the person's own signed statement frees it."
    )
    form_class = AskPlaceForm
    verb = gettext_lazy("Ask the county clerk")
    done_message = gettext_lazy("The county clerk has your request.")

    def act(self, form: Any) -> Any:
        """Ask."""
        return ask_for_place(self.by, self.membership, reason=form.cleaned_data["reason"])


ROWS = "organizations/<slug:slug>/"
urls: list[URLPattern] = [
    path(f"{ROWS}people/<int:pk>/approve/", AssignmentNew.as_view(), name="assignment_new"),
    path(f"{ROWS}people/<int:pk>/ask-place/", AssignmentAsk.as_view(), name="assignment_ask"),
    path(f"{ROWS}approvals/<int:pk>/end/", AssignmentEnd.as_view(), name="assignment_end"),
    path(f"{ROWS}approvals/<int:pk>/free/", AssignmentFree.as_view(), name="assignment_free"),
]
