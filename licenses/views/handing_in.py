"""The applicant's last page and what follows: hand in, follow, answer, print, withdraw."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from functools import cached_property
from typing import Any

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from licenses.applying import Oath, answer_query
from licenses.forms_handing_in import AnswerForm, OathForm
from licenses.models import Query
from licenses.printing import application_pdf, oath_of
from licenses.questions.shown import shown
from licenses.reading import (
    acts_seen,
    answers_of,
    decision_of,
    papers_of,
    queries_of,
    query_for,
    receipts_of,
    statements_shown,
    steps_of,
)
from licenses.rules import Status
from licenses.views.applicant import (
    ApplicationPage,
    address,
    applications_link,
    step_url,
)
from licenses.views.county import ONE
from licenses.views.steps import keep_statements
from licenses.words import short_day
from licenses.words_applications import MARKS, NEXT, REASONS, WHO, WHO_COUNTY
from registry import flows
from registry.access import Capability, can, is_regulator
from registry.forms import ConfirmForm, RegisterForm
from registry.generic import ActView, PdfView
from registry.history import from_paper
from registry.tables import Link
from registry.views.parties import up_to


class ApplicationAct(ApplicationPage, ActView):
    """An act on an application; done, it leads to the page that follows it."""

    def success_url(self, result: Any) -> str:
        """The application's page."""
        return reverse("application_detail", args=address(self.application))

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The form, of an application that is there."""
        self.application  # noqa: B018 - what is not there answers 404
        return super().get(request, *args, **kwargs)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The act, on an application that is there."""
        self.application  # noqa: B018 - what is not there answers 404
        return super().post(request, *args, **kwargs)


class ApplicationReview(ApplicationAct):
    """All that is missing, all that was stated, and the oath."""

    template_name = "licenses/application_review.html"
    title = gettext_lazy("Look through it and hand it in")
    verb = gettext_lazy("Hand in the application")
    form_class = OathForm
    done_message = gettext_lazy("It is handed in. The county has it now.")

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The page while there is something to hand in; then the application's own."""
        if not self.application.is_with_applicant:
            return self.closed()
        return super().get(request, *args, **kwargs)

    def form_arguments(self) -> dict[str, Any]:
        """The words of the oath, and who swears."""
        named = answers_of(self.application).get("representative", {}).get("name", "")
        keyed = can(self.by, Capability.WORK_ON_APPLICATIONS)
        oath = oath_of(self.application)
        return {"oath": oath, "representative": str(named), "keyed": keyed}

    def context(self) -> dict[str, Any]:
        """What is missing, required first; the answers in words."""
        return super().context() | {
            "application": self.application,
            "stops": self.stops("review"),
            "missing": self.missing(),
            "requested": self.missing(required=False),
            "steps": [
                (step, step_url(self.application, step.key))
                for step in shown(steps_of(self.application), answers_of(self.application))
            ],
            "papers": list(papers_of(self.by, self.application)),
            "statements": statements_shown(self.application),
        }

    def act(self, form: RegisterForm) -> Any:
        """Hand it in; those who are named state for themselves."""
        typed = form.cleaned_data
        received = typed.get("received_on")
        with ExitStack() as stack:
            if received:
                stack.enter_context(from_paper(typed["sworn_by"], received))
            row = flows.hand_in(
                self.by,
                self.application,
                Oath(typed["sworn_by"]),
                signed=typed.get("signed"),
                received_on=received,
            )
        keep_statements(self.by, row)
        return row


class ApplicationDetail(ApplicationPage):
    """How it stands, who has it, what comes next; the county's questions and the answers."""

    capability = Capability.SEE_OWN
    template_name = "licenses/application_detail.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The page."""
        self.application  # noqa: B018 - what is not there answers 404
        return self.page()

    def get_title(self) -> str:
        """File number and what it is for."""
        kind = str(capfirst(self.application.get_kind_display()))
        told = {"number": self.application.number, "kind": kind}
        return _("%(kind)s, %(number)s") % told

    def trail(self) -> Sequence[Link]:
        """Up to the list."""
        return [up_to(self.own), applications_link(self.own)]

    @cached_property
    def status(self) -> Status:
        """Where it is."""
        return Status(self.application.status)

    def standing(self) -> str:
        """Handed in; with the sheriff's clerk since Dec 1, 2026."""
        who = (WHO_COUNTY if is_regulator(self.by) else WHO)[self.status]
        told = {
            "status": self.application.get_status_display(),
            "who": who,
            "since": short_day(timezone.localdate(self.application.since)),
        }
        line = (
            _("%(status)s; with %(who)s since %(since)s")
            if self.application.is_open
            else _("%(status)s on %(since)s")
        )
        return str(capfirst(line % told))

    def acts(self) -> Sequence[Link]:
        """Go on first; print; withdraw last."""
        args = address(self.application)
        links = []
        applies = can(self.by, Capability.APPLY, self.own)
        if applies and self.application.is_with_applicant:
            links.append(Link(_("Go on with it"), self._go_on()))
        if applies and self.application.prior is not None:
            workers = reverse("application_workers", args=args)
            links.append(Link(_("Your workers"), workers, kind="outline"))
        links.append(Link(_("Print"), reverse("application_paper", args=args), kind="outline"))
        if is_regulator(self.by):
            work = reverse("application_work", args=args)
            links.append(Link(_("The county's page"), work, kind="outline"))
        if applies and self.application.is_open:
            out = reverse("application_withdraw", args=args)
            links.append(Link(_("Withdraw"), out, kind="danger"))
        return links

    def _go_on(self) -> str:
        """The first step that is not done; the last page when all are."""
        return next(stop.url for stop in self.stops() if not stop.is_done)

    def context(self) -> dict[str, Any]:
        """All that the applicant may know of it."""
        user, thing = self.request.user, self.application
        return super().context() | {
            "application": thing,
            "standing": self.standing(),
            "acts": self.acts(),
            "mark": MARKS[self.status],
            "status": capfirst(thing.get_status_display()),
            "next": NEXT[self.status],
            "is_mine": not is_regulator(user),
            "missing": self.missing() if thing.is_with_applicant else (),
            "stops": self.stops() if thing.is_with_applicant else (),
            "queries": [
                (REASONS.get(q.reason, ""), q, self._step_of(q)) for q in queries_of(user, thing)
            ],
            "can_apply": can(user, Capability.APPLY, self.own),
            "papers": list(papers_of(user, thing)),
            "statements": statements_shown(thing),
            "receipts": list(receipts_of(user, thing)),
            "decision": decision_of(thing),
            "steps": shown(steps_of(thing), answers_of(thing)),
            "history": list(acts_seen(user, thing)[:50]),
        }

    def _step_of(self, query: Query) -> Link | None:
        found = next((s for s in steps_of(self.application) if s.key == query.step), None)
        return Link(str(found.title), step_url(self.application, found.key)) if found else None


class ApplicationPaper(ApplicationPage, PdfView):
    """The filled application with its oath, to sign or to keep."""

    capability = Capability.SEE_OWN

    def document(self) -> bytes:
        """As it stands now."""
        self.filename = f"{self.application.number}.pdf"
        return application_pdf(self.by, self.application)


class ApplicationWithdraw(ApplicationAct):
    """The applicant gives it up."""

    title = gettext_lazy("Withdraw the application")
    about = gettext_lazy(
        "What you filled in stays on file. If it renews a license that has run out, that license"
        " ends today."
    )
    verb = gettext_lazy("Withdraw the application")
    form_class = ConfirmForm
    is_dangerous = True
    done_message = gettext_lazy("It is withdrawn.")

    def act(self, form: RegisterForm) -> Any:
        """Withdraw it."""
        return flows.withdraw(self.by, self.application, reason=form.cleaned_data["reason"])


class QueryAnswer(ApplicationAct):
    """An answer in words to a question of the county."""

    title = gettext_lazy("Answer the county")
    verb = gettext_lazy("Keep the answer")
    form_class = AnswerForm
    done_message = gettext_lazy("Kept. Hand the application in again when all is answered.")

    @cached_property
    def query(self) -> Query:
        """The question of the address."""
        found = query_for(self.request.user, self.application, self.kwargs["pk"])
        if found is None:
            raise Http404
        return found

    @property
    def about(self) -> str:
        """The question."""
        return " ".join(filter(None, [str(REASONS.get(self.query.reason, "")), self.query.text]))

    def form_arguments(self) -> dict[str, Any]:
        """What was answered so far."""
        return {"initial": {"answer": self.query.answer}}

    def act(self, form: RegisterForm) -> Any:
        """Keep it."""
        return answer_query(self.by, self.query, answer=form.cleaned_data["answer"])


urls: list[URLPattern] = [
    path(ONE, ApplicationDetail.as_view(), name="application_detail"),
    path(ONE + "hand-in/", ApplicationReview.as_view(), name="application_review"),
    path(ONE + "paper/", ApplicationPaper.as_view(), name="application_paper"),
    path(ONE + "withdraw/", ApplicationWithdraw.as_view(), name="application_withdraw"),
    path(ONE + "questions/<int:pk>/", QueryAnswer.as_view(), name="query_answer"),
]
