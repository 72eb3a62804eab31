"""Where other people's tools are, and what to say when one is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import pytest

ROOT = Path(__file__).resolve().parents[2]
NODE_MODULES = ROOT / "tools" / "node_modules"
BROWSERS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")


def lacking(what: str) -> NoReturn:
    """Skip a test for want of a tool; where all tests must run, fail."""
    if os.environ.get("SANTORINI_TEST_ALL"):
        pytest.fail(what)
    pytest.skip(what)


def node_tools() -> Path:
    """Return the folder of the installed Node tools."""
    if shutil.which("node") is None:
        lacking("node is not installed")
    if not (NODE_MODULES / ".ready").exists():
        lacking("the Node tools are not installed: scripts/get_node_tools says why")
    return NODE_MODULES


def node_tool(name: str) -> str:
    """Return the command of one Node tool."""
    return str(node_tools() / ".bin" / name)


def browser() -> str:
    """Return the command of a Chromium."""
    for name in BROWSERS:
        found = shutil.which(name)
        if found:
            return found
    lacking("no Chromium is installed")


def run(
    command: Sequence[str | Path], folder: Path, patience: float = 180, **environment: str
) -> str:
    """Run a tool in a folder and return what it prints; fail with it when it fails."""
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=patience,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    return done.stdout
