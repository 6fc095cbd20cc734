"""Files and tables of other programs. Each module registers what it writes; being there is enough."""

from importlib import import_module
from pkgutil import iter_modules

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
