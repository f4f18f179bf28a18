"""The applications the county works on, the longest waiting first."""

from __future__ import annotations

from typing import Any

import django_filters
import django_tables2 as tables
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from licenses.models import Application, License
from licenses.rules import Status
from registry.tables import DateColumn, RegisterFilterSet, RegisterTable


class ApplicationTable(RegisterTable):
    """One application a row: whose, where it is, since when."""

    caption = ngettext_lazy("%(shown)s application", "%(shown)s applications", "count")
    row_template = "licenses/_application_row.html"

    number = tables.Column(_("File"))
    organization = tables.Column(_("Organization"), order_by="organization__name")
    license_class = tables.Column(_("Class"))
    kind = tables.Column(_("Kind"), accessor="get_kind_display", order_by="kind")
    status = tables.Column(_("Where it is"), accessor="get_status_display", order_by="status")
    since = tables.Column(_("Since"))
    presented_on = DateColumn(_("Presented"))

    class Meta:
        empty_text = _("No application waits.")


WAITS = {
    "clerk": [Status.SUBMITTED],
    "investigator": [Status.INVESTIGATION],
    "administrator": [Status.RECOMMENDED],
    "applicant": [Status.DRAFT, Status.RETURNED],
    "final": [Status.DENIED],
}


class ApplicationFilters(RegisterFilterSet):
    """By whom it waits for, class, and new or renewal."""

    waits = django_filters.ChoiceFilter(
        label=_("Waits for"),
        method="waiting_for",
        choices=[
            ("clerk", _("the clerk")),
            ("investigator", _("the investigator")),
            ("administrator", _("the administrator")),
            ("applicant", _("the applicant")),
            ("final", _("a final denial")),
        ],
    )
    license_class = django_filters.ChoiceFilter(label=_("Class"), choices=License.Class.choices)
    kind = django_filters.ChoiceFilter(label=_("Kind"), choices=Application.Kind.choices)

    class Meta:
        model = Application
        fields: list[str] = []

    def waiting_for(self, rows: QuerySet[Any], _name: str, value: str) -> QuerySet[Any]:
        """Those whose turn it is."""
        return rows.filter(status__in=WAITS[value])
