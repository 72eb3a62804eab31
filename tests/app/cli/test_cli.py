"""The command line: what it prints, and its exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from app import cli
from app.cli import MISUSED, NO, UNREACHABLE, santorini
from app.version import __version__


def commands(group: object = santorini, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Return every command as the words that call it."""
    found = [path]
    for name, command in getattr(group, "commands", {}).items():
        found += commands(command, (*path, name))
    return found


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_every_command_has_help(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run([*words, "--help"]) == 0
    assert "Usage: santorini" in capsys.readouterr().out


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["--version"]) == 0
    assert __version__ in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        ["nonsense"],
        ["perft", "--depth", "0"],
        ["games", "show"],
        ["games", "verify"],
        ["games", "list", "--status", "lost"],
        ["games", "list", "--variant", "chess"],
        ["up", "x"],
        ["up", "--workers", "0"],
        ["demo", "--url", "127.0.0.1:8000"],
        ["demo", "--url", "http://here:there"],
        ["demo", "--url", "http://127.0.0.1:1", "--pause", "-1"],
    ],
    ids=" ".join,
)
def test_what_is_not_understood_ends_with_2(words: list[str]) -> None:
    assert cli.run(words) == MISUSED


def test_perft_counts_the_published_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["perft", "--depth", "2", "--json"]) == 0
    counts = json.loads(capsys.readouterr().out)
    assert [(one["depth"], one["results"], one["wins"]) for one in counts] == [
        (1, 68, 0),
        (2, 5156, 0),
    ]


@pytest.mark.parametrize(("text", "said"), [("{", "not JSON"), ('{"variant": "chess"}', "variant")])
def test_an_impossible_position_is_named(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "position.json"
    file.write_text(text)
    assert cli.run(["perft", "--position", str(file)]) == MISUSED
    assert said in capsys.readouterr().err


def test_openapi_is_exported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["openapi"]) == 0
    text = capsys.readouterr().out
    assert yaml.safe_load(text)["openapi"].startswith("3.1")
    assert cli.run(["openapi", "--output", str(tmp_path / "openapi.yaml")]) == 0
    assert (tmp_path / "openapi.yaml").read_text() == text


def test_a_file_that_cannot_be_written_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "nowhere" / "openapi.yaml"
    assert cli.run(["openapi", "--output", str(file)]) == UNREACHABLE
    assert capsys.readouterr().err == f"{file} cannot be used: No such file or directory\n"


def test_a_wrong_setting_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PORT", "eighty")
    assert cli.run(["doctor"]) == MISUSED
    assert "PORT must be" in capsys.readouterr().err


def test_a_worker_without_redis_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("REDIS_URL", raising=False)
    monkeypatch.setenv("SANTORINI_DATA_DIR", str(tmp_path))
    assert cli.run(["worker"]) == UNREACHABLE
    assert "santorini up" in capsys.readouterr().err


def test_a_file_that_is_no_log_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for content, said in ((b"", "no event"), (b"hello\n", "line 1"), (b"{}\n", "event 1")):
        file = tmp_path / "game.ndjson"
        file.write_bytes(content)
        assert cli.run(["games", "replay", str(file)]) == NO
        assert said in capsys.readouterr().err
