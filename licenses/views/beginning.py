"""Before an application: the list of them, what to have at hand, the beginning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from licenses.applying import (
    start_application,
)
from licenses.forms_handing_in import StartForm
from licenses.models import License
from licenses.printing import checklist_pdf
from licenses.questions import Situation, steps_for
from licenses.questions.own import STATEMENT
from licenses.questions.steps import STEPS
from licenses.reading import (
    applications_of,
    steps_of,
)
from licenses.views.applicant import applications_link, step_url
from registry.access import Capability, can
from registry.forms import RegisterForm
from registry.generic import PageView, PdfView
from registry.tables import Link
from registry.views.parties import OrganizationAct, up_to


class ApplicationList(PageView):
    """The organization's applications, and what to have at hand before a new one."""

    capability = Capability.SEE_OWN
    template_name = "licenses/applications.html"
    title = gettext_lazy("Applications")

    def trail(self) -> Sequence[Link]:
        """Up to the organization."""
        return [up_to(self.own)]

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The list, newest first."""
        acts = []
        if can(request.user, Capability.APPLY, self.own):
            acts = [
                Link(_("Apply for a license"), reverse("application_start", args=[self.own.slug]))
            ]
        return self.page({"rows": list(applications_of(request.user, self.own)), "acts": acts})


class ApplicationStart(OrganizationAct):
    """Begin one for class A or class B; an open one is found."""

    capability = Capability.APPLY
    template_name = "licenses/application_start.html"
    title = gettext_lazy("Apply for a license")
    verb = gettext_lazy("Begin the application")
    form_class = StartForm

    def trail(self) -> Sequence[Link]:
        """Up to the list."""
        return [up_to(self.own), applications_link(self.own)]

    def act(self, form: RegisterForm) -> Any:
        """Begin it."""
        return start_application(
            self.by, self.own, license_class=form.cleaned_data["license_class"]
        )

    def success_url(self, result: Any) -> str:
        """Its first step; the list after a second press."""
        if result is None:
            return applications_link(self.own).url
        return step_url(result, steps_of(result)[0].key)


class Checklist(PdfView):
    """All to have at hand for a class, on paper."""

    capability = Capability.SEE_OWN

    def document(self) -> bytes:
        """The list of the class of the address."""
        if self.kwargs["letter"] not in License.Class.values:
            raise Http404
        self.filename = f"have-at-hand-{self.kwargs['letter']}.pdf"
        return checklist_pdf(self.own, self.kwargs["letter"])


class ChecklistPage(PageView):
    """All to have at hand, to read and to print."""

    capability = Capability.SEE_OWN
    template_name = "licenses/checklist.html"

    def get_title(self) -> str:
        """What it is for."""
        if self.kwargs["letter"] not in License.Class.values:
            raise Http404
        return _("What to have at hand for class %(letter)s") % {"letter": self.kwargs["letter"]}

    def trail(self) -> Sequence[Link]:
        """Up to the list."""
        return [up_to(self.own), applications_link(self.own)]

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Every question with its cite."""
        situation = Situation(kwargs["letter"], body=self.own.kind)
        return self.page({"steps": steps_for(situation, STEPS), "own_step": STATEMENT})


urls: list[URLPattern] = [
    path(
        "organizations/<slug:slug>/applications/",
        ApplicationList.as_view(),
        name="application_list",
    ),
    path(
        "organizations/<slug:slug>/applications/new/",
        ApplicationStart.as_view(),
        name="application_start",
    ),
    path(
        "organizations/<slug:slug>/applications/have-at-hand/<str:letter>/",
        ChecklistPage.as_view(),
        name="checklist",
    ),
    path(
        "organizations/<slug:slug>/applications/have-at-hand/<str:letter>/paper/",
        Checklist.as_view(),
        name="checklist_paper",
    ),
]
