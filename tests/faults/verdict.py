"""The verdict: what the clients were told, held against the logs as they are in the end."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.adapters import times
from app.adapters.store import GRACE
from app.services import Services
from tests.faults.players import Command, Story

SECRET = 32
"""Letters by which a token or a key is recognised: none is shorter."""
WORDLIKE = re.compile(rb"[A-Za-z0-9_-]{32,}")
SERVERS = ("timeout-", "outage-", "resumed-", "rematch")


@dataclass
class Verdict:
    """Counts for the table; every list must be empty."""

    games: int = 0
    commands: int = 0
    unknown: int = 0
    resolved: int = 0
    timeouts: int = 0
    late: list[float] = field(default_factory=list)
    """Seconds from the end of a deadline and its grace to its timeout."""
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    phantoms: list[str] = field(default_factory=list)
    false_refusals: list[str] = field(default_factory=list)
    rewritten: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    early: list[str] = field(default_factory=list)
    leaks: list[str] = field(default_factory=list)

    def judge(self, story: Story, services: Services) -> None:
        """Read every log once and compare."""
        by_game: dict[str, list[Command]] = {}
        for command in story.commands:
            self.commands += 1
            self.unknown += command.unknown > 0
            self.resolved += command.unknown > 0 and command.status > 0
            game = (command.answer or {}).get("game") or {}
            parts = command.path.split("/")
            by_game.setdefault(parts[3] if len(parts) > 3 else game.get("id"), []).append(command)
        readings: dict[str, dict[int, str]] = {}
        for game_id, version, head in story.readings:
            if readings.setdefault(game_id, {}).setdefault(version, head) != head:
                self.rewritten.append(f"{game_id} {version} was read in two ways")
        for game_id in story.games:
            self.games += 1
            events = [event.body for event in services.archive.export(game_id)]
            found = services.archive.verify(game_id)
            if not found.ok:
                self.broken.append(f"{game_id}: {found.problem}")
            self._readings(game_id, readings.get(game_id, {}), events)
            self._commands(by_game.get(game_id, []), events)
            self.judge_clocks(game_id, events)

    def _readings(self, game_id: str, readings: dict[int, str], events: list[Any]) -> None:
        for version, head in readings.items():
            if version > len(events) or events[version - 1]["hash"] != head:
                self.rewritten.append(f"{game_id} {version}")

    def _commands(self, commands: list[Command], events: list[Any]) -> None:
        blocks: dict[str, list[int]] = {}
        for event in events:
            blocks.setdefault(event["command"], []).append(event["version"])
        for name, versions in blocks.items():
            if versions[-1] - versions[0] + 1 != len(versions):
                self.doubled.append(f"{name} at {versions}")
        known = {command.id: command for command in commands}
        for name in blocks.keys() - known.keys():
            if not name.startswith(SERVERS):
                self.phantoms.append(name)
        for command in commands:
            self._command(command, blocks.get(command.id, []), events)

    def _command(self, command: Command, versions: list[int], events: list[Any]) -> None:
        what = f"{command.path} {command.status} {versions}"
        if 200 <= command.status < 300:
            told = command.answer.get("events")
            if not versions:
                self.lost.append(what)
            elif told is not None and [e["version"] for e in told] != versions:
                self.lost.append(f"{what}: answered {[e['version'] for e in told]}")
            elif told is not None and any(
                e["hash"] != events[e["version"] - 1]["hash"] for e in told
            ):
                self.lost.append(f"{what}: answered with other events")
        elif command.status and versions:
            self.false_refusals.append(f"{what}: {command.answer['code']}")
        elif command.status:
            self._refusal(command, what)

    def _refusal(self, command: Command, what: str) -> None:
        """A refusal is right only where something else came first."""
        code, version = command.answer["code"], command.answer.get("version")
        expected = (command.body or {}).get("expected_version")
        if code not in ("turn_expired", "version_conflict", "not_your_turn", "game_over",
                        "illegal_step"):  # fmt: skip
            self.false_refusals.append(f"{what}: {code}")
        elif expected is not None and version == expected:
            self.false_refusals.append(f"{what}: {code} at the version it expected")

    def judge_clocks(self, game_id: str, events: list[Any]) -> None:
        """Find timeouts that came early, and measure how late they were."""
        deadline = None
        for event in events:
            if event["type"] == "timed_out":
                self.timeouts += 1
                late = times.read(event["at"]) - (deadline or 0) - GRACE
                if deadline is None or late <= 0:
                    self.early.append(f"{game_id} {event['version']}: {-late} ms")
                self.late.append(late / 1000)
            if event["type"] in ("turn_started", "clock_restarted"):
                told = event["data"]["deadline"]
                deadline = None if told is None else times.read(told)

    def look_for_leaks(self, story: Story, folder: Path) -> None:
        """No token and no key may lie in a file: neither in Redis' nor in a log."""
        told = (story.tokens, [command.key for command in story.commands])
        beginnings = {secret[:SECRET].encode() for secrets in told for secret in secrets}
        for file in folder.rglob("*"):
            if file.is_file() and not file.is_socket():
                self.leaks += [
                    f"{file.name} holds {run[at : at + 6]!r}..."
                    for run in WORDLIKE.findall(file.read_bytes())
                    for at in range(len(run) - SECRET + 1)
                    if run[at : at + SECRET] in beginnings
                ]

    def require_clean(self) -> None:
        """Fail, telling all that is wrong."""
        wrong = {
            name: found[:5]
            for name in (
                "lost", "doubled", "phantoms", "false_refusals", "rewritten", "broken", "early",
                "leaks",
            )
            if (found := getattr(self, name))
        }  # fmt: skip
        assert not wrong, wrong
        assert self.resolved == self.unknown

    def table(self, kills: dict[str, int], story: Story) -> str:
        """Lay the counts out for people."""
        durations = sorted(story.durations) or [0.0]
        late = sorted(self.late) or [0.0]
        rows = {
            "games": self.games,
            "commands": self.commands,
            "kills and stops": sum(kills.values()),
            **{f"  {name}": count for name, count in sorted(kills.items())},
            "unknown answers": self.unknown,
            "resolved": self.resolved,
            "answers 503": story.troubles,
            "slowest answer (s)": round(durations[-1], 2),
            "p99 answer (s)": round(durations[int(len(durations) * 0.99)], 3),
            "answers over 3 s, nothing stopped": len(story.slow),
            "timeouts": self.timeouts,
            "p99 late (s)": round(late[int(len(late) * 0.99)], 2),
            "lost": len(self.lost) + len(self.rewritten),
            "doubled": len(self.doubled),
            "phantoms": len(self.phantoms),
            "false refusals": len(self.false_refusals),
            "early": len(self.early),
            "broken chains": len(self.broken),
            "leaks": len(self.leaks),
        }
        return "\n".join(f"{name:36} {value}" for name, value in rows.items())
