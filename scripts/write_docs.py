"""Write the pages of docs/ that follow from the code: ``make docs``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from app.config import describe  # noqa: E402
from bench.page import performance  # noqa: E402
from domain.powers import CATALOGUE  # noqa: E402
from domain.rules.power import Power  # noqa: E402

FAMILIES = {
    "may": ("movers", "reach", "builders", "sites", "actions", "may_end", "optional", "spends"),
    "cannot": ("forbidden_movers", "forbidden_targets", "forbidden_sites", "forbidden_end"),
    "must": ("demands", "hopeful"),
    "then": ("displaces", "strikes", "awaits", "transfers", "defers_win", "carries",
             "after_build", "after_step", "asks", "answers"),
    "verdict": ("claims_win", "stands_won", "denies_win", "takes_win", "seals_loss", "condemns"),
    "life": ("initial_note", "setup_choices", "late_setup_choices", "dealt", "after_setup",
             "placements", "starts_turn", "ends_turn", "after_turn", "draws_extra"),
    "sight": ("shows_dome", "hides"),
}  # fmt: skip
"""The hooks of ``domain/rules/power.py`` by family; the rest writes and reads the card's memory."""

CONFIGURATION = """\
# Configuration

Everything is set by environment variables, read and checked when a process starts; an empty
one counts as absent. A wrong value ends the start, and is named. `santorini doctor` prints
what is in force, with passwords masked. This page is written by `make docs` from the code that
reads the variables.

| variable | default | meaning |
|---|---|---|
"""

TABLE = """\
# All powers

What each card overrides, by family of hooks; [powers.md](powers.md) explains the families. This
page is written by `make docs` from the classes in `domain/powers`.

| | power | group | players | hooks |
|---|---|---|---|---|
"""


def configuration() -> str:
    """Return docs/configuration.md."""
    rows = (
        f"| `{option['variable']}` | {_code(option['default'])} | {option['help']} |"
        for option in describe()
    )
    return CONFIGURATION + "\n".join(rows) + "\n"


def _code(text: str) -> str:
    return f"`{text}`" if text else "none"


def powers_table() -> str:
    """Return docs/powers-table.md."""
    rows = (
        f"| {power.number} | `{power.key}` | {power.group.replace('_', ' ')} | "
        f"{', '.join(map(str, power.players))} | {'; '.join(_hooks(power)) or 'none'} |"
        for power in CATALOGUE.values()
    )
    return TABLE + "\n".join(rows) + "\n"


def _hooks(power: Power) -> Iterator[str]:
    for family, hooks in FAMILIES.items():
        own = [hook for hook in hooks if getattr(type(power), hook) is not getattr(Power, hook)]
        if own:
            yield f"**{family}** {' '.join(f'`{hook}`' for hook in own)}"


PAGES = {
    "docs/configuration.md": configuration,
    "docs/performance.md": performance,
    "docs/powers-table.md": powers_table,
}


if __name__ == "__main__":
    for name, page in PAGES.items():
        (ROOT / name).write_text(page())
