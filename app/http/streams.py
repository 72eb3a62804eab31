"""Server-sent events: a game's log as it grows (contract, section 8)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from flask import Response, current_app, request

from app.http import limits
from app.http.callers import services
from app.http.event_lines import BEAT, BEAT_SECONDS, OPENING, Wish, event_lines
from app.http.problems import refuse_header
from app.http.waiting import room, stream_room
from app.services import EventPage, Services, StoreUnavailable
from app.views.sight import is_over
from domain.game.errors import Refusal

EVENT_STREAM = "text/event-stream"
HEARTBEAT_SECONDS = BEAT_SECONDS
_NUMBER = re.compile(r"[0-9]{1,9}")


def resumed_after(after: int) -> int:
    """Return the version a stream resumes behind: ``Last-Event-ID`` before ``?after=``.

    Raises:
        Problem: ``malformed_request`` for an id that is no version.
    """
    given = request.headers.get("Last-Event-ID")
    if given is None or given == "":
        return after
    if not _NUMBER.fullmatch(given):
        refuse_header("Last-Event-ID", "bad_format", "The id of an event is its version.")
    return int(given)


def stream(game_id: str, token: str | None, after: int) -> Response:
    """Answer with the events after a version, and go on until the game has ended.

    204 when the log has ended and holds nothing beyond ``after``.

    Raises:
        Refusal: as ``Reader.events``.
        Problem: ``too_many_streams``.
    """
    use_cases = services()
    page = use_cases.reader.events(game_id, token, after, None)
    if is_over(page.snapshot.game) and not page.events:
        return Response(status=204)
    response = Response(content_type=f"{EVENT_STREAM}; charset=utf-8")
    if request.method != "HEAD":
        if (hand_over := _hand_over()) is not None:
            response.response = hand_over(OPENING, _wish(game_id, token, after, page))
        else:
            leave = room().enter()
            response.response = _seated(_lines(use_cases, game_id, token, after), leave)
            response.call_on_close(leave)
    response.headers["Cache-Control"] = "no-store"
    response.headers["Vary"] = "Accept, Authorization"
    response.headers["X-Accel-Buffering"] = "no"
    return response


HandOver: TypeAlias = Callable[[bytes, Wish], Iterable[bytes]]


def _hand_over() -> HandOver | None:
    """Return how this server gives a connection away (``app.launch.patience``); None elsewhere."""
    return getattr(request.environ.get("gunicorn.socket"), "hand_over", None)


def _wish(game_id: str, token: str | None, after: int, page: EventPage) -> Wish:
    """Take a seat for a stream that needs no thread.

    Raises:
        Problem: ``too_many_streams``.
    """
    leave = stream_room().enter(limits.address(current_app.extensions["config"].trusted_proxies))
    backlog = b"".join(text for _, text in event_lines(page))
    known = page.events[-1].version if page.events else after
    return Wish(game_id, token, known, backlog, leave)


def _seated(lines: Iterator[bytes], leave: Callable[[], None]) -> Iterator[bytes]:
    """Yield lines and give the seat back at their end."""
    try:
        yield from lines
    finally:
        leave()


def _lines(use_cases: Services, game_id: str, token: str | None, after: int) -> Iterator[bytes]:
    """Yield events as they come, a comment when nothing comes, and end with the game.

    A store that is away, or a token that died, ends the stream; its reader reconnects.
    """
    yield OPENING
    with use_cases.news.watching(game_id) as watch:
        while True:
            try:
                page = use_cases.reader.events(game_id, token, after, None)
            except (Refusal, StoreUnavailable):
                return
            if page.events:
                yield b"".join(text for _, text in event_lines(page))
                after = page.events[-1].version
            if is_over(page.snapshot.game) and after >= page.snapshot.version:
                return
            while not watch.wait(after, HEARTBEAT_SECONDS):
                if use_cases.news.closing:
                    return
                yield BEAT
