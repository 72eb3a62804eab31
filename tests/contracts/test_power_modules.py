"""One power, one file: no power names another, no engine names any, the metadata is the rules'.

A key or name may stand in a module's own class and in its ``bans``, nowhere else: not in code, not
in strings, not in docstrings and not in comments. What two powers share lives in ``domain/rules``.
"""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
from pathlib import Path

import pytest

from domain.powers import CATALOGUE
from domain.rules.power import Power

ROOT = Path(__file__).resolve().parents[2]
POWERS = {path.stem: path for path in (ROOT / "domain" / "powers").glob("[a-z]*.py")}
ENGINE = sorted(
    path for part in ("board", "rules", "game") for path in (ROOT / "domain" / part).glob("*.py")
)
DATA = ROOT / "tests" / "data"
LONGEST = 120
EXTRA = {
    "order_aid": "order_aid",
    "must_start": "must_start",
    "must_not_start": "must_not_start",
    "setup_workers": "setup_workers",
    "extra_workers": "extra_workers",
    "tokens": "token_names",
    "hero": "hero",
    "revised": "revised",
    "random": "deck_secret",
    "ban_kinds": "bans",
}
NAMES = {key: {key, power.name.lower().split(" & ")[0]} for key, power in CATALOGUE.items()}
"""What names a power; the second name of a pair (a bronze giant, a twin) is a token or a worker."""


def words(text: str) -> set[str]:
    """Return the words of a text in lower case, possessives without their ending."""
    return {word.removesuffix("'s") for word in re.findall(r"[a-z]+(?:'s)?", text.lower())}


def without_bans(source: str) -> str:
    """Return a module's source with the value of ``bans`` blanked out."""
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == "bans" for target in node.targets
        ):
            for number in range(node.lineno - 1, node.end_lineno or node.lineno):
                lines[number] = ""
    return "\n".join(lines)


def named(source: str) -> set[str]:
    """Return the keys of the powers that a source names."""
    found = words(source)
    return {key for key, names in NAMES.items() if names & found}


def docstrings(tree: ast.Module) -> set[int]:
    """Return the identities of the nodes that are docstrings."""
    spoken = ast.Module | ast.ClassDef | ast.FunctionDef
    return {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, spoken) and ast.get_docstring(node)
    }


def literals(source: str) -> set[str]:
    """Return the words in strings, names and imports of a source, docstrings apart."""
    tree = ast.parse(source)
    spoken = docstrings(tree)
    found: set[str] = set()
    for node in ast.walk(tree):
        text = ""
        if isinstance(node, ast.Constant) and id(node) not in spoken:
            text = node.value if isinstance(node.value, str) else ""
        elif isinstance(node, ast.Name):
            text = node.id
        elif isinstance(node, ast.Attribute):
            text = node.attr
        elif isinstance(node, ast.ImportFrom):
            text = node.module or ""
        found |= words(re.sub("[_.]", " ", text))
    return found


@pytest.mark.parametrize("key", sorted(POWERS))
def test_a_power_names_no_other(key: str) -> None:
    """Only in ``bans`` may another power's name appear."""
    assert named(without_bans(POWERS[key].read_text())) - {key} == set()


@pytest.mark.parametrize("path", ENGINE, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_engine_knows_no_power(path: Path) -> None:
    """No branch on a power: no key stands in the code of board, rules or game."""
    found = literals(path.read_text())
    assert {key for key, names in NAMES.items() if names & found} == set()


@pytest.mark.parametrize("key", sorted(POWERS))
def test_a_power_is_one_class_in_one_short_file(key: str) -> None:
    """A module bears its power's key and is short enough to read like its card."""
    power = CATALOGUE[key]
    assert type(power).__module__ == f"domain.powers.{key}"
    source = POWERS[key].read_text()
    code = without_bans(source)
    assert len([line for line in code.splitlines() if line]) <= LONGEST
    doc = type(power).__doc__ or ""
    assert f"P-{power.number}" in doc
    comments = tokenize.generate_tokens(io.StringIO(source).readline)
    assert not any(token.type == tokenize.COMMENT and "noqa" in token.string for token in comments)


def test_every_file_holds_a_power_and_every_power_has_a_file() -> None:
    assert sorted(POWERS) == sorted(CATALOGUE)
    assert len(CATALOGUE) == 67


def rows(name: str) -> dict[str, dict]:
    """Return a table of the rules pages by key."""
    return {row["key"]: row for row in json.loads((DATA / name).read_text())}


@pytest.mark.parametrize("key", sorted(POWERS))
def test_metadata_is_that_of_the_rules_pages(key: str) -> None:
    """Number, name, group, marks, phases and the rest are powers.json and powers_extra.json."""
    power, row = CATALOGUE[key], rows("powers.json")[key]
    assert power.number == row["id"]
    assert power.name == row["name"]
    assert power.group == row["group"]
    assert list(power.players) == row["players"]
    assert power.golden_fleece == row["golden_fleece"]
    assert power.hidden_information == row["hidden_information"]
    assert list(power.phases) == row["phases"]
    extra = rows("powers_extra.json")[key]
    for member, attribute in EXTRA.items():
        value = getattr(power, attribute)
        assert (list(value) if isinstance(value, tuple) else value) == extra[member], member
    assert sorted(power.bans) == sorted(row["banned_with"])


def test_bans_are_mutual_and_of_one_kind() -> None:
    """V-20, V-21: each partner names the other, for the same reason."""
    for key, power in CATALOGUE.items():
        for other, kind in power.bans.items():
            assert CATALOGUE[other].bans[key] == kind
            assert kind in ("rule", "implementation")


def test_a_power_keeps_nothing_on_itself() -> None:
    """A power never knows who holds it: memory and holder are arguments."""
    for power in CATALOGUE.values():
        assert isinstance(power, Power)
        assert vars(power) == {}
