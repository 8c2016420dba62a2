"""Results on disk: errors name damaged, renamed and unwritable files, and one process at a time writes."""

import json
import os
import shutil
import stat
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from helpers import thorough
from stardeck.benchmarks.advantage.measure import advantage
from stardeck.benchmarks.league.tournament import league
from stardeck.benchmarks.results import folder_lock
from stardeck.benchmarks.results.atomic_files import whole
from stardeck.benchmarks.results.folder_lock import FolderError, only_writer
from stardeck.benchmarks.results.store import KEY, SCHEMA, ResultsError, Store, last_speed

GAMES = 24
IDENTITY = {"seed": 1}


def games(start, stop):
    """Return the rows of synthetic games [start, stop)."""
    count = stop - start
    columns = [
        range(start, stop),
        np.arange(start, stop, dtype=np.uint64) * 7919,
        [["rules", "simple"]] * count,
        [index % 2 for index in range(count)],
        [[index % 2] for index in range(count)],
        [False] * count,
        range(20, 20 + count),
        range(100, 100 + count),
        [[1, 2]] * count,
        [[]] * count,
    ]
    return pa.table([pa.array(column, field.type) for column, field in zip(columns, SCHEMA, strict=True)], SCHEMA)


@pytest.fixture
def part(tmp_path):
    """Return a folder of results with one part, and the path of that part."""
    store = Store(tmp_path, IDENTITY)
    store.add(games(0, GAMES), 0)
    (path,) = (tmp_path / "parts").iterdir()
    return path


def test_a_flipped_bit_is_never_taken_for_other_results(part, tmp_path):
    content = part.read_bytes()
    refused = 0
    apart = thorough(1, 5)  # odd, so that every bit of a byte is tried
    for place in range(0, len(content), apart):
        damaged = bytearray(content)
        damaged[place] ^= 1 << place % 8
        part.write_bytes(damaged)
        try:
            assert Store(tmp_path, IDENTITY).join().equals(games(0, GAMES)), place
        except ResultsError as error:
            assert "choose another folder" in str(error) or "is not a whole file of results; delete it" in str(error)
            refused += 1
        (tmp_path / "games.parquet").unlink(missing_ok=True)
        part.parent.mkdir(exist_ok=True)
    assert refused > len(content) // (2 * apart)


def test_files_with_the_name_of_other_games_are_found_by_their_index(part, tmp_path):
    part.rename(part.with_name("000000000024-000000000048.parquet"))
    with pytest.raises(ResultsError, match="000000000048.parquet: does not hold the games that its name says"):
        Store(tmp_path, IDENTITY)
    (tmp_path / "parts" / "000000000024-000000000048.parquet").unlink()
    Store(tmp_path / "later", IDENTITY).add(games(GAMES, 2 * GAMES), GAMES)
    shutil.copy(next((tmp_path / "later" / "parts").iterdir()), tmp_path / "games.parquet")
    with pytest.raises(ResultsError, match="games.parquet: does not hold the games that its name says"):
        Store(tmp_path, IDENTITY)


@pytest.mark.parametrize("identity", [b"[1]", b"null", b"5", b"{", b"\xff", b"[" * 100_000])
def test_an_identity_of_another_kind_is_refused(part, tmp_path, identity):
    pq.write_table(games(0, GAMES).replace_schema_metadata({KEY: identity}), part)
    with pytest.raises(ResultsError, match="is not a whole file of results"):
        Store(tmp_path, IDENTITY)


def test_finished_parts_are_on_the_disk_before_they_have_their_name(tmp_path, monkeypatch):
    done = []
    replace = os.replace

    def kind(file):
        return "folder" if stat.S_ISDIR(os.stat(file).st_mode) else "file"

    monkeypatch.setattr(os, "fsync", lambda file: done.append(kind(file)))
    monkeypatch.setattr(os, "replace", lambda *paths: (done.append("named"), replace(*paths)))
    Store(tmp_path, IDENTITY).add(games(0, GAMES), 0)
    assert done == ["file", "named", "folder"]


def test_a_file_that_cannot_be_written_leaves_what_was_there(tmp_path):
    path = tmp_path / "file.json"
    path.write_text("before")
    with pytest.raises(OSError, match="file.json"), whole(path) as unfinished:
        unfinished.write_text("half")
        raise OSError(28, "No space left on device")
    with pytest.raises(KeyboardInterrupt), whole(path) as unfinished:
        unfinished.write_text("half")
        raise KeyboardInterrupt
    assert path.read_text() == "before" and os.listdir(tmp_path) == ["file.json"]


def test_equal_rows_make_equal_bytes_in_whatever_stretches_they_were_played(tmp_path, monkeypatch):
    monkeypatch.setattr(Store, "group", 10)
    for name, ends in (("one", [GAMES]), ("many", [3, 4, 14, 23, GAMES])):
        store = Store(tmp_path / name, IDENTITY)
        for start, stop in zip([0, *ends], ends, strict=False):
            store.add(games(0, GAMES).slice(start, stop - start), start)
        assert store.join().equals(games(0, GAMES))
    one, many = ((tmp_path / name / "games.parquet").read_bytes() for name in ("one", "many"))
    assert one == many and pq.ParquetFile(tmp_path / "one" / "games.parquet").num_row_groups == 3


# One writer


def test_a_second_writer_is_told_who_the_first_one_is(tmp_path):
    with only_writer(tmp_path / "out"):
        with pytest.raises(FolderError) as refused, only_writer(tmp_path / "out"):
            pass
    who = f"out: process {os.getpid()} on "
    assert who in str(refused.value) and "is writing to it since 20" in str(refused.value)
    assert "wait for its end, or choose another folder (--out)" in str(refused.value)
    assert not os.listdir(tmp_path / "out")
    with only_writer(tmp_path / "out"):
        pass


def test_a_writer_that_is_killed_leaves_the_folder_free(tmp_path):
    begin = "import os, sys; from stardeck.benchmarks.results.folder_lock import only_writer"
    code = begin + "\nwith only_writer(sys.argv[1]): os._exit(1)"
    subprocess.run([sys.executable, "-c", code, tmp_path])
    assert {folder_lock.LOCK, folder_lock.WRITER} == set(os.listdir(tmp_path))
    with only_writer(tmp_path):
        assert json.loads((tmp_path / folder_lock.WRITER).read_text())["pid"] == os.getpid()


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"pid": 5}', "[" * 100_000])
def test_a_writer_that_is_not_told_in_full_is_another_process(tmp_path, content):
    with only_writer(tmp_path):
        (tmp_path / folder_lock.WRITER).write_text(content)
        with pytest.raises(FolderError, match="another process is writing to it"), only_writer(tmp_path):
            pass


@pytest.mark.parametrize("measure", [advantage, league])
def test_each_measurement_is_the_one_writer_of_its_folder(tmp_path, measure):
    with only_writer(tmp_path), pytest.raises(ValueError, match=f"process {os.getpid()} on .* is writing to it"):
        measure("star_realms", ["simple", "random"], 2, out=tmp_path)
    assert not os.listdir(tmp_path)


@pytest.mark.parametrize("pool", ["", "5", "{}", '{"agents": 5}', '{"agents": null}', "[" * 100_000])
def test_a_league_with_a_pool_of_another_kind_is_refused(tmp_path, pool):
    (tmp_path / "pool.json").write_text(pool)
    with pytest.raises(ResultsError, match="pool.json: cannot be read .*; choose another folder"):
        league("star_realms", ["simple", "random"], 2, out=tmp_path)


@pytest.mark.parametrize("speed", ["", "5", '{"games_per_second": "fast"}', '{"games_per_second": []}', "[" * 100_000])
def test_a_speed_of_another_kind_is_not_taken_over(tmp_path, speed):
    (tmp_path / "summary.json").write_text(speed)
    assert last_speed(tmp_path / "summary.json") is None


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("first", 2), ("first", -1), ("winner", [99]), ("winner", [-1]), ("winner", [1, 1]), ("winner", [1, 0]),
        ("turns", -1), ("decisions", -1), ("placements", [0, 1]), ("placements", [1, 4]), ("placements", [1]),
        ("agents", ["rules"]), ("scenarios", [2]), ("scenarios", [-2]),
    ],
)  # fmt: skip
def test_values_that_the_variant_cannot_have_are_refused(tmp_path, column, value):
    rows = games(0, GAMES).to_pylist()
    rows[5][column] = value
    Store(tmp_path, IDENTITY).add(pa.Table.from_pylist(rows, SCHEMA), 0)
    with pytest.raises(ResultsError, match=f"game 5: {column}="):
        Store(tmp_path, IDENTITY, seats=2)


def test_values_that_the_variant_can_have_are_read(tmp_path):
    Store(tmp_path, IDENTITY).add(games(0, GAMES), 0)
    assert Store(tmp_path, IDENTITY, seats=2).longest == GAMES
