"""What a ruleset says in words: its paragraphs, and the grounds of decisions. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal, TypeAlias

Deciding: TypeAlias = Literal["deny", "deny_renewal", "suspend", "revoke", "condition", "warn"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """One paragraph in our own words, for the rules page and for opening a verdict."""

    cite: str
    title: str
    text: str
    valid_from: date


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """A reason a decision may rest on, with the paragraph that names it.

    What the text only lets one infer stays unusable until counsel confirms it.
    """

    code: str
    cite: str
    title: str
    text: str
    decisions: tuple[Deciding, ...]
    classes: Literal["A", "B", "AB"]
    valid_from: date
    inferred: bool = False
    confirmed: bool = False
    also: tuple[str, ...] = ()
    """The rules that were broken, under the numbers by which the text prints them."""
    note: str = ""

    @property
    def usable(self) -> bool:
        """True when a decision may rest on this ground."""
        return self.confirmed or not self.inferred
