"""Events as lines of ``text/event-stream``, and what is asked of whoever sends them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from app.services import EventPage
from app.views.events import event_body
from app.views.sight import viewer_of

OPENING = b"retry: 1000\n\n"
"""What every stream begins with: how many milliseconds to wait before connecting again."""
BEAT = b": still here\n\n"
"""What is said when there is nothing to say."""
BEAT_SECONDS = 15.0


class Wish(NamedTuple):
    """What a client wants to follow, and from where.

    ``backlog`` is what it is told at once; ``leave`` gives its seat back.
    """

    game_id: str
    token: str | None
    after: int
    backlog: bytes
    leave: Callable[[], None]


def event_lines(page: EventPage) -> list[tuple[int, bytes]]:
    """Return version and text of each event, as its reader may see it."""
    viewer = viewer_of(page.caller, page.snapshot.game)
    return [
        (
            recorded.version,
            b"id: %d\nevent: %s\ndata: %s\n\n"
            % (
                recorded.version,
                recorded.body["type"].encode(),
                msgspec.json.encode(event_body(recorded, viewer)),
            ),
        )
        for recorded in page.events
    ]
