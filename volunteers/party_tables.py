"""The county's list of people."""

from __future__ import annotations

from typing import Any

import django_tables2 as tables
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from registry.tables import RegisterTable
from registry.templatetags.register import age_band
from volunteers.lookups import organizations_of


class PersonTable(RegisterTable):
    """One human a row; no birth date, only the decade that tells namesakes apart."""

    caption = ngettext_lazy("%(shown)s person", "%(shown)s people", "count")
    row_template = "volunteers/_person_row.html"

    name = tables.Column(_("Name"), accessor="full_name", order_by="sort_name")
    number = tables.Column(_("Number"))
    age = tables.Column(_("Age"), accessor="pk", orderable=False)
    belongs_to = tables.Column(_("Belongs to"), accessor="pk", orderable=False)

    class Meta:
        empty_text = _("Nobody fits: type less of the name, or a number as P-7K2MQX.")

    @property
    def records(self) -> list[Any]:
        """The rows of the page shown, each with the organizations of its person."""
        found = list(super().records)
        for row in found:
            row.organizations = organizations_of(row)
        return found

    def value_age(self, record: Any) -> str:
        """The decade, for a file."""
        return age_band(record.born_on)

    def value_belongs_to(self, record: Any) -> str:
        """The organizations, for a file."""
        return "; ".join(row.name for row in organizations_of(record))
