"""Elements that exist only while a test asks for them."""

import importlib.util
import sys
from pathlib import Path

import pytest

from flexura.elements import element


def load(path: Path):
    """What a user's file defines, loaded as any module is; its elements enter the catalogue."""
    spec = importlib.util.spec_from_file_location(f"user_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def visiting():
    """What a test adds to the catalogue leaves with it; call it with element classes to let them in."""
    kept = dict(element._registry)

    def admit(*classes):
        element._registry.update({(cls.space, cls.__name__): cls for cls in classes})

    yield admit
    element._registry.clear()
    element._registry.update(kept)


@pytest.fixture
def tendon(visiting):
    """The user's tendon."""
    return load(Path(__file__).with_name("tendon.py")).Tendon


@pytest.fixture
def rotor(visiting):
    """The user's rotor, in space."""
    return load(Path(__file__).with_name("rotor.py")).Rotor


@pytest.fixture
def skate(visiting):
    """The user's skate, which has a slip."""
    return load(Path(__file__).with_name("skate.py")).Skate


@pytest.fixture
def load_file(visiting):
    """Loads a user's file for the time of the test."""
    return load


@pytest.fixture
def rubber(visiting):
    """The user's rubber foot, an element with a law of its own."""
    return load(Path(__file__).with_name("rubber.py")).Rubber
