"""Letters of the county: written once, mailed, printed, and served on a recorded day."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from datetime import date

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from registry.access import Anyone, BadInput, Capability, Refused, can, is_regulator, require
from registry.history import Act, acting
from registry.models import Letter, Organization, User
from registry.selectors import holders_of
from registry.services import Actor, need_reason, numbered, refuse_ssn

How = Letter.How


@dataclass(frozen=True, slots=True)
class Paragraph:
    """What a letter says, and the provision it says it by; printed under it."""

    text: str
    cite: str = ""


@dataclass(frozen=True, slots=True)
class LetterDraft:
    """A letter to be written. `addressee` and `signed_by` may have several lines.

    `key` names what the letter is about, as "reminder:A-2027-0042:30": it is written once.
    """

    kind: str
    subject: str
    addressee: str
    paragraphs: Sequence[Paragraph]
    signed_by: str
    key: str | None = None


def write_letter(
    by: Actor, organization: Organization, draft: LetterDraft, *, written_on: date | None = None
) -> Letter:
    """Inside a running act, whose service has asked who may: write the letter, dated today.

    A key that was used before finds its letter, also in a race; nothing is written then. Raises
    BadInput for an SSN, ValueError for a letter without words or a key of another organization.
    """
    if not draft.paragraphs or not all(one.text.strip() for one in draft.paragraphs):
        raise ValueError(f"letter {draft.kind} says nothing")
    refuse_ssn("letter", draft.subject, draft.addressee, *(one.text for one in draft.paragraphs))
    found = _by_key(draft.key, organization)
    if found is not None:
        return found
    try:
        return _write(by, organization, draft, written_on or timezone.localdate())
    except IntegrityError:
        first = _by_key(draft.key, organization)
        if first is None:
            raise
        return first


def _by_key(key: str | None, organization: Organization) -> Letter | None:
    found = Letter.objects.filter(key=key).first() if key else None
    if found is not None and found.organization_id != organization.pk:
        raise ValueError(f"the key {key} is another organization's")
    return found


def _write(by: Actor, organization: Organization, draft: LetterDraft, day: date) -> Letter:
    letter = numbered(
        Letter(
            organization=organization,
            kind=draft.kind,
            key=draft.key,
            subject=_one_line(draft.subject),
            addressee=draft.addressee.strip(),
            paragraphs=[asdict(paragraph) for paragraph in draft.paragraphs],
            written_on=day,
            signed_by=draft.signed_by.strip(),
        )
    )
    with transaction.atomic(), _acting(by, "letter.written", letter):
        letter.save(force_insert=True)
    return letter


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _acting(
    by: Actor, verb: str, letter: Letter, reason: str = "", **more: object
) -> AbstractContextManager[Act]:
    """An act about a letter: which one, and what more is to be kept."""
    told = {"letter": letter.pk, "subject": letter.subject, **more}
    return acting(by, verb, reason=reason, organization=letter.organization, data=told)


def _lock(letter: Letter) -> None:
    """Read the letter anew and hold it, so that of two at once the later sees the first."""
    rows = Letter.objects.select_for_update(no_key=True, of=("self",))
    letter.refresh_from_db(from_queryset=rows)


def addresses_of(organization: Organization, day: date) -> list[str]:
    """The e-mail addresses of those who act for the organization on the day."""
    rows = holders_of(organization, day).filter(starts_on__lte=day, user__is_active=True)
    return list(dict.fromkeys(rows.values_list("user__email", flat=True)))


def email_letter(
    by: Actor, letter: Letter, addresses: Iterable[str] | None = None, *, again: bool = False
) -> int:
    """Mail the letter's words, one message each; returns to how many. The caller asks who may.

    Without addresses it goes to those who act for the organization today. A letter that was mailed
    is not mailed a second time unless `again`; nobody to mail to is 0, and no Act.
    """
    with transaction.atomic():
        _lock(letter)
        if addresses is None:
            addresses = addresses_of(letter.organization, timezone.localdate())
        to = list(addresses)
        if not to or (letter.emailed_at and not again):
            return 0
        with _acting(by, "letter.emailed", letter, count=len(to)):
            letter.emailed_at, letter.emailed_to = timezone.now(), len(to)
            letter.save(update_fields=["emailed_at", "emailed_to"])
            _mail(letter, to)
    return len(to)


def _mail(letter: Letter, to: Iterable[str]) -> None:
    text = letter_text(letter)
    for address in to:
        EmailMessage(subject=letter.subject, body=text, to=[address]).send()


def letter_text(letter: Letter) -> str:
    """The letter as plain text: its own words, and the address of its page where there is one."""
    parts = [
        letter.addressee,
        _("Re: %(subject)s") % {"subject": letter.subject},
        *("\n".join(filter(None, [one["text"], one["cite"]])) for one in letter.paragraphs),
        letter.signed_by,
    ]
    if settings.PUBLIC_ADDRESS:
        address = f"{settings.PUBLIC_ADDRESS}{page_of(letter)}"
        parts.append(_("This letter in the register: %(address)s") % {"address": address})
    return "\n\n".join(parts) + "\n"


def page_of(letter: Letter) -> str:
    """The path of the letter's page."""
    return reverse("letter", args=[letter.organization.slug, letter.pk])


def send_letter(by: Actor, letter: Letter) -> int:
    """A clerk mails the letter, again too; Refused when nobody acts for the organization."""
    require(by, Capability.SEND_LETTERS, letter.organization)
    count = email_letter(by, letter, again=True)
    if not count:
        raise Refused(_("Nobody acts for this organization online: print the letter and mail it."))
    return count


def print_letter(by: Actor, letter: Letter) -> None:
    """Write down that the letter was printed by the county, or taken by somebody else."""
    if isinstance(by, User) and not can(by, Capability.SEND_LETTERS, letter.organization):
        with _acting(by, "letter.downloaded", letter):
            return
    with _acting(by, "letter.printed", letter):
        _lock(letter)
        letter.printed_at = letter.printed_at or timezone.now()
        letter.save(update_fields=["printed_at"])


@dataclass(frozen=True, slots=True)
class _Service:
    how: str
    served_on: date
    to: str

    def check(self, letter: Letter) -> None:
        """Raise BadInput for the field that cannot be."""
        if self.how not in How.values:
            raise BadInput("how", _("Say how the letter was served."))
        if self.served_on < letter.written_on:
            day = date_format(letter.written_on, "M j, Y")
            raise BadInput("served_on", _("The letter was written on %(day)s.") % {"day": day})
        if self.served_on > timezone.localdate():
            raise BadInput("served_on", _("This day is still to come: record what has happened."))
        if not self.to:
            raise BadInput("to", _("Say to whom, by name."))
        refuse_ssn("to", self.to)

    def told(self) -> dict[str, str]:
        """What the act keeps of it."""
        how = str(How(self.how).label)
        return {
            "served_on": self.served_on.isoformat(),
            "served_how": how,
            "served_to": self.to,
        }

    def write(self, by: Actor, letter: Letter) -> Letter:
        """Put it into the row; by whom is who records it."""
        letter.served_on, letter.served_how, letter.served_to = self.served_on, self.how, self.to
        letter.served_by = by if isinstance(by, User) else None
        letter.save(update_fields=["served_on", "served_how", "served_to", "served_by"])
        return letter


def serve_letter(by: Actor, letter: Letter, *, how: str, served_on: date, to: str) -> Letter:
    """Record how, when and to whom the letter was served; deadlines run from that day.

    Raises Refused when a service is recorded already, BadInput for a day before the letter's or
    to come, or an empty `to`.
    """
    require(by, Capability.SEND_LETTERS, letter.organization)
    service = _Service(how, served_on, to.strip())
    service.check(letter)
    with transaction.atomic():
        _lock(letter)
        if letter.served_on is not None:
            told = {"to": letter.served_to, "day": date_format(letter.served_on, "M j, Y")}
            raise Refused(_("This letter was served already: to %(to)s on %(day)s.") % told)
        with _acting(by, "letter.served", letter, **service.told()):
            return service.write(by, letter)


def correct_service(
    by: Actor, letter: Letter, *, how: str, served_on: date, to: str, reason: str
) -> Letter:
    """Put right what was recorded of the service; a supervisor's, with the reason."""
    require(by, Capability.CORRECT, letter.organization)
    need_reason(reason)
    service = _Service(how, served_on, to.strip())
    service.check(letter)
    with transaction.atomic():
        _lock(letter)
        if letter.served_on is None:
            raise Refused(_("No service of this letter is recorded yet."))
        with _acting(by, "letter.service_corrected", letter, reason, **service.told()):
            return service.write(by, letter)


def letters_of(user: Anyone, organization: Organization) -> QuerySet[Letter]:
    """The letters to an organization that the user may read, the newest first."""
    rows: QuerySet[Letter] = Letter.objects.visible_to(user).filter(organization=organization)
    return rows.select_related("organization", "served_by").order_by("-written_on", "-pk")


def letters_to_print(user: Anyone) -> QuerySet[Letter]:
    """The letters that reached nobody yet, the oldest first; for those who send letters."""
    if not can(user, Capability.SEND_LETTERS):
        return Letter.objects.none()
    rows = Letter.objects.filter(emailed_at=None, printed_at=None, served_on=None)
    return rows.select_related("organization").order_by("written_on", "pk")


def letter_for(user: Anyone, organization: Organization, pk: int) -> Letter | None:
    """One letter to the organization, None when it is not there for the user."""
    return letters_of(user, organization).filter(pk=pk).first()


def acts_on_letter(user: Anyone, letter: Letter) -> list[Act]:
    """What was done with a letter, newest first; regulators only."""
    if not is_regulator(user):
        return []
    rows = Act.objects.filter(organization=letter.organization, data__letter=letter.pk)
    return list(rows.filter(verb__startswith="letter.").order_by("-at", "pk"))
