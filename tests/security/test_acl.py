"""The Redis account of the deployment can do all the service does, and nothing else."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
import redis

from app.config import Config
from app.services import GameQuery, Submission
from app.wiring import build_services, build_store
from domain.game.settings import Settings
from tests.app.services.conftest import House
from tests.servers import DURABLE, RedisServer
from tests.workers.conftest import PROGRAM

INTRODUCTION = ("command", "client")
"""How Redis 6.2 notes redis-py's CLIENT SETINFO, which it does not know; it is not needed."""
ACL = Path(__file__).resolve().parents[2] / "deploy" / "redis-users.acl"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("acl")
    users = folder / "users.acl"
    text = ACL.read_text()
    users.write_text(text.replace("CHANGE-ME-TOO", "admin-secret").replace("CHANGE-ME", "secret"))
    one = RedisServer(folder, *DURABLE, "--aclfile", str(users))
    one.url = f"unix://santorini@{one.socket}?password=secret"
    try:
        one.start()
        yield one
    finally:
        one.kill()


@pytest.fixture
def admin(server):
    with redis.Redis.from_url(f"unix://admin@{server.socket}?password=admin-secret") as client:
        yield client


def test_a_game_is_played_with_this_account(server, admin):
    admin.acl_log_reset()
    config = Config(redis_url=server.url)
    house, dice = House(build_store(config), config), random.Random(4)
    services, other = build_services(config), build_services(config)
    assert services.maintenance.health().ready
    environ = os.environ | {"REDIS_URL": server.url, "SANTORINI_KEY_PREFIX": config.key_prefix}
    worker = subprocess.Popen([sys.executable, "-c", PROGRAM], env=environ)
    try:
        waiting = house.seated(Settings(start_seat=1, turn_seconds=1))
        seats = house.seated()
        game_id = seats[0].snapshot.game_id
        ticket, _ = services.tickets.issue(game_id, seats[0].token, "a-key")
        assert services.tickets.redeem(game_id, ticket) == seats[0].token
        with services.news.watching(game_id) as watch:
            fresh = other.games.renew_token(game_id, 1, seats[0].token, Submission("/t", "k" * 16))
            before = house.game(game_id).version
            other.games.resign(game_id, fresh.token)
            assert watch.wait(before, 5), admin.acl_log()
        house.play_out(house.seated(), dice)
        assert services.reader.verify(game_id).ok
        assert services.reader.list(GameQuery(status="finished")).games
        services.maintenance.pause()
        services.maintenance.resume()
        services.maintenance.backlog()
        end = time.monotonic() + 15
        while house.game(waiting[0].snapshot.game_id).game.status != "finished":
            assert time.monotonic() < end, "no worker ended the game that nobody played"
            time.sleep(0.1)
    finally:
        worker.terminate()
        try:
            worker.wait(5)
        except subprocess.TimeoutExpired:
            worker.kill()
            worker.wait()
    refused = {(entry["reason"], entry["object"]) for entry in admin.acl_log()}
    assert refused <= {INTRODUCTION}


@pytest.mark.parametrize(
    "command",
    [
        "FLUSHALL", "FLUSHDB", "KEYS *", "CONFIG SET appendonly no",
        "CONFIG REWRITE", "SHUTDOWN NOSAVE", "SAVE", "BGREWRITEAOF", "REPLICAOF NO ONE", "MONITOR",
        "ACL LIST", "ACL SETUSER x", "CLIENT LIST", "CLIENT KILL 1.1.1.1:1", "MODULE LIST",
        "SCRIPT FLUSH", "FUNCTION LIST", "SWAPDB 0 1", "MIGRATE h 1 k 0 1", "SLOWLOG GET",
        "GET somebody-elses", "SET rq:elsewhere 1", "HGETALL santorin", "SUBSCRIBE elsewhere",
        "PUBLISH elsewhere x", "CLUSTER RESET", "SYNC", "RESTORE santorini:x 0 y", "LATENCY DOCTOR",
    ],
)  # fmt: skip
def test_this_account_can_do_nothing_else(server, command):
    """Of what a server is too old to know, nobody can do anything."""
    refusal = r"no permissions|NOPERM|[Uu]nknown command"
    with (
        redis.Redis.from_url(server.url) as client,
        pytest.raises(redis.exceptions.ResponseError, match=refusal),
    ):
        client.execute_command(*command.split())


def test_a_script_can_do_no_more_than_the_account(server):
    with redis.Redis.from_url(server.url) as client:
        for script in ("redis.call('FLUSHALL')", "redis.call('SET', 'elsewhere', 1)"):
            with pytest.raises(redis.exceptions.RedisError, match=r"user|permission|access"):
                client.eval(script, 0)


def test_nobody_comes_in_without_a_password(server):
    for url in (f"unix://{server.socket}", f"unix://santorini@{server.socket}?password=CHANGE-ME"):
        with (
            redis.Redis.from_url(url) as client,
            pytest.raises(redis.exceptions.AuthenticationError),
        ):
            client.ping()


def test_a_password_is_never_shown():
    config = Config(redis_url="redis://santorini:secret@redis.example:6379/0?password=secret")
    assert "secret" not in str(config.masked())
