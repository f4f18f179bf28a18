"""The copy of the IRS's files, and what was last seen in it of each organization.

None of it is the register's own word: it can be loaded again, so it has no history of its own.
A million rows come in at once, so they carry no more indexes and checks than they are asked by.
"""

from __future__ import annotations

from django.contrib.postgres.indexes import GinIndex, OpClass
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Concat
from django.utils.translation import gettext_lazy as _

from licenses.bmf import Charity, read_charity
from registry.base import RegisterModel
from registry.models import Organization, Plain


class IrsFile(RegisterModel):
    """A file that was loaded: of all of one name, the one that is not replaced counts."""

    class Kind(models.TextChoices):
        BMF = "bmf", _("master file of exempt organizations")
        REVOCATIONS = "revocations", _("auto-revocation list")

    kind = models.CharField(max_length=20, choices=Kind)
    name = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64)
    file_date = models.DateField()
    loaded_at = models.DateTimeField(auto_now_add=True)
    rows = models.PositiveIntegerField(default=0)
    skipped = models.PositiveIntegerField(default=0)
    replaced_at = models.DateTimeField(null=True)

    tenant = None

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["name"], condition=Q(replaced_at=None), name="irsfile_one_of_a_name"
            )
        ]

    def __str__(self) -> str:
        return self.name


class IrsOrganization(models.Model):
    """One row of a master file: what is searched, and the line as the IRS wrote it."""

    file = models.ForeignKey(
        IrsFile,
        models.DO_NOTHING,
        related_name="organizations",
        db_index=False,
        db_constraint=False,
    )
    line = models.PositiveIntegerField()
    ein = models.CharField(max_length=9)
    name = models.TextField()
    second_name = models.TextField(blank=True)
    row = models.TextField()
    search_name = models.GeneratedField(
        expression=Plain(
            Concat(F("name"), Value(" "), F("second_name"), output_field=models.TextField())
        ),
        output_field=models.TextField(),
        db_persist=True,
    )

    tenant = None

    class Meta:
        indexes = [
            models.Index(fields=["ein"], name="irsorganization_ein"),
            GinIndex(
                OpClass("search_name", name="gin_trgm_ops"), name="irsorganization_search_trgm"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def charity(self) -> Charity:
        """The row taken apart into its columns."""
        return read_charity(self.row)


class IrsRevocation(models.Model):
    """One row of the auto-revocation list; an organization may have several."""

    file = models.ForeignKey(
        IrsFile,
        models.DO_NOTHING,
        related_name="revocations",
        db_index=False,
        db_constraint=False,
    )
    line = models.PositiveIntegerField()
    ein = models.CharField(max_length=9)
    revoked_on = models.DateField()
    posted_on = models.DateField(null=True)
    reinstated_on = models.DateField(null=True)
    row = models.TextField()

    tenant = None

    class Meta:
        indexes = [models.Index(fields=["ein"], name="irsrevocation_ein")]

    def __str__(self) -> str:
        return f"{self.ein}: {self.revoked_on}"


class IrsStanding(RegisterModel):
    """How an organization of the register stood in the IRS's files when they were last compared."""

    organization = models.OneToOneField(Organization, models.PROTECT, related_name="irs_standing")
    ein = models.CharField(max_length=9)
    snapshot = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    seen_at = models.DateTimeField(auto_now=True)

    tenant = "organization"

    def __str__(self) -> str:
        return f"{self.organization}: {self.ein}"
