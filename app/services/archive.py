"""Whole logs in and out: export as NDJSON bodies, import as a new, flagged game."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from app.adapters import chain, codec
from app.adapters.dice import SystemDice
from app.adapters.packing import Damaged
from app.services import audit
from app.services.access import paused
from app.services.ledger import Ledger, Opened, blank, folded, not_found, recorded
from app.services.tokens import new_game_id
from app.services.types import Recorded, Snapshot, Verification
from domain.game.checking import first_flaw
from domain.game.commands import RestartClock
from domain.game.decide import Context, decide
from domain.game.errors import Flaw, Refusal
from domain.game.events import Created, Entry
from domain.game.rebuild import rebuild


class Archive:
    """Moves logs between services; an imported log is replayed and checked first."""

    def __init__(self, ledger: Ledger) -> None:
        """Share the ledger of the process."""
        self._ledger = ledger

    def export(self, game_id: str) -> tuple[Recorded, ...]:
        """Return the whole log of a game, secrets included: for operators, not for viewers."""
        loaded = self._ledger.store.load(game_id)
        if loaded is None:
            raise not_found()
        return recorded(loaded.events)

    def verify(self, game_id: str) -> Verification:
        """Check a whole log, whoever may see the game: for operators."""
        try:
            loaded = self._ledger.store.load(game_id, audit.META_ALONE)
        except Damaged as damage:
            return audit.unreadable(damage)
        if loaded is None:
            raise not_found()
        return audit.verify(self._ledger.store, game_id, loaded)

    def import_events(self, bodies: Iterable[dict[str, Any]]) -> Snapshot:
        """Store an exported log as a new game flagged ``imported``.

        Events keep their times and commands. A game that is still running gets a fresh deadline,
        but its seats have no tokens: the clock will play it to its end.

        Raises:
            Refusal: ``validation_failed``, naming the first version that does not replay.
        """
        told = list(bodies)
        entries = _checked(told)
        opened = self._blank()
        rewritten = [
            codec.body_of(entry, opened.snapshot.game_id, version, 0, body["command"])
            | {"at": body["at"]}
            for version, (entry, body) in enumerate(zip(entries, told, strict=True), 1)
        ]
        rewritten += self._fresh_deadline(opened, entries)
        return self._write(opened, rewritten)

    def import_record(self, text: str) -> Snapshot:
        """Store the game a record tells (T-62) as a new game flagged ``imported``.

        Raises:
            Refusal: ``validation_failed``, naming the line that cannot have happened.
        """
        opened = self._blank()
        entries = rebuild(text, Context(opened.at, SystemDice()))
        bodies = [
            codec.body_of(entry, opened.snapshot.game_id, version, opened.at, "import")
            for version, entry in enumerate(entries, 1)
        ]
        return self._write(opened, bodies)

    def _blank(self) -> Opened:
        return blank(new_game_id(), self._ledger.store.now(), secrets.token_hex(16))

    def _fresh_deadline(self, opened: Opened, entries: Sequence[Entry]) -> list[dict[str, Any]]:
        """Give a running game its time again: its old deadline is long past."""
        game_id = opened.snapshot.game_id
        bodies = [codec.body_of(e, game_id, v, opened.at, "x") for v, e in enumerate(entries, 1)]
        game = folded(recorded(chain.link(bodies, ""))).game
        if game.clock is None or game.clock.deadline is None:
            return []
        restarted = decide(game, RestartClock("resumed"), Context(opened.at, SystemDice()))
        return [
            codec.body_of(entry, game_id, version, opened.at, "import")
            for version, entry in enumerate(restarted, game.version + 1)
        ]

    def _write(self, opened: Opened, bodies: Sequence[dict[str, Any]]) -> Snapshot:
        written = self._ledger.write(opened, bodies, "import")
        if written.answer.verdict == "paused":
            raise paused()
        assert written.answer.verdict in ("appended", "duplicate")
        return written.snapshot


def _checked(told: list[dict[str, Any]]) -> list[Entry]:
    """Read and replay a log.

    Raises:
        Refusal: the log is empty, broken, or not one the rules could have written.
    """
    if not told:
        raise _refused(1, "the log is empty")
    game_id = told[0].get("game_id")
    flaw = chain.flaw_of(told, game_id if isinstance(game_id, str) else "")
    if flaw is not None:
        raise _refused(flaw.version, flaw.problem)
    entries = []
    for version, body in enumerate(told, 1):
        try:
            entries.append(codec.entry_of(body))
        except ValueError as error:
            raise _refused(version, str(error)) from error
    unlawful = first_flaw(entries)
    if unlawful is not None:
        raise _refused(unlawful.version, unlawful.problem)
    created = entries[0].data
    assert isinstance(created, Created)
    return [replace(entries[0], data=replace(created, imported=True)), *entries[1:]]


def _refused(version: int, problem: str) -> Refusal:
    detail = f"Event {version} is not part of a log: {problem}"
    return Refusal("validation_failed", detail, [Flaw(f"/{version - 1}", "unreadable", detail)])
