"""How cost grows: with the history of a game, and with the number of games that are stored.

The cost is processor time of web server and Redis for each request, which is what grows; the two
sides of each row take turns.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import count, cycle, islice
from statistics import median

import redis
from msgspec import Struct

from app.config import Config
from app.services import Services
from app.wiring import build_services
from bench.contest import Contender, Scripts
from bench.load import Load, Request, drive, request
from bench.measure import Figure, beside
from bench.multiply import multiply, stencil
from bench.playing import long_game
from bench.progress import say
from bench.scripts import MORTALS, Opened, Script, opened, scripts
from bench.servers import OURS, private_redis, serving

EARLY, LATE = 10, 200
"""Events in the log before the turn that is timed."""
GROWN = 60
"""Games of each length."""
STEPS = 8
"""Turns timed in each, one a round."""
CLIENTS = 4

FEW, MANY = 1_000, int(os.environ.get("BENCH_GAMES", "1000000"))
MODELS = (30, 45, 60)
"""Turns of the finished games that are copied."""
SHORT = 6
"""Turns of the finished games, newer than all copies, that are read and listed."""
PLAYED = 200
"""Requests of a round."""
ROUNDS = 7
CHUNK = 100_000
SHARE = 0.5
"""Most of the free memory that is filled with games."""


def figures() -> list[Figure]:
    """Measure both."""
    return [*_history(), *_stored()]


# --- with the history of a game --------------------------------------------------------------


def _history() -> list[Figure]:
    written = scripts(20, _turns_before(LATE) + STEPS, [MORTALS])
    return [
        *_compared_ages("known to the process", written, {}),
        *_compared_ages("read from its log", written, {"SANTORINI_CACHED_GAMES": "0"}),
    ]


def _turns_before(event: int) -> int:
    """Return how many turns make a log of so many events; the script tells of each turn."""
    script = scripts(1, 8, [MORTALS])[0]
    each = script.turns[1].version - script.turns[0].version
    return -(-(event - script.turns[0].version) // each)


def _compared_ages(
    name: str, written: Sequence[Script], settings: dict[str, str]
) -> Iterator[Figure]:
    say(f"growth: a turn in a game that is {name}")
    played = list(islice(cycle(written), GROWN))
    with ExitStack() as stack:
        store = stack.enter_context(private_redis())
        server = stack.enter_context(serving(OURS, store.url, 1, **settings))
        assert store.process is not None
        ours = Contender(server, store.process.pid)
        rounds = [_aged(server.port, played, _turns_before(event)) for event in (EARLY, LATE)]
        young, old = [], []
        for early, late in zip(*rounds, strict=True):
            young.append(ours.drive(early))
            old.append(ours.drive(late))
    title = f"a turn at event {LATE}, to one at event {EARLY}, {name}"
    most = None if settings else 1.1
    yield _costs(title, old, young, most)
    yield _times(title, old, young)


def _aged(port: int, played: Sequence[Script], before: int) -> list[Scripts]:
    """Play games up to an age; return the next turns of all of them, round by round."""
    games = list(zip(opened(port, played), played, strict=True))
    drive(port, [[game.play(turn) for turn in script.turns[:before]] for game, script in games])
    return [
        _dealt([game.play(script.turns[turn]) for game, script in games])
        for turn in range(before, before + STEPS)
    ]


# --- with the number of games ------------------------------------------------------------------


class Side(Struct, frozen=True):
    """A store with many games or few, the server before it, and games to play on it."""

    server: Contender
    games: list[tuple[Opened, Script]]
    stored: int
    """How many finished games there are."""
    unread: list[str]
    """Those of them that nobody has asked for."""


def _stored() -> list[Figure]:
    written = scripts(50, (ROUNDS + 1) * PLAYED // 50, [MORTALS])
    with ExitStack() as stack:
        few = stack.enter_context(_filled(FEW, written))
        many = stack.enter_context(_filled(MANY, written))
        return [
            row
            for name, asked in (
                ("a turn", _turn),
                ("a game read", _read),
                ("a stored game read first", _first_read),
                ("a page of the list", _page),
                ("a page of finished duels", _filtered),
                ("a game created", _create),
            )
            for row in _compared(
                f"{name}, {many.stored:,} games stored, to {FEW:,}", asked, few, many
            )
        ]


@contextmanager
def _filled(number: int, written: Sequence[Script]) -> Iterator[Side]:
    """Fill a store with finished games, and begin some on top."""
    with private_redis() as store, serving(OURS, store.url, 1) as server:
        client = redis.Redis.from_url(store.url)
        services = build_services(Config(redis_url=store.url))
        # Written once, when all are there: the log on the disk would be the slowest part.
        client.config_set("appendonly", "no")
        models = [_played(services, turns) for turns in MODELS]
        copies = _multiplied(client, models, number - FEW)
        unread = [_played(services, SHORT) for _ in range(FEW - len(models))]
        _keep_again(client)
        client.close()
        assert store.process is not None
        games = list(zip(opened(server.port, written), written, strict=True))
        stored = copies + len(models) + len(unread)
        yield Side(Contender(server, store.process.pid), games, stored, unread)


_seeds = count()


def _played(services: Services, turns: int) -> str:
    """Play a game to its end, after so many turns, and let it be compacted; return its name."""
    game_id = next(found for seed in _seeds if (found := long_game(services, turns, seed)))
    # Revisions before compaction are measured, too.
    if compactor := getattr(services, "compactor", None):
        compactor.compact(game_id)
    return game_id


def _multiplied(client: redis.Redis, models: Sequence[str], wanted: int) -> int:
    """Store copies of finished games, as many as wanted and as memory allows; say how many."""
    templates = [stencil(client, name) for name in models]
    done, room, before = 0, wanted, client.info("memory")["used_memory"]
    while done < min(wanted, room):
        for names in multiply(client, templates, min(CHUNK, wanted - done), done):
            done += len(names)
        size = (client.info("memory")["used_memory"] - before) / done
        room = done + int(_free_memory() * SHARE / size)
        say(f"growth: {done:,} games are stored, {size / 1_000:.1f} kB each; room for {room:,}")
    return done


def _free_memory() -> int:
    return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _keep_again(client: redis.Redis) -> None:
    """Let Redis keep everything on the disk again, and wait until it does."""
    client.config_set("appendonly", "yes")
    while True:
        told = client.info("persistence")
        if not (told["aof_rewrite_in_progress"] or told["aof_rewrite_scheduled"]):
            return
        time.sleep(0.2)


def _compared(
    name: str, asked: Callable[[Side, int], list[Request]], few: Side, many: Side
) -> Iterator[Figure]:
    say(f"growth: {name}")
    small, large = [], []
    for number in range(ROUNDS):
        large.append(many.server.drive(_dealt(asked(many, number))))
        small.append(few.server.drive(_dealt(asked(few, number))))
    yield _costs(name, large[1:], small[1:], 1.1)
    yield _times(name, large[1:], small[1:])


def _turn(side: Side, number: int) -> list[Request]:
    each = PLAYED // len(side.games)
    return [
        game.play(script.turns[turn])
        for turn in range(number * each, (number + 1) * each)
        for game, script in side.games
    ]


def _read(side: Side, number: int) -> list[Request]:
    asked = [request("GET", game.path) for game, _ in side.games]
    return asked * (4 * PLAYED // len(asked))


def _first_read(side: Side, number: int) -> list[Request]:
    each = len(side.unread) // ROUNDS
    names = side.unread[number * each : (number + 1) * each]
    return [request("GET", f"/v1/games/{name}") for name in names]


def _page(side: Side, number: int) -> list[Request]:
    return [request("GET", "/v1/games?limit=20")] * (PLAYED // 4)


def _filtered(side: Side, number: int) -> list[Request]:
    path = "/v1/games?limit=20&status=finished&variant=duel"
    return [request("GET", path)] * (PLAYED // 4)


def _create(side: Side, number: int) -> list[Request]:
    return [request("POST", "/v1/games", {}, status=201)] * (2 * PLAYED)


def _dealt(asked: Sequence[Request]) -> Scripts:
    return [asked[client::CLIENTS] for client in range(CLIENTS)]


def _costs(name: str, those: Sequence[Load], these: Sequence[Load], most: float | None) -> Figure:
    mine, other = (
        median(load.cpu["web"] + load.cpu["redis"] for load in loads) for loads in (those, these)
    )
    return beside(name, mine, other, "ms of CPU", most=most)


def _times(name: str, those: Sequence[Load], these: Sequence[Load]) -> Figure:
    mine, other = (median(load.p50 for load in loads) for loads in (those, these))
    return beside(f"  {name}: p50", mine, other, "ms")
