"""What the pages point at is there: files, headings, targets of make, addresses of the service."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from app import create_app
from app.adapters.memory_store import MemoryStore
from app.config import Config
from app.wiring import build_services

ROOT = Path(__file__).resolve().parents[2]
APART = {".venv", "node_modules", "var"}
PAGES = sorted(
    page.relative_to(ROOT)
    for pattern in ("*.md", "*/*.md", "*/*/*.md", "*/*/*/*.md")
    for page in ROOT.glob(pattern)
    if not APART & set(page.relative_to(ROOT).parts)
)
GUIDE = ROOT / "app" / "http" / "pages" / "guide.html"
FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def anchors(text: str) -> set[str]:
    """Return what the headings of a page can be reached by, as its renderers name them."""
    headings = re.findall(r"^#+ +(.+)$", FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_links_lead_somewhere(page: Path) -> None:
    here = ROOT / page
    for link in LINK.findall(FENCE.sub("", here.read_text())):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = here.parent / path if path else here
        assert target.exists(), link
        assert not anchor or anchor in anchors(target.read_text()), link


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_targets_that_are_named_exist(page: Path) -> None:
    makefile, text = (ROOT / "Makefile").read_text(), (ROOT / page).read_text()
    commands = "\n".join([*re.findall(r"`([^`\n]+)`", text), *FENCE.findall(text)])
    for target in re.findall(r"^(?:[A-Z]+=\S+ )*make ([a-z]+)", commands, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_guide_leads_somewhere() -> None:
    """Its own headings, and addresses that answer."""
    text = GUIDE.read_text()
    client = create_app(Config(), build_services(Config(), MemoryStore())).test_client()
    links = set(re.findall(r'href="([^"]+)"', text))
    assert links
    for link in links:
        if link.startswith("#"):
            assert f'id="{link[1:]}"' in text, link
        else:
            assert client.get(link).status_code == 200, link


def test_every_target_is_explained() -> None:
    """`make` alone lists each target that a person may call."""
    targets = re.findall(r"^\.PHONY: (\w+)", (ROOT / "Makefile").read_text(), re.MULTILINE)
    listed = subprocess.run(
        ["make", "-C", str(ROOT), "--no-print-directory"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    for target in targets:
        assert f"make {target} " in listed, target
