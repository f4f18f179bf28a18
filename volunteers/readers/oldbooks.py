"""Workbooks of the old kind (XLS): what hides in them, without their cells."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from volunteers.readers.looking import MAX_MERGED, Looked, damaged, locked

MARK = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
FREE, END_OF_CHAIN = 0xFFFFFFFF, 0xFFFFFFFE
ENTRY, STREAM, SMALL = 128, 2, 4096
FILEPASS, BOUNDSHEET, BOF = 0x2F, 0x85, 0x809
ROW, COLUMNS, FORMULA, FAULT, MERGED = 0x208, 0x7D, 0x06, 0x205, 0xE5
FAULTS = {
    0x00: "#NULL!", 0x07: "#DIV/0!", 0x0F: "#VALUE!", 0x17: "#REF!", 0x1D: "#NAME?",
    0x24: "#NUM!", 0x2A: "#N/A",
}  # fmt: skip


def look_through(content: bytes) -> list[Looked]:
    """What each sheet hides and where it has errors, in the order of the sheets.

    Raises BadFile for a file that is locked or damaged.
    """
    try:
        streams = dict(_streams(content))
        if "EncryptedPackage" in streams:
            raise locked()
        name = next(n for n in ("Workbook", "Book") if n in streams)
        return _sheets(streams[name])
    except (struct.error, IndexError, StopIteration, ValueError):
        raise damaged() from None


def _streams(content: bytes) -> Iterator[tuple[str, bytes]]:
    """The streams of a compound file: names, and what stands in those of a workbook."""
    shift, small_shift = struct.unpack_from("<HH", content, 30)
    directory, _sign, _cutoff, small_start = struct.unpack_from("<IIII", content, 48)
    size = 1 << min(shift, 12)
    fat = _fat(content, size)
    entries = _chained(content, fat, directory, size, 512)
    small_fat = _numbers(_chained(content, fat, small_start, size, 512))
    small = b""
    for at in range(0, len(entries) - ENTRY + 1, ENTRY):
        length, kind = struct.unpack_from("<HB", entries, at + 64)
        start, total = struct.unpack_from("<II", entries, at + 116)
        name = entries[at : at + max(length - 2, 0)].decode("utf-16-le", "replace")
        if name == "Root Entry":
            small = _chained(content, fat, start, size, 512)
        elif kind == STREAM and total >= SMALL:
            whole = name in {"Workbook", "Book"}
            yield name, _chained(content, fat, start, size, 512)[:total] if whole else b""
        elif kind == STREAM:
            yield name, _chained(small, small_fat, start, 1 << min(small_shift, 12), 0)[:total]


def _fat(content: bytes, size: int) -> list[int]:
    sectors = [n for n in struct.unpack_from("<109I", content, 76) if n < END_OF_CHAIN - 3]
    following, left = struct.unpack_from("<II", content, 68)
    for _step in range(min(left, len(content) // size)):
        if following >= END_OF_CHAIN - 3:
            break
        more = _numbers(content[512 + following * size : 512 + (following + 1) * size])
        sectors += [n for n in more[:-1] if n < END_OF_CHAIN - 3]
        following = more[-1]
    parts = (content[512 + n * size : 512 + (n + 1) * size] for n in sectors)
    return _numbers(b"".join(parts)[: len(content)])


def _numbers(content: bytes) -> list[int]:
    return list(struct.unpack(f"<{len(content) // 4}I", content[: len(content) // 4 * 4]))


def _chained(content: bytes, fat: list[int], start: int, size: int, offset: int) -> bytes:
    found, sector = [], start
    for _step in range(len(fat) + 1):
        if sector >= len(fat):
            break
        found.append(content[offset + sector * size : offset + (sector + 1) * size])
        sector = fat[sector]
    return b"".join(found)


def _sheets(stream: bytes) -> list[Looked]:
    """Everything of the sheets but their values: a sheet's records follow its own BOF."""
    starts: dict[int, Looked] = {}
    seen = Looked()
    for at, kind, record in _records(stream):
        if kind == FILEPASS:
            raise locked()
        if kind == BOUNDSHEET:
            starts[struct.unpack_from("<I", record)[0]] = Looked()
        elif kind == BOF:
            seen = starts.get(at, Looked())
        else:
            _note(seen, kind, record)
    return list(starts.values())


def _records(stream: bytes) -> Iterator[tuple[int, int, bytes]]:
    at = 0
    while at + 4 <= len(stream):
        kind, length = struct.unpack_from("<HH", stream, at)
        yield at, kind, stream[at + 4 : at + 4 + length]
        at += 4 + length


def _note(seen: Looked, kind: int, record: bytes) -> None:
    if kind == ROW and struct.unpack_from("<H", record, 12)[0] & 0x20:
        seen.hidden.add(struct.unpack_from("<H", record)[0])
    elif kind == COLUMNS and struct.unpack_from("<H", record, 8)[0] & 1:
        first, last = struct.unpack_from("<HH", record)
        seen.hidden_columns.update(range(first, min(last, 255) + 1))
    elif kind == MERGED:
        areas = struct.iter_unpack("<HHHH", record[2 : 2 + len(record[2:]) // 8 * 8])
        seen.merged += list(areas)[: max(0, MAX_MERGED - len(seen.merged))]
    elif kind == FAULT and record[7]:
        row, column = struct.unpack_from("<HH", record)
        seen.note(row, column, FAULTS.get(record[6], "#N/A"))
    elif kind == FORMULA and record[12:14] == b"\xff\xff" and record[6] == STREAM:
        row, column = struct.unpack_from("<HH", record)
        seen.note(row, column, FAULTS.get(record[8], "#N/A"))
