"""Who acts in a simulation: players, workers, an operator."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

from app.adapters.store import shard_of
from app.services import Expected, Services, StoreUnavailable, Submission
from domain.game.errors import Refusal
from domain.game.outlook import legal_steps
from domain.game.settings import Settings
from tests.simulation.history import History, Operation
from tests.simulation.world import Crashed, Process, World
from workers import sweeper as sweeper_module
from workers.sweeper import Sweeper

Call = Callable[[Services], Any]


class Client:
    """Whoever sends commands: any process answers; what stays unknown is sent again."""

    def __init__(self, world: World, history: History, name: str) -> None:
        self.world = world
        self.history = history
        self.name = name
        self._keys = 0

    def key(self) -> str:
        """Return a key that nobody used before."""
        self._keys += 1
        return f"key-{self.world.seed}-{self.name}-{self._keys:06}"

    def do(self, operation: Operation, call: Call) -> Any:
        """Send until the answer is known; None when it is a refusal."""
        self.history.operations.append(operation)
        while True:
            if self.world.likely(self.world.odds.ghost):
                self._send_and_forget(operation, call)
            process = self.world.dice.choice(self.world.web)
            try:
                answer = call(process.services)
            except Refusal as refusal:
                if refusal.code == "paused":
                    self.world.scheduler.sleep(200)
                    continue
                operation.refusal = refusal
                self.log("refused", operation.kind, refusal.code)
                return None
            except (StoreUnavailable, Crashed):
                operation.unknowns += 1
                self.world.scheduler.sleep(self.world.dice.randrange(400))
                continue
            operation.answers.append(answer)
            self.log("ok", operation.kind, answer.snapshot.version)
            return answer

    def log(self, *what: Any) -> None:
        """Write down what happened, for whoever replays the seed."""
        self.world.trace.append((self.world.clock() - self.world.began, self.name, *what))

    def _send_and_forget(self, operation: Operation, call: Call) -> None:
        """A request that nobody waits for any more still runs; it is the same command."""
        operation.unknowns += 1

        def run() -> None:
            with suppress(Refusal, StoreUnavailable, Crashed):
                operation.answers.append(call(self.world.dice.choice(self.world.web).services))

        self.world.scheduler.spawn(f"{self.name}-ghost", run)
        self.world.scheduler.sleep(self.world.dice.randrange(40))

    def ask(self, call: Call) -> Any:
        """Ask until there is an answer."""
        while True:
            try:
                return call(self.world.dice.choice(self.world.web).services)
            except (StoreUnavailable, Crashed):
                self.world.scheduler.sleep(self.world.dice.randrange(300))


class Player(Client):
    """Plays one seat of one game until it is over or the patience is."""

    game_id = ""
    token = ""
    seat = 0
    patience = 12

    def open(self, settings: Settings) -> None:
        """Create a game and take its first seat."""
        submission = Submission("/v1/games", self.key(), b"{}")
        operation = Operation("", "create", submission, None, 0, False)
        seated = self.do(operation, lambda s: s.games.create(settings, submission=submission))
        operation.game_id = seated.snapshot.game_id
        self.history.games.append(operation.game_id)
        self._sit(seated)

    def join(self, game_id: str) -> None:
        """Take a seat of an open game."""
        submission = Submission(f"/v1/games/{game_id}/seats", self.key(), b"{}")
        operation = Operation(game_id, "join", submission, None, 1, True)
        seated = self.do(operation, lambda s: s.games.join(game_id, submission=submission))
        assert seated is not None, f"a free seat was refused: {operation.refusal}"
        self._sit(seated)

    def _sit(self, seated: Any) -> None:
        self.game_id, self.token, self.seat = seated.snapshot.game_id, seated.token, seated.seat

    def look(self) -> Any:
        """Read the game."""
        token = self.token
        snapshot = self.ask(lambda s: s.reader.read(self.game_id, token)).snapshot
        self.history.read(self.game_id, snapshot.version, snapshot.log_hash)
        return snapshot

    def play(self) -> None:
        """Act while there is something to do."""
        while self.patience > 0:
            snapshot = self.look()
            clock = snapshot.game.clock
            if clock is None:
                return
            self.patience -= 1
            drawn = self.world.dice.random()
            if drawn < 0.03:
                self.resign(snapshot)
            elif drawn < 0.06:
                self.renew(snapshot)
            elif clock.seat != self.seat:
                self.world.scheduler.sleep(self.world.dice.randrange(20, 400))
            elif drawn < 0.12 and clock.deadline is not None:
                late = self.world.dice.randrange(-40, 400)
                self.world.scheduler.sleep(max(0, clock.deadline - self.world.clock() + late))
            else:
                self.step(snapshot)

    def linger(self, snapshot: Any) -> None:
        """Go on asking of a game that is over: it may be compacted meanwhile, or just now."""
        for _ in range(self.world.dice.randrange(4)):
            self.world.scheduler.sleep(self.world.dice.randrange(300))
            if self.world.dice.random() < 0.5:
                self.renew(snapshot)
            self.look()

    def step(self, snapshot: Any) -> None:
        """Play one or two legal steps of the own turn."""
        dice = self.world.dice
        steps = (dice.choice(legal_steps(snapshot.game)),)
        expected = Expected(snapshot.version if dice.random() < 0.5 else None)
        token = self.token
        self.command(
            "steps",
            snapshot,
            lambda s, sub: s.games.play(
                self.game_id, token, steps=steps, submission=sub, expected=expected
            ),
            repr(steps).encode(),
            exclusive=True,
        )

    def resign(self, snapshot: Any) -> None:
        """Give up, on or off turn."""
        token = self.token
        self.command(
            "resignation", snapshot, lambda s, sub: s.games.resign(self.game_id, token, sub)
        )

    def command(
        self,
        kind: str,
        snapshot: Any,
        call: Callable[[Services, Submission], Any],
        body: bytes = b"",
        exclusive: bool = False,
    ) -> Any:
        """Give a command under a key of its own."""
        submission = Submission(f"/v1/games/{self.game_id}/{kind}", self.key(), body)
        operation = Operation(
            self.game_id, kind, submission, self.token, snapshot.version, exclusive
        )
        return self.do(operation, lambda services: call(services, submission))

    def renew(self, snapshot: Any) -> None:
        """Ask for a new token; the old one can still repeat this request."""
        old = self.token
        seated = self.command(
            "token", snapshot, lambda s, sub: s.games.renew_token(self.game_id, self.seat, old, sub)
        )
        assert seated is not None, "the own token was not renewed"
        self.token = seated.token


class Worker:
    """A worker process: a sweeper, and jobs from the queue."""

    def __init__(self, world: World, process: Process, name: str) -> None:
        self.world = world
        self.process = process
        self.name = name
        self.stopped = False

    def live(self) -> None:
        """Sweep and work until told to stop; after a crash begin again a little later."""
        while not self.stopped:
            try:
                self._live()
            except Crashed:
                self.world.scheduler.sleep(self.world.dice.randrange(3000))

    def _live(self) -> None:
        sweeper = Sweeper(
            self.process.services,
            self.process.store,
            self.world.enqueue,
            f"{self.name}-{self.process.crashes}",
            reconcile_seconds=self.world.dice.choice((2, 30)),
        )
        while not self.stopped:
            pause = 250
            try:
                pause = sweeper.sweep()
                while (shards := self.world.job()) is not None:
                    self.process.services.clocks.run_due(*shards)
                if self.world.dice.random() < 0.3:
                    self._compact()
            except StoreUnavailable:
                pass
            self.world.scheduler.sleep(pause)

    def _compact(self) -> None:
        """Compact what is over, at any moment: no hour is waited for here."""
        for shard in sorted({shard_of(game_id) for game_id in self.world.store._over}):
            self.process.services.compactor.run(shard)


def time_of(world: World) -> Any:
    """Return what stands for the module ``time`` in the sweeper."""
    return SimpleNamespace(monotonic=lambda: world.clock() / 1000)


def operate(world: World, client: Client) -> None:
    """Pause the service for maintenance and resume, again and again until it has worked."""
    world.scheduler.sleep(world.dice.randrange(3000))
    client.ask(lambda s: s.maintenance.pause())
    world.scheduler.sleep(world.dice.randrange(4000))
    client.ask(lambda s: s.maintenance.resume())


SWEEPER = sweeper_module
