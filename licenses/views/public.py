"""The public register: who is licensed, where, and what was decided; for everyone, of nobody."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

import django_tables2 as tables
from django.http import Http404, HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

from licenses.public import as_data, copy_seen, licensee, licensees
from licenses.selectors import standings_on
from licenses.views.organizations import day_asked
from registry.access import Capability
from registry.exports import FILES
from registry.generic import PageView, whole
from registry.models import Organization
from registry.tables import Link, RegisterTable
from registry.throttle import throttled

MOST_LETTERS = 100


class LicenseeTable(RegisterTable):
    """One body a row, with the licenses that matter on the day."""

    caption = ngettext_lazy("%(shown)s licensee", "%(shown)s licensees", "count")
    row_template = "licenses/_licensee_row.html"
    name = tables.Column(gettext_lazy("Name"), order_by="search_name")
    city = tables.Column(gettext_lazy("City"))
    number = tables.Column(gettext_lazy("License"), accessor="pk", orderable=False)
    standing = tables.Column(gettext_lazy("On the day"), accessor="pk", orderable=False)
    last_day = tables.Column(gettext_lazy("Last day"), accessor="pk", orderable=False)
    on: date

    class Meta:
        empty_text = gettext_lazy("No licensee fits: type less of the name.")

    @property
    def records(self) -> list[Organization]:
        """The rows of the page shown, each with the licenses that matter on the day."""
        found = list(super().records)
        for row in found:
            row.standings = standings_on(row.held, self.on)
        return found

    def value_number(self, record: Organization) -> str:
        """The numbers, for a file."""
        return "; ".join(one.number for one in standings_on(record.held, self.on))  # type: ignore[attr-defined]

    def value_standing(self, record: Organization) -> str:
        """How each license stands, for a file."""
        return "; ".join(one.word for one in standings_on(record.held, self.on))  # type: ignore[attr-defined]

    def value_last_day(self, record: Organization) -> str:
        """The last days, for a file."""
        held = standings_on(record.held, self.on)  # type: ignore[attr-defined]
        return "; ".join(one.last_day.isoformat() for one in held)


class PublicPage(PageView):
    """A page for everyone: bounded in how often one asks, never of a person."""

    capability = Capability.PUBLIC
    organization_kwarg = None

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Too many in a short time wait."""
        return throttled(request, "license_lookup") or super().dispatch(request, *args, **kwargs)

    @property
    def day(self) -> date:
        """The day asked about, today when none is."""
        return day_asked(self.request.GET.get("on", ""))


class PublicRegister(PublicPage):
    """The list, as a page, CSV, XLSX or JSON."""

    template_name = "licenses/public_register.html"
    title = gettext_lazy("Who is licensed")

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Those that fit what was typed."""
        text = " ".join(request.GET.get("q", "").split())[:MOST_LETTERS]
        rows = licensees(text)
        kind = request.GET.get("export", "")
        if kind == "json":
            return self._json(rows)
        table = LicenseeTable(rows)
        table.on = self.day
        if kind in FILES:
            return FILES[kind](f"licensees.{kind}", table.exported())
        table.turn_to(whole(request.GET.get("page")) or 1, 50)
        query = request.GET.copy()
        for name in ("page", "export"):
            query.pop(name, None)
        table.export_urls = [
            (label.upper(), f"?{query.urlencode()}&export={label}".replace("?&", "?"))
            for label in (*FILES, "json")
        ]
        table.request = request
        return self.page({"table": table, "text": text, "on": self.day})

    def _json(self, rows: Any) -> HttpResponseBase:
        """Documented on the page itself; stable."""
        day = self.day
        found = [as_data(row, day) for row in rows]
        return JsonResponse({"on": day.isoformat(), "licensees": found})


class PublicLicensee(PublicPage):
    """One body: its licenses, places, and what was decided."""

    template_name = "licenses/public_licensee.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """As of the day asked."""
        self.found = licensee(kwargs["slug"], self.day)
        if self.found is None:
            raise Http404
        return self.page({"found": self.found, "on": self.day})

    def get_title(self) -> str:
        """The licensed name."""
        return str(self.found.organization.name) if self.found else ""

    def trail(self) -> Sequence[Link]:
        """Up to the list."""
        return [Link(_("Who is licensed"), reverse("public_register"))]


class LicenseCopy(PublicPage):
    """A printed license that somebody scanned."""

    template_name = "licenses/license_copy.html"
    title = gettext_lazy("A printed license")

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Current or replaced, and how the license stands today; unknown codes look alike."""
        today = timezone.localdate()
        seen = copy_seen(kwargs["token"], today)
        return self.page({"seen": seen, "today": today}, status=200 if seen else 404)


urls: list[URLPattern] = [
    path("licenses/", PublicRegister.as_view(), name="public_register"),
    path("licenses/<slug:slug>/", PublicLicensee.as_view(), name="public_licensee"),
    path("l/<str:token>/", LicenseCopy.as_view(), name="license_copy"),
]
