"""The pieces of the board as SVG: storeys, domes, workers, tokens. Each is drawn about (x, y)."""

from __future__ import annotations

from domain.board.geometry import DIRECTIONS

CELL = 100
LETTERS = "ABCD"
SIDE_COLOURS = {1: "#1d5fa8", 2: "#c2571a", 3: "#2e7d4f", 4: "#7a3e9d"}
SIDE_WORDS = {1: "blue", 2: "orange", 3: "green", 4: "purple"}

STYLE = """\
text{font-family:system-ui,sans-serif;fill:var(--ink)}
svg{--ink:#22303a;--quiet:#5c6a74;--paper:#fffdf7;--sea:#d9e8f0}
@media(prefers-color-scheme:dark){svg{--ink:#e4e8eb;--quiet:#9ba8b2;--paper:#14191e;--sea:#1b3242}}
.paper{fill:var(--paper)}.sea{fill:var(--sea)}
.light{fill:#a9c77f}.dark{fill:#9dbd73}.tile{stroke:#7d9c57;stroke-width:1}
.shade{fill:#3b3a2c;opacity:.22}
.storey{stroke:#a99b78;stroke-width:1.5}.s1{fill:#e2d8bd}.s2{fill:#efe8d6}.s3{fill:#fbf8f0}
.level{font-size:14px;font-weight:700;fill:#4d4632;text-anchor:middle}
.coordinate{font-size:17px;font-weight:600;fill:var(--quiet);text-anchor:middle}
.dome{fill:url(#dome);stroke:#143f74;stroke-width:1.5}.gleam{fill:#fff;opacity:.45}
.worker path,.worker circle{stroke:#fff;stroke-width:2.5;stroke-linejoin:round}
.worker text,.chip text{font-weight:700;fill:#fff;text-anchor:middle}
.worker text{font-size:19px}.chip text{font-size:15px}
.badge text{font-size:15px;font-weight:700;fill:#fff;text-anchor:middle}
.badge circle{stroke:#fff;stroke-width:2}
.arrow path{fill:#4a8fc2;stroke:#fff;stroke-width:2}
.name{font-size:17px;font-weight:600;unicode-bidi:isolate}.long{font-size:12px}
.notes{font-size:14px;fill:var(--quiet)}.end{text-anchor:end}
.caption{font-size:15px;fill:var(--quiet)}.said{font-weight:700;fill:var(--ink)}
.tag{font-size:13px;font-weight:700;fill:#fff;text-anchor:middle}
"""

DEFINITIONS = (
    '<defs><radialGradient id="dome" cx=".36" cy=".3" r=".8">'
    '<stop offset="0" stop-color="#6fb0ee"/><stop offset=".55" stop-color="#2468b8"/>'
    '<stop offset="1" stop-color="#154680"/></radialGradient></defs>'
)

_INSETS = (8, 18, 28)
"""Inset in pixels of the first, second and third storey."""

_TOKEN_COLOURS = {
    "coin": "#c79a1b",
    "talus": "#7b5a3c",
    "whirlpool": "#2b86a8",
    "abyss": "#2d2733",
    "ram": "#b3322e",
}
_WHIRL = "M-6 1a6 6 0 1 1 6 6a4 4 0 1 1 3-6.500a2 2 0 1 1-2.500 1.500"
_BELL = "M-19 26C-17 6-9 4-8-6H8C9 4 17 6 19 26Z"
_TUNIC = "M-15 26V2Q-15-6-8-6H8Q15-6 15 2V26Z"


def square_ground(x: int, y: int, dark: bool) -> str:
    """Draw the ground of a square whose upper left corner is here."""
    shade = "dark" if dark else "light"
    return f'<rect class="tile {shade}" x="{x}" y="{y}" width="{CELL}" height="{CELL}"/>'


def storeys(x: int, y: int, level: int) -> str:
    """Draw so many storeys on the square whose upper left corner is here, and their number."""
    parts = []
    for number, inset in enumerate(_INSETS[:level], 1):
        side = CELL - 2 * inset
        size = f'width="{side}" height="{side}" rx="7"'
        parts.append(f'<rect class="shade" x="{x + inset + 3}" y="{y + inset + 4}" {size}/>')
        parts.append(f'<rect class="storey s{number}" x="{x + inset}" y="{y + inset}" {size}/>')
    if level:
        inset = _INSETS[0]
        place = f'x="{x + CELL - inset - 7}" y="{y + CELL - inset - 5}"'
        parts.append(f'<text class="level" {place}>{level}</text>')
    return "".join(parts)


def dome(x: int, y: int) -> str:
    """Draw a dome."""
    return (
        f'<g transform="translate({x} {y})"><circle class="shade" cx="3" cy="5" r="27"/>'
        '<circle class="dome" r="27"/><ellipse class="gleam" cx="-9" cy="-11" rx="9" ry="6" '
        'transform="rotate(-35 -9 -11)"/><circle class="dome" r="4"/></g>'
    )


def letter_of(side: int, sex: str) -> str:
    """Return the letter that a side's worker has in ``board.txt`` too."""
    letter = LETTERS[side - 1]
    return letter.lower() if sex == "f" else letter


def worker_words(side: int, sex: str) -> str:
    """Say who a worker is."""
    return f"{'female' if sex == 'f' else 'male'} worker of side {side} ({SIDE_WORDS[side]})"


def worker(x: int, y: int, side: int, sex: str) -> str:
    """Draw a worker: the women in wide skirts, the men square; with its letter."""
    colour = SIDE_COLOURS[side]
    return (
        f'<g class="worker" transform="translate({x} {y})"><title>{worker_words(side, sex)}</title>'
        f'<ellipse class="shade" cx="2" cy="27" rx="22" ry="6"/>'
        f'<path fill="{colour}" d="{_BELL if sex == "f" else _TUNIC}"/>'
        f'<circle fill="{colour}" cy="-16" r="11"/>'
        f'<text y="20">{letter_of(side, sex)}</text></g>'
    )


def token(x: int, y: int, name: str) -> str:
    """Draw a token that lies on a square."""
    mark = f'<text y="5">{name[:1].upper()}</text>'
    if name == "whirlpool":
        mark = f'<path d="{_WHIRL}" fill="none" stroke="#fff" stroke-width="1.8"/>'
    return (
        f'<g class="badge" transform="translate({x} {y})"><title>{name}</title>'
        f'<circle r="15" fill="{_TOKEN_COLOURS.get(name, "#5c6a74")}"/>{mark}</g>'
    )


def arrow(x: int, y: int, name: str, direction: str) -> str:
    """Draw an arrow beside the board, for a token that lies in a direction."""
    dx, dy = DIRECTIONS[direction]
    angle = {(0, 1): 0, (1, 1): 45, (1, 0): 90, (1, -1): 135, (0, -1): 180,
             (-1, -1): 225, (-1, 0): 270, (-1, 1): 315}[dx, dy]  # fmt: skip
    return (
        f'<g class="arrow" transform="translate({x} {y}) rotate({angle})">'
        f"<title>{name} {direction}</title>"
        '<path d="M0-19L15 1H6V18H-6V1H-15Z"/></g>'
    )


def chip(x: int, y: int, side: int) -> str:
    """Draw a side's colour and letter, for the list of seats."""
    return (
        f'<g class="chip" transform="translate({x} {y})"><circle r="14" '
        f'fill="{SIDE_COLOURS[side]}"/><text y="5">{LETTERS[side - 1]}</text></g>'
    )


def tag(right: int, y: int, word: str, colour: str) -> str:
    """Draw a word on a coloured band that ends at the right."""
    width = 18 + 8 * len(word)
    return (
        f'<rect x="{right - width}" y="{y - 13}" width="{width}" height="24" rx="12" '
        f'fill="{colour}"/>'
        f'<text class="tag" x="{right - width // 2}" y="{y + 4}">{word}</text>'
    )
