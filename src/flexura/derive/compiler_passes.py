"""Passes of Numba's compiler that functions of the package go through."""

from __future__ import annotations

from typing import Any

from numba.core.compiler import CompilerBase, DefaultPassBuilder

from flexura.derive.function_identity import identity_of


class Pipeline(CompilerBase):
    """Numba's compiler, but the names of functions do not depend on what a process compiled before.

    Code in the cache calls other code in the cache by name.
    """

    def define_pipelines(self) -> list[Any]:
        """The passes of one compilation."""
        identity = identity_of(self.state.func_id.func)
        if identity:
            self.state.func_id.unique_id = identity
        return [DefaultPassBuilder.define_nopython_pipeline(self.state)]
