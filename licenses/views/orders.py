"""One license: how it stands, what was ordered, the appeals, and the acts on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from licenses.certificates import print_certificate
from licenses.forms_county import GroundsForm
from licenses.forms_orders import (
    ConditionForm,
    OrderForm,
    ReinstateForm,
    RevokeForm,
    SurrenderForm,
    WarnForm,
    order_of,
)
from licenses.granting import adoptable, switched_off, usable_grounds
from licenses.letters import order_draft
from licenses.models import License
from licenses.ordering import Order, preview_order
from licenses.reading import accounts_on, in_charge_on, officers_on, premises_on
from licenses.renewals import renewable
from licenses.selectors import (
    decisions_on,
    license_for,
    orders_on,
    standing_of,
    suspension_for,
)
from licenses.views.county import ruling_told
from licenses.views.organizations import LICENSE, LicenseAct
from licenses.views.renewing import renew_link
from licenses.words import sentence
from registry import flows
from registry.access import Capability, Refused, can, is_regulator
from registry.adopting import law_on
from registry.forms import RegisterForm
from registry.generic import DetailView, PdfView
from registry.tables import Link
from registry.views.parties import up_to


class LicenseDetail(DetailView):
    """How one license stands today, with everything that was decided about it."""

    capability = Capability.SEE_OWN
    template_name = "licenses/license_detail.html"

    def find(self) -> License:
        """The license of the address."""
        found = license_for(self.request.user, self.own, self.kwargs["number"])
        if found is None:
            raise Http404
        return found

    def get_title(self) -> str:
        """Number and holder."""
        return f"{self.thing.number} · {self.own.name}"

    def standing(self) -> str:
        """Licensed, class A, to Sep 30, 2027."""
        return sentence(standing_of(self.thing, timezone.localdate()))

    def trail(self) -> Sequence[Link]:
        """Up to the organization."""
        return [up_to(self.own)]

    def acts(self) -> Sequence[Link]:
        """Print it; then what this user may order."""
        address = [self.own.slug, self.thing.number]
        links = []
        standing = standing_of(self.thing, timezone.localdate())
        if standing.state.allows or standing.state == "not_yet":
            links.append(Link(_("Print the license"), reverse("license_print", args=address)))
        if can(self.request.user, Capability.APPLY, self.own):
            mine = renewable(self.own, timezone.localdate())
            links += [renew_link(row) for row in mine if row.pk == self.thing.pk]
        wanted: list[tuple[Capability, str, str, str]] = [
            (Capability.DECIDE_LICENSES, "license_warn", _("Warn"), "outline"),
            (Capability.DECIDE_LICENSES, "license_order", _("Suspend"), "outline"),
            (Capability.DECIDE_LICENSES, "license_condition", _("Revoke conditionally"), "danger"),
            (Capability.DECIDE_LICENSES, "license_revoke", _("Revoke"), "danger"),
            (Capability.WORK_ON_APPLICATIONS, "license_surrender", _("Given back"), "outline"),
        ]  # fmt: skip
        links += [
            Link(label, reverse(page, args=address), kind=kind)
            for capability, page, label, kind in wanted
            if can(self.request.user, capability, self.own)
        ]
        return links

    def context(self) -> dict[str, Any]:
        """Orders, decisions with their letters and appeals, who runs it and where."""
        user, today = self.request.user, timezone.localdate()
        return super().context() | {
            "orders": sorted(orders_on(self.thing), key=lambda row: row.starts_on, reverse=True),
            "decisions": [ruling_told(row) for row in decisions_on(user, self.thing)],
            "places": premises_on(user, self.own, today),
            "officers": officers_on(user, self.own, today),
            "in_charge": in_charge_on(user, self.own, today),
            "accounts": accounts_on(user, self.own, today),
            "decides": can(user, Capability.DECIDE_LICENSES, self.own),
            "works": can(user, Capability.WORK_ON_APPLICATIONS, self.own),
            "county_sees": is_regulator(user),
            "changes": can(user, Capability.APPLY, self.own),
        }


class LicenseOrder(LicenseAct):
    """The administrator orders a suspension; the notice is read before it goes."""

    capability = Capability.DECIDE_LICENSES
    title = gettext_lazy("Suspend the license")
    verb = gettext_lazy("Suspend the license")
    template_name = "licenses/grounds_act.html"
    form_class: type[RegisterForm] = OrderForm
    kind = "suspend"
    names: Sequence[str] = ("starts_on", "ends_on")
    is_dangerous = True
    asks_first = True
    preview_template = "licenses/_letter_preview.html"
    done_message = gettext_lazy(
        "It is ordered; the notice is written and e-mailed. Record how it was served."
    )

    def form_arguments(self) -> dict[str, Any]:
        """The grounds in use for this order, the readings to adopt, the days for an appeal."""
        law = law_on(timezone.localdate())
        return {
            "grounds": usable_grounds(law, self.kind, self.license.license_class),
            "readings": adoptable(law),
            "days": law.deadlines.appeal_days,
        }

    def context(self) -> dict[str, Any]:
        """With the grounds that are not in use."""
        law = law_on(timezone.localdate())
        off = switched_off(law, self.kind, self.license.license_class)
        return super().context() | {"switched_off": off}

    def order(self, form: RegisterForm) -> Order:
        """What is ordered."""
        assert isinstance(form, GroundsForm)
        values = {"starts_on": timezone.localdate()} | order_of(form, self.names)
        return Order(
            self.kind,
            grounds=form.found(),
            reason=form.cleaned_data["reason"],
            route=form.route(),
            readings=form.readings(),
            **values,
        )

    def preview(self, form: RegisterForm) -> Mapping[str, Any]:
        """The notice as it would be."""
        decision, sanction = preview_order(self.by, self.license, self.order(form))
        return {"letter": order_draft(decision, sanction)}

    def act(self, form: RegisterForm) -> Any:
        """Order it."""
        return flows.order(self.by, self.license, self.order(form))

    def success_url(self, result: Any) -> str:
        """The license's page."""
        return reverse("license_detail", args=[self.own.slug, self.kwargs["number"]])


class LicenseWarn(LicenseOrder):
    """A warning."""

    title = gettext_lazy("Warn the holder")
    verb = gettext_lazy("Warn")
    form_class = WarnForm
    kind, names = "warn", ()


class LicenseCondition(LicenseOrder):
    """A conditional revocation."""

    title = gettext_lazy("Revoke the license conditionally")
    verb = gettext_lazy("Revoke it conditionally")
    form_class = ConditionForm
    kind, names = "condition", ("starts_on", "condition", "cure_by")


class LicenseRevoke(LicenseOrder):
    """A revocation."""

    title = gettext_lazy("Revoke the license")
    verb = gettext_lazy("Revoke it")
    form_class = RevokeForm
    kind, names = "revoke", ("starts_on",)


class LicenseSurrender(LicenseAct):
    """The holder gives it back."""

    capability = Capability.WORK_ON_APPLICATIONS
    title = gettext_lazy("The license was given back")
    verb = gettext_lazy("Record it")
    form_class: type[RegisterForm] = SurrenderForm
    is_dangerous = True
    done_message = gettext_lazy("Recorded: the license and its approvals end with that day.")

    def act(self, form: RegisterForm) -> Any:
        """Record it."""
        typed = form.cleaned_data
        return flows.accept_surrender(
            self.by, self.license, last_day=typed["last_day"], reason=typed["reason"]
        )

    def success_url(self, result: Any) -> str:
        """The license's page."""
        return reverse("license_detail", args=[self.own.slug, self.kwargs["number"]])


class LicenseReinstate(LicenseSurrender):
    """An order is lifted."""

    capability = Capability.DECIDE_LICENSES
    title = gettext_lazy("Reinstate the license")
    verb = gettext_lazy("Reinstate it")
    form_class = ReinstateForm
    is_dangerous = False
    done_message = gettext_lazy("Reinstated; approvals that ended are granted anew, none revives.")

    def find(self) -> None:
        """The license and the order of the address."""
        super().find()
        found = suspension_for(self.request.user, self.license, self.kwargs["pk"])
        if found is None:
            raise Http404
        self.order = found

    @property
    def about(self) -> str:
        """Which order."""
        return f"{self.license.number}: {capfirst(self.order.get_kind_display())}"

    def act(self, form: RegisterForm) -> Any:
        """Lift it."""
        typed = form.cleaned_data
        return flows.reinstate(
            self.by, self.order, from_day=typed["from_day"], reason=typed["reason"]
        )


class LicensePrint(PdfView):
    """The license on paper."""

    capability = Capability.SEE_OWN

    def document(self) -> bytes:
        """The PDF of the license of the address."""
        found = license_for(self.request.user, self.own, self.kwargs["number"])
        if found is None:
            raise Http404
        self.filename = f"{found.number}.pdf"
        return print_certificate(self.by, found)

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The paper; while the license does not hold there is none, and its page says why."""
        try:
            return super().get(request, *args, **kwargs)
        except Refused as refused:
            messages.error(request, refused.message)
            return redirect("license_detail", self.own.slug, self.kwargs["number"])


urls: list[URLPattern] = [
    path(LICENSE, LicenseDetail.as_view(), name="license_detail"),
    path(LICENSE + "print/", LicensePrint.as_view(), name="license_print"),
    path(LICENSE + "warn/", LicenseWarn.as_view(), name="license_warn"),
    path(LICENSE + "order/", LicenseOrder.as_view(), name="license_order"),
    path(LICENSE + "condition/", LicenseCondition.as_view(), name="license_condition"),
    path(LICENSE + "revoke/", LicenseRevoke.as_view(), name="license_revoke"),
    path(LICENSE + "surrender/", LicenseSurrender.as_view(), name="license_surrender"),
    path(
        LICENSE + "orders/<int:pk>/reinstate/",
        LicenseReinstate.as_view(),
        name="license_reinstate",
    ),
]
