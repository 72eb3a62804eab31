"""Poseidon."""

from __future__ import annotations

from typing import Any

from domain.board.geometry import Crew
from domain.board.position import Held
from domain.rules.power import Power
from domain.rules.turn import Turn

EXTRA_BUILDS = 3


class Poseidon(Power):
    """After your turn's build, your unmoved worker on the ground may build up to three times.

    Rule: P-27. Only with exactly two workers left.
    """

    key = "poseidon"
    name = "Poseidon"
    number = 27
    group = "advanced"
    players = (2, 3, 4)
    golden_fleece = True
    phases = ("end_of_turn",)
    order_aid = 35

    def builders(self, turn: Turn, held: Held, crew: Crew) -> Crew:
        """Add the unmoved worker once the mover has built."""
        if not (turn.moves and 0 < len(turn.builds) <= EXTRA_BUILDS):
            return crew
        position = turn.position
        own = position.crew_of(position.table.side(held.seat))
        still = own & ~turn.moved
        if own.bit_count() != 2 or still.bit_count() != 1:
            return crew
        grounded = not position.squares_of_crew(still) & position.levels[1]
        return crew | still if grounded else crew

    def search_key(self, turn: Turn, held: Held, key: tuple[Any, ...]) -> tuple[Any, ...]:
        """Keep how many builds there were, not their order."""
        return (*key[:8], len(turn.builds), *key[9:])
