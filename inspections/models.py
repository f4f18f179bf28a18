"""What was seen or reported in a hall."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from registry.base import RegisterModel
from registry.history import audited
from registry.models import Organization, WorkItem


@audited()
class Concern(RegisterModel):
    """What somebody in the hall told the county; the name is optional."""

    organization = models.ForeignKey(Organization, models.PROTECT, null=True)
    tag_number = models.PositiveIntegerField(null=True)
    text = models.TextField(_("what did you see?"))
    contact = models.CharField(_("how we can reach you"), max_length=200, blank=True)
    received_at = models.DateTimeField(auto_now_add=True)
    work_item = models.OneToOneField(WorkItem, models.PROTECT)

    tenant = None

    def __str__(self) -> str:
        return self.text[:60]
