"""Pause, resume and health: what an operator asks of the service."""

from __future__ import annotations

from msgspec import Struct


class Health(Struct, frozen=True):
    """Whether the service can do its work, and what is wrong when it cannot."""

    ready: bool
    paused: bool
    problems: tuple[str, ...] = ()
    """One sentence for each, naming the setting or the part at fault."""


class Maintenance:
    """The operator's switches."""

    def pause(self) -> None:
        """Refuse commands and stop clocks until ``resume``; repeating it changes nothing."""
        raise NotImplementedError

    def resume(self) -> int:
        """Shift every open deadline by the length of the pause, once; return how many."""
        raise NotImplementedError

    def health(self) -> Health:
        """Check the store: reachable, durable settings, not paused."""
        raise NotImplementedError
