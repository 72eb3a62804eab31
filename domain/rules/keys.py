"""The position key (T-70 .. T-74): two positions are equal exactly when their keys are."""

from __future__ import annotations

from functools import cache

from domain.board.geometry import BITS, NAMES, OFF_BOARD, UNSEEN, WIDTH, Seat, Square
from domain.board.position import Held, Position
from domain.rules.perception import hidden_crew
from domain.rules.power import PACT_MAKERS, REGISTRY, overrides

EVERYTHING = "all"
"""The viewer who sees all secrets: the true key."""
KINDS = {"normal": "n"}


def _kind_letter(kind: str) -> str:
    return KINDS.get(kind, kind[0])


def shows_sexes(position: Position) -> bool:
    """Say whether sexes matter to a power that is held, set aside or may still come (T-70)."""
    keys = {held.power for held in (*position.held, *position.aside)}
    keys |= {token.card for token in position.tokens if token.card}
    keys |= {card for held in position.held for card in REGISTRY[held.power].may_bring(held)}
    return any(REGISTRY[key].wants_sexes for key in keys if key in REGISTRY)


def board_part(position: Position) -> str:
    """Write blocks and domes: ranks 5 to 1, ``0``-``3``, ``A``-``D`` with a dome."""
    _, one, two, three, _, _ = position.levels
    domes = position.domes
    return "/".join(
        _rank(one >> low & 31, two >> low & 31, three >> low & 31, domes >> low & 31)
        for low in (20, 15, 10, 5, 0)
    )


@cache
def _rank(one: int, two: int, three: int, domes: int) -> str:
    """Write one rank, given for each level, and for domes, which of its files have them."""
    cells = []
    for file in range(5):
        level = (one >> file & 1) + (two >> file & 1) + (three >> file & 1)
        cells.append("ABCD"[level] if domes >> file & 1 else str(level))
    return "".join(cells)


def _workers_part(position: Position, viewer: Seat | str | None) -> str:
    table = position.table
    sexes = shows_sexes(position)
    hidden = 0 if viewer == EVERYTHING else hidden_crew(position, viewer)
    sides = []
    for side in sorted(set(table.sides)):
        names = []
        for worker, square in enumerate(position.workers):
            figure = position.figures[worker]
            if square == OFF_BOARD or figure.side != side:
                continue
            if square == UNSEEN or hidden >> worker & 1:
                names.append("?")
                continue
            name = NAMES[square] + (figure.sex if sexes else "")
            names.append(f"{figure.seat}{name}" if table.split else name)
        sides.append(",".join(sorted(names)))
    return ";".join(sides)


def _field(position: Position, held: Held, viewer: Seat | str | None) -> str:
    secret = viewer not in (EVERYTHING, held.seat)
    power = REGISTRY[held.power]
    unseen = viewer != EVERYTHING
    state = power.key_state(position, held, unseen if power.deck_secret else secret)
    return f"{held.power}:{state}"


def _powers_part(position: Position, viewer: Seat | str | None) -> str:
    fields = []
    for seat in range(1, position.table.seats + 1):
        entries = [_field(position, held, viewer) for held in position.held if held.seat == seat]
        fields.append(",".join(sorted(entries)))
    return ";".join(fields)


def _tokens_part(position: Position, viewer: Seat | str | None) -> str:
    words = []
    for token in position.tokens:
        place = token.direction or NAMES[token.square]
        words.append(f"{token.name}@{place}{'=' + token.card if token.card else ''}")
    for held in (*position.held, *position.aside):
        secret = viewer not in (EVERYTHING, held.seat)
        words.extend(REGISTRY[held.power].key_tokens(position, held, secret))
    return ",".join(sorted(words))


def _pending_part(position: Position, viewer: Seat | str | None) -> str:
    words = []
    for pact in position.pacts:
        own, other = (position.workers[worker] for worker in (pact.own, pact.other))
        words.append(f"{PACT_MAKERS[pact.name]}={NAMES[own]}-{NAMES[other]}")
    if position.last_moved:
        table = position.table
        watchers = {table.side(seat) for seat in watching_seats(position)}
        card = next(key for key, power in REGISTRY.items() if power.wants_last_moved)
        for side, worker in enumerate(position.last_moved, 1):
            if not watchers - {side}:
                continue
            square = position.workers[worker] if worker >= 0 else OFF_BOARD
            words.append(f"{card}={side}:{NAMES[square] if square >= 0 else '-'}")
    words += [f"aside=S{h.seat}:{_field(position, h, viewer)}" for h in position.aside]
    words += [f"out=S{seat}" for seat in position.out]
    return ",".join(sorted(words))


def watching_seats(position: Position) -> set[Seat]:
    """Return the seats that hold, or can still get, a power that looks at the last mover (T-70)."""
    seats: set[Seat] = set()
    for held in (*position.held, *position.aside):
        power = REGISTRY[held.power]
        cards = {held.power, *power.may_bring(held)}
        if any(REGISTRY[card].wants_last_moved for card in cards if card in REGISTRY):
            seats.add(held.seat)
            if any(REGISTRY[h.power].may_steal for h in position.held):
                seats.update(range(1, position.table.seats + 1))
    for token in position.tokens:
        if token.card and REGISTRY[token.card].wants_last_moved:
            seats.update(range(1, position.table.seats + 1))
    return seats


def position_key(
    position: Position, seat: Seat, kind: str = "normal", viewer: Seat | str | None = EVERYTHING
) -> str:
    """Write the key of a position in which ``seat`` is to play a turn of this kind.

    ``viewer`` is a seat, None for the public (T-74), or ``EVERYTHING`` for the true key.
    """
    table = position.table
    return "|".join(
        (
            f"{table.variant}/{table.mode}",
            board_part(position),
            _workers_part(position, viewer),
            f"S{seat}{_kind_letter(kind)}",
            _powers_part(position, viewer),
            _tokens_part(position, viewer),
            _pending_part(position, viewer),
        )
    )


class Outline:
    """The key of a table on which no power, token or obligation can be; one piece may be added.

    Most of such a key is the same for every build after one move, and is written once.
    """

    def __init__(self, position: Position, seat: Seat, kind: str) -> None:
        """Write what does not depend on where the next piece goes."""
        self._position = position
        head, _, *rest = position_key(position, seat, kind).split("|")
        self._head, self._tail = f"{head}|", "|" + "|".join(rest)
        self._ranks = board_part(position).split("/")

    def key(self) -> str:
        """Return the key of the table as it is."""
        return self._head + "/".join(self._ranks) + self._tail

    def key_with(self, site: Square) -> str:
        """Return the key with one more piece on a square: a dome on three blocks, else a block."""
        _, one, two, three, _, _ = self._position.levels
        domes, bit = self._position.domes, BITS[site]
        if three & bit:
            domes |= bit
        elif two & bit:
            three |= bit
        elif one & bit:
            two |= bit
        else:
            one |= bit
        rank = 4 - site // WIDTH
        low = site // WIDTH * WIDTH
        before = self._ranks[rank]
        self._ranks[rank] = _rank(
            one >> low & 31, two >> low & 31, three >> low & 31, domes >> low & 31
        )
        key = self.key()
        self._ranks[rank] = before
        return key


def has_secrets(position: Position) -> bool:
    """Say whether anything on this table is hidden from somebody."""
    return any(
        overrides(REGISTRY[held.power], "hides") or REGISTRY[held.power].hidden_information
        for held in position.held
    )
