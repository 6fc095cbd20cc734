"""FMI: linear systems and controllers as FMUs, and FMUs as controllers."""

from flexura.formats.fmi.export import to_fmu
from flexura.formats.fmi.fmu_controllers import controller_from_fmu

__all__ = ["controller_from_fmu", "to_fmu"]
