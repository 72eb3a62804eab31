"""Which options go together (core section 7, variants page, C-15): checked before a game exists."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from domain.board.position import VARIANTS, table_for
from domain.game.errors import Flaw, Refusal
from domain.game.pool import alters_placement, banned, catalogue, deal_exists
from domain.game.settings import Settings

MODES = ("none", "fixed", "random", "draft", "golden_fleece")
GROUPS = ("simple", "advanced", "golden_fleece", "hero", "promo")
ORDERS = ("official", "bga")
OFFERS = {"draft": ("full", "limited", "quick"), "golden_fleece": ("quick", "draft")}
PLACEMENTS = ("free", "recommended")
VISIBILITIES = ("public", "unlisted", "private")
MAX_TURN_SECONDS = 1_209_600
MODES_OF = {
    "duel": MODES,
    "trio": ("none", "fixed", "random", "draft"),
    "solo4": ("none",),
    "team4": ("fixed", "random", "draft"),
    "team4_split": ("none",),
}
"""Powers modes each variant can host (core section 7)."""
RECOMMENDED = ("duel", "team4_split")
"""Variants that may use recommended placement (C-15)."""


def validate(settings: Settings) -> None:
    """Accept settings whose parts go together.

    Raises:
        Refusal: ``validation_failed`` with one flaw for each thing wrong, or
            ``incompatible_powers`` when only a banned pair or a doubled power is.
    """
    flaws = list(_basic(settings)) or list(_powers(settings))
    if flaws:
        raise Refusal("validation_failed", "These settings do not go together.", flaws)
    pairs = list(_pairs(settings))
    if pairs:
        raise Refusal("incompatible_powers", "These powers cannot meet in one game.", pairs)
    flaws = list(_seating(settings))
    if flaws:
        raise Refusal("validation_failed", "These settings do not go together.", flaws)


def _basic(settings: Settings) -> Iterator[Flaw]:
    if settings.variant not in VARIANTS:
        yield Flaw("/variant", "unknown", "There is no such variant.")
        return
    powers = settings.powers
    if powers.mode not in MODES:
        yield Flaw("/powers/mode", "unknown", "There is no such powers mode.")
    elif powers.mode not in MODES_OF[settings.variant]:
        allowed = ", ".join(MODES_OF[settings.variant])
        detail = f"The variant {settings.variant} takes the powers modes: {allowed}."
        yield Flaw("/powers/mode", "not_in_variant", detail)
    if settings.placement not in PLACEMENTS:
        yield Flaw("/placement", "unknown", "Placement is free or recommended.")
    elif settings.placement == "recommended" and settings.variant not in RECOMMENDED:
        detail = "Recommended placement is for duel and team4_split (C-15)."
        yield Flaw("/placement", "not_in_variant", detail)
    yield from _start_seat(settings)
    seconds = settings.turn_seconds
    if seconds is not None and not 1 <= seconds <= MAX_TURN_SECONDS:
        detail = f"A turn lasts 1 to {MAX_TURN_SECONDS} seconds, or null for no clock."
        yield Flaw("/turn_seconds", "out_of_range", detail)
    if settings.visibility not in VISIBILITIES:
        yield Flaw("/visibility", "unknown", "A game is public, unlisted or private.")


def _start_seat(settings: Settings) -> Iterator[Flaw]:
    seats = table_for(settings.variant).seats
    start = settings.start_seat
    if isinstance(start, str):
        if start != "random":
            yield Flaw("/start_seat", "unknown", 'The start seat is "random" or a number.')
    elif not 1 <= start <= seats:
        yield Flaw("/start_seat", "out_of_range", f"There are seats 1 to {seats}.")
    elif settings.powers.mode == "draft":
        detail = "A draft decides the start seat itself (C-51, C-53)."
        yield Flaw("/start_seat", "not_in_draft", detail)


def _powers(settings: Settings) -> Iterator[Flaw]:
    powers, mode = settings.powers, settings.powers.mode
    yield from _stray(settings)
    for index, group in enumerate(powers.groups):
        if group not in GROUPS:
            yield Flaw(f"/powers/groups/{index}", "unknown", "There is no such group.")
    if powers.order and powers.order not in ORDERS:
        yield Flaw("/powers/order", "unknown", "The order is official or bga.")
    offers = OFFERS.get(mode, ())
    if offers and powers.offer and powers.offer not in offers:
        yield Flaw("/powers/offer", "unknown", f"The offer is one of: {', '.join(offers)}.")
    if mode == "fixed":
        yield from _fixed(settings)
    elif mode == "golden_fleece" and powers.power:
        yield from _ram_power(settings)
    elif not _known_groups(settings):
        return
    elif mode != "none" and not any(_strays(settings)) and not deal_exists(settings):
        detail = "These groups hold too few powers that may be played together."
        yield Flaw("/powers/groups", "too_few", detail)


def _known_groups(settings: Settings) -> bool:
    """Say whether all groups named are groups."""
    return all(group in GROUPS for group in settings.powers.groups)


_MEMBERS = {
    "none": (),
    "fixed": ("seats",),
    "random": ("groups", "perfect_information"),
    "draft": ("groups", "order", "offer", "perfect_information"),
    "golden_fleece": ("groups", "offer", "power", "perfect_information"),
}


def _strays(settings: Settings) -> Iterator[str]:
    powers = settings.powers
    for name in ("seats", "groups", "order", "offer", "perfect_information", "power"):
        if getattr(powers, name) and name not in _MEMBERS[powers.mode]:
            yield name


def _stray(settings: Settings) -> Iterator[Flaw]:
    mode = settings.powers.mode
    for name in _strays(settings):
        yield Flaw(f"/powers/{name}", "not_in_mode", f"The mode {mode} has no {name}.")


def _fixed(settings: Settings) -> Iterator[Flaw]:
    keys, known = settings.powers.seats, catalogue()
    seats = table_for(settings.variant).seats
    if len(keys) != seats:
        yield Flaw("/powers/seats", "wrong_count", f"Name one power for each of {seats} seats.")
        return
    for index, key in enumerate(keys):
        pointer = f"/powers/seats/{index}"
        if key == "mortal":
            continue
        if key not in known:
            yield Flaw(pointer, "unknown", "There is no such power.")
        elif seats not in known[key].players:
            yield Flaw(pointer, "not_in_variant", f"{key} is not for {seats} players.", key)
        elif settings.placement == "recommended" and alters_placement(known[key]):
            detail = f"{key} has a placement of its own (C-15)."
            yield Flaw("/placement", "not_with_power", detail, key)


def _ram_power(settings: Settings) -> Iterator[Flaw]:
    key, known = settings.powers.power, catalogue()
    if key not in known:
        yield Flaw("/powers/power", "unknown", "There is no such power.")
    elif not known[key].golden_fleece:
        yield Flaw("/powers/power", "not_golden_fleece", f"{key} cannot lie by the Ram (V-4).", key)


def _pairs(settings: Settings) -> Iterator[Flaw]:
    keys = settings.powers.seats if settings.powers.mode == "fixed" else ()
    for (_, one), (index, two) in combinations(enumerate(keys), 2):
        if one == "mortal" or two == "mortal":
            continue
        pointer = f"/powers/seats/{index}"
        if one == two:
            yield Flaw(pointer, "twice", f"{one} can be in a game only once.", one)
        elif banned(one, two):
            yield Flaw(pointer, "banned_pair", f"{one} and {two} are a banned pair (V-20).", two)


def _seating(settings: Settings) -> Iterator[Flaw]:
    start = settings.start_seat
    if settings.powers.mode != "fixed" or isinstance(start, str):
        return
    for seat, key in enumerate(settings.powers.seats, 1):
        if key == "mortal":
            continue
        power = catalogue()[key]
        if power.must_start and seat != start:
            yield Flaw("/start_seat", "forced", f"{key} must start (C-52).", key)
        elif power.must_not_start and seat == start:
            yield Flaw("/start_seat", "forbidden", f"{key} must not start (C-52).", key)
