"""Whole games under random settings, every command of them held against the laws."""

from __future__ import annotations

import random

from app.adapters.chain import flaw_of, link
from app.adapters.codec import body_of, entry_of
from domain.board.position import Position
from domain.game import outlook
from domain.game.checking import first_flaw
from domain.game.commands import Command, Create, Play, PlayNotation, Resign, RestartClock
from domain.game.decide import Context, rehearse
from domain.game.errors import Refusal
from domain.game.evolve import evolve, fold
from domain.game.rebuild import rebuild
from domain.game.record import record_text
from domain.game.settings import PowersOption, Settings
from domain.game.state import NEW, TURN_KINDS
from domain.game.validation import GROUPS, MODES_OF, RECOMMENDED, validate
from domain.powers import CATALOGUE
from tests.games import NOON, GameTable, SeededDice

GAME_ID = "g" * 22
LONG = 90
"""After so many turns everybody but one resigns: some powers could play for ever (T-75)."""


def steady(position: Position) -> None:
    """Hold the invariants of a table."""
    standing = [square for square in position.workers if square >= 0]
    assert len(set(standing)) == len(standing)
    assert position.occupied == sum(1 << square for square in standing)
    assert not position.occupied & position.domes
    assert position.levels[3] & ~position.levels[2] == 0
    assert position.levels[2] & ~position.levels[1] == 0
    assert min(position.supply()) >= 0


def random_powers(rng: random.Random, mode: str, seats: int) -> PowersOption:
    """Draw the powers' part of settings; the parts need not go together."""
    groups = tuple(sorted(rng.sample(GROUPS, rng.randint(1, 5)))) if rng.random() < 0.3 else ()
    perfect = rng.random() < 0.15
    match mode:
        case "fixed":
            fit = [key for key, power in CATALOGUE.items() if seats in power.players]
            keys = [rng.choice(fit) if rng.random() < 0.95 else "mortal" for _ in range(seats)]
            return PowersOption("fixed", seats=tuple(keys))
        case "random":
            return PowersOption("random", groups=groups, perfect_information=perfect)
        case "draft":
            order, offer = rng.choice(("official", "bga")), rng.choice(("full", "limited", "quick"))
            return PowersOption("draft", (), groups, order, offer, perfect)
        case "golden_fleece":
            if rng.random() < 0.4:
                marked = [key for key, power in CATALOGUE.items() if power.golden_fleece]
                return PowersOption("golden_fleece", power=rng.choice(marked))
            return PowersOption("golden_fleece", offer=rng.choice(("quick", "draft")))
    return PowersOption()


def random_settings(rng: random.Random, variant: str = "", mode: str = "") -> Settings:
    """Draw settings that a game can be created with."""
    while True:
        chosen = variant or rng.choices(list(MODES_OF), (10, 4, 1, 4, 1))[0]
        kind = mode or rng.choice(MODES_OF[chosen])
        seats = {"duel": 2, "trio": 3}.get(chosen, 4)
        place = "recommended" if chosen in RECOMMENDED and rng.random() < 0.2 else "free"
        start = "random" if kind == "draft" or rng.random() < 0.5 else rng.randint(1, seats)
        powers = random_powers(rng, kind, seats)
        settings = Settings(chosen, powers, place, start, rng.choice((60, 86_400)))
        try:
            validate(settings)
        except Refusal:
            continue
        return settings


class Witness(GameTable):
    """A game whose every command is checked as it is given."""

    def __init__(self, seed: str) -> None:
        super().__init__(seed=0)
        self.rng = random.Random(seed)
        self.dice.random = random.Random(f"dice {seed}")
        self.absent = self.rng.choice((0, 0, 0, 0, 0, 0, 1, 2))
        """A seat that is mostly away, 0 for none."""
        self.replayed = NEW
        self.chain: list[dict] = []

    def do(self, command: Command):
        """Give a command; hold the laws of section 10 on what it adds."""
        before = self.game.version
        added = super().do(command)
        assert self.game.version == before + len(added)
        self.now += self.rng.randint(0, 900)
        bodies = [
            body_of(entry, GAME_ID, before + place, self.now, "c")
            for place, entry in enumerate(added, 1)
        ]
        head = self.chain[-1]["hash"] if self.chain else ""
        self.chain += link(bodies, head)
        for entry, body in zip(added, bodies, strict=True):
            again = entry_of(body)
            assert again == entry, "an event does not survive the codec"
            self.replayed = evolve(self.replayed, again)
        assert self.replayed == self.game, "folding the log is not the live game"
        steady(self.game.position)
        return added

    def act(self) -> None:
        """Let whoever is to act do something that is allowed, or its time run out."""
        game, rng, clock = self.game, self.rng, self.game.clock
        assert clock is not None
        chance = rng.random()
        if chance < (0.6 if clock.seat == self.absent else 0.03):
            self.time_out()
            return
        chance = rng.random()
        if chance < 0.002:
            self.do(RestartClock("outage"))
            return
        if chance < 0.0035 and game.status != "drafting":
            self.do(Resign(rng.choice(self._present())))
            return
        steps = outlook.legal_steps(game)
        assert steps, f"{clock} is offered nothing after {game.line!r}"
        assert outlook.phase(game)
        step = rng.choice(steps)
        if chance < 0.04:
            context = Context(self.now, SeededDice(7))
            rehearse(game, Play(clock.seat, (step,)), clock.seat, context)
        if chance > 0.93 and self._open() and clock.kind in TURN_KINDS:
            turns, _ = outlook.legal_turns(game, limit=400)
            line = rng.choice(turns).line
            if "{" not in line:
                self.do(PlayNotation(clock.seat, line))
                return
        self.do(Play(clock.seat, (step,)))

    def _present(self) -> list[int]:
        return [chair.seat for chair in self.game.chairs if chair.status == "active"]

    def _open(self) -> bool:
        """Say whether nobody at this table has a secret."""
        dealt = [CATALOGUE[chair.power] for chair in self.game.chairs if chair.power in CATALOGUE]
        return not any(power.hidden_information for power in dealt)

    def finish(self) -> None:
        """Play to the end, and hold the laws of whole games."""
        while self.game.clock is not None:
            if self.game.numbered >= LONG:
                self.do(Resign(self.rng.choice(self._present())))
            else:
                self.act()
        assert self.game.status == "finished"
        assert self.game.result is not None
        assert fold(self.log) == self.game
        assert first_flaw(self.log) is None
        assert flaw_of(self.chain, GAME_ID, self.chain[-1]["hash"]) is None
        self._read_back()

    def _read_back(self) -> None:
        """Hold the record: it can be played again, unless it would have to tell a deck."""
        for viewer in (None, 1, "all"):
            assert record_text(self.game, viewer)
        decks = {key for key, power in CATALOGUE.items() if power.deck_secret}
        if any(chair.power in decks for chair in self.game.chairs):
            return
        text = record_text(self.game, "all")
        again = fold(rebuild(text, Context(NOON, SeededDice(99))))
        assert again.key == self.game.key
        assert again.result == self.game.result
        assert record_text(again, "all") == text


def played(seed: str, variant: str = "", mode: str = "") -> Witness:
    """Play one whole random game."""
    table = Witness(seed)
    settings = random_settings(table.rng, variant, mode)
    creator = table.rng.choice((None, 1, 2))
    table.do(Create(settings, creator))
    table.sit_down()
    table.finish()
    return table
