"""One running service for all tests of this folder that do not break theirs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.end_to_end.instance import Instance, running


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Instance]:
    """Run Redis, gunicorn and a worker for the whole session."""
    with running(Instance(tmp_path_factory.mktemp("service"))) as instance:
        yield instance
