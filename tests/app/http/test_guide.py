"""The guide's examples run as they stand, against a server on a port of its own."""

import html
import re
import shlex
import shutil
import subprocess
import sys
from threading import Thread
from typing import NamedTuple

import pytest
from werkzeug.serving import make_server

from app import create_app
from app.adapters.codec import TYPES
from app.adapters.memory_store import MemoryStore
from app.config import Config
from app.wiring import build_services

HOME = "http://localhost:8000"
BLOCK = re.compile(
    r'<pre data-run="([\w-]+)"(?: data-name="([\w.]+)")?>(.*?)</pre>'
    r'(?:\n<pre class="out">(.*?)</pre>)?',
    re.DOTALL,
)
MARK = "-- next block --"
LONGEST_BOT = 40


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


class Block(NamedTuple):
    """One example: its language, the file it is for, its text, what it prints."""

    kind: str
    name: str
    text: str
    out: str


@pytest.fixture(scope="module")
def blocks(app):
    page = app.test_client().get("/docs/guide").text
    return [Block(*map(html.unescape, found)) for found in BLOCK.findall(page)]


def example(blocks, name):
    (text,) = (block.text for block in blocks if block.name == name)
    return text


def save(text, base, path):
    assert HOME in text
    path.write_text(text.replace(HOME, base))
    return str(path)


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def play(first_command, second_command):
    """Start one bot, let the other one join its game, and return what each said at the end."""
    with subprocess.Popen(first_command, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        game = first.stdout.readline().strip()
        second = run(*second_command, game)
        assert second.returncode == 0, second.stderr
        assert second.stdout.splitlines()[0] == game
        told, _ = first.communicate(timeout=60)
    return [told.strip(), second.stdout.splitlines()[-1]]


def test_every_example_is_run(blocks):
    """Those of a kind that no test here knows would only look tested."""
    assert {block.kind for block in blocks} == {"sh", "python", "python-part", "node", "browser"}


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_curl_lines_print_what_the_guide_says(blocks, base):
    shown = [block for block in blocks if block.kind == "sh"]
    lines = f"\necho {shlex.quote(MARK)}\n".join(block.text for block in shown)
    assert HOME in lines
    done = run("bash", "-euo", "pipefail", "-c", lines.replace(HOME, base))
    assert done.returncode == 0, done.stderr
    told = done.stdout.split(f"{MARK}\n")
    assert [text.strip() for text in told] == [block.out.strip() for block in shown]


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_two_bots_play_each_other(blocks, base, tmp_path):
    for name in ("bot.py", "bot.mjs"):
        assert len(example(blocks, name).splitlines()) <= LONGEST_BOT
    python = save(example(blocks, "bot.py"), base, tmp_path / "bot.py")
    script = save(example(blocks, "bot.mjs"), base, tmp_path / "bot.mjs")
    assert set(play([sys.executable, python], ["node", script])) == {"won", "lost"}


def test_the_python_bot_plays_one_that_takes_its_wins(blocks, base, tmp_path):
    text, part = example(blocks, "bot.py"), example(blocks, "turns.py")
    (line,) = (line for line in text.splitlines() if "random.choice(legal)" in line)
    indent = line[: len(line) - len(line.lstrip())]
    better = text.replace(line, "\n".join(indent + added for added in part.splitlines()))
    first = save(text, base, tmp_path / "bot.py")
    second = save(better, base, tmp_path / "better.py")
    assert set(play([sys.executable, first], [sys.executable, second])) == {"won", "lost"}


def test_the_browser_hears_of_every_type(blocks):
    """The example itself runs in a browser in tests/strangers."""
    (text,) = (block.text for block in blocks if block.kind == "browser")
    listed = re.search(r"const TYPES = \[(.*?)\]", text, re.DOTALL)
    assert tuple(re.findall(r'"(\w+)"', listed[1])) == TYPES
