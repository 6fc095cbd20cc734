"""Rotors: a shaft with discs on bearings, and the diagrams that designers of rotors draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

import numpy as np
from scipy.linalg import eig

from flexura.analyses.linear.campbell import campbell
from flexura.analyses.linear.linearise import linearise
from flexura.derive.records import Floats
from flexura.elements.element import Element
from flexura.elements.spatial.beam import Beam
from flexura.elements.spatial.bearing import Bearing
from flexura.elements.spatial.disc import Disc
from flexura.errors import ModelError
from flexura.laws.argument_checks import refuse_keywords
from flexura.laws.materials import Material
from flexura.laws.sections import AnySection, properties
from flexura.laws.shapes import Circle, Tube
from flexura.laws.signals import Ramp
from flexura.laws.units import Bounds, NonNegative, Positive, Unit
from flexura.laws.validation import number_list, validate
from flexura.model.model import Model
from flexura.results.campbell import Campbell
from flexura.results.critical_speed_map import CriticalSpeedMap
from flexura.results.unbalance import UnbalanceResponse


@dataclass(frozen=True)
class RotorBearing:
    """Bearing of a rotor at a station: stiffness and damping across the shaft, along y and z.

    Cross coupling, as of bearings with an oil film, is a force along one direction by a displacement or rate along the
    other: the force on the shaft along y is ``-k y - kyz z - c y' - cyz z'``.
    """

    k: Annotated[float, Unit("N/m", "stiffness along y; also along z unless kz is given"), NonNegative()]
    c: Annotated[float, Unit("N·s/m", "damping along y; also along z unless cz is given"), NonNegative()] = 0.0
    kz: Annotated[float | None, Unit("N/m", "stiffness along z"), NonNegative()] = None
    cz: Annotated[float | None, Unit("N·s/m", "damping along z"), NonNegative()] = None
    kyz: Annotated[float, Unit("N/m", "stiffness of cross coupling: force along -y by a displacement along z")] = 0.0
    kzy: Annotated[float, Unit("N/m", "stiffness of cross coupling: force along -z by a displacement along y")] = 0.0
    cyz: Annotated[float, Unit("N·s/m", "damping of cross coupling: force along -y by a rate along z")] = 0.0
    czy: Annotated[float, Unit("N·s/m", "damping of cross coupling: force along -z by a rate along y")] = 0.0

    def __post_init__(self) -> None:
        validate(self)

    def __str__(self) -> str:
        kz, cz = self.k if self.kz is None else self.kz, self.c if self.cz is None else self.cz
        crossed = f"; cross coupling k {self.kyz:g}, {self.kzy:g} N/m, c {self.cyz:g}, {self.czy:g} N·s/m"
        plain = f"k {self.k:g}, {kz:g} N/m along y, z; c {self.c:g}, {cz:g} N·s/m"
        return plain + (crossed if any((self.kyz, self.kzy, self.cyz, self.czy)) else "")

    def cross_coupling(self, node: str) -> dict[str, str]:
        """Loads on a node of the shaft by displacements and rates along the other direction."""
        pairs = ("y", "z", self.kyz, self.cyz), ("z", "y", self.kzy, self.czy)
        return {f"{node}.{a}": f"-({k!r})*{node}.{b} - ({c!r})*{node}.{b}'" for a, b, k, c in pairs if k or c}

    def scaled(self, stiffness: float) -> RotorBearing:
        """Bearing with another stiffness, in the same ratio of its directions, without cross coupling."""
        ratio = 1.0 if self.kz is None else self.kz / self.k
        return RotorBearing(stiffness, self.c, stiffness * ratio, self.cz)


SPEEDS = "a list of speeds in rad/s, such as fx.rpm(np.linspace(0, 6000, 31))"


@dataclass(frozen=True)
class RotorSystem:
    """Shaft along x with discs and bearings at its stations, which are numbered from 0.

    ``lengths`` are the pieces of the shaft between stations; ``sections`` are their cross-sections, one for all or one
    for each. The place of a disc is its station, and its own ``p`` is ignored: ``{2: Disc("", 0.28, 0.07, steel)}``.
    The shaft has shear flexibility (by Cowper's factor, for round sections), rotary inertia and gyroscopic effect; it
    is divided into ``parts`` beams between stations. Torsion is rigid unless asked for. Speeds are in rad/s:
    ``fx.rpm(3000)``.
    """

    lengths: Annotated[Sequence[float], Unit("m", "lengths of the pieces of the shaft"), Positive()]
    sections: Annotated[Any, Unit("", "cross-section of the shaft, or one for each piece")]
    material: Annotated[Material, Unit("", "material of the shaft")]
    discs: Annotated[Mapping[int, Disc], Unit("", "discs by station")] = field(default_factory=dict)
    bearings: Annotated[Mapping[int, RotorBearing], Unit("", "bearings by station")] = field(default_factory=dict)
    parts: Annotated[int, Unit("", "number of beams between stations"), Bounds(1, 1000)] = 2
    torsion: Annotated[bool, Unit("", "true if the shaft is flexible in torsion")] = False
    title: str = "Rotor"

    def __post_init__(self) -> None:
        number_list("RotorSystem.lengths", self.lengths, "a list of lengths in m, such as [0.2, 0.4, 0.2]")
        if not self.lengths or not all(length > 0.0 for length in self.lengths):
            raise ModelError("RotorSystem.lengths", "the shaft needs pieces of positive length", "give lengths in m")
        if len(self.bearings) < 1:
            raise ModelError(
                "RotorSystem.bearings", "the rotor has no bearing", "give bearings={0: fx.RotorBearing(1e6), …}"
            )
        for name, stations, kind in (("discs", self.discs, Disc), ("bearings", self.bearings, RotorBearing)):
            for station, part in stations.items():
                if not isinstance(part, kind):
                    number = isinstance(part, int | float) and kind is RotorBearing
                    remedy = f"write fx.RotorBearing(k={part!r})" if number else f"give a {kind.__name__}"
                    raise ModelError(f"RotorSystem.{name}", f"{part!r:.40} is no {kind.__name__}", remedy)
                self._check_station(f"RotorSystem.{name}", station)

    def _check_station(self, where: str, station: int) -> None:
        if not 0 <= station <= len(self.lengths):
            raise ModelError(where, f"there is no station {station}", f"stations are 0 to {len(self.lengths)}")

    def __str__(self) -> str:
        lines = [f"{self.title}: {len(self.lengths)} pieces of shaft, {sum(self.lengths):g} m, {self.mass:.4g} kg"]
        lines += [
            f"  station {i}: disc of {d.diameter:g} m, {disc_mass(d):.4g} kg" for i, d in sorted(self.discs.items())
        ]
        lines += [f"  station {i}: bearing, {b}" for i, b in sorted(self.bearings.items())]
        return "\n".join(lines)

    # -- the model ------------------------------------------------------------------------------------------------

    def _sections(self) -> list[AnySection]:
        given = self.sections
        found = list(given) if isinstance(given, list | tuple) else [given] * len(self.lengths)
        if len(found) != len(self.lengths):
            what = f"{len(found)} sections for {len(self.lengths)} pieces"
            raise ModelError("RotorSystem.sections", what, "give one section, or one for each piece")
        return found

    def _end(self, station: int) -> str:
        """End of the shaft at a station."""
        return f"shaft_{station}.p" if station < len(self.lengths) else f"shaft_{station - 1}.q"

    def model(self, speed: Annotated[float, Unit("rad/s")] = 0.0) -> Model:
        """Model of the rotor that turns at a speed, in rad/s."""
        places = np.concatenate([[0.0], np.cumsum(self.lengths)])
        nodes = {f"N{i}": (float(x), 0.0, 0.0) for i, x in enumerate(places)}
        elements: dict[str, Element] = {}
        for i, section in enumerate(self._sections()):
            shear, start = _shear_factor(section, self.material), f"shaft_{i - 1}.q" if i else "N0"
            elements[f"shaft_{i}"] = Beam(
                start, f"N{i + 1}", section, self.material, y_axis=(0, 1, 0), parts=self.parts, shear=shear
            )
        for i, disc in self.discs.items():
            elements[f"disc_{i}"] = replace(disc, p=self._end(i), y_axis=(0.0, 1.0, 0.0))
        for number, (i, b) in enumerate(sorted(self.bearings.items())):
            nodes[f"G{i}"] = nodes[f"N{i}"]
            held = np.inf if number == 0 else 0.0
            kz, cz = b.k if b.kz is None else b.kz, b.c if b.cz is None else b.cz
            elements[f"bearing_{i}"] = Bearing(
                f"G{i}", self._end(i), y_axis=(0, 1, 0), kx=held, ky=b.k, kz=kz, cy=b.c, cz=cz
            )
        first = min(self.bearings)
        fixed = [f"bearing_{i}.p" for i in sorted(self.bearings)]
        if not self.torsion:
            each = [""] if self.parts == 1 else [f".{k + 1}" for k in range(self.parts)]
            fixed += [f"shaft_{i}{part}.torsion" for i in range(len(self.lengths)) for part in each]
        loads = {signal: load for i, b in self.bearings.items() for signal, load in b.cross_coupling(f"N{i}").items()}
        inputs = {f"bearing_{first}.rotation": Ramp(rate=float(speed))}
        return Model(nodes, elements, fixed, inputs, loads, title=self.title)

    @property
    def _speed(self) -> str:
        """Path of the speed in the model."""
        return f"inputs.bearing_{min(self.bearings)}.rotation.rate"

    @property
    def mass(self) -> float:
        """Mass of the shaft and the discs, in kg."""
        per_length = [properties(section, self.material).rhoA for section in self._sections()]
        return float(np.dot(per_length, self.lengths) + sum(disc_mass(d) for d in self.discs.values()))

    # -- diagrams -------------------------------------------------------------------------------------------------

    def campbell(self, speeds: Sequence[float] | Floats, count: int = 6, orders: Sequence[float] = (1.0,)) -> Campbell:
        """Campbell diagram: frequencies of whirl over speeds, in rad/s, with critical speeds."""
        station = max(self.discs, default=len(self.lengths) // 2)
        plane = f"N{station}.y", f"N{station}.z"
        at = number_list("campbell.speeds", speeds, SPEEDS).tolist()
        found = campbell(self.model(), self._speed, at, plane=plane, count=count, orders=orders)
        return replace(found, parameter="speed")

    def critical_speeds(self, highest: float, count: int = 6) -> Floats:
        """Critical speeds up to a highest one, in rad/s: frequencies of whirl that are equal to the speed."""
        return self.campbell(np.linspace(0.0, highest, 21), count).critical()

    def unbalance_response(
        self, unbalance: Mapping[int, float | complex], speeds: Sequence[float] | Floats, stations: Sequence[int] = ()
    ) -> UnbalanceResponse:
        """Steady whirl by unbalances in kg·m, given by station (complex numbers have a phase), over speeds in rad/s.

        ``stations`` are those in the result; by default all with an unbalance, a disc or a bearing.
        """
        shown = tuple(stations) or tuple(sorted({*unbalance, *self.discs, *self.bearings}))
        at = number_list("unbalance_response.speeds", speeds, SPEEDS)
        for station in shown:
            self._check_station("unbalance_response", station)
        found = np.array([self._whirl(unbalance, float(speed), shown) for speed in at])
        return UnbalanceResponse(self.title, at, tuple(f"N{i}" for i in shown), found[:, :, 0], found[:, :, 1])

    def _whirl(self, unbalance: Mapping[int, float | complex], speed: float, shown: Sequence[int]) -> Any:
        """Complex amplitudes along y and z of stations, at one speed."""
        system = linearise(self.model(speed), in_space=True)
        found = np.zeros((len(shown), 2), dtype=complex)
        for station, amount in unbalance.items():
            # the force turns from y to z: F (cos Ωt, sin Ωt) is the real part of F (1, -i) exp iΩt
            for axis, share in (("y", 1.0), ("z", -1j)):
                for k, shown_station in enumerate(shown):
                    for j, direction in enumerate("yz"):
                        answer = system.frequency_response(
                            f"N{station}.{axis}", f"N{shown_station}.{direction}", [speed]
                        )
                        found[k, j] += amount * speed**2 * share * answer[0]
        return found

    def critical_speed_map(self, stiffnesses: Sequence[float] | Floats, count: int = 4) -> CriticalSpeedMap:
        """Undamped critical speeds over the stiffness of all bearings, in N/m, without cross coupling.

        They are those of forward whirl; if the stiffness of a bearing differs along y and z, all of them. Not a number
        where the rotor has fewer than ``count``.
        """
        at = number_list("critical_speed_map.stiffnesses", stiffnesses, "a list of stiffnesses in N/m")
        table = np.full((at.size, count), np.nan)
        for i, stiffness in enumerate(at):
            bearings = {j: b.scaled(float(stiffness)) for j, b in self.bearings.items()}
            speeds = replace(self, bearings=bearings)._synchronous()[:count]
            table[i, : speeds.size] = speeds
        return CriticalSpeedMap(self.title, at, table)

    def _synchronous(self) -> Floats:
        """Undamped critical speeds, the lowest first.

        Whirl at the speed Ω of the shaft satisfies (K - Ω²(M - iG)) v = 0, where ΩG are the gyroscopic terms. The
        eigenvalue problem is solved for 1/Ω², which is accurate for low speeds on soft bearings. Vibrations along the
        shaft are left out.
        """
        system = linearise(self.model(1.0), in_space=True)
        stiffness, gyroscopic = 0.5 * (system.K + system.K.T), 0.5j * (system.C - system.C.T)
        inverses, shapes = eig(system.M - gyroscopic, stiffness)
        x, y, z = (
            np.array([system.output(f"N{i}.{axis}")[0] for i in range(len(self.lengths) + 1)]) @ shapes
            for axis in "xyz"
        )
        along, forward, backward = (np.sum(np.abs(part) ** 2, axis=0) for part in (x, y + 1j * z, y - 1j * z))
        whirls = np.isfinite(inverses) & (inverses.real > 0.0) & (np.abs(inverses.imag) < 1e-6 * np.abs(inverses))
        whirls &= forward + backward > along
        even = all(b.kz in {None, b.k} for b in self.bearings.values())
        if even and np.any(gyroscopic):
            whirls &= forward > backward
        speeds = np.asarray(np.sort(1.0 / np.sqrt(inverses[whirls].real)))
        # without gyroscopic terms forward and backward whirl have one speed
        return speeds[::2] if even and not np.any(gyroscopic) else speeds


refuse_keywords(RotorSystem, "a rotor")


def disc_mass(disc: Disc) -> float:
    """Mass of a disc, in kg."""
    return disc.material.rho * disc.width * np.pi / 4 * (disc.diameter**2 - disc.bore**2)


def _shear_factor(section: AnySection, material: Material) -> float:
    """Cowper's shear correction factor of round sections; zero, for no shear flexibility, of others."""
    nu = material.E / (2.0 * material.shear_modulus) - 1.0
    if isinstance(section, Circle):
        return float(6.0 * (1.0 + nu) / (7.0 + 6.0 * nu))
    if isinstance(section, Tube):
        m2 = (section.inner / section.outer) ** 2
        return float(
            6.0 * (1.0 + nu) * (1.0 + m2) ** 2 / ((7.0 + 6.0 * nu) * (1.0 + m2) ** 2 + (20.0 + 12.0 * nu) * m2)
        )
    return 0.0
