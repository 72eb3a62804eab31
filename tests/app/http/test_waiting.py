"""Long polls, streams, tickets, tables: who waits is woken, and nobody waits for ever."""

import csv
import io
import json
import resource
import time
from threading import Thread

import pytest

from app.http import limits
from app.http.problems import Problem
from app.http.waiting import Room


def events_of(response):
    """Read a whole stream: (id, type, data) of each event."""
    found = []
    for block in response.text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        if "data" in fields:
            found.append((int(fields["id"]), fields["event"], json.loads(fields["data"])))
    return found


def later(seconds, act):
    def run():
        time.sleep(seconds)
        act()

    thread = Thread(target=run)
    thread.start()
    return thread


def test_a_long_poll_answers_at_once_when_there_is_news(duel):
    version = duel.game()["version"]
    start = time.monotonic()
    assert duel.get(f"?wait=5&after={version - 1}").status_code == 200
    assert duel.get("", Prefer="wait=5", **{"If-None-Match": '"1"'}).status_code == 200
    assert duel.get(f"/events?wait=5&after={version - 1}").json["events"]
    assert time.monotonic() - start < 1


def test_a_long_poll_in_vain_is_304(duel):
    version = duel.game()["version"]
    start = time.monotonic()
    assert duel.get(f"?wait=1&after={version}").status_code == 304
    assert 0.9 < time.monotonic() - start < 3
    tag = {"If-None-Match": f'"{version}"'}
    assert duel.get("", Prefer="respond-async, wait=1", **tag).status_code == 304
    assert duel.get(f"/events?wait=1&after={version}").status_code == 304
    assert time.monotonic() - start > 2.7


@pytest.mark.parametrize("path", ["?", "/events?"])
def test_a_long_poll_is_woken(app, duel, path):
    version = duel.game()["version"]
    other = type(duel)(app.test_client(), duel.id, duel.tokens)
    thread = later(0.2, lambda: other.play("b2>b3 b3^c3", 1))
    start = time.monotonic()
    response = duel.get(f"{path}wait=20&after={version}")
    thread.join()
    assert response.status_code == 200
    assert response.json["version"] > version
    assert time.monotonic() - start < 2


def test_a_stream_follows_a_game_to_its_end(app, duel):
    other = type(duel)(app.test_client(), duel.id, duel.tokens)

    def finish():
        other.play("b2>b3 b3^c3", 1)
        time.sleep(0.1)
        other.post("/resignation", seat=2)

    thread = later(0.2, finish)
    response = duel.get("/events", Accept="text/event-stream")
    found = events_of(response)
    thread.join()
    log = duel.get("/events").json["events"]
    assert [event for _, _, event in found] == log
    assert all((id_, type_) == (e["version"], e["type"]) for id_, type_, e in found)
    assert found[-1][1] == "finished"


def test_a_stream_resumes_by_last_event_id(duel):
    duel.post("/resignation", seat=2)
    last = duel.game()["version"]
    sse = {"Accept": "text/event-stream"}
    found = events_of(duel.get("/events?after=1", **sse, **{"Last-Event-ID": str(last - 2)}))
    assert [id_ for id_, _, _ in found] == [last - 1, last]
    found = events_of(duel.get(f"/events?after={last - 1}", **sse))
    assert [id_ for id_, _, _ in found] == [last]


def test_a_stream_past_the_end_is_204(duel):
    duel.post("/resignation", seat=2)
    last = duel.game()["version"]
    sse = {"Accept": "text/event-stream"}
    assert duel.get(f"/events?after={last}", **sse).status_code == 204
    duel.post("/rematch", seat=1)
    found = events_of(duel.get(f"/events?after={last}", **sse))
    assert [type_ for _, type_, _ in found] == ["rematch_created"]


@pytest.mark.parametrize("given", ["x", "-1", "1.5", "9" * 30])
def test_a_last_event_id_that_is_no_version_is_refused(duel, given):
    for accepted in ("text/event-stream", "application/json"):
        response = duel.get("/events", Accept=accepted, **{"Last-Event-ID": given})
        assert (response.status_code, response.json["code"]) == (400, "malformed_request")


def test_an_open_stream_beats(app, duel, monkeypatch):
    monkeypatch.setattr("app.http.streams.HEARTBEAT_SECONDS", 0.2)
    other = type(duel)(app.test_client(), duel.id, duel.tokens)
    thread = later(1.0, lambda: other.post("/resignation", seat=2))
    text = duel.get("/events", Accept="text/event-stream").text
    thread.join()
    assert text.count(": still here\n\n") >= 2


def test_full_rooms_answer_429(app, duel):
    room = app.extensions["waiting-room"]
    version = duel.game()["version"]
    leaving = []
    try:
        while room.taken < room._size:
            leaving.append(room.enter())
        for path, headers in (
            ("/events", {"Accept": "text/event-stream"}),
            (f"?wait=9&after={version}", {}),
            (f"/events?wait=9&after={version}", {}),
        ):
            response = duel.get(path, **headers)
            assert (response.status_code, response.json["code"]) == (429, "too_many_streams")
        assert duel.get(f"?wait=9&after={version - 1}").status_code == 200
    finally:
        for leave in leaving:
            leave()


def test_an_address_has_half_of_a_room(app):
    heard = []
    room = Room(5, heard.append)
    with app.test_request_context():
        leaving = [room.enter("a"), room.enter("a"), room.enter("b")]
        with pytest.raises(Problem):
            room.enter("a")
        leaving[0]()
        leaving[0]()
        leaving.append(room.enter("a"))
        leaving += [room.enter(), room.enter("c")]
        with pytest.raises(Problem):
            room.enter("d")
        for leave in leaving:
            leave()
    assert room.taken == sum(heard) == 0


@pytest.mark.parametrize(
    ("files", "streams"),
    [(resource.RLIM_INFINITY, 4000), (65_536, 4000), (4_000, 2800), (1_024, 512), (1, 1)],
)
def test_streams_leave_files_for_the_rest(monkeypatch, files, streams):
    monkeypatch.setattr(resource, "getrlimit", lambda what: (files, files))
    assert limits.streams(4000) == streams


def test_rooms_are_given_back(app, duel):
    room = app.extensions["waiting-room"]
    before = room.taken
    duel.post("/resignation", seat=2)
    for _ in range(3):
        duel.get("/events", Accept="text/event-stream").get_data()
    duel.client.head(f"{duel.path}/events", headers={"Accept": "text/event-stream"})
    assert room.taken == before


def test_a_ticket_is_good_once(create):
    table = create(visibility="private")
    response = table.post("/tickets", seat=1)
    assert response.status_code == 201
    ticket = response.json["ticket"]
    assert table.get(f"/events?ticket={ticket}").status_code == 200
    assert table.get(f"/events?ticket={ticket}").status_code == 401


def test_a_ticket_wants_a_token(create):
    assert create().post("/tickets").json["code"] == "token_required"
    private = create(visibility="private")
    assert private.post("/tickets").status_code == 404


def test_a_ticket_is_of_one_game(create):
    one, two = create(), create()
    ticket = one.post("/tickets", seat=1).json["ticket"]
    assert two.get(f"/events?ticket={ticket}").json["code"] == "token_unknown"


def test_a_ticket_can_be_asked_for_again(create):
    table = create()
    key = {"Idempotency-Key": "ticket"}
    first, again = (table.post("/tickets", seat=1, **key) for _ in range(2))
    assert first.json == again.json
    assert again.headers["Idempotency-Replayed"] == "true"


def test_events_as_a_table(create):
    table = create(name="=cmd()")
    response = table.get("/events", Accept="text/csv")
    assert response.mimetype == "text/csv"
    rows = list(csv.DictReader(io.StringIO(response.text)))
    log = table.get("/events").json["events"]
    assert list(rows[0]) == list(log[0])
    for row, event in zip(rows, log, strict=True):
        assert json.loads(row["data"]) == event["data"]
        assert (row["hash"], int(row["version"])) == (event["hash"], event["version"])
    cells = [cell for row in csv.reader(io.StringIO(response.text)) for cell in row]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]


def test_whoever_waits_is_let_go_at_the_end_of_the_process(app, duel):
    news = app.extensions["santorini"].news
    version = duel.game()["version"]
    thread = later(0.2, news.close)
    start = time.monotonic()
    try:
        assert duel.get(f"?wait=30&after={version}").status_code == 304
        assert events_of(duel.get("/events", Accept="text/event-stream"))
        assert time.monotonic() - start < 8
    finally:
        thread.join()
        news.closing = False
