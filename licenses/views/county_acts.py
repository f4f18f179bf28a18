"""What the county does with an application: find complete, ask, investigate, report, decide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import Http404
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from licenses.fees import Payment, fee_of, receive_fee
from licenses.forms_county import (
    FeeForm,
    FinalForm,
    GrantForm,
    GroundsForm,
    NoteForm,
    PresentForm,
    ReportForm,
    SendBackForm,
)
from licenses.granting import (
    Entry,
    adoptable,
    preview_decision,
    switched_off,
    usable_grounds,
)
from licenses.investigating import (
    accept,
    add_note,
    investigate_again,
    send_back,
)
from licenses.letters import decision_draft, preview_questions
from licenses.models import Application
from licenses.reading import gaps_of, receipts_of, steps_of
from licenses.receipts import receipt_pdf
from licenses.views.county import ONE, find_application, standing_of_application
from licenses.words import short_day
from registry import flows
from registry.access import Capability
from registry.adopting import law_on
from registry.forms import ConfirmForm, RegisterForm
from registry.generic import PdfView
from registry.tables import Link
from registry.views.parties import OrganizationAct


class ApplicationAct(OrganizationAct):
    """An act on one application; done, it leads back to the county's page about it."""

    capability = Capability.WORK_ON_APPLICATIONS
    application: Application

    def find(self) -> None:
        """The application of the address."""
        self.application = find_application(self.request.user, self.own, self.kwargs["number"])

    @property
    def about(self) -> str:
        """How it stands."""
        return standing_of_application(self.application)

    def trail(self) -> Sequence[Link]:
        """Up to the application."""
        queue = Link(_("Applications"), reverse("application_queue"))
        number = self.kwargs["number"]
        page = reverse("application_work", args=[self.own.slug, number])
        return [queue, Link(number, page)]

    def success_url(self, result: Any) -> str:
        """The application's page."""
        return reverse("application_work", args=[self.own.slug, self.kwargs["number"]])


class ApplicationAccept(ApplicationAct):
    """The clerk's check for completeness ends well."""

    title = gettext_lazy("Find the application complete")
    verb = gettext_lazy("Find it complete")
    done_message = gettext_lazy("It is with the investigator now.")
    asks_first = True

    def preview(self, form: RegisterForm) -> Mapping[str, Any]:
        """What is still missing, and what happens."""
        gaps = [gap for gap in gaps_of(self.application, timezone.localdate()) if gap.is_required]
        return {
            "sentence": _("The sheriff's investigation begins."),
            "consequences": [f"{gap.label}: {gap.sentence}" for gap in gaps],
        }

    def act(self, form: RegisterForm) -> Any:
        """Move it on."""
        return accept(self.by, self.application)


class ApplicationSendBack(ApplicationAct):
    """Questions to the applicant; the letter is shown before it goes."""

    title = gettext_lazy("Send the application back")
    verb = gettext_lazy("Send it back")
    form_class = SendBackForm
    template_name = "licenses/send_back.html"
    asks_first = True
    preview_template = "licenses/_letter_preview.html"
    done_message = gettext_lazy("The letter is written and e-mailed to those who act for it.")

    def form_arguments(self) -> dict[str, Any]:
        """The steps that a question can be about."""
        return {"steps": steps_of(self.application)}

    def preview(self, form: RegisterForm) -> Mapping[str, Any]:
        """The letter as it would be."""
        assert isinstance(form, SendBackForm)
        return {"letter": preview_questions(self.by, self.application, form.asks())}

    def act(self, form: RegisterForm) -> Any:
        """Return it and write."""
        assert isinstance(form, SendBackForm)
        return send_back(self.by, self.application, form.asks())


class ApplicationNote(ApplicationAct):
    """A note of the investigation."""

    capability = Capability.INVESTIGATE
    title = gettext_lazy("Write a note")
    verb = gettext_lazy("Keep the note")
    form_class = NoteForm
    done_message = gettext_lazy("The note is kept; only the county reads it.")

    def act(self, form: RegisterForm) -> Any:
        """Keep it."""
        return add_note(self.by, self.application, text=form.cleaned_data["text"])


class ApplicationReport(ApplicationAct):
    """The investigator's report with his advice."""

    capability = Capability.INVESTIGATE
    title = gettext_lazy("Report to the administrator")
    verb = gettext_lazy("Report")
    form_class = ReportForm
    done_message = gettext_lazy("It is with the county administrator now.")

    def act(self, form: RegisterForm) -> Any:
        """Move it on."""
        typed = form.cleaned_data
        return flows.recommend(
            self.by, self.application, advice=typed["advice"], note=typed["note"]
        )


class ApplicationAgain(ApplicationAct):
    """The administrator asks for more."""

    capability = Capability.DECIDE_LICENSES
    title = gettext_lazy("Have more looked into")
    verb = gettext_lazy("Give it back")
    form_class = ConfirmForm
    done_message = gettext_lazy("It is with the investigator again.")

    def act(self, form: RegisterForm) -> Any:
        """Move it back."""
        return investigate_again(self.by, self.application, reason=form.cleaned_data["reason"])


class ApplicationGrant(ApplicationAct):
    """The administrator grants the license."""

    capability = Capability.DECIDE_LICENSES
    title = gettext_lazy("Grant the license")
    verb = gettext_lazy("Grant the license")
    form_class: type[RegisterForm] = GrantForm
    asks_first = True
    preview_template = "licenses/_letter_preview.html"
    done_message = gettext_lazy("The license is granted; the letter is written and e-mailed.")

    def entry(self, form: RegisterForm) -> Entry:
        """What is decided."""
        return Entry("grant", reason=form.cleaned_data["reason"])

    def preview(self, form: RegisterForm) -> Mapping[str, Any]:
        """The letter as it would be."""
        decision, license_ = preview_decision(self.by, self.application, self.entry(form))
        return {"letter": decision_draft(decision, license_)}

    def act(self, form: RegisterForm) -> Any:
        """Decide."""
        return flows.decide_application(self.by, self.application, self.entry(form))


class ApplicationDeny(ApplicationGrant):
    """The administrator denies it: on grounds, each with its cite."""

    title = gettext_lazy("Deny the application")
    verb = gettext_lazy("Deny it")
    form_class = GroundsForm
    template_name = "licenses/grounds_act.html"
    is_dangerous = True
    done_message = gettext_lazy("The application is denied; the letter is written and e-mailed.")

    @property
    def kind(self) -> str:
        """Which grounds fit."""
        return "deny_renewal" if self.application.prior_id else "deny"

    def form_arguments(self) -> dict[str, Any]:
        """The grounds in use today, the readings to adopt, the days for an appeal."""
        law = law_on(timezone.localdate())
        return {
            "grounds": usable_grounds(law, self.kind, self.application.license_class),
            "readings": adoptable(law),
            "days": law.deadlines.appeal_days,
        }

    def context(self) -> dict[str, Any]:
        """With the grounds that are not in use, so that nobody looks for them."""
        law = law_on(timezone.localdate())
        off = switched_off(law, self.kind, self.application.license_class)
        return super().context() | {"switched_off": off}

    def entry(self, form: RegisterForm) -> Entry:
        """What is decided, on which grounds."""
        assert isinstance(form, GroundsForm)
        return Entry(
            "deny",
            grounds=form.found(),
            reason=form.cleaned_data["reason"],
            route=form.route(),
            readings=form.readings(),
        )


class ApplicationFee(ApplicationAct):
    """Money at the counter."""

    title = gettext_lazy("Receive the fee")
    verb = gettext_lazy("Receive the fee")
    form_class = FeeForm
    done_message = gettext_lazy("The receipt has its number: print it below.")

    @property
    def about(self) -> str:
        """What is due, if the license were granted today."""
        fee = fee_of(self.application, timezone.localdate())
        told = {
            "share": _("the full fee") if fee.share == "full" else _("half the fee"),
            "amount": f"${fee.amount}" if fee.amount is not None else _("as provided by ordinance"),
            "day": short_day(fee.first_day),
        }
        line = _("For a license from %(day)s on %(share)s is due: %(amount)s (§ 10-91(a)).")
        return str(capfirst(line % told))

    def form_arguments(self) -> dict[str, Any]:
        """The amount that is due, where one is set."""
        amount = fee_of(self.application, timezone.localdate()).amount
        return {"initial": {"amount": amount}} if amount is not None else {}

    def act(self, form: RegisterForm) -> Any:
        """Note it."""
        names = ("amount", "received_on", "method", "reference")
        payment = Payment(**{name: form.cleaned_data[name] for name in names})
        return receive_fee(self.by, self.application, payment)


class ApplicationPresent(ApplicationAct):
    """A renewal came on paper."""

    title = gettext_lazy("The renewal was presented on paper")
    verb = gettext_lazy("Record it")
    form_class = PresentForm
    done_message = gettext_lazy("Recorded: presented in time, the license stays in force.")

    def act(self, form: RegisterForm) -> Any:
        """Note the day."""
        typed = form.cleaned_data
        return flows.present_renewal(
            self.by, self.application, received_on=typed["received_on"], shown=typed["shown"]
        )


class ApplicationFinal(ApplicationAct):
    """The denial of a renewal became final."""

    title = gettext_lazy("The denial is final")
    verb = gettext_lazy("Record it")
    form_class = FinalForm
    is_dangerous = True
    done_message = gettext_lazy("Recorded: the license before it ends with that day.")

    def act(self, form: RegisterForm) -> Any:
        """Note the day."""
        return flows.make_final(self.by, self.application, final_on=form.cleaned_data["final_on"])


class ReceiptPaper(PdfView):
    """A receipt on paper."""

    capability = Capability.SEE_OWN

    def document(self) -> bytes:
        """The receipt of this number."""
        application = find_application(self.request.user, self.own, self.kwargs["number"])
        rows = receipts_of(self.request.user, application).filter(number=self.kwargs["receipt"])
        receipt = rows.first()
        if receipt is None:
            raise Http404
        self.filename = f"{receipt.number}.pdf"
        return receipt_pdf(self.by, receipt)


urls: list[URLPattern] = [
    path(ONE + "accept/", ApplicationAccept.as_view(), name="application_accept"),
    path(ONE + "send-back/", ApplicationSendBack.as_view(), name="application_send_back"),
    path(ONE + "note/", ApplicationNote.as_view(), name="application_note"),
    path(ONE + "report/", ApplicationReport.as_view(), name="application_report"),
    path(ONE + "again/", ApplicationAgain.as_view(), name="application_again"),
    path(ONE + "grant/", ApplicationGrant.as_view(), name="application_grant"),
    path(ONE + "deny/", ApplicationDeny.as_view(), name="application_deny"),
    path(ONE + "fee/", ApplicationFee.as_view(), name="application_fee"),
    path(ONE + "present/", ApplicationPresent.as_view(), name="application_present"),
    path(ONE + "final/", ApplicationFinal.as_view(), name="application_final"),
    path(ONE + "receipts/<str:receipt>/", ReceiptPaper.as_view(), name="receipt"),
]
