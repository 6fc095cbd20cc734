"""The mechanism drawn: what is on the paper."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from matplotlib.text import Annotation

import flexura as fx
from flexura import planar, spatial
from flexura.errors import ModelError
from flexura.model.names import Names
from flexura.planar import Mass, PointContact
from flexura.plotting import draw, poses
from flexura.plotting.artists import hangs
from flexura.plotting.label_placement import WAYS, _directions, _freest
from flexura.results.scene import drawn
from flexura.spatial import BallSocket
from flexura.spatial import Damper as SpatialDamper
from flexura.spatial import Mass as SpatialMass
from flexura.spatial import Spring as SpatialSpring


def words(figure) -> set[str]:
    return {text.get_text() for text in figure.axes[0].texts if isinstance(text, Annotation)}


def test_a_drawing_has_the_names_of_nodes_and_elements(scene) -> None:
    assert words(draw(scene, frame=8)) == {"O", "A", "B, C", "crank", "rod", "piston"}
    assert words(draw(scene, names=False)) == set()


def test_a_drawing_is_in_metres_on_equal_axes(scene) -> None:
    (ax,) = draw(scene).axes
    assert (ax.get_aspect(), ax.get_xlabel(), ax.get_ylabel()) == (1.0, "x [m]", "y [m]")


def test_a_drawing_shows_the_frame(scene) -> None:
    (ax,) = draw(scene, frame=30).axes
    shapes = [line.get_xydata() for line in ax.lines]
    assert any(shape.shape == (17, 2) and np.array_equal(shape, scene.lines["rod"][0][30]) for shape in shapes)


def test_the_ground_is_on_the_other_side_of_what_hangs(scene, still) -> None:
    assert hangs(still, "top")
    assert not hangs(scene, "O")


def test_names_go_where_there_is_room() -> None:
    chosen = _freest(np.array([[1.0, 0.0], [0.0, 1.0]]), np.full(len(WAYS), np.inf))
    np.testing.assert_allclose(WAYS[chosen], [-np.sqrt(0.5), -np.sqrt(0.5)])
    rooms = np.zeros(len(WAYS))
    rooms[1] = 20.0
    assert _freest(np.array([[1.0, 0.0]]), rooms) == 1


def test_lines_that_pass_a_place_leave_it_both_ways() -> None:
    ways = list(_directions([np.array([[-1.0, 0.0], [2.0, 0.0]])], np.zeros(2), 1e-6))
    np.testing.assert_allclose(sorted(way[0] for way in ways), [-1.0, 1.0])
    assert len(list(_directions([np.array([[0.0, 0.0], [2.0, 0.0]])], np.zeros(2), 1e-6))) == 1


@pytest.mark.parametrize("count", [1, 8])
def test_poses_fade_into_the_past_and_the_last_is_drawn_in_full(scene, count) -> None:
    (ax,) = poses(scene, count, trace=()).axes
    rods = [line for line in ax.lines if line.get_xydata().shape == (17, 2)][1::2]
    assert len(rods) == count
    assert rods[-1].get_color() == "#d55e00"
    np.testing.assert_array_equal(rods[-1].get_xydata(), scene.lines["rod"][0][-1])


def test_what_cannot_be_drawn_is_refused(scene) -> None:
    with pytest.raises(ModelError, match=r"^draw: there is no frame 100; frames go from 0 to 99$"):
        draw(scene, 100)
    with pytest.raises(ModelError, match=r"^poses: 0 poses cannot be drawn; give a count of one or more$"):
        poses(scene, 0)


def test_odd_scenes_can_be_saved(scene, still) -> None:
    circle = np.array([[[np.cos(a), np.sin(a)] for a in np.linspace(0.0, 2.0 * np.pi, 25)]])
    wheel = replace(still, lines={"$wheel$": (circle,), "mark": (), "pin": (circle[:, :1],)}, title="5 $")
    for figure in (draw(scene), poses(scene), draw(still), poses(still), draw(wheel)):
        figure.savefig(file := BytesIO(), format="svg")
        assert b"<svg" in file.getvalue()


def test_closed_contacts_are_marked():
    law = fx.KelvinVoigt(1e6)
    model = fx.Model(
        nodes={"S": (0, 0, 0), "B": (0, 0, 0)},
        elements={"joint": BallSocket("S", "B", 0.01, law, radius=0.1), "ball": SpatialMass("B", 1.0)},
        fixed=["S", "B.x", "B.y"],
        inputs={"B.z": "0.02*sin(t)"},
    )
    motion = fx.kinematics(model, np.linspace(0.0, 2.0 * np.pi, 9))
    places = motion.scene().touching["joint"][:, 0]
    closed = np.abs(motion["B.z"]) >= 0.01
    assert np.isfinite(places[:, 2]).tolist() == closed.tolist()
    assert places[closed, 2] == pytest.approx(motion["B.z"][closed] + 0.1 * np.sign(motion["B.z"][closed]))
    assert motion.plot_poses(3)


def test_surfaces_that_meet_are_drawn_as_they_are() -> None:
    """A cam and a roller are circles; a wall is a line under the point that it stops."""
    points, law = {"C": (0.0, 0.0), "R": (0.0, 0.06)}, fx.Hertz(k=1e9)
    for against, centre, size in (("circle", "C", 0.04), ("ring", "C", 0.04), ("line", "R", 0.01)):
        contact = PointContact("C", "R", law, against, size=0.04, radius=0.01)
        model = fx.Model(nodes=points, elements={"hit": contact, "roller": Mass("R", 1.0)}, fixed=["C"])
        lines = [line[0] for line in fx.simulate(model, until=1e-4, samples=2).scene().lines["hit"]]
        far = [np.hypot(*(line - np.array(points[centre])).T) for line in lines]
        assert any(np.allclose(distances, size, rtol=1e-12) for distances in far)
        assert against != "line" or any(np.allclose(line[:, 1], 0.0) for line in lines)


def test_springs_and_dampers_in_space_have_windings_and_cylinders() -> None:
    elements = {
        "spring": SpatialSpring("A", "B", k=1.0),
        "damper": SpatialDamper("A", "B", c=1.0),
        "mass": SpatialMass("B", 1.0),
    }
    model = fx.Model(nodes={"A": (0, 0, 0), "B": (0, 0, 2)}, elements=elements, fixed=["A"])
    lines = fx.simulate(model, until=1e-4, samples=2).scene().lines
    (coil,) = (line[0] for line in lines["spring"])
    # all windings have the radius, but for the straight ends
    assert np.hypot(coil[2:-2, 0], coil[2:-2, 1]) == pytest.approx(0.06 * 2.0)
    assert len(lines["damper"]) == 7


def test_what_an_element_brings_along_is_drawn_as_a_piece_of_it():
    # the arms of a body have its name and colour, and its mass is a block at the centre
    model = fx.Model(
        nodes={"C": (0, 0), "A": (1, 0), "B": (0, 1)}, elements={"plate": planar.Body("C", 1.0, 0.1, points=("A", "B"))}
    )
    scene = drawn(Names(model), points=9)
    assert list(scene.lines) == ["plate"]
    assert [line.shape[1] for line in scene.lines["plate"]] == [1, 2, 2]


def test_a_joint_of_orientations_is_no_rod():
    # a hinge whose ends are apart is drawn at its second end, in space with its axis
    model = fx.Model(
        nodes={"G": (0, 0, 0), "C": (1, 0, 0)},
        elements={"body": spatial.Body("C", 1.0, 0.1, 0.1, 0.1), "hold": spatial.Hinge("G", "body.p", axis=(0, 0, 1))},
        fixed=["hold.p", "C.y"],
    )
    place, axis = drawn(Names(model), points=9).lines["hold"]
    assert place[0].tolist() == [[1.0, 0.0, 0.0]]
    assert axis[0].tolist() == [[1.0, 0.0, -0.04], [1.0, 0.0, 0.04]]


def test_welds_and_clamps_are_told_from_pins():
    bar = fx.Section(EI=1.0, rhoA=1.0)
    model = fx.Model(
        nodes={"O": (0, 0), "A": (1, 0), "B": (2, 0), "C": (3, 0)},
        elements={
            "first": planar.Beam("O", "A", bar),
            "second": planar.Beam("first.q", "B", bar),
            "third": planar.Beam("B", "C", bar),
        },
        fixed=["O", "first.p.phi", "C"],
    )
    assert drawn(Names(model), points=9).welds == ("O", "A")


def test_names_stay_in_the_picture_and_do_not_cover_each_other() -> None:
    # a rotor whose bearings and shafts share their places
    steel = fx.Material(E=2.1e11, rho=7850.0)
    stiff = fx.RotorBearing(1e7)
    model = fx.RotorSystem([0.2] * 4, fx.Circle(0.04), steel, bearings={0: stiff, 3: stiff}).model()
    figure = model.plot()
    figure.draw_without_rendering()
    texts = [text for text in figure.axes[0].texts if isinstance(text, Annotation) and text.get_text()]
    boxes = [text.get_window_extent() for text in texts]
    assert len(texts) > 8
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])
    page = figure.axes[0].get_window_extent()
    assert all(page.x0 - 9 <= box.x0 and box.x1 <= page.x1 + 9 for box in boxes)


def test_a_model_with_a_reduced_part_is_drawn_as_it_is():
    assert len(drawn(Names(fx.example("rotor_in_housing")), points=5).lines["housing"]) == 20
