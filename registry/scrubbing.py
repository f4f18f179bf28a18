"""Makes the cleaned copy of a paper, in a process of its own (registry.apart).

What is seen stays: the pages of a PDF, the picture of a photo. All else goes: scripts, actions,
attached files, forms, author, place, camera. The program gets the file on its standard input,
writes the copy, and imports nothing of the register, so that it starts quickly.
"""

from __future__ import annotations

import io
import re
import resource
import sys
import warnings
from collections.abc import Iterator
from typing import Any

MEMORY, SECONDS = 768 * 2**20, 10
LOCKED, TOO_LARGE, DAMAGED = 3, 4, 5
"""What the exit codes say."""
MOST_BYTES = 16 * 2**20
"""Of a copy; a picture is pressed harder, a PDF refused."""
MOST_PIXELS, MOST_SIDE = 60_000_000, 5_000
MOST_PAGES = 1_000
QUALITY = 88
DEEP = 16
"""Bits of a grey value from which eight are kept: half of these."""

HEADER = 1024
"""A PDF may begin so many bytes late and is still read."""
SIGNS = {b"\xff\xd8\xff": "image/jpeg", b"\x89PNG\r\n\x1a\n": "image/png"}
BRANDS = {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"}
FORMATS = {"image/jpeg": "JPEG", "image/png": "PNG", "image/heic": "HEIF"}

PAGE_KEEPS = {
    "/Type", "/Parent", "/Resources", "/Contents", "/MediaBox", "/CropBox", "/Rotate", "/UserUnit",
    "/Group",
}  # fmt: skip
GOES = {
    "/Metadata", "/PieceInfo", "/LastModified", "/AF", "/EF", "/AA", "/OpenAction", "/JS", "/Ref",
    "/OPI", "/Alternates", "/Measure", "/PtData", "/StructParent", "/StructParents",
}  # fmt: skip
"""Keys that say more than is seen or that do something, in whatever they stand."""
OUTSIDE = {"/F", "/FFilter", "/FDecodeParms"}
"""Keys of a stream whose content lies in another file."""


def kind_of(content: bytes) -> str:
    """The media type by what the file holds; "" for a kind that is not kept."""
    for sign, kind in SIGNS.items():
        if content.startswith(sign):
            return kind
    if content[4:8] == b"ftyp" and content[8:12] in BRANDS:
        return "image/heic"
    return "application/pdf" if b"%PDF-" in content[:HEADER] else ""


def scrubbed(content: bytes) -> bytes:
    """The cleaned copy; SystemExit with the reason for what cannot be cleaned."""
    kind = kind_of(content)
    if not kind:
        sys.exit(DAMAGED)
    return scrubbed_pdf(content) if kind == "application/pdf" else picture(content, FORMATS[kind])


def picture(content: bytes, kind: str) -> bytes:
    """The picture alone, upright, as JPEG or PNG."""
    from PIL import Image, ImageOps

    if kind == "HEIF":
        import pillow_heif

        pillow_heif.options.DECODE_THREADS = 1
        pillow_heif.register_heif_opener(thumbnails=False)
    Image.MAX_IMAGE_PIXELS = MOST_PIXELS
    warnings.simplefilter("error", Image.DecompressionBombWarning)
    try:
        with Image.open(io.BytesIO(content), formats=[kind]) as image:
            image.draft(None, (MOST_SIDE, MOST_SIDE))
            image.thumbnail((MOST_SIDE, MOST_SIDE))
            return pressed(alone(ImageOps.exif_transpose(image)), kind)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        sys.exit(TOO_LARGE)


def alone(image: Any) -> Any:
    """A new picture with the same points and nothing beside them."""
    from PIL import Image

    if image.mode.startswith("I"):
        image = image.convert("I").point(lambda value: value * 2.0 ** (-DEEP // 2)).convert("L")
    if image.mode in {"1", "L"}:
        mode = image.mode
    else:
        mode = "RGBA" if image.has_transparency_data else "RGB"
    fresh = Image.new(mode, image.size)
    fresh.paste(image.convert(mode))
    return fresh


def pressed(image: Any, kind: str) -> bytes:
    """As PNG what came as PNG, unless that grows too large; else as JPEG."""
    from PIL import Image

    out = io.BytesIO()
    if kind == "PNG":
        image.save(out, "PNG")
        if out.tell() <= MOST_BYTES:
            return out.getvalue()
    if image.mode == "RGBA":
        white = Image.new("RGB", image.size, "white")
        white.paste(image, mask=image.getchannel("A"))
        image = white
    out = io.BytesIO()
    image.convert("L" if image.mode == "1" else image.mode).save(out, "JPEG", quality=QUALITY)
    return out.getvalue()


def scrubbed_pdf(content: bytes) -> bytes:
    """A new PDF with the pages as they are seen: no catalog, no annotation comes along."""
    import pikepdf

    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(content)) as source, pikepdf.new() as clean:
        if not 0 < len(source.pages) <= MOST_PAGES:
            sys.exit(TOO_LARGE if len(source.pages) else DAMAGED)
        flatten(source)
        for page in source.pages:
            for key in set(page.obj.keys()) - PAGE_KEEPS:
                del page.obj[key]
            clean.pages.append(page)
        _keep_layers(source, clean)
        for thing in clean.objects:
            _scrub(thing, clean)
        clean.remove_unreferenced_resources()
        packed = pikepdf.ObjectStreamMode.generate
        clean.save(out, object_stream_mode=packed, deterministic_id=True)
    return out.getvalue()


def flatten(source: Any) -> None:
    """What was filled in or noted becomes part of its page; a broken form is left out."""
    import pikepdf

    try:
        if "/AcroForm" in source.Root and source.Root.AcroForm.get("/NeedAppearances", False):
            source.generate_appearance_streams()
        source.flatten_annotations("all")
    except (pikepdf.PdfError, AttributeError, KeyError, RuntimeError, TypeError, ValueError):
        return


def _keep_layers(source: Any, clean: Any) -> None:
    """Which layers show: without this a layer that is switched off would be seen."""
    layers = source.Root.get("/OCProperties")
    if layers is not None:
        if not layers.is_indirect:
            layers = source.make_indirect(layers)
        clean.Root.OCProperties = clean.copy_foreign(layers)


def _scrub(thing: Any, pdf: Any) -> None:
    import pikepdf

    if isinstance(thing, pikepdf.Stream):
        _scrub_stream(thing, pdf)
    for part in _parts(thing):
        if isinstance(part, (pikepdf.Dictionary, pikepdf.Stream)):
            for key in GOES & set(part.keys()):
                del part[key]


def _parts(thing: Any) -> Iterator[Any]:
    """The object and all that stands inside it, not what it only names."""
    import pikepdf

    pending = [thing]
    while pending:
        one = pending.pop()
        yield one
        if isinstance(one, pikepdf.Array):
            inner = list(one)
        elif isinstance(one, (pikepdf.Dictionary, pikepdf.Stream)):
            inner = [one[key] for key in one.keys()]  # noqa: SIM118 - a stream iterates otherwise
        else:
            continue
        pending += [o for o in inner if isinstance(o, pikepdf.Object) and not o.is_indirect]


def _scrub_stream(stream: Any, pdf: Any) -> None:
    import pikepdf

    for key in OUTSIDE & set(stream.keys()):
        del stream[key]
    if "/PS" in {str(stream.get("/Subtype", "")), str(stream.get("/Subtype2", ""))}:
        stream.write(b"")
        return
    found = stream.get("/Filter")
    filters = list(found) if isinstance(found, pikepdf.Array) else [found]
    strip = {"/DCTDecode": bare_jpeg, "/JPXDecode": bare_jpeg2000}.get(str(filters[-1:][0]))
    if strip is None:
        return
    raw = stream.read_raw_bytes()
    if len(filters) > 1:
        wrapped = pdf.make_stream(raw)
        wrapped.Filter = pikepdf.Array(filters[:-1])
        raw = wrapped.read_bytes()
    parameters = stream.get("/DecodeParms")
    if isinstance(parameters, pikepdf.Array):
        parameters = parameters[-1] if len(parameters) == len(filters) else None
    stream.write(strip(raw), filter=filters[-1], decode_parms=parameters)


MARKER = re.compile(rb"\xff+([^\x00\xff\xd0-\xd7])")
SCAN, END = 0xDA, 0xD9
NEEDED = {0xE0, 0xEE}
"""Application segments that say how the colours are meant; the others hold camera and place."""


def bare_jpeg(data: bytes) -> bytes:
    """A JPEG without notes: no segment of place, camera or comment, nothing after its end."""
    if not data.startswith(b"\xff\xd8"):
        return data
    kept, at = bytearray(data[:2]), 2
    while found := MARKER.search(data, at):
        kept += data[at : found.start()]
        marker = found.group(1)[0]
        if marker == END:
            return bytes(kept + b"\xff\xd9")
        length = int.from_bytes(data[found.end() : found.end() + 2])
        at = found.end() + length
        is_note = marker == 0xFE or (0xE0 <= marker <= 0xEF and marker not in NEEDED)  # noqa: PLR2004 - JPEG's own numbers
        if not is_note:
            kept += data[found.end() - 2 : at]
    return bytes(kept + data[at:])


BOX = 8
"""Bytes of a box's head: length and kind."""


def bare_jpeg2000(data: bytes) -> bytes:
    """A JPEG 2000 without its boxes of notes; a bare codestream has none."""
    if data[4:BOX] != b"jP  ":
        return data
    kept, at = bytearray(), 0
    while at + BOX <= len(data):
        length = int.from_bytes(data[at : at + 4])
        if length < BOX:
            return bytes(kept + data[at:])
        if data[at + 4 : at + BOX] not in {b"uuid", b"xml ", b"uinf"}:
            kept += data[at : at + length]
        at += length
    return bytes(kept)


def main() -> None:
    """Clean standard input within the limits; the exit code says why it could not be cleaned."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    import pikepdf

    try:
        copy = scrubbed(sys.stdin.buffer.read())
    except pikepdf.PasswordError:
        sys.exit(LOCKED)
    except MemoryError:
        sys.exit(TOO_LARGE)
    except Exception:
        sys.exit(DAMAGED)
    if len(copy) > MOST_BYTES:
        sys.exit(TOO_LARGE)
    sys.stdout.buffer.write(copy)


if __name__ == "__main__":
    main()
