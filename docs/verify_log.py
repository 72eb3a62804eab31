"""Verify a log (GET .../events as NDJSON): python3 verify_log.py FILE [HASH KEPT EARLIER ...]"""

import json
import sys
from hashlib import sha256
from pathlib import Path


def digest(value):
    """RFC 8785 for what logs hold: objects, arrays, text, whole numbers, true, false, null."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return "sha256:" + sha256(text.encode()).hexdigest()


def verify(lines):
    """Return all hashes, the first bad version (0 for none), and what is wrong with it."""
    hashes, begin = [], {}
    for version, line in enumerate(lines, 1):
        try:
            event = json.loads(line)
            claimed = event.pop("hash")
            begin = begin or {"game_id": event["game_id"], "settings": event["data"]["settings"]}
            place = event["version"], event["game_id"], event["prev_hash"]
            if place != (version, begin["game_id"], hashes[-1] if hashes else digest(begin)):
                return hashes, version, "it does not follow from the event before"
            if event.get("redacted") is not True and digest(event) != claimed:
                return hashes, version, "it is not what was hashed"
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            return hashes, version, f"it cannot be read: {error!r}"
        hashes.append(claimed)
    return hashes, 0, ""


if __name__ == "__main__":
    found, bad, problem = verify(Path(sys.argv[1]).read_bytes().splitlines())
    if not bad and (not found or not set(sys.argv[2:]) <= set(found)):
        bad, problem = len(found) + 1, "the log does not reach a hash that was kept earlier"
    print(f"bad at {bad}: {problem}" if bad else f"ok: {len(found)} events, head {found[-1]}")
    sys.exit(bad > 0)
