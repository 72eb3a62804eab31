"""Events as served (contract, section 6), with what the viewer may not know taken out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from app.services.types import EventPage, Recorded
from app.views.sight import UNSEEN, Viewer, memory_seen, viewer_of
from domain.game.events import Entry

_SQUARES: dict[str, tuple[str, ...]] = {
    "placed": ("to",),
    "moved": ("from", "to"),
    "built": ("from",),
}
"""Members of ``data`` that tell where a secret worker stands (P-39)."""
_CARD_SECRETS: dict[str, tuple[str, ...]] = {"token_placed": ("at",), "chosen": ("value",)}
"""Members of ``data`` that tell what stays on a secret card."""


def event_body(recorded: Recorded, viewer: Viewer) -> dict[str, Any]:
    """Return an event in full, or redacted: ``?`` for secret values, no nonce, its hash kept."""
    entry, body = recorded.entry, recorded.body
    if not _sealed(entry) or viewer.everything:
        return body
    data = _data_seen(entry, body, viewer)
    if data == body["data"] and (entry.hidden is None or viewer.sees_hidden):
        return body
    shown = {name: value for name, value in body.items() if name not in ("nonce", "hidden", "data")}
    return shown | {"data": data, "redacted": True}


def _sealed(entry: Entry) -> bool:
    """Say whether somebody may not see all of an entry."""
    return bool(entry.nonce) or entry.hidden is not None


def _data_seen(entry: Entry, body: dict[str, Any], viewer: Viewer) -> dict[str, Any]:
    """Return ``data`` with ``?`` for the values the viewer may not know."""
    data: dict[str, Any] = body["data"]
    if data.get("state"):
        state = memory_seen(data["power"], data["seat"], data["state"], viewer)
        return data | {"state": state}
    if viewer.sees(entry.seat):
        return data
    secret = _SQUARES if entry.seat in viewer.hiding else _CARD_SECRETS
    if entry.hidden is not None and secret is _CARD_SECRETS:
        return data
    members = secret.get(body["type"], ())
    return {name: UNSEEN if name in members else value for name, value in data.items()}


def event_bodies(events: Iterable[Recorded], viewer: Viewer) -> list[dict[str, Any]]:
    """Return several events."""
    return [event_body(recorded, viewer) for recorded in events]


def page_body(page: EventPage) -> dict[str, Any]:
    """Return a page of the log and the game's version."""
    viewer = viewer_of(page.caller, page.snapshot.game)
    return {"events": event_bodies(page.events, viewer), "version": page.snapshot.version}


def is_hidden(recorded: Recorded, viewer: Viewer) -> bool:
    """Say whether something in this event is still hidden from somebody."""
    return not viewer.everything and _sealed(recorded.entry)
