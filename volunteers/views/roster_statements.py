"""What an officer states of people on the roster: lines confirmed, and who took part."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.contrib import messages
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from registry.access import Capability
from registry.forms import RegisterForm
from registry.generic import whole
from registry.periods import days_after
from registry.selectors import root_of
from volunteers.attesting import confirm_lines, state_papers, unconfirmed_activities
from volunteers.models import Activity, Membership
from volunteers.roster_forms import ActivityForm, ConfirmLinesForm, PapersForm, tick
from volunteers.rosters import name_for, unconfirmed
from volunteers.selectors import (
    latest_of_each,
    membership_for,
    memberships_of,
    stated_names,
)
from volunteers.services import is_about_oneself, record_activity, statement_of
from volunteers.views.roster_base import PersonAct, RosterAct, day_of
from volunteers.words.shown import capital, short_day

A_YEAR = 366


class MembershipConfirm(PersonAct):
    """An officer answers for a line, and adds age or residence where they were missing."""

    capability = Capability.KEEP_ROSTER
    title = gettext_lazy("Confirm or add papers of %(name)s")
    template_name = "volunteers/membership_confirm.html"
    form_class = PapersForm
    verb = gettext_lazy("Confirm this line")
    done_message = gettext_lazy("Confirmed.")

    def form_arguments(self) -> dict[str, Any]:
        """The line it is about."""
        return {"membership": self.membership}

    def context(self) -> dict[str, Any]:
        """What the line says, so that the officer knows what is confirmed."""
        return super().context() | {
            "membership": self.membership,
            "deeds": unconfirmed_activities(self.membership),
        }

    def act(self, form: Any) -> Membership:
        """Confirm."""
        with form.on_paper():
            return state_papers(self.by, self.membership, form.papers(), form.statement())


class TickView(RosterAct):
    """A form with a list to tick, whose “tick all” is a button of the form itself."""

    ticked = "people"

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Tick all or none and ask on; else act."""
        wanted = request.POST.get("tick")
        if wanted not in {"all", "none"}:
            return super().post(request, *args, **kwargs)
        form = self.form()
        tick(form, self.ticked, self.every(form) if wanted == "all" else [])
        return self.page({"form": form})

    def every(self, form: RegisterForm) -> list[str]:
        """The keys that “tick all” ticks."""
        choices = form.fields[self.ticked].choices  # type: ignore[attr-defined]
        return [str(key) for key, _label in choices]


class MembershipConfirmMany(TickView):
    """An officer answers for lines that nobody had confirmed, ticked one by one or all."""

    capability = Capability.KEEP_ROSTER
    title = gettext_lazy("Confirm lines")
    about = gettext_lazy("Nobody answers for these lines yet, so they show nothing.")
    template_name = "volunteers/membership_confirm_many.html"
    form_class = ConfirmLinesForm
    verb = gettext_lazy("Confirm those ticked")
    ticked = "lines"

    def _lines(self) -> dict[str, Membership | Activity]:
        rows = unconfirmed(self.request.user, self.own)
        return {f"{row._meta.model_name}-{row.pk}": row for row in rows}

    def form_arguments(self) -> dict[str, Any]:
        """The lines, in words, under the names the organization gave them."""
        lines = self._lines()
        names = stated_names(self.own, {row.person_id for row in lines.values()})
        return {
            "offered": [
                (key, f"{names.get(row.person_id, '')}: {_line_words(row)}")
                for key, row in lines.items()
            ]
        }

    def act(self, form: Any) -> int:
        """Confirm those ticked."""
        lines = self._lines()
        chosen = [lines[key] for key in form.cleaned_data["lines"]]
        with form.on_paper():
            return confirm_lines(self.by, self.own, chosen, form.statement())

    def done(self, result: Any) -> HttpResponseBase:
        """Say how many."""
        told = ngettext("%(n)s line confirmed.", "%(n)s lines confirmed.", result) % {"n": result}
        messages.success(self.request, told)
        return super().done(result)


def _line_words(row: Membership | Activity) -> str:
    if isinstance(row, Activity):
        done = {"what": capital(row.kind), "day": short_day(row.done_on)}
        return _("%(what)s on %(day)s") % done
    since = {"kind": capital(str(row.get_kind_display())), "day": short_day(row.starts_on)}
    return _("%(kind)s since %(day)s") % since


class ActivityAdd(TickView):
    """Who took part? For one person (`?person=`) or ticked for many at once."""

    capability = Capability.KEEP_ROSTER
    title = gettext_lazy("Who took part?")
    about = gettext_lazy("Something other than bingo that people did for the organization.")
    template_name = "volunteers/activity_add.html"
    form_class = ActivityForm
    verb = gettext_lazy("Record who took part")

    def _people(self) -> dict[str, list[Membership]]:
        """Everyone of the roster by the key of the line shown; one alone where asked.

        Who left more than a year ago is left out: no activity of theirs counts any more.
        """
        rows = memberships_of(self.request.user, self.own)
        only = whole(self.request.GET.get("person"))
        if only and (one := membership_for(self.request.user, self.own, only)):
            rows = rows.filter(person=one.person_id)
        every = list(rows.exclude(ends_on__lt=days_after(timezone.localdate(), -A_YEAR)))
        shown = latest_of_each(every, timezone.localdate())
        return {
            str(row.pk): [row, *(other for other in every if other.person_id == row.person_id)]
            for row in shown
        }

    def form_arguments(self) -> dict[str, Any]:
        """The roster by name; one person alone is ticked already."""
        people = self._people()
        offered = [(key, self._label(rows[0])) for key, rows in people.items()]
        ticked = list(people) if len(people) == 1 else []
        return {"offered": offered, "initial": {"people": ticked}}

    def every(self, form: RegisterForm) -> list[str]:
        """Everyone who was on the roster on the day typed, but not who confirms it himself."""
        day = day_of(form.data.get("done_on")) or timezone.localdate()
        said = statement_of(self.by)
        return [
            key
            for key, rows in self._people().items()
            if any(row.period.covers(day) for row in rows)
            and not is_about_oneself(self.by, root_of(rows[0].person), said, rows[0].name_stated)
        ]

    def _label(self, row: Membership) -> str:
        name = name_for(self.request.user, row)
        if row.ends_on is None or row.ends_on >= timezone.localdate():
            return name
        return _("%(name)s (to %(day)s)") % {"name": name, "day": short_day(row.ends_on)}

    def act(self, form: Any) -> int:
        """Record it for those ticked, each by the membership of that day."""
        people, day = self._people(), form.cleaned_data["done_on"]
        chosen = [_covering(people[key], day) for key in form.cleaned_data["people"]]
        with form.on_paper():
            return record_activity(self.by, self.own, chosen, form.deed(), form.statement())

    def done(self, result: Any) -> HttpResponseBase:
        """Say for how many."""
        told = ngettext("Recorded for %(n)s person.", "Recorded for %(n)s people.", result)
        messages.success(self.request, told % {"n": result})
        return super().done(result)


def _covering(rows: Sequence[Membership], day: date) -> Membership:
    """The membership of the day; the one shown where there is none, so that it can be named."""
    return next((row for row in rows if row.period.covers(day)), rows[0])


PEOPLE = "organizations/<slug:slug>/people/"
urls: list[URLPattern] = [
    path(f"{PEOPLE}activity/", ActivityAdd.as_view(), name="activity_add"),
    path(f"{PEOPLE}confirm/", MembershipConfirmMany.as_view(), name="membership_confirm_many"),
    path(f"{PEOPLE}<int:pk>/confirm/", MembershipConfirm.as_view(), name="membership_confirm"),
]
