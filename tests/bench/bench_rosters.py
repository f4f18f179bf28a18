"""How long a roster of 10,000 rows takes, against the same people entered one by one.

Run by `make bench`. Only the ratio says something on another machine.
"""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import psutil
import pytest
from django.db import connection
from django.utils import timezone

from tests.factories import AccountHolderFactory, LicensedFactory
from volunteers.entering import Wanted, enter_roster
from volunteers.imports import judge
from volunteers.readers import Choices
from volunteers.services import enroll, statement_of

ROWS, ONE_BY_ONE = 10_000, 500
FIRST = ("Robin", "Dana", "Łukasz", "María", "Kim", "Ade", "Jo", "Sam", "Lee", "Pat")


def a_roster(rows: int, start: int = 0) -> bytes:
    """A roster of so many different people, most of whom may work; every hundredth is in error."""
    today = timezone.localdate()
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["First name", "Last name", "Birth date", "Join date", "Role", "Street",
                     "City", "State", "ZIP", "Last activity", "Activity", "Duty"])  # fmt: skip
    for n in range(start, start + rows):
        joined = today - timedelta(days=31 + n % 4000)
        born = today - timedelta(days=7000 + n * 7 % 20_000)
        duty = ("caller", "seller", "floor", "caller, cashier", "")[n % 5]
        writer.writerow([f"{FIRST[n % 10]}", f"Placeholder{n}", born,
                         "soon" if n % 100 == 99 else joined, "member", f"{n} Post Road",
                         "Dade City", "FL", "33525", today - timedelta(days=n % 30 + 1),
                         "food pantry", duty])  # fmt: skip
    return text.getvalue().encode()


def measured(what: str, work: Callable[[], Any]) -> tuple[Any, float]:
    """Do the work; print seconds, queries and growth of memory."""
    process = psutil.Process()
    before, began = process.memory_info().rss, time.perf_counter()
    asked = 0

    def counting(execute: Any, *query: Any) -> Any:
        nonlocal asked
        asked += 1
        return execute(*query)

    with connection.execute_wrapper(counting):
        result = work()
    seconds = time.perf_counter() - began
    grown = (process.memory_info().rss - before) / 2**20
    print(f"{what:44}{seconds:8.2f} s{asked:6} queries{grown:8.1f} MB")
    return result, seconds


@pytest.mark.django_db
@pytest.mark.parametrize("approves", [False, True], ids=["entered", "entered and approved"])
def test_a_roster_of_ten_thousand_rows(
    capsys: pytest.CaptureFixture[str],
    approves: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    organization = LicensedFactory()
    ada = AccountHolderFactory(organization=organization).user
    statement = statement_of(ada, evidence="officer's statement on a roster file")
    file, few = ("roster.csv", a_roster(ROWS)), ("few.csv", a_roster(ONE_BY_ONE, ROWS))
    today = timezone.localdate()

    with capsys.disabled():
        print()
        read = lambda what: judge(ada, organization, what, Choices(), today)  # noqa: E731
        lines = read(few).good
        _made, single = measured(
            f"{len(lines)} people one by one",
            lambda: [enroll(ada, organization, line.entry, statement) for line in lines],
        )
        preview, _seconds = measured(f"{ROWS} rows read and judged", lambda: read(file))
        duties = preview.duties_to_approve if approves else {}
        wanted = Wanted(preview.good, statement, {n: d or ("seller",) for n, d in duties.items()})
        done, together = measured(
            f"{len(wanted.lines)} people entered, {len(duties)} approved",
            lambda: enter_roster(ada, organization, wanted),
        )
        per_row = (single / len(lines)) / (together / len(wanted.lines))
        print(f"one row in the list is {per_row:.1f} times as fast as one by one")
    assert done.counts["made"] == len(wanted.lines) == ROWS * 99 // 100
