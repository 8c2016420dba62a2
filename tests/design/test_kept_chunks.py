"""Chunks in the folder of a part: what was written comes back, and anything else is one error that names the file."""

import numpy as np
import pytest

from stardeck.benchmarks.design.kept.arrays_by_name import KeptChunks

ARRAYS = {"rows": np.arange(20.0).reshape(10, 2), "names": np.array(["a", "b"])}


@pytest.fixture
def chunks(tmp_path):
    kept = KeptChunks(tmp_path / "kept", {"seed": 1})
    kept.add(0, 10, ARRAYS)
    return kept


def test_chunks_come_back(chunks):
    ((start, arrays),) = chunks.read()
    assert start == 0 and arrays.keys() == ARRAYS.keys()
    assert all((arrays[name] == values).all() for name, values in ARRAYS.items())
    assert chunks.missing(15) == [(10, 15)]


def altered(held, way):
    """Return the arrays of a file, changed in one of several ways."""
    if way == "other names":
        return {f"x{name}": values for name, values in held.items()}
    if way == "fewer rows":
        return {name: values[:-3] for name, values in held.items()}
    if way == "no dimension":
        return held | {"rows": np.array(1.0)}
    if way == "text":
        return held | {"rows": held["rows"].astype(str)}
    return held | {"rows": held["rows"] * np.nan}


@pytest.mark.parametrize("way", ["other names", "fewer rows", "no dimension", "text", "not a number"])
def test_a_chunk_with_other_numbers_is_refused(way, chunks):
    (path,) = chunks.folder.glob("*.npz")
    with np.load(path) as held:
        arrays = altered({name: held[name] for name in held.files}, way)
    np.savez(path, **arrays)
    with pytest.raises(ValueError, match=r"000000000-000000010-\w+\.npz: is damaged \(it is not the file that was"):
        chunks.read()


def test_flipped_bits_are_found(chunks):
    (path,) = chunks.folder.glob("*.npz")
    whole = path.read_bytes()
    for place in range(0, len(whole), 7):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 16]) + whole[place + 1 :])
        with pytest.raises(ValueError, match=f"{path.name}: is damaged"):
            chunks.read()


def test_a_chunk_of_an_earlier_version_is_read(chunks):
    np.savez(chunks.folder / "000000010-000000012.npz", rows=np.zeros((2, 2)))
    assert [start for start, _ in chunks.read()] == [0, 10]


def test_a_damaged_description_is_one_error_that_names_it(chunks):
    (chunks.folder / "about.json").write_text("{")
    with pytest.raises(ValueError, match=r"about\.json: is damaged .*; remove .*kept, and its games are played again"):
        KeptChunks(chunks.folder, {"seed": 1})


def test_other_files_do_not_count(chunks):
    (chunks.folder / "a-b.npz").write_text("")
    assert chunks.ranges() == [(0, 10)]
