"""Name tags on paper (§ 10-63(10)): does the name fit, has a face its letters, where on the sheet.

The sheet is Letter with two columns of three tags, 4 by 3 inches each. Blocks are absolute and
flat, codes are 1-bit pictures: so a sheet takes a tenth of what a grid would.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from registry import pdf
from registry.access import Anyone, is_regulator
from registry.fonts import Typeface, face_for, unprintable, width_of
from registry.history import System
from registry.ruleset import Ruleset
from volunteers.models import NameTag
from volunteers.selectors import RosterRow, seen_by
from volunteers.words import duty_word, sentence

COLUMNS, ROWS, PER_SHEET = 2, 3, 6
WIDTH, HEIGHT = 288, 216
LEFT, TOP = 18, 72
PAGE_HEIGHT = 792
LINE = 1.16
"""Height of a line in its own points, with room for accents above and below."""
MOST_LINES = 4
MARKS = 2
"""More accents than this on one letter would leave the tag."""


@dataclass(frozen=True, slots=True)
class Box:
    """A reserved place on the tag, in points from the tag's corner, and the sizes tried in it.

    One line is preferred down to `alone`; only then may it wrap and be larger.
    """

    left: float
    top: float
    width: float
    height: float
    largest: float
    alone: float
    weight: int = 700


BAND = Box(12, 0, 264, 52, largest=20, alone=13)
NAME = Box(14, 58, 260, 84, largest=40, alone=30)


@dataclass(frozen=True, slots=True)
class Face:
    """What is printed on one tag; `address` is what its code says, empty on a blank tag."""

    name: str
    organization: str
    number: str = ""
    address: str = ""
    duty: str = ""
    valid_to: date | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text at its place on the tag."""

    text: str
    left: float
    top: float
    width: float
    size: float
    family: str
    direction: str = "ltr"


@dataclass(frozen=True, slots=True)
class Nudge:
    """How far this printer is off, in points, right and down."""

    right: float = 0
    down: float = 0


def fit(text: str, box: Box, floor: float) -> list[Line] | None:
    """The text in its box, as large as it goes and never cut; None below the floor."""
    face = face_for(text)
    if face is None:
        return None
    measure = Measure(face, box.weight)
    words = _words(text)
    tries = (
        (words, box.largest, max(box.alone, floor), 1),
        (words, box.largest, floor, MOST_LINES),
        (_parted(words, measure, box.width / floor), floor, floor, MOST_LINES),
    )
    for parts, largest, smallest, most in tries:
        for size in _sizes(largest, smallest):
            lines = _wrapped(parts, measure, box.width / size)
            if lines and len(lines) <= most and len(lines) * LINE * size <= box.height:
                return _placed(lines, box, size, face.family)
    return None


def _sizes(largest: float, smallest: float) -> Iterator[float]:
    """Sizes in half points, from the largest down."""
    steps = int((largest - smallest) * 2)
    return (largest - step / 2 for step in range(steps + 1))


@dataclass(frozen=True, slots=True)
class Measure:
    """How wide words are in one face and weight."""

    face: Typeface
    weight: int

    def __call__(self, text: str) -> float:
        """The width in ems."""
        return width_of(text, self.face, weight=self.weight)


def _words(text: str) -> list[list[str]]:
    """Words, each as the parts between which a line may end: after a hyphen."""
    return [re.findall(r"[^-]*-|[^-]+", word) for word in text.split()]


def _parted(words: list[list[str]], measure: Measure, width: float) -> list[list[str]]:
    """The same, with parts wider than the tag at its smallest size parted anywhere.

    No hyphen is added, because the tag shows the name as registered.
    """
    return [
        [piece for part in word for piece in ([part] if measure(part) <= width else part)]
        for word in words
    ]


def _wrapped(words: list[list[str]], measure: Measure, width: float) -> list[str] | None:
    """Lines no wider than `width` (in ems), None when a single part is wider."""
    lines = [""]
    for word in words:
        for at, part in enumerate(word):
            space = " " if at == 0 and lines[-1] else ""
            if measure(part) > width:
                return None
            if measure(lines[-1] + space + part) > width:
                lines, space = [*lines, ""], ""
            lines[-1] += space + part
    return [line for line in lines if line]


def _placed(lines: list[str], box: Box, size: float, family: str) -> list[Line]:
    first = box.top + (box.height - len(lines) * LINE * size) / 2
    direction = _direction("".join(lines))
    return [
        Line(text, box.left, first + at * LINE * size, box.width, size, family, direction)
        for at, text in enumerate(lines)
    ]


def _direction(text: str) -> str:
    """Which way the first strong letter runs."""
    kinds = (unicodedata.bidirectional(letter) for letter in text)
    first = next((kind for kind in kinds if kind in {"L", "R", "AL"}), "L")
    return "ltr" if first == "L" else "rtl"


def problems(face: Face, law: Ruleset) -> list[str]:
    """Why this tag cannot be printed: one sentence each, with what to do; empty when it can."""
    floors = {
        _("name"): (face.name, NAME, law.tag.min_points),
        _("organization's name"): (face.organization, BAND, law.tag.min_points_organization),
    }
    found = []
    for what, (text, box, floor) in floors.items():
        found += _unfit(what, text, box, float(floor or 0))
    return found


def _unfit(what: str, text: str, box: Box, floor: float) -> list[str]:
    words = {"what": what, "floor": f"{floor:g}"}
    if hidden := [c for c in text if unicodedata.category(c) == "Cf" and c not in "\u200c\u200d"]:
        words["letters"] = ", ".join(f"U+{ord(c):04X}" for c in dict.fromkeys(hidden))
        return [_("The %(what)s holds hidden marks (%(letters)s). Type it anew.") % words]
    if _crowded(text):
        return [_("The %(what)s piles accents on one letter. Type it without them.") % words]
    if missing := unprintable(text):
        words["letters"] = " ".join(missing)
        return [
            _(
                "No installed typeface has %(letters)s in the %(what)s."
                " Install the typeface or enter the name in letters that print."
            )
            % words
        ]
    if text and face_for(text) is None:
        return [_("The %(what)s mixes scripts that no one typeface prints. Keep to one.") % words]
    if text and fit(text, box, floor) is None:
        return [
            _("The %(what)s does not fit at %(floor)s points, the smallest that is legible.")
            % words
        ]
    return []


def _crowded(text: str) -> bool:
    run = 0
    for letter in unicodedata.normalize("NFD", text):
        run = run + 1 if unicodedata.category(letter) in {"Mn", "Me"} else 0
        if run > MARKS:
            return True
    return False


def code(address: str) -> str:
    """The address as a 1-bit picture for the paper; upper case keeps the code small."""
    return pdf.code_of(address.upper())


@dataclass(frozen=True, slots=True)
class Laid:
    """One tag on its page: where, and all that stands on it."""

    page: int
    left: float
    top: float
    face: Face
    organization: list[Line]
    name: list[Line]
    code: str
    valid_to: str


def lay_out(faces: Sequence[Face], law: Ruleset, *, start: int, nudge: Nudge) -> list[Laid]:
    """Every tag at its place, from label `start` (1 to 6) on; faces must be without problems."""
    laid = []
    for at, face in enumerate(faces, start=start - 1):
        page, label = divmod(at, PER_SHEET)
        row, column = divmod(label, COLUMNS)
        left, top = LEFT + column * WIDTH + nudge.right, TOP + row * HEIGHT + nudge.down
        laid.append(_laid(face, law, page, left, top))
    return laid


def _laid(face: Face, law: Ruleset, page: int, left: float, top: float) -> Laid:
    return Laid(
        page=page,
        left=left,
        top=top,
        face=face,
        organization=fit(face.organization, BAND, float(law.tag.min_points_organization)) or [],
        name=fit(face.name, NAME, float(law.tag.min_points)) or [],
        code=code(face.address) if face.address else "",
        valid_to=date_format(face.valid_to, "M j, Y") if face.valid_to else "",
    )


def sheet(
    faces: Sequence[Face], law: Ruleset, *, start: int = 1, nudge: Nudge | None = None
) -> bytes:
    """The tags as a PDF on Letter sheets. Raises ValueError when one of them cannot be printed."""
    if bad := [face.name for face in faces if problems(face, law)]:
        raise ValueError(f"tags that cannot be printed: {', '.join(bad)}")
    laid = lay_out(faces, law, start=start, nudge=nudge or Nudge())
    pages = [[tag for tag in laid if tag.page == page] for page in range(_pages(laid))]
    return pdf.render("pdf/name_tags.html", {"pages": pages, "width": WIDTH, "height": HEIGHT})


def _pages(laid: Sequence[Laid]) -> int:
    return max((tag.page for tag in laid), default=0) + 1


def faces_of(issued: Sequence[NameTag], public_address: str) -> list[Face]:
    """What the issued tags show; without the register's public address no code is printed."""
    return [
        Face(
            name=tag.name,
            organization=tag.organization_name,
            number=str(tag),
            address=f"{public_address}/T/{tag.token}" if public_address else "",
            duty=duty_word(tag.duty) if tag.duty else "",
            valid_to=tag.valid_to,
        )
        for tag in issued
    ]


def to_mend(
    rows: Sequence[RosterRow], organization: str, law: Ruleset
) -> list[tuple[RosterRow, list[str]]]:
    """Those whose tag cannot be printed as the register has the names, with what to do."""
    faces = [(row, Face(row.membership.person.full_name, organization)) for row in rows]
    found = [(row, problems(face, law)) for row, face in faces]
    return [(row, why) for row, why in found if why]


def why_no_tag(user: Anyone, row: RosterRow) -> str:
    """Why somebody on the roster gets no tag, as this user may know it (cases D28)."""
    bar = row.ruling.first_bar
    if bar is None:
        return _("Cleared, but not approved for that day yet.")
    seen = seen_by(user, row.ruling, confirmed=row.confirmed)
    shown = next((verdict for verdict in seen.verdicts if verdict.rule == bar.rule), None)
    county = isinstance(user, System) or is_regulator(user)
    return sentence(shown, county=county) if shown else _("The county is still checking.")


def blank(organization: str, count: int) -> list[Face]:
    """Tags with the organization's name and room to write a name by hand."""
    return [Face("", organization)] * count
