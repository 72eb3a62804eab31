"""Events as served (contract, section 6), with what the viewer may not know taken out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from app.services.types import EventPage, Recorded
from app.views.sight import UNSEEN, Viewer, viewer_of, without_deck

_SECRET_MEMBERS: dict[str, tuple[str, ...]] = {
    "placed": ("to",),
    "moved": ("from", "to"),
    "built": ("from",),
    "token_placed": ("at",),
    "chosen": ("value",),
}
"""Members of ``data`` that are secret when the event holds a nonce."""


def event_body(recorded: Recorded, viewer: Viewer) -> dict[str, Any]:
    """Return an event in full, or redacted: ``?`` for secret values, no nonce, its hash kept."""
    body = recorded.body
    if viewer.everything or not (recorded.entry.nonce or recorded.entry.hidden is not None):
        return body
    data = body["data"]
    own = viewer.sees(recorded.entry.seat)
    if "deck" in (data.get("state") or {}):
        data = data | {"state": without_deck(data["state"])}
    elif own:
        return body
    else:
        secret = _SECRET_MEMBERS.get(body["type"], ())
        data = {name: UNSEEN if name in secret else value for name, value in data.items()}
    shown = {name: value for name, value in body.items() if name not in ("nonce", "hidden", "data")}
    return shown | {"data": data, "redacted": True}


def event_bodies(events: Iterable[Recorded], viewer: Viewer) -> list[dict[str, Any]]:
    """Return several events."""
    return [event_body(recorded, viewer) for recorded in events]


def page_body(page: EventPage) -> dict[str, Any]:
    """Return a page of the log and the game's version."""
    viewer = viewer_of(page.caller, page.snapshot.game)
    return {"events": event_bodies(page.events, viewer), "version": page.snapshot.version}


def is_hidden(recorded: Recorded, viewer: Viewer) -> bool:
    """Say whether something in this event is still hidden from somebody."""
    return not viewer.everything and (
        bool(recorded.entry.nonce) or recorded.entry.hidden is not None
    )
