"""Gradients through kinks and jumps of forces: contact laws, piecewise formulas, laws that depend on rates."""

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Beam, Clearance, Mass, Truss
from references.gallery import model
from references.gradient_models import Case, ball_on, changed, differences, slider_crank_with, value

EXACT = fx.DormandPrince(tolerance=1e-12)


def oscillator(law: object, load: str | None = None) -> fx.Model:
    """A mass on a law, under a load that may follow signals."""
    return fx.Model(
        nodes={"W": (-1, 0), "B": (0, 0)},
        elements={"m": Mass("B", 1.0), "s": Truss("W", "B", fx.Section(EA=0.0))},
        fixed=["W", "B.y"],
        laws={"s.elongation": law},
        loads={} if load is None else {"B.x": load},
        start={"B.x": 0.2, "B.x'": 1.5},
    )


def compare(case: Case, relative: float) -> None:
    """Both ways in time against differences of whole runs, whose own error is small."""
    wanted, errors = differences(case)
    assert np.all(errors <= relative * np.abs(wanted))
    for way in ("forward", "adjoint"):
        found = fx.gradient(case.model(), case.of, case.by, until=case.until, samples=case.samples, way=way)
        assert np.all(np.abs(found.derivatives - wanted) <= relative * np.abs(wanted))


BALL = ["elements.ball.mass", "elements.floor.contact.k", "start.B.y"]
CONTACTS = {
    "elastic": fx.Hertz(k=1e6),
    "force that ends before the gap opens": fx.Hertz(k=1e6, restitution=0.8),
    "great loss": fx.Hertz(k=1e6, restitution=0.3),
    "fixed damping": fx.Hertz(k=1e6, damping=0.3),
    "linear": fx.Hertz(k=1e5, exponent=1.0),
    "linear with loss": fx.Hertz(k=1e5, restitution=0.8, exponent=1.0),
    "force that jumps at the touch": fx.KelvinVoigt(k=1e5, c=50.0),
    "force that jumps at the release too": fx.KelvinVoigt(k=1e5, c=50.0, sticky=True),
}


@pytest.mark.parametrize("name", CONTACTS)
def test_contact_laws(name: str) -> None:
    of = ["final(B.y)", "final(B.y')"]
    compare(Case(lambda: ball_on(CONTACTS[name]), of, BALL, 0.25, samples=11, step=4e-3), 1e-6)


def test_gaps_that_open_after_their_force_has_vanished() -> None:
    """No step ends where they open."""
    of = [f"final(events(floor.gap, {k}))" for k in (1, 2, 3)]
    ball, gaps = ball_on(fx.KelvinVoigt(k=1e5, c=200.0)).replace(start={"B.y": 0.02}), (fx.Event("floor.gap"),)

    def times(path: str, number: float) -> np.ndarray:
        motion = fx.simulate(changed(ball, path, number), until=0.4, method=EXACT, events=gaps)
        return np.array([event.time for event in motion.events if event.kind == "crossing"][:3])

    for path in BALL:
        number = value(ball, path)
        h = 1e-4 * number
        coarse, half = ((times(path, number + d) - times(path, number - d)) / (2.0 * d) for d in (h, 0.5 * h))
        for way in ("forward", "adjoint"):
            found = fx.gradient(ball, of, path, until=0.4, way=way)
            assert found.derivatives[:, 0] == pytest.approx((4.0 * half - coarse) / 3.0, rel=1e-6, abs=1e-9)


def test_clearances_much_smaller_than_the_machine() -> None:
    """The distance of journal and bearing is a root whose size is 1e-4 of that of the machine."""
    machine, until, samples = model("journal_with_clearance"), 0.004, 201
    of = ["rms(journal.gap)", "rms(B.x')", "rms(rod.elongation.force)"]
    case = Case(lambda: machine, of, ["nodes.B.y", "nodes.J.x"], until, samples=samples, step=1e-5, halvings=5)
    compare(case, 3e-6)


def test_numbers_that_shape_a_contact_law() -> None:
    """The exponent changes the form of the law, the restitution enters through its dissipation."""
    by = ["elements.floor.contact.exponent", "elements.floor.contact.restitution"]
    of = ["final(B.y)", "max(abs(floor.gap.force))"]
    compare(Case(lambda: ball_on(fx.Hertz(k=1e6, restitution=0.8)), of, by, 0.25, samples=101), 1e-6)


def test_a_loose_pin_whose_force_jumps() -> None:
    # steps of k below a thousandth magnify the rounding of the runs
    by = ["elements.piston.mass", "elements.pin.clearance", "elements.pin.contact.k", "nodes.A.x"]
    of = ["final(C.x)", "final(C.x')"]
    compare(Case(lambda: slider_crank_with(fx.KelvinVoigt(k=1e7, c=100.0)), of, by, 0.003, samples=5, halvings=3), 1e-6)


FORMULAS = {
    "dead band": ("40*max(e - 0.05, 0) + 40*min(e + 0.05, 0) + 2*e", None),
    "square of the rate": ("20*e + 0.5*v*abs(v)", None),
    "strain times rate": ("20*e + 0.5*e*v", None),
    "dry friction by sign": ("20*e + 0.3*sign(v)", None),
    "load that begins at a time": (fx.LinearLaw(k=2e4), "50*step(t - 0.4)"),
    "load that switches": (fx.LinearLaw(k=9.0), "-3*sign(B.x - 0.05) - 1.5*max(B.x', 0.1)"),
}


@pytest.mark.parametrize("name", FORMULAS)
def test_formulas(name: str) -> None:
    of, by = ["final(B.x)", "final(B.x')", "rms(B.x)"], ["elements.m.mass", "start.B.x", "start.B.x'"]
    compare(Case(lambda: oscillator(*FORMULAS[name]), of, by, 1.0, samples=11, step=4e-3), 1e-6)


def swung_arm() -> fx.Model:
    """A soft arm whose drive begins and ends at once, at times that are formulas."""
    return fx.Model(
        nodes={"O": (0, 0), "A": (1, 0)},
        elements={"arm": Beam("O", "A", fx.Section(EA=1e4, EI=10.0, rhoA=1.0), parts=2), "tip": Mass("A", 0.5)},
        fixed=["O"],
        inputs={"arm.p.phi": "0.3*min(max(t - 0.1, 0), 0.2)"},
        gravity=(0, -1.0),
    )


def test_drives_whose_rates_jump() -> None:
    of, by = (
        ["final(A.x)", "final(A.y')"],
        ["elements.tip.mass", "elements.arm.section.EI", "elements.arm.section.rhoA"],
    )
    compare(Case(swung_arm, of, by, 0.4, samples=9, step=4e-3), 1e-6)


def test_derivatives_rest_with_the_motion() -> None:
    """A robot arm at rest takes long steps, in which the least noise of derivatives would grow without bounds."""
    arm = model("robot_arm")
    found = fx.gradient(arm, "final(A.x)", "elements.arm.section.EI", until=0.9, samples=3)
    assert found.derivatives[0, 0] == 0.0


def test_derivatives_of_a_machine_at_rest() -> None:
    """Small vibrations of a mass that rests on a spring: δx = δx₀ cos ωt, in steps beyond the limit of stability."""
    resting = oscillator(fx.LinearLaw(k=4e6)).replace(start={"B.x": 0.0})
    for way in ("forward", "adjoint"):
        found = fx.gradient(resting, "final(B.x)", "start.B.x", until=0.1, samples=3, way=way)
        assert found.derivatives[0, 0] == pytest.approx(np.cos(2000.0 * 0.1), abs=1e-4)


def test_touches_in_a_sensitive_motion() -> None:
    """Derivatives that have grown move a pin through the whole of its clearance in steps that suit its machine."""
    of, by = ["final(C.x)"], ["elements.pin.contact.radii.0", "elements.pin.clearance"]
    compare(Case(lambda: model("ravn_hertz"), of, by, 0.0025, samples=2, step=1e-4), 1e-6)


def test_impacts_in_a_clearance_of_micrometres() -> None:
    """In steps that suit the machine the pin passes through its whole clearance, where there may be no impact.

    Four impacts; the errors of the motion itself grow with each further one.
    """
    crank = slider_crank_with(fx.Restitution(0.9))
    small = crank.replace(
        elements={**crank.elements, "pin": Clearance("B", "C", clearance=5e-6, contact=fx.Restitution(0.9))}
    )
    of, by = ["final(C.x')"], ["elements.pin.clearance", "elements.pin.contact.e"]
    compare(Case(lambda: small, of, by, 9e-4, samples=3, step=1e-4), 1e-6)
