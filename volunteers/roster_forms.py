"""Forms of an organization's roster; those an officer answers for end with the statement."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import date, timedelta
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from registry.access import is_regulator, organizations_held
from registry.fields import BirthDateField, DateField, NameField
from registry.forms import RegisterForm, Why
from registry.history import from_paper
from registry.ruleset import in_force
from volunteers.attesting import Papers
from volunteers.models import Kind, Membership
from volunteers.rules.personal import comes_of_age
from volunteers.services import Deed, Enrollment, Statement, statement_of
from volunteers.words.shown import capital, short_day

LAST = ("officer", "received_on", "confirm")
NAMES = ("full_name", "given_name", "family_name")
ADDRESS = ("street", "city", "state", "postal_code")
STATED = (*NAMES, "kind", "starts_on", "born_on", "is_adult", *ADDRESS)
KINDS = [("", "—"), *Kind.choices]
YES_NO = [
    ("yes", gettext_lazy("Yes")),
    ("no", gettext_lazy("No")),
    ("", gettext_lazy("Not known")),
]


def activity_choices(on: date) -> list[tuple[str, str]]:
    """The kinds of activity that count on a day, and one for all others."""
    named = [(kind, capital(_(kind))) for kind in in_force(on).activity.kinds]
    return [("", "—"), *named, ("other activity", _("Another activity"))]


class RosterForm(RegisterForm):
    """A form that a clerk may also key in from a paper the organization sent (decisions 18)."""

    officer = NameField(
        label=gettext_lazy("On behalf of (the officer who signed the paper)"), required=False
    )
    received_on = DateField(
        label=gettext_lazy("Paper received on"), latest=timezone.localdate, required=False
    )

    def prepare(self) -> None:
        """Only the county keys in papers; these fields come last."""
        if not self.is_county:
            del self.fields["officer"], self.fields["received_on"]
        self.order_fields([name for name in self.fields if name not in LAST])

    @property
    def is_county(self) -> bool:
        """True for a regulator who does not himself act for the organization."""
        return is_regulator(self.by) and self.organization.pk not in organizations_held(self.by)

    def clean(self) -> dict[str, Any]:
        """A paper has both a signer and a day of receipt."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        given = [name for name in LAST[:2] if cleaned.get(name)]
        missing = [name for name in LAST[:2] if name in self.fields and name not in given]
        for name in missing if given else ():
            if name not in self.errors:
                self.add_error(name, _("Of a paper both is kept: who signed it, and its receipt."))
        return cleaned

    def on_paper(self) -> AbstractContextManager[None]:
        """The acts inside say on whose behalf they were done, if a paper was named."""
        officer, day = (self.cleaned_data.get(name) for name in LAST[:2])
        return from_paper(officer, day) if officer and day else nullcontext()


class AttestedForm(RosterForm):
    """A form that ends with “I confirm” (decisions 14); a clerk has the signed paper instead."""

    confirm = forms.BooleanField(
        label=gettext_lazy("I confirm that this is so, as an officer of the organization.")
    )

    def prepare(self) -> None:
        """The county states whose paper it is; an officer speaks for himself."""
        super().prepare()
        if self.is_county:
            self.fields["officer"].required = self.fields["received_on"].required = True
            self.fields["confirm"].label = _("The signed paper lies before me and says this.")

    def statement(self) -> Statement:
        """Who answers for it, since when."""
        officer, day = (self.cleaned_data.get(name) for name in LAST[:2])
        if not officer or not day:
            return statement_of(self.by)
        shown = _("paper received on %(day)s") % {"day": short_day(day)}
        return statement_of(self.by, on_behalf_of=officer, evidence=shown, received_on=day)


class EnrollForm(AttestedForm):
    """One person for the roster: the name in parts or whole."""

    given_name = NameField(label=gettext_lazy("First name"), max_length=120, required=False)
    family_name = NameField(label=gettext_lazy("Last name"), max_length=120, required=False)
    full_name = NameField(
        label=gettext_lazy("Or the full name"),
        required=False,
        help_text=gettext_lazy("Where it has no first and last part, or another order."),
    )
    kind = forms.ChoiceField(label=gettext_lazy("Belongs as"), choices=KINDS)
    starts_on = DateField(
        label=gettext_lazy("Join date"),
        earliest=date(1900, 1, 1),
        latest=lambda: timezone.localdate() + timedelta(days=366),
        help_text=gettext_lazy("The day of admission, or of the volunteer's enrolment"),
    )
    born_on = BirthDateField(label=gettext_lazy("Birth date"), required=False)
    is_adult = forms.BooleanField(label=gettext_lazy("18 or over"), required=False)
    is_resident = forms.ChoiceField(
        label=gettext_lazy("Lives in the organization's community"),
        choices=YES_NO,
        required=False,
        widget=forms.RadioSelect,
        initial="",
    )
    activity_kind = forms.ChoiceField(
        label=gettext_lazy("Last activity other than bingo"), required=False
    )
    done_on = DateField(
        label=gettext_lazy("Date of the activity"), latest=timezone.localdate, required=False
    )
    description = forms.CharField(
        label=gettext_lazy("More about the activity"), max_length=200, required=False
    )
    street = forms.CharField(label=gettext_lazy("Street"), max_length=200, required=False)
    city = forms.CharField(label=gettext_lazy("City"), max_length=100, required=False)
    state = forms.CharField(label=gettext_lazy("State"), max_length=30, required=False)
    postal_code = forms.CharField(label=gettext_lazy("ZIP code"), max_length=10, required=False)
    why = {
        "full_name": Why(gettext_lazy("The tag shows the full name."), "§ 10-63(10)"),
        "starts_on": Why(gettext_lazy("The 30 days run from here."), "§ 10-63(12)"),
        "born_on": Why(
            gettext_lazy(
                "Nobody under 18 works. A statement of age will do; a birth date tells people of"
                " one name apart."
            ),
            "§ 10-63(5)",
        ),
        "is_resident": Why(
            gettext_lazy("State law asks for residents; it refuses nothing here."),
            "F.S. 849.0931(8)",
        ),
        "activity_kind": Why(
            gettext_lazy("Who works takes part in other activities besides bingo."), "§ 10-63(12)"
        ),
    }

    def prepare(self) -> None:
        """The kinds of activity are the ruleset's."""
        super().prepare()
        self.fields["activity_kind"].choices = activity_choices(timezone.localdate())  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """One name, one age, and an activity with its date or none."""
        cleaned = super().clean()
        parts = [cleaned.get("given_name"), cleaned.get("family_name")]
        cleaned["full_name"] = cleaned.get("full_name") or " ".join(filter(None, parts))
        if not cleaned["full_name"] and not set(NAMES) & set(self.errors):
            self.add_error("given_name", _("Write first and last name, or the full name."))
        self._check_age(cleaned)
        self._check_activity(cleaned)
        return cleaned

    def _check_age(self, cleaned: dict[str, Any]) -> None:
        born_on, today = cleaned.get("born_on"), timezone.localdate()
        law = in_force(today)
        if born_on and cleaned.get("is_adult") and comes_of_age(born_on, law) > today:
            self.add_error(
                "is_adult",
                _("By the birth date the person is under %(years)s: correct one of the two.")
                % {"years": law.age.min_years},
            )

    def _check_activity(self, cleaned: dict[str, Any]) -> None:
        kind, day = cleaned.get("activity_kind"), cleaned.get("done_on")
        if kind and not day and "done_on" not in self.errors:
            self.add_error("done_on", _("Give the date on which it took place."))
        if day and not kind and "activity_kind" not in self.errors:
            self.add_error("activity_kind", _("Choose what took place on that day."))

    def part(self, name: str) -> list[BoundField]:
        """The visible fields of one part of the page: "asked", "address" or "statement"."""
        parts = {"address": ADDRESS, "statement": LAST}
        apart = {*ADDRESS, *LAST}
        return [
            field
            for field in self.visible_fields()
            if field.name in parts.get(name, ()) or (name == "asked" and field.name not in apart)
        ]

    def enrollment(self) -> Enrollment:
        """The line as the service takes it."""
        taken = dict(self.cleaned_data)
        return Enrollment(
            **{name: taken[name] for name in STATED},
            is_resident=resident(taken["is_resident"]),
            activity=Deed(taken["activity_kind"], taken["done_on"], taken["description"])
            if taken["activity_kind"]
            else None,
        )


def resident(answer: str) -> bool | None:
    """Yes, no, or not known."""
    return {"yes": True, "no": False}.get(answer)


class LeaveForm(RosterForm):
    """The leave date of a membership."""

    ends_on = DateField(
        label=gettext_lazy("Last day"),
        help_text=gettext_lazy("The last day of membership. Approvals end with it."),
    )


class SuspensionForm(RosterForm):
    """Days on which the organization suspended a person."""

    starts_on = DateField(label=gettext_lazy("First day"))
    ends_on = DateField(
        label=gettext_lazy("Last day"),
        required=False,
        help_text=gettext_lazy("Leave empty until it is known."),
    )
    reason = forms.CharField(label=gettext_lazy("Why"), max_length=500)
    why = {
        "starts_on": Why(
            gettext_lazy("Nobody works while suspended, and the 30 days start again after it."),
            "§ 10-63(12)",
        )
    }


class SuspensionEndForm(RosterForm):
    """The last day of a suspension."""

    ends_on = DateField(label=gettext_lazy("Last day of the suspension"))


class MembershipForm(RegisterForm):
    """A form about one membership, which the view hands in."""

    def __init__(self, *args: Any, membership: Membership, **kwargs: Any) -> None:
        self.membership = membership
        super().__init__(*args, **kwargs)


class PapersForm(MembershipForm, AttestedForm):
    """What an officer adds to a person's line; what was stated already is not asked again."""

    is_adult = forms.BooleanField(label=gettext_lazy("18 or over"), required=False)
    born_on = BirthDateField(label=gettext_lazy("Birth date"), required=False)
    is_resident = forms.ChoiceField(
        label=gettext_lazy("Lives in the organization's community"),
        choices=YES_NO,
        required=False,
        widget=forms.RadioSelect,
    )

    def prepare(self) -> None:
        """Leave out what the register knows."""
        super().prepare()
        row = self.membership
        if row.is_adult_stated or row.born_on_stated:
            del self.fields["is_adult"]
        if row.born_on_stated:
            del self.fields["born_on"]
        answers = {True: "yes", False: "no", None: ""}
        self.fields["is_resident"].initial = answers[row.is_resident_stated]

    def papers(self) -> Papers:
        """What was stated, as the service takes it."""
        taken = self.cleaned_data
        return Papers(
            is_adult=taken.get("is_adult", False),
            is_resident=resident(taken["is_resident"]),
            born_on=taken.get("born_on"),
        )


class TickForm(AttestedForm):
    """A form with a list to tick; the button “tick all” works without a script."""

    ticked: str = "people"
    """Name of the field with the list."""

    def __init__(self, *args: Any, offered: Sequence[tuple[str, str]] = (), **kwargs: Any) -> None:
        self.offered = offered
        super().__init__(*args, **kwargs)

    def prepare(self) -> None:
        """Nothing can be ticked but what the view's selector offers."""
        super().prepare()
        self.fields[self.ticked].choices = list(self.offered)  # type: ignore[attr-defined]


def tick(form: forms.Form, name: str, keys: Iterable[str]) -> None:
    """Tick these in a sent form and no others; nothing is judged yet, so nothing is a mistake."""
    data = QueryDict(mutable=True)
    data.update(form.data)
    data.setlist(name, list(keys))
    form.data = data
    form.__dict__["_errors"] = forms.utils.ErrorDict()


def ticks(label: Any) -> forms.MultipleChoiceField:
    """A list to tick."""
    return forms.MultipleChoiceField(label=label, widget=forms.CheckboxSelectMultiple)


class ConfirmLinesForm(TickForm):
    """Lines that nobody answers for yet."""

    ticked = "lines"
    lines = ticks(gettext_lazy("Lines to confirm"))


class ActivityForm(TickForm):
    """Who took part in something other than bingo?"""

    done_on = DateField(label=gettext_lazy("Date"), latest=timezone.localdate)
    kind = forms.ChoiceField(label=gettext_lazy("What it was"))
    description = forms.CharField(
        label=gettext_lazy("More about it"), max_length=200, required=False
    )
    people = ticks(gettext_lazy("Who took part"))
    why = {
        "kind": Why(
            gettext_lazy(
                "Who works takes part in other activities besides bingo. Bingo work, its"
                " preparation and dues do not count."
            ),
            "§ 10-63(12)",
        ),
    }

    def prepare(self) -> None:
        """The kinds of activity are the ruleset's."""
        super().prepare()
        self.fields["kind"].choices = activity_choices(timezone.localdate())  # type: ignore[attr-defined]

    def deed(self) -> Deed:
        """What was done, as the service takes it."""
        taken = self.cleaned_data
        return Deed(taken["kind"], taken["done_on"], taken["description"])


class CorrectForm(RosterForm):
    """The dates and kind a membership should have had; the supervisor's."""

    starts_on = DateField(label=gettext_lazy("Join date"))
    ends_on = DateField(label=gettext_lazy("Last day"), required=False)
    kind = forms.ChoiceField(label=gettext_lazy("Belongs as"), choices=Kind.choices)
    end_fallen = forms.BooleanField(
        label=gettext_lazy("End the approvals that no longer stand"),
        required=False,
        help_text=gettext_lazy("The next page names them. Left as they are, they wait for you."),
    )
    grant_anew = forms.BooleanField(
        label=gettext_lazy("Approve anew from today where the law allows it"), required=False
    )
    reason = forms.CharField(
        label=gettext_lazy("Why"), max_length=500, widget=forms.Textarea(attrs={"rows": 3})
    )

    def clean(self) -> dict[str, Any]:
        """Only what has ended is approved anew."""
        cleaned = super().clean()
        if cleaned.get("grant_anew") and not cleaned.get("end_fallen"):
            self.add_error("end_fallen", _("Only what has ended can be approved anew: tick both."))
        starts_on, ends_on = cleaned.get("starts_on"), cleaned.get("ends_on")
        if starts_on and ends_on and ends_on < starts_on:
            self.add_error("ends_on", _("The leave date lies before the join date. Check both."))
        return cleaned
