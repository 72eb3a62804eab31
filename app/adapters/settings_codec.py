"""Settings as requests, games and ``created`` events write them (contract, section 3)."""

from __future__ import annotations

from typing import Any

from domain.game.settings import PowersOption, Settings

_MEMBERS: dict[str, tuple[str, ...]] = {
    "none": (),
    "fixed": ("seats",),
    "random": ("groups", "perfect_information"),
    "draft": ("order", "offer", "groups", "perfect_information"),
    "golden_fleece": ("offer", "groups", "power"),
}


def settings_json(settings: Settings) -> dict[str, Any]:
    """Write settings with every member that applies to their powers mode."""
    return {
        "variant": settings.variant,
        "powers": _powers_json(settings.powers),
        "placement": settings.placement,
        "start_seat": settings.start_seat,
        "turn_seconds": settings.turn_seconds,
        "visibility": settings.visibility,
    }


def _powers_json(powers: PowersOption) -> dict[str, Any]:
    written: dict[str, Any] = {"mode": powers.mode}
    for name in _MEMBERS[powers.mode]:
        value = getattr(powers, name)
        if isinstance(value, tuple):
            value = list(value)
        if value not in ("", []):
            written[name] = value
    return written


def settings_from(written: dict[str, Any]) -> Settings:
    """Read settings back; they were validated when they came in.

    Raises:
        KeyError: a member is missing.
    """
    powers = written["powers"]
    return Settings(
        variant=written["variant"],
        powers=PowersOption(
            mode=powers["mode"],
            seats=tuple(powers.get("seats", ())),
            groups=tuple(powers.get("groups", ())),
            order=powers.get("order", ""),
            offer=powers.get("offer", ""),
            perfect_information=powers.get("perfect_information", False),
            power=powers.get("power", ""),
        ),
        placement=written["placement"],
        start_seat=written["start_seat"],
        turn_seconds=written["turn_seconds"],
        visibility=written["visibility"],
    )
