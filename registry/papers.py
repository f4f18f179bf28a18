"""What is kept on paper: documents that came in, and the letters that go out."""

from __future__ import annotations

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from registry.base import RegisterModel
from registry.history import audited


@audited(exclude=["content", "cleaned"])
class Document(RegisterModel):
    """A paper as it was received, told apart by what it holds, and its cleaned copy; for good."""

    class Kind(models.TextChoices):
        MERGER = "merger", _("paper of a merger")
        DETERMINATION = "determination", _("IRS determination letter")
        AFFIRMATION = "affirmation", _("IRS affirmation letter")
        GROUP_LISTING = "group_listing", _("listing in a group exemption")
        FORM_1120_H = "form_1120_h", _("Form 1120-H")
        LEASE = "lease", _("lease")
        DEED = "deed", _("deed or proof of ownership")
        RESOLUTION = "resolution", _("public resolution")
        ROSTER = "roster", _("evidence of the roster")
        ACTIVITY = "activity", _("proof of activity")
        SWORN = "sworn", _("sworn statement, signed")
        OFFICER = "officer", _("officer's own statement, signed")
        PRIOR_LICENSE = "prior_license", _("prior license or proof of its loss")
        FINANCIAL = "financial", _("financial report")
        APPEAL = "appeal", _("paper of an appeal")
        OTHER = "other", _("other paper")
        VALUE = "value", _("source of a value the county adopted")

    organization = models.ForeignKey(
        "registry.Organization", models.PROTECT, null=True, related_name="documents"
    )
    """None for the county's own papers, which regulators alone see."""
    kind = models.CharField(max_length=20, choices=Kind)
    name = models.CharField(max_length=255)
    media_type = models.CharField(max_length=50)
    sha256 = models.CharField(max_length=64)
    content = models.BinaryField()
    cleaned = models.BinaryField(null=True)
    cleaned_type = models.CharField(max_length=50, blank=True)
    sent_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    received_at = models.DateTimeField(auto_now_add=True)

    tenant = "organization"
    is_new = False
    """True for a paper that was not kept before this call of keep_document."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "kind", "sha256"], name="document_once")
        ]
        triggers = [
            pgtrigger.ReadOnly(
                name="as_received", fields=["organization", "media_type", "sha256", "content"]
            )
        ]

    def __str__(self) -> str:
        return self.name


COUNTY_ONLY = frozenset({Document.Kind.MERGER, Document.Kind.OFFICER})
"""Kinds that an organization's account holders do not open, but for who sent the paper.

Of an officer's own statement the others see only that it is complete.
"""


@audited()
class Letter(RegisterModel):
    """A letter of the county. Its words stand; what changes is only how it reached somebody."""

    class How(models.TextChoices):
        HAND = "hand", _("handed over")
        CERTIFIED = "certified", _("certified mail")
        FIRST_CLASS = "first_class", _("first-class mail")
        EMAIL = "email", _("e-mail")
        POSTED = "posted", _("posted at the premises")

    organization = models.ForeignKey(
        "registry.Organization", models.PROTECT, related_name="letters"
    )
    kind = models.CharField(max_length=40)
    key = models.CharField(max_length=200, null=True, unique=True)  # noqa: DJ001 - unique, so none is null
    subject = models.CharField(max_length=300)
    addressee = models.TextField()
    paragraphs = models.JSONField()
    written_on = models.DateField()
    signed_by = models.CharField(max_length=300)
    emailed_at = models.DateTimeField(null=True)
    emailed_to = models.PositiveSmallIntegerField(default=0)
    printed_at = models.DateTimeField(null=True)
    served_on = models.DateField(null=True)
    served_how = models.CharField(max_length=20, choices=How, blank=True)
    served_to = models.CharField(max_length=200, blank=True)
    served_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )

    tenant = "organization"

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="letter_served_whole",
                condition=Q(served_on=None, served_how="", served_to="", served_by=None)
                | (Q(served_on__gte=models.F("written_on")) & ~Q(served_how="") & ~Q(served_to="")),
            ),
        ]
        indexes = [models.Index(fields=["organization", "-written_on"], name="letter_of")]
        triggers = [
            pgtrigger.ReadOnly(
                name="as_written",
                fields=[
                    "organization", "kind", "key", "subject", "addressee", "paragraphs",
                    "written_on", "signed_by",
                ],
            )
        ]  # fmt: skip

    def __str__(self) -> str:
        return self.subject
