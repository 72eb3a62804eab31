"""Whole turns over HTTP beside the barest append, under load.

Both servers have two processes, as many threads and the same Redis, which syncs every append; the
floor runs under gunicorn's own threaded worker. A client plays games of its own, one after the
other, with turns written before the time runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, count

from bench.contest import Contender, Scripts, against, floor, rows, shares
from bench.load import request
from bench.measure import QUICK, Figure
from bench.progress import say
from bench.scripts import GODS, MORTALS, Script, opened, scripts
from bench.servers import OURS, private_redis, serving

ROUNDS = 2 if QUICK else 4
LENGTH = 25
"""Turns of one game."""
GAMES = {1: 16, 10: 5, 50: 2}
"""Games a client plays in one round, by clients: about a second's work."""
WRITTEN = 50
"""Different games; more are played than that, with the same turns."""

BARE_STEPS = [
    {"type": "move", "from": "b1", "to": "b2"},
    {"type": "build", "from": "b2", "at": "b3", "piece": "block"},
]


def figures() -> list[Figure]:
    """Measure mortals at one, ten and fifty clients, and ordinary gods at ten."""
    mortal = scripts(WRITTEN, LENGTH, [MORTALS])
    gods = scripts(WRITTEN, LENGTH, GODS)
    with private_redis() as redis:
        assert redis.process is not None
        pid = redis.process.pid
        with serving(OURS, redis.url) as server, floor(redis.url, pid, {}) as bare:
            ours = Contender(server, pid)
            rows = _compared("a mortal turn, 10 clients", ours, bare, mortal, 10, 0.5)
            if not QUICK:
                rows += _compared("a mortal turn, 1 client", ours, bare, mortal, 1, 0.5)
                rows += _compared("a mortal turn, 50 clients", ours, bare, mortal, 50, 0.5)
            return rows + _compared("a turn of gods, 10 clients", ours, bare, gods, 10, 0.4, None)


def _compared(
    name: str,
    ours: Contender,
    bare: Contender,
    written: Sequence[Script],
    clients: int,
    least: float,
    most: float | None = 2,
) -> list[Figure]:
    say(f"turns: {name}")
    games = clients * GAMES[clients]
    played = [written[number % len(written)] for number in range(games)]
    number = games * LENGTH // clients
    loads = against(
        lambda: ours.drive(_turns(ours, played, clients)),
        lambda: bare.drive(_appends(number, clients)),
        ROUNDS,
    )
    return [*rows(name, *loads, least, most), *shares(name, *loads)]


def _turns(ours: Contender, played: Sequence[Script], clients: int) -> Scripts:
    """Create games and deal them out; each client plays its games from the first turn on."""
    games = opened(ours.server.port, played)
    requests = [
        [game.play(turn) for turn in script.turns]
        for game, script in zip(games, played, strict=True)
    ]
    return [list(chain(*requests[client::clients])) for client in range(clients)]


_names = count()


def _appends(number: int, clients: int) -> Scripts:
    """Return so many bare appends for each client, to a list of its own."""
    return [
        [
            request("POST", f"/{name}/{version}", {"steps": BARE_STEPS}, status=201)
            for version in range(0, 2 * number, 2)
        ]
        for name in (f"list-{next(_names)}" for _ in range(clients))
    ]
