"""Reads the IRS's master file of exempt organizations (EO BMF) and its auto-revocation list.

Pure and streaming: a row at a time, however long the file. A file that is another one, or was
cut off, is refused in one sentence; a row that cannot be read is passed over with its line number.
"""

from __future__ import annotations

import csv
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import date
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

from django.utils.translation import gettext as _

from registry.entries import EIN_STAND_INS


class Kind(StrEnum):
    """The two files of the IRS that say something about an exemption."""

    BMF = "bmf"
    REVOCATIONS = "revocations"


class BadFile(ValueError):
    """The whole file is refused; str() is the sentence that says why and what to do."""


class BadLine(ValueError):
    """One row cannot be read; str() says why, without the line's number."""


class Charity(NamedTuple):
    """One row of the master file, its 28 columns in the file's order, as text."""

    ein: str
    name: str
    in_care_of: str
    street: str
    city: str
    state: str
    zip_code: str
    group: str
    subsection: str
    affiliation: str
    classification: str
    ruling: str
    deductibility: str
    foundation: str
    activity: str
    organization: str
    status: str
    tax_period: str
    asset_code: str
    income_code: str
    filing_code: str
    private_filing_code: str
    accounting_month: str
    assets: str
    income: str
    revenue: str
    ntee: str
    sort_name: str


class Revocation(NamedTuple):
    """One row of the auto-revocation list: when the exemption was lost, and when given back."""

    ein: str
    name: str
    exemption_type: str
    revoked_on: date
    posted_on: date | None
    reinstated_on: date | None


Row = Charity | Revocation

COLUMNS = [
    "EIN", "NAME", "ICO", "STREET", "CITY", "STATE", "ZIP", "GROUP", "SUBSECTION",
    "AFFILIATION", "CLASSIFICATION", "RULING", "DEDUCTIBILITY", "FOUNDATION", "ACTIVITY",
    "ORGANIZATION", "STATUS", "TAX_PERIOD", "ASSET_CD", "INCOME_CD", "FILING_REQ_CD",
    "PF_FILING_REQ_CD", "ACCT_PD", "ASSET_AMT", "INCOME_AMT", "REVENUE_AMT", "NTEE_CD",
    "SORT_NAME"
]  # fmt: skip
MONTHS = (
    "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"
)  # fmt: skip
DAY = r"\d{2}-[A-Z]{3}-\d{4}"
REVOKED = re.compile(
    rf"(?P<ein>[^|]*)\|(?P<name>[^|]*)\|.*\|[^|]*\|(?P<type>\d{{0,2}})"
    rf"\|(?P<revoked>{DAY})\|(?P<posted>{DAY})?\|?(?P<reinstated>{DAY})?\|*"
)
"""Told from its end, because a name or an address may hold a bar."""
NINE_DIGITS = re.compile(r"[0-9]{9}")
PUB78_FIELDS, REVOCATION_FIELDS, POSTCARD_FIELDS = 6, (11, 12), 20
LONGEST = 20_000
"""Bytes: no row of the IRS comes near, so a longer line is no row."""
TOLD = 20
"""So many rows that were passed over are told; all are counted."""
ZIP, WORKBOOK = b"PK\x03\x04", "xl/"


def read_charity(text: str) -> Charity:
    """A line of the master file taken apart; BadLine when it is no row of it."""
    if '"' in text:
        try:
            cells = next(csv.reader([text], strict=True), [])
        except csv.Error:
            raise BadLine(_("a quotation mark is not closed")) from None
    else:
        cells = text.split(",")
    if len(cells) != len(COLUMNS):
        told = _("it has %(found)s of the %(wanted)s columns")
        raise BadLine(told % {"found": len(cells), "wanted": len(COLUMNS)})
    row = Charity._make([cell.strip() for cell in cells])
    _check(text, row.ein, row.name)
    return row


def read_revocation(text: str) -> Revocation:
    """A line of the auto-revocation list taken apart; BadLine when it is no row of it."""
    found = REVOKED.fullmatch(text.strip())
    if found is None:
        raise BadLine(_("not a row of the list: it has 11 or 12 fields between bars, with dates"))
    row = Revocation(
        ein=found["ein"].strip(),
        name=" ".join(found["name"].split()),
        exemption_type=found["type"],
        revoked_on=_day(found["revoked"]),
        posted_on=_day(found["posted"]) if found["posted"] else None,
        reinstated_on=_day(found["reinstated"]) if found["reinstated"] else None,
    )
    _check(text, row.ein, row.name)
    return row


def _check(text: str, ein: str, name: str) -> None:
    """An EIN is text of nine digits: one that lost its zeros to a spreadsheet is not guessed."""
    if "\0" in text:
        raise BadLine(_("it holds a NUL character"))
    if not NINE_DIGITS.fullmatch(ein) or ein in EIN_STAND_INS:
        raise BadLine(_("“%(value)s” is not an EIN of nine digits") % {"value": ein[:20]})
    if not name:
        raise BadLine(_("the name is missing"))


@lru_cache(maxsize=4096)
def _day(text: str) -> date:
    day, month, year = text.split("-")
    try:
        return date(int(year), MONTHS.index(month) + 1, int(day))
    except ValueError:
        raise BadLine(_("“%(value)s” is not in the calendar") % {"value": text}) from None


READERS: dict[Kind, Callable[[str], Row]] = {
    Kind.BMF: read_charity,
    Kind.REVOCATIONS: read_revocation,
}


class Reader:
    """The good rows of one file in turn, each with its line number and its text.

    Raises BadFile for a file that is not of this kind, holds no row or was cut off. `passed` and
    `told` say what was passed over so far, `done` how many bytes were read.
    """

    def __init__(self, source: BinaryIO, kind: Kind) -> None:
        self.source, self.kind = source, kind
        self.good = self.passed = self.done = 0
        self.told: list[str] = []

    def __iter__(self) -> Iterator[tuple[int, str, Row]]:
        """Line number, the line as it stands, the row; the header and blank lines are no rows."""
        read, is_first = READERS[self.kind], True
        for number, raw in self._lines():
            text = decode(raw)
            if not text:
                continue
            if is_first:
                is_first = False
                check_kind(text, self.kind)
                if self.kind is Kind.BMF:
                    continue
            try:
                row = read(text)
            except BadLine as bad:
                self._pass(number, bad, is_cut=not raw.endswith(b"\n"))
                continue
            self.good += 1
            yield number, text, row
        self._check_end()

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        number = 0
        while raw := self.source.readline(LONGEST):
            number += 1
            self.done += len(raw)
            if len(raw) == LONGEST:
                told = _("Line %(number)s does not end: this is no file of the IRS.")
                raise BadFile(told % {"number": number})
            yield number, raw

    def _pass(self, number: int, bad: BadLine, *, is_cut: bool) -> None:
        if is_cut:
            told = _(
                "The file breaks off in line %(number)s: the download was not complete."
                " Download it again."
            )
            raise BadFile(told % {"number": number})
        self.passed += 1
        if len(self.told) < TOLD:
            self.told.append(_("line %(number)s: %(why)s.") % {"number": f"{number:,}", "why": bad})

    def _check_end(self) -> None:
        if self.good:
            return
        if self.passed:
            told = _("No row of the file can be read; %(first)s Download it again.")
            raise BadFile(told % {"first": self.told[0]})
        raise BadFile(_("The file holds no organization: download it again."))


def decode(raw: bytes) -> str:
    """A line as text: UTF-8, else Windows-1252 or Latin-1; without its end and a byte mark."""
    for encoding in ("utf-8", "cp1252"):
        try:
            return raw.decode(encoding).removeprefix("\ufeff").strip("\r\n")
        except UnicodeDecodeError:
            continue
    return raw.decode("latin-1").strip("\r\n")


def check_kind(first: str, wanted: Kind) -> None:
    """Look at the first line that is not blank; BadFile says which file this is instead."""
    found = _kind_of(first)
    if found is wanted:
        return
    if found is Kind.REVOCATIONS:
        raise BadFile(_("This is the auto-revocation list: name it after --revocations."))
    if found is Kind.BMF:
        raise BadFile(_("This is a master file: name it after --bmf."))
    raise BadFile(found)


def _kind_of(first: str) -> Kind | str:
    """The kind of a file by its first line; else a sentence that says what it is."""
    if first.lstrip().startswith("<"):
        return _("This is a web page, not a file of the IRS: download the file again.")
    heads = [cell.strip().strip('"').upper() for cell in first.split(",")]
    if heads == COLUMNS:
        return Kind.BMF
    if heads[0] == "EIN":
        return _headings_said(heads)
    return _kind_of_bars(first)


def _kind_of_bars(first: str) -> Kind | str:
    fields = len(first.split("|")) if first.partition("|")[0].strip().isdigit() else 1
    if fields in REVOCATION_FIELDS or REVOKED.fullmatch(first.strip()):
        return Kind.REVOCATIONS
    if fields == PUB78_FIELDS:
        return _(
            "This is Publication 78, the list for deductible gifts. Most bodies that run bingo"
            " need not stand in it, so it says nothing here: load the master file."
        )
    if fields >= POSTCARD_FIELDS:
        return _("This is the list of Forms 990-N (e-Postcard), not the auto-revocation list.")
    return _("This is no file of the IRS that can be used here: its first line is unknown.")


def _headings_said(heads: list[str]) -> str:
    missing = [name for name in COLUMNS if name not in heads]
    if missing:
        told = _("This is no master file: the column %(name)s is missing.")
        return told % {"name": ", ".join(missing[:3])}
    return _("This is no master file as the IRS gives it: its columns stand in another order.")


@contextmanager
def opened(path: Path) -> Iterator[tuple[BinaryIO, int]]:
    """The file, or the one text file inside a zip archive, with its length in bytes.

    Raises BadFile when it cannot be opened or is a workbook.
    """
    with ExitStack() as stack:
        try:
            file = stack.enter_context(path.open("rb"))
            is_zip = file.read(len(ZIP)) == ZIP
            file.seek(0)
            if not is_zip:
                found: tuple[BinaryIO, int] = (file, path.stat().st_size)
            else:
                archive = stack.enter_context(zipfile.ZipFile(file))
                member = _only_member(archive)
                inner = cast("BinaryIO", stack.enter_context(archive.open(member)))
                found = (inner, member.file_size)
        except OSError as error:
            told = _("It cannot be read (%(why)s): check the path.")
            raise BadFile(told % {"why": error.strerror}) from None
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError):
            raise BadFile(_("The zip archive is damaged or locked: download it again.")) from None
        try:
            yield found
        except (zipfile.BadZipFile, zlib.error, EOFError):
            raise BadFile(_("The zip archive is damaged or locked: download it again.")) from None


def _only_member(archive: zipfile.ZipFile) -> zipfile.ZipInfo:
    members = [member for member in archive.infolist() if not member.is_dir()]
    if any(member.filename.startswith(WORKBOOK) for member in members):
        raise BadFile(_("This is an Excel workbook: load the file as the IRS gives it."))
    if len(members) != 1:
        told = _("The zip archive holds %(count)s files: unpack it and load the right one.")
        raise BadFile(told % {"count": len(members)})
    return members[0]
