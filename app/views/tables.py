"""The log as a table: CSV (RFC 4180), safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Any

import msgspec

COLUMNS = (
    "game_id",
    "version",
    "type",
    "schema",
    "at",
    "seat",
    "actor",
    "cause",
    "command",
    "data",
    "prev_hash",
    "hash",
)
"""Members of an event, in the contract's order."""

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


def events_csv(bodies: Iterable[dict[str, Any]]) -> str:
    """Write events as CSV: one column a member, objects as JSON text."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for body in bodies:
        writer.writerow([_cell(body.get(name)) for name in COLUMNS])
    return out.getvalue()


def _cell(value: Any) -> str:
    """Write one value; a text that a spreadsheet would take for a formula gets an apostrophe."""
    if value is None:
        return ""
    if isinstance(value, dict):
        return msgspec.json.encode(value).decode()
    text = str(value)
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text
