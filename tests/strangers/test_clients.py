"""Clients made from openapi.yaml by other people's generators: type-checked, and play a game."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.end_to_end.instance import Instance
from tests.strangers.tools import NODE_MODULES, ROOT, node_tool, run

pytestmark = [pytest.mark.end_to_end, pytest.mark.xdist_group("strangers")]

CONTRACT = ROOT / "openapi.yaml"
CLIENTS = Path(__file__).parent / "clients"
BIN = Path(sys.executable).parent


def test_a_generated_python_client_plays_a_game(service: Instance, tmp_path: Path) -> None:
    """Not a warning of the generator, not an error of mypy --strict."""
    run(
        [
            BIN / "openapi-python-client", "generate", "--fail-on-warning", "--meta", "none",
            "--config", CLIENTS / "generator.yaml", "--path", CONTRACT,
            "--output-path", tmp_path / "santorini_api",
        ],
        tmp_path,
        PATH=f"{BIN}{os.pathsep}{os.environ['PATH']}",
    )  # fmt: skip
    shutil.copy(CLIENTS / "play.py", tmp_path)
    run([BIN / "mypy", "--config-file", CLIENTS / "mypy.ini", "play.py", "santorini_api"], tmp_path)
    told = run([sys.executable, "play.py", service.url], tmp_path)
    assert told.startswith("won by")


def test_a_generated_typescript_client_plays_a_game(service: Instance, tmp_path: Path) -> None:
    """Compiled with every strict check of TypeScript."""
    # A member with a default may be left out of a request.
    options = ["--default-non-nullable", "false", "--output", "api.d.ts"]
    run([node_tool("openapi-typescript"), CONTRACT, *options], tmp_path)
    (tmp_path / "node_modules").symlink_to(NODE_MODULES)
    (tmp_path / "package.json").write_text(json.dumps({"type": "module"}))
    shutil.copy(CLIENTS / "play.ts", tmp_path)
    checks = ["--strict", "--noUnusedLocals", "--noImplicitReturns", "--skipLibCheck", "false"]
    target = ["--target", "es2022", "--module", "nodenext"]
    run([node_tool("tsc"), *checks, *target, "play.ts"], tmp_path)
    told = run(["node", "play.js", service.url], tmp_path)
    assert told.startswith("won by")
