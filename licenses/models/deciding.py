"""What the county decided, appeals against it, and the certificates that were printed."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from licenses.models.applying import Application
from licenses.models.holding import License
from registry.base import RegisterModel, VoidableModel
from registry.history import audited
from registry.models import Document, Organization


def copy_token() -> str:
    """128 random bits, upper case: the address behind a certificate's code."""
    return secrets.token_hex(16).upper()


@audited()
class Decision(VoidableModel):
    """A decision of the county administrator on an application or against a license.

    `grounds` holds what the letter says: code, cite, text and the facts found, as they stood.
    `appeal` holds the days, or where it is stated that none are set, and `readings` the open
    readings of the text that the signer adopted by name (decisions 38).
    """

    class Kind(models.TextChoices):
        GRANT = "grant", _("license granted")
        DENY = "deny", _("license denied")
        WARN = "warn", _("warning")
        SUSPEND = "suspend", _("suspension")
        CONDITION = "condition", _("conditional revocation")
        REVOKE = "revoke", _("revocation")
        SURRENDER = "surrender", _("surrender accepted")
        REINSTATE = "reinstate", _("reinstatement")

    organization = models.ForeignKey(Organization, models.PROTECT, related_name="decisions")
    application = models.ForeignKey(
        Application, models.PROTECT, null=True, related_name="decisions"
    )
    license = models.ForeignKey(License, models.PROTECT, null=True, related_name="decisions")
    kind = models.CharField(max_length=10, choices=Kind)
    grounds = models.JSONField(default=list, blank=True)
    reason = models.TextField(_("reason"), blank=True)
    appeal = models.JSONField(default=dict, blank=True)
    readings = models.JSONField(default=list, blank=True)
    decided_on = models.DateField(_("decided on"))
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)

    tenant = "organization"

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["application"],
                condition=Q(voided_at__isnull=True),
                name="decision_one_per_application",
            ),
            models.CheckConstraint(
                name="decision_about_something",
                condition=Q(application__isnull=False) | Q(license__isnull=False),
            ),
            models.CheckConstraint(
                name="decision_against_has_a_ground",
                condition=Q(kind__in=["grant", "surrender", "reinstate"]) | ~Q(grounds=[]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.license or self.application}"


@audited()
class Appeal(VoidableModel):
    """An appeal to the board of county commissioners (§ 10-93), with or without a stay."""

    class Outcome(models.TextChoices):
        UPHELD = "upheld", _("the decision stands")
        REVERSED = "reversed", _("the decision is reversed")
        CHANGED = "changed", _("the decision is changed")
        WITHDRAWN = "withdrawn", _("the appeal was withdrawn")

    decision = models.ForeignKey(Decision, models.PROTECT, related_name="appeals")
    filed_on = models.DateField(_("filed on"))
    paper = models.ForeignKey(Document, models.PROTECT, null=True, related_name="+")
    stay_from = models.DateField(_("stayed from"), null=True, blank=True)
    stay_to = models.DateField(_("stayed to"), null=True, blank=True)
    stay_cite = models.CharField(_("ordered by"), max_length=200, blank=True)
    outcome = models.CharField(max_length=10, choices=Outcome, blank=True)
    outcome_on = models.DateField(null=True, blank=True)
    outcome_by = models.CharField(max_length=200, blank=True)
    outcome_note = models.TextField(blank=True)

    tenant = "decision__organization"

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["decision"],
                condition=Q(voided_at__isnull=True, outcome=""),
                name="appeal_one_open",
            ),
            models.CheckConstraint(
                name="appeal_stay_in_order",
                condition=Q(stay_to__isnull=True)
                | Q(stay_from__isnull=False, stay_to__gte=F("stay_from")),
            ),
        ]

    def __str__(self) -> str:
        return f"{_('appeal')}: {self.decision}"


@audited()
class CertificateCopy(RegisterModel):
    """A printed license: what stood on it, and the code by which the paper can be checked."""

    license = models.ForeignKey(License, models.PROTECT, related_name="copies")
    token = models.CharField(max_length=32, unique=True, default=copy_token)
    facts = models.JSONField()
    printed_at = models.DateTimeField(auto_now_add=True)

    tenant = "license__organization"

    def __str__(self) -> str:
        return f"{self.license}: {self.printed_at:%Y-%m-%d}"
