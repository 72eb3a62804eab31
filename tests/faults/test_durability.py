"""What Redis must be set to, what a torn file does, and what a stale replica can still take."""

from __future__ import annotations

import shutil
import subprocess
import time
from pathlib import Path

import pytest
import redis

from app import create_app
from app.adapters.durability import DURABLE
from app.config import Config
from app.launch.private_redis import PrivateRedis
from app.launch.trouble import LaunchError
from app.services import Expected, Submission
from app.wiring import build_services
from domain.game.errors import Refusal
from domain.game.outlook import legal_steps
from domain.game.settings import Settings
from tests.faults.proxy import Mischief, Proxy
from tests.faults.replicated import until
from tests.servers import DURABLE as OPTIONS
from tests.servers import RedisServer, redis_server

pytestmark = pytest.mark.end_to_end

WRONG = {
    "appendonly": "no",
    "appendfsync": "everysec",
    "no-appendfsync-on-rewrite": "yes",
    "maxmemory-policy": "allkeys-lru",
    "aof-load-truncated": "yes",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with redis_server(tmp_path_factory.mktemp("durable")) as found:
        yield found


@pytest.mark.parametrize("setting", sorted(DURABLE))
def test_readiness_names_each_setting_that_would_lose_data(server, setting):
    client = create_app(Config(redis_url=server.url)).test_client()
    assert client.get("/readyz").status_code == 200
    with redis.Redis.from_url(server.url) as there:
        there.config_set(setting, WRONG[setting])
        answer = client.get("/readyz")
        there.config_set(setting, DURABLE[setting])
    assert answer.status_code == 503 and "Retry-After" in answer.headers
    assert answer.get_json()["problems"] == [
        f"Redis is set to {setting} {WRONG[setting]}; it must be {DURABLE[setting]}"
    ]
    until(lambda: client.get("/readyz").status_code == 200)


def test_readiness_does_not_trust_a_server_that_will_not_tell(tmp_path):
    """Some hosts forbid CONFIG: then nobody knows whether what was acknowledged is kept."""
    with redis_server(tmp_path, *OPTIONS, "--rename-command", "CONFIG", "") as hidden:
        answer = create_app(Config(redis_url=hidden.url)).test_client().get("/readyz")
    assert answer.status_code == 503
    assert len(answer.get_json()["problems"]) == len(DURABLE)


# -- a torn file --------------------------------------------------------------------------------


def newest_file(folder: Path) -> Path:
    """Return what the server writes to: Redis 6.2 has one file, later ones have parts."""
    files = [*folder.glob("appendonlydir/*.incr.aof"), *folder.glob("appendonly.aof")]
    return max(files, key=lambda file: file.stat().st_mtime)


def test_a_torn_file_is_refused_and_the_runbook_helps(tmp_path):
    """The last write was cut in two: no start, a pointer to the docs; the repair loses only it."""
    private = PrivateRedis(tmp_path)
    private.start()
    services = build_services(Config(redis_url=private.url))
    seated = [services.games.create(Settings()).snapshot for _ in range(3)]
    kept = newest_file(tmp_path).stat().st_size
    services.games.create(Settings())
    assert private.process is not None
    private.process.kill()
    private.process.wait()
    with newest_file(tmp_path).open("rb+") as file:
        file.truncate(kept + 200)  # the last write, as if it had never been acknowledged
    with pytest.raises(LaunchError, match=r"Unexpected end of file[\s\S]*docs/operations.md"):
        PrivateRedis(tmp_path).start()

    if shutil.which("redis-check-aof") is None:
        pytest.skip("redis-check-aof is not on PATH: the repair cannot be tried")
    torn = next(tmp_path.glob("appendonlydir/*.manifest"), newest_file(tmp_path))
    subprocess.run(
        ["redis-check-aof", "--fix", str(torn)], input=b"y\n", check=True, capture_output=True
    )
    again = PrivateRedis(tmp_path)
    again.start()
    try:
        services = build_services(Config(redis_url=again.url))
        for snapshot in seated:
            assert services.archive.verify(snapshot.game_id).log_hash == snapshot.log_hash
    finally:
        again.stop()


# -- a stale replica ----------------------------------------------------------------------------


def test_a_stale_replica_is_visible_and_refused_cleanly_but_never_gapped(tmp_path):
    """A replica that missed the last moments takes over: a shorter log, and no lie about it."""
    port = 0
    with redis_server(tmp_path / "one") as one:
        two = RedisServer(tmp_path / "two", *OPTIONS, port=port)
        proxy = Proxy(one.socket)
        two.start()
        proxy.start()
        try:
            _promoted(one, two, proxy)
        finally:
            proxy.stop()
            two.kill()


def _promoted(one: RedisServer, two: RedisServer, proxy: Proxy) -> None:
    services = build_services(Config(redis_url=proxy.url))
    first = services.games.create(Settings(turn_seconds=None, start_seat=1))
    game_id = first.snapshot.game_id
    second = services.games.join(game_id)
    tokens = {1: first.token, 2: second.token}

    def step(key: str) -> object:
        game = services.reader.read(game_id).snapshot.game
        assert game.clock is not None
        submission = Submission("/steps", key, b"{}")
        return services.games.play(
            game_id, tokens[game.clock.seat], steps=legal_steps(game)[:1], submission=submission
        )

    for number in range(4):
        step(f"early-{number}")
    kept = services.reader.read(game_id).snapshot
    _copy(one, two)
    for number in range(4):
        step(f"late-{number}")
    seen = services.reader.read(game_id).snapshot
    one.kill()
    proxy.target = two.socket

    now = services.reader.read(game_id).snapshot
    assert (now.version, now.log_hash) == (kept.version, kept.log_hash) != seen.log_hash
    assert services.archive.verify(game_id).ok
    assert services.reader.events(game_id, after=seen.version).events == ()
    with pytest.raises(Refusal) as stale:
        services.games.play(
            game_id,
            tokens[1],
            steps=legal_steps(now.game)[:1],
            expected=Expected(version=seen.version),
        )
    assert stale.value.code == "version_conflict" and stale.value.version == kept.version
    with pytest.raises(Refusal, match="no such version"):
        services.reader.read(game_id, version=seen.version)
    step("late-0")
    events = services.archive.export(game_id)
    assert [event.version for event in events] == list(range(1, len(events) + 1))
    assert len(events) > kept.version and services.archive.verify(game_id).ok


def _copy(one: RedisServer, two: RedisServer) -> None:
    """Bring a server to the state another one has now, as a replica that stops listening."""
    with redis.Redis.from_url(one.url) as origin, redis.Redis.from_url(two.url) as copy:
        for key in origin.scan_iter("*"):
            copy.restore(key, max(origin.pttl(key), 0), origin.dump(key))


# -- a server that does not answer --------------------------------------------------------------


def test_a_stopped_redis_is_told_within_three_seconds(server):
    """Every answer: reads and commands are 503, liveness is not Redis' business."""
    client = create_app(Config(redis_url=server.url)).test_client()
    game = client.post("/v1/games", json={}).get_json()
    url, headers = f"/v1/games/{game['game']['id']}", {"Authorization": f"Bearer {game['token']}"}
    server.freeze(True)
    try:
        for method, path, status in (
            ("GET", url, 503),
            ("POST", f"{url}/seats", 503),
            ("POST", f"{url}/resignation", 503),
            ("GET", "/readyz", 503),
            ("GET", "/healthz", 200),
        ):
            before = time.monotonic()
            body = {"json": {}} if method == "POST" and not path.endswith("resignation") else {}
            answer = client.open(path, method=method, headers=headers, **body)
            took = time.monotonic() - before
            assert answer.status_code == status, f"{method} {path}: {answer.text}"
            assert took < 3, f"{method} {path} took {took:.1f} s"
    finally:
        server.freeze(False)
    until(lambda: client.get(url).status_code == 200)


def test_a_stopped_redis_behind_tcp_is_told_within_three_seconds(server):
    """Over TCP connections are made all the same, and each handshake waits in vain."""
    proxy = Proxy(server.socket)
    proxy.start()
    try:
        client = create_app(Config(redis_url=proxy.url)).test_client()
        server.freeze(True)
        before = time.monotonic()
        assert client.get("/v1/games").status_code == 503
        assert time.monotonic() - before < 3
    finally:
        server.freeze(False)
        proxy.stop()


def test_a_redis_that_stalls_all_the_time_is_told_within_three_seconds(server):
    """Each reply comes late, some too late: commands of many calls give up in time."""
    proxy = Proxy(server.socket, seed=4)
    proxy.start()
    try:
        client = create_app(Config(redis_url=proxy.url)).test_client()
        game = client.post("/v1/games", json={}).get_json()
        url = f"/v1/games/{game['game']['id']}"
        client.post(f"{url}/seats", json={})
        proxy.mischief = Mischief(stall=1.0, stall_seconds=0.45)
        statuses = []
        for _ in range(4):
            before = time.monotonic()
            statuses.append(client.post(f"{url}/seats", json={}).status_code)
            assert time.monotonic() - before < 3.2
        assert 503 in statuses and set(statuses) <= {409, 503}
    finally:
        proxy.stop()
