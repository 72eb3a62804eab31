"""The rules of the powers in words: one file a language, and what a card's memory means.

``<language>.json`` maps the key of every power to its rule, ``state.json`` the keys of the powers
with a memory to an English line on each field of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import msgspec

from domain.game.pool import catalogue

LANGUAGES = ("en", "fa", "fr", "cs", "pl", "es")
"""Primary subtags of RFC 5646; the first one is for whoever reads none of them."""
RIGHT_TO_LEFT = frozenset({"fa"})


@cache
def rules_in(language: str) -> Mapping[str, str]:
    """Return the rule of every power in one of ``LANGUAGES``.

    Raises:
        ValueError: the file lacks a power, or has one that is not in the catalogue.
    """
    name = f"{language}.json"
    texts = msgspec.json.decode(_read(name), type=dict[str, str])
    if texts.keys() != catalogue().keys():
        odd = ", ".join(sorted(texts.keys() ^ catalogue().keys()))
        raise ValueError(f"{name}: missing or unknown powers: {odd}")
    return texts


@cache
def memories() -> Mapping[str, Mapping[str, str]]:
    """Return what each field of a card's ``state`` means, by power.

    Raises:
        ValueError: the file has a power that is not in the catalogue.
    """
    texts = msgspec.json.decode(_read("state.json"), type=dict[str, dict[str, str]])
    if strange := texts.keys() - catalogue().keys():
        raise ValueError(f"state.json: unknown powers: {', '.join(sorted(strange))}")
    return texts


def direction_of(language: str) -> str:
    """Return ``rtl`` for a language written from right to left, otherwise ``ltr``."""
    return "rtl" if language in RIGHT_TO_LEFT else "ltr"


def _read(name: str) -> bytes:
    return files(__name__).joinpath(name).read_bytes()
