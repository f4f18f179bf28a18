"""Papers of the applicant: what to have at hand, and the application to sign."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext as _

from licenses.applying import about
from licenses.models import Application
from licenses.questions import Situation, steps_for
from licenses.questions.own import STATEMENT
from licenses.questions.shown import shown
from licenses.questions.steps import STEPS
from licenses.reading import answers_of, papers_of, statements_shown, steps_of
from registry import pdf
from registry.history import acting
from registry.models import Organization, User
from registry.ruleset import in_force


def oath_of(application: Application) -> str:
    """What the representative swears (§ 10-84(a)), in the words of this register."""
    return _(
        "I swear or affirm that I may make this application for %(name)s, that I have read it, and"
        " that everything in it is true and complete to the best of my knowledge."
    ) % {"name": application.organization.name}


def checklist_pdf(organization: Organization, letter: str) -> bytes:
    """Every question of a class with its cite, as a tagged PDF."""
    situation = Situation(letter, body=organization.kind)
    return pdf.render(
        "pdf/checklist.html",
        {
            "letter": letter,
            "steps": steps_for(situation, STEPS),
            "own_step": STATEMENT,
            "county": in_force(timezone.localdate()).title,
        },
    )


def application_pdf(by: User, application: Application) -> bytes:
    """The filled application with its oath, as a tagged PDF; that it was printed is kept."""
    with acting(by, "application.printed", **about(application)):
        context = {
            "application": application,
            "organization": application.organization,
            "steps": shown(steps_of(application), answers_of(application)),
            "papers": list(papers_of(by, application)),
            "statements": statements_shown(application),
            "oath": oath_of(application),
            "representative": answers_of(application).get("representative", {}).get("name", ""),
            "county": in_force(timezone.localdate()).title,
        }
        return pdf.render("pdf/application_to_sign.html", context)
