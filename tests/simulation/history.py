"""What clients saw, and what it has to do with the log in the end.

An operation is *ok* (answered), *refused* (a documented refusal) or *unknown* (no answer: it may
or may not have happened); an unknown one is sent again under the same key until it is known.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from app.adapters import chain, times
from app.adapters.store import GRACE, shard_of
from app.services import Answer, GameQuery, Seated, Services, Submission
from app.services.ledger import folded, recorded
from app.services.tokens import command_id
from domain.game.errors import Refusal

SERVERS = ("timeout-", "outage-", "resumed-")
"""Beginnings of the ids of commands that no client gives."""


@dataclass
class Operation:
    """One command of one client."""

    game_id: str
    kind: str
    submission: Submission
    token: str | None
    seen: int
    """The version on which the client decided."""
    exclusive: bool
    """Whether nobody else could rightly be faster: the own turn, a legal step."""
    answers: list[Any] = field(default_factory=list)
    refusal: Refusal | None = None
    unknowns: int = 0

    @property
    def command(self) -> str:
        """The id of the command in the log."""
        return command_id(self.submission, self.token)


@dataclass
class History:
    """All operations and readings of a simulation."""

    operations: list[Operation] = field(default_factory=list)
    readings: dict[tuple[str, int], str] = field(default_factory=dict)
    """The ``log_hash`` that was read for a game at a version."""
    games: list[str] = field(default_factory=list)

    def read(self, game_id: str, version: int, head: str) -> None:
        """Remember a reading; two of one version must agree at once."""
        assert self.readings.setdefault((game_id, version), head) == head

    # -- what must hold in the end ------------------------------------------------------------

    def check(self, services: Services, store: Any) -> None:
        """Hold the history against the logs as they stand in the end."""
        for game_id in self.games:
            loaded = store.load(game_id)
            operations = [one for one in self.operations if one.game_id == game_id]
            self._check_log(game_id, loaded, services)
            self._check_readings(game_id, loaded.events)
            blocks = blocks_of(loaded.events)
            for one in operations:
                check_operation(one, blocks, loaded.events)
            known = {one.command for one in operations}
            for command in blocks:
                assert command in known or command.startswith(SERVERS), f"phantom {command}"
            check_clocks(loaded.events)
            self._check_indexes(game_id, loaded, services, store)

    def _check_log(self, game_id: str, loaded: Any, services: Services) -> None:
        assert chain.flaw_of(loaded.events, game_id, loaded.meta.head) is None
        found = services.reader.verify(game_id, self._token_of(game_id))
        assert found.ok, found
        game = services.reader.read(game_id, self._token_of(game_id)).snapshot.game
        assert folded(recorded(loaded.events)).game == game

    def _token_of(self, game_id: str) -> str | None:
        return None

    def _check_readings(self, game_id: str, events: Any) -> None:
        for (game, version), head in self.readings.items():
            if game == game_id:
                assert version <= len(events), f"version {version} was read and is gone"
                assert events[version - 1]["hash"] == head, f"version {version} was another"

    def _check_indexes(self, game_id: str, loaded: Any, services: Services, store: Any) -> None:
        due = dict(store.due(shard_of(game_id)).games)
        assert due.get(game_id) == loaded.meta.deadline
        for status in ("open", "placing", "playing", "finished", "cancelled"):
            listed = services.reader.list(GameQuery(status=status, limit=100)).games
            assert (game_id in {one.game_id for one in listed}) == (loaded.meta.status == status)


def blocks_of(events: Any) -> dict[str, list[int]]:
    """Return the versions of each command; they must be contiguous."""
    blocks: dict[str, list[int]] = {}
    for event in events:
        blocks.setdefault(event["command"], []).append(event["version"])
    for command, versions in blocks.items():
        assert versions[-1] - versions[0] + 1 == len(versions), f"{command} is scattered"
    return blocks


def check_operation(one: Operation, blocks: dict[str, list[int]], events: Any) -> None:
    """Acknowledged: in the log, once, as answered. Refused: not in the log, and with reason."""
    versions = blocks.get(one.command, [])
    if one.refusal is not None:
        assert not one.answers and not versions, f"{one.kind} was refused and happened"
        _check_refusal(one, events)
    for answer in one.answers:
        if isinstance(answer, Answer):
            assert [event.version for event in answer.events] == versions
            assert [event.body for event in answer.events] == [events[v - 1] for v in versions]
        elif isinstance(answer, Seated) and one.kind in ("create", "join"):
            assert versions and answer.snapshot.version == versions[-1]
    tokens = {answer.token for answer in one.answers if isinstance(answer, Seated)}
    assert len(tokens) <= 1, f"{one.kind} gave out two tokens under one key"


def _check_refusal(one: Operation, events: Any) -> None:
    """A command that nothing stood in the way of must not be refused."""
    refusal = one.refusal
    assert refusal is not None
    if not one.exclusive or refusal.code == "paused":
        return
    assert refusal.version is not None and refusal.version > one.seen, (
        f"false {refusal.code}: version {one.seen} was the newest all along"
    )
    between = events[one.seen : refusal.version]
    if refusal.code == "turn_expired":
        assert any(event["type"] == "timed_out" for event in between)


def check_clocks(events: Any) -> None:
    """No timeout is early, and nothing is played after a deadline and its grace."""
    deadline: int | None = None
    kinds = {"turn_started", "clock_restarted"}
    for event in events:
        at = times.read(event["at"])
        if deadline is not None and event["cause"] == event["version"]:
            limit = deadline + GRACE
            if event["type"] == "timed_out":
                assert at > limit, f"event {event['version']}: {limit - at} ms early"
            elif event["actor"] == "player" and event["type"] not in ("joined", "left"):
                assert at <= limit, f"event {event['version']}: {at - limit} ms late"
        if event["type"] in kinds:
            told = event["data"]["deadline"]
            deadline = None if told is None else times.read(told)
        elif event["type"] in ("turn_ended", "finished", "cancelled"):
            deadline = None
