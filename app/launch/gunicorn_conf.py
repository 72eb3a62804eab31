"""Settings of gunicorn, each for a reason that docs/operations.md gives.

Read by ``santorini web``; the number of processes and the address come from its environment.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from prometheus_client import multiprocess

bind = os.environ.get("SANTORINI_BIND", "127.0.0.1:8000")
workers = int(os.environ.get("WEB_CONCURRENCY", "2"))

# Long polls and streams each hold a thread: many threads, and a cap on both below this number.
worker_class = "gthread"
threads = int(os.environ.get("SANTORINI_THREADS", "64"))

# A heartbeat file on a busy disk would let the master kill a healthy worker.
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


def child_exit(server: Any, worker: Any) -> None:  # noqa: ARG001 - gunicorn's signature
    """Take the gauges of a process that ended out of the metrics."""
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        multiprocess.mark_process_dead(worker.pid)
