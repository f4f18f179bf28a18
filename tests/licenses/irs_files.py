"""Files in the form of the IRS, with invented organizations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from licenses.bmf import COLUMNS, Charity

HEADER = ",".join(COLUMNS)
LINE = (
    "012345678,MARSH LANTERN POST 42,% PAT SAMPLE,PO BOX 1,DADE CITY,FL,33525-0001,0000,19,3,1000,"
    "199001,1,00,000000000,1,01,202412,4,4,01,0,12,100000,50000,50000,W30,"
)
POST = Charity._make(LINE.split(","))
LISTED = (
    "012345678|MARSH LANTERN POST 42||1 SAMPLE ST|DADE CITY|FL|33525-0001|US|19"
    "|15-MAY-2020|11-AUG-2020|"
)


def line(**changes: str) -> str:
    """A line of the master file: the post's, but for some columns."""
    cells = POST._replace(**changes)
    return ",".join(f'"{cell}"' if "," in cell else cell for cell in cells)


def listed(ein: str = "012345678", revoked: str = "15-MAY-2020", back: str = "") -> str:
    """A line of the auto-revocation list."""
    return f"{ein}|MARSH LANTERN POST 42||1 SAMPLE ST|DADE CITY|FL||US|19|{revoked}||{back}"


def master(folder: Path, *lines: str, name: str = "eo_fl.csv", end: str = "\r\n") -> Path:
    """A master file of these lines."""
    path = folder / name
    path.write_bytes((end.join([HEADER, *lines]) + end).encode())
    return path


def revocations(folder: Path, *lines: str, name: str = "data-download-revocation.txt") -> Path:
    """An auto-revocation list: two blank lines first, no header."""
    path = folder / name
    path.write_bytes(("\r\n\r\n" + "\r\n".join(lines) + "\r\n").encode())
    return path


def charity(**changes: Any) -> Charity:
    """The post's row, but for some columns."""
    return POST._replace(**changes)
