"""Wheels and rockers that cannot be are refused when the model is made, with where, what and remedy."""

import pytest

import flexura as fx
from flexura.spatial import Body, RollingBody, Wheel


def on_the_ground(contact, **nodes) -> fx.Model:
    return fx.Model(
        nodes={"W": (0, 0, 1), "C": (0, 0, 0), "G": (0, 0, 0)} | nodes,
        elements={"body": Body("W", 1.0), "contact": contact},
    )


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (
            lambda: on_the_ground(Wheel("body.p", "C", "G"), C=(0, 0, 1)),
            "elements.contact: a crown of 0 m leaves no radius",
        ),
        (lambda: on_the_ground(Wheel("body.p", "C", "G", crown=1.5)), "a crown of 1.5 m leaves no radius"),
        (lambda: on_the_ground(Wheel("body.p", "C", "G", normal=(0, 0, 0))), "it has no direction"),
        (lambda: on_the_ground(Wheel("body.p", "C", "G", surface="z^2")), "has no gradient at the drawn contact"),
        (lambda: Wheel("body.p", "C", "G", surface="z - w"), "Wheel.surface: .*there is no variable 'w'"),
        (lambda: RollingBody("body.p", "C", "G", form="abs(z)"), "RollingBody.form: a surface must be smooth"),
        (
            lambda: RollingBody("body.p", "C", "G", form="z", surface="1"),
            "RollingBody.surface: '1' is constant",
        ),
        (lambda: RollingBody("body.p", "C", "G", form=""), "RollingBody.form: "),
        (lambda: Wheel("body.p", "C", "G", crown=-0.1), "Wheel.crown: -0.1 is out of range"),
    ],
)
def test_what_cannot_touch_is_refused(made, said):
    with pytest.raises(fx.ModelError, match=said):
        made()
