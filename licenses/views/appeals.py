"""Appeals, stays, results, the packet for the board; and an officer who leaves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from licenses.appealing import Filing, Result, file_appeal
from licenses.bodies import officer_left
from licenses.forms_orders import AppealForm, OfficerForm, ResultForm, StayForm
from licenses.models import Appeal, Decision, Officer
from licenses.packets import appeal_packet
from licenses.reading import officer_for
from licenses.selectors import appeal_for, decision_for
from registry import flows
from registry.access import Capability
from registry.forms import RegisterForm
from registry.generic import PageView, pdf_response
from registry.tables import Link
from registry.views.parties import OrganizationAct, up_to


def page_about(decision: Decision) -> str:
    """The page on which a decision stands: its application's, else its license's."""
    slug = decision.organization.slug
    if decision.application is not None:
        return reverse("application_work", args=[slug, decision.application.number])
    assert decision.license is not None
    return reverse("license_detail", args=[slug, decision.license.number])


class DecisionAct(OrganizationAct):
    """An act about one decision; done, it leads back to where the decision stands."""

    capability = Capability.WORK_ON_APPLICATIONS
    decision: Decision

    def find(self) -> None:
        """The decision of the address."""
        found = decision_for(self.request.user, self.own, self.kwargs["pk"])
        if found is None:
            raise Http404
        self.decision = found

    @property
    def about(self) -> str:
        """Which decision."""
        return str(self.decision)

    def success_url(self, result: Any) -> str:
        """Where the decision stands."""
        return page_about(self.decision)


class AppealFile(DecisionAct):
    """An appeal came in."""

    title = gettext_lazy("Record an appeal")
    verb = gettext_lazy("Record the appeal")
    form_class = AppealForm
    done_message = gettext_lazy("The appeal is recorded. It stays nothing by itself.")

    def act(self, form: RegisterForm) -> Any:
        """Record it."""
        typed = form.cleaned_data
        filing = Filing(typed["filed_on"], paper=typed.get("paper") or None)
        return file_appeal(self.by, self.decision, filing)


class AppealAct(OrganizationAct):
    """An act on one appeal."""

    capability = Capability.WORK_ON_APPLICATIONS
    appeal: Appeal

    def find(self) -> None:
        """The appeal of the address."""
        found = appeal_for(self.request.user, self.own, self.kwargs["pk"])
        if found is None:
            raise Http404
        self.appeal = found

    @property
    def about(self) -> str:
        """Against which decision."""
        return str(self.appeal)

    def success_url(self, result: Any) -> str:
        """Where the decision stands."""
        return page_about(self.appeal.decision)


class AppealStay(AppealAct):
    """The board or a court stays the decision."""

    title = gettext_lazy("Record a stay")
    verb = gettext_lazy("Record the stay")
    form_class = StayForm
    done_message = gettext_lazy("Recorded: the order does not hold on those days.")

    def act(self, form: RegisterForm) -> Any:
        """Record it."""
        typed = form.cleaned_data
        return flows.order_stay(
            self.by,
            self.appeal,
            stay_from=typed["stay_from"],
            stay_to=typed["stay_to"],
            ordered_by=typed["stay_cite"],
        )


class AppealClose(AppealAct):
    """What came of it."""

    title = gettext_lazy("The appeal is decided")
    verb = gettext_lazy("Record the result")
    form_class = ResultForm
    done_message = gettext_lazy("The result is recorded.")

    def act(self, form: RegisterForm) -> Any:
        """Record it."""
        typed = form.cleaned_data
        names = ("outcome", "outcome_on", "outcome_by", "note")
        return flows.close_appeal(self.by, self.appeal, Result(**{n: typed[n] for n in names}))


class AppealPacket(PageView):
    """The file of an appeal as one paginated paper."""

    capability = Capability.WORK_ON_APPLICATIONS

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The packet; that it was printed is kept."""
        found = appeal_for(request.user, self.own, kwargs["pk"])
        if found is None:
            raise Http404
        return pdf_response(appeal_packet(self.by, found), "appeal.pdf")


class OfficerLeft(OrganizationAct):
    """An officer leaves; two must still sign checks."""

    capability = Capability.APPLY
    title = gettext_lazy("An officer left")
    verb = gettext_lazy("Record it")
    form_class = OfficerForm
    officer: Officer

    def find(self) -> None:
        """The officer of the address."""
        found = officer_for(self.request.user, self.own, self.kwargs["pk"])
        if found is None:
            raise Http404
        self.officer = found

    @property
    def about(self) -> str:
        """Who, and what follows for the checks."""
        if not self.officer.signs_checks:
            return str(self.officer)
        signs = _("signs checks: two principal officers must sign every one (§ 10-64(b))")
        return f"{self.officer} · {signs}"

    def act(self, form: RegisterForm) -> Any:
        """Record it."""
        return officer_left(self.by, self.officer, last_day=form.cleaned_data["last_day"])

    def trail(self) -> Sequence[Link]:
        """Up to the organization."""
        return [up_to(self.own)]


OF_BODY = "organizations/<slug:slug>/"
APPEAL = OF_BODY + "appeals/<int:pk>/"
urls: list[URLPattern] = [
    path(OF_BODY + "decisions/<int:pk>/appeal/", AppealFile.as_view(), name="ruling_appeal"),
    path(APPEAL + "stay/", AppealStay.as_view(), name="appeal_stay"),
    path(APPEAL + "result/", AppealClose.as_view(), name="appeal_close"),
    path(APPEAL + "packet/", AppealPacket.as_view(), name="appeal_packet"),
    path(OF_BODY + "officers/<int:pk>/left/", OfficerLeft.as_view(), name="officer_left"),
]
