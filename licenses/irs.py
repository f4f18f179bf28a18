"""Reading the IRS's files: how one organization stands in them, and who is meant by a name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from licenses.bmf import Charity, Revocation, read_revocation
from licenses.irs_words import Said, facts_of, say, source_said, subsection_said
from licenses.models import IrsFile, IrsOrganization, IrsRevocation
from licenses.standing_501c import SHOWING, Code, basis_of, exemption_signals
from registry.entries import Unreadable, read_ein
from registry.models import Organization, WorkItem
from registry.ruleset import in_force
from registry.selectors import by_name

MOST = 10
LETTERS = 3
"""A name is looked for by three letters or more: the index of a million names knows no fewer."""
UNSAID = str.maketrans(dict.fromkeys(".,&", " "))
LEFT_OUT = frozenset({"and", "the"})


@dataclass(frozen=True, slots=True)
class Source:
    """Where a row stands: the file, its day, its fingerprint, the line."""

    file: str
    date: date
    sha256: str
    line: int

    def as_data(self) -> dict[str, Any]:
        """The source as it is kept in a snapshot."""
        return {
            "file": self.file,
            "date": self.date.isoformat(),
            "sha256": self.sha256,
            "line": self.line,
        }


@dataclass(frozen=True)
class IrsStatus:
    """How one EIN stands in the files that are loaded: codes, rows, and where they stand."""

    ein: str
    today: date
    codes: tuple[Code, ...]
    row: Charity | None = None
    source: Source | None = None
    revocations: tuple[tuple[Revocation, Source], ...] = ()
    files: tuple[IrsFile, ...] = ()
    """The newest files that are loaded, so that a page can say how old “not in the file” is."""

    @property
    def code(self) -> Code:
        """How it stands: the weightiest of the codes."""
        return self.codes[0]

    @property
    def is_shown(self) -> bool:
        """True when the files show an exemption and leave no doubt about it."""
        return self.code in SHOWING

    @property
    def has_list(self) -> bool:
        """True when an auto-revocation list is loaded: without one nothing is known of it."""
        return any(file.kind == IrsFile.Kind.REVOCATIONS for file in self.files)

    @property
    def basis(self) -> str:
        """501(c)(19), as an exemption is recorded; "" when the row gives none."""
        return basis_of(self.row)

    @property
    def subsection(self) -> str:
        """The row's subsection code, "" without a row."""
        return self.row.subsection if self.row else ""

    @cached_property
    def said(self) -> Said:
        """The same in words."""
        years = in_force(self.today).charity.existence_years
        return say(self.codes, self.row, self.today, years)

    @property
    def facts(self) -> list[tuple[str, str]]:
        """The row's columns in words; empty without a row."""
        return facts_of(self.row) if self.row else []

    def snapshot(self) -> dict[str, Any]:
        """All of it as JSON, to be kept: the IRS overwrites its files every month."""
        return {
            "ein": self.ein,
            "on": self.today.isoformat(),
            "codes": [code.value for code in self.codes],
            "row": self.row._asdict() if self.row else None,
            "source": self.source.as_data() if self.source else None,
            "revocations": [
                {
                    "revoked_on": listed.revoked_on.isoformat(),
                    "posted_on": _iso(listed.posted_on),
                    "reinstated_on": _iso(listed.reinstated_on),
                    "name": listed.name,
                    **source.as_data(),
                }
                for listed, source in self.revocations
            ],
            "files": [
                {"file": f.name, "kind": f.kind, "date": f.file_date.isoformat()}
                for f in self.files
            ],
        }


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None


def irs_status(ein: str, name: str = "", *, today: date | None = None) -> IrsStatus:
    """How an EIN of nine digits stands in the IRS's files today.

    `name` is compared with the IRS's when it is given. An EIN that is none is Code.NO_EIN.
    """
    return statuses_of({ein: name}, today or timezone.localdate())[ein]


def status_of(organization: Organization, today: date | None = None) -> IrsStatus:
    """The same for an organization of the register, by its EIN and licensed name."""
    return irs_status(organization.ein or "", organization.name, today=today)


def statuses_of(names: Mapping[str, str], today: date) -> dict[str, IrsStatus]:
    """How many EINs stand, each with the name to compare or ""; three queries for all of them."""
    files = tuple(current_files())
    rows, listed = _rows_of(names), _revocations_of(names)
    return {
        ein: _status(ein, name, today, (files, rows.get(ein), listed.get(ein, ())))
        for ein, name in names.items()
    }


def _is_ein(text: str) -> bool:
    try:
        return read_ein(text) == text
    except Unreadable:
        return False


Found = tuple[tuple[IrsFile, ...], IrsOrganization | None, Iterable[tuple[Revocation, Source]]]


def _status(ein: str, name: str, today: date, found: Found) -> IrsStatus:
    files, kept, listed = found
    row = kept.charity if kept else None
    revocations = tuple(sorted(listed, key=lambda pair: pair[0].revoked_on, reverse=True))
    codes = exemption_signals(row, [pair[0] for pair in revocations], today, name)
    if not _is_ein(ein):
        codes = (Code.NO_EIN,)
    elif codes[0] is Code.ABSENT and all(file.kind != IrsFile.Kind.BMF for file in files):
        codes = (Code.NO_FILE,)
    source = _source(kept) if kept else None
    return IrsStatus(ein, today, codes, row, source, revocations, files)


def _source(kept: IrsOrganization | IrsRevocation) -> Source:
    return Source(kept.file.name, kept.file.file_date, kept.file.sha256, kept.line)


def current_files() -> list[IrsFile]:
    """The files that count now, master files first, the newest of each kind first."""
    rows = IrsFile.objects.filter(replaced_at=None)
    return list(rows.order_by("kind", "-file_date", "-loaded_at"))


def _rows_of(eins: Iterable[str]) -> dict[str, IrsOrganization]:
    """The row of each EIN; of two files that have it, the newer one's counts."""
    rows = IrsOrganization.objects.filter(ein__in=list(eins)).select_related("file")
    newest = rows.order_by("file__file_date", "file__loaded_at", "-line")
    return {row.ein: row for row in newest}


def _revocations_of(eins: Iterable[str]) -> dict[str, list[tuple[Revocation, Source]]]:
    found: dict[str, list[tuple[Revocation, Source]]] = defaultdict(list)
    rows = IrsRevocation.objects.filter(ein__in=list(eins)).select_related("file")
    for row in rows.order_by("-revoked_on", "line"):
        found[row.ein].append((read_revocation(row.row), _source(row)))
    return found


@dataclass(frozen=True, slots=True)
class Side:
    """One snapshot as it is shown: when, how it stood, the row in words, where it stands."""

    day: date | None
    said: Said | None
    facts: list[tuple[str, str]]
    source: str
    revocations: list[dict[str, Any]]


def side_of(snapshot: Mapping[str, Any]) -> Side:
    """A kept snapshot in words; an empty one is a side without a day."""
    if not snapshot:
        return Side(None, None, [], "", [])
    day = date.fromisoformat(snapshot["on"])
    row = Charity(**snapshot["row"]) if snapshot.get("row") else None
    codes = tuple(Code(code) for code in snapshot["codes"])
    source = snapshot.get("source") or {}
    years = in_force(day).charity.existence_years
    return Side(
        day=day,
        said=say(codes, row, day, years),
        facts=facts_of(row) if row else [],
        source=source_said(source["file"], date.fromisoformat(source["date"]), source["line"])
        if source
        else "",
        revocations=[_listed(listed) for listed in snapshot.get("revocations", ())],
    )


def sides_of(item: WorkItem) -> list[tuple[str, Side]]:
    """What the files said before and say now, of a work item about a standing that changed."""
    if item.kind != WorkItem.Kind.IRS:
        return []
    titles = {"before": _("Before"), "now": _("Now")}
    return [(title, side_of(item.data.get(key, {}))) for key, title in titles.items()]


def _listed(kept: Mapping[str, Any]) -> dict[str, Any]:
    days = ("revoked_on", "posted_on", "reinstated_on")
    return {
        **{name: date.fromisoformat(kept[name]) if kept[name] else None for name in days},
        "source": source_said(kept["file"], date.fromisoformat(kept["date"]), kept["line"]),
    }


@dataclass(frozen=True, slots=True)
class Charitable:
    """One organization of the master file as a list offers it."""

    charity: Charity
    source: Source
    organization: Organization | None = None
    """The same EIN in the register, where it is there."""

    @property
    def ein_shown(self) -> str:
        """01-2345678."""
        return f"{self.charity.ein[:2]}-{self.charity.ein[2:]}"

    @property
    def section(self) -> str:
        """501(c)(19), war veterans' post."""
        return subsection_said(self.charity)


def find_charities(text: str, most: int = MOST) -> list[Charitable]:
    """Up to `most` organizations of the master file by EIN, or by words of either name line.

    Accents, capitals, points and the order of the words do not matter; each word must stand there.
    Nothing for fewer than three letters.
    """
    eins = _eins_meant(text, most)
    rows = _rows_of(eins)
    held = {row.ein: row for row in Organization.objects.filter(ein__in=eins)}
    found = [rows[ein] for ein in eins if ein in rows]
    return [Charitable(row.charity, _source(row), held.get(row.ein)) for row in found]


def _eins_meant(text: str, most: int) -> list[str]:
    try:
        return [read_ein(text)]
    except Unreadable:
        words = text.translate(UNSAID).split()
    bare = " ".join(word for word in words if word.casefold() not in LEFT_OUT)
    if len(bare) < LETTERS:
        return []
    rows = by_name(IrsOrganization.objects.order_by("name", "ein"), bare)
    # A row may stand in two files, so more are taken than are shown.
    return list(dict.fromkeys(rows.values_list("ein", flat=True)[: most * 3]))[:most]
