"""Ten thousand games, listed page by page while more are created (contract, section 8)."""

from __future__ import annotations

import random

import pytest

from app.config import Config
from app.services import GameQuery
from app.wiring import build_store
from domain.game.settings import Settings
from tests.app.services.conftest import House
from tests.servers import redis_server

GAMES = 10_000
PAGE = 100
VARIANTS = ("duel", "trio", "solo4", "team4_split")


@pytest.fixture(scope="module", params=["memory", "redis"])
def full(request, tmp_path_factory):
    """A house with ten thousand games, and their ids."""
    if request.param == "memory":
        house = House(config=Config(cached_games=2 * GAMES))
        yield house, fill(house)
        return
    fast = ("--save", "", "--appendonly", "no")
    with redis_server(tmp_path_factory.mktemp("paging"), *fast) as server:
        config = Config(redis_url=server.url, cached_games=2 * GAMES)
        house = House(build_store(config), config)
        yield house, fill(house)


def fill(house: House) -> dict[str, str]:
    """Create the games, two in three without letting any time pass between them."""
    found = {}
    for number in range(GAMES):
        if number % 3 == 0 and hasattr(house.store, "clock"):
            house.store.clock.advance(1)
        found |= create(house, VARIANTS[number % len(VARIANTS)])
    return found


def create(house: House, variant: str = "duel") -> dict[str, str]:
    seated = house.services.games.create(Settings(variant=variant))
    return {seated.snapshot.game_id: variant}


@pytest.mark.parametrize(
    ("oldest_first", "variant"), [(False, None), (True, None), (False, "trio")]
)
def test_nothing_is_skipped_or_repeated_while_games_are_created(full, oldest_first, variant):
    house, games = full
    there = dict(games)
    dice, seen, cursor = random.Random(1), [], None
    while True:
        query = GameQuery(variant=variant, oldest_first=oldest_first, limit=PAGE, cursor=cursor)
        page = house.services.reader.list(query)
        seen += [(snapshot.created_at, snapshot.game_id) for snapshot in page.games]
        for _ in range(dice.randrange(3)):
            games |= create(house, dice.choice(VARIANTS))
        cursor = page.next_cursor
        if cursor is None:
            break
    assert seen == sorted(seen, reverse=not oldest_first)
    ids = [game_id for _, game_id in seen]
    assert len(ids) == len(set(ids))
    wanted = {game_id for game_id, name in there.items() if variant in (None, name)}
    assert wanted <= set(ids)
    assert all(variant in (None, games[game_id]) for game_id in ids)
