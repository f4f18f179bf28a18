"""Reading applications: their steps and answers, what is missing, who has them since when."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.db.models import Q, QuerySet
from django.db.models.functions import Length

from licenses.models import (
    Application,
    ApplicationPaper,
    ApplicationStep,
    BankAccount,
    Decision,
    InCharge,
    InvestigationNote,
    Officer,
    Premises,
    Query,
    Receipt,
    Statement,
)
from licenses.questions import Situation, Step, steps_for
from licenses.questions.checks import missing
from licenses.questions.reading import Gap, all_values
from licenses.questions.steps import STEPS
from licenses.rules import OPEN, Status
from registry.access import Anyone, Capability, can, is_regulator
from registry.history import Act
from registry.models import Organization
from registry.ruleset import in_force

QUEUED = (Status.SUBMITTED, Status.INVESTIGATION, Status.RECOMMENDED)
"""What waits for the county."""


def situation_of(application: Application) -> Situation:
    """Which questions are asked of this applicant."""
    return Situation(
        license_class=application.license_class,
        is_renewal=application.kind == Application.Kind.RENEWAL,
        body=application.organization.kind,
    )


def steps_of(application: Application) -> list[Step]:
    """The steps of this application, with only what is asked of this applicant."""
    return steps_for(situation_of(application), STEPS)


def answers_of(application: Application) -> dict[str, dict[str, Any]]:
    """What was typed, by step."""
    return {row.step: row.answers for row in application.steps.all()}


def values_of(application: Application, today: date) -> dict[str, dict[str, Any]]:
    """What can be read of the answers, typed, by step."""
    return all_values(steps_of(application), answers_of(application), today)


def gaps_of(application: Application, today: date) -> list[Gap]:
    """What is still missing, required and requested, in the order of the steps."""
    law = in_force(today)
    situation = situation_of(application)
    return missing(situation, steps_of(application), answers_of(application), law, today)


def applications_of(user: Anyone, organization: Organization) -> QuerySet[Application]:
    """All applications of an organization, newest first."""
    rows: QuerySet[Application] = Application.objects.visible_to(user)
    return rows.filter(organization=organization).order_by("-started_at", "-pk")


def open_applications(user: Anyone, organization: Organization) -> list[Application]:
    """The applications of an organization that are not decided yet, for who may see them."""
    return list(applications_of(user, organization).filter(status__in=OPEN))


def application_for(user: Anyone, organization: Organization, number: str) -> Application | None:
    """One application of the organization by its file number, None when not there for the user."""
    rows = Application.objects.visible_to(user).filter(organization=organization, number=number)
    found: Application | None = rows.select_related("organization", "prior").first()
    return found


def papers_of(user: Anyone, application: Application) -> QuerySet[ApplicationPaper]:
    """The papers handed in with it, by heading, without their contents."""
    rows: QuerySet[ApplicationPaper] = ApplicationPaper.objects.visible_to(user).standing()
    shown = rows.filter(application=application).select_related("document")
    measured = shown.annotate(size=Length("document__content"))
    left = measured.defer("document__content", "document__cleaned")
    return left.order_by("kind", "added_at", "pk")


def paper_for(user: Anyone, application: Application, pk: int) -> ApplicationPaper | None:
    """One paper handed in with it, None when it is not there for the user."""
    found: ApplicationPaper | None = papers_of(user, application).filter(pk=pk).first()
    return found


def query_for(user: Anyone, application: Application, pk: int) -> Query | None:
    """One question of the county about it, None when it is not there for the user."""
    found: Query | None = queries_of(user, application).filter(pk=pk).first()
    return found


def saved_of(application: Application) -> dict[str, ApplicationStep]:
    """What was saved of each step: its answers, by whom and when."""
    return {row.step: row for row in application.steps.all()}


def named_statement(user: Anyone, application: Application, pk: int) -> Statement | None:
    """Whose statement it is, for who fills in the application; never what was stated."""
    if not can(user, Capability.APPLY, application.organization):
        return None
    rows = Statement.objects.standing().filter(application=application, pk=pk)
    found: Statement | None = (
        rows.select_related("application__organization").defer("answers", "signed_as").first()
    )
    return found


def queries_of(user: Anyone, application: Application) -> QuerySet[Query]:
    """The county's questions and their answers, newest first."""
    rows: QuerySet[Query] = Query.objects.visible_to(user).standing()
    return rows.filter(application=application).order_by("-asked_at", "-pk")


def statements_shown(application: Application) -> list[tuple[int, str, str, bool]]:
    """Who states for himself: id, name, capacity, complete or not. All that colleagues see."""
    rows = Statement.objects.standing().filter(application=application).order_by("pk")
    columns = rows.values_list("pk", "full_name", "capacity", "completed_at")
    return [(pk, name, capacity, at is not None) for pk, name, capacity, at in columns]


def statements_of(user: Anyone, application: Application) -> QuerySet[Statement]:
    """The statements themselves, with the checks made on them; regulators only."""
    rows: QuerySet[Statement] = Statement.objects.visible_to(user).standing()
    return rows.filter(application=application).prefetch_related("checks").order_by("pk")


def queue(user: Anyone) -> QuerySet[Application]:
    """The applications that wait for the county, the longest waiting first; regulators only."""
    rows: QuerySet[Application] = Application.objects.visible_to(user)
    waiting = rows.filter(status__in=QUEUED).select_related("organization", "prior")
    return waiting.order_by("since", "pk")


def not_final(user: Anyone) -> QuerySet[Application]:
    """Renewals that were denied and whose denial is not final yet (§ 10-91(b))."""
    rows: QuerySet[Application] = Application.objects.visible_to(user)
    return rows.filter(status=Status.DENIED, prior__isnull=False, continued_to=None)


def listed(user: Anyone) -> QuerySet[Application]:
    """What the county keeps an eye on: all that is open, and denials that are not final."""
    rows: QuerySet[Application] = Application.objects.visible_to(user)
    watched = Q(status__in=OPEN) | Q(pk__in=not_final(user).values("pk"))
    return rows.filter(watched).select_related("organization", "prior").order_by("since", "pk")


def acts_on(user: Anyone, application: Application) -> QuerySet[Act]:
    """What was done about an application, newest first; regulators only.

    The many times a step was saved stand in the organization's history.
    """
    rows: QuerySet[Act] = Act.objects.filter(
        organization=application.organization, data__application=application.number
    ).exclude(verb="application.saved")
    return rows.order_by("-at", "pk") if is_regulator(user) else rows.none()


SEEN_BY_APPLICANTS = (
    "application.started",
    "application.handed_in",
    "application.presented",
    "application.accepted",
    "application.sent_back",
    "application.granted",
    "application.denied",
    "application.withdrawn",
    "application.printed",
    "applicationpaper.voided",
    "paper.added",
    "query.answered",
    "fee.received",
    "statement.link_made",
    "statement.completed",
)
"""What an applicant reads of the history; what the county looks into is not among it."""


def acts_seen(user: Anyone, application: Application) -> QuerySet[Act]:
    """What was done about an application, as far as the user may know it, newest first."""
    if is_regulator(user):
        return acts_on(user, application)
    if not can(user, Capability.SEE_OWN, application.organization):
        return Act.objects.none()
    rows: QuerySet[Act] = Act.objects.filter(
        organization=application.organization,
        data__application=application.number,
        verb__in=SEEN_BY_APPLICANTS,
    )
    return rows.order_by("-at", "pk")


def statement_for(user: Anyone, application: Application, pk: int) -> Statement | None:
    """One person's own statement; None for all but regulators."""
    rows = Statement.objects.visible_to(user).standing().filter(application=application, pk=pk)
    found: Statement | None = rows.select_related("application__organization").first()
    return found


def notes_of(user: Anyone, application: Application) -> QuerySet[InvestigationNote]:
    """The sheriff's notes, oldest first; regulators only."""
    rows: QuerySet[InvestigationNote] = InvestigationNote.objects.visible_to(user).standing()
    return rows.filter(application=application).select_related("written_by").order_by("pk")


def receipts_of(user: Anyone, application: Application) -> QuerySet[Receipt]:
    """What was paid for an application."""
    rows: QuerySet[Receipt] = Receipt.objects.visible_to(user).standing()
    return rows.filter(application=application).order_by("received_on", "pk")


def decision_of(application: Application) -> Decision | None:
    """The decision on an application that stands, None while there is none."""
    rows = application.decisions.standing().select_related("decided_by")
    found: Decision | None = rows.first()
    return found


def decisions_of(user: Anyone, application: Application) -> list[Decision]:
    """What was decided about an application, newest first, also what a reversal took back."""
    rows: QuerySet[Decision] = Decision.objects.visible_to(user).filter(application=application)
    shown = rows.select_related("decided_by", "organization").prefetch_related("appeals")
    return list(shown.order_by("-decided_on", "-pk"))


def officers_on(user: Anyone, organization: Organization, day: date) -> list[Officer]:
    """The officers in office on a day or later."""
    return _now(Officer, user, organization, day)


def in_charge_on(user: Anyone, organization: Organization, day: date) -> list[InCharge]:
    """The members in charge on a day or later."""
    return _now(InCharge, user, organization, day)


def accounts_on(user: Anyone, organization: Organization, day: date) -> list[BankAccount]:
    """The bank accounts on a day or later."""
    return _now(BankAccount, user, organization, day)


def premises_on(user: Anyone, organization: Organization, day: date) -> list[Premises]:
    """The premises on a day or later."""
    return _now(Premises, user, organization, day)


def _now(model: type[Any], user: Anyone, organization: Organization, day: date) -> list[Any]:
    rows = model.objects.visible_to(user).standing().filter(organization=organization)
    return list(rows.exclude(ends_on__lt=day).order_by("starts_on", "pk"))


def officer_for(user: Anyone, organization: Organization, pk: int) -> Officer | None:
    """One officer of the organization, None when not there for the user."""
    rows = Officer.objects.visible_to(user).standing().filter(organization=organization, pk=pk)
    found: Officer | None = rows.first()
    return found
