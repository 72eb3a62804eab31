"""Opening a game, taking and leaving seats, starting by itself."""

from __future__ import annotations

import pytest

from domain.game.commands import Cancel, Create, Join, Leave, LinkRematch, Play, Resign
from domain.game.errors import Refusal
from domain.game.events import Created, Joined, Started
from domain.game.lifecycle import rematch_settings
from domain.game.settings import PowersOption, Settings
from domain.rules.step import Place
from tests.games import GameTable, kinds, started


def test_the_creator_takes_a_seat_at_once():
    """The creator's seat is taken with the creation; its name says the seat by default."""
    table = GameTable()
    entries = table.do(Create(Settings()))
    assert [entry.data for entry in entries] == [
        Created(Settings(), False, 1),
        Joined(1, "Player 1"),
    ]
    assert table.game.status == "open"


def test_a_host_does_not_play():
    """With no seat the creator only hosts: every seat is free."""
    table = GameTable()
    table.do(Create(Settings(), None))
    assert [chair.status for chair in table.game.chairs] == ["free", "free"]
    assert table.game.creator_seat is None


def test_the_last_seat_starts_the_game():
    """When the last seat is taken the game starts by itself, in the same command."""
    table = GameTable()
    table.do(Create(Settings()))
    entries = table.do(Join(name="Bea"))
    assert kinds(entries) == ["Joined", "Started", "TurnStarted"]
    assert [entry.back for entry in entries] == [0, 1, 2]
    assert table.game.status == "placing"
    assert table.game.clock.deadline == table.now + 86_400_000


def test_no_clock_runs_before_the_start():
    """While seats are free nobody is to move."""
    table = GameTable()
    table.do(Create(Settings("trio")))
    table.do(Join())
    assert table.game.clock is None


def test_the_lowest_free_seat_is_given():
    """Who names no seat gets the lowest free one."""
    table = GameTable()
    table.do(Create(Settings("trio"), 2))
    table.do(Join())
    assert [chair.status for chair in table.game.chairs] == ["active", "active", "free"]


def test_a_taken_seat_is_refused():
    """Naming a seat somebody sits on is ``seat_taken``."""
    table = GameTable()
    table.do(Create(Settings()))
    with pytest.raises(Refusal) as refused:
        table.do(Join(seat=1))
    assert refused.value.code == "seat_taken"


@pytest.mark.parametrize("seat", [0, 3, -1])
def test_a_seat_that_is_none_is_refused(seat):
    """A duel has seats 1 and 2; the flaw points at the member."""
    table = GameTable()
    table.do(Create(Settings()))
    with pytest.raises(Refusal) as refused:
        table.do(Join(seat=seat))
    assert refused.value.code == "validation_failed"
    assert refused.value.flaws[0].pointer == "/seat"


def test_a_full_game_is_refused():
    """Nobody joins once all seats are taken."""
    with pytest.raises(Refusal) as refused:
        started().do(Join())
    assert refused.value.code == "game_full"


def test_a_seat_can_be_left_before_the_start():
    """Leaving frees the seat and its name; somebody else may take it."""
    table = GameTable()
    table.do(Create(Settings("trio")))
    table.do(Join())
    table.do(Leave(2))
    assert table.game.chairs[1].status == "free"
    assert table.game.chairs[1].name is None


def test_nobody_leaves_a_started_game():
    """After the start only resignation is left."""
    with pytest.raises(Refusal) as refused:
        started().do(Leave(1))
    assert refused.value.code == "game_started"


def test_a_game_is_called_off_before_its_start_only():
    """Cancelling ends an open game for good, and a started one not at all."""
    table = GameTable()
    table.do(Create(Settings()))
    table.do(Cancel())
    assert table.game.status == "cancelled"
    with pytest.raises(Refusal) as refused:
        table.do(Join())
    assert refused.value.code == "game_over"
    with pytest.raises(Refusal) as refused:
        started().do(Cancel())
    assert refused.value.code == "game_started"


def test_nothing_is_played_before_the_start():
    """Steps and resignations wait for the start."""
    table = GameTable()
    table.do(Create(Settings()))
    for command in (Play(1, (Place(0),)), Resign(1)):
        with pytest.raises(Refusal) as refused:
            table.do(command)
        assert refused.value.code == "game_not_started"


def test_the_start_seat_is_drawn():
    """C-13: with ``random`` every seat starts some of the games."""
    starts = {started("trio", seed, start_seat="random").game.start_seat for seed in range(30)}
    assert starts == {1, 2, 3}


def test_the_start_seat_may_be_chosen():
    """C-13: the creator may pick the start seat."""
    table = started("trio", start_seat=3)
    assert table.game.clock.seat == 3


def test_the_start_is_recorded_as_an_outcome():
    """Who starts stands in ``started``: folding needs no dice."""
    table = started(start_seat="random", seed=5)
    (start,) = [entry.data for entry in table.log if isinstance(entry.data, Started)]
    assert start == Started(table.game.start_seat, (None, None))


def test_the_next_game_is_linked_once():
    """The first rematch stands; before the end there is none."""
    table = started()
    with pytest.raises(Refusal) as refused:
        table.do(LinkRematch("next"))
    assert refused.value.code == "game_not_over"
    table.do(Resign(1))
    table.do(LinkRematch("next"))
    assert table.do(LinkRematch("other")) == ()
    assert table.game.next_game == "next"


def test_the_next_seat_starts_the_next_game():
    """A rematch starts with the seat after the last start seat."""
    assert rematch_settings(started("trio", start_seat=3).game).start_seat == 1


def test_a_power_goes_before_the_rematch_order():
    """C-52: Bia starts every game she is in."""
    table = started(powers=PowersOption("fixed", seats=("bia", "pan")))
    assert rematch_settings(table.game).start_seat == "random"
