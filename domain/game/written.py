"""Steps given as a piece of a turn line (T-60): read, played, and held against what happened."""

from __future__ import annotations

from domain.game.commands import Play, PlayNotation
from domain.game.errors import Flaw, IllegalStep, Refusal
from domain.game.events import Entry
from domain.game.evolve import evolve
from domain.game.journal import Journal
from domain.game.play import play_all, play_steps, require_turn
from domain.game.rehearsal import judged_blindly
from domain.game.state import Game
from domain.rules.engine import BadNotation, parse_line
from domain.rules.parsing import Line

POINTER = "/notation"
PLACING_KINDS = ("setup", "placement")


def play_notation(journal: Journal, command: PlayNotation) -> None:
    """Play a piece of a turn line, all or nothing.

    Bracketed events and the mark at the end are optional; when given they must be right.

    Raises:
        Refusal: the seat is not to act, the text is no notation, or it says what does not happen.
        IllegalStep: a step of it is not legal.
    """
    require_turn(journal.game, command.seat)
    line = read(journal.game, command.line)
    steps = tuple(step for _, step in line.steps)
    if not steps:
        raise _refused("empty", "There is no step in this line.")
    played = Play(command.seat, steps)
    try:
        if judged_blindly(journal, command.seat, lambda trial: _play_as_told(trial, played, line)):
            play_all(journal, steps)
        else:
            _play_as_told(journal, played, line)
    except IllegalStep as refusal:
        words = [word.text for word in line.words if word.step is not None]
        raise refusal.inside(POINTER, words[refusal.index]) from None


def _play_as_told(journal: Journal, command: Play, line: Line) -> None:
    """Play steps and hold what happens against the line they were read from."""
    before, game = len(journal.entries), journal.game
    play_steps(journal, command)
    _compare(line, _words(game, journal.entries[before:]), journal.game)


def read(game: Game, text: str) -> Line:
    """Read a piece of a turn line for the decision that is running.

    Raises:
        Refusal: the text is no notation, or holds what only a record can.
    """
    placing = game.clock is not None and game.clock.kind in PLACING_KINDS
    try:
        line = parse_line(text, placing)
    except BadNotation as error:
        raise _refused("not_notation", f"{str(error).capitalize()}.") from None
    if any(word.seat for word in line.words):
        raise _refused("interrupt", "Another seat's answer cannot be played for it (T-50).")
    if line.clock or any(word.cancelled for word in line.words):
        raise _refused("not_playable", "The marks % and ! are for records only.")
    return line


def _words(game: Game, entries: list[Entry]) -> list[str]:
    """Write what entries add to the running line, event by event."""
    words: list[str] = []
    for entry in entries:
        after = evolve(game, entry)
        if after.clock is not None and len(after.line) > len(game.line):
            words.append(after.line[len(game.line) :].strip())
        game = after
    return words


def _compare(line: Line, written: list[str], after: Game) -> None:
    """Refuse a line whose bracketed events or final mark are not what happens."""
    expected = iter(written)
    for word in line.words:
        found = next(expected, "")
        while not word.automatic and found.startswith("["):
            found = next(expected, "")
        if word.automatic and found != word.text:
            raise _refused("wrong_event", f"{word.text} does not happen here.")
    if line.result and not (after.lines and after.lines[-1].endswith(line.result)):
        raise _refused("wrong_event", f"{line.result} is not how this ends.")


def _refused(code: str, detail: str) -> Refusal:
    return Refusal("validation_failed", detail, [Flaw(POINTER, code, detail)])
