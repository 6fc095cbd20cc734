"""Types as editors and type checkers see them: signatures, completion, and complaints about wrong arguments."""

import dataclasses
import inspect
import textwrap
from importlib.resources import files
from pathlib import Path

import pytest
from mypy import api

import flexura as fx
from flexura.elements.element import catalogue

ELEMENTS = [cls for space in ("planar", "spatial") for cls in catalogue(space).values()]
PUBLIC = [value for name in dir(fx) if inspect.isclass(value := getattr(fx, name)) and dataclasses.is_dataclass(value)]


@pytest.mark.parametrize("cls", [*ELEMENTS, *PUBLIC], ids=lambda cls: f"{cls.__module__.split('.')[-2]}.{cls.__name__}")
def test_a_signature_shows_the_fields(cls):
    fields = [field.name for field in dataclasses.fields(cls) if field.init]
    assert list(inspect.signature(cls).parameters) == fields


def test_the_package_is_marked_as_typed_and_the_mark_travels_with_it():
    assert files("flexura").joinpath("py.typed").is_file()
    project = Path(__file__).parents[2].joinpath("pyproject.toml").read_text(encoding="utf-8")
    assert 'packages = ["src/flexura"]' in project


def test_completion_lists_the_public_names():
    from flexura import public

    assert set(dir(fx)) == {*public.__all__, "__version__"}


RIGHT = """
import flexura as fx
from flexura.planar import Beam, Mass

model = fx.Model(
    nodes={"O": (0, 0), "A": (1.0, 0)},
    elements={"rod": Beam("O", "A", fx.Section(EI=1.0), parts=4), "tip": Mass("A", 0.5)},
    fixed=["O"],
    inputs={"rod.p.phi": "sin(t)"},
    loads={"A.y": -9.81, "A.x": fx.Sine(amplitude=1.0, frequency=2.0)},
    laws={"rod.1.elongation": "2*e"},
)
motion = fx.simulate(model, until=1.0)
value: float = motion["A.x"][0]
"""

WRONG = {
    "fx.Model(node={}, elements={})": 'Unexpected keyword argument "node" for "Model"',
    'Beam("O", "A", sectoin=fx.Section())': 'Unexpected keyword argument "sectoin" for "Beam"',
    'Beam("O", "A", 3.0)': 'Argument 3 to "Beam" has incompatible type "float"',
    "fx.simulate(model, untli=1.0)": 'Unexpected keyword argument "untli" for "simulate"',
    "fx.simlate(model)": 'Module has no attribute "simlate"',
    "fx.Hertz(stiffness=1.0)": 'Unexpected keyword argument "stiffness" for "Hertz"',
    "model.elments": '"Model" has no attribute "elments"',
}


@pytest.mark.slow
def test_a_type_checker_finds_wrong_names_and_takes_right_ones(tmp_path, monkeypatch):
    monkeypatch.setenv("MYPYPATH", str(Path(fx.__file__).parents[1]))
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(RIGHT) + "\n".join(WRONG) + "\n", encoding="utf-8")
    said, _, _ = api.run([str(script), "--ignore-missing-imports", "--follow-imports=silent"])
    first = len(RIGHT.splitlines()) + 1
    for number, complaint in enumerate(WRONG.values(), start=first):
        assert f"script.py:{number}: error: {complaint}" in said
    lines = {int(line.split(":")[1]) for line in said.splitlines() if "error:" in line and "script.py" in line}
    assert lines == set(range(first, first + len(WRONG)))


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_all_elements_of_a_space_are_imported_at_once(space):
    found: dict[str, object] = {}
    exec(f"from flexura.{space} import *", found)
    assert catalogue(space).items() <= found.items()
