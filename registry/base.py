"""What every row of the register has in common: scoped, dated, voided instead of deleted."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from itertools import islice
from typing import TYPE_CHECKING, Any, Self

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from registry.periods import Period

if TYPE_CHECKING:
    from registry.access import Anyone


BATCH = 2_000
"""Rows written in one statement."""


class RegisterQuerySet(models.QuerySet[Any, Any]):
    """Rows with a door: who may see them."""

    def visible_to(self, user: Anyone) -> Self:
        """All rows for regulators and the system, own organizations' for holders, else none."""
        from registry.access import is_regulator, organizations_held
        from registry.history import System

        if isinstance(user, System) or is_regulator(user):
            return self
        path = getattr(self.model, "tenant", None)
        if path is None:
            return self.none()
        key = "pk__in" if path == "self" else f"{path}__in"
        return self.filter(**{key: organizations_held(user)})

    def standing(self) -> Self:
        """Rows that were not entered in error."""
        return self.filter(voided_at__isnull=True)

    def on(self, day: date) -> Self:
        """Standing rows in whose period the day lies."""
        ends = Q(ends_on__isnull=True) | Q(ends_on__gte=day)
        return self.standing().filter(ends, starts_on__lte=day)


def insert_all(model: Any, rows: Iterable[models.Model]) -> int:
    """Insert rows as they come, so that a long list is never held whole; returns how many."""
    rows, count = iter(rows), 0
    while some := list(islice(rows, BATCH)):
        model.objects.bulk_create(some)
        count += len(some)
    return count


class RegisterModel(models.Model):
    """A row of the register. `tenant` is the path to the organization, None for regulators only."""

    tenant: str | None

    objects = RegisterQuerySet.as_manager()

    class Meta:
        abstract = True


class VoidableModel(RegisterModel):
    """A row that is never deleted: entered in error, it is voided with a reason."""

    voided_at = models.DateTimeField(null=True, blank=True, editable=False)
    void_reason = models.TextField(blank=True, editable=False)

    class Meta:
        abstract = True


class EffectiveModel(VoidableModel):
    """A fact that holds from one county-local day to another, both included."""

    starts_on = models.DateField(_("from"))
    ends_on = models.DateField(_("last day"), null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def period(self) -> Period:
        """The days on which it holds."""
        return Period(self.starts_on, self.ends_on)


class AttestedModel(models.Model):
    """A fact an officer stated, or that stands on a paper; without either it is not shown."""

    attested_on = models.DateField(_("confirmed on"), null=True, blank=True)
    attested_by = models.CharField(_("confirmed by"), max_length=200, blank=True)
    evidence = models.CharField(_("shown by"), max_length=200, blank=True)

    class Meta:
        abstract = True

    @property
    def is_shown(self) -> bool:
        """True when somebody answers for it."""
        return self.attested_on is not None
