"""The powers a game may deal: marks, groups, bans, sets that can be completed (C-50, V-20)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from domain.board.geometry import Seat
from domain.board.position import table_for
from domain.game.commands import Dice
from domain.game.settings import Settings
from domain.game.state import Game
from domain.powers import CATALOGUE
from domain.rules.power import Power, overrides

STANDARD_WORKERS = 2


def catalogue() -> Mapping[str, Power]:
    """Return every power of this build by key."""
    return CATALOGUE


def banned(one: str, two: str) -> bool:
    """Say whether two powers may never be in the same game (V-20)."""
    known = catalogue()
    return two in known[one].bans or one in known[two].bans


def alters_placement(power: Power) -> bool:
    """Say whether a power changes how workers are placed (C-15)."""
    return (
        power.setup_workers != STANDARD_WORKERS
        or power.must_not_start
        or overrides(power, "placements")
    )


def offer_size(settings: Settings) -> int:
    """Return how many powers an offer holds: one a seat (C-50), two with the Ram (V-4)."""
    seats = table_for(settings.variant).seats
    return 2 if settings.powers.mode == "golden_fleece" else seats


def eligible(settings: Settings) -> tuple[str, ...]:
    """List the powers that may be offered or dealt, in the order of their numbers."""
    seats, powers = table_for(settings.variant).seats, settings.powers
    fleece = powers.mode == "golden_fleece"
    return tuple(
        power.key
        for power in sorted(catalogue().values(), key=lambda power: power.number)
        if seats in power.players
        and (not powers.groups or power.group in powers.groups)
        and not (powers.perfect_information and power.hidden_information)
        and (power.golden_fleece or not fleece)
        and (fleece or settings.placement != "recommended" or not alters_placement(power))
    )


def wants_night_power(keys: Iterable[str]) -> bool:
    """Say whether one of these powers needs a Night Power named (C-51)."""
    return any(catalogue()[key].wants_night_power for key in keys)


def night_powers(offer: Sequence[str]) -> tuple[str, ...]:
    """List the powers that can be the Night Power beside this offer (V-24)."""
    return tuple(
        power.key
        for power in sorted(catalogue().values(), key=lambda power: power.number)
        if power.golden_fleece
        and power.key not in offer
        and not any(banned(power.key, key) for key in offer)
    )


def _fits(key: str, chosen: Sequence[str]) -> bool:
    return key not in chosen and not any(banned(key, other) for other in chosen)


def complete(chosen: Sequence[str], pool: Sequence[str], size: int) -> tuple[str, ...] | None:
    """Return the first way to fill up a set from the pool in its order, or None."""
    if len(chosen) >= size:
        playable = not wants_night_power(chosen) or night_powers(chosen)
        return tuple(chosen) if playable else None
    for index, key in enumerate(pool):
        if _fits(key, chosen):
            found = complete((*chosen, key), pool[index + 1 :], size)
            if found is not None:
                return found
    return None


def additions(chosen: Sequence[str], pool: Sequence[str], size: int) -> tuple[str, ...]:
    """List the powers with which a set can still be completed."""
    return tuple(
        key
        for key in pool
        if _fits(key, chosen) and complete((*chosen, key), pool, size) is not None
    )


def deal_exists(settings: Settings) -> bool:
    """Say whether the options leave enough powers that may be played together."""
    size = 1 if settings.powers.mode == "golden_fleece" else offer_size(settings)
    if settings.powers.offer == "draft":
        size = offer_size(settings)
    return complete((), eligible(settings), size) is not None


def draw(settings: Settings, size: int, dice: Dice) -> tuple[str, ...]:
    """Draw compatible powers at random."""
    drawn = complete((), dice.shuffled(eligible(settings)), size)
    assert drawn is not None, "checked when the game was created"
    return dice.shuffled(drawn)


def draw_limited(settings: Settings, dice: Dice) -> tuple[str, ...]:
    """Draw the random set a ``limited`` offer is built from (C-53); an offer fits into it."""
    pool = dice.shuffled(eligible(settings))
    size = offer_size(settings)
    kernel = complete((), pool, size)
    assert kernel is not None, "checked when the game was created"
    rest = [key for key in pool if key not in kernel]
    return dice.shuffled((*kernel, *rest)[: 2 * (size + 1)])


def seated(settings: Settings, dice: Dice) -> tuple[str, ...]:
    """Deal random powers to the seats so that a chosen start seat may start (C-52, C-54)."""
    keys = list(draw(settings, offer_size(settings), dice))
    start = settings.start_seat
    if isinstance(start, int):
        for index, key in enumerate(keys):
            if catalogue()[key].must_start:
                keys[index], keys[start - 1] = keys[start - 1], key
                break
        if catalogue()[keys[start - 1]].must_not_start:
            other = start % len(keys)
            keys[start - 1], keys[other] = keys[other], keys[start - 1]
    return tuple(keys)


def start_seats(powers: Mapping[Seat, str | None]) -> tuple[Seat, ...]:
    """List the seats that may start, given what each seat holds (C-52)."""
    known = catalogue()
    held = {seat: known[key] for seat, key in powers.items() if key and key in known}
    forced = tuple(seat for seat, power in held.items() if power.must_start)
    if forced:
        return forced[:1]
    return tuple(seat for seat in powers if seat not in held or not held[seat].must_not_start)


def lowest_aid(keys: Iterable[str]) -> str | None:
    """Return the power with the lowest non-negative order aid, or None (V-22)."""
    aided = [key for key in keys if key in catalogue() and catalogue()[key].order_aid >= 0]
    return min(aided, key=lambda key: (catalogue()[key].order_aid, key), default=None)


def spare(game: Game) -> tuple[str, ...]:
    """List the powers that nobody has, that were not offered, and that no card here bans (V-23)."""
    dealt = [key for chair in game.chairs if (key := chair.power) in catalogue() and key]
    playing = [*dealt, *([game.night_power] if game.night_power else [])]
    gone = {*playing, *game.offer}
    return tuple(
        key
        for key in catalogue()
        if key not in gone and not any(banned(key, other) for other in playing)
    )
