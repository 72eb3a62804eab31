"""A small world that one seed decides: tasks, time, a store that fails, a queue that loses.

Tasks are threads of which exactly one runs at a time; it hands over at every call to the store
and whenever it sleeps. Who goes on, how long that took and what fails is drawn from one
``random.Random``, and so is everything the services draw from the system's entropy.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from app.adapters.memory_store import ManualClock, MemoryStore
from app.adapters.store import Append, Appended, StoreUnavailable
from app.config import Config
from app.services import Services
from app.wiring import build_services

CALLS = frozenset(
    {
        "now", "peek", "load", "load_many", "append", "renew_token", "answer", "page", "due",
        "next_due", "dues", "claim", "work", "lease", "watch", "pause", "resume", "paused_since",
        "open_games", "repair", "count", "counts", "check", "dump", "over", "compact", "leave",
    }
)  # fmt: skip


class Crashed(BaseException):
    """The process died in the middle of what it did; nothing of it is left but the store."""


class Over(BaseException):
    """The simulation has ended, or failed elsewhere; tasks that still run go home."""


@contextmanager
def entropy_from(dice: random.Random) -> Iterator[None]:
    """Let ``secrets`` and ``random.SystemRandom`` draw from these dice.

    Threads that other tests have left running go on with the system's entropy.
    """
    source = random._urandom
    strangers = {thread.ident for thread in threading.enumerate()} - {threading.get_ident()}

    def draw(count: int) -> bytes:
        return source(count) if threading.get_ident() in strangers else dice.randbytes(count)

    random._urandom = draw
    try:
        yield
    finally:
        random._urandom = source


@dataclass(eq=False)
class Task:
    """One line of action; ``wake`` is the time before which it does nothing."""

    name: str
    wake: int = 0
    turn: threading.Lock = field(default_factory=threading.Lock)
    done: bool = False


class Scheduler:
    """Runs tasks one at a time, interleaved as the dice have it, on a clock of their own."""

    def __init__(self, dice: random.Random, clock: ManualClock) -> None:
        self.dice = dice
        self.clock = clock
        self.current: Task | None = None
        self.failure: BaseException | None = None
        self.over = False
        self._tasks: list[Task] = []
        self._threads: list[threading.Thread] = []
        self._main = Task("main")
        self._main.turn.acquire()

    def spawn(self, name: str, work: Callable[[], None]) -> Task:
        """Add a task; it starts when the dice choose it."""
        task = Task(name, self.clock())
        task.turn.acquire()
        thread = threading.Thread(target=self._live, args=(task, work), daemon=True)
        self._tasks.append(task)
        self._threads.append(thread)
        thread.start()
        return task

    def run(self) -> None:
        """Run until all tasks are done; raise what any of them raised."""
        self._hand_over(self._main)
        for thread in self._threads:
            thread.join()
        if self.failure is not None:
            raise self.failure

    def sleep(self, millis: int) -> None:
        """Let the running task do nothing for a while."""
        assert self.current is not None
        self.current.wake = self.clock() + millis
        self.switch()

    def switch(self) -> None:
        """Let somebody else go on, perhaps."""
        me = self.current
        assert me is not None
        self._hand_over(me)
        if self.over:
            raise Over

    def _live(self, task: Task, work: Callable[[], None]) -> None:
        task.turn.acquire()
        try:
            if not self.over:
                work()
        except Over:
            pass
        except BaseException as error:
            self.failure = self.failure or error
            self.over = True
        task.done = True
        self._tasks.remove(task)
        self._hand_over(task)

    def _hand_over(self, me: Task) -> None:
        chosen = self._next()
        if chosen is me:
            return
        self.current = chosen
        chosen.turn.release()
        if not me.done:
            me.turn.acquire()

    def _next(self) -> Task:
        if not self._tasks:
            return self._main
        if self.over:
            return self._tasks[0]
        now = self.clock()
        ready = [task for task in self._tasks if task.wake <= now]
        if not ready:
            first = min(self._tasks, key=lambda task: task.wake)
            self.clock.advance(first.wake - now)
            return first
        self.clock.advance(int(self.dice.random() * 4))
        return ready[int(self.dice.random() * len(ready))]


@dataclass
class Odds:
    """How often things go wrong, of one call to the store or one job."""

    before: float = 0.0
    """The store fails and has done nothing."""
    after: float = 0.0
    """The store fails and has done it."""
    resent: float = 0.0
    """The adapter lost the reply of a call that was applied, and sends it again."""
    crash: float = 0.0
    """The process dies, before or after the call."""
    job: float = 0.0
    """A job is dropped, doubled or delayed."""
    ghost: float = 0.0
    """A client gives up on a request that still runs, and sends it again."""


class Process:
    """One process of the service: caches and all; a crash leaves nothing of it."""

    def __init__(self, world: World, name: str) -> None:
        self.world = world
        self.name = name
        self.crashes = 0
        self.restart()

    def restart(self) -> None:
        """Begin anew with what the store has."""
        self.store = FaultyStore(self)
        self.services: Services = build_services(Config(compact_seconds=0), self.store)

    def die(self) -> None:
        """Crash: whoever works in this process, and whoever will come back to it, is gone."""
        self.crashes += 1
        self.restart()
        raise Crashed


class FaultyStore:
    """The store as one life of one process sees it."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._life = process.crashes

    def append_many(self, changes: Sequence[Append]) -> list[Appended]:
        """Append one by one, each with a fate of its own: some may be applied, others not."""
        return [self.append(change) for change in changes]

    def heard(self, game_id: str) -> int | None:
        """Return the clock as last heard: sometimes not at all, sometimes a while ago."""
        self._require_life()
        world = self._process.world
        if world.dice.random() < 0.2:
            return None
        return world.clock() - world.dice.choice((0, 0, 1, 40, 500))

    def __getattr__(self, name: str) -> Any:
        if name not in CALLS:
            raise AttributeError(name)
        call = getattr(self._process.world.store, name)

        def faulty(*args: Any, **more: Any) -> Any:
            return self._call(name, lambda: call(*args, **more))

        self.__dict__[name] = faulty
        return faulty

    def _call(self, name: str, call: Callable[[], Any]) -> Any:
        world, process = self._process.world, self._process
        world.scheduler.switch()
        self._require_life()
        fault = world.fault()
        world.trace.append((world.clock() - world.began, process.name, name, fault))
        if fault == "before":
            raise StoreUnavailable(f"{name} was not sent")
        if fault == "crash-before":
            process.die()
        answer = call()
        if fault == "resent":
            world.scheduler.switch()
            answer = call()
        elif fault == "after":
            raise StoreUnavailable(f"the answer to {name} was lost")
        elif fault == "crash-after":
            process.die()
        elif world.dice.random() < 0.1:
            world.scheduler.switch()
            self._require_life()
        return answer

    def _require_life(self) -> None:
        if self._life != self._process.crashes:
            raise Crashed


class World:
    """Everything of one simulation."""

    def __init__(self, seed: int, odds: Odds) -> None:
        self.seed = seed
        self.dice = random.Random(seed)
        self.odds = odds
        self.store = MemoryStore()
        self.clock = self.store.clock
        self.began = self.clock()
        self.scheduler = Scheduler(self.dice, self.clock)
        self.trace: list[tuple[Any, ...]] = []
        self.queue: list[tuple[int, tuple[int, ...]]] = []
        self.calm = False
        """Set at the end: nothing fails any more, so that every answer can be had."""
        self.web = [Process(self, "web-1"), Process(self, "web-2")]
        self.workers = [Process(self, "worker-1"), Process(self, "worker-2")]

    def likely(self, chance: float) -> bool:
        """Draw whether something happens that goes wrong this often."""
        return not self.calm and self.dice.random() < chance

    def fault(self) -> str:
        """Draw what goes wrong with one call; empty for nothing."""
        if self.calm:
            return ""
        odds, drawn = self.odds, self.dice.random()
        for name, chance in (
            ("before", odds.before),
            ("after", odds.after),
            ("resent", odds.resent),
            ("crash-before", odds.crash / 2),
            ("crash-after", odds.crash / 2),
        ):
            if drawn < chance:
                return name
            drawn -= chance
        return ""

    # -- the queue --------------------------------------------------------------------------------

    def enqueue(self, shards: Sequence[int]) -> None:
        """Hand over a job, which may be dropped, doubled or delayed."""
        now = self.clock()
        if not self.likely(self.odds.job):
            self.queue.append((now, tuple(shards)))
            return
        match self.dice.randrange(3):
            case 1:
                self.queue += [
                    (now, tuple(shards)),
                    (now + self.dice.randrange(2000), tuple(shards)),
                ]
            case 2:
                self.queue.append((now + self.dice.randrange(5000), tuple(shards)))

    def job(self) -> tuple[int, ...] | None:
        """Take a job out, in any order; None when there is none."""
        ready = [job for job in self.queue if job[0] <= self.clock()]
        if not ready:
            return None
        chosen = self.dice.choice(ready)
        self.queue.remove(chosen)
        return chosen[1]
