"""Deadlines as data: applied once, never early, never for an outage of ours."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from app.adapters.store import GRACE, SHARDS, shard_of
from app.services.clocks import Expiry
from domain.game.outlook import legal_steps
from domain.game.settings import Settings

SECONDS = 10
CLOCK = Settings(start_seat=1, turn_seconds=SECONDS)
TURN = SECONDS * 1000


@pytest.fixture
def watched(house):
    """A house in which a sweeper has always been at work."""
    house.store.watch(60_000)
    return house


def pass_turn(house, millis=TURN + GRACE + 1):
    """Let time pass with a sweeper watching every few seconds."""
    while millis > 0:
        house.store.clock.advance(min(millis, 5000))
        house.store.watch(60_000)
        millis -= 5000


def started(house, settings=CLOCK):
    seats = house.seated(settings)
    return seats[0].snapshot.game_id, seats


def types(house, game_id, after):
    return [e.body["type"] for e in house.services.reader.events(game_id, after=after).events]


def test_nothing_happens_before_the_deadline_and_its_grace(watched):
    game_id, _ = started(watched)
    pass_turn(watched, TURN + GRACE)
    assert watched.services.clocks.expire(game_id) is Expiry.NOTHING
    watched.store.clock.advance(1)
    assert watched.services.clocks.expire(game_id) is Expiry.TIMED_OUT
    assert watched.services.clocks.expire(game_id) is Expiry.NOTHING


def test_a_timeout_s_events_are_one_command_of_the_server(watched):
    game_id, _ = started(watched)
    pass_turn(watched)
    watched.services.clocks.expire(game_id)
    events = watched.services.reader.events(game_id, after=5).events
    assert types(watched, game_id, 5) == [
        "timed_out", "placed", "placed", "turn_ended", "turn_started",
    ]  # fmt: skip
    assert {e.body["command"] for e in events} == {"timeout-5"}
    assert {e.body["actor"] for e in events} == {"server"}


def test_two_appliers_would_make_the_same_moves(watched):
    """C-39 places at random, but alike for everybody who knows the game's secret."""
    game_id, _ = started(watched)
    opened = watched.services.clocks._ledger.open(game_id)
    pass_turn(watched)
    watched.services.clocks.expire(game_id)
    first = [e.body["data"] for e in watched.services.reader.events(game_id, after=5).events[:3]]

    twin = type(watched)()
    twin.store.clock = watched.store.clock
    ledger = twin.services.clocks._ledger
    events = watched.services.archive.export(game_id)[:5]
    bodies = [{k: v for k, v in e.body.items() if not k.endswith("hash")} for e in events]
    from app.services.ledger import blank

    ledger.write(blank(game_id, 0, opened.loaded.meta.secret), bodies, "copy")
    twin.store.watch(60_000)
    twin.services.clocks.expire(game_id)
    assert [
        e.body["data"] for e in twin.services.reader.events(game_id, after=5).events[:3]
    ] == first


def test_racing_appliers_apply_once(watched):
    game_id, _ = started(watched)
    pass_turn(watched)
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(watched.services.clocks.expire, [game_id] * 8))
    assert results.count(Expiry.TIMED_OUT) == 1
    assert watched.services.reader.verify(game_id).ok


def test_the_third_timeout_in_a_row_and_the_end_are_one_append(watched):
    game_id, _ = started(watched)
    for _ in range(5):
        pass_turn(watched)
        watched.services.clocks.expire(game_id)
    game = watched.game(game_id).game
    assert game.status == "finished" and game.result.reason == "timeouts"
    last = watched.services.archive.export(game_id)[-2:]
    assert [e.body["type"] for e in last] == ["timed_out", "finished"]
    assert last[0].body["command"] == last[1].body["command"]
    assert not any(watched.store.due(shard).games for shard in range(SHARDS))


def test_the_next_deadline_is_counted_from_now(watched):
    game_id, _ = started(watched)
    pass_turn(watched, TURN + 20_000)
    watched.services.clocks.expire(game_id)
    assert watched.game(game_id).game.clock.deadline == watched.store.now() + TURN


def test_a_half_played_turn_is_completed_from_where_it_stands(watched):
    game_id, seats = started(watched)
    dice = random.Random(2)
    while (game := watched.step(seats, dice).snapshot.game).turn is None or not game.turn.moves:
        pass
    moved = game.turn.moves[0].target
    version = game.version
    pass_turn(watched)
    watched.services.clocks.expire(game_id)
    after = watched.services.reader.events(game_id, after=version).events
    assert [e.body["type"] for e in after][:2] == ["timed_out", "built"]
    assert moved in watched.game(game_id).game.position.workers


def test_run_due_applies_all_of_a_shard_and_only_what_is_due(watched):
    games = [started(watched)[0] for _ in range(30)]
    pass_turn(watched)
    late = started(watched)[0]
    applied = sum(watched.services.clocks.run_due(shard) for shard in range(SHARDS))
    assert applied == len(games)
    assert watched.game(late).version == 5
    assert sum(watched.services.clocks.run_due(shard) for shard in range(SHARDS)) == 0


def test_one_broken_game_does_not_hold_up_the_others(watched, caplog):
    games = [started(watched)[0] for _ in range(300)]
    shard = next(s for s in range(SHARDS) if sum(shard_of(g) == s for g in games) >= 3)
    mine = [g for g in games if shard_of(g) == shard]
    watched.store._games[mine[0]].blobs[-1] = b"\x01\x00\x01" + b"x" * 40
    watched.restart()
    pass_turn(watched)
    assert watched.services.clocks.run_due(shard) == len(mine) - 1
    assert mine[0] in caplog.text


# -- outages ------------------------------------------------------------------------------------


def test_an_outage_of_ours_restarts_the_clock_instead_of_counting(watched):
    game_id, _ = started(watched)
    watched.store.clock.advance(3_600_000)
    watched.store.watch(60_000)
    assert watched.services.clocks.expire(game_id) is Expiry.RESTARTED
    game = watched.game(game_id).game
    assert game.clock.deadline == watched.store.now() + TURN
    assert game.chairs[0].consecutive_timeouts == 0
    event = watched.services.archive.export(game_id)[-1]
    assert event.body["type"] == "clock_restarted" and event.body["data"]["reason"] == "outage"
    pass_turn(watched)
    assert watched.services.clocks.expire(game_id) is Expiry.TIMED_OUT


def test_a_command_after_an_outage_is_in_time_again(watched):
    game_id, seats = started(watched)
    watched.store.clock.advance(3_600_000)
    step = legal_steps(watched.game(game_id).game)[0]
    answer = watched.services.games.play(game_id, seats[0].token, steps=(step,))
    assert answer.events[0].body["type"] == "placed"
    assert types(watched, game_id, 5) == ["clock_restarted", "placed"]


def test_a_deadline_missed_before_the_outage_counts(watched):
    game_id, _ = started(watched)
    pass_turn(watched, TURN + 2000)
    watched.store.clock.advance(3_600_000)
    watched.store.watch(60_000)
    assert watched.services.clocks.expire(game_id) is Expiry.TIMED_OUT


def test_a_deadline_within_the_last_minute_of_an_outage_counts(watched):
    settings = Settings(start_seat=1, turn_seconds=600)
    game_id, _ = started(watched, settings)
    watched.store.clock.advance(600_000 + 30_000)
    watched.store.watch(60_000)
    assert watched.services.clocks.expire(game_id) is Expiry.TIMED_OUT


def test_games_of_one_outage_are_still_known_after_the_next(watched):
    game_id, _ = started(watched)
    watched.store.clock.advance(3_600_000)
    watched.store.watch(60_000)
    watched.store.clock.advance(3_600_000)
    watched.store.watch(60_000)
    assert watched.services.clocks.expire(game_id) is Expiry.RESTARTED


# -- pause and resume ---------------------------------------------------------------------------


def test_a_pause_stops_clocks_and_resuming_gives_the_time_back_once(watched):
    games = [started(watched)[0] for _ in range(5)]
    pass_turn(watched, 4000)
    watched.services.maintenance.pause()
    pass_turn(watched, 100_000)
    watched.services.maintenance.pause()
    assert watched.services.clocks.expire(games[0]) is Expiry.NOTHING
    assert all(watched.services.clocks.run_due(shard) == 0 for shard in range(SHARDS))
    assert watched.services.maintenance.resume() == 5
    assert watched.services.maintenance.resume() == 0
    for game_id in games:
        assert watched.game(game_id).game.clock.deadline == watched.store.now() + TURN - 4000
        assert types(watched, game_id, 5) == ["clock_restarted"]
        assert watched.services.reader.verify(game_id).ok


def test_resuming_that_was_interrupted_can_be_repeated(watched):
    games = [started(watched)[0] for _ in range(5)]
    watched.services.maintenance.pause()
    pass_turn(watched, 30_000)
    since = watched.store.paused_since(0)
    assert watched.services.clocks.resume(games[0], since)
    watched.restart()
    watched.store.clock.advance(7000)
    assert watched.services.maintenance.resume() == 4
    assert types(watched, games[0], 5) == ["clock_restarted"]


def test_games_without_a_clock_are_left_alone(watched):
    game_id, _ = started(watched, Settings(start_seat=1, turn_seconds=None))
    watched.services.maintenance.pause()
    assert watched.services.maintenance.resume() == 0
    assert watched.services.clocks.expire(game_id) is Expiry.NOTHING


def test_the_reconciler_puts_a_lost_entry_back(watched):
    game_id, _ = started(watched)
    watched.store._due.clear()
    assert watched.services.maintenance.reconcile(shard_of(game_id)) == 1
    assert watched.services.maintenance.reconcile(shard_of(game_id)) == 0
    pass_turn(watched)
    assert watched.services.clocks.run_due(shard_of(game_id)) == 1


def test_the_backlog_tells_how_long_the_oldest_deadline_has_waited(watched):
    backlog = watched.services.maintenance.backlog
    assert backlog().overdue == 0
    started(watched)
    assert backlog().overdue == 0
    pass_turn(watched, TURN + 1500)
    assert backlog().overdue == 1500
