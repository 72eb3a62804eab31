"""One simulation: some games, played, timed out, paused and crashed as one seed has it."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from domain.game.settings import Settings
from tests.simulation.history import History
from tests.simulation.people import SWEEPER, Client, Player, Worker, operate, time_of
from tests.simulation.world import Odds, World, entropy_from

HEAVY = Odds(before=0.03, after=0.03, resent=0.02, crash=0.02, job=0.4, ghost=0.03)


class Simulation:
    """Everything that one seed decides; ``run`` it, and it checks itself."""

    def __init__(self, seed: int, odds: Odds = HEAVY) -> None:
        self.world = World(seed, odds)
        self.history = History()
        self.players: list[Player] = []
        self.staff: list[Worker] = []

    def run(self) -> str:
        """Play everything to its end, check it, and return a digest of all that happened."""
        before = SWEEPER.time
        SWEEPER.time = time_of(self.world)
        try:
            with entropy_from(self.world.dice):
                self._run()
        except BaseException as error:
            error.add_note(f"seed {self.world.seed}: python -m tests.simulation {self.world.seed}")
            raise
        finally:
            SWEEPER.time = before
        return self.digest()

    def _run(self) -> None:
        world, dice = self.world, self.world.dice
        for number, process in enumerate(world.workers[: dice.randint(1, 2)]):
            worker = Worker(world, process, f"worker-{number}")
            self.staff.append(worker)
            world.scheduler.spawn(worker.name, worker.live)
        tables = [self._table(number) for number in range(dice.choice((1, 1, 2)))]
        if dice.random() < 0.15:
            operator = Client(world, self.history, "operator")
            world.scheduler.spawn("operator", lambda: operate(world, operator))
        world.scheduler.spawn("host", lambda: self._host(tables))
        world.scheduler.run()
        self.history.check(world.web[0].services, world.store)

    def _table(self, number: int) -> tuple[list[Player], Settings]:
        dice = self.world.dice
        players = [Player(self.world, self.history, f"player-{number}-{seat}") for seat in (1, 2)]
        for player in players:
            player.patience = dice.randrange(2, 11)
        self.players += players
        settings = Settings(
            placement=dice.choice(("free", "recommended")),
            start_seat=dice.choice((1, 2, "random")),
            turn_seconds=dice.choice((1, 1, 2, None)),
        )
        return players, settings

    def _host(self, tables: list[tuple[list[Player], Settings]]) -> None:
        """Open all tables, let them be played, and see to it that everything comes to rest."""
        world = self.world
        running = []
        for (one, two), settings in tables:
            one.open(settings)
            two.join(one.game_id)
            running += [world.scheduler.spawn(p.name, p.play) for p in (one, two)]
        while not all(task.done for task in running):
            world.scheduler.sleep(200)
        world.calm = True
        if world.dice.random() < 0.7:
            self._give_up()
        self._rest()
        self._linger()
        for worker in self.staff:
            worker.stopped = True

    def _give_up(self) -> None:
        """Let whoever is to move resign, which is quicker than the clock."""
        for player in self.players:
            snapshot = player.look()
            if snapshot.game.clock is not None and snapshot.game.clock.seat == player.seat:
                player.resign(snapshot)

    def _rest(self) -> None:
        """Wait until no clock runs: whoever stopped playing loses by the clock."""
        end = self.world.clock() + 60_000
        while any(self._running(game_id) for game_id in self.history.games):
            assert self.world.clock() < end, "a clock ran out and nothing happened"
            self.world.scheduler.sleep(500)

    def _linger(self) -> None:
        """Let players ask of games that are over, and everything fail again meanwhile."""
        world = self.world
        world.calm = False
        lingering = [
            world.scheduler.spawn(p.name, lambda p=p: p.linger(p.look())) for p in self.players
        ]
        while not all(task.done for task in lingering):
            world.scheduler.sleep(200)
        world.calm = True
        world.scheduler.sleep(300)

    def _running(self, game_id: str) -> bool:
        loaded = self.world.store.load(game_id, 1_000_000)
        assert loaded is not None
        return loaded.meta.deadline is not None

    def digest(self) -> str:
        """Return a hash of every log and of everything that was done."""
        logs: list[Any] = []
        for game_id in self.history.games:
            loaded = self.world.store.load(game_id)
            assert loaded is not None
            logs.append(loaded.events)
        return sha256(json.dumps([logs, self.world.trace]).encode()).hexdigest()
