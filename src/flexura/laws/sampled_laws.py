"""Laws of sampled controllers: actions of references, measured values and states, and the states at the next sample."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError
from flexura.laws.control import Matrix, refuse_shape
from flexura.laws.units import NonNegative, Unit
from flexura.laws.validation import validate

Array = NDArray[np.float64]


class SampledLaw(ABC):
    """A control law in discrete time; a subclass that is a frozen dataclass is a user's own law."""

    @abstractmethod
    def sizes(self, measured: int) -> tuple[int, int, int]:
        """Numbers of states, actions and references, for a number of measured signals."""

    @abstractmethod
    def output(self, z: Array, r: Array, y: Array, period: float) -> Array:
        """Actions u before limitation, for the states z, the references r and the measured values y."""

    @abstractmethod
    def update(self, z: Array, r: Array, y: Array, u: Array, limited: Array, period: float) -> Array:
        """States at the next sample, for the actions u and their limited values."""

    def begin(self, z: Array, r: Array, y: Array) -> Array:
        """States at the first sample, from the given ones."""
        return z

    def steady(self, period: float) -> tuple[Matrix, Matrix, Matrix, Matrix]:
        """A, B, C, D of ż = A z + B (r - y), u = C z + D (r - y) in continuous time, with the same steady states."""
        what = f"the steady action of a {type(self).__name__} is not known"
        raise ModelError("sampled", what, "leave the controller out, and load its signals with constant forces")


@dataclass(frozen=True)
class Discrete(SampledLaw):
    r"""Linear law in discrete time, of the error e = r - y.

    .. math:: \mathbf u_k = C\,\mathbf z_k + D\,\mathbf e_k, \qquad
              \mathbf z_{k+1} = A\,\mathbf z_k + B\,\mathbf e_k + W\,(\mathrm{sat}\,\mathbf u_k - \mathbf u_k) ,

    with the anti-windup gain W, zero if not given. Without states it is the feedback :math:`\mathbf u = D\,\mathbf e`,
    of all states of a machine if all are measured.
    """

    D: Annotated[Matrix, Unit("", "rows of D: one for each action, a column for each measured signal")]
    A: Annotated[Matrix, Unit("", "rows of A; empty without states")] = ()
    B: Annotated[Matrix, Unit("", "rows of B")] = ()
    C: Annotated[Matrix, Unit("", "rows of C")] = ()
    W: Annotated[Matrix, Unit("", "rows of the anti-windup gain W, one for each state; empty for no correction")] = ()

    def __post_init__(self) -> None:
        validate(self)
        n, u, y = len(self.A), len(self.D), len(self.D[0]) if self.D else 0
        if not self.D or not y:
            raise ModelError("Discrete.D", "it has no actions", "give D, zeros where there is no direct action")
        tables = (("A", n, n), ("B", n, y), ("C", u if n else 0, n), ("D", u, y), ("W", n if self.W else 0, u))
        for name, rows, columns in tables:
            refuse_shape("Discrete", name, getattr(self, name), rows, columns)

    def sizes(self, measured: int) -> tuple[int, int, int]:
        if measured != len(self.D[0]):
            what = f"there are {measured} measured signals for {len(self.D[0])} columns of D"
            raise ModelError("Sampled.measured", what, "give a column for each")
        return len(self.A), len(self.D), measured

    def output(self, z: Array, r: Array, y: Array, period: float) -> Array:
        direct: Array = np.array(self.D) @ (r - y)
        return direct + np.array(self.C) @ z if self.A else direct

    def update(self, z: Array, r: Array, y: Array, u: Array, limited: Array, period: float) -> Array:
        if not self.A:
            return z
        after: Array = np.array(self.A) @ z + np.array(self.B) @ (r - y)
        return after + np.array(self.W) @ (limited - u) if self.W else after

    def steady(self, period: float) -> tuple[Matrix, Matrix, Matrix, Matrix]:
        if not self.A:
            return (), (), (), self.D
        A, B = (np.array(self.A) - np.eye(len(self.A))) / period, np.array(self.B) / period
        return _rows(A), _rows(B), self.C, self.D


@dataclass(frozen=True)
class PID(SampledLaw):
    r"""Proportional, integral and derivative action, one action for each measured signal.

    With the error e = r - y, the period T and the time constant :math:`\tau` of a filter of the derivative,

    .. math:: u_k = k_p e_k + i_k + d_k, \quad i_{k+1} = i_k + T (k_i e_k + (\mathrm{sat}\,u_k - u_k)/\tau_w), \quad
              d_k = \frac{\tau d_{k-1} + k_d (e_k - e_{k-1})}{\tau + T} .

    While an action is limited, the integral follows the limit with the ``windup`` time :math:`\tau_w`; if that is zero,
    it stands still.
    """

    kp: Annotated[float, Unit("", "proportional gain")]
    ki: Annotated[float, Unit("", "integral gain, per second")] = 0.0
    kd: Annotated[float, Unit("", "derivative gain, times seconds")] = 0.0
    filter: Annotated[float, Unit("s", "time constant of the derivative's filter"), NonNegative()] = 0.0
    windup: Annotated[
        float, Unit("s", "anti-windup time constant; zero stops the integral at the limit"), NonNegative()
    ] = 0.0

    def __post_init__(self) -> None:
        validate(self)

    def sizes(self, measured: int) -> tuple[int, int, int]:
        return 3 * measured, measured, measured

    def begin(self, z: Array, r: Array, y: Array) -> Array:
        first = z.copy()
        first[len(y) : 2 * len(y)] = r - y
        return first

    def output(self, z: Array, r: Array, y: Array, period: float) -> Array:
        integral, _, _ = np.split(z, 3)
        total: Array = self.kp * (r - y) + integral + self._derivative(z, r - y, period)
        return total

    def _derivative(self, z: Array, e: Array, period: float) -> Array:
        _, before, derivative = np.split(z, 3)
        found: Array = (self.filter * derivative + self.kd * (e - before)) / (self.filter + period)
        return found

    def update(self, z: Array, r: Array, y: Array, u: Array, limited: Array, period: float) -> Array:
        e = r - y
        grows = period * self.ki * e
        if self.windup:
            grows = grows + period * (limited - u) / self.windup
        else:
            # it stops where it would drive the action farther beyond its limit
            grows = np.where((u - limited) * grows > 0.0, 0.0, grows)
        return np.concatenate([np.split(z, 3)[0] + grows, e, self._derivative(z, e, period)])

    def steady(self, period: float) -> tuple[Matrix, Matrix, Matrix, Matrix]:
        if not self.ki:
            return (), (), (), ((self.kp,),)
        return ((0.0,),), ((self.ki,),), ((1.0,),), ((self.kp,),)


@dataclass(frozen=True)
class Observer(SampledLaw):
    r"""Feedback of the states that an observer estimates from the measured signals.

    .. math:: \mathbf u_k = N\,\mathbf r_k - K\,\mathbf z_k, \qquad
              \mathbf z_{k+1} = A\,\mathbf z_k + B\,\mathrm{sat}\,\mathbf u_k + L\,(\mathbf y_k - C\,\mathbf z_k) ,

    with the matrices A, B, C of the machine in discrete time. Limited actions do not mislead the estimate.
    """

    A: Annotated[Matrix, Unit("", "rows of A of the plant")]
    B: Annotated[Matrix, Unit("", "rows of B, a column for each action")]
    C: Annotated[Matrix, Unit("", "rows of C, one for each measured signal")]
    L: Annotated[Matrix, Unit("", "rows of the observer's gain L, a column for each measured signal")]
    K: Annotated[Matrix, Unit("", "rows of the feedback K, one for each action")]
    N: Annotated[Matrix, Unit("", "rows of the gain N of the references; empty for regulation to zero")] = ()

    def __post_init__(self) -> None:
        validate(self)
        n, u, y = len(self.A), len(self.K), len(self.C)
        if not n or not u or not y:
            raise ModelError("Observer", "it has no states, no actions or no measured signals", "give A, C and K")
        references = len(self.N[0]) if self.N else 0
        tables = (
            ("A", n, n),
            ("B", n, u),
            ("C", y, n),
            ("L", n, y),
            ("K", u, n),
            ("N", u if self.N else 0, references),
        )
        for name, rows, columns in tables:
            refuse_shape("Observer", name, getattr(self, name), rows, columns)

    def sizes(self, measured: int) -> tuple[int, int, int]:
        if measured != len(self.C):
            what = f"there are {measured} measured signals for {len(self.C)} rows of C"
            raise ModelError("Sampled.measured", what, "give a row for each")
        return len(self.A), len(self.K), len(self.N[0]) if self.N else 0

    def output(self, z: Array, r: Array, y: Array, period: float) -> Array:
        back: Array = -np.array(self.K) @ z
        return back + np.array(self.N) @ r if self.N else back

    def update(self, z: Array, r: Array, y: Array, u: Array, limited: Array, period: float) -> Array:
        wrong = y - np.array(self.C) @ z
        after: Array = np.array(self.A) @ z + np.array(self.B) @ limited + np.array(self.L) @ wrong
        return after


def _rows(table: Array) -> Matrix:
    return tuple(map(tuple, table.tolist()))
