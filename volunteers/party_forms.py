"""Forms about a person's ties to hall owners, and about decisions on one test."""

from __future__ import annotations

from typing import Any

from django import forms
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from licenses.models import LessorInterest
from licenses.selectors import lessors
from registry.access import Anyone
from registry.fields import Choice, DateField, Lookup, LookupField
from registry.forms import RegisterForm, Why
from registry.models import Organization, Person
from registry.selectors import matching_organizations
from volunteers.deciding import DecisionEntry, InterestEntry, titled_tests
from volunteers.lookups import bodies_of
from volunteers.models import Determination


def lessor_choices(user: Anyone, text: str) -> list[Choice]:
    """Hall owners for the type-ahead, with their city to tell them apart."""
    rows = matching_organizations(lessors(user), text)
    return [Choice(row.slug, row.name, row.city) for row in rows]


class InterestForm(RegisterForm):
    """A tie to a hall owner."""

    lessor = LookupField(label=_("Hall owner"))
    tie = forms.ChoiceField(
        label=_("Tie"), choices=LessorInterest.Tie.choices, widget=forms.RadioSelect
    )
    starts_on = DateField(label=_("Since"))
    ends_on = DateField(label=_("Last day"), required=False)

    why = {
        "lessor": Why(
            _("Who has an interest in a hall owner may neither conduct nor assist."), "§ 10-65(b)"
        )
    }

    def prepare(self) -> None:
        """Bind the type-ahead to hall owners."""
        field: Any = self.fields["lessor"]
        field.use(
            Lookup(
                search=lambda text: lessor_choices(self.by, text),
                find=lambda key: lessors(self.by).filter(slug=key).first(),
                url=reverse("lessor_lookup"),
            )
        )

    @property
    def entry(self) -> InterestEntry:
        """What was typed, for the service."""
        names = InterestEntry.__slots__
        return InterestEntry(**{name: self.cleaned_data[name] for name in names})


class DecisionForm(RegisterForm):
    """What was decided about one person on one test at one organization."""

    body = forms.ChoiceField(label=_("At"), widget=forms.RadioSelect)
    rule = forms.ChoiceField(label=_("Test"))
    is_met = forms.TypedChoiceField(
        label=_("Decided that the test is"),
        choices=[("yes", _("met")), ("no", _("not met"))],
        coerce=lambda value: value == "yes",
        widget=forms.RadioSelect,
    )
    decided_by = forms.ChoiceField(
        label=_("Decided by"), choices=Determination.By.choices, widget=forms.RadioSelect
    )
    decided_on = DateField(label=_("Decided on"), latest=timezone.localdate)
    reference = forms.CharField(
        label=_("Paper"),
        max_length=200,
        help_text=_("Its number, or its date and signer; where the paper itself is kept."),
    )
    starts_on = DateField(label=_("Holds from"))
    ends_on = DateField(
        label=_("Holds to"), required=False, help_text=_("The last day. Empty: without end.")
    )

    def __init__(self, *args: Any, person: Person, **kwargs: Any) -> None:
        """`person`: whom the decision is about."""
        self.person = person
        super().__init__(*args, **kwargs)

    def prepare(self) -> None:
        """The organizations of this person, and the tests by their titles."""
        self.bodies: dict[str, Organization] = {row.slug: row for row in bodies_of(self.person)}
        choices: Any = self.fields
        choices["body"].choices = [(slug, row.name) for slug, row in self.bodies.items()]
        choices["rule"].choices = [("", _("Choose one")), *titled_tests()]
        if len(self.bodies) == 1:
            self.initial.setdefault("body", *self.bodies)

    @property
    def entry(self) -> DecisionEntry:
        """What was typed, for the service."""
        names = [name for name in DecisionEntry.__slots__ if name != "organization"]
        body = self.bodies[self.cleaned_data["body"]]
        return DecisionEntry(organization=body, **{name: self.cleaned_data[name] for name in names})
