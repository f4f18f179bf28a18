"""What a licensed body is run by and where: officers, designated members, bank, premises."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from licenses.models.holding import License
from registry.base import EffectiveModel
from registry.constraints import NoOverlap, ends_after_start
from registry.history import audited
from registry.models import Organization, Person


@audited()
class Officer(EffectiveModel):
    """An officer or director of an organization (§ 10-84(a)(1)); two sign checks (§ 10-64(b))."""

    organization = models.ForeignKey(Organization, models.PROTECT, related_name="officers")
    full_name = models.CharField(_("name"), max_length=200)
    office = models.CharField(_("office"), max_length=120)
    signs_checks = models.BooleanField(_("signs checks"), default=False)

    tenant = "organization"

    class Meta:
        constraints = [
            ends_after_start("officer_ends_after_start"),
            NoOverlap(name="officer_once", fields=["organization", "full_name", "office"]),
        ]

    def __str__(self) -> str:
        return f"{self.full_name}, {self.office}"


@audited()
class InCharge(EffectiveModel):
    """A member designated to be in charge of play (F.S. 849.0931(8)); one to three."""

    organization = models.ForeignKey(Organization, models.PROTECT, related_name="in_charge")
    full_name = models.CharField(_("name"), max_length=200)
    person = models.ForeignKey(Person, models.PROTECT, null=True, related_name="+")

    tenant = "organization"

    class Meta:
        constraints = [
            ends_after_start("incharge_ends_after_start"),
            NoOverlap(name="incharge_once", fields=["organization", "full_name"]),
        ]

    def __str__(self) -> str:
        return self.full_name


@audited()
class BankAccount(EffectiveModel):
    """The checking account for bingo money (§ 10-64(b)) or lease income (§ 10-65(c)) alone."""

    class Purpose(models.TextChoices):
        BINGO = "bingo", _("bingo money")
        LEASE = "lease", _("lease income")

    organization = models.ForeignKey(Organization, models.PROTECT, related_name="bank_accounts")
    purpose = models.CharField(max_length=10, choices=Purpose)
    bank = models.CharField(_("bank"), max_length=200)
    branch_county = models.CharField(_("county of the branch"), max_length=100)
    last_four = models.CharField(_("last four digits"), max_length=4)

    tenant = "organization"

    class Meta:
        constraints = [
            ends_after_start("bankaccount_ends_after_start"),
            NoOverlap(name="bankaccount_once", fields=["organization", "purpose", "last_four"]),
            models.CheckConstraint(
                name="bankaccount_four_digits", condition=Q(last_four__regex=r"^[0-9]{4}$")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.bank}, {self.last_four}"


@audited()
class Premises(EffectiveModel):
    """A place licensed for bingo (§ 10-68(5), F.S. 849.0931(11)), or let by a hall owner."""

    class Basis(models.TextChoices):
        OWNED = "owned", _("owned by the organization")
        BENEFIT = "benefit", _("owned by the charity that benefits")
        LEASED = "leased", _("leased for at least a year")
        PUBLIC = "public", _("city or county property, by ordinance or resolution")
        COMMON = "common", _("common area of the association")

    class Rent(models.TextChoices):
        FIXED = "fixed", _("a fixed amount")
        NONE = "none", _("no rent")

    organization = models.ForeignKey(Organization, models.PROTECT, related_name="premises")
    license = models.ForeignKey(License, models.PROTECT, null=True, related_name="premises")
    name = models.CharField(_("name of the place"), max_length=200)
    street = models.CharField(_("street"), max_length=200)
    city = models.CharField(_("city"), max_length=100)
    state = models.CharField(_("state"), max_length=2, default="FL")
    postal_code = models.CharField(_("ZIP code"), max_length=10, blank=True)
    basis = models.CharField(_("basis"), max_length=10, choices=Basis)
    owner_name = models.CharField(_("owner"), max_length=200, blank=True)
    lease_starts_on = models.DateField(_("lease from"), null=True, blank=True)
    lease_ends_on = models.DateField(_("lease to"), null=True, blank=True)
    rent = models.CharField(_("rent"), max_length=10, choices=Rent, blank=True)
    rent_amount = models.DecimalField(max_digits=12, decimal_places=2, null=True, blank=True)

    tenant = "organization"

    class Meta:
        constraints = [
            ends_after_start("premises_ends_after_start"),
            models.CheckConstraint(
                name="premises_lease_in_order",
                condition=Q(lease_ends_on__isnull=True)
                | Q(lease_ends_on__gte=F("lease_starts_on")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}, {self.street}, {self.city}"
