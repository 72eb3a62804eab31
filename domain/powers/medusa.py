"""Medusa."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from domain.board.facts import Built, Fact, TokenRemoved, WorkerRemoved, apply_all
from domain.board.geometry import NEIGHBOURS, Square, Worker, in_name_order
from domain.board.position import Held
from domain.rules.candidates import may_raise
from domain.rules.power import Power
from domain.rules.sight import targetable_foes
from domain.rules.turn import Turn


class Medusa(Power):
    """At the end of your turn foes next to and below your workers are turned to blocks.

    Rule: P-24. Victims go in the order of their squares, each by the first of your workers that
    could put a block there at that moment; where none can, the victim is spared (T-35).
    """

    key = "medusa"
    name = "Medusa"
    number = 24
    group = "advanced"
    players = (2, 3, 4)
    golden_fleece = True
    phases = ("end_of_turn",)
    bans = {"nemesis": "rule"}
    order_aid = 22

    def ends_turn(self, turn: Turn, held: Held) -> Iterable[Fact]:
        """Remove every victim and put a block in its place (E2); none in a turn that was cut."""
        if turn.cut:
            return
        foes = turn.position.squares_of_crew(targetable_foes(turn.position, held.seat))
        for square in in_name_order(foes):
            worker = _sculptor(turn, held, square)
            if worker < 0:
                continue
            position = turn.position
            stone: list[Fact] = [WorkerRemoved(square)]
            stone += [
                TokenRemoved(token.name, square)
                for token in position.tokens
                if token.square == square
            ]
            stone.append(Built(position.workers[worker], square))
            yield from stone
            turn = replace(turn, position=apply_all(position, stone))


def _sculptor(turn: Turn, held: Held, square: Square) -> Worker:
    """Return the holder's first worker that can turn what stands on a square to stone, or -1."""
    position = turn.position
    crew = position.crew_of(position.table.side(held.seat))
    higher = position.levels[position.level(square) + 1]
    near = position.squares_of_crew(crew) & NEIGHBOURS[square] & higher
    for place in in_name_order(near):
        worker = position.worker_at(place)
        if may_raise(turn, worker, square):
            return worker
    return -1
