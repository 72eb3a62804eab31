"""One program we started, and how it is ended."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

PARENT_DEATH_SIGNAL = 1
"""``PR_SET_PDEATHSIG`` of prctl(2)."""


def _die_with_parent() -> None:
    """Ask Linux to end this process when the launcher is killed; elsewhere do nothing."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PARENT_DEATH_SIGNAL, signal.SIGTERM)


def start(
    command: Sequence[str | Path],
    environment: Mapping[str, str] | None = None,
    log: Path | None = None,
) -> subprocess.Popen[bytes]:
    """Start a program in a session of its own, so that Ctrl-C reaches the launcher alone.

    ``environment`` is added to ours; ``log`` takes what it prints, else it prints where we do.
    """
    sink = None if log is None else log.open("ab")
    try:
        return subprocess.Popen(
            [str(part) for part in command],
            env=os.environ | dict(environment or {}),
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=subprocess.STDOUT if sink else None,
            start_new_session=True,
            preexec_fn=_die_with_parent,  # safe: we have no threads
        )
    finally:
        if sink is not None:
            sink.close()


def stop(process: subprocess.Popen[bytes], patience: float) -> None:
    """End a program and its children: politely, then after ``patience`` seconds by force."""
    if process.poll() is None:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(patience)
    kill_group(process)


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill what is left of a program and its children at once."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
