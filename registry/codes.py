"""The code with which somebody shows that he may act for an organization of the register."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from registry.base import VoidableModel
from registry.history import audited


@audited()
class ClaimCode(VoidableModel):
    """A single-use code the county gave out; only its fingerprint is kept.

    A newer one voids it. Who used it is the county's to know, so it belongs to no organization.
    """

    organization = models.ForeignKey("registry.Organization", models.PROTECT, related_name="+")
    code_hash = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(auto_now_add=True)
    expires_on = models.DateField()
    used_at = models.DateTimeField(null=True)
    used_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )

    tenant = None

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["organization"],
                condition=Q(voided_at__isnull=True, used_at__isnull=True),
                name="claimcode_one_open",
            ),
            models.CheckConstraint(
                name="claimcode_used_by_somebody",
                condition=Q(used_at__isnull=True, used_by__isnull=True)
                | Q(used_at__isnull=False, used_by__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.organization}: {self.expires_on.isoformat()}"
