"""Forms about organizations, people, account holders and offices; they read, services decide."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from registry.fields import BirthDateField, DateField, EINField, NameField
from registry.forms import RegisterForm, Why
from registry.models import Organization, Person, RoleGrant
from registry.services import OrganizationEntry, PersonEntry


def reason_field(help_text: Any = "") -> forms.CharField:
    """Why the past is changed: kept beside the change for good."""
    return forms.CharField(
        label=_("Why"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=help_text or _("One sentence for the record."),
    )


class OrganizationForm(RegisterForm):
    """What the register knows of a legal body."""

    name = NameField(
        label=_("Licensed name"),
        help_text=_("In full, as it stands on the license and on every name tag."),
    )
    kind = forms.ChoiceField(
        label=_("Kind"), choices=Organization.Kind.choices, widget=forms.RadioSelect
    )
    ein = EINField(label=_("EIN"), required=False)
    street = forms.CharField(label=_("Street"), max_length=200, required=False)
    city = forms.CharField(label=_("City"), max_length=100, required=False)
    state = forms.CharField(label=_("State"), max_length=2, required=False, initial="FL")
    postal_code = forms.CharField(label=_("ZIP code"), max_length=10, required=False)
    existing_since = DateField(label=_("In existence since"), required=False)

    why = {
        "name": Why(_("The name tag shows it, and it must equal the license."), "§ 10-63(10)"),
        "kind": Why(_("What the law asks of a body hangs on its kind."), "F.S. 849.0931(2)-(4)"),
        "existing_since": Why(
            _("A charitable organization must have existed and been active for three years."),
            "F.S. 849.0931(1)(c)",
        ),
    }

    @property
    def entry(self) -> OrganizationEntry:
        """What was typed, for the service."""
        names = ("name", "kind", "ein", "street", "city", "state", "postal_code")
        return OrganizationEntry(
            **{name: self.cleaned_data[name] for name in names},
            existing_since=self.cleaned_data["existing_since"],
        )


def entered(organization: Organization) -> dict[str, Any]:
    """What the register has, as the form shows it."""
    names = (*OrganizationForm.base_fields,)
    return {name: getattr(organization, name) for name in names if name != "token"}


class OrganizationChangeForm(OrganizationForm):
    """The same, with the reason of the change."""

    reason = reason_field()


class PersonForm(RegisterForm):
    """A person's registered name, in whole and where known in parts, and birth date."""

    full_name = NameField(
        label=_("Full name"), help_text=_("As the person writes it; it goes on the name tag.")
    )
    given_name = NameField(label=_("First name"), required=False, max_length=120)
    family_name = NameField(
        label=_("Last name"),
        required=False,
        max_length=120,
        help_text=_("Lists are sorted by it; without it by the last word of the full name."),
    )
    born_on = BirthDateField(label=_("Birth date"), required=False)

    why = {
        "born_on": Why(
            _("Nobody under 18 may work. It is shown only to those who need it."), "§ 10-63(5)"
        )
    }

    @property
    def entry(self) -> PersonEntry:
        """What was typed, for the service."""
        return PersonEntry(**{name: self.cleaned_data[name] for name in PersonEntry.__slots__})


class PersonCorrectForm(PersonForm):
    """A correction; an empty birth date leaves the one that is recorded, unseen."""

    born_on = BirthDateField(
        label=_("New birth date"),
        required=False,
        help_text=_("For example 11/30/1961. Empty: the birth date stays as it is recorded."),
    )
    unknown = forms.BooleanField(
        label=_("The birth date is not known: take it out"), required=False
    )
    reason = reason_field()

    field_order = ("full_name", "given_name", "family_name", "born_on", "unknown", "reason")

    def clean(self) -> dict[str, Any]:
        """Either a new birth date or none at all."""
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("unknown") and cleaned.get("born_on"):
            self.add_error("unknown", _("A new birth date is typed above: leave one of the two."))
        return cleaned

    def corrected(self, person: Person) -> PersonEntry:
        """What the register is to say from now on."""
        typed = self.cleaned_data
        kept = None if typed["unknown"] else typed["born_on"] or person.born_on
        return PersonEntry(typed["full_name"], typed["given_name"], typed["family_name"], kept)


class AddressForm(RegisterForm):
    """Where a person lives, as the clerk knows it."""

    street = forms.CharField(label=_("Street"), max_length=200, required=False)
    city = forms.CharField(label=_("City"), max_length=100)
    state = forms.CharField(label=_("State"), max_length=30, initial="FL")
    postal_code = forms.CharField(label=_("ZIP code"), max_length=10, required=False)
    starts_on = DateField(label=_("Lives there since"), initial=timezone.localdate)
    ends_on = DateField(
        label=_("Last day"), required=False, help_text=_("For a seasonal address. Else leave it.")
    )
    is_exempt = forms.BooleanField(
        label=_("Exempt from disclosure: never printed, never in a file"), required=False
    )

    why = {
        "city": Why(_("Workers must live in the organization's community."), "F.S. 849.0931(8)"),
        "is_exempt": Why(_("Some people's addresses are confidential by law."), "F.S. 119.071(4)"),
    }


class HolderForm(RegisterForm):
    """Who acts for an organization, by the address he signs in with."""

    email = forms.EmailField(
        label=_("E-mail address"), help_text=_("The address with which the person signs in.")
    )
    starts_on = DateField(label=_("From"), initial=timezone.localdate)


class RoleForm(RegisterForm):
    """An office and its first day."""

    role = forms.ChoiceField(
        label=_("Office"), choices=RoleGrant.Role.choices, widget=forms.RadioSelect
    )
    starts_on = DateField(label=_("From"), initial=timezone.localdate)


class LastDayForm(RegisterForm):
    """The last day on which something holds."""

    last_day = DateField(label=_("Last day"), initial=timezone.localdate)
