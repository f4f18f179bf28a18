"""Ties of a person to hall owners, and decisions of administrator, board or court."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import Http404
from django.urls import URLPattern, path
from django.utils.translation import gettext_lazy

from licenses.models import LessorInterest
from licenses.selectors import interest_for
from licenses.services import end_interest
from registry.access import Capability
from registry.fields import Choice
from registry.forms import ConfirmForm, RegisterForm
from registry.generic import LookupView
from registry.party_forms import LastDayForm
from registry.services import void
from registry.templatetags.register import span
from registry.views.people import PersonAct
from volunteers.deciding import record_decision, record_interest, void_decision
from volunteers.lookups import decision_for
from volunteers.models import Determination
from volunteers.party_forms import DecisionForm, InterestForm, lessor_choices
from volunteers.views.people import FallingAct
from volunteers.words import title


class LessorLookup(LookupView):
    """Hall owners, for those who record interests."""

    capability = Capability.SEE_REGISTER

    def choices(self, text: str) -> Sequence[Choice]:
        """What fits what was typed."""
        return lessor_choices(self.request.user, text)


class InterestRecord(FallingAct):
    """Record a tie to a hall owner."""

    title = gettext_lazy("Record an interest in a hall owner")
    verb = gettext_lazy("Record the interest")
    form_class = InterestForm
    done_message = gettext_lazy("The interest is recorded; it bars from its first day on.")

    def act(self, form: RegisterForm) -> Any:
        """Write it."""
        assert isinstance(form, InterestForm)
        return record_interest(self.by, self.person, form.entry)


class InterestAct(PersonAct):
    """An act on one of a person's ties to hall owners."""

    interest: LessorInterest

    def find(self) -> None:
        """The interest, of the person of this number."""
        super().find()
        found = interest_for(self.request.user, self.person, self.kwargs["pk"])
        if found is None:
            raise Http404
        self.interest = found

    @property
    def about(self) -> str:
        """Which interest."""
        row = self.interest
        return f"{row.get_tie_display()}, {row.lessor}, {span(row)}"


class InterestEnd(InterestAct):
    """Record that a tie to a hall owner ended."""

    title = gettext_lazy("End the interest")
    verb = gettext_lazy("End the interest")
    form_class = LastDayForm
    done_message = gettext_lazy("The last day of the interest is recorded.")

    def act(self, form: RegisterForm) -> Any:
        """Write it."""
        return end_interest(self.by, self.interest, last_day=form.cleaned_data["last_day"])


class InterestVoid(InterestAct):
    """Take out an interest that was entered in error."""

    title = gettext_lazy("Take the interest out")
    verb = gettext_lazy("Take the interest out")
    form_class = ConfirmForm
    is_dangerous = True
    done_message = gettext_lazy("The interest is out; the history keeps it.")

    def act(self, form: RegisterForm) -> Any:
        """Void it, with the reason."""
        reason = form.cleaned_data["reason"]
        return void(self.by, self.interest, reason=reason, capability=Capability.KEEP_PEOPLE)


class DecisionRecord(FallingAct):
    """Record what administrator, board or court decided on one test (decisions 4)."""

    capability = Capability.DECIDE
    title = gettext_lazy("Record a decision on one test")
    about = gettext_lazy(
        "The test then answers “met by decision of …” or “not met by decision of …” on those days."
    )
    verb = gettext_lazy("Record the decision")
    form_class = DecisionForm
    done_message = gettext_lazy("The decision is recorded; the test answers by it.")

    def form_arguments(self) -> dict[str, Any]:
        """Whom it is about."""
        return {"person": self.person}

    def act(self, form: RegisterForm) -> Any:
        """Write it."""
        assert isinstance(form, DecisionForm)
        return record_decision(self.by, self.person, form.entry)


class DecisionVoid(FallingAct):
    """Take out a decision that was entered in error."""

    capability = Capability.DECIDE
    title = gettext_lazy("Take the decision out")
    verb = gettext_lazy("Take the decision out")
    form_class = ConfirmForm
    is_dangerous = True
    done_message = gettext_lazy("The decision is out; the test answers by itself again.")
    decision: Determination

    def find(self) -> None:
        """The decision, about the person of this number."""
        super().find()
        found = decision_for(self.request.user, self.person, self.kwargs["pk"])
        if found is None:
            raise Http404
        self.decision = found

    @property
    def about(self) -> str:
        """Which decision."""
        row = self.decision
        return f"{title(row.rule)}, {row.organization}, {row.get_decided_by_display()}, {span(row)}"

    def act(self, form: RegisterForm) -> Any:
        """Void it, with the reason."""
        return void_decision(self.by, self.decision, reason=form.cleaned_data["reason"])


OF_PERSON = "people/<str:number>/"
urls: list[URLPattern] = [
    path("lookup/hall-owners/", LessorLookup.as_view(), name="lessor_lookup"),
    path(OF_PERSON + "interests/new/", InterestRecord.as_view(), name="interest_record"),
    path(OF_PERSON + "interests/<int:pk>/end/", InterestEnd.as_view(), name="interest_end"),
    path(OF_PERSON + "interests/<int:pk>/void/", InterestVoid.as_view(), name="interest_void"),
    path(OF_PERSON + "decisions/new/", DecisionRecord.as_view(), name="decision_record"),
    path(OF_PERSON + "decisions/<int:pk>/void/", DecisionVoid.as_view(), name="decision_void"),
]
