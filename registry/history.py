"""Who did what and why: the append-only Act, and `acting`, without which nothing is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID, uuid4

import pghistory
import pgtrigger
from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import IntegrityError, connection, models, transaction
from django.db.models.functions import Cast, Now

from registry.constraints import RequireActor, constraint_of

if TYPE_CHECKING:
    from registry.models import Organization, Person, User

M = TypeVar("M", bound=models.Model)


class System(StrEnum):
    """The actors that are no person."""

    SIGN_UP = "system: sign-up"
    NIGHTLY = "system: nightly"
    SET_UP = "system: set-up"
    PUBLIC = "system: public"
    OPERATOR = "system: operator at the command line"


class NoActor(Exception):
    """Somebody tried to act without saying who acts."""


class AlreadyDone(Exception):
    """The same form was pressed twice; `act` is what the first press did."""

    def __init__(self, act: Act) -> None:
        super().__init__(act.verb)
        self.act = act


class TxId(models.Func):
    """The number of the running transaction, as text."""

    template = "(pg_current_xact_id()::text)"
    output_field: models.Field[str, str] = models.TextField()


class Act(models.Model):
    """One thing somebody did: rows changed, refusals, prints, reveals, answers. Never changed."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    at = models.DateTimeField(db_default=Now(), db_index=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="acts", db_index=True
    )
    by_name = models.CharField(max_length=320)
    verb = models.CharField(max_length=80)
    reason = models.TextField(blank=True)
    organization = models.ForeignKey("registry.Organization", models.PROTECT, null=True)
    person = models.ForeignKey("registry.Person", models.PROTECT, null=True)
    data = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    part_of = models.ForeignKey("self", models.PROTECT, null=True)
    token = models.UUIDField(null=True, unique=True)
    xact = models.BigIntegerField(db_default=Cast(TxId(), models.BigIntegerField()))

    tenant = "organization"

    class Meta:
        triggers = [
            pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete)
        ]
        constraints = [
            models.CheckConstraint(
                name="act_has_an_actor",
                condition=models.Q(by__isnull=False)
                | models.Q(by_name__in=[actor.value for actor in System]),
            )
        ]

    def __str__(self) -> str:
        return f"{self.by_name}: {self.verb}"

    def part(self, verb: str, person: Person, data: dict[str, Any], reason: str = "") -> Act:
        """One of many things done in this act, unsaved: what it did about one person."""
        return Act(
            by=self.by,
            by_name=self.by_name,
            verb=verb,
            reason=reason,
            organization=self.organization,
            person=person,
            data=data,
            part_of=self,
        )


_pressed: ContextVar[UUID | None] = ContextVar("pressed", default=None)


@contextmanager
def pressed(token: UUID | None) -> Iterator[None]:
    """The next act carries this form's token, so that a second press finds the first."""
    mark = _pressed.set(token)
    try:
        yield
    finally:
        _pressed.reset(mark)


def seek_first_press() -> None:
    """Raise AlreadyDone when the form at hand was pressed before.

    For acts that may end in a refusal: those leave the token free, so that another try counts.
    """
    token = _pressed.get()
    first = Act.objects.filter(token=token).first() if token else None
    if first is not None:
        raise AlreadyDone(first)


def first_press(by: User, token: str) -> Act | None:
    """What this user's first press of the form with this token did; None when it did nothing."""
    try:
        return Act.objects.filter(token=UUID(token), by=by).first()
    except ValueError:
        return None


def _take_token() -> UUID | None:
    token = _pressed.get()
    _pressed.set(None)
    return token


_paper: ContextVar[dict[str, str] | None] = ContextVar("paper", default=None)


@contextmanager
def from_paper(officer: str, received_on: date) -> Iterator[None]:
    """The acts inside are keyed in from a paper: on whose behalf, and when it was received."""
    told = {"on_behalf_of": officer, "received_on": received_on.isoformat()}
    mark = _paper.set(told)
    try:
        yield
    finally:
        _paper.reset(mark)


@contextmanager
def acting(
    by: User | System,
    verb: str,
    *,
    reason: str = "",
    organization: Organization | None = None,
    person: Person | None = None,
    data: dict[str, Any] | None = None,
) -> Iterator[Act]:
    """Write one Act and tie every row written inside to it; one transaction, nestable.

    Raises NoActor without a saved actor, AlreadyDone when the form was pressed before.
    """
    if by is None or not (isinstance(by, System) or by.pk):
        raise NoActor(verb)
    act = Act(
        by=None if isinstance(by, System) else by,
        by_name=by.value if isinstance(by, System) else str(by),
        verb=verb,
        reason=reason,
        organization=organization,
        person=person,
        data={**(_paper.get() or {}), **(data or {})},
        token=_take_token(),
    )
    with transaction.atomic(), connection.cursor() as cursor:
        outer = _current(cursor)
        act.part_of_id = UUID(outer) if outer else None
        _save(act)
        _set(cursor, str(act.pk))
        yield act
        _set(cursor, outer)


def _save(act: Act) -> None:
    try:
        with transaction.atomic():
            act.save(force_insert=True)
    except IntegrityError as error:
        if act.token and "token" in (constraint_of(error) or ""):
            raise AlreadyDone(Act.objects.get(token=act.token)) from error
        raise


def _current(cursor: Any) -> str:
    cursor.execute("SELECT coalesce(current_setting('pghistory.context_id', true), '')")
    return str(cursor.fetchone()[0])


def _set(cursor: Any, act_id: str) -> None:
    cursor.execute("SELECT set_config('pghistory.context_id', %s, true)", [act_id])


def audited(
    *, exclude: Sequence[str] = (), free: Sequence[str] = ()
) -> Callable[[type[M]], type[M]]:
    """Class decorator: each change is kept in a history table, and none goes without an Act.

    `exclude` names columns the history leaves out, `free` those whose change needs no act.
    """

    def decorate(model: type[M]) -> type[M]:
        for trigger in RequireActor.on(free):
            model = pgtrigger.register(trigger)(model)
        tracked: type[M] = pghistory.track(exclude=list(exclude))(model)
        return tracked

    return decorate


def system(name: str) -> System:
    """The system actor of this name: sign-up, nightly, set-up, public."""
    return System(f"system: {name}")
