"""Nemesis."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, permutations

from domain.board.geometry import NAMES, Mask, Square, in_name_order, neighbours_of
from domain.board.position import Held
from domain.rules.power import Power
from domain.rules.sight import targetable_foes
from domain.rules.step import Exchange, Step
from domain.rules.turn import Turn


class Nemesis(Power):
    """At the end of your turn your two workers may change places with two of a foe far from both.

    Rule: P-41. All or nothing, in one step; nobody moves by it. Each opposing side is looked at by
    itself.
    """

    key = "nemesis"
    name = "Nemesis"
    number = 41
    group = "golden_fleece"
    players = (2, 3, 4)
    phases = ("end_of_turn",)
    bans = {
        "aphrodite": "rule",
        "bia": "rule",
        "medusa": "rule",
        "clio": "rule",
        "gaea": "rule",
        "graeae": "rule",
        "hecate": "implementation",
        "moerae": "rule",
        "terpsichore": "rule",
        "theseus": "rule",
    }
    order_aid = 42
    revised = True

    def actions(self, turn: Turn, held: Held) -> Iterable[Step]:
        """Offer the exchanges after the build."""
        if not (turn.moves and turn.builds) or turn.other:
            return
        position = turn.position
        side = position.table.side(held.seat)
        own = position.squares_of_crew(position.crew_of(side))
        if own.bit_count() != 2:
            return
        around = neighbours_of(own)
        targets = targetable_foes(position, held.seat)
        for other in sorted(set(position.table.sides) - {side}):
            crew = position.crew_of(other)
            if not position.squares_of_crew(crew) & around:
                yield from _exchanges(own, position.squares_of_crew(crew & targets))


def _exchanges(own: Mask, theirs: Mask) -> Iterator[Exchange]:
    """Yield every way in which both own workers take the squares of two others, and they theirs."""
    a, b = in_name_order(own)
    for pair in combinations(in_name_order(theirs), 2):
        for c, d in permutations(pair):
            for e, f in permutations((a, b)):
                yield _exchange(((a, c), (b, d), (pair[0], e), (pair[1], f)))


def _exchange(pairs: tuple[tuple[Square, Square], ...]) -> Exchange:
    return Exchange(tuple(sorted(pairs, key=lambda pair: NAMES[pair[0]])))
