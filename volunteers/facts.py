"""Everything a rule may look at about one person and one question. Pure.

Built by selectors or by a case file.
"""

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
    """How a person belongs (§ 10-63(12)); F.S. 849.0931(8) asks the member's class."""

    MEMBER = "member"
    REGULAR = "regular"
    ASSOCIATE = "associate"
    HONORARY = "honorary"
    VOLUNTEER = "volunteer"


@dataclass(frozen=True, slots=True)
class Spell:
    """One membership row.

    `shown`: an officer attested it. `carried_on`: the day a merger brought it here.
    """

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
    """One assignment, here or elsewhere: the rows of the asked organization belong in the list too.

    `body` is the surviving legal body; `licenses` None: it has no license rows. A start of
    date.min is one that is not recorded, so it is never judged.
    """

    body: Hashable
    name: str
    period: Period
    licenses: tuple[LicenseSpell, ...] | None = None
    takes_place: bool = True
    order: int = 0
    """Which was recorded first, among those that begin on one day."""
    is_lessor: bool = False
    """Work for a hall owner, or under a body's hall owner's license (P14, P20)."""
    is_member: bool = False
    """The person is a full member there (P10)."""
    is_home: bool = False
    """Named as the home organization, which only case files do (P12)."""
    began_on: date | None = None
    """First day of the assignment, where `period` is only a part of it."""

    @property
    def start(self) -> date:
        """The day the assignment began."""
        return self.began_on or self.period.starts_on


@dataclass(frozen=True, slots=True)
class Interest:
    """An interest in a lessor (§ 10-65(b)); `own_hall`: the lessor is the asked body itself."""

    lessor: str
    tie: str
    period: Period
    own_hall: bool = False


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A session at another place at the same hours; `held_on` None is the asked day."""

    name: str
    starts_at: time | None = None
    ends_at: time | None = None
    held_on: date | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """What administrator, board or court decided on one test for one person and period."""

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
    """Helps without game or money: a tag, no pay, no lessor interest, 18; no 30 days, no place."""
    double_open: bool = False
    """A possible double is being looked at: a full place is then not shown."""
    birth_is_own: bool = True
    """False when the asking organization did not enter the birth date, so no date may tell it."""
    birth_is_stated: bool = True
    """False when the asking organization never stated a birth date, its own or another."""
    leases_only: bool = False
    """The asked body only leases: § 10-63(12) speaks of organizations, so it is not asked here."""
    excused: bool = False
    """An excuse under the sheriff's rules is recorded for the asked day (P15)."""
    home_spells: tuple[Spell, ...] | None = None
    """Rows at the home organization, which only case files name (P8)."""
    home_activities: tuple[Done, ...] | None = None
