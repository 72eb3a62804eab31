"""All games in a file and back: same ids, hashes and tokens, unlike an import.

One line of JSON for each game, sorted by id, so that the same games make the same bytes. Answers
that are kept sealed for a day are not part of it: they are the only thing a restore forgets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec import Struct

from app.adapters.packing import Damaged
from app.adapters.store import Copy, Envelope, Record
from app.services import audit, listing
from app.services.ledger import Ledger, folded, meta_of, recorded
from app.services.types import Snapshot

FORMAT = 1


class Line(Struct, forbid_unknown_fields=True):
    """One game as it is written down."""

    format: int
    game_id: str
    secret: str
    tokens: dict[str, str]
    """Token hashes and their roles."""
    commands: list[tuple[str, str, int, int]]
    """Command id, fingerprint, first and last version of every append."""
    events: list[dict[str, Any]]


class BadLine(ValueError):
    """A line of a backup is not what was written; the message says where and why."""


class Backup:
    """Copies whole games, secrets and token hashes included: for operators."""

    def __init__(self, ledger: Ledger) -> None:
        """Share the ledger of the process."""
        self._ledger = ledger

    def games(self) -> list[str]:
        """List the ids of all games, private and finished ones too, in order."""
        store = self._ledger.store
        return sorted({*store.games(), *store.games()})  # twice: see ``Store.games``

    def lines(self, damaged: list[str] | None = None) -> Iterator[bytes]:
        """Write down all games, each as of one moment; games go on meanwhile.

        A game that cannot be read is named in ``damaged`` and left out.
        """
        for game_id in self.games():
            try:
                copy = self._ledger.store.dump(game_id)
            except Damaged as damage:
                if damaged is None:
                    raise
                damaged.append(f"game {game_id}, {damage}")
                continue
            if copy is not None:
                yield msgspec.json.encode(_line(copy)) + b"\n"

    def restore(self, line: bytes) -> bool:
        """Write a game back as it was; False when it is there already, just so or further on.

        Raises:
            BadLine: the line is damaged, or another game has this id.
        """
        copy, snapshot = checked(line)
        clock = snapshot.game.clock
        meta = meta_of(snapshot, copy.secret)
        listed = sorted(listing.indexes_of(snapshot.game))
        to_move = clock.seat if clock is not None else 0
        if self._ledger.store.restore(copy, meta, to_move, listed):
            return True
        try:
            there = self._ledger.store.load(copy.game_id)
        except Damaged as damage:
            told = f"another game has the id {copy.game_id}, and cannot be read: {damage}"
            raise BadLine(told) from damage
        if there is None or there.events[: len(copy.events)] != copy.events:
            raise BadLine(f"another game has the id {copy.game_id}")
        return False


def checked(line: bytes) -> tuple[Copy, Snapshot]:
    """Read a line and prove its log: chain, order, legality, and that its appends cover it.

    Raises:
        BadLine: it is not what was written.
    """
    try:
        read = msgspec.json.decode(line, type=Line)
    except msgspec.DecodeError as error:
        raise BadLine(f"not a game: {error}") from error
    if read.format != FORMAT:
        raise BadLine(f"game {read.game_id}: format {read.format}, this release reads {FORMAT}")
    events: tuple[Envelope, ...] = tuple(read.events)
    commands = tuple((name, Record(mark, a, b)) for name, mark, a, b in read.commands)
    copy = Copy(read.game_id, read.secret, tuple(sorted(read.tokens.items())), commands, events)
    starts = [1, *(record.last + 1 for _, record in commands)]
    if [*(record.first for _, record in commands), len(events) + 1] != starts:
        raise BadLine(f"game {copy.game_id}: the commands do not cover the log")
    flaw = audit.flaw_in(copy.game_id, events)
    if flaw is not None:
        raise BadLine(f"game {copy.game_id}, event {flaw.version}: {flaw.problem}")
    return copy, folded(recorded(events))


def _line(copy: Copy) -> Line:
    commands = [(name, r.fingerprint, r.first, r.last) for name, r in copy.commands]
    return Line(FORMAT, copy.game_id, copy.secret, dict(copy.roles), commands, list(copy.events))


def proven(lines: Iterable[bytes]) -> int:
    """Check all lines before any is written; return how many there are.

    Raises:
        BadLine: naming the first one that is damaged.
    """
    count = 0
    for count, line in enumerate(lines, 1):
        try:
            checked(line)
        except BadLine as error:
            raise BadLine(f"line {count}: {error}") from error
    return count
