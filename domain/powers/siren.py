"""Siren."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from domain.board.facts import Fact, PowerChanged
from domain.board.geometry import BEYOND, DIRECTIONS, OFF_BOARD, Crew
from domain.board.position import Held, Note, Position
from domain.rules.power import Power
from domain.rules.sight import shut_to, targetable_foes
from domain.rules.step import Force, PlaceToken, Step
from domain.rules.turn import Turn

PIECE = "arrow"


class Siren(Power):
    """Instead of a turn you may force foes' workers one square along your song, then build.

    Rule: P-42. Note: the direction of the song, None before it is chosen. Each worker goes once at
    most, at any height; then any worker of yours builds.
    """

    key = "siren"
    name = "Siren"
    number = 42
    group = "golden_fleece"
    players = (2, 3, 4)
    phases = ("setup", "alternative_turn")
    bans = {"hecate": "implementation"}
    order_aid = 44
    build_completes = True
    revised = True
    token_names = ("arrow",)
    tokens_on_card = True

    def setup_choices(self, position: Position, held: Held) -> Iterable[Step]:
        """Offer the eight directions."""
        return (PlaceToken(PIECE, direction=direction) for direction in DIRECTIONS)

    def after_setup(self, position: Position, held: Held, step: Step) -> Iterable[Fact]:
        """Remember the direction."""
        if isinstance(step, PlaceToken):
            yield PowerChanged(held.seat, self.key, step.direction)

    def actions(self, turn: Turn, held: Held) -> Iterable[Step]:
        """Offer to force every foe that has not been forced yet and has an open square ahead."""
        if turn.moves or turn.builds or held.note is None:
            return
        position = turn.position
        crew, opening = targetable_foes(position, held.seat), turn.opening.workers
        shut = shut_to(position, held.seat)
        for worker, square in enumerate(position.workers):
            if not crew >> worker & 1 or square != opening[worker]:
                continue
            to = BEYOND[square][held.note]
            if to != OFF_BOARD and not shut >> to & 1:
                yield Force(square, to)

    def movers(self, turn: Turn, held: Held, crew: Crew) -> Crew:
        """Let nobody move once the song has begun."""
        return 0 if turn.other else crew

    def builders(self, turn: Turn, held: Held, crew: Crew) -> Crew:
        """Let any own worker build once the song has begun."""
        if turn.other and not turn.builds:
            return turn.position.crew_of(turn.side)
        return crew

    def may_end(self, turn: Turn, held: Held, complete: bool) -> bool:
        """Take a song and its build for a whole turn."""
        return complete or bool(turn.other and turn.builds)

    def search_key(self, turn: Turn, held: Held, key: tuple[Any, ...]) -> tuple[Any, ...]:
        """Forget the order of the forces: who has been forced shows on the board."""
        return (*key[:9], bool(turn.other), *key[10:])

    def state(self, note: Note) -> dict[str, Any]:
        """``direction``: where the song goes."""
        return {} if note is None else {"direction": note}

    def note_from(self, state: dict[str, Any]) -> Note:
        """Read ``direction``."""
        direction = state.get("direction")
        if direction is not None and direction not in DIRECTIONS:
            raise ValueError("direction")
        return direction

    def key_tokens(self, position: Position, held: Held, secret: bool) -> Iterable[str]:
        """Write the arrow (T-70)."""
        if held.note is not None:
            yield f"{PIECE}@{held.note}"
