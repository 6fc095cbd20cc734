"""Files of results from strangers: refused where a bit is flipped, or where they refer to other files or to nothing."""

from __future__ import annotations

import random
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

import flexura as fx
from flexura.results.result_file import _TAIL, MARK, sealed


@pytest.fixture
def content(motion: fx.Motion, tmp_path: Path) -> bytes:
    motion.save(tmp_path / "motion.nc")
    return (tmp_path / "motion.nc").read_bytes()


def load(content: bytes, tmp_path: Path) -> Any:
    (tmp_path / "other.nc").write_bytes(content)
    return fx.load(tmp_path / "other.nc")


def test_one_flipped_bit_is_refused(content: bytes, tmp_path: Path) -> None:
    chosen = random.Random(1)
    for place in [*range(16), *range(len(content) - _TAIL, len(content)), *chosen.sample(range(len(content)), 100)]:
        flipped = bytearray(content)
        flipped[place] ^= 1 << chosen.randrange(8)
        with pytest.raises(fx.ModelError, match=r"other\.nc: (this is not a netCDF|the file is (cut off|damaged))"):
            load(bytes(flipped), tmp_path)


def test_the_checksum_is_no_part_of_the_netcdf_file(content: bytes) -> None:
    assert content[-_TAIL:].startswith(MARK)
    with h5py.File(BytesIO(content[:-_TAIL])) as file:
        assert file.attrs["result"] == "Motion"


def changed(content: bytes, change: Callable[[h5py.File], None]) -> bytes:
    """A file that a stranger has changed and sealed again."""
    image = BytesIO(content[:-_TAIL])
    with h5py.File(image, "r+") as file:
        change(file)
    return sealed(image.getvalue())


def link_outside(file: h5py.File) -> None:
    del file["stress"]
    file["stress"] = h5py.ExternalLink("/etc/hostname", "/stress")


def link_inside(file: h5py.File) -> None:
    del file["stress"]
    file["stress"] = h5py.SoftLink("/strain")


def data_outside(file: h5py.File) -> None:
    shape = file["stress"].shape
    del file["stress"]
    file.create_dataset("stress", shape, "f8", external=[("/etc/passwd", 0, h5py.h5f.UNLIMITED)])


def data_nowhere(file: h5py.File) -> None:
    del file["stress"]
    file.create_dataset("stress", (2**31, 2), "f8")


def data_packed(file: h5py.File) -> None:
    del file["stress"]
    file.create_dataset("stress", data=np.zeros((1000, 1000)), chunks=(1000, 1000), compression="gzip")


def group(file: h5py.File) -> None:
    file.create_group("more")


def attribute_of_texts(file: h5py.File) -> None:
    file.attrs["list"] = ["a", "b"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (link_outside, "'stress' is a link to another place"),
        (link_inside, "'stress' is a link to another place"),
        (data_outside, "the data of 'stress' are not stored as a result stores them"),
        (data_nowhere, "the data of 'stress' are not in it"),
        (data_packed, "the data of 'stress' are not stored as a result stores them"),
        (group, "'more' is not a dataset"),
        (attribute_of_texts, "the attribute 'list' is a list of texts"),
    ],
)
def test_what_a_result_does_not_have_is_refused(
    content: bytes, tmp_path: Path, change: Callable[[h5py.File], None], words: str
) -> None:
    with pytest.raises(fx.ModelError, match=rf"other\.nc: this is not a result of Flexura: {words}"):
        load(changed(content, change), tmp_path)


@pytest.mark.parametrize("length", [0, 8, 2**63, 2**64 - 8])
@pytest.mark.parametrize("number", [0, 1])
def test_texts_that_have_no_end(content: bytes, tmp_path: Path, number: int, length: int) -> None:
    """HDF5 would walk for ever over an object of no length, or of a length that wraps around."""
    image = bytearray(content[:-_TAIL])
    at = image.index(b"GCOL") + 16
    image[at : at + 2], image[at + 8 : at + 16] = number.to_bytes(2, "little"), length.to_bytes(8, "little")
    with pytest.raises(fx.ModelError, match="not a result of Flexura: its texts are not stored as HDF5 stores them"):
        load(sealed(bytes(image)), tmp_path)


def repeated_text(content: bytes) -> bytes:
    """A file in which all names of coordinates are one long text, stored once."""

    def change(file: h5py.File) -> None:
        count = file["coordinate"].size
        del file["coordinate"]
        file["coordinate"] = np.array([100_000 * "x"] + ["y"] * (count - 1), dtype=h5py.string_dtype())

    image = bytearray(changed(content, change)[:-_TAIL])
    with h5py.File(BytesIO(bytes(image))) as file:
        place, count = file["coordinate"].id.get_offset(), file["coordinate"].size
    image[place : place + 16 * count] = count * image[place : place + 16]
    return sealed(bytes(image))


def test_one_long_text_cannot_stand_for_many(content: bytes, tmp_path: Path) -> None:
    with pytest.raises(fx.ModelError, match="its variables are larger than the file"):
        load(repeated_text(content), tmp_path)


def count_of_events(file: h5py.File) -> None:
    for owner in (file, *file.values()):
        for name in owner.attrs:
            if name.endswith("_count"):
                owner.attrs[name] = np.int64(2**50)


def fewer_columns(file: h5py.File) -> None:
    values = file["stress"][()]
    del file["stress"]
    file["stress"] = values.ravel()


@pytest.mark.parametrize("change", [count_of_events, fewer_columns])
def test_numbers_that_do_not_fit(content: bytes, tmp_path: Path, change: Callable[[h5py.File], None]) -> None:
    with pytest.raises(fx.ModelError, match=r"other\.nc: "):
        load(changed(content, change), tmp_path)
