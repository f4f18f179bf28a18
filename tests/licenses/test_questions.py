"""What an application asks, what is missing from it, and what the ordinance says to its answers."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from django.apps import apps

from licenses.questions import Question, Rows, Situation, Type, steps_for
from licenses.questions.checks import missing
from licenses.questions.own import STATEMENT
from licenses.questions.reading import gaps_in, problem, read_answer, values_of
from licenses.questions.steps import STEPS
from registry.entries import Unreadable
from registry.ruleset import in_force

TODAY = date(2026, 12, 1)
CHARITY = Situation("A")
COMPLETE: dict[str, dict[str, object]] = {
    "applicant": {"form": "corporation", "state": "Florida", "purposes": "Meals for the old"},
    "exemption": {"basis": "501(c)(3)", "existing_since": "5/1/1999"},
    "officers": {
        "officers": [
            {"name": "Ada Reyes", "office": "President", "signs": "yes"},
            {"name": "Ben Ochoa", "office": "Treasurer", "signs": "yes"},
        ]
    },
    "representative": {"name": "Ada Reyes"},
    "in_charge": {"members": [{"name": "Mary Quinn"}]},
    "bank": {"bank": "Bank of Dade City", "county": "Pasco", "last_four": "0428"},
    "premises": {
        "places": [
            {
                "name": "Heron Hall",
                "street": "1 Lake Rd",
                "city": "Dade City",
                "basis": "leased",
                "owner": "Cypress Halls LLC",
                "lease_from": "10/1/2026",
                "lease_to": "9/30/2027",
                "rent": "fixed",
                "amount": "150",
            }
        ]
    },
    "play": {"days": [{"weekday": "tuesday", "opens": "6 pm", "closes": "24:00", "games": "both"}]},
    "history": {"revoked": "no"},
}


def required(answers, situation=CHARITY) -> list[tuple[str, str, str]]:
    gaps = missing(situation, steps_for(situation, STEPS), answers, in_force(TODAY), TODAY)
    return [(gap.anchor, gap.sentence, gap.cite) for gap in gaps if gap.is_required]


def changed(step: str, **answers: object) -> dict[str, object]:
    return {**COMPLETE, step: {**COMPLETE[step], **answers}}


def place(**answers: str) -> dict[str, object]:
    return changed("premises", places=[{**COMPLETE["premises"]["places"][0], **answers}])


def test_a_complete_application_lacks_nothing_that_the_ordinance_requires() -> None:
    assert required(COMPLETE) == []


def test_an_empty_one_lacks_exactly_what_the_ordinance_requires() -> None:
    assert [anchor for anchor, _sentence, _cite in required({})] == [
        "form", "basis", "existing_since", "officers", "name", "members",
        "bank", "county", "last_four", "places", "days", "revoked",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("situation", "steps"),
    [
        (
            CHARITY,
            "applicant exemption officers representative in_charge bank premises play history",
        ),
        (
            Situation("A", is_renewal=True, body="associational"),
            "applicant prior officers representative in_charge bank premises play history",
        ),
        (
            Situation("B", body="other"),
            "applicant officers representative bank premises interests history",
        ),
    ],
)
def test_steps_fit_the_class_the_kind_and_the_body(situation, steps) -> None:
    assert [step.key for step in steps_for(situation, STEPS)] == steps.split()


@pytest.mark.parametrize(
    ("answers", "gap"),
    [
        (
            place(lease_to="9/29/2027"),
            (
                "places-0-lease_to",
                "The lease must run for at least 1 year.",
                "F.S. 849.0931(11)(c)",
            ),
        ),
        (
            place(rent="receipts"),
            (
                "places-0-rent",
                "Rent may not turn on receipts, attendance or seats: it is a fixed amount.",
                "§ 10-68(6)",
            ),
        ),
        (
            changed("bank", county="Hernando County, FL"),
            (
                "county",
                "“Hernando County, FL”: the account must be with a branch in Pasco County.",
                "§ 10-64(b)",
            ),
        ),
        (
            changed("bank", last_four="428"),
            ("last_four", "Write the last four digits only, for example 0428.", "§ 10-64(b)"),
        ),
        (
            changed("officers", officers=[COMPLETE["officers"]["officers"][0]]),
            (
                "officers",
                "2 principal officers sign every check, but 1 is named to sign.",
                "§ 10-64(b)",
            ),
        ),
        (
            changed("in_charge", members=[{"name": f"Worker {letter}"} for letter in "ABCD"]),
            (
                "members",
                "At most 3 are designated, but 4 are named: take some out.",
                "F.S. 849.0931(8)",
            ),
        ),
        (
            changed("exemption", existing_since="12/2/2023"),
            (
                "existing_since",
                "A charity must have existed for 3 years; since Dec 2, 2023 it has not.",
                "F.S. 849.0931(1)(c)",
            ),
        ),
        (
            changed(
                "play",
                days=[
                    {"weekday": day, "opens": "18:00", "closes": "22:00", "games": "bingo"}
                    for day in ("sunday", "tuesday", "friday")
                ],
            ),
            (
                "days",
                "Bingo is played on at most 2 days of a week, here on 3.",
                "§ 10-63(1)",
            ),
        ),
        (
            changed(
                "play",
                days=[
                    {"weekday": "friday", "opens": "8:59", "closes": "22:00", "games": "instant"}
                ],
            ),
            ("days-0-closes", "Play is between 09:00 and 24:00 only.", "§ 10-68(1)"),
        ),
        (
            changed(
                "play",
                days=[{"weekday": "friday", "opens": "6 pm", "closes": "1 am", "games": "bingo"}],
            ),
            (
                "days-0-closes",
                "It ends before it begins. Midnight is written 24:00; no play goes beyond it.",
                "§ 10-68(1)",
            ),
        ),
        (
            changed("history", revoked="yes"),
            ("revocations", "Add at least one.", "§ 10-84(a)(5)"),
        ),
    ],
)
def test_what_the_law_does_not_allow_is_named_with_its_paragraph(answers, gap) -> None:
    assert required(answers) == [gap]


def test_what_is_only_requested_stands_apart() -> None:
    gaps = missing(CHARITY, steps_for(CHARITY, STEPS), COMPLETE, in_force(TODAY), TODAY)

    assert {gap.item for gap in gaps if not gap.is_required} == {
        "telephone", "group", "active", "office", "elsewhere",
    }  # fmt: skip


def test_a_question_counts_only_where_it_is_asked() -> None:
    owned = place(basis="owned", owner="", lease_from="", lease_to="", rent="", amount="")

    assert required(owned) == []


@pytest.mark.parametrize(
    ("typed", "minutes"),
    [
        ("6:30 pm", 1110), ("6pm", 1080), ("18:30", 1110), ("12 am", 0), ("12 pm", 720),
        ("24:00", 1440), ("9.15 a.m.", 555),
    ],
)  # fmt: skip
def test_times_are_read_as_people_write_them(typed, minutes) -> None:
    assert read_answer(Question("at", "At", type=Type.TIME), typed, TODAY) == minutes


@pytest.mark.parametrize("typed", ["24:01", "25:00", "6:75 pm", "13 pm x", "noon", "٦:٣٠", "18:"])
def test_what_is_no_time_is_told_in_one_sentence(typed) -> None:
    with pytest.raises(Unreadable) as told:
        read_answer(Question("at", "At", type=Type.TIME), typed, TODAY)

    assert str(told.value) == f"“{typed}” is no time: write it as 6:30 pm or 18:30."


def test_values_are_typed_and_what_cannot_be_read_is_left_out() -> None:
    rows = Rows(
        "rows", "Rows", "Row",
        (Question("on", "On", type=Type.DATE), Question("money", "Money", type=Type.MONEY)),
    )  # fmt: skip
    answers = {"rows": [{"on": "Nov 30 2026", "money": "$1,250.5"}, {"on": "soon"}, {"on": " "}]}

    assert values_of([rows], answers, TODAY) == {
        "rows": [{"on": date(2026, 11, 30), "money": Decimal("1250.5")}, {}]
    }


def test_an_own_statement_asks_for_what_section_10_84_names() -> None:
    said = {"born_on": "3/4/1961", "convicted": "yes", "naturalized": "no", "revoked": "no"}

    assert [(gap.item, gap.cite) for gap in gaps_in(STATEMENT, said, TODAY) if gap.is_required] == [
        ("street", "§ 10-84(a)(1)"),
        ("city", "§ 10-84(a)(1)"),
        ("state", "§ 10-84(a)(1)"),
        ("convictions", "§ 10-84(a)(3)"),
    ]


@pytest.mark.parametrize(
    ("column", "key"),
    [
        ("Officer.full_name", "name"),
        ("Officer.office", "office"),
        ("InCharge.full_name", "name"),
        ("BankAccount.bank", "bank"),
        ("BankAccount.branch_county", "county"),
        ("Premises.name", "name"),
        ("Premises.street", "street"),
        ("Premises.city", "city"),
        ("Premises.postal_code", "postal_code"),
        ("Premises.owner_name", "owner"),
        ("Statement.full_name", "name"),
        ("Statement.capacity", "office"),
    ],
)
def test_what_is_too_long_for_the_register_cannot_be_handed_in(column, key) -> None:
    model, _dot, name = column.partition(".")
    most = apps.get_model("licenses", model)._meta.get_field(name).max_length
    question = Question(key, "A question")

    assert problem(question, "x" * (most + 1), TODAY).startswith("This is too long")


def test_no_sum_is_larger_than_the_register_holds() -> None:
    amount = Question("amount", "Rent", type=Type.MONEY)

    assert problem(amount, "9,999,999,999.99", TODAY) == ""
    assert "is no amount" in problem(amount, "10,000,000,000", TODAY)
