"""Start, share and stop the PostgreSQL that lies in a data folder.

Each process that uses the server holds a shared lock on one file beside the data; the last one to
leave stops the server. The kernel drops the lock of a process that was killed, so there is no list
of process numbers that could go stale. Starting and stopping happen under a second, exclusive lock.
The server listens on a socket inside its own data folder (mode 0700) and on no network address.
"""

from __future__ import annotations

import atexit
import fcntl
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import psycopg
from psycopg import pq, sql

from registry.database import APP, NAME, OWNER, PORT
from registry.embedded.programs import Programs, Unavailable, installed_version

LONGEST_SOCKET_PATH = 100
PATIENCE = 30.0
FAREWELL = 2.0
SUPERUSER = "postgres"
READY = "bona-fide-roles"

_held: dict[Path, int] = {}
_threads = threading.RLock()


def join(folder: Path) -> None:
    """Make sure the server on `folder` runs and count this process among its users.

    Costs nothing when the process joined before. Raises Unavailable with one sentence.
    """
    if folder in _held:
        return
    with _threads, _alone(folder):
        if folder not in _held:
            _held[folder] = _hold(folder)
            atexit.register(leave, folder)
            _ensure_up(folder)


def revive(folder: Path) -> None:
    """Start the server again that this process has joined and that has died since."""
    with _threads, _alone(folder):
        _ensure_up(folder)


def leave(folder: Path) -> None:
    """Give the server up; whoever leaves last stops it. Does nothing for one never joined."""
    with _threads:
        users = _held.pop(folder, None)
        if users is None:
            return
        with _alone(folder):
            if _is_last(users):
                _stop(folder)
            os.close(users)


def is_up(folder: Path) -> bool:
    """True when a server answers in `folder`."""
    return _ping(folder) is pq.Ping.OK


def recreate_database(folder: Path) -> None:
    """Drop the register's database and make it anew, empty.

    Raises Unavailable while another process works in it.
    """
    join(folder)
    others = "SELECT 1 FROM pg_stat_activity WHERE datname = %s"
    with psycopg.connect(_conninfo(folder), autocommit=True) as connection:
        until = time.monotonic() + FAREWELL
        while (busy := _exists(connection, others, NAME)) and time.monotonic() < until:
            time.sleep(0.1)
        if busy:
            raise Unavailable(
                "Another process works in the embedded database: stop the demo that runs, "
                "then try again."
            )
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(NAME)))
        _create_database(connection)


def _ping(folder: Path) -> pq.Ping:
    return pq.Ping(pq.PGconn.ping(_conninfo(folder).encode()))


def _conninfo(folder: Path, database: str = SUPERUSER) -> str:
    return psycopg.conninfo.make_conninfo(
        host=str(folder), port=PORT, user=SUPERUSER, dbname=database, connect_timeout=10
    )


def _ensure_up(folder: Path) -> None:
    programs = Programs.for_data(folder)
    if not (folder / "PG_VERSION").exists():
        _create(folder, programs)
    _check_version(folder)
    if not _answers_soon(folder):
        _start(folder, programs)
    if not (folder / READY).exists():
        _create_roles(folder)


def _answers_soon(folder: Path) -> bool:
    """True as soon as the server answers; a server that is starting by itself is waited for."""
    until = time.monotonic() + PATIENCE
    while (answer := _ping(folder)) is pq.Ping.REJECT and time.monotonic() < until:
        time.sleep(0.1)
    return answer is pq.Ping.OK


def _create(folder: Path, programs: Programs) -> None:
    """Make the data folder; a half-made one from an interrupted try is thrown away."""
    # The socket is named in a text of 108 bytes; past that the server would need another folder,
    # one that other users of the machine can enter.
    if len(str(folder / f".s.PGSQL.{PORT}")) > LONGEST_SOCKET_PATH:
        raise Unavailable(
            f"The path {folder} is too long for PostgreSQL's socket: "
            "name a shorter folder in BONA_FIDE_DATA."
        )
    fresh = programs.empty_folder(folder.with_name(f"{folder.name}.new"))
    programs.run(
        "initdb", f"--pgdata={fresh}", f"--username={SUPERUSER}", "--encoding=UTF8",
        "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C",
        "--auth-local=trust", "--auth-host=reject", "--no-instructions",
    )  # fmt: skip
    with (fresh / "postgresql.conf").open("a", encoding="utf-8") as conf:
        conf.write(f"\nlisten_addresses = ''\nport = {PORT}\nunix_socket_directories = '.'\n")
    if folder.exists():
        folder.rmdir()
    fresh.rename(folder)


def _check_version(folder: Path) -> None:
    made_by = (folder / "PG_VERSION").read_text(encoding="ascii").strip()
    if made_by != installed_version().split(".")[0]:
        raise Unavailable(
            f"The data in {folder} was made by PostgreSQL {made_by}, but {installed_version()} is "
            "installed: install the former, or move the folder away to start afresh."
        )


def _start(folder: Path, programs: Programs) -> None:
    """Start the server, waiting for what a killed one left behind to go away."""
    until = time.monotonic() + PATIENCE
    while True:
        _forget_dead(folder / "postmaster.pid")
        try:
            programs.run(
                "pg_ctl", f"--pgdata={folder}", "--wait", f"--timeout={PATIENCE:.0f}",
                f"--log={folder / 'log'}", "start",
            )  # fmt: skip
        except Unavailable:
            if _answers_soon(folder):
                return
            if time.monotonic() > until:
                raise
            time.sleep(0.3)
        else:
            return


def _forget_dead(pid_file: Path) -> None:
    """Remove the pid file of a server that is gone.

    PostgreSQL itself takes any living process of that number for the server: a zombie that nobody
    has collected yet, or a stranger who got the number after a restart of the machine.
    """
    with suppress(FileNotFoundError, IndexError):
        process = int(pid_file.read_text(encoding="utf-8").split()[0])
        if not _is_postgres(process):
            pid_file.unlink()


def _is_postgres(number: int) -> bool:
    try:
        process = psutil.Process(number)
        is_alive = process.status() != psutil.STATUS_ZOMBIE
        return bool(is_alive and process.name().startswith("postgres"))
    except psutil.NoSuchProcess:
        return False


def _create_roles(folder: Path) -> None:
    """The two roles and the database, once per data folder."""
    with psycopg.connect(_conninfo(folder), autocommit=True) as connection:
        for role, rights in ((OWNER, "LOGIN CREATEDB"), (APP, "LOGIN")):
            if not _exists(connection, "SELECT 1 FROM pg_roles WHERE rolname = %s", role):
                statement = sql.SQL("CREATE ROLE {} " + rights)
                connection.execute(statement.format(sql.Identifier(role)))
        if not _exists(connection, "SELECT 1 FROM pg_database WHERE datname = %s", NAME):
            _create_database(connection)
    (folder / READY).touch()


def _create_database(connection: psycopg.Connection) -> None:
    statement = sql.SQL("CREATE DATABASE {} OWNER {}")
    connection.execute(statement.format(sql.Identifier(NAME), sql.Identifier(OWNER)))


def _exists(connection: psycopg.Connection, query: str, name: str) -> bool:
    return connection.execute(query.encode(), [name]).fetchone() is not None


def _stop(folder: Path) -> None:
    if (folder / "postmaster.pid").exists():
        # A server that died by itself leaves its pid file and cannot be stopped again.
        with suppress(Unavailable):
            Programs.for_data(folder).run(
                "pg_ctl", f"--pgdata={folder}", "--wait", "--mode=fast", "stop"
            )


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Nobody else starts or stops the server of `folder` meanwhile."""
    descriptor = _open(folder.with_name(f"{folder.name}.lock"))
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _hold(folder: Path) -> int:
    descriptor = _open(folder.with_name(f"{folder.name}.users"))
    fcntl.flock(descriptor, fcntl.LOCK_SH)
    return descriptor


def _is_last(users: int) -> bool:
    try:
        fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _open(file: Path) -> int:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        return os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise Unavailable(
            f"The folder {file.parent} cannot be used for the database ({error.strerror}): "
            "name another in BONA_FIDE_DATA, or a server in DATABASE_URL."
        ) from error


def _after_fork() -> None:
    """A forked child would share its parent's lock, and vanish from the count with it."""
    global _threads  # noqa: PLW0603 - the parent's may be held by a thread that does not exist here
    _threads = threading.RLock()
    for folder, users in _held.items():
        _held[folder] = _hold(folder)
        os.close(users)


os.register_at_fork(after_in_child=_after_fork)
