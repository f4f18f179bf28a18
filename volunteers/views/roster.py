"""Pages of an organization's roster: everyone on a day, and a person added."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.http import HttpResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from registry.access import Capability, can, is_regulator
from registry.generic import TableView
from registry.tables import Link, RegisterFilterSet, RegisterTable
from registry.views.people import near_people
from volunteers.exporting import roster_rows
from volunteers.models import Membership
from volunteers.roster_forms import EnrollForm
from volunteers.roster_tables import MembershipFilters, MembershipTable
from volunteers.rosters import unconfirmed
from volunteers.selectors import memberships_of
from volunteers.services import enroll
from volunteers.views import (
    assignment_many,
    assignments,
    roster_acts,
    roster_person,
    roster_statements,
)
from volunteers.views.parties import merged_said
from volunteers.views.roster_base import RosterAct, RosterPage
from volunteers.words.shown import long_day


class MembershipList(RosterPage, TableView):
    """Everyone of an organization and how each stands, today or on another day."""

    capability = Capability.SEE_OWN
    title = gettext_lazy("People")
    table_class = MembershipTable
    filterset_class = MembershipFilters
    switch = "standing"
    export_name = "people"
    filters: MembershipFilters | None = None

    def rows(self) -> Any:
        """The roster, scoped to the user."""
        return memberships_of(self.request.user, self.own)

    def _filters(self) -> RegisterFilterSet | None:
        self.filters = super()._filters()
        return self.filters

    def trail(self) -> Sequence[Link]:
        """The organization."""
        return super().trail()[:-1]

    def exported(self, table: RegisterTable) -> Iterable[Iterable[Any]]:
        """What the organization stated of the people shown; the importer reads it back."""
        entries = list(table.data.data)
        beside = {entry.pk: (entry.word, entry.reason, entry.approval) for entry in entries}
        return roster_rows(self.request.user, self.own, list(beside), beside)

    def acts(self) -> Sequence[Link]:
        """What is done with a roster, as far as it is the user's to do."""
        offered = (
            (_("Add a person"), "membership_add", Capability.KEEP_ROSTER),
            (_("Approve workers"), "assignment_many", Capability.ASSIGN),
            (_("Bring in a roster"), "roster_file", Capability.KEEP_ROSTER),
            (_("Who took part?"), "activity_add", Capability.KEEP_ROSTER),
            (_("Print tags"), "tags_print", Capability.PRINT_TAGS),
        )
        links = [
            Link(label, url, kind="outline" if number else "")
            for number, (label, page, capability) in enumerate(offered)
            if can(self.request.user, capability, self.organization) and (url := self.at(page))
        ]
        return [*links, *self._to_confirm()]

    def _to_confirm(self) -> list[Link]:
        """Lines nobody answers for are offered only where there are any."""
        user = self.request.user
        if not can(user, Capability.KEEP_ROSTER, self.organization):
            return []
        count = len(unconfirmed(user, self.own))
        label = _("Confirm lines (%(count)s)") % {"count": count}
        return [Link(label, self.at("membership_confirm_many"), kind="outline")] if count else []

    def about(self) -> str:
        """The day everyone is judged for, or why nobody can be."""
        if self.own.merged_into is not None:
            return merged_said(self.own)
        if self.filters is None or self.filters.unknown:
            return self.filters.unknown if self.filters else ""
        return _("How everyone stands on %(day)s.") % {"day": long_day(self.filters.day)}

    def page(self, extra: Mapping[str, Any] | None = None, **how: Any) -> HttpResponse:
        """An empty list offers to add the first person."""
        if extra and "table" in extra and can(self.by, Capability.KEEP_ROSTER, self.organization):
            extra["table"].first_act = Link(_("Add a person"), self.at("membership_add"))
        return super().page(extra, **how)


class MembershipAdd(RosterAct):
    """Put one person on the roster; what the register knows elsewhere never shows."""

    capability = Capability.KEEP_ROSTER
    title = gettext_lazy("Add a person")
    about = gettext_lazy("A member or volunteer of the organization, as its own list says.")
    template_name = "volunteers/membership_add.html"
    form_class = EnrollForm
    verb = gettext_lazy("Add to the roster")
    done_message = gettext_lazy(
        "On the roster. The county check is pending; nothing has to wait for it."
    )

    preview_template = "registry/_doubles.html"

    @property
    def is_live(self) -> bool:  # type: ignore[override]
        """Only a regulator is told whom the register has already (decisions 6)."""
        return is_regulator(self.request.user)

    def preview(self, form: Any) -> Mapping[str, Any] | None:
        """Who is in the register already and may be the same person."""
        typed = form.cleaned_data
        return near_people(self.request, typed["full_name"], typed["born_on"])

    def act(self, form: Any) -> Membership:
        """Enroll, with the officer's statement."""
        with form.on_paper():
            return enroll(self.by, self.own, form.enrollment(), form.statement())

    def page(self, extra: Mapping[str, Any] | None = None, **how: Any) -> HttpResponse:
        """The fields in parts; the address is folded away while it is empty and right."""
        if "near" in (extra or {}):
            return super().page(extra, **how)
        form = (extra or {})["form"]
        parts = {name: form.part(name) for name in ("asked", "address", "statement")}
        is_open = any(field.errors or field.value() for field in parts["address"])
        return super().page({**(extra or {}), **parts, "address_is_open": is_open}, **how)

    def success_url(self, result: Any) -> str:
        """The new line's page; after a second press the roster."""
        if result is None:
            return super().success_url(result)
        return self.at("membership_detail", pk=result.pk)


ROSTER = "organizations/<slug:slug>/people/"
urls: list[URLPattern] = [
    path(ROSTER, MembershipList.as_view(), name="membership_list"),
    path(f"{ROSTER}add/", MembershipAdd.as_view(), name="membership_add"),
    *roster_person.urls,
    *roster_statements.urls,
    *roster_acts.urls,
    *assignment_many.urls,
    *assignments.urls,
]
