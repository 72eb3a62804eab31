"""The rules of the powers in words: one file a language, and what a card's memory means.

``<language>.json`` maps the key of every power to its rule, ``state.json`` the keys of the powers
with a memory to an English line on each field of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TypeVar

import msgspec

from domain.game.pool import catalogue

T = TypeVar("T")
LANGUAGES = ("en", "fa", "fr", "cs", "pl", "es")
"""Primary subtags of RFC 5646; the first one is for whoever reads none of them."""
RIGHT_TO_LEFT = frozenset({"fa"})


@cache
def rules_in(language: str) -> Mapping[str, str]:
    """Return the rules there are in one of ``LANGUAGES``, by power.

    Raises:
        ValueError: the file has a power that is not in the catalogue.
    """
    return _by_power(f"{language}.json", dict[str, str])


@cache
def memories() -> Mapping[str, Mapping[str, str]]:
    """Return what each field of a card's ``state`` means, by power.

    Raises:
        ValueError: the file has a power that is not in the catalogue.
    """
    return _by_power("state.json", dict[str, dict[str, str]])


def direction_of(language: str) -> str:
    """Return ``rtl`` for a language written from right to left, otherwise ``ltr``."""
    return "rtl" if language in RIGHT_TO_LEFT else "ltr"


def _by_power(name: str, kind: type[dict[str, T]]) -> dict[str, T]:
    texts = msgspec.json.decode(files(__name__).joinpath(name).read_bytes(), type=kind)
    if strange := texts.keys() - catalogue().keys():
        raise ValueError(f"{name}: unknown powers: {', '.join(sorted(strange))}")
    return texts
