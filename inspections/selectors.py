"""Reading what was reported from a hall."""

from __future__ import annotations

from inspections.models import Concern
from registry.access import Anyone
from registry.models import WorkItem


def concern_of(user: Anyone, item: WorkItem) -> Concern | None:
    """What stands behind a work item from the public; regulators only."""
    found: Concern | None = Concern.objects.visible_to(user).filter(work_item=item).first()
    return found
