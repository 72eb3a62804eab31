"""Notation is read back as it was written (T-60)."""

from __future__ import annotations

import pytest

from domain.rules.parsing import BadNotation, parse_line, parse_step
from domain.rules.step import END, PASS, Move, Place, text_of
from tests.vectors import vectors

STEPS = [
    "b1>b2", "b2^b3", "b2^b3*", "c3~c5", "-d4", "--d4", "xe3", "+a1", "@talus:c4", "@wind:NE",
    "@wind:-", "@arrow:E", "@abyss:c3", "=pair:b2-d4", "=power:apollo", "=start_seat:S2", ".", "-",
    "(a1~d4,b2~e5,d4~a1,e5~b2)",
]  # fmt: skip


@pytest.mark.parametrize("text", STEPS)
def test_every_form_of_step_survives_reading_and_writing(text):
    """The table of T-60, form by form."""
    step = parse_step(text)
    assert step is not None
    assert text_of(step) == text


def test_a_line_with_everything_is_taken_apart():
    """Automatic events, an interrupt, an end and the marks behind the last event."""
    line = parse_line("b2>b3 [b3~b4] b3^c3* {S2: +c4} .%#S2")
    assert [word.text for word in line.words] == ["b2>b3", "[b3~b4]", "b3^c3*", "+c4", "."]
    assert [seat for seat, _ in line.steps] == [0, 0, 2, 0]
    assert line.clock and line.result == "#S2"


def test_a_declined_interrupt_and_a_cancelled_step():
    """``{S2: -}`` is a pass of seat 2; ``!`` marks what met a secret (P-39)."""
    assert parse_line("{S2: -}").steps == ((2, PASS),)
    word = parse_line("!b2>c3").words[0]
    assert word.cancelled and word.step == Move(6, 12)


def test_placements_are_read_as_such_in_setup():
    """``+b1f`` puts a setup worker; its sex is a reminder (C-7)."""
    assert [step for _, step in parse_line("+b1f +d1m", placing=True).steps] == [Place(1), Place(3)]


@pytest.mark.parametrize("text", ["b2>f3", "b2b3", "b2>b3>b4", "hello", "b2>b3 [", "{S9: -}", "=x"])
def test_what_is_not_notation_is_named(text):
    """The first word that has no form is named by its place."""
    with pytest.raises(BadNotation):
        parse_line(text)


def test_the_empty_line_has_no_steps():
    """Looking ahead from nothing is looking from here."""
    assert parse_line("").steps == ()
    assert parse_line(".").steps == ((0, END),)


def test_the_lines_of_the_vectors_survive():
    """Every line of a file of vectors is taken apart and put together again."""
    for vector in vectors("duel-none"):
        for text, _, _ in vector.get("turns", ()):
            line = parse_line(text)
            again = " ".join(word.text for word in line.words) + ("%" if line.clock else "")
            assert again + line.result == text
