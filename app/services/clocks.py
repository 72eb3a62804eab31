"""Deadlines: the due index names overdue games, this applies what the rules say of them."""

from __future__ import annotations

import logging
from enum import Enum

from app.adapters.dice import SeededDice
from app.adapters.metrics import LATENESS
from app.adapters.store import GRACE, Due, Millis, StoreUnavailable, shard_of
from app.services.ledger import Ledger, Opened
from domain.game.commands import RestartClock, TimeOut
from domain.game.decide import Context, decide
from domain.game.errors import Refusal

log = logging.getLogger(__name__)
RETRIES = 8


class Expiry(Enum):
    """What became of a deadline that was looked at."""

    NOTHING = "nothing"
    """It is not overdue, or somebody else has dealt with it."""
    TIMED_OUT = "timed_out"
    RESTARTED = "restarted"
    """It passed while nobody watched: the turn has its time again."""


class Clocks:
    """Applies overdue deadlines; repeating any call changes nothing (operations, section 2)."""

    def __init__(self, ledger: Ledger, outage: Millis = 60_000) -> None:
        """Call a time without any sweeper an outage when it was longer than ``outage``."""
        self._ledger = ledger
        self._outage = outage

    @property
    def outage(self) -> Millis:
        """Length of a silence, in milliseconds, that counts as an outage of ours."""
        return self._outage

    def expire(self, game_id: str) -> Expiry:
        """Apply a game's deadline if it is overdue, exactly once however many try."""
        opened = self._ledger.open(game_id)
        if not opened.overdue or opened.loaded.paused:
            return Expiry.NOTHING
        deadline = opened.loaded.meta.deadline
        assert deadline is not None
        if self._unwatched(deadline, self._ledger.store.due(shard_of(game_id), 1)):
            return Expiry.RESTARTED if self._restart(opened) else Expiry.NOTHING
        return Expiry.TIMED_OUT if self._time_out(opened) else Expiry.NOTHING

    def _time_out(self, opened: Opened) -> bool:
        version, secret = opened.snapshot.version, opened.loaded.meta.secret
        dice = SeededDice(secret, opened.snapshot.game_id, version)
        entries = decide(opened.game, TimeOut(), Context(opened.at, dice))
        written = self._ledger.commit(opened, entries, f"timeout-{version}", mode="timeout")
        if written.answer.verdict != "appended":
            return False
        deadline = opened.loaded.meta.deadline or 0
        LATENESS.observe(max(0, written.answer.now - deadline - GRACE) / 1000)
        return True

    def _restart(self, opened: Opened) -> bool:
        version = opened.snapshot.version
        dice = SeededDice(opened.loaded.meta.secret, opened.snapshot.game_id, version)
        entries = decide(opened.game, RestartClock("outage"), Context(opened.at, dice))
        written = self._ledger.commit(opened, entries, f"outage-{version}", mode="timeout")
        return written.answer.verdict == "appended"

    def _unwatched(self, deadline: Millis, due: Due) -> bool:
        """Say whether a deadline passed during an outage, and well before its end."""
        silences = [due.gap] if due.gap else []
        if due.now - due.watermark > self._outage:
            silences.append((due.watermark, due.now))
        return any(begin < deadline < end - self._outage for begin, end in silences)

    def run_due(self, shard: int, limit: int = 100) -> int:
        """Apply the overdue deadlines of one shard and return how many were applied."""
        due = self._ledger.store.due(shard, limit)
        if due.paused:
            return 0
        overdue = [game_id for game_id, deadline in due.games if due.now > deadline + GRACE]
        return sum(self._safely(game_id) for game_id in overdue)

    def _safely(self, game_id: str) -> bool:
        """Apply one deadline; one broken game must not hold up the others."""
        try:
            return self.expire(game_id) is not Expiry.NOTHING
        except StoreUnavailable:
            raise
        except Refusal as refusal:
            log.error("game %s: deadline not applied: %s", game_id, refusal.code)
        except Exception:
            log.exception("game %s: deadline not applied", game_id)
        return False

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
