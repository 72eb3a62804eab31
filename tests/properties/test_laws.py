"""Laws that every pair of powers keeps, on random tables (architecture, section 10)."""

from __future__ import annotations

import itertools
import random

import pytest

from domain.board.position import Held
from domain.rules.engine import (
    ask,
    automatic_steps,
    legal_steps,
    legal_turns,
    play,
    start_verdict,
)
from domain.rules.power import REGISTRY
from tests.properties.laws import hold_laws
from tests.tables import allowed, company, fleece_table, random_table

KEYS = ["mortal", *sorted(REGISTRY)]
PAIRS = [keys for keys in itertools.product(KEYS, KEYS) if allowed(*keys)]
SLICE = random.Random("pairs").sample(PAIRS, 260)
FLEECE = sorted(key for key, power in REGISTRY.items() if power.golden_fleece)
MARKED = {
    variant: sorted(key for key, power in REGISTRY.items() if seats in power.players)
    for variant, seats in (("trio", 3), ("team4", 4))
}
TABLES = [(variant, key) for variant, keys in MARKED.items() for key in keys]
FIRST_THIRTY = {key for key, power in REGISTRY.items() if power.number <= 30} | {"mortal"}


def hold_for_pair(keys, seed, count):
    hold_laws(random.Random(f"{seed} {keys}"), lambda rng: random_table(rng, keys), count)


def hold_at_table(variant, key, seed, count):
    """Hold the laws where this power sits with changing others."""

    def make(rng):
        return random_table(rng, company(rng, variant, (key,)), variant)

    hold_laws(random.Random(f"{seed} {variant} {key}"), make, count)


def hold_by_the_ram(key, seed, count):
    hold_laws(random.Random(f"{seed} ram {key}"), lambda rng: fleece_table(rng, key), count)


@pytest.mark.parametrize("keys", SLICE, ids="-".join)
def test_pairs_keep_the_laws(keys):
    """No dead ends, facts fold to live turns, *cannot* narrows, boards turn, secrets keep."""
    hold_for_pair(keys, "slice", 8)


@pytest.mark.parametrize(("variant", "key"), TABLES)
def test_larger_tables_keep_the_laws(variant, key):
    """The same for three sides and for teams (V-10 .. V-16)."""
    hold_at_table(variant, key, "slice", 5)


@pytest.mark.parametrize("key", FLEECE)
def test_fleece_tables_keep_the_laws(key):
    """The same beside the Ram, for every power that may lie there (V-4 .. V-8)."""
    hold_by_the_ram(key, "slice", 8)


@pytest.mark.soak
@pytest.mark.parametrize("keys", PAIRS, ids="-".join)
def test_every_pair_keeps_the_laws(keys):
    """Every ordered pair: 200 positions among the first thirty and mortals, else 100."""
    hold_for_pair(keys, "soak", 200 if set(keys) <= FIRST_THIRTY else 100)


@pytest.mark.soak
@pytest.mark.parametrize(("variant", "key"), TABLES)
def test_every_larger_table_keeps_the_laws(variant, key):
    """Every power in every variant its marks allow."""
    hold_at_table(variant, key, "soak", 400)


@pytest.mark.soak
@pytest.mark.parametrize("key", FLEECE)
def test_every_fleece_table_keeps_the_laws(key):
    """Every power beside the Ram."""
    hold_by_the_ram(key, "soak", 400)


@pytest.mark.parametrize("key", KEYS)
def test_the_clock_completes_every_turn(key):
    """The automatic turn is legal, step by step, and ends the turn (C-36)."""
    rng = random.Random(f"clock {key}")
    foes = [foe for foe in KEYS if allowed(key, foe)]
    for foe in rng.sample(foes, min(8, len(foes))):
        turn = random_table(rng, (key, foe))
        if start_verdict(turn) is not None or not legal_steps(turn):
            continue
        if rng.random() < 0.5:
            turn = play(turn, rng.choice(legal_steps(turn))).turn
        for _ in range(40):
            if turn.over:
                break
            steps = automatic_steps(turn)
            assert steps
            assert steps[0] in legal_steps(turn)
            turn = play(turn, steps[0]).turn
        assert turn.over


@pytest.mark.parametrize("key", KEYS)
def test_canonical_turns_are_legal_and_lead_where_they_say(key):
    """Every listed turn can be played step by step (T-63)."""
    rng = random.Random(f"canonical {key}")
    foes = [foe for foe in KEYS if allowed(key, foe)]
    for foe in rng.sample(foes, 2):
        turn = random_table(rng, (key, foe))
        if start_verdict(turn) is not None:
            continue
        turns, _ = legal_turns(turn, 300)
        for listed in rng.sample(turns, min(6, len(turns))):
            here = turn
            for _, step in listed.steps:
                assert step in legal_steps(here)
                here = play(here, step).turn
            assert here.over
            winner = here.outcome.winner if here.outcome else 0
            assert winner == listed.winner


def test_a_mortal_pair_is_a_pair():
    """Holding nothing is a holding too (V-1)."""
    turn = random_table(random.Random(1), ("mortal", "mortal"))
    assert turn.position.held == ()
    assert Held("mortal", 1).note is None
    assert ask(turn, 2).asked == 2
