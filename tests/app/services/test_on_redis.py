"""The services on real Redis, alone and in cluster mode: two processes' worth of them at once."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from app.config import Config
from app.services import GameQuery, StoreUnavailable, Submission
from app.wiring import build_services, build_store
from domain.game.errors import Refusal
from domain.game.settings import Settings
from tests.app.services.conftest import House
from tests.servers import redis_cluster, redis_server

KEY = "k" * 16


@pytest.fixture(params=["single", "cluster"])
def houses(request, tmp_path):
    """Two houses that share one Redis: two processes of the service."""
    make = redis_server if request.param == "single" else redis_cluster
    with make(tmp_path) as server:
        config = Config(redis_url=server.url)
        yield House(build_store(config), config), House(build_store(config), config)


def test_two_processes_play_one_game_to_its_end(houses):
    seats, dice = houses[0].seated(), random.Random(3)
    game_id = seats[0].snapshot.game_id
    while houses[0].game(game_id).game.clock is not None:
        dice.choice(houses).step(seats, dice)
    assert houses[0].game(game_id) == houses[1].game(game_id)
    for house in houses:
        assert house.services.reader.verify(game_id).ok
        house.restart()
        assert house.services.reader.verify(game_id).ok


def test_of_racing_turns_in_two_processes_one_is_played(houses):
    seats = houses[0].seated(Settings(start_seat=1))
    game_id = seats[0].snapshot.game_id

    def attempt(number):
        line = f"+{'abcde'[number % 5]}{number // 5 + 1} +e5"
        try:
            return houses[number % 2].services.games.play(game_id, seats[0].token, line=line)
        except Refusal as refusal:
            return refusal.code

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(attempt, range(16)))
    assert sorted(map(type, results), key=str).count(str) == 15
    assert {r for r in results if isinstance(r, str)} == {"not_your_turn"}
    assert houses[1].services.reader.verify(game_id).ok


def test_a_request_is_known_in_the_other_process(houses):
    one, two = (house.services for house in houses)
    created = one.games.create(Settings(), submission=Submission("/v1/games", KEY, b"{}"))
    again = two.games.create(Settings(), submission=Submission("/v1/games", KEY, b"{}"))
    assert (again.token, again.replayed) == (created.token, True)
    game_id = created.snapshot.game_id
    joined = two.games.join(game_id, submission=Submission("/join", KEY))
    assert one.games.join(game_id, submission=Submission("/join", KEY)).token == joined.token
    fresh = one.games.renew_token(game_id, 2, joined.token, Submission("/token", KEY))
    again = two.games.renew_token(game_id, 2, joined.token, Submission("/token", KEY))
    assert again.token == fresh.token
    assert two.games.resign(game_id, fresh.token).snapshot.game.status == "finished"
    rematch = one.games.rematch(game_id, fresh.token)
    assert two.games.rematch(game_id, created.token).snapshot.game_id == rematch.snapshot.game_id
    listed = one.reader.list(GameQuery(player="Player 1"))
    assert {s.game_id for s in listed.games} == {game_id, rematch.snapshot.game_id}


def test_a_pause_holds_in_every_process(houses):
    one, two = (house.services for house in houses)
    seats = houses[0].seated(Settings(start_seat=1, turn_seconds=60))
    game_id = seats[0].snapshot.game_id
    one.maintenance.pause()
    with pytest.raises(Refusal, match="paused"):
        two.games.resign(game_id, seats[0].token)
    assert two.maintenance.resume() == 1
    assert one.games.resign(game_id, seats[0].token).snapshot.game.status == "finished"


def test_without_redis_everything_is_unavailable_and_then_goes_on(tmp_path):
    with redis_server(tmp_path) as server:
        services = build_services(Config(redis_url=server.url))
        created = services.games.create(Settings(start_seat=1))
        game_id = created.snapshot.game_id
        server.kill()
        for call in (
            lambda: services.reader.read(game_id),
            lambda: services.reader.list(GameQuery()),
            lambda: services.games.create(Settings()),
            lambda: services.games.join(game_id),
            lambda: services.games.cancel(game_id, created.token),
            lambda: services.reader.verify(game_id),
        ):
            with pytest.raises(StoreUnavailable):
                call()
        assert not services.maintenance.health().ready
        server.start()
        assert services.maintenance.health().ready
        assert services.games.join(game_id).seat == 2
