"""The vectors under ``tests/data/vectors``, read and checked; their README says how they read."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import domain.powers  # noqa: F401  (fills the registry)
from domain.rules.engine import legal_steps, legal_turns, open_turn, position_key, start_verdict
from domain.rules.positions import read_position, write_position

FOLDER = Path(__file__).parent / "data" / "vectors"
FILES = sorted(path.name.removesuffix(".jsonl.gz") for path in FOLDER.glob("*.jsonl.gz"))


def vectors(name: str) -> Iterator[dict[str, Any]]:
    """Yield the positions of one file in its order."""
    with gzip.open(FOLDER / f"{name}.jsonl.gz", "rt", encoding="ascii") as lines:
        for line in lines:
            yield json.loads(line)


def _sha(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, separators=(",", ":")).encode()).hexdigest()


def disagreement(vector: dict[str, Any]) -> str:
    """Say where the engine and a vector disagree; empty when they do not."""
    position, seat, kind = read_position(vector["position"])
    key = position_key(position, seat, kind)
    if key != vector["key"]:
        return f"key {key}"
    public = position_key(position, seat, kind, None)
    if public != vector.get("public_key", key):
        return f"public key {public}"
    if read_position(write_position(position, seat, kind)) != (position, seat, kind):
        return "the position does not survive writing and reading"
    turn = open_turn(position, seat, kind)
    standing = start_verdict(turn)
    verdict = vector["verdict"]
    if verdict is not None:
        won = standing.winner if standing else None
        stuck = None if standing or legal_steps(turn) else position.table.side(seat)
        return "" if verdict in ({"win": won}, {"stuck": stuck}) else f"verdict {won} {stuck}"
    if standing is not None:
        return f"verdict {standing}"
    turns, truncated = legal_turns(turn, 10**9)
    assert not truncated
    lines = [[t.line, t.key, t.winner or None] for t in turns]
    if len(lines) != vector["count"]:
        return f"count {len(lines)}, not {vector['count']}"
    if "turns" in vector:
        wrong = [pair for pair in zip(lines, vector["turns"], strict=True) if pair[0] != pair[1]]
        return f"first of {len(wrong)} differing turns: {wrong[0]}" if wrong else ""
    results = sorted(([line[1], line[2]] for line in lines), key=lambda r: r[0])
    if _sha(results) != vector["results_sha256"]:
        return "other results"
    missing = [turn for turn in vector["sample"] if turn not in lines]
    if missing:
        return f"sampled turn missing: {missing[0]}"
    return "" if _sha(lines) == vector["turns_sha256"] else "other lines"
