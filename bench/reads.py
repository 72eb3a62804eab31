"""Reads over HTTP beside bare Flask JSON of the same size, under load.

Ten clients ask for a hundred games in their middle, again and again. The rows marked "first time"
ask once for positions that nobody has asked for, so that nothing can have been kept.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from itertools import cycle, islice
from typing import Any

from msgspec import Struct

from bench.contest import Contender, Scripts, against, floor, rows
from bench.load import Request, drive, request
from bench.measure import QUICK, Figure
from bench.progress import say
from bench.scripts import MORTALS, Opened, Script, opened, scripts
from bench.servers import OURS, private_redis, serving

ROUNDS = 2 if QUICK else 4
CLIENTS = 10
GAMES = 100
LENGTH = 20
"""Turns played before anybody asks."""
READS = 1_000
"""Requests of one round."""
FRESH = (100, 4)
"""Games for each of so many rounds, each asked once."""


class Endpoint(Struct, frozen=True):
    """What is asked for: a name, the end of the path, the least rate to that of bare JSON."""

    name: str
    path: str
    least: float
    current: bool = False
    """Whether the client has it already (304)."""


GAME = Endpoint("a game", "", 0.6)
ENDPOINTS = (
    GAME,
    Endpoint("a game, not modified", "", 0.8, current=True),
    Endpoint("legal steps", "/legal-steps", 0.5),
    Endpoint("legal turns", "/legal-turns", 0.4),
)


def figures() -> list[Figure]:
    """Measure all endpoints, the floor in turns with ours."""
    written = scripts(50, LENGTH, [MORTALS])
    with ExitStack() as stack:
        redis = stack.enter_context(private_redis())
        assert redis.process is not None
        pid = redis.process.pid
        server = stack.enter_context(serving(OURS, redis.url))
        ours = Contender(server, pid)
        games = played(server.port, [written[n % len(written)] for n in range(GAMES)], [LENGTH])
        answers = {end.name: _answers(server.port, games, end) for end in ENDPOINTS}
        bodies = {name: _middle(found) for name, found in answers.items()}
        bare = stack.enter_context(floor(redis.url, pid, bodies))
        return [
            *(row for end in ENDPOINTS for row in _warm(ours, bare, games, end, answers, bodies)),
            *(row for end in ENDPOINTS[2:] for row in _cold(ours, bare, written, end)),
        ]


def played(port: int, written: Sequence[Script], lengths: Sequence[int]) -> list[Opened]:
    """Create games and play the first turns of each; the lengths are taken in rotation."""
    games = opened(port, written)
    drive(
        port,
        [
            [game.play(turn) for turn in script.turns[:length]]
            for game, script, length in zip(games, written, cycle(lengths), strict=False)
        ],
    )
    return games


def _answers(port: int, games: Sequence[Opened], end: Endpoint) -> list[bytes]:
    """Return the whole answer of every game."""
    asked = [request("GET", game.path + end.path, keep=True) for game in games]
    return list(drive(port, [asked]).answers[0])


def _middle(answers: Sequence[bytes]) -> Any:
    """Return the body of middling size, read."""
    bodies = sorted((answer.partition(b"\r\n\r\n")[2] for answer in answers), key=len)
    return json.loads(bodies[len(bodies) // 2])


def _tag(answer: bytes) -> str:
    head = answer.partition(b"\r\n\r\n")[0].decode()
    return next(
        line.split(":", 1)[1].strip()
        for line in head.splitlines()
        if line.lower().startswith("etag:")
    )


def _warm(
    ours: Contender,
    bare: Contender,
    games: Sequence[Opened],
    end: Endpoint,
    answers: Mapping[str, Sequence[bytes]],
    bodies: Mapping[str, Any],
) -> list[Figure]:
    say(f"reads: {end.name}")
    asked = [
        _request(game, end, answer) for game, answer in zip(games, answers[end.name], strict=True)
    ]
    plain = [request("GET", f"/bodies/{end.name.replace(' ', '%20')}")]
    size = len(json.dumps(bodies[end.name], separators=(",", ":")))
    loads = against(lambda: ours.drive(_dealt(asked)), lambda: bare.drive(_dealt(plain)), ROUNDS)
    sized = Figure(f"  GET {end.name}: size of the body", size / 1_000, "kB")
    return [*rows(f"GET {end.name}", *loads, end.least), sized]


def _request(game: Opened, end: Endpoint, answer: bytes) -> Request:
    path = game.path + end.path
    if end.current:
        return request("GET", path, status=304, headers={"If-None-Match": _tag(answer)})
    return request("GET", path)


def _dealt(asked: Sequence[Request]) -> Scripts:
    """Let every client ask in rotation, each beginning elsewhere."""
    return [
        list(islice(cycle(asked), at, at + READS // CLIENTS))
        for at in range(0, len(asked) * CLIENTS, len(asked))
    ]


def _cold(
    ours: Contender, bare: Contender, written: Sequence[Script], end: Endpoint
) -> list[Figure]:
    say(f"reads: {end.name}, first time")
    number, rounds = FRESH
    scripts_ = [written[n % len(written)] for n in range(number * rounds)]
    games = iter(played(ours.server.port, scripts_, range(4, LENGTH)))

    def fresh() -> Scripts:
        asked = [request("GET", game.path + end.path) for game in islice(games, number)]
        return [asked[client::CLIENTS] for client in range(CLIENTS)]

    plain = [request("GET", f"/bodies/{end.name.replace(' ', '%20')}")]
    loads = against(
        lambda: ours.drive(fresh()),
        lambda: bare.drive([plain * (number // CLIENTS)] * CLIENTS),
        rounds - 1,
    )
    return rows(f"GET {end.name}, first time", *loads)
