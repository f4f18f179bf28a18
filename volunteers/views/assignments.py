"""Worker approvals: for one with a live preview, for many at once, ended, freed, asked for."""

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
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from licenses.selectors import license_on
from registry.access import Capability, Refused, is_regulator
from registry.models import Person
from registry.ruleset import in_force
from registry.verdicts import Ruling
from registry.worded import Mark, WordedRuling
from volunteers import words
from volunteers.assigning import Grant, Granted, Judged, assign, assign_many, judge
from volunteers.assignment_forms import (
    AskPlaceForm,
    AssignForm,
    AssignManyForm,
    EndForm,
    FreePlaceForm,
)
from volunteers.ending import ask_for_place, end_assignment, free_place
from volunteers.models import Assignment, Membership
from volunteers.roster_forms import tick
from volunteers.rosters import name_for
from volunteers.selectors import assignment_for, latest_of_each, memberships_of, seen_by
from volunteers.views.roster_base import (
    PersonAct,
    RosterAct,
    RowAct,
    approval_words,
    day_of,
    worded_for,
    worded_refusal,
)
from volunteers.words.shown import long_day


class AssignmentNew(PersonAct):
    """Approve one person; the ruling follows while the form is filled in."""

    capability = Capability.ASSIGN
    title = gettext_lazy("Approve %(name)s as a worker")
    template_name = "volunteers/assignment_new.html"
    preview_template = "volunteers/assignment_preview.html"
    form_class = AssignForm
    is_live = True
    later: date | None = None

    @property
    def verb(self) -> str:
        """Approve for Marsh Lantern Post 1."""
        return _("Approve for %(organization)s") % {"organization": self.own}

    def form_arguments(self) -> dict[str, Any]:
        """The first day of the address, today when it names none; the duties it names."""
        starts_on = day_of(self.request.GET.get("starts_on")) or timezone.localdate()
        duties = self.request.GET.getlist("duties")
        day = max(starts_on, timezone.localdate())
        return {"initial": {"starts_on": day, "duties": duties}}

    def _judged(self, grant: Grant) -> Judged:
        person = self.membership.person
        return judge([person], self.own, grant)[person.pk]

    def preview(self, form: Any) -> Mapping[str, Any]:
        """The ruling for the days and duties typed, and the first lawful day where it is later."""
        grant = form.grant()
        judged = self._judged(grant)
        confirmed = is_confirmed(judged)
        seen = seen_by(self.request.user, judged.ruling, confirmed=confirmed)
        self._offer(seen)
        return {
            "ruling": worded_for(self.request.user, judged.ruling, confirmed=confirmed),
            "hindrance": judged.hindrance,
            "last_day": judged.last_day if judged.allows else None,
            "later": self.later,
            "later_url": self._later_url(grant),
        }

    def _offer(self, seen: Ruling) -> None:
        """“Not yet” offers the first lawful day, as far as it may be known."""
        day = seen.eligible_on
        self.later = day if day and not seen.allows and day > seen.on else None

    def _later_url(self, grant: Grant) -> str:
        if self.later is None:
            return ""
        query = [("starts_on", self.later.isoformat()), *(("duties", d) for d in grant.duties)]
        return f"{self.request.path}?{urlencode(query)}"

    def act(self, form: Any) -> Assignment:
        """Approve, or be refused; either is kept."""
        self.asked = form.grant()
        with form.on_paper():
            return assign(self.by, self.membership.person, self.own, self.asked)

    def word(self, refused: Refused) -> WordedRuling:
        """The verdicts, and the first lawful day where there is one."""
        confirmed = self._confirmed
        # One answer on the page: the refusal stands in the preview's stead.
        self.is_live = False
        if refused.ruling is not None:
            self._offer(seen_by(self.request.user, refused.ruling, confirmed=confirmed))
        return worded_refusal(self.request.user, refused, confirmed=confirmed)

    @cached_property
    def _confirmed(self) -> bool:
        return is_confirmed(self._judged(Grant(timezone.localdate(), ())))

    def context(self) -> dict[str, Any]:
        """After a refusal, the way to the first lawful day."""
        offered = {"later": self.later, "later_url": self._later_url(self.asked)}
        return super().context() | (offered if self.later else {})

    asked = Grant(date.min, ())

    def done(self, result: Any) -> HttpResponseBase:
        """Say from when to when."""
        messages.success(self.request, _("Approved: %s.") % approval_words(result))
        return super().done(result)


def is_confirmed(judged: Judged) -> bool:
    """An officer of the organization answers for one of the person's memberships (decisions 6)."""
    return any(spell.shown for spell in judged.facts.spells)


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
        judged = judge([row.person for row in lines], self.own, Grant(self.day, self._duties()))
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
        seen = seen_by(user, judged.ruling, confirmed=is_confirmed(judged))
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
        name = next((o.name for o in every if o.membership.person_id == person.pk), "")
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
            name: [(one, form[f"duty_{one.key}"]) for one in self.everyone[name]]
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


class ApprovalAct(RowAct):
    """An act about one approval of the organization."""

    def find(self) -> Any:
        """An approval of this organization, void or not: a form pressed twice finds it again."""
        return assignment_for(self.request.user, self.own, self.kwargs["pk"], void=True)

    @property
    def about(self) -> str:
        """Which approval it is."""
        return approval_words(self.row)


class AssignmentEnd(ApprovalAct):
    """End an approval on a day; one that has not begun is withdrawn."""

    capability = Capability.ASSIGN
    title = gettext_lazy("End the approval of %(name)s")
    form_class = EndForm
    verb = gettext_lazy("End the approval")
    is_dangerous = True
    asks_first = True
    done_message = gettext_lazy("The approval ends. Its tag is good to that day.")

    def form_arguments(self) -> dict[str, Any]:
        """Today."""
        return {"initial": {"ends_on": timezone.localdate()}}

    def preview(self, form: Any) -> Mapping[str, Any]:
        """What the last day means."""
        day = form.cleaned_data["ends_on"]
        if day < self.row.starts_on:
            return {"sentence": _("The approval is withdrawn before it begins.")}
        told = _("The last day is %(day)s. From the day after, the place is free.")
        return {"sentence": told % {"day": long_day(day)}}

    def act(self, form: Any) -> Assignment:
        """End it."""
        taken = form.cleaned_data
        with form.on_paper():
            return end_assignment(
                self.by, self.row, last_day=taken["ends_on"], reason=taken["reason"]
            )


class AssignmentFree(ApprovalAct):
    """A clerk frees a place on the person's own signed statement (decisions 17)."""

    capability = Capability.KEEP_PEOPLE
    title = gettext_lazy("Free the place of %(name)s")
    form_class = FreePlaceForm
    verb = gettext_lazy("Free the place")
    is_dangerous = True
    asks_first = True
    done_message = gettext_lazy("The place is free from the day after the last day.")

    def form_arguments(self) -> dict[str, Any]:
        """Received today."""
        today = timezone.localdate()
        return {"initial": {"received_on": today, "stated_on": today}}

    def preview(self, form: Any) -> Mapping[str, Any]:
        """The later of the two days counts."""
        taken = form.cleaned_data
        day = long_day(max(taken["received_on"], taken["stated_on"]))
        told = _("The approval ends on %(day)s: the later of receipt and the day stated.")
        return {"sentence": told % {"day": day}}

    def act(self, form: Any) -> Assignment:
        """Free it."""
        taken = form.cleaned_data
        return free_place(
            self.by,
            self.row,
            received_on=taken["received_on"],
            stated_on=taken["stated_on"],
            reason=taken["reason"],
        )


class AssignmentAsk(PersonAct):
    """Ask the clerk for a place; whoever holds it never learns who asked."""

    capability = Capability.KEEP_ROSTER
    title = gettext_lazy("Ask for a place for %(name)s")
    about = gettext_lazy(
        "The county clerk asks whether a place can be freed, without saying who would like it."
        " Only the person's own signed statement frees it."
    )
    form_class = AskPlaceForm
    verb = gettext_lazy("Ask the county clerk")
    done_message = gettext_lazy("The county clerk has your request.")

    def act(self, form: Any) -> Any:
        """Ask."""
        return ask_for_place(self.by, self.membership, reason=form.cleaned_data["reason"])


ROWS = "organizations/<slug:slug>/"
urls: list[URLPattern] = [
    path(f"{ROWS}people/approve/", AssignmentMany.as_view(), name="assignment_many"),
    path(f"{ROWS}people/<int:pk>/approve/", AssignmentNew.as_view(), name="assignment_new"),
    path(f"{ROWS}people/<int:pk>/ask-place/", AssignmentAsk.as_view(), name="assignment_ask"),
    path(f"{ROWS}approvals/<int:pk>/end/", AssignmentEnd.as_view(), name="assignment_end"),
    path(f"{ROWS}approvals/<int:pk>/free/", AssignmentFree.as_view(), name="assignment_free"),
]
