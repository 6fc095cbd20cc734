"""Passes of Numba's compiler for the functions of the package."""

from __future__ import annotations

from typing import Any

from numba.core.compiler import CompilerBase, DefaultPassBuilder

from flexura.derive.function_identity import identity_of


class Pipeline(CompilerBase):
    """Compiler of Numba, with names of functions that do not depend on earlier compilations of the process.

    Code in the cache calls other code in the cache by name.
    """

    def define_pipelines(self) -> list[Any]:
        """Define the passes of one compilation."""
        identity = identity_of(self.state.func_id.func)
        if identity:
            self.state.func_id.unique_id = identity
        return [DefaultPassBuilder.define_nopython_pipeline(self.state)]
