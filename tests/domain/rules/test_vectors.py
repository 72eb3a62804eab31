"""Every vector: the legal turns, the positions they lead to and who wins (rules vectors)."""

from __future__ import annotations

import pytest

from tests.vectors import FILES, disagreement, vectors

SLICES = {"duel-two-powers": 24, "duel-one-power": 8, "trio": 2, "team4": 2}


CHUNKS = [
    pytest.param(name, number, SLICES.get(name, 1), id=f"{name}-{number + 1}")
    for name in FILES
    for number in range(SLICES.get(name, 1))
]


@pytest.mark.parametrize(("name", "number", "count"), CHUNKS)
def test_engine_agrees_with_the_vectors(name, number, count):
    """Keys, verdicts, canonical lines, results, winners are those of the vectors (T-60 .. T-73)."""
    failures = {}
    checked = 0
    for index, vector in enumerate(vectors(name)):
        if index % count == number:
            checked += 1
            wrong = disagreement(vector)
            if wrong:
                failures[vector["id"]] = wrong
    assert checked
    assert not failures


def test_every_vector_file_is_there():
    """Nine files of positions travel with the project."""
    assert len(FILES) == 9
