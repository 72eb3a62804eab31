"""A game as one viewer sees it (contract, section 4)."""

from __future__ import annotations

from typing import Any

from app.adapters.settings_codec import settings_json
from app.adapters.times import written
from app.services.types import Snapshot
from app.views.sight import Viewer, seen, state_seen
from domain.board.geometry import BITS, NAME_ORDER, NAMES
from domain.board.position import Held, Position
from domain.game.lines import shown
from domain.game.outlook import phase
from domain.game.state import Chair, Game
from domain.rules.keys import watching_seats

IN_NAME_ORDER = tuple((NAMES[square], square) for square in NAME_ORDER)


def path_of(game_id: str) -> str:
    """Return the path of a game."""
    return f"/v1/games/{game_id}"


def game_body(snapshot: Snapshot, viewer: Viewer) -> dict[str, Any]:
    """Return all fields of a game; secrets the viewer may not know are not there."""
    game = snapshot.game
    position = game.position
    assert position is not None
    table = seen(position, viewer)
    return {
        "id": snapshot.game_id,
        "version": game.version,
        "status": game.status,
        "variant": game.settings.variant,
        "settings": settings_json(game.settings),
        "imported": game.imported,
        "seats": [_seat(chair, position, viewer) for chair in game.chairs],
        "turn": _turn(game, viewer),
        "board": board_body(table),
        "pending": _pending(table, viewer),
        "supply": supply_body(position),
        "position": game.key_for(viewer.key),
        "result": _result(game),
        "log_hash": snapshot.log_hash,
        "created_at": written(snapshot.created_at),
        "updated_at": written(snapshot.updated_at),
        "links": _links(snapshot),
    }


def _seat(chair: Chair, position: Position, viewer: Viewer) -> dict[str, Any]:
    held = [_card(h, viewer) for h in position.held if h.seat == chair.seat]
    return {
        "seat": chair.seat,
        "name": chair.name,
        "side": chair.side,
        "power": _dealt(chair, viewer),
        "held": held,
        "status": chair.status,
        "consecutive_timeouts": chair.consecutive_timeouts,
    }


def _dealt(chair: Chair, viewer: Viewer) -> dict[str, Any] | None:
    if chair.dealt is not None:
        return _card(chair.dealt, viewer)
    return None if chair.power is None else {"key": chair.power, "state": {}}


def _card(held: Held, viewer: Viewer) -> dict[str, Any]:
    return {"key": held.power, "state": state_seen(held, viewer)}


def _turn(game: Game, viewer: Viewer) -> dict[str, Any] | None:
    clock = game.clock
    if clock is None:
        return None
    return {
        "number": clock.number,
        "seat": clock.seat,
        "kind": clock.kind,
        "phase": phase(game),
        "steps": _line(game, viewer),
        "deadline": None if clock.deadline is None else written(clock.deadline),
    }


def _line(game: Game, viewer: Viewer) -> str:
    """Return the running line as the viewer may know it (T-60)."""
    clock = game.suspended or game.clock
    assert clock is not None
    start = f"S{clock.seat} "
    return shown(game, start + game.line, viewer.key)[len(start) :]


def board_body(position: Position) -> dict[str, Any]:
    """Return the table: levels, domes, workers, tokens, the Ram."""
    _, first, second, third = position.levels[:4]
    domes, rams = position.domes, [t for t in position.tokens if t.name == "ram"]
    return {
        "levels": {
            name: (first >> square & 1) + (second >> square & 1) + (third >> square & 1)
            for name, square in IN_NAME_ORDER
        },
        "domes": [name for name, square in IN_NAME_ORDER if domes & BITS[square]],
        "workers": [
            {"square": NAMES[square], "seat": figure.seat, "sex": figure.sex}
            for figure, square in zip(position.figures, position.workers, strict=True)
            if square >= 0
        ],
        "tokens": [
            {"name": token.name, "direction": token.direction}
            if token.direction
            else {"name": token.name, "square": NAMES[token.square]}
            for token in position.tokens
            if token.name != "ram"
        ],
        "ram": {"square": NAMES[rams[0].square], "power": rams[0].card} if rams else None,
    }


def supply_body(position: Position) -> dict[str, int]:
    """Return the pieces left (C-9)."""
    first, second, third, dome = position.supply()
    return {"level_1": first, "level_2": second, "level_3": third, "dome": dome}


def _pending(position: Position, viewer: Viewer) -> dict[str, Any]:
    """Return facts of the past that still matter; left out when there is nothing."""
    pending: dict[str, Any] = {}
    for pact in position.pacts:
        own, other = position.workers[pact.own], position.workers[pact.other]
        pending["adonis"] = {
            "own": NAMES[own],
            "other": NAMES[other],
            "seat": position.figures[pact.other].seat,
        }
    last = _last_moved(position)
    if last:
        pending["last_moved"] = last
    if position.aside:
        pending["set_aside"] = [{"seat": h.seat, **_card(h, viewer)} for h in position.aside]
    if position.out:
        pending["eliminated"] = list(position.out)
    return pending


def _last_moved(position: Position) -> dict[str, str | None]:
    """Return the square of the worker each side moved last, where a foe may ask (T-29)."""
    if not position.last_moved:
        return {}
    watchers = {position.table.side(seat) for seat in watching_seats(position)}
    squares: dict[str, str | None] = {}
    for side, worker in enumerate(position.last_moved, 1):
        if watchers - {side}:
            square = position.workers[worker] if worker >= 0 else -1
            squares[str(side)] = NAMES[square] if square >= 0 else None
    return squares


def _result(game: Game) -> dict[str, Any] | None:
    result = game.result
    if result is None:
        return None
    return {
        "winners": list(result.winners),
        "reason": result.reason,
        "losers": [{"seat": loser.seat, "reason": loser.reason} for loser in result.losers],
    }


def _links(snapshot: Snapshot) -> dict[str, Any]:
    path, following = path_of(snapshot.game_id), snapshot.game.next_game
    return {
        "self": path,
        "events": f"{path}/events",
        "legal_steps": f"{path}/legal-steps",
        "next_game": None if following is None else path_of(following),
    }
