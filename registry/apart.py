"""Runs one of our own programs on bytes from outside, where it may fall alone.

What a file asks for in memory and time shows only while it is read; the program bounds itself.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass

TOO_MUCH = -1
"""In place of an exit code: it took too long or answered with too much."""


@dataclass(frozen=True, slots=True)
class Answer:
    """How the program ended, and what it wrote."""

    code: int
    output: bytes


def run_apart(program: str, content: bytes, *, seconds: float, most: int) -> Answer:
    """Give the program the bytes on its standard input; it gets no environment and no arguments.

    A negative code: it was stopped, by a limit of its own or after `seconds`, or its answer has
    more than `most` bytes.
    """
    try:
        done = subprocess.run(  # noqa: S603 - our own program, no shell, no arguments
            [sys.executable, "-I", program],
            input=content,
            capture_output=True,
            timeout=seconds,
            check=False,
            env={},
        )
    except subprocess.TimeoutExpired:
        return Answer(TOO_MUCH, b"")
    if len(done.stdout) > most:
        return Answer(TOO_MUCH, b"")
    return Answer(done.returncode, done.stdout)
