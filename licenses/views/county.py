"""The county's desk for applications: the queue, and one application with all that is known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.http import Http404
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from licenses.appealing import AGAINST, appeal_until
from licenses.fees import fee_of
from licenses.irs import status_of
from licenses.models import Application, Decision
from licenses.questions.shown import shown
from licenses.reading import (
    acts_on,
    answers_of,
    application_for,
    decisions_of,
    gaps_of,
    listed,
    notes_of,
    papers_of,
    queries_of,
    receipts_of,
    statements_of,
    steps_of,
)
from licenses.rules import Status, asks_for_exemption
from licenses.selectors import letter_of
from licenses.tables_applications import ApplicationFilters, ApplicationTable
from licenses.words import short_day
from licenses.words_applications import REASONS, WHO_COUNTY
from registry.access import Capability, can
from registry.generic import DetailView, TableView
from registry.letters import page_of
from registry.models import Organization
from registry.tables import Link
from registry.views.parties import up_to


class ApplicationQueue(TableView):
    """All that is open, the longest waiting first."""

    capability = Capability.SEE_WORK
    title = gettext_lazy("Applications")
    table_class = ApplicationTable
    filterset_class = ApplicationFilters
    switch = "waits"
    export_name = "applications"

    def rows(self) -> Any:
        """Every open application, and denials that are not final."""
        return listed(self.request.user)


def find_application(user: Any, organization: Organization, number: str) -> Application:
    """The application of the address; Http404 when it is not there for the user."""
    found = application_for(user, organization, number)
    if found is None:
        raise Http404
    return found


class ApplicationWork(DetailView):
    """One application: how it stands, what is missing, what was stated, what comes next."""

    capability = Capability.SEE_WORK
    template_name = "licenses/application_work.html"

    def find(self) -> Application:
        """The application of the address."""
        return find_application(self.request.user, self.own, self.kwargs["number"])

    def get_title(self) -> str:
        """File number and organization."""
        return f"{self.thing.number} · {self.thing.organization.name}"

    def standing(self) -> str:
        """Where it is, who has it, since when."""
        return standing_of_application(self.thing)

    def trail(self) -> Sequence[Link]:
        """Up to the queue and the organization."""
        queue = Link(_("Applications"), reverse("application_queue"))
        return [queue, up_to(self.own)]

    def acts(self) -> Sequence[Link]:
        """What this user can do now, the act that moves it on first."""
        return list(acts_for(self.request.user, self.thing))

    def context(self) -> dict[str, Any]:
        """All that the decision rests on."""
        user, thing, today = self.request.user, self.thing, timezone.localdate()
        gaps = gaps_of(thing, today)
        return super().context() | {
            "required": [gap for gap in gaps if gap.is_required],
            "requested": [gap for gap in gaps if not gap.is_required],
            "steps": shown(steps_of(thing), answers_of(thing)),
            "papers": list(papers_of(user, thing)),
            "statements": list(statements_of(user, thing)),
            "notes": list(notes_of(user, thing)),
            "queries": [(REASONS.get(q.reason, ""), q) for q in queries_of(user, thing)],
            "irs": status_of(self.own, today).said if asks_for_exemption(self.own.kind) else None,
            "fee": fee_of(thing, today),
            "receipts": list(receipts_of(user, thing)),
            "decided": [ruling_told(row) for row in decisions_of(user, thing)],
            "history": list(acts_on(user, thing)[:50]),
            "checks": can(user, Capability.INVESTIGATE, self.own),
            "sees_statements": can(user, Capability.SEE_STATEMENTS, self.own),
            "works": can(user, Capability.WORK_ON_APPLICATIONS, self.own),
        }


def ruling_told(decision: Decision) -> dict[str, Any]:
    """A decision with its letter, until when it can be appealed, and the appeals."""
    letter = letter_of(decision)
    return {
        "decision": decision,
        "letter": letter,
        "letter_url": page_of(letter) if letter else "",
        "until": appeal_until(decision),
        "can_appeal": decision.kind in AGAINST,
        "appeals": [row for row in decision.appeals.all() if row.voided_at is None],
    }


def standing_of_application(application: Application) -> str:
    """ "Under investigation, with the investigator since Dec 1, 2026; presented Nov 30, 2026." """
    status = Status(application.status)
    told = {
        "status": application.get_status_display(),
        "who": WHO_COUNTY[status],
        "since": short_day(timezone.localdate(application.since)),
    }
    line = (
        _("%(status)s; with %(who)s since %(since)s")
        if application.is_open
        else _("%(status)s on %(since)s")
    )
    parts = [str(capfirst(line % told))]
    if application.presented_on:
        parts.append(_("presented on %(day)s") % {"day": short_day(application.presented_on)})
    if application.prior:
        parts.append(_("renews %(number)s") % {"number": application.prior.number})
    return "; ".join(parts)


STEPS: dict[Status, Sequence[tuple[Capability, str, Any, str]]] = {
    Status.SUBMITTED: (
        (
            Capability.WORK_ON_APPLICATIONS,
            "application_accept",
            gettext_lazy("Find it complete"),
            "",
        ),
        (
            Capability.WORK_ON_APPLICATIONS,
            "application_send_back",
            gettext_lazy("Send it back"),
            "outline",
        ),
    ),
    Status.INVESTIGATION: (
        (
            Capability.INVESTIGATE,
            "application_report",
            gettext_lazy("Report to the administrator"),
            "",
        ),
        (Capability.INVESTIGATE, "application_note", gettext_lazy("Write a note"), "outline"),
        (
            Capability.WORK_ON_APPLICATIONS,
            "application_send_back",
            gettext_lazy("Send it back"),
            "outline",
        ),
    ),
    Status.RECOMMENDED: (
        (Capability.DECIDE_LICENSES, "application_grant", gettext_lazy("Grant the license"), ""),
        (Capability.DECIDE_LICENSES, "application_deny", gettext_lazy("Deny it"), "danger"),
        (
            Capability.DECIDE_LICENSES,
            "application_again",
            gettext_lazy("Have more looked into"),
            "outline",
        ),
    ),
}
"""By where it is: who moves it on, by which page, under which words."""


def acts_for(user: Any, application: Application) -> Iterator[Link]:
    """The acts a user can do on an application as it stands."""
    organization = application.organization
    address = [organization.slug, application.number]
    for capability, page, label, kind in STEPS.get(Status(application.status), ()):
        if can(user, capability, organization):
            yield Link(str(label), reverse(page, args=address), kind=kind)
    if not can(user, Capability.WORK_ON_APPLICATIONS, organization):
        return
    if application.is_open:
        yield Link(_("Receive the fee"), reverse("application_fee", args=address), kind="outline")
    if application.is_open and application.prior and not application.presented_on:
        label = _("It was presented on paper")
        yield Link(label, reverse("application_present", args=address), kind="outline")
    if application.status == Status.DENIED and application.prior and not application.continued_to:
        yield Link(_("The denial is final"), reverse("application_final", args=address))


ONE = "organizations/<slug:slug>/applications/<str:number>/"
urls: list[URLPattern] = [
    path("applications/", ApplicationQueue.as_view(), name="application_queue"),
    path(ONE + "work/", ApplicationWork.as_view(), name="application_work"),
]
