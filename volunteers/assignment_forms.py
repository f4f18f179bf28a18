"""Forms of worker approvals: granted to one or to many, ended, freed, asked for."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from registry.fields import DateField
from registry.forms import ConfirmForm, RegisterForm, Why
from registry.ruleset import in_force
from volunteers.assigning import Grant
from volunteers.roster_forms import RosterForm, ticks
from volunteers.words import duty_word


def duty_choices(on: date) -> list[tuple[str, str]]:
    """The duties somebody can be approved for on a day."""
    duties = in_force(on).duties
    return [(duty, duty_word(duty)) for duty in (*duties.direct, *duties.assisting)]


class AssignForm(RosterForm):
    """From when to when, and for which duties."""

    starts_on = DateField(label=gettext_lazy("First day"), earliest=timezone.localdate)
    ends_on = DateField(
        label=gettext_lazy("Last day"),
        required=False,
        help_text=gettext_lazy("Leave empty: then it runs as long as the license."),
    )
    duties = ticks(gettext_lazy("Duties"))
    why = {
        "duties": Why(
            gettext_lazy(
                "Who calls, sells, checks, handles money or is in charge is asked every test."
                " Who only assists, without game or money, is not asked for the 30 days."
            ),
            "§ 10-63(10), (12)",
        )
    }

    def prepare(self) -> None:
        """The duties are the ruleset's."""
        super().prepare()
        self.fields["duties"].choices = duty_choices(timezone.localdate())  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """The last day is not before the first."""
        cleaned = super().clean()
        starts_on, ends_on = cleaned.get("starts_on"), cleaned.get("ends_on")
        if starts_on and ends_on and ends_on < starts_on:
            self.add_error("ends_on", _("The last day lies before the first. Check both."))
        return cleaned

    def grant(self) -> Grant:
        """The request, as the service takes it."""
        taken = self.cleaned_data
        return Grant(taken["starts_on"], tuple(taken["duties"]), taken["ends_on"])


class EndForm(RosterForm):
    """The last day of an approval; a day gone by is the clerk's, with a reason."""

    ends_on = DateField(label=gettext_lazy("Last day"))
    reason = forms.CharField(label=gettext_lazy("Why"), max_length=500, required=False)


class FreePlaceForm(RegisterForm):
    """A person's own signed statement that he no longer works for the organization."""

    received_on = DateField(label=gettext_lazy("Statement received on"), latest=timezone.localdate)
    stated_on = DateField(label=gettext_lazy("Last day, as stated"))
    reason = forms.CharField(
        label=gettext_lazy("What the statement says"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    why = {
        "received_on": Why(
            gettext_lazy(
                "The paragraph binds the person, so the person's own word is enough. The approval"
                " ends on the later of the two days."
            ),
            "§ 10-63(10)",
        )
    }


class AskPlaceForm(ConfirmForm):
    """Why an organization needs the person whose one other place is taken."""


class AssignManyForm(RosterForm):
    """Those who may be approved, ticked; duties for all, or another one for one of them."""

    duties = ticks(gettext_lazy("Duties for all who are ticked"))
    people = forms.MultipleChoiceField(required=False)
    later = forms.MultipleChoiceField(required=False)
    why = AssignForm.why

    def __init__(
        self,
        *args: Any,
        people: Sequence[tuple[str, str]] = (),
        later: Sequence[tuple[str, str]] = (),
        **kwargs: Any,
    ) -> None:
        """`people` and `later` are keys and names: eligible on the day, and from a later one."""
        self.offered = {"people": list(people), "later": list(later)}
        super().__init__(*args, **kwargs)

    def prepare(self) -> None:
        """One choice of another duty for each person offered."""
        super().prepare()
        duties = duty_choices(timezone.localdate())
        self.fields["duties"].choices = duties  # type: ignore[attr-defined]
        for name, offered in self.offered.items():
            self.fields[name].choices = offered  # type: ignore[attr-defined]
            for key, label in offered:
                self.fields[f"duty_{key}"] = forms.ChoiceField(
                    label=_("Duty of %(name)s") % {"name": label},
                    choices=[("", _("as above")), *duties],
                    required=False,
                )

    def clean(self) -> dict[str, Any]:
        """Somebody is ticked."""
        cleaned = super().clean()
        if not cleaned.get("people") and not cleaned.get("later") and "people" not in self.errors:
            self.add_error("people", _("Nobody is ticked: tick whom to approve."))
        return cleaned

    @property
    def ticked(self) -> set[str]:
        """The keys that were sent ticked, or all who are eligible on a fresh page."""
        if not self.is_bound:
            return {key for key, _label in self.offered["people"]}
        return {key for name in self.offered for key in self.data.getlist(name)}  # type: ignore[attr-defined]

    def duties_of(self, key: str) -> tuple[str, ...]:
        """The duties asked for one of them."""
        own = self.cleaned_data.get(f"duty_{key}")
        return (own,) if own else tuple(self.cleaned_data["duties"])
