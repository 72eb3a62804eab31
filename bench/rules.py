"""The rules engine on one core: lists of legal steps, whole turns, perft, and a peer."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from santorinai.board import Board

from bench.measure import Figure, at_least, at_most, beside, best, best_of_each
from domain.board.geometry import BY_NAME, WIDTH
from domain.board.position import Position
from domain.rules.engine import legal_steps, legal_turns, open_turn, perft, play
from domain.rules.positions import read_position
from domain.rules.turns import successor

DATA = Path(__file__).resolve().parents[1] / "tests" / "data" / "vectors"
MID_GAME = range(8, 40)
"""How many blocks a board of the middle game holds."""
PLAYOUTS = 100


def boards() -> Iterator[dict[str, Any]]:
    """Yield positions of the middle game between two sides without powers, seat 1 to move."""
    with gzip.open(DATA / "duel-none.jsonl.gz", "rt") as lines:
        for line in lines:
            vector = json.loads(line)
            position = vector["position"]
            height = sum(map(int, position["levels"]))
            if height in MID_GAME and not vector["verdict"] and len(position["workers"]) == 4:
                yield position


def peer_board(position: dict[str, Any]) -> tuple[Board, list[Any]]:
    """Set up a position for the peer, and return the pawns of the side to move with it."""
    board = Board(2)
    for index, digit in enumerate(position["levels"]):
        board.board[index % WIDTH][WIDTH - 1 - index // WIDTH] = int(digit)
    for name in position["domes"]:
        board.board[BY_NAME[name] % WIDTH][BY_NAME[name] // WIDTH] = 4
    own, other = [], []
    for worker in position["workers"]:
        (own if worker["seat"] == position["to_move"]["seat"] else other).append(worker["square"])
    for number, name in zip((0, 2, 1, 3), own + other, strict=True):
        square = BY_NAME[name]
        board.pawns[number].pos = (square % WIDTH, square // WIDTH)
    return board, [board.pawns[0], board.pawns[2]]


def figures() -> list[Figure]:
    """Measure, each contender on the same positions."""
    positions = list(boards())
    read = [read_position(position) for position in positions]
    turns = [open_turn(position, seat, kind) for position, seat, kind in read]
    peers = [peer_board(position) for position in positions]

    def our_steps() -> None:
        for turn in turns:
            legal_steps(turn)

    def peer_steps() -> None:
        for board, pawns in peers:
            for pawn in pawns:
                board.get_possible_movement_positions(pawn)

    def our_counts() -> None:
        for position, seat, kind in read:
            perft(position, seat, 1, kind)

    def our_turns() -> None:
        for turn in turns:
            legal_turns(turn, 5_000)

    def peer_turns() -> None:
        for board, pawns in peers:
            for pawn in pawns:
                board.get_possible_movement_and_building_positions(pawn)

    def our_playouts() -> None:
        for _ in range(PLAYOUTS):
            playout(opening, seat, chance)

    table = json.loads((DATA / "perft.json").read_text())["mortal"]["b3,d3/c2,c4"]
    opening, seat, kind = read_position(table["position"])
    chance = random.Random(1)
    steps, peer_s, counts, listed, peer_t, played = best_of_each(
        (our_steps, peer_steps, our_counts, our_turns, peer_turns, our_playouts)
    )
    number = len(turns)
    depth3 = best(lambda: perft(opening, seat, 3, kind), 3)
    rate, unit = number / counts, "positions/s"
    return [
        at_least("legal-step lists", number / steps, "a second", 100_000),
        beside("legal-step lists, to santorinai", number / steps, number / peer_s, "a second"),
        at_least("whole turns enumerated", rate, unit, 100_000),
        beside("whole turns, to santorinai", rate, number / peer_t, unit, least=5),
        Figure("whole turns listed with line and key", number / listed, unit),
        at_most("perft depth 3 (350,208 turns)", depth3, "s", 5),
        at_least("random playouts, step by step", PLAYOUTS / played, "games/s", 1_000),
    ]


def playout(position: Position, seat: int, chance: random.Random) -> int:
    """Play random legal steps until somebody has won or is stuck; return how many there were."""
    kind, count = "normal", 0
    while True:
        turn = open_turn(position, seat, kind)
        while not turn.over:
            steps = legal_steps(turn)
            if not steps:
                return count
            turn = play(turn, chance.choice(steps)).turn
            count += 1
        if turn.outcome is not None:
            return count
        position, seat, kind = successor(turn)
