"""Processes that start and end together: the server and the worker under one parent.

The parent holds one end of a pipe and each child the other. When the parent is gone, however it
went, the child reads the end of the pipe and ends itself.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass

from registry.places import CHECKOUT

PIPE = "BONA_FIDE_LIFELINE"
PATIENCE = 10.0
SERVICE = 10.0


@dataclass
class Child:
    """One child process, how it was started and when."""

    arguments: tuple[str, ...]
    process: subprocess.Popen[bytes]
    since: float

    @property
    def has_ended(self) -> bool:
        """True when the process is gone."""
        return self.process.poll() is not None


class Children:
    """The child processes of one parent."""

    def __init__(self) -> None:
        self._read, self._write = os.pipe()
        self._children: list[Child] = []

    def start(self, *arguments: str) -> None:
        """Start Python with these arguments; Ctrl-C reaches the parent alone, which tells it on."""
        process = subprocess.Popen(  # noqa: S603 - fixed programs
            [sys.executable, *arguments],
            cwd=CHECKOUT,
            env={**os.environ, PIPE: f"{self._read} {os.getpid()}"},
            pass_fds=[self._read],
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._children.append(Child(arguments, process, time.monotonic()))

    def revive(self) -> None:
        """Start again what has ended after some time of good service."""
        for child in [child for child in self._children if child.has_ended]:
            if time.monotonic() - child.since > SERVICE:
                self._children.remove(child)
                self.start(*child.arguments)

    def ended(self) -> Sequence[str]:
        """The arguments of a child that has ended, none while all of them live."""
        return next((child.arguments for child in self._children if child.has_ended), ())

    def stop(self) -> None:
        """Ask all to end, wait, and end those that did not."""
        processes = [child.process for child in self._children]
        for process in processes:
            process.terminate()
        until = time.monotonic() + PATIENCE
        for process in processes:
            try:
                process.wait(max(0.1, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def follow_parent() -> None:
    """In a child: end with the parent. Does nothing in a process that was started by hand."""
    pipe = os.environ.get(PIPE)
    if pipe:
        ends = [int(number) for number in pipe.split()]
        threading.Thread(target=_wait_and_end, args=ends, daemon=True).start()


def _wait_and_end(pipe: int, parent: int) -> None:
    os.read(pipe, 1)
    # The pipe ends a moment before the parent's locks do: whoever leaves the database now would
    # take the dead parent for one of its users.
    while os.getppid() == parent:
        time.sleep(0.02)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(PATIENCE)
    os._exit(1)
