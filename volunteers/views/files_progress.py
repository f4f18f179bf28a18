"""How far the work on a long roster file is, and a file handed back with its problems."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from registry.access import Capability
from registry.exports import FILES
from registry.forms import RegisterForm
from registry.generic import PageView
from registry.history import acting
from volunteers.filework import asked_said, phase_said, start_again, waiting_said
from volunteers.handback import with_problems
from volunteers.jobs import is_lost, latest_job, lost_said
from volunteers.models import FileJob
from volunteers.tables_files import entries_of
from volunteers.views.files_base import RosterFilePage
from volunteers.views.roster_base import RosterAct


class RosterFileProgress(RosterFilePage, RosterAct):
    """How far the last work on a file is; what was stopped can be started again."""

    capability = Capability.KEEP_ROSTER
    template_name = "volunteers/roster_file_progress.html"
    verb = gettext_lazy("Start it again")

    def get_title(self) -> str:
        """Whether the work goes on."""
        going = _("This file is being worked on")
        return _("The work on this file stopped") if self._stopped else going

    @cached_property
    def job(self) -> FileJob | None:
        """The job asked for last."""
        return latest_job(self.file)

    @property
    def step(self) -> int:  # type: ignore[override]
        """Check or Confirm."""
        return 3 if self.job and self.job.kind == FileJob.Kind.ENTER else 2

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """How far it is; once it is done, on to what came out."""
        done = self.job is None or self.job.state == FileJob.State.DONE
        if "part" in request.GET:
            return self._part(is_over=done or bool(self._stopped))
        return HttpResponseRedirect(self._onward()) if done else super().get(request)

    def _part(self, *, is_over: bool) -> HttpResponseBase:
        """The bar alone for htmx, which is told to load the page anew when the work is over."""
        if not is_over:
            return self.page(template="_progress.html")
        return HttpResponse(headers={"HX-Refresh": "true"})

    def _onward(self) -> str:
        """The rows after checking, what became of the file after entering."""
        entered = self.job and self.job.kind == FileJob.Kind.ENTER and entries_of(self.file)
        return self.at(f"roster_file_{'done' if entered else 'check'}", pk=self.file.pk)

    @property
    def _stopped(self) -> str:
        """Why the work stopped, in one sentence; "" while it goes on."""
        job = self.job
        if job is None or job.state == FileJob.State.DONE:
            return ""
        if job.state == FileJob.State.FAILED:
            return job.told or lost_said()
        return lost_said() if is_lost(job, timezone.now()) else ""

    @property
    def _may_again(self) -> bool:
        """True for work that may come out better: its rows are judged, or it was interrupted."""
        job = self.job
        if job is None or not self._stopped:
            return False
        is_own = job.asked_by_id == self.by.pk and not job.told
        return job.kind == FileJob.Kind.READ or is_own

    def act(self, form: RegisterForm) -> FileJob | None:
        """Start again what was stopped; whoever presses again finds it running."""
        return start_again(self.by, self.job) if self.job and self._may_again else None

    def success_url(self, result: Any) -> str:
        """This page again."""
        return self.at("roster_file_progress", pk=self.file.pk)

    def context(self) -> dict[str, Any]:
        """The bar, or why it stopped."""
        job, stopped = self.job, self._stopped
        if job is None:
            return super().context()
        page = self.at("roster_file_progress", pk=self.file.pk)
        return super().context() | {
            "stopped": stopped,
            "asked": asked_said(job),
            "may_again": self._may_again,
            "note": waiting_said(job),
            "done": job.done,
            "total": job.total,
            "label": phase_said(job),
            "url": "" if stopped else f"{page}?part",
        }


class RosterFileProblems(RosterFilePage, PageView):
    """The file handed back as it was read, with a column that says what is wrong in each row."""

    capability = Capability.KEEP_ROSTER
    title = gettext_lazy("The file with its problems")

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """CSV for a text file, XLSX for a workbook; who took it away is kept."""
        rows = with_problems(self.seen, self.file_rows, _("Problem"))
        kind = "xlsx" if self.seen.sheet.sheet else "csv"
        about = {"list": "roster-problems", "query": f"file={self.file.pk}"}
        with acting(self.by, "list.downloaded", organization=self.own, data=about):
            pass
        stem = self.file.name.rpartition(".")[0] or self.file.name
        return FILES[kind](f"{stem} {_('with problems')}.{kind}", rows)
