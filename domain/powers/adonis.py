"""Adonis."""

from __future__ import annotations

from collections.abc import Iterable

from domain.board.geometry import NAMES, NEIGHBOURS, in_name_order
from domain.board.position import Held
from domain.rules.power import Power
from domain.rules.sight import acts_at_the_end, targetable_foes
from domain.rules.step import Build, Choose, PlaceToken, RemoveBlock, Step, TakeToken
from domain.rules.turn import Turn

CHOICE = "pair"
STANDING = (Build, PlaceToken, TakeToken, RemoveBlock, Choose)
"""Steps that leave every worker where it is."""


class Embrace(Power):
    """The two chosen workers are neighbours when the turn of the other's side ends, if possible.

    Rule: P-47, T-34. Its memory is the pact. A turn that takes one of the two out of the game does
    not fulfil it.
    """

    def demands(self, turn: Turn, held: Held) -> bool:
        """Look whether the pair stands together at the end."""
        workers = turn.position.workers
        own, other = workers[held.note.own], workers[held.note.other]
        return own >= 0 and other >= 0 and bool(NEIGHBOURS[own] >> other & 1)

    def hopeful(self, turn: Turn, held: Held, kind: type[Step]) -> bool:
        """After moves and a build only what a card does at the end brings workers together.

        No card does so after a second build.
        """
        late = bool(turn.builds) or bool(turn.moves and not acts_at_the_end(turn))
        return not (late and kind in STANDING) or self.demands(turn, held)


class Adonis(Power):
    """Once a game, at the end of your turn, you choose a worker of yours and one of the foe.

    Rule: P-47. If possible the two must be neighbours at the end of the foe's next turn.
    """

    key = "adonis"
    name = "Adonis"
    number = 47
    group = "hero"
    players = (2,)
    phases = ("end_of_turn", "opponent_turn")
    bans = {"circe": "rule", "hecate": "implementation"}
    order_aid = 25
    hero = True
    revised = True
    pacts = {CHOICE: Embrace()}

    def actions(self, turn: Turn, held: Held) -> Iterable[Step]:
        """Offer every pair after the build."""
        if not (turn.moves and turn.builds) or turn.other:
            return
        position = turn.position
        foes = position.squares_of_crew(targetable_foes(position, held.seat))
        for own in in_name_order(position.squares_of_crew(position.crew_of(turn.side))):
            for other in in_name_order(foes):
                yield Choose(CHOICE, f"{NAMES[own]}-{NAMES[other]}")

    def spends(self, turn: Turn, held: Held) -> bool:
        """Spend the power by the choice."""
        return bool(turn.other)
