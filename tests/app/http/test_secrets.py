"""Nobody can tell two games apart that differ only in a secret (T-51, T-52)."""

from __future__ import annotations

import random

import pytest

from domain.powers import CATALOGUE
from tests.app.http.chains import broken_at
from tests.app.http.twins import Twins, _log

SECRETS = ("hecate", "tartarus", "moerae", "chaos", "tyche")
LONG = 24
"""Commands after which a pair of games is given up."""


def opponents(secret):
    """List the powers that may sit opposite a secret one."""
    mine = CATALOGUE[secret]
    return ["mortal"] + [
        key
        for key, power in CATALOGUE.items()
        if key != secret
        and 2 in power.players
        and key not in mine.bans
        and secret not in power.bans
    ]


def play(twins, surveys=2):
    """Play a pair of games side by side; say how many commands they stayed alike in secret."""
    places = {twins.rng.randint(2, LONG // 2) for _ in range(surveys)}
    while twins.commands < LONG and twins.advance():
        if twins.commands in places:
            twins.compare()
    twins.compare()
    chain = _log(twins.worlds[0])
    assert broken_at(twins.worlds[0].id, chain) is None
    twins.end()
    return twins.commands


def pair(secret, seed):
    """Draw an opponent and a seat; yield the powers by seat."""
    rng = random.Random(f"{secret} {seed}")
    other = rng.choice(opponents(secret))
    return (secret, other) if rng.random() < 0.5 else (other, secret)


@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize("secret", SECRETS)
def test_twins_are_told_alike(secret, number, monkeypatch):
    """Spectator, host and opponent read the same bytes of either game, whatever they ask."""
    powers = pair(secret, number)
    twins = Twins(f"{secret} {number}", powers, secret, monkeypatch, clock=number % 3 == 2)
    play(twins, surveys=1)
