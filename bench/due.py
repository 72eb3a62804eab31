"""Games that wait for their clocks, written to a store by the thousand.

A few games are played in memory; the others are copies of them under ids of their own, their
times moved so that the running turn ends when it is wanted.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterator, Sequence
from itertools import count, cycle
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from app.adapters import chain, times
from app.adapters.memory_store import MemoryStore
from app.adapters.store import Copy, Millis, Store
from app.config import Config
from app.services import listing
from app.services.ledger import folded, meta_of, recorded
from app.wiring import build_services
from bench.playing import quiet_turn
from domain.game.settings import Settings

TURNS = (0, 4, 8, 12)
"""Turns that have been played when the clock runs out, in rotation."""
TURN_SECONDS = 600
"""So long that no game is due a second time while anybody measures."""


class Template(Struct, frozen=True):
    """A game as it was played in memory, and when its running turn ends."""

    copy: Copy
    deadline: Millis


class Waiting(Struct, frozen=True):
    """A game that was written: the version it has, and when its running turn ends."""

    game_id: str
    version: int
    deadline: Millis


def templates() -> list[Template]:
    """Play one game for each number of turns."""
    return [_played(turns) for turns in TURNS]


def _played(turns: int) -> Template:
    """Play so many turns that win nothing; with none, the workers still have to be placed."""
    placement = "recommended" if turns else "free"
    settings = Settings(placement=placement, start_seat=1, turn_seconds=TURN_SECONDS)
    for seed in count():
        chance, store = random.Random(seed), MemoryStore()
        services = build_services(Config(), store)
        seats = [services.games.create(settings)]
        game_id = seats[0].snapshot.game_id
        seats.append(services.games.join(game_id))
        game = seats[1].snapshot.game
        for _ in range(turns):
            line = quiet_turn(game, chance) if game.turn else None
            if line is None or game.clock is None:
                break
            token = seats[game.clock.seat - 1].token
            game = services.games.play(game_id, token, line=line).snapshot.game
        else:
            copy = store.dump(game_id)
            assert copy is not None and game.clock is not None
            assert game.clock.deadline is not None
            return Template(copy, game.clock.deadline)
    raise AssertionError


def write(store: Store, found: Sequence[Template], ends: Sequence[Millis]) -> Iterator[Waiting]:
    """Write a game for each end of a turn, the templates in rotation, and yield each."""
    for template, end in zip(cycle(found), ends, strict=False):
        yield _written(store, template, end)


def _written(store: Store, template: Template, end: Millis) -> Waiting:
    game_id, shift = secrets.token_urlsafe(12), end - template.deadline
    bodies = [_moved(event, game_id, shift) for event in template.copy.events]
    events = tuple(chain.link(bodies, ""))
    snapshot = folded(recorded(events))
    copy = replace(template.copy, game_id=game_id, secret=secrets.token_hex(16), events=events)
    clock = snapshot.game.clock
    assert clock is not None and clock.deadline == end
    listed = sorted(listing.indexes_of(snapshot.game))
    assert store.restore(copy, meta_of(snapshot, copy.secret), clock.seat, listed)
    return Waiting(game_id, snapshot.version, end)


def _moved(event: dict[str, Any], game_id: str, shift: Millis) -> dict[str, Any]:
    """Return an event of another game, all its times moved, without its place in a chain."""
    body = {name: value for name, value in event.items() if not name.endswith("hash")}
    body |= {"game_id": game_id, "at": times.written(times.read(event["at"]) + shift)}
    deadline = event["data"].get("deadline")
    if deadline is not None:
        moved = times.written(times.read(deadline) + shift)
        body["data"] = event["data"] | {"deadline": moved}
    return body
