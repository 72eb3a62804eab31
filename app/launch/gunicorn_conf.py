"""Settings of gunicorn, each for a reason that docs/operations.md gives."""

from __future__ import annotations

import os
import resource
import shutil
import signal
from pathlib import Path
from typing import Any

from prometheus_client import multiprocess

from app import logs
from app.config import Config

HUB_PATIENCE = 1.5
"""Seconds that streams get to end in, when their process does."""
MOST_FILES = 65_536
"""Open files a process asks the system for."""
_config = Config.from_env()
_host = f"[{_config.host}]" if ":" in _config.host else _config.host

bind = f"{_host}:{_config.port}"
workers = _config.web_concurrency

# Long polls each hold a thread: many threads, and a cap on them below this number. Streams hold
# none, but a file each: as many as the system grants.
worker_class = "app.launch.patience.PatientWorker"
threads = _config.web_threads

_soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
_files = MOST_FILES if _hard == resource.RLIM_INFINITY else min(_hard, MOST_FILES)
if _soft != resource.RLIM_INFINITY and _soft < _files:
    resource.setrlimit(resource.RLIMIT_NOFILE, (_files, _hard))

# A heartbeat file on a busy disk would let the master kill a healthy worker. The file has no name
# there: gunicorn unlinks it at once, so the shared folder is no risk (S108).
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108  # nosec B108
graceful_timeout = 30
timeout = 30
keepalive = 15

# No proxy is believed here; the application reads X-Forwarded-For from those it is told of.
forwarded_allow_ips = ""
control_socket_disable = True
limit_request_line = 4094
limit_request_fields = 64

accesslog = None
errorlog = "-"
loglevel = "warning"
proc_name = "santorini-web"


def post_worker_init(worker: Any) -> None:
    """Let streams and long polls go when the server is told to stop, not 30 seconds later."""
    services = getattr(worker.wsgi, "extensions", {}).get("santorini")
    if services is None:  # another application under these settings, as in the benchmarks
        return
    ordinary = signal.getsignal(signal.SIGTERM)

    def stop(number: int, frame: Any) -> None:
        services.news.close()
        if callable(ordinary):
            ordinary(number, frame)

    signal.signal(signal.SIGTERM, stop)


def worker_exit(server: Any, worker: Any) -> None:
    """Give streams the moment they need to say that they end."""
    hub = getattr(worker, "hub", None)
    if hub is not None:
        hub.close(HUB_PATIENCE)


def post_fork(server: Any, worker: Any) -> None:
    """Let the application log as it is configured to; gunicorn has a log of its own."""
    logs.configure(_config.log_level)


def child_exit(server: Any, worker: Any) -> None:
    """Take the gauges of a process that ended out of the metrics."""
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        multiprocess.mark_process_dead(worker.pid)


def on_exit(server: Any) -> None:
    """Leave nothing behind: the folder of the metrics was this server's own."""
    if folder := os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        shutil.rmtree(folder, ignore_errors=True)
