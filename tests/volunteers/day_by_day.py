"""The law once more, told slowly: it walks day by day and shares nothing with the rules.

It knows facts that lie within its horizon only, and answers outcomes, not words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from registry.ruleset import Ruleset
from volunteers.facts import Facts, Kind, Place, Question, Spell

DAY = timedelta(days=1)
BARRING = (
    "license",
    "membership",
    "suspension",
    "tenure",
    "activity",
    "one_other",
    "lessor",
    "age",
    "presence",
)
NOT_AT_A_LESSOR = {"membership", "suspension", "tenure", "activity"}
OF_A_HELPER = {"license", "lessor", "age"}


def each_day(first: date, last: date) -> Iterator[date]:
    """Every day from the first to the last."""
    while first <= last:
        yield first
        first += DAY


@dataclass
class DayByDay:
    """The facts of one person, asked day after day from `first` to `last`."""

    facts: Facts
    law: Ruleset
    first: date
    last: date

    def outcome(self, rule: str, day: date) -> str:
        """met, not_met or not_shown, for one test on one day."""
        facts = self.facts
        if facts.assisting and rule not in OF_A_HELPER:
            return "met"
        if not facts.assisting and facts.leases_only and rule in NOT_AT_A_LESSOR:
            return "met"
        if rule != "one_other":
            decided = self.decision(rule, day)
            if decided:
                return decided
        return str(getattr(self, rule)(day))

    def decision(self, rule: str, day: date) -> str | None:
        found = None
        for one in self.facts.decisions:
            speaks = one.rule == rule and covers(one.period, day)
            if speaks and (found is None or one.decided_on > found.decided_on):
                found = one
        return found.outcome.value if found else None

    def bars(self, rule: str, day: date) -> bool:
        if rule == "license" and self.law.license.effect == "informs":
            return False
        return self.outcome(rule, day) != "met"

    def cure(self, rule: str, on: date) -> date | None:
        for day in self.days_to_wait(on):
            if self.outcome(rule, day) == "met":
                return day
        return None

    def eligible(self, on: date) -> date | None:
        for day in [on, *self.days_to_wait(on)]:
            if not any(self.bars(rule, day) for rule in BARRING):
                return day
        return None

    def days_to_wait(self, on: date) -> list[date]:
        last = self.last
        if self.facts.question is Question.ASSIGN and self.facts.until:
            last = min(last, self.facts.until)
        return list(each_day(on + DAY, last))

    # one test each

    def license(self, day: date) -> str:
        if self.law.license.home == "required":
            for place in self.facts.places:
                if place.is_home and covers(place.period, day) and not licensed(place, day):
                    return "not_met"
        return "met" if licensed(self.facts, day) else "not_met"

    def membership(self, day: date) -> str:
        state = "not_met"
        for spell in self.facts.spells:
            if reversed_(spell):
                state = "not_shown"
        for spell in self.facts.spells:
            if self.belongs(spell, day, known_on=day) and not spell.shown:
                state = "not_shown"
        for spell in self.facts.spells:
            if self.belongs(spell, day, known_on=day) and spell.shown:
                state = "met"
        return state

    def suspension(self, day: date) -> str:
        return "not_met" if self.suspended(day) else "met"

    def tenure(self, day: date) -> str:
        start = self.approved_on(day)
        on_the_day = self.full_for(day, known_on=day)
        if start is None or self.law.tenure.measured_at == "conduct":
            return on_the_day
        at_the_start = self.full_for(start, known_on=day)
        if self.law.tenure.measured_at == "designation" or on_the_day == "met":
            return at_the_start
        return on_the_day

    def activity(self, day: date) -> str:
        start = self.approved_on(day)
        shown = self.active(day, known_on=day)
        if self.law.activity.measured_at == "both" and start is not None:
            shown = shown and self.active(start, known_on=day)
        return "met" if shown else "not_shown"

    def one_other(self, day: date) -> str:
        if self.facts.leases_only and not self.law.one_other.counts_lessor:
            return "met"
        last = day
        if self.facts.question is Question.ASSIGN:
            last = max(day, min(self.facts.until or self.last, self.last))
        for one in each_day(day, last):
            decided = self.decision("one_other", one)
            if decided == "met":
                continue
            if decided:
                return decided
            if self.ahead(one) >= 2:
                return "not_shown" if self.facts.double_open else "not_met"
        return "met"

    def lessor(self, day: date) -> str:
        for interest in self.facts.interests:
            exempt = interest.own_hall and self.law.lessor.interest_bars == "tenants_only"
            if covers(interest.period, day) and not exempt:
                return "not_met"
        if self.law.lessor.work == "bars":
            if self.facts.leases_only:
                return "not_met"
            for place in self.facts.places:
                elsewhere = place.is_lessor and place.body != self.facts.body
                if elsewhere and covers(place.period, day):
                    return "not_met"
        return "met"

    def age(self, day: date) -> str:
        born = self.facts.born_on
        if born is None:
            return "met" if self.facts.is_adult_attested else "not_shown"
        leap = born.month == 2 and born.day == 29
        month_day = (born.month, born.day)
        if leap and self.law.age.leap_birthday == "feb_28":
            month_day = (2, 28)
        birthday_passed = (day.month, day.day) >= month_day
        years = day.year - born.year - (0 if birthday_passed else 1)
        return "met" if years >= 18 else "not_met"

    def presence(self, day: date) -> str:
        clash = any((e.held_on or self.facts.on) == day for e in self.facts.elsewhere)
        if self.law.presence.excuse == "recorded" and self.facts.excused:
            clash = False
        if self.law.presence.binds == "in_charge" and not self.facts.in_charge:
            clash = False
        return "not_met" if clash else "met"

    # belonging, counted by walking

    def belongs(self, spell: Spell, day: date, known_on: date) -> bool:
        if spell.carried_on and spell.carried_on > known_on:
            return False
        if day < spell.period.starts_on:
            return False
        if spell.period.ends_on is None:
            return True
        if self.law.membership.leave_day == "first_outside":
            return day < spell.period.ends_on
        return day <= spell.period.ends_on

    def suspended(self, day: date) -> bool:
        return any(covers(hole, day) for hole in self.facts.suspensions)

    def counted_spells(self) -> tuple[Spell, ...]:
        if self.law.tenure.place == "home" and self.facts.home_spells is not None:
            return self.facts.home_spells
        return self.facts.spells

    def full_for(self, day: date, known_on: date) -> str:
        spells = self.counted_spells()
        shown = [spell for spell in spells if spell.shown]
        if self.is_full(shown, day, known_on):
            return "met"
        if self.is_full(list(spells), day, known_on):
            return "not_shown"
        nobody = not any(self.counts_at(s, day, known_on) for s in spells)
        suspended = self.law.tenure.suspension == "restart" and self.suspended(day)
        if any(map(reversed_, spells)) and (nobody or suspended):
            return "not_shown"
        return "not_met"

    def is_full(self, spells: list[Spell], day: date, known_on: date) -> bool:
        volunteers = [s for s in spells if s.kind is Kind.VOLUNTEER]
        members = [s for s in spells if s.kind is not Kind.VOLUNTEER]
        is_member = any(self.belongs(s, day, known_on) for s in members)
        if self.law.tenure.binds == "volunteers" and is_member:
            return True
        groups = [spells] if self.law.tenure.tack_kinds else [volunteers, members]
        return any(self.walk(group, day, known_on) for group in groups)

    def counts_at(self, spell: Spell, day: date, known_on: date) -> bool:
        if self.law.tenure.merger == "restarts" and spell.carried_on and day < spell.carried_on:
            return False
        return self.belongs(spell, day, known_on)

    def walk(self, spells: list[Spell], day: date, known_on: date) -> bool:
        """Walk back to where the count began, and count the days in between."""

        def here(one: date) -> bool:
            return any(self.counts_at(s, one, known_on) for s in spells)

        def stops(one: date) -> bool:
            return self.law.tenure.suspension == "restart" and self.suspended(one)

        if not here(day) or stops(day):
            return False
        joined = next(one for one in each_day(self.first, day) if here(one))
        since = day
        while since > joined and not stops(since - DAY):
            if self.law.tenure.unbroken and not here(since - DAY):
                break
            since -= DAY
        left_out = self.law.tenure.suspension == "excluded"
        counted = 0
        for one in each_day(since, day - DAY):
            if not (left_out and self.suspended(one)):
                counted += 1
        extra = {"exclude_first": 0, "include_first": 1, "clear_days": -1}
        return counted + extra[self.law.tenure.count_mode] >= (self.law.tenure.days or 0)

    def active(self, day: date, known_on: date) -> bool:
        facts, law = self.facts, self.law.activity
        deeds = facts.activities
        if self.law.tenure.place == "home" and facts.home_activities is not None:
            deeds = facts.home_activities
        for deed in deeds:
            counts = deed.shown and "bingo" not in deed.kind and deed.done_on is not None
            if counts and deed.carried_on and deed.carried_on > known_on:
                counts = False
            if counts and deed.done_on > day:
                counts = False
            if counts and law.look_back == "window":
                counts = (day - deed.done_on).days <= law.window_days
            if counts and law.same_spell:
                counts = self.in_one_spell(deed.done_on, day, known_on)
            if counts:
                return True
        return False

    def in_one_spell(self, done_on: date, day: date, known_on: date) -> bool:
        def here(one: date) -> bool:
            return any(self.belongs(s, one, known_on) for s in self.counted_spells())

        if not here(day):
            return False
        if not self.law.tenure.unbroken:
            return any(here(one) for one in each_day(self.first, done_on))
        return all(here(one) for one in each_day(done_on, day))

    def approved_on(self, day: date) -> date | None:
        """The first day of the approval here that covers the day."""
        if self.facts.question is Question.ASSIGN:
            return None
        here = [p for p in self.facts.places if p.body == self.facts.body]
        covering = [p.period.starts_on for p in here if covers(p.period, day)]
        if covering:
            return max(covering)
        began = self.facts.began_on
        return began if not here and began is not None and began <= day else None

    # places, counted by walking

    def seat(self, body: Any, is_lessor: bool) -> Any:  # noqa: FBT001
        return (body, is_lessor) if self.law.one_other.per_license else body

    def window(self, day: date) -> list[date]:
        kind = self.law.one_other.window
        if kind == "concurrent":
            return [day]
        if kind == "rolling_days":
            return list(each_day(day - DAY * 11, day))
        days = []
        for one in each_day(self.first, day):
            if kind == "license_year" and (one.month, one.day) == (10, 1):
                days = []
            days.append(one)
        return days

    def takes(self, place: Place, day: date) -> bool:
        if not covers(place.period, day):
            return False
        if self.law.one_other.counts == "until_ended" or place.licenses is None:
            return True
        if self.law.one_other.counts == "in_force":
            return any(
                covers(one.period, day) and not any(covers(h, day) for h in one.suspended)
                for one in place.licenses
            )
        return any(covers(one.period, day) for one in place.licenses)

    def ahead(self, day: date) -> int:
        """How many others hold a place on the day and began before this one."""
        window = self.window(day)
        own = self.seat(self.facts.body, self.facts.leases_only)
        rows: dict[Any, list[tuple[int, Place]]] = {}
        for index, place in enumerate(self.facts.places):
            seat = self.seat(place.body, place.is_lessor)
            exempt = (self.law.one_other.members_exempt and place.is_member) or (
                place.is_lessor and not self.law.one_other.counts_lessor
            )
            if place.takes_place and (seat == own or not exempt):
                rows.setdefault(seat, []).append((index, place))
        mine = self.began(rows.pop(own, []), window)
        began = self.facts.began_on
        if mine is None and not self.own_rows() and began and began <= window[-1]:
            mine = (began, 10**6, 10**6)
        if self.facts.question is Question.ASSIGN:
            mine = None
        number = 0
        for places in rows.values():
            holds = any(self.takes(place, one) for _, place in places for one in window)
            if holds and (mine is None or self.began(places, window) < mine):
                number += 1
        return number

    def own_rows(self) -> bool:
        own = self.seat(self.facts.body, self.facts.leases_only)
        return any(
            self.seat(p.body, p.is_lessor) == own and p.takes_place and not empty(p)
            for p in self.facts.places
        )

    def began(self, rows: list[tuple[int, Place]], window: list[date]) -> Any:
        """When the work began, without a day off, that the window first meets."""

        def works(one: date) -> bool:
            return any(covers(place.period, one) for _, place in rows)

        met = next((one for one in window if works(one)), None)
        if met is None:
            return None
        while works(met - DAY):
            met -= DAY
        firsts = [
            (p.order, index) for index, p in rows if p.period.starts_on == met and not empty(p)
        ]
        return (met, *min(firsts))


def covers(period: Any, day: date) -> bool:
    """True when the day lies between first and last day."""
    return period.starts_on <= day and (period.ends_on is None or day <= period.ends_on)


def empty(place: Place) -> bool:
    """True for a row that ends before it begins."""
    return place.period.ends_on is not None and place.period.ends_on < place.period.starts_on


def reversed_(spell: Spell) -> bool:
    """True for a membership that ends before it begins."""
    return spell.period.ends_on is not None and spell.period.ends_on < spell.period.starts_on


def licensed(holder: Any, day: date) -> bool:
    """True when no license rows are known, or one runs that is not suspended."""
    if holder.licenses is None:
        return True
    for one in holder.licenses:
        if covers(one.period, day) and not any(covers(hole, day) for hole in one.suspended):
            return True
    return False


def asked_about(facts: Facts, day: date) -> Facts:
    """The same facts with another day asked about; the clashing sessions stay on theirs."""
    sessions = tuple(replace(e, held_on=e.held_on or facts.on) for e in facts.elsewhere)
    return replace(facts, on=day, elsewhere=sessions)
