"""What the IRS's files say, in words: how it stands, what the row means, what to ask for. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from licenses.bmf import Charity
from licenses.standing_501c import (
    CENTRALS,
    NO_GROUP,
    SUBORDINATE,
    Code,
    basis_of,
    has_existed,
    ruling_month,
)
from licenses.words import short_day
from registry.worded import Mark

MARKS: Mapping[Code, Mark] = {
    Code.NO_EIN: Mark.NOTE,
    Code.NO_FILE: Mark.NOTE,
    Code.REVOKED: Mark.MISSING,
    Code.LISTED: Mark.MISSING,
    Code.ABSENT: Mark.MISSING,
    Code.SECTION: Mark.MISSING,
    Code.STATUS: Mark.MISSING,
    Code.NAME: Mark.NOTE,
    Code.GROUP: Mark.CLEARED,
    Code.REINSTATED: Mark.CLEARED,
    Code.SHOWN: Mark.CLEARED,
}
"""A missing paper is not shown, never not met: no file of the IRS refuses anything."""

HEADLINES: Mapping[Code, Promise] = {
    Code.NO_EIN: gettext_lazy("No EIN is recorded, so the IRS files cannot be asked"),
    Code.NO_FILE: gettext_lazy("No master file of the IRS is loaded yet"),
    Code.REVOKED: gettext_lazy("Not shown: the IRS revoked the exemption"),
    Code.LISTED: gettext_lazy("To look at: revoked by one file, exempt by the other"),
    Code.ABSENT: gettext_lazy("Not in the IRS master file, which disproves nothing"),
    Code.SECTION: gettext_lazy("To look at: not a section 501(c) exemption"),
    Code.STATUS: gettext_lazy("To look at: an unusual status of the exemption"),
    Code.NAME: gettext_lazy("To look at: the IRS has another name under this EIN"),
    Code.GROUP: gettext_lazy("Exemption shown, by a group ruling"),
    Code.REINSTATED: gettext_lazy("Exemption shown; it was revoked once and reinstated"),
    Code.SHOWN: gettext_lazy("Exemption shown"),
}
ALSO: Mapping[Code, Promise] = {
    Code.SECTION: gettext_lazy("Its row names no paragraph of section 501(c)."),
    Code.STATUS: gettext_lazy("Its row has an unusual status of the exemption."),
    Code.NAME: gettext_lazy("The IRS has another name under this EIN."),
    Code.GROUP: gettext_lazy("It stands in a group ruling."),
    Code.REINSTATED: gettext_lazy("It was revoked once and reinstated."),
}
"""What is said beside a headline that weighs more."""
SHORT: Mapping[Code, Promise] = {
    Code.NO_EIN: gettext_lazy("no EIN"),
    Code.NO_FILE: gettext_lazy("no file loaded"),
    Code.REVOKED: gettext_lazy("revoked"),
    Code.LISTED: gettext_lazy("revoked by one file, exempt by the other"),
    Code.ABSENT: gettext_lazy("not in the file"),
    Code.SECTION: gettext_lazy("not section 501(c)"),
    Code.STATUS: gettext_lazy("unusual status"),
    Code.NAME: gettext_lazy("another name"),
    Code.GROUP: gettext_lazy("exempt by group ruling"),
    Code.REINSTATED: gettext_lazy("exempt, reinstated"),
    Code.SHOWN: gettext_lazy("exempt"),
}
ASKS: Mapping[Code, Promise] = {
    Code.NO_EIN: gettext_lazy("The organization's EIN, from its IRS letter."),
    Code.REVOKED: gettext_lazy(
        "The IRS letter of reinstatement. A person decides; a letter that refuses cites this list."
    ),
    Code.LISTED: gettext_lazy(
        "The IRS letter of reinstatement: it was probably reinstated, and the list is behind."
    ),
    Code.ABSENT: gettext_lazy(
        "A determination letter, a central organization's listing, Form 1120-H of a homeowners"
        " association, or a word that it is a church: each of these may rightly be missing here."
    ),
    Code.SECTION: gettext_lazy(
        "A determination letter that names a paragraph of section 501(c), or Form 1120-H."
    ),
    Code.STATUS: gettext_lazy("An affirmation letter of the IRS about the exemption as it stands."),
    Code.NAME: gettext_lazy(
        "A paper that joins the two names, such as the amended articles; or the right EIN."
    ),
    Code.GROUP: gettext_lazy(
        "The central organization's letter, and proof that it lists this one."
    ),
}
SUBSECTIONS: Mapping[str, Promise] = {
    "01": gettext_lazy("corporation under an act of Congress"),
    "02": gettext_lazy("title-holding corporation"),
    "03": gettext_lazy("charitable, religious, educational or similar"),
    "04": gettext_lazy("civic league, social welfare or local employees' association"),
    "05": gettext_lazy("labor, agricultural or horticultural organization"),
    "06": gettext_lazy("business league, chamber of commerce or real estate board"),
    "07": gettext_lazy("social and recreation club"),
    "08": gettext_lazy("fraternal beneficiary society"),
    "09": gettext_lazy("voluntary employees' beneficiary association"),
    "10": gettext_lazy("domestic fraternal society"),
    "11": gettext_lazy("teachers' retirement fund"),
    "12": gettext_lazy("benevolent life insurance, mutual ditch or telephone company"),
    "13": gettext_lazy("cemetery company"),
    "14": gettext_lazy("credit union"),
    "15": gettext_lazy("small insurance company"),
    "16": gettext_lazy("corporation to finance crops"),
    "17": gettext_lazy("supplemental unemployment trust"),
    "18": gettext_lazy("employee-funded pension trust"),
    "19": gettext_lazy("war veterans' post"),
    "20": gettext_lazy("legal services organization"),
    "21": gettext_lazy("black lung trust"),
    "22": gettext_lazy("pension liability trust"),
    "23": gettext_lazy("veterans' association founded before 1880"),
    "24": gettext_lazy("pension trust"),
    "25": gettext_lazy("holding company of pension funds"),
    "26": gettext_lazy("state-sponsored health insurer for high risks"),
    "27": gettext_lazy("state-sponsored workers' compensation insurer"),
    "28": gettext_lazy("railroad retirement investment trust"),
    "29": gettext_lazy("nonprofit health insurance issuer"),
    "40": gettext_lazy("section 501(d): religious or apostolic association"),
    "50": gettext_lazy("section 501(e): cooperative hospital service"),
    "60": gettext_lazy("section 501(f): cooperative service of schools"),
    "70": gettext_lazy("section 501(k): child care organization"),
    "71": gettext_lazy("section 501(n): charitable risk pool"),
    "81": gettext_lazy("section 529: state tuition program"),
    "92": gettext_lazy("section 4947(a)(1): nonexempt charitable trust"),
}
STATUSES: Mapping[str, Promise] = {
    "01": gettext_lazy("unconditional exemption"),
    "02": gettext_lazy("conditional exemption"),
    "12": gettext_lazy("trust under section 4947(a)(2); it does not mean revoked"),
    "25": gettext_lazy(
        "private foundation that is ending that status, section 507(b)(1)(B);"
        " it does not mean revoked"
    ),
    "32": gettext_lazy("did not answer a notice of the IRS"),
}


@dataclass(frozen=True, slots=True)
class Said:
    """The whole answer in words: a mark and a line, what the rows mean, what to ask for."""

    mark: Mark
    headline: str
    short: str
    meaning: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()


def say(codes: tuple[Code, ...], row: Charity | None, today: date, years: int | None) -> Said:
    """Word the codes; the first is the headline. `years` is how long a body must have existed."""
    asks = [str(ASKS[code]) for code in codes if code in ASKS]
    if row and row.affiliation in CENTRALS and Code.GROUP in codes:
        asks.remove(str(ASKS[Code.GROUP]))
        asks.append(_("Its own letter of the group ruling: it is itself the central organization."))
    also = [str(ALSO[code]) for code in codes[1:]]
    meaning = [*also, *(_row_said(row, today, years) if row else ())]
    first = codes[0]
    return Said(MARKS[first], str(HEADLINES[first]), str(SHORT[first]), tuple(meaning), tuple(asks))


def subsection_said(row: Charity) -> str:
    """“501(c)(19), war veterans' post”; other sections of the Code by their own name."""
    word = SUBSECTIONS.get(row.subsection)
    basis = basis_of(row)
    if not basis:
        other = _("subsection code %(code)s, which is no paragraph of section 501(c)")
        return str(word) if word else other % {"code": row.subsection or "-"}
    return f"{basis}, {word}" if word else basis


def status_said(row: Charity) -> str:
    """“01, unconditional exemption”."""
    word = STATUSES.get(row.status, _("a code that is not known here"))
    return f"{row.status or '-'}, {word}"


def group_said(row: Charity) -> str:
    """“1234, subordinate”; "" for a body that stands on its own."""
    if row.group in NO_GROUP and row.affiliation != SUBORDINATE:
        return ""
    number = row.group if row.group not in NO_GROUP else _("number not given")
    if row.affiliation == SUBORDINATE:
        return _("%(number)s, subordinate of a central organization") % {"number": number}
    if row.affiliation in CENTRALS:
        return _("%(number)s, central organization") % {"number": number}
    return number


def ruling_said(row: Charity) -> str:
    """“January 1990”; "" where the row gives none."""
    month = ruling_month(row)
    return date_format(month, pgettext("month", "F Y")) if month else ""


def address_said(row: Charity) -> str:
    """The address in one line."""
    place = " ".join(filter(None, [row.state, row.zip_code]))
    return ", ".join(filter(None, [row.street, row.city, place]))


def facts_of(row: Charity) -> list[tuple[str, str]]:
    """The columns that matter, each with its label; what the row leaves open is left out."""
    facts = [
        (_("Name"), row.name),
        (_("Second line of the name"), row.sort_name),
        (_("EIN"), f"{row.ein[:2]}-{row.ein[2:]}"),
        (_("Address"), address_said(row)),
        (_("Exempt under"), subsection_said(row)),
        (_("Status"), status_said(row)),
        (_("Group ruling"), group_said(row)),
        (_("Ruling of"), ruling_said(row)),
    ]
    return [(label, value) for label, value in facts if value]


def _row_said(row: Charity, today: date, years: int | None) -> Iterator[str]:
    yield _("The IRS has it under %(section)s.") % {"section": subsection_said(row)}
    month = ruling_said(row)
    if month and has_existed(row, years, today):
        told = _(
            "Its ruling is of %(month)s: that supports %(years)s years of existence, and does not"
            " show that it was active."
        )
        yield told % {"month": month, "years": years}
    elif month:
        told = _(
            "Its ruling is of %(month)s, which alone does not support the years of existence;"
            " a reinstated body may show a new month though it is older."
        )
        yield told % {"month": month}
    else:
        yield _("The row gives no month of its ruling.")


def source_said(file: str, day: date, line: int) -> str:
    """“eo_fl.csv of Aug 1, 2026, line 12”."""
    told = {"file": file, "day": short_day(day), "line": f"{line:,}"}
    return _("%(file)s of %(day)s, line %(line)s") % told
