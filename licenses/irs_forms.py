"""The form that enters an organization from its row in the IRS's master file."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from licenses.bmf import Charity
from licenses.standing_501c import title_case
from registry.models import Organization
from registry.party_forms import OrganizationForm


class FoundForm(OrganizationForm):
    """What the register knows of a legal body, with what the IRS says filled in."""

    def prepare(self) -> None:
        """The EIN is the row's: another one would be another organization."""
        self.fields["ein"].disabled = self.fields["ein"].required = True
        self.fields["ein"].help_text = _("As the row has it.")
        self.fields["name"].help_text = _(
            "The IRS writes capitals and cuts long names: write it as it stands on the license."
        )


def filled_in(charity: Charity) -> dict[str, Any]:
    """The form's first values from a row; names as people write them."""
    is_in_the_states = len(charity.state) == len("FL")
    return {
        "name": title_case(charity.name),
        "kind": Organization.Kind.CHARITABLE,
        "ein": charity.ein,
        "street": title_case(charity.street),
        "city": title_case(charity.city),
        "state": charity.state if is_in_the_states else "",
        "postal_code": charity.zip_code.removesuffix("-0000"),
    }
