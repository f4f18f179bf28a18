"""What each block of a ruleset says, typed. Pure: values come from the files in rulesets/."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from typing import Literal

from registry.periods import ONE_DAY
from registry.verdicts import Effect


@dataclass(frozen=True, slots=True, kw_only=True)
class Provision:
    """One block: where it stands, since when, and what failing it does."""

    cite: str
    title: str
    valid_from: date
    effect: Effect = Effect.INFORMS
    is_policy: bool = False
    """True for a number of the regulator's own, such as one activity in 365 days."""
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class License(Provision):
    """A license in force (§ 10-64(a))."""

    home: Literal["ignored", "required"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Membership(Provision):
    """Belonging on the day (§ 10-63(12))."""

    leave_day: Literal["last_day", "first_outside"]
    join_date: Literal["admission", "application", "first_dues", "card"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tenure(Provision):
    """How long before the day (§ 10-63(12), § 10-93(a)(1)d): in days, or in months."""

    start_cite: str
    days: int | None
    months: int | None
    count_mode: Literal["exclude_first", "include_first", "clear_days"]
    binds: Literal["both", "volunteers"]
    measured_at: Literal["both", "conduct", "designation"]
    unbroken: bool
    grace_gap_days: int
    tack_kinds: bool
    suspension: Literal["restart", "excluded", "barred_only"]
    merger: Literal["carries", "restarts"]
    place: Literal["asked", "home"]
    month_end: Literal["clamp", "next_day"]
    evidence: Literal["attested", "document"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity(Provision):
    """Other meaningful activities (§ 10-63(12)); the number is the regulator's standard."""

    start_cite: str
    min_count: int
    look_back: Literal["window", "any_time"]
    window_days: int | None
    same_spell: bool
    measured_at: Literal["conduct", "both"]
    kinds: tuple[str, ...]
    refused_kinds: tuple[str, ...]
    refused_words: tuple[str, ...]

    def counts(self, kind: str) -> bool:
        """Tell whether a kind of activity is one other than bingo, whether listed or not."""
        plain = " ".join(kind.casefold().split())
        refused = plain in self.refused_kinds or any(word in plain for word in self.refused_words)
        return bool(plain) and not refused


@dataclass(frozen=True, slots=True, kw_only=True)
class OneOther(Provision):
    """No more than one other organization (§ 10-63(10))."""

    max_entities: int | None
    window: Literal["concurrent", "license_year", "ever", "rolling_days"]
    window_days: int | None
    counts_lessor: bool
    counts: Literal["unexpired", "in_force", "until_ended"]
    members_exempt: bool
    per_license: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Lessor(Provision):
    """An interest in a hall owner (§ 10-65(b))."""

    interest_bars: Literal["tenants_only", "all"]
    work: Literal["counts", "bars"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Age(Provision):
    """Nobody too young (§ 10-63(5), F.S. 849.0931(10)(a))."""

    min_years: int
    leap_birthday: Literal["mar_1", "feb_28"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Presence(Provision):
    """One place at a time (§ 10-63(10))."""

    excuse: Literal["none", "recorded"]
    binds: Literal["everyone", "in_charge"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Residence(Provision):
    """Resident of the community (F.S. 849.0931(8))."""

    test: Literal["county_or_radius", "county", "city"]
    radius_miles: int | None
    months: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rotation(Provision):
    """More than so many organizations in one license year are mentioned."""

    max_entities: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Duties(Provision):
    """What people do on an evening; helpers and work for a hall owner are asked some tests only."""

    direct: tuple[str, ...]
    assisting: tuple[str, ...]
    members_only: tuple[str, ...]
    """Duties that a plain volunteer does not do (F.S. 849.0931(8): the members in charge)."""
    assisting_tests: tuple[str, ...]
    lessor_tests: tuple[str, ...]
    kitchen: Literal["neither", "assisting"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag(Provision):
    """What the name tag shows, and how small its print may get (§ 10-63(10))."""

    fields: tuple[str, ...]
    optional_fields: tuple[str, ...]
    name: Literal["full", "first"]
    width_in: Decimal
    height_in: Decimal
    per_sheet: int
    sheet: str
    min_points: int
    min_points_organization: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Licensing(Provision):
    """Classes, the license year and its fees (§ 10-84, § 10-91)."""

    classes: tuple[str, ...]
    year_end_month: int
    year_end_day: int
    present_by_month: int
    present_by_day: int
    renew_by_month: int
    renew_by_day: int
    half_fee_from_month: int
    half_fee_from_day: int
    october_first: Literal["full", "none"]
    obtained_on: Literal["issue_date", "filing_date"]
    fee_class_a: Decimal | None
    fee_class_b: Decimal | None
    fee_half_share: Decimal
    conviction_years: int | None

    def year_end(self, day: date) -> date:
        """Return the last day of the license year in which the day lies (§ 10-91(a))."""
        this_year = date(day.year, self.year_end_month, self.year_end_day)
        if day <= this_year:
            return this_year
        return this_year.replace(year=day.year + 1) if day.year < date.max.year else date.max

    def year_start(self, day: date) -> date:
        """Return the first day of the license year in which the day lies."""
        this_year = date(day.year, self.year_end_month, self.year_end_day)
        if day > this_year:
            return this_year + ONE_DAY
        before = day.year - 1
        return date.min if before < date.min.year else this_year.replace(year=before) + ONE_DAY


@dataclass(frozen=True, slots=True, kw_only=True)
class Hours(Provision):
    """Between which times play is lawful (§ 10-68(1)); 24:00 is the day's own midnight."""

    opens: str
    closes: str

    @property
    def opens_minute(self) -> int:
        """First lawful minute of a day, counted from midnight."""
        return minute_of(self.opens)

    @property
    def closes_minute(self) -> int:
        """Minute at which play has ended, counted from midnight."""
        return minute_of(self.closes)


def minute_of(clock: str) -> int:
    """Turn "09:00" or "24:00" into minutes since midnight."""
    hours, minutes = clock.split(":")
    return int(hours) * 60 + int(minutes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Week(Provision):
    """What a calendar week is (§ 10-63(1), § 10-68(2))."""

    start: Literal["sunday", "monday"]
    mode: Literal["calendar", "rolling7"]
    warn_rolling_days: int | None

    def first_day(self, day: date) -> date:
        """Return the first day of the calendar week in which the day lies."""
        back = (day.weekday() + 1) % 7 if self.start == "sunday" else day.weekday()
        return day - timedelta(days=back) if day.toordinal() > back else date.min


@dataclass(frozen=True, slots=True, kw_only=True)
class Play(Provision):
    """Days of play (§ 10-63(1), F.S. 849.0931(6))."""

    max_days_per_week: int | None
    over_midnight: Literal["start_date", "each_date"]
    caller_plays: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Premises(Provision):
    """How often, and by whom, a hall may be used (§ 10-68(2), (4))."""

    max_per_week: int | None
    unit: Literal["occasion", "day"]
    exclusive_hours: int | None
    exclusive_mode: Literal["end_to_start", "start_to_start", "same_date"]
    instant_counts: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Prizes(Provision):
    """Prize limits (F.S. 849.0931(5), (7))."""

    jackpot_cap: Decimal | None
    jackpots_per_session: int | None
    jackpots_per_day: int | None
    other_cap: Decimal | None
    split: Literal["whole_game", "each_winner"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Instant(Provision):
    """Instant bingo (§ 10-63(14), F.S. 849.0931(13))."""

    max_price: Decimal | None
    max_tickets: int | None
    min_payout_percent: int | None
    serial_years: int | None
    needs_bingo: bool
    vending: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Charity(Provision):
    """Who may conduct, where, and how many are in charge (F.S. 849.0931)."""

    existence_years: int | None
    place_radius_miles: int | None
    lease_years: int | None
    min_in_charge: int | None
    max_in_charge: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bank(Provision):
    """The bingo account (§ 10-64(b))."""

    deposit_hours: int | None
    deposit_from: Literal["session_end", "session_start"]
    signatures: int | None
    in_county: Literal["branch", "head_office"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote(Provision):
    """The vote at midnight (§ 10-63(4))."""

    voters: Literal["players", "all_present"]
    tie: Literal["players", "donated"]
    chair: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Excuse(Provision):
    """An excuse from being present (§ 10-63(10)); the sheriff's rules were not seen."""

    reasons: tuple[str, ...]
    written_within_business_days: int | None
    in_advance: bool
    needs_other_in_charge: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Pay(Provision):
    """No pay (§ 10-93(a)(1)e, F.S. 849.0931(8))."""

    tips: Literal["breach", "allowed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Posting(Provision):
    """What hangs on the wall (§ 10-64(a), F.S. 849.0931(8))."""

    items: tuple[str, ...]
    letter_height_in: Decimal | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Deadlines(Provision):
    """Day counts of procedure; those whose text was not seen are None."""

    investigation_days: int | None
    decision_days: int | None
    appeal_days: int | None
    hearing_days: int | None
    appeal_stays: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure(Provision):
    """The regulator's own days: from when one may renew, when to remind, how long a code works."""

    renewal_window_days: int
    reminder_days: tuple[int, ...]
    """So many days before the end; one more reminder follows after it."""
    code_days: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Records(Provision):
    """How long records are kept."""

    invoice_years: int | None
    retention_years: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Exemption(Provision):
    """What a revoked tax exemption does to a license."""

    on_revocation: Literal["flag", "suspend", "revoke"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """An open question of the text: how it is read here, and how it could be."""

    key: str
    question: str
    value: object
    others: tuple[object, ...]
    marks: tuple[str, ...] = ()
    means: Mapping[str, str] = field(default_factory=dict)
    confirmed: bool = False
    crosses: bool = False
    """True when the other reading would look at another organization's rows."""

    def says(self, value: object) -> str:
        """Return a reading in plain words, or as it is written where there are none."""
        return self.means.get(spelled(value), spelled(value))


def spelled(value: object) -> str:
    """Write a ruleset's value as the file writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
