"""Machine code is loaded once, however many ask for it at the same time."""

from concurrent.futures import ThreadPoolExecutor
from ctypes import CFUNCTYPE, c_double
from threading import Barrier

from flexura.derive import machine_code
from flexura.derive.machine_code import load

MANY = 8


def test_threads_share_what_is_loaded(monkeypatch):
    """Two engines for the same code would be one too many: the second would end the first, with its functions."""
    monkeypatch.setattr(machine_code, "_engines", {})
    assembly = "define double @thrice(double %x) {\n  %y = fmul double %x, 3.0\n  ret double %y\n}\n"
    together = Barrier(MANY)

    def ask(_: int) -> int:
        together.wait()
        return load(assembly, "thrice")

    with ThreadPoolExecutor(MANY) as pool:
        addresses = set(pool.map(ask, range(MANY)))
    assert len(addresses) == 1
    assert CFUNCTYPE(c_double, c_double)(addresses.pop())(2.0) == 6.0
