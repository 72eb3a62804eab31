"""What the service writes to its log: one line a record, whatever a record is about."""

from __future__ import annotations

import logging
import re
import sys
import time
from typing import Any

FORMAT = "%(asctime)s %(levelname)s %(name)s %(message)s"
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_IN_A_TRACE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


class OneLine(logging.Formatter):
    """Escapes what would begin a line of its own or steer a terminal; indents a traceback."""

    _second, _written = -1, ""

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802 - logging calls it so
        """Write the time of a record; what does not change within a second is kept."""
        second = int(record.created)
        if second != self._second:
            self._written = time.strftime(self.default_time_format, time.localtime(second))
            self._second = second
        return f"{self._written},{int(record.msecs):03d}"

    def format(self, record: logging.LogRecord) -> str:
        """Write a record; what another formatter made of its traceback is not taken over."""
        record.exc_text = None
        text = super().format(record)
        record.exc_text = None
        return text

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging calls it so
        """Write the line of a record."""
        return _CONTROLS.sub(_escaped, super().formatMessage(record))

    def formatException(self, ei: Any) -> str:  # noqa: N802 - logging calls it so
        """Write a traceback so that none of its lines can be taken for a record."""
        text = _IN_A_TRACE.sub(_escaped, super().formatException(ei))
        return "    " + text.replace("\n", "\n    ")


def _escaped(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape", "surrogatepass").decode()


def configure(level: str) -> None:
    """Send records of a level and above to the standard error stream, one line each."""
    # No line tells which code wrote it, in which thread; logging looks unless it is told not to.
    vars(logging)["_srcfile"] = None
    logging.logThreads = logging.logMultiprocessing = False
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(OneLine(FORMAT))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
