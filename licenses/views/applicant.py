"""What the applicant's pages share: the application, its steps, what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from django.contrib import messages
from django.http import HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from licenses.applying import why_closed
from licenses.models import Application
from licenses.questions.reading import Gap
from licenses.reading import (
    gaps_of,
    saved_of,
    steps_of,
)
from licenses.views.county import find_application
from registry.access import Capability
from registry.generic import PageView
from registry.models import Organization
from registry.tables import Link
from registry.views.parties import up_to


def applications_link(organization: Organization) -> Link:
    """The way back to the organization's applications."""
    return Link(_("Applications"), reverse("application_list", args=[organization.slug]))


def address(application: Application) -> list[str]:
    """The parts of the address of an application's pages."""
    return [application.organization.slug, application.number]


def step_url(application: Application, step: str) -> str:
    """The page of one step."""
    return reverse("application_step", args=[*address(application), step])


@dataclass(frozen=True, slots=True)
class Stop:
    """One step in the indicator."""

    number: int
    title: str
    url: str
    is_done: bool
    is_current: bool = False


@dataclass(frozen=True, slots=True)
class Missing:
    """One thing that is missing: where, why, by which paragraph, and the way there."""

    label: str
    sentence: str
    cite: str
    url: str


class ApplicationPage(PageView):
    """A page about one application of the organization."""

    capability = Capability.APPLY

    @cached_property
    def application(self) -> Application:
        """The application of the address; Http404 when it is not there for the user."""
        return find_application(self.request.user, self.own, self.kwargs["number"])

    def trail(self) -> Sequence[Link]:
        """Up to the application."""
        page = reverse("application_detail", args=address(self.application))
        return [up_to(self.own), Link(self.application.number, page)]

    def closed(self) -> HttpResponseRedirect:
        """To the application's page, which says who has it: nothing can be written now."""
        messages.info(self.request, why_closed(self.application))
        return HttpResponseRedirect(reverse("application_detail", args=address(self.application)))

    @cached_property
    def gaps(self) -> list[Gap]:
        """What is missing today."""
        return gaps_of(self.application, timezone.localdate())

    def stops(self, current: str = "") -> list[Stop]:
        """The steps with what is done of them, and the last page."""
        saved = saved_of(self.application)
        open_ = {gap.step for gap in self.gaps if gap.is_required}
        steps = steps_of(self.application)
        found = [
            Stop(
                number,
                str(step.title),
                step_url(self.application, step.key),
                step.key in saved and step.key not in open_,
                step.key == current,
            )
            for number, step in enumerate(steps, start=1)
        ]
        last = reverse("application_review", args=address(self.application))
        is_sent = not self.application.is_with_applicant
        return [*found, Stop(len(found) + 1, _("Hand in"), last, is_sent, current == "review")]

    def missing(self, *, required: bool = True) -> list[Missing]:
        """What is not there, required or requested, each with the address of its field."""
        titles = {step.key: str(step.title) for step in steps_of(self.application)}
        return [
            Missing(
                gap.label if gap.label == titles[gap.step] else f"{titles[gap.step]}: {gap.label}",
                gap.sentence,
                gap.cite,
                gap_url(self.application, gap),
            )
            for gap in self.gaps
            if gap.is_required == required
        ]


def gap_url(application: Application, gap: Gap) -> str:
    """The field on its page."""
    return f"{step_url(application, gap.step)}#id_{gap.anchor}"
