"""The embedded PostgreSQL starts, is shared, stops and recovers; the two roles are kept apart."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from django.core import checks
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db import ProgrammingError, connection, transaction

from registry import database, grants, places
from registry.embedded import server
from registry.embedded.programs import Unavailable

CHECKOUT = Path(__file__).resolve().parents[2]

CONNECT = """
import sys
from django.db import connection
def ask(query):
    with connection.cursor() as cursor:
        cursor.execute(query)
        return cursor.fetchone()
print(*ask("SELECT current_user, pg_catalog.pg_postmaster_start_time() IS NOT NULL"), flush=True)
sys.stdin.readline()
"""


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    """A data folder of its own, which the system user of a root's PostgreSQL may enter."""
    folder = Path(tempfile.mkdtemp(prefix="bona-fide-"))
    folder.chmod(0o755)
    yield folder
    server.leave(folder / "postgres")
    shutil.rmtree(folder)


def command(home: Path, *arguments: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "BONA_FIDE_DATA": str(home), "PYTHONWARNINGS": "ignore"}
    for name in ("DATABASE_URL", "DATABASE_OWNER_URL"):
        environment.pop(name, None)
    return subprocess.Popen(
        [sys.executable, "manage.py", *arguments],
        cwd=CHECKOUT, env=environment, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


@contextmanager
def user_of(home: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that is connected to the server of `home` until the block ends."""
    with command(home, "shell", "-v0", "-c", CONNECT) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "bonafide_app True\n"
        yield process
        if process.poll() is None:
            process.communicate("\n", timeout=60)


def postmaster(home: Path) -> int | None:
    """The number of the living server of `home`."""
    try:
        number = int((home / "postgres" / "postmaster.pid").read_text().split()[0])
    except FileNotFoundError:
        return None
    try:
        alive = psutil.Process(number).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return None
    return number if alive else None


def kill(number: int) -> None:
    os.kill(number, signal.SIGKILL)
    psutil.wait_procs([psutil.Process(number)] if psutil.pid_exists(number) else [], timeout=10)


def test_the_first_connection_starts_the_server_and_the_last_to_leave_stops_it(home: Path) -> None:
    with user_of(home):
        first = postmaster(home)
        assert first is not None
        with user_of(home):
            assert postmaster(home) == first
        assert postmaster(home) == first

    assert postmaster(home) is None


def test_the_server_outlives_the_process_that_started_it(home: Path) -> None:
    with user_of(home) as starter, user_of(home):
        running = postmaster(home)
        starter.communicate("\n", timeout=60)

        assert postmaster(home) == running

    assert postmaster(home) is None


def test_a_killed_user_does_not_keep_the_server_alive_for_ever(home: Path) -> None:
    with user_of(home) as killed:
        killed.kill()
        killed.wait()
        assert postmaster(home) is not None

    with user_of(home):
        pass

    assert postmaster(home) is None


def test_a_command_told_to_end_stops_the_server_it_started(home: Path) -> None:
    with user_of(home) as told:
        told.terminate()
        assert told.wait(timeout=60) == 128 + signal.SIGTERM

    assert postmaster(home) is None


def test_a_process_finds_the_server_again_that_was_killed_under_it(home: Path) -> None:
    script = CONNECT + 'connection.close(); print(*ask("SELECT 1"))'
    with command(home, "shell", "-v0", "-c", script) as process:
        assert process.stdout is not None
        process.stdout.readline()
        killed = postmaster(home)
        assert killed is not None
        kill(killed)

        answer, complaint = process.communicate("\n", timeout=60)

    assert (answer, complaint) == ("1\n", "")
    assert postmaster(home) is None


def test_a_stranger_with_the_number_of_a_dead_server_is_not_taken_for_it(home: Path) -> None:
    with user_of(home):
        pid_file = home / "postgres" / "postmaster.pid"
        lines = pid_file.read_text().splitlines()
    owner = (home / "postgres").stat().st_uid
    with subprocess.Popen(
        ["/bin/sleep", "600"], user=owner if os.geteuid() == 0 else None
    ) as other:
        pid_file.write_text("\n".join([str(other.pid), *lines[1:]]) + "\n")

        with user_of(home):
            assert postmaster(home) not in (None, other.pid)

        other.kill()


def test_the_folder_of_the_data_is_closed_to_other_users(home: Path) -> None:
    with user_of(home):
        assert (home / "postgres").stat().st_mode & 0o777 == 0o700
        assert (home / "postgres" / f".s.PGSQL.{database.PORT}").is_socket()


def test_a_command_that_needs_no_database_starts_none(tmp_path: Path) -> None:
    with command(tmp_path, "check") as process:
        process.communicate(timeout=60)

    assert process.returncode == 0
    assert not (tmp_path / "postgres").exists()


def test_a_path_too_long_for_the_socket_is_refused_in_one_sentence(tmp_path: Path) -> None:
    folder = tmp_path / ("deep" * 25) / "postgres"

    with pytest.raises(Unavailable) as refusal:
        server.join(folder)
    server.leave(folder)

    assert str(refusal.value) == (
        f"The path {folder} is too long for PostgreSQL's socket: "
        "name a shorter folder in BONA_FIDE_DATA."
    )


def test_data_of_another_postgresql_is_refused_in_one_sentence(tmp_path: Path) -> None:
    folder = tmp_path / "pg"
    folder.mkdir()
    (folder / "PG_VERSION").write_text("17\n")

    with pytest.raises(Unavailable, match=r"was made by PostgreSQL 17, but 18\.\S+ is installed"):
        server.join(folder)
    server.leave(folder)


def test_emptying_the_database_is_refused_while_somebody_works_in_it(home: Path) -> None:
    with user_of(home), pytest.raises(Unavailable, match="Another process works"):
        server.recreate_database(home / "postgres")

    server.recreate_database(home / "postgres")
    server.leave(home / "postgres")


@pytest.mark.django_db
def test_the_tests_work_as_the_application_which_owns_nothing() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user::text")
        assert cursor.fetchone() == (database.application_role(),)
        cursor.execute(
            "SELECT count(*) FROM pg_class WHERE pg_get_userbyid(relowner) = current_user"
        )
        assert cursor.fetchone() == (0,)


@pytest.mark.django_db
def test_the_application_cannot_become_the_owner() -> None:
    with connection.cursor() as cursor, pytest.raises(ProgrammingError), transaction.atomic():
        cursor.execute(f"SET ROLE {database.OWNER}")


@pytest.mark.django_db(transaction=True)
def test_as_owner_changes_the_role_and_gives_it_back() -> None:
    def current_user() -> str:
        with connection.cursor() as cursor:
            cursor.execute("SELECT current_user::text")
            return str(cursor.fetchone()[0])

    before = current_user()
    with database.as_owner():
        within = current_user()

    assert (before, within, current_user()) == (database.APP, database.OWNER, database.APP)


@pytest.mark.django_db(transaction=True)
def test_migrate_seals_a_history_that_a_newer_release_left_open() -> None:
    faults = lambda: {one.id for one in checks.run_checks(databases=["default"])}  # noqa: E731
    name = connection.ops.quote_name(grants.history_functions()[0])
    with database.as_owner(), connection.cursor() as cursor:
        cursor.execute(f"ALTER FUNCTION {name}() SECURITY INVOKER")
    assert "bona.E004" in faults()

    call_command("migrate", verbosity=0, skip_checks=False)

    assert "bona.E004" not in faults()


@pytest.mark.django_db
def test_the_role_cannot_change_inside_a_transaction() -> None:
    with pytest.raises(RuntimeError, match="inside a transaction"), database.as_owner():
        pass


def test_database_url_is_read_with_its_options(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(
        "DATABASE_URL", "postgresql://app:p%40ss@db.example:6432/reg?sslmode=require"
    )
    monkeypatch.setenv("DATABASE_OWNER_URL", "postgresql://own:secret@db.example:6432/reg")

    found = database.from_url_or_embedded()

    assert {key: found[key] for key in ("ENGINE", "NAME", "USER", "PASSWORD", "HOST", "PORT")} == {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": "reg",
        "USER": "app",
        "PASSWORD": "p@ss",
        "HOST": "db.example",
        "PORT": "6432",
    }
    assert found["OPTIONS"] == {"sslmode": "require", "options": "-c lock_timeout=3000"}
    assert database.owner_login() == {"USER": "own", "PASSWORD": "secret"}
    assert (database.has_two_roles(), database.is_embedded()) == (True, False)


def test_a_socket_folder_may_stand_in_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql:///reg?host=/run/postgresql")
    monkeypatch.delenv("DATABASE_OWNER_URL", raising=False)

    found = database.from_url_or_embedded()

    assert (found["HOST"], found["NAME"], found["USER"]) == ("/run/postgresql", "reg", "")
    assert not database.has_two_roles()


@pytest.mark.parametrize(
    "address",
    ["mysql://app@db/reg", "postgresql://app@db", "db/reg", "postgresql://app@db:99999/reg"],
)
def test_a_bad_address_is_refused_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("DATABASE_URL", address)

    with pytest.raises(ImproperlyConfigured, match=r"DATABASE_URL.*\.$"):
        database.from_url_or_embedded()


def test_owner_and_application_must_mean_one_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://app@db/reg")
    monkeypatch.setenv("DATABASE_OWNER_URL", "postgresql://own@db/other")

    with pytest.raises(ImproperlyConfigured, match="same server and database"):
        database.owner_login()


def test_the_secret_key_is_made_once_and_readable_by_its_owner_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("SECRET_KEY", raising=False)
    monkeypatch.setenv("BONA_FIDE_DATA", str(tmp_path / "new"))

    made = places.secret_key()

    assert places.secret_key() == made
    assert len(made) > 50
    assert (tmp_path / "new" / "secret-key").stat().st_mode & 0o777 == 0o600
    assert [file.name for file in (tmp_path / "new").iterdir()] == ["secret-key"]
