"""Commands: who may, what they answer, what happens when they come twice, stale, late or racing."""

from __future__ import annotations

import random
from base64 import urlsafe_b64encode
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

import pytest
from msgspec.structs import replace

from app.adapters.store import DAY, GRACE
from app.services import Expected, Submission
from app.services.tokens import command_id, earlier_id, token_hash
from domain.board.geometry import BY_NAME
from domain.game.errors import IllegalStep, Refusal
from domain.game.settings import Settings
from domain.rules.step import Place

CLOCK = Settings(start_seat=1, turn_seconds=60)
KEY = "k" * 16
START = 5
"""Version of a duel that has just begun: created, joined, joined, started, turn_started."""


def place(name):
    return Place(BY_NAME[name])


def refused(code, call, *args, **more):
    with pytest.raises(Refusal) as caught:
        call(*args, **more)
    assert caught.value.code == code
    return caught.value


def placing(house, settings=CLOCK):
    seats = house.seated(settings)
    return seats[0].snapshot.game_id, seats


def play(house, game_id, seat, *squares, **more):
    steps = tuple(place(name) for name in squares)
    return house.services.games.play(game_id, seat.token, steps=steps, **more)


# -- seats and tokens ---------------------------------------------------------------------------


def test_a_created_game_waits_for_its_other_seats(house):
    seated = house.services.games.create(Settings(), 1, "Ada")
    assert (seated.seat, seated.snapshot.version, seated.snapshot.game.status) == (1, 2, "open")
    assert seated.snapshot.game.chairs[0].name == "Ada"
    assert seated.invite is None and len(seated.token) >= 43
    joined = house.services.games.join(seated.snapshot.game_id, name="Bob")
    assert joined.seat == 2 and joined.snapshot.game.status == "placing"


def test_tokens_are_in_no_event_and_stored_as_hashes_only(house):
    game_id, seats = placing(house)
    log = house.store._games[game_id]
    told = repr([event.body for event in house.services.archive.export(game_id)])
    for one in seats:
        assert one.token not in told + repr(log)
        assert token_hash(one.token) in log.roles


def test_a_host_has_a_token_but_does_not_play(house):
    hosted = house.services.games.create(CLOCK, None)
    game_id = hosted.snapshot.game_id
    assert hosted.seat is None
    caller = house.services.reader.authenticate(game_id, hosted.token)
    assert caller.host and caller.creator and caller.seat is None
    refused("not_a_player", house.services.games.resign, game_id, hosted.token)
    assert house.services.games.cancel(game_id, hosted.token).snapshot.game.status == "cancelled"


def test_only_the_creator_cancels_and_only_before_the_start(house):
    created = house.services.games.create(Settings(variant="trio"), 2)
    game_id = created.snapshot.game_id
    joined = house.services.games.join(game_id)
    refused("not_the_creator", house.services.games.cancel, game_id, joined.token)
    house.services.games.join(game_id)
    refused("game_started", house.services.games.cancel, game_id, created.token)


def test_leaving_frees_the_seat_and_kills_the_token(house):
    created = house.services.games.create(Settings(variant="trio"), 1)
    game_id = created.snapshot.game_id
    joined = house.services.games.join(game_id, 3)
    refused("not_your_seat", house.services.games.leave, game_id, 1, joined.token)
    refused("not_found", house.services.games.leave, game_id, 4, joined.token)
    answer = house.services.games.leave(game_id, 3, joined.token)
    assert answer.snapshot.game.chairs[2].status == "free"
    refused("token_unknown", house.services.games.leave, game_id, 3, joined.token)
    assert house.services.games.join(game_id, 3).seat == 3


def test_a_seat_that_was_the_creator_s_does_not_make_its_next_holder_the_creator(house):
    created = house.services.games.create(Settings(variant="trio"), 1)
    game_id = created.snapshot.game_id
    house.services.games.leave(game_id, 1, created.token)
    heir = house.services.games.join(game_id, 1)
    refused("not_the_creator", house.services.games.cancel, game_id, heir.token)


def test_a_taken_seat_and_a_full_game_are_refused(house):
    game_id = house.services.games.create(Settings(variant="trio"), 1).snapshot.game_id
    error = refused("seat_taken", house.services.games.join, game_id, 1)
    assert error.version == 2
    house.services.games.join(game_id)
    house.services.games.join(game_id)
    refused("game_full", house.services.games.join, game_id)
    refused("not_found", house.services.games.join, "nowhere")


def test_racing_joins_take_different_seats(house):
    game_id = house.services.games.create(Settings(variant="solo4"), 1).snapshot.game_id
    with ThreadPoolExecutor(3) as pool:
        seats = list(pool.map(house.services.games.join, [game_id] * 3))
    assert sorted(seat.seat for seat in seats) == [2, 3, 4]
    assert house.services.reader.verify(game_id).ok


def test_a_private_game_does_not_exist_for_strangers(house):
    created = house.services.games.create(Settings(visibility="private"), 1)
    game_id, games = created.snapshot.game_id, house.services.games
    for token in (None, "wrong"):
        refused("not_found", house.services.reader.read, game_id, token)
        refused("not_found", games.resign, game_id, token)
    refused("not_found", games.join, game_id)
    refused("not_found", games.join, game_id, invite="wrong")
    refused("not_found", games.join, game_id, invite=created.token)
    joined = games.join(game_id, invite=created.invite)
    assert house.services.reader.read(game_id, joined.token).caller.seat == 2
    refused("not_found", house.services.reader.read, game_id, created.invite)


def test_a_new_token_replaces_the_old_one(house):
    game_id, (one, two) = placing(house)
    games, asked = house.services.games, Submission("/token", KEY)
    assert refused("not_your_seat", games.renew_token, game_id, 1, two.token).version
    fresh = games.renew_token(game_id, 1, one.token, asked)
    refused("token_unknown", play, house, game_id, one, "a1")
    refused("token_unknown", house.services.reader.read, game_id, one.token)
    again = games.renew_token(game_id, 1, one.token, asked)
    assert again.token == fresh.token and again.replayed
    refused("token_unknown", games.renew_token, game_id, 1, one.token, Submission("/token"))
    refused(
        "token_unknown", games.renew_token, game_id, 1, one.token, Submission("/token", "x" * 16)
    )
    refused(
        "idempotency_key_reused",
        games.renew_token, game_id, 1, one.token, Submission("/token", KEY, b"other"),
    )  # fmt: skip
    assert play(house, game_id, fresh, "a1").caller.seat == 1


# -- playing ------------------------------------------------------------------------------------


def test_a_play_answers_exactly_the_events_it_appended(house):
    game_id, (one, _) = placing(house)
    answer = play(house, game_id, one, "a1", "b2")
    assert [e.body["type"] for e in answer.events] == [
        "placed", "placed", "turn_ended", "turn_started",
    ]  # fmt: skip
    page = house.services.reader.events(game_id, after=answer.events[0].version - 1)
    assert page.events == answer.events
    assert answer.snapshot.log_hash == answer.events[-1].body["hash"]
    assert len({e.body["command"] for e in answer.events}) == 1


def test_steps_are_all_or_nothing(house):
    game_id, (one, _) = placing(house)
    with pytest.raises(IllegalStep) as caught:
        play(house, game_id, one, "a1", "a1")
    assert caught.value.version == START and caught.value.index == 1
    assert house.services.reader.read(game_id).snapshot.version == START
    assert play(house, game_id, one, "a1").snapshot.version == START + 1


def test_only_the_seat_to_act_plays(house):
    game_id, (one, two) = placing(house)
    refused("not_your_turn", play, house, game_id, two, "a1")
    refused("token_required", house.services.games.play, game_id, None, steps=(place("a1"),))
    refused("token_unknown", house.services.games.play, game_id, "?", steps=(place("a1"),))
    other = house.seated()[0]
    refused("token_unknown", play, house, game_id, other, "a1")
    assert house.services.games.play(game_id, one.token, line="+a1").snapshot.version == START + 1


def test_a_stale_picture_of_the_game_is_refused(house):
    game_id, (one, _) = placing(house)
    refused("version_conflict", play, house, game_id, one, "a1", expected=Expected(START - 1))
    stale = Expected(if_match=frozenset({2, 3}))
    refused("precondition_failed", play, house, game_id, one, "a1", expected=stale)
    fresh = Expected(START, frozenset({2, START}))
    assert play(house, game_id, one, "a1", expected=fresh).snapshot.version == START + 1


def test_of_two_racing_turns_one_is_played(house):
    game_id, (one, _) = placing(house)

    def try_it(squares):
        try:
            return play(house, game_id, one, *squares).snapshot.version
        except Refusal as refusal:
            return refusal.code

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(try_it, [("a1", "b1"), ("c1", "d1"), ("a2", "b2"), ("a3", "b3")]))
    assert sorted(map(str, results)) == ["9"] + ["not_your_turn"] * 3


def test_a_dry_run_shows_everything_and_stores_nothing(house):
    game_id, (one, _) = placing(house)
    answer = play(house, game_id, one, "a1", "b1", dry_run=True)
    assert answer.snapshot.version == START + 4
    assert all("hash" not in e.body and "prev_hash" not in e.body for e in answer.events)
    assert house.services.reader.read(game_id).snapshot.version == START
    with pytest.raises(IllegalStep):
        play(house, game_id, one, "a1", "a1", dry_run=True)


def test_resigning_ends_a_duel_on_or_off_turn(house):
    game_id, (_, two) = placing(house)
    ended = house.services.games.resign(game_id, two.token).snapshot.game
    assert ended.status == "finished" and ended.result.winners == (1,)
    assert house.services.reader.verify(game_id).ok


# -- the same request again ---------------------------------------------------------------------


def test_a_repeated_play_answers_as_the_first_time(house):
    game_id, (one, two) = placing(house)
    asked = Submission("/steps", "abc", b"body")
    first = play(house, game_id, one, "a1", "b1", submission=asked)
    play(house, game_id, two, "a5", "b5")
    house.store.clock.advance(61_000)
    again = play(house, game_id, one, "a1", "b1", submission=asked)
    assert again.replayed and not first.replayed
    assert (again.events, again.snapshot, again.caller) == (
        first.events, first.snapshot, first.caller,
    )  # fmt: skip
    refused(
        "idempotency_key_reused",
        play, house, game_id, one, "c1", submission=Submission("/steps", "abc", b"other"),
    )  # fmt: skip


def test_a_command_of_the_first_release_is_known_by_its_key(house):
    """It kept more of the id and of the fingerprint; what is known is not played twice."""
    game_id, (one, _) = placing(house)
    asked = Submission("/steps", "a-key-of-the-past", b"body")
    first = play(house, game_id, one, "a1", "b1", submission=asked)
    commands = house.store._games[game_id].commands
    record = commands.pop(command_id(asked, one.token))
    whole = urlsafe_b64encode(sha256(b"body").digest()[:16]).decode().rstrip("=")
    commands[earlier_id(asked, one.token)] = replace(record, fingerprint=whole)
    again = play(house, game_id, one, "a1", "b1", submission=asked)
    assert again.replayed and again.events == first.events
    other = Submission("/steps", "a-key-of-the-past", b"other")
    refused("idempotency_key_reused", play, house, game_id, one, "c1", submission=other)


def test_a_key_belongs_to_its_caller_and_path(house):
    game_id, (one, two) = placing(house)
    play(house, game_id, one, "a1", "b1", submission=Submission("/steps", "abc", b"x"))
    other = play(house, game_id, two, "a5", "b5", submission=Submission("/steps", "abc", b"y"))
    assert not other.replayed
    gone = house.services.games.resign(game_id, one.token, Submission("/resignation", "abc", b""))
    assert not gone.replayed


def test_a_repeated_create_brings_the_first_answer_back_for_a_day(house):
    asked = Submission("/v1/games", KEY, b"{}")
    first = house.services.games.create(Settings(visibility="private"), 1, "Ada", asked)
    house.services.games.join(first.snapshot.game_id, invite=first.invite)
    house.restart()
    again = house.services.games.create(Settings(visibility="private"), 1, "Ada", asked)
    assert again.replayed and not first.replayed
    assert (again.token, again.invite, again.snapshot) == (
        first.token, first.invite, first.snapshot,
    )  # fmt: skip
    refused(
        "idempotency_key_reused",
        house.services.games.create, Settings(), 1, "Ada", Submission("/v1/games", KEY, b"[]"),
    )  # fmt: skip
    house.store.clock.advance(DAY)
    assert house.services.games.create(Settings(), 1, "Ada", asked).token != first.token


def test_a_repeated_join_brings_the_token_back(house):
    game_id = house.services.games.create(CLOCK).snapshot.game_id
    asked = Submission("/join", KEY, b"{}")
    first = house.services.games.join(game_id, submission=asked)
    again = house.services.games.join(game_id, submission=asked)
    assert again.replayed and again.token == first.token and again.seat == 2
    refused(
        "idempotency_key_reused",
        house.services.games.join, game_id, submission=Submission("/join", KEY, b"x"),
    )  # fmt: skip
    house.store.clock.advance(DAY)
    refused("idempotency_key_reused", house.services.games.join, game_id, submission=asked)


def test_racing_creates_with_one_key_make_one_game(house):
    asked = Submission("/v1/games", KEY, b"{}")
    with ThreadPoolExecutor(4) as pool:
        made = list(
            pool.map(lambda _: house.services.games.create(CLOCK, submission=asked), "abcd")
        )
    assert len({seated.token for seated in made}) == 1
    assert len(house.store._games) == 1


def test_the_key_itself_is_in_no_event(house):
    game_id, (one, _) = placing(house)
    play(house, game_id, one, "a1", "b1", submission=Submission("/steps", "my-secret-key"))
    assert "my-secret-key" not in repr(house.store._games) + repr(house.store._answers)


# -- deadlines and maintenance ------------------------------------------------------------------


def test_a_late_command_applies_the_timeout_first(house):
    game_id, (one, two) = placing(house)
    house.store.clock.advance(60_000 + GRACE)
    assert play(house, game_id, one, "a1").snapshot.version == START + 1
    house.store.clock.advance(1)
    error = refused("turn_expired", play, house, game_id, one, "b1")
    reading = house.services.reader.read(game_id).snapshot
    assert error.version == reading.version > START + 1
    assert reading.game.clock.seat == 2
    assert reading.game.chairs[0].consecutive_timeouts == 1
    assert play(house, game_id, two, *_free(reading.game, 2)).snapshot.version > reading.version
    assert house.services.reader.verify(game_id).ok


def _free(game, count):
    names = [name for name, square in BY_NAME.items() if not game.position.occupied >> square & 1]
    return names[:count]


def test_a_read_never_decides(house):
    game_id, _ = placing(house)
    house.store.clock.advance(600_000)
    assert house.services.reader.read(game_id).snapshot.version == START


def test_a_paused_service_refuses_but_still_knows_what_it_accepted(house):
    game_id, (one, _) = placing(house)
    asked = Submission("/steps", "abc", b"x")
    first = play(house, game_id, one, "a1", submission=asked)
    house.services.maintenance.pause()
    refused("paused", play, house, game_id, one, "b1")
    refused("paused", house.services.games.create, CLOCK)
    assert play(house, game_id, one, "a1", submission=asked).events == first.events
    assert house.services.reader.read(game_id).snapshot.version == START + 1
    assert house.services.maintenance.health().paused
    house.services.maintenance.resume()
    assert play(house, game_id, one, "b1").snapshot.version == START + 5


# -- the next game ------------------------------------------------------------------------------


def finished(house, settings=CLOCK):
    game_id, seats = placing(house, settings)
    house.services.games.resign(game_id, seats[0].token)
    return game_id, seats


def test_all_callers_of_a_rematch_get_the_same_game_and_keep_seat_and_token(house):
    game_id, (one, two) = finished(house)
    first = house.services.games.rematch(game_id, two.token)
    assert first.seat == 2 and first.token == two.token and first.created
    following = first.snapshot.game_id
    refused("game_full", house.services.games.join, following)
    again = house.services.games.rematch(game_id, two.token)
    assert not again.created and again.snapshot.version == first.snapshot.version
    second = house.services.games.rematch(game_id, one.token)
    assert second.snapshot.game_id == following and not second.created
    assert second.snapshot.game.status == "placing" and second.snapshot.game.start_seat == 2
    assert house.services.reader.read(game_id).snapshot.game.next_game == following
    assert play(house, following, two, "a5", "b5").caller.seat == 2
    assert house.services.reader.verify(game_id).ok and house.services.reader.verify(following).ok


def test_racing_rematches_make_one_game(house):
    game_id, seats = finished(house)
    with ThreadPoolExecutor(4) as pool:
        made = list(
            pool.map(lambda s: house.services.games.rematch(game_id, s.token), [*seats, *seats])
        )
    assert len({seated.snapshot.game_id for seated in made}) == 1
    assert sum(seated.created for seated in made) == 1
    assert house.services.reader.read(made[0].snapshot.game_id).snapshot.game.status == "placing"


def test_a_repeated_call_for_a_rematch_answers_as_the_first_time(house):
    game_id, (one, two) = finished(house)
    call = house.services.games.rematch
    first = call(game_id, two.token, Submission("/rematch", KEY))
    second = call(game_id, one.token, Submission("/rematch", KEY))
    again = call(game_id, two.token, Submission("/rematch", KEY))
    assert again.replayed and again.created and again.snapshot == first.snapshot
    again = call(game_id, one.token, Submission("/rematch", KEY))
    assert again.replayed and not again.created and again.snapshot == second.snapshot
    refused(
        "idempotency_key_reused", call, game_id, one.token, Submission("/rematch", KEY, b"other")
    )


def test_who_left_a_rematch_may_call_for_it_again(house):
    game_id, (one, two) = finished(house)
    following = house.services.games.rematch(game_id, two.token).snapshot.game_id
    house.services.games.leave(following, 2, two.token)
    assert house.services.games.rematch(game_id, two.token).seat == 2
    started = house.services.games.rematch(game_id, one.token).snapshot
    assert started.game_id == following and started.game.status == "placing"


def test_a_running_game_has_no_rematch(house):
    game_id, (one, _) = placing(house)
    refused("game_not_over", house.services.games.rematch, game_id, one.token)


def test_a_whole_random_game_verifies_in_every_variant(house):
    for variant in ("duel", "trio", "solo4", "team4_split"):
        end = house.play_out(house.seated(Settings(variant=variant)), random.Random(7))
        assert end.game.status == "finished" and house.services.reader.verify(end.game_id).ok
