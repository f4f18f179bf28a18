"""What the county does with one person's own statement: look, check, note, ask anew."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from django.utils.translation import gettext_lazy

from licenses.forms_county import CheckForm, ReceivedForm
from licenses.investigating import check_record
from licenses.models import Statement
from licenses.questions.own import STATEMENT
from licenses.questions.shown import shown_step
from licenses.reading import statement_for
from licenses.stating import receive_ssn, reopen_statement, reveal_statement
from licenses.views.county import ONE
from licenses.views.county_acts import ApplicationAct
from registry.access import Capability
from registry.forms import ConfirmForm, RegisterForm


class StatementAct(ApplicationAct):
    """An act on one person's own statement."""

    capability = Capability.SEE_STATEMENTS
    statement: Statement

    def find(self) -> None:
        """The statement of the address."""
        super().find()
        found = statement_for(self.request.user, self.application, self.kwargs["pk"])
        if found is None:
            raise Http404
        self.statement = found

    @property
    def about(self) -> str:
        """Whose it is."""
        return f"{self.statement.full_name}, {self.statement.capacity}"


class StatementReveal(StatementAct):
    """Look at what somebody stated; the look is kept."""

    title = gettext_lazy("Look at an own statement")
    verb = gettext_lazy("Show it to me")
    asks_first = False

    def act(self, form: RegisterForm) -> Any:
        """Write down who looked."""
        return reveal_statement(self.by, self.statement)

    def done(self, result: Any) -> HttpResponseBase:
        """Show it once, on this page."""
        step = shown_step(STATEMENT, result)
        shown = {"step": step, "statement": self.statement}
        return self.page(shown, template="licenses/statement_shown.html")


class StatementCheck(StatementAct):
    """A record was checked."""

    capability = Capability.INVESTIGATE
    title = gettext_lazy("A record was checked")
    verb = gettext_lazy("Keep it")
    form_class = CheckForm
    done_message = gettext_lazy("Kept: checked by you.")

    def act(self, form: RegisterForm) -> Any:
        """Keep by, on, result."""
        typed = form.cleaned_data
        return check_record(
            self.by, self.statement, result=typed["result"], checked_on=typed["checked_on"]
        )


class StatementNumber(StatementAct):
    """The number of § 10-84 was handed over on paper."""

    title = gettext_lazy("The number was handed to the sheriff on paper")
    verb = gettext_lazy("Record it")
    form_class = ReceivedForm
    done_message = gettext_lazy("Recorded: received by you. The number itself is not kept here.")

    def act(self, form: RegisterForm) -> Any:
        """Keep by, on."""
        return receive_ssn(self.by, self.statement, received_on=form.cleaned_data["received_on"])


class StatementReopen(StatementAct):
    """Somebody must state anew."""

    capability = Capability.WORK_ON_APPLICATIONS
    title = gettext_lazy("Ask for the statement anew")
    verb = gettext_lazy("Ask for it anew")
    form_class = ConfirmForm
    done_message = gettext_lazy("The statement is open again; a new link opens it.")

    def act(self, form: RegisterForm) -> Any:
        """Open it."""
        return reopen_statement(self.by, self.statement, reason=form.cleaned_data["reason"])


STATED = ONE + "statements/<int:pk>/"
urls: list[URLPattern] = [
    path(STATED + "look/", StatementReveal.as_view(), name="statement_reveal"),
    path(STATED + "check/", StatementCheck.as_view(), name="statement_check"),
    path(STATED + "number/", StatementNumber.as_view(), name="statement_number"),
    path(STATED + "anew/", StatementReopen.as_view(), name="statement_reopen"),
]
