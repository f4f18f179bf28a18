"""The organization's page of one person: standing, own statements, rows, what may be done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext as _

from registry.access import Capability, can, is_regulator
from registry.generic import DetailView
from registry.ruleset import in_force
from registry.selectors import acts_about
from registry.tables import Link
from registry.templatetags.register import day, span
from volunteers import words
from volunteers.models import Activity, Assignment, Membership, Suspension
from volunteers.rosters import Dossier, dossier_of
from volunteers.views.roster_base import PersonPage, address, approval_words
from volunteers.words.page import worded
from volunteers.words.shown import capital, long_day

SHOWN_ACTS = 30


class Shown(NamedTuple):
    """A row, its words, and what may be done to it."""

    row: Any
    text: str
    links: list[Link]


def row_words(row: Any) -> str:
    """A row of the page in words that name no person."""
    if isinstance(row, Assignment):
        return approval_words(row)
    if isinstance(row, Activity):
        return f"{capital(row.kind)}, {day(row.done_on)}"
    if isinstance(row, Membership):
        return f"{capital(str(row.get_kind_display()))}, {span(row)}"
    return f"{_('Suspended')}, {span(row)}"


ENDS = {Suspension: Capability.KEEP_ROSTER, Assignment: Capability.ASSIGN}


class Next(NamedTuple):
    """Something that may be done next, and what it is for."""

    link: Link
    what: str


class MembershipDetail(PersonPage, DetailView):
    """The organization's page of one person: today's standing, its own statements, what is next."""

    capability = Capability.SEE_OWN
    template_name = "volunteers/membership_detail.html"

    def find(self) -> Membership:
        """The membership of the address."""
        return self.membership

    @cached_property
    def dossier(self) -> Dossier:
        """Everything the organization and this person have to do with each other."""
        return dossier_of(self.request.user, self.membership, timezone.localdate())

    def get_title(self) -> str:
        """The person's name."""
        return self.dossier.line.name

    def trail(self) -> Sequence[Link]:
        """The organization and its roster."""
        return super().trail()[:-1]

    def standing(self) -> str:
        """Regular member, since Mar 1, 2024."""
        row = self.dossier.membership
        return f"{capital(str(row.get_kind_display()))}, {span(row)}"

    def acts(self) -> Sequence[Link]:
        """The first of what may be done, as a button."""
        return [self._next[0].link] if self._next else ()

    @cached_property
    def _next(self) -> list[Next]:
        return [step for step in self._steps() if step.link.url]

    def _may(self, capability: Capability) -> bool:
        return can(self.request.user, capability, self.organization)

    def _steps(self) -> list[Next]:
        """What may be done next, the most useful first."""
        steps = self._approval_steps() if self._may(Capability.ASSIGN) else []
        return [*steps, *self._roster_steps()] if self._may(Capability.KEEP_ROSTER) else steps

    def _approval_steps(self) -> list[Next]:
        line, pk = self.dossier.line, self.dossier.membership.pk
        if line.assignment is not None:
            return [Next(Link(_("Print tags"), self.at("tags_print")), _("Approved already."))]
        page = self.at("assignment_new", pk=pk)
        ruling = line.ruling
        if ruling is None or ruling.allows:
            told = _("Cleared today for every duty.") if ruling else ""
            return [Next(Link(_("Approve as a worker"), page), told)]
        if ruling.eligible_on is None:
            told = _("Shows what stands in the way; help without game or money may do.")
            return [Next(Link(_("Approve as a worker"), page, kind="outline"), told)]
        label = _("Approve from %(day)s") % {"day": long_day(ruling.eligible_on)}
        told = _("The first day on which every test is met.")
        return [Next(Link(label, f"{page}?starts_on={ruling.eligible_on.isoformat()}"), told)]

    def _roster_steps(self) -> list[Next]:
        row = self.dossier.membership
        offered = [
            (_("Confirm or add papers"), "membership_confirm", _papers_wanted(self.dossier)),
            (_("Record an activity"), "activity_add", _("Something other than bingo.")),
            (_("Record a suspension"), "suspension_add", _("By the organization itself.")),
        ]
        if row.ends_on is None or row.ends_on >= timezone.localdate():
            offered.append((_("End the membership"), "membership_end", _("Approvals end with it.")))
        if self._is_full():
            told = _("The one other place is taken; the clerk asks whether it can be freed.")
            offered.append((_("Ask for a place"), "assignment_ask", told))
        return [Next(self._to(label, page), told) for label, page, told in offered]

    def _to(self, label: str, page: str) -> Link:
        pk = self.dossier.membership.pk
        if page == "activity_add":
            return Link(label, f"{self.at(page)}?person={pk}", kind="outline")
        return Link(label, self.at(page, pk=pk), kind="outline")

    def _is_full(self) -> bool:
        """The one other place is what stands in the way, as this user may know it."""
        ruling = self.dossier.line.ruling
        return ruling is not None and any(v.rule == "one_other" and v.bars for v in ruling.verdicts)

    def context(self) -> dict[str, Any]:
        """The ruling in words, the rows with what may be done to each, and the history."""
        user, dossier = self.request.user, self.dossier
        county = is_regulator(user)
        ruling = dossier.line.ruling
        history = acts_about(user, person=dossier.person, organization=self.organization)
        return super().context() | {
            "dossier": dossier,
            "ruling": worded(ruling, in_force(ruling.on), county=county) if ruling else None,
            "county_sees": county,
            "person_url": self._person_page() if county else "",
            "facts": stated_facts(dossier),
            "next": self._next[1:],
            "memberships": self._shown(dossier.memberships),
            "activities": self._shown(dossier.activities),
            "suspensions": self._shown(dossier.suspensions),
            "assignments": self._shown(dossier.assignments),
            "today": timezone.localdate(),
            "history": list(history[:SHOWN_ACTS]),
        }

    def _shown(self, rows: Iterable[Any]) -> list[Shown]:
        return [
            Shown(row, row_words(row), [link for link in self._links(row) if link.url])
            for row in rows
        ]

    def _links(self, row: Any) -> Iterator[Link]:
        """What this user may do to a row, from the everyday to the rare."""
        kind = row._meta.model_name
        running = isinstance(row, Suspension | Assignment) and (
            row.ends_on is None or row.ends_on >= timezone.localdate()
        )
        if running and self._may(ENDS[type(row)]):
            yield Link(_("End"), self.at(f"{kind}_end", pk=row.pk))
        if isinstance(row, Assignment) and running and self._may(Capability.KEEP_PEOPLE):
            yield Link(_("Free the place"), self.at("assignment_free", pk=row.pk))
        if isinstance(row, Membership) and self._may(Capability.CORRECT):
            yield Link(_("Correct"), self.at("membership_correct", pk=row.pk))
        if self._may(Capability.KEEP_PEOPLE) or (type(row), row.pk) in self.dossier.takes_back:
            yield Link(_("Entered in error"), self.at(f"{kind}_void", pk=row.pk))

    def _person_page(self) -> str:
        return address("person_detail", number=self.dossier.person.number)


def _papers_wanted(dossier: Dossier) -> str:
    """What an officer could add."""
    ruling = dossier.line.ruling
    missing = words.missing(ruling) if ruling else ()
    return ", ".join(missing)


def stated_facts(dossier: Dossier) -> list[tuple[str, str]]:
    """What the organization itself states of the person; a birth date is not shown back."""
    row = dossier.membership
    answers = {True: _("yes"), False: _("no"), None: _("not stated")}
    return [
        (_("Name as stated"), row.name_stated),
        (_("Number"), row.person.number),
        (_("Birth date"), _("stated, not shown here") if row.born_on_stated else _("not stated")),
        (_("18 or over"), _adult(row)),
        (_("Lives in the community"), answers[row.is_resident_stated]),
        (_("Address"), str(dossier.address) if dossier.address else ""),
        (_("Answered for by"), _answer(row)),
    ]


def _adult(row: Membership) -> str:
    """The statement that stands in for a birth date; nothing where there is one."""
    if row.born_on_stated:
        return ""
    return _("stated") if row.is_adult_stated else _("not stated")


def _answer(row: Membership) -> str:
    if not row.is_shown:
        return _("nobody yet")
    told = {"name": row.attested_by, "day": day(row.attested_on)}
    return _("%(name)s, on %(day)s") % told


urls: list[URLPattern] = [
    path(
        "organizations/<slug:slug>/people/<int:pk>/",
        MembershipDetail.as_view(),
        name="membership_detail",
    ),
]
