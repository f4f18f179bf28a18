"""The parties: users and their roles, organizations, persons, and who holds whose account."""

from __future__ import annotations

import secrets
from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.postgres.indexes import GinIndex, OpClass
from django.db import models
from django.db.models import F, Func, Q
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from registry.adopted import AdoptedValue
from registry.base import EffectiveModel, RegisterModel, VoidableModel
from registry.codes import ClaimCode
from registry.constraints import NoOverlap, ends_after_start
from registry.history import Act, audited
from registry.papers import Document, Letter

__all__ = ["Act", "AdoptedValue", "ClaimCode", "Document", "Letter"]

# Signing in and changing a password are allauth's own acts, kept there.
SIGN_IN = ("password", "last_login")
# Without 0, 1, I, L, O and U: numbers are read out on the telephone.
LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"


def person_number() -> str:
    """A new random person number, P- and six letters: it says nothing about order or name."""
    return "P-" + "".join(secrets.choice(LETTERS) for _ in range(6))


class Plain(Func):
    """Lower case, without accents, special letters mapped: what people type in a hurry."""

    function = "registry_plain"
    output_field: models.Field[str, str] = models.TextField()


class MatchKey(Func):
    """The words of a name in alphabetical order, titles, suffixes and initials left aside."""

    function = "registry_match_key"
    output_field: models.Field[str, str] = models.TextField()


class SortKey(Func):
    """The name as a list is sorted: family name first, the last word where no part is known."""

    function = "registry_sort_key"
    output_field: models.Field[str, str] = models.TextField()


class UserManager(BaseUserManager["User"]):
    """Users are found by e-mail address, in any case."""

    def get_by_natural_key(self, username: str | None) -> User:
        """The user with this address, capitals aside."""
        return self.get(email__iexact=username or "")

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        """A new user with a lower-case address; call it inside an act."""
        user = self.model(email=email.strip().lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user


@audited(exclude=SIGN_IN, free=SIGN_IN)
class User(AbstractBaseUser):
    """Somebody who can sign in, by e-mail address."""

    email = models.EmailField(_("e-mail"), max_length=254)
    name = models.CharField(_("name"), max_length=200, blank=True)
    person = models.ForeignKey("Person", models.PROTECT, null=True, blank=True)
    is_active = models.BooleanField(default=True)
    is_superuser = models.BooleanField(default=False)
    joined_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    tenant = None

    class Meta:
        constraints = [models.UniqueConstraint(Lower("email"), name="user_email_unique")]

    def __str__(self) -> str:
        return f"{self.name} <{self.email}>" if self.name else self.email

    @property
    def is_staff(self) -> bool:
        """May look through the read-only window of the admin."""
        return self.is_superuser

    def get_full_name(self) -> str:
        """The name, or the address where none was given."""
        return self.name or self.email

    def has_perm(self, perm: str, obj: object = None) -> bool:
        """Only the admin asks this; work is permitted in registry.access."""
        return self.is_active and self.is_superuser and ".view_" in perm

    def has_module_perms(self, app_label: str) -> bool:
        """Only the admin asks this."""
        return self.is_active and self.is_superuser


@audited()
class RoleGrant(EffectiveModel):
    """An office a regulator holds, from one day to another; several at once are usual."""

    class Role(models.TextChoices):
        CLERK = "clerk", _("clerk")
        SUPERVISOR = "supervisor", _("supervisor")
        INVESTIGATOR = "investigator", _("investigator")
        ADMINISTRATOR = "administrator", _("county administrator")
        INSPECTOR = "inspector", _("inspector")
        COUNSEL = "counsel", _("counsel")
        RECORDS = "records", _("records officer")
        AUDITOR = "auditor", _("auditor")

    user = models.ForeignKey(User, models.PROTECT, related_name="grants")
    role = models.CharField(max_length=20, choices=Role)

    tenant = None

    class Meta:
        constraints = [
            ends_after_start("rolegrant_ends_after_start"),
            NoOverlap(name="rolegrant_once", fields=["user", "role"]),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.get_role_display()}"


@audited(exclude=["search_name"])
class Organization(RegisterModel):
    """One legal body, whatever licenses it holds."""

    class Kind(models.TextChoices):
        CHARITABLE = "charitable", _("charitable organization")
        AUTHORIZED = "authorized", _("authorized organization")
        ASSOCIATIONAL = "associational", _("associational group or organization")
        OTHER = "other", _("hall owner only")

    name = models.CharField(_("licensed name"), max_length=200)
    slug = models.SlugField(max_length=80, unique=True, editable=False)
    kind = models.CharField(_("kind"), max_length=20, choices=Kind)
    ein = models.CharField(_("EIN"), max_length=9, null=True, blank=True)  # noqa: DJ001 - unique, so unknown is null
    street = models.CharField(_("street"), max_length=200, blank=True)
    city = models.CharField(_("city"), max_length=100, blank=True)
    state = models.CharField(_("state"), max_length=2, blank=True, default="FL")
    postal_code = models.CharField(_("ZIP code"), max_length=10, blank=True)
    existing_since = models.DateField(_("in existence since"), null=True, blank=True)
    merged_into = models.ForeignKey("self", models.PROTECT, null=True, blank=True)
    merged_on = models.DateField(null=True, blank=True)
    merger_document = models.ForeignKey("Document", models.PROTECT, null=True, related_name="+")
    search_name = models.GeneratedField(
        expression=Plain(F("name")), output_field=models.TextField(), db_persist=True
    )

    tenant = "self"

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["ein"], name="organization_ein_unique"),
            models.CheckConstraint(
                name="organization_ein_nine_digits",
                condition=Q(ein__isnull=True) | Q(ein__regex=r"^[0-9]{9}$"),
            ),
            models.CheckConstraint(
                name="organization_merger_has_a_day",
                condition=Q(merged_into__isnull=True, merged_on__isnull=True)
                | Q(merged_into__isnull=False, merged_on__isnull=False),
            ),
            models.CheckConstraint(
                name="organization_not_into_itself", condition=~Q(merged_into=F("id"))
            ),
        ]
        indexes = [
            GinIndex(OpClass("search_name", name="gin_trgm_ops"), name="organization_search_trgm"),
            models.Index(
                OpClass("search_name", name="text_pattern_ops"), name="organization_search"
            ),
        ]

    def __str__(self) -> str:
        return self.name


@audited(exclude=["search_name", "sort_name", "match_key"])
class Person(RegisterModel):
    """One human, one record, across all organizations (§ 10-63(10) works only so)."""

    number = models.CharField(max_length=8, unique=True, default=person_number, editable=False)
    full_name = models.CharField(_("full name"), max_length=200)
    given_name = models.CharField(_("first name"), max_length=120, blank=True)
    family_name = models.CharField(_("last name"), max_length=120, blank=True)
    born_on = models.DateField(_("birth date"), null=True, blank=True)
    merged_into = models.ForeignKey("self", models.PROTECT, null=True, blank=True)
    search_name = models.GeneratedField(
        expression=Plain(F("full_name")), output_field=models.TextField(), db_persist=True
    )
    sort_name = models.GeneratedField(
        expression=SortKey(F("full_name"), F("given_name"), F("family_name")),
        output_field=models.TextField(),
        db_persist=True,
    )
    match_key = models.GeneratedField(
        expression=MatchKey(F("full_name")), output_field=models.TextField(), db_persist=True
    )

    tenant = None

    class Meta:
        constraints = [
            models.CheckConstraint(name="person_has_a_name", condition=~Q(full_name="")),
            models.CheckConstraint(
                name="person_not_into_itself", condition=~Q(merged_into=F("id"))
            ),
        ]
        indexes = [
            GinIndex(OpClass("search_name", name="gin_trgm_ops"), name="person_search_trgm"),
            models.Index(OpClass("search_name", name="text_pattern_ops"), name="person_search"),
            models.Index(OpClass("sort_name", name="text_pattern_ops"), name="person_sort"),
            models.Index(fields=["search_name", "born_on"], name="person_same"),
            models.Index(fields=["born_on"], name="person_born"),
            models.Index(fields=["match_key"], name="person_match"),
            models.Index(fields=["merged_into"], name="person_merged"),
        ]

    def __str__(self) -> str:
        return self.full_name


@audited()
class DifferentPeople(VoidableModel):
    """Two records that somebody looked at and found to be two humans; taken back by voiding."""

    first = models.ForeignKey(Person, models.PROTECT, related_name="+")
    second = models.ForeignKey(Person, models.PROTECT, related_name="+")
    reason = models.TextField(_("reason"))
    found_at = models.DateTimeField(auto_now_add=True)

    tenant = None

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="differentpeople_in_order", condition=Q(first__lt=F("second"))
            ),
            models.UniqueConstraint(
                fields=["first", "second"],
                condition=Q(voided_at__isnull=True),
                name="differentpeople_once",
            ),
        ]
        indexes = [models.Index(fields=["second"], name="differentpeople_second")]

    def __str__(self) -> str:
        return f"{self.first} / {self.second}"


@audited()
class Address(EffectiveModel):
    """Where a person lives, from day to day; `stated_by` None is the clerk's own record."""

    person = models.ForeignKey(Person, models.PROTECT, related_name="addresses")
    stated_by = models.ForeignKey(Organization, models.PROTECT, null=True, blank=True)
    street = models.CharField(_("street"), max_length=200, blank=True)
    city = models.CharField(_("city"), max_length=100, blank=True)
    state = models.CharField(_("state"), max_length=30, blank=True)
    postal_code = models.CharField(_("ZIP code"), max_length=10, blank=True)
    is_exempt = models.BooleanField(_("exempt from disclosure"), default=False)

    tenant = "stated_by"

    class Meta:
        constraints = [ends_after_start("address_ends_after_start")]

    def __str__(self) -> str:
        return ", ".join(filter(None, [self.street, self.city, self.state, self.postal_code]))


@audited()
class AccountHolder(EffectiveModel):
    """A user who acts for an organization; that is neither an office nor a membership."""

    user = models.ForeignKey(User, models.PROTECT, related_name="holdings")
    organization = models.ForeignKey(Organization, models.PROTECT, related_name="holders")

    tenant = "organization"

    class Meta:
        constraints = [
            ends_after_start("accountholder_ends_after_start"),
            NoOverlap(name="accountholder_once", fields=["user", "organization"]),
        ]

    def __str__(self) -> str:
        return f"{self.user} for {self.organization}"


@audited()
class WorkItem(RegisterModel):
    """Something that waits for a regulator: what, about whom, since when, by which paragraph."""

    class Kind(models.TextChoices):
        POSSIBLE_DOUBLE = "possible_double", _("may be the same person")
        LINKED = "linked", _("joined by name and birth date")
        UNION = "union", _("joined records that the law would not allow together")
        CORRECTION = "correction", _("approvals to look at after a correction")
        PLACE = "place", _("a place to be freed")
        CONCERN = "concern", _("a concern from the public")
        IRS = "irs", _("501(c) standing changed")
        REGISTRATION = "registration", _("an organization registered itself")
        CLAIM = "claim", _("somebody asks to act for an organization")
        APPLICATION = "application", _("an application to work on")
        APPEAL = "appeal", _("an appeal")

    kind = models.CharField(max_length=20, choices=Kind)
    person = models.ForeignKey(Person, models.PROTECT, null=True, related_name="work_items")
    other = models.ForeignKey(Person, models.PROTECT, null=True, related_name="+")
    organization = models.ForeignKey(Organization, models.PROTECT, null=True)
    cite = models.CharField(max_length=80, blank=True)
    note = models.TextField(blank=True)
    data = models.JSONField(default=dict, blank=True)
    opened_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    outcome = models.TextField(blank=True)

    tenant = None

    class Meta:
        indexes = [
            models.Index(fields=["opened_at"], name="workitem_open", condition=Q(closed_at=None)),
            models.Index(fields=["person", "kind"], name="workitem_person"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.person or self.organization}"


class Limit(models.Model):
    """One row that `migrate` writes from the ruleset: what the database itself counts by."""

    organizations_per_person = models.PositiveSmallIntegerField(null=True)

    tenant = None

    class Meta:
        constraints = [models.CheckConstraint(name="limit_one_row", condition=Q(id=1))]

    def __str__(self) -> str:
        return f"at most {self.organizations_per_person} organizations a person"
