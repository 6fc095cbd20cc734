"""Movies: the mechanism's artists moved frame by frame over a still background, as GIF or MP4."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from flexura.atomic_files import whole
from flexura.errors import ModelError
from flexura.plotting import style
from flexura.plotting.artists import ground, mechanism
from flexura.plotting.backdrop import backdrop
from flexura.plotting.scene_frames import paths, resample, window
from flexura.plotting.view import Sight

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

Array = NDArray[np.float64]
Pixels = NDArray[np.uint8]
Size = tuple[int, int]


def write_gif(
    sight: Sight, times: Array, path: Path, trace: tuple[str, ...], speed: float, fps: float, size: Size | None
) -> None:
    """Write a repeating GIF with one palette for all frames, which is small and does not flicker."""
    from PIL import Image

    colours = Image.new("P", (1, 1))
    colours.putpalette(shades())
    pictures = (Image.fromarray(pixels) for pixels in film(sight, times, trace, speed, size or fitting(sight, 720)))
    frames = (picture.quantize(palette=colours, dither=Image.Dither.NONE) for picture in pictures)

    # a GIF counts in hundredths of a second: let the rounding of one frame be made up by the next
    ticks = np.diff(np.round(np.arange(len(times) + 1) * 100.0 / fps)).astype(int) * 10
    with whole(path) as draft:
        next(frames).save(draft, save_all=True, append_images=frames, duration=ticks.tolist(), loop=0, optimize=False)


def shades() -> list[int]:
    """The 256 colours of a GIF: each colour of the figure in steps towards the paper, for smooth edges."""
    ours = (*style.PALETTE, style.INK, style.MUTED)
    ramps = [style.PAPER] * 4 + [style.mix(colour, 0.1 + 0.9 * step / 27.0) for colour in ours for step in range(28)]
    return [int(shade[i : i + 2], 16) for shade in ramps for i in (1, 3, 5)]


def write_mp4(
    sight: Sight, times: Array, path: Path, trace: tuple[str, ...], speed: float, fps: float, size: Size | None
) -> None:
    """Write an MP4 in a common format, encoded by ffmpeg."""
    encoder = shutil.which("ffmpeg")
    if encoder is None:
        raise ModelError(str(path), "ffmpeg, which makes MP4, is not found", "install it, or write .gif or .html")
    width, height = (2 * (side // 2) for side in size or fitting(sight, 1280))
    source = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", f"{fps}", "-i", "-"]
    target = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "20", "-movflags", "+faststart"]
    with whole(path) as draft:
        said = _encode(
            [encoder, "-v", "error", *source, *target, str(draft)], film(sight, times, trace, speed, (width, height))
        )
        if said:
            raise ModelError(str(path), f"ffmpeg failed: {said}", "write .gif or .html instead")


def _encode(command: list[str], frames: Iterator[Pixels]) -> str:
    """Pass frames to an encoder as they are drawn; returns its message if it failed."""
    with (
        tempfile.TemporaryFile() as complaints,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=complaints) as encoder,
    ):
        pipe: Any = encoder.stdin
        with contextlib.suppress(BrokenPipeError), pipe:
            for pixels in frames:
                pipe.write(pixels.tobytes())
        encoder.wait()
        complaints.seek(0)
        said = complaints.read().decode(errors="replace").strip()
    return (said or f"exit code {encoder.returncode}") if encoder.returncode else ""


def fitting(sight: Sight, width: int) -> Size:
    """Size in the proportions of the scene."""
    low, high = window(sight.whole)
    across, up = high - low
    return width, 2 * round(width * float(np.clip(up / across, 0.4, 1.0)) / 2)


def film(sight: Sight, times: Array, trace: tuple[str, ...], speed: float, size: Size) -> Iterator[Pixels]:
    """Images at these times, (height, width, 3)."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    # the unchanging part is drawn once
    dots = style.DPI * max(size[0] / 720.0, 0.5)
    figure = Figure(figsize=(size[0] / dots, size[1] / dots), dpi=dots, facecolor=style.PAPER)
    canvas: Any = FigureCanvasAgg(figure)
    ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    _stage(ax, sight, size)
    scene, trails = sight.scene, paths(sight.scene, trace)
    for number, name in enumerate(trace):
        ax.plot(*trails.points[name][:, :2].T, color=style.mix(style.colour(number), 0.25), lw=style.TRACE, zorder=1)
    ground(ax, sight)
    note = f"  ×{speed:g}" if speed != 1.0 else ""
    if scene.title:
        ax.text(0.015, 0.975, style.plain(scene.title), transform=ax.transAxes, va="top", **style.words())

    # the rest is moved and drawn over it
    behind = [ax.plot([], [], color=style.colour(i), lw=1.5, zorder=2)[0] for i in range(len(trace))]
    shown = resample(scene, times)
    pose = mechanism(ax, replace(sight, scene=shown))
    clock = ax.text(0.985, 0.975, "", transform=ax.transAxes, va="top", ha="right", **style.words(color=style.MUTED))
    movers: list[Artist] = [*sorted([*behind, *pose.artists], key=lambda artist: artist.get_zorder()), clock]
    for artist in movers:
        artist.set_animated(True)
    canvas.draw()
    background = canvas.copy_from_bbox(figure.bbox)
    digits = max(0, 2 - int(np.floor(np.log10(np.ptp(times) or 1.0))))
    for frame, time in enumerate(shown.t):
        canvas.restore_region(background)
        pose.show(frame)
        for line, name in zip(behind, trace, strict=True):
            past = trails.points[name][trails.t < time]
            line.set_data(*np.vstack([past, shown.points[name][frame]])[:, :2].T)
        clock.set_text(f"{time:.{digits}f} s{note}")
        for artist in movers:
            ax.draw_artist(artist)
        yield np.asarray(canvas.buffer_rgba())[..., :3].copy()


def _stage(ax: Axes, sight: Sight, size: Size) -> None:
    """Axes without marks that contain the scene, for any proportions of the image."""
    low, high = window(sight.whole, margin=0.16)
    centre, half = (low + high) / 2, (high - low) / 2
    scale = max(half[0] / size[0], half[1] / size[1])
    reach = scale * np.array(size, dtype=float)
    ax.set(xlim=(centre[0] - reach[0], centre[0] + reach[0]), ylim=(centre[1] - reach[1], centre[1] + reach[1]))
    ax.set_axis_off()
    backdrop(ax, sight)
