"""The Golden Fleece: whoever stands by the Ram has the power for the turn (V-4 .. V-8)."""

from domain.board.facts import apply_all
from domain.rules.engine import close_turn, open_turn, position_key, start_facts
from tests.boards import after, moves, on_board


def started(turn):
    position = apply_all(turn.position, start_facts(turn.position, turn.seat))
    return open_turn(position, turn.seat, turn.kind)


def following(turn, line):
    close = close_turn(after(turn, line))
    position = apply_all(close.position, start_facts(close.position, close.seat))
    return open_turn(position, close.seat, close.kind)


def powers(turn):
    return position_key(turn.position, turn.seat).split("|")[4]


@on_board
def test_the_ram_is_a_dome_on_the_ground_for_everybody(turn):
    """Nobody enters it, builds on it or is pushed onto it (V-6): the foe on c3 has no way west.

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0. 0. 0.
    3   0. 0. 0B 0A 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0. 0B   A to play   ram b3 minotaur
    """
    turn = started(turn)
    assert powers(turn) == "minotaur:;minotaur:"
    assert "d3>c3" not in moves(turn)
    assert "b2>c3" in moves(turn)
    assert "b2>b3" not in moves(turn)
    assert "a2^b3" not in moves(after(turn, "b2>a2"))


@on_board
def test_the_power_lasts_for_the_turn_and_is_looked_at_anew(turn):
    """
        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0A 0. 0. 0.
    1   0. 0. 0. 0. 0A   A to play   ram c3 artemis
    """
    turn = started(turn)
    assert powers(turn) == "artemis:;"
    assert "a2>a3" in moves(after(turn, "b2>a2"))
    assert powers(following(turn, "b2>a2 a2^a1")) == ";"
    assert powers(following(turn, "b2>b3 b3^a2")) == "artemis:;"


@on_board
def test_who_steps_next_to_it_has_nothing_yet(turn):
    """
        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0A 0. 0. 0. 0.
    1   0. 0. 0. 0. 0A   A to play   ram c3 artemis
    """
    turn = started(turn)
    assert powers(turn) == ";"
    assert after(turn, "a2>b2 b2^a2").closed
    assert powers(following(turn, "a2>b2 b2^a2")) == "artemis:;"


@on_board
def test_both_may_have_it_each_against_the_other(turn):
    """The texts about opponents work on the other's turn too (V-5, V-8).

        a  b  c  d  e
    5   0. 0. 0. 0. 0.
    4   0. 0. 0B 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 1A 0. 0. 0.
    1   0. 0. 0. 0. 0A   A to play   ram c3 hades
    """
    turn = started(turn)
    assert powers(turn) == "hades:;hades:"
    assert {text[:2] for text in moves(turn)} == {"e1"}


@on_board
def test_a_tower_earns_a_turn_even_after_walking_away(turn):
    """The extra turn is one with a foe's worker although the Ram is far (V-7).

        a  b  c  d  e
    5   0. 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   3. 0A 0. 0. 0.
    1   0. 0. 0. 0. 0A   A to play   ram c3 dionysus
    """
    extra = following(started(turn), "b2>b1 b1^a2*")
    assert (extra.seat, extra.kind, powers(extra)) == (1, "dionysus", ";")
    assert {text[:2] for text in moves(extra)} == {".", "e5"}


@on_board
def test_the_last_mover_is_known_before_anybody_holds_her(turn):
    """
        a  b  c  d  e
    5   0B 0. 0. 0. 0B
    4   0. 0. 0. 0. 0.
    3   0. 0. 0. 0. 0.
    2   0. 0. 0. 0. 0.
    1   0A 0. 0. 0. 0A   B to play   ram c3 eris
    """
    after_b = following(turn, "e5>e4 e4^e5")
    assert powers(after_b) == ";"
    assert position_key(after_b.position, 1).endswith("|eris=1:-,eris=2:e4")
    nearer = following(following(after_b, "a1>b2 b2^a1"), "e4>e3 e3^e4")
    assert powers(nearer) == "eris:;"
    assert {text[:2] for text in moves(nearer)} == {"a5", "b2", "e1"}
