"""Many papers as one: contents first, each page on a Letter sheet with name and number.

Pages are set into the sheet whole, so that no stamp covers a word and no size or turn of a scan
is lost; what a PDF can do besides being read stays outside.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from registry import pdf
from registry.scrubbing import flatten, kind_of

SHORT, LONG = 612, 792
EDGE, HEAD, FOOT = 30, 46, 40
"""Points left free around a page that is set in, for the lines above and below."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet of the packet: which part, which page of it; a picture, or a note in its place."""

    heading: str
    part: int
    page: int
    pages: int
    is_wide: bool = False
    picture: str = ""
    note: str = ""

    @property
    def is_first(self) -> bool:
        """The contents lead here."""
        return self.page == 1


def packet_pdf(title: str, parts: Sequence[tuple[str, bytes]]) -> bytes:
    """The parts, each a heading with a PDF, JPEG or PNG, in one PDF with contents and bookmarks.

    A part that cannot be read gets a sheet that says so, so that nothing is missing in silence.
    """
    import pikepdf

    with pikepdf.new() as pages:
        sheets: list[Sheet] = []
        places: list[int | None] = []
        for number, (heading, content) in enumerate(parts, 1):
            found = list(_sheets(heading, number, content, pages))
            places += [len(pages.pages) - len(found) + i if _is_set_in(s) else None
                       for i, s in enumerate(found)]  # fmt: skip
            sheets += found
        return _bound(title, sheets, places, pages)


def _is_set_in(sheet: Sheet) -> bool:
    return not sheet.picture and not sheet.note


def _sheets(heading: str, part: int, content: bytes, pages: Any) -> Iterator[Sheet]:
    """The sheets of one part; the pages of a PDF are added to `pages`."""
    import pikepdf

    kind = kind_of(content)
    if kind in {"image/jpeg", "image/png"}:
        picture = pdf.picture_of(content, kind)
        yield Sheet(heading, part, 1, 1, picture=picture, is_wide=_is_wide_picture(content))
        return
    try:
        with pikepdf.open(io.BytesIO(content)) as source:
            flatten(source)
            if "/AcroForm" in source.Root:
                del source.Root["/AcroForm"]
            count = len(source.pages)
            wide = [_is_wide(page) for page in source.pages]
            pages.pages.extend(source.pages)
    except pikepdf.PdfError:
        count = 0
    if not count:
        note = _(
            "This paper cannot be printed here. It is kept in the register as it was received."
        )
        yield Sheet(heading, part, 1, 1, note=note)
        return
    for number, is_wide in enumerate(wide, 1):
        yield Sheet(heading, part, number, count, is_wide=is_wide)


def _is_wide(page: Any) -> bool:
    left, bottom, right, top = (float(value) for value in page.cropbox)
    lies = int(page.obj.get("/Rotate", 0)) % 180 != 0
    return (right - left > top - bottom) != lies


def _is_wide_picture(content: bytes) -> bool:
    from PIL import Image

    with Image.open(io.BytesIO(content)) as image:
        return bool(image.width > image.height)


def _bound(title: str, sheets: list[Sheet], places: Iterable[int | None], pages: Any) -> bytes:
    """The sheets with the pages set in, and a bookmark for each part."""
    import pikepdf

    out = io.BytesIO()
    context = {"title": title, "sheets": sheets, "parts": [s for s in sheets if s.is_first]}
    with pikepdf.open(io.BytesIO(pdf.render("pdf/packet.html", context))) as packet:
        first = len(packet.pages) - len(sheets)
        for at, place in enumerate(places, first):
            if place is not None:
                _set_in(packet.pages[at], pages.pages[place])
        _say_what_it_is(packet)
        packet.save(out, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    return out.getvalue()


def _set_in(sheet: Any, page: Any) -> None:
    import pikepdf

    _left, _bottom, width, height = (float(value) for value in sheet.mediabox)
    room = pikepdf.Rectangle(EDGE, FOOT, width - EDGE, height - HEAD)
    sheet.add_overlay(page, room)


def _say_what_it_is(packet: Any) -> None:
    """Scans have no tags: the packet does not claim to be PDF/UA as a whole."""
    with packet.open_metadata(set_pikepdf_as_editor=False) as about:
        for key in [key for key in about if "pdfua" in key]:
            del about[key]
