"""The results page: it holds all signals, events and the model, and works in a browser by mouse and by keyboard."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Mass, PointContact
from flexura.results.motion import Motion
from flexura.spatial import Truss
from unit.plotting.test_page import embedded, numbers

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def bouncing() -> Motion:
    """A ball that bounces."""
    model = fx.Model(
        title="Ball & <floor>",
        nodes={"G": (0, 0), "B": (0, 1)},
        elements={"ball": Mass("B", 1.0), "floor": PointContact("G", "B", fx.Restitution(0.8))},
        fixed=["G", "B.x"],
        gravity=(0, -9.81),
    )
    return fx.simulate(model, until=2.0, samples=201)


def test_the_page_holds_signals_events_and_the_model(bouncing: Motion, tmp_path: Path) -> None:
    bouncing.write_page("B.y", path=tmp_path / "a.html")
    text = (tmp_path / "a.html").read_text("utf-8")
    data = embedded(text)
    assert [signal["name"] for signal in data["signals"]] == ["B.y"]
    others = {signal["name"]: signal for signal in data["panel"]["signals"]}
    assert {"B.y'", "B.y''", "floor.gap", "energy kinetic"} <= set(others)
    assert "B.x" not in others  # it is zero throughout
    np.testing.assert_allclose(numbers(others["B.y'"]["values"]), bouncing["B.y'"], rtol=1e-6, atol=1e-6)
    assert [event["time"] for event in data["panel"]["events"]] == [event.time for event in bouncing.events]
    assert 'type = "PointContact"' in data["panel"]["model"]
    assert "<floor>" not in text


def test_other_endings_are_refused(bouncing: Motion, tmp_path: Path) -> None:
    with pytest.raises(fx.ModelError, match=r"a results page is an HTML file; let it end in .html"):
        bouncing.write_page(path=tmp_path / "a.pdf")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A real browser."""
    if CHROMIUM is None:
        pytest.skip("there is no Chromium on this machine")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


def opened(browser: Any, path: Path, width: int = 1280, height: int = 800) -> tuple[Any, list[str]]:
    """The page in a browser without a network, and what it complains of."""
    context = browser.new_context(viewport={"width": width, "height": height}, offline=True)
    page, complaints = context.new_page(), []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(path.resolve().as_uri() + "#t=0")
    return page, complaints


def clock(page: Any) -> float:
    """Time that the page shows, s."""
    return float(page.locator("#clock b").inner_text())


def test_a_page_in_space_with_a_long_title_fits_a_phone(browser: Any, tmp_path: Path) -> None:
    """All buttons are inside 390 px, and the clock is below the title."""
    model = fx.Model(
        title="Pendulum in space with a title that takes more than one line of a phone",
        nodes={"O": (0, 0, 0), "A": (1, 0, 0)},
        elements={"rod": Truss("O", "A", fx.Section(EA=np.inf, rhoA=1.0))},
        fixed=["O"],
        gravity=(0, 0, -9.81),
    )
    fx.simulate(model, until=0.5, samples=21).write_page("A.z", path=tmp_path / "a.html")
    page, complaints = opened(browser, tmp_path / "a.html", 390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    title, clock = (page.locator(part).bounding_box() for part in ("h1", "#clock"))
    assert title["height"] > 25
    assert clock["y"] >= title["y"] + title["height"] - 1
    for button in page.locator("nav button:visible").all():
        box = button.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
    assert complaints == []


BLUE_IN_THE_MIDDLE = """() => {
    const canvas = document.getElementById("stage"), { width, height } = canvas, reach = Math.round(0.12 * width);
    const { data } = canvas.getContext("2d").getImageData(width / 2 - reach, height / 2 - reach, 2 * reach, 2 * reach);
    for (let k = 0; k < data.length; k += 4) if (data[k] < 60 && data[k + 1] < 150 && data[k + 2] > 140) return true;
    return false;
}"""
"""True if a link of the first colour is drawn near the middle of the stage."""


@pytest.mark.parametrize("width", [1280, 390])
def test_the_view_goes_along_with_a_machine_that_travels(browser: Any, tmp_path: Path, width: int) -> None:
    model = fx.Model(
        title="Bar that flies",
        nodes={"A": (0, 0, 0), "B": (1, 0, 0), "O": (0, 0, 0), "P": (0, 0, -1)},
        elements={
            "rod": Truss("A", "B", fx.Section(EA=np.inf, rhoA=1.0)),
            "post": Truss("O", "P", fx.Section(EA=np.inf, rhoA=1.0)),
        },
        fixed=["O", "P"],
        loads={"A.z": 0.1},
        start={f"{node}.{axis}'": 20.0 * (axis == "x") for node in "AB" for axis in "xyz"},
    )
    fx.simulate(model, until=1.0, samples=21).write_page("A.x", path=tmp_path / "a.html")
    page, complaints = opened(browser, tmp_path / "a.html", width)
    page.keyboard.press("End")
    page.wait_for_timeout(100)
    assert page.locator("#follow").get_attribute("aria-pressed") == "true"
    assert page.evaluate(BLUE_IN_THE_MIDDLE)
    page.keyboard.press("g")
    page.wait_for_function("document.getElementById('follow').getAttribute('aria-pressed') === 'false'")
    assert not page.evaluate(BLUE_IN_THE_MIDDLE)
    for button in page.locator("nav button:visible").all():
        box = button.bounding_box()
        assert box["x"] + box["width"] <= width
    assert [said for said in complaints if not said.startswith("Canvas2D")] == []  # the test reads pixels back


@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_plays_scrubs_jumps_and_plots(bouncing: Motion, browser: Any, tmp_path: Path, width: int) -> None:
    bouncing.write_page("B.y", path=tmp_path / "a.html")
    page, complaints = opened(browser, tmp_path / "a.html", width)
    page.locator("#play").click()
    page.wait_for_function("Number(document.querySelector('#clock b').textContent) > 0")
    page.locator("#play").click()
    page.locator("#scrubber").evaluate("(bar) => { bar.value = 0.5; bar.dispatchEvent(new Event('input')); }")
    page.wait_for_function("Math.abs(Number(document.querySelector('#clock b').textContent) - 1) < 0.01")
    page.get_by_role("tab", name="Events").click()
    page.locator(".event").nth(1).click()
    page.wait_for_timeout(100)
    assert abs(clock(page) - bouncing.events[1].time) < 0.01
    before = page.locator("#strip").bounding_box()["height"]
    page.get_by_role("tab", name="Signals").click()
    page.get_by_placeholder("find a signal").fill("gap")
    page.locator("label:visible").first.click()
    page.wait_for_timeout(100)
    assert page.locator("#strip").bounding_box()["height"] > 1.5 * before
    page.get_by_role("tab", name="Spectrum").click()
    assert page.locator("#sheet-Spectrum li").count() > 0
    assert complaints == []


def test_the_keyboard_suffices_and_nothing_serious_is_inaccessible(
    bouncing: Motion, browser: Any, tmp_path: Path
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    bouncing.write_page("B.y", path=tmp_path / "a.html")
    page, _ = opened(browser, tmp_path / "a.html")
    page.keyboard.press("End")
    page.wait_for_timeout(100)
    assert clock(page) == 2.0
    page.locator("#tab-Signals").focus()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_timeout(100)
    assert abs(clock(page) - bouncing.events[0].time) < 0.01
    found = axe.Axe().run(page).response["violations"]
    assert [each["id"] for each in found if each["impact"] in ("serious", "critical")] == []


def test_the_button_with_an_arrow_shows_and_hides_forces(bouncing: Motion, browser: Any, tmp_path: Path) -> None:
    resting = fx.simulate(bouncing.model.replace(elements={
        "ball": Mass("B", 1.0), "floor": PointContact("G", "B", fx.KelvinVoigt(1e4, 100.0)),
    }), until=3.0, samples=31)  # fmt: skip
    resting.write_page(path=tmp_path / "a.html")
    page, complaints = opened(browser, tmp_path / "a.html")
    page.keyboard.press("End")
    page.wait_for_function("document.querySelector('#clock b').textContent.startsWith('3.0')")
    hidden = page.locator("#stage").screenshot()
    page.locator("#forces").click()
    page.wait_for_function("document.getElementById('forces').getAttribute('aria-pressed') === 'true'")
    assert page.locator("#stage").screenshot() != hidden
    page.keyboard.press("a")
    page.wait_for_function("document.getElementById('forces').getAttribute('aria-pressed') === 'false'")
    assert page.locator("#stage").screenshot() == hidden
    assert complaints == []
