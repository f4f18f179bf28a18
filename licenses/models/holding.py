"""Who may run or house bingo: licenses and their suspensions, exemption, interests in lessors."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from licenses.rules import running
from registry.base import EffectiveModel, RegisterModel, VoidableModel
from registry.constraints import NoOverlap, ends_after_start
from registry.history import audited
from registry.models import Organization, Person
from registry.periods import Period


@audited()
class LicenseCounter(RegisterModel):
    """The last number given per class and license year; a number is never given twice."""

    license_class = models.CharField(max_length=1)
    year = models.PositiveSmallIntegerField()
    last = models.PositiveIntegerField(default=0)

    tenant = None

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["license_class", "year"], name="licensecounter_once")
        ]

    def __str__(self) -> str:
        return f"{self.license_class}-{self.year}: {self.last}"


@audited()
class License(VoidableModel):
    """A license of class A (to conduct, § 10-64) or B (to lease premises, § 10-65)."""

    class Class(models.TextChoices):
        A = "A", _("class A: to conduct bingo")
        B = "B", _("class B: to lease premises for bingo")

    organization = models.ForeignKey(Organization, models.PROTECT, related_name="licenses")
    license_class = models.CharField(_("class"), max_length=1, choices=Class)
    number = models.CharField(_("number"), max_length=20, unique=True)
    issued_on = models.DateField(_("issued on"))
    expires_on = models.DateField(_("last day"))
    application = models.OneToOneField(
        "licenses.Application", models.PROTECT, null=True, related_name="license"
    )

    tenant = "organization"

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="license_expires_after_issue", condition=Q(expires_on__gte=F("issued_on"))
            ),
            NoOverlap(
                name="license_one_per_class",
                fields=["organization", "license_class"],
                during=("issued_on", "expires_on"),
            ),
        ]

    def __str__(self) -> str:
        return self.number

    @property
    def term(self) -> Period:
        """The days from issue to the last day printed on it."""
        return Period(self.issued_on, self.expires_on)

    @property
    def period(self) -> Period:
        """The days on which it runs: the term, and as long as a renewal presented in time waits.

        Looks at the renewals, so prefetch them for many (§ 10-91(b)).
        """
        return running(self.term, [row.renewal for row in self.renewals.all()])

    @property
    def is_continued(self) -> bool:
        """True where a renewal keeps it in force beyond the day printed on it."""
        return self.period.last > self.expires_on


@audited()
class Sanction(EffectiveModel):
    """What the county administrator ordered against a license (§ 10-93)."""

    class Kind(models.TextChoices):
        WARNING = "warning", _("warned")
        SUSPENSION = "suspension", _("suspended")
        CONDITION = "condition", _("conditionally revoked")
        REVOCATION = "revocation", _("revoked")
        SURRENDER = "surrender", _("surrendered")

    license = models.ForeignKey(License, models.PROTECT, related_name="sanctions")
    kind = models.CharField(max_length=20, choices=Kind, default=Kind.SUSPENSION)
    reason = models.TextField(_("reason"))
    cite = models.CharField(_("paragraph"), max_length=80, blank=True)
    decision = models.ForeignKey(
        "licenses.Decision", models.PROTECT, null=True, related_name="sanctions"
    )
    condition = models.TextField(_("condition"), blank=True)
    cure_by = models.DateField(_("to be met by"), null=True, blank=True)

    tenant = "license__organization"

    class Meta:
        constraints = [
            ends_after_start("sanction_ends_after_start"),
            NoOverlap(name="sanction_once", fields=["license", "kind"]),
        ]

    def __str__(self) -> str:
        return f"{self.license}: {self.get_kind_display()}"


@audited()
class Exemption(VoidableModel):
    """The federal tax exemption an organization shows (F.S. 849.0931(1)(c))."""

    class Evidence(models.TextChoices):
        LETTER = "letter", _("determination or affirmation letter")
        GROUP = "group", _("listed in a central organization's group ruling")
        IRS_ROW = "irs", _("row in the IRS master file")
        FORM_1120H = "1120-H", _("Form 1120-H")
        CHURCH = "church", _("church, exempt without application")

    organization = models.ForeignKey(Organization, models.PROTECT, related_name="exemptions")
    basis = models.CharField(_("basis"), max_length=20)
    evidence = models.CharField(_("shown by"), max_length=10, choices=Evidence, blank=True)
    reference = models.CharField(_("document"), max_length=200, blank=True)
    verified_on = models.DateField(_("verified on"), null=True, blank=True)
    snapshot = models.JSONField(default=dict, blank=True, editable=False)
    """What the IRS files said that day: the row, the file's name, date and fingerprint."""

    tenant = "organization"

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="exemption_basis_known",
                condition=Q(basis="528") | Q(basis__regex=r"^501\(c\)\(([1-9]|1[0-9]|2[0-9])\)$"),
            ),
            models.UniqueConstraint(
                fields=["organization"],
                condition=Q(voided_at__isnull=True),
                name="exemption_one_standing",
            ),
        ]

    def __str__(self) -> str:
        return self.basis


@audited()
class LessorInterest(EffectiveModel):
    """A tie to a hall owner that bars from conducting (§ 10-65(b))."""

    class Tie(models.TextChoices):
        OWNER = "owner", _("owner")
        OFFICER = "officer", _("officer")
        DIRECTOR = "director", _("director")
        STOCKHOLDER = "stockholder", _("stockholder")
        EMPLOYEE = "employee", _("employee")
        OTHER = "other", _("other interest")

    person = models.ForeignKey(Person, models.PROTECT, related_name="lessor_interests")
    lessor = models.ForeignKey(Organization, models.PROTECT, related_name="interested")
    tie = models.CharField(_("tie"), max_length=20, choices=Tie)

    tenant = None

    class Meta:
        constraints = [
            ends_after_start("lessorinterest_ends_after_start"),
            NoOverlap(name="lessorinterest_once", fields=["person", "lessor", "tie"]),
        ]

    def __str__(self) -> str:
        return f"{self.person}: {self.get_tie_display()} of {self.lessor}"
