"""Can this position stand on a table? Who sends one for analysis hears what is wrong with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations

from domain.board.geometry import BITS, Seat, Side, neighbours_of
from domain.board.position import Figure, Held, Position
from domain.game.pool import banned, catalogue
from domain.game.validation import MODES_OF
from domain.rules.power import power_of

Wrong = tuple[str, str]
"""A JSON pointer into the position, and what is wrong there."""


def wrongs(position: Position, seat: Seat, kind: str) -> list[Wrong]:
    """List what cannot be so in a position that ``read_position`` could read; empty if it can."""
    return [
        *_mode(position),
        *_seats(position, seat),
        *_kind(position, kind),
        *_crews(position),
        *_cards(position),
        *_hands(position),
        *_ram(position),
        *_tokens(position),
    ]


def _mode(position: Position) -> Iterator[Wrong]:
    """Refuse a powers mode that the variant has not (core section 7)."""
    table = position.table
    modes = MODES_OF[table.variant]
    hosted = {
        "none": "none" in modes,
        "gods": "fixed" in modes,
        "golden_fleece": "golden_fleece" in modes,
    }
    if not hosted[table.mode]:
        yield "/powers_mode", f"{table.variant} is not played in the mode {table.mode}."


def _seats(position: Position, seat: Seat) -> Iterator[Wrong]:
    table = position.table
    for index, gone in enumerate(position.out):
        if gone > table.seats:
            yield f"/pending/eliminated/{index}", "There is no such seat."
    if position.out and (table.teams or table.seats - len(set(position.out)) < 2):
        yield "/pending/eliminated", "Too few sides are left for a game."
    if seat in position.out:
        yield "/to_move/seat", "This seat is out of the game."
    for index, figure in _standing(position):
        if figure.seat in position.out:
            yield f"/workers/{index}/seat", "A seat that is out has no workers (C-41)."
    for index, held in enumerate(position.held):
        if held.seat in position.out:
            yield f"/powers/{index}/seat", "A seat that is out has no power (C-41)."


def _kind(position: Position, kind: str) -> Iterator[Wrong]:
    """Refuse an extra turn that no power of the game can have given (T-45)."""
    cards = {held.power for held in _cards_in_game(position)}
    cards |= {token.card for token in position.tokens}
    if kind != "normal" and kind not in cards:
        yield "/to_move/kind", f"No power of this game gives a turn of the kind {kind}."


def _cards_in_game(position: Position) -> tuple[Held, ...]:
    return (*position.held, *position.aside)


# -- workers ------------------------------------------------------------------------------------


def _crews(position: Position) -> Iterator[Wrong]:
    """Refuse more workers than a side can have, and a second female one (C-7, C-12)."""
    table = position.table
    female: set[Side] = set()
    for index, figure in _standing(position):
        if figure.sex == "f":
            if figure.side in female:
                yield f"/workers/{index}/sex", "A side has one female worker at most (C-7)."
            female.add(figure.side)
    for side, count in _counted(figure.side for _, figure in _standing(position)):
        most = _most_workers(position, side)
        if most is not None and count > most:
            yield "/workers", f"Side {side} has more than {most} workers."
    if table.split:
        for seat, count in _counted(figure.seat for _, figure in _standing(position)):
            if count > table.crew_size:
                yield "/workers", f"Seat {seat} has more than its one worker (C-45)."


def _standing(position: Position) -> Iterator[tuple[int, Figure]]:
    """Yield the workers on the board, with their numbers."""
    for index, figure in enumerate(position.figures):
        if position.workers[index] >= 0:
            yield index, figure


def _counted(numbers: Iterable[int]) -> list[tuple[int, int]]:
    return sorted(Counter(numbers).items())


def _most_workers(position: Position, side: Side) -> int | None:
    """Return how many workers a side can have with its cards; None for any number.

    A hero that is spent has left its seat with none, and a thief may hold what was the side's own.
    """
    table = position.table
    crew = table.crew_size * (2 if table.split else 1)
    if table.mode != "gods":
        return crew
    cards = _cards_in_game(position)
    thieves = any(power_of(held).may_steal for held in cards)
    own = [held for held in cards if thieves or table.side(held.seat) == side]
    powers = [power_of(held) for held in own]
    if any(power.gains_workers for power in powers):
        return None
    extra = sum(power.extra_workers for power in powers)
    if len({held.seat for held in own}) < len(table.seats_of(side)):
        heroes = [p for p in catalogue().values() if p.hero and table.seats in p.players]
        extra += max((hero.extra_workers for hero in heroes), default=0)
    return max([crew, *(power.setup_workers for power in powers)]) + extra


# -- powers -------------------------------------------------------------------------------------


def _cards(position: Position) -> Iterator[Wrong]:
    """Refuse powers that cannot be in one game (V-20), or not in this one."""
    table, held = position.table, position.held
    if table.mode == "none" and held:
        yield "/powers", "There are no powers in the mode none."
    if table.mode != "gods":
        return
    for index, one in enumerate(held):
        if table.seats not in power_of(one).players:
            yield f"/powers/{index}/key", f"{one.power} is not for {table.seats} players."
        elif not power_of(one).agrees(position, one):
            yield f"/powers/{index}/state", f"The table contradicts this state of {one.power}."
    pointers = [f"/powers/{index}/key" for index in range(len(held))]
    pointers += [f"/pending/set_aside/{index}/key" for index in range(len(position.aside))]
    placed = zip(pointers, _cards_in_game(position), strict=True)
    for (_, one), (pointer, two) in combinations(placed, 2):
        if one.power == two.power:
            yield pointer, f"{one.power} can be in a game only once."
        elif banned(one.power, two.power):
            yield pointer, f"{one.power} and {two.power} are a banned pair."
    yield from _brought(position)


def _brought(position: Position) -> Iterator[Wrong]:
    """Refuse a card that waits to come into play beside one it is banned with (V-24)."""
    cards = _cards_in_game(position)
    for index, one in enumerate(position.held):
        for key in power_of(one).may_bring(one):
            for other in cards:
                if banned(key, other.power):
                    detail = f"{key} and {other.power} are a banned pair."
                    yield f"/powers/{index}/state", detail
                elif key == other.power and one.seat != other.seat:
                    yield f"/powers/{index}/state", f"{key} can be in a game only once."


def _hands(position: Position) -> Iterator[Wrong]:
    """Refuse more cards in one hand than a card of its own accounts for."""
    if position.table.mode != "gods":
        return
    for seat in range(1, position.table.seats + 1):
        cards = [index for index, held in enumerate(position.held) if held.seat == seat]
        lenders = sum(power_of(position.held[index]).lends for index in cards)
        if len(cards) > 1 + lenders:
            yield f"/powers/{cards[-1]}/seat", f"Seat {seat} cannot hold all of these powers."


def _ram(position: Position) -> Iterator[Wrong]:
    """Refuse a Ram where it cannot stand, and hands that it has not filled (V-4 .. V-6)."""
    rams = position.rams
    if rams & (position.occupied | position.domes | position.levels[1]):
        yield "/ram/square", "The Ram stands on an empty square of the ground."
    if (position.table.mode == "golden_fleece") != bool(rams):
        yield "/ram", "The Ram stands in the mode golden_fleece, and only there."
        return
    for token in position.tokens:
        if token.card and not catalogue()[token.card].golden_fleece:
            yield "/ram/power", f"{token.card} cannot lie by the Ram (V-4)."
        elif token.card:
            yield from _ram_hands(position, token.card)


def _ram_hands(position: Position, card: str) -> Iterator[Wrong]:
    near = neighbours_of(position.rams)
    beside = sorted(
        {f.seat for index, f in _standing(position) if near & BITS[position.workers[index]]}
    )
    if sorted((held.power, held.seat) for held in position.held) != [(card, s) for s in beside]:
        yield "/powers", f"Whoever neighbours the Ram holds {card}, and nobody else (V-5)."


# -- tokens -------------------------------------------------------------------------------------


def _tokens(position: Position) -> Iterator[Wrong]:
    """Refuse tokens nobody can have brought, too many of them, and shared squares (C-11)."""
    powers = [power_of(held) for held in _cards_in_game(position)]
    brought = Counter(name for power in powers for name in power.token_names)
    taken = 0
    for index, token in enumerate(t for t in position.tokens if not t.card):
        brought[token.name] -= 1
        if brought[token.name] < 0:
            yield f"/tokens/{index}/name", f"No card of this game has this {token.name}."
        if token.square >= 0:
            bit = BITS[token.square]
            if (taken | position.domes) & bit:
                yield f"/tokens/{index}/square", "A token lies alone, and on no dome (C-11)."
            taken |= bit
