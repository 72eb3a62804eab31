"""The flat form of the turns without powers is the general search, on every position we know."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.board.geometry import BITS, SQUARES
from domain.board.position import SUPPLY, Figure, Position, table_for
from domain.rules.automatic import automatic_steps, searched_completion
from domain.rules.engine import legal_steps, legal_turns, open_turn, perft, play, position_key
from domain.rules.legal import searched_play, searched_steps
from domain.rules.plain import is_bare
from domain.rules.positions import read_position
from domain.rules.ruleset import ruleset_for
from domain.rules.turns import searched_turns
from tests.vectors import FILES, vectors

ALL = 10**9


def agree(turn):
    """Compare first steps, builds, what they lead to, whole turns, and what the clock plays."""
    moves = legal_steps(turn)
    if turn.kind == "normal" and not turn.over:
        assert automatic_steps(turn) == searched_completion(turn)
    assert moves == searched_steps(turn)
    for move in moves:
        played = play(turn, move)
        assert played == searched_play(turn, move)
        if not played.turn.over:
            builds = legal_steps(played.turn)
            assert builds == searched_steps(played.turn)
            assert automatic_steps(played.turn) == searched_completion(played.turn)
            for build in builds:
                assert play(played.turn, build) == searched_play(played.turn, build)
    listed = searched_turns(turn, ALL)
    assert legal_turns(turn, ALL) == listed
    wins = sum(1 for found in listed[0] if found.winner)
    assert perft(turn.position, turn.seat, 1, turn.kind) == (len(listed[0]), wins)


def plain(position, seat, kind):
    return ruleset_for(position, seat, kind).plain


@pytest.mark.parametrize("name", FILES)
def test_on_every_vector_without_powers(name):
    seen = 0
    for vector in vectors(name):
        position, seat, kind = read_position(vector["position"])
        if vector["verdict"] is None and plain(position, seat, kind):
            agree(open_turn(position, seat, kind))
            seen += 1
    assert seen or "none" not in name


VARIANTS = ("duel", "trio", "solo4", "team4", "team4_split")


def table_at_random(chance: random.Random) -> tuple[Position, int]:
    """Lay a table without powers at random, near the end of a supply as often as not."""
    table = table_for(chance.choice(VARIANTS))
    figures = [
        Figure(seat, table.side(seat), sex)
        for seat in range(1, table.seats + 1)
        for sex in "fm"[: table.crew_size]
    ]
    if table.teams and not table.split:
        figures = [figure for figure in figures if figure.seat <= 2]
    heights = [chance.choice((0, 0, 1, 1, 2, 2, 3)) for _ in SQUARES]
    if chance.random() < 0.5:
        heights = [min(height + chance.randrange(3), 3) for height in heights]
    levels = tuple(
        sum(1 << square for square in SQUARES if heights[square] >= level) for level in range(6)
    )
    while any(levels[level].bit_count() > SUPPLY[level - 1] for level in (1, 2, 3)):
        tallest = max(SQUARES, key=heights.__getitem__)
        heights[tallest] -= 1
        levels = tuple(
            sum(1 << square for square in SQUARES if heights[square] >= level) for level in range(6)
        )
    capped = [s for s in SQUARES if heights[s] == 3 and chance.random() < 0.5]
    domes = sum(1 << square for square in capped[: SUPPLY[3]])
    standing = chance.sample([s for s in SQUARES if s not in capped], len(figures))
    occupied = sum(1 << square for square in standing)
    position = Position(levels, domes, tuple(standing), occupied, tuple(figures), table)
    return position, chance.randint(1, table.seats)


@given(st.integers(0, 2**32))
def test_on_random_tables(seed):
    position, seat = table_at_random(random.Random(seed))
    turn = open_turn(position, seat)
    assert is_bare(turn)
    agree(turn)


def test_a_short_list_is_cut_by_the_search():
    """With a limit the list holds what the search finds first, whoever writes the rest."""
    position, seat, kind = read_position(next(vectors("duel-none"))["position"])
    turn = open_turn(position, seat, kind)
    for limit in (1, 7, 50):
        assert legal_turns(turn, limit) == searched_turns(turn, limit)
        assert legal_turns(turn, limit)[1] == (len(legal_turns(turn, ALL)[0]) > limit)


@st.composite
def tables_out_of_reach(draw):
    """Draw a table that no play without powers leads to: any domes, none left, a seat out."""
    table = table_for(draw(st.sampled_from(VARIANTS)))
    lowest = draw(st.sampled_from((0, 0, 2)))
    heights = draw(st.lists(st.integers(lowest, 3), min_size=25, max_size=25))
    levels = [sum(BITS[s] for s in SQUARES if heights[s] >= n) for n in range(4)]
    shuffled = draw(st.permutations(SQUARES))
    count = draw(st.sampled_from((0, 2, 6, 17, 18, 18)))
    capped, free = shuffled[:count], shuffled[count:]
    places = free[: table.seats * table.crew_size]
    figures = [Figure(n % table.seats + 1, table.side(n % table.seats + 1)) for n in range(8)]
    position = Position(
        (*levels, 0, 0),
        sum(BITS[s] for s in capped),
        tuple(places),
        sum(BITS[s] for s in places),
        tuple(figures[: len(places)]),
        table,
        out=draw(st.sampled_from(((), (3,)))) if table.variant == "trio" else (),
    )
    return open_turn(position, draw(st.integers(1, 2)))


@given(tables_out_of_reach())
def test_on_tables_out_of_reach(turn):
    """The functions are equal, not just so in positions that happen to come up."""
    agree(turn)


@given(tables_out_of_reach(), st.sampled_from((1, 2, None)))
def test_keys_for_a_viewer_are_those_of_the_search(turn, viewer):
    def name(position, seat, kind):
        return position_key(position, seat, kind, viewer)

    assert legal_turns(turn, ALL, name) == searched_turns(turn, ALL, name)
