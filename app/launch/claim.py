"""One instance per data folder, and one per port."""

from __future__ import annotations

import fcntl
import os
import socket
from pathlib import Path
from typing import IO

from app.launch.trouble import LaunchError


def claim_folder(folder: Path, label: str) -> IO[str]:
    """Lock a data folder for this process; the lock ends with it, however it ends.

    ``label`` tells whoever comes second who was first. Keep the file returned.

    Raises:
        LaunchError: another instance has it, or the folder cannot be written.
    """
    path = folder / "lock"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = path.open("a+")
    except OSError as error:
        raise LaunchError(f"The data folder {folder} cannot be written: {error}") from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.seek(0)
        holder = file.read().strip() or "another instance"
        file.close()
        raise LaunchError(
            f"The games in {folder} are already being served: {holder}. "
            "Stop it first, or give this one a folder of its own: SANTORINI_DATA_DIR=..."
        ) from error
    file.truncate(0)
    file.write(f"process {os.getpid()}, {label}\n")
    file.flush()
    return file


def check_port(host: str, port: int) -> None:
    """Make sure that a port can be listened on.

    Raises:
        LaunchError: it is in use, or not ours to use.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise LaunchError(
                f"Port {port} on {host} cannot be used: {error.strerror}. "
                f"Choose another one: PORT={port + 1}"
            ) from error


def free_port(host: str = "127.0.0.1") -> int:
    """Return a port that nobody listens on at this moment."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind((host, 0))
        port: int = probe.getsockname()[1]
        return port
