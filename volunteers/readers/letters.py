"""Bytes become letters: by a mark, by strict rules, else with a question. Never silently wrong.

Windows-1252 gives some letter for nearly every byte, so that it can be read always and be right
seldom. It is believed only while each word it gives is one that some language writes.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from volunteers.readers.sheets import BadFile

ENCODINGS: dict[str, str | Promise] = {
    "utf-8": gettext_lazy("UTF-8"),
    "utf-8-sig": gettext_lazy("UTF-8 with mark"),
    "utf-16-le": gettext_lazy("UTF-16 (Unicode text)"),
    "utf-16-be": gettext_lazy("UTF-16, other order"),
    "windows-1252": gettext_lazy("Western (Windows-1252)"),
    "mac-roman": gettext_lazy("Western, old Macintosh (Mac Roman)"),
    "windows-1250": gettext_lazy("Central European (Windows-1250)"),
    "iso-8859-2": gettext_lazy("Central European (ISO 8859-2)"),
    "windows-1251": gettext_lazy("Cyrillic (Windows-1251)"),
    "koi8-r": gettext_lazy("Cyrillic (KOI8-R)"),
    "windows-1253": gettext_lazy("Greek (Windows-1253)"),
    "windows-1254": gettext_lazy("Turkish (Windows-1254)"),
    "windows-1257": gettext_lazy("Baltic (Windows-1257)"),
    "ibm850": gettext_lazy("Western, DOS (IBM 850)"),
}
"""What may be chosen, in words."""

MARKS = (
    (b"\xff\xfe\0\0", "utf-32-le"),
    (b"\0\0\xfe\xff", "utf-32-be"),
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
ZEROS, ONE_SIDED = 0.02, 0.9
"""Text of one byte a letter holds no zero bytes; every second one is zero in UTF-16."""
SAMPLE = 4_000
WORDS, LONG = 3_000, 60
"""Words that are tried, and how many bytes of each."""
NOISE = bytes({*range(1, 9), *range(14, 32)} - {0x1A, 0x1B})
NOISY = 0.02
"""Control characters fill more of pictures, archives and programs than that, and less of text."""
READINGS = 4
SURE = 0.2
"""More chaos than that, and the detector's guess is not worth a question."""

PLAIN = bytes(range(0x20, 0x7F))
"""What every encoding of a roster writes alike: headings and dates are read before it is known."""

WESTERN = (
    "àâæçèéêëîïôœùûüÿ", "áéíñóúüç", "àáâãçéêíóôõúü", "àèéìíîòóùú", "àçèéíïòóúü·", "äöüßé",
    "åäöæøéüšž", "áæéðíóöúýþ", "áéëïóöüèê", "äöüšž", "âêîôû",
)  # fmt: skip
CENTRAL = ("áäčďéěíĺľňóôŕřšťúůýž", "ąćęłńóśźż", "áéíóöőúüű", "čćđšž", "ăâîşţ", "äöüß")
ALPHABETS: dict[str, tuple[str, ...]] = {
    "windows-1252": WESTERN,
    "mac-roman": WESTERN,
    "windows-1250": CENTRAL,
    "iso-8859-2": CENTRAL,
    "windows-1251": ("абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґђћњљџјўѓќѕ",),
    "koi8-r": ("абвгдежзийклмнопрстуфхцчшщъыьэюяё",),
    "windows-1253": ("αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ",),
    "windows-1254": ("çğıöşüâîû",),
    "windows-1257": ("āčēģīķļņšūžõ", "ąčęėįšųūž", "äöõüšž"),
    "ibm850": WESTERN,
}
"""By encoding the letters beyond A to Z that one word may hold together, a language each."""
QUOTES, DASHES = "\u2018\u2019\u201c\u201d\u201e\u201a«»¿¡…\xa0•", "\u2013\u2014\xad"
ORDINALS = "ªº°"
CELL_ENDS = rb"\s,;|\""
WORD = re.compile(rb"[^%b]*[\x80-\xff][^%b]*" % (CELL_ENDS, CELL_ENDS))


def encoding_word(name: str) -> str:
    """An encoding's name as a person reads it."""
    return str(ENCODINGS.get(name, name))


@dataclass(frozen=True, slots=True)
class Doubt:
    """One word that can be read in several ways, each with its encoding; the first was taken."""

    line: int
    readings: tuple[tuple[str, str], ...]


def decode(content: bytes, encoding: str = "") -> tuple[str, str, Doubt | None]:
    """The encoding's name, the text, and the doubt that a person must settle.

    Raises BadFile with the line of a byte that is no letter.
    """
    for mark, marked in MARKS:
        if content.startswith(mark):
            return marked, _strictly(content[len(mark) :], marked), None
    if encoding:
        return encoding, _strictly(content, encoding), None
    if wide := _of_two_bytes(content):
        return wide, _strictly(content, wide), None
    try:
        return "utf-8", content.decode(), None
    except UnicodeDecodeError as error:
        if _has_longer_letters(content):
            raise _unknown_letter(content, error.start, "utf-8") from None
    return _of_one_byte(content)


def _strictly(content: bytes, encoding: str) -> str:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise _unknown_letter(content, error.start, encoding) from None


def _unknown_letter(content: bytes, place: int, encoding: str) -> BadFile:
    line = len(re.findall(rb"\r\n|\r|\n", content[:place])) + 1
    return BadFile(
        _(
            "Line %(line)s holds a byte (%(byte)s) that is no letter in %(encoding)s:"
            " save the file as “CSV UTF-8” and drop it again."
        )
        % {
            "line": line,
            "byte": f"{content[place]:02X}",
            "encoding": encoding_word(encoding),
        }
    )


def _of_two_bytes(content: bytes) -> str:
    """UTF-16 without a mark: the zero bytes stand on one side of the letters."""
    sample = content[:SAMPLE]
    first, second = sample[::2].count(0), sample[1::2].count(0)
    both = first + second
    if not both or len(content) % 2 or both <= ZEROS * len(sample):
        return ""
    if max(first, second) < ONE_SIDED * both:
        return ""
    wide = "utf-16-be" if first > second else "utf-16-le"
    return wide if re.search(r"[\r\n]", content.decode(wide, "replace")) else ""


def _has_longer_letters(content: bytes) -> bool:
    """True when most letters beyond ASCII are whole UTF-8, so that it is no Windows-1252."""
    wrong = content.decode("utf-8", errors="replace").count("\ufffd")
    right = sum(letter > "\x7f" for letter in content.decode("utf-8", errors="ignore"))
    return right > wrong


def _refuse_noise(content: bytes) -> None:
    """Raise BadFile for bytes that are no text, in whatever letters."""
    sample = content[:SAMPLE]
    if len(sample) - len(sample.translate(None, NOISE)) > NOISY * len(sample):
        raise BadFile(
            _("This is neither text nor a workbook: save the roster as XLSX or CSV (UTF-8).")
        )


def _of_one_byte(content: bytes) -> tuple[str, str, Doubt | None]:
    _refuse_noise(content)
    found = (match[0][:LONG] for match in islice(WORD.finditer(content), 10 * WORDS))
    words = list(dict.fromkeys(found))[:WORDS]
    ways = [_Way(name, words) for name in ALPHABETS]
    fitting = [way for way in ways if way.share == 1]
    first = fitting[0] if fitting else None
    if first and first.name == "windows-1252":
        rivals = [way for way in fitting if way.name == "mac-roman" and way.texts != first.texts]
        if not rivals:
            return first.name, _strictly(content, first.name), None
        return _in_doubt(content, words, [first, *rivals])
    guess = _detected(words)
    if fitting:
        fitting.sort(key=lambda way: not way.is_named(guess))
        others = [] if any(way.is_named(guess) for way in fitting) else [_Way(guess, words)]
        return _in_doubt(content, words, [*fitting[: READINGS - 1], *others, ways[0]])
    rest = sorted((way for way in ways if way.share), key=lambda way: -way.share)
    return _in_doubt(content, words, [_Way(guess, words), *rest[: READINGS - 1], ways[0]])


def _in_doubt(
    content: bytes, words: Sequence[bytes], ways: Sequence[_Way]
) -> tuple[str, str, Doubt | None]:
    whole = [(way, text) for way in ways if (text := _or_none(content, way.name)) is not None]
    if not whole:
        place = next(n for n, byte in enumerate(content) if byte > 0x7F)  # noqa: PLR2004 - ASCII
        raise _unknown_letter(content, place, "windows-1252")
    way, text = whole[0]
    shown = _telling(words, [way for way, _text in whole])
    line = len(re.findall(rb"\r\n|\r|\n", content[: content.find(words[shown])])) + 1
    readings: dict[str, str] = {}
    for other, _text in whole:
        readings.setdefault(other.texts[shown] or "", other.name)
    return way.name, text, Doubt(line, tuple((name, word) for word, name in readings.items()))


def _or_none(content: bytes, encoding: str) -> str | None:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        return None


def _telling(words: Sequence[bytes], ways: Sequence[_Way]) -> int:
    """The word that shows the most different readings."""
    return max(range(len(words)), key=lambda n: len({way.texts[n] for way in ways}))


def _detected(words: Sequence[bytes]) -> str:
    """What the detector takes the words for; Windows-1252 where it is not sure either."""
    from charset_normalizer import from_bytes

    best = from_bytes(b"\n".join(words)).best()
    is_sure = best is not None and best.chaos <= SURE
    if best is None or not is_sure or PLAIN.decode(best.encoding, "replace") != PLAIN.decode():
        return "windows-1252"
    return best.encoding


class _Way:
    """One way of reading the words that hold more than ASCII."""

    def __init__(self, name: str, words: Sequence[bytes]) -> None:
        self.name = next((n for n in ENCODINGS if codecs.lookup(n) == codecs.lookup(name)), name)
        self.texts = [_or_none(word, name) for word in words]

    def is_named(self, other: str) -> bool:
        """True when the other name means the same encoding."""
        return codecs.lookup(self.name) == codecs.lookup(other)

    @cached_property
    def share(self) -> float:
        """How many of the words are such as a language writes, from 0 to 1."""
        alphabets = ALPHABETS.get(self.name, ())
        good = sum(text is not None and _is_word(text, alphabets) for text in self.texts)
        return good / len(self.texts) if self.texts else 0.0


def _is_word(text: str, alphabets: Sequence[str]) -> bool:
    """True for a word that one language writes, small letters before no capital, marks at ends."""
    for place, letter in enumerate(text):
        before = text[place - 1] if place else ""
        after = text[place + 1] if place + 1 < len(text) else ""
        if letter > "\x7f" and not _stands_well(before, letter, after):
            return False
    parts = re.split(r"[^\w·]+", text)
    return all(_of_one_language(part, alphabets) for part in parts)


def _of_one_language(part: str, alphabets: Sequence[str]) -> bool:
    letters = {letter for letter in part.lower() if letter > "\x7f"} - {*ORDINALS, "\u0307"}
    if not letters or not any(letters <= set(alphabet) for alphabet in alphabets):
        return not letters
    is_latin = unicodedata.name(min(letters), "").startswith("LATIN")
    return is_latin or not any("a" <= letter <= "z" for letter in part.lower())


def _stands_well(before: str, letter: str, after: str) -> bool:
    if letter.isalpha() and letter not in ORDINALS:
        jumps = letter.isupper() and before.islower()
        if letter == "õ" and after != "e":
            return False
        return not jumps and not (letter.islower() and after.isupper())
    if letter in DASHES:
        return not (before.isalpha() and after.isalpha()) or after.isupper()
    inside = before.isalpha() and after.isalpha()
    if letter in "\u2019\u2018·\xa0":
        return True
    if letter in QUOTES or letter in ORDINALS:
        return not inside
    return not before.isalpha() and not after.isalpha()
