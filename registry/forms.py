"""The form every page uses: USWDS dress, reasons behind an i, one sentence for each mistake."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, NamedTuple
from uuid import UUID, uuid4

from django import forms
from django.core.exceptions import ValidationError
from django.forms.boundfield import BoundField
from django.forms.renderers import TemplatesSetting
from django.forms.widgets import Widget
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from registry.entries import has_ssn
from registry.fields import EINField


class Why(NamedTuple):
    """Why a field is asked for, and the paragraph that asks; shown behind an i."""

    text: str | Promise
    cite: str = ""


def _widget_class(widget: Widget) -> str:
    for kind, name in (
        (forms.CheckboxSelectMultiple, "usa-checkbox__input"),
        (forms.RadioSelect, "usa-radio__input"),
        (forms.CheckboxInput, "usa-checkbox__input"),
        (forms.Select, "usa-select"),
        (forms.Textarea, "usa-textarea"),
        (forms.FileInput, "usa-file-input"),
        (forms.HiddenInput, ""),
    ):
        if isinstance(widget, kind):
            return name
    return "usa-input"


class RegisterBoundField(BoundField):
    """A bound field that knows its USWDS class, why it is asked, and what may stay empty."""

    def build_widget_attrs(
        self, attrs: dict[str, Any], widget: Widget | None = None
    ) -> dict[str, Any]:
        """Django's attributes and the class of the widget's USWDS component."""
        built = super().build_widget_attrs(attrs, widget)
        shown = widget or self.field.widget
        names = f"{shown.attrs.get('class', '')} {_widget_class(shown)}".split()
        if self.errors and "usa-input" in names:
            names.append("usa-input--error")
        if names:
            built["class"] = " ".join(names)
        # A placeholder vanishes when it is needed; the label and the hint say it.
        return built | {"placeholder": False}

    @property
    def why(self) -> Why | None:
        """What the i opens, None when the form gives no reason for this field."""
        return getattr(self.form, "why", {}).get(self.name)

    @property
    def is_optional(self) -> bool:
        """True when the field may stay empty, and others of the form may not."""
        others = any(field.required for field in self.form.fields.values())
        return others and not self.field.required and not self.is_checkbox

    @property
    def is_checkbox(self) -> bool:
        """True for one box whose label stands beside it."""
        return isinstance(self.field.widget, forms.CheckboxInput)


class RegisterRenderer(TemplatesSetting):
    """Renders every form of the site, allauth's too, with templates/generic/_form.html."""

    form_template_name = "generic/_form.html"
    field_template_name = "django/forms/field.html"
    bound_field_class = RegisterBoundField


def refuse_ssn(value: Any) -> None:
    """Validator: no field keeps a Social Security number; those of § 10-84 go on paper."""
    if isinstance(value, str) and has_ssn(value):
        raise ValidationError(
            _("This looks like a Social Security number; the register keeps none: take it out."),
            code="ssn",
        )


class RegisterForm(forms.Form):
    """Base of every form: parses and previews, never saves.

    `by` and `organization` are given by the view; `prepare()` binds lookups and choices to them.
    `cleaned_data["token"]` is the form's one-time token: a second press brings the same one.
    """

    use_required_attribute = False
    why: ClassVar[Mapping[str, Why]] = {}
    token = forms.UUIDField(widget=forms.HiddenInput, required=False, initial=uuid4)

    def __init__(self, *args: Any, by: Any = None, organization: Any = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.by, self.organization = by, organization
        self.prepare()
        for field in self.fields.values():
            self._dress(field)

    def prepare(self) -> None:
        """Hook: bind lookups, choices and initial values to self.by and self.organization."""

    @staticmethod
    def _dress(field: forms.Field) -> None:
        if isinstance(field, forms.CharField) and not isinstance(field, EINField):
            field.validators = [*field.validators, refuse_ssn]
        stock: dict[str, Any] = {}
        for kind in reversed(type(field).__mro__):
            stock |= kind.__dict__.get("default_error_messages", {})
        for code, sentence in _sentences(field).items():
            if field.error_messages.get(code) == stock.get(code):
                field.error_messages[code] = sentence

    def clean_token(self) -> UUID:
        """The token sent, or a fresh one for a form that was built by hand."""
        token: UUID | None = self.cleaned_data.get("token")
        return token or uuid4()


def _sentences(field: forms.Field) -> dict[str, str]:
    """What to do, where Django only says what is wrong."""
    if isinstance(field, forms.BooleanField):
        needed = _("This is needed to go on: tick it.")
    elif isinstance(field, forms.FileField):
        needed = _("This is needed to go on: choose a file.")
    elif isinstance(field, forms.ChoiceField):
        needed = _("This is needed to go on: choose one of those shown.")
    else:
        needed = _("This is needed to go on: fill it in.")
    unknown = _("“%(value)s” is not on the list: choose one of those shown.")
    return {
        "required": needed,
        "invalid_choice": unknown,
        "empty": _("The file is empty: choose another one."),
    }


class ConfirmForm(RegisterForm):
    """Asks why before an act that is hard to undo."""

    reason = forms.CharField(
        label=gettext_lazy("Why"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("One sentence for the record."),
    )


def errors_in_order(form: forms.BaseForm) -> Iterable[tuple[BoundField | None, str]]:
    """Each mistake with its field, in the order of the page; None for those of the whole form."""
    for sentence in form.non_field_errors():
        yield None, str(sentence)
    for bound in form:
        for sentence in bound.errors:
            yield bound, str(sentence)
