"""The law as files: dated, cited, layered, and honest about what is not known."""

from __future__ import annotations

import subprocess
import sys
from datetime import date
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from registry.ruleset import (
    PROVISIONS,
    BadRuleset,
    Ruleset,
    TextUnknown,
    as_provided,
    county_time_zone,
    in_force,
    titles,
)
from registry.verdicts import Effect

ON = date(2026, 6, 1)
LAW = in_force(ON)


def tried(tmp_path: Path, text: str, on: date = ON) -> Ruleset:
    path = tmp_path / "tried.toml"
    path.write_text(f'name = "tried"\ntitle = "Tried County"\nextends = "pasco"\n{text}')
    return in_force(on, str(path))


def test_the_county_s_numbers_come_with_their_cites() -> None:
    assert (LAW.name, LAW.title, LAW.license_year_end) == ("pasco", "Pasco County", (9, 30))
    assert (LAW.tenure.days, LAW.tenure.cite, LAW.tenure.start_cite) == (
        30,
        "§ 10-63(12)",
        "§ 10-93(a)(1)d",
    )
    assert (LAW.one_other.max_entities, LAW.activity.window_days) == (2, 365)
    assert (LAW.hours.opens_minute, LAW.hours.closes_minute) == (540, 1440)
    assert (LAW.prizes.jackpot_cap, LAW.instant.max_price) == (Decimal("250.00"), Decimal("1.00"))


def test_each_test_has_the_effect_that_the_county_settled() -> None:
    effects = {
        name: getattr(LAW, name).effect
        for name in (
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
    }

    assert effects == dict.fromkeys(effects, Effect.BARS)
    assert (LAW.residence.effect, LAW.membership_class.effect) == (Effect.ASKS, Effect.ASKS)
    informs = (LAW.rotation, LAW.active_member, LAW.own_hall)
    assert {provision.effect for provision in informs} == {Effect.INFORMS}
    policies = {name for name in PROVISIONS if getattr(LAW, name).is_policy}
    assert policies == {"activity", "rotation", "tag", "excuse", "procedure"}


def test_a_day_before_the_first_known_text_is_not_judged() -> None:
    with pytest.raises(TextUnknown, match=r"Pasco County is not known before 2008-09-23"):
        in_force(date(2008, 9, 22))

    assert in_force(date(2008, 9, 23)).tenure.days == 30


def test_a_number_nobody_has_seen_is_none_and_says_so() -> None:
    assert LAW.deadlines.appeal_days is None
    assert as_provided(LAW.deadlines.appeal_days) == "as provided by ordinance"
    assert as_provided(LAW.bank.deposit_hours) == "24"


READINGS = {f"P{number}" for number in range(1, 21)} | {"P7b"}
AMBIGUITIES = {f"A{number}" for number in range(1, 32)} - {"A24", "A27"}


def test_every_open_question_is_a_key_with_another_reading_and_unconfirmed() -> None:
    marks = {mark for reading in LAW.readings.values() for mark in reading.marks}

    assert marks == READINGS | AMBIGUITIES
    for key, reading in LAW.readings.items():
        assert reading.question.endswith("?"), key
        assert not reading.confirmed, key
        assert reading.others or key == "tenure.grace_gap_days", key
        assert all(reading.says(v) for v in (reading.value, *reading.others)), key
        assert reading.value not in reading.others, key


def test_every_reading_is_said_in_plain_words() -> None:
    for reading in LAW.readings.values():
        for value in (reading.value, *reading.others):
            assert reading.says(value) != str(value), (reading.key, value)


@pytest.mark.parametrize("key", sorted(LAW.readings))
def test_every_question_can_be_read_otherwise_without_touching_the_ruleset(key: str) -> None:
    reading = LAW.readings[key]
    block, name = key.split(".")

    for other in reading.others:
        changed = LAW.with_reading(key, other)
        assert getattr(getattr(changed, block), name) == other
        assert changed.readings[key].value == other
        assert reading.value in changed.readings[key].others
        assert changed.fingerprint != LAW.fingerprint
        assert changed.with_reading(key, reading.value).readings[key].value == reading.value
    assert getattr(getattr(LAW, block), name) == reading.value


def test_a_reading_that_does_not_exist_or_fit_is_refused() -> None:
    with pytest.raises(KeyError):
        LAW.with_reading("tenure.nonsense", 1)
    with pytest.raises(BadRuleset, match=r"tenure\.count_mode: 'backwards' does not fit"):
        LAW.with_reading("tenure.count_mode", "backwards")


def test_the_fingerprint_names_the_files_it_was_read_from(tmp_path: Path) -> None:
    assert in_force(ON).fingerprint == in_force(date(2025, 1, 1)).fingerprint
    assert len(LAW.fingerprint) == 12
    assert tried(tmp_path, "").fingerprint != LAW.fingerprint
    assert LAW.stamp == f"pasco {LAW.fingerprint}"


def test_yesterday_is_read_by_yesterday_s_text(tmp_path: Path) -> None:
    text = '[[tenure]]\nvalid_from = 2027-01-01\ndays = "UNSET"\nmonths = 6\n'

    before = tried(tmp_path, text, date(2026, 12, 31))
    after = tried(tmp_path, text, date(2027, 1, 1))

    assert (before.tenure.days, before.tenure.months) == (30, None)
    assert (after.tenure.days, after.tenure.months) == (None, 6)
    assert (before.layers["tenure.days"], after.layers["tenure.days"]) == ("pasco", "tried")


@pytest.mark.parametrize(
    ("text", "key", "value", "layer"),
    [
        ("[[age]]\nvalid_from = 2008-09-23\nmin_years = 16\n", "age.min_years", 18, "florida"),
        ("[[age]]\nvalid_from = 2008-09-23\nmin_years = 21\n", "age.min_years", 21, "tried"),
        (
            "[[play]]\nvalid_from = 2008-09-23\nmax_days_per_week = 3\n",
            "play.max_days_per_week",
            2,
            "florida",
        ),
        (
            '[[prizes]]\nvalid_from = 2008-09-23\njackpot_cap = "UNSET"\n',
            "prizes.jackpot_cap",
            Decimal("250.00"),
            "florida",
        ),
        (
            '[[prizes]]\nvalid_from = 2008-09-23\njackpot_cap = "200.00"\n',
            "prizes.jackpot_cap",
            Decimal("200.00"),
            "tried",
        ),
    ],
)
def test_of_two_layers_the_stricter_value_holds_and_names_its_layer(
    tmp_path: Path, text: str, key: str, value: object, layer: str
) -> None:
    law = tried(tmp_path, text)

    block, name = key.split(".")
    assert getattr(getattr(law, block), name) == value
    assert law.layers[key] == layer


GROUND = """
[[ground]]
code = "noise"
valid_from = 2008-09-23
text = "It was loud."
decisions = ["warn"]
classes = "A"
"""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[[tenure]]\nvalid_from = 2008-09-23\nday = 30\n", "'day' is no value of this block"),
        ('[[tenure]]\nvalid_from = 2008-09-23\ndays = "30"\n', "tenure]] days: '30' does not fit"),
        ("[[tenure]]\nvalid_from = 2008-09-23\ndays = true\n", "True does not fit"),
        ('[[tenure]]\nvalid_from = 2008-09-23\nbinds = "all"\n', "state both, volunteers"),
        ('[[age]]\nvalid_from = 2008-09-23\neffect = "kills"\n', "'kills' does not fit"),
        ('[[tag]]\nvalid_from = 2008-09-23\nfields = "name"\n', "'name' does not fit"),
        ('[[tag]]\nvalid_from = 2008-09-23\nwidth_in = "wide"\n', "'wide' does not fit"),
        ("[[tenures]]\nvalid_from = 2008-09-23\n", "'tenures' is no block of a ruleset"),
        ('[[reading]]\nkey = "tenure.color"\n', "there is no such value"),
        ("[[tenure]\n", "is not valid TOML"),
        ('[[procedure]]\nvalid_from = 2008-09-23\nreminder_days = ["60"]\n', "does not fit"),
        ("[[procedure]]\nvalid_from = 2008-09-23\nreminder_days = [true]\n", "does not fit"),
        (f"{GROUND}title = 'Noise'\n", "[[ground]] noise: 'cite' is missing"),
        (f"{GROUND}title = 'Noise'\ncite = ' '\n", "[[ground]] noise: no cite is stated"),
        (f"{GROUND}title = 'Noise'\ncite = 'UNSET'\n", "[[ground]] noise: no cite is stated"),
        ('[[ground]]\ncode = "enticed"\ndecisions = ["fine"]\n', "'fine'] does not fit"),
    ],
)
def test_a_slip_in_a_file_is_named_with_place_and_remedy(
    tmp_path: Path, text: str, why: str
) -> None:
    with pytest.raises(BadRuleset) as caught:
        tried(tmp_path, text)

    said = str(caught.value)
    assert why in said
    assert said.endswith(".")
    assert "\n" not in said


def test_a_ruleset_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadRuleset, match="no ruleset 'marion': use one of florida, pasco"):
        in_force(ON, "marion")
    with pytest.raises(BadRuleset, match="cannot be read"):
        in_force(ON, str(tmp_path / "absent.toml"))
    alone = tmp_path / "alone.toml"
    alone.write_text('name = "alone"\ntime_zone = "America/Chicago"\n')
    with pytest.raises(BadRuleset, match=r"no \[\[license\]\] is in force"):
        in_force(ON, str(alone))
    assert county_time_zone(str(alone)) == "America/Chicago"


def test_a_file_saved_again_is_read_again(tmp_path: Path) -> None:
    import os

    assert tried(tmp_path, "[[tenure]]\nvalid_from = 2008-09-23\ndays = 10\n").tenure.days == 10
    path = tmp_path / "tried.toml"
    path.write_text(path.read_text().replace("days = 10", "days = 11"))
    os.utime(path, ns=(1, 1))

    assert in_force(ON, str(path)).tenure.days == 11


def test_the_county_keeps_its_own_clock() -> None:
    assert county_time_zone() == LAW.time_zone == "America/New_York"
    assert ZoneInfo(county_time_zone())


def test_reading_the_law_needs_no_django() -> None:
    script = (
        "import sys, datetime; from registry.ruleset import in_force, county_time_zone;"
        "county_time_zone(); in_force(datetime.date(2026, 1, 1));"
        "sys.exit(any(name.split('.')[0] == 'django' for name in sys.modules))"
    )

    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_every_cite_of_a_test_opens_a_text() -> None:
    tests = ("license", "membership", "tenure", "activity", "one_other", "lessor", "age")
    cites = {getattr(LAW, name).cite for name in (*tests, "residence", "active_member")}

    assert cites <= set(LAW.texts)
    assert all(text.text.endswith(".") and text.title for text in LAW.texts.values())


def test_every_block_has_a_title() -> None:
    assert set(titles()) == set(PROVISIONS)
    assert titles()["tenure"] == "30 days"


@pytest.mark.parametrize(
    ("kind", "counts"),
    [
        ("food pantry", True),
        ("Board  Meeting", True),
        ("bingo", False),
        ("Instant Bingo", False),
        ("bingo night clean-up", False),
        ("dues", False),
        ("", False),
    ],
)
def test_only_activities_other_than_bingo_count(kind: str, *, counts: bool) -> None:
    assert LAW.activity.counts(kind) is counts


@pytest.mark.parametrize(
    ("day", "first", "last"),
    [
        (date(2026, 9, 30), date(2025, 10, 1), date(2026, 9, 30)),
        (date(2026, 10, 1), date(2026, 10, 1), date(2027, 9, 30)),
        (date.min, date.min, date(1, 9, 30)),
        (date.max, date(9999, 10, 1), date.max),
    ],
)
def test_the_license_year_ends_on_september_30(day: date, first: date, last: date) -> None:
    assert (LAW.licensing.year_start(day), LAW.licensing.year_end(day)) == (first, last)


def test_a_calendar_week_begins_on_sunday() -> None:
    assert LAW.week.first_day(date(2026, 12, 5)) == date(2026, 11, 29)
    assert LAW.week.first_day(date(2026, 11, 29)) == date(2026, 11, 29)
    monday = LAW.with_reading("week.start", "monday").week
    assert monday.first_day(date(2026, 11, 29)) == date(2026, 11, 23)
    assert LAW.week.first_day(date.min) == date.min


ORGANIZATIONS = {f"§ 10-93(a)(1){letter}" for letter in "abcdef"}
TOUCHING = {"warn", "suspend", "condition", "revoke"}


def test_every_ground_says_where_it_stands_what_it_serves_and_whether_it_was_seen() -> None:
    grounds = LAW.grounds.values()

    assert all(ground.code == code for code, ground in LAW.grounds.items())
    assert all(g.cite and g.title and g.text.endswith(".") for g in grounds)
    assert {g.cite for g in grounds if g.classes == "A" and TOUCHING & set(g.decisions)} == (
        ORGANIZATIONS
    )
    assert {code for code, g in LAW.grounds.items() if not g.usable} == {
        "deny_conviction",
        "deny_earlier",
        "deny_false",
        "lessor_breach",
        "lessor_premises",
    }
    assert all(set(g.decisions) in (TOUCHING, {"deny", "deny_renewal"}) for g in grounds if (
        g.code != "deny_renewal"
    ))  # fmt: skip
    assert LAW.grounds["deny_renewal"].decisions == ("deny_renewal",)


def test_a_ground_keeps_the_number_of_the_rule_as_the_text_prints_it() -> None:
    enticed = LAW.grounds["enticed"]

    assert (enticed.cite, enticed.also) == ("§ 10-93(a)(1)a", ("§ 10-63(3)",))
    assert enticed.note == "§ 10-93 says § 10-62(2) where the text prints § 10-63(3)."


def test_a_county_can_change_the_words_of_a_ground_from_a_day_on(tmp_path: Path) -> None:
    text = '[[ground]]\ncode = "enticed"\nvalid_from = 2027-01-01\ntitle = "Gifts"\n'

    before = tried(tmp_path, text, date(2026, 12, 31)).grounds["enticed"]
    after = tried(tmp_path, text, date(2027, 1, 1)).grounds["enticed"]

    assert (before.title, after.title) == ("Drawing players in", "Gifts")
    assert after.cite == before.cite


def test_the_fee_s_half_and_the_regulator_s_own_days_are_typed() -> None:
    assert LAW.licensing.fee_half_share == Decimal("0.5")
    assert (LAW.procedure.renewal_window_days, LAW.procedure.code_days) == (90, 30)
    assert LAW.procedure.reminder_days == (60, 30, 7)
