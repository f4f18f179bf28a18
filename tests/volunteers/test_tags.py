"""What a printed tag shows: the whole name, in its box, in letters that print; and its code."""

from __future__ import annotations

import csv
import io
import re
import shutil
import socket
import subprocess
import threading
from datetime import date
from pathlib import Path

import pytest
from pypdf import PdfReader

from registry import pdf
from registry.fonts import face_for, unprintable, width_of
from registry.ruleset import in_force
from registry.services import tidy
from volunteers import tags
from volunteers.tags import BAND, NAME, Face, Nudge

LAW = in_force(date(2026, 11, 30))
ADDRESS = "https://bingo.example.gov/T/" + "0123456789ABCDEF" * 2
POST = "Heron Lake Veterans Post 4412"
DATA = Path(__file__).parent.parent / "data"
TRICKY = list(csv.DictReader((DATA / "tricky_names.csv").read_text().splitlines(keepends=True)))


def face(name: str = "Mary Quinn", organization: str = POST, **more: object) -> Face:
    return Face(name, organization, "000731", ADDRESS, **more)


def text_of(document: bytes) -> str:
    """The text of all pages, white space folded."""
    pages = PdfReader(io.BytesIO(document)).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())


def letters(text: str) -> str:
    return re.sub(r"\s", "", text)


@pytest.mark.parametrize("row", TRICKY, ids=[f"{r['category']}-{n}" for n, r in enumerate(TRICKY)])
def test_a_hard_name_is_printed_whole_or_named_for_mending(row: dict[str, str]) -> None:
    name = tidy(row["full_name"])
    made = face("Pat Quinn", name) if row["category"] == "org-name" else face(name)

    found = tags.problems(made, LAW)

    if found:
        assert all(sentence.endswith(".") for sentence in found)
        with pytest.raises(ValueError, match="cannot be printed"):
            tags.sheet([made], LAW)
    elif tags._direction(name) == "ltr":
        assert letters(name) in letters(text_of(tags.sheet([made], LAW)))
    else:
        assert "Tag 000731" in text_of(tags.sheet([made], LAW))


GUARANTEED = ["D'Angelo M'Baye", "Łukasz Żółć-Przykład", "Παράδειγμα", "Пример", "عبد الرحمن"]


@pytest.mark.parametrize("name", GUARANTEED)
def test_latin_greek_cyrillic_and_arabic_print_everywhere(name: str) -> None:
    assert tags.problems(face(name), LAW) == []


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("A" * 200, "The name does not fit at 18 points, the smallest that is legible."),
        ("Pat\u202eelpmaS", "The name holds hidden marks (U+202E). Type it anew."),
        (
            "👩 Pat",
            (
                "No installed typeface has 👩 in the name."
                " Install the typeface or enter the name in letters that print."
            ),
        ),
        ("Z\u0335\u0336\u0337a", "The name piles accents on one letter. Type it without them."),
    ],
)
def test_what_cannot_be_printed_is_said_in_one_sentence(name: str, sentence: str) -> None:
    assert tags.problems(face(name), LAW) == [sentence]


@pytest.mark.parametrize(
    "name", ["O", "Mary Quinn", "Rev. Dr. Pat Q. Sample, D.D., Ph.D.", "m" * 40]
)
def test_every_line_lies_inside_its_box_and_none_is_below_the_floor(name: str) -> None:
    lines = tags.fit(name, NAME, 18)

    assert lines
    for line in lines:
        made = face_for(name)
        assert made
        assert width_of(line.text, made, weight=NAME.weight) * line.size <= NAME.width
        assert line.size >= 18
    assert lines[0].top >= NAME.top
    assert lines[-1].top + lines[-1].size * tags.LINE <= NAME.top + NAME.height


def test_a_long_organization_stays_in_its_band() -> None:
    name = "St. Mary's — Knights & Ladies of the Example (Council #1,234), Inc."

    lines = tags.fit(name, BAND, 10)

    assert lines
    assert " ".join(line.text for line in lines) == name
    assert lines[-1].top + lines[-1].size * tags.LINE <= BAND.height


def test_markup_in_a_name_is_printed_as_typed() -> None:
    document = tags.sheet([face("<b>Pat</b> & O'Example")], LAW)

    assert "<b>Pat</b> & O'Example" in text_of(document)


def test_a_sheet_holds_six_and_the_start_label_counts() -> None:
    assert len(PdfReader(io.BytesIO(tags.sheet([face()] * 13, LAW))).pages) == 3
    assert len(PdfReader(io.BytesIO(tags.sheet([face()] * 6, LAW, start=2))).pages) == 2


def test_label_and_nudge_move_the_tag() -> None:
    first, fourth = (tags.lay_out([face()], LAW, start=n, nudge=Nudge())[0] for n in (1, 4))
    moved = tags.lay_out([face()], LAW, start=1, nudge=Nudge(right=3, down=-2))[0]

    assert (first.left, first.top) == (18, 72)
    assert (fourth.left, fourth.top) == (18 + 288, 72 + 216)
    assert (moved.left, moved.top) == (21, 70)


def test_the_same_tags_give_the_same_bytes() -> None:
    assert tags.sheet([face()] * 3, LAW) == tags.sheet([face()] * 3, LAW)


def test_a_blank_tag_has_the_organization_and_neither_number_nor_code() -> None:
    text = text_of(tags.sheet(tags.blank(POST, 6), LAW))

    assert text.count(POST) == 6
    assert "Tag" not in text


def test_duty_and_last_day_stand_on_the_tag_when_asked_for() -> None:
    text = text_of(tags.sheet([face(duty="Caller", valid_to=date(2027, 9, 30))], LAW))

    assert "Caller" in text
    assert "to Sep 30, 2027" in text


def test_the_paper_is_tagged_and_says_its_language_and_title() -> None:
    reader = PdfReader(io.BytesIO(tags.sheet([face()], LAW)))

    assert reader.metadata.title == "Name tags"
    assert reader.trailer["/Root"]["/Lang"].startswith("en")
    assert reader.trailer["/Root"]["/MarkInfo"]["/Marked"] is True or bool(
        reader.trailer["/Root"]["/MarkInfo"]["/Marked"]
    )


@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="pdftoppm (poppler-utils) is missing")
def test_each_code_reads_back_to_its_own_address(tmp_path: Path) -> None:
    import zxingcpp
    from PIL import Image

    addresses = [f"https://bingo.example.gov/T/{n:032X}" for n in range(6)]
    faces = [Face("Mary Quinn", POST, f"{n:06d}", a) for n, a in enumerate(addresses)]
    (tmp_path / "tags.pdf").write_bytes(tags.sheet(faces, LAW))
    subprocess.run(
        ["pdftoppm", "-r", "150", "-png", "tags.pdf", "page"],
        cwd=tmp_path,
        check=True,
    )

    with Image.open(next(tmp_path.glob("page*.png"))) as image:
        read = {code.text for code in zxingcpp.read_barcodes(image)}

    assert read == {address.upper() for address in addresses}


def test_a_document_fetches_nothing_from_network_or_disk(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("not for paper")
    calls: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(1)
        port = listener.getsockname()[1]

        def listen() -> None:
            try:
                calls.append(listener.accept()[0].recv(100))
            except TimeoutError:
                return

        thread = threading.Thread(target=listen)
        thread.start()
        document = pdf.to_pdf(
            f'<html><head><title>x</title><link rel="attachment" href="file://{secret}">'
            f'<style>@import "http://127.0.0.1:{port}/a.css"; p {{ background:'
            f" url(http://127.0.0.1:{port}/b.png) }}</style></head><body>"
            f'<img src="http://127.0.0.1:{port}/c.png" alt=""><p>still printed</p></body></html>'
        )
        thread.join()

    assert calls == []
    assert "still printed" in text_of(document)
    assert b"not for paper" not in document
    assert PdfReader(io.BytesIO(document)).attachments == {}


def test_letters_without_a_picture_are_named_once_each() -> None:
    assert unprintable("王小明 王") == ["王", "小", "明"]
