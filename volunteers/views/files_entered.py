"""A roster file confirmed and entered, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import Q
from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from registry.access import Capability, can, is_regulator, organizations_held
from registry.forms import RegisterForm
from registry.generic import DetailView
from registry.history import first_press, seek_first_press
from registry.tables import Link
from volunteers.entering import Entered
from volunteers.filework import Confirmed, enter_rows, nothing_said, start_entering, wanted_of
from volunteers.forms_files import EnterForm
from volunteers.imports import judge_rows
from volunteers.models import FileJob, RosterFile
from volunteers.roster_tables import Entry
from volunteers.rosters import lines_of
from volunteers.selectors import (
    current_assignments,
    latest_of_each,
    memberships_of,
    unapproved,
)
from volunteers.tables_files import entered_said, entries_of
from volunteers.views.files_base import RosterFilePage
from volunteers.views.roster_base import RosterAct

SHOWN = 200
"""People listed one by one; all of them stand on the roster."""


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
        new, count = self.file_rows.counts["new"], self.file_rows.to_enter
        if new == count:
            told = ngettext("Enter %(count)s person", "Enter %(count)s people", count)
        else:
            told = ngettext("Save %(count)s line", "Save %(count)s lines", count)
        return told % {"count": intcomma(count)}

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The statement, once nothing about the file is open."""
        if self.file_rows.questions:
            count = len(self.file_rows.questions)
            told = ngettext(
                "One question about this file is still open.",
                "%(count)s questions about this file are still open.",
                count,
            )
            messages.warning(request, told % {"count": count})
            return HttpResponseRedirect(self.at("roster_file_read", pk=self.file.pk))
        if not self.file_rows.to_enter:
            messages.warning(request, nothing_said(self.file_rows.counts))
            return HttpResponseRedirect(self.at("roster_file_check", pk=self.file.pk))
        return super().get(request, *args, **kwargs)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """As every act; a second press need not wait until the rows are judged anew."""
        first = first_press(self.by, request.POST.get("token", ""))
        return self.already_done(first) if first else super().post(request, *args, **kwargs)

    def form(self) -> EnterForm:
        """The statement for this file."""
        sent = (self.request.POST,) if self.request.method == "POST" else ()
        return EnterForm(
            *sent,
            by=self.by,
            organization=self.own,
            rows=self.file_rows,
            from_paper=self.from_paper,
        )

    def act(self, form: RegisterForm) -> Entered | FileJob:
        """Enter the good rows; the form has made sure that leaving out others was meant."""
        seek_first_press()
        data = form.cleaned_data
        said = Confirmed(
            approve=bool(data.get("approve")),
            duty=data.get("duty") or "",
            officer=data.get("officer") or "",
            received_on=data.get("received_on"),
        )
        if self.is_long:
            return start_entering(self.by, self.file, said, data["token"])
        wanted = wanted_of(self.by, judge_rows(self.by, self.own, self.seen), said)
        return enter_rows(self.by, self.file, wanted, said)

    def done(self, result: Entered | FileJob) -> HttpResponseBase:
        """State what was saved, or how far the work is."""
        if isinstance(result, FileJob):
            return self.to_progress()
        messages.success(self.request, saved_said(result.counts))
        return HttpResponseRedirect(self.at("roster_file_done", pk=self.file.pk))

    def success_url(self, result: Any) -> str:
        """After a second press: what the first did."""
        return self.at("roster_file_done", pk=self.file.pk)

    def context(self) -> dict[str, Any]:
        """What would be entered, who would be approved and who later."""
        return super().context() | {"counts": self.file_rows.counts}


def saved_said(counts: Mapping[str, int]) -> str:
    """“297 people entered, 2 lines changed, 280 approved.”"""
    made, changed, approved = counts["made"], counts["changed"], counts["approved"]
    parts = [(ngettext("%(count)s person entered", "%(count)s people entered", made), made)]
    if changed:
        text = ngettext("%(count)s line changed", "%(count)s lines changed", changed)
        parts.append((text, changed))
    if approved:
        parts.append((ngettext("%(count)s approved", "%(count)s approved", approved), approved))
    return ", ".join(text % {"count": intcomma(count)} for text, count in parts) + "."


class RosterFileDone(RosterFilePage, DetailView):
    """What became of the file: numbers, who is not approved and why, and what comes next."""

    capability = Capability.SEE_OWN
    template_name = "volunteers/roster_file_done.html"
    step = 4

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The result, once there is one; before that, the rows."""
        if not entries_of(self.file):
            return HttpResponseRedirect(self.at("roster_file_check", pk=self.file.pk))
        return super().get(request, *args, **kwargs)

    def find(self) -> RosterFile:
        """The file."""
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
        there = memberships_of(user, self.own).filter(about)
        rows = latest_of_each(unapproved(there, self.own, today), today)
        approved = current_assignments(self.own, today, [row.person_id for row in rows])
        waiting = [row for row in rows if row.person_id not in approved]
        lines = [
            Entry(line, self.at("membership_detail", pk=line.pk), is_regulator(user))
            for line in lines_of(user, self.own, waiting[:SHOWN], today)
        ]
        return super().context() | {
            "counts": last["counts"],
            "left_out": last.get("left_out", 0),
            "may_look": can(user, Capability.KEEP_ROSTER, self.own),
            "said": saved_said(last["counts"]),
            "lines": lines,
            "waiting": len(waiting),
            "later_url": self.at("membership_list") + "?standing=later",
        }
