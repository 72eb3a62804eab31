"""Decisions on what a process remembers: right, or made anew on what the store says."""

from __future__ import annotations

import random

import pytest

from app.config import Config
from app.services import Submission
from app.services.ledger import recorded
from app.wiring import build_services
from domain.game.errors import Refusal
from domain.game.outlook import legal_steps
from domain.game.settings import PowersOption, Settings

RECOMMENDED = Settings(placement="recommended", start_seat=1, turn_seconds=60)


class Counting:
    """A store that counts its loads."""

    def __init__(self, inner):
        self.inner, self.loads = inner, 0

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def load(self, *args, **more):
        self.loads += 1
        return self.inner.load(*args, **more)


@pytest.fixture
def told(house):
    """Return a house whose store counts, a running game and its tokens."""
    house.store = Counting(house.store)
    house.restart()
    seats = house.seated(RECOMMENDED)
    return house, seats[0].snapshot.game_id, {one.seat: one.token for one in seats}


def step(services, game_id, tokens, **more):
    """Play the first legal step of the seat to act."""
    game = services.reader.read(game_id).snapshot.game
    token = tokens[game.clock.seat]
    return services.games.play(game_id, token, steps=(legal_steps(game)[0],), **more)


def refused(call, *args, **more):
    with pytest.raises(Refusal) as caught:
        call(*args, **more)
    return caught.value.code


def test_a_known_token_plays_without_a_load(told):
    house, game_id, tokens = told
    for _ in range(4):
        step(house.services, game_id, tokens)
    game = house.services.reader.read(game_id).snapshot.game
    before = house.store.loads
    house.services.games.play(game_id, tokens[game.clock.seat], steps=(legal_steps(game)[0],))
    assert house.store.loads == before


def test_a_process_that_was_overtaken_decides_anew(told):
    house, game_id, tokens = told
    for _ in range(4):
        step(house.services, game_id, tokens)
    other = build_services(Config(), house.store)
    moved = step(other, game_id, tokens)
    game = moved.snapshot.game
    answer = house.services.games.play(
        game_id, tokens[game.clock.seat], steps=(legal_steps(game)[0],)
    )
    assert answer.snapshot.game.version > moved.snapshot.game.version
    assert house.services.archive.verify(game_id).ok


def test_a_token_renewed_elsewhere_is_dead_at_once(told):
    house, game_id, tokens = told
    for _ in range(4):
        step(house.services, game_id, tokens)
    other = build_services(Config(), house.store)
    game = house.services.reader.read(game_id).snapshot.game
    seat, play = game.clock.seat, house.services.games.play
    fresh = other.games.renew_token(game_id, seat, tokens[seat]).token
    steps = (legal_steps(game)[0],)
    assert refused(play, game_id, tokens[seat], steps=steps) == "token_unknown"
    assert play(game_id, fresh, steps=steps).snapshot.game.version > game.version


def test_a_refusal_is_judged_on_what_the_store_says(told):
    """What the process remembers refuses the step; by now it is legal."""
    house, game_id, tokens = told
    for _ in range(4):
        step(house.services, game_id, tokens)
    game = house.services.reader.read(game_id).snapshot.game
    waiting = 3 - game.clock.seat
    other = build_services(Config(), house.store)
    while other.reader.read(game_id).snapshot.game.clock.seat != waiting:
        step(other, game_id, tokens)
    now = other.reader.read(game_id).snapshot.game
    answer = house.services.games.play(game_id, tokens[waiting], steps=(legal_steps(now)[0],))
    assert answer.snapshot.game.version > now.version


@pytest.mark.parametrize("elsewhere", [False, True])
def test_a_repeated_request_is_recognised(told, elsewhere):
    house, game_id, tokens = told
    for _ in range(4):
        step(house.services, game_id, tokens)
    sent = Submission("/steps", "key-of-16-letters", b"body")
    first = step(house.services, game_id, tokens, submission=sent)
    seat = 3 - first.snapshot.game.clock.seat if first.snapshot.game.turn else 1
    seat = first.caller.seat or seat
    services = build_services(Config(), house.store) if elsewhere else house.services
    steps = (legal_steps(first.snapshot.game)[0],)
    again = services.games.play(game_id, tokens[seat], steps=steps, submission=sent)
    assert again.replayed
    assert again.snapshot.game.version == first.snapshot.game.version


def test_a_deadline_that_passed_is_applied_first(told):
    house, game_id, tokens = told
    house.store.watch(60_000)
    for _ in range(4):
        step(house.services, game_id, tokens)
    game = house.services.reader.read(game_id).snapshot.game
    house.store.clock.advance(61_000)
    play, token = house.services.games.play, tokens[game.clock.seat]
    assert refused(play, game_id, token, steps=(legal_steps(game)[0],)) == "turn_expired"


def test_a_pause_stops_a_known_player(told):
    house, game_id, tokens = told
    for _ in range(4):
        step(house.services, game_id, tokens)
    house.services.maintenance.pause()
    game = house.services.reader.read(game_id).snapshot.game
    play, token = house.services.games.play, tokens[game.clock.seat]
    assert refused(play, game_id, token, steps=(legal_steps(game)[0],)) == "paused"


def test_a_spectator_sees_what_another_process_has_done(told):
    house, game_id, tokens = told
    other = build_services(Config(), house.store)
    for _ in range(3):
        moved = step(other, game_id, tokens)
        before = house.store.loads
        assert house.services.reader.read(game_id).snapshot == moved.snapshot
        assert house.store.loads == before + 1
        assert house.services.reader.read(game_id).snapshot == moved.snapshot
        assert house.store.loads == before + 1


def test_a_private_game_is_nothing_to_a_spectator_however_well_it_is_known(house):
    made = house.services.games.create(Settings(start_seat=1, visibility="private"))
    game_id, read = made.snapshot.game_id, house.services.reader.read
    for _ in range(2):
        assert read(game_id, made.token).snapshot.version
        assert refused(read, game_id) == "not_found"


PAIRS = [
    ("mortal", "mortal"),
    ("tartarus", "pan"),
    ("adonis", "charybdis"),
    ("nyx", "aeolus"),
    ("clio", "europa"),
    ("tyche", "gaea"),
    ("circe", "chaos"),
    ("selene", "morpheus"),
]


@pytest.mark.parametrize("powers", PAIRS, ids="-".join)
def test_what_is_remembered_is_what_the_log_tells(house, powers):
    """The entries a decision was made of, and the game after them, are those read from the log."""
    option = PowersOption("fixed", seats=powers)
    seats = house.seated(Settings(start_seat=1, powers=option))
    game_id, dice = seats[0].snapshot.game_id, random.Random("-".join(powers))
    for _ in range(60):
        answer = house.step(seats, dice)
        assert answer.events == recorded([event.body for event in answer.events])
        if answer.snapshot.game.clock is None:
            break
    cold = build_services(Config(), house.store).reader.read(game_id).snapshot
    assert answer.snapshot == cold
