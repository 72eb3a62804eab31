"""Nobody can tell two games apart that differ only in a secret (T-51, T-52)."""

from __future__ import annotations

import random

import pytest

from domain.powers import CATALOGUE
from tests.app.http.chains import broken_at
from tests.app.http.twins import Twins
from tests.app.http.world import log_of

SECRETS = ("hecate", "tartarus", "moerae", "chaos", "tyche")
SHORT, LONG = 24, 90
"""Commands after which a pair of games is given up, in the slice and in the soak."""
TELLING = {
    "hecate": ("apollo", "minotaur", "harpies", "bia", "medusa", "gaea", "tyche", "europa"),
    "tartarus": ("apollo", "minotaur", "gaea", "persephone", "dionysus", "scylla", "chaos"),
    "moerae": ("pan", "eros", "hera", "dionysus", "gaea", "nyx", "chronus"),
    "chaos": ("circe", "dionysus", "zeus", "atlas", "tyche", "selene", "hephaestus"),
    "tyche": ("circe", "dionysus", "nyx", "hermes", "moerae", "tartarus", "gaea"),
}
"""Cards that have something to do with the secret ones."""


def opponents(*keys):
    """List the powers that may sit at one table with these."""
    seats = len(keys) + 1
    return [
        key
        for key, power in CATALOGUE.items()
        if key not in keys
        and seats in power.players
        and not any(key in CATALOGUE[k].bans or k in power.bans for k in keys)
    ]


def table(secret, number):
    """Draw who sits where beside a secret power, in a duel or where it may in a trio."""
    rng = random.Random(f"{secret} {number}")
    telling = [key for key in TELLING[secret] if key in opponents(secret)]
    if number < len(telling):
        powers = [secret, telling[number]]
    else:
        powers = [secret, rng.choice(["mortal", *opponents(secret)])]
        if 3 in CATALOGUE[secret].players and number % 4 == 0:
            third = [key for key in opponents(secret, "pan") if 3 in CATALOGUE[key].players]
            powers = [secret, "pan", rng.choice(third)]
    rng.shuffle(powers)
    return powers


def play(secret, number, monkeypatch, length):
    """Play a pair of games side by side as long as the secret stays one."""
    powers = table(secret, number)
    twins = Twins(f"{secret} {number}", powers, secret, monkeypatch, clock=number % 3 == 2)
    look = twins.rng.randint(4, length - 4)
    while twins.commands < length and twins.advance():
        if twins.commands == look:
            twins.compare()
    if twins.one.clock is not None:
        twins.compare()
    assert broken_at(twins.worlds[0].id, log_of(twins.worlds[0])) is None
    twins.end()


@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize("secret", SECRETS)
def test_twins_are_told_alike(secret, number, monkeypatch):
    """Spectator, host and opponent read the same bytes of either game, whatever they ask."""
    play(secret, number, monkeypatch, SHORT)


@pytest.mark.soak
@pytest.mark.parametrize("number", range(6, 60))
@pytest.mark.parametrize("secret", SECRETS)
def test_many_twins_are_told_alike(secret, number, monkeypatch):
    """The same for everybody who may sit at such a table, trios too."""
    play(secret, number, monkeypatch, LONG)
