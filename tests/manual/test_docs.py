"""What the documents say is so: their code runs, their files load, their names exist, their sources are listed."""

from __future__ import annotations

import inspect
import re
import runpy
import sys
from pathlib import Path

import pytest

import flexura as fx
from flexura.analyses import declaration
from flexura.cli.app import app
from flexura.elements import element
from flexura.model.annotations import fields
from flexura.model.files import loads
from flexura.model.names import Names
from flexura.results import result
from manual.pages import PAGES, ROOT, blocks, name, script

sys.path.insert(0, str(ROOT / "docs" / "_ext"))

# guides are run by the build of the documents, which shows their output
with_python = [page for page in PAGES if blocks(page, "python") and page.parent.name not in ("guides", "start")]
with_toml = [page for page in PAGES if any("[nodes]" in block for block in blocks(page, "toml"))]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """In an empty folder; the elements, analyses and results that a page defines are gone after it."""
    monkeypatch.chdir(tmp_path)
    for registry in (element, declaration, result):
        monkeypatch.setattr(registry, "_registry", dict(registry._registry))


@pytest.mark.parametrize("page", with_python, ids=name)
def test_the_python_of_a_page_runs_from_top_to_bottom(page, tmp_path):
    path = tmp_path / "page.py"
    path.write_text(script(page), encoding="utf-8")
    runpy.run_path(str(path))


@pytest.mark.parametrize("page", with_toml, ids=name)
def test_the_models_of_a_page_load(page):
    for block in blocks(page, "toml"):
        if "[nodes]" in block:
            loads(block)


def test_the_first_mechanism_is_the_same_from_a_file():
    (file,) = blocks(ROOT / "docs/start/from_file.md", "toml")
    first = Path("first.py")
    first.write_text(blocks(ROOT / "docs/start/first_mechanism.md", "python")[0], encoding="utf-8")
    assert loads(file).model == runpy.run_path(str(first))["model"]


def test_the_commands_of_the_pages_exist():
    known = {command.callback.__name__ for command in app.registered_commands}
    told = {
        word
        for page in PAGES
        for block in [*blocks(page, "console"), *blocks(page, "bash")]
        for word in re.findall(r"^\$ flexura (\w+)", block, re.MULTILINE)
    }
    assert told <= known


def test_links_between_pages_lead_somewhere():
    for page in PAGES:
        text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
            assert (page.parent / target).exists(), f"{name(page)}: {target}"


# ── the reference ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_public_names_are_few_and_documented():
    assert len(fx.__all__) <= 150
    for public in fx.__all__:
        said = inspect.getdoc(getattr(fx, public)) or ""
        assert said, public
        assert not said.startswith(f"{public}("), f"{public} has only what a dataclass says of itself"


def test_the_reference_has_every_public_name():
    from public_names import reference

    text = "".join(reference().values())
    for public in fx.__all__:
        if not inspect.ismodule(getattr(fx, public)):
            assert f":: flexura.{public}\n" in text


def test_the_reference_has_what_analyses_return():
    from public_names import reference

    for noun in ("linear_system.LinearSystem", "periodic_motion.PeriodicMotion", "cycle.Cycle", "branch.Branch"):
        assert f":: flexura.results.{noun}\n" in reference()["results"]


def test_every_element_of_either_space_has_a_page():
    from catalogue import elements

    pages, contents = elements()
    every = [cls for space in ("planar", "spatial") for cls in element.catalogue(space).values()]
    assert len(pages) == len(every)
    for cls in every:
        word = cls.__name__.lower()
        page = pages[f"{cls.space}_{word}"]
        assert page.startswith(f"{cls.__name__} in {'the plane' if cls.space == 'planar' else 'space'}\n===")
        assert all(f"``{field}``" in page for field in fields(cls))
        strains = inspect.getattr_static(cls, "strains")
        assert isinstance(strains, property) or all(f"``{word}.{strain}``" in page for strain in strains)
        assert f"<generated/{cls.space}_{word}>`" in contents
    # what serves the program alone is in no catalogue
    assert "unitlength" not in contents.lower()


def test_the_modules_of_elements_hold_the_catalogue():
    for space, module in (("planar", fx.planar), ("spatial", fx.spatial)):
        assert {name: getattr(module, name) for name in dir(module)} == element.catalogue(space)


# ── the sources ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_citation_is_in_the_list_of_sources():
    from cited import CITATION, citations

    known = set(re.findall(r"^@\w+\{(\w+),", (ROOT / "docs/references.bib").read_text(encoding="utf-8"), re.MULTILINE))
    told = {(cited.key, cited.path) for folder in ("src", "tests", "examples") for cited in citations(ROOT / folder)}
    told |= {(match[1], name(page)) for page in PAGES for match in CITATION.finditer(page.read_text(encoding="utf-8"))}
    assert not {(key, where) for key, where in told if key not in known} - {("Key", "CONTRIBUTING.md")}


def test_the_ledger_names_the_function_that_cites(tmp_path):
    from cited import Cited, citations

    Path("parts").mkdir()
    text = '"""Of [Schwab2002, section A.2]."""\nclass A:\n    def f(self):\n        """[Schwab2002\n        (A.9)]"""'
    Path("parts/a.py").write_text(text, encoding="utf-8")
    found = [Cited("Schwab2002", "(A.9)", "A.f", "a.py"), Cited("Schwab2002", "section A.2", "", "a.py")]
    assert citations(Path("parts")) == found


def test_every_element_has_a_minimal_example_that_works() -> None:
    # a superelement needs a file, and has a guide
    from element_examples import EXAMPLES

    for space in ("planar", "spatial"):
        known = {kind for kind, cls in element.catalogue(space).items() if cls.__module__.startswith("flexura.")}
        for kind in sorted(known - {"Superelement"}):
            assert type(EXAMPLES[f"{space}_{kind.lower()}"].element(space)).__name__ == kind


@pytest.mark.parametrize(("example", "strain"), [("planar_truss", "elongation"), ("planar_beam", "bending_p")])
def test_sketches_show_displacements_that_make_strains_positive(example: str, strain: str) -> None:
    from element_examples import EXAMPLES
    from sketches import displacements

    found = EXAMPLES[example]
    names = Names(fx.Model(dict(zip("AB", found.places, strict=True)), {"e": found.element("planar")}))
    shift = {str(address): change for address, change in dict(displacements(names))[strain].items()}
    assert shift["A.x"] == shift["A.y"] == 0.0
    # elongation moves q away; bending at p, ε = -n·l, moves q down
    assert (shift["B.x"] > 0.1) if strain == "elongation" else (shift["B.y"] < -0.1)
