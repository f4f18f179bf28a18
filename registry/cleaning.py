"""The cleaned copy of a paper: what is served in place of what was received."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from registry import scrubbing
from registry.apart import run_apart
from registry.scrubbing import kind_of

ENDINGS = {
    "application/pdf": ".pdf",
    "image/jpeg": ".jpg",
    "image/png": ".png",
    "image/heic": ".heic",
}
"""How the name of each kind ends; no paper goes out under another ending."""
SECONDS = scrubbing.SECONDS + 5
LOOKED_AT = 1024
"""So many bytes tell what a file is that is not kept."""
OFFICE = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
PROGRAMS = (b"MZ", b"\x7fELF", b"#!", b"\xcf\xfa\xed\xfe")
PICTURES = (b"GIF8", b"II*\x00", b"MM\x00*", b"RIFF", b"BM")


class Unclean(ValueError):
    """The file cannot be kept; the sentence says what it is and what to do."""


@dataclass(frozen=True, slots=True)
class Copy:
    """A cleaned copy."""

    content: bytes
    media_type: str


def cleaned(name: str, content: bytes) -> Copy:
    """The cleaned copy of a PDF, JPEG, PNG or HEIC file; Unclean with one sentence for others."""
    if not kind_of(content):
        raise Unclean(_not_kept(content) % {"name": name})
    answer = run_apart(scrubbing.__file__, content, seconds=SECONDS, most=scrubbing.MOST_BYTES)
    if answer.code == 0 and (kind := kind_of(answer.output)):
        return Copy(answer.output, kind)
    if answer.code == scrubbing.LOCKED:
        told = _("“%(name)s” is locked with a password: save it without one and choose it again.")
    elif answer.code < 0 or answer.code == scrubbing.TOO_LARGE:
        told = _("“%(name)s” is too large to be read: scan it in grey, or fewer pages at a time.")
    else:
        told = _("“%(name)s” is damaged and cannot be read: scan or photograph the paper again.")
    raise Unclean(told % {"name": name})


def _not_kept(content: bytes) -> str:
    head = content[:LOOKED_AT].lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n\0").lower()
    seen = {
        _("“%(name)s” is empty: choose another file."): not content,
        _("“%(name)s” is an Office or ZIP file: save it as PDF and choose that."): (
            content.startswith(OFFICE)
        ),
        _("“%(name)s” is a program and is not taken: choose a PDF, JPEG, PNG or HEIC."): (
            content.startswith(PROGRAMS)
        ),
        _("“%(name)s” is a drawing (SVG): save it as PDF or PNG and choose that."): (
            head.startswith(b"<") and b"<svg" in head
        ),
        _("“%(name)s” is a web page: print it as PDF and choose that."): head.startswith(b"<"),
        _("“%(name)s” is a picture of another kind: save it as JPEG and choose that."): (
            content.startswith(PICTURES) or content[4:8] == b"ftyp"
        ),
        _(
            "“%(name)s” is no PDF, JPEG, PNG or HEIC: scan or photograph the paper and choose that."
        ): True,
    }
    return next(sentence for sentence, fits in seen.items() if fits)


def named(name: str, media_type: str) -> str:
    """The name under which a file goes out: the ending is that of what it holds."""
    ending = ENDINGS[media_type]
    stem, dot, last = name.rpartition(".")
    if dot and f".{last.lower()}" in {ending, ".jpeg", ".heif", *ENDINGS.values()}:
        return f"{stem}{ending}"
    return f"{name}{ending}"
