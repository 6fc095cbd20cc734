"""SPACAR: files of the dialects of Twente and Delft, and the arguments of SPACAR Light."""

from flexura.formats.spacar.light import spacar_light
from flexura.formats.spacar.reader import load_spacar, parse_spacar, read_spacar
from flexura.formats.spacar.writer import format_spacar, save_spacar

__all__ = ["format_spacar", "load_spacar", "parse_spacar", "read_spacar", "save_spacar", "spacar_light"]
