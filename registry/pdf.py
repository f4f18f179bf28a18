"""HTML to tagged PDF. The renderer reaches neither network nor disk: only its own typefaces."""

from __future__ import annotations

import atexit
import base64
import gc
import io
import os
from collections.abc import Mapping
from functools import cache
from typing import Any

import segno
from django.template.loader import render_to_string

from registry.fonts import typefaces

# fontTools stamps each subset with the clock unless it is told what time it is: the same tags
# would then be other bytes a second later.
os.environ.setdefault("SOURCE_DATE_EPOCH", "0")

FACE = """
@font-face {{ font-family: "{family}"; src: url("{address}") }}
"""


class NotFetched(ValueError):
    """Something in a document wanted a file or an address; it gets neither."""


def _fetcher() -> Any:
    from weasyprint.urls import URLFetcher, URLFetcherResponse

    faces = {face.address: face for face in typefaces() if face.is_packaged}

    class OnlyOurFaces(URLFetcher):  # type: ignore[misc]
        """Serves the packaged typefaces and inline data; all else does not exist."""

        def fetch(self, url: str, headers: Any = None) -> Any:
            if url.startswith("data:"):
                return super().fetch(url, headers)
            if url not in faces:
                raise NotFetched(f"documents fetch nothing: {url[:80]}")
            return URLFetcherResponse(url, faces[url].path.read_bytes())

    return OnlyOurFaces(allowed_protocols=["data"])


@cache
def _typesetting() -> tuple[Any, Any, Any]:
    """Fetcher, fonts and their style sheet, made once a process: the first paper pays for all."""
    import weasyprint
    from weasyprint.text.fonts import FontConfiguration

    fetcher, fonts = _fetcher(), FontConfiguration()
    text = "".join(
        FACE.format(family=face.family, address=face.address)
        for face in typefaces()
        if face.is_packaged
    )
    sheet = weasyprint.CSS(string=text, font_config=fonts, url_fetcher=fetcher)
    return fetcher, fonts, sheet


# Pango must let go of the fonts while Python still stands.
atexit.register(_typesetting.cache_clear)


def render(template: str, context: Mapping[str, Any]) -> bytes:
    """The template as a tagged PDF/UA-1; the same context gives the same bytes."""
    return to_pdf(render_to_string(template, dict(context)))


def picture_of(content: bytes, media_type: str) -> str:
    """A picture as an address that a document can show: nothing is fetched."""
    return f"data:{media_type};base64,{base64.b64encode(content).decode()}"


def code_of(text: str) -> str:
    """A QR code as a 1-bit picture; the same mask always, so that the same text is the same."""
    out = io.BytesIO()
    made = segno.make(text, error="m", micro=False, boost_error=False, mask=2)
    made.save(out, kind="png", scale=1, border=0)
    return picture_of(out.getvalue(), "image/png")


def to_pdf(html: str) -> bytes:
    """HTML as a tagged PDF/UA-1. The garbage collector rests meanwhile: a fifth faster."""
    import weasyprint

    fetcher, fonts, faces = _typesetting()
    gc.disable()
    try:
        document = weasyprint.HTML(string=html, base_url=None, url_fetcher=fetcher)
        written: bytes = document.write_pdf(
            font_config=fonts, stylesheets=[faces], pdf_variant="pdf/ua-1"
        )
    finally:
        gc.enable()
    return written
