"""Ctrl-C ends a run with what has been reached; what is no method does not start one."""

import numpy as np
import pytest

import flexura as fx
from flexura.analyses.motion import simulate as simulating
from flexura.planar import Beam, Mass

PENDULUM = fx.Model(
    nodes={"O": (0, 0), "A": (1, 0)},
    elements={"rod": Beam("O", "A", fx.Section(rhoA=1.0), rigid=True)},
    fixed=["O"],
    gravity=(0, -9.81),
)


class Impatient:
    """A progress bar that presses Ctrl-C at its second report."""

    def __init__(self, until: float, shown: bool | None) -> None:
        self.reports = 0

    def __enter__(self) -> "Impatient":
        return self

    def __exit__(self, *what: object) -> None:
        return None

    def reach(self, now: float) -> None:
        self.reports += 1
        if self.reports == 2:
            raise KeyboardInterrupt


def test_interrupted_run_keeps_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    method = fx.RungeKutta4(step=1e-3)
    whole = fx.simulate(PENDULUM, 10.0, samples=101, method=method)
    monkeypatch.setattr(simulating, "Progress", Impatient)
    part = fx.simulate(PENDULUM, 10.0, samples=101, method=method)
    assert part.outcome is fx.Outcome.INTERRUPTED
    assert 0.0 < part.t[-1] < 5.0
    same = np.isin(part.t, whole.t)
    assert same.sum() >= len(part.t) - 1
    np.testing.assert_array_equal(part["A.y"][same], whole["A.y"][: same.sum()])


def test_what_is_no_method_is_refused() -> None:
    with pytest.raises(fx.ModelError, match="'rk4' is not a method of integration; give one such as"):
        fx.simulate(PENDULUM, 1.0, method="rk4")


def test_event_watches_a_force() -> None:
    """A pendulum let go at the side: the force looked up at the time of the event is the one asked for."""
    caught = fx.Event("rod.elongation.force", value=-9.81 * 0.75)
    for method in (fx.DormandPrince(tolerance=1e-10), fx.Adams(tolerance=1e-10), fx.KennedyCarpenter(tolerance=1e-11)):
        motion = fx.simulate(PENDULUM, 0.5, samples=11, method=method, events=[caught])
        assert len(motion.events) == 1
        again = fx.simulate(PENDULUM, times=[0.0, motion.events[0].time], method=method)
        assert again.force("rod.elongation")[-1] == pytest.approx(-9.81 * 0.75, abs=1e-7)


def test_event_refuses_a_force_that_it_cannot_watch() -> None:
    with pytest.raises(fx.ModelError, match="the force on a strain or slip"):
        fx.simulate(PENDULUM, 1.0, events=[fx.Event("O.x.force")])


@pytest.mark.parametrize("angle", [1.6, -2.0, 3.0, 40.0])
def test_no_link_is_reversed_where_an_input_begins_far_from_the_drawing(angle):
    model = fx.Model(
        nodes={"O": (0, 0), "A": (0.05, 0), "B": (0.17, 0)},
        elements={
            "crank": Beam("O", "A", fx.Section(rhoA=1.0), rigid=True),
            "rod": Beam("A", "B", fx.Section(rhoA=1.0), rigid=True),
            "slider": Mass("B", 0.1),
        },
        fixed=["O", "B.y"],
        inputs={"crank.p.phi": fx.Ramp(rate=10.0, value=angle)},
    )
    motion = fx.simulate(model, 0.01, samples=2)
    x, y = 0.05 * np.cos(angle), 0.05 * np.sin(angle)
    assert (motion["A.x"][0], motion["A.y"][0]) == pytest.approx((x, y), abs=1e-12)
    assert motion["B.x"][0] == pytest.approx(x + np.sqrt(0.12**2 - y**2), abs=1e-12)


def test_times_and_until_do_not_contradict_each_other():
    alone = fx.simulate(PENDULUM, times=[0.0, 0.25, 0.5])
    assert fx.simulate(PENDULUM, 0.5, times=[0.0, 0.25, 0.5]) == alone
    said = r"until: the last output time is 1 s by until, and 0\.5 s by times; give times alone, or let them agree"
    with pytest.raises(fx.ModelError, match=said):
        fx.simulate(PENDULUM, 1.0, times=[0.0, 0.25, 0.5])
    with pytest.raises(fx.ModelError, match="samples: samples and times are both given; give one of them"):
        fx.simulate(PENDULUM, times=[0.0, 0.5], samples=11)
    with pytest.raises(fx.ModelError, match="until: the last output time is not given; give until"):
        fx.simulate(PENDULUM)
    with pytest.raises(fx.ModelError, match="until: the last output time must be positive, got 0"):
        fx.simulate(PENDULUM, 0.0)
