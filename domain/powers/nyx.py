"""Nyx."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from domain.board.facts import Fact, PowerChanged, PowerGained, PowerLost
from domain.board.position import Held, Note, Position
from domain.rules.power import REGISTRY, Power
from domain.rules.step import Choose, Step
from domain.rules.turn import Turn

DAY, NIGHT = "day", "night"


class Nyx(Power):
    """While the number of Complete Towers is odd you have your Night Power and your foe has none.

    Rule: P-66. Looked at when any turn closes (K1); only changes matter. At night the foe's powers
    lie aside with their counters, by day they come back; tokens stay, inert meanwhile (T-48).
    Note: the time and the key of the Night Power.
    """

    key = "nyx"
    name = "Nyx"
    number = 66
    group = "promo"
    players = (2,)
    phases = ("setup", "end_of_turn")
    bans = {
        "chaos": "implementation",
        "chronus": "implementation",
        "circe": "rule",
        "dionysus": "implementation",
        "hecate": "rule",
    }
    order_aid = 51
    wants_night_power = True
    lends = True

    def initial_note(self) -> Note:
        """Day, before the Night Power is known."""
        return (DAY, "")

    def after_setup(self, position: Position, held: Held, step: Step) -> Iterable[Fact]:
        """Remember the Night Power that was named (C-51)."""
        if isinstance(step, Choose) and step.name == "night_power":
            yield PowerChanged(held.seat, self.key, (DAY, step.value))

    def after_turn(self, turn: Turn, held: Held, dice: Any) -> Iterable[Fact]:
        """Turn to night or to day when the parity of the Complete Towers has changed."""
        position = turn.position
        time, card = held.note
        now = NIGHT if position.towers.bit_count() % 2 else DAY
        if now == time:
            return
        side = position.table.side(held.seat)
        if now == NIGHT:
            for other in position.held:
                if position.table.side(other.seat) != side:
                    yield PowerLost(other.seat, other.power, "set_aside")
            yield PowerGained(held.seat, card, REGISTRY[card].initial_note())
        else:
            yield PowerLost(held.seat, card, "returned")
            for other in position.aside:
                yield PowerGained(other.seat, other.power, other.note)
        yield PowerChanged(held.seat, self.key, (now, card))

    def may_bring(self, held: Held) -> Iterable[str]:
        """The Night Power, now or later."""
        if held.note[1]:
            yield held.note[1]

    def state(self, note: Note) -> dict[str, Any]:
        """``time`` (``day`` or ``night``) and ``night_power`` (a key)."""
        return {"time": note[0], "night_power": note[1]}

    def note_from(self, state: dict[str, Any]) -> Note:
        """Read ``time`` and ``night_power``."""
        time, card = state.get("time", DAY), state["night_power"]
        if time not in (DAY, NIGHT) or not REGISTRY[card].golden_fleece:
            raise ValueError(state)
        return (time, card)

    def agrees(self, position: Position, held: Held) -> bool:
        """It is night while the towers are odd, and the cards lie as night or day has them."""
        time, card = held.note
        own = {other.power for other in position.held if other.seat == held.seat}
        foes = any(other.seat != held.seat for other in position.held)
        night = time == NIGHT
        lying = not foes if night else not position.aside
        return night == bool(position.towers.bit_count() % 2) == (card in own) and lying

    def key_state(self, position: Position, held: Held, secret: bool) -> str:
        """Write the time and the Night Power (T-71)."""
        return f"{held.note[0]}/{held.note[1]}"
