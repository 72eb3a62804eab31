"""What every store promises: in memory, on Redis, on a cluster of three, under sentinels."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest
from msgspec.structs import replace

from app.adapters import compaction
from app.adapters.store import (
    GRACE,
    SHARDS,
    Copy,
    Meta,
    Query,
    Record,
    Sealed,
    Tokens,
    shard_of,
)
from tests.app.adapters.changes import change

GAME = "game-1"


def test_what_was_appended_is_loaded_exactly(store):
    first = change(store, GAME)
    assert store.append(first).verdict == "appended"
    second = change(store, GAME, 2, 3)
    assert store.append(second).version == 5

    loaded = store.load(GAME)
    assert loaded.events == first.events + second.events
    assert loaded.meta == second.meta
    assert [list(event) for event in loaded.events] == [
        list(event) for event in first.events + second.events
    ]


@pytest.mark.parametrize("after", range(7))
@pytest.mark.parametrize("limit", [None, 1, 2, 4])
def test_a_load_starts_after_any_version_and_stops_at_a_limit(store, after, limit):
    for expected in (0, 2, 4):
        store.append(change(store, GAME, expected))
    every = store.load(GAME).events
    stop = None if limit is None else after + limit
    assert store.load(GAME, after, limit=limit).events == every[after:stop]


def test_several_games_are_read_at_once(store):
    for name in ("a", "b", "c"):
        store.append(change(store, name, 0, 3))
    loaded = store.load_many({"c": 1, "nobody": 0, "a": 0})
    assert list(loaded) == ["c", "a"]
    assert loaded["c"].events == store.load("c", 1).events
    assert loaded["a"].events == store.load("a").events and store.load_many({}) == {}


def test_there_is_no_game_before_its_first_event(store):
    assert store.load("nobody") is None
    assert store.append(change(store, GAME, 0)).version == 2


def test_only_the_next_version_is_taken(store):
    store.append(change(store, GAME))
    behind = replace(change(store, GAME, 0), command="other")
    answer = store.append(behind)
    assert (answer.verdict, answer.version) == ("conflict", 2)
    assert store.append(replace(change(store, "new", 0), expected=0)).verdict == "appended"
    assert len(store.load(GAME).events) == 2


def test_the_same_command_is_a_duplicate_and_tells_what_it_did(store):
    store.append(change(store, GAME))
    turn = change(store, GAME, 2, command="turn")
    store.append(turn)
    store.append(change(store, GAME, 4))
    again = store.append(turn)
    assert (again.verdict, again.version) == ("duplicate", 6)
    assert again.record == Record("print", 3, 4)
    assert store.load(GAME, command="turn").record == again.record
    assert store.load(GAME, command="never").record is None
    assert store.load(GAME, command="never", formerly="turn").record == again.record
    assert store.load(GAME, command="turn", formerly="never").record == again.record


def test_a_command_after_the_deadline_and_its_grace_is_late(bench):
    store = bench.store
    store.append(change(store, GAME, deadline=store.now() + 100))
    move = change(store, GAME, 2)
    bench.wait(100 + GRACE + 1)
    assert store.append(move).verdict == "late"
    assert store.load(GAME).meta.version == 2


def test_a_command_within_the_grace_is_in_time(bench):
    store = bench.store
    store.append(change(store, GAME, deadline=store.now() - GRACE + 150))
    assert store.append(change(store, GAME, 2)).verdict == "appended"


def test_a_timeout_waits_for_the_deadline_and_its_grace(bench):
    store = bench.store
    store.append(change(store, GAME, deadline=store.now() + 50))
    timeout = change(store, GAME, 2, mode="timeout")
    assert store.append(timeout).verdict == "early"
    bench.wait(50 + GRACE + 1)
    assert store.append(timeout).verdict == "appended"
    assert store.append(timeout).verdict == "duplicate"


def test_an_accepted_command_stays_accepted_when_it_is_sent_again_too_late(bench):
    """Duplicate is answered before conflict and before late."""
    store = bench.store
    store.append(change(store, GAME, deadline=store.now() + 200))
    move = change(store, GAME, 2, deadline=store.now() + 200)
    assert store.append(move).verdict == "appended"
    bench.wait(200 + GRACE + 1)
    assert store.append(move).verdict == "duplicate"


def test_a_conflict_is_answered_before_late(bench):
    store = bench.store
    store.append(change(store, GAME, deadline=store.now() - GRACE - 50))
    assert store.append(change(store, GAME, 2, mode="system")).verdict == "appended"
    stale = replace(change(store, GAME, 4), expected=2, events=change(store, GAME, 2).events)
    assert store.append(replace(stale, command="stale")).verdict == "conflict"


def test_a_pause_refuses_commands_and_timeouts_but_not_the_system(store):
    store.append(change(store, GAME, deadline=store.now() - GRACE - 50))
    since = store.pause()
    assert store.pause() == since == store.paused_since(shard_of(GAME))
    assert store.load(GAME).paused
    assert store.append(change(store, GAME, 2)).verdict == "paused"
    assert store.append(change(store, GAME, 2, mode="timeout")).verdict == "paused"
    assert store.append(change(store, GAME, 2, mode="system")).verdict == "appended"
    store.resume(shard_of(GAME))
    assert store.paused_since(shard_of(GAME)) is None
    assert store.append(change(store, GAME, 4)).verdict == "appended"


def test_of_many_racing_appends_one_wins(store):
    store.append(change(store, GAME))
    moves = [change(store, GAME, 2, command=f"racer-{n}") for n in range(16)]
    with ThreadPoolExecutor(8) as pool:
        verdicts = sorted(answer.verdict for answer in pool.map(store.append, moves))
    assert verdicts == ["appended"] + ["conflict"] * 15


def test_the_due_index_follows_the_deadline(store):
    shard = shard_of(GAME)
    store.append(change(store, GAME, deadline=5000))
    assert store.due(shard).games == ((GAME, 5000),)
    now, firsts = store.next_due()
    assert [place for place, first in enumerate(firsts) if first] == [shard]
    assert firsts[shard] == 5000 and abs(now - store.now()) < 1000
    store.append(change(store, GAME, 2, deadline=7000, mode="system"))
    assert store.due(shard).games == ((GAME, 7000),)
    store.append(change(store, GAME, 4, deadline=None, mode="system", status="finished"))
    assert store.due(shard).games == ()


def test_due_games_come_in_order_of_their_deadlines(store):
    names = [f"g{n}" for n in range(2000) if shard_of(f"g{n}") == 7][:12]
    deadlines = random.Random(1).sample(range(1, 1000), len(names))
    for name, deadline in zip(names, deadlines, strict=True):
        store.append(change(store, name, deadline=deadline))
    games = store.due(7, limit=10).games
    assert [deadline for _, deadline in games] == sorted(deadlines)[:10]


def test_a_repair_puts_the_due_index_right(bench):
    store = bench.store
    store.append(change(store, GAME, deadline=5000))
    assert store.repair([GAME]) == 0
    if bench.client is None:
        store._due.clear()
    else:
        bench.client.delete(f"t:{{s{shard_of(GAME):02}}}:due")
    assert store.repair([GAME, "nobody"]) == 1
    assert store.due(shard_of(GAME)).games == ((GAME, 5000),)


def test_open_games_are_those_not_over(store):
    store.append(change(store, GAME))
    assert store.open_games(shard_of(GAME)) == [GAME]
    store.append(change(store, GAME, 2, status="finished"))
    assert store.open_games(shard_of(GAME)) == []


def test_a_lease_has_one_owner_until_it_runs_out(bench):
    store = bench.store
    assert store.lease("sweep", "ann", 200)
    assert store.lease("sweep", "ann", 200)
    assert not store.lease("sweep", "bob", 200)
    assert store.lease("sweep", "bob", 200, shard=1)
    bench.wait(220)
    assert store.lease("sweep", "bob", 200)


def test_a_long_silence_leaves_a_gap(bench):
    store = bench.store
    store.watch(60_000)
    first = store.due(3)
    assert first.gap == (0, first.watermark)
    bench.wait(30)
    store.watch(60_000)
    assert store.due(3).gap == first.gap
    bench.wait(60)
    store.watch(50)
    begin, end = store.due(3).gap
    assert begin < end == store.due(3).watermark and end - begin >= 60


# -- tokens and answers -------------------------------------------------------------------------


def test_tokens_are_known_by_hash_with_their_role(store):
    store.append(change(store, GAME, tokens=Tokens({"aa": "creator:1", "hh": "invite"})))
    store.append(change(store, GAME, 2, tokens=Tokens({"bb": "seat:2"})))
    roles = [store.load(GAME, token_hash=h).role for h in ("aa", "bb", "hh", "zz", "")]
    assert roles == ["creator:1", "seat:2", "invite", None, None]


def test_a_token_dies_with_its_seat(store):
    store.append(change(store, GAME, tokens=Tokens({"aa": "creator:1", "bb": "seat:2"})))
    store.append(change(store, GAME, 2, tokens=Tokens(revoked=(2,))))
    assert store.load(GAME, token_hash="bb").role is None
    assert store.load(GAME, token_hash="aa").role == "creator:1"


def test_a_renewed_token_takes_the_role_and_retires_the_old_one(store):
    store.append(change(store, GAME, tokens=Tokens({"aa": "creator:1"})))
    box = Sealed("k", "print", b"\x00box")
    assert store.renew_token(GAME, "aa", "cc", box) is True
    assert store.load(GAME, token_hash="cc").role == "creator:1"
    assert store.load(GAME, token_hash="aa").role == "retired:1"
    assert store.renew_token(GAME, "aa", "dd", box) == box
    assert store.renew_token(GAME, "aa", "cc") is True  # the same call, its answer lost
    assert store.renew_token(GAME, "aa", "dd") is False
    assert store.renew_token(GAME, "zz", "dd") is False


def test_a_sealed_answer_comes_back_instead_of_a_second_game(store):
    box = Sealed("k" * 22, "print", b"\x00\xffbox")
    first = change(store, GAME, answer=box)
    assert store.append(first).verdict == "appended"
    other = next(name for name in map(str, range(9999)) if shard_of(name) == shard_of(GAME))
    again = store.append(change(store, other, answer=replace(box, fingerprint="x", box=b"new")))
    assert (again.verdict, again.answer) == ("duplicate", box)
    assert store.load(other) is None
    assert store.load(GAME, answer_id=box.id).answer == box.box
    assert store.answer(GAME, box.id) == box
    assert store.answer(GAME, "unknown") is None


# -- the list -----------------------------------------------------------------------------------


def _games(store, count):
    dice = random.Random(count)
    games = []
    for number in range(count):
        created = 1000 + dice.randrange(count // 2)
        name = f"game-{dice.getrandbits(60)}"
        indexes = ("all", "status:open" if number % 3 else "status:playing")
        store.append(change(store, name, created=created, listed=indexes, count=1))
        games.append((created, name, indexes))
    return games


def _walk(store, **query):
    seen, after = [], None
    while True:
        page = store.page(Query(limit=7, after=after, **query))
        seen += page
        if len(page) < 7:
            return seen
        after = page[-1]


@pytest.mark.parametrize("oldest_first", [True, False])
def test_pages_hold_every_game_once_in_order(store, oldest_first):
    games = sorted(((c, n) for c, n, _ in _games(store, 150)), reverse=not oldest_first)
    assert _walk(store, oldest_first=oldest_first) == games


def test_pages_hold_only_games_in_all_indexes(store):
    games = _games(store, 60)
    wanted = sorted(((c, n) for c, n, i in games if "status:playing" in i), reverse=True)
    assert _walk(store, indexes=("all", "status:playing")) == wanted
    assert _walk(store, indexes=("status:open", "status:playing")) == []


def test_many_games_of_one_moment_are_walked_through(store):
    names = [name for name in map(str, range(25_000)) if shard_of(name) == 5][:250]
    for name in names:
        store.append(change(store, name, created=5, listed=("all",), count=1))
    assert [name for _, name in _walk(store, oldest_first=True)] == sorted(names)
    assert [name for _, name in _walk(store)] == sorted(names, reverse=True)


def test_a_game_leaves_an_index(store):
    store.append(change(store, GAME, listed=("all", "status:open")))
    moved = change(store, GAME, 2, listed=("status:playing",), unlisted=("status:open",))
    store.append(moved)
    assert store.page(Query(("status:open",))) == []
    assert [name for _, name in store.page(Query(("status:playing",)))] == [GAME]


def test_the_token_of_the_seat_to_act_finds_the_game(store):
    tokens = Tokens({"aa": "creator:1", "bb": "seat:2"})
    store.append(change(store, GAME, listed=("all",), tokens=tokens, to_move=1))
    found = {h: store.page(Query(token_hash=h)) for h in ("aa", "bb")}
    assert [len(found[h]) for h in ("aa", "bb")] == [1, 0]
    store.append(change(store, GAME, 2, to_move=2))
    assert not store.page(Query(token_hash="aa")) and store.page(Query(token_hash="bb"))
    assert store.renew_token(GAME, "bb", "cc")
    assert not store.page(Query(token_hash="bb")) and store.page(Query(token_hash="cc"))
    store.append(change(store, GAME, 4, to_move=0))
    assert not store.page(Query(token_hash="cc"))


def test_shards_are_spread_and_stable():
    assert shard_of("abcdefgh") == 16
    assert {shard_of(str(n)) for n in range(2000)} == set(range(SHARDS))


def test_a_gap_reaches_back_while_games_of_the_one_before_wait(bench):
    """And no further: what was missed while somebody watched stays missed."""
    store = bench.store
    store.watch(60_000)
    store.append(change(store, GAME, deadline=store.now() + 10))
    bench.wait(60)
    store.watch(50)
    waiting, other = shard_of(GAME), (shard_of(GAME) + 1) % SHARDS
    first, elsewhere = store.due(waiting).gap, store.due(other).gap
    assert first and elsewhere
    bench.wait(60)
    store.watch(50)
    assert store.due(waiting).gap[0] == first[0]
    assert store.due(other).gap[0] == elsewhere[1]


def test_counts_are_added_up(store):
    assert store.counts() == {}
    store.count("rescued")
    store.count("rescued", 4)
    assert store.counts() == {"rescued": 5}


# -- many at once -----------------------------------------------------------------------------


def test_several_games_are_appended_to_at_once_each_by_itself(bench):
    """One of every verdict in one batch: what one game is told changes nothing for another."""
    store = bench.store
    past = store.now() - GRACE - 1
    for game_id in ("late", "early", "twice", "due"):
        store.append(change(store, game_id, deadline=past))
    store.append(change(store, "early", 2, mode="timeout", deadline=store.now() + 60_000))
    again = change(store, "twice", 2, mode="system", command="once")
    store.append(again)
    told = store.append_many(
        [
            change(store, "new"),
            change(store, "late", 2),
            change(store, "early", 4, mode="timeout"),
            again,
            change(store, "twice", 2, command="other"),
            change(store, "due", 2, mode="timeout"),
        ]
    )
    verdicts = ["appended", "late", "early", "duplicate", "conflict", "appended"]
    assert [one.verdict for one in told] == verdicts
    assert [one.version for one in told] == [2, 2, 4, 4, 4, 4]
    assert told[3].record.first == 3
    versions = [store.load(g).meta.version for g in ("new", "late", "early", "twice", "due")]
    assert versions == [2, 2, 4, 4, 4]
    assert store.append_many([]) == []


def test_a_batch_is_told_as_its_appends_would_be_one_by_one(store):
    """Sixty games over all shards, every other one appended to already."""
    changes = [change(store, f"game-{n}") for n in range(60)]
    for one in changes[::2]:
        store.append(one)
    told = store.append_many(changes)
    assert [one.verdict for one in told] == ["duplicate", "appended"] * 30
    again = [store.append(one) for one in changes]
    assert {one.verdict for one in again} == {"duplicate"}
    assert [one.version for one in again] == [one.version for one in told]


def test_the_clocks_of_several_shards_are_read_at_once(store):
    games = [f"game-{n}" for n in range(12)]
    for place, game_id in enumerate(games):
        store.append(change(store, game_id, deadline=1_000 + place))
    shards = sorted({shard_of(game_id) for game_id in games})
    read = store.dues([*shards, shards[0]], 2)
    assert [due.games for due in read] == [store.due(s, 2).games for s in [*shards, shards[0]]]
    assert any(due.games for due in read) and not any(due.paused for due in read)
    store.pause()
    assert all(due.paused for due in store.dues(shards))


def test_a_claim_stands_until_work_begins_or_it_runs_out(bench):
    store = bench.store
    assert store.claim("a", 300, [1, 2, 3]) == [1, 2, 3]
    assert store.claim("a", 300, [1, 2]) == [1, 2], "the same call, sent again"
    assert store.claim("b", 300, [3, 4]) == [4]
    assert store.work("w", 300, [1]) == [1]
    assert store.claim("b", 300, [1]) == [], "somebody is at work"
    assert store.work("w", 0, [1]) == [1]
    assert store.claim("b", 300, [1]) == [1], "work has fulfilled the claim"
    bench.wait(300)
    assert store.claim("c", 300, [1, 2, 3, 4]) == [1, 2, 3, 4]


def test_a_shard_has_one_at_work_until_he_ends_or_falls_silent(bench):
    store = bench.store
    assert store.work("a", 300, [1, 2]) == [1, 2]
    assert store.work("b", 300, [1, 2, 3]) == [3]
    assert store.work("b", 0, [1]) == [], "nobody ends another's work"
    assert store.work("a", 300, [1]) == [1]
    store.work("a", 0, [1])
    assert store.work("b", 300, [1, 2]) == [1]
    bench.wait(300)
    assert store.work("c", 300, [1, 2, 3]) == [1, 2, 3]


def test_paused_shards_are_not_claimed(store):
    store.pause()
    assert store.claim("a", 300, [1, 2]) == []
    store.resume(2)
    assert store.claim("a", 300, [1, 2]) == [2]


def test_what_was_taken_for_granted_must_hold(store):
    """A decision made on what a process remembers is appended only where that is still so."""
    roles = Tokens(added={"mine": "seat:1"})
    first = change(store, GAME, tokens=roles)
    assert store.append(first).verdict == "appended"
    turn = change(store, GAME, 2, token_hash="mine", role="seat:1")
    for wrong in (
        {"role": "seat:2"},
        {"role": "creator:1"},
        {"token_hash": "other"},
        {"events": ({**turn.events[0], "prev_hash": f"sha256:{0:064}"}, *turn.events[1:])},
    ):
        assert store.append(replace(turn, **wrong)).verdict == "conflict"
    assert store.append(turn).verdict == "appended"


def test_a_command_known_by_its_earlier_name_is_a_duplicate(store):
    store.append(change(store, GAME))
    store.append(change(store, GAME, 2, command="long-name"))
    again = change(store, GAME, 4, command="name", formerly="long-name")
    answer = store.append(again)
    assert (answer.verdict, answer.record.first, answer.record.last) == ("duplicate", 3, 4)


def test_the_clock_is_heard_of_and_never_ahead(bench):
    store = bench.store
    store.append(change(store, GAME))
    for _ in range(20):
        before = store.heard(GAME)
        store.load(GAME)
        assert before - 1 <= store.heard(GAME) <= store.load(GAME).now
        bench.wait(3)


def test_a_peek_shows_version_and_head(store):
    assert store.peek(GAME) is None
    for expected in (0, 2):
        store.append(change(store, GAME, expected))
        meta = store.load(GAME).meta
        assert store.peek(GAME) == (meta.version, meta.head)


# -- games that are over ------------------------------------------------------------------------


def finished(store, **more) -> tuple[Copy, Meta, bytes]:
    """Append a game that is over, and return what it is compacted from and to."""
    tokens = Tokens({"a" * 43: "creator:1", "b" * 43: "seat:2", "reserved": "reserved"})
    store.append(change(store, GAME, 0, 3, tokens=tokens, **more))
    store.append(change(store, GAME, 3, 2, command="turn", **more))
    store.append(change(store, GAME, 5, 1, status="finished", **more))
    copy, loaded = store.dump(GAME), store.load(GAME)
    return copy, loaded.meta, compaction.compact(copy, loaded.meta)


def everything(store, limit) -> list[object]:
    """Ask all there is to ask of a game, without what tells the time or the form."""
    asked = [
        store.load(GAME, after, limit=limit, command=command, formerly=formerly, token_hash=hash_)
        for after in range(8)
        for command, formerly in (("", ""), ("turn", ""), ("never", "turn"), ("never", ""))
        for hash_ in ("", "a" * 43, "nobody")
    ]
    asked += [store.load_many({GAME: 3, "nobody": 0})[GAME]]
    return [replace(one, now=0, compacted=False) for one in asked]


@pytest.mark.parametrize("limit", [None, 1, 4])
def test_a_compacted_game_answers_every_question_as_before(store, limit):
    copy, meta, value = finished(store)
    before = everything(store, limit)
    assert not store.load(GAME).compacted
    assert store.compact(copy, meta, value)
    assert store.load(GAME).compacted and store.load(GAME).meta == meta
    assert everything(store, limit) == before
    assert store.dump(GAME) == compaction.shortened(copy)
    assert list(store.games()) == [GAME]
    assert store.repair([GAME]) == 0 and store.open_games(shard_of(GAME)) == []


def test_a_game_is_compacted_only_as_it_was_read(store):
    copy, meta, value = finished(store)
    behind = replace(meta, version=5)
    other = replace(meta, head=f"sha256:{'0' * 64}")
    foreign = replace(copy, roles=copy.roles[:-1])
    changed = replace(copy, roles=(("c" * 43, "seat:2"), *copy.roles[1:]))
    for wrong in ((copy, behind), (copy, other), (foreign, meta), (changed, meta)):
        assert not store.compact(*wrong, value)
    assert not store.load(GAME).compacted
    store.append(change(store, GAME, 6, 1, command="rematch", status="finished"))
    assert not store.compact(copy, meta, value)
    assert not store.compact(replace(copy, game_id="nobody"), meta, value)
    assert store.load("nobody") is None and len(store.load(GAME).events) == 7


def test_a_second_compaction_does_nothing(store):
    copy, meta, value = finished(store)
    assert store.compact(copy, meta, value) and not store.compact(copy, meta, value)
    assert store.load(GAME).events == copy.events


def test_a_compacted_game_is_laid_out_again_to_be_changed(store):
    """A rematch is linked; the game is one that is over, and can be compacted again."""
    copy, meta, value = finished(store)
    assert store.compact(copy, meta, value)
    link = change(store, GAME, 6, 1, command="rematch", status="finished")
    assert store.append(link).verdict == "appended"
    loaded = store.load(GAME)
    assert not loaded.compacted and loaded.events == copy.events + link.events
    assert store.over(shard_of(GAME), 0) == [GAME]
    copy, value = store.dump(GAME), compaction.compact(store.dump(GAME), loaded.meta)
    assert store.compact(copy, loaded.meta, value)
    assert store.load(GAME).events == copy.events and store.over(shard_of(GAME), 0) == []
    assert store.append(link).verdict == "duplicate"


@pytest.mark.parametrize(
    ("name", "expected", "verdict"),
    [("turn", 3, "duplicate"), ("new", 3, "conflict"), ("new", 0, "conflict")],
)
def test_an_append_to_a_compacted_game_is_judged_as_before(store, name, expected, verdict):
    first = change(store, GAME, 0, 1)
    copy, meta, value = finished(store)
    late = replace(change(store, GAME, 3, 2), command=name)
    late = late if expected else replace(first, command=name)
    assert store.compact(copy, meta, value)
    answer = store.append(late)
    assert (answer.verdict, answer.version) == (verdict, 6)
    assert answer.record == (Record("print", 4, 5) if verdict == "duplicate" else None)


def test_a_paused_store_refuses_what_is_new_to_a_compacted_game(store):
    copy, meta, value = finished(store)
    link = change(store, GAME, 6, 1, command="rematch", status="finished")
    again = replace(link, command="turn")
    assert store.compact(copy, meta, value)
    store.pause()
    assert store.append(again).verdict == "duplicate"
    assert store.append(link).verdict == "paused"


def test_a_token_of_a_compacted_game_can_be_replaced(store):
    copy, meta, value = finished(store)
    assert store.compact(copy, meta, value)
    assert store.renew_token(GAME, "b" * 43, "c" * 43) is True
    assert store.load(GAME, token_hash="c" * 43).role == "seat:2"
    assert store.load(GAME, token_hash="b" * 43).role == "retired:2"
    assert store.renew_token(GAME, "nobody", "d" * 43) is False
    assert not store.compact(copy, meta, value)


def test_a_compacted_game_is_never_overwritten_by_a_copy(store):
    copy, meta, value = finished(store)
    assert store.compact(copy, meta, value)
    assert not store.restore(copy, meta, 0, ())
    assert store.load(GAME).compacted


def test_games_are_over_for_as_long_as_they_are(bench):
    store = bench.store
    names = [f"g{n}" for n in range(400) if shard_of(f"g{n}") == shard_of(GAME)][:3]
    for name in names:
        store.append(change(store, name))
        store.append(change(store, name, 2, status="cancelled" if name == names[1] else "finished"))
        bench.wait(20)
    assert store.over(shard_of(GAME), 0) == names and store.over(shard_of(GAME), 0, 2) == names[:2]
    assert store.over(shard_of(GAME), 60_000) == [] == store.over(1, 0)
    store.leave(names[0])
    assert store.over(shard_of(GAME), 0) == names[1:]
    copy, meta = store.dump(names[1]), store.load(names[1]).meta
    assert store.compact(copy, meta, compaction.compact(copy, meta))
    assert store.over(shard_of(GAME), 0) == names[2:]


def test_a_restored_game_that_is_over_waits_to_be_compacted(bench):
    copy, meta, _ = finished(bench.store)
    other = replace(copy, game_id=next(f"g{n}" for n in range(400) if shard_of(f"g{n}") == 9))
    assert bench.store.restore(other, meta, 0, ())
    bench.wait(1)
    assert bench.store.over(9, 0) == [other.game_id]


def test_a_compacted_game_stays_in_the_list(store):
    copy, meta, value = finished(store, listed=("all", "status:finished"))
    assert store.compact(copy, meta, value)
    assert [game for _, game in store.page(Query())] == [GAME]
    assert store.page(Query(token_hash="a" * 43)) == []


def test_of_racing_changes_and_compactions_none_is_lost(store):
    """Whoever is first, the link is there in the end, once, and the log is whole."""
    copy, meta, value = finished(store)
    link = change(store, GAME, 6, 1, command="rematch", status="finished")
    with ThreadPoolExecutor(6) as pool:
        swaps = [pool.submit(store.compact, copy, meta, value) for _ in range(3)]
        links = [pool.submit(store.append, link) for _ in range(3)]
    assert sorted(one.result().verdict for one in links) == ["appended", *["duplicate"] * 2]
    assert all(one.result() in (True, False) for one in swaps)
    assert store.load(GAME).events == copy.events + link.events
