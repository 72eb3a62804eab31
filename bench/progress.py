"""What is being measured at the moment: long work must show that it goes on."""

from __future__ import annotations

import sys
import time

_begin = time.monotonic()


def say(text: str) -> None:
    """Tell whoever waits what comes next, and how long it has taken so far."""
    sys.stderr.write(f"[{time.monotonic() - _begin:5.0f} s] {text}\n")
    sys.stderr.flush()
