"""The mechanism drawn in space: from back to front, with names, floor and tripod."""

from __future__ import annotations

import shutil
from dataclasses import replace
from io import BytesIO
from itertools import pairwise

import numpy as np
import pytest
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.text import Annotation
from PIL import Image

from flexura.errors import ModelError
from flexura.plotting import animate, draw, orbits, poses, style
from flexura.plotting.scene_frames import each
from flexura.plotting.strokes import FACE, Strokes, along, cuts
from flexura.plotting.view import look
from flexura.results.scene import Scene

TOP, BELOW = (-np.pi / 2, np.pi / 2), (-np.pi / 2, -np.pi / 2)


def strokes(scene: Scene, view: tuple[float, float] | None = None, nodes: bool = False) -> LineCollection:
    shown = Strokes(Figure().subplots(), look(scene, view), nodes=nodes)
    shown.show(0)
    return shown.drawn


def bars(**ends: tuple[tuple[float, ...], tuple[float, ...]]) -> Scene:
    return Scene(np.zeros(1), {name: (np.array([pair]),) for name, pair in ends.items()}, {}, ())


def hue(colour: np.ndarray) -> int:
    """The number of the element that has this colour, however pale."""
    ours = np.array([1.0 - np.array(to_rgb(shade)) for shade in style.PALETTE])
    ink = 1.0 - np.asarray(colour)[:3]
    return int(np.argmax(ours @ ink / np.linalg.norm(ours, axis=1)))


def order_at(drawn: LineCollection, place: tuple[float, float], reach: float) -> list[int]:
    """The numbers of the elements drawn about a place on paper, in their order."""
    middles = np.array([piece.mean(axis=0) for piece in drawn.get_segments()])
    there = np.flatnonzero(np.max(np.abs(middles - place), axis=1) < reach)
    return list(dict.fromkeys(hue(drawn.get_color()[i]) for i in there))


def test_what_is_nearer_is_drawn_later() -> None:
    cross = bars(low=((-1, 0, 0), (1, 0, 0)), high=((0, -1, 1), (0, 1, 1)))
    assert order_at(strokes(cross, TOP), (0.0, 0.0), 0.1) == [0, 1]
    assert order_at(strokes(cross, BELOW), (0.0, 0.0), 0.1) == [1, 0]


def test_the_order_is_that_at_the_crossing_not_of_the_whole() -> None:
    # the second bar is on the whole far below the first, but passes above it
    cross = bars(level=((-1, 0, 0), (1, 0, 0)), steep=((0, -0.1, 0.6), (0, 1, -3.0)))
    assert order_at(strokes(cross, TOP), (0.0, 0.0), 0.075) == [0, 1]


def test_what_is_far_is_thinner_and_paler() -> None:
    drawn = strokes(bars(far=((-1, 0, 0), (1, 0, 0)), near=((-1, 1, 1), (1, 1, 1))), TOP)
    hues, widths = np.array([hue(colour) for colour in drawn.get_color()]), np.array(drawn.get_linewidth())
    assert hues.tolist() == sorted(hues)
    assert np.max(widths[hues == 0]) < np.min(widths[hues == 1]) == pytest.approx(style.LINK)
    np.testing.assert_allclose(drawn.get_color()[-1][:3], to_rgb(style.colour(1)), atol=1e-12)
    assert np.all(drawn.get_color()[0][:3] >= np.array(to_rgb(style.colour(0))))


def test_a_node_is_drawn_over_the_links_that_end_in_it() -> None:
    towards = bars(link=((0, 0, 0), (0, 0, 1)))
    drawn = strokes(replace(towards, points={"A": np.zeros((1, 3))}), TOP, nodes=True)
    (face,) = np.flatnonzero([np.array_equal(colour[:3], (1.0, 1.0, 1.0)) for colour in drawn.get_color()])
    nearer = [i for i, colour in enumerate(drawn.get_color()) if hue(colour) == 0 and i > face]
    assert drawn.get_linewidth()[face] < FACE
    assert len(nearer) == 23  # all pieces but the one that ends there


def test_a_line_is_cut_into_pieces_that_join() -> None:
    line = np.array([[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.1, 0.0], [1.0, 0.2, 0.0], [1.1, 0.2, 0.0]]])
    cut = [along(line[0], at) for at in cuts(line, 0.25)]
    assert [len(piece) for piece in cut] == [2, 2, 2, 2, 3, 2]  # a quarter of the long stretch each, then 0.2, then 0.1
    for piece, following in pairwise(cut):
        np.testing.assert_array_equal(piece[-1], following[0])
    np.testing.assert_array_equal([cut[0][0], cut[-1][-1]], line[0][[0, -1]])
    assert max(np.sum(np.linalg.norm(np.diff(piece, axis=0), axis=1)) for piece in cut) <= 0.25 + 1e-12


def test_from_plus_z_a_drawing_has_what_that_of_the_plane_has(scene) -> None:
    flat = each(scene, scene.t, lambda place: np.concatenate([place, np.zeros_like(place[..., :1])], axis=-1))
    (plane,), (space,) = draw(scene, 8).axes, draw(flat, 8, view=TOP).axes
    drawn = next(c for c in space.collections if c.get_path_effects())
    looks = [(*colour[:3], width) for colour, width in zip(drawn.get_color(), drawn.get_linewidth(), strict=True)]
    pieces = drawn.get_segments()
    for line, shade in ((scene.lines["crank"][0], 0), (scene.lines["rod"][0], 1)):
        full = (*to_rgb(style.colour(shade)), style.LINK)
        ours = [pieces[i] for i in np.flatnonzero(np.all(np.isclose(looks, full, rtol=0.0, atol=1e-12), axis=1))]
        missed = np.min(np.linalg.norm(line[8][:, None] - np.concatenate(ours), axis=2), axis=1)
        assert sum(len(piece) - 1 for piece in ours) == 16
        assert missed.max() < 1e-14
    assert named(space) == {**named(plane), "x": None, "y": None}


def named(ax) -> dict[str, tuple[float, float] | None]:
    """The names in a drawing and the places of the nodes among them."""
    notes = [text for text in ax.texts if isinstance(text, Annotation) and text.get_text()]
    bold = {text.get_text(): text for text in notes if text.get_fontweight() == "bold"}
    return {
        text.get_text(): tuple(np.round(text.xy, 12).tolist()) if text.get_text() in bold else None for text in notes
    }


def test_a_drawing_in_space_has_names_tripod_and_scale(spatial) -> None:
    (ax,) = draw(spatial, 8).axes
    assert set(named(ax)) == {"O", "A", "B", "top", "end", "crank", "rod", "slider", "coil", "x", "y", "z"}
    assert "grid 0.05 m" in [text.get_text() for text in ax.texts]
    assert (ax.get_aspect(), ax.axison) == (1.0, False)
    low, high = np.transpose([ax.get_xlim(), ax.get_ylim()])
    for polylines in look(spatial).scene.lines.values():
        for line in polylines:
            assert np.all((line[..., :2] > low) & (line[..., :2] < high))


def test_a_hole_in_a_motion_does_no_harm(spatial) -> None:
    rod = spatial.lines["rod"][0].copy()
    rod[8] = np.nan
    draw(replace(spatial, lines={**spatial.lines, "rod": (rod,)}), 8, names=False).savefig(file := BytesIO())
    assert file.getvalue().startswith(b"\x89PNG")


def test_odd_scenes_in_space_can_be_saved(spatial) -> None:
    point = Scene(np.zeros(1), {"mass": (np.ones((1, 1, 3)),)}, {"P": np.ones((1, 3))}, ("P",))
    bar = bars(upright=((0, 0, 0), (0, 0, 1)))
    for figure in (poses(spatial), draw(point), draw(bar), draw(bar, view=TOP), draw(replace(bar, up=(1.0, 0.0, 0.0)))):
        figure.savefig(file := BytesIO(), format="svg")
        assert b"<svg" in file.getvalue()


def test_paths_in_space_are_projected(spatial_motion) -> None:
    (ax,) = orbits(spatial_motion, "A", "B", view=(0.0, 0.0)).axes
    path = next(line for line in ax.lines if line.get_label() == "A")
    np.testing.assert_allclose(path.get_xydata(), spatial_motion.shown.points["A"][:, 1:], rtol=0.0, atol=1e-15)


def test_the_plane_has_no_other_paths(motion) -> None:
    with pytest.raises(ModelError, match="the scene is in the plane"):
        orbits(motion, "B", view=TOP)


@pytest.mark.parametrize(
    "ending",
    ["gif", pytest.param("mp4", marks=pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="MP4 needs ffmpeg"))],
)
def test_a_movie_of_space_depends_on_the_view(spatial, tmp_path, ending) -> None:
    options = {"trace": ["A"], "fps": 5, "size": (160, 120)}
    usual = animate(spatial, tmp_path / f"usual.{ending}", **options)
    above = animate(spatial, tmp_path / f"above.{ending}", view=TOP, **options)
    assert usual.read_bytes() != above.read_bytes()
    if ending == "gif":
        with Image.open(above) as gif:
            assert (gif.n_frames, gif.size) == (11, (160, 120))
