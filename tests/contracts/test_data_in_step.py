"""The project's own copies of the law and the test data, against the drafts they came from.

A ruling changes the project's copy; this test then says what the drafts have not heard of yet.
Paths between the pages differ in a checkout, so they are left out of the comparison.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"

COPIES = {
    "docs/contract.md": "design/api.md",
    **{f"docs/rules/{page.name}": f"rules/{page.name}" for page in ROOT.glob("docs/rules/*.md")},
    **{
        f"tests/data/{name}": f"rules/{name}"
        for name in ("cases.json", "powers.json", "powers_extra.json")
    },
    **{
        f"tests/data/vectors/{file.name}": f"vectors/{file.name}"
        for file in ROOT.glob("tests/data/vectors/*")
    },
}
FOLDERS = re.compile(rb"`(?:[\w.-]+/)+([\w*-]+\.(?:md|json)\b|`)")
RULINGS = ROOT / "docs" / "rulings.md"


def plain(content: bytes) -> bytes:
    """Return a page with the folders of its links taken out."""
    return FOLDERS.sub(rb"`\1", content.replace(b"`rules/`", b"``").replace(b"/rules/`", b"/`"))


@pytest.mark.parametrize("copy", sorted(COPIES))
def test_a_copy_says_what_the_draft_says(copy: str) -> None:
    draft = SHARED / COPIES[copy]
    if not SHARED.is_dir():
        pytest.skip("no drafts lie beside this checkout: the copies are all there is")
    assert draft.is_file(), f"{copy} has no draft any more; {COPIES[copy]} is gone"
    ours, theirs = (ROOT / copy).read_bytes(), draft.read_bytes()
    if copy.endswith(".md"):
        ours, theirs = plain(ours), plain(theirs)
    same = ours == theirs or copy.encode() in RULINGS.read_bytes()
    assert same, f"{copy} and {COPIES[copy]} have drifted apart; name the copy in docs/rulings.md"


def test_every_draft_has_a_copy() -> None:
    if not SHARED.is_dir():
        pytest.skip("no drafts lie beside this checkout: the copies are all there is")
    drafts = {
        f"{folder}/{file.name}"
        for folder in ("rules", "vectors")
        for file in (SHARED / folder).iterdir()
    }
    assert drafts <= set(COPIES.values())


@pytest.mark.parametrize("page", sorted(p for p in COPIES if p.endswith(".md")))
def test_the_paths_on_a_page_lead_somewhere(page: str) -> None:
    """A path in backquotes is a file or folder of the project, seen from the page."""
    here = ROOT / page
    text = here.read_text()
    for path in re.findall(r"`((?:[\w.-]+/)+(?:[\w-]+\.(?:md|json|yaml))?)[`:]", text):
        assert (here.parent / path).exists(), path
