"""One page for each step of an application, saved while it is typed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from licenses.applying import (
    StaleStep,
    add_paper,
    save_step,
    take_out_paper,
)
from licenses.forms_applications import StepForm, typed_answers
from licenses.irs import status_of
from licenses.models import Application, ApplicationStep
from licenses.prefilling import before_anything_typed, names_known
from licenses.questions import Answers, Step
from licenses.questions.checks import lawful
from licenses.questions.shown import Line, shown_step
from licenses.reading import (
    answers_of,
    paper_for,
    papers_of,
    saved_of,
    situation_of,
    statements_shown,
    steps_of,
)
from licenses.rules import asks_for_exemption
from licenses.selectors import exemption_of
from licenses.stating import name_statements, named_in
from licenses.views.applicant import ApplicationPage, address, step_url
from licenses.views.county import ONE
from registry.access import BadInput, Refused
from registry.generic import CONFLICT, INVALID
from registry.models import Organization
from registry.ruleset import in_force

NAMING = frozenset({"officers", "representative"})
"""The steps that say who states for himself."""


class StepPage(ApplicationPage):
    """One topic: saved while it is typed, and by its buttons."""

    template_name = "licenses/application_step.html"

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        """Nothing is known before the user is."""
        super().setup(request, *args, **kwargs)
        self.told: dict[str, Any] = {}

    def get_title(self) -> str:
        """The topic."""
        return str(self.step.title)

    @cached_property
    def steps(self) -> list[Step]:
        """The steps of this application."""
        return steps_of(self.application)

    @cached_property
    def step(self) -> Step:
        """The step of the address; Http404 for one that is not asked."""
        found = next((one for one in self.steps if one.key == self.kwargs["step"]), None)
        if found is None:
            raise Http404
        return found

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """What was typed so far; an empty step begins with what the register knows."""
        if not self.application.is_with_applicant:
            self.step  # noqa: B018 - an unknown step is not there
            return self.closed()
        row = saved_of(self.application).get(self.step.key)
        answers = row.answers if row else before_anything_typed(self.by, self.own, self.step)
        return self._shown(self.form(answers, more=request.GET.get("more", "")), row)

    def form(self, answers: Mapping[str, Any], files: Any = None, *, more: str = "") -> StepForm:
        """The step's form over these answers."""
        everything: Answers = answers_of(self.application) | {self.step.key: answers}
        today = timezone.localdate()
        found = lawful(
            situation_of(self.application), self.steps, everything, in_force(today), today
        )
        return StepForm(
            answers,
            files,
            step=self.step,
            more=more,
            unlawful=[gap for gap in found if gap.step == self.step.key],
            names=names_known(everything),
            by=self.by,
            organization=self.own,
        )

    def _shown(
        self, form: StepForm, row: ApplicationStep | None, *, status: int = 200, **more: Any
    ) -> HttpResponse:
        form.is_valid()
        extra = {"form": form, "saved": row, "revision": row.revision if row else 0, **more}
        return self.page(extra, status=status)

    def context(self) -> dict[str, Any]:
        """Where this step stands among the others, its papers, what is missing."""
        place = self.steps.index(self.step)
        kinds = {paper.kind for paper in self.step.papers}
        there = [row for row in papers_of(self.by, self.application) if row.kind in kinds]
        return super().context() | {
            "application": self.application,
            "step": self.step,
            "stops": self.stops(self.step.key),
            "place": place + 1,
            "count": len(self.steps) + 1,
            "before": step_url(self.application, self.steps[place - 1].key) if place else "",
            "next": self._next(),
            "known": known(self.own) if place == 0 else (),
            "handed": there,
            "missing": self.missing(),
            "judges": self.step.key == "representative" and self.application.license_class == "A",
        }

    def _next(self) -> str:
        place = self.steps.index(self.step) + 1
        if place < len(self.steps):
            return step_url(self.application, self.steps[place].key)
        return reverse("application_review", args=address(self.application))

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Keep what was typed; the button says where to go."""
        without = request.POST.get("remove", "")
        answers = typed_answers(self.step, request.POST, without=without)
        if "autosave" in request.GET:
            return self._autosave(answers)
        form = self.form(answers, request.FILES)
        form.is_valid()
        try:
            row = self._save(answers)
        except StaleStep as stale:
            return self._stale(form, stale.saved)
        except BadInput as bad:
            if bad.field not in form.errors:
                form.add_error(bad.field if bad.field in form.fields else None, bad.message)
            return self._shown(form, self._row(), status=INVALID, unsaved=True)
        except Refused as refused:
            messages.warning(request, refused.message)
            return HttpResponseRedirect(
                reverse("application_detail", args=address(self.application))
            )
        self._papers(form)
        return self._after(form, row)

    def _row(self) -> ApplicationStep | None:
        return saved_of(self.application).get(self.step.key)

    def _save(self, answers: Mapping[str, Any]) -> ApplicationStep:
        text = self.request.POST.get("revision", "")
        revision = int(text) if text.isdecimal() and text.isascii() and len(text) < 9 else 0  # noqa: PLR2004
        return save_step(self.by, self.application, self.step.key, answers, revision=revision)

    def _papers(self, form: StepForm) -> None:
        """Keep the files that came along; take out the one whose button was pressed."""
        for kind, paper in form.papers():
            add_paper(self.by, self.application, kind, paper)
        out = self.request.POST.get("take_out", "")
        if out.isascii() and out.isdecimal() and len(out) < 14:  # noqa: PLR2004
            found = paper_for(self.by, self.application, int(out))
            if found is not None:
                take_out_paper(self.by, self.application, found)

    def _after(self, form: StepForm, row: ApplicationStep) -> HttpResponseBase:
        """On to the next page, away, or here again; mistakes are shown once, saved as they are."""
        sent, here = self.request.POST, step_url(self.application, self.step.key)
        if self.step.key in NAMING:
            keep_statements(self.by, self.application)
        mark = f"?saved={self.step.key}"
        if more := sent.get("add", ""):
            return HttpResponseRedirect(f"{here}{mark}&more={more}#id_{more}-new")
        if form.errors and "leave" not in sent:
            return self._shown(form, row, status=INVALID, is_kept=True)
        if "leave" in sent:
            messages.success(self.request, _("Saved. Come back whenever you like."))
            page = reverse("application_detail", args=address(self.application))
            return HttpResponseRedirect(page + mark)
        stays = any(name in sent for name in ("remove", "take_out", "stay"))
        return HttpResponseRedirect((here if stays else self._next()) + mark)

    def _stale(self, form: StepForm, saved: ApplicationStep) -> HttpResponse:
        """A colleague saved meanwhile: both are shown, and saving again keeps these."""
        pairs = differences(self.step, form.answers, saved.answers)
        return self._shown(form, saved, status=CONFLICT, stale=saved, pairs=pairs)

    def _autosave(self, answers: Mapping[str, Any]) -> HttpResponse:
        """Keep it, and say when: a line for the page."""
        try:
            row = self._save(answers)
        except StaleStep as stale:
            return self._line(stale.saved, "stale", CONFLICT)
        except BadInput as bad:
            return self._line(self._row(), bad.message, INVALID)
        except Refused as refused:
            return self._line(self._row(), refused.message, CONFLICT)
        return self._line(row, "", 200)

    def _line(self, row: ApplicationStep | None, problem: str, status: int) -> HttpResponse:
        shown = {"saved": row, "problem": problem, "revision": row.revision if row else 0}
        return render(self.request, "licenses/_saved.html", shown, status=status)


def keep_statements(by: Any, application: Application) -> None:
    """Those who are named state for themselves; who is named no more does not."""
    if is_behind(application):
        name_statements(by, application)


def is_behind(application: Application) -> bool:
    """True when those named in the application, or their offices, are others than who states."""
    rows = statements_shown(application)
    there = {(name.casefold(), capacity) for _pk, name, capacity, _done in rows}
    wanted = named_in(application).items()
    return {(name.casefold(), capacity) for name, capacity in wanted} != there


def differences(
    step: Step, mine: Mapping[str, Any], theirs: Mapping[str, Any]
) -> list[tuple[str, str, str]]:
    """What two writers typed otherwise: the question, what is saved, what is typed here."""
    here, there = _lines(step, mine), _lines(step, theirs)
    labels = list(dict.fromkeys([*there, *here]))
    pairs = ((label, there.get(label, ""), here.get(label, "")) for label in labels)
    return [pair for pair in pairs if pair[1] != pair[2]]


def _lines(step: Step, answers: Mapping[str, Any]) -> dict[str, str]:
    found = shown_step(step, answers)
    lines: list[tuple[str, Line]] = [(line.label, line) for line in found.lines]
    for entries in found.lists:
        for number, row in enumerate(entries.rows, start=1):
            lines += [(f"{entries.one} {number}: {line.label}", line) for line in row]
    return {label: line.text for label, line in lines}


def known(organization: Organization) -> list[tuple[str, str]]:
    """What the register knows of the applicant and therefore does not ask."""
    place = " ".join(
        filter(None, [organization.city, organization.state, organization.postal_code])
    )
    facts = [
        (_("Name"), organization.name),
        (_("Kind"), str(organization.get_kind_display())),
        (_("EIN"), f"{organization.ein[:2]}-{organization.ein[2:]}" if organization.ein else ""),
        (_("Address"), ", ".join(filter(None, [organization.street, place]))),
    ]
    if not asks_for_exemption(organization.kind):
        return facts
    kept = exemption_of(organization)
    irs = status_of(organization, timezone.localdate())
    told = kept.basis if kept else (irs.basis if irs.is_shown else "")
    return [*facts, (_("Tax exemption"), told)]


urls: list[URLPattern] = [
    path(ONE + "steps/<str:step>/", StepPage.as_view(), name="application_step"),
]
