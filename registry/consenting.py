"""Two people set a value: one proposes it with its source, another consents; nobody edits it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from registry.access import BadInput, Capability, Refused, Role, require, roles_of
from registry.adopted import AdoptedValue
from registry.adopting import counting
from registry.documents import Paper, check_paper, keep_document
from registry.history import acting
from registry.models import Document, User
from registry.overlaying import Slot, Unfit, kept, slots_of
from registry.ruleset import TextUnknown, in_force
from registry.services import lock_row, need_reason, refuse_ssn, saying


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is proposed: a value from a day on, where it stands, and how it came about.

    A value of None ends what was adopted: from that day on the rules' own value counts.
    """

    key: str
    value: Any
    valid_from: date
    cite: str
    source: str
    paper: Paper | None = None


def propose_value(by: User, entry: Proposal) -> AdoptedValue:
    """Propose a value; it counts when somebody else consents. Raises BadInput on the field."""
    require(by, Capability.SET_VALUES)
    value = _checked(entry)
    if entry.paper is not None:
        check_paper(entry.paper)
    told = {"key": entry.key, "value": value, "valid_from": entry.valid_from}
    text = _("A value is proposed already: consent to that one or withdraw it first.")
    with (
        acting(by, "value.proposed", data=told),
        saying("adoptedvalue_one_proposal", "value", text),
    ):
        row: AdoptedValue = AdoptedValue.objects.create(
            key=entry.key,
            value=value,
            valid_from=entry.valid_from,
            cite=entry.cite.strip(),
            source=entry.source.strip(),
            document=_kept_paper(by, entry.paper),
            proposed_by=by,
        )
        return row


def _kept_paper(by: User, paper: Paper | None) -> Document | None:
    return keep_document(None, Document.Kind.VALUE, paper, by=by) if paper else None


def _checked(entry: Proposal) -> Any:
    """The value as it is kept, with all else looked at. Raises BadInput."""
    slot = slot_on(entry.key, entry.valid_from)
    for field, text in (("cite", entry.cite), ("source", entry.source)):
        refuse_ssn(field, text)
        if not text.strip():
            raise BadInput(
                field, _("Say where it stands: without a source nothing can be adopted.")
            )
    if entry.value is None:
        ended = counting(entry.valid_from).filter(key=entry.key).first()
        if ended is None or ended.value is None:
            raise BadInput("value", _("Nothing is adopted on that day, so nothing can end."))
        return None
    try:
        return kept(slot, entry.value)
    except Unfit as unfit:
        raise BadInput("value", str(unfit)) from None


def slot_on(key: str, day: date) -> Slot:
    """What may be adopted under this key by the rules of a day. Raises BadInput."""
    try:
        slot = slots_of(in_force(day)).get(key)
    except TextUnknown as unknown:
        raise BadInput("valid_from", str(unknown)) from None
    if slot is None:
        raise BadInput("value", _("The rules of that day know no such value: choose a later day."))
    return slot


def consent_to_value(by: User, row: AdoptedValue) -> AdoptedValue:
    """Consent to what somebody else proposed; from its day on it counts.

    Raises Refused for the proposer, for what is settled already, and where counsel is missing.
    """
    require(by, Capability.SET_VALUES)
    with acting(by, "value.consented", data={"key": row.key, "adopted_value": row.pk}):
        lock_row(row)
        refuse_consent(by, row)
        row.consented_by, row.consented_at = by, timezone.now()
        row.save(update_fields=["consented_by", "consented_at"])
    return row


def refuse_consent(by: User, row: AdoptedValue) -> None:
    """Raise Refused unless this user may consent to this proposal now."""
    if row.consented_at is not None:
        told = _("%(name)s consented to this already.")
        raise Refused(told % {"name": row.consented_by})
    if row.proposed_by_id == by.pk:
        raise Refused(_("You proposed this yourself: somebody else must consent to it."))
    slot = slot_on(row.key, row.valid_from)
    if slot.needs_counsel and not _has_counsel(by, row):
        raise Refused(
            _("This answers an open question of the text: one of the two must be counsel.")
        )


def _has_counsel(by: User, row: AdoptedValue) -> bool:
    then = roles_of(row.proposed_by, timezone.localdate(row.proposed_at))
    return Role.COUNSEL in roles_of(by) | then


def withdraw_value(by: User, row: AdoptedValue, *, reason: str) -> AdoptedValue:
    """Take back a proposal, or an adopted value before its first day.

    Raises Refused for a value that counts: that takes two people again, who adopt another one.
    """
    require(by, Capability.SET_VALUES)
    need_reason(reason)
    with acting(by, "adoptedvalue.voided", reason=reason, data={"key": row.key}):
        lock_row(row)
        if row.consented_at is not None and row.valid_from <= timezone.localdate():
            told = _("This has counted since %(day)s: propose another value in its place.")
            raise Refused(told % {"day": date_format(row.valid_from, "M j, Y")})
        row.voided_at, row.void_reason = timezone.now(), reason
        row.save(update_fields=["voided_at", "void_reason"])
    return row
