"""Acts on the lines of a roster: end, suspend, correct, take back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from registry.access import Capability
from registry.forms import ConfirmForm, RegisterForm
from registry.periods import Period
from volunteers.correcting import (
    Corrected,
    Correction,
    Fallen,
    correct_membership,
    fallen_with,
    fallen_without,
    may_void,
    not_yours_to_take_back,
    void_line,
)
from volunteers.ending import cut_by, end_membership
from volunteers.models import Activity, Assignment, Membership
from volunteers.roster_forms import (
    CorrectForm,
    LeaveForm,
    SuspensionEndForm,
    SuspensionForm,
)
from volunteers.rosters import name_for
from volunteers.selectors import (
    activity_for,
    assignment_for,
    line_for,
    suspension_for,
)
from volunteers.suspending import end_suspension, suspend_member
from volunteers.views.roster_base import PersonAct, RowAct, approval_words, worded_for
from volunteers.words.shown import long_day


class MembershipEnd(PersonAct):
    """Record the leave date; shows first which approvals end with it."""

    capability = Capability.KEEP_ROSTER
    title = gettext_lazy("End the membership of %(name)s")
    form_class = LeaveForm
    verb = gettext_lazy("End the membership")
    is_dangerous = True
    asks_first = True
    done_message = gettext_lazy("The leave date is recorded.")

    def form_arguments(self) -> dict[str, Any]:
        """Today, unless another day is known."""
        return {"initial": {"ends_on": self.membership.ends_on or timezone.localdate()}}

    def preview(self, form: Any) -> Mapping[str, Any]:
        """The leave date, and the approvals that it cuts."""
        day = form.cleaned_data["ends_on"]
        cut = cut_by(self.membership, Period(self.membership.starts_on, day))
        shown = {"name": self.name, "day": long_day(day)}
        return {
            "sentence": _("The last day of %(name)s's membership is %(day)s.") % shown,
            "consequences": [_cut(row, last) for row, last in cut]
            or [_("No approval ends by this.")],
        }

    def act(self, form: Any) -> Membership:
        """End it."""
        with form.on_paper():
            return end_membership(self.by, self.membership, last_day=form.cleaned_data["ends_on"])


def _cut(row: Assignment, last: Any) -> str:
    approval = approval_words(row)
    if last < row.starts_on:
        return _("Withdrawn: the approval as %(approval)s.") % {"approval": approval}
    shown = {"approval": approval, "day": long_day(last)}
    return _("Ends on %(day)s: the approval as %(approval)s. Its tag is good to that day.") % shown


class SuspensionAdd(PersonAct):
    """Record that the organization suspended a person."""

    capability = Capability.KEEP_ROSTER
    title = gettext_lazy("Record a suspension of %(name)s")
    form_class = SuspensionForm
    verb = gettext_lazy("Record the suspension")
    done_message = gettext_lazy("The suspension is recorded. Tags are not good on its days.")

    def act(self, form: Any) -> Any:
        """Suspend."""
        taken = form.cleaned_data
        with form.on_paper():
            return suspend_member(
                self.by,
                self.membership,
                starts_on=taken["starts_on"],
                ends_on=taken["ends_on"],
                reason=taken["reason"],
            )


class SuspensionEnd(RowAct):
    """Record the last day of a suspension."""

    capability = Capability.KEEP_ROSTER
    title = gettext_lazy("End the suspension of %(name)s")
    form_class = SuspensionEndForm
    verb = gettext_lazy("End the suspension")
    done_message = gettext_lazy("The end is recorded. The 30 days start again on the day after.")

    def find(self) -> Any:
        """A suspension of this organization."""
        return suspension_for(self.request.user, self.own, self.kwargs["pk"])

    def form_arguments(self) -> dict[str, Any]:
        """Today, unless another day is known."""
        return {"initial": {"ends_on": self.row.ends_on or timezone.localdate()}}

    def act(self, form: Any) -> Any:
        """End it."""
        with form.on_paper():
            return end_suspension(self.by, self.row, last_day=form.cleaned_data["ends_on"])


class MembershipCorrect(PersonAct):
    """A supervisor corrects dates or kind; shows first which approvals fall by which cite."""

    capability = Capability.CORRECT
    title = gettext_lazy("Correct the membership of %(name)s")
    form_class = CorrectForm
    verb = gettext_lazy("Correct the membership")
    is_dangerous = True
    asks_first = True
    preview_template = "volunteers/membership_fallen.html"

    def form_arguments(self) -> dict[str, Any]:
        """What stands there now."""
        row = self.membership
        return {
            "initial": {"starts_on": row.starts_on, "ends_on": row.ends_on, "kind": row.kind},
        }

    def _correction(self, form: Any) -> Correction:
        taken = form.cleaned_data
        return Correction(
            period=Period(taken["starts_on"], taken["ends_on"]),
            kind=taken["kind"],
            end_fallen=taken["end_fallen"],
            grant_anew=taken["grant_anew"],
        )

    def preview(self, form: Any) -> Mapping[str, Any]:
        """The approvals that would fall, each with its verdicts and what becomes of it."""
        correction = self._correction(form)
        fallen = fallen_with(self.membership, correction.period)
        return {"fallen": _fallen_shown(self.by, fallen), "correction": correction}

    def act(self, form: Any) -> Corrected:
        """Correct."""
        with form.on_paper():
            return correct_membership(
                self.by,
                self.membership,
                self._correction(form),
                reason=form.cleaned_data["reason"],
            )

    def done(self, result: Any) -> HttpResponseBase:
        """Say what fell, what was approved anew and who was not, and why."""
        told = ngettext(
            "Corrected. %(n)s approval no longer stands.",
            "Corrected. %(n)s approvals no longer stand.",
            len(result.fallen),
        )
        messages.success(self.request, told % {"n": len(result.fallen)})
        for row in result.anew.made:
            told = _("Approved anew from today: %(approval)s.") % {"approval": approval_words(row)}
            messages.success(self.request, told)
        for _person, refused in result.anew.refused:
            told = refused.message
            if refused.ruling:
                told = worded_for(self.request.user, refused.ruling).spoken
            messages.warning(self.request, _("Not approved anew. %(why)s") % {"why": told})
        return super().done(result)


def _fallen_shown(user: Any, fallen: Sequence[Fallen]) -> list[dict[str, Any]]:
    """Approvals that fall, in words."""
    return [
        {
            "approval": approval_words(one.assignment),
            "cite": one.cite,
            "last_day": None if one.falls else one.last_day,
            "ruling": worded_for(user, one.ruling) if not one.ruling.allows else None,
        }
        for one in fallen
    ]


class RowVoid(RowAct):
    """Take back what was entered in error; shows first what rests on it."""

    capability = Capability.KEEP_ROSTER
    about = gettext_lazy(
        "Only for what was entered in error. What has changed since then is ended, not taken back."
    )
    form_class = ConfirmForm
    verb = gettext_lazy("Take it back")
    is_dangerous = True
    asks_first = True
    preview_template = "volunteers/membership_fallen.html"
    done_message = gettext_lazy("Taken back. The history keeps it with your reason.")

    def form(self) -> RegisterForm:
        """The form, for those who may take this row back."""
        if not may_void(self.by, self.row):
            raise PermissionDenied(not_yours_to_take_back())
        return super().form()

    def preview(self, form: RegisterForm) -> Mapping[str, Any]:
        """The approvals that rest on it."""
        row = self.row
        fallen = fallen_without(row) if isinstance(row, Membership | Activity) else []
        return {"fallen": _fallen_shown(self.by, fallen), "voids": True}

    def act(self, form: RegisterForm) -> Any:
        """Take it back."""
        return void_line(self.by, self.row, reason=form.cleaned_data["reason"])


class MembershipVoid(RowVoid):
    """Take back a line of the roster."""

    title = gettext_lazy("Take back the line of %(name)s")

    def find(self) -> Any:
        """A line of this roster."""
        return line_for(self.request.user, self.own, self.kwargs["pk"])

    @property
    def name(self) -> str:
        """The name on this very line."""
        return name_for(self.request.user, self.row)


class ActivityVoid(RowVoid):
    """Take back an activity."""

    title = gettext_lazy("Take back an activity of %(name)s")

    def find(self) -> Any:
        """An activity for this organization."""
        return activity_for(self.request.user, self.own, self.kwargs["pk"], void=True)


class SuspensionVoid(RowVoid):
    """Take back a suspension."""

    title = gettext_lazy("Take back a suspension of %(name)s")

    def find(self) -> Any:
        """A suspension by this organization."""
        return suspension_for(self.request.user, self.own, self.kwargs["pk"], void=True)


class AssignmentVoid(RowVoid):
    """Take back an approval."""

    capability = Capability.ASSIGN
    title = gettext_lazy("Take back an approval of %(name)s")

    def find(self) -> Any:
        """An approval for this organization."""
        return assignment_for(self.request.user, self.own, self.kwargs["pk"], void=True)


PEOPLE = "organizations/<slug:slug>/people/"
ROWS = "organizations/<slug:slug>/"
urls: list[URLPattern] = [
    path(f"{PEOPLE}<int:pk>/end/", MembershipEnd.as_view(), name="membership_end"),
    path(f"{PEOPLE}<int:pk>/correct/", MembershipCorrect.as_view(), name="membership_correct"),
    path(f"{PEOPLE}<int:pk>/void/", MembershipVoid.as_view(), name="membership_void"),
    path(f"{PEOPLE}<int:pk>/suspend/", SuspensionAdd.as_view(), name="suspension_add"),
    path(f"{ROWS}suspensions/<int:pk>/end/", SuspensionEnd.as_view(), name="suspension_end"),
    path(f"{ROWS}suspensions/<int:pk>/void/", SuspensionVoid.as_view(), name="suspension_void"),
    path(f"{ROWS}activities/<int:pk>/void/", ActivityVoid.as_view(), name="activity_void"),
    path(f"{ROWS}approvals/<int:pk>/void/", AssignmentVoid.as_view(), name="assignment_void"),
]
