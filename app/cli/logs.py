"""Logs as files: one event a line, read back, folded and drawn without any store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from app.adapters import chain, times
from app.adapters.codec import UnreadableEvent, entry_of
from app.services import Snapshot, Verification
from domain.board.notation import text_board
from domain.game.checking import first_flaw
from domain.game.evolve import evolve
from domain.game.state import NEW, Game

PAUSES = ("turn_ended", "finished", "cancelled")
"""The events after which a reader wants to see the board."""


def ndjson(bodies: Iterable[dict[str, Any]]) -> bytes:
    """Return events as lines of JSON."""
    return b"".join(msgspec.json.encode(body) + b"\n" for body in bodies)


def text(content: bytes) -> str:
    """Return a file's text.

    Raises:
        ClickException: it is not UTF-8.
    """
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise click.ClickException(f"the file is not text: {error}") from error


def parsed(content: bytes) -> list[dict[str, Any]]:
    """Read the lines of a log, whatever they say.

    Raises:
        ClickException: a line is no event.
    """
    bodies = []
    for number, line in enumerate(content.splitlines(), 1):
        if not line.strip():
            continue
        try:
            bodies.append(msgspec.json.decode(line, type=dict[str, Any]))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise click.ClickException(f"line {number} is no event: {error}") from error
    if not bodies:
        raise click.ClickException("the file holds no event")
    return bodies


def read(content: bytes) -> list[dict[str, Any]]:
    """Read a log and check its chain.

    Raises:
        ClickException: a line is no event, or the log is not what was once written.
    """
    bodies = parsed(content)
    if flaw := chain.flaw_of(bodies, str(bodies[0].get("game_id"))):
        raise click.ClickException(f"event {flaw.version}: {flaw.problem}")
    return bodies


def verification(file: Path) -> Verification:
    """Check an exported log by itself: chain, order, and every step by the rules."""
    bodies = parsed(file.read_bytes())
    head = str(bodies[-1].get("hash"))
    flaw = chain.flaw_of(bodies, str(bodies[0].get("game_id"))) or _illegal(bodies)
    if flaw is None:
        return Verification(True, len(bodies), head)
    return Verification(False, len(bodies), head, flaw.version, flaw.problem)


def _illegal(bodies: Sequence[dict[str, Any]]) -> chain.Flawed | None:
    entries = []
    for version, body in enumerate(bodies, 1):
        try:
            entries.append(entry_of(body))
        except UnreadableEvent as error:
            return chain.Flawed(version, str(error))
    found = first_flaw(entries)
    if found is None:
        return None
    return chain.Flawed(found.version, f"the rules do not allow it: {found.problem}")


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
