"""Every kind of entry becomes an envelope, is chained, packed, unpacked and read back the same."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.adapters import chain, codec, packing, times, upcasters
from app.adapters.settings_codec import settings_from, settings_json
from domain.board import facts
from domain.game import events
from domain.game.events import SERVER, Entry, Loser
from domain.game.settings import PowersOption, Settings

GAME = "g" * 16
SAMPLES = [
    Entry(events.Created(Settings(), creator_seat=2), 2),
    Entry(events.Joined(1, "Zoë <b>"), 1),
    Entry(events.Left(1), 1),
    Entry(events.Started(2, ("apollo", None)), None, SERVER, 2),
    Entry(events.Offered(("apollo", "athena"), True), 1, SERVER),
    Entry(facts.Chosen(1, "power", "apollo"), 1),
    Entry(facts.Placed(1, 6, "f"), 1, nonce="00ff"),
    Entry(facts.WorkerPlaced(2, 24), 2),
    Entry(facts.Moved(1, 7, 2), 2, hidden=(facts.Forced(3, 4), facts.Moved(1, 2, 1))),
    Entry(facts.Forced(1, 7), 2, SERVER, 1),
    Entry(facts.Exchanged(((0, 18), (6, 24))), 1),
    Entry(facts.Built(1, 7, True), 1, hidden=()),
    Entry(facts.Built(1, 7), 1),
    Entry(facts.BlockRemoved(7, 3), 1, SERVER, 1),
    Entry(facts.WorkerRemoved(7), 1, SERVER, 1),
    Entry(facts.TokenPlaced("talus", 1, 7), 1),
    Entry(facts.TokenPlaced("wind", 1, direction="NE"), 1),
    Entry(facts.TokenPlaced("ram", 0, 7, card="pan"), 1),
    Entry(facts.TokenRemoved("talus", 7), 1),
    Entry(facts.PowerLost(2, "athena", "stolen"), 1, SERVER, 1),
    Entry(events.StepCancelled(1, "b2^b3", "b3"), 1, SERVER, 0),
    Entry(events.Passed(1), 1),
    Entry(events.Resigned(1), 1),
    Entry(events.Cancelled(), 1),
    Entry(events.TurnStarted(1, 7, "normal", 1_700_000_000_007), 1, SERVER, 3),
    Entry(events.TurnStarted(1, 7, "normal", None), 1, SERVER, 3),
    Entry(events.TurnEnded(1, 7, "normal", True), 1, SERVER, 1),
    Entry(events.TimedOut(1, 2), 1, SERVER),
    Entry(events.ClockRestarted(1, 1_700_000_000_000, "outage"), 1, SERVER),
    Entry(events.Eliminated((1, 3), "stuck"), None, SERVER, 1),
    Entry(events.Finished((2,), "climb", (Loser(1, "climb"),)), None, SERVER, 1),
    Entry(events.RematchCreated("other"), None),
]


def chained(entries):
    bodies = [
        codec.body_of(entry, GAME, version, 1_700_000_000_123, "turn")
        for version, entry in enumerate(entries, 1)
    ]
    return chain.link(bodies, "")


@pytest.mark.parametrize("entry", SAMPLES, ids=lambda entry: type(entry.data).__name__)
def test_an_entry_comes_back_from_its_envelope(entry):
    body = codec.body_of(entry, GAME, 9, 1_700_000_000_123, "turn")
    assert codec.entry_of(json.loads(json.dumps(body))) == entry


def test_a_power_s_memory_is_written_as_its_state():
    from domain.powers import CATALOGUE

    note = CATALOGUE["athena"].note_from({"ban": True})
    entry = Entry(facts.PowerChanged(1, "athena", note), 1, SERVER, 1)
    body = codec.body_of(entry, GAME, 9, 0, "turn")
    assert body["data"] == {"seat": 1, "power": "athena", "state": {"ban": True}}
    assert codec.entry_of(body) == entry


def test_every_power_s_first_memory_comes_back():
    from domain.powers import CATALOGUE

    for key, power in CATALOGUE.items():
        entry = Entry(facts.PowerGained(1, key, power.initial_note()), 1, SERVER, 1)
        assert codec.entry_of(codec.body_of(entry, GAME, 9, 0, "turn")) == entry


def test_an_envelope_has_the_contract_s_members_in_its_order():
    moved = chained([SAMPLES[0], Entry(facts.Moved(1, 6, 1), 1)])[1]
    assert list(moved) == [
        "game_id", "version", "type", "schema", "at", "seat", "actor", "cause", "command",
        "data", "prev_hash", "hash",
    ]  # fmt: skip
    assert moved["data"] == {"from": "b1", "to": "b2"}
    assert moved["at"] == "2023-11-14T22:13:20.123Z"


def test_every_domain_event_has_a_shape():
    every = {*events.Life.__args__, *facts.Fact.__args__}
    assert set(codec.SHAPES) == every


@pytest.mark.parametrize("pack", [packing.pack, packing.pack_old])
def test_a_whole_log_survives_packing_byte_for_byte(pack):
    log = chained(SAMPLES)
    for size in (1, 3, len(log)):
        blobs = [pack(log[place : place + size]) for place in range(0, len(log), size)]
        again = packing.unpack_all(blobs, GAME, 1, "")
        assert json.dumps(again) == json.dumps(log)


def test_imported_events_keep_their_own_times_and_commands():
    log = chained(SAMPLES[:3])
    log[1]["at"], log[2]["command"] = times.written(5), "other"
    assert packing.unpack(packing.pack_old(log), GAME, 1, "") == log
    log = chain.link([{k: v for k, v in e.items() if "hash" not in k} for e in log], "")
    assert packing.unpack(packing.pack(log), GAME, 1, "") == log


def test_a_damaged_blob_is_refused():
    blob = packing.pack(chained(SAMPLES[:3]))
    with pytest.raises(ValueError, match="unknown format"):
        packing.unpack(b"\x09" + blob[1:], GAME, 1, "")
    with pytest.raises(ValueError, match="damaged"):
        packing.unpack(blob[: 3 + 96] + b"\xff" * 9, GAME, 1, "")


@pytest.mark.parametrize(
    "powers",
    [
        PowersOption(),
        PowersOption("fixed", seats=("apollo", "mortal")),
        PowersOption("random", groups=("simple",), perfect_information=True),
        PowersOption("draft", order="bga", offer="limited", groups=("simple", "hero")),
        PowersOption("golden_fleece", offer="quick"),
        PowersOption("golden_fleece", power="pan"),
    ],
)
def test_settings_come_back(powers):
    settings = Settings("trio", powers, "free", 2, None, "private")
    assert settings_from(json.loads(json.dumps(settings_json(settings)))) == settings


@given(st.integers(0, 4_000_000_000_000))
def test_times_keep_their_milliseconds(millis):
    assert times.read(times.written(millis)) == millis


# -- old shapes ---------------------------------------------------------------------------------


def test_a_build_of_schema_0_is_of_a_block():
    body = codec.body_of(Entry(facts.Built(1, 7), 1), GAME, 9, 0, "turn")
    old = body | {"schema": 0, "data": {"from": "b1", "at": "c2"}}
    assert codec.entry_of(old) == codec.entry_of(body)


def test_a_schema_from_the_future_is_refused():
    body = codec.body_of(Entry(facts.Built(1, 7), 1), GAME, 9, 0, "turn")
    with pytest.raises(upcasters.UnknownSchema, match="built of schema 2"):
        codec.entry_of(body | {"schema": 2})


def test_a_schema_has_one_upcaster():
    with pytest.raises(ValueError, match="two upcasters"):
        upcasters.upcasts("built", 0)(dict)


@pytest.mark.parametrize(
    "broken",
    [
        {"type": "flown"},
        {"actor": "god"},
        {"data": {"from": "z9", "at": "c2", "piece": "block"}},
        {"data": {"from": "b1", "at": "c2"}},
        {"data": {"from": "b1", "at": "c2", "piece": "roof"}},
        {"data": None},
        {"cause": "x"},
    ],
)
def test_what_is_no_event_of_ours_is_unreadable(broken):
    body = codec.body_of(Entry(facts.Built(1, 7), 1), GAME, 9, 0, "turn")
    with pytest.raises(ValueError):
        codec.entry_of(body | broken)


# -- the chain ----------------------------------------------------------------------------------


def test_an_honest_log_has_no_flaw():
    log = chained(SAMPLES)
    assert chain.flaw_of(log, GAME, log[-1]["hash"]) is None


def test_event_1_is_bound_to_the_game_and_its_settings():
    first = chained(SAMPLES[:1])[0]
    assert first["prev_hash"] == chain.genesis(GAME, settings_json(Settings()))
    assert first["prev_hash"] != chain.genesis("h" * 16, settings_json(Settings()))


@pytest.mark.parametrize("member", ["at", "seat", "actor", "cause", "command", "data", "schema"])
def test_a_changed_event_is_named(member):
    log = chained(SAMPLES)
    log[4] = log[4] | {member: {"x": 1}}
    assert chain.flaw_of(log, GAME).version == 5


def test_a_rewritten_event_is_found_at_the_next_one():
    log = chained(SAMPLES)
    changed = {k: v for k, v in log[4].items() if not k.endswith("hash")} | {"actor": "player"}
    log[4] = chain.sealed(changed, log[3]["hash"])
    assert chain.flaw_of(log, GAME) == chain.Flawed(
        6, "prev_hash is not the hash of the event before"
    )


def test_a_missing_a_foreign_and_a_cut_log_are_found():
    log = chained(SAMPLES)
    assert chain.flaw_of(log[:3] + log[4:], GAME).version == 4
    assert chain.flaw_of(log, "other").version == 1
    assert chain.flaw_of(log[:-1], GAME, log[-1]["hash"]).version == len(log) - 1
    assert chain.flaw_of(log[1:], GAME).version == 1
    assert chain.flaw_of([], GAME, log[-1]["hash"]).version == 1


def test_what_cannot_happen_unseen_is_no_hidden_fact():
    """Only board facts stand in ``hidden``: a log that says otherwise is none of ours (P-39)."""
    entry = Entry(facts.Moved(1, 7, 2), 2, hidden=(facts.Forced(3, 4),))
    body = codec.body_of(entry, GAME, 1, 0, "c")
    body["hidden"][0] = {"type": "resigned", "seat": 1, "data": {}}
    with pytest.raises(codec.UnreadableEvent, match="unseen"):
        codec.entry_of(body)
