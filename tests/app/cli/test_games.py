"""``santorini games`` and its neighbours on a real Redis: what an operator does with a game."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app import cli
from app.cli import NO
from app.config import Config
from app.launch.private_redis import PrivateRedis
from app.services import Services
from app.wiring import build_services
from domain.game.settings import Settings

TURNS = ["b1>b2 b2^b3", "b5>b4 b4^c3", "d1>d2 d2^d3"]


@pytest.fixture(scope="module")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Redis for the tests of this module."""
    server = PrivateRedis(tmp_path_factory.mktemp("cli"))
    server.start()
    yield server.url
    server.stop()


@pytest.fixture
def services(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Services:
    """The use cases on the Redis that commands find too."""
    monkeypatch.setenv("REDIS_URL", redis_url)
    return build_services(Config.from_env())


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Run a command that must succeed, and return what it prints."""

    def run(*words: str) -> str:
        code = cli.run(list(words))
        output = capsys.readouterr()
        assert code == 0, output.err
        return output.out

    return run


def a_game(services: Services, visibility: str = "public") -> str:
    """Play three turns and resign."""
    settings = Settings(placement="recommended", start_seat=1, visibility=visibility)
    first = services.games.create(settings, name="Ada")
    game_id = first.snapshot.game_id
    second = services.games.join(game_id, name="Bob", invite=first.invite)
    for number, line in enumerate(TURNS):
        services.games.play(game_id, (first, second)[number % 2].token, line=line)
    services.games.resign(game_id, second.token)
    return game_id


def test_games_are_listed_newest_first(services: Services, say: Callable[..., str]) -> None:
    older, newer = a_game(services), a_game(services)
    lines = say("games", "list", "--status", "finished", "--limit", "2").splitlines()
    assert [line.split()[0] for line in lines] == [newer, older]
    assert "Ada, Bob" in lines[0]
    listed = json.loads(say("games", "list", "--json", "--limit", "1"))
    assert [game["id"] for game in listed] == [newer]


def test_a_game_is_shown_private_or_not(services: Services, say: Callable[..., str]) -> None:
    game_id = a_game(services, "private")
    text = say("games", "show", game_id)
    assert "duel, finished" in text
    assert TURNS[2] in text
    assert json.loads(say("games", "show", game_id, "--json"))["result"]["winners"] == [1]
    assert "ok" in say("games", "verify", game_id)


def test_an_unknown_game_is_a_no(services: Services, capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("show", "verify", "export"):
        assert cli.run(["games", command, "nosuchgame"]) == NO
        assert "not_found" in capsys.readouterr().err


def test_a_log_goes_out_is_replayed_and_comes_in_again(
    services: Services, say: Callable[..., str], tmp_path: Path
) -> None:
    game_id = a_game(services)
    file = str(tmp_path / "game.ndjson")
    assert "events in" in say("games", "export", game_id, "--output", file)
    assert Path(file).read_text() == say("games", "export", game_id)
    assert "ok" in say("games", "verify", file)
    replayed = say("games", "replay", file)
    assert all(line in replayed for line in TURNS)
    assert json.loads(say("games", "replay", file, "--json"))[-1]["board"] in replayed
    imported = json.loads(say("games", "import", file, "--json"))
    assert imported["imported"]
    assert imported["id"] != game_id
    assert imported["result"]["winners"] == [1]
    assert say("games", "verify", "--all").count(" ok") >= 2


def test_a_record_comes_in(services: Services, say: Callable[..., str], tmp_path: Path) -> None:
    record = "variant duel/none\nstart S1\nS1 +b2 +d4\nS2 +b4 +d2\n1.S1 b2>b3 b3^c3\n"
    file = tmp_path / "game.txt"
    file.write_text(record + "result S1 resignation\n")
    assert "finished" in say("games", "import", str(file))


def test_a_forged_log_is_a_no(
    services: Services,
    say: Callable[..., str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = say("games", "export", a_game(services)).splitlines()
    file = tmp_path / "game.ndjson"
    file.write_text("\n".join(line.replace('"b2"', '"a2"', 1) for line in lines))
    assert cli.run(["games", "verify", str(file)]) == NO
    assert "bad at " in capsys.readouterr().out
    for command in ("replay", "import"):
        assert cli.run(["games", command, str(file)]) == NO


def test_pause_and_resume(services: Services, say: Callable[..., str]) -> None:
    assert "Paused" in say("pause")
    assert json.loads(say("doctor", "--json"))["paused"] is True
    assert "is paused" in say("doctor")
    assert "Resumed" in say("resume")
    assert "No problems found" in say("doctor")


def test_doctor_masks_passwords(
    redis_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("REDIS_URL", "redis://ada:secret@127.0.0.1:1/0")
    assert cli.run(["doctor"]) == NO
    output = capsys.readouterr()
    assert "secret" not in output.out + output.err
    assert "Problem: " in output.err


def test_all_games_leave_and_come_back_as_they_were(
    services: Services, say: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Byte for byte, private games too, on another Redis; repeating it changes nothing."""
    game_id = a_game(services, visibility="private")
    file, second = tmp_path / "all.ndjson", tmp_path / "second.ndjson"
    assert "games in" in say("games", "export", "--all", "--output", str(file))
    assert file.stat().st_mode & 0o777 == 0o600
    other = PrivateRedis(tmp_path / "other")
    other.start()
    try:
        monkeypatch.setenv("REDIS_URL", other.url)
        count = len(file.read_bytes().splitlines())
        assert f"{count} of {count} games restored" in say(
            "games", "import", "--restore", str(file)
        )
        assert f"0 of {count} games" in say("games", "import", "--restore", str(file))
        say("games", "export", "--all", "--output", str(second))
        assert second.read_bytes() == file.read_bytes()
        assert f"{game_id}  version" in say("games", "verify", "--all")
    finally:
        other.stop()


def test_a_damaged_copy_of_all_games_is_a_no(
    services: Services, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Nothing is restored from a file in which one event is not what was written."""
    a_game(services)
    file = tmp_path / "all.ndjson"
    assert cli.run(["games", "export", "--all", "--output", str(file)]) == 0
    file.write_bytes(file.read_bytes().replace(b'"moved"', b'"built"', 1))
    capsys.readouterr()
    assert cli.run(["games", "import", "--restore", str(file)]) != 0
    assert "line 1: game" in capsys.readouterr().err
    assert cli.run(["games", "export", "some-game", "--all"]) != 0
