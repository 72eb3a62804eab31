"""Steps as JSON objects (contract, section 5)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from domain.board.geometry import NAMES
from domain.rules import step as steps


@lru_cache(maxsize=8192)  # there are few, and every list of legal turns is full of them
def step_body(step: steps.Step) -> dict[str, Any]:
    """Return a step as it is sent; it is shared, and not to be changed."""
    match step:
        case steps.Place(to):
            return {"type": "place", "to": NAMES[to]}
        case steps.Move(origin, to):
            return {"type": "move", "from": NAMES[origin], "to": NAMES[to]}
        case steps.Build(origin, at, dome):
            piece = "dome" if dome else "block"
            return {"type": "build", "from": NAMES[origin], "at": NAMES[at], "piece": piece}
        case steps.Force(origin, to):
            return {"type": "force", "from": NAMES[origin], "to": NAMES[to]}
        case steps.PlaceWorker(to):
            return {"type": "place_worker", "to": NAMES[to]}
    return _power_step_body(step)


def _power_step_body(step: steps.Step) -> dict[str, Any]:
    match step:
        case steps.Exchange(pairs):
            return {"type": "exchange", "pairs": [[NAMES[a], NAMES[b]] for a, b in pairs]}
        case steps.RemoveBlock(at):
            return {"type": "remove_block", "at": NAMES[at]}
        case steps.RemoveBlocks(at):
            return {"type": "remove_blocks", "at": NAMES[at]}
        case steps.RemoveWorker(at):
            return {"type": "remove_worker", "at": NAMES[at]}
        case steps.PlaceToken(token, at, direction):
            where = {"direction": direction} if direction else {"at": NAMES[at]}
            return {"type": "place_token", "token": token, **where}
        case steps.TakeToken(token):
            return {"type": "take_token", "token": token}
        case steps.Choose(name, value):
            return {"type": "choose", "name": name, "value": value}
        case steps.Pass():
            return {"type": "pass"}
        case steps.End():
            return {"type": "end"}
    raise AssertionError(step)
