"""Numbers that are never given twice: licenses, files, receipts."""

from __future__ import annotations

from licenses.models import LicenseCounter


def next_number(letter: str, year: int) -> str:
    """A-2027-0042: counted per letter and license year under a lock, never given twice."""
    LicenseCounter.objects.bulk_create(
        [LicenseCounter(license_class=letter, year=year)], ignore_conflicts=True
    )
    counter = LicenseCounter.objects.select_for_update(no_key=True).get(
        license_class=letter, year=year
    )
    counter.last += 1
    counter.save(update_fields=["last"])
    return f"{letter}-{year}-{counter.last:04d}"
