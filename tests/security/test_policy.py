"""SECURITY.md promises nothing that no test holds."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "SECURITY.md").read_text()
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", PAGE)


def test_every_row_of_the_list_is_there():
    rows = re.findall(r"^\| (API\d+) [A-Z][^|]+\|([^|]+)\|([^|]+)\|$", PAGE, re.MULTILINE)
    assert [row[0] for row in rows] == [f"API{number}" for number in range(1, 11)]
    for name, _, tests in rows:
        assert "::test_" in tests, name


def test_every_test_that_is_named_exists():
    assert len(NAMED) > 20
    for path, name in NAMED:
        functions = {
            node.name
            for node in ast.walk(ast.parse((ROOT / path).read_text()))
            if isinstance(node, ast.FunctionDef)
        }
        assert name in functions, f"{path}::{name}"


def test_every_row_names_a_test():
    tables = [line for line in PAGE.splitlines() if line.startswith("| ") and "held by" not in line]
    assert len(tables) > 12
    assert not [line for line in tables if "::test_" not in line]


def test_every_link_leads_somewhere():
    for target in re.findall(r"\]\((?!http)([^)#]+)", PAGE):
        assert (ROOT / target).exists(), target
