"""What the pages about one roster file share: the file, how it is read, the steps."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from django.http import Http404, HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from registry.generic import INVALID
from registry.tables import Link
from volunteers.filerows import FileRows, JudgedFile
from volunteers.filework import is_long, kept_rows, start_reading
from volunteers.imports import Understood, judge_rows, understand
from volunteers.models import RosterFile
from volunteers.readers import BadFile, Choices
from volunteers.selectors import roster_file_for
from volunteers.tables_files import entered_said
from volunteers.views.roster_base import RosterPage

STEPS = (gettext_lazy("File"), gettext_lazy("Check"), gettext_lazy("Confirm"))


class NotJudged(Exception):
    """A page asks for the rows of a long file, and nobody has judged them as they stand today."""


class RosterFilePage(RosterPage):
    """A page about one roster file of the organization in the address; 404 for any other."""

    step = 1

    @cached_property
    def file(self) -> RosterFile:
        """The file of the address."""
        found = roster_file_for(self.request.user, self.own, self.kwargs["pk"])
        if found is None:
            raise Http404
        return found

    @cached_property
    def is_long(self) -> bool:
        """True for a file whose rows are judged and entered in the queue."""
        return is_long(self.file)

    @cached_property
    def seen(self) -> Understood:
        """The file as it was chosen last to be read."""
        return self.understood(Choices.from_options(self.file.options))

    def understood(self, choices: Choices) -> Understood:
        """The file read in one way; nothing is saved."""
        file = (self.file.name, bytes(self.file.content))
        return understand(file, choices, timezone.localdate())

    @cached_property
    def judged(self) -> FileRows | None:
        """Every row judged: a short file's at once, a long one's as kept, None before that."""
        if self.is_long:
            return kept_rows(self.by, self.file, timezone.localdate())
        return JudgedFile(judge_rows(self.by, self.own, self.seen))

    @property
    def file_rows(self) -> FileRows:
        """The rows judged; raises NotJudged where a long file has to be judged first."""
        if self.judged is None:
            raise NotJudged
        return self.judged

    def to_progress(self) -> HttpResponseRedirect:
        """On to the page that shows how far the work on the file is."""
        return HttpResponseRedirect(self.at("roster_file_progress", pk=self.file.pk))

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """A kept file that cannot be read says so in one sentence; a long one is judged first."""
        try:
            return super().dispatch(request, *args, **kwargs)
        except NotJudged:
            start_reading(self.by, self.file)
            return self.to_progress()
        except BadFile as bad:
            shown = {**RosterFilePage.context(self), "sentence": str(bad)}
            return render(request, "volunteers/roster_file_bad.html", shown, status=INVALID)

    def trail(self) -> Sequence[Link]:
        """The roster and the list of files."""
        return [*super().trail(), Link(_("Bring in a roster"), self.at("roster_file"))]

    def context(self) -> dict[str, Any]:
        """File, steps, what was taken out of it, and the ways on."""
        pages = ("read", "check", "enter", "done", "progress", "problems")
        ways = {"files_url": self.at("roster_file")}
        ways |= {f"{page}_url": self.at(f"roster_file_{page}", pk=self.file.pk) for page in pages}
        return (
            super().context()
            | ways
            | {
                "file": self.file,
                "steps": STEPS,
                "step": self.step,
                "ssn": self.file.options.get("ssn"),
                "entered": entered_said(self.file),
            }
        )
