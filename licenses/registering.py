"""Organizations that come by themselves: registered by their own officer; codes sent to others."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from enum import StrEnum

from django.contrib.postgres.search import TrigramSimilarity
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Value
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from licenses.irs import IrsStatus, irs_status
from licenses.letters import addressee_of
from licenses.rules import asks_for_exemption
from licenses.words import short_day
from registry.access import BadInput
from registry.adopting import law_on
from registry.claims import give_code, hold, refuse_stranger
from registry.history import acting, seek_first_press
from registry.letters import LetterDraft, Paragraph, addresses_of, print_letter, write_letter
from registry.models import Letter, Organization, Plain, User, WorkItem
from registry.services import Actor, OrganizationEntry, insert_organization

ALIKE = 0.5
"""From this likeness of names on a clerk looks whether two bodies are one."""
CITE = "F.S. 849.0931(1)(c)"
Kind = Organization.Kind


class Why(StrEnum):
    """Why an organization does not stand in the IRS's master file."""

    CHURCH = "church"
    GROUP = "group"
    HOMEOWNERS = "528"
    NEW_RULING = "new"
    AUTHORIZED = "authorized"
    ASSOCIATIONAL = "associational"
    HALL_OWNER = "hall"


WHY: dict[Why, tuple[Promise, Promise, Kind]] = {
    Why.CHURCH: (
        gettext_lazy("We are a church"),
        gettext_lazy("Churches are exempt without applying, so many are in no file."),
        Kind.CHARITABLE,
    ),
    Why.GROUP: (
        gettext_lazy("We stand in a group ruling"),
        gettext_lazy("A post, lodge or parish under a central organization."),
        Kind.CHARITABLE,
    ),
    Why.HOMEOWNERS: (
        gettext_lazy("We are a homeowners or condominium association"),
        gettext_lazy("Exempt under section 528, shown by Form 1120-H."),
        Kind.CHARITABLE,
    ),
    Why.NEW_RULING: (
        gettext_lazy("Our ruling is new"),
        gettext_lazy("The file is some weeks old; the determination letter shows it."),
        Kind.CHARITABLE,
    ),
    Why.AUTHORIZED: (
        gettext_lazy("We are an authorized organization"),
        gettext_lazy("Its kind is not asked for a federal exemption."),
        Kind.AUTHORIZED,
    ),
    Why.ASSOCIATIONAL: (
        gettext_lazy("We are an associational group"),
        gettext_lazy("Residents or members who play among themselves; no exemption is asked."),
        Kind.ASSOCIATIONAL,
    ),
    Why.HALL_OWNER: (
        gettext_lazy("We only lease a hall for bingo"),
        gettext_lazy("A hall owner needs a class B license and no exemption."),
        Kind.OTHER,
    ),
}
"""Each reason with the line under it, and the kind of body it makes."""


class EinTaken(BadInput):
    """The EIN is another organization's: that one is claimed, not registered again."""

    def __init__(self, organization: Organization) -> None:
        super().__init__("ein", _("An organization with this EIN is in the register already."))
        self.organization = organization


def register_own_organization(
    by: Actor, entry: OrganizationEntry, *, why: Why | None = None
) -> Organization:
    """Enter an organization and let the user act for it, in one transaction.

    `why` it does not stand in the master file; needed where its kind is asked for an exemption.
    A clerk finds it among what waits, with what the IRS's files say and who has nearly the same
    name. Raises EinTaken, BadInput, PermissionDenied without a confirmed address.
    """
    user = refuse_stranger(by)
    status = irs_status(entry.ein, entry.name)
    if status.row is None and why is None and asks_for_exemption(entry.kind):
        raise BadInput("why", _("Say why the organization is not in the IRS's file."))
    with transaction.atomic():
        seek_first_press()
        if taken := _holder_of(entry.ein):
            raise EinTaken(taken)
        alike = alike_by_name(entry.name)
        organization = insert_organization(user, entry, "organization.registered")
        with acting(user, "holder.named", organization=organization, data={"user": str(user)}):
            hold(user, organization)
            _list(user, organization, status, why, alike)
    return organization


def _holder_of(ein: str) -> Organization | None:
    """Who has the EIN; the body that took it over, where it was merged."""
    found = Organization.objects.filter(ein=ein).first() if ein else None
    while found is not None and found.merged_into is not None:
        found = found.merged_into
    return found


def alike_by_name(name: str) -> list[Organization]:
    """Organizations of nearly the same name, the nearest first; at most five."""
    likeness = TrigramSimilarity("search_name", Plain(Value(name)))  # type: ignore[arg-type]
    rows = Organization.objects.annotate(likeness=likeness).filter(likeness__gte=ALIKE)
    return list(rows.order_by("-likeness", "pk")[:5])


def _list(
    user: User,
    organization: Organization,
    status: IrsStatus,
    why: Why | None,
    alike: Sequence[Organization],
) -> None:
    lines = [_("Registered by %(who)s.") % {"who": user}]
    if why is not None:
        lines.append(_("Not in the IRS's file, as they say: %(why)s.") % {"why": WHY[why][0]})
    if asks_for_exemption(organization.kind):
        lines.append(_("The IRS's files: %(said)s.") % {"said": status.said.headline})
    if alike:
        names = "; ".join(f"{one.name} ({one.city})" if one.city else one.name for one in alike)
        lines.append(_("Nearly the same name: %(names)s.") % {"names": names})
    WorkItem.objects.create(
        kind=WorkItem.Kind.REGISTRATION,
        organization=organization,
        cite=CITE if asks_for_exemption(organization.kind) else "",
        note="\n".join(lines),
        data={"now": status.snapshot(), "alike": [one.pk for one in alike]},
    )


class How(StrEnum):
    """How a claim code goes out."""

    LETTER = "letter"
    HOLDERS = "holders"
    ADDRESS = "address"


def code_on_paper(by: Actor, organization: Organization, *, signed_by: str) -> Letter:
    """Make a code and the letter that carries it; only this one copy in memory holds the code.

    What is kept of the letter says that a code was given, never which.
    """
    with transaction.atomic():
        code = give_code(by, organization, how=How.LETTER)
        with acting(by, "letter.written", organization=organization):
            letter = write_letter(by, organization, _draft(organization, signed_by))
            print_letter(by, letter)
        letter.paragraphs = [
            *letter.paragraphs[:1],
            {"text": _("The code: %(code)s") % {"code": code}, "cite": ""},
            *letter.paragraphs[1:],
        ]
    return letter


def mail_code(by: Actor, organization: Organization, address: str = "") -> int:
    """Make a code and mail it: to an address, which is not kept, or to who acts already.

    Returns to how many. Raises BadInput where nobody acts for the organization online.
    """
    to = [address] if address else addresses_of(organization, timezone.localdate())
    if not to:
        raise BadInput("how", _("Nobody acts for this organization online: print the letter."))
    with transaction.atomic():
        code = give_code(by, organization, how=How.ADDRESS if address else How.HOLDERS)
        draft = _draft(organization, "")
        words = [paragraph.text for paragraph in draft.paragraphs]
        body = "\n\n".join([words[0], code, *words[1:]])
        for one in to:
            EmailMessage(subject=draft.subject, body=f"{body}\n", to=[one]).send()
    return len(to)


def _draft(organization: Organization, signed_by: str) -> LetterDraft:
    today = timezone.localdate()
    last = short_day(today + timedelta(days=law_on(today).procedure.code_days))
    name = organization.name
    return LetterDraft(
        kind="claim_code",
        subject=_("A code to act for %(name)s in the register") % {"name": name},
        addressee=addressee_of(organization),
        paragraphs=[
            Paragraph(
                _("With this code one person can act for %(name)s in the register.")
                % {"name": name}
            ),
            Paragraph(
                _(
                    "Make an account, choose “Register your organization”, find the organization"
                    " by its name and type the code. It works once, until %(day)s."
                )
                % {"day": last}
            ),
            Paragraph(
                _("Give it to nobody else. If you did not ask for it, tell the county clerk.")
            ),
        ],
        signed_by=signed_by,
    )
