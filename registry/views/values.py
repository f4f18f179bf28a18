"""Values and confirmations: what counts today and by whom, proposed by one, agreed by another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from registry.access import Capability, Refused, can
from registry.adopted import AdoptedValue
from registry.adopting import law_on, next_value, proposals, value_for, values_counting, values_of
from registry.cleaning import Unclean
from registry.consenting import consent_to_value, propose_value, refuse_consent, withdraw_value
from registry.documents import take_copy
from registry.forms import ConfirmForm, RegisterForm
from registry.generic import CONFLICT, DetailView, PageView
from registry.overlaying import Kind, Slot, fits, slots_of, told
from registry.ruleset import in_force
from registry.tables import Link
from registry.templatetags.register import short_day
from registry.value_forms import ValueForm
from registry.views.papers import file_response
from registry.views.parties import ActOn

GROUPS = {
    gettext_lazy("Fees"): {Kind.MONEY},
    gettext_lazy("Days and appeals"): {Kind.DAYS, Kind.YES_NO},
    gettext_lazy("Excuses"): {Kind.TEXTS},
    gettext_lazy("Grounds that the text does not state"): {Kind.GROUND},
    gettext_lazy("Readings of open questions"): {Kind.READING},
}
"""What stands together on the page."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One thing that may be adopted, as it stands on a day."""

    slot: Slot
    told: str
    cite: str
    is_unset: bool
    row: AdoptedValue | None = None
    """The adopted value that counts."""

    @property
    def is_open(self) -> bool:
        """True for what only counsel can settle and has not."""
        return self.slot.kind in {Kind.GROUND, Kind.READING} and self.row is None


def slots_today() -> dict[str, Slot]:
    """All that may be adopted under the rules of today."""
    return slots_of(in_force(timezone.localdate()))


def shown_of(slot: Slot, row: AdoptedValue | None) -> Shown:
    """How it stands: by the adopted row when that counts, else by the rules' files."""
    if row is not None and fits(slot, row.value):
        return Shown(slot, told(slot, row.value), row.cite, is_unset=False, row=row)
    return Shown(slot, told(slot, slot.stated), slot.cite, is_unset=slot.stated is None)


class ValueList(PageView):
    """All that may be adopted: what counts today, since when, where it stands, who agreed."""

    capability = Capability.SEE_REGISTER
    template_name = "registry/values.html"
    title = gettext_lazy("Values and confirmations")

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The page."""
        today, slots = timezone.localdate(), slots_today()
        rows = values_counting(request.user, today)
        shown = [shown_of(slot, rows.get(key)) for key, slot in slots.items()]
        groups = [
            (title, [one for one in shown if one.slot.kind in kinds])
            for title, kinds in GROUPS.items()
        ]
        waiting = [(slots[row.key], row) for row in proposals(request.user) if row.key in slots]
        return self.page(
            {
                "groups": groups,
                "unset": [one.slot for one in shown if one.is_unset],
                "about": _open_told(sum(one.is_open for one in shown)),
                "waiting": waiting,
                "stamp": law_on(today).stamp,
            }
        )

    def trail(self) -> Sequence[Link]:
        """Up to the rules."""
        return [Link(_("Rules"), reverse("rules"))]


def _open_told(count: int) -> str:
    """How much counsel has not confirmed."""
    text = ngettext(
        "%(count)s reading or ground is not confirmed by counsel.",
        "%(count)s readings and grounds are not confirmed by counsel.",
        count,
    )
    return text % {"count": count} if count else _("Counsel has confirmed every reading.")


class ValueDetail(DetailView):
    """One value: what counts, what is proposed, and all that ever was."""

    capability = Capability.SEE_REGISTER
    template_name = "registry/value_detail.html"
    rows: Sequence[AdoptedValue] = ()

    def find(self) -> Shown:
        """What the address names, as it stands today."""
        slot = slots_today().get(self.kwargs["key"])
        if slot is None:
            raise Http404
        self.rows = values_of(self.request.user, slot.key)
        counts = values_counting(self.request.user, timezone.localdate()).get(slot.key)
        return shown_of(slot, counts)

    def get_title(self) -> str:
        """What it is."""
        return str(self.thing.slot.title)

    def trail(self) -> Sequence[Link]:
        """Up to all values."""
        return [Link(_("Values and confirmations"), reverse("value_list"))]

    def standing(self) -> str:
        """What counts today."""
        return _("Today: %(value)s.") % {"value": self.thing.told}

    def acts(self) -> Sequence[Link]:
        """Propose, unless something is proposed already."""
        if self._open() or not can(self.request.user, Capability.SET_VALUES):
            return ()
        confirms = self.thing.is_open
        label = _("Propose to confirm it") if confirms else _("Propose a value")
        return [Link(label, reverse("value_propose", args=[self.thing.slot.key]))]

    def _open(self) -> AdoptedValue | None:
        return next((row for row in self.rows if row.is_open), None)

    def context(self) -> dict[str, Any]:
        """What is proposed, and the rest with its value in words."""
        slot, row = self.thing.slot, self._open()
        entries = [(entry, _row_told(slot, entry)) for entry in self.rows if not entry.is_open]
        return super().context() | {
            "proposal": row,
            "proposal_told": row and _row_told(slot, row),
            "why_not": row and self._why_not(row),
            "may_set": can(self.request.user, Capability.SET_VALUES),
            "entries": entries,
            "today": timezone.localdate(),
        }

    def _why_not(self, row: AdoptedValue) -> str:
        """Why this user cannot consent; nothing for those who can, or have no say."""
        if not can(self.request.user, Capability.SET_VALUES):
            return ""
        try:
            refuse_consent(self.by, row)
        except Refused as refused:
            return str(refused.message)
        return ""


def _row_told(slot: Slot, row: AdoptedValue) -> str:
    if row.value is None:
        return _("nothing adopted any more: %(value)s") % {"value": told(slot, slot.stated)}
    return told(slot, row.value) if fits(slot, row.value) else str(row.value)


class ValueAct(ActOn):
    """An act on one value; done, it leads back to the value's page."""

    capability = Capability.SET_VALUES
    slot: Slot

    def find(self) -> None:
        """What the address names."""
        found = slots_today().get(self.kwargs["key"])
        if found is None:
            raise Http404
        self.slot = found

    def get_title(self) -> str:
        """The act, then what it is about."""
        return f"{self.title}: {self.slot.title}"

    def trail(self) -> Sequence[Link]:
        """Up to the value's page."""
        here = reverse("value_detail", args=[self.slot.key])
        values = Link(_("Values and confirmations"), reverse("value_list"))
        return [values, Link(str(self.slot.title), here)]

    def success_url(self, result: Any) -> str:
        """The value's page."""
        return reverse("value_detail", args=[self.slot.key])


class ValuePropose(ValueAct):
    """Propose a value with its source."""

    title = gettext_lazy("Propose")
    verb = gettext_lazy("Propose to the second person")
    form_class = ValueForm
    is_live = True
    done_message = gettext_lazy("Proposed. It counts once somebody else consents.")

    @property
    def about(self) -> str:
        """What it is about, in the words of the rules."""
        taken = _("Read here as: %(taken)s.") % {"taken": self.slot.meaning}
        return " ".join(filter(None, [self.slot.text, self.slot.meaning and taken]))

    def form_arguments(self) -> dict[str, Any]:
        """Which value, and whether there is something to end."""
        rows = values_counting(self.request.user, timezone.localdate())
        can_end = self.slot.key in rows and rows[self.slot.key].value is not None
        return {"slot": self.slot, "can_end": can_end}

    def preview(self, form: RegisterForm) -> Mapping[str, Any]:
        """What would change."""
        assert isinstance(form, ValueForm)
        change = change_told(self.slot, form.value, form.cleaned_data["valid_from"])
        second = _("It counts once a second person consents.")
        return {**change, "consequences": [second, *change["consequences"]]}

    def act(self, form: RegisterForm) -> Any:
        """Write it."""
        assert isinstance(form, ValueForm)
        return propose_value(self.by, form.proposal)


def change_told(slot: Slot, value: Any, valid_from: date) -> Mapping[str, Any]:
    """What counts from the day on and what counts now, and what else is to be known."""
    today = timezone.localdate()
    new = told(slot, slot.stated if value is None else value)
    sentence = _("From %(day)s on: %(value)s.") % {"day": short_day(valid_from), "value": new}
    notes = []
    if slot.needs_counsel:
        notes.append(_("One of the two must be counsel."))
    if valid_from < today:
        notes.append(_("That day is past: what was decided since then stays as it was."))
    later = next_value(slot.key, valid_from)
    if later is not None:
        day, then = short_day(later.valid_from), _row_told(slot, later)
        notes.append(_("From %(day)s on this counts instead: %(value)s.") % {
            "day": day, "value": then
        })  # fmt: skip
    return {"sentence": sentence, "consequences": notes}


class ProposalAct(ValueAct):
    """An act on one proposal."""

    row: AdoptedValue

    def find(self) -> None:
        """The proposal, under its value."""
        super().find()
        self.row = value_for(self.request.user, self.slot.key, self.kwargs["pk"])


class ValueConsent(ProposalAct):
    """Look at what somebody else proposed, and consent."""

    template_name = "registry/value_consent.html"
    title = gettext_lazy("Consent")
    verb = gettext_lazy("I have seen the source and consent")
    done_message = gettext_lazy("Both have agreed: the value is adopted.")

    def context(self) -> dict[str, Any]:
        """What it changes, and what counts now."""
        counts = values_counting(self.request.user, timezone.localdate()).get(self.slot.key)
        change = change_told(self.slot, self.row.value, self.row.valid_from)
        now = shown_of(self.slot, counts)
        return super().context() | {"row": self.row, "now": now, "change": change}

    def act(self, form: RegisterForm) -> Any:
        """Write it."""
        return consent_to_value(self.by, self.row)


class ValueWithdraw(ProposalAct):
    """Take a proposal back, or what was adopted before it counts."""

    title = gettext_lazy("Withdraw")
    verb = gettext_lazy("Withdraw it")
    form_class = ConfirmForm
    is_dangerous = True
    done_message = gettext_lazy("Withdrawn. It stays in the history.")

    @property
    def about(self) -> str:
        """What is withdrawn."""
        return str(change_told(self.slot, self.row.value, self.row.valid_from)["sentence"])

    def act(self, form: RegisterForm) -> Any:
        """Write it."""
        return withdraw_value(self.by, self.row, reason=form.cleaned_data["reason"])


class ValuePaper(PageView):
    """The paper of an adopted value, cleaned."""

    capability = Capability.SEE_REGISTER
    template_name = "registry/document_unread.html"
    title = gettext_lazy("This paper cannot be opened")

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The file; that it was taken is kept."""
        found = value_for(request.user, kwargs["key"], kwargs["pk"]).document
        if found is None:
            raise Http404
        try:
            return file_response(take_copy(self.by, found))
        except Unclean as unclean:
            return self.page({"sentence": unclean, "document": found}, status=CONFLICT)


AT = "values/<str:key>/"
urls: list[URLPattern] = [
    path("values/", ValueList.as_view(), name="value_list"),
    path(AT, ValueDetail.as_view(), name="value_detail"),
    path(f"{AT}propose/", ValuePropose.as_view(), name="value_propose"),
    path(f"{AT}<int:pk>/consent/", ValueConsent.as_view(), name="value_consent"),
    path(f"{AT}<int:pk>/withdraw/", ValueWithdraw.as_view(), name="value_withdraw"),
    path(f"{AT}<int:pk>/paper/", ValuePaper.as_view(), name="value_paper"),
]
