"""Deadlines: the due index names overdue games, this applies what the rules say of them."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import TypeVar

from msgspec import Struct

from app.adapters.dice import SeededDice
from app.adapters.metrics import LATENESS
from app.adapters.store import GRACE, Due, Millis, StoreUnavailable, shard_of
from app.services.ledger import Draft, Ledger, Opened, Written
from app.services.overdue import Run
from domain.game.commands import RestartClock, TimeOut
from domain.game.decide import Context, decide
from domain.game.errors import Refusal

log = logging.getLogger(__name__)
T = TypeVar("T")
RETRIES = 8
PATIENCE: Millis = 3000
"""How long one run goes on by default; what is left then is handed over again."""


class Expiry(Enum):
    """What became of a deadline that was looked at."""

    NOTHING = "nothing"
    """It is not overdue, or somebody else has dealt with it."""
    TIMED_OUT = "timed_out"
    RESTARTED = "restarted"
    """It passed while nobody watched: the turn has its time again."""


class _Ruling(Struct, frozen=True):
    """What an overdue game's deadline makes of it, ready to be appended."""

    opened: Opened
    expiry: Expiry
    draft: Draft


class Clocks:
    """Applies overdue deadlines; repeating any call changes nothing (operations, section 2)."""

    def __init__(self, ledger: Ledger, outage: Millis = 60_000) -> None:
        """Call a time without any sweeper an outage when it was longer than ``outage``."""
        self._ledger = ledger
        self._outage = outage
        self._broken: set[str] = set()
        """Games that failed when they were last looked at; they must not spoil a batch."""
        self._runs: set[str] = set()

    @property
    def outage(self) -> Millis:
        """Length of a silence, in milliseconds, that counts as an outage of ours."""
        return self._outage

    @property
    def running(self) -> bool:
        """Whether somebody in this process is applying deadlines just now."""
        return bool(self._runs)

    # -- one game -----------------------------------------------------------------------------

    def expire(self, game_id: str) -> Expiry:
        """Apply a game's deadline if it is overdue, exactly once however many try."""
        opened = self._ledger.open(game_id)
        if not _ripe(opened):
            return Expiry.NOTHING
        ruling = self._ruling(opened, self._ledger.store.due(shard_of(game_id), 1))
        return _settled(ruling, self._ledger.append(ruling.draft))

    def _ruling(self, opened: Opened, due: Due) -> _Ruling:
        """Decide what an overdue deadline does, given what its shard says of its clocks."""
        version, game_id = opened.snapshot.version, opened.snapshot.game_id
        deadline = opened.loaded.meta.deadline
        assert deadline is not None
        context = Context(opened.at, SeededDice(opened.loaded.meta.secret, game_id, version))
        if self._unwatched(deadline, due):
            expiry, command = Expiry.RESTARTED, f"outage-{version}"
            entries = decide(opened.game, RestartClock("outage"), context)
        else:
            expiry, command = Expiry.TIMED_OUT, f"timeout-{version}"
            entries = decide(opened.game, TimeOut(), context)
        return _Ruling(opened, expiry, self._ledger.draft(opened, entries, command, "timeout"))

    def _unwatched(self, deadline: Millis, due: Due) -> bool:
        """Say whether a deadline passed during an outage, and well before its end."""
        silences = [due.gap] if due.gap else []
        if due.now - due.watermark > self._outage:
            silences.append((due.watermark, due.now))
        return any(begin < deadline < end - self._outage for begin, end in silences)

    # -- many games ---------------------------------------------------------------------------

    def run_due(self, *shards: int, patience: Millis = PATIENCE) -> int:
        """Apply the overdue deadlines of some shards and return how many were applied.

        Shards at which somebody else is at work are left to him. What is not done after
        ``patience`` is left too.
        """
        owner = secrets.token_hex(4)
        self._runs.add(owner)
        try:
            return Run(self._ledger.store, owner, self._apply, patience).over(shards)
        finally:
            self._runs.discard(owner)

    def _apply(self, game_ids: Sequence[str], dues: Mapping[int, Due]) -> set[str]:
        """Apply the deadlines of some games at once; return those that were overdue.

        If that does not go, they are taken one by one, so that a broken game does not hold up
        the others; from then on it is always looked at alone.
        """
        alone = [game_id for game_id in game_ids if game_id in self._broken]
        together = [game_id for game_id in game_ids if game_id not in self._broken]
        try:
            applied = self._apply_together(together, dues)
        except StoreUnavailable:
            raise
        except Exception:
            log.warning("a batch is taken one by one", exc_info=True)
            alone, applied = [*game_ids], set()
        return applied.union(game_id for game_id in alone if self._safely(game_id))

    def _apply_together(self, game_ids: Sequence[str], dues: Mapping[int, Due]) -> set[str]:
        rulings = []
        for opened in self._ledger.open_many(game_ids):
            ruling = self._ruled(opened, dues[shard_of(opened.snapshot.game_id)])
            if ruling is not None:
                rulings.append(ruling)
        told = self._ledger.append_many([ruling.draft for ruling in rulings])
        return {
            ruling.opened.snapshot.game_id
            for ruling, written in zip(rulings, told, strict=True)
            if _settled(ruling, written) is not Expiry.NOTHING
        }

    def _ruled(self, opened: Opened, due: Due) -> _Ruling | None:
        """Decide about one game of a batch; None when nothing is to be done, or it is broken."""
        if not _ripe(opened):
            return None
        return self._guarded(opened.snapshot.game_id, lambda: self._ruling(opened, due))

    def _safely(self, game_id: str) -> bool:
        """Apply one deadline; say whether it was overdue."""
        expiry = self._guarded(game_id, lambda: self.expire(game_id))
        if expiry is not None:
            self._broken.discard(game_id)
        return expiry not in (None, Expiry.NOTHING)

    def _guarded(self, game_id: str, call: Callable[[], T]) -> T | None:
        """Note that a game is broken and go on: it must not hold up the others."""
        try:
            return call()
        except StoreUnavailable:
            raise
        except Refusal as refusal:
            log.error("game %s: deadline not applied: %s", game_id, refusal.code)
        except Exception:
            log.exception("game %s: deadline not applied", game_id)
        self._broken.add(game_id)
        return None

    # -- pauses -------------------------------------------------------------------------------

    def resume(self, game_id: str, since: Millis) -> bool:
        """Shift a game's deadline by the time since a pause began, once for each pause."""
        for _ in range(RETRIES):
            command = f"resumed-{since}"
            opened = self._ledger.open(game_id, command=command)
            deadline = opened.loaded.meta.deadline
            if opened.loaded.record is not None or deadline is None:
                return False
            shifted = deadline + opened.loaded.now - since
            dice = SeededDice(opened.loaded.meta.secret, game_id, opened.snapshot.version)
            asked = RestartClock("resumed", shifted)
            entries = decide(opened.game, asked, Context(opened.at, dice))
            written = self._ledger.commit(opened, entries, command, mode="system")
            if written.answer.verdict != "conflict":
                return written.answer.verdict == "appended"
        raise StoreUnavailable(f"game {game_id} changed while it was being resumed")


def _ripe(opened: Opened) -> bool:
    """Say whether a game's deadline is to be applied now."""
    return opened.overdue and not opened.loaded.paused


def _settled(ruling: _Ruling, written: Written) -> Expiry:
    """Say what became of a ruling, and measure how late it came."""
    if written.answer.verdict != "appended":
        return Expiry.NOTHING
    if ruling.expiry is Expiry.TIMED_OUT:
        deadline = ruling.opened.loaded.meta.deadline or 0
        LATENESS.observe(max(0, written.answer.now - deadline - GRACE) / 1000)
    return ruling.expiry
