"""Form fields that read what people write, and their widgets."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from django import forms
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from registry.entries import Unreadable, read_day, read_ein, read_name

EARLIEST = date(1800, 1, 1)
LATEST = date(2199, 12, 31)
OLDEST = 120
"""Years: nobody is older, so an earlier birth date is a slip of the pen."""


STORED_EIN = re.compile(r"^([0-9]{2})([0-9]{7})$")


class Choice(NamedTuple):
    """One thing a type-ahead offers: the key that is sent, its label, a note to tell it apart."""

    key: str
    label: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Lookup:
    """Where a LookupField finds things. Both callables come from a selector scoped to the user."""

    search: Callable[[str], Sequence[Choice]]
    find: Callable[[str], Any | None]
    url: str = ""
    """A LookupView's address; empty: the field works by submitting what was typed."""


class DateInput(forms.TextInput):
    """One forgiving text field; site.js adds a calendar button where the browser has one."""

    template_name = "django/forms/widgets/register_date.html"

    def format_value(self, value: Any) -> str | None:
        """A date is shown back as 11/30/2026; words that could not be read stay as typed."""
        return value.strftime("%m/%d/%Y") if isinstance(value, date) else value


class DateField(forms.Field):
    """A county-local day, written in any usual way (registry.entries.read_day)."""

    widget = DateInput

    def __init__(
        self,
        *,
        earliest: date | Callable[[], date] = EARLIEST,
        latest: date | Callable[[], date] = LATEST,
        **kwargs: Any,
    ) -> None:
        """`earliest` and `latest` are the bounds, both included; a callable is asked when used."""
        kwargs.setdefault("help_text", gettext_lazy("For example 11/30/2026 or Nov 30, 2026"))
        super().__init__(**kwargs)
        self.earliest, self.latest = earliest, latest

    def this_year(self) -> int | None:
        """The year that tells the century of two digits."""
        return timezone.localdate().year

    def to_python(self, value: Any) -> date | None:
        """The day, None when empty; a ValidationError holds the sentence of what is wrong."""
        if isinstance(value, date) or value in self.empty_values or not str(value).strip():
            return value if isinstance(value, date) else None
        try:
            day = read_day(str(value), self.this_year())
        except Unreadable as unreadable:
            raise ValidationError(str(unreadable), code="invalid") from None
        self._hold_bounds(str(value), day)
        return day

    def _hold_bounds(self, value: str, day: date) -> None:
        earliest = self.earliest() if callable(self.earliest) else self.earliest
        latest = self.latest() if callable(self.latest) else self.latest
        if not earliest <= day <= latest:
            sentence = (
                _("“%(value)s” is too early: the first day possible here is %(bound)s.")
                if day < earliest
                else _("“%(value)s” is too late: the last day possible here is %(bound)s.")
            )
            bound = date_format(earliest if day < earliest else latest, "M j, Y")
            raise ValidationError(sentence % {"value": value, "bound": bound}, code="bounds")

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Two spellings of one day are no change."""
        try:
            return bool(self.to_python(initial) != self.to_python(data))
        except ValidationError:
            return True


class BirthDateField(DateField):
    """A birth date: in the past, and with the full year, since 11/30/26 may be 1926 or 2026."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("help_text", gettext_lazy("For example 11/30/1961"))
        super().__init__(
            earliest=lambda: date(timezone.localdate().year - OLDEST, 1, 1),
            latest=timezone.localdate,
            **kwargs,
        )

    def this_year(self) -> int | None:
        """None: the century must be written."""
        return None


class NameField(forms.CharField):
    """The name of a person or an organization in any script; “<b>Pat</b>” is taken as it stands."""

    def __init__(self, *, max_length: int = 200, **kwargs: Any) -> None:
        super().__init__(max_length=max_length, **kwargs)
        self.widget.attrs.setdefault("autocomplete", "off")
        self.widget.attrs.setdefault("spellcheck", "false")

    def to_python(self, value: Any) -> str:
        """The name trimmed; a ValidationError holds the sentence of what is wrong."""
        text = str(super().to_python(value) or "")
        try:
            return read_name(text) if text else text
        except Unreadable as unreadable:
            raise ValidationError(str(unreadable), code="invalid") from None


class EINField(forms.CharField):
    """An employer identification number: any prefix, nine ASCII digits, kept as text."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("help_text", gettext_lazy("Nine digits, for example 12-3456780"))
        super().__init__(**kwargs)
        self.widget.attrs.setdefault("inputmode", "numeric")
        self.widget.attrs.setdefault("autocomplete", "off")

    def prepare_value(self, value: Any) -> Any:
        """Nine stored digits are shown with their hyphen."""
        return STORED_EIN.sub(r"\1-\2", value) if isinstance(value, str) else value

    def to_python(self, value: Any) -> str:
        """Nine digits, "" when empty; a ValidationError holds the sentence of what is wrong."""
        text = str(super().to_python(value) or "")
        try:
            return read_ein(text) if text else text
        except Unreadable as unreadable:
            raise ValidationError(str(unreadable), code="invalid") from None


class LookupInput(forms.Widget):
    """A text field and the key of what was chosen; the list is drawn by htmx or after a post."""

    template_name = "django/forms/widgets/register_lookup.html"
    lookup: Lookup | None = None
    label_of: Callable[[str], str] = staticmethod(str)
    offered: Sequence[Choice] = ()

    def value_from_datadict(
        self, data: Mapping[str, Any], files: Any, name: str
    ) -> tuple[str, str]:
        """Key and text; without JavaScript the key is a chosen radio button's."""
        key = str(data.get(f"{name}_key") or data.get(f"{name}_pick") or "")
        text = str(data.get(name) or "")
        # The database takes no NUL, and nothing it holds has one.
        return key.replace("\0", "").strip(), text.replace("\0", "").strip()

    def value_omitted_from_data(self, data: Mapping[str, Any], files: Any, name: str) -> bool:
        """True when neither part was sent."""
        return not {name, f"{name}_key", f"{name}_pick"} & set(data)

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        """Django's context with key, text, the offered choices and the address to ask."""
        key, text = value if isinstance(value, tuple) else (str(value or ""), "")
        context = super().get_context(name, None, attrs)
        context["widget"].update(
            key=key,
            text=text or (self.label_of(key) if key else ""),
            offered=self.offered,
            url=self.lookup.url if self.lookup else "",
        )
        return context


class LookupField(forms.Field):
    """One of many people or organizations, found by typing. Bind it with `use(Lookup(...))`.

    The cleaned value is what `Lookup.find` returns, so an id of somebody else's finds nothing.
    """

    widget = LookupInput

    def use(self, lookup: Lookup, label_of: Callable[[str], str] = str) -> None:
        """Bind the selectors; `label_of` names an initial key."""
        self.widget.lookup = lookup
        self.widget.label_of = label_of

    def clean(self, value: Any) -> Any:
        """The thing chosen, or typed so that only one fits; else a sentence and the choices."""
        key, text = value if isinstance(value, tuple) else (str(value or ""), "")
        if not key and not text:
            if self.required:
                raise ValidationError(self.error_messages["required"], code="required")
            return None
        lookup = self.widget.lookup
        if lookup is None:
            raise ImproperlyConfigured("A LookupField is bound by use() in the form's prepare().")
        if key:
            return self._found(lookup, key, text)
        offers = list(lookup.search(text))
        exact = [c for c in offers if c.label.casefold() == text.casefold()]
        if len(exact or offers) == 1:
            return self._found(lookup, (exact or offers)[0].key, text)
        self.widget.offered = offers
        raise ValidationError(
            _("“%(value)s” fits %(count)s entries: choose one of those shown.")
            % {"value": text, "count": len(offers)}
            if offers
            else _("“%(value)s” was not found: check the spelling or type less of it.")
            % {"value": text},
            code="choose",
        )

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Changed when another key was chosen or only words were typed."""
        key, text = data if isinstance(data, tuple) else (str(data or ""), "")
        return bool((key or text) != str(initial or ""))

    def _found(self, lookup: Lookup, key: str, text: str) -> Any:
        found = lookup.find(key)
        if found is None:
            raise ValidationError(
                _("“%(value)s” was not found: type the name again and choose from the list.")
                % {"value": text or key},
                code="invalid",
            )
        return found
