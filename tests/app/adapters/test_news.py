"""News between processes, on a real Redis: by its socket, as `make run` has it, and by TCP."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
import redis

from app.adapters.news import RedisFeed
from app.adapters.store import StoreUnavailable
from tests.servers import RedisServer, free_port, redis_server


@pytest.fixture(params=["unix", "tcp"])
def address(request, tmp_path) -> Iterator[str]:
    port = free_port() if request.param == "tcp" else 0
    server = RedisServer(tmp_path, port=port)
    server.start()
    try:
        yield server.url if request.param == "unix" else f"redis://127.0.0.1:{port}"
    finally:
        server.kill()


def test_what_is_published_arrives(address: str) -> None:
    """The first item says that listening has begun, the others name a game and its version."""
    news = RedisFeed(address, "t").listen()
    assert next(news) is None
    with redis.Redis.from_url(address) as publisher:
        publisher.publish("elsewhere:news:abc", 1)
        publisher.publish("t:news:abc", 12)
    assert next(news) == ("abc", 12)
    news.close()


def test_a_lost_server_is_told(tmp_path) -> None:
    """What ends the subscription is ``StoreUnavailable``, so that the listener tries again."""
    with redis_server(tmp_path) as server, closing(RedisFeed(server.url).listen()) as news:
        assert next(news) is None
        server.kill()
        with pytest.raises(StoreUnavailable):
            next(news)
