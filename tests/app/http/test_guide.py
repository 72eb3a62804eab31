"""The guide's examples run as they stand, against a server on a port of its own."""

import html
import re
import shutil
import subprocess
import sys
from threading import Thread

import pytest
from werkzeug.serving import make_server

from app import create_app
from app.adapters.memory_store import MemoryStore
from app.config import Config
from app.wiring import build_services

HOME = "http://localhost:8000"
BLOCK = re.compile(r'<pre data-run="(\w+)"(?: data-name="([\w.]+)")?>(.*?)</pre>', re.DOTALL)


@pytest.fixture(scope="module")
def base():
    config = Config()
    app = create_app(config, build_services(config, MemoryStore()))
    server = make_server("127.0.0.1", 0, app, threaded=True)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def blocks(app):
    page = app.test_client().get("/docs/guide").text
    return [(kind, name, html.unescape(text)) for kind, name, text in BLOCK.findall(page)]


def script(blocks, name, base):
    (text,) = (text for _, found, text in blocks if found == name)
    assert HOME in text
    return text.replace(HOME, base)


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_curl_lines_play_a_game(blocks, base):
    lines = "\n".join(text for kind, _, text in blocks if kind == "sh")
    assert HOME in lines
    run = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", lines.replace(HOME, base)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    told = run.stdout.splitlines()
    assert told[:3] == ["placing", "2", "playing"]
    assert "{'type': 'move', 'from': 'b2', 'to': 'a1'}" in told
    assert "not_adjacent" not in told
    assert "result S1 resignation" in told
    assert "event: finished" in told
    assert told.count("True") == 1
    assert "200" in told


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_two_bots_play_each_other(blocks, base, tmp_path):
    for name in ("bot.py", "bot.mjs"):
        text = script(blocks, name, base)
        assert len(text.splitlines()) <= 42
        (tmp_path / name).write_text(text)
    first = subprocess.Popen(
        [sys.executable, str(tmp_path / "bot.py")], stdout=subprocess.PIPE, text=True
    )
    assert first.stdout is not None
    game = first.stdout.readline().strip()
    second = subprocess.run(
        ["node", str(tmp_path / "bot.mjs"), game],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    told, _ = first.communicate(timeout=60)
    assert second.returncode == 0, second.stderr
    assert {told.strip(), second.stdout.strip()} == {"won", "lost"}


def test_the_python_bot_plays_itself(blocks, base, tmp_path):
    path = tmp_path / "bot.py"
    path.write_text(script(blocks, "bot.py", base))
    first = subprocess.Popen([sys.executable, str(path)], stdout=subprocess.PIPE, text=True)
    assert first.stdout is not None
    game = first.stdout.readline().strip()
    second = subprocess.run(
        [sys.executable, str(path), game], capture_output=True, text=True, timeout=120, check=True
    )
    told, _ = first.communicate(timeout=60)
    assert {told.strip(), second.stdout.strip()} == {"won", "lost"}
