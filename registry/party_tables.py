"""The list of those who sign in."""

from __future__ import annotations

from typing import Any

import django_tables2 as tables
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from registry.tables import RegisterTable


class UserTable(RegisterTable):
    """One login a row, with the offices held today and the organizations acted for."""

    caption = ngettext_lazy("%(shown)s user", "%(shown)s users", "count")
    row_template = "registry/_user_row.html"

    name = tables.Column(_("Name"), order_by=("name", "email"))
    email = tables.Column(_("E-mail address"))
    offices = tables.Column(_("Offices today"), accessor="pk", orderable=False)
    acts_for = tables.Column(_("Acts for"), accessor="pk", orderable=False)
    last_login = tables.Column(_("Last signed in"))

    class Meta:
        empty_text = _("Nobody has signed up yet.")

    def value_offices(self, record: Any) -> str:
        """The offices, for a file."""
        return "; ".join(str(row.get_role_display()) for row in record.offices_today)

    def value_acts_for(self, record: Any) -> str:
        """The organizations, for a file."""
        return "; ".join(row.organization.name for row in record.held_today)
