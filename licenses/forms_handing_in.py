"""The applicant's forms beside the steps: begin, swear, answer, send a link."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from licenses.models import License
from registry.fields import DateField
from registry.forms import RegisterForm, Why
from registry.uploads import UploadField


class StartForm(RegisterForm):
    """For which class."""

    license_class = forms.ChoiceField(
        label=gettext_lazy("What the license is for"),
        choices=License.Class.choices,
        widget=forms.RadioSelect,
    )
    why = {
        "license_class": Why(
            gettext_lazy(
                "Class A lets the organization conduct bingo; class B lets it lease its hall to"
                " those who do. Each is an application of its own."
            ),
            "§ 10-84(a)",
        )
    }


class OathForm(RegisterForm):
    """The oath: on screen by name, or on the printed application, signed and sent as a file."""

    swears = forms.BooleanField(label="", required=False)
    sworn_by = forms.CharField(
        label=gettext_lazy("Full name of the representative, as the signature"), max_length=200
    )
    signed = UploadField(
        label=gettext_lazy("Or the printed application, signed"),
        required=False,
    )
    received_on = DateField(
        label=gettext_lazy("Received on"), required=False, latest=timezone.localdate
    )
    why = {
        "sworn_by": Why(gettext_lazy("The application is made under oath."), "§ 10-84(a)"),
        "received_on": Why(
            gettext_lazy("The day on which the paper reached the county counts."), "§ 10-91(b)"
        ),
    }

    def __init__(
        self, *args: Any, oath: str = "", representative: str = "", keyed: bool, **kwargs: Any
    ) -> None:
        """`oath` is what is sworn; `keyed`: a clerk keys in a paper, so its day is asked."""
        self.oath, self.representative, self.keyed = oath, representative, keyed
        super().__init__(*args, **kwargs)

    def prepare(self) -> None:
        """The words of the oath stand beside their box."""
        self.fields["swears"].label = self.oath
        if self.keyed:
            self.fields["received_on"].required = True
        else:
            del self.fields["received_on"]

    def clean_sworn_by(self) -> str:
        """The representative swears, nobody else."""
        name = " ".join(str(self.cleaned_data["sworn_by"]).split())
        wanted = " ".join(self.representative.split())
        if wanted and name.casefold() != wanted.casefold():
            raise ValidationError(
                _("The application names %(name)s as the representative, who swears.")
                % {"name": wanted}
            )
        return name

    def clean(self) -> dict[str, Any]:
        """One of the two ways."""
        data = super().clean() or {}
        if not data.get("swears") and not data.get("signed") and not self.errors:
            self.add_error(
                "swears", _("Tick that it is sworn, or add the printed application with signature.")
            )
        return data


class AnswerForm(RegisterForm):
    """An answer to a question of the county."""

    answer = forms.CharField(
        label=gettext_lazy("Your answer"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=gettext_lazy("What you changed, or why nothing is to be changed."),
    )


class LinkForm(RegisterForm):
    """Where the link goes; the address is used once and not kept."""

    email = forms.EmailField(
        label=gettext_lazy("E-mail it to"),
        required=False,
        help_text=gettext_lazy("The register does not keep this address."),
    )
