"""The list of organizations with how they stand; issue, suspend and void licenses; exemption."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from django.contrib import messages
from django.http import Http404
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from licenses.forms import ExemptionForm, LicenseForm, SuspendForm, SuspensionEndForm
from licenses.irs import status_of
from licenses.irs_acts import exemption_from
from licenses.models import Exemption, License, Sanction
from licenses.rules import last_day_of_term
from licenses.selectors import (
    exemption_of,
    license_for,
    organizations_on,
    standing_of,
    suspension_for,
)
from licenses.services import (
    end_suspension,
    issue_license,
    record_exemption,
    suspend_license,
    void_license,
    void_suspension,
)
from licenses.tables import OrganizationFilters, OrganizationTable
from licenses.words import sentence, short_day
from registry.access import Capability, can
from registry.entries import Unreadable, read_day
from registry.forms import ConfirmForm, RegisterForm
from registry.generic import TableView
from registry.tables import Link
from registry.templatetags.register import span
from registry.views.parties import OrganizationAct


def day_asked(text: str) -> date:
    """The day an address names, today when it names none that can be read."""
    today = timezone.localdate()
    try:
        return read_day(text, today.year) if text else today
    except Unreadable:
        return today


class OrganizationList(TableView):
    """Every legal body of the county and how its licenses stand on a day."""

    capability = Capability.SEE_REGISTER
    title = gettext_lazy("Organizations")
    table_class = OrganizationTable
    filterset_class = OrganizationFilters
    switch = "standing"
    export_name = "organizations"

    def rows(self) -> Any:
        """All of them, with their licenses on the day of the address."""
        return organizations_on(self.request.user, day_asked(self.request.GET.get("on", "")))

    def acts(self) -> Sequence[Link]:
        """Enter a body that is not there yet."""
        if not can(self.request.user, Capability.KEEP_ORGANIZATIONS):
            return ()
        return [
            Link(_("Enter an organization"), reverse("organization_new")),
            Link(_("Enter one from the IRS file"), reverse("irs_search"), kind="outline"),
        ]


class LicenseIssue(OrganizationAct):
    """Record a license under the next number of its class and year."""

    title = gettext_lazy("Issue a license")
    verb = gettext_lazy("Issue the license")
    form_class = LicenseForm
    is_live = True

    def preview(self, form: RegisterForm) -> Mapping[str, Any]:
        """What it would be, and a word where the last day is not the end of the license year."""
        typed = form.cleaned_data
        usual = last_day_of_term(typed["issued_on"])
        days = {"first": short_day(typed["issued_on"]), "last": short_day(typed["expires_on"])}
        said = {
            "sentence": _("The license would run from %(first)s to %(last)s (last day).") % days
        }
        if typed["expires_on"] == usual:
            return said
        end = _("By § 10-91(a) a license issued that day ends on %(usual)s.")
        return said | {"consequences": [end % {"usual": short_day(usual)}]}

    def act(self, form: RegisterForm) -> Any:
        """Write it."""
        names = ("license_class", "issued_on", "expires_on")
        return issue_license(self.by, self.own, **{name: form.cleaned_data[name] for name in names})

    def done(self, result: Any) -> HttpResponseBase:
        """Say the number that was given."""
        text = _("The license is in the register as %(number)s.")
        messages.success(self.request, text % {"number": result.number})
        return super().done(result)


class LicenseAct(OrganizationAct):
    """An act on one license of the organization of the address."""

    license: License

    def find(self) -> None:
        """The license of this number."""
        found = license_for(self.request.user, self.own, self.kwargs["number"])
        if found is None:
            raise Http404
        self.license = found

    @property
    def about(self) -> str:
        """Which license, and how it stands."""
        return f"{self.license.number}: {sentence(standing_of(self.license, timezone.localdate()))}"


class LicenseSuspend(LicenseAct):
    """Record what the county administrator ordered (§ 10-93)."""

    title = gettext_lazy("Suspend the license")
    verb = gettext_lazy("Suspend the license")
    form_class = SuspendForm
    is_dangerous = True
    done_message = gettext_lazy("The suspension is recorded. Nobody is cleared on those days.")

    def act(self, form: RegisterForm) -> Any:
        """Write it."""
        names = ("starts_on", "ends_on", "reason", "cite")
        return suspend_license(
            self.by, self.license, **{name: form.cleaned_data[name] for name in names}
        )


class LicenseVoid(LicenseAct):
    """Take out a license that was entered in error."""

    title = gettext_lazy("Take the license out")
    verb = gettext_lazy("Take the license out")
    form_class = ConfirmForm
    is_dangerous = True
    done_message = gettext_lazy("The license is out. Its number is not given again.")

    def act(self, form: RegisterForm) -> Any:
        """Void it, with the reason."""
        return void_license(self.by, self.license, reason=form.cleaned_data["reason"])


class SuspensionAct(LicenseAct):
    """An act on one suspension of the license of the address."""

    suspension: Sanction

    def find(self) -> None:
        """The suspension, of this license."""
        super().find()
        found = suspension_for(self.request.user, self.license, self.kwargs["pk"])
        if found is None:
            raise Http404
        self.suspension = found

    @property
    def about(self) -> str:
        """Which license, and since when it is suspended."""
        return f"{self.license.number}: {_('suspended')} {span(self.suspension)}"


class SuspensionEnd(SuspensionAct):
    """Record the last day of a suspension."""

    title = gettext_lazy("End the suspension")
    verb = gettext_lazy("End the suspension")
    form_class = SuspensionEndForm
    done_message = gettext_lazy("The last day of the suspension is recorded.")

    def act(self, form: RegisterForm) -> Any:
        """Write it."""
        return end_suspension(self.by, self.suspension, last_day=form.cleaned_data["last_day"])


class SuspensionVoid(SuspensionAct):
    """Take out a suspension that was entered in error."""

    title = gettext_lazy("Take the suspension out")
    verb = gettext_lazy("Take the suspension out")
    form_class = ConfirmForm
    is_dangerous = True
    done_message = gettext_lazy("The suspension is out; the history keeps it.")

    def act(self, form: RegisterForm) -> Any:
        """Void it, with the reason."""
        return void_suspension(self.by, self.suspension, reason=form.cleaned_data["reason"])


class ExemptionRecord(OrganizationAct):
    """Record what an organization shows of its federal exemption."""

    title = gettext_lazy("Record the exemption")
    about = gettext_lazy("Papers are asked for; that one is missing refuses nothing.")
    verb = gettext_lazy("Record the exemption")
    form_class = ExemptionForm
    done_message = gettext_lazy("The exemption is recorded; the earlier record is kept.")

    def form_arguments(self) -> dict[str, Any]:
        """What is recorded so far, or with `?from=irs` what the row in the master file shows."""
        status = status_of(self.own)
        if self.request.GET.get("from") == "irs" and status.basis:
            shown: Any = exemption_from(status)
        else:
            shown = exemption_of(self.own)
        names = ("basis", "evidence", "reference")
        return {"initial": {name: getattr(shown, name) for name in names} if shown else {}}

    def act(self, form: RegisterForm) -> Any:
        """Write it; what rests on the IRS's row keeps the row as it stands."""
        assert isinstance(form, ExemptionForm)
        entry = form.entry
        if entry.evidence == Exemption.Evidence.IRS_ROW:
            entry = replace(entry, snapshot=status_of(self.own).snapshot())
        return record_exemption(self.by, self.own, entry)


OF_BODY = "organizations/<slug:slug>/"
LICENSE = OF_BODY + "licenses/<str:number>/"
SUSPENSION = LICENSE + "suspensions/<int:pk>/"
urls: list[URLPattern] = [
    path("organizations/", OrganizationList.as_view(), name="organization_list"),
    path(OF_BODY + "licenses/new/", LicenseIssue.as_view(), name="license_issue"),
    path(LICENSE + "suspend/", LicenseSuspend.as_view(), name="license_suspend"),
    path(LICENSE + "void/", LicenseVoid.as_view(), name="license_void"),
    path(SUSPENSION + "end/", SuspensionEnd.as_view(), name="license_suspension_end"),
    path(SUSPENSION + "void/", SuspensionVoid.as_view(), name="license_suspension_void"),
    path(OF_BODY + "exemption/", ExemptionRecord.as_view(), name="exemption_record"),
]
