"""Acts of the applicant: begin, fill in, hand in, answer, withdraw (§§ 10-84, 10-91(b))."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, TypedDict

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from licenses.irs import status_of
from licenses.models import (
    Application,
    ApplicationPaper,
    ApplicationStep,
    License,
    Query,
)
from licenses.numbering import next_number
from licenses.reading import answers_of, gaps_of, steps_of
from licenses.rules import (
    OPEN,
    TRANSITIONS,
    Status,
    asks_for_exemption,
    license_year,
    renewal_opens,
)
from licenses.selectors import running_on
from licenses.words import short_day
from registry.access import BadInput, Capability, Refused, require
from registry.documents import Paper, keep_document
from registry.entries import has_ssn
from registry.history import acting, seek_first_press
from registry.models import Document, Organization, User
from registry.ruleset import in_force
from registry.services import (
    Actor,
    lock_organizations,
    lock_row,
    need_reason,
    refuse_merged,
    refuse_ssn,
)

FILE = "F"
"""The letter of file numbers: F-2027-0042."""
LONGEST_ANSWER = 4000
MOST_ROWS = 60
LEFT_OUT = frozenset({"prior"})
"""What a renewal asks anew; everything else comes from the application before it."""


class StaleStep(Exception):
    """A colleague saved this step meanwhile; `saved` is what stands there now."""

    def __init__(self, saved: ApplicationStep) -> None:
        super().__init__(saved.step)
        self.saved = saved


class About(TypedDict):
    """What an act says it is about."""

    organization: Organization
    data: dict[str, Any]


def about(application: Application, **more: Any) -> About:
    """The organization and the file number, for the act."""
    return About(
        organization=application.organization, data={"application": application.number, **more}
    )


def start_application(
    by: Actor, organization: Organization, *, license_class: str, prior: License | None = None
) -> Application:
    """Begin an application for a class, or the renewal of a license; an open one is found.

    Raises Refused where a license of this class runs already, or the renewal is too early.
    """
    require(by, Capability.APPLY, organization)
    if license_class not in License.Class.values:
        raise BadInput("license_class", _("Choose class A or class B."))
    today = timezone.localdate()
    with transaction.atomic():
        lock_organizations(organization)
        refuse_merged(organization)
        found = _open(organization, license_class)
        if found is not None:
            return found
        seek_first_press()
        _refuse_start(organization, license_class, prior, today)
        with acting(by, "application.started", organization=organization):
            return _begin(organization, license_class, prior, today)


def _open(organization: Organization, license_class: str) -> Application | None:
    rows = Application.objects.filter(organization=organization, license_class=license_class)
    found: Application | None = rows.filter(status__in=OPEN).first()
    return found


def _refuse_start(
    organization: Organization, license_class: str, prior: License | None, today: date
) -> None:
    if license_class == License.Class.A and organization.kind == Organization.Kind.OTHER:
        raise BadInput(
            "license_class",
            _(
                "The register knows this body as a hall owner only, and those need class B. If it"
                " is a charity or an association, ask the clerk to change its kind."
            ),
        )
    rows = License.objects.standing().filter(
        running_on(today), organization=organization, license_class=license_class
    )
    if prior is None and rows.exists():
        raise Refused(_("A license of this class runs already: renew that one."))
    if prior is None:
        return
    lock_row(prior)
    if prior.organization_id != organization.pk or prior.license_class != license_class:
        raise BadInput("prior", _("This is not the organization's license of that class."))
    if prior.renewals.filter(status=Status.GRANTED).exists():
        raise Refused(_("This license was renewed already."))
    opens = renewal_opens(prior.expires_on, in_force(today).procedure.renewal_window_days)
    if today < opens:
        raise Refused(_("A renewal can be filled in from %(day)s on.") % {"day": short_day(opens)})


def _begin(
    organization: Organization, license_class: str, prior: License | None, today: date
) -> Application:
    application: Application = Application.objects.create(
        organization=organization,
        number=next_number(FILE, license_year(today)),
        license_class=license_class,
        kind=Application.Kind.RENEWAL if prior else Application.Kind.NEW,
        prior=prior,
        since=timezone.now(),
    )
    before = prior.application if prior else None
    if before is not None:
        _carry_over(before, application)
    return application


def _carry_over(before: Application, application: Application) -> None:
    """A renewal opens with last year's answers: only changes are asked."""
    now = timezone.now()
    ApplicationStep.objects.bulk_create(
        ApplicationStep(
            application=application,
            step=row.step,
            answers=row.answers,
            revision=1,
            saved_at=now,
            saved_by=str(before),
        )
        for row in before.steps.exclude(step__in=LEFT_OUT)
    )


def save_step(
    by: Actor, application: Application, step: str, answers: Mapping[str, Any], *, revision: int
) -> ApplicationStep:
    """Keep what was typed on one step, whether it is complete or not.

    `revision` is the one the writer saw, 0 for an empty step. Raises StaleStep when a colleague
    saved the step meanwhile, Refused when the application is with the county, BadInput for a
    Social Security number or an unknown step.
    """
    require(by, Capability.APPLY, application.organization)
    if step not in {one.key for one in steps_of(application)}:
        raise BadInput("step", _("This application has no such step."))
    refuse_ssn_in(answers)
    with transaction.atomic():
        locked = lock_application(application)
        _refuse_writing(locked)
        row = ApplicationStep.objects.filter(application=locked, step=step).first()
        row = row or ApplicationStep(application=locked, step=step)
        if row.answers == answers:
            return row
        if row.revision != revision:
            raise StaleStep(row)
        with acting(by, "application.saved", **about(locked, step=step)):
            row.answers, row.saved_at, row.saved_by = dict(answers), timezone.now(), name_of(by)
            row.revision += 1
            row.save()
    return row


def name_of(by: Actor) -> str:
    """How colleagues know who wrote: by name, without an address where there is one."""
    return by.name if isinstance(by, User) and by.name else str(by)


def refuse_ssn_in(answers: Mapping[str, Any]) -> None:
    """Raise BadInput on a field with a Social Security number (decisions 22), or with too much."""
    for key, value in answers.items():
        texts = value if isinstance(value, list) else [{key: value}]
        if len(texts) > MOST_ROWS:
            told = _("These are more than %(most)s entries: put the rest into a paper.")
            raise BadInput(key, told % {"most": MOST_ROWS})
        for number, row in enumerate(texts):
            for name, text in row.items():
                field = f"{key}-{number}-{name}" if isinstance(value, list) else name
                if len(str(text)) > LONGEST_ANSWER:
                    raise BadInput(field, _("This is too long: write it shorter, or add a paper."))
                if has_ssn(str(text)):
                    raise BadInput(
                        field,
                        _(
                            "This looks like a Social Security number. The register keeps none:"
                            " take it out and hand it to the sheriff on paper."
                        ),
                    )


def _refuse_writing(application: Application) -> None:
    if not application.is_with_applicant:
        raise Refused(why_closed(application))


def why_closed(application: Application) -> str:
    """Why its applicant cannot write in it now."""
    if not application.is_open:
        return _("The application is closed: nothing in it is changed any more.")
    return _("The application is with the county: it can be changed when it comes back to you.")


def lock_application(application: Application) -> Application:
    """The application as it stands now, locked until the transaction ends."""
    rows = Application.objects.select_for_update(no_key=True, of=("self",))
    locked: Application = rows.select_related("organization", "prior").get(pk=application.pk)
    return locked


def move(application: Application, status: Status) -> None:
    """Inside a running act, on a locked row: the next status. Raises Refused where none leads."""
    if status not in TRANSITIONS[Status(application.status)]:
        raise Refused(
            _("This cannot be done now: the application is %(status)s.")
            % {"status": application.get_status_display()}
        )
    application.status, application.since = status, timezone.now()


@dataclass(frozen=True, slots=True)
class Oath:
    """Who swears that all is true, on screen (typed name) or on a signed paper."""

    sworn_by: str
    paper: Document | None = None


def hand_in(
    by: Actor, application: Application, oath: Oath, *, received_on: date | None = None
) -> Application:
    """Hand an application in (§ 10-84(a)); `received_on` is the day its paper reached the county.

    Raises Refused with all that is missing, BadInput without an oath.
    """
    require(by, Capability.APPLY, application.organization)
    today = timezone.localdate()
    if not oath.sworn_by.strip():
        raise BadInput("sworn_by", _("The representative swears by name: write the full name."))
    refuse_ssn("sworn_by", oath.sworn_by)
    if received_on and received_on > today:
        raise BadInput("received_on", _("This day is still to come. Check the date."))
    with (
        transaction.atomic(),
        acting(by, "application.handed_in", **about(application)),
    ):
        row = lock_application(application)
        move(row, Status.SUBMITTED)
        _refuse_gaps(row, today)
        _refuse_other_name(row, oath.sworn_by)
        row.presented_on = row.presented_on or received_on or today
        row.sworn_by, row.sworn_on, row.oath = oath.sworn_by, received_on or today, oath.paper
        if asks_for_exemption(row.organization.kind):
            row.irs_seen = status_of(row.organization, today).snapshot()
        if row.kind == Application.Kind.RENEWAL:
            row.prior_shown = str(answers_of(row).get("prior", {}).get("shown", ""))
        row.save()
    return row


def _refuse_gaps(application: Application, today: date) -> None:
    count = sum(gap.is_required for gap in gaps_of(application, today))
    if count:
        raise Refused(
            ngettext(
                "%(count)s answer that the ordinance requires is missing or not as it must be.",
                "%(count)s answers that the ordinance requires are missing or not as they must be.",
                count,
            )
            % {"count": count}
        )


def _refuse_other_name(application: Application, sworn_by: str) -> None:
    named = " ".join(str(answers_of(application)["representative"]["name"]).split())
    if " ".join(sworn_by.split()).casefold() != named.casefold():
        told = _("The application names %(name)s as the representative, who swears.")
        raise BadInput("sworn_by", told % {"name": named})


def present_renewal(
    by: Actor, application: Application, *, received_on: date, shown: str
) -> Application:
    """Record that a renewal reached the county on paper, complete or not (§ 10-91(b)).

    From that day on the license before it stays in force while the county decides.
    """
    require(by, Capability.WORK_ON_APPLICATIONS)
    if shown not in Application.Prior.values:
        raise BadInput("shown", _("Choose what was shown: last year's license, or its loss."))
    if received_on > timezone.localdate():
        raise BadInput("received_on", _("This day is still to come. Check the date."))
    told = about(application, received_on=received_on.isoformat())
    with acting(by, "application.presented", **told):
        row = lock_application(application)
        if row.kind != Application.Kind.RENEWAL or not row.is_open:
            raise Refused(_("Only an open renewal is presented."))
        row.presented_on = min(row.presented_on or received_on, received_on)
        row.prior_shown = shown
        row.save(update_fields=["presented_on", "prior_shown"])
    return row


def withdraw(by: Actor, application: Application, *, reason: str) -> Application:
    """The applicant gives it up; a license that it kept in force ends with this day."""
    require(by, Capability.APPLY, application.organization)
    need_reason(reason)
    today = timezone.localdate()
    with acting(by, "application.withdrawn", reason=reason, **about(application)):
        row = lock_application(application)
        move(row, Status.WITHDRAWN)
        if row.prior and today > row.prior.expires_on and row.continued_to is None:
            row.continued_to = today
        row.save()
    return row


def add_paper(by: Actor, application: Application, kind: str, paper: Paper) -> ApplicationPaper:
    """Keep a paper with the application, under its heading; the same one again is found.

    Raises BadInput for a file that is not kept (registry.documents).
    """
    require(by, Capability.APPLY, application.organization)
    organization = application.organization
    if kind not in Document.Kind.values:
        raise BadInput("kind", _("Choose what the paper is."))
    with acting(by, "paper.added", **about(application, kind=kind)):
        row = lock_application(application)
        if not row.is_open:
            raise Refused(_("The application is closed: nothing is added any more."))
        document = keep_document(organization, Document.Kind(kind), paper, by=by)
        rows = ApplicationPaper.objects.standing()
        added: ApplicationPaper = rows.get_or_create(application=row, document=document, kind=kind)[
            0
        ]
        return added


def take_out_paper(by: Actor, application: Application, paper: ApplicationPaper) -> None:
    """Take a paper out again while the application is with the applicant; it stays in the history.

    Raises Refused once the county has it.
    """
    require(by, Capability.APPLY, application.organization)
    with acting(by, "applicationpaper.voided", **about(application, paper=paper.document.name)):
        _refuse_writing(lock_application(application))
        lock_row(paper)
        paper.voided_at, paper.void_reason = timezone.now(), _("taken out by the applicant")
        paper.save(update_fields=["voided_at", "void_reason"])


def answer_query(by: Actor, query: Query, *, answer: str) -> Query:
    """Answer a question of the county in words; the step it is about is mended on its page."""
    organization = query.application.organization
    require(by, Capability.APPLY, organization)
    if not answer.strip():
        raise BadInput("answer", _("Write what you did, or why nothing is to be changed."))
    if has_ssn(answer):
        refuse_ssn_in({"answer": answer})
    with acting(by, "query.answered", **about(query.application)):
        _refuse_writing(lock_application(query.application))
        query.refresh_from_db()
        query.answer, query.answered_at = answer, timezone.now()
        query.save(update_fields=["answer", "answered_at"])
    return query
