"""Approve many workers in one step: who is eligible, who is from a later day, who is not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from licenses.selectors import license_on
from registry.access import Capability, Refused, is_regulator
from registry.models import Person
from registry.ruleset import in_force
from registry.selectors import root_of
from registry.verdicts import Ruling
from registry.worded import Mark
from volunteers import words
from volunteers.assigning import Grant, Granted, Judged, assign_many, judge
from volunteers.assignment_forms import AssignManyForm
from volunteers.models import Membership
from volunteers.roster_forms import tick
from volunteers.rosters import name_for
from volunteers.rules import rule_briefly
from volunteers.selectors import latest_of_each, memberships_of, seen_by
from volunteers.views.roster_base import RosterAct, day_of, worded_for


@dataclass(frozen=True)
class Offered:
    """One person of the roster, judged for an approval from a day."""

    membership: Membership
    name: str
    ruling: Ruling
    hindrance: str
    starts_on: date
    county: bool

    @property
    def key(self) -> str:
        """The membership's key, as the form has it."""
        return str(self.membership.pk)

    @property
    def mark(self) -> Mark:
        """How the standing looks."""
        return words.mark_of(self.ruling)

    @property
    def word(self) -> str:
        """The standing in a word or two."""
        return words.headline(self.ruling)

    @property
    def reason(self) -> str:
        """What stands in the way."""
        bar = self.ruling.first_bar
        return words.sentence(bar, county=self.county) if bar else self.hindrance


class AssignmentMany(RosterAct):
    """Approve those eligible in one step; the others are listed with their day, or why not."""

    capability = Capability.ASSIGN
    title = gettext_lazy("Approve workers")
    template_name = "volunteers/assignment_many.html"
    form_class = AssignManyForm
    verb = gettext_lazy("Approve those ticked")
    refused: Sequence[tuple[str, str]] = ()

    @cached_property
    def day(self) -> date:
        """The first day asked for; today when the address names none."""
        return max(
            day_of(self.request.GET.get("starts_on")) or timezone.localdate(),
            timezone.localdate(),
        )

    @cached_property
    def everyone(self) -> dict[str, list[Offered]]:
        """The roster, judged: eligible on the day, from a later one, not, or approved already."""
        user = self.request.user
        rows = memberships_of(user, self.own).exclude(ends_on__lt=self.day)
        lines = latest_of_each(rows, self.day)
        grant = Grant(self.day, self._duties())
        judged = judge([row.person for row in lines], self.own, grant, rule=rule_briefly)
        found: dict[str, list[Offered]] = {"people": [], "later": [], "others": [], "approved": []}
        for row in lines:
            self._sort(row, judged[row.person_id], found)
        return found

    def _duties(self) -> tuple[str, ...]:
        """A duty that carries every test and that a volunteer may have."""
        duties = in_force(self.day).duties
        return tuple(d for d in duties.direct if d not in duties.members_only)[:1]

    def _sort(self, row: Membership, judged: Judged, found: dict[str, list[Offered]]) -> None:
        user = self.request.user
        seen = seen_by(user, judged.ruling, confirmed=judged.confirmed)
        later = seen.eligible_on if not seen.allows else None
        offered = Offered(
            row,
            name_for(user, row),
            seen,
            judged.hindrance,
            later or self.day,
            is_regulator(user),
        )
        if any(
            p.body == judged.facts.body and p.period.last >= self.day for p in judged.facts.places
        ):
            found["approved"].append(offered)
        elif judged.allows:
            found["people"].append(offered)
        else:
            found["later" if later else "others"].append(offered)

    def form_arguments(self) -> dict[str, Any]:
        """Only whom the law allows on the day, or from a later one, can be ticked."""
        offered = {
            name: [(one.key, one.name) for one in self.everyone[name]]
            for name in ("people", "later")
        }
        return {**offered, "initial": {"duties": self.request.GET.getlist("duties")}}

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Tick all or none and ask on; else act."""
        wanted = request.POST.get("tick")
        if wanted not in {"all", "none"}:
            return super().post(request, *args, **kwargs)
        form = self.form()
        tick(form, "people", [one.key for one in self.everyone["people"] if wanted == "all"])
        return self.page({"form": form})

    def act(self, form: Any) -> Granted:
        """Approve those ticked; refused only when nobody was approved."""
        taken = form.cleaned_data
        chosen = {*taken["people"], *taken["later"]}
        every = [*self.everyone["people"], *self.everyone["later"]]
        wanted = [
            (one.membership.person, Grant(one.starts_on, form.duties_of(one.key)))
            for one in every
            if one.key in chosen
        ]
        with form.on_paper():
            granted = assign_many(self.by, self.own, wanted)
        self.refused = [self._told(person, said) for person, said in granted.refused]
        if not granted.made:
            raise Refused(_("Nobody was approved. The reasons stand below."))
        return granted

    def _told(self, person: Person, refused: Refused) -> tuple[str, str]:
        every = (one for rows in self.everyone.values() for one in rows)
        mine = (one for one in every if root_of(one.membership.person).pk == person.pk)
        name = next((one.name for one in mine), "")
        why = refused.message
        if not why and refused.ruling:
            why = worded_for(self.request.user, refused.ruling).spoken
        return name, why

    def context(self) -> dict[str, Any]:
        """The lists, and who was refused just now."""
        license_ = license_on(self.own, self.day)
        return super().context() | {
            **self.everyone,
            "day": self.day,
            "license": license_,
            "refused": self.refused,
        }

    def page(self, extra: Mapping[str, Any] | None = None, **how: Any) -> HttpResponse:
        """Each person offered with the field for another duty."""
        form = (extra or {}).get("form")
        if form is None:
            return super().page(extra, **how)
        rows = {
            name: [(one, form[f"duty_{one.key}"].value()) for one in self.everyone[name]]
            for name in ("people", "later")
        }
        return super().page({**(extra or {}), **rows}, **how)

    def done(self, result: Any) -> HttpResponseBase:
        """Say how many, and who was refused why."""
        count = len(result.made)
        told = ngettext("%(n)s person approved.", "%(n)s people approved.", count) % {"n": count}
        messages.success(self.request, told)
        for name, why in self.refused:
            shown = {"name": name, "why": why}
            messages.warning(self.request, _("%(name)s was not approved. %(why)s") % shown)
        return super().done(result)


urls: list[URLPattern] = [
    path(
        "organizations/<slug:slug>/people/approve/",
        AssignmentMany.as_view(),
        name="assignment_many",
    ),
]
