"""What the pages about one roster file share: the file, how it is read, the steps."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from registry.generic import INVALID
from registry.tables import Link
from volunteers.imports import Preview, judge
from volunteers.models import RosterFile
from volunteers.readers import BadFile, Choices
from volunteers.selectors import roster_file_for
from volunteers.tables_files import entered_said
from volunteers.views.roster_base import RosterPage

STEPS = (gettext_lazy("File"), gettext_lazy("Check"), gettext_lazy("Confirm"))


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
    def reading(self) -> Preview:
        """The file as it was chosen last to be read, every row judged."""
        return self.judged(Choices.from_options(self.file.options))

    def judged(self, choices: Choices) -> Preview:
        """The file read in one way, every row judged; nothing is saved."""
        file = (self.file.name, bytes(self.file.content))
        return judge(self.by, self.own, file, choices, timezone.localdate())

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """A kept file that cannot be read, by whatever choice, says so in one sentence."""
        try:
            return super().dispatch(request, *args, **kwargs)
        except BadFile as bad:
            shown = {**RosterFilePage.context(self), "sentence": str(bad)}
            return render(request, "volunteers/roster_file_bad.html", shown, status=INVALID)

    def trail(self) -> Sequence[Link]:
        """The roster and the list of files."""
        return [*super().trail(), Link(_("Bring in a roster"), self.at("roster_file"))]

    def context(self) -> dict[str, Any]:
        """File, steps, what was taken out of it, and the ways on."""
        pages = ("read", "check", "enter", "done")
        ways = {f"{page}_url": self.at(f"roster_file_{page}", pk=self.file.pk) for page in pages}
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
