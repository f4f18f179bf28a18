"""Bring in a roster from a file, in three steps: File, Check, Confirm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from registry.access import BadInput, Capability
from registry.forms import RegisterForm
from registry.generic import INVALID, TableView
from registry.tables import Link, replaced
from volunteers.comparing import Status
from volunteers.controls import columns_sent, low_level
from volunteers.filerows import WORDS, FileRow, Worded, work_said
from volunteers.filing import Upload, choose_reading, keep_file, latest_like
from volunteers.forms_files import ReadingForm, RosterFileForm, layout_of
from volunteers.imports import Question, Understood, judge_rows
from volunteers.jobs import latest_jobs
from volunteers.layouts import read_alike
from volunteers.models import RosterFile
from volunteers.readers import BadFile, Sheet
from volunteers.readers.sheets import as_text
from volunteers.selectors import roster_file_for, roster_files_of
from volunteers.tables_files import FileLine, FileRowTable, RosterFileTable, entered_said
from volunteers.views.files_base import STEPS, RosterFilePage
from volunteers.views.files_entered import RosterFileDone, RosterFileEnter
from volunteers.views.files_progress import RosterFileProblems, RosterFileProgress
from volunteers.views.roster_base import RosterAct

SAMPLE = 5
RAW, RAW_LETTERS = 8, 30
"""Lines and columns, and letters a cell, of the look at the file as it was read."""
KEPT = ("ssn", "found", "like")
"""What a file's options hold besides the choices."""
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
        options: dict[str, Any] = {"found": dict(form.found)}
        if found.is_rewritten:
            options["ssn"] = {"columns": list(found.dropped), "cells": found.removed}
        before = latest_like(self.by, self.own, form.layout)
        if before is not None:
            options |= {**read_alike(form.sheet, before.options), "like": before.pk}
        name = form.cleaned_data["file"].name
        upload = Upload(name, found.content, form.sha256, options, form.layout)
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
        files = list(roster_files_of(self.request.user, self.own))
        jobs = latest_jobs(files)
        rows = [
            FileLine(file, self.at("roster_file_check", pk=file.pk), jobs.get(file.pk))
            for file in files
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
        """The controls, set to what was understood; a sent form is read with what it chose."""
        if self.request.method != "POST":
            return self._shown(self.seen)
        sent = self.request.POST
        is_stored = sent.get("layout") == layout_of(self.seen.sheet)
        low = low_level(sent.dict(), self.seen, is_stored_shown=is_stored)
        seen, bad = self.seen, ""
        try:
            seen = self.understood(low)
            if sent.get("layout") == layout_of(seen.sheet):
                # Which days there are, and what is asked about them, the columns decide.
                seen = self.understood(replace(low, columns=columns_sent(sent.dict())))
        except BadFile as unreadable:
            bad = str(unreadable)
        return ReadingForm(sent, by=self.by, organization=self.own, seen=seen, bad=bad)

    def _shown(self, seen: Understood) -> ReadingForm:
        return ReadingForm(by=self.by, organization=self.own, seen=seen)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """As every act; “Read again” only shows what the choices would give."""
        if "again" not in request.POST:
            return super().post(request, *args, **kwargs)
        form = self.form()
        if not form.is_valid():
            return self.page({"form": form}, status=INVALID)
        seen = self.understood(form.chosen())
        return self.page({"form": self._shown(seen), **self._sample(seen)})

    def preview(self, form: RegisterForm) -> Mapping[str, Any]:
        """The first rows as the controls would have them read, and the controls where new."""
        assert isinstance(form, ReadingForm)
        try:
            seen = self.understood(form.chosen())
        except BadFile as bad:
            return {"sentence": str(bad)}
        fresh = self._shown(seen)
        is_same = not form.is_reread and set(fresh.fields) <= {*self.request.POST, "token"}
        return {"fresh": None if is_same else fresh, **self._sample(seen)}

    def act(self, form: RegisterForm) -> bool:
        """Remember the choices unless a question is still open; says whether to look again."""
        assert isinstance(form, ReadingForm)
        chosen = form.chosen()
        questions = self._asked(self.understood(chosen))
        if questions and not form.is_reread:
            for other in questions[1:]:
                form.add_error(other.control if other.control in form.fields else None, other.text)
            raise BadInput(questions[0].control, questions[0].text)
        kept = {name: self.file.options[name] for name in KEPT if name in self.file.options}
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
        """Open questions, the first rows, and which file was read alike before."""
        shown = super().context() | self._sample(self.seen) | {"like": self._like()}
        if self.is_long and self.judged:
            shown["questions"] = self.judged.questions
        return shown

    def _like(self) -> RosterFile | None:
        key = self.file.options.get("like")
        return roster_file_for(self.request.user, self.own, key) if key else None

    def _asked(self, seen: Understood) -> Sequence[Question]:
        """What is open; of a long file, what can be known before its rows are judged."""
        return seen.questions if self.is_long else judge_rows(self.by, self.own, seen).questions

    def _sample(self, seen: Understood) -> dict[str, Any]:
        """The first rows of a reading, its cells as they were read, and what is open about it."""
        judged = judge_rows(self.by, self.own, seen, first=SAMPLE if self.is_long else None)
        counts = dict(judged.counts)
        if self.is_long:
            counts = {"rows": sum(1 for _line in seen.sheet.lines())}
        rows = [FileRow.of(row, seen.today) for row in judged.rows[:SAMPLE]]
        asked = seen.questions if self.is_long else judged.questions
        shown = {"sample": rows, "counts": counts, "questions": asked}
        return shown | {"raw": raw_look(seen.sheet), "mentions": seen.mentions}


def raw_look(sheet: Sheet) -> list[tuple[int, bool, list[str]]]:
    """The first lines as they were read: number, whether it is the header, the first cells."""
    return [
        (number, number == sheet.header_row, [as_text(cell)[:RAW_LETTERS] for cell in row[:RAW]])
        for number, row in enumerate(sheet.rows[:RAW], 1)
    ]


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
        return Status.REFUSED if self.file_rows.counts["refused"] else ALL

    def rows(self) -> Worded:
        """The rows asked for, problems first."""
        return self.file_rows.rows("" if self.show == ALL else self.show)

    def about(self) -> str:
        """The file's name."""
        return self.file.name

    def context(self) -> dict[str, Any]:
        """The counts as chips that filter."""
        counts = self.file_rows.counts
        kinds = [(ALL, _("All"), counts["rows"])]
        kinds += [(s.value, str(WORDS[s]), counts[s.value]) for s in Status if counts[s.value]]
        switches = [
            Link(label, replaced(self.request.GET, "show", key), key == self.show, count)
            for key, label, count in kinds
        ]
        shown = {
            "switches": switches,
            "counts": counts,
            "questions": self.file_rows.questions,
            "mentions": self.file_rows.mentions,
        }
        told = {"to_enter": self.file_rows.to_enter, "work_said": work_said(counts)}
        return super().context() | shown | told


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
        "organizations/<slug:slug>/rosters/<int:pk>/problems/",
        RosterFileProblems.as_view(),
        name="roster_file_problems",
    ),
    path(
        "organizations/<slug:slug>/rosters/<int:pk>/progress/",
        RosterFileProgress.as_view(),
        name="roster_file_progress",
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
