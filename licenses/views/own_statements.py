"""Each officer's own statement: the links and papers, and the page behind a link."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from django.core.mail import EmailMessage
from django.http import Http404, HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from licenses.forms_applications import StatementForm, day_of, typed_answers
from licenses.forms_handing_in import LinkForm
from licenses.models import Statement
from licenses.questions.own import STATEMENT
from licenses.questions.reading import gaps_in
from licenses.reading import named_statement, statements_shown
from licenses.stating import (
    complete_statement,
    key_in_statement,
    make_link,
    name_statements,
    statement_by_key,
)
from licenses.views.applicant import ApplicationPage, address
from licenses.views.county import ONE
from licenses.views.handing_in import ApplicationAct
from licenses.views.steps import is_behind
from registry.access import BadInput, Capability, Refused, can
from registry.forms import RegisterForm
from registry.generic import INVALID, PageView
from registry.tables import Link
from registry.throttle import throttled


class OwnStatements(ApplicationAct):
    """Who must state for himself, who did, and how to reach the others."""

    template_name = "licenses/own_statements.html"
    title = gettext_lazy("Own statements")
    verb = gettext_lazy("Ask those who are named")

    def context(self) -> dict[str, Any]:
        """Who is complete; whether the list still fits those named in the application."""
        return super().context() | {
            "application": self.application,
            "statements": statements_shown(self.application),
            "is_behind": is_behind(self.application),
            "keys_in": can(self.by, Capability.WORK_ON_APPLICATIONS),
            "closed": not self.application.is_open,
        }

    def act(self, form: RegisterForm) -> Any:
        """Open one for each who is named, close those of who is not."""
        return name_statements(self.by, self.application)

    def success_url(self, result: Any) -> str:
        """The list."""
        return reverse("own_statements", args=address(self.application))


class StatementPage(ApplicationAct):
    """An act on one person's own statement, without a look at it."""

    @cached_property
    def statement(self) -> Statement:
        """The statement of the address, without what was stated."""
        found = named_statement(self.request.user, self.application, self.kwargs["pk"])
        if found is None:
            raise Http404
        return found

    def trail(self) -> list[Link]:
        """Up to the list."""
        page = reverse("own_statements", args=address(self.application))
        return [*super().trail(), Link(_("Own statements"), page)]

    def success_url(self, result: Any) -> str:
        """The list."""
        return reverse("own_statements", args=address(self.application))


class StatementLink(StatementPage):
    """A new link, shown once, mailed on the way if an address is typed."""

    title = gettext_lazy("Make a link to an own statement")
    verb = gettext_lazy("Make the link")
    form_class = LinkForm

    @property
    def about(self) -> str:
        """For whom."""
        told = {"name": self.statement.full_name, "capacity": self.statement.capacity}
        return _("For %(name)s, %(capacity)s. An earlier link stops to work.") % told

    def act(self, form: RegisterForm) -> str:
        """Make it; the mail goes with it or not at all."""
        key = make_link(self.by, self.statement)
        url = self.request.build_absolute_uri(reverse("own_statement", args=[key]))
        if to := form.cleaned_data["email"]:
            self._mail(to, url)
        return url

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The link, not too often: what an applicant types goes out in the county's name."""
        return throttled(request, "statement_link") or super().post(request, *args, **kwargs)

    def _mail(self, to: str, url: str) -> None:
        told = {
            "name": self.statement.full_name,
            "organization": self.own.name,
            "number": self.application.number,
            "url": url,
        }
        body = _(
            "%(name)s,\n\n%(organization)s names you in its application %(number)s for a bingo"
            " license. Please make your own statement here; only the county reads it:\n\n%(url)s\n"
            "\nThe link works once. If you do not expect it, ignore this message."
        )
        subject = _("Your own statement for %(organization)s") % told
        EmailMessage(subject=subject, body=body % told, to=[to]).send()

    def done(self, result: Any) -> HttpResponseBase:
        """Show it, this once."""
        sent = self.request.POST.get("email", "").strip()
        shown = {"link": result, "statement": self.statement, "sent": sent}
        return self.page(shown, template="licenses/statement_link.html")


class StatementKeyed(ApplicationPage):
    """A clerk keys in a statement that came on paper."""

    capability = Capability.WORK_ON_APPLICATIONS
    template_name = "licenses/statement_form.html"

    @cached_property
    def statement(self) -> Statement:
        """The statement of the address, without what was stated."""
        found = named_statement(self.request.user, self.application, self.kwargs["pk"])
        if found is None:
            raise Http404
        return found

    def get_title(self) -> str:
        """Whose it is."""
        return _("Own statement of %(name)s, from paper") % {"name": self.statement.full_name}

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The empty form."""
        return self._shown(statement_form({}))

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Key it in."""
        answers, form = read_statement(request)
        received = day_of(form.typed["received_on"])
        if received is None:
            form.add_error(None, _("Received on: write the day, for example 11/30/2026."))
        if not wants_more(request) and form.is_valid() and form.hold(gaps(answers)) and received:
            try:
                key_in_statement(
                    self.by,
                    self.statement,
                    answers,
                    signed_as=form.typed["signed_as"],
                    received_on=received,
                )
            except BadInput as bad:
                form.add_error(bad.field if bad.field in form.fields else None, bad.message)
            except Refused as refused:
                form.add_error(None, refused.message)
            else:
                page = reverse("own_statements", args=address(self.application))
                return HttpResponseRedirect(page)
        return self._shown(form, status=200 if wants_more(request) else INVALID)

    def _shown(self, form: StatementForm, *, status: int = 200) -> HttpResponseBase:
        shown = {"form": form, "keyed": True, "statement": self.statement, "step": STATEMENT}
        return self.page(shown, status=status)


class OwnStatement(PageView):
    """The page behind a link: one person's own statement, for the county alone."""

    capability = Capability.PUBLIC
    organization_kwarg = None
    template_name = "licenses/statement_form.html"
    title = gettext_lazy("Your own statement")

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Slow for who guesses, kept by nobody on the way, found by no search engine."""
        limited = throttled(request, "statement")
        response = limited or super().dispatch(request, *args, **kwargs)
        add_never_cache_headers(response)
        response["X-Robots-Tag"] = "noindex, nofollow"
        return response

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The form; a link that works no more is not told from a wrong one."""
        statement = statement_by_key(kwargs["key"], timezone.localdate())
        return self._shown(statement, statement_form({})) if statement else self._gone()

    def _gone(self) -> HttpResponseBase:
        return self.page(
            {"title": _("This link does not work")},
            template="licenses/statement_gone.html",
            status=404,
        )

    def _shown(
        self, statement: Statement, form: StatementForm, *, status: int = 200
    ) -> HttpResponseBase:
        body = statement.application.organization
        shown = {"form": form, "statement": statement, "step": STATEMENT, "body": body}
        return self.page(shown, status=status)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Complete it; nothing is kept before everything required is there."""
        statement = statement_by_key(kwargs["key"], timezone.localdate())
        if statement is None:
            return self._gone()
        answers, form = read_statement(request)
        if wants_more(request):
            return self._shown(statement, form)
        if form.is_valid() and form.hold(gaps(answers)):
            try:
                complete_statement(kwargs["key"], answers, signed_as=form.typed["signed_as"])
            except BadInput as bad:
                form.add_error(bad.field if bad.field in form.fields else None, bad.message)
            except Refused:
                return self._gone()
            else:
                return HttpResponseRedirect(reverse("own_statement_done"))
        return self._shown(statement, form, status=INVALID)


class OwnStatementDone(PageView):
    """Thank you."""

    capability = Capability.PUBLIC
    organization_kwarg = None
    template_name = "licenses/statement_done.html"
    title = gettext_lazy("Thank you")

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The page."""
        return self.page()


def statement_form(
    answers: Mapping[str, Any], *, more: str = "", signed_as: str = "", received_on: str = ""
) -> StatementForm:
    """The form over what was typed."""
    return StatementForm(
        answers, step=STATEMENT, more=more, signed_as=signed_as, received_on=received_on
    )


def read_statement(request: HttpRequest) -> tuple[dict[str, Any], StatementForm]:
    """What was typed, and the form over it."""
    sent = request.POST
    answers = typed_answers(STATEMENT, sent, without=sent.get("remove", ""))
    form = statement_form(
        answers,
        more=sent.get("add", ""),
        signed_as=sent.get("signed_as", ""),
        received_on=sent.get("received_on", ""),
    )
    form.is_valid()
    return answers, form


def wants_more(request: HttpRequest) -> bool:
    """True when only an entry was added or taken out."""
    return "add" in request.POST or "remove" in request.POST


def gaps(answers: Mapping[str, Any]) -> list[Any]:
    """What is missing of a statement today."""
    return list(gaps_in(STATEMENT, answers, timezone.localdate()))


urls: list[URLPattern] = [
    path(ONE + "statements/", OwnStatements.as_view(), name="own_statements"),
    path(ONE + "statements/<int:pk>/link/", StatementLink.as_view(), name="statement_link"),
    path(ONE + "statements/<int:pk>/from-paper/", StatementKeyed.as_view(), name="statement_keyed"),
    path("statements/done/", OwnStatementDone.as_view(), name="own_statement_done"),
    path("statements/<str:key>/", OwnStatement.as_view(), name="own_statement"),
]
