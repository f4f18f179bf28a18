"""Forms for a roster file: drop it, say how it is read, confirm it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from django import forms
from django.contrib.humanize.templatetags.humanize import intcomma
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from registry.fields import DateField, NameField
from registry.forms import RegisterForm, Why, refuse_ssn
from registry.ruleset import in_force
from volunteers import layouts
from volunteers.controls import CONTROLS, as_choice, columns_sent
from volunteers.filerows import FileRows
from volunteers.imports import Understood
from volunteers.readers import MAX_BYTES, BadFile, Choices, Received, read_file, received
from volunteers.readers.columns import FIELDS
from volunteers.readers.sheets import Sheet, as_text
from volunteers.words import duty_word

EXAMPLES = 3
SHOWN = 24
"""Letters of an example."""


class RosterFileForm(RegisterForm):
    """One file. It is read before anything of it is kept."""

    file = forms.FileField(
        label=gettext_lazy("The roster file"),
        help_text=gettext_lazy(
            "A CSV, XLSX, XLS or ODS file with first and last name or full name and the join date;"
            " birth date or “18 or over”, address, resident, kind, leave date, last other activity"
            " and duty where you have them."
        ),
        widget=forms.FileInput(
            attrs={
                "accept": ".csv,.tsv,.txt,.xlsx,.xls,.ods",
                "data-most": MAX_BYTES,
                "data-large": gettext_lazy("is too large: drop the roster alone."),
            }
        ),
        max_length=255,
    )
    why = {
        "file": Why(
            gettext_lazy(
                "The law counts 30 days of membership and other activities; your list shows them."
            ),
            "§ 10-63(12)",
        )
    }
    received: Received
    sheet: Sheet
    sha256 = ""
    layout = ""
    found: Mapping[str, Any]

    def clean_file(self) -> Any:
        """The file, read once; a ValidationError holds the sentence of what is wrong with it."""
        file = self.cleaned_data["file"]
        refuse_ssn(file.name)
        if (file.size or 0) > MAX_BYTES:
            told = _("The file has more than %(limit)s MB: drop the roster alone.")
            raise ValidationError(told % {"limit": MAX_BYTES // 2**20}, code="size")
        content = file.read()
        try:
            self.received = received(file.name or _("The file"), content)
        except BadFile as bad:
            raise ValidationError(str(bad), code="unreadable") from None
        self.sha256 = hashlib.sha256(content).hexdigest()
        self._understand(file.name)
        return file

    def _understand(self, name: str) -> None:
        """The mark of the file's layout and what was found out from it."""
        sheet = read_file(name, self.received.content)
        self.layout, self.found = layouts.layout_of(sheet), layouts.found_in(sheet)
        self.sheet = sheet


class ReadingForm(RegisterForm):
    """What was understood of a file, each as a control (volunteers.controls)."""

    layout = forms.CharField(widget=forms.HiddenInput, required=False)

    def __init__(self, *args: Any, seen: Understood, bad: str = "", **kwargs: Any) -> None:
        self.seen, self.bad = seen, bad
        super().__init__(*args, **kwargs)

    def prepare(self) -> None:
        """Only the controls that this file has, set to what was understood, or open if asked."""
        asked = {question.control for question in self.seen.questions}
        for control in CONTROLS:
            offered = dict(control.offered(self.seen))
            if offered:
                is_open = control.name in asked
                self.fields[control.name] = forms.ChoiceField(
                    label=control.label,
                    choices=[("", _("Choose")), *offered.items()] if is_open else offered.items(),
                    required=False,
                    initial="" if is_open else control.found(self.seen),
                )
        self.fields["layout"].initial = layout_of(self.seen.sheet)
        for place, heading in enumerate(self.seen.sheet.headings):
            self._offer_column(place, heading)

    def _offer_column(self, place: int, heading: str) -> None:
        columns = self.seen.columns
        rivals = {p: f for f, places in columns.rivals.items() for p in places}
        self.fields[f"column_{place}"] = forms.ChoiceField(
            label=heading or _("Column %(number)s") % {"number": place + 1},
            choices=[("", _("not used")), *FIELDS.items()],
            required=False,
            initial=columns.field_of(place) or rivals.get(place, ""),
            help_text="; ".join(_examples(self.seen.sheet, place)),
        )

    @property
    def columns(self) -> list[Any]:
        """The bound fields of the columns, for the table of the page."""
        return [self[name] for name in self.fields if name.startswith("column_")]

    @property
    def controls(self) -> list[Any]:
        """The other bound fields that are shown."""
        return [self[control.name] for control in CONTROLS if control.name in self.fields]

    @property
    def is_reread(self) -> bool:
        """True when the page showed other columns than those of this reading."""
        return bool(self.cleaned_data["layout"] != layout_of(self.seen.sheet))

    def clean(self) -> dict[str, Any]:
        """A reading that cannot be is refused on its control."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if self.bad:
            self.add_error("encoding" if "encoding" in self.fields else None, self.bad)
        return data

    def chosen(self) -> Choices:
        """What was chosen; the columns only where they are those the person saw."""
        made = {
            control.name: as_choice(control.name, self.cleaned_data[control.name])
            for control in CONTROLS
            if control.name in self.cleaned_data
        }
        chosen = replace(Choices(), **{**made, "kind": made["kind"] or Choices().kind})
        chosen = replace(chosen, header_row=self.seen.choices.header_row)
        return (
            chosen if self.is_reread else replace(chosen, columns=columns_sent(self.cleaned_data))
        )


def layout_of(sheet: Sheet) -> str:
    """A short mark of the headings, which tells whether two readings have the same columns."""
    told = "\x1f".join(sheet.headings)
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def _examples(sheet: Sheet, place: int) -> Iterator[str]:
    told = 0
    for _number, row in sheet.lines():
        text = as_text(row[place]) if place < len(row) else ""
        if text:
            told += 1
            yield text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
        if told == EXAMPLES:
            return


class EnterForm(RegisterForm):
    """The officer's statement, and what is to be done with rows that cannot be taken."""

    good_only = forms.BooleanField(required=False)
    approve = forms.BooleanField(required=False, initial=True)
    duty = forms.ChoiceField(
        error_messages={
            "required": gettext_lazy(
                "Choose what those do for whom the file names no duty, or do not approve."
            )
        }
    )
    officer = NameField(label=gettext_lazy("Officer who signed the list"))
    received_on = DateField(label=gettext_lazy("Paper received on"), latest=timezone.localdate)
    confirmed = forms.BooleanField()
    why = {
        "confirmed": Why(
            gettext_lazy(
                "What an officer states of a member is shown; nobody attests for himself."
            ),
            "§ 10-63(12)",
        )
    }

    def __init__(self, *args: Any, rows: FileRows, from_paper: bool, **kwargs: Any) -> None:
        self.rows, self.from_paper = rows, from_paper
        super().__init__(*args, **kwargs)

    def prepare(self) -> None:
        """Ask only what this list needs."""
        refused, approving = self.rows.counts["refused"], self.rows.approving
        self._word(refused, self.rows.to_enter, approving)
        self._word_duty(self.rows.without_duty)
        if not refused:
            del self.fields["good_only"]
        if not self.from_paper:
            del self.fields["officer"], self.fields["received_on"]
        if not approving:
            del self.fields["approve"], self.fields["duty"]
            return
        law = in_force(self.rows.today).duties
        offered = [(code, duty_word(code)) for code in (*law.direct, *law.assisting)]
        self.fields["duty"].choices = [("", _("Choose")), *offered]  # type: ignore[attr-defined]
        if not self.rows.without_duty:
            del self.fields["duty"]
        elif self.is_bound and not self.data.get(self.add_prefix("approve")):
            self.fields["duty"].required = False

    def _word(self, refused: int, entered: int, cleared: int) -> None:
        self.fields["good_only"].label = ngettext(
            "Leave out the one row that has a mistake",
            "Leave out the %(count)s rows that have mistakes",
            refused,
        ) % {"count": intcomma(refused)}
        self.fields["approve"].label = ngettext(
            "Approve the one person who may work today and is not approved yet",
            "Approve the %(count)s people who may work today and are not approved yet",
            cleared,
        ) % {"count": intcomma(cleared)}
        said = (
            _("The officer named above states on paper")
            if self.from_paper
            else _("I confirm as an officer of %(organization)s")
            % {"organization": self.organization}
        )
        self.fields["confirmed"].label = ngettext(
            "%(said)s that the join date, residence, activity and age in this list are true for"
            " the one person entered",
            "%(said)s that the join dates, residence, activities and ages in this list are true for"
            " the %(count)s people entered",
            entered,
        ) % {"said": said, "count": intcomma(entered)}

    def _word_duty(self, without: int) -> None:
        self.fields["duty"].label = ngettext(
            "Duty of the one to be approved for whom the file names none",
            "Duty of the %(count)s to be approved for whom the file names none",
            without,
        ) % {"count": intcomma(without)}

    def clean(self) -> dict[str, Any]:
        """Mistakes are left out only when that is said."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if "good_only" in self.fields and not data.get("good_only"):
            told = ngettext(
                "One row has a mistake, so nothing is entered: correct the file and drop it"
                " again, or tick this.",
                "%(count)s rows have mistakes, so nothing is entered: correct the file and drop it"
                " again, or tick this.",
                refused := self.rows.counts["refused"],
            )
            self.add_error("good_only", told % {"count": intcomma(refused)})
        return data
