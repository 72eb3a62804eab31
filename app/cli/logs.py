"""Logs as files: one event a line, read back, folded and drawn without any store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import IO, Any

import click
import msgspec

from app.adapters import chain, times
from app.adapters.codec import UnreadableEvent, entry_of
from app.services import Snapshot
from domain.board.notation import text_board
from domain.game.evolve import evolve
from domain.game.state import NEW, Game

PAUSES = ("turn_ended", "finished", "cancelled")
"""The events after which a reader wants to see the board."""


def ndjson(bodies: Iterable[dict[str, Any]]) -> bytes:
    """Return events as lines of JSON."""
    return b"".join(msgspec.json.encode(body) + b"\n" for body in bodies)


def read(file: IO[bytes]) -> list[dict[str, Any]]:
    """Read a log and check its chain.

    Raises:
        ClickException: a line is no event, or the log is not what was once written.
    """
    bodies = []
    for number, line in enumerate(file, 1):
        if not line.strip():
            continue
        try:
            bodies.append(msgspec.json.decode(line, type=dict[str, Any]))
        except msgspec.DecodeError as error:
            raise click.ClickException(f"line {number} is no event: {error}") from error
    if not bodies:
        raise click.ClickException("the file holds no event")
    if flaw := chain.flaw_of(bodies, str(bodies[0].get("game_id"))):
        raise click.ClickException(f"event {flaw.version}: {flaw.problem}")
    return bodies


def games(bodies: Iterable[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], Game]]:
    """Yield each event with the game after it.

    Raises:
        ClickException: an event cannot be read.
    """
    game = NEW
    for body in bodies:
        try:
            game = evolve(game, entry_of(body))
        except UnreadableEvent as error:
            raise click.ClickException(f"event {body.get('version')}: {error}") from error
        yield body, game


def snapshot_of(bodies: Sequence[dict[str, Any]]) -> Snapshot:
    """Fold a whole log, which is not empty, into its game."""
    *_, (last, game) = games(bodies)
    created, updated = times.read(bodies[0]["at"]), times.read(last["at"])
    return Snapshot(last["game_id"], game, last["hash"], created, updated)


def frames(bodies: Iterable[dict[str, Any]]) -> Iterator[tuple[int, list[str], str]]:
    """Yield version, new lines of the record, and the drawn board after each turn."""
    shown = 0
    for body, game in games(bodies):
        new = list(game.lines[shown:])
        if body["type"] in PAUSES and new and game.position is not None:
            shown = len(game.lines)
            yield game.version, new, text_board(game.position)
