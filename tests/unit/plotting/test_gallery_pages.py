"""Results pages of all examples, in a browser without a network: they play, scrub, jump to events and plot."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

import flexura as fx
from references.gallery import EXAMPLES, model
from unit.plotting.test_results_page import browser, clock, opened  # noqa: F401 - a fixture among them

pytestmark = pytest.mark.slow

NAMES = sorted(path.stem for path in EXAMPLES.glob("*.py"))
LONGEST = 2.0
"""Seconds of motion; a page is the same for more."""


def motion_of(name: str) -> fx.Motion:
    """A short motion of an example, by its first run of that kind."""
    runs = tomllib.loads((EXAMPLES / f"{name}.toml").read_text(encoding="utf-8"))["runs"].values()
    until = next((run["until"] for run in runs if run["analysis"] in ("simulate", "kinematics")), 0.05)
    if any(run["analysis"] == "kinematics" for run in runs):
        return fx.kinematics(model(name), until=min(until, LONGEST), samples=61)
    try:
        return fx.simulate(model(name), until=min(until, LONGEST), samples=61)
    except fx.ModelError as error:
        if "without inertia" not in str(error):
            raise
        pytest.skip("the example is static: its parts have no mass")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("ignore")
def test_the_page_of_an_example_works(browser: Any, name: str, tmp_path: Path) -> None:  # noqa: F811 - the fixture
    motion = motion_of(name)
    first = next(signal for signal in motion.signals if motion[signal].any())
    motion.write_page(first, path=tmp_path / "page.html")
    page, complaints = opened(browser, tmp_path / "page.html")
    end = float(motion.t[-1])
    page.locator("#play").click()
    page.wait_for_function("Number(document.querySelector('#clock b').textContent) > 0")
    page.locator("#play").click()
    page.locator("#scrubber").evaluate("(bar) => { bar.value = 0.5; bar.dispatchEvent(new Event('input')); }")
    page.wait_for_function(
        f"Math.abs(Number(document.querySelector('#clock b').textContent) - {end / 2}) < {0.02 * end}"
    )
    if motion.events:
        page.get_by_role("tab", name="Events").click()
        page.locator(".event").first.click()
        page.wait_for_timeout(100)
        assert abs(clock(page) - motion.events[0].time) < 0.02 * end
    before = page.locator("#strip").bounding_box()["height"]
    page.get_by_role("tab", name="Signals").click()
    page.locator("input[type=checkbox]:not(:checked):visible").first.check()
    page.wait_for_timeout(100)
    assert page.locator("#strip").bounding_box()["height"] > before
    assert complaints == []
    page.screenshot(path=str(tmp_path / "page.png"))
