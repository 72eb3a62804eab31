"""Questions: the past, pages of the log, the list, and what a verification finds."""

from __future__ import annotations

import random

import pytest

from app.adapters import packing
from app.services import GameQuery
from domain.game.errors import Refusal
from domain.game.settings import Settings


def refused(code, call, *args, **more):
    with pytest.raises(Refusal) as caught:
        call(*args, **more)
    assert caught.value.code == code


def test_every_past_version_is_what_it_was(house):
    seats, dice = house.seated(), random.Random(4)
    game_id, seen = seats[0].snapshot.game_id, {}
    for _ in range(30):
        snapshot = house.step(seats, dice).snapshot
        seen[snapshot.version] = snapshot
    house.restart()
    for version, snapshot in seen.items():
        reading = house.services.reader.read(game_id, version=version)
        assert reading.snapshot == snapshot and reading.head == max(seen)
    for version in (0, -1, max(seen) + 1):
        refused("not_found", house.services.reader.read, game_id, version=version)


def test_a_log_is_read_in_pages_and_one_by_one(house):
    seats = house.seated()
    end = house.play_out(seats, random.Random(5))
    reader = house.services.reader
    every = reader.events(end.game_id, limit=None)
    assert [e.version for e in every.events] == list(range(1, end.version + 1)) and not every.more
    paged, after = [], 0
    while True:
        page = reader.events(end.game_id, after=after, limit=7)
        paged += page.events
        if not page.more:
            break
        after = page.events[-1].version
    assert tuple(paged) == every.events
    assert reader.events(end.game_id, after=end.version).events == ()
    for event in every.events[::9]:
        assert reader.event(end.game_id, event.version).events == (event,)
    refused("not_found", reader.event, end.game_id, end.version + 1)
    refused("not_found", reader.event, end.game_id, 0)


def test_a_page_of_events_never_goes_beyond_its_game(house, monkeypatch):
    """A game that ends between the two reads of a page: a stream would never see that it ended."""
    seats = house.seated(Settings(start_seat=1))
    game_id, store = seats[0].snapshot.game_id, house.store
    load, calls = store.load, []

    def interrupted(*args, **more):
        calls.append(args)
        if len(calls) == 2:
            house.services.games.resign(game_id, seats[0].token)
        return load(*args, **more)

    monkeypatch.setattr(store, "load", interrupted)
    page = house.services.reader.events(game_id, seats[0].token)
    assert page.snapshot.game.status == "placing"
    assert page.events[-1].version == page.snapshot.version
    assert not page.more
    rest = house.services.reader.events(game_id, after=page.snapshot.version)
    assert rest.snapshot.game.status == "finished"
    assert rest.events[-1].version == rest.snapshot.version


def test_a_spectator_reads_public_games_but_a_wrong_token_is_told(house):
    game_id = house.seated()[0].snapshot.game_id
    assert not house.services.reader.read(game_id).caller.known
    refused("token_unknown", house.services.reader.read, game_id, "nonsense")
    refused("not_found", house.services.reader.read, "nowhere", "nonsense")


# -- the list -----------------------------------------------------------------------------------


def listed(house, **query):
    return [s.game_id for s in house.services.reader.list(GameQuery(**query)).games]


def test_only_public_games_are_listed(house):
    create = house.services.games.create
    shown = create(Settings()).snapshot.game_id
    create(Settings(visibility="unlisted"))
    create(Settings(visibility="private"))
    assert listed(house) == [shown]


def test_filters_narrow_the_list_together(house):
    create, join = house.services.games.create, house.services.games.join
    a = create(Settings(), name="Ada").snapshot.game_id
    house.store.clock.advance(1)
    b = create(Settings(variant="trio"), name="Ada").snapshot.game_id
    house.store.clock.advance(1)
    c = create(Settings(), name="Bob").snapshot.game_id
    join(c, name="Ada")
    assert listed(house) == [c, b, a] and listed(house, oldest_first=True) == [a, b, c]
    assert listed(house, player="Ada") == [c, b, a] and listed(house, player="Bob") == [c]
    assert listed(house, variant="trio") == [b]
    assert listed(house, status="open", player="Ada") == [b, a]
    assert listed(house, status="placing") == [c]
    assert listed(house, player="Eve") == listed(house, status="playing") == []


def test_to_move_lists_the_games_in_which_a_token_s_seat_is_to_act(house):
    one, two = house.seated()
    game_id = one.snapshot.game_id
    assert listed(house, to_move=one.token) == [game_id] and listed(house, to_move=two.token) == []
    house.services.games.play(game_id, one.token, line="+a1 +a2")
    assert listed(house, to_move=one.token) == [] and listed(house, to_move=two.token) == [game_id]
    house.services.games.resign(game_id, one.token)
    assert listed(house, to_move=two.token) == []


def test_cursors_neither_skip_nor_repeat_while_games_are_created(house):
    create, reader, made = house.services.games.create, house.services.reader, []
    for number in range(50):
        made.append(create(Settings()).snapshot.game_id)
        house.store.clock.advance(number % 2)
    seen, cursor = [], None
    while True:
        page = reader.list(GameQuery(limit=7, cursor=cursor))
        seen += [snapshot.game_id for snapshot in page.games]
        house.store.clock.advance(1)
        create(Settings())
        if page.next_cursor is None:
            break
        cursor = page.next_cursor
    assert sorted(seen) == sorted(made) and len(seen) == len(made)


@pytest.mark.parametrize("cursor", ["", "!", "abc", "MTIz", "MTIzLg", "LjE", "\u0661", "a" * 500])
def test_a_cursor_of_somebody_else_is_refused(house, cursor):
    refused("bad_cursor", house.services.reader.list, GameQuery(cursor=cursor))


# -- verification -------------------------------------------------------------------------------


def tampered(house, game_id, version, change):
    """Rewrite the blob that holds a version, keeping every stored hash."""
    log = house.store._games[game_id]
    place = next(i for i, end in enumerate(log.ends) if end >= version)
    first = log.ends[place] - packing.count_of(log.blobs[place]) + 1
    previous = packing.head_of(log.blobs[place - 1]) if place else ""
    events = packing.unpack(log.blobs[place], game_id, first, previous)
    change(events[version - first])
    log.blobs[place] = packing.pack(events)


@pytest.mark.parametrize("version", [1, 2, 8, 20])
def test_a_verification_names_the_version_that_was_changed(house, version):
    seats = house.seated()
    end = house.play_out(seats, random.Random(6))
    assert house.services.reader.verify(end.game_id).ok
    tampered(house, end.game_id, version, lambda event: event.update(at="2020-01-01T00:00:00.000Z"))
    found = house.services.reader.verify(end.game_id)
    assert not found.ok and found.first_bad_version == version and found.problem


def test_a_verification_finds_an_illegal_move_under_an_honest_chain(house):
    """An operator who rewrites a log and all its hashes still cannot make it lawful."""
    from app.adapters import chain

    seats = house.seated()
    end = house.play_out(seats, random.Random(6))
    told = [dict(e.body) for e in house.services.archive.export(end.game_id)]
    moved = next(e for e in told if e["type"] == "moved")
    moved["data"] = {"from": moved["data"]["from"], "to": moved["data"]["from"]}
    bodies = [{k: v for k, v in e.items() if not k.endswith("hash")} for e in told]
    forged = chain.link(bodies, "")
    log = house.store._games[end.game_id]
    log.ends, log.blobs = [len(forged)], [packing.pack(forged)]
    from msgspec.structs import replace

    log.meta = replace(log.meta, head=forged[-1]["hash"])
    found = house.services.reader.verify(end.game_id)
    assert not found.ok and found.first_bad_version == moved["version"]


def test_a_flaw_in_a_running_game_is_named_without_its_secrets(house):
    """Whoever verifies a damaged log must not read a square in what is wrong with it."""
    from msgspec.structs import replace

    from app.adapters import chain
    from domain.game.settings import PowersOption

    powers = PowersOption("fixed", seats=("tartarus", "mortal"))
    seats = house.seated(Settings(powers=powers, start_seat=1))
    game_id = seats[0].snapshot.game_id
    for seat, line in ((0, "+b2 +d4"), (1, "+b4 +d2"), (0, "@abyss:c3")):
        house.services.games.play(game_id, seats[seat].token, line=line)
    told = [dict(e.body) for e in house.services.reader.events(game_id).events]
    laid = next(e for e in told if e["type"] == "token_placed")
    laid["data"] = laid["data"] | {"at": "b2"}
    forged = chain.link([{k: v for k, v in e.items() if not k.endswith("hash")} for e in told], "")
    log = house.store._games[game_id]
    log.ends, log.blobs = [len(forged)], [packing.pack(forged)]
    log.meta = replace(log.meta, head=forged[-1]["hash"])
    found = house.services.reader.verify(game_id)
    assert not found.ok and found.first_bad_version == laid["version"]
    assert found.problem == "the rules do not allow it"


def test_a_published_state_that_the_log_does_not_tell_is_found(house):
    from msgspec.structs import replace

    game_id = house.seated(Settings(start_seat=1, turn_seconds=60))[0].snapshot.game_id
    log = house.store._games[game_id]
    log.meta = replace(log.meta, deadline=log.meta.deadline + 1)
    found = house.services.reader.verify(game_id)
    assert not found.ok and "deadline" in found.problem


def test_a_log_that_lost_its_tail_in_a_failover_is_read_anew(house):
    """The cache holds more than the store: the store is right."""
    from msgspec.structs import replace

    seats = house.seated()
    game_id = seats[0].snapshot.game_id
    before = house.game(game_id)
    log = house.store._games[game_id]
    kept = (log.meta, list(log.ends), list(log.blobs), dict(log.commands))
    house.services.games.play(game_id, seats[0].token, line="+a1")
    log.meta, log.ends, log.blobs, log.commands = kept
    assert house.game(game_id) == before
    house.services.games.play(game_id, seats[0].token, line="+b1")
    log.meta = replace(log.meta)
    assert house.services.reader.verify(game_id).ok
