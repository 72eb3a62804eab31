"""What each problem means and what to do about it: the text of ``/docs/problems/<code>``."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Explanation(NamedTuple):
    """Two short paragraphs on one code; words of the protocol stand between backticks."""

    meaning: str
    remedy: str
    words: Mapping[str, str] = MappingProxyType({})
    """What each finer code in ``errors`` says, where there are some of its own."""


REASONS = {
    "occupied": "Somebody, or something, stands there already.",
    "domed": "There is a dome on that square.",
    "not_adjacent": "The square is not one of the neighbours that this step may reach.",
    "too_high": "The square is more than one level above the worker.",
    "not_this_worker": "The worker named may not do this: it is not yours, or another one has to.",
    "wrong_phase": "Such a step does not stand at this point of the turn.",
    "out_of_pieces": "The supply holds no more of that piece.",
    "wrong_piece": "Another piece belongs on that square.",
    "forbidden_by_power": "A power forbids it; `power` says which.",
    "obligation_unmet": "A power demands something else first; `power` says which.",
    "dead_end": "After this step the turn could not be finished any more.",
    "nothing_there": "There is nothing there to be moved or taken.",
}

EXPLANATIONS: dict[str, Explanation] = {
    "malformed_request": Explanation(
        "The request is not one that HTTP or this service can read: broken framing, a query "
        "parameter given twice, a header that is not in its format.",
        "Look at `errors`: it names the header or parameter. Send it in the documented form.",
    ),
    "malformed_json": Explanation(
        "The body is not JSON in UTF-8. NaN and Infinity, a key twice in one object, nesting "
        "deeper than 32 levels and half a surrogate pair count as malformed too.",
        "Let a JSON library write the body. `detail` says where reading stopped.",
    ),
    "unknown_parameter": Explanation(
        "The query string holds a parameter that this operation does not have. It is refused "
        "rather than ignored, so that a typing mistake cannot pass for a filter.",
        "Take it out, or look up its name in `openapi.yaml`.",
    ),
    "bad_cursor": Explanation(
        "The cursor is not one that this service handed out.",
        'Follow the `Link` header with `rel="next"` as it is, or start again without a cursor.',
    ),
    "token_required": Explanation(
        "This operation acts for a seat, and the request bears no token.",
        "Send the token shown on creating or joining as `Authorization: Bearer TOKEN`.",
    ),
    "token_unknown": Explanation(
        "The token is none of this game's: it belongs to another game, has been replaced or "
        "given back, or never was one. All of these get the same answer.",
        "Check that token and game belong together. A public game can be read without a token.",
    ),
    "not_your_seat": Explanation(
        "The token is another seat's of this game.",
        "Use the path of the own seat.",
    ),
    "not_a_player": Explanation(
        "The token is that of a host who created the game without taking a seat.",
        "A host may read and, before the start, call the game off. Join to play.",
    ),
    "not_the_creator": Explanation(
        "Only whoever created the game may call it off.",
        "Leave the seat instead; once the game has started, resign.",
    ),
    "not_found": Explanation(
        "Nothing is at this path. A private game does not exist for anybody without one of its "
        "tokens, and a version beyond the log does not exist for anybody.",
        "Check the id, the version and, for a private game, the token or invite.",
    ),
    "method_not_allowed": Explanation(
        "The path exists, the method does not work on it.",
        "The `Allow` header lists those that do.",
    ),
    "not_acceptable": Explanation(
        "The `Accept` header names no media type that this path can answer with.",
        "`detail` lists what is served here.",
    ),
    "body_too_large": Explanation(
        "A body may hold at most 16 KiB.",
        "Send fewer steps at once; a turn may be played in parts.",
    ),
    "unsupported_media_type": Explanation(
        "The body is not `application/json` in UTF-8, or it is compressed. Forms are not read.",
        "Send `Content-Type: application/json` and no `Content-Encoding`.",
    ),
    "not_your_turn": Explanation(
        "Another seat is to act.",
        "`turn.seat` of the game says who. Wait with `Prefer: wait`, or follow the event stream.",
    ),
    "game_over": Explanation(
        "The game has ended or was called off; for an eliminated seat it is over too.",
        "Read the result. A player of a finished game may call for a rematch.",
    ),
    "game_not_started": Explanation(
        "Seats are still free, or the draft is not over; nobody can play or resign yet.",
        "The game starts by itself when its last seat is taken.",
    ),
    "game_full": Explanation(
        "No seat is free.",
        "List open games with `GET /v1/games?status=open`, or create one.",
    ),
    "seat_taken": Explanation(
        "Somebody sits there.",
        "Join without naming a seat to get the lowest free one.",
    ),
    "game_started": Explanation(
        "This can be done before the start only.",
        "After the start a player may resign.",
    ),
    "game_not_over": Explanation(
        "A rematch follows a finished game.",
        "Wait for the end.",
    ),
    "turn_expired": Explanation(
        "The deadline had passed when the request arrived. The server has played for the seat "
        "as the rules say (C-36 to C-40), whether or not the caller has seen it yet.",
        "Read the game: `version` in this problem is the new one. Play sooner next time.",
    ),
    "version_conflict": Explanation(
        "`expected_version` is not the game's version any more, or somebody else's command came "
        "first.",
        "Read the game again and decide anew.",
    ),
    "request_in_progress": Explanation(
        "A request with this `Idempotency-Key` is still running.",
        "Wait for a moment, then send the same request again.",
    ),
    "precondition_failed": Explanation(
        "`If-Match` names versions the game does not have any more.",
        "Read the game again; its `ETag` is the current version.",
    ),
    "validation_failed": Explanation(
        "The request can be read but does not say something that can be done: a member is "
        "missing, unknown, of the wrong type or out of range, or members contradict each other.",
        "`errors` names each member by a JSON pointer (or each parameter by name) with a code.",
    ),
    "illegal_step": Explanation(
        "The rules do not allow a step. Nothing of the request was played. `errors` points to the "
        "first step that is not legal and says why:",
        "`legal_steps` of the problem lists up to 50 steps that are legal at that point, as "
        "notation.",
        REASONS,
    ),
    "incompatible_powers": Explanation(
        "Two of these powers may never be in the same game, or one stands there twice.",
        "`GET /v1/powers` lists each power's banned partners.",
    ),
    "idempotency_key_reused": Explanation(
        "The same caller used this `Idempotency-Key` on this path for another body before.",
        "Make a new random key for every new request.",
    ),
    "rate_limited": Explanation(
        "Too many requests in a short time from this token or address.",
        "Wait for the seconds in `Retry-After`. Playing at a bot's pace is never limited.",
    ),
    "too_many_streams": Explanation(
        "This process serves as many streams and waiting requests as it can.",
        "Try again after the seconds in `Retry-After`, or ask without waiting.",
    ),
    "internal_error": Explanation(
        "A bug in the service. The request was not at fault.",
        "Report it with the `X-Request-ID` of the answer. Repeating with the same "
        "`Idempotency-Key` is safe.",
    ),
    "store_unavailable": Explanation(
        "The store did not answer in time. What was asked may or may not have happened.",
        "Repeat the request with the same `Idempotency-Key` after `Retry-After` seconds.",
    ),
    "paused": Explanation(
        "The service is paused for maintenance. Clocks stand still, reading works.",
        "Repeat the request after `Retry-After` seconds.",
    ),
}
