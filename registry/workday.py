"""Composition: home pages, work lists, search, and the pages that are open to everyone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.text import capfirst
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from inspections.selectors import concern_of
from licenses.irs import sides_of
from licenses.lookups import find_licenses
from licenses.models import Application
from licenses.reading import open_applications, queue
from licenses.rules import Status
from licenses.selectors import license_on, standing_on
from licenses.words_applications import WHO_COUNTY
from registry.access import Capability, can, is_regulator, organizations_held
from registry.adopting import awaiting
from registry.forms import RegisterForm
from registry.generic import ActView, DetailView, PageView
from registry.letters import letters_to_print
from registry.models import Organization, WorkItem
from registry.reasons import word_reasons
from registry.selectors import (
    find_organizations,
    find_people,
    organizations,
    waiting,
    work_item_for,
)
from registry.services import close_work_item
from registry.tables import Link
from registry.throttle import throttled
from registry.worded import Mark
from volunteers.rosters import Standing, standing_counts
from volunteers.tagging import TagState, check_numbered, find_tags
from volunteers.views.desk import DeskForm
from volunteers.views.pairs import clash_kept

SHOWN = 12
MORNING_ENDS, AFTERNOON_ENDS = 12, 18


class Home(PageView):
    """What waits for me, by role; for the public, the doors of the register."""

    capability = Capability.PUBLIC

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The first page of whoever asks."""
        if not can(request.user, Capability.SIGNED_IN):
            return self.page(template="registry/home_public.html")
        if is_regulator(request.user):
            return self.page(self._county(), template="registry/home_county.html")
        return self.page(self._own(), template="registry/home_own.html")

    def get_title(self) -> str:
        """A greeting by the county's clock."""
        hour = timezone.localtime().hour
        name = self.by.name.split()[0] if self.by.name else self.by.email
        if hour < MORNING_ENDS:
            return _("Good morning, %(name)s") % {"name": name}
        if hour < AFTERNOON_ENDS:
            return _("Good afternoon, %(name)s") % {"name": name}
        return _("Good evening, %(name)s") % {"name": name}

    def context(self) -> dict[str, Any]:
        """Nothing more for the public, who have no name."""
        if can(self.request.user, Capability.SIGNED_IN):
            return super().context()
        return {"view": self, "organization": None}

    def _county(self) -> dict[str, Any]:
        items = waiting(self.request.user)
        initial = {"on": timezone.localdate()}
        return {
            "items": items[:SHOWN],
            "about": waiting_line(list(items)),
            "applications": applications_waiting(self.request.user),
            "desk": DeskForm(by=self.request.user, initial=initial),
            "held": standings(self.request),
            "values": awaiting(self.by),
        }

    def _own(self) -> dict[str, Any]:
        return {"held": standings(self.request)}


def applications_waiting(user: Any) -> list[tuple[Application, str]]:
    """The applications whose turn is the county's, the longest waiting first, with who has them."""
    return [(row, str(WHO_COUNTY[Status(row.status)])) for row in queue(user)[:SHOWN]]


def waiting_line(items: Sequence[WorkItem]) -> str:
    """How much waits, and since when the oldest does."""
    if not items:
        return _("Nothing waits.")
    count = len(items)
    text = ngettext(
        "%(count)s thing waits, for %(time)s.",
        "%(count)s things wait, the oldest for %(time)s.",
        count,
    )
    return text % {"count": count, "time": timesince(items[0].opened_at, depth=1)}


@dataclass(frozen=True, slots=True)
class Held:
    """How an organization of the user's stands today: its license, and how many stand how."""

    organization: Organization
    license: str
    counts: Sequence[tuple[Mark, str, int, str]]
    applications: Sequence[Application] = ()
    applies: bool = False
    """No license runs and nothing is under way: applying comes first."""
    """For each standing its mark, its word, how many, and the key by which the list is filtered."""


MARKS = {
    Standing.CLEARED: Mark.CLEARED,
    Standing.LATER: Mark.NOTE,
    Standing.MISSING: Mark.MISSING,
    Standing.NOT_CLEARED: Mark.NOT_CLEARED,
}


def standings(request: HttpRequest) -> list[Held]:
    """The organizations the user acts for, with the license and how many may work today."""
    held = organizations_held(request.user)
    rows = organizations(request.user).filter(pk__in=held) if held else ()
    return [_held(request, row) for row in rows]


def _held(request: HttpRequest, organization: Organization) -> Held:
    today = timezone.localdate()
    found = standing_counts(request.user, organization, today)
    counts = [(mark, str(key.label), found[key], key.value) for key, mark in MARKS.items()]
    under_way = open_applications(request.user, organization)
    applies = not under_way and license_on(organization, today) is None
    standing = standing_on(organization, today)
    return Held(organization, standing, counts, under_way, applies)


class WorkList(PageView):
    """All that waits for the county, oldest first."""

    capability = Capability.SEE_WORK
    template_name = "registry/work_list.html"
    title = gettext_lazy("Waiting")

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The list, of one kind when the address names it."""
        items = waiting(request.user)
        kind = request.GET.get("kind", "")
        shown = items.filter(kind=kind) if kind in WorkItem.Kind.values else items
        kinds = [
            Link(str(label), f"?kind={value}", is_current=kind == value)
            for value, label in WorkItem.Kind.choices
        ]
        everything = Link(_("All"), request.path, is_current=not kind)
        return self.page(
            {
                "items": shown,
                "about": waiting_line(list(items)),
                "kinds": [everything, *kinds],
                "acts": self._letters(),
            }
        )

    def _letters(self) -> Sequence[Link]:
        """The way to the letters that wait for paper, where there are any."""
        count = letters_to_print(self.request.user).count()
        told = ngettext("Print %(count)s letter", "Print %(count)s letters", count)
        page = reverse("letters_to_print")
        return [Link(told % {"count": count}, page, kind="outline")] if count else ()


class WorkDetail(DetailView):
    """One thing that waits: what, about whom, by which paragraph."""

    capability = Capability.SEE_WORK
    template_name = "registry/work_detail.html"

    def find(self) -> WorkItem:
        """The item of this address."""
        return work_item_for(self.request.user, self.kwargs["pk"])

    def get_title(self) -> str:
        """What waits and about whom, as a sentence begins."""
        return str(capfirst(str(self.thing)))

    def context(self) -> dict[str, Any]:
        """With the words of the public, the reasons of a double, the clashes of a union."""
        data = self.thing.data
        return super().context() | {
            "concern": concern_of(self.request.user, self.thing),
            "reasons": word_reasons(data.get("reasons", ())),
            "clashes": [clash_kept(kept) for kept in data.get("clashes", ())],
            "sides": sides_of(self.thing),
        }

    def acts(self) -> Sequence[Link]:
        """What answers it, then closing it; each for those who may."""
        item, user = self.thing, self.request.user
        if item.closed_at:
            return ()
        links = list(answers_to(item, joins=can(user, Capability.JOIN_PEOPLE)))
        close = Link(_("Say how it ended"), reverse("work_close", args=[item.pk]))
        if not can(user, Capability.KEEP_PEOPLE):
            return ()
        return [*links, Link(close.label, close.url, kind="outline" if links else "")]

    def trail(self) -> Sequence[Link]:
        """Up to the list."""
        return (Link(_("Waiting"), reverse("work_list")),)


def answers_to(item: WorkItem, *, joins: bool) -> Iterator[Link]:
    """The acts that answer it: about doubles, or where the IRS's rows are recorded."""
    if item.kind == WorkItem.Kind.IRS and item.organization:
        page = reverse("organization_irs", args=[item.organization.slug])
        yield Link(_("What the IRS files say"), page)
    if item.kind == WorkItem.Kind.REGISTRATION and item.organization:
        page = reverse("organization_detail", args=[item.organization.slug])
        yield Link(_("Look at the organization"), page)
    if item.kind == WorkItem.Kind.CLAIM and item.organization:
        page = reverse("claim_code_give", args=[item.organization.slug])
        yield Link(_("Give a claim code"), page)
    if item.kind == WorkItem.Kind.POSSIBLE_DOUBLE and item.person and item.other:
        pair = [item.person.number, item.other.number]
        if joins:
            yield Link(_("Set side by side"), reverse("person_join", args=pair))
        apart = reverse("person_different", args=pair)
        yield Link(_("Different people"), apart, kind="outline" if joins else "")
    if item.kind == WorkItem.Kind.LINKED and joins and item.person and item.organization:
        part = [item.person.number, item.organization.slug]
        yield Link(_("Part them"), reverse("person_part_organization", args=part), kind="outline")


class OutcomeForm(RegisterForm):
    """How it ended, in words that will still be understood in a year."""

    outcome = forms.CharField(
        label=gettext_lazy("What was done"),
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 4}),
    )


class WorkClose(ActView):
    """Take a thing off the list; it stays in the history."""

    capability = Capability.KEEP_PEOPLE
    form_class = OutcomeForm
    title = gettext_lazy("Say how it ended")
    verb = gettext_lazy("Take it off the list")
    done_message = gettext_lazy("Done: it is off the list and in the history.")

    @cached_property
    def item(self) -> WorkItem:
        """The item of this address."""
        return work_item_for(self.request.user, self.kwargs["pk"])

    @property
    def about(self) -> str:
        """What it is about."""
        return str(self.item)

    def act(self, form: RegisterForm) -> Any:
        """Close it."""
        return close_work_item(self.by, self.item, outcome=form.cleaned_data["outcome"])

    def success_url(self, result: Any) -> str:
        """Back to the list."""
        return reverse("work_list")

    def trail(self) -> Sequence[Link]:
        """Up to the item."""
        page = reverse("work_detail", args=[self.item.pk])
        return (Link(_("Waiting"), reverse("work_list")), Link(str(self.item), page))


class Search(PageView):
    """One box: organizations, people, licenses, tags; each as far as the user may see."""

    capability = Capability.SIGNED_IN
    template_name = "registry/search.html"
    title = gettext_lazy("Search")

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """What was found, by kind."""
        text = " ".join(request.GET.get("q", "").split())[:100]
        found = self._found(text) if text else {}
        return self.page({"text": text, "found": found, "any": any(found.values())})

    def _found(self, text: str) -> dict[str, Any]:
        user = self.request.user
        return {
            "organizations": find_organizations(user, text),
            "people": find_people(user, text) if is_regulator(user) else [],
            "licenses": find_licenses(user, text, timezone.localdate()),
            "tags": find_tags(user, text),
        }


class Plain(PageView):
    """A page of words."""

    capability = Capability.PUBLIC

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The page."""
        return self.page()


class TagCheck(PageView):
    """A tag by its printed number: good today or not. Names come only by the code."""

    capability = Capability.PUBLIC
    template_name = "registry/tag_check.html"
    title = gettext_lazy("Check a name tag")

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The answer, without names."""
        text = request.GET.get("number", "").strip()
        if text and (limited := throttled(request, "tag_check")):
            return limited
        state = check_numbered(text, timezone.localdate()) if text else None
        marks = {TagState.GOOD: Mark.CLEARED, TagState.UNKNOWN: Mark.MISSING}
        mark = marks.get(state, Mark.NOT_CLEARED) if state else None
        return self.page({"text": text, "state": state, "mark": mark})


urls: list[URLPattern] = [
    path("", Home.as_view(), name="home"),
    path("work/", WorkList.as_view(), name="work_list"),
    path("work/<int:pk>/", WorkDetail.as_view(), name="work_detail"),
    path("work/<int:pk>/close/", WorkClose.as_view(), name="work_close"),
    path("search/", Search.as_view(), name="search"),
    path(
        "help/",
        Plain.as_view(template_name="registry/help.html", title=gettext_lazy("Help")),
        name="help",
    ),
    path(
        "accessibility/",
        Plain.as_view(
            template_name="registry/accessibility.html", title=gettext_lazy("Accessibility")
        ),
        name="accessibility",
    ),
    path("tags/", TagCheck.as_view(), name="tag_check"),
]
