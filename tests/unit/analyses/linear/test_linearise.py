"""Linear systems by name: what is read from them, what is attached to them, what is refused."""

import numpy as np
import pytest
from scipy.signal import StateSpace, freqresp

import flexura as fx
from flexura.planar import Beam, Mass, Truss

K, C, MASS = 40.0, 0.3, 2.0


def oscillator(**given):
    """A mass between a spring with a damper and the ground, on a line."""
    return fx.Model(
        nodes={"O": (0, 0), "A": (1, 0)},
        elements={"spring": Truss("O", "A", fx.Section(rhoA=0.0)), "mass": Mass("A", MASS)},
        fixed=["O", "A.y"],
        laws={"spring.elongation": fx.LinearLaw(k=K, c=C)},
        **given,
    )


def cantilever(parts=4, **given):
    return fx.Model(
        nodes={"O": (0, 0), "A": (1, 0)},
        elements={"beam": Beam("O", "A", fx.Section(EA=1e4, EI=1.0, rhoA=1.0, damping=1e-3), parts=parts)},
        fixed=["beam.p"],
        **given,
    )


def test_one_degree_of_freedom_is_that_of_the_textbook():
    system = fx.linearise(oscillator())
    assert system.coordinates == ("spring.elongation",)
    assert (system.M[0, 0], system.C[0, 0], system.K[0, 0]) == pytest.approx((MASS, C, K), rel=1e-14)
    decay = C / (2 * MASS)
    assert system.eigenvalues == pytest.approx([-decay + 1j * np.sqrt(K / MASS - decay**2)], rel=1e-12)
    assert system.damping_ratios == pytest.approx([decay / np.sqrt(K / MASS)], rel=1e-12)
    assert system.stable


def test_response_is_that_of_the_textbook_and_of_the_state_space():
    system = fx.linearise(oscillator())
    w = np.array([0.5, 4.0, 20.0])
    expected = 1.0 / (K + 1j * w * C - w**2 * MASS)
    assert system.frequency_response("A.x", "A.x", w) == pytest.approx(expected, rel=1e-12)
    assert system.frequency_response("A.x", "A.x''", w) == pytest.approx(-(w**2) * expected, rel=1e-12)
    spring = (K + 1j * w * C) * expected
    assert system.frequency_response("A.x", "spring.elongation.force", w) == pytest.approx(-spring, rel=1e-12)
    plant = StateSpace(*system.to_state_space(["A.x"], ["A.x''"]))
    assert freqresp(plant, w)[1] == pytest.approx(-(w**2) * expected, rel=1e-10)


def test_reaction_of_the_ground_balances_load_and_inertia():
    system = fx.linearise(oscillator())
    w = np.array([0.5, 4.0, 20.0])
    # the force of the ground on the spring holds against it
    spring = system.frequency_response("A.x", "spring.elongation.force", w)
    assert system.frequency_response("A.x", "O.x.force", w) == pytest.approx(spring, rel=1e-12)


def test_attached_matrices_are_like_an_element():
    plain = fx.linearise(cantilever())
    attached = plain.attach(["A.x", "A.y"], K=[[0.0, 0.0], [0.0, 3.0]], C=0.2, M=0.1)
    model = cantilever()
    with_parts = model.replace(
        nodes={**model.nodes, "B": (1, -1), "D": (2, 0)},
        elements={
            **model.elements,
            "tip": Mass("A", 0.1),
            "below": Truss("B", "A", fx.Section(rhoA=0.0)),
            "ahead": Truss("A", "D", fx.Section(rhoA=0.0)),
        },
        fixed=["beam.p", "B", "D"],
        laws={"below.elongation": fx.LinearLaw(k=3.0, c=0.2), "ahead.elongation": fx.LinearLaw(c=0.2)},
    )
    expected = fx.linearise(with_parts.replace(independent=list(plain.coordinates)))
    assert sorted(expected.coordinates) == sorted(attached.coordinates)
    assert np.sort_complex(attached.eigenvalues) == pytest.approx(np.sort_complex(expected.eigenvalues), rel=1e-9)
    assert "attached to A.x, A.y" in attached.contributions


def test_effective_masses_add_up_to_the_mass_that_moves():
    system = fx.linearise(cantilever(parts=16))
    # what the clamped end carries itself does not move: 13/35 of half a part and its share of the slope
    assert system.effective_mass((0.0, 1.0)).sum() == pytest.approx(1.0, abs=0.5 / 16)
    assert system.effective_mass((0.0, 1.0))[0] == pytest.approx(0.6131, abs=1e-3)


def test_contributions_add_up():
    model = cantilever(loads={"A.y": 0.3}, gravity=(0.0, -1.0))
    system = fx.linearise(model, fx.equilibrium(model))
    assert sum(stiffness for _, stiffness in system.contributions.values()) == pytest.approx(
        system.K, abs=1e-13 * np.abs(system.K).max()
    )
    assert sum(damping for damping, _ in system.contributions.values()) == pytest.approx(
        system.C, abs=1e-13 * np.abs(system.C).max()
    )
    assert np.abs(system.forcing).max() < 1e-8
    assert set(system.contributions) == {"material", "damping", "geometric", "weight", "inertia", "convective"}


def test_times_give_a_system_each():
    driven = oscillator().replace(fixed=["A.y", "O.y"], inputs={"O.x": fx.Sine(0.1, 3.0)})
    systems = fx.linearise(driven, [0.0, 0.2])
    assert [system.t for system in systems] == [0.0, 0.2]
    # a drive that shakes the ground forces the mass: M ẍ of the nominal motion
    assert systems[1].forcing[0] == pytest.approx(0.1 * 9.0 * np.sin(0.6) * MASS, rel=1e-9)
    assert systems[1].drives == ("O.x",)
    assert systems[1].drive_matrices[0][0, 0] == pytest.approx(MASS, rel=1e-12)


def test_a_state_of_a_motion():
    model = cantilever(start={"beam.4.bending_p": 0.05})
    motion = fx.simulate(model, times=[0.0, 0.05, 0.1])
    system = fx.linearise(model, (motion, 0.05))
    assert system.t == 0.05
    assert np.abs(system.forcing).max() < 1e-6
    with pytest.raises(fx.ModelError, match=r"no output at 0.07 s.*nearest is at 0.05"):
        fx.linearise(model, (motion, 0.07))


def test_what_is_refused():
    system = fx.linearise(cantilever())
    with pytest.raises(fx.ModelError, match="does not fit 1 signals"):
        system.attach(["A.y"], K=np.eye(2))
    with pytest.raises(fx.ModelError, match="there is no mode 99"):
        system.plot_mode(99)
    with pytest.raises(fx.ModelError, match="there is no 'C'"):
        system.output("C.x")


def test_pictures(tmp_path):
    system = fx.linearise(cantilever())
    system.plot_mode(0, path=str(tmp_path / "mode.png"))
    system.plot_response("A.y", "A.y", np.geomspace(1, 100, 50), path=str(tmp_path / "bode.png"))
    system.plot_response("A.y", "A.y", np.geomspace(1, 100, 50), nyquist=True, path=str(tmp_path / "nyquist.png"))
    assert all((tmp_path / f"{name}.png").stat().st_size > 1000 for name in ("mode", "bode", "nyquist"))
    assert "stable" in str(system)


@pytest.mark.parametrize("turn", [0.25, 0.2528, 0.75, 2.3])
def test_no_link_is_reversed_far_from_the_drawing(turn):
    wire = fx.Section(EI=10.0, rhoA=0.2)
    model = fx.Model(
        nodes={"O": (0, 0), "A": (0.15, 0), "B": (0.45, 0)},
        elements={"crank": Beam("O", "A", wire, rigid=True), "rod": Beam("A", "B", wire), "plunger": Mass("B", 0.03)},
        fixed=["O", "B.y"],
        inputs={"crank.p.phi": fx.Ramp(rate=2.0 * np.pi)},
    )
    place = fx.linearise(model, turn).following
    x, y = (place.position[place.coordinate_index[place.names.resolve(f"A.{axis}")]] for axis in "xy")
    angle = 2.0 * np.pi * turn
    assert (x, y) == pytest.approx((0.15 * np.cos(angle), 0.15 * np.sin(angle)), abs=1e-12)
