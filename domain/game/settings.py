"""How a game was created: the options of the contract, section 3, already validated."""

from __future__ import annotations

from msgspec import Struct


class PowersOption(Struct, frozen=True, omit_defaults=True):
    """The ``powers`` member of a creation request; members that do not apply stay at defaults."""

    mode: str = "none"
    """``none``, ``fixed``, ``random``, ``draft`` or ``golden_fleece``."""
    seats: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    order: str = ""
    offer: str = ""
    perfect_information: bool = False
    power: str = ""


class Settings(Struct, frozen=True):
    """The settings a game keeps for life; ``turn_seconds`` in seconds, None for no clock."""

    variant: str = "duel"
    powers: PowersOption = PowersOption()
    placement: str = "free"
    start_seat: int | str = "random"
    turn_seconds: int | None = 86_400
    visibility: str = "public"


def powers_mode(settings: Settings) -> str:
    """Return the mode as position keys name it (T-70): ``none``, ``gods`` or ``golden_fleece``."""
    mode = settings.powers.mode
    return mode if mode in ("none", "golden_fleece") else "gods"
