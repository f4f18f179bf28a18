"""Everything a rule may look at about one person and one question. Built by selectors or by a case file; pure."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from datetime import date, time
from enum import StrEnum

from registry.periods import Period
from registry.verdicts import Outcome


class Question(StrEnum):
    """May the person work on a day, or be approved for a span of days?"""

    CONDUCT = "conduct"
    ASSIGN = "assign"


class Kind(StrEnum):
    """How a person belongs to an organization (§ 10-63(12); F.S. 849.0931(8) asks the member's class)."""

    MEMBER = "member"
    REGULAR = "regular"
    ASSOCIATE = "associate"
    HONORARY = "honorary"
    VOLUNTEER = "volunteer"


@dataclass(frozen=True, slots=True)
class Spell:
    """One membership row. `shown`: an officer attested it. `carried_on`: the day a merger brought it here."""

    kind: Kind
    period: Period
    shown: bool = True
    carried_on: date | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """One activity for the organization; `done_on` None is a row without a date."""

    kind: str
    done_on: date | None
    shown: bool = True
    carried_on: date | None = None


@dataclass(frozen=True, slots=True)
class LicenseSpell:
    """The days one license runs, with the days it was suspended in between."""

    period: Period
    suspended: tuple[Period, ...] = ()
    number: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """One assignment, here or elsewhere. `body` is the surviving legal body; `licenses` None: it has no license rows."""

    body: Hashable
    name: str
    period: Period
    licenses: tuple[LicenseSpell, ...] | None = None
    takes_place: bool = True
    order: int = 0


@dataclass(frozen=True, slots=True)
class Interest:
    """An interest in a lessor (§ 10-65(b)). `own_hall`: the lessor is the asked organization itself."""

    lessor: str
    tie: str
    period: Period
    own_hall: bool = False


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A session at another place at the same hours."""

    name: str
    starts_at: time | None = None
    ends_at: time | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """What the administrator, the board or a court decided on one test for one person and period."""

    rule: str
    outcome: Outcome
    period: Period
    by: str
    decided_on: date


@dataclass(frozen=True, slots=True)
class Facts:
    """One person, one organization, one day (or span, when asked to assign)."""

    body: Hashable
    organization: str
    on: date
    question: Question = Question.CONDUCT
    until: date | None = None
    began_on: date | None = None
    """First day of the assignment here that covers `on`, when there is one (P19)."""
    spells: tuple[Spell, ...] = ()
    suspensions: tuple[Period, ...] = ()
    activities: tuple[Done, ...] = ()
    licenses: tuple[LicenseSpell, ...] | None = None
    places: tuple[Place, ...] = ()
    interests: tuple[Interest, ...] = ()
    elsewhere: tuple[Elsewhere, ...] = ()
    decisions: tuple[Decision, ...] = ()
    born_on: date | None = None
    is_adult_attested: bool = False
    is_resident: bool | None = None
    in_charge: bool = False
    assisting: bool = False
    """Helps without game or money: a tag, no pay, no lessor interest, 18; no 30 days, takes no place (decisions 8)."""
    double_open: bool = False
    """A possible double is being looked at: a full place is then not shown (decisions 16)."""
    birth_is_own: bool = True
    """False when the asking organization did not itself enter the birth date: its cure date would give it away."""
