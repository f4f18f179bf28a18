"""The page of an organization, the list of people and the page of a person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from licenses.selectors import (
    standing_on,
)
from registry.access import Capability, can
from registry.generic import DetailView, TableView
from registry.selectors import person_for
from registry.tables import Link
from volunteers.lookups import people_found
from volunteers.party_tables import PersonTable

SHOWN_ACTS = 30


class PersonList(TableView):
    """Everybody in the register, found by any part of the name or by number."""

    capability = Capability.SEE_REGISTER
    template_name = "volunteers/person_list.html"
    title = gettext_lazy("People")
    table_class = PersonTable
    export_name = "people"

    @property
    def text(self) -> str:
        """What was typed."""
        return " ".join(self.request.GET.get("q", "").split())

    def rows(self) -> Any:
        """Those whose name or number fits."""
        return people_found(self.request.user, self.text)

    def acts(self) -> Sequence[Link]:
        """Enter somebody whom no organization has named."""
        if not can(self.request.user, Capability.KEEP_PEOPLE):
            return ()
        return [Link(_("Enter a person"), reverse("person_new"))]

    def context(self) -> dict[str, Any]:
        """The text for the search field."""
        return super().context() | {"text": self.text}


class OrganizationDetail(DetailView):
    """One legal body: how it stands, its people, licenses, exemption and account holders."""

    capability = Capability.SEE_OWN
    template_name = "volunteers/organization_detail.html"

    def find(self) -> Any:
        """The organization of the address."""
        return self.organization

    def standing(self) -> str:
        """Licensed, class A, to Sep 30, 2027 · 501(c)(19)."""
        return standing_on(self.thing, timezone.localdate())


class PersonDetail(DetailView):
    """One human across all organizations, for regulators."""

    capability = Capability.SEE_REGISTER
    template_name = "volunteers/person_detail.html"

    def find(self) -> Any:
        """The person of this number."""
        return person_for(self.request.user, self.kwargs["number"])


urls: list[URLPattern] = [
    path("people/", PersonList.as_view(), name="person_list"),
    path("people/<str:number>/", PersonDetail.as_view(), name="person_detail"),
    path("organizations/<slug:slug>/", OrganizationDetail.as_view(), name="organization_detail"),
]
