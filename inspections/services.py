"""Acts on what was reported from a hall."""

from __future__ import annotations

from django.utils.translation import gettext as _

from inspections.models import Concern
from registry.access import BadInput
from registry.history import System, acting
from registry.models import User, WorkItem
from registry.services import refuse_ssn
from volunteers.tagging import tag_numbered


def report_concern(
    by: User | System, *, text: str, contact: str = "", tag_number: int | None = None
) -> Concern:
    """Take a concern into the clerk's queue; the name is optional (decisions 24).

    An unknown tag number is kept as it was read: it is what the person saw.
    """
    if not text.strip():
        raise BadInput("text", _("Say what you saw, in a sentence or two."))
    refuse_ssn("text", text, contact)
    tag = tag_numbered(tag_number) if tag_number else None
    organization = tag.assignment.organization if tag else None
    with acting(by, "concern.received", organization=organization):
        item = WorkItem.objects.create(
            kind=WorkItem.Kind.CONCERN,
            organization=organization,
            person=tag.assignment.person if tag else None,
            cite="§ 10-63(10)" if tag_number else "",
            note=text,
        )
        concern: Concern = Concern.objects.create(
            organization=organization,
            tag_number=tag_number,
            text=text,
            contact=contact,
            work_item=item,
        )
    return concern
