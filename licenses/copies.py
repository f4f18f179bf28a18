"""Copies of a license for posting: each keeps what was printed on it (§ 10-64(a))."""

from __future__ import annotations

from datetime import date

from django.utils import timezone
from django.utils.translation import gettext as _

from licenses.models import CertificateCopy, License
from licenses.public import facts_of
from licenses.rules import State
from licenses.selectors import standing_of
from licenses.words import sentence
from registry.access import Capability, Refused, require
from registry.history import acting
from registry.models import User


def take_copy(by: User, license_: License) -> CertificateCopy:
    """The copy to print now; that it was printed is kept.

    The same facts keep the same code, so that a second print replaces nothing. Raises Refused for
    a license that is not in force today: there is nothing to post.
    """
    require(by, Capability.SEE_OWN, license_.organization)
    today = timezone.localdate()
    standing = standing_of(license_, today)
    if not (standing.state.allows or standing.state is State.NOT_YET):
        raise Refused(
            _("There is nothing to post: %(standing)s.") % {"standing": sentence(standing)}
        )
    told = {"number": license_.number}
    with acting(by, "certificate.printed", organization=license_.organization, data=told):
        return _copy(license_, today)


def _copy(license_: License, day: date) -> CertificateCopy:
    """The newest copy where it still says the same, else a new one; the license is locked."""
    License.objects.select_for_update(no_key=True).get(pk=license_.pk)
    facts = facts_of(license_, day)
    newest: CertificateCopy | None = license_.copies.order_by("-printed_at", "-pk").first()
    if newest is not None and newest.facts == facts:
        return newest
    made: CertificateCopy = CertificateCopy.objects.create(license=license_, facts=facts)
    return made
