"""A client of Redis whose every call costs less.

redis-py looks at a connection before each command, counts for observers we do not have, and
wraps every try; a command of ours is answered in less time than that takes. Here a connection
that served well is used again as it is: one that died meanwhile is noticed when it fails, and
the command is sent again, which every command of ours bears (``app.adapters.connections``).
Connections are made, encrypted and logged in by redis-py.
"""

from __future__ import annotations

import contextlib
import os
import socket
import struct
import time
from typing import Any

import redis
from redis.exceptions import ResponseError

PAUSE = 0.02
"""Seconds between two tries."""


def _in_one_call(connection: redis.Connection) -> redis.Connection:
    """Let the kernel bound the waits on a connection's socket.

    Python would ask before each read and write whether it may wait, and give way to other threads
    each time. What takes too long fails all the same, as an error of the connection.
    """
    sock: Any = connection._sock
    seconds = connection.socket_timeout
    if type(sock) is socket.socket and seconds:  # an encrypted one has a way of its own
        bound = struct.pack("ll", int(seconds), int(seconds % 1 * 1_000_000))
        with contextlib.suppress(OSError):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, bound)
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, bound)
            sock.settimeout(None)
    return connection


class SwiftRedis(redis.Redis):
    """``redis.Redis`` for single commands that bear repetition; pipelines stay as they are.

    Not for a pool that follows a primary (sentinels): that must judge every connection itself.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._ready: list[redis.Connection] = []
        self._pid = os.getpid()

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """Send a command, again as often as the client's ``retry`` says, and return the answer."""
        retry = self.get_retry()
        left = retry.get_retries() if retry else 0
        while True:
            connection = self._take()
            try:
                connection.send_command(*args)
                answer = self.parse_response(connection, args[0], **options)
            except ResponseError:
                self._give(connection)
                raise
            except (redis.ConnectionError, redis.TimeoutError):
                self._drop(connection)
                self._drop_ready()
                if left <= 0:
                    raise
                left -= 1
                time.sleep(PAUSE)
            except BaseException:
                self._drop(connection)
                raise
            else:
                self._give(connection)
                return answer

    def _take(self) -> redis.Connection:
        """Return a connection that waits for work, or a new one; a fork makes its own."""
        if self._pid != os.getpid():
            self._ready, self._pid = [], os.getpid()
        try:
            return self._ready.pop()
        except IndexError:
            return _in_one_call(self.connection_pool.get_connection())

    def _give(self, connection: redis.Connection) -> None:
        if connection.should_reconnect():
            self._drop(connection)
        else:
            self._ready.append(connection)

    def _drop_ready(self) -> None:
        """Close whatever waits: what broke one connection has mostly broken all of them."""
        with contextlib.suppress(IndexError):
            while True:
                self._drop(self._ready.pop())

    def _drop(self, connection: redis.Connection) -> None:
        """Give a connection back to the pool, closed: what it was told may still be answered."""
        connection.disconnect()
        self.connection_pool.release(connection)
