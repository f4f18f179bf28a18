"""Record that an organization was taken over by another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

from registry.access import BadInput, Capability
from registry.fields import DateField, Lookup, LookupField
from registry.forms import RegisterForm, Why
from registry.party_forms import reason_field
from registry.selectors import organizations
from registry.templatetags.register import short_day
from registry.uploads import UploadField
from registry.views.parties import OrganizationAct
from volunteers.merging import Merger, check_merger, merge_organizations, plan_merger
from volunteers.views.desk import organization_choices


class MergeForm(RegisterForm):
    """Into which organization, on which day, by which paper, and why."""

    survivor = LookupField(label=gettext_lazy("Merged into"))
    merged_on = DateField(label=gettext_lazy("Day of the merger"), latest=timezone.localdate)
    document = UploadField(
        label=gettext_lazy("The paper of the merger"),
        about=gettext_lazy("Articles of merger or the like."),
    )
    reason = reason_field()

    why = {
        "survivor": Why(
            gettext_lazy("From that day both are one organization, and time with it counts on."),
            "§ 10-63(10), (12)",
        )
    }

    def prepare(self) -> None:
        """Bind the type-ahead to the organizations of the register."""
        field: Any = self.fields["survivor"]
        field.use(
            Lookup(
                search=lambda text: organization_choices(self.by, text),
                find=lambda key: organizations(self.by).filter(slug=key).first(),
                url=reverse("organization_lookup"),
            )
        )


class OrganizationMerge(OrganizationAct):
    """One body takes over another: members' time, activities and approvals go on under it."""

    capability = Capability.CORRECT
    title = gettext_lazy("Record a merger")
    about = gettext_lazy(
        "For two legal bodies that have become one. The register keeps both, and the history of"
        " each; a merger cannot be taken back here."
    )
    verb = gettext_lazy("Record the merger")
    form_class = MergeForm
    is_live = True
    is_dangerous = True

    def _live(self, form: RegisterForm) -> HttpResponse:
        """The consequences show as soon as organization and day are known."""
        form.is_valid()
        if {"survivor", "merged_on"} - form.cleaned_data.keys():
            return HttpResponse("")
        return self.page(self.preview(form), template=self.preview_template)

    def preview(self, form: RegisterForm) -> Mapping[str, Any]:
        """What happens to rosters, approvals and licenses."""
        survivor, merged_on = (form.cleaned_data[name] for name in ("survivor", "merged_on"))
        try:
            check_merger(self.own, survivor, merged_on)
        except BadInput as bad:
            return {"sentence": bad.message}
        sentence = _("%(gone)s becomes part of %(survivor)s from %(day)s on.") % {
            "gone": self.own.name,
            "survivor": survivor.name,
            "day": short_day(merged_on),
        }
        plan = plan_merger(self.own, survivor, merged_on)
        return {"sentence": sentence, "consequences": consequences(plan)}

    def act(self, form: RegisterForm) -> Merger:
        """Write it."""
        typed = form.cleaned_data
        return merge_organizations(
            self.by,
            self.own,
            typed["survivor"],
            merged_on=typed["merged_on"],
            paper=typed["document"],
            reason=typed["reason"],
        )

    def done(self, result: Merger) -> HttpResponseBase:
        """Say what went over."""
        told = _("The merger is recorded. %(what)s")
        messages.success(self.request, told % {"what": " ".join(consequences(result))})
        return super().done(result)


CONSEQUENCES = {
    "memberships": ngettext_lazy(
        "%(count)s membership goes on there, its time counted from its own join date.",
        "%(count)s memberships go on there, their time counted from their own join dates.",
        "count",
    ),
    "suspensions": ngettext_lazy(
        "%(count)s suspension goes on there.", "%(count)s suspensions go on there.", "count"
    ),
    "approvals": ngettext_lazy(
        "%(count)s approval goes on there and needs a new name tag.",
        "%(count)s approvals go on there and need new name tags.",
        "count",
    ),
    "approvals_ended": ngettext_lazy(
        "%(count)s approval ends, because no license there covers it or the person works for too"
        " many organizations: it waits on the clerk's list.",
        "%(count)s approvals end, because no license there covers them or the person works for too"
        " many organizations: they wait on the clerk's list.",
        "count",
    ),
    "places_freed": ngettext_lazy(
        "%(count)s person worked for both: that is one organization now.",
        "%(count)s people worked for both: that is one organization now.",
        "count",
    ),
    "licenses_ended": ngettext_lazy(
        "Its license ends the day before: a license is its holder's alone.",
        "Its %(count)s licenses end the day before: a license is its holder's alone.",
        "count",
    ),
}


def consequences(plan: Merger) -> list[str]:
    """What a merger does, a sentence each; what does not happen is left out."""
    said = [CONSEQUENCES[what] % {"count": n} for what, n in plan.counts.items() if n]
    return [str(text) for text in said] or [_("Nothing of it reaches that day or beyond.")]


urls: list[URLPattern] = [
    path(
        "organizations/<slug:slug>/merge/", OrganizationMerge.as_view(), name="organization_merge"
    ),
]
