"""Whatever is done to a stored log, verification names the right version."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import redis

from app.adapters import packing
from app.adapters.memory_store import MemoryStore
from app.cli import logs
from app.config import Config
from app.views.events import event_body
from app.views.sight import Viewer
from app.wiring import build_services
from docs import verify_log
from domain.game.settings import PowersOption, Settings
from tests.app.services.conftest import House
from tests.servers import redis_server

ROOT = Path(__file__).resolve().parents[2]
Blobs = list[bytes]


@pytest.fixture(scope="module")
def house() -> House:
    """Two games of the same shape, with a secret in each, in a store that can be meddled with."""
    house, dice = House(MemoryStore()), random.Random(9)
    for _ in range(2):
        settings = Settings(turn_seconds=60, powers=PowersOption("fixed", seats=("hecate", "pan")))
        seats = house.seated(settings, name="Zoë \u2603")
        for _ in range(7):
            house.step(seats, dice)
        house.services.games.resign(seats[0].snapshot.game_id, seats[0].token)
    return house


@pytest.fixture
def game_id(house) -> str:
    return next(iter(house.store._games))


@pytest.fixture
def text(house, game_id) -> bytes:
    return logs.ndjson(event.body for event in house.services.archive.export(game_id))


# -- the stored blocks --------------------------------------------------------------------------


def found(house: House, game_id: str, blobs: Blobs, ends: list[int] | None = None) -> int:
    """Verify a game whose stored blocks are these; return the first bad version, 0 for none."""
    log = house.store._games[game_id]
    kept = log.blobs, log.ends
    log.blobs, log.ends = blobs, ends or log.ends[: len(blobs)]
    house.restart()
    try:
        verdict = house.services.reader.verify(game_id)
        assert house.services.archive.verify(game_id) == verdict
        return 0 if verdict.ok else int(verdict.first_bad_version or -1)
    finally:
        log.blobs, log.ends = kept


def repacked(house: House, game_id: str, pack: Callable[[Any], bytes]) -> Blobs:
    """Return the blocks of a game as this packs them."""
    events = house.store.load(game_id).events
    ends = house.store._games[game_id].ends
    return [pack(events[a:b]) for a, b in zip([0, *ends[:-1]], ends, strict=True)]


FORMATS = pytest.mark.parametrize("pack", [packing.pack, packing.pack_old])


@FORMATS
def test_each_byte_of_the_stored_blocks_is_guarded(house, game_id, pack):
    """A flip in a hash names its event; one in packed text an event of its block."""
    log = house.store._games[game_id]
    whole, blobs, first = house.store.load(game_id).events, repacked(house, game_id, pack), 1
    assert found(house, game_id, blobs) == 0
    for place, blob in enumerate(blobs):
        last, count = log.ends[place], log.ends[place] - first + 1
        for at in range(len(blob)):
            bad = bytearray(blob)
            bad[at] ^= 1 << at % 8
            meddled = [*blobs[:place], bytes(bad), *blobs[place + 1 :]]
            named = found(house, game_id, meddled)
            if 3 <= at < 3 + 32 * count and pack is packing.pack_old:
                assert named == first + (at - 3) // 32
            elif 3 <= at < 3 + 2 * (count - 1) + 32 and pack is packing.pack:
                assert named == first + min((at - 3) // 2, count - 1)
            elif named == 0:  # unused bits, or the same words found elsewhere in the dictionary
                assert tuple(packing.unpack_all(meddled, game_id, 1, "")) == whole
            else:
                assert first <= named <= last
        first = last + 1
    assert house.store.load(game_id).events == whole


@FORMATS
def test_blocks_that_are_dropped_repeated_swapped_cut_or_foreign_are_named(house, game_id, pack):
    log = house.store._games[game_id]
    other = next(game for game in house.store._games if game != game_id)
    blobs, ends = repacked(house, game_id, pack), log.ends
    foreign = repacked(house, other, pack)
    starts = [1, *(end + 1 for end in ends)]
    for at in range(len(blobs)):
        assert found(house, game_id, blobs[:at] + blobs[at + 1 :]) == starts[at], "dropped"
        repeated = [*blobs[: at + 1], *blobs[at:]]
        assert found(house, game_id, repeated, [*ends, ends[-1] + 1]) == starts[at + 1], "repeated"
        assert found(house, game_id, blobs[:at]) == starts[at], "truncated"
        grafted = [*blobs[:at], foreign[at], *blobs[at + 1 :]]
        assert found(house, game_id, grafted) == starts[at], "foreign"
        cut = [*blobs[:at], blobs[at][: len(blobs[at]) // 2], *blobs[at + 1 :]]
        assert starts[at] <= found(house, game_id, cut) <= ends[at], "cut"
    for at in range(len(blobs) - 1):
        swapped = [*blobs[:at], blobs[at + 1], blobs[at], *blobs[at + 2 :]]
        assert found(house, game_id, swapped) == starts[at], "swapped"
    assert found(house, game_id, list(foreign)) == 1
    assert found(house, game_id, blobs) == 0


@pytest.mark.parametrize("name", ["version", "status", "deadline", "head"])
def test_a_published_state_that_the_log_does_not_tell_is_found(house, game_id, name):
    from msgspec.structs import replace

    log = house.store._games[game_id]
    meta = log.meta
    wrong = {"version": meta.version - 1, "status": "playing", "deadline": 5, "head": "sha256:00"}
    log.meta = replace(meta, **{name: wrong[name]})
    verdict = house.services.archive.verify(game_id)
    log.meta = meta
    assert not verdict.ok and verdict.first_bad_version == meta.version


def test_a_damaged_log_in_redis_is_named_over_http(tmp_path):
    """A flipped bit in a block: the answer is a verdict, not a crash."""
    from app import create_app

    with redis_server(tmp_path) as server:
        services = build_services(Config(redis_url=server.url))
        seated = services.games.create(Settings())
        game_id = seated.snapshot.game_id
        services.games.join(game_id)
        with redis.Redis.from_url(server.url) as client:
            key = next(client.scan_iter(f"*{game_id}:log"))
            blob = client.lindex(key, -1)
            client.lset(key, -1, blob[:-9] + bytes([blob[-9] ^ 4]) + blob[-8:])
        test_client = create_app(Config(redis_url=server.url)).test_client()
        answer = test_client.get(f"/v1/games/{game_id}/verification")
        assert answer.status_code == 200 and not answer.get_json()["ok"]
        assert answer.get_json()["first_bad_version"] >= 3


# -- exported text ------------------------------------------------------------------------------


def blamed(text: bytes) -> int:
    """Ask the stand-alone verifier, as a function."""
    return int(verify_log.verify(text.splitlines())[1])


def test_each_byte_of_an_exported_log_is_guarded(text):
    """By the forty lines that are in the docs, and by the command line's own check."""
    assert blamed(text) == 0
    line, checked = 1, random.Random(1)
    for at, byte in enumerate(text):
        flipped = text[:at] + bytes([byte ^ (1 << at % 7)]) + text[at + 1 :]
        named = blamed(flipped)
        assert named == line or (byte == 10 and named in (line, line + 1, 0)), (at, named, line)
        if checked.random() < 0.01 and byte != 10:
            assert _named_by_the_command_line(flipped) in (line, 0)
        line += byte == 10


def _named_by_the_command_line(text: bytes) -> int:
    from app.adapters.chain import flaw_of

    try:
        bodies = logs.parsed(text)
    except Exception:  # it names the line
        return 0
    flaw = flaw_of(bodies, str(bodies[0].get("game_id")))
    return flaw.version if flaw else -1


MEDDLING: dict[str, Callable[[list[bytes], int], list[bytes]]] = {
    "drop": lambda lines, at: lines[:at] + lines[at + 1 :],
    "repeat": lambda lines, at: lines[: at + 1] + lines[at:],
    "swap": lambda lines, at: [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]],
}


@pytest.mark.parametrize("deed", MEDDLING)
def test_lines_that_are_dropped_repeated_or_swapped_are_named(text, deed):
    lines = text.splitlines()
    for at in range(len(lines) - 1):
        named = verify_log.verify(MEDDLING[deed](lines, at))[1]
        assert named == at + 1 + (deed == "repeat")


def test_lines_of_another_game_are_named(house, text, game_id):
    other = next(game for game in house.store._games if game != game_id)
    foreign = logs.ndjson(e.body for e in house.services.archive.export(other)).splitlines()
    lines = text.splitlines()
    for at in range(min(len(lines), len(foreign))):
        assert verify_log.verify([*lines[:at], foreign[at], *lines[at + 1 :]])[1] in (at + 1, 2)


def run(file: Path, *heads: str) -> Any:
    return subprocess.run(
        [sys.executable, "-I", "docs/verify_log.py", str(file), *heads],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip


def test_the_stand_alone_verifier_is_short_and_needs_nothing(text, tmp_path):
    """Forty lines, the standard library; heads kept earlier catch a log that was cut."""
    source = (ROOT / "docs" / "verify_log.py").read_text()
    assert len(source.splitlines()) <= 40 and "import app" not in source
    file, cut = tmp_path / "whole.ndjson", tmp_path / "cut.ndjson"
    file.write_bytes(text)
    head = verify_log.verify(text.splitlines())[0][-1]
    done = run(file, head)
    assert done.returncode == 0 and head in done.stdout
    cut.write_bytes(b"\n".join(text.splitlines()[:-2]))
    assert run(cut).returncode == 0
    refused = run(cut, head)
    assert refused.returncode == 1 and f"bad at {len(text.splitlines()) - 1}" in refused.stdout


def test_a_redacted_log_can_be_followed(house, tmp_path):
    """While a game has secrets its public log still chains; what is hidden is not opened."""
    seats = house.seated(Settings(powers=PowersOption("fixed", seats=("hecate", "pan"))))
    for _ in range(5):
        house.step(seats, random.Random(2))
    page = house.services.reader.events(seats[0].snapshot.game_id)
    shown = [event_body(event, Viewer()) for event in page.events]
    assert any(event.get("redacted") for event in shown)
    file = tmp_path / "shown.ndjson"
    file.write_bytes(logs.ndjson(shown))
    assert run(file, page.snapshot.log_hash).returncode == 0
    for event in shown:
        if not event.get("redacted"):
            event["seat"] = 4
            break
    file.write_bytes(logs.ndjson(shown))
    assert run(file).returncode == 1
