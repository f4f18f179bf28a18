"""Forms about values that two people adopt; they read, the services decide."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from registry.consenting import Proposal
from registry.fields import DateField
from registry.forms import RegisterForm
from registry.overlaying import Kind, Slot, Unfit, kept
from registry.uploads import UploadField

CONFIRMS = frozenset({Kind.GROUND, Kind.READING})
"""Kinds of which nothing is typed: they are confirmed as they stand."""


class ValueForm(RegisterForm):
    """A value from a day on, with where it stands and how it came about."""

    ends = forms.BooleanField(required=False)
    valid_from = DateField(label=gettext_lazy("Counts from"), initial=timezone.localdate)
    cite = forms.CharField(
        label=gettext_lazy("Where it stands"),
        max_length=120,
        help_text=gettext_lazy("For example § 10-84(b), or Resolution 24-101. Letters print it."),
    )
    source = forms.CharField(
        label=gettext_lazy("Source"),
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("Who adopted or confirmed it, when and how, for the record."),
    )
    document = UploadField(label=gettext_lazy("The paper of it"), required=False)

    def __init__(self, *args: Any, slot: Slot, can_end: bool = False, **kwargs: Any) -> None:
        self.slot, self.can_end = slot, can_end
        super().__init__(*args, **kwargs)

    def prepare(self) -> None:
        """The field of this kind of value; a box that ends what was adopted, where something is."""
        self.fields["ends"].label = (
            _("No longer confirmed from that day on")
            if self.slot.kind in CONFIRMS
            else _("Nothing adopted counts any more: the rules' own value does")
        )
        if not self.can_end:
            del self.fields["ends"]
        if self.slot.kind not in CONFIRMS:
            self.fields["value"] = field = _field_of(self.slot)
            field.required = not self.can_end
            self._dress(field)
        self.order_fields(["value", "ends", "valid_from", "cite", "source", "document"])

    def clean_value(self) -> Any:
        """The value as it is kept; None where nothing was typed."""
        typed = self.cleaned_data["value"]
        if typed in ("", None):
            return None
        try:
            return kept(self.slot, _read(self.slot, typed))
        except Unfit as unfit:
            raise ValidationError(str(unfit), code="unfit") from None

    def clean(self) -> dict[str, Any]:
        """Either a value or the end of one."""
        cleaned = super().clean() or self.cleaned_data
        if "value" in self.fields and not self.has_error("value"):
            if cleaned.get("ends") and cleaned.get("value") is not None:
                self.add_error("ends", _("A value is typed above: leave one of the two."))
            elif not cleaned.get("ends") and cleaned.get("value") is None:
                self.add_error("value", _("This is needed to go on: fill it in."))
        return cleaned

    @property
    def value(self) -> Any:
        """What is proposed, as it is kept; None ends what was adopted."""
        if self.cleaned_data.get("ends"):
            return None
        if self.slot.kind is Kind.GROUND:
            return True
        return self.slot.stated if self.slot.kind is Kind.READING else self.cleaned_data["value"]

    @property
    def proposal(self) -> Proposal:
        """What was typed, for the service."""
        names = ("valid_from", "cite", "source")
        told = {name: self.cleaned_data[name] for name in names}
        paper = self.cleaned_data["document"]
        return Proposal(key=self.slot.key, value=self.value, paper=paper, **told)


def _field_of(slot: Slot) -> forms.Field:
    label = gettext_lazy("Value")
    if slot.kind is Kind.YES_NO:
        answers = [("yes", _("yes")), ("no", _("no"))]
        return forms.ChoiceField(label=label, choices=answers, widget=forms.RadioSelect)
    if slot.kind is Kind.TEXTS:
        return forms.CharField(
            label=label,
            widget=forms.Textarea(attrs={"rows": 5}),
            initial="\n".join(slot.stated or ()),
            help_text=_("Each on its own line."),
        )
    hints = {Kind.MONEY: _("In dollars, as 125.00."), Kind.DAYS: _("A number of days, as 30.")}
    mode = "decimal" if slot.kind is Kind.MONEY else "numeric"
    widget = forms.TextInput(attrs={"inputmode": mode, "autocomplete": "off"})
    return forms.CharField(label=label, max_length=20, widget=widget, help_text=hints[slot.kind])


def _read(slot: Slot, typed: str) -> Any:
    """What was typed as a value of the kind, or as it is where that cannot be."""
    if slot.kind is Kind.YES_NO:
        return typed == "yes"
    if slot.kind is Kind.TEXTS:
        return [line for line in typed.splitlines() if line.strip()]
    plain = typed.replace("$", "").replace(",", "").strip()
    if slot.kind is Kind.DAYS:
        return int(plain) if plain.isascii() and plain.isdigit() else typed
    return plain
