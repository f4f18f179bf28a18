"""The list of organizations with how they stand; issue, suspend and void licenses; exemption."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from licenses.selectors import organizations_on
from licenses.tables import OrganizationFilters, OrganizationTable
from registry.access import Capability, can
from registry.entries import Unreadable, read_day
from registry.generic import TableView
from registry.tables import Link


def day_asked(text: str) -> date:
    """The day an address names, today when it names none that can be read."""
    today = timezone.localdate()
    try:
        return read_day(text, today.year) if text else today
    except Unreadable:
        return today


class OrganizationList(TableView):
    """Every legal body of the county and how its licenses stand on a day."""

    capability = Capability.SEE_REGISTER
    title = gettext_lazy("Organizations")
    table_class = OrganizationTable
    filterset_class = OrganizationFilters
    switch = "standing"
    export_name = "organizations"

    def rows(self) -> Any:
        """All of them, with their licenses on the day of the address."""
        return organizations_on(self.request.user, day_asked(self.request.GET.get("on", "")))

    def acts(self) -> Sequence[Link]:
        """Enter a body that is not there yet."""
        if not can(self.request.user, Capability.KEEP_ORGANIZATIONS):
            return ()
        return [Link(_("Enter an organization"), reverse("organization_new"))]


urls: list[URLPattern] = [
    path("organizations/", OrganizationList.as_view(), name="organization_list"),
]
