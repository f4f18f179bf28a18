"""An age is told as roughly as the work allows."""

from datetime import date

import pytest

from registry.ages import age_band, years_between

ADULT = 18


@pytest.mark.parametrize(
    ("born_on", "day", "years"),
    [
        (date(2008, 11, 30), date(2026, 11, 29), 17),
        (date(2008, 11, 30), date(2026, 11, 30), 18),
        (date(2008, 2, 29), date(2026, 2, 28), 17),
        (date(2008, 2, 29), date(2026, 3, 1), 18),
    ],
)
def test_years_are_full_on_the_birthday(born_on, day, years) -> None:
    assert years_between(born_on, day) == years


@pytest.mark.parametrize(
    ("born_on", "band"),
    [
        (None, "not known"),
        (date(2008, 12, 1), "under 18"),
        (date(2008, 11, 30), "18 to 19"),
        (date(1999, 1, 1), "20 to 29"),
        (date(1926, 11, 30), "100 to 109"),
    ],
)
def test_an_age_is_told_as_a_decade(born_on, band) -> None:
    assert age_band(born_on, date(2026, 11, 30), ADULT) == band
