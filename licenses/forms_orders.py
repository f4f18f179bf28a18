"""Forms of orders against a license, and of appeals; they read, services decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy

from licenses.forms_county import GroundsForm, past_day, words
from licenses.models import Appeal
from registry.fields import DateField
from registry.forms import RegisterForm, Why
from registry.uploads import UploadField


class WarnForm(GroundsForm):
    """A warning: grounds and reason."""


class OrderForm(GroundsForm):
    """A suspension: from, to, grounds, reason."""

    starts_on = DateField(label=gettext_lazy("First day"), initial=timezone.localdate)
    ends_on = DateField(
        label=gettext_lazy("Last day"),
        required=False,
        help_text=gettext_lazy("Empty: until further notice."),
    )


class RevokeForm(GroundsForm):
    """A revocation: from when, grounds, reason."""

    starts_on = DateField(label=gettext_lazy("First day"), initial=timezone.localdate)


class ConditionForm(RevokeForm):
    """A conditional revocation: with the condition and by when it must be met."""

    condition = words(gettext_lazy("Condition"), rows=2)
    cure_by = DateField(label=gettext_lazy("To be met by"))
    why = {
        "condition": Why(
            gettext_lazy("While it is conditionally revoked nobody may conduct under the license."),
            "§ 10-64(a)",
        )
    }


class SurrenderForm(RegisterForm):
    """The holder gives the license back."""

    last_day = DateField(label=gettext_lazy("Last day"), initial=timezone.localdate)
    reason = words(gettext_lazy("Why, and by which letter"))


class ReinstateForm(RegisterForm):
    """An order is lifted."""

    from_day = DateField(label=gettext_lazy("In force again from"), initial=timezone.localdate)
    reason = words(gettext_lazy("Why"))


class StayForm(RegisterForm):
    """A stay, with who ordered it."""

    stay_from = DateField(label=gettext_lazy("Stayed from"))
    stay_to = DateField(
        label=gettext_lazy("Stayed to"),
        required=False,
        help_text=gettext_lazy("Empty: until the appeal is decided."),
    )
    stay_cite = forms.CharField(
        label=gettext_lazy("Ordered by, and when"),
        max_length=200,
        help_text=gettext_lazy("An appeal alone stays nothing."),
    )


class AppealForm(RegisterForm):
    """An appeal as it came in."""

    filed_on = past_day(gettext_lazy("Filed on"))
    paper = UploadField(label=gettext_lazy("The appeal on paper"), required=False)


class ResultForm(RegisterForm):
    """What came of an appeal."""

    outcome = forms.ChoiceField(
        label=gettext_lazy("Result"), choices=Appeal.Outcome.choices, widget=forms.RadioSelect
    )
    outcome_on = past_day(gettext_lazy("Decided on"))
    outcome_by = forms.CharField(
        label=gettext_lazy("Decided by"),
        max_length=200,
        initial=gettext_lazy("the board of county commissioners"),
    )
    note = words(gettext_lazy("In words"), needed=False)


class OfficerForm(RegisterForm):
    """The last day of an officer."""

    last_day = past_day(gettext_lazy("Last day in office"))


def order_of(form: GroundsForm, names: Sequence[str]) -> dict[str, Any]:
    """The values of an order beside its grounds."""
    return {name: form.cleaned_data[name] for name in names}
