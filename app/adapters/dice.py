"""Chance: drawn from the system where a person asks, derived where two servers must agree."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from hashlib import sha256
from random import Random
from typing import TypeVar

T = TypeVar("T")
NONCE_BYTES = 16


class SystemDice:
    """Dice nobody can foresee."""

    def choice(self, options: Sequence[T]) -> T:
        """Pick one of the options."""
        return secrets.choice(options)

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """Return the items in random order."""
        order = list(items)
        secrets.SystemRandom().shuffle(order)
        return tuple(order)

    def nonce(self) -> str:
        """Return 128 random bits as hex."""
        return secrets.token_hex(NONCE_BYTES)


class SeededDice:
    """Dice that fall alike for everybody who knows the game's secret, and only for them.

    An automatic move is made by whoever comes first; all must make the same one, and nobody
    outside may work out a hidden placement (operations, section 2).
    """

    def __init__(self, secret: str, game_id: str, version: int) -> None:
        """Derive the dice of one version of one game."""
        self._seed = sha256(f"{secret}/{game_id}/{version}".encode()).digest()
        self._random = Random(self._seed)  # noqa: S311 - seeded by a secret, on purpose
        self._nonces = 0

    def choice(self, options: Sequence[T]) -> T:
        """Pick one of the options."""
        return self._random.choice(options)

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """Return the items in the order of these dice."""
        order = list(items)
        self._random.shuffle(order)
        return tuple(order)

    def nonce(self) -> str:
        """Return 128 bits as hex, different at every call."""
        self._nonces += 1
        return sha256(self._seed + self._nonces.to_bytes(4, "big")).hexdigest()[: 2 * NONCE_BYTES]
