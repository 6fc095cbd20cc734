"""Flexura: the dynamics of flexible multibody systems.

The public names are in :mod:`flexura.public`, and are fetched when the first is used: the command line should answer
before a compiler is loaded.
"""

from typing import TYPE_CHECKING

from flexura.version import __version__ as __version__

if TYPE_CHECKING:
    from flexura.public import *  # noqa: F403 - all of them, as at run time
else:
    MOVED = {"Spring": "the element is flexura.planar.Spring or flexura.spatial.Spring, the law of a strain LinearLaw"}

    def __getattr__(name):
        if name != "__all__" and name.startswith("__"):
            raise AttributeError(name)
        from importlib import import_module

        if name in MOVED:
            raise AttributeError(f"flexura has no '{name}': {MOVED[name]}")
        public = import_module("flexura.public")
        if name != "__all__" and name not in public.__all__:
            from flexura.elements.element import catalogue
            from flexura.errors import did_you_mean

            spaces = [space for space in ("planar", "spatial") if name in catalogue(space)]
            if spaces:
                remedy = " or ".join(f"from flexura.{space} import {name}" for space in spaces)
                raise AttributeError(f"flexura has no '{name}', which is an element; write {remedy}")
            raise AttributeError(f"flexura has no '{name}'; {did_you_mean(name, public.__all__)}")
        return getattr(public, name)

    def __dir__():
        from importlib import import_module

        return sorted([*import_module("flexura.public").__all__, "__version__"])
