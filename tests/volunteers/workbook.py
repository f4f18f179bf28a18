"""Workbooks made by hand, to say in a few bytes what no spreadsheet program would write."""

from __future__ import annotations

import io
import zipfile

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"


def row(number: int, *texts: str) -> str:
    """One row of text cells."""
    cells = (
        f'<c r="{column}{number}" t="inlineStr"><is><t>{text}</t></is></c>'
        for column, text in zip("ABCDEFG", texts, strict=False)
    )
    return f'<row r="{number}">{"".join(cells)}</row>'


HEADER = row(1, "Full name", "Join date")
PAT = row(2, "Pat Sample", "1/2/2026")


def workbook(
    rows: str = HEADER + PAT,
    *,
    shared: str = "",
    sheets: tuple[tuple[str, str, str], ...] = (("Members", "visible", ""),),
    parts: dict[str, str] | None = None,
) -> bytes:
    """An XLSX file; `sheets` are (name, state, rows), rows "" meaning `rows`."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{PACKAGE}/content-types">'
            '<Default Extension="xml" ContentType="application/xml"/></Types>',
        )
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="rId1"'
            f' Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        )
        named = "".join(
            f'<sheet name="{name}" sheetId="{n}" state="{state}" r:id="rId{n}"/>'
            for n, (name, state, _rows) in enumerate(sheets, 1)
        )
        archive.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>{named}</sheets></workbook>',
        )
        ties = "".join(
            f'<Relationship Id="rId{n}" Type="{OFFICE}/worksheet" Target="worksheets/{n}.xml"/>'
            for n in range(1, len(sheets) + 1)
        )
        ties += f'<Relationship Id="s" Type="{OFFICE}/sharedStrings" Target="sharedStrings.xml"/>'
        archive.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships xmlns="{PACKAGE}/relationships">{ties}</Relationships>',
        )
        for n, (_name, _state, own) in enumerate(sheets, 1):
            archive.writestr(
                f"xl/worksheets/{n}.xml",
                f'<worksheet xmlns="{MAIN}"><sheetData>{own or rows}</sheetData></worksheet>',
            )
        archive.writestr("xl/sharedStrings.xml", f'<sst xmlns="{MAIN}">{shared}</sst>')
        for name, part in (parts or {}).items():
            archive.writestr(name, part)
    return whole.getvalue()
