"""Pictures of many tables: every piece is drawn once, on its square, and said in words."""

import xml.etree.ElementTree as ET
from itertools import islice
from types import SimpleNamespace

import pytest

from app.views.pictures import board_svg
from app.views.sight import Viewer
from domain.board.geometry import BITS, NAMES, SQUARES
from domain.rules.positions import read_position
from tests.vectors import vectors

SVG = "{http://www.w3.org/2000/svg}"
TABLES = ("duel-none", "duel-one-power", "duel-golden_fleece", "trio", "solo4", "team4")


def drawn(position, **more):
    chairs = [
        SimpleNamespace(
            seat=seat, side=position.table.side(seat), name=f"Player {seat}", power=None,
            status="active",
        )
        for seat in range(1, position.table.seats + 1)
    ]  # fmt: skip
    game = {
        "position": position,
        "settings": SimpleNamespace(variant="duel"),
        "status": "playing",
        "version": 9,
        "chairs": chairs,
        "clock": SimpleNamespace(seat=1, number=4),
        "result": None,
    } | more
    snapshot = SimpleNamespace(game=SimpleNamespace(**game))
    return ET.fromstring(board_svg(snapshot, Viewer(everything=True)))


def classes(element, name):
    return [each for each in element.iter() if each.attrib.get("class", "").split()[:1] == [name]]


@pytest.mark.parametrize("name", TABLES)
def test_every_piece_is_drawn_on_its_square(name):
    for vector in islice(vectors(name), 40):
        position = read_position(vector["position"])[0]
        root = drawn(position)
        squares = {each.attrib["id"]: each for each in root.iter(f"{SVG}g") if "id" in each.attrib}
        assert set(squares) == set(NAMES)
        for square in SQUARES:
            group = squares[NAMES[square]]
            assert len(classes(group, "storey")) == position.level(square)
            assert bool(classes(group, "dome")) == bool(position.domes & BITS[square])
            assert len(classes(group, "worker")) == position.workers.count(square)
            lying = [token.name for token in position.tokens if token.square == square]
            assert len(classes(group, "badge")) == len(lying)
        assert len(classes(root, "arrow")) == sum(bool(t.direction) for t in position.tokens)
        told = root.find(f"{SVG}desc").text
        for token in position.tokens:
            assert token.name in told
        assert told.count("worker of side") == sum(place >= 0 for place in position.workers)


def test_the_seat_to_act_and_the_winner_are_marked():
    position = read_position(next(vectors("duel-none"))["position"])[0]
    assert [tag.text for tag in classes(drawn(position), "tag")] == ["to act"]
    over = drawn(position, clock=None, result=SimpleNamespace(winners=(2,)))
    assert [tag.text for tag in classes(over, "tag")] == ["won"]
