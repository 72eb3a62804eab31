"""Which listing indexes a game stands in; private and unlisted games in none."""

from __future__ import annotations

from domain.game.state import NEW, Game

EVERY = "all"


def indexes_of(game: Game) -> frozenset[str]:
    """Name the indexes a game belongs to as it stands."""
    if game.version == 0 or game.settings.visibility != "public":
        return frozenset()
    powers = {chair.power for chair in game.chairs} | {game.ram_power}
    return frozenset(
        [
            EVERY,
            f"status:{game.status}",
            f"variant:{game.settings.variant}",
            *(f"player:{chair.name}" for chair in game.chairs if chair.name is not None),
            *(f"power:{power}" for power in powers if power not in (None, "mortal")),
        ]
    )


def changed(before: Game, after: Game) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the indexes to enter and those to leave, both sorted."""
    same_seats = before.chairs is after.chairs and before.ram_power == after.ram_power
    if before.version and same_seats and before.status == after.status:
        return (), ()  # as after nearly every turn
    old, new = indexes_of(before if before.version else NEW), indexes_of(after)
    return tuple(sorted(new - old)), tuple(sorted(old - new))
