"""What the terminal shows when the service is ready."""

from __future__ import annotations

POST = "curl -s -H 'Content-Type: application/json' -d"
TEXT = r"""sed 's/.*"{name}":"\([^"]*\)".*/\1/'"""
"""A filter that takes a text member out of a JSON answer; enough for the two members below."""

TEMPLATE = """\
A=$({post} '{opening}' {games}); echo "$A"
G={games}/$(echo "$A" | {id}); {post} '{guest}' $G/seats; echo
{post} '{turn}' -H "Authorization: Bearer $(echo "$A" | {token})" $G/steps; echo
curl -s $G/board.txt"""


def curl_lines(url: str) -> str:
    """Return four shell lines that create a game, join it, play its first turn and draw it."""
    return TEMPLATE.format(
        post=POST,
        games=f"{url}/v1/games",
        opening='{"placement": "recommended", "start_seat": 1, "name": "Ada"}',
        guest='{"name": "Bob"}',
        turn='{"notation": "b1>b2 b2^b3"}',
        id=TEXT.format(name="id"),
        token=TEXT.format(name="token"),
    )


def greeting(url: str, kept: str) -> str:
    """Return the text for a service that is ready; ``kept`` says where its games are."""
    lines = "\n".join(f"  {line}" for line in curl_lines(url).splitlines())
    return (
        f"Santorini is served at {url}  (documentation: {url}/docs)\n"
        f"Games are kept in {kept}. Ctrl-C stops everything.\n\n"
        f"A turn by hand, in another terminal:\n\n{lines}\n"
    )
