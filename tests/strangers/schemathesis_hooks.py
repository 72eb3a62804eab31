"""What schemathesis cannot read from the contract: tokens belong to games, waiting is no test."""

from __future__ import annotations

import json
import random
from typing import Any

import schemathesis
from schemathesis import GenerationMode

_TOKENS: dict[str, list[str]] = {}
"""Tokens this run was given, by game; a game's own are sent with the requests about it."""
_CHANCE = random.Random(1)


def _about_a_real_game(case: Any) -> bool:
    """Let a well-formed request be about a game there is, and say whether there is one."""
    parts = case.path_parameters or {}
    mode = case.meta.generation.mode if case.meta else None
    if "game_id" in parts and parts["game_id"] not in _TOKENS and mode == GenerationMode.POSITIVE:
        if not _TOKENS:
            return False
        parts["game_id"] = _CHANCE.choice(list(_TOKENS))
    return parts.get("game_id") in _TOKENS


@schemathesis.auth(refresh_interval=None)
class Seat:
    """One of the tokens of the game a request is about."""

    def get(self, case: Any, context: Any) -> str | None:
        if not _about_a_real_game(case):
            return None
        return _CHANCE.choice(_TOKENS[case.path_parameters["game_id"]])

    def set(self, case: Any, data: str | None, context: Any) -> None:
        if data is not None:
            case.headers = {**(case.headers or {}), "Authorization": f"Bearer {data}"}


@schemathesis.hook
def map_case(context: Any, case: Any) -> Any:
    """Let requests that need no token find a game too."""
    _about_a_real_game(case)
    return case


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: Any) -> None:
    """Ask for news without waiting for them."""
    query = case.query or {}
    if str(query.get("wait", "")).isdigit():
        query["wait"] = 0
    for name in [name for name in case.headers or {} if name.lower() == "prefer"]:
        del case.headers[name]


@schemathesis.hook
def after_call(context: Any, case: Any, response: Any) -> None:
    """Remember the tokens of new players."""
    if response.status_code == 201 and b'"token"' in response.content:
        body = json.loads(response.content)
        _TOKENS.setdefault(body["game"]["id"], []).append(body["token"])
