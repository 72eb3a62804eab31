"""The service under anything: legal and illegal, stale and repeated, late, lost, doubled, crashed.

Whatever happens, a log is contiguous and chained, folds to the state that is shown, is lawful,
and tells of one outcome; and an accepted command stays accepted, as it was answered first.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from app.adapters import chain
from app.adapters.store import GRACE, SHARDS, shard_of
from app.services import Answer, Expected, Submission
from app.services.ledger import folded, recorded
from domain.game.checking import first_flaw
from domain.game.errors import Refusal
from domain.game.outlook import legal_steps
from domain.game.settings import Settings
from domain.rules.step import MOVES
from tests.app.services.conftest import House

TURN = 10
REFUSALS = {
    "game_full", "game_over", "game_started", "game_not_started", "not_your_turn", "illegal_step",
    "seat_taken", "turn_expired", "version_conflict", "precondition_failed", "paused",
    "not_the_creator", "token_unknown",
}  # fmt: skip


@dataclass
class Table:
    """A game as its players know it."""

    game_id: str
    tokens: dict[int, str]
    accepted: list[tuple[tuple, dict, Answer]] = field(default_factory=list)


class Service(RuleBasedStateMachine):
    @initialize()
    def open_house(self):
        self.house = House()
        self.house.store.watch(60_000)
        self.tables: list[Table] = []
        self.keys = 0

    def games(self):
        return self.house.services.games

    def state(self, table):
        return self.house.services.reader.read(table.game_id).snapshot.game

    def attempt(self, call, *args, **more):
        """Call, and take only a documented refusal for an answer."""
        try:
            return call(*args, **more)
        except Refusal as refusal:
            if refusal.code not in REFUSALS:
                raise
            return None

    def submission(self, body=b""):
        self.keys += 1
        return Submission("/steps", f"key-{self.keys:016}", body)

    @rule(
        variant=st.sampled_from(["duel", "duel", "trio", "solo4", "team4_split"]),
        seconds=st.sampled_from([TURN, TURN, None]),
    )
    def create(self, variant, seconds):
        if len(self.tables) < 4:
            seated = self.attempt(
                self.games().create, Settings(variant=variant, turn_seconds=seconds)
            )
            if seated is not None:
                self.tables.append(Table(seated.snapshot.game_id, {1: seated.token}))

    @precondition(lambda self: self.tables)
    @rule(data=st.data(), seat=st.sampled_from([None, None, 1, 2]))
    def join(self, data, seat):
        table = data.draw(st.sampled_from(self.tables))
        seated = self.attempt(self.games().join, table.game_id, seat)
        if seated is not None:
            table.tokens[seated.seat] = seated.token

    @precondition(lambda self: self.tables)
    @rule(data=st.data(), seed=st.integers(0, 2**32), steps=st.integers(1, 12))
    def play(self, data, seed, steps):
        """Play some legal steps, each with a key of its own."""
        table, dice = data.draw(st.sampled_from(self.tables)), random.Random(seed)
        for _ in range(steps):
            game = self.state(table)
            if game.clock is None:
                return
            step = dice.choice(legal_steps(game))
            args = (table.game_id, table.tokens[game.clock.seat])
            more = {
                "steps": (step,),
                "submission": self.submission(repr(step).encode()),
                "expected": Expected(game.version) if dice.random() < 0.5 else Expected(),
            }
            answer = self.attempt(self.games().play, *args, **more)
            if answer is not None:
                assert not answer.replayed
                table.accepted.append((args, more, answer))

    @precondition(lambda self: any(table.accepted for table in self.tables))
    @rule(data=st.data())
    def resend(self, data):
        """The answer was lost: the same request again, however much later."""
        table = data.draw(st.sampled_from([t for t in self.tables if t.accepted]))
        args, more, first = data.draw(st.sampled_from(table.accepted))
        again = self.games().play(*args, **more)
        assert again.replayed
        assert (again.events, again.snapshot) == (first.events, first.snapshot)

    @precondition(lambda self: self.tables)
    @rule(data=st.data(), origin=st.integers(0, 24), to=st.integers(0, 24))
    def play_blindly(self, data, origin, to):
        """A step out of the blue, by a seat that need not be to act."""
        table = data.draw(st.sampled_from(self.tables))
        before = self.state(table).version
        token = data.draw(st.sampled_from(sorted(table.tokens.values())))
        answer = self.attempt(
            self.games().play, table.game_id, token, steps=(MOVES[origin][to], MOVES[to][origin])
        )
        assert answer is None or self.state(table).version > before

    @precondition(lambda self: self.tables)
    @rule(data=st.data(), back=st.integers(1, 3))
    def play_stale(self, data, back):
        table = data.draw(st.sampled_from(self.tables))
        game = self.state(table)
        if game.clock is None:
            return
        answer = self.attempt(
            self.games().play,
            table.game_id,
            table.tokens[game.clock.seat],
            steps=(legal_steps(game)[0],),
            expected=Expected(game.version - back),
        )
        assert answer is None

    @precondition(lambda self: self.tables)
    @rule(data=st.data())
    def resign(self, data):
        table = data.draw(st.sampled_from(self.tables))
        token = data.draw(st.sampled_from(sorted(table.tokens.values())))
        self.attempt(self.games().resign, table.game_id, token)

    @precondition(lambda self: self.tables)
    @rule(data=st.data())
    def call_off(self, data):
        table = data.draw(st.sampled_from(self.tables))
        if 1 in table.tokens:
            self.attempt(self.games().cancel, table.game_id, table.tokens[1])

    @rule(millis=st.sampled_from([1, 400, 5000, TURN * 1000, TURN * 1000 + GRACE + 1]))
    def time_passes(self, millis):
        self.house.store.clock.advance(millis)
        self.house.store.watch(60_000)

    @rule()
    def nobody_watches_for_an_hour(self):
        self.house.store.clock.advance(3_600_000)

    @rule(doubled=st.booleans(), lost=st.integers(0, 3))
    def jobs_run(self, doubled, lost):
        """Batch jobs for the shards with games: some are lost, some run twice."""
        shards = [shard_of(table.game_id) for table in self.tables]
        for shard in shards[lost:] * (1 + doubled):
            self.house.services.clocks.run_due(shard)

    @rule()
    def crash_and_reload(self):
        self.house.restart()

    @rule()
    def pause_and_resume(self):
        self.house.services.maintenance.pause()
        self.house.store.clock.advance(TURN * 2000)
        self.house.store.watch(60_000)
        self.house.services.maintenance.resume()

    @invariant()
    def every_log_is_sound(self):
        for table in getattr(self, "tables", ()):
            loaded = self.house.store.load(table.game_id)
            assert chain.flaw_of(loaded.events, table.game_id, loaded.meta.head) is None
            events = recorded(loaded.events)
            game = folded(events).game
            assert game == self.state(table)
            deadline = game.clock.deadline if game.clock else None
            due = dict(self.house.store.due(shard_of(table.game_id)).games)
            assert loaded.meta.deadline == deadline == due.get(table.game_id)
            ends = [e for e in events if e.body["type"] in ("finished", "cancelled")]
            assert len(ends) == (game.status in ("finished", "cancelled"))
            assert not ends or ends[0].version == len(events)

    def teardown(self):
        """At the end, play every clock out and check that the rules allow every log."""
        if not hasattr(self, "house"):
            return
        for _ in range(20):
            self.time_passes(TURN * 1000 + GRACE + 1)
            for shard in range(SHARDS):
                self.house.services.clocks.run_due(shard)
        for table in self.tables:
            game = self.state(table)
            assert game.clock is None or game.clock.deadline is None
            entries = [e.entry for e in self.house.services.archive.export(table.game_id)]
            assert first_flaw(entries) is None


Service.TestCase.settings = settings(
    max_examples=80, stateful_step_count=40, deadline=None, derandomize=True
)
TestService = Service.TestCase
