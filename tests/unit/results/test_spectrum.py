"""Spectra: the amplitudes of sines, between the frequencies listed too."""

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Mass
from flexura.results.spectrum import measured


def spectrum(values, t, window="hann"):
    return measured(t, values, "B.x", "m", "Sine", window)


@pytest.mark.parametrize("window", ["hann", "none"])
def test_a_sine_of_whole_periods_has_its_amplitude_and_nothing_else(window):
    t = np.linspace(0.0, 10.0, 1001)
    omega = 2.0 * np.pi * 3.0
    found = spectrum(0.3 + 0.7 * np.sin(omega * t + 0.4), t, window)
    assert found.resolution == pytest.approx(2.0 * np.pi / 10.0, rel=1e-14)
    assert found.frequency[30] == pytest.approx(omega, rel=1e-14)
    assert found.amplitude[[0, 30]] == pytest.approx([0.3, 0.7], rel=1e-12)
    # the window spreads a sine over its neighbours, by half, and no farther
    beside = [29, 31]
    assert found.amplitude[beside] == pytest.approx(0.35 if window == "hann" else 0.0, abs=1e-12)
    rest = np.delete(found.amplitude, [0, 29, 30, 31])
    assert rest == pytest.approx(0.0, abs=1e-12)
    assert len(found.frequency) == 501


def test_the_energy_is_that_of_the_signal():
    """Parseval, without a window: the mean square is that of the mean, and half of those of the amplitudes."""
    random = np.random.default_rng(3)
    for count in (200, 201):
        values = random.standard_normal(count + 1)
        a = spectrum(values, np.linspace(0.0, 2.0, count + 1), "none").amplitude
        squares = 0.5 * a**2
        squares[0] *= 2.0
        # the highest frequency of an even number of samples is real
        squares[-1] *= 2.0 if count % 2 == 0 else 1.0
        assert squares.sum() == pytest.approx(np.mean(values[:-1] ** 2), rel=1e-12)


@pytest.mark.parametrize("shift", [0.0, 0.17, 0.5, 0.83])
def test_peaks_between_the_frequencies(shift):
    """Two sines, wherever they lie: frequencies and amplitudes come out, as far as the sines do not disturb each other.

    What one leaves at the other under a window of Hann falls with the cube of their distance, here sixty: some 1e-6.
    """
    t = np.linspace(0.0, 20.0, 4001)
    low, high = 2.0 * np.pi * (60.0 + shift) / 20.0, 2.0 * np.pi * (180.0 + 0.3 * shift) / 20.0
    found = spectrum(2.0 + 0.5 * np.cos(low * t) + 0.2 * np.sin(high * t), t)
    (first, large), (second, small) = found.peaks(2)
    assert [first, second] == pytest.approx([low, high], rel=1e-6)
    assert [large, small] == pytest.approx([0.5, 0.2], rel=2e-5)


def test_a_vibration_of_a_model():
    """Free and forced: two sines, of which the closed form has amplitudes and frequencies."""
    forced, free = 2.0, np.sqrt(3.0)
    model = fx.Model(
        nodes={"B": (0, 0)},
        elements={"mass": Mass("B", 1.0)},
        fixed=["B.y"],
        loads={"B.x": f"cos({forced}*t) - {free**2}*B.x"},
    )
    motion = fx.simulate(model, until=2000.0, samples=8001, method=fx.DormandPrince(tolerance=1e-10))
    peaks = sorted(motion.spectrum("B.x", after=100.0).peaks(2))
    assert [peak[0] for peak in peaks] == pytest.approx([free, forced], rel=1e-6)
    assert [peak[1] for peak in peaks] == pytest.approx([1.0, 1.0], rel=1e-3)
    (ax,) = motion.plot_spectrum("B.x", highest=5.0).axes
    assert ax.get_xlabel() == "angular frequency [rad/s]"
    assert ax.get_yscale() == "log"
    assert ax.get_xlim()[1] <= 5.0


def test_what_a_spectrum_needs():
    t = np.array([0.0, *np.linspace(1.0, 2.0, 20)])
    with pytest.raises(fx.ModelError, match="the times are not equally spaced; simulate with samples="):
        spectrum(t, t)
    with pytest.raises(fx.ModelError, match="3 samples are too few"):
        spectrum(t[:3], t[:3])
    with pytest.raises(fx.ModelError, match="there is no window 'round'; choose 'hann' or 'none'"):
        spectrum(t[1:], t[1:], "round")
