"""The documentation site as it was built: output on every guide, and no formula that is cut off in a browser."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from manual.pages import ROOT
from unit.plotting.test_results_page import browser, clock, opened  # noqa: F401 - a fixture

sys.path.insert(0, str(ROOT / "docs" / "_ext"))

from execution import executed_pages, folder_of
from mathml import pieces

DOCS, SITE = ROOT / "docs", ROOT / "docs" / "_build" / "html"
WITHOUT_CODE = {"index"}

WIDE = """() => [...document.querySelectorAll("div.math")].filter((box) => box.scrollWidth > box.clientWidth + 1)
    .map((box) => box.textContent.trim().slice(0, 60))"""
BEYOND = """() => [...document.querySelectorAll("article math")].filter((formula) => !formula.closest("table")
    && formula.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
    .map((formula) => formula.textContent.slice(0, 60))"""


def test_every_guide_has_code_that_the_build_runs() -> None:
    guides = {page.stem for page in (DOCS / "guides").glob("*.md")} - WITHOUT_CODE
    assert guides <= {page.stem for page in executed_pages(DOCS)}


def test_equations_side_by_side_are_formulas_of_their_own() -> None:
    assert pieces(r"a = b, \quad c = d \qquad e") == ["a = b, ", " c = d ", " e"]
    assert pieces(r"\left( a \quad b \right) \begin{cases} a & \quad b \end{cases} \text{a \quad b}") == [
        r"\left( a \quad b \right) \begin{cases} a & \quad b \end{cases} \text{a \quad b}"
    ]


def built(*parts: str) -> Path:
    path = SITE.joinpath(*parts)
    if not path.exists():
        pytest.skip("the documents are not built: make docs")
    return path


@pytest.mark.slow
def test_every_guide_shows_output_and_figures() -> None:
    built()
    for page in executed_pages(DOCS):
        if page.parent.name == "guides":
            record = json.loads((folder_of(page, DOCS) / "record.json").read_text(encoding="utf-8"))
            assert any(block["printed"].strip() for block in record), page.name
            assert any(block["pictures"] for block in record), page.name


@pytest.mark.slow
def test_the_gallery_embeds_players_that_play_scrub_jump_and_plot(browser: Any) -> None:  # noqa: F811 - the fixture
    players = sorted(built("gallery", "generated").glob("*/player.html"))
    assert len(players) >= 37
    for player in players:
        shown = player.parent.with_suffix(".html").read_text(encoding="utf-8")
        assert f'src="{player.parent.name}/player.html"' in shown
        page, complaints = opened(browser, player)
        page.locator("#play").click()
        page.wait_for_function("Number(document.querySelector('#clock b').textContent) > 0")
        page.locator("#play").click()
        page.locator("#scrubber").evaluate("(bar) => { bar.value = 0.5; bar.dispatchEvent(new Event('input')); }")
        middle = clock(page)
        page.keyboard.press("End")
        page.wait_for_timeout(50)
        last = clock(page)
        assert last > middle, player.parent.name
        page.get_by_role("tab", name="Events").click()
        if page.locator(".event").count():
            page.locator(".event").first.click()
            page.wait_for_timeout(50)
            time = float(page.locator(".event b").first.inner_text().split()[0].replace("−", "-"))
            assert abs(clock(page) - time) <= 0.01 * last, player.parent.name
        page.get_by_role("tab", name="Signals").click()
        heights = []
        for _ in range(2):
            page.locator("#sheet-Signals label:has(input:not(:checked)):visible").first.click()
            page.wait_for_timeout(50)
            heights.append(page.locator("#strip").bounding_box()["height"])
        assert heights[1] > heights[0], player.parent.name
        assert complaints == [], player.parent.name
        page.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("width", [1400, 390])
def test_no_formula_is_cut_off(browser: Any, width: int) -> None:  # noqa: F811 - the fixture
    pages = [path for path in sorted(built().rglob("*.html")) if "<math" in path.read_text(encoding="utf-8")]
    assert len(pages) > 40
    page = browser.new_context(viewport={"width": width, "height": 900}, offline=True).new_page()
    found = []
    for path in pages:
        page.goto(path.as_uri(), wait_until="load")
        cut = [*page.evaluate(WIDE), *page.evaluate(BEYOND)]
        found += [f"{path.relative_to(SITE)}: {text}" for text in cut]
        if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth + 1"):
            found.append(f"{path.relative_to(SITE)}: the page is wider than the window")
    assert found == []
