"""Workbooks made by hand, to say in a few bytes what no spreadsheet program would write."""

from __future__ import annotations

import io
import struct
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
    columns: str = "",
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
                f'<worksheet xmlns="{MAIN}">{columns}'
                f"<sheetData>{own or rows}</sheetData></worksheet>",
            )
        archive.writestr("xl/sharedStrings.xml", f'<sst xmlns="{MAIN}">{shared}</sst>')
        for name, part in (parts or {}).items():
            archive.writestr(name, part)
    return whole.getvalue()


def instead(name: str, part: str) -> bytes:
    """The plain workbook with one of its parts written otherwise."""
    whole = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(workbook())) as plain,
        zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        for one in plain.namelist():
            archive.writestr(one, part if one == name else plain.read(one))
    return whole.getvalue()


TABLES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for name in ("office", "table", "text", "style")
)
ODS = "application/vnd.oasis.opendocument.spreadsheet"


def ods_row(*texts: str, repeated: int = 1, hidden: bool = False, last: str = "") -> str:
    """One row of an OpenDocument table; `last` is XML put behind its cells."""
    cells = ods_texts(*texts)
    state = ' table:visibility="collapse"' if hidden else ""
    many = f' table:number-rows-repeated="{repeated}"'
    return f"<table:table-row{many}{state}>{cells}{last}</table:table-row>"


def ods_texts(*texts: str) -> str:
    """Cells of text."""
    return "".join(
        f'<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>'
        for text in texts
    )


def ods_cells(repeated: int, text: str = "") -> str:
    """One cell that stands for many."""
    filled = f'office:value-type="string"><text:p>{text}</text:p>' if text else ">"
    return (
        f'<table:table-cell table:number-columns-repeated="{repeated}" {filled}</table:table-cell>'
    )


def ods(*tables: tuple[str, str, str], manifest: str = "<m/>", head: str = "") -> bytes:
    """An ODS file; `tables` are (name, rows, style), style "off" for one that is not shown."""
    whole = io.BytesIO()
    shown = "".join(
        f'<style:style style:name="{name}" style:family="table"><style:table-properties'
        f' table:display="{shown}"/></style:style>'
        for name, shown in (("on", "true"), ("off", "false"))
    )
    body = "".join(
        f'<table:table table:name="{name}" table:style-name="{style}">{rows}</table:table>'
        for name, rows, style in tables
    )
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", ODS)
        archive.writestr("META-INF/manifest.xml", manifest)
        archive.writestr(
            "content.xml",
            f"<?xml version='1.0'?>{head}<office:document-content {TABLES}>"
            f"<office:automatic-styles>{shown}</office:automatic-styles><office:body>"
            f"<office:spreadsheet>{body}</office:spreadsheet></office:body>"
            "</office:document-content>",
        )
    return whole.getvalue()


def record(kind: int, content: bytes = b"") -> bytes:
    """One record of an XLS file."""
    return struct.pack("<HH", kind, len(content)) + content


def label(row: int, column: int, text: str) -> bytes:
    """A cell with text."""
    told = text.encode("utf-16-le")
    return record(0x204, struct.pack("<HHHHB", row, column, 0, len(text), 1) + told)


def xls(*sheets: tuple[str, bytes, int], first: bytes = b"", stream: str = "Workbook") -> bytes:
    """An XLS file; `sheets` are (name, records, 0 or 1 for one that is hidden)."""
    begin = record(0x809, struct.pack("<HHHHII", 0x600, 5, 0, 0, 0, 0))
    inner = record(0x809, struct.pack("<HHHHII", 0x600, 0x10, 0, 0, 0, 0))
    head = begin + first + record(0x5C, b" " * 6000)
    size = len(head) + sum(4 + 8 + len(name) for name, _cells, _state in sheets) + 4
    bounds, bodies = b"", b""
    for name, cells, state in sheets:
        at = size + len(bodies)
        bounds += record(0x85, struct.pack("<IBBBB", at, state, 0, len(name), 0) + name.encode())
        bodies += inner + cells + record(0x0A)
    return ole(stream, head + bounds + record(0x0A) + bodies)


def ole(name: str, content: bytes) -> bytes:
    """A compound file with one stream."""
    sectors = -(-len(content) // 512)
    tables = -(-(sectors + 2) * 4 // 508) + 1
    chain = [*range(1, sectors), 0xFFFFFFFE, 0xFFFFFFFE, *[0xFFFFFFFD] * tables]
    fat = struct.pack(f"<{len(chain)}I", *chain).ljust(tables * 512, b"\xff")
    places = [*range(sectors + 1, sectors + 1 + tables)][:109]
    header = oldmark() + b"\0" * 16 + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + b"\0" * 10
    header += struct.pack("<IIIIIIIII", tables, sectors, 0, 4096, 0xFFFFFFFE, 0, 0xFFFFFFFE, 0, 0)[
        :32
    ]
    header += struct.pack(f"<{len(places)}I", *places)
    entries = entry("Root Entry", 5, 0xFFFFFFFE, 0, 1) + entry(name, 2, 0, len(content))
    body = content.ljust(sectors * 512, b"\0") + entries.ljust(512, b"\0") + fat
    return header.ljust(512, b"\xff") + body


def oldmark() -> bytes:
    """The first bytes of every compound file."""
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def entry(name: str, kind: int, start: int, size: int, child: int = 0xFFFFFFFF) -> bytes:
    """One entry of a compound file's directory."""
    told = name.encode("utf-16-le") + b"\0\0"
    ties = struct.pack("<BBIII", kind, 1, 0xFFFFFFFF, 0xFFFFFFFF, child)
    return (
        told.ljust(64, b"\0") + struct.pack("<H", len(told)) + ties + b"\0" * 36
        + struct.pack("<IQ", start, size)
    )  # fmt: skip
