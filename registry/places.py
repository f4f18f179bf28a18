"""Where the register keeps what is not in its database: one folder outside the checkout."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent


def data_directory() -> Path:
    """The folder of the embedded database, documents, demo mail and the generated secret key.

    BONA_FIDE_DATA names it. Without it root uses a system folder, because the embedded PostgreSQL
    then runs as a user of its own who may not look into root's home.
    """
    named = os.environ.get("BONA_FIDE_DATA")
    if named:
        return Path(named).expanduser().resolve()
    if os.geteuid() == 0:
        return Path("/var/lib/bona-fide")
    shared = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(shared).expanduser() / "bona-fide"


def make_private(folder: Path) -> Path:
    """Create a folder that only its owner may open, with its parents; the folder comes back."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def remember_address(address: str) -> None:
    """Keep where the demo serves beside its data: commands run beside it print codes for that."""
    (data_directory() / "public-address").write_text(address, encoding="utf-8")


def remembered_address() -> str:
    """The address the demo was last served at, empty when there was none."""
    try:
        return (data_directory() / "public-address").read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def secret_key() -> str:
    """SECRET_KEY of the environment, else the one kept in the data folder, made at first use.

    Where the folder cannot be written the key lives as long as the process: enough for a command
    that only judges or checks. The server is started by a command that hands one key to all.
    """
    given = os.environ.get("SECRET_KEY")
    if given:
        return given
    kept = data_directory() / "secret-key"
    try:
        return kept.read_text(encoding="ascii")
    except FileNotFoundError:
        return _keep(kept, secrets.token_urlsafe(50))
    except OSError:
        return secrets.token_urlsafe(50)


def _keep(file: Path, key: str) -> str:
    """Write the key for one process only: whoever comes second reads the first one's."""
    fresh = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as opened:
            opened.write(key)
        os.link(fresh, file)
    except FileExistsError:
        return file.read_text(encoding="ascii")
    except OSError:
        return key
    finally:
        fresh.unlink(missing_ok=True)
    return key
