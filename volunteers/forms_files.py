"""Forms for a roster file: drop it, say how it is read, confirm it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from registry.fields import DateField, NameField
from registry.forms import RegisterForm, Why, refuse_ssn
from registry.ruleset import in_force
from volunteers.imports import Preview
from volunteers.models import Kind
from volunteers.readers import MAX_BYTES, BadFile, Choices, Received, received
from volunteers.readers.columns import FIELDS
from volunteers.readers.sheets import Sheet, as_text
from volunteers.words import duty_word

ENCODINGS = {
    "utf-8": gettext_lazy("UTF-8"),
    "utf-8-sig": gettext_lazy("UTF-8 with mark"),
    "windows-1252": gettext_lazy("Windows-1252 (Western)"),
}
DELIMITERS = {
    ",": gettext_lazy("Comma"),
    ";": gettext_lazy("Semicolon"),
    "\t": gettext_lazy("Tab"),
}
TABULATOR = "tab"
"""A tab is no value that survives a form."""
ASK = "ask"
ORDERS = {
    ASK: gettext_lazy("Choose"),
    "mdy": gettext_lazy("Month first: 3/4/2026 is March 4"),
    "dmy": gettext_lazy("Day first: 3/4/2026 is April 3"),
}
EXAMPLES, HEADERS_OFFERED = 3, 10
SHOWN = 24
"""Letters of an example."""


class RosterFileForm(RegisterForm):
    """One file. It is read before anything of it is kept."""

    file = forms.FileField(
        label=gettext_lazy("The roster file"),
        help_text=gettext_lazy(
            "A CSV or XLSX file with first and last name or full name and the join date; birth"
            " date or “18 or over”, address, resident, kind, leave date, last other activity and"
            " duty where you have them."
        ),
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,.xlsx"}),
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
    sha256 = ""

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
        return file


class ReadingForm(RegisterForm):
    """What was understood of a file, each as a control."""

    layout = forms.CharField(widget=forms.HiddenInput, required=False)
    encoding = forms.ChoiceField(label=gettext_lazy("Letters"), choices=ENCODINGS)
    delimiter = forms.ChoiceField(label=gettext_lazy("Cells are divided by"))
    sheet = forms.ChoiceField(label=gettext_lazy("Sheet"))
    header_row = forms.TypedChoiceField(label=gettext_lazy("Header"), coerce=int)
    date_order = forms.ChoiceField(label=gettext_lazy("Dates in numbers"), choices=ORDERS)
    two_digit_years = forms.ChoiceField(label=gettext_lazy("Years of two digits"))
    kind = forms.ChoiceField(
        label=gettext_lazy("Where the file does not say the kind"), choices=Kind.choices
    )

    def __init__(self, *args: Any, preview: Preview, **kwargs: Any) -> None:
        self.read = preview
        super().__init__(*args, **kwargs)

    def prepare(self) -> None:
        """Only the controls that this kind of file has, set to what was understood."""
        sheet = self.read.sheet
        self._offer_layout(sheet)
        self._offer_days()
        self.fields["kind"].initial = self.read.choices.kind
        self.fields["layout"].initial = layout_of(sheet)
        for place, heading in enumerate(sheet.headings):
            self._offer_column(place, heading)

    def _offer_layout(self, sheet: Sheet) -> None:
        marks = {TABULATOR if mark == "\t" else mark: name for mark, name in DELIMITERS.items()}
        offered = {
            "encoding": (ENCODINGS, sheet.encoding),
            "delimiter": (marks, TABULATOR if sheet.delimiter == "\t" else sheet.delimiter),
            "sheet": ({name: name for name in sheet.sheets}, sheet.sheet),
            "header_row": (_headers(sheet), sheet.header_row),
        }
        for name, (choices, found) in offered.items():
            if not found:
                del self.fields[name]
                continue
            self.fields[name].choices = list(choices.items())  # type: ignore[attr-defined]
            self.fields[name].initial = found
        if sheet.also_fits and not self.read.choices.sheet:
            self.fields["sheet"].choices.insert(0, ("", _("Choose")))  # type: ignore[attr-defined]
            self.fields["sheet"].initial = ""

    def _offer_days(self) -> None:
        order, years = self.read.ordered.order, self.fields["two_digit_years"]
        if order in {"", "ymd"}:
            del self.fields["date_order"]
        else:
            self.fields["date_order"].initial = ASK if order == "?" else str(order)
        if not self.read.two_digit_day and not self.read.choices.two_digit_years:
            del self.fields["two_digit_years"]
            return
        years.choices = [  # type: ignore[attr-defined]
            (ASK, _("Ask for four digits: “%(day)s” is refused") % {"day": self._two_digit_day()}),
            ("past", _("The latest year that is not to come: 65 is 1965, 25 is 2025")),
        ]
        years.initial = self.read.choices.two_digit_years or ASK

    def _two_digit_day(self) -> str:
        return self.read.two_digit_day or "3/4/65"

    def _offer_column(self, place: int, heading: str) -> None:
        rivals = {p: f for f, places in self.read.columns.rivals.items() for p in places}
        examples = "; ".join(_examples(self.read.sheet, place))
        self.fields[f"column_{place}"] = forms.ChoiceField(
            label=heading or _("Column %(number)s") % {"number": place + 1},
            choices=[("", _("not used")), *FIELDS.items()],
            required=False,
            initial=self.read.columns.field_of(place) or rivals.get(place, ""),
            help_text=examples,
        )

    @property
    def columns(self) -> list[Any]:
        """The bound fields of the columns, for the table of the page."""
        return [self[name] for name in self.fields if name.startswith("column_")]

    @property
    def controls(self) -> list[Any]:
        """The other bound fields that are shown."""
        own = ("encoding", "delimiter", "sheet", "header_row")
        days = ("date_order", "two_digit_years", "kind")
        return [self[name] for name in (*own, *days) if name in self.fields]

    @property
    def is_reread(self) -> bool:
        """True when letters, cells, sheet or header were changed: the columns are then new ones."""
        sheet, data = self.read.sheet, self.cleaned_data
        shown = {
            "encoding": sheet.encoding,
            "delimiter": TABULATOR if sheet.delimiter == "\t" else sheet.delimiter,
            "sheet": sheet.sheet,
            "header_row": sheet.header_row,
        }
        changed = any(data[name] not in {"", was} for name, was in shown.items() if name in data)
        return changed or data["layout"] != layout_of(sheet)

    def chosen(self) -> Choices:
        """What was chosen; header and columns only where they are those the person saw."""
        data = self.cleaned_data
        sheet, delimiter = self.read.sheet, data.get("delimiter") or ""
        only_header = all(
            data.get(n) in {None, "", getattr(sheet, n)} for n in ("encoding", "sheet")
        )
        chosen = Choices(
            encoding=data.get("encoding") or "",
            delimiter="\t" if delimiter == TABULATOR else delimiter,
            sheet=data.get("sheet") or "",
            date_order=_unless_asking(data.get("date_order")),
            two_digit_years=_unless_asking(data.get("two_digit_years")),
            kind=data["kind"],
        )
        if chosen.delimiter == sheet.delimiter and only_header:
            chosen = replace(chosen, header_row=data.get("header_row") or 0)
        return chosen if self.is_reread else replace(chosen, columns=self._columns())

    def _columns(self) -> dict[int, str]:
        return {
            int(name.removeprefix("column_")): field
            for name, field in self.cleaned_data.items()
            if name.startswith("column_")
        }


def _unless_asking(value: str | None) -> str:
    return "" if value in {None, ASK} else str(value)


def layout_of(sheet: Sheet) -> str:
    """A short mark of the headings, which tells whether two readings have the same columns."""
    told = "\x1f".join(sheet.headings)
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def _headers(sheet: Sheet) -> dict[int, str]:
    """The rows that may be the header, with what stands in them."""
    found = {}
    for number, row in enumerate(sheet.rows, 1):
        if told := " · ".join(filter(None, (as_text(cell) for cell in row))):
            found[number] = _("Row %(row)s: %(cells)s") % {"row": number, "cells": told[:70]}
        if len(found) >= HEADERS_OFFERED and number >= sheet.header_row:
            break
    return found


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

    def __init__(self, *args: Any, preview: Preview, from_paper: bool, **kwargs: Any) -> None:
        self.read, self.from_paper = preview, from_paper
        super().__init__(*args, **kwargs)

    def prepare(self) -> None:
        """Ask only what this list needs."""
        counts = self.read.counts
        refused = counts["refused"]
        approving = self.read.duties_to_approve
        self._word(refused, self.read.to_enter, len(approving))
        self._word_duty(sum(not duties for duties in approving.values()))
        if not refused:
            del self.fields["good_only"]
        if not self.from_paper:
            del self.fields["officer"], self.fields["received_on"]
        if not approving:
            del self.fields["approve"], self.fields["duty"]
            return
        law = in_force(self.read.today).duties
        offered = [(code, duty_word(code)) for code in (*law.direct, *law.assisting)]
        self.fields["duty"].choices = [("", _("Choose")), *offered]  # type: ignore[attr-defined]
        if all(approving.values()):
            del self.fields["duty"]
        elif self.is_bound and not self.data.get(self.add_prefix("approve")):
            self.fields["duty"].required = False

    def _word(self, refused: int, entered: int, cleared: int) -> None:
        self.fields["good_only"].label = ngettext(
            "Leave out the one row that has a mistake",
            "Leave out the %(count)s rows that have mistakes",
            refused,
        ) % {"count": refused}
        self.fields["approve"].label = ngettext(
            "Approve the one person who may work today and is not approved yet",
            "Approve the %(count)s people who may work today and are not approved yet",
            cleared,
        ) % {"count": cleared}
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
        ) % {"said": said, "count": entered}

    def _word_duty(self, without: int) -> None:
        self.fields["duty"].label = ngettext(
            "Duty of the one to be approved for whom the file names none",
            "Duty of the %(count)s to be approved for whom the file names none",
            without,
        ) % {"count": without}

    def clean(self) -> dict[str, Any]:
        """Mistakes are left out only when that is said."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if "good_only" in self.fields and not data.get("good_only"):
            told = ngettext(
                "One row has a mistake, so nothing is entered: correct the file and drop it"
                " again, or tick this.",
                "%(count)s rows have mistakes, so nothing is entered: correct the file and drop it"
                " again, or tick this.",
                self.read.counts["refused"],
            )
            self.add_error("good_only", told % {"count": self.read.counts["refused"]})
        return data
