"""Papers are told by what they hold, kept as received, and go out cleaned."""

from __future__ import annotations

import io
from typing import Any

import pikepdf
import pytest
from django import forms
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DatabaseError, transaction
from django.test import RequestFactory
from PIL import Image

from registry.access import BadInput
from registry.cleaning import Unclean, cleaned, named
from registry.documents import MAX_BYTES, Paper, document_for, documents_of, keep_document
from registry.history import Act, System, acting
from registry.models import Document
from registry.scrubbing import bare_jpeg2000
from registry.uploads import LARGEST, UploadField
from tests.factories import (
    PDF,
    AccountHolderFactory,
    DocumentFactory,
    OrganizationFactory,
    RoleGrantFactory,
    UserFactory,
)
from tests.registry import hostile

Kind = Document.Kind


def opened(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(content))


@pytest.mark.parametrize(
    ("kind", "comes_out"), [("JPEG", "image/jpeg"), ("PNG", "image/png"), ("HEIF", "image/jpeg")]
)
def test_a_photo_comes_out_upright_and_without_camera_or_place(kind: str, comes_out: str) -> None:
    content = hostile.photo(kind, orientation=hostile.ROTATED)
    assert hostile.CAMERA.encode() in content

    copy = cleaned("photo", content)

    picture = opened(copy.content).convert("RGB")
    right, left = picture.getpixel((picture.width - 4, 4)), picture.getpixel((4, 4))
    assert copy.media_type == comes_out
    assert picture.size == (40, 60)
    assert (left[0] > 200, right[0] < 60) == (True, True)
    assert dict(opened(copy.content).getexif()) == {}
    assert set(opened(copy.content).info) <= {
        "jfif", "jfif_version", "jfif_unit", "jfif_density",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("mode", "comes_out"),
    [("1", "1"), ("L", "L"), ("P", "RGB"), ("LA", "RGBA"), ("RGBA", "RGBA"), ("I;16", "L")],
)
def test_a_picture_of_any_depth_keeps_its_white(mode: str, comes_out: str) -> None:
    out = io.BytesIO()
    image = Image.new("I;16", (60, 40), 65_535) if mode == "I;16" else hostile.drawing(mode)
    image.save(out, "PNG")

    picture = opened(cleaned("scan.png", out.getvalue()).content)

    assert picture.mode == comes_out
    assert picture.convert("L").getpixel((50, 30)) == 255


def test_a_pdf_comes_out_as_it_is_read_and_does_nothing() -> None:
    content = hostile.hostile_pdf()

    copy = cleaned("lease.pdf", content)

    document = pikepdf.open(io.BytesIO(copy.content))
    told = hostile.in_full(document)
    gone = [
        b"JavaScript", b"Launch", b"Casey", b"attached", b"thief.example", b"Spoonbill",
        b"taken at home", b"Annot", b"AcroForm", b"/Producer", b"xmpmeta",
    ]  # fmt: skip
    assert copy.media_type == "application/pdf"
    assert set(document.Root.keys()) == {"/Type", "/Pages"}
    before = hostile.in_full(pikepdf.open(io.BytesIO(content)))
    assert [word for word in gone if word not in before] == []
    assert [word for word in gone if word in told] == []
    assert b"Typed by hand" in told
    assert b"/DCTDecode" in told
    photo = pikepdf.PdfImage(document.pages[0].Resources.XObject["/Photo"]).as_pil_image()
    assert photo.size == (60, 40)


def test_a_photo_packed_twice_inside_a_pdf_loses_its_place_too() -> None:
    document = pikepdf.open(io.BytesIO(hostile.hostile_pdf()))
    photo = document.pages[0].Resources.XObject["/Photo"]
    raw = document.make_stream(photo.read_raw_bytes()).read_bytes()
    photo.write(
        raw.hex().encode() + b">",
        filter=pikepdf.Array([pikepdf.Name.ASCIIHexDecode, pikepdf.Name.DCTDecode]),
    )

    copy = cleaned("scan.pdf", hostile.saved(document))

    done = pikepdf.open(io.BytesIO(copy.content))
    inside = done.pages[0].Resources.XObject["/Photo"]
    assert opened(inside.read_raw_bytes()).size == (60, 40)
    assert hostile.CAMERA.encode() not in inside.read_raw_bytes()


def test_notes_of_a_jpeg_2000_go_and_its_picture_stays() -> None:
    def box(kind: bytes, body: bytes) -> bytes:
        return (len(body) + 8).to_bytes(4) + kind + body

    picture = box(b"jP  ", b"\r\n\x87\n") + box(b"jp2h", b"size") + box(b"jp2c", b"points")
    noted = picture + box(b"uuid", b"place") + box(b"xml ", b"<author/>")

    assert bare_jpeg2000(noted) == picture
    assert bare_jpeg2000(b"\xff\x4f\xff\x51 points") == b"\xff\x4f\xff\x51 points"


def test_a_layer_that_is_switched_off_stays_off() -> None:
    document = pikepdf.open(io.BytesIO(hostile.pdf()))
    layer = document.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.OCG, Name="void"))
    document.Root.OCProperties = pikepdf.Dictionary(OCGs=[layer], D=pikepdf.Dictionary(OFF=[layer]))
    document.pages[0].Resources.Properties = pikepdf.Dictionary(void=layer)

    copy = pikepdf.open(io.BytesIO(cleaned("a.pdf", hostile.saved(document)).content))

    seen = copy.pages[0].Resources.Properties["/void"]
    assert copy.Root.OCProperties.D.OFF[0].objgen == seen.objgen


def test_a_pdf_hidden_in_a_web_page_comes_out_as_a_pdf_alone() -> None:
    content = hostile.HTML + b"\n" + hostile.pdf() + b"PK\x03\x04" + hostile.HTML

    copy = cleaned("polyglot.html", content)

    assert copy.media_type == "application/pdf"
    assert copy.content.startswith(b"%PDF-")
    assert copy.content.rstrip().endswith(b"%%EOF")
    assert (b"script" in copy.content, b"PK\x03\x04" in copy.content) == (False, False)


def test_a_pdf_that_only_its_owner_may_change_is_taken() -> None:
    content = hostile.pdf(encryption=pikepdf.Encryption(owner="secret", user=""))

    document = pikepdf.open(io.BytesIO(cleaned("letter.pdf", content).content))

    assert (document.is_encrypted, len(document.pages)) == (False, 1)


def bomb() -> bytes:
    out = io.BytesIO()
    Image.new("1", (30_000, 30_000)).save(out, "PNG")
    return out.getvalue()


LOCKED = {"encryption": pikepdf.Encryption(owner="secret", user="secret")}
REFUSED = {
    "empty": (b"", "is empty: choose another file."),
    "svg": (hostile.SVG, "is a drawing (SVG): save it as PDF or PNG and choose that."),
    "html": (hostile.HTML, "is a web page: print it as PDF and choose that."),
    "exe": (hostile.PROGRAM, "is a program and is not taken: choose a PDF, JPEG, PNG or HEIC."),
    "docx": (b"PK\x03\x04word/", "is an Office or ZIP file: save it as PDF and choose that."),
    "gif": (b"GIF89a", "is a picture of another kind: save it as JPEG and choose that."),
    "text": (b"lease", "is no PDF, JPEG, PNG or HEIC: scan or photograph the paper"),
    "cut": (hostile.photo()[:400], "is damaged and cannot be read"),
    "no pages": (b"%PDF-1.7 and nothing", "is damaged and cannot be read"),
    "no picture": (b"\0\0\0\x18ftypheic" + b"\0" * 40, "is damaged and cannot be read"),
    "locked": (hostile.pdf(**LOCKED), "is locked with a password: save it without one"),
    "bomb": (bomb(), "is too large to be read"),
}


@pytest.mark.parametrize(("content", "sentence"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_kept_is_refused_in_one_sentence(content: bytes, sentence: str) -> None:
    with pytest.raises(Unclean) as unclean:
        cleaned("lease.pdf", content)

    assert str(unclean.value).startswith(f"“lease.pdf” {sentence}")
    assert str(unclean.value).count(": ") <= 1


@pytest.mark.parametrize(
    ("name", "goes_out"),
    [
        ("lease.pdf", "lease.pdf"),
        ("lease.HTML", "lease.HTML.pdf"),
        ("IMG_1.JPEG", "IMG_1.pdf"),
        ("lease", "lease.pdf"),
    ],
)
def test_a_paper_goes_out_under_the_ending_of_what_it_holds(name: str, goes_out: str) -> None:
    assert named(name, "application/pdf") == goes_out


class OneForm(forms.Form):
    paper = UploadField(about="A lease.")


class ManyForm(forms.Form):
    papers = UploadField(several=True, required=False)


def sent(*contents: bytes, name: str = "papers", size: int = 0) -> Any:
    files = [SimpleUploadedFile(f"{n}.pdf", content) for n, content in enumerate(contents, 1)]
    for file in files if size else ():
        file.size = size
    request = RequestFactory().post("/", {name: files})
    return {"data": {}, "files": request.FILES}


def test_the_field_says_kinds_and_size_and_reads_several_files() -> None:
    form = ManyForm(**sent(PDF, hostile.photo()))

    assert str(OneForm().fields["paper"].help_text) == (
        "A lease. PDF, JPEG, PNG or HEIC, up to 10 MB."
    )
    assert form.is_valid(), form.errors
    assert [paper.media_type for paper in form.cleaned_data["papers"]] == [
        "application/pdf", "image/jpeg",
    ]  # fmt: skip
    assert ManyForm({}, {}).is_valid()


def test_each_bad_file_of_several_is_named() -> None:
    form = ManyForm(**sent(PDF, hostile.SVG, b""))

    assert form.errors["papers"] == [
        "“2.pdf” is a drawing (SVG): save it as PDF or PNG and choose that.",
        "The submitted file is empty.",
    ]


def test_a_file_far_too_large_runs_past_and_is_said_to_be_too_large() -> None:
    form = OneForm(**sent(b"%PDF-" + b"\0" * LARGEST, name="paper"))

    file = form.files["paper"]
    assert (file.size, file.read()) == (LARGEST + 5, b"")
    assert form.errors["paper"] == [
        "“1.pdf” has more than 10 MB: scan it in grey, or fewer pages at a time."
    ]
    assert LARGEST > MAX_BYTES


@pytest.mark.django_db
def test_the_same_paper_again_is_found_and_another_kind_is_its_own() -> None:
    organization, paper = OrganizationFactory(), Paper("a\\b\u202e/lease 123-45-6789.pdf", PDF)

    with acting(System.SET_UP, "test.made"):
        first = keep_document(organization, Kind.LEASE, paper)
        again = keep_document(organization, Kind.LEASE, Paper("other.pdf", PDF))
        other = keep_document(organization, Kind.OTHER, Paper("x/o\u202e.pdf", PDF))
        with pytest.raises(BadInput):
            keep_document(organization, Kind.LEASE, Paper("a.svg", hostile.SVG))

    assert (first.is_new, again.is_new, again.pk == first.pk) == (True, False, True)
    assert (first.name, other.name) == ("lease", "o.pdf")
    assert bytes(Document.objects.get(pk=first.pk).content) == PDF


@pytest.mark.django_db
def test_what_was_received_cannot_be_put_in_place_of_something_else() -> None:
    document = DocumentFactory()

    with (
        pytest.raises(DatabaseError),
        acting(System.SET_UP, "test.made"),
        transaction.atomic(),
    ):
        Document.objects.filter(pk=document.pk).update(content=b"%PDF-1.7 another")


@pytest.mark.django_db
def test_an_organization_opens_its_own_papers_and_none_of_the_countys_or_a_colleagues(
    client: Any,
) -> None:
    holder = AccountHolderFactory()
    own = holder.organization
    lease, merger, officer, mine = (
        DocumentFactory(organization=own, kind=kind, sent_by=sender)
        for kind, sender in [
            (Kind.LEASE, None),
            (Kind.MERGER, None),
            (Kind.OFFICER, UserFactory()),
            (Kind.OFFICER, holder.user),
        ]
    )
    foreign = DocumentFactory(kind=Kind.LEASE)
    clerk = RoleGrantFactory().user
    client.force_login(holder.user)

    page = f"/organizations/{own.slug}/documents"
    answers = {row.pk: client.get(f"{page}/{row.pk}/").status_code for row in
               (lease, merger, officer, mine, foreign)}  # fmt: skip

    assert answers == {lease.pk: 200, merger.pk: 404, officer.pk: 404, mine.pk: 200,
                       foreign.pk: 404}  # fmt: skip
    assert {row.pk for row in documents_of(holder.user, own)} == {lease.pk, mine.pk}
    assert {row.pk for row in documents_of(clerk, own)} == {
        lease.pk,
        merger.pk,
        officer.pk,
        mine.pk,
    }
    assert document_for(clerk, own, foreign.pk) is None
    assert client.get(f"{page}/{lease.pk}/original/").status_code == 403


@pytest.mark.django_db
def test_the_copy_is_served_as_a_download_and_the_original_to_regulators(client: Any) -> None:
    content = hostile.HTML + hostile.hostile_pdf()
    organization = OrganizationFactory()
    with acting(System.SET_UP, "test.made"):
        document = keep_document(organization, Kind.LEASE, Paper("lease.html", content))
    clerk = RoleGrantFactory().user
    client.force_login(clerk)
    page = f"/organizations/{organization.slug}/documents/{document.pk}/"

    copy, original = client.get(page), client.get(f"{page}original/")

    assert (b"script" in copy.content, original.content == content) == (False, True)
    for answer in (copy, original):
        assert answer["Content-Type"] == "application/pdf"
        assert answer["Content-Disposition"] == 'attachment; filename="lease.html.pdf"'
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert answer["Content-Security-Policy"] == "sandbox; default-src 'none'"
        assert "no-store" in answer["Cache-Control"]
    acts = Act.objects.filter(verb="document.downloaded", by=clerk).order_by("at")
    assert [(act.data["document"], act.data["original"]) for act in acts] == [
        (document.pk, False), (document.pk, True),
    ]  # fmt: skip


@pytest.mark.django_db
def test_a_paper_kept_before_copies_were_made_is_cleaned_when_it_is_asked_for(client: Any) -> None:
    readable = DocumentFactory(content=hostile.hostile_pdf(), cleaned=None, cleaned_type="")
    locked = DocumentFactory(
        organization=readable.organization, content=hostile.pdf(**LOCKED), cleaned=None
    )
    client.force_login(RoleGrantFactory().user)
    page = f"/organizations/{readable.organization.slug}/documents"

    fine, refused = (client.get(f"{page}/{row.pk}/") for row in (readable, locked))

    assert (fine.status_code, b"JavaScript" in fine.content) == (200, False)
    assert refused.status_code == 409
    assert "is locked with a password" in refused.content.decode()
    assert f"{page}/{locked.pk}/original/" in refused.content.decode()
