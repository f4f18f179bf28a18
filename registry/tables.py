"""The table every list uses: counted caption, sort links, cards on a phone, CSV beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, ClassVar

import django_filters
import django_tables2 as tables
from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.functional import cached_property
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy
from django_tables2.paginators import LazyPaginator

from registry.templatetags.register import day, status

COUNTED = 10_000
"""Rows are counted up to here; beyond, a caption says “more than”."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link of the frame, a chip of a filter or a button of a page."""

    label: str
    url: str
    is_current: bool = False
    count: int | None = None
    kind: str = ""
    """For a button: "" filled, "outline" or "danger"."""


class DateColumn(tables.Column):  # type: ignore[misc]
    """A day, as “Mon, Nov 30, 2026”; in a file as 2026-11-30."""

    is_narrow = True

    def render(self, value: date) -> str:
        """The day in words."""
        return day(value)

    def value(self, value: date) -> date:
        """The day itself: each kind of file has its own way to write it."""
        return value


class StatusColumn(tables.Column):  # type: ignore[misc]
    """A mark with its word; the cell's value is a registry.worded.Mark."""

    def render(self, value: str) -> SafeString:
        """Shape, colour and word."""
        return status(value)


class RegisterTable(tables.Table):  # type: ignore[misc]
    """Base of every table.

    `caption` counts: ngettext_lazy("%(shown)s person", "%(shown)s people", "count").
    `row_template` draws one `<tr>` from `record` and `labels`, six times faster than cells do.
    `first_act` is shown when there is nothing yet.
    """

    caption: ClassVar[Any] = ngettext_lazy("%(shown)s row", "%(shown)s rows", "count")
    row_template: ClassVar[str] = ""
    first_act: Link | None = None
    export_urls: Sequence[tuple[str, str]] = ()
    """Kind and address of each file the list can be taken away as."""

    def __init__(self, data: Any, **options: Any) -> None:
        # Here and not in Meta, which tables do not inherit unless they say so.
        own = {"default": "", "order_by_field": "sort", "empty_text": _("Nothing here yet.")}
        if self._meta.empty_text is not None:
            del own["empty_text"]
        super().__init__(data, **(own | options))
        self._settle()

    @tables.Table.order_by.setter  # type: ignore[untyped-decorator]
    def order_by(self, value: Any) -> None:
        """Sort as asked; see _settle."""
        tables.Table.order_by.fset(self, value)
        self._settle()

    def _settle(self) -> None:
        """The key sorts last: rows that are alike keep their page (cases D32)."""
        rows = self.data.data
        if isinstance(rows, QuerySet) and not rows.query.is_sliced:
            asked = rows.query.order_by or tuple(rows.model._meta.ordering)
            if "pk" not in asked:
                self.data.data = rows.order_by(*asked, "pk")

    @cached_property
    def total(self) -> int:
        """How many rows there are, counted to just past COUNTED."""
        rows = self.data.data
        if isinstance(rows, QuerySet):
            return rows.order_by()[: COUNTED + 1].count()
        return len(rows)

    @property
    def counted(self) -> str:
        """The caption with its number."""
        shown = intcomma(min(self.total, COUNTED))
        if self.total > COUNTED:
            shown = _("more than %(number)s") % {"number": shown}
        return str(self.caption % {"count": self.total, "shown": shown})

    @cached_property
    def labels(self) -> dict[str, str]:
        """Header of each column by its name, for a row template's data-label."""
        return {column.name: str(column.header) for column in self.columns}

    @property
    def records(self) -> list[Any]:
        """The rows of the page shown, as the selector gave them."""
        return [row.record for row in self.page.object_list]

    @property
    def last_page(self) -> int | None:
        """The number of the last page, None when nobody counted so far."""
        size = self.paginator.per_page
        return None if self.total > COUNTED else max(1, -(-self.total // size))

    def turn_to(self, page: int, per_page: int) -> None:
        """Show one page; a page that is not there shows the first."""
        try:
            self.paginate(page=page, per_page=per_page, paginator_class=LazyPaginator)
        except Exception:
            self.paginate(page=1, per_page=per_page, paginator_class=LazyPaginator)

    def exported(self) -> Iterator[list[Any]]:
        """Header and every row, all pages, for a file."""
        return iter(self.as_values())


class RegisterFilterSet(django_filters.FilterSet):  # type: ignore[misc]
    """Filters of a list: they stay in the address and show as chips that can be taken off."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for own in self.filters.values():
            if isinstance(own, django_filters.ChoiceFilter):
                own.extra.setdefault("empty_label", _("Any"))

    def chips(self, query: QueryDict, switch: str = "") -> list[Link]:
        """One chip for each filter that is on; its link is the list without it."""
        return [
            Link(f"{self.form[name].label}: {self._shown(name)}", without(query, name))
            for name in self.form.fields
            if name != switch and self.form[name].data and self.form.is_valid()
        ]

    def _shown(self, name: str) -> str:
        value = self.form.cleaned_data.get(name)
        choices = dict(getattr(self.form.fields[name], "choices", ()))
        if isinstance(value, date):
            return day(value)
        return str(choices.get(value) or value)

    def switches(self, name: str, query: QueryDict) -> list[Link]:
        """The choices of one filter as links beside each other, the first of them “All”."""
        chosen = self.form[name].data or ""
        every = [
            ("", _("All")),
            *[c for c in self.form.fields[name].choices if c[0] not in ("", None)],
        ]
        return [
            Link(str(label), replaced(query, name, str(key)), is_current=str(key) == chosen)
            for key, label in every
        ]


def without(query: QueryDict, *names: str) -> str:
    """The address's query without these names and without the page."""
    rest = query.copy()
    for name in (*names, "page"):
        rest.pop(name, None)
    return f"?{rest.urlencode()}"


def replaced(query: QueryDict, name: str, value: str) -> str:
    """The address's query with one value put in, on its first page."""
    rest = query.copy()
    rest.pop("page", None)
    rest.pop(name, None)
    if value:
        rest[name] = value
    return f"?{rest.urlencode()}"
