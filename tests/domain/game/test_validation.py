"""Which options go together: the variant table, C-15, C-52, V-20."""

from __future__ import annotations

import pytest

from domain.game.errors import Refusal
from domain.game.settings import PowersOption, Settings, powers_mode
from domain.game.validation import validate

FIXED = PowersOption("fixed", seats=("apollo", "pan"))

BAD = [
    (Settings("chess"), "/variant"),
    (Settings("team4"), "/powers/mode"),
    (Settings("solo4", PowersOption("random")), "/powers/mode"),
    (Settings("team4_split", PowersOption("draft")), "/powers/mode"),
    (Settings("trio", PowersOption("golden_fleece")), "/powers/mode"),
    (Settings("trio", placement="recommended"), "/placement"),
    (Settings("solo4", placement="recommended"), "/placement"),
    (Settings(placement="heaped"), "/placement"),
    (Settings(start_seat=3), "/start_seat"),
    (Settings(start_seat=0), "/start_seat"),
    (Settings(start_seat="first"), "/start_seat"),
    (Settings(powers=PowersOption("draft"), start_seat=1), "/start_seat"),
    (Settings(turn_seconds=0), "/turn_seconds"),
    (Settings(turn_seconds=1_209_601), "/turn_seconds"),
    (Settings(visibility="secret"), "/visibility"),
    (Settings(powers=PowersOption("chaotic")), "/powers/mode"),
    (Settings(powers=PowersOption("fixed", seats=("apollo",))), "/powers/seats"),
    (Settings(powers=PowersOption("fixed", seats=("apollo", "odin"))), "/powers/seats/1"),
    (Settings("trio", PowersOption("fixed", seats=("pan", "jason", "zeus"))), "/powers/seats/1"),
    (Settings(powers=PowersOption("random", groups=("titans",))), "/powers/groups/0"),
    (Settings("trio", PowersOption("random", groups=("hero",))), "/powers/groups"),
    (Settings(powers=PowersOption("draft", order="alphabetic")), "/powers/order"),
    (Settings(powers=PowersOption("draft", offer="huge")), "/powers/offer"),
    (Settings(powers=PowersOption("golden_fleece", offer="limited")), "/powers/offer"),
    (Settings(powers=PowersOption("golden_fleece", power="athena")), "/powers/power"),
    (Settings(powers=PowersOption("golden_fleece", power="odin")), "/powers/power"),
    (Settings(powers=PowersOption("none", groups=("simple",))), "/powers/groups"),
    (Settings(powers=PowersOption("random", order="bga")), "/powers/order"),
    (Settings(powers=PowersOption("fixed", seats=("bia", "pan")), start_seat=2), "/start_seat"),
    (Settings(powers=PowersOption("fixed", seats=("hecate", "pan")), start_seat=1), "/start_seat"),
    (
        Settings(powers=PowersOption("fixed", seats=("eros", "pan")), placement="recommended"),
        "/placement",
    ),
    (
        Settings(powers=PowersOption("fixed", seats=("graeae", "pan")), placement="recommended"),
        "/placement",
    ),
]


@pytest.mark.parametrize(("settings", "pointer"), BAD)
def test_options_that_do_not_go_together(settings, pointer):
    """Each is ``validation_failed``, and its flaw points at the member."""
    with pytest.raises(Refusal) as refused:
        validate(settings)
    assert refused.value.code == "validation_failed"
    assert pointer in [flaw.pointer for flaw in refused.value.flaws]


@pytest.mark.parametrize("seats", [("gaea", "atlas"), ("atlas", "gaea"), ("pan", "pan")])
def test_powers_that_cannot_meet(seats):
    """V-20, V-21: a banned pair, or one power twice, is ``incompatible_powers``."""
    with pytest.raises(Refusal) as refused:
        validate(Settings(powers=PowersOption("fixed", seats=seats)))
    assert refused.value.code == "incompatible_powers"
    assert refused.value.flaws[0].pointer == "/powers/seats/1"


@pytest.mark.parametrize(
    "settings",
    [
        Settings(),
        Settings("trio"),
        Settings("solo4", start_seat=4),
        Settings("team4_split", placement="recommended"),
        Settings("team4", PowersOption("random")),
        Settings(powers=FIXED, placement="recommended", turn_seconds=None),
        Settings(powers=PowersOption("fixed", seats=("mortal", "mortal"))),
        Settings(powers=PowersOption("fixed", seats=("bia", "pan")), start_seat=1),
        Settings(powers=PowersOption("golden_fleece"), placement="recommended"),
        Settings(powers=PowersOption("draft", order="bga", offer="limited", groups=("hero",))),
        Settings(turn_seconds=1_209_600, visibility="private"),
    ],
)
def test_options_that_go_together(settings):
    """The variant table, row by row."""
    validate(settings)


def test_several_flaws_are_told_at_once():
    """Whoever repairs one should not have to find the next by trying."""
    with pytest.raises(Refusal) as refused:
        validate(Settings(turn_seconds=0, placement="heaped", visibility="secret"))
    assert len(refused.value.flaws) == 3


def test_recommended_placement_deals_powers_that_allow_it():
    """C-15: random powers are dealt among those that leave placement alone."""
    from domain.game.pool import eligible

    keys = eligible(Settings(powers=PowersOption("random"), placement="recommended"))
    assert not {"bia", "eros", "hecate", "graeae", "proteus", "moerae"} & set(keys)
    assert "apollo" in keys


@pytest.mark.parametrize(
    ("mode", "told"),
    [("none", "none"), ("fixed", "gods"), ("random", "gods"), ("draft", "gods"),
     ("golden_fleece", "golden_fleece")],
)  # fmt: skip
def test_keys_know_three_modes(mode, told):
    """T-70 part 1."""
    assert powers_mode(Settings(powers=PowersOption(mode))) == told
