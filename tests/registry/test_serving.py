"""`demo` and `run`: bad arguments are one sentence, and nothing outlives the command."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from django.core.management import CommandError, call_command

from registry.management.commands import demo
from registry.serving import check_port, port_number

CHECKOUT = Path(__file__).resolve().parents[2]
PARENT = """
import sys, time
from registry.lifeline import Children
children = Children()
children.start("-c", {child!r})
sys.stdout.write("started\\n")
sys.stdout.flush()
sys.stdin.readline()
children.stop()
"""
CHILD = """
import pathlib, time, os
from registry.lifeline import follow_parent
follow_parent()
pathlib.Path({mark!r}).write_text(str(os.getpid()))
time.sleep(600)
"""


@pytest.mark.parametrize("text", ["0", "65536", "-1", "eighty", "80.0", "٨٠٠٠", ""])
def test_a_port_that_is_none_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(CommandError) as refusal:
        port_number(text)

    assert str(refusal.value) == f"PORT must be a number from 1 to 65535, not {text!r}."


def test_ports_up_to_the_last_are_taken() -> None:
    assert [port_number(text) for text in ("1", "8000", "65535")] == [1, 8000, 65535]


@pytest.fixture
def taken() -> Iterator[int]:
    """A port on which somebody listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield int(listener.getsockname()[1])


def test_a_port_in_use_is_refused_in_one_sentence(taken: int) -> None:
    with pytest.raises(CommandError) as refusal:
        check_port("127.0.0.1", taken)

    assert str(refusal.value) == (
        f"Port {taken} cannot be used (Address already in use): "
        f"stop what runs there, or choose another with PORT={taken % 65535 + 1}."
    )


def test_the_demo_refuses_a_port_in_use_before_it_touches_anything(taken: int) -> None:
    with pytest.raises(CommandError, match="cannot be used"):
        call_command("demo", port=str(taken))


def test_starting_afresh_leaves_a_server_of_your_own_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://app@db.example/register")

    with pytest.raises(CommandError, match="RESET=1 empties the embedded database only"):
        call_command("demo", port=str(free_port()), reset=True)


@pytest.mark.django_db(transaction=True)
def test_the_demo_does_not_fill_a_register_that_it_did_not_make() -> None:
    from registry.history import System, acting

    demo.check_is_demo()
    with acting(System.SET_UP, "test.made"):
        pass

    with pytest.raises(CommandError, match="did not make"):
        demo.check_is_demo()


def test_run_asks_for_the_public_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PUBLIC_ADDRESS", raising=False)

    with pytest.raises(CommandError, match="PUBLIC_ADDRESS is not set"):
        call_command("run")


@pytest.mark.parametrize("end", [signal.SIGKILL, None])
def test_children_end_with_their_parent_however_it_ends(tmp_path: Path, end: int | None) -> None:
    mark = tmp_path / "child"
    child = CHILD.format(mark=str(mark))
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT.format(child=child)],
        cwd=CHECKOUT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    number = int(soon(lambda: mark.exists() and mark.read_text()))

    if end:
        os.kill(parent.pid, end)
        parent.wait()
    else:
        parent.communicate("\n", timeout=30)

    assert soon(lambda: not is_alive(number))
    parent.communicate()


def is_alive(number: int) -> bool:
    try:
        return psutil.Process(number).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def soon(look: Callable[[], object]) -> object:
    """What the look finds, within half a minute."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        if found := look():
            return found
        time.sleep(0.05)
    raise AssertionError("it did not come")


@pytest.fixture
def home() -> Iterator[Path]:
    """A data folder that the system user of a root's PostgreSQL may enter."""
    folder = Path(tempfile.mkdtemp(prefix="bona-fide-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_the_demo_serves_and_leaves_no_process_behind_however_it_ends(home: Path) -> None:
    for end in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        with served(home) as (demo_process, numbers):
            assert len(numbers) >= 6
            demo_process.send_signal(end)
            soon(lambda left=numbers: not any(is_alive(number) for number in left))


@contextmanager
def served(home: Path) -> Iterator[tuple[subprocess.Popen[str], list[int]]]:
    """A demo that is ready, and the numbers of all its processes."""
    port = free_port()
    environment = {**os.environ, "BONA_FIDE_DATA": str(home), "BONA_FIDE_DEMO": "1"}
    environment.pop("DATABASE_URL", None)
    with subprocess.Popen(
        [sys.executable, "manage.py", "demo", "--port", str(port)],
        cwd=CHECKOUT, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    ) as process:  # fmt: skip
        try:
            lines = read_until(process, "Stop with Ctrl-C")
            assert f"The register is at http://localhost:{port}\n" in lines
            family = [process, *psutil.Process(process.pid).children(recursive=True)]
            postgres = (home / "postgres" / "postmaster.pid").read_text().split()[0]
            yield process, [*(member.pid for member in family), int(postgres)]
        finally:
            process.terminate()
            process.communicate(timeout=60)


def read_until(process: subprocess.Popen[str], start: str) -> list[str]:
    """What the process says up to the line that begins so."""
    assert process.stdout is not None
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line)
        if line.startswith(start):
            return lines
    raise AssertionError("".join(lines))
