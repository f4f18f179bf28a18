"""What `run` and `demo` have in common: the web server and the worker under one parent."""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import OperationalError, connections

from registry.lifeline import Children

START_PATIENCE = 60.0
LAST_PORT = 65535
SERVER = ("-m", "gunicorn", "-c", "python:registry.gunicorn", "registry.wsgi")
WORKER = ("manage.py", "work")


def port_number(text: str) -> int:
    """The port in a command's argument; raises CommandError when it is none."""
    if text.isascii() and text.isdigit() and 0 < int(text) <= LAST_PORT:
        return int(text)
    raise CommandError(f"PORT must be a number from 1 to {LAST_PORT}, not {text!r}.")


def check_port(host: str, port: int) -> None:
    """Raises CommandError when the port cannot be had."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise CommandError(
                f"Port {port} cannot be used ({error.strerror}): "
                f"stop what runs there, or choose another with PORT={port % LAST_PORT + 1}."
            ) from error


@contextmanager
def reaching_the_database() -> Iterator[None]:
    """A database that is not there is one sentence, not a page of Python."""
    try:
        yield
    except OperationalError as error:
        raise CommandError(f"The database cannot be reached: {str(error).strip()}") from error


def prepare_database() -> None:
    """Bring the tables up to date."""
    with reaching_the_database():
        call_command("migrate", verbosity=0, interactive=False)


def serve(host: str, port: int, *, ready: Callable[[], None]) -> None:
    """Run server and worker until told to stop (Ctrl-C, SIGTERM); no process stays behind."""
    os.environ["BONA_FIDE_BIND"] = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    # All processes sign with one key, even where it could not be kept.
    os.environ["SECRET_KEY"] = settings.SECRET_KEY
    connections.close_all()
    # A shell script starts what it puts in the background deaf to Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    children = Children()
    try:
        children.start(*SERVER)
        children.start(*WORKER)
        _wait_until_open(host, port, children)
        ready()
        _watch(children)
    except KeyboardInterrupt:
        pass
    finally:
        children.stop()


def _wait_until_open(host: str, port: int, children: Children) -> None:
    until = time.monotonic() + START_PATIENCE
    while time.monotonic() < until:
        _stop_if_ended(children)
        if _answers(host, port):
            return
        time.sleep(0.1)
    raise CommandError(f"The server did not answer within {START_PATIENCE:.0f} seconds.")


def _answers(host: str, port: int) -> bool:
    """True when a page comes back, whatever it says: the port alone opens too early."""
    connection = HTTPConnection(host, port, timeout=5)
    own_name = urlsplit(settings.PUBLIC_ADDRESS).netloc or "localhost"
    try:
        connection.request("GET", "/accounts/login/", headers={"Host": own_name})
        return bool(connection.getresponse().status)
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def _watch(children: Children) -> None:
    """Start again what ends by itself; make is followed when it is killed."""
    parent = os.getppid() if "MAKELEVEL" in os.environ else None
    while parent in (None, os.getppid()):
        children.revive()
        _stop_if_ended(children)
        time.sleep(0.5)


def _stop_if_ended(children: Children) -> None:
    if ended := children.ended():
        raise CommandError(f"This ended by itself, so all was stopped: {' '.join(ended)}")
