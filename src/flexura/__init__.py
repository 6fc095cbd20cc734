"""Flexura: the dynamics of flexible multibody systems.

The public names are in :mod:`flexura.public`, and each is fetched when it is first used: the command line should answer
before a compiler is loaded, and a model of a few elements should not wait for all analyses.
"""

from typing import TYPE_CHECKING

from flexura.version import __version__ as __version__

if TYPE_CHECKING:
    from flexura.public import *  # noqa: F403 - all of them, as at run time
else:
    FIGURES = "figures are methods of models and results, such as motion.plot('B.x')"
    MOVED = {
        "Spring": "the element is flexura.planar.Spring or flexura.spatial.Spring, the law of a strain LinearLaw",
        **dict.fromkeys(("plot", "animate", "show", "draw"), FIGURES),
    }

    def __getattr__(name):
        if name != "__all__" and name.startswith("__"):
            raise AttributeError(name)
        if name in MOVED:
            raise AttributeError(f"flexura has no '{name}'; {MOVED[name]}")
        from flexura.public_names import fetch, places

        if name == "__all__":
            return sorted(places())
        if name not in places():
            from flexura.elements.element import catalogue
            from flexura.errors import did_you_mean

            spaces = [space for space in ("planar", "spatial") if name in catalogue(space)]
            if spaces:
                remedy = " or ".join(f"from flexura.{space} import {name}" for space in spaces)
                raise AttributeError(f"flexura has no '{name}', which is an element; write {remedy}")
            raise AttributeError(f"flexura has no '{name}'; {did_you_mean(name, places())}")
        return fetch(name)

    def __dir__():
        from flexura.public_names import places

        return sorted([*places(), "__version__"])
