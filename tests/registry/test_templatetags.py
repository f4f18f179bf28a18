"""Cites, verdicts, dates and names look the same everywhere."""

from datetime import UTC, date, datetime

import pytest
from django.template import Context, Template
from django.utils import timezone, translation

from registry.periods import Period
from registry.templatetags.register import (
    anchor,
    cite,
    day,
    number_day,
    short_day,
    span,
    status,
    when,
    word_of,
)
from registry.worded import Mark, WordedReading, WordedRuling, WordedVerdict, mark_of

TENURE = WordedVerdict(
    "30 days", "§ 10-63(12)", "not_met", "bars", "member since Nov 13, 2026: 22 of 30 days"
)


def rendered(source, **context):
    template = Template("{% load register %}" + source)
    return " ".join(template.render(Context(context)).split())


def test_a_day_is_written_as_people_here_write_it():
    assert day(date(2026, 11, 30)) == "Mon, Nov 30, 2026"
    assert short_day(date(2026, 11, 30)) == "Nov 30, 2026"
    assert number_day(date(2026, 11, 3)) == "11/03/2026"
    assert [day(None), short_day(None), number_day(None), when(None)] == ["", "", "", ""]


def test_an_instant_is_shown_on_the_countys_clock():
    with timezone.override("America/New_York"):
        assert when(datetime(2026, 12, 1, 0, 42, tzinfo=UTC)) == "Mon, Nov 30, 2026, 7:42 PM"
        assert day(datetime(2026, 12, 1, 0, 42, tzinfo=UTC)) == "Mon, Nov 30, 2026"


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        (date(2024, 3, 1), None, "since Mar 1, 2024"),
        (date(2026, 3, 1), date(2026, 6, 30), "Mar 1 \u2013 Jun 30, 2026 (last day)"),
        (date(2026, 11, 1), date(2027, 2, 3), "Nov 1, 2026 \u2013 Feb 3, 2027 (last day)"),
        (date(2026, 3, 1), date(2026, 3, 1), "on Mar 1, 2026 only"),
        (date(2026, 3, 1), date(2026, 2, 28), "never in force (withdrawn before Mar 1, 2026)"),
    ],
)
def test_a_span_tells_its_last_day(first, last, expected):
    assert span(Period(first, last)) == expected


def test_a_span_of_nothing_is_empty():
    assert span(None) == ""


@pytest.mark.parametrize(
    ("paragraph", "expected"),
    [
        ("§ 10-63(12)", "s10-63-12"),
        ("§ 10-93(a)(1)d", "s10-93-a-1-d"),
        ("F.S. 849.0931(10)(a)", "sf-s-849-0931-10-a"),
    ],
)
def test_a_paragraph_has_its_place_on_the_rules_page(paragraph, expected):
    assert anchor(paragraph) == expected


def test_no_paragraph_no_cite():
    assert cite("") == ""


def test_a_status_is_a_word_with_a_shape_and_a_colour():
    shown = {mark: status(mark) for mark in Mark}

    assert {mark: word_of(mark) for mark in Mark} == {
        Mark.CLEARED: "Cleared",
        Mark.MISSING: "Papers missing",
        Mark.NOT_CLEARED: "Not cleared",
        Mark.NOTE: "Note",
    }
    assert all(word_of(mark) in html for mark, html in shown.items())
    assert all(f"mark--{mark.value}" in html for mark, html in shown.items())
    assert len({html.split("<svg")[1].split("</svg>")[0] for html in shown.values()}) == len(Mark)


def test_the_word_of_a_status_cannot_bring_markup():
    assert "<b>" not in status(Mark.NOTE, "<b>")


@pytest.mark.parametrize(
    ("outcome", "effect", "mark"),
    [
        ("met", "bars", Mark.CLEARED),
        ("met", "asks", Mark.CLEARED),
        ("not_met", "bars", Mark.NOT_CLEARED),
        ("not_shown", "bars", Mark.MISSING),
        ("not_met", "asks", Mark.NOTE),
        ("not_shown", "asks", Mark.NOTE),
        ("not_met", "informs", Mark.NOTE),
    ],
)
def test_only_a_test_that_bars_looks_like_a_refusal(outcome, effect, mark):
    assert WordedVerdict("Age", "§ 10-63(5)", outcome, effect, "").mark == mark


def test_the_first_bar_is_the_answers_mark():
    note = WordedVerdict("Resident", "", "not_shown", "asks", "")
    missing = WordedVerdict("Age", "", "not_shown", "bars", "")

    assert mark_of([note, missing, TENURE]) == Mark.MISSING
    assert mark_of([note]) == Mark.CLEARED


def test_a_verdict_shows_its_sentence_cite_and_readings():
    reading = WordedReading("Is the joining day counted?", "no", "yes", would_differ=True)
    verdict = WordedVerdict(
        "30 days", "§ 10-63(12)", "not_met", "bars", "22 of 30 days", readings=(reading,)
    )

    html = rendered("{% verdict v %}", v=verdict)

    assert "Not met:" in html
    assert "22 of 30 days" in html
    assert "Read here as: no." in html
    assert "It would decide otherwise here." in html
    assert "Not yet confirmed by counsel." in html


def test_a_ruling_says_the_answer_first_then_each_test():
    worded = WordedRuling(
        Mark.NOT_CLEARED,
        "Not cleared on Sat, Dec 5.",
        "Not yet: from December 13 she can work.",
        "From Sun, Dec 13 she would be.",
        (TENURE,),
    )

    html = rendered("{% ruling r %}", r=worded)

    order = [
        html.index(text)
        for text in (worded.headline, worded.later, worded.spoken, TENURE.title, TENURE.sentence)
    ]
    assert order == sorted(order)


def test_names_from_outside_are_escaped_in_a_verdict():
    verdict = WordedVerdict("<i>", "", "met", "bars", "<script>alert(1)</script>")

    html = rendered("{% verdict v %}", v=verdict)

    assert "<script>" not in html
    assert "<i>" not in html


def test_dates_follow_the_language():
    with translation.override("es"):
        assert (
            "noviembre" in day(date(2026, 11, 30)).casefold()
            or "nov" in day(date(2026, 11, 30)).casefold()
        )
