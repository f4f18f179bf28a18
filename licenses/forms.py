"""Forms about licenses and exemptions; they read, services decide."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from licenses.models import Exemption, License
from licenses.rules import last_day_of_term
from licenses.services import ExemptionEntry
from registry.fields import DateField
from registry.forms import RegisterForm, Why
from registry.party_forms import reason_field
from registry.ruleset import TextUnknown

WELL_KNOWN = {
    3: _("charitable, religious, educational"),
    4: _("civic league"),
    7: _("social club"),
    8: _("fraternal lodge with benefits"),
    10: _("fraternal lodge"),
    19: _("veterans' post"),
}
SUBSECTIONS = 29


def bases() -> list[tuple[str, Any]]:
    """Every basis of F.S. 849.0931(1)(c), those that run bingo most often first."""
    named = [(f"501(c)({n})", f"501(c)({n}) · {word}") for n, word in WELL_KNOWN.items()]
    others = [n for n in range(1, SUBSECTIONS + 1) if n not in WELL_KNOWN]
    plain = [(f"501(c)({n})", f"501(c)({n})") for n in others]
    return [*named, ("528", f"528 · {_('homeowners association')}"), *plain]


class LicenseForm(RegisterForm):
    """A new license; its number comes by itself."""

    license_class = forms.ChoiceField(
        label=_("Class"), choices=License.Class.choices, widget=forms.RadioSelect
    )
    issued_on = DateField(label=_("Issued on"))
    expires_on = DateField(label=_("Last day"))

    why = {
        "license_class": Why(
            _("Class A is needed to conduct bingo, class B to lease a hall for it."),
            "§ 10-64(a)",
        ),
        "expires_on": Why(_("Licenses are annual and end with the license year."), "§ 10-91(a)"),
    }

    def prepare(self) -> None:
        """Today, and the end of the license year in which it lies."""
        today = timezone.localdate()
        self.initial.setdefault("issued_on", today)
        self.initial.setdefault("expires_on", last_day_of_term(today))

    def clean_issued_on(self) -> date:
        """A day on which the text of the law is known."""
        day: date = self.cleaned_data["issued_on"]
        try:
            last_day_of_term(day)
        except TextUnknown as unknown:
            raise ValidationError(str(unknown)) from None
        return day


class SuspendForm(RegisterForm):
    """What was ordered against a license: from, to, why, by which paragraph."""

    starts_on = DateField(label=_("First day"), initial=timezone.localdate)
    ends_on = DateField(
        label=_("Last day"), required=False, help_text=_("Empty: until further notice.")
    )
    cite = forms.CharField(
        label=_("Paragraph"),
        max_length=80,
        initial="§ 10-93(a)(1)",
        help_text=_("As the order names it, for example § 10-93(a)(1)f."),
    )
    reason = reason_field(_("As the order gives it; it shows on the organization's page."))


class SuspensionEndForm(RegisterForm):
    """The last day on which a license is suspended."""

    last_day = DateField(
        label=_("Last day of the suspension"),
        initial=timezone.localdate,
        help_text=_("From the next day on the license is in force again."),
    )


class ExemptionForm(RegisterForm):
    """What shows a federal tax exemption. Papers are asked for, none is a condition."""

    basis = forms.ChoiceField(label=_("Exempt under"))
    evidence = forms.ChoiceField(
        label=_("Shown by"),
        required=False,
        widget=forms.RadioSelect,
        choices=[("", _("not shown yet")), *Exemption.Evidence.choices],
    )
    reference = forms.CharField(
        label=_("Document"),
        max_length=200,
        required=False,
        help_text=_("For example: determination letter of May 4, 1998."),
    )
    verified_on = DateField(label=_("Looked at on"), required=False, initial=timezone.localdate)

    why = {
        "basis": Why(
            _("A charitable organization must be exempt under section 501(c) or 528."),
            "F.S. 849.0931(1)(c)",
        )
    }

    def prepare(self) -> None:
        """Every basis the law knows."""
        choices = [("", _("Choose one")), *bases()]
        self.fields["basis"].choices = choices  # type: ignore[attr-defined]

    @property
    def entry(self) -> ExemptionEntry:
        """What was typed, for the service."""
        names = ("basis", "evidence", "reference", "verified_on")
        return ExemptionEntry(**{name: self.cleaned_data[name] for name in names})
