"""Measure how well doubles are found on labelled pairs, and say of each pair why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from registry.matching import Class
from registry.measuring import Pair, explained, halves, measure, read_pairs, strangers
from registry.reasons import kept, word_reasons


class Command(BaseCommand):
    """`manage.py match --pairs FILE [--strangers N] [--explain]`; writes nothing."""

    help = "Precision and recall of “possible double” on a file of labelled pairs."

    def add_arguments(self, parser: CommandParser) -> None:
        """The file, and how many same-birthday strangers are added to it."""
        parser.add_argument("--pairs", required=True, type=Path, help="CSV with labelled pairs")
        parser.add_argument("--strangers", type=int, default=0, help="same-birthday pairs to add")
        parser.add_argument("--explain", action="store_true", help="a line for each pair")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Print the table, or raise CommandError with one sentence for a file that cannot be."""
        try:
            with options["pairs"].open(encoding="utf-8-sig", newline="") as lines:
                pairs = read_pairs(lines)
        except (OSError, ValueError) as error:
            raise CommandError(f"{options['pairs']}: {error}") from error
        added = strangers(options["strangers"], pairs)
        if options["explain"]:
            self._explain([*pairs, *added])
        for name, part in zip(
            ("first half", "held-out half"), halves([*pairs, *added]), strict=True
        ):
            self._tell(name, part)
        self._tell("all", [*pairs, *added])

    def _tell(self, name: str, pairs: list[Pair]) -> None:
        done = measure(pairs)
        self.stdout.write(
            f"{name}: {len(pairs)} pairs, recall {done.recall:.3f}, precision {done.precision:.3f}"
        )
        for label in sorted({label for label, _what in done.table}):
            counts = ", ".join(f"{what} {done.table[label, what]}" for what in Class)
            self.stdout.write(f"  {label}: {counts}")

    def _explain(self, pairs: list[Pair]) -> None:
        for pair, likeness in explained(pairs):
            why = word_reasons(kept(likeness)["reasons"])
            self.stdout.write(
                f"{pair.label} -> {likeness.what} ({likeness.score}):"
                f" {pair.one.full_name} / {pair.other.full_name}. {why}"
            )
