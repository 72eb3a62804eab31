"""Pages that follow from the code are what the code says; the example in the docs works."""

from __future__ import annotations

import re
import runpy
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from domain.rules import ruleset
from domain.rules.power import REGISTRY

ROOT = Path(__file__).resolve().parents[2]
PAGES = runpy.run_path(str(ROOT / "scripts" / "write_docs.py"))["PAGES"]


@pytest.mark.parametrize("name", sorted(PAGES))
def test_a_written_page_is_up_to_date(name: str) -> None:
    assert (ROOT / name).read_text() == PAGES[name](), "run `make docs`"


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """Run the two blocks of docs/powers.md as the files they stand for."""
    page = (ROOT / "docs" / "powers.md").read_text()
    power, test = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    module = types.ModuleType("domain.powers.boreas")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(power, "docs/powers.md", "exec"), module.__dict__)
    space: dict[str, Any] = {}
    exec(compile(test, "docs/powers.md", "exec"), space)
    yield space
    del REGISTRY["boreas"]
    ruleset._CACHE.clear()


def test_the_power_made_up_in_the_docs_works(example: dict[str, Any]) -> None:
    tests = [value for name, value in example.items() if name.startswith("test_")]
    assert len(tests) == 2
    for test in tests:
        test()


MARKDOWN = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]


@pytest.mark.parametrize("page", MARKDOWN, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text())
    local = [link for link in links if not link.startswith("http")]
    assert [link for link in local if not (page.parent / link).exists()] == []


def test_every_ruling_names_a_test_that_is_there() -> None:
    page = (ROOT / "docs" / "rulings.md").read_text()
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| 20")]
    assert rows
    for _, question, answer, handle, test in rows:
        assert question.endswith("?")
        assert answer
        assert re.search(r"[CTVP]-\d", handle)
        assert (ROOT / test.strip("` ")).is_file(), test
