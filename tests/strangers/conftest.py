"""One running service for other people's tools: gunicorn with two processes, Redis, a worker."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.end_to_end.instance import Instance, running
from tests.strangers.line import Line


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Instance]:
    """Run it for the whole session; strangers may send as much as they like."""
    folder = tmp_path_factory.mktemp("strangers")
    with running(Instance(folder, SANTORINI_RATE_LIMITS="off")) as instance:
        yield instance


@pytest.fixture
def line(service: Instance) -> Iterator[Line]:
    """Reach the service over a line that can be cut."""
    with Line(service.port) as one:
        yield one
