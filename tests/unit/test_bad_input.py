"""Bad input ends in a ModelError or an AnalysisError that a terminal can show; errors of the program show."""

import time

import pytest

import flexura as fx
from flexura.errors import numbers_in_range, printable
from flexura.model.files import loads
from flexura.planar import Beam

BAR = fx.Section(rhoA=1.0)


def pendulum(**changes):
    given = {
        "nodes": {"O": (0, 0), "A": (1, 0)},
        "elements": {"arm": Beam("O", "A", BAR, rigid=True)},
        "fixed": ["O"],
        "gravity": (0, -9.81),
    }
    return fx.Model(**(given | changes))


INTEGRAL = fx.Controller([[0.0]], [[1.0]], [[1.0]], [[0.0]], measured=["arm.p.fi"], acting=["A.y"])

CALLS = {
    "input that is not finite": (lambda: fx.simulate(pendulum(inputs={"arm.p.phi": "1/t"}), until=0.1), "inf at t = 0"),
    "input without number": (
        lambda: fx.kinematics(pendulum(inputs={"arm.p.phi": "log(t - 1)"}), until=0.1),
        "is nan",
    ),
    "rate": (lambda: pendulum(inputs={"arm.p.phi": fx.Ramp(rate=1e100)}), "1e.100 is too large; give SI units"),
    "NUL in a name": (lambda: pendulum(nodes={"O\0": (0, 0), "A": (1, 0)}), r"'O\\x00' is not a name"),
    "NUL in a path": (lambda: fx.Model.from_file("a\0b.toml"), r"a\\x00b.toml: the file cannot be read"),
    "NUL in a path to write": (lambda: pendulum().to_file("a\0b.toml"), "this is not the name of a file"),
    "NUL in the path of a result": (lambda: fx.load("a\0b.nc"), "there is no such file"),
    "time that is a text": (lambda: fx.simulate(pendulum(), until="x"), "until: 'x' is not a number"),
    "time that is a list": (lambda: fx.simulate(pendulum(), until=[0, 1]), "until: .* is not a number"),
    "half a sample": (lambda: fx.simulate(pendulum(), until=1.0, samples=2.5), "samples: 2.5 is not a whole number"),
    "samples beyond memory": (lambda: fx.simulate(pendulum(), until=1.0, samples=10**13), "the memory: .*Unable to"),
    "no model": (lambda: fx.simulate(None, until=1.0), "model: None is not a model; give a Model"),
    "no event": (lambda: fx.simulate(pendulum(), until=1.0, events=["A.x"]), "events: 'A.x' is not an event"),
    "type": (
        lambda: loads("[nodes]\n[elements]\na = {type = {}}"),
        r"elements.a.type: there is no element \{\}",
    ),
    "space": (lambda: loads("space = []\n[nodes]\n[elements]"), r"space: there is no space \[\]"),
}


@pytest.mark.parametrize("case", CALLS)
def test_it_is_refused(case):
    call, words = CALLS[case]
    with pytest.raises((fx.ModelError, fx.AnalysisError), match=words):
        call()


def test_a_run_without_a_step_is_not_done():
    motion = fx.simulate(pendulum(inputs={"arm.p.phi": "1e100*t"}), until=0.1)
    assert motion.t.size < 501
    assert not motion.outcome.good


def test_a_signal_that_is_no_text():
    motion = fx.simulate(pendulum(), until=0.01)
    with pytest.raises(fx.ModelError, match="'A' has no 'z'; options are x, y"):
        motion["A.z"]
    with pytest.raises(fx.ModelError, match="signal: 3 is not a text"):
        motion[3]


@pytest.mark.parametrize("error", [OverflowError("math range"), ValueError("array must not contain infs or NaNs")])
def test_numbers_out_of_range(error):
    with pytest.raises(fx.AnalysisError, match="leaves the range of numbers") as caught, numbers_in_range():
        raise error
    assert caught.value.__cause__ is error


@pytest.mark.parametrize("error", [KeyError("a"), TypeError("b"), ValueError("shapes do not match"), AssertionError()])
def test_errors_of_the_program_show(error):
    with pytest.raises(type(error)) as caught, numbers_in_range():
        raise error
    assert caught.value is error


# ── text ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_terminal_commands_are_escaped():
    assert printable("a\x1b[31mb\x9b2J\u202e\0") == "a\\x1b[31mb\\x9b2J\\u202e\\x00"
    assert printable("β → ∞ \n\t é") == "β → ∞ \n\t é"
    assert "\x1b" not in str(fx.ModelError("\x1b]0;title\x07", "\x1b[2J", "\x1b"))


def test_errors_are_one_line():
    assert str(fx.ModelError("rod.'.bendi\tg", "what\nis", "it")) == "rod.'.bendi\\tg: what\\nis; it"
    assert str(fx.AnalysisError("what\nis\tit")) == "what\\nis\\tit"


def test_messages_are_short():
    assert len(str(fx.ModelError("a" * 10**6, "b" * 10**6, "c" * 10**6))) < 2000


@pytest.mark.parametrize(
    "text",
    [
        ".".join("a" * 50_000) + " = 1",
        "[" + ".".join("a" * 50_000) + "]",
        "x = {" + " . ".join("a" * 50_000) + " = 1}",
        '"a".' * 50_000 + "a = 1",
        "x = " + "[" * 100_000,
        "x = " + "{a = " * 100_000,
        "a" * 1_000_000,
        "x = " + "9" * 1_000_000,
    ],
    ids=lambda text: f"{text[:12]}…",
)
def test_texts_that_would_stall_the_parser(text):
    began = time.process_time()
    with pytest.raises(fx.ModelError, match=r"nested more than 20 deep|is not TOML"):
        loads(text)
    assert time.process_time() - began < 10.0  # a stalled parser takes minutes


def test_a_title_with_dots_is_no_key():
    title = ".".join("a" * 40)
    rest = "[nodes]\nA = [0.0, 0.0]\n[elements]\nm = {type = 'Mass', p = 'A', mass = 1.0}\n"
    assert loads(f"title = '{title}'\n{rest}").model.title == title
