"""What a county adopts is laid over the rules, and over nothing else."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from registry.overlaying import Kind, Laid, Unfit, kept, lay_over, slots_of, told, typed
from registry.ruleset import in_force

LAW = in_force(date(2026, 10, 1))
SLOTS = slots_of(LAW)


def test_only_what_the_ordinance_leaves_open_may_be_adopted() -> None:
    kinds = {kind: [s.key for s in SLOTS.values() if s.kind is kind] for kind in Kind}

    assert kinds[Kind.MONEY] == ["licensing.fee_class_a", "licensing.fee_class_b"]
    assert kinds[Kind.DAYS] == [
        f"deadlines.{step}_days" for step in ("investigation", "decision", "appeal", "hearing")
    ]
    assert (kinds[Kind.YES_NO], kinds[Kind.TEXTS]) == (
        ["deadlines.appeal_stays"],
        ["excuse.reasons"],
    )
    assert kinds[Kind.GROUND] == [f"ground.{c}" for c, g in LAW.grounds.items() if g.inferred]
    readings = {f"reading.{key}" for key in LAW.readings} - {"reading.deadlines.appeal_stays"}
    assert set(kinds[Kind.READING]) == readings
    counsel = {key for key, slot in SLOTS.items() if slot.needs_counsel}
    assert counsel == {*kinds[Kind.GROUND], *readings, "deadlines.appeal_stays"}


@pytest.mark.parametrize(
    ("key", "value", "as_kept", "words"),
    [
        ("licensing.fee_class_a", "1250", "1250.00", "$1,250.00"),
        ("licensing.fee_class_b", Decimal("99.50"), "99.50", "$99.50"),
        ("licensing.fee_class_b", "-0", "0.00", "$0.00"),
        ("deadlines.appeal_days", 30, 30, "30 days"),
        ("deadlines.appeal_days", 1, 1, "1 day"),
        ("deadlines.appeal_stays", True, True, "yes"),
        ("excuse.reasons", [" sudden  illness", "flood"], ["sudden illness", "flood"],
         "sudden illness; flood"),
        ("ground.deny_false", True, True, "may be chosen"),
        ("reading.week.start", "sunday", "sunday", "on Sunday"),
        ("reading.tenure.grace_gap_days", 0, 0, "none"),
    ],
)  # fmt: skip
def test_a_value_is_kept_in_one_spelling_and_told_in_words(key, value, as_kept, words) -> None:
    assert kept(SLOTS[key], value) == as_kept
    assert told(SLOTS[key], as_kept) == words


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("licensing.fee_class_a", "12.345"),
        ("licensing.fee_class_a", "-1"),
        ("licensing.fee_class_a", "100000.01"),
        ("licensing.fee_class_a", "NaN"),
        ("licensing.fee_class_a", "Infinity"),
        ("licensing.fee_class_a", "1e400"),
        ("licensing.fee_class_a", "ten"),
        ("licensing.fee_class_a", True),
        ("licensing.fee_class_a", None),
        ("licensing.fee_class_a", 12.5),
        ("deadlines.appeal_days", 0),
        ("deadlines.appeal_days", 3661),
        ("deadlines.appeal_days", "30"),
        ("deadlines.appeal_days", True),
        ("deadlines.appeal_stays", "yes"),
        ("deadlines.appeal_stays", 1),
        ("excuse.reasons", []),
        ("excuse.reasons", ["flood", "flood"]),
        ("excuse.reasons", ["flood", " "]),
        ("excuse.reasons", ["x" * 201]),
        ("excuse.reasons", ["flood", 7]),
        ("excuse.reasons", "flood"),
        ("ground.deny_false", False),
        ("reading.week.start", "monday"),
        ("reading.tenure.grace_gap_days", False),
    ],
)
def test_what_is_none_of_its_kind_is_refused_in_one_sentence(key, value) -> None:
    with pytest.raises(Unfit) as caught:
        kept(SLOTS[key], value)

    assert str(caught.value).endswith(".")


def test_values_take_the_place_of_the_rules_own_with_their_source() -> None:
    law = lay_over(
        LAW,
        [
            Laid("licensing.fee_class_a", "125.00", "Resolution 26-7"),
            Laid("deadlines.appeal_days", 15, "§ 10-95"),
            Laid("excuse.reasons", ["flood"], "Sheriff's rule 3"),
        ],
    )

    assert (law.licensing.fee_class_a, law.licensing.fee_class_b) == (Decimal("125.00"), None)
    assert (law.deadlines.appeal_days, law.deadlines.hearing_days) == (15, None)
    assert law.excuse.reasons == ("flood",)
    keys = ("licensing.fee_class_a", "licensing.fee_class_b", "deadlines.appeal_days")
    assert [law.cite_of(key) for key in keys] == ["Resolution 26-7", "§ 10-91", "§ 10-95"]
    assert (LAW.licensing.fee_class_a, LAW.adopted) == (None, {})


def test_counsel_confirms_a_ground_and_a_reading_as_they_stand() -> None:
    law = lay_over(
        LAW,
        [
            Laid("ground.deny_conviction", True, "Opinion 4"),  # noqa: FBT003 - a value of the row
            Laid("reading.week.start", "sunday", "Opinion 5"),
        ],
    )

    on = {code for code, ground in law.grounds.items() if ground.usable} - {
        code for code, ground in LAW.grounds.items() if ground.usable
    }
    assert on == {"deny_conviction"}
    assert [key for key, reading in law.readings.items() if reading.confirmed] == ["week.start"]
    assert law.week == LAW.week


def test_an_answered_question_is_read_so_and_confirmed() -> None:
    stays = Laid("deadlines.appeal_stays", True, "§ 10-95(c)")  # noqa: FBT003 - a value of the row

    law = lay_over(LAW, [stays])

    reading = law.readings["deadlines.appeal_stays"]
    assert law.deadlines.appeal_stays
    assert (reading.value, reading.others, reading.confirmed) == (True, (False,), True)
    assert law.with_reading("deadlines.appeal_stays", value=False).deadlines.appeal_stays is False


@pytest.mark.parametrize(
    "row",
    [
        Laid("licensing.fee_class_a", None, "Resolution 26-7"),
        Laid("licensing.fee_class_z", "125.00", "Resolution 26-7"),
        Laid("licensing.fee_class_a", "cheap", "Resolution 26-7"),
        Laid("tenure.days", 10, "Resolution 26-7"),
        Laid("reading.week.start", "monday", "Opinion 5"),
    ],
)
def test_a_row_that_names_or_fits_nothing_of_the_rules_does_not_count(row: Laid) -> None:
    assert lay_over(LAW, [row]) is LAW


def test_the_fingerprint_tells_that_values_were_adopted_and_which() -> None:
    cheap, dear = (Laid("licensing.fee_class_a", fee, "R 1") for fee in ("1.00", "2.00"))
    days = Laid("deadlines.appeal_days", 15, "§ 10-95")

    marks = [lay_over(LAW, rows).fingerprint for rows in ([cheap], [dear], [cheap, days])]

    assert len({LAW.fingerprint, *marks}) == 4
    assert all(mark.startswith(f"{LAW.fingerprint}+values:") for mark in marks)
    assert lay_over(LAW, [days, cheap]).fingerprint == marks[2]
    read = lay_over(LAW, [cheap]).with_reading("week.start", "monday")
    assert read.fingerprint == f"{marks[0]}+week.start=monday"
    assert read.licensing.fee_class_a == Decimal("1.00")


def test_money_is_typed_as_money_and_texts_as_a_tuple() -> None:
    assert typed(SLOTS["licensing.fee_class_a"], "1.00") == Decimal("1.00")
    assert typed(SLOTS["excuse.reasons"], ["flood"]) == ("flood",)
