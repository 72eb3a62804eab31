"""``python -m bench.capacity``: how much of everything so many open games need.

The costs below were measured (``python -m bench scaling`` measures them again); the rest is
arithmetic, and docs/scaling.md explains it.
"""

from __future__ import annotations

from math import ceil, floor

from msgspec import Struct

from app.adapters.store import SHARDS


class Costs(Struct, frozen=True):
    """What was measured, in milliseconds of processor time where nothing else is said."""

    turn: float = 3.5
    """Web: one turn, two reads of the state, one listing of the legal turns."""
    alone: float = 1.4
    """Web: one turn and nothing else."""
    deadline: float = 1.2
    """Worker: one deadline applied, of a game at its beginning or after up to twelve turns."""
    compare: float = 0.02
    """Worker: one open game compared with the due index."""
    news: float = 0.01
    """Each web process: one item of news."""
    appends: int = 5_500
    """One primary that syncs every append: appends a second."""
    game: int = 9
    """KiB of Redis memory, a running game of 60 turns with all keys."""


class Plan(Struct, frozen=True):
    """How the parts are to be used."""

    busy: float = 0.6
    """Share of a core that is planned with."""
    written: float = 0.5
    """Share of a primary's appends that is planned with."""
    timeouts: float = 0.1
    """Share of the turns that end by the clock."""
    reconcile: int = 60
    """Seconds between two comparisons of all open games."""
    room: float = 1.5
    """Redis memory, to that of the games: rewriting the file needs some."""
    primary: int = 16
    """GiB of one primary, so that a restart loads it within minutes."""
    hearing: float = 0.3
    """Most of a web process that news may take."""


class Need(Struct, frozen=True):
    """What so many open games need, all deployments together."""

    turns: float
    """A second."""
    memory: float
    """GiB."""
    primaries: int
    web: int
    """Cores."""
    workers: int
    """Cores."""
    deployments: int


def need(games: int, pace: float, costs: Costs = Costs(), plan: Plan = Plan()) -> Need:
    """Compute what ``games`` open games need, each moving every ``pace`` seconds."""
    turns = games / pace
    memory = games * costs.game / 2**20 * plan.room
    hearing = turns * costs.news / 1_000
    deployments = ceil(hearing / plan.hearing)
    busy = plan.busy * (1 - hearing / deployments)
    applied = turns * plan.timeouts * costs.deadline + games / plan.reconcile * costs.compare
    load = max(turns / (costs.appends * plan.written), memory / plan.primary) / deployments
    return Need(
        turns,
        memory,
        deployments * primaries(load),
        ceil(turns * costs.turn / 1_000 / busy),
        ceil(applied / 1_000 / plan.busy),
        deployments,
    )


def primaries(load: float) -> int:
    """Return how many primaries carry the load of so many: each keeps whole shards."""
    shards = floor(SHARDS / load) if load > 1 else SHARDS
    return ceil(SHARDS / shards)


GAMES = (1_000, 10_000, 100_000, 1_000_000)
PACES = ((20, "20 seconds"), (600, "10 minutes"), (28_800, "8 hours"))
HEAD = """\
| open games | a turn every | turns a second | Redis memory, GiB | primaries | web cores | worker \
cores | deployments |
|---:|---|---:|---:|---:|---:|---:|---:|
"""


def table() -> str:
    """Return the capacity table as Markdown."""
    return HEAD + "".join(
        _row(games, words, need(games, pace)) for games in GAMES for pace, words in PACES
    )


def _row(games: int, pace: str, one: Need) -> str:
    return (
        f"| {games:,} | {pace} | {_brief(one.turns)} | {_brief(one.memory)} | {one.primaries} "
        f"| {one.web} | {one.workers} | {one.deployments} |\n"
    )


def _brief(value: float) -> str:
    """Write a number with two digits at least that tell something."""
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


if __name__ == "__main__":
    print(table(), end="")
