"""The roster as a list: one line a human, filtered by how each stands on a day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

import django_filters
import django_tables2 as tables
from django.db.models import QuerySet
from django.http import QueryDict
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

from registry.access import is_regulator
from registry.fields import DateField
from registry.models import Organization
from registry.ruleset import TextUnknown
from registry.tables import Link, RegisterFilterSet, RegisterTable, StatusColumn
from registry.templatetags.register import span
from registry.worded import Mark
from volunteers import words
from volunteers.models import Membership
from volunteers.rosters import Line, Standing, lines_of
from volunteers.selectors import named
from volunteers.words.shown import long_day, short_day

RANK = {standing: rank for rank, standing in enumerate(Standing)}


class Named(NamedTuple):
    """What the partial of a person shows."""

    full_name: str
    number: str


@dataclass(frozen=True)
class Entry:
    """A line of the roster in words; `county` adds what rests on other organizations' rows."""

    line: Line
    url: str
    county: bool

    @property
    def pk(self) -> int:
        """The membership's key."""
        return self.line.pk

    @property
    def person(self) -> Named:
        """Name and number."""
        return Named(self.line.name, self.line.membership.person.number)

    @property
    def name(self) -> str:
        """The name, as a file has it."""
        return self.line.name

    @property
    def sort_name(self) -> str:
        """Family name first."""
        return str(self.line.membership.person.sort_name)

    @property
    def kind(self) -> str:
        """How the person belongs."""
        return str(self.line.membership.get_kind_display())

    @property
    def since(self) -> date:
        """The join date."""
        return self.line.membership.starts_on

    @property
    def span(self) -> str:
        """The join date, or the days of a membership that has an end."""
        row = self.line.membership
        return short_day(row.starts_on) if row.ends_on is None else span(row)

    @property
    def mark(self) -> Mark:
        """How the standing looks."""
        return Mark.NOTE if self.line.ruling is None else words.mark_of(self.line.ruling)

    @property
    def word(self) -> str:
        """The standing in a word or two."""
        if self.line.ruling is None:
            return str(Standing.LEFT.label)
        return words.headline(self.line.ruling)

    @property
    def rank(self) -> int:
        """Cleared first, who left last."""
        return RANK[self.line.standing]

    @property
    def reason(self) -> str:
        """From which day, else what stands in the way."""
        ruling = self.line.ruling
        if ruling is None or ruling.first_bar is None:
            return ""
        if ruling.eligible_on is not None:
            return _("from %(day)s") % {"day": long_day(ruling.eligible_on)}
        return words.sentence(ruling.first_bar, county=self.county)

    @property
    def approval(self) -> str:
        """The duties approved, and to when."""
        row = self.line.assignment
        if row is None:
            return ""
        duties = ", ".join(words.duty_word(duty) for duty in row.duties)
        if row.starts_on > self.line.on:
            return _("%(duties)s, from %(day)s") % {
                "duties": duties,
                "day": short_day(row.starts_on),
            }
        return _("%(duties)s, to %(day)s") % {"duties": duties, "day": short_day(row.ends_on)}

    @property
    def tag(self) -> str:
        """The number of the good tag."""
        return str(self.line.tag) if self.line.tag else ""


class MembershipTable(RegisterTable):
    """Everyone of an organization, with today's standing."""

    caption = ngettext_lazy("%(shown)s person", "%(shown)s people", "count")
    row_template = "volunteers/_membership_row.html"

    name = tables.Column(_("Name"), order_by="sort_name")
    kind = tables.Column(gettext_lazy("Belongs as"))
    since = tables.Column(gettext_lazy("Since"))
    word = StatusColumn(verbose_name=gettext_lazy("Standing"), order_by="rank")
    reason = tables.Column(gettext_lazy("From when, or why not"), orderable=False)
    approval = tables.Column(gettext_lazy("Approved for"), orderable=False)
    tag = tables.Column(gettext_lazy("Tag"))

    class Meta:
        empty_text = gettext_lazy("Nobody on the roster fits. Take a filter off, or add a person.")


class DayFilter(django_filters.Filter):  # type: ignore[misc]
    """The day on which everyone is judged."""

    field_class = DateField


class MembershipFilters(RegisterFilterSet):
    """By standing, by name, and for another day than today."""

    standing = django_filters.ChoiceFilter(label=gettext_lazy("Standing"), choices=Standing.choices)
    q = django_filters.CharFilter(label=gettext_lazy("Name"))
    on = DayFilter(label=gettext_lazy("Standing on"))

    class Meta:
        model = Membership
        fields: list[str] = []

    day: date
    counts: Counter[Standing]
    unknown = ""
    """Why nobody can be judged for that day, if so."""

    def filter_queryset(self, queryset: QuerySet[Membership]) -> list[Entry]:
        """The lines judged for the day, those of one standing where it is chosen."""
        asked = self.form.cleaned_data
        self.day = asked.get("on") or timezone.localdate()
        if text := (asked.get("q") or "").strip():
            queryset = named(self.request.user, queryset, text)
        lines = self._lines(queryset)
        self.counts = Counter(line.standing for line in lines)
        chosen = asked.get("standing")
        return self._entries([row for row in lines if not chosen or row.standing == chosen])

    def _lines(self, rows: QuerySet[Membership]) -> list[Line]:
        organization: Organization = self.request.organization
        try:
            return lines_of(self.request.user, organization, rows, self.day)
        except TextUnknown as unknown:
            self.unknown = str(unknown)
            return []

    def _entries(self, lines: Sequence[Line]) -> list[Entry]:
        slug, county = self.request.organization.slug, is_regulator(self.request.user)
        return [
            Entry(line, reverse("membership_detail", kwargs={"slug": slug, "pk": line.pk}), county)
            for line in lines
        ]

    def switches(self, name: str, query: QueryDict) -> list[Link]:
        """The standings with how many people are in each."""
        shown: dict[Any, int] = {"": self.counts.total(), **self.counts}
        keys = ["", *Standing]
        links = super().switches(name, query)
        return [
            Link(link.label, link.url, link.is_current, count=shown.get(key, 0))
            for key, link in zip(keys, links, strict=True)
        ]
