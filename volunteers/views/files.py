"""Bring in a roster from a file, in three steps: File, Check, Confirm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from django.contrib import messages
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from registry.access import BadInput, Capability, is_regulator, organizations_held
from registry.forms import RegisterForm
from registry.generic import INVALID, DetailView, TableView
from registry.history import from_paper
from registry.tables import Link, replaced
from volunteers.comparing import Status
from volunteers.entering import Entered, Wanted, enter_roster
from volunteers.filing import Upload, choose_reading, keep_file
from volunteers.forms_files import EnterForm, ReadingForm, RosterFileForm
from volunteers.imports import Preview, judge
from volunteers.models import RosterFile
from volunteers.readers import BadFile, Choices
from volunteers.roster_tables import Entry
from volunteers.rosters import lines_of
from volunteers.selectors import memberships_of, roster_file_for, roster_files_of
from volunteers.services import Statement, statement_of
from volunteers.tables_files import (
    WORDS,
    FileLine,
    FileRow,
    FileRowTable,
    RosterFileTable,
    entered_said,
    entries_of,
)
from volunteers.views.roster_base import RosterAct, RosterPage

STEPS = (gettext_lazy("File"), gettext_lazy("Check"), gettext_lazy("Confirm"))
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


class RosterFileEnter(RosterFilePage, RosterAct):
    """Step 3: the officer's statement; then all rows or only the good ones are entered."""

    capability = Capability.KEEP_ROSTER
    template_name = "volunteers/roster_file_enter.html"
    title = gettext_lazy("Confirm and enter")
    step = 3

    @property
    def from_paper(self) -> bool:
        """True for county staff, who key in what an officer signed (decisions 18)."""
        return self.own.pk not in organizations_held(self.by)

    @property
    def verb(self) -> str:
        """The button, with the number of lines."""
        new, count = self.reading.counts["new"], self.reading.to_enter
        if new == count:
            told = ngettext("Enter %(count)s person", "Enter %(count)s people", count)
        else:
            told = ngettext("Save %(count)s line", "Save %(count)s lines", count)
        return told % {"count": count}

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The statement, once nothing about the file is open."""
        if self.reading.questions:
            messages.warning(request, _("One question about this file is still open."))
            return HttpResponseRedirect(self.at("roster_file_read", pk=self.file.pk))
        if not self.reading.to_enter:
            messages.warning(request, nothing_said())
            return HttpResponseRedirect(self.at("roster_file_check", pk=self.file.pk))
        return super().get(request, *args, **kwargs)

    def form(self) -> EnterForm:
        """The statement for this file."""
        sent = (self.request.POST,) if self.request.method == "POST" else ()
        return EnterForm(
            *sent,
            by=self.by,
            organization=self.own,
            preview=self.reading,
            from_paper=self.from_paper,
        )

    def act(self, form: RegisterForm) -> Entered:
        """Enter the good rows; the form has made sure that leaving out others was meant."""
        questions = self.reading.questions
        if questions or not self.reading.to_enter:
            raise BadInput("", questions[0].text if questions else nothing_said())
        data = form.cleaned_data
        wanted = Wanted(self.reading.good, self._statement(data), self._duties(data))
        if not self.from_paper:
            return enter_roster(self.by, self.own, wanted, roster_file=self.file)
        with from_paper(data["officer"], data["received_on"]):
            return enter_roster(self.by, self.own, wanted, roster_file=self.file)

    def _statement(self, data: Mapping[str, Any]) -> Statement:
        if not self.from_paper:
            return statement_of(self.by, evidence=_("officer's statement on a roster file"))
        return statement_of(
            self.by,
            on_behalf_of=data["officer"],
            evidence=_("signed roster"),
            received_on=data["received_on"],
        )

    def _duties(self, data: Mapping[str, Any]) -> dict[int, tuple[str, ...]]:
        if not data.get("approve"):
            return {}
        usual = (data["duty"],) if data.get("duty") else ()
        return {n: named or usual for n, named in self.reading.duties_to_approve.items()}

    def done(self, result: Entered) -> HttpResponseBase:
        """State what was saved."""
        messages.success(self.request, saved_said(result.counts))
        return HttpResponseRedirect(self.at("roster_file_done", pk=self.file.pk))

    def success_url(self, result: Any) -> str:
        """After a second press: what the first did."""
        return self.at("roster_file_done", pk=self.file.pk)

    def context(self) -> dict[str, Any]:
        """What would be entered, who would be approved and who later."""
        return super().context() | {"counts": self.reading.counts}


def nothing_said() -> str:
    """The sentence for a file that would change nothing."""
    return _("Nothing in this file is new: every good row is on the roster already.")


def saved_said(counts: Mapping[str, int]) -> str:
    """“297 people entered, 2 lines changed, 280 approved.”"""
    made, changed, approved = counts["made"], counts["changed"], counts["approved"]
    parts = [(ngettext("%(count)s person entered", "%(count)s people entered", made), made)]
    if changed:
        text = ngettext("%(count)s line changed", "%(count)s lines changed", changed)
        parts.append((text, changed))
    if approved:
        parts.append((ngettext("%(count)s approved", "%(count)s approved", approved), approved))
    return ", ".join(text % {"count": count} for text, count in parts) + "."


class RosterFileDone(RosterFilePage, DetailView):
    """What became of the file: numbers, who is not approved and why, and what comes next."""

    capability = Capability.SEE_OWN
    template_name = "volunteers/roster_file_done.html"
    step = 4

    def find(self) -> RosterFile:
        """The file, once it was entered."""
        if not entries_of(self.file):
            raise Http404
        return self.file

    def standing(self) -> str:
        """When it was entered, by whom."""
        return f"{entered_said(self.file)}."

    def acts(self) -> Sequence[Link]:
        """Print the tags; look at the roster."""
        return [
            Link(_("Print name tags"), self.at("tags_print")),
            Link(_("Open the roster"), self.at("membership_list"), kind="outline"),
        ]

    def context(self) -> dict[str, Any]:
        """The numbers of the last entry, and everyone of this file who is not approved today."""
        today, user = timezone.localdate(), self.request.user
        last = entries_of(self.file)[-1]
        about = Q(roster_file=self.file) | Q(person__in=last["refused"])
        rows = memberships_of(user, self.own).filter(about)
        lines = [
            Entry(line, self.at("membership_detail", pk=line.pk), is_regulator(user))
            for line in lines_of(user, self.own, rows, today)
            if line.assignment is None
        ]
        return super().context() | {
            "counts": last["counts"],
            "said": saved_said(last["counts"]),
            "lines": lines,
            "later_url": self.at("membership_list") + "?standing=later",
        }


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
