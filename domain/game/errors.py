"""What was refused, and what the caller needs to do better. Codes: contract, section 7."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct


class Flaw(Struct, frozen=True):
    """One thing wrong with a request: a JSON pointer into it, a stable code, a sentence."""

    pointer: str
    code: str
    detail: str
    power: str = ""


class Refusal(Exception):
    """A command the game does not accept; nothing has changed.

    ``code`` is stable and belongs to the contract; ``detail`` is for people.
    """

    code = "refused"
    version: int | None = None
    """The game's version when it refused, set by whoever loaded it."""

    def __init__(self, code: str, detail: str, flaws: Sequence[Flaw] = ()) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.flaws = tuple(flaws)


class IllegalStep(Refusal):
    """A step the rules do not allow: which one, why, and what is legal at that point.

    ``reason`` is one of the reasons of the contract (``occupied``, ``too_high``, ...), ``index``
    counts the steps of the request from 0, ``legal`` holds texts of legal steps (T-60).
    """

    def __init__(
        self, reason: str, detail: str, index: int = 0, legal: Sequence[str] = (), power: str = ""
    ) -> None:
        pointer = f"/steps/{index}"
        super().__init__("illegal_step", detail, (Flaw(pointer, reason, detail, power),))
        self.reason = reason
        self.index = index
        self.legal = tuple(legal)
        self.power = power

    def inside(self, pointer: str, word: str = "") -> IllegalStep:
        """Return the same refusal pointing at the member that holds the steps as a text.

        ``word`` is the offending one as it stands there; the sentence then begins with it.
        """
        detail = f"{word}: {self.detail}" if word else self.detail
        told = IllegalStep(self.reason, detail, self.index, self.legal, self.power)
        told.flaws = (Flaw(pointer, self.reason, detail, self.power),)
        return told
