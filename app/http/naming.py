"""Ids that must be unique and need not be secret: no system call for each."""

from __future__ import annotations

import os
from random import Random

_chance = Random(os.urandom(32))  # noqa: S311 - nobody gains anything by foreseeing an id


def _begin_anew() -> None:
    _chance.seed(os.urandom(32))


# Processes that come of one would otherwise give the same names.
os.register_at_fork(after_in_child=_begin_anew)


def unique_hex() -> str:
    """Return 128 random bits as hex."""
    return f"{_chance.getrandbits(128):032x}"
