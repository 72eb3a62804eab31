"""Positions in the JSON form of the vectors, read and written (contract: ``POST /v1/analysis``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from domain.board.geometry import (
    BY_NAME,
    DIRECTIONS,
    EVERYWHERE,
    NAMES,
    OFF_BOARD,
    Mask,
    Seat,
    Square,
)
from domain.board.position import (
    SUPPLY,
    VARIANTS,
    Figure,
    Held,
    Pact,
    Position,
    Table,
    Token,
    table_for,
)
from domain.rules.keys import watching_seats
from domain.rules.power import PACT_MAKERS, REGISTRY, extra_kinds

ORDER: tuple[Square, ...] = tuple(r * 5 + f for r in range(4, -1, -1) for f in range(5))
"""The squares in the order of ``levels``: a5 b5 ... e5, a4 ... e1."""


class ImpossiblePosition(ValueError):
    """A position that cannot stand on a table: what is wrong, and a JSON pointer to it."""

    def __init__(self, pointer: str, detail: str) -> None:
        super().__init__(f"{pointer}: {detail}")
        self.pointer = pointer
        self.detail = detail


def _square(name: Any, pointer: str) -> Square:
    if not isinstance(name, str) or name not in BY_NAME:
        raise ImpossiblePosition(pointer, "must be a square a1 .. e5")
    return BY_NAME[name]


def _seat(value: Any, seats: int, pointer: str) -> Seat:
    if type(value) is not int or not 1 <= value <= seats:
        raise ImpossiblePosition(pointer, f"must be a seat 1 .. {seats}")
    return value


def _levels(text: Any) -> tuple[int, int, int, int, int, int]:
    if not isinstance(text, str) or len(text) != 25 or set(text) - set("0123"):
        raise ImpossiblePosition("/levels", "must be 25 digits 0 .. 3, a5 b5 ... e5, a4 ... e1")
    masks = [EVERYWHERE, 0, 0, 0, 0, 0]
    for square, digit in zip(ORDER, text, strict=True):
        for level in range(1, int(digit) + 1):
            masks[level] |= 1 << square
    for level in (1, 2, 3):
        if masks[level].bit_count() > SUPPLY[level - 1]:
            raise ImpossiblePosition("/levels", f"more level-{level} blocks than the supply holds")
    return (masks[0], masks[1], masks[2], masks[3], 0, 0)


def _held(entries: Any, seats: int, pointer: str) -> tuple[Held, ...]:
    held = []
    for index, entry in enumerate(entries):
        at = f"{pointer}/{index}"
        key = entry.get("key")
        if key not in REGISTRY:
            raise ImpossiblePosition(f"{at}/key", "no such power")
        seat = _seat(entry.get("seat"), seats, f"{at}/seat")
        try:
            note = REGISTRY[key].note_from(entry.get("state") or {})
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            raise ImpossiblePosition(f"{at}/state", f"not a state of {key}") from error
        for name in sorted(set(entry.get("state") or {}) - set(REGISTRY[key].state(note))):
            raise ImpossiblePosition(f"{at}/state/{name}", f"{key} remembers no such thing")
        held.append(Held(key, seat, note))
    return tuple(held)


def _domes(data: Mapping[str, Any]) -> Mask:
    domes = 0
    for index, name in enumerate(data.get("domes") or ()):
        bit = 1 << _square(name, f"/domes/{index}")
        if domes & bit:
            raise ImpossiblePosition(f"/domes/{index}", "a square holds one dome at most")
        domes |= bit
    if domes.bit_count() > SUPPLY[3]:
        raise ImpossiblePosition("/domes", "more domes than the supply holds")
    return domes


def _workers(
    data: Mapping[str, Any], table: Table, domes: Mask
) -> tuple[tuple[Square, ...], tuple[Figure, ...]]:
    """Read where the workers stand and who they are, in the order given."""
    squares: list[Square] = []
    figures = []
    for index, entry in enumerate(data.get("workers") or ()):
        at = f"/workers/{index}"
        square = _square(entry.get("square"), f"{at}/square")
        if square in squares or domes >> square & 1:
            raise ImpossiblePosition(f"{at}/square", "holds another worker or a dome")
        seat = _seat(entry.get("seat"), table.seats, f"{at}/seat")
        if entry.get("sex", "m") not in ("f", "m"):
            raise ImpossiblePosition(f"{at}/sex", "must be f or m")
        squares.append(square)
        figures.append(Figure(seat, table.side(seat), entry.get("sex", "m")))
    return tuple(squares), tuple(figures)


def _token_owners() -> dict[str, str]:
    """Return whose the tokens are that may lie on or beside the board, by their names."""
    return {
        name: key
        for key, power in sorted(REGISTRY.items())
        if not power.tokens_on_card
        for name in power.token_names
    }


def _tokens(data: Mapping[str, Any], held: tuple[Held, ...]) -> tuple[Token, ...]:
    tokens = []
    owners = {h.power: h.seat for h in held}
    cards = _token_owners()
    for index, entry in enumerate(data.get("tokens") or ()):
        at = f"/tokens/{index}"
        name = entry.get("name")
        if name not in cards:
            raise ImpossiblePosition(f"{at}/name", f"must be one of {', '.join(sorted(cards))}")
        owner = owners.get(cards[name], 0)
        if name == "wind":
            direction = entry.get("direction")
            if direction not in DIRECTIONS:
                raise ImpossiblePosition(f"{at}/direction", "must be a compass direction")
            tokens.append(Token(name, owner, OFF_BOARD, direction))
        else:
            tokens.append(Token(name, owner, _square(entry.get("square"), f"{at}/square")))
    ram = data.get("ram")
    if ram:
        if ram.get("power") not in REGISTRY:
            raise ImpossiblePosition("/ram/power", "no such power")
        square = _square(ram.get("square"), "/ram/square")
        tokens.append(Token("ram", 0, square, card=ram["power"]))
    return tuple(tokens)


def read_position(data: Mapping[str, Any]) -> tuple[Position, Seat, str]:
    """Read a position: the table, the seat to play and the kind of its turn.

    Raises:
        ImpossiblePosition: the data cannot stand on a table; it names the member.
    """
    variant = data.get("variant")
    if variant not in VARIANTS:
        raise ImpossiblePosition("/variant", "must be one of " + ", ".join(VARIANTS))
    mode = data.get("powers_mode", "none")
    if mode not in ("none", "gods", "golden_fleece"):
        raise ImpossiblePosition("/powers_mode", "must be none, gods or golden_fleece")
    table = table_for(variant, mode)
    levels = _levels(data.get("levels"))
    domes = _domes(data)
    squares, figures = _workers(data, table, domes)
    held = _held(data.get("powers") or (), table.seats, "/powers")
    pending = data.get("pending") or {}
    position = Position(
        levels,
        domes,
        squares,
        sum(1 << square for square in squares),
        figures,
        table,
        held,
        _tokens(data, held),
        aside=_held(pending.get("set_aside") or (), table.seats, "/pending/set_aside"),
        out=tuple(pending.get("eliminated") or ()),
    )
    position = _with_pending(position, pending)
    to_move = data.get("to_move") or {}
    seat = _seat(to_move.get("seat"), table.seats, "/to_move/seat")
    kind = to_move.get("kind", "normal")
    kinds = ("normal", *extra_kinds())
    if kind not in kinds:
        raise ImpossiblePosition("/to_move/kind", f"must be one of {', '.join(kinds)}")
    return position, seat, kind


def _with_pending(position: Position, pending: Mapping[str, Any]) -> Position:
    for choice, card in PACT_MAKERS.items():
        if pact := pending.get(card):
            at = f"/pending/{card}"
            own = position.worker_at(_square(pact.get("own"), f"{at}/own"))
            other = position.worker_at(_square(pact.get("other"), f"{at}/other"))
            if own < 0 or other < 0:
                raise ImpossiblePosition(at, "names a square without a worker")
            chooser = position.figures[own].seat
            position = replace(position, pacts=(Pact(choice, chooser, own, other),))
    last = pending.get("last_moved") or {}
    if last or watching_seats(position):
        workers = []
        for side in sorted(set(position.table.sides)):
            name = last.get(str(side))
            if name is None:
                workers.append(-1)
            else:
                at = f"/pending/last_moved/{side}"
                worker = position.worker_at(_square(name, at))
                if worker < 0 or position.side_of(worker) != side:
                    raise ImpossiblePosition(at, "must be the square of a worker of this side")
                workers.append(worker)
        position = replace(position, last_moved=tuple(workers))
    return position


def write_position(position: Position, seat: Seat, kind: str = "normal") -> dict[str, Any]:
    """Write a position in the JSON form of the vectors; every secret is shown."""
    data: dict[str, Any] = {
        "variant": position.table.variant,
        "powers_mode": position.table.mode,
        "to_move": {"seat": seat, "kind": kind},
        "levels": "".join(str(position.level(square)) for square in ORDER),
        "domes": [
            NAMES[s] for s in sorted(ORDER, key=NAMES.__getitem__) if position.domes >> s & 1
        ],
        "workers": [
            {"square": NAMES[square], "seat": figure.seat, "sex": figure.sex}
            for square, figure in zip(position.workers, position.figures, strict=True)
            if square >= 0
        ],
        "powers": [_power_json(held) for held in position.held],
        "tokens": [
            {"name": t.name, "direction": t.direction}
            if t.direction
            else {"name": t.name, "square": NAMES[t.square]}
            for t in position.tokens
            if t.name != "ram"
        ],
    }
    for token in position.tokens:
        if token.name == "ram":
            data["ram"] = {"square": NAMES[token.square], "power": token.card}
    pending = pending_json(position)
    if pending:
        data["pending"] = pending
    return data


def _power_json(held: Held) -> dict[str, Any]:
    state = REGISTRY[held.power].state(held.note)
    entry: dict[str, Any] = {"seat": held.seat, "key": held.power}
    return entry | {"state": state} if state else entry


def pending_json(position: Position) -> dict[str, Any]:
    """Write what is pending: a pact, last moved workers, powers set aside, seats that are out."""
    pending: dict[str, Any] = {}
    for pact in position.pacts:
        pending[PACT_MAKERS[pact.name]] = {
            "own": NAMES[position.workers[pact.own]],
            "other": NAMES[position.workers[pact.other]],
        }
    if position.last_moved and watching_seats(position):
        pending["last_moved"] = {
            str(side): NAMES[position.workers[worker]]
            for side, worker in enumerate(position.last_moved, 1)
            if worker >= 0
        }
    if position.aside:
        pending["set_aside"] = [_power_json(held) for held in position.aside]
    if position.out:
        pending["eliminated"] = list(position.out)
    return pending
