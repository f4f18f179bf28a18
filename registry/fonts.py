"""The faces that paper is printed with: from packages, and the named system ones when installed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from fontTools.ttLib import TTFont


@dataclass(frozen=True, slots=True)
class Typeface:
    """One font file; `family` is its name in style sheets."""

    family: str
    path: Path
    index: int = 0
    is_packaged: bool = True

    @property
    def address(self) -> str:
        """What the paper's style sheet calls it; the renderer alone resolves it."""
        return "face:" + self.family.replace(" ", "-").lower()


# Guaranteed: Latin, Greek, Cyrillic, Arabic. The first that has all letters of a line sets it.
PACKAGED = (
    ("Public Sans", "fontpkg_public_sans", "PublicSans[wght].ttf"),
    ("Noto Sans", "fontpkg_noto_sans", "NotoSans[wdth,wght].ttf"),
    ("Noto Sans Arabic", "fontpkg_noto_sans_arabic", "NotoSansArabic[wdth,wght].ttf"),
)
# Used when the system has them (Debian: fonts-noto-core, fonts-noto-cjk).
SYSTEM = (
    ("Noto Sans Hebrew", "truetype/noto/NotoSansHebrew-Bold.ttf", 0),
    ("Noto Sans Thai", "truetype/noto/NotoSansThai-Bold.ttf", 0),
    ("Noto Sans Devanagari", "truetype/noto/NotoSansDevanagari-Bold.ttf", 0),
    ("Noto Sans Armenian", "truetype/noto/NotoSansArmenian-Bold.ttf", 0),
    ("Noto Sans Georgian", "truetype/noto/NotoSansGeorgian-Bold.ttf", 0),
    ("Noto Sans Ethiopic", "truetype/noto/NotoSansEthiopic-Bold.ttf", 0),
    ("Noto Sans Khmer", "truetype/noto/NotoSansKhmer-Bold.ttf", 0),
    ("Noto Sans Tamil", "truetype/noto/NotoSansTamil-Bold.ttf", 0),
    ("Noto Sans Myanmar", "truetype/noto/NotoSansMyanmar-Bold.ttf", 0),
    ("Noto Sans CJK SC", "opentype/noto/NotoSansCJK-Bold.ttc", 2),
)
SYSTEM_FOLDER = Path("/usr/share/fonts")


@cache
def typefaces() -> tuple[Typeface, ...]:
    """All faces that can be printed here, in the order in which they are tried."""
    packaged = (
        Typeface(family, Path(spec.origin).parent / "files" / name)
        for family, package, name in PACKAGED
        if (spec := find_spec(package)) and spec.origin
    )
    installed = (
        Typeface(family, SYSTEM_FOLDER / name, index, is_packaged=False)
        for family, name, index in SYSTEM
        if (SYSTEM_FOLDER / name).exists()
    )
    return (*packaged, *installed)


@cache
def letters_of(face: Typeface) -> frozenset[int]:
    """The code points a face has a picture for."""
    with TTFont(face.path, fontNumber=face.index, lazy=True) as font:
        return frozenset(font.getBestCmap())


def face_for(text: str) -> Typeface | None:
    """The first face that has every letter of the text; None when no single one has."""
    wanted = {ord(letter) for letter in text if not _is_silent(letter)}
    return next((face for face in typefaces() if wanted <= letters_of(face)), None)


def unprintable(text: str) -> list[str]:
    """The letters of a text that no face has, each once, in order."""
    known = frozenset().union(*(letters_of(face) for face in typefaces()))
    missing = (c for c in text if not _is_silent(c) and ord(c) not in known)
    return list(dict.fromkeys(missing))


def _is_silent(letter: str) -> bool:
    """Joiners shape their neighbours and need no picture."""
    return letter in "\u200c\u200d"


@cache
def _shaper(face: Typeface, weight: int) -> tuple[object, int]:
    import uharfbuzz as hb

    blob = hb.Blob.from_file_path(str(face.path))
    font = hb.Font(hb.Face(blob, face.index))
    font.set_variations({"wght": weight})
    return font, font.face.upem


def width_of(text: str, face: Typeface, *, weight: int) -> float:
    """How wide a line is when set at one point, in points; shaped as it will be printed."""
    import uharfbuzz as hb

    font, per_em = _shaper(face, weight)
    buffer = hb.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    hb.shape(font, buffer)
    advance = sum(position.x_advance for position in buffer.glyph_positions or ())
    return float(advance / per_em)
