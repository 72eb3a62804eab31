"""A command tried out: what its seat may expect of it, nothing hidden met, no card drawn.

A dry run shows it; a request of several steps is judged by it, so that a refusal tells nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from msgspec.structs import replace

from domain.board.geometry import Seat
from domain.game.journal import Context, Journal
from domain.game.state import Chair, Game
from domain.rules.perception import believed, disclosed, perceived, told
from domain.rules.power import REGISTRY, overrides

T = TypeVar("T")


def rehearsed(game: Game, seat: Seat | None, context: Context) -> Journal:
    """Return a journal on the game as a seat may know it; None is who sees no secret.

    Where somebody has a secret, what comes after the close of the running decision stays open.
    """
    return Journal(_as_told(game, seat), context, rehearsing=True)


def judged_blindly(journal: Journal, seat: Seat, attempt: Callable[[Journal], None]) -> bool:
    """Let a seat that may be ignorant of a secret make its attempt where none is met (T-52).

    What is refused then is refused for all its seat knows. What is not cannot be refused any more:
    a part that meets a secret stands as it fell (T-54), and no refusal may tell one. Says whether
    there is anything the seat does not know; without it nothing is attempted.

    Raises:
        Refusal: the attempt, for all the seat knows, is not accepted.
    """
    position = journal.game.position
    if journal.rehearsing or position is None or believed(position, seat) is position:
        return False
    attempt(rehearsed(journal.game, seat, Context(journal.context.now, _Still())))
    return True


def with_cards(game: Game, true: Game) -> Game:
    """Return a game that was tried with its cards as they truly are, for a view to redact.

    A view tells ``?``, the secret that there is, from a secret not chosen yet.
    """
    if game.position is None or true.position is None:
        return game
    kept = {
        (held.power, held.seat): held
        for held in true.position.held
        if overrides(REGISTRY[held.power], "veiled")
    }
    held = tuple(
        kept.get((card.power, card.seat), card) if card.note is None else card
        for card in game.position.held
    )
    chairs = tuple(
        known if (known.power, known.seat) in kept and _untold(chair) else chair
        for chair, known in zip(game.chairs, true.chairs, strict=True)
    )
    return replace(game, position=replace(game.position, held=held), chairs=chairs)


def _untold(chair: Chair) -> bool:
    return chair.dealt is not None and chair.dealt.note is None


class _Still:
    """Dice that are not thrown."""

    def choice(self, options: Sequence[T]) -> T:
        """Pick the first one."""
        return options[0]

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """Leave the order."""
        return tuple(items)

    def nonce(self) -> str:
        """Return none."""
        return ""


def _as_told(game: Game, seat: Seat | None) -> Game:
    """Return the game without what a seat may not know."""
    if game.position is None or game.status == "finished":
        return game
    turn = game.turn
    if turn is not None:
        turn = perceived(turn, seat)
        turn = replace(turn, position=disclosed(turn.position, seat))
    chairs = tuple(
        chair
        if chair.dealt is None or chair.dealt.power not in REGISTRY
        else replace(chair, dealt=told(chair.dealt, seat))
        for chair in game.chairs
    )
    return replace(game, position=disclosed(game.position, seat), turn=turn, chairs=chairs)
