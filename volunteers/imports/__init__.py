"""Roster files judged row by row, for the page, the command and nobody else's eyes."""

from __future__ import annotations

from volunteers.imports.judging import (
    JudgedRow,
    Preview,
    Understood,
    judge,
    judge_rows,
    understand,
)
from volunteers.imports.lines import Problem
from volunteers.imports.questions import Question

__all__ = [
    "JudgedRow",
    "Preview",
    "Problem",
    "Question",
    "Understood",
    "judge",
    "judge_rows",
    "understand",
]
