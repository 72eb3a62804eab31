"""What this build can host: variants with their options, and the powers."""

from __future__ import annotations

from typing import Any

from app.views.texts import LANGUAGES, direction_of, memories, rules_in
from domain.board.position import VARIANTS, table_for
from domain.game.pool import catalogue
from domain.game.validation import (
    GROUPS,
    MAX_TURN_SECONDS,
    MODES_OF,
    PLACEMENTS,
    RECOMMENDED,
    VISIBILITIES,
)
from domain.rules.power import Power


def variants_body() -> dict[str, Any]:
    """Return every variant with the options it takes (core rules, section 7)."""
    return {"variants": [_variant(key) for key in VARIANTS]}


def _variant(key: str) -> dict[str, Any]:
    table = table_for(key)
    return {
        "key": key,
        "seats": table.seats,
        "sides": list(table.sides),
        "workers_per_side": table.crew_size * (2 if table.split else 1),
        "powers": list(MODES_OF[key]),
        "groups": _groups(key, table.seats),
        "placements": [p for p in PLACEMENTS if p == "free" or key in RECOMMENDED],
        "visibilities": list(VISIBILITIES),
        "turn_seconds": {"minimum": 1, "maximum": MAX_TURN_SECONDS},
    }


def _groups(key: str, seats: int) -> list[str]:
    """Return the groups with a power for that many seats, where the variant has powers."""
    if MODES_OF[key] == ("none",):
        return []
    found = {power.group for power in catalogue().values() if seats in power.players}
    return [group for group in GROUPS if group in found]


def powers_body(language: str = LANGUAGES[0]) -> dict[str, Any]:
    """Return the catalogue in the order of the cards' numbers; ``language`` as for one card."""
    powers = sorted(catalogue().values(), key=lambda power: power.number)
    return {"powers": [power_body(power, language) for power in powers]}


def power_body(power: Power, language: str = LANGUAGES[0]) -> dict[str, Any]:
    """Return one card: its fields, its memory explained, its rule in one of ``LANGUAGES``.

    A card that has no text in that language yet says in English what its class says.
    """
    rule, language = _rule(power, language)
    return {
        "id": power.number,
        "key": power.key,
        "name": power.name,
        "group": power.group,
        "players": list(power.players),
        "golden_fleece": power.golden_fleece,
        "hidden_information": power.hidden_information,
        "banned_with": sorted(power.bans),
        "phases": list(power.phases),
        "order_aid": power.order_aid,
        "must_start": power.must_start,
        "must_not_start": power.must_not_start,
        "setup_workers": power.setup_workers,
        "extra_workers": power.extra_workers,
        "tokens": list(power.token_names),
        "hero": power.hero,
        "random": power.hidden_information and power.deck_secret,
        "revised": power.revised,
        "ban_kinds": dict(power.bans),
        "state": dict(memories().get(power.key, {})),
        "rule": rule,
        "language": language,
        "text_direction": direction_of(language),
    }


def _rule(power: Power, language: str) -> tuple[str, str]:
    """Return the rule and the language it is in."""
    rule = rules_in(language).get(power.key)
    if rule is not None:
        return rule, language
    said = (type(power).__doc__ or "").strip().partition("\n\n")[0]
    return " ".join(said.split()), "en"
