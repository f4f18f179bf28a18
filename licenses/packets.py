"""The file of an appeal as one paper for the board: letters, application, papers, history."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from licenses.models import Appeal, Application
from licenses.printing import application_pdf
from licenses.reading import acts_on, papers_of
from licenses.selectors import letter_of
from registry import pdf
from registry.access import Capability, require
from registry.history import acting
from registry.letterhead import letter_pdf
from registry.models import User
from registry.packets import packet_pdf
from registry.papers import COUNTY_ONLY


def appeal_packet(by: User, appeal: Appeal) -> bytes:
    """Contents, decision letter, appeal, application, papers and history, each page numbered.

    No officer's own statement goes along: the board asks for one where it needs it.
    """
    decision = appeal.decision
    require(by, Capability.WORK_ON_APPLICATIONS)
    with acting(by, "packet.printed", organization=decision.organization):
        title = _("Appeal of %(name)s: %(what)s") % {
            "name": decision.organization.name,
            "what": decision.get_kind_display(),
        }
        return packet_pdf(title, list(_parts(by, appeal)))


def _parts(by: User, appeal: Appeal) -> Iterator[tuple[str, bytes]]:
    letter = letter_of(appeal.decision)
    if letter is not None:
        yield _("The decision"), letter_pdf(letter)
    if appeal.paper is not None:
        yield _("The appeal"), bytes(appeal.paper.cleaned or b"")
    application = _application(appeal)
    if application is None:
        return
    yield _("The application"), application_pdf(by, application)
    for row in papers_of(by, application):
        if row.document.kind not in COUNTY_ONLY:
            heading = f"{row.document.get_kind_display()}: {row.document.name}"
            yield heading, bytes(row.document.cleaned or b"")
    yield _("What was done"), _history(by, application)


def _application(appeal: Appeal) -> Application | None:
    decision = appeal.decision
    if decision.application is not None:
        return decision.application
    return decision.license.application if decision.license else None


def _history(by: User, application: Application) -> bytes:
    context = {"application": application, "acts": list(acts_on(by, application))}
    return pdf.render("pdf/application_history.html", context)
