"""The workers at a renewal: still here or left, who would be cleared, and what became of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from licenses.models import Application
from licenses.rules import Status
from licenses.views.applicant import ApplicationPage, address
from licenses.views.county import ONE
from registry.access import is_regulator
from registry.forms import RegisterForm
from registry.generic import ActView
from registry.worded import Mark
from volunteers.forms_renewal import WorkersForm
from volunteers.renewing import (
    LEFT,
    Worker,
    confirm_workers,
    outcomes_of,
    workers_judged,
)
from volunteers.selectors import stated_names
from volunteers.views.roster_base import approval_words, worded_for

EVERYONE = "everyone"


class Workers(ApplicationPage, ActView):
    """Say of each worker whether he is still here; once granted, who was approved anew."""

    template_name = "volunteers/renewal_workers.html"
    form_class = WorkersForm
    title = gettext_lazy("Your workers")
    verb = gettext_lazy("Save the answers")

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The list, of an application that is there."""
        return self.page({"form": self.form()}) if self._asks else self.page()

    @property
    def _asks(self) -> bool:
        """True for an open renewal."""
        return self.application.is_open and self.application.prior is not None

    @cached_property
    def judged(self) -> tuple[Any, list[Worker]]:
        """The first day of the new license, and each worker judged from it on."""
        return workers_judged(self.application, timezone.localdate())

    @property
    def workers(self) -> Sequence[Worker]:
        """All that are asked about."""
        return self.judged[1]

    def form(self) -> RegisterForm:
        """With a field for each."""
        form = super().form()
        assert isinstance(form, WorkersForm)
        return form.ask(self.workers)

    def page(self, extra: Mapping[str, Any] | None = None, **how: Any) -> HttpResponse:
        """With a row for each worker."""
        form = (extra or {}).get("form")
        return super().page({**(extra or {}), "rows": self._rows(form)}, **how)

    def _rows(self, form: Any) -> list[dict[str, Any]]:
        if not isinstance(form, WorkersForm):
            return []
        names = self._names([worker.approval for worker in self.workers])
        return [
            {
                "name": names[worker.approval.pk],
                "approval": approval_words(worker.approval),
                "stay": form[f"stay_{worker.approval.pk}"],
                "left": form[f"left_{worker.approval.pk}"],
                "mark": Mark.CLEARED if worker.allows else self._mark(worker),
                "why": "" if worker.allows else self._why(worker),
            }
            for worker in self.workers
        ]

    def _mark(self, worker: Worker) -> Mark:
        if worker.ruling.allows:
            return Mark.NOT_CLEARED
        return worded_for(self.request.user, worker.ruling).mark

    def _why(self, worker: Worker) -> str:
        """What stands in the way, as this user may know it."""
        if worker.ruling.allows:
            return worker.hindrance
        return worded_for(self.request.user, worker.ruling).spoken

    def _names(self, rows: Sequence[Any]) -> dict[int, str]:
        """By approval, the name this user may read."""
        stated = {}
        if not is_regulator(self.request.user):
            stated = stated_names(self.own, [row.person_id for row in rows])
        return {row.pk: stated.get(row.person_id) or row.person.full_name for row in rows}

    def context(self) -> dict[str, Any]:
        """The renewal, the first day of the new license, what became of whom."""
        outcomes = outcomes_of(self.application) if self._is_granted else []
        names = self._names([one.approval for one in outcomes])
        return super().context() | {
            "application": self.application,
            "asks": self._asks,
            "first": self.judged[0] if self._asks else None,
            "outcomes": [(names[one.approval.pk], one) for one in outcomes],
        }

    @property
    def _is_granted(self) -> bool:
        return self.application.status == Status.GRANTED

    def act(self, form: RegisterForm) -> Any:
        """Keep what was said."""
        assert isinstance(form, WorkersForm)
        said = form.said(self.workers, rest_here=EVERYONE in self.request.POST)
        confirm_workers(self.by, self.application, said)
        return said

    def done(self, result: Any) -> HttpResponseBase:
        """How many answers stand, and what is left to do for who left."""
        left = sum(stay.answer == LEFT for stay in result.values())
        told = ngettext("%(n)s answer is saved.", "%(n)s answers are saved.", len(result))
        messages.success(self.request, told % {"n": len(result)})
        if left:
            messages.info(
                self.request,
                _("Who left stands on the roster still: end the membership there too."),
            )
        return super().done(result)

    def success_url(self, result: Any) -> str:
        """The same list."""
        return workers_page(self.application)


def workers_page(application: Application) -> str:
    """The page about the workers of a renewal."""
    return reverse("application_workers", args=address(application))


urls: list[URLPattern] = [
    path(ONE + "workers/", Workers.as_view(), name="application_workers"),
]
