"""Use cases: load, decide, append, publish. The web, the workers and the CLI share them."""

from __future__ import annotations

from dataclasses import dataclass

from app.adapters.store import StoreUnavailable
from app.services.archive import Archive
from app.services.backup import Backup
from app.services.clocks import Clocks
from app.services.compactor import Compactor
from app.services.games import Games
from app.services.maintenance import Maintenance
from app.services.news import News
from app.services.reader import Reader
from app.services.tickets import Tickets
from app.services.types import (
    ANY_VERSION,
    SPECTATOR,
    Answer,
    Caller,
    EventPage,
    Expected,
    GamePage,
    GameQuery,
    Reading,
    Recorded,
    Seated,
    Snapshot,
    Submission,
    Verification,
)

__all__ = [
    "ANY_VERSION",
    "SPECTATOR",
    "Answer",
    "Archive",
    "Backup",
    "Caller",
    "Clocks",
    "Compactor",
    "EventPage",
    "Expected",
    "GamePage",
    "GameQuery",
    "Games",
    "Maintenance",
    "News",
    "Reader",
    "Reading",
    "Recorded",
    "Seated",
    "Services",
    "Snapshot",
    "StoreUnavailable",
    "Submission",
    "Tickets",
    "Verification",
]


@dataclass(frozen=True)
class Services:
    """Every use case of one process; built by ``app.wiring.build_services``."""

    games: Games
    """Commands: create, join, leave, cancel, play, resign, rematch, new token."""
    reader: Reader
    """Questions: a game, its log, the list, a verification."""
    clocks: Clocks
    """Deadlines: apply what is overdue."""
    maintenance: Maintenance
    """Pause, resume, health."""
    archive: Archive
    """Export and import of whole logs."""
    backup: Backup
    """Copies of all games, to restore them as they were."""
    compactor: Compactor
    """Makes one small value of each game that is over."""
    news: News
    """Wakes whoever waits for a game."""
    tickets: Tickets
    """What stands for a token where no header can be sent."""
