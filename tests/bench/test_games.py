"""Games the bench plays by: scripts that are legal to their last turn, copies that are games."""

from __future__ import annotations

import re

import pytest
import redis

from app.adapters.memory_store import MemoryStore
from app.adapters.store import Query, shard_of
from app.config import Config
from app.http.steps import step_field
from app.wiring import build_services, build_store
from bench.multiply import multiply, stencil
from bench.playing import long_game
from bench.scripts import GODS, MORTALS, scripts
from domain.game.settings import PowersOption, Settings
from tests.servers import redis_server


@pytest.mark.parametrize("powers", [MORTALS, GODS[0], GODS[2]])
def test_a_script_can_be_played_to_its_end(powers):
    """Played over again on a game of its own, every turn is accepted, and the game goes on."""
    services = build_services(Config(), MemoryStore())
    (script,) = scripts(1, 12, [powers])
    option = PowersOption(mode="fixed", seats=powers) if powers else PowersOption()
    settings = Settings(powers=option, placement="recommended", start_seat=1)
    first = services.games.create(settings)
    second = services.games.join(first.snapshot.game_id)
    tokens = {first.seat: first.token, second.seat: second.token}
    snapshot = second.snapshot
    for turn in script.turns:
        assert turn.version == snapshot.version
        steps = tuple(step_field().deserialize(step) for step in turn.steps)
        answer = services.games.play(snapshot.game_id, tokens[turn.seat], steps=steps)
        snapshot = answer.snapshot
    assert len(script.turns) == 12
    assert snapshot.game.status == "playing"


def test_copies_are_stored_and_listed_as_games_are(tmp_path):
    """Each copy has as many keys as its model, as large ones, and is in the lists after it."""
    with redis_server(tmp_path) as server, redis.Redis.from_url(server.url) as client:
        services = build_services(Config(redis_url=server.url))
        game_id = next(found for seed in range(50) if (found := long_game(services, 6, seed)))
        store = build_store(Config(redis_url=server.url))
        alone = client.dbsize()
        copies = [
            name for names in multiply(client, [stencil(client, game_id)], 700) for name in names
        ]
        assert len(set(copies)) == 700
        own = sum(1 for key in client.scan_iter(count=1_000) if game_id.encode() in key)
        theirs = sum(1 for key in client.scan_iter(count=1_000) if copies[-1].encode() in key)
        assert own == theirs > 0
        assert client.dbsize() >= alone + 700 * own
        for key in client.scan_iter(match=f"*{game_id}*"):
            copied = key.replace(game_id.encode(), copies[-1].encode())
            copied = re.sub(rb"\{s..\}", b"{s%02d}" % shard_of(copies[-1]), copied)
            assert client.dump(copied) == client.dump(key)
        page = store.page(Query(("status:finished",), False, 100))
        assert [name for _, name in page] == [game_id, *copies[:99]]
        assert [name for _, name in store.page(Query(("all",), True, 1))] == copies[-1:]
