"""Figures that notebooks show by themselves, and that open in the browser from a script."""

from __future__ import annotations

import io
import os
import tempfile
import webbrowser
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@cache
def figure_class() -> type[Figure]:
    """Class of figures without a window; Matplotlib is imported when the first is made."""
    from matplotlib.figure import Figure

    class ShownFigure(Figure):
        """Figure without a window: a picture at the end of a notebook's cell, and in the browser with ``show()``."""

        def _repr_png_(self) -> bytes:
            """The picture, as notebooks ask for it."""
            picture = io.BytesIO()
            self.savefig(picture, format="png")
            return picture.getvalue()

        def show(self, warn: bool = True) -> None:
            """Write the picture to a temporary file and open it in the browser; ``warn`` is not used."""
            handle, path = tempfile.mkstemp(".png", "flexura_")
            os.close(handle)
            self.savefig(path)
            webbrowser.open(f"file://{path}")

    return ShownFigure
