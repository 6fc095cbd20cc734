"""Robots: rigid trees of URDF and MJCF files as spatial models."""

from flexura.formats.robots.mjcf import load_mjcf, read_mjcf
from flexura.formats.robots.urdf import load_urdf, read_urdf

__all__ = ["load_mjcf", "load_urdf", "read_mjcf", "read_urdf"]
