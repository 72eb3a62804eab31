"""Make the virtual environment from a lock file, with nothing but a Python and its library.

    python3 scripts/make_venv.py .venv requirements/dev.lock

Debian and Ubuntu ship Python without ``ensurepip``; then the pip of the system, virtualenv or (as
root) the missing package is used, and failing those the message says what to install.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

OLDEST = (3, 11)
INSTALL_LINES = """\
Python cannot make a virtual environment here. Install one of these, then try again:
  Debian, Ubuntu   sudo apt-get install python3-venv
  Fedora           sudo dnf install python3-pip
  Alpine           apk add py3-pip
  macOS            brew install python@3.12"""


def run(*command: str | Path, silent: bool = False) -> bool:
    """Run a program and say whether it succeeded; what a silent one prints is not shown."""
    sink = subprocess.DEVNULL if silent else None
    words = [str(part) for part in command]
    return subprocess.run(words, check=False, stdout=sink, stderr=sink).returncode == 0


def say(text: str) -> None:
    """Print a line at once, before what the programs started next print."""
    print(text, flush=True)


def works(python: Path) -> bool:
    """Say whether this environment runs, is new enough and has pip."""
    test = f"import sys, pip; sys.exit(sys.version_info < {OLDEST!r})"
    if not python.exists():
        return False
    silent = subprocess.DEVNULL
    return subprocess.run([python, "-c", test], check=False, stderr=silent).returncode == 0


def with_ensurepip(folder: Path) -> None:
    """Make it the plain way."""
    if importlib.util.find_spec("ensurepip") is not None:
        run(sys.executable, "-m", "venv", "--clear", folder)


def with_system_pip(folder: Path) -> None:
    """Make it without pip, and let the system's pip put one in."""
    if importlib.util.find_spec("pip") is not None:
        venv.create(folder, clear=True, symlinks=True)
        run(sys.executable, "-m", "pip", "--python", folder / "bin" / "python",
            "install", "--quiet", "pip")  # fmt: skip


def with_virtualenv(folder: Path) -> None:
    """Make it with virtualenv, which carries a pip of its own."""
    if importlib.util.find_spec("virtualenv") is not None:
        run(sys.executable, "-m", "virtualenv", "--clear", "--quiet", folder)
    elif tool := shutil.which("virtualenv"):
        run(tool, "--python", sys.executable, "--clear", "--quiet", folder)


def with_uv(folder: Path) -> None:
    """Make it with uv, asked to seed a pip."""
    if tool := shutil.which("uv"):
        run(tool, "venv", "--quiet", "--seed", "--clear", "--python", sys.executable, folder)


def with_apt(folder: Path) -> None:
    """As root on Debian or Ubuntu, install the missing package, and make it the plain way."""
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return
    say("Installing python3-venv, without which Python cannot make a virtual environment.")
    os.environ["DEBIAN_FRONTEND"] = "noninteractive"
    run("apt-get", "update", "-qq", silent=True)
    package = ("install", "-qq", "-y", "--no-install-recommends", "python3-venv")
    if run("apt-get", *package, silent=True):
        run(sys.executable, "-m", "venv", "--clear", folder)


def make(folder: Path) -> Path:
    """Return the Python of the environment in this folder, made if need be."""
    python = folder / "bin" / "python"
    for way in (with_ensurepip, with_system_pip, with_virtualenv, with_uv, with_apt):
        if works(python):
            break
        way(folder)
    if not works(python):
        sys.exit(INSTALL_LINES)
    return python


def main(folder: str, lock: str) -> None:
    """Make the environment and install the locked packages and the project itself."""
    if sys.version_info < OLDEST:
        sys.exit(f"Python 3.11 or newer is needed; this is {sys.version.split()[0]}. "
                 "Name another one: make PYTHON=python3.12 ...")  # fmt: skip
    python = make(Path(folder))
    pip = (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    say(f"Installing {lock} into {folder}")
    if not run(*pip, "--require-hashes", "-r", lock):
        sys.exit(f"Installing {lock} failed; the lines above say why.")
    if not run(*pip, "--no-deps", "--no-build-isolation", "-e", "."):
        sys.exit("Installing the project itself failed; the lines above say why.")


if __name__ == "__main__":
    main(*sys.argv[1:])
