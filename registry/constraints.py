"""Law the database itself can hold: no overlap, at most so many, never without an actor."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pgtrigger
from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import DateRangeField, RangeBoundary, RangeOperators
from django.db import DatabaseError, models
from django.db.models import F, Func, Q

PROVISIONS = {
    "assignment_one_other_organization": "§ 10-63(10)",
    "assignment_after_tenure": "§ 10-93(a)(1)d",
}
"""Which paragraph a database constraint holds, so that even a lost race answers with a cite."""


def constraint_of(error: DatabaseError) -> str | None:
    """The name of the constraint that refused a write, from the driver's diagnosis."""
    diag = getattr(error.__cause__, "diag", None)
    return getattr(diag, "constraint_name", None)


class DateRange(Func):
    """The closed range of two date columns."""

    function = "DATERANGE"
    output_field: models.Field[Any, Any] = DateRangeField()


class NoOverlap(ExclusionConstraint):
    """Rows equal in `fields` share no day; voided rows do not count."""

    def __init__(
        self,
        *,
        name: str,
        fields: Iterable[str],
        during: tuple[str, str] = ("starts_on", "ends_on"),
    ) -> None:
        self.fields, self.during = list(fields), tuple(during)
        span = DateRange(*during, RangeBoundary(inclusive_lower=True, inclusive_upper=True))
        super().__init__(
            name=name,
            expressions=[
                *((F(field), RangeOperators.EQUAL) for field in self.fields),
                (span, RangeOperators.OVERLAPS),
            ],
            condition=Q(voided_at__isnull=True),
        )

    def deconstruct(self) -> Any:
        """Own arguments, because Django rebuilds a constraint from these."""
        return (
            "registry.constraints.NoOverlap",
            (),
            {"name": self.name, "fields": self.fields, "during": self.during},
        )

    def validate(
        self, model: Any, instance: Any, exclude: Any = None, using: str = "default"
    ) -> None:
        """Skip void and impossible rows: the check constraints speak of those."""
        first, last = (getattr(instance, name) for name in self.during)
        if instance.voided_at or first is None or (last and last < first):
            return
        super().validate(model, instance, set(exclude or ()) - {"voided_at"}, using)


def ends_after_start(name: str) -> models.CheckConstraint:
    """A period's last day is not before its first."""
    return models.CheckConstraint(
        name=name, condition=Q(ends_on__isnull=True) | Q(ends_on__gte=F("starts_on"))
    )


class RequireActor(pgtrigger.Trigger):  # type: ignore[misc]
    """Refuses a write behind which no Act of this very transaction stands."""

    when = pgtrigger.Before
    func = "PERFORM registry_require_act(TG_TABLE_NAME); RETURN NEW;"

    @classmethod
    def on(cls, free: Sequence[str] = ()) -> list[RequireActor]:
        """One statement trigger; with `free`, updates of those columns alone need no act."""
        write = pgtrigger.Insert | pgtrigger.Delete
        if not free:
            return [cls(name="require_actor", operation=write | pgtrigger.Update)]
        return [
            cls(name="require_actor", operation=write),
            cls(
                name="require_actor_to_change",
                operation=pgtrigger.Update,
                level=pgtrigger.Row,
                condition=pgtrigger.AnyChange(exclude=list(free)),
            ),
        ]

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"level": pgtrigger.Statement, **kwargs})


AT_MOST = """
IF NEW.voided_at IS NOT NULL OR NOT NEW.takes_place THEN RETURN NEW; END IF;
fresh := TG_OP = 'INSERT';
IF TG_OP = 'UPDATE' THEN
  fresh := OLD.voided_at IS NOT NULL OR NOT OLD.takes_place
    OR OLD.person_id <> NEW.person_id OR OLD.organization_id <> NEW.organization_id;
  IF NOT fresh AND NEW.starts_on >= OLD.starts_on AND NEW.ends_on <= OLD.ends_on THEN
    RETURN NEW;
  END IF;
END IF;
SELECT {limit} INTO most FROM registry_limit;
IF most IS NULL THEN RETURN NEW; END IF;
IF current_setting('transaction_isolation') = 'repeatable read' THEN
  RAISE EXCEPTION 'the count needs read committed' USING ERRCODE = '0A000';
END IF;
root := registry_person_root(NEW.person_id);
LOOP
  PERFORM 1 FROM registry_person WHERE id = root FOR NO KEY UPDATE;
  seen := registry_person_root(NEW.person_id);
  EXIT WHEN seen = root;
  root := seen;
END LOOP;
kin := registry_person_family(root);
WITH mine AS MATERIALIZED (
  SELECT registry_organization_root(a.organization_id) AS who, a.starts_on AS s, a.ends_on AS e
    FROM {table} a
   WHERE a.person_id = ANY (kin) AND a.voided_at IS NULL AND a.takes_place
     AND a.id IS DISTINCT FROM NEW.id
     AND a.starts_on <= NEW.ends_on AND a.ends_on >= NEW.starts_on
  UNION ALL
  SELECT registry_organization_root(NEW.organization_id), NEW.starts_on, NEW.ends_on),
day AS (
  SELECT DISTINCT greatest(s, NEW.starts_on) AS d FROM mine
  UNION SELECT OLD.ends_on + 1 WHERE NOT fresh AND NEW.ends_on > OLD.ends_on)
SELECT d INTO bad FROM day JOIN mine ON d BETWEEN s AND e
 WHERE fresh OR NOT d BETWEEN OLD.starts_on AND OLD.ends_on
 GROUP BY d HAVING count(DISTINCT who) > most ORDER BY d LIMIT 1;
IF bad IS NOT NULL THEN
  RAISE EXCEPTION 'more than % organizations on %', most, bad
    USING ERRCODE = '23514', CONSTRAINT = '{name}', TABLE = TG_TABLE_NAME, DETAIL = bad::text;
END IF;
RETURN NEW;
"""


class AtMostDistinct(pgtrigger.Trigger):  # type: ignore[misc]
    """On no day more distinct organizations for one human than the limit row allows.

    Locks the person first, so two clients at once are counted one after the other. Only days on
    which somebody begins can be worst, so no series of days is made. BEFORE the row is written,
    so that the person is locked before the exclusion index is touched.
    """

    when = pgtrigger.Before
    operation = pgtrigger.Insert | pgtrigger.Update
    declare = [
        ("most", "integer"),
        ("root", "bigint"),
        ("kin", "bigint[]"),
        ("seen", "bigint"),
        ("bad", "date"),
        ("fresh", "boolean"),
    ]

    def __init__(self, *, name: str, limit: str, table: str) -> None:
        super().__init__(name=name, func=AT_MOST.format(limit=limit, table=table, name=name))
