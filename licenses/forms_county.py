"""Forms of the county's side of an application; they read, services decide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from licenses.granting import Found, Route
from licenses.letters import Ask
from licenses.models import Application, Receipt, RecordCheck
from licenses.questions import Step
from licenses.words_applications import REASONS
from registry.fields import DateField
from registry.forms import RegisterForm, Why
from registry.grounds import Ground
from registry.provisions import Reading

MOST_ASKS = 5


def words(label: Any, *, needed: bool = True, hint: Any = "", rows: int = 3) -> forms.Field:
    """A field for a few sentences."""
    return forms.CharField(
        label=label,
        required=needed,
        help_text=hint,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": rows}),
    )


def past_day(label: Any) -> DateField:
    """A day up to today."""
    return DateField(label=label, latest=timezone.localdate, initial=timezone.localdate)


class SendBackForm(RegisterForm):
    """Up to five questions, each with a reason whose words the letter has."""

    def __init__(self, *args: object, steps: Sequence[Step], **kwargs: object) -> None:
        self.steps = steps
        super().__init__(*args, **kwargs)

    def prepare(self) -> None:
        """A line of three fields for each question."""
        reasons = [("", _("No question")), *((key, str(text)) for key, text in REASONS.items())]
        steps = [("", _("The whole application"))]
        steps += [(step.key, str(step.title)) for step in self.steps]
        for number in range(1, MOST_ASKS + 1):
            self.fields[f"reason_{number}"] = forms.ChoiceField(
                label=_("Why"), choices=reasons, required=number == 1
            )
            self.fields[f"step_{number}"] = forms.ChoiceField(
                label=_("About"), choices=steps, required=False
            )
            self.fields[f"text_{number}"] = words(_("Note"), needed=False, rows=2)

    def questions(self) -> Iterator[tuple[int, list[Any]]]:
        """The fields of each question, for the page."""
        for number in range(1, MOST_ASKS + 1):
            yield number, [self[f"{name}_{number}"] for name in ("reason", "step", "text")]

    @property
    def has_more(self) -> bool:
        """True when more than one question was begun."""
        return any(self.data.get(f"reason_{number}") for number in range(2, MOST_ASKS + 1))

    def asks(self) -> list[Ask]:
        """The questions in which a reason was chosen."""
        data = self.cleaned_data
        numbers = [n for n in range(1, MOST_ASKS + 1) if data.get(f"reason_{n}")]
        return [
            Ask(data[f"reason_{n}"], data.get(f"step_{n}", ""), data.get(f"text_{n}", ""))
            for n in numbers
        ]


class NoteForm(RegisterForm):
    """What the investigation found, in a few sentences."""

    text = words(
        gettext_lazy("Note"),
        hint=gettext_lazy("No Social Security number, and nothing copied from a record report."),
    )


class CheckForm(RegisterForm):
    """Checked by me, on, result."""

    result = forms.ChoiceField(
        label=gettext_lazy("Result"), choices=RecordCheck.Result.choices, widget=forms.RadioSelect
    )
    checked_on = past_day(gettext_lazy("Checked on"))
    why = {"result": Why(gettext_lazy("Only that it was checked is kept."), "§ 10-84(a)(3)")}


class ReportForm(RegisterForm):
    """The investigator's advice to the administrator."""

    advice = forms.ChoiceField(
        label=gettext_lazy("Advice"), choices=Application.Advice.choices, widget=forms.RadioSelect
    )
    note = words(gettext_lazy("Report"), hint=gettext_lazy("What was looked into, what was found."))


class ReceivedForm(RegisterForm):
    """The day on which a paper reached the county."""

    received_on = past_day(gettext_lazy("Received on"))


class PresentForm(ReceivedForm):
    """A renewal on paper, with last year's license or proof of its loss."""

    shown = forms.ChoiceField(
        label=gettext_lazy("With it came"),
        choices=Application.Prior.choices,
        widget=forms.RadioSelect,
    )
    why = {"shown": Why(gettext_lazy("Without one of them it is not presented."), "§ 10-91(b)")}


class FinalForm(RegisterForm):
    """The day on which a denial became final."""

    final_on = past_day(gettext_lazy("Final on"))
    why = {"final_on": Why(gettext_lazy("The license before it ends with this day."), "§ 10-91(b)")}


class FeeForm(RegisterForm):
    """Money as it was received."""

    amount = forms.DecimalField(
        label=gettext_lazy("Amount in dollars"), max_digits=12, decimal_places=2, min_value=0
    )
    received_on = past_day(gettext_lazy("Received on"))
    method = forms.ChoiceField(label=gettext_lazy("Paid by"), choices=Receipt.Method.choices)
    reference = forms.CharField(
        label=gettext_lazy("Check number or other reference"), max_length=100, required=False
    )


class GrantForm(RegisterForm):
    """A grant needs nothing more than to be confirmed; a word of the administrator may go along."""

    reason = words(gettext_lazy("For the file"), needed=False)


class GroundsForm(RegisterForm):
    """Grounds in use with what was found for each, the reason, and the appeal route."""

    def __init__(
        self,
        *args: object,
        grounds: Sequence[Ground],
        readings: Sequence[Reading] = (),
        days: int | None = None,
        **kwargs: object,
    ) -> None:
        self.grounds, self.adoptable, self.days = grounds, readings, days
        super().__init__(*args, **kwargs)

    def prepare(self) -> None:
        """A box and a field for each ground, the reason, the route, the readings to adopt."""
        for ground in self.grounds:
            self.fields[f"ground_{ground.code}"] = forms.BooleanField(
                label=f"{ground.text} ({ground.cite})", required=False
            )
            self.fields[f"facts_{ground.code}"] = words(
                _("What was found for it: %(title)s") % {"title": ground.title},
                needed=False,
                rows=2,
            )
        self.fields["reason"] = words(_("Reason, in your own words"))
        if self.days is None:
            self._ask_route()
        for reading in self.adoptable:
            self.fields[f"reading_{reading.key}"] = forms.BooleanField(
                label=_("I adopt this reading: %(question)s %(taken)s")
                % {"question": reading.question, "taken": reading.says(reading.value)},
                help_text=_("Counsel has not confirmed it. Without it no letter goes out."),
            )

    def _ask_route(self) -> None:
        """The county has set no days for an appeal: name them with their source, or say so."""
        self.fields["appeal_days"] = forms.IntegerField(
            label=_("Days for an appeal"), min_value=1, max_value=365, required=False
        )
        self.fields["appeal_source"] = forms.CharField(
            label=_("Where these days stand"), max_length=200, required=False
        )
        self.fields["none_set"] = forms.BooleanField(
            label=_("No number of days is set for an appeal"), required=False
        )

    def found(self) -> list[Found]:
        """The grounds chosen, each with its facts."""
        data = self.cleaned_data
        codes = [one.code for one in self.grounds if data.get(f"ground_{one.code}")]
        return [Found(code, data.get(f"facts_{code}", "")) for code in codes]

    def route(self) -> Route:
        """The appeal route as it was typed."""
        data = self.cleaned_data
        return Route(
            days=data.get("appeal_days"),
            source=data.get("appeal_source", ""),
            none_set=bool(data.get("none_set")),
        )

    def readings(self) -> list[str]:
        """The keys of the readings adopted."""
        return [one.key for one in self.adoptable if self.cleaned_data.get(f"reading_{one.key}")]

    def parts(self) -> Iterator[tuple[Ground, object, object]]:
        """Each ground with its box and its field, for the page."""
        for ground in self.grounds:
            yield ground, self[f"ground_{ground.code}"], self[f"facts_{ground.code}"]
