"""The list of organizations with how they stand."""

from __future__ import annotations

from typing import Any

import django_filters
import django_tables2 as tables
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from licenses.rules import State
from licenses.selectors import standings_on
from licenses.words import STATES, Standing
from registry.fields import DateField
from registry.models import Organization
from registry.selectors import matching_organizations
from registry.tables import RegisterFilterSet, RegisterTable


def standings(organization: Organization) -> list[Standing]:
    """The licenses that matter on the day of the list."""
    return standings_on(organization.held, organization.on)  # type: ignore[attr-defined]


class OrganizationTable(RegisterTable):
    """One legal body a row; a body of two classes shows both licenses."""

    caption = ngettext_lazy("%(shown)s organization", "%(shown)s organizations", "count")
    row_template = "licenses/_organization_row.html"

    name = tables.Column(_("Name"), order_by="name")
    kind = tables.Column(_("Kind"), accessor="get_kind_display", order_by="kind")
    city = tables.Column(_("City"))
    number = tables.Column(_("License"), accessor="pk", orderable=False)
    standing = tables.Column(_("On the day"), accessor="pk", orderable=False)
    last_day = tables.Column(_("Last day"), accessor="pk", orderable=False)

    class Meta:
        empty_text = _("No organization fits: take a filter off, or type less of the name.")

    @property
    def records(self) -> list[Organization]:
        """The rows of the page shown, each with the licenses that matter on the day."""
        found = list(super().records)
        for row in found:
            row.standings = standings(row)
        return found

    def value_number(self, record: Organization) -> str:
        """The numbers, for a file."""
        return "; ".join(row.number for row in standings(record))

    def value_standing(self, record: Organization) -> str:
        """How each license stands, for a file."""
        return "; ".join(row.word for row in standings(record))

    def value_last_day(self, record: Organization) -> str:
        """The last days, for a file."""
        return "; ".join(row.last_day.isoformat() for row in standings(record))


class DayFilter(django_filters.Filter):  # type: ignore[misc]
    """A day in any usual way of writing; the list itself is asked for that day."""

    field_class = DateField

    def filter(self, qs: QuerySet[Any], value: Any) -> QuerySet[Any]:
        """Every row: the day only says when they are looked at."""
        return qs


class OrganizationFilters(RegisterFilterSet):
    """By name or EIN, kind, day, and how the license stands on that day."""

    q = django_filters.CharFilter(label=_("Name or EIN"), method="named")
    kind = django_filters.ChoiceFilter(label=_("Kind"), choices=Organization.Kind.choices)
    on = DayFilter(label=_("On"), help_text="")
    standing = django_filters.ChoiceFilter(
        label=_("License"),
        method="standing_as",
        choices=[
            (State.IN_FORCE.value, STATES[State.IN_FORCE]),
            (State.SUSPENDED.value, STATES[State.SUSPENDED]),
            ("none", _("None in force")),
        ],
    )

    class Meta:
        model = Organization
        fields: list[str] = []

    def named(self, rows: QuerySet[Any], _name: str, value: str) -> QuerySet[Any]:
        """Those whose name or EIN fits."""
        return matching_organizations(rows, value)

    def standing_as(self, rows: QuerySet[Any], _name: str, value: str) -> QuerySet[Any]:
        """Those with a license in force, with a suspended one, or with none in force."""
        if value == State.SUSPENDED:
            return rows.filter(is_suspended=True)
        return rows.filter(is_in_force=value == State.IN_FORCE)
