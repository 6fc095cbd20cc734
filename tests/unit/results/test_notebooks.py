"""Notebooks: completion of names, signatures, and displays of models, results and figures."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import flexura as fx
from flexura.planar import Beam

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.fixture(scope="module")
def motion():
    model = fx.Model(
        title="Pendulum",
        nodes={"O": (0, 0), "A": (1, 0)},
        elements={"arm": Beam("O", "A", fx.Section(EA=1e6, EI=1e3, rhoA=1.0), rigid=True)},
        fixed=["O"],
        gravity=(0, -9.81),
    )
    return fx.simulate(model, until=0.1, samples=11)


@pytest.fixture(scope="module")
def shell():
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell()
    # a static analysis would list what a module imports, too
    shell.Completer.use_jedi = False
    yield shell
    shell.history_manager.end_session()
    InteractiveShell.clear_instance()


def completions(shell, text: str) -> set[str]:
    """What the completer would make of a line."""
    from IPython.core.completer import provisionalcompleter

    with provisionalcompleter():
        found = list(shell.Completer.completions(text, len(text)))
    return {text[: each.start] + each.text for each in found}


def test_signals_are_completed(shell, motion):
    shell.user_ns["motion"] = motion
    keys = (word.removeprefix("motion[").removesuffix("]") for word in completions(shell, 'motion["A.'))
    # the quotation mark may still be open
    every = {ast.literal_eval(key if key.endswith('"') else f'{key}"') for key in keys}
    assert {"A.x", "A.y", "A.x'", "A.x''", "A.x.force"} <= every
    assert all(motion[name].shape == motion.t.shape for name in every)


def test_values_of_a_state_and_sections_are_completed(shell, motion):
    shell.user_ns.update(state=motion.end, section=motion.section("arm"))
    assert any("arm.elongation" in word for word in completions(shell, 'state["arm.'))
    assert any("N" in word for word in completions(shell, 'section["'))


def test_public_names_are_completed_and_no_others(shell):
    shell.user_ns.update(fx=fx, planar=fx.planar)
    names = {word.rpartition(".")[2] for word in completions(shell, "fx.")}
    assert names == set(fx.__all__)
    assert "Beam" in {word.rpartition(".")[2] for word in completions(shell, "planar.B")}


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("simulate", ("model", "until", "samples", "method", "start")),
        ("Model", ("nodes", "elements", "fixed", "inputs", "loads", "gravity")),
        ("planar.Beam", ("p", "q", "section", "material", "rigid", "parts")),
        ("Ramp", ("rate",)),
    ],
)
def test_signatures_name_the_arguments(shell, name, arguments):
    shell.user_ns["fx"] = fx
    told = shell.object_inspect(f"fx.{name}")
    signature = told["definition"] or told["init_definition"]
    assert all(f"{argument}:" in signature or f"{argument}=" in signature for argument in arguments), signature
    assert told["docstring"] or told["class_docstring"]


def test_displays_are_a_drawing_a_table_and_a_picture(shell, motion):
    show = shell.display_formatter.format
    assert show(motion.model)[0]["image/svg+xml"].rstrip().endswith("</svg>")
    table = show(motion)[0]["text/html"]
    assert ">A.y<" in table
    assert "evaluations" in table
    assert "predicted" not in table
    assert show(motion.plot("A.y"))[0]["image/png"]
    assert ">A.y<" in show(motion.end)[0]["text/html"]


def test_a_figure_opens_in_the_browser(motion, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    motion.plot("A.y").show()
    path = Path(opened[0].removeprefix("file://"))
    assert path.read_bytes().startswith(b"\x89PNG")
    path.unlink()


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.ipynb")), ids=lambda path: path.stem)
@pytest.mark.filterwarnings("ignore")
def test_the_notebooks_run_and_show_pictures_and_tables(path, tmp_path):
    import nbclient
    import nbformat

    notebook = nbformat.read(path, 4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "clear the outputs before committing"
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [set(output["data"]) for cell in notebook.cells for output in cell.get("outputs", ()) if "data" in output]
    assert any("image/svg+xml" in forms for forms in shown)
    assert any("text/html" in forms for forms in shown)
    assert sum("image/png" in forms for forms in shown) >= 2
