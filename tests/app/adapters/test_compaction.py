"""A game that is over comes back from its one value exactly, whatever was played in it."""

from __future__ import annotations

import random
from contextlib import suppress
from functools import cache

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from app.adapters import chain, compaction, packing
from app.adapters.compaction import compact, fits, opened
from app.adapters.packing import Damaged
from app.adapters.store import Copy, Meta, Record
from app.services import Submission
from domain.game.errors import Refusal
from domain.game.settings import PowersOption, Settings
from tests.app.adapters.test_codec import GAME, SAMPLES, chained
from tests.app.services.conftest import House
from tests.tables import company


@cache
def played(seed: int) -> tuple[Copy, Meta]:
    """Play a game of any powers to its end: with keys and without, timeouts, pauses, secrets."""
    dice = random.Random(seed)
    house = House()
    variant = dice.choice(("duel", "duel", "trio", "team4"))
    names = company(dice, variant)
    chosen = Settings(
        variant,
        PowersOption("fixed", seats=names),
        turn_seconds=dice.choice((60, 86_400, None)),
        visibility=dice.choice(("public", "unlisted", "private")),
    )
    seats = [house.services.games.create(chosen)]
    game_id = seats[0].snapshot.game_id
    while len(seats) < len(names):
        seats.append(house.services.games.join(game_id, invite=seats[0].invite))
    keyed = dice.random() < 0.5
    for number in range(400):
        game = house.services.reader.read(game_id, seats[0].token).snapshot.game
        if game.clock is None:
            break
        house.store.clock.advance(dice.randrange(1, 50_000))
        if game.clock.deadline is not None and dice.random() < 0.05:
            house.store.clock.millis = max(house.store.now(), game.clock.deadline + 1_000)
            house.store.watch(60_000)
            house.services.clocks.expire(game_id)
        elif dice.random() < 0.01:
            with suppress(Refusal):
                house.services.games.resign(game_id, dice.choice(seats).token)
        else:
            key = f"key-{number}" if keyed else None
            with suppress(Refusal):  # too late, perhaps: then the turn has timed out
                house.step(seats, dice, Submission("/steps", key, b"{}"))
    else:
        while house.services.reader.read(game_id, seats[0].token).snapshot.game.clock:
            with suppress(Refusal):
                house.services.games.resign(game_id, dice.choice(seats).token)
    copy, loaded = house.store.dump(game_id), house.store.load(game_id)
    assert copy is not None and loaded.meta.status == "finished"
    return copy, loaded.meta


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000))
def test_a_game_comes_back_exactly(seed):
    copy, meta = played(seed)
    value = compact(copy, meta)
    found = opened(value, copy.game_id)
    assert found.meta == meta and found.roles == dict(copy.roles)
    assert found.commands() == copy.commands
    assert msgspec.json.encode(found.events()) == msgspec.json.encode(copy.events)
    assert fits(value, copy, meta)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000))
def test_the_blocks_of_a_game_come_back_exactly(seed):
    """Whatever the powers did: the forms of the shorthand fit, or it is written as JSON."""
    copy, _ = played(seed)
    blobs = [packing.pack(block) for block in copy.blocks()]
    again = packing.unpack_all(blobs, copy.game_id, 1, "")
    assert msgspec.json.encode(again) == msgspec.json.encode(copy.events)


def sample(**more) -> tuple[Copy, Meta]:
    """Make a game of every kind of event, in one append, as an import is."""
    events = tuple(chained(SAMPLES))
    roles = (("h" * 43, "seat:1"), ("reserved", "reserved"), ("x" * 43, "retired:0"))
    commands = (("turn", Record("", 1, len(events))),)
    meta = Meta(len(events), events[-1]["hash"], "finished", None, "public", 5, 7, "ab" * 16)
    return Copy(GAME, meta.secret, tuple(sorted(roles)), commands, events), replace(meta, **more)


def test_every_kind_of_event_and_role_comes_back():
    assert fits(compact(*sample()), *sample())
    copy, meta = sample(secret="not hex at all", status="cancelled", visibility="private")
    assert fits(compact(replace(copy, secret=meta.secret), meta), copy, meta) is False
    copy = replace(copy, secret=meta.secret)
    assert fits(compact(copy, meta), copy, meta)


def test_an_import_keeps_times_and_commands_of_its_events():
    copy, meta = sample()
    events = [{k: v for k, v in e.items() if "hash" not in k} for e in copy.events]
    for number, event in enumerate(events):
        event["command"] = f"command-{number // 2}"
        event["at"] = f"2026-11-30T10:{number // 3:02}:00.000Z"
    linked = tuple(chain.link(events, ""))
    copy = replace(copy, events=linked)
    meta = replace(meta, head=linked[-1]["hash"])
    value = compact(copy, meta)
    assert fits(value, copy, meta)
    assert opened(value, GAME).commands() == (("turn", Record("", 1, len(linked))),)


def test_a_fingerprint_is_shortened_and_everything_else_is_kept():
    copy, meta = sample()
    whole = replace(copy, commands=(("turn", Record("A-_9zZbb" * 2, 1, meta.version)),))
    assert opened(compact(whole, meta), GAME).commands() == (
        ("turn", Record("A-_9zZ", 1, meta.version)),
    )
    odd = replace(copy, commands=(("turn", Record("a b", 1, meta.version)),))
    assert opened(compact(odd, meta), GAME).commands() == odd.commands


def test_a_log_that_would_not_come_back_does_not_fit():
    copy, meta = sample()
    changed = [*copy.events[:3], copy.events[3] | {"actor": "nobody"}, *copy.events[4:]]
    bad = replace(copy, events=tuple(changed))
    assert not fits(compact(bad, meta), bad, meta)
    assert not fits(compact(copy, meta), copy, replace(meta, updated=8))


def test_a_game_that_goes_on_is_not_compacted():
    copy, meta = sample(status="playing")
    with pytest.raises(ValueError, match="goes on"):
        compact(copy, meta)


def test_every_changed_byte_of_a_value_is_found():
    """By the checksum; and where somebody mended that, by the head of the chain."""
    copy, meta = sample()
    value = compact(copy, meta)
    for at in range(len(value)):
        bad = bytearray(value)
        bad[at] ^= 1 << at % 8
        with pytest.raises(Damaged):
            opened(bytes(bad), GAME).copy()
    for cut in range(len(value)):
        with pytest.raises(Damaged):
            opened(value[:cut], GAME).copy()


def mended(value: bytes) -> bytes:
    return value[:1] + compaction.crc32(value[5:]).to_bytes(4, "big") + value[5:]


def test_a_changed_value_with_a_right_checksum_does_not_come_to_its_head():
    """What can still change unseen is what no hash binds: tokens, the secret, times of meta."""
    copy, meta = sample()
    value = compact(copy, meta)
    body = len(value) - len(opened(value, GAME).body)
    for at in range(body, len(value)):
        bad = bytearray(value)
        bad[at] ^= 1 << at % 8
        try:
            events = opened(mended(bytes(bad)), GAME).events()
        except Damaged:
            continue
        assert events == copy.events


def test_another_game_s_value_is_found():
    copy, meta = played(3)
    with pytest.raises(Damaged, match="published head"):
        opened(compact(copy, meta), "another-game").events()
