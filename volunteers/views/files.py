"""Bring in a roster from a file, in three steps: File, Check, Confirm."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from registry.access import BadInput, Capability
from registry.forms import RegisterForm
from registry.generic import TableView
from registry.tables import Link, replaced
from volunteers.comparing import Status
from volunteers.filing import Upload, choose_reading, keep_file
from volunteers.forms_files import ReadingForm, RosterFileForm
from volunteers.imports import Preview
from volunteers.models import RosterFile
from volunteers.readers import BadFile
from volunteers.selectors import roster_files_of
from volunteers.tables_files import (
    WORDS,
    FileLine,
    FileRow,
    FileRowTable,
    RosterFileTable,
    entered_said,
)
from volunteers.views.files_base import STEPS, RosterFilePage
from volunteers.views.files_entered import RosterFileDone, RosterFileEnter
from volunteers.views.roster_base import RosterAct

SAMPLE = 5
ALL = "all"


class RosterFileAdd(RosterAct):
    """Drop a file; below, the files that were dropped before, with their state."""

    capability = Capability.KEEP_ROSTER
    template_name = "volunteers/roster_file_add.html"
    title = gettext_lazy("Bring in a roster")
    verb = gettext_lazy("Read the file")
    form_class = RosterFileForm

    def act(self, form: RegisterForm) -> tuple[RosterFile, bool]:
        """Keep the file, without Social Security numbers."""
        assert isinstance(form, RosterFileForm)
        found = form.received
        options: dict[str, Any] = {}
        if found.is_rewritten:
            options["ssn"] = {"columns": list(found.dropped), "cells": found.removed}
        name = form.cleaned_data["file"].name
        upload = Upload(name, found.content, form.sha256, options)
        return keep_file(self.by, self.own, upload)

    def done(self, result: tuple[RosterFile, bool]) -> HttpResponseBase:
        """On to what was understood; a known file says that it is one."""
        file, is_new = result
        if is_new:
            return HttpResponseRedirect(self.at("roster_file_read", pk=file.pk))
        if said := entered_said(file):
            told = _("This file was dropped before. %(said)s.") % {"said": said}
        else:
            told = _("This file was dropped before and is not entered yet.")
        messages.info(self.request, told)
        return HttpResponseRedirect(self.at("roster_file_check", pk=file.pk))

    def success_url(self, result: Any) -> str:
        """After a second press: the list of files, the newest on top."""
        return self.at("roster_file")

    def context(self) -> dict[str, Any]:
        """The files so far."""
        rows = [
            FileLine(file, self.at("roster_file_check", pk=file.pk))
            for file in roster_files_of(self.request.user, self.own)
        ]
        table = RosterFileTable(rows)
        table.turn_to(1, len(rows) or 1)
        return super().context() | {"table": table, "files": rows, "steps": STEPS, "step": 1}


class RosterFileRead(RosterFilePage, RosterAct):
    """Step 1: what was understood of the file, each as a control."""

    capability = Capability.KEEP_ROSTER
    template_name = "volunteers/roster_file_read.html"
    preview_template = "volunteers/_roster_file_sample.html"
    title = gettext_lazy("What was understood")
    verb = gettext_lazy("Check the rows")
    is_live = True

    def form(self) -> ReadingForm:
        """The controls, set to what was understood."""
        sent = (self.request.POST,) if self.request.method == "POST" else ()
        return ReadingForm(*sent, by=self.by, organization=self.own, preview=self.reading)

    def preview(self, form: RegisterForm) -> Mapping[str, Any]:
        """The first rows as the controls would have them read."""
        assert isinstance(form, ReadingForm)
        try:
            return {"is_reread": form.is_reread, **_sample(self.judged(form.chosen()))}
        except BadFile as bad:
            return {"sentence": str(bad)}

    def act(self, form: RegisterForm) -> bool:
        """Remember the choices unless a question is still open; says whether to look again."""
        assert isinstance(form, ReadingForm)
        chosen = form.chosen()
        try:
            questions = self.judged(chosen).questions
        except BadFile as bad:
            raise BadInput("encoding", str(bad)) from bad
        if questions and not form.is_reread:
            for other in questions[1:]:
                form.add_error(other.control if other.control in form.fields else None, other.text)
            raise BadInput(questions[0].control, questions[0].text)
        kept = {key: value for key, value in self.file.options.items() if key == "ssn"}
        choose_reading(self.by, self.file, kept | chosen.as_options())
        return form.is_reread

    def done(self, result: bool) -> HttpResponseBase:  # noqa: FBT001 - what act() says
        """On to the rows, or to the columns again where they are others now."""
        if result:
            messages.info(self.request, _("The file was read anew: look at its columns."))
        page = "roster_file_read" if result else "roster_file_check"
        return HttpResponseRedirect(self.at(page, pk=self.file.pk))

    def success_url(self, result: Any) -> str:
        """After a second press: the rows."""
        return self.at("roster_file_check", pk=self.file.pk)

    def context(self) -> dict[str, Any]:
        """Open questions and the first rows."""
        return super().context() | {"reading": self.reading, **_sample(self.reading)}


def _sample(preview: Preview) -> dict[str, Any]:
    rows = [FileRow(row, preview.today) for row in preview.rows[:SAMPLE]]
    return {"sample": rows, "counts": preview.counts, "questions": preview.questions}


class RosterFileCheck(RosterFilePage, TableView):
    """Step 2: each row with its status, its problem and from when the person may work."""

    capability = Capability.KEEP_ROSTER
    template_name = "volunteers/roster_file_check.html"
    title = gettext_lazy("Check the rows")
    table_class = FileRowTable
    export_name = "roster-rows"
    step = 2
    per_page = 100

    @property
    def show(self) -> str:
        """Which rows: those with problems as long as there are any, else all."""
        asked = self.request.GET.get("show", "")
        if asked in {ALL, *Status}:
            return asked
        return Status.REFUSED if self.reading.counts["refused"] else ALL

    def rows(self) -> list[FileRow]:
        """The rows asked for, problems first."""
        chosen = [row for row in self.reading.rows if self.show in {ALL, row.status}]
        chosen.sort(key=lambda row: (row.status is not Status.REFUSED, row.number))
        return [FileRow(row, self.reading.today) for row in chosen]

    def about(self) -> str:
        """The file's name."""
        return self.file.name

    def context(self) -> dict[str, Any]:
        """The counts as chips that filter."""
        counts = self.reading.counts
        kinds = [(ALL, _("All"), counts["rows"])]
        kinds += [(s.value, str(WORDS[s]), counts[s.value]) for s in Status if counts[s.value]]
        switches = [
            Link(label, replaced(self.request.GET, "show", key), key == self.show, count)
            for key, label, count in kinds
        ]
        shown = {"switches": switches, "counts": counts, "questions": self.reading.questions}
        return super().context() | shown | {"to_enter": self.reading.to_enter}


urls: list[URLPattern] = [
    path("organizations/<slug:slug>/rosters/", RosterFileAdd.as_view(), name="roster_file"),
    path(
        "organizations/<slug:slug>/rosters/<int:pk>/",
        RosterFileRead.as_view(),
        name="roster_file_read",
    ),
    path(
        "organizations/<slug:slug>/rosters/<int:pk>/check/",
        RosterFileCheck.as_view(),
        name="roster_file_check",
    ),
    path(
        "organizations/<slug:slug>/rosters/<int:pk>/enter/",
        RosterFileEnter.as_view(),
        name="roster_file_enter",
    ),
    path(
        "organizations/<slug:slug>/rosters/<int:pk>/done/",
        RosterFileDone.as_view(),
        name="roster_file_done",
    ),
]
