"""The tables of the fault suite, printed at the end of a run."""

from __future__ import annotations

from collections.abc import Callable

import pytest

_TABLES: list[str] = []


@pytest.fixture(scope="session")
def report() -> Callable[[str], None]:
    """Print a table when the run is over."""
    return _TABLES.append


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for table in _TABLES:
        terminalreporter.write_sep("-", "faults")
        terminalreporter.write_line(table)
