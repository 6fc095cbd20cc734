"""The spatial slider-crank of [Deck1992 appendix E] over a turn, against its closed form.

The loop closes with the yoke below the rod, H₆ = −2.45 in, where the thesis prints +2.45 in.
"""

import numpy as np
import pytest
from numpy.typing import NDArray

import flexura as fx
from flexura.spatial import Beam, Hinge, Slider
from references import deck_slider_crank
from references.deck_slider_crank import DeckSliderCrank

Array = NDArray[np.float64]

ROD = fx.Section(rhoA=1.0)
SPEED = 2.0 * np.pi
TIMES = np.linspace(0.0, 1.0, 721)
TURN = SPEED * TIMES

TARGET = 1e-10
"""Of metres and radians; the largest deviation seen is 2e-16 in positions and 2e-15 in accelerations over Ω²."""

CASES = {
    "straight": DeckSliderCrank(),
    "10°": DeckSliderCrank(np.deg2rad(10.0)),
    "25°": DeckSliderCrank(np.deg2rad(25.0)),
    "25° with offset": DeckSliderCrank(np.deg2rad(25.0), offset=0.3 * deck_slider_crank.INCH),
}


def slider_crank(case: DeckSliderCrank) -> fx.Model:
    """Drawn at crank angle zero: a ball joint from crank to rod, hinges from rod to yoke and from yoke to slider."""
    drawn = deck_slider_crank.position(case, 0.0)
    nodes = {"O": np.zeros(3), "ball": drawn.ball, "pin": drawn.pin, "slider": drawn.slider, "guide": case.origin}
    return fx.Model(
        nodes={name: tuple(place.tolist()) for name, place in nodes.items()},
        elements={
            "main": Hinge("O", "O", axis=(0, 0, 1)),
            "crank": Beam("main.q", "ball", ROD, rigid=True),
            "rod": Beam("ball", "pin", ROD, rigid=True),
            "rod_pin": Hinge("rod.q", "pin", axis=tuple(drawn.axis.tolist())),
            "yoke": Beam("rod_pin.q", "slider", ROD, rigid=True),
            "cross_pin": Hinge("yoke.q", "slider", axis=tuple(case.cross_pin.tolist())),
            "slide": Slider("guide", "cross_pin.q", direction=tuple(case.guide.tolist())),
        },
        fixed=["main.p", "slide.p"],
        inputs={"main.rotation": fx.Ramp(SPEED)},
    )


def place(motion: fx.Motion, node: str) -> Array:
    return np.stack([motion[f"{node}.{axis}"] for axis in "xyz"], axis=-1)


@pytest.mark.parametrize("name", CASES)
def test_positions_follow_the_closed_form(name: str) -> None:
    case = CASES[name]
    motion = fx.kinematics(slider_crank(case), TIMES)
    assert motion.outcome is fx.Outcome.DONE
    expected = deck_slider_crank.position(case, TURN)
    for node, path in {"ball": expected.ball, "pin": expected.pin, "slider": expected.slider}.items():
        assert np.abs(place(motion, node) - path).max() < TARGET
    assert np.abs(motion["slide.travel"] - (expected.travel - expected.travel[0])).max() < TARGET
    velocity, acceleration = deck_slider_crank.travel_rates(case, TURN, SPEED)
    assert np.abs(motion["slide.travel'"] - velocity).max() < TARGET * SPEED
    assert np.abs(motion["slide.travel''"] - acceleration).max() < TARGET * SPEED**2


@pytest.mark.parametrize("name", CASES)
def test_hinges_turn_with_yoke_and_rod(name: str) -> None:
    """The yoke tilts by ±13°, and at γ = 0 the rod does not swing: the mechanism is then planar."""
    case = CASES[name]
    motion = fx.kinematics(slider_crank(case), TIMES)
    tilt, swing = deck_slider_crank.hinge_angles(case, TURN)
    # hinges run from rod to yoke to slider, the reference from slider to yoke to rod
    assert np.abs(motion["cross_pin.rotation"] + tilt - tilt[0]).max() < TARGET
    assert np.abs(motion["rod_pin.rotation"] + swing - swing[0]).max() < TARGET
    assert np.rad2deg(np.abs(tilt).max()) == pytest.approx(13.3, abs=0.1)


@pytest.mark.parametrize("name", CASES)
def test_loop_stays_closed(name: str) -> None:
    """Every held strain of links, hinges and slide over the turn."""
    case = CASES[name]
    motion = fx.kinematics(slider_crank(case), TIMES)
    free = {"main.rotation", "rod_pin.rotation", "cross_pin.rotation", "slide.travel"}
    held = [str(strain) for strain in motion.strains if str(strain) not in free and not strain.internal]
    assert len(held) == 3 * 6 + 3 * 2 + 5
    assert max(np.abs(motion[strain]).max() for strain in held) < TARGET
    # and distances in space, without any strain
    ball, pin, slider = (place(motion, node) for node in ("ball", "pin", "slider"))
    assert np.abs(np.linalg.norm(pin - ball, axis=-1) - case.rod).max() < TARGET
    assert np.abs(np.linalg.norm(slider - pin, axis=-1) - case.yoke).max() < TARGET
    assert np.abs(((pin - ball) * (slider - pin)).sum(axis=-1)).max() < TARGET
