"""Acting for an organization that is in the register: a code of the county, asked for and used.

Whoever asks or tries learns nothing: not whether anybody acts for it already, nor who.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from hmac import compare_digest

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from registry.access import BadInput, Capability, Refused, is_regulator, organizations_held, require
from registry.adopting import law_on
from registry.codes import ClaimCode
from registry.credentials import has_confirmed
from registry.history import acting, pressed, seek_first_press
from registry.models import LETTERS, AccountHolder, Organization, User, WorkItem
from registry.selectors import matching_organizations
from registry.services import Actor, lock_organizations, refuse_merged

GROUPS, EACH = 7, 4
"""28 of 30 letters and digits are more than 128 bits."""
MOST = 10


def in_register(text: str) -> list[Organization]:
    """Up to ten organizations by EIN or by words of the name; that one is registered is public.

    Nothing for fewer than three letters.
    """
    if len(text.strip()) < 3:  # noqa: PLR2004 - what is shorter means everybody
        return []
    rows = Organization.objects.filter(merged_into__isnull=True).order_by("name", "pk")
    return list(matching_organizations(rows, text)[:MOST])


def named_by(slug: str) -> Organization | None:
    """The organization of an address of the public register, None where there is none."""
    rows = Organization.objects.filter(merged_into__isnull=True)
    found: Organization | None = rows.filter(slug=slug).first()
    return found


def acts_for(user: object, organization: Organization) -> bool:
    """True when this user acts for the organization today."""
    return isinstance(user, User) and organization.pk in organizations_held(user)


def refuse_stranger(by: Actor) -> User:
    """The user, whose address is known to be his own.

    Raises PermissionDenied without a confirmed address, Refused for somebody who holds an office.
    """
    if not isinstance(by, User) or not has_confirmed(by):
        raise PermissionDenied(_("First show that the address is yours."))
    if is_regulator(by):
        raise Refused(_("You hold an office of the county: a colleague must do this."))
    return by


def give_code(by: Actor, organization: Organization, *, how: str) -> str:
    """Make a new code for an organization; an older one works no more. Returns the code.

    The register keeps only its fingerprint, so it can be shown once and never looked up. `how`
    it goes out is kept in the history.
    """
    require(by, Capability.KEEP_ORGANIZATIONS, organization)
    code = "".join(secrets.choice(LETTERS) for _letter in range(GROUPS * EACH))
    today = timezone.localdate()
    last = today + timedelta(days=law_on(today).procedure.code_days)
    with acting(by, "claim.code_given", organization=organization, data={"how": how}):
        lock_organizations(organization)
        refuse_merged(organization)
        _open_codes(organization).update(
            voided_at=timezone.now(), void_reason="a newer code took its place"
        )
        ClaimCode.objects.create(
            organization=organization, code_hash=fingerprint(code), expires_on=last
        )
    return spelled(code)


def _open_codes(organization: Organization) -> QuerySet[ClaimCode]:
    rows: QuerySet[ClaimCode] = ClaimCode.objects.standing()
    return rows.filter(organization=organization, used_at=None)


def spelled(code: str) -> str:
    """Groups of four, as it is printed and read out."""
    return "-".join(code[start : start + EACH] for start in range(0, len(code), EACH))


def fingerprint(code: str) -> str:
    """What the register keeps of a code; blanks, hyphens and capitals do not matter."""
    bare = "".join(letter for letter in code.upper() if letter.isalnum())
    return hashlib.sha256(bare.encode()).hexdigest()


def claim_organization(by: Actor, organization: Organization, code: str) -> AccountHolder:
    """Act for an organization from today on, by a code of the county; the code is used up.

    Raises Refused with one sentence for a wrong, used, old, withdrawn or another organization's
    code; each try is kept for the county.
    """
    user = refuse_stranger(by)
    if acts_for(user, organization):
        raise BadInput("code", _("You act for this organization already."))
    with transaction.atomic():
        seek_first_press()
        lock_organizations(organization)
        found = _code_of(organization, code)
        if found is not None:
            return _use(user, found)
        # The refusal stays in the history, and the form can be pressed again.
        with pressed(None), acting(user, "claim.refused", organization=organization):
            pass
    raise Refused(refusal_of_code())


def refusal_of_code() -> str:
    """The one sentence for every code that does not work."""
    return _("This code does not work. Check it letter by letter, or ask the county for a new one.")


def _code_of(organization: Organization, code: str) -> ClaimCode | None:
    """The open code that was typed; an organization without one is compared with nothing alike."""
    typed = fingerprint(code)
    row = _open_codes(organization).filter(expires_on__gte=timezone.localdate()).first()
    is_same = compare_digest(typed, row.code_hash if row else fingerprint(""))
    return row if row is not None and is_same else None


def _use(user: User, code: ClaimCode) -> AccountHolder:
    organization = code.organization
    with acting(user, "organization.claimed", organization=organization):
        code.used_at, code.used_by = timezone.now(), user
        code.save(update_fields=["used_at", "used_by"])
        _close_asking(user, organization)
        return hold(user, organization)


def hold(user: User, organization: Organization) -> AccountHolder:
    """Inside a running act, whose service has asked who may: the user acts from today on.

    An account that ends today goes on instead.
    """
    today = timezone.localdate()
    user.__dict__.pop("_held", None)
    rows = AccountHolder.objects.standing().filter(user=user, organization=organization)
    running: AccountHolder | None = rows.exclude(ends_on__lt=today).first()
    if running is not None:
        running.starts_on, running.ends_on = min(running.starts_on, today), None
        running.save(update_fields=["starts_on", "ends_on"])
        return running
    holder: AccountHolder = AccountHolder.objects.create(
        user=user, organization=organization, starts_on=today
    )
    return holder


def _asking(user: User, organization: Organization) -> QuerySet[WorkItem]:
    rows: QuerySet[WorkItem] = WorkItem.objects.filter(
        kind=WorkItem.Kind.CLAIM, organization=organization, data__user=user.pk
    )
    return rows.filter(closed_at=None)


def _close_asking(user: User, organization: Organization) -> None:
    _asking(user, organization).update(
        closed_at=timezone.now(), outcome="claimed with a code of the county"
    )


def ask_for_code(by: Actor, organization: Organization) -> WorkItem:
    """Ask the county for a code; asked again, the open question is found."""
    user = refuse_stranger(by)
    with transaction.atomic():
        lock_organizations(organization)
        refuse_merged(organization)
        asked = _asking(user, organization).first()
        if asked is not None:
            return asked
        with acting(user, "claim.asked", organization=organization):
            item: WorkItem = WorkItem.objects.create(
                kind=WorkItem.Kind.CLAIM,
                organization=organization,
                note=_("%(who)s asks to act for this organization.") % {"who": user},
                data={"user": user.pk},
            )
    return item
