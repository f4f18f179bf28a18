"""The page of a person: where he may work today and why, and all that the register holds of him."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from licenses.selectors import interests_of
from registry.access import Capability, can
from registry.forms import RegisterForm
from registry.generic import DetailView
from registry.history import Act
from registry.models import Organization
from registry.party_forms import PersonCorrectForm
from registry.ruleset import Ruleset, in_force
from registry.selectors import acts_about, addresses_of, person_for, work_items_about
from registry.services import reveal_birth_date
from registry.tables import Link
from registry.templatetags.register import age_band, short_day, span
from registry.views.people import PersonAct, person_page
from registry.worded import Mark, WordedRuling
from volunteers.deciding import Fallen, correct_person
from volunteers.lookups import Belonging, belongings_of, decisions_on
from volunteers.models import Assignment, Membership
from volunteers.selectors import activities_of
from volunteers.timeline import Line, Scale, line_for, scale_for
from volunteers.views.doubles import panel
from volunteers.words import duty_word, title
from volunteers.words.page import worded
from volunteers.words.shown import capital

SHOWN_ACTS = 12
MOST_ACTS = 1000
SHOWN_ACTIVITIES = 10


@dataclass(frozen=True, slots=True)
class Where:
    """One organization on a person's page: today's answer, its approvals, the drawn memberships."""

    organization: Organization
    line: Membership | None
    ruling: WordedRuling
    reason: str
    approval: str
    approvals: Sequence[tuple[Assignment, str]]
    drawn: Line
    summary: str


def where_of(belonging: Belonging, law: Ruleset, scale: Scale, today: date) -> Where:
    """Everything about one organization, in words."""
    approvals = [(row, duties_in_words(row.duties)) for row in belonging.assignments]
    drawn = line_for(belonging.facts, law, scale)
    return Where(
        organization=belonging.organization,
        line=belonging.line,
        ruling=(ruling := worded(belonging.ruling, law, county=True)),
        reason=reason_of(ruling),
        approval=approval_line(belonging.approval_on(today), today),
        approvals=approvals[::-1],
        drawn=drawn,
        summary=summary_of(belonging.memberships, drawn.full_on),
    )


def reason_of(ruling: WordedRuling) -> str:
    """The first test that stands in the way, in its words; "" for who is cleared."""
    bars = (row for row in ruling.verdicts if row.mark in {Mark.MISSING, Mark.NOT_CLEARED})
    return next((f"{row.title}: {row.sentence}" for row in bars), "")


def duties_in_words(duties: Sequence[str]) -> str:
    """Caller, Seller."""
    return ", ".join(duty_word(code) for code in duties)


def approval_line(row: Assignment | None, today: date) -> str:
    """Approved as Caller to Sep 30, 2027; from a later day; or not approved."""
    if row is None:
        return _("Not approved.")
    told = {
        "duties": duties_in_words(row.duties),
        "first": short_day(row.starts_on),
        "last": short_day(row.ends_on),
    }
    if row.starts_on > today:
        return _("Approved as %(duties)s from %(first)s to %(last)s.") % told
    return _("Approved as %(duties)s to %(last)s.") % told


def summary_of(memberships: Sequence[Membership], full_on: date | None) -> str:
    """What the drawing shows, for those who read: the spells, and when the days are full."""
    spells = capital("; ".join(f"{row.get_kind_display()} {span(row)}" for row in memberships))
    if full_on is None:
        return spells
    told = {"spells": spells, "title": title("tenure"), "day": short_day(full_on)}
    return _("%(spells)s. %(title)s full on %(day)s.") % told


def history(request: HttpRequest, acts: QuerySet[Act], page: str) -> dict[str, Any]:
    """The newest acts for `_history.html`, and the way to all: `?history=all` of the page."""
    shows_all = request.GET.get("history") == "all"
    shown = list(acts[: MOST_ACTS if shows_all else SHOWN_ACTS + 1])
    hides = not shows_all and len(shown) > SHOWN_ACTS
    return {
        "history": shown[:SHOWN_ACTS] if hides else shown,
        "more": f"{page}?history=all#history" if hides else "",
    }


class PersonDetail(DetailView):
    """One human across all organizations, for regulators."""

    capability = Capability.SEE_REGISTER
    template_name = "volunteers/person_detail.html"

    def find(self) -> Any:
        """The person of this number."""
        return person_for(self.request.user, self.kwargs["number"])

    def trail(self) -> Sequence[Link]:
        """Up to the list."""
        return [Link(_("People"), reverse("person_list"))]

    def standing(self) -> str:
        """Number, rough age, and where the person works today."""
        names = [
            one.organization.name
            for one in self.belongings
            if one.ruling.allows and any(row.period.covers(self.today) for row in one.assignments)
        ]
        age = _("age %(band)s") % {"band": age_band(self.thing.born_on)}
        today = (
            _("may work today for %(names)s") % {"names": "; ".join(names)}
            if names
            else _("works nowhere today")
        )
        return f"#{self.thing.number} · {age} · {today}"

    def acts(self) -> Sequence[Link]:
        """Ask about a day first."""
        ask = f"{reverse('desk')}?person_key={self.thing.number}"
        links = [Link(_("Ask about a day"), ask)]
        if can(self.request.user, Capability.KEEP_PEOPLE):
            correct = reverse("person_correct", args=[self.thing.number])
            links.append(Link(_("Correct name or birth date"), correct, kind="outline"))
        return links

    @cached_property
    def today(self) -> date:
        """The county's date."""
        return timezone.localdate()

    @cached_property
    def belongings(self) -> list[Belonging]:
        """Every organization of the person, judged for today."""
        return belongings_of(self.thing, self.today)

    @property
    def has_approvals(self) -> bool:
        """True when an approval was ever granted."""
        return any(one.assignments for one in self.belongings)

    def context(self) -> dict[str, Any]:
        """All panels of the page."""
        user, person = self.request.user, self.thing
        law = in_force(self.today)
        spells = [row.period for one in self.belongings for row in one.memberships]
        scale = scale_for(spells, self.today)
        return super().context() | {
            "keeps": can(user, Capability.KEEP_PEOPLE),
            "sees_birth": can(user, Capability.SEE_BIRTH_DATE),
            "decides": can(user, Capability.DECIDE),
            "places": [where_of(one, law, scale, self.today) for one in self.belongings],
            "scale": scale,
            "today_at": scale.at(self.today),
            "full_title": title("tenure"),
            "statements": self._statements(),
            "activities": list(activities_of(person)[:SHOWN_ACTIVITIES]),
            "interests": list(interests_of(person)),
            "addresses": list(addresses_of(person)),
            "decisions": [(row, title(row.rule)) for row in decisions_on(person)],
            "items": list(work_items_about(user, person)),
            **panel(user, person, [one.organization for one in self.belongings]),
            **history(self.request, acts_about(user, person=person), person_page(person).url),
        }

    def _statements(self) -> list[dict[str, Any]]:
        """What each organization stated, beside what the register holds (decisions 15)."""
        person = self.thing
        return [
            {
                "line": row,
                "other_name": row.name_stated != person.full_name,
                "other_birth": row.born_on_stated not in {None, person.born_on},
            }
            for one in self.belongings
            for row in one.memberships
        ]


class BirthDateReveal(PersonDetail):
    """The same page with the birth dates in it, for those who need them; the look is kept."""

    capability = Capability.SEE_BIRTH_DATE
    http_method_names = ["post", "options"]

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Keep who looked, then show."""
        self.thing = self.find()
        reveal_birth_date(self.by, self.thing)
        return self.page({"revealed": True})


def tell_fallen(request: HttpRequest, fallen: Sequence[Fallen]) -> None:
    """Say how many approvals no longer stand, and where they wait."""
    if fallen:
        text = ngettext(
            "%(count)s approval no longer stands: it waits on the work list to be looked at.",
            "%(count)s approvals no longer stand: they wait on the work list to be looked at.",
            len(fallen),
        )
        messages.warning(request, text % {"count": len(fallen)})


class FallingAct(PersonAct):
    """An act on a person that may take the ground from approvals; it tells how many."""

    def done(self, result: Sequence[Fallen]) -> HttpResponseBase:
        """Say what was done, and what no longer stands."""
        tell_fallen(self.request, result)
        return super().done(result)


class PersonCorrect(FallingAct):
    """Correct the registered name or birth date; a clerk alone does that (decisions 15)."""

    title = gettext_lazy("Correct name or birth date")
    about = gettext_lazy(
        "What each organization stated stays as it is; this is what the register holds to be right."
    )
    verb = gettext_lazy("Correct the person")
    form_class = PersonCorrectForm
    done_message = gettext_lazy("Corrected. Name tags with another name are no longer good.")

    def form_arguments(self) -> dict[str, Any]:
        """The name as it is registered; the birth date stays unseen."""
        names = ("full_name", "given_name", "family_name")
        return {"initial": {name: getattr(self.person, name) for name in names}}

    def act(self, form: RegisterForm) -> Any:
        """Write it, with the reason."""
        assert isinstance(form, PersonCorrectForm)
        reason = form.cleaned_data["reason"]
        return correct_person(self.by, self.person, form.corrected(self.person), reason=reason)


urls: list[URLPattern] = [
    path("people/<str:number>/", PersonDetail.as_view(), name="person_detail"),
    path("people/<str:number>/birth-date/", BirthDateReveal.as_view(), name="birth_date_reveal"),
    path("people/<str:number>/correct/", PersonCorrect.as_view(), name="person_correct"),
]
