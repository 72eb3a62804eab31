"""Two games that differ in one secret alone, played by one public script, told side by side."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from domain.board.facts import Built, Chosen, Moved, Placed, PowerChanged, PowerGained, TokenPlaced
from domain.board.geometry import Seat
from domain.game import outlook
from domain.game.commands import Play, TimeOut
from domain.game.decide import Context, decide
from domain.game.events import Entry, Finished
from domain.game.state import Game
from domain.rules import engine
from domain.rules.engine import legal_turns
from domain.rules.step import Step, text_of
from tests.app.http.world import Stacked, World, log_of, proved, world_after
from tests.games import SeededDice


class Masked(Struct, frozen=True):
    """What must be public of an entry, written down without the service's help."""

    kind: str
    seat: Seat | None
    actor: str
    back: int
    data: str


def public(entry: Entry, holder: Seat, secret: str) -> Masked:
    """Blank out a secret."""
    data: Any = entry.data
    match data:
        case Moved() | Placed() if secret == "hecate" and entry.seat == holder:
            data = None
        case Built(_, at, dome) if secret == "hecate" and entry.seat == holder:
            data = (at, dome)
        case TokenPlaced("abyss") | Chosen(_, "fate"):
            data = None
        case PowerChanged(seat, power, note, card) if power == secret:
            data = (seat, power, card, getattr(note, "face_up", ""), _size(note))
        case PowerGained(seat, power, note) if power == secret:
            data = (seat, power, getattr(note, "face_up", ""), _size(note))
    return Masked(type(entry.data).__name__, entry.seat, entry.actor, entry.back, repr(data))


def _size(note: Any) -> int:
    return len(getattr(note, "deck", note if isinstance(note, tuple) else ()))


class Twins:
    """Both games, driven by one script."""

    def __init__(
        self, seed: str, powers: Sequence[str], secret: str, monkeypatch: Any, clock: bool = False
    ) -> None:
        self.rng = random.Random(seed)
        self.secret = secret
        self.holder = powers.index(secret) + 1
        self.deck = secret in ("chaos", "tyche")
        alike = self.rng.randint(1, 5)
        self.worlds = [World(seed, number, alike, monkeypatch) for number in (0, 1)]
        variant = {2: "duel", 3: "trio"}[len(powers)]
        settings = {
            "variant": variant,
            "powers": {"mode": "fixed", "seats": list(powers)},
            "turn_seconds": 600,
        }
        for world in self.worlds:
            world.begin(settings)
        self.seats = list(range(1, len(powers) + 1))
        self.viewers: list[int | str | None] = [None, "host"]
        self.viewers += [seat for seat in self.seats if self.deck or seat != self.holder]
        self.clock = clock
        self.commands = 0

    @property
    def one(self) -> Game:
        return self.worlds[0].game

    def differ(self) -> bool:
        """Say whether the two games differ yet, and the secret is still one."""
        one, two = (world.game for world in self.worlds)
        return one.position != two.position or one.chairs != two.chairs

    # -- the script ---------------------------------------------------------------------------

    def advance(self) -> bool:
        """Play one command in both worlds; False when nothing keeps the secret, or all is over."""
        clock = self.one.clock
        if clock is None:
            return False
        versions = [world.game.version for world in self.worlds]
        placing = clock.kind in ("setup", "placement")
        late = self.clock and self.rng.random() < (0.7 if placing else 0.15)
        if late and (self._keeps_secret() if placing else self._same_by_clock()):
            for world in self.worlds:
                world.time_out()
        else:
            lines = self._lines(clock.seat)
            if lines is None:
                return False
            self._play(clock.seat, lines)
        self.commands += 1
        assert versions[0] == versions[1]
        over = [world.game.clock is None for world in self.worlds]
        assert over[0] == over[1]
        if not over[0]:  # a foe that is stuck ends the game, and nothing is secret any more
            self.compare_news(versions[0])
        return not over[0]

    def _play(self, seat: Seat, lines: tuple[str, str]) -> None:
        answers = []
        for world, line in zip(self.worlds, lines, strict=True):
            with world.services.news.watching(world.id) as watch:
                before = world.game.version
                response = world.post("/steps", seat, {"notation": line})
                assert response.status_code == 201, (line, response.text)
                assert watch.wait(before, 0), "nobody was woken"
            answers.append(world.told(response))
        if seat in self.viewers:
            assert_same(lines, answers[0], answers[1])

    def _keeps_secret(self) -> bool:
        """Say whether what the clock draws now is the secret."""
        clock = self.one.clock
        assert clock is not None
        kind = "placement" if self.secret == "hecate" else "setup"
        return not self.deck and (clock.seat, clock.kind) == (self.holder, kind)

    def _same_by_clock(self) -> bool:
        """Say whether the clock's move makes the same public in both worlds, and ends neither."""
        shown = []
        for world in self.worlds:
            game = world.game
            assert game.clock is not None and game.clock.deadline is not None
            entries = decide(game, TimeOut(), Context(game.clock.deadline, SeededDice()))
            shown.append([public(entry, self.holder, self.secret) for entry in entries])
            if any(isinstance(entry.data, Finished) for entry in entries):
                return False
        return shown[0] == shown[1]

    def _lines(self, seat: Seat) -> tuple[str, str] | None:
        """Choose what a seat plays in either world so that the same becomes public."""
        games = [world.game for world in self.worlds]
        kind = games[0].clock.kind
        if seat == self.holder and self.secret == "hecate":
            if kind == "placement":
                return self._secret_steps(games, "+")
            return self._secret_turns(games)
        if seat == self.holder and kind == "setup":
            return self._secret_steps(games, "")
        options = [outlook.legal_steps(game) for game in games]
        assert options[0] == options[1], "legal steps depend on the secret"
        for step in self.rng.sample(options[0], len(options[0])):
            if self._same(games, seat, (step, step)):
                return text_of(step), text_of(step)
        return None

    def _secret_steps(self, games: list[Game], start: str) -> tuple[str, str] | None:
        options = [outlook.legal_steps(game) for game in games]
        for _ in range(20):
            one, two = (self.rng.choice(steps) for steps in options)
            if text_of(one).startswith(start) and self._same(games, self.holder, (one, two)):
                return text_of(one), text_of(two)
        return None

    def _secret_turns(self, games: list[Game]) -> tuple[str, str] | None:
        """Pair a turn of one world with one of the other that builds the same."""
        by_build: list[dict[tuple[int, bool], list[str]]] = [{}, {}]
        for found, game in zip(by_build, games, strict=True):
            assert game.turn is not None
            for turn in legal_turns(game.turn, 3_000)[0]:
                steps = [step for _, step in turn.steps]
                if len(steps) == 2 and not turn.winner and hasattr(steps[1], "at"):
                    line = " ".join(text_of(step) for step in steps)
                    found.setdefault((steps[1].at, steps[1].dome), []).append(line)
        common = sorted(set(by_build[0]) & set(by_build[1]))
        if not common:
            return None
        build = self.rng.choice(common)
        return self.rng.choice(by_build[0][build]), self.rng.choice(by_build[1][build])

    def _same(self, games: list[Game], seat: Seat, steps: tuple[Step, Step]) -> bool:
        """Say whether a step makes the same public in both worlds, and ends neither."""
        shown = []
        for world, game, step in zip(self.worlds, games, steps, strict=True):
            dice = Stacked("peek", 0, 0)
            now = world.store.now()
            entries = decide(game, Play(seat, (step,)), Context(now, dice))
            if any(isinstance(entry.data, Finished) for entry in entries):
                return False
            shown.append(tuple(public(entry, self.holder, self.secret) for entry in entries))
        return shown[0] == shown[1]

    # -- comparing ----------------------------------------------------------------------------

    def compare_news(self, before: int) -> None:
        """Compare what one command has told everybody."""
        one, two = (world.game.version for world in self.worlds)
        assert one == two, "the number of events tells the secret"
        for viewer in self.viewers:
            answers = [
                (
                    world.told(world.send("GET", f"/v1/games/{world.id}", viewer)),
                    world.told(
                        world.send("GET", f"/v1/games/{world.id}/events?after={before}", viewer)
                    ),
                )
                for world in self.worlds
            ]
            assert_same(viewer, answers[0], answers[1])
            assert '"nonce"' not in answers[0][1].body or viewer in self.knowing()
        assert self.worlds[0].log.lines == self.worlds[1].log.lines

    def knowing(self) -> list[int | str | None]:
        """List the viewers who know a secret of their own beside the one that differs."""
        known = {
            chair.seat
            for chair in self.one.chairs
            if chair.power in ("hecate", "moerae", "tartarus")
        }
        return [viewer for viewer in self.viewers if viewer in known]

    def compare(self) -> None:
        """Compare everything anybody can ask, and everything that is refused."""
        for viewer in (v for v in self.viewers if v != "host"):
            seed = self.rng.random()
            surveys = [world.survey(viewer, random.Random(seed)) for world in self.worlds]
            assert_alike(*surveys)
        clock = self.one.clock
        for viewer in self.viewers:
            if not isinstance(viewer, int):
                continue
            steps: list[str] = []
            if clock is not None and clock.seat == viewer:
                legal = outlook.legal_steps(self.one)
                ending = [step for step in legal if self._ends(step)][:2]
                some = self.rng.sample(legal, min(3, len(legal)))
                steps = [text_of(step) for step in (*ending, *some)]
            assert_alike(*(world.futile(viewer, steps) for world in self.worlds))

    def _ends(self, step: Step) -> bool:
        """Say whether a step decides the game."""
        turn = self.one.turn
        return turn is not None and engine.play(turn, step).turn.outcome is not None

    def end(self) -> None:
        """Let somebody resign; then nothing is hidden, from anybody, and all of it is proved."""
        while self.one.clock is not None:
            playing = [c.seat for c in self.one.chairs if c.status == "active"]
            seat = self.rng.choice(playing)
            for world in self.worlds:
                before = log_of(world)
                response = world.post("/resignation", seat)
                assert response.status_code == 201, response.text
                world_after(world, before)
        for world in self.worlds:
            proved(world)


def assert_alike(one: dict[str, Any], two: dict[str, Any]) -> None:
    """Fail with the first question that was answered differently."""
    assert one.keys() == two.keys()
    for question, answer in one.items():
        assert_same(question, answer, two[question])


def assert_same(question: Any, one: Any, two: Any) -> None:
    """Fail with the place where two answers begin to differ."""
    if one != two:
        left, right = str(one), str(two)
        place = next(
            (n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b),
            min(len(left), len(right)),
        )
        around = slice(max(0, place - 150), place + 100)
        raise AssertionError(f"{question}\n{left[around]}\n{right[around]}")
