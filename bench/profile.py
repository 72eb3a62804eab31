"""``python -m bench.profile``: where the time of one turn goes, kept for docs/performance.md.

The application is called as gunicorn calls it, in this process, on a Redis of its own, and looked
at after every millisecond of processor time: where it stands then is charged to the part of the
code it stands in, or came from. That disturbs it little, unlike counting every call. What gunicorn,
sockets and threads take on top is what a turn costs a real server, less what it costs here.
"""

from __future__ import annotations

import io
import os
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr
from statistics import median
from types import FrameType
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from app import create_app, logs
from app.config import Config
from bench.contest import Contender
from bench.load import Request
from bench.processes import processor_time
from bench.results import FOLDER, ROOT, now, revision
from bench.scripts import MORTALS, Script, opened, scripts
from bench.servers import OURS, private_redis, serving

PATH = FOLDER / "profile.json"
GAMES, LENGTH = 60, 25
EVERY = 0.001
"""Seconds of processor time between two looks."""

PARTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("rules of the game", ("/domain/",)),
    ("chain of hashes", ("/app/adapters/chain.py", "/app/adapters/swift.py")),
    ("events to bytes", ("/app/adapters/codec.py", "/app/adapters/packing.py",
                         "/app/adapters/times.py", "/app/adapters/upcasters.py")),
    ("Redis client", ("/redis/", "/hiredis/", "/app/adapters/")),
    ("use cases", ("/app/services/",)),
    ("body of the answer", ("/app/views/",)),
    ("reading the request", ("/marshmallow/", "/webargs/", "/app/http/bodies.py",
                             "/app/http/fields.py", "/app/http/requests.py",
                             "/app/http/steps.py")),
    ("log and metrics", ("/prometheus_client/", "/app/http/journal.py", "/app/http/metrics.py",
                         "/logging/")),
    ("Flask and our layer on it", ("/flask/", "/werkzeug/", "/flask_smorest/", "/app/http/")),
)  # fmt: skip
REST = "anything else"
SERVER = "gunicorn, sockets, threads"
STORE = "Redis itself"


class Share(Struct, frozen=True):
    """What one part takes of a turn, in milliseconds of processor time."""

    name: str
    cost: float


class Profile(Struct, frozen=True):
    """Where the time of one turn goes."""

    date: str
    revision: str
    shares: list[Share]


def part_of(frame: FrameType | None) -> str:
    """Return the part of the code that a frame stands in, or was called from."""
    while frame is not None:
        for name, places in PARTS:
            if any(place in frame.f_code.co_filename for place in places):
                return name
        frame = frame.f_back
    return REST


@contextmanager
def looking(seen: Counter[str]) -> Iterator[None]:
    """Look again and again where the main thread stands, by its processor time."""

    def look(number: int, frame: FrameType | None) -> None:
        seen[part_of(frame)] += 1

    before = signal.signal(signal.SIGPROF, look)
    signal.setitimer(signal.ITIMER_PROF, EVERY, EVERY)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def environ_of(request: Request) -> dict[str, Any]:
    """Return a request as gunicorn hands it to an application."""
    head, _, body = request.wire.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    method, target, _ = first.split(" ")
    headers = dict(line.split(": ", 1) for line in lines)
    parts = urlsplit(target)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": method, "PATH_INFO": parts.path, "QUERY_STRING": parts.query,
        "RAW_URI": target, "SCRIPT_NAME": "", "SERVER_NAME": "127.0.0.1", "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1", "REMOTE_ADDR": "127.0.0.1", "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http", "wsgi.input": io.BytesIO(body), "wsgi.errors": sys.stderr,
        "wsgi.multithread": True, "wsgi.multiprocess": True, "wsgi.run_once": False,
        "wsgi.input_terminated": True,
    }  # fmt: skip
    for name, value in headers.items():
        key = name.upper().replace("-", "_")
        environ[key if key.startswith("CONTENT_") else f"HTTP_{key}"] = value
    return environ


def call(app: Callable[..., Any], request: Request) -> None:
    """Let an application answer, and take the answer."""
    told: list[str] = []
    answer = app(environ_of(request), lambda status, headers, *_: told.append(status))
    for _ in answer:
        pass
    if close := getattr(answer, "close", None):
        close()
    assert told[0].startswith(str(request.status)), told


def profile() -> Profile:
    """Play games in this process and on a real server; put the shares together."""
    written = scripts(GAMES, LENGTH, [MORTALS])
    with private_redis() as redis, serving(OURS, redis.url, 1) as server:
        assert redis.process is not None
        app = create_app(Config(redis_url=redis.url, rate_limits="off"))
        _round(app, written[:10], server.port)
        seen: Counter[str] = Counter()
        turns = _requests(written, server.port)
        before = processor_time([redis.process.pid])
        with looking(seen):
            for turn in turns:
                call(app, turn)
        stored = (processor_time([redis.process.pid]) - before) / len(turns) * 1_000
        # The looks cost a little themselves: what a turn takes is measured without them.
        alone = _round(app, written, server.port)
        real = Contender(server, redis.process.pid)
        load = median(real.drive([_requests(written, server.port)]).cpu["web"] for _ in range(3))
    total = seen.total()
    shares = [Share(name, seen[name] / total * alone) for name in (*dict(PARTS), REST)]
    shares += [Share(SERVER, max(0.0, load - alone)), Share(STORE, stored)]
    return Profile(now(), revision(), shares)


def _requests(written: Sequence[Script], port: int) -> list[Request]:
    games = opened(port, written)
    return [
        game.play(turn)
        for game, script in zip(games, written, strict=True)
        for turn in script.turns
    ]


def _round(app: Callable[..., Any], written: Sequence[Script], port: int) -> float:
    """Play games in this process; return the milliseconds of processor time for a turn."""
    turns = _requests(written, port)
    begin = time.process_time()
    for turn in turns:
        call(app, turn)
    return (time.process_time() - begin) / len(turns) * 1_000


def read() -> Profile | None:
    """Return the profile that was kept, or None."""
    return msgspec.json.decode(PATH.read_bytes(), type=Profile) if PATH.exists() else None


def bar(found: Profile, width: int = 40) -> str:
    """Draw a profile: one line a part, all of them together as wide as ``width``."""
    total = sum(share.cost for share in found.shares)
    name_width = max(len(share.name) for share in found.shares)
    begin, lines = 0.0, []
    for share in found.shares:
        end = begin + share.cost / total * width
        blocks = " " * round(begin) + "█" * max(1, round(end) - round(begin))
        part = share.cost / total
        lines.append(f"{share.name:{name_width}}  {share.cost:5.3f} ms {part:4.0%}  {blocks}")
        begin = end
    lines.append(f"{'all of it':{name_width}}  {total:5.3f} ms 100%")
    return "\n".join(lines)


class _Nowhere(io.StringIO):
    """Takes what is logged, and forgets it."""

    def write(self, text: str) -> int:
        return len(text)


def like_a_server() -> None:
    """Count and log as a web server of ours does: counters in files, a line for each request."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        # Read when the library is first imported, which has happened: begin again.
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp()
        os.execv(sys.executable, [sys.executable, "-m", "bench.profile"])
    with redirect_stderr(_Nowhere()):
        logs.configure("info")


if __name__ == "__main__":
    like_a_server()
    found = profile()
    print(bar(found))
    FOLDER.mkdir(exist_ok=True)
    PATH.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")
    print(f"kept as {PATH.relative_to(ROOT)}")
    shutil.rmtree(os.environ["PROMETHEUS_MULTIPROC_DIR"], ignore_errors=True)
