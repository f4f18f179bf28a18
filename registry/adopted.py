"""What a county adopts where its ordinance is silent: dated, cited, set by two people."""

from __future__ import annotations

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from registry.base import VoidableModel
from registry.history import audited


@audited()
class AdoptedValue(VoidableModel):
    """One value from a day on. It counts once another person consented; it is never changed."""

    key = models.CharField(max_length=80)
    value = models.JSONField(null=True)
    """None: from that day on no adopted value counts, and the rules' own does."""
    valid_from = models.DateField(_("counts from"))
    cite = models.CharField(_("where it stands"), max_length=120)
    source = models.TextField(_("source"))
    document = models.ForeignKey("registry.Document", models.PROTECT, null=True, related_name="+")
    proposed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    proposed_at = models.DateTimeField(auto_now_add=True)
    consented_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    consented_at = models.DateTimeField(null=True)

    tenant = None

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="adoptedvalue_by_two_people",
                condition=Q(consented_by=None) | ~Q(consented_by=F("proposed_by")),
            ),
            models.CheckConstraint(
                name="adoptedvalue_consented_whole",
                condition=Q(consented_by=None, consented_at=None)
                | Q(consented_by__isnull=False, consented_at__isnull=False),
            ),
            models.CheckConstraint(
                name="adoptedvalue_is_cited", condition=~Q(cite="") & ~Q(source="")
            ),
            models.UniqueConstraint(
                fields=["key"],
                condition=Q(consented_at=None, voided_at=None),
                name="adoptedvalue_one_proposal",
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(
                name="as_proposed",
                fields=[
                    "key", "value", "valid_from", "cite", "source", "document",
                    "proposed_by", "proposed_at",
                ],
            )
        ]  # fmt: skip

    def __str__(self) -> str:
        return self.key

    @property
    def is_open(self) -> bool:
        """True while it waits for the second person."""
        return self.consented_at is None and self.voided_at is None
