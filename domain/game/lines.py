"""Record lines as a game grows: the running line and the lines that are complete (T-60, T-62)."""

from __future__ import annotations

import re

from domain.board.facts import Fact, Placed, TokenPlaced
from domain.board.geometry import NAMES, Seat
from domain.game.events import Eliminated, Finished, TurnEnded
from domain.game.state import ALL, RAM, TURN_KINDS, Game
from domain.rules.lines import fact_text as rules_text
from domain.rules.power import REGISTRY, Power, overrides
from domain.rules.resolve import untouched

UNKNOWN = "?"
EXITS = ("resignation", "timeouts")
"""Why a seat leaves that the board does not tell."""
_SEATED = re.compile(r"(?:[0-9]+\.)?S([1-4]) ")
_UNSEEN_EVENT = re.compile(r" \?\[[^\]]*\]")
_SQUARE = "[a-e][1-5]"
_SECRET_CHOICES = (
    (re.compile(r"(=fate:)[a-e][1-5]"), r"\1?"),
    (re.compile(r"(@abyss:)[a-e][1-5]"), r"\1?"),
)
_SECRETS = (
    *_SECRET_CHOICES,
    (re.compile(rf"(?<![!a-e1-5]){_SQUARE}>{_SQUARE}"), "?>?"),
    (re.compile(rf"{_SQUARE}\^({_SQUARE})"), r"?^\1"),
    (re.compile(rf"(?<!: )(?<!!)\+{_SQUARE}[fm]?"), "+?"),
)


def fact_text(game: Game, fact: Fact, chosen: bool) -> str:
    """Write a board fact as its event stands in the line, empty when it has no form (T-60)."""
    assert game.position is not None
    if isinstance(fact, TokenPlaced) and fact.token == RAM:
        return f"+{NAMES[fact.at]}"
    if isinstance(fact, Placed) and game.ram_power and REGISTRY[game.ram_power].wants_sexes:
        return f"+{NAMES[fact.to]}{fact.sex}"  # the Ram, which tells, comes after the workers
    return rules_text(fact, not chosen, game.position)


def extended(game: Game, text: str) -> str:
    """Return the running line with one more event, if it has a form.

    Answers to an interrupt stand in braces.
    """
    if not text:
        return game.line
    if game.clock is not None and game.clock.kind == "interrupt":
        text = f"{{S{game.clock.seat}: {text}}}"
    return f"{game.line} {text}" if game.line else text


def laid(game: Game, seat: Seat, text: str) -> tuple[str, ...]:
    """Return the lines with a worker the server has placed without asking (C-15)."""
    start = f"S{seat} "
    if game.lines and game.lines[-1].startswith(f"{start}+"):
        return (*game.lines[:-1], f"{game.lines[-1]} {text}")
    return (*game.lines, start + text)


def ended(game: Game, data: TurnEnded) -> tuple[str, ...]:
    """Return the lines once a turn, placement or choice has closed.

    A declined extra turn leaves no line (T-60). A turn that somebody's exit has cut in two may end
    with nothing but its ``.`` left.
    """
    line = game.line
    begun = game.turn is not None and not untouched(game.turn)
    if data.explicit and (line or begun):
        line = f"{line} .".lstrip()
    return _with(game, line, "%" if game.by_clock and "#" not in line else "")


def eliminated(game: Game, data: Eliminated) -> tuple[str, tuple[str, ...]]:
    """Return the running line and the lines once a side has left the table (C-41).

    What nobody could work out again from the turns gets a line of its own: ``out S2 resignation``.
    """
    seat = data.seats[0]
    if data.reason == "lose_condition":
        clock = "%" if game.by_clock else ""
        return f"{game.line}{clock}##S{seat}", game.lines
    if data.reason not in EXITS:
        return game.line, game.lines
    return "", (*_with(game, game.line, ""), f"out S{seat} {data.reason}")


def finished(game: Game, data: Finished) -> tuple[str, ...]:
    """Return the lines of the whole game but its result, the last one with its suffix."""
    suffix = ("%" if game.by_clock else "") + _verdict(game, data)
    return (*_with(game, game.line, suffix), *_last_exit(game, data))


def _last_exit(game: Game, data: Finished) -> list[str]:
    """Tell who left last, where the result does not (C-23)."""
    if data.reason != "last_side":
        return []
    known = {loser.seat for loser in game.losers}
    last = next(loser for loser in data.losers if loser.seat not in known)
    return [] if last.reason not in EXITS else [f"out S{last.seat} {last.reason}"]


def _verdict(game: Game, data: Finished) -> str:
    if game.turn is None or game.table is None:
        return ""
    fallen = {loser.seat for loser in game.losers}
    for loser in data.losers:
        if loser.reason == "lose_condition" and loser.seat not in fallen:
            return f"##S{_first(game, loser.seat)}"
    if data.reason not in ("climb", "power"):
        return ""
    winner = data.winners[0]
    if game.turn.seat in data.winners:
        return "#"
    return f"#S{_first(game, winner)}"


def _first(game: Game, seat: Seat) -> Seat:
    assert game.table is not None
    return game.table.seats_of(game.table.side(seat))[0]


def _with(game: Game, line: str, suffix: str) -> tuple[str, ...]:
    if not line:
        return game.lines
    clock = game.suspended or game.clock
    assert clock is not None
    number = f"{clock.number}." if clock.kind in TURN_KINDS else ""
    return (*game.lines, f"{number}S{clock.seat} {line}{suffix}")


def hidden_text(game: Game, fact: Fact) -> str:
    """Write a fact that only some seats may know of, marked so that ``shown`` can leave it out."""
    text = fact_text(game, fact, False)
    return f"{UNKNOWN}{text}" if text else ""


def running(game: Game, viewer: Seat | str | None) -> str:
    """Return the running line as a viewer may know it."""
    clock = game.suspended or game.clock
    if clock is None:
        return ""
    head = f"S{clock.seat} "
    return shown(game, head + game.line, viewer).removeprefix(head)


def shown(game: Game, line: str, viewer: Seat | str | None) -> str:
    """Return a line as a viewer may know it: a seat, None for the public, or ``"all"`` (T-60).

    A secret move is ``?>?``, a build of a secret worker ``?^c3``, a secret placement ``+?``; what
    happens to secret workers unseen is left out.
    """
    holders = _secret_holders(game)
    if viewer == ALL or game.result is not None or not holders:
        return line.replace(f" {UNKNOWN}[", " [")
    match = _SEATED.match(line)
    seat = int(match[1]) if match else 0
    if viewer not in holders:
        line = _UNSEEN_EVENT.sub("", line)
    else:
        line = line.replace(f" {UNKNOWN}[", " [")
    if seat not in holders or seat == viewer:
        return line
    hiding = any(overrides(power, "hides") for power in holders[seat])
    for pattern, blank in _SECRETS if hiding else _SECRET_CHOICES:
        line = pattern.sub(blank, line)
    return line


def _secret_holders(game: Game) -> dict[Seat, list[Power]]:
    """Return the seats with a secret of their own (T-51), and the cards it is on."""
    holders: dict[Seat, list[Power]] = {}
    for chair in game.chairs:
        power = REGISTRY.get(chair.power or "")
        if power is not None and power.hidden_information and not power.deck_secret:
            holders.setdefault(chair.seat, []).append(power)
    return holders
