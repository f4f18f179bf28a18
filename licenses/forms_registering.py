"""Forms with which an organization registers itself, or is claimed by a code."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from licenses.registering import WHY, How
from licenses.registering import Why as Reason
from registry.fields import EINField
from registry.forms import RegisterForm, Why
from registry.models import Organization
from registry.party_forms import OrganizationForm
from registry.services import OrganizationEntry


class RegisterOwnForm(OrganizationForm):
    """One's own organization, by its row in the IRS's file: the EIN is the row's."""

    def prepare(self) -> None:
        """The name is as people write it; another EIN would be another organization."""
        self.fields["ein"].disabled = self.fields["ein"].required = True
        self.fields["ein"].help_text = gettext_lazy("As the IRS's file has it.")
        choices = [one for one in Organization.Kind.choices if one[0] != Organization.Kind.OTHER]
        self.fields["kind"].choices = choices  # type: ignore[attr-defined]


class RegisterOtherForm(OrganizationForm):
    """One that stands in no file: the reason says its kind."""

    why_not = forms.ChoiceField(
        label=gettext_lazy("Why it is not in the IRS's file"),
        choices=[(key.value, said) for key, (said, _more, _kind) in WHY.items()],
        widget=forms.RadioSelect,
    )
    ein = EINField(
        label=gettext_lazy("EIN"),
        required=False,
        help_text=gettext_lazy("Leave it empty if there is none."),
    )

    field_order = ("why_not", "name", "ein")

    def prepare(self) -> None:
        """The kind follows from the reason, so it is not asked."""
        del self.fields["kind"]

    @property
    def reason(self) -> Reason:
        """Why it is in no file."""
        return Reason(self.cleaned_data["why_not"])

    @property
    def entry(self) -> OrganizationEntry:
        """What was typed, with the kind."""
        self.cleaned_data["kind"] = WHY[self.reason][2].value
        return super().entry


class ClaimForm(RegisterForm):
    """The code of the county."""

    code = forms.CharField(
        label=gettext_lazy("Claim code"),
        max_length=80,
        help_text=gettext_lazy("Seven groups of four, as in the letter. Capitals do not matter."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )


class GiveCodeForm(RegisterForm):
    """How the code goes out."""

    how = forms.ChoiceField(
        label=gettext_lazy("How it goes out"),
        choices=[
            (How.LETTER.value, gettext_lazy("Print the letter: it opens once, with the code")),
            (How.ADDRESS.value, gettext_lazy("E-mail it to the address below")),
            (How.HOLDERS.value, gettext_lazy("E-mail it to everybody who acts for it already")),
        ],
        widget=forms.RadioSelect,
        initial=How.LETTER.value,
    )
    email = forms.EmailField(label=gettext_lazy("E-mail address"), required=False)

    why = {"email": Why(gettext_lazy("It is used for this letter and not kept."))}

    def clean(self) -> dict[str, Any]:
        """An address where one is needed."""
        cleaned = super().clean() or self.cleaned_data
        is_missing = not cleaned.get("email") and "email" not in self.errors
        if cleaned.get("how") == How.ADDRESS and is_missing:
            self.add_error("email", _("Write the address to which the code is to go."))
        return cleaned
