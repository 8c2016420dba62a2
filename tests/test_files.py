"""Files that users name: readers refuse pipes and devices without waiting, and writers leave all other files alone."""

import os
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from helpers import game_of
from stardeck import agents
from stardeck.agents.networks.agent import read_network, write_network
from stardeck.agents.star_realms.value_table import read_worth
from stardeck.benchmarks import plots
from stardeck.benchmarks.conformance import scenario
from stardeck.benchmarks.fairness.search import fair
from stardeck.benchmarks.recordings import record
from stardeck.benchmarks.report import page
from stardeck.benchmarks.report.declared import read_report
from stardeck.benchmarks.results.atomic_files import write_whole
from stardeck.benchmarks.results.filesystems import PlaceError, folder_here, place
from stardeck.benchmarks.results.store import Store
from stardeck.kernels.contract.card_tables import read_table
from stardeck.kernels.files import in_order_of_numbers, read_bytes

READERS = {
    "record": record.read,
    "scenario": scenario.read_scenarios,
    "table": read_table,
    "worth": read_worth,
    "network": read_network,
    "report": read_report,
    "picture": lambda path: page._shown(path, "a picture"),
    "own": lambda path: agents.get(f"{path}:agent", game_of("interstellar_empire/2")),
    "results": lambda path: Store(path.parent, {"seed": 1}),
}
NAMES = {"own": "own.py", "results": "games.parquet", "network": "a.safetensors"}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("kind", ["pipe", "/dev/zero"])
def test_special_files_are_refused(tmp_path, reader, kind):
    path = tmp_path / NAMES.get(reader, "file")
    os.mkfifo(path) if kind == "pipe" else path.symlink_to(kind)
    with pytest.raises((ValueError, OSError), match="is not a regular file"):
        READERS[reader](path)


def test_a_file_beyond_the_limit_is_refused(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"x" * 11)
    assert read_bytes(path, 11) == b"x" * 11
    with pytest.raises(OSError, match="is larger than 10 bytes"):
        read_bytes(Path(path), 10)


def test_a_url_is_no_folder_of_this_machine(tmp_path):
    assert folder_here(str(tmp_path)) == tmp_path
    for url in (f"file://{tmp_path}/out", "s3://bucket/folder"):
        with pytest.raises(PlaceError, match="must be a folder of this machine; only advantage and league take a URL"):
            folder_here(url)
    with pytest.raises(PlaceError, match="must be a folder of this machine"):
        fair("star_realms", ["authority.1=40:80"], "random", 2, out=f"file://{tmp_path}/out")
    assert not any(tmp_path.iterdir())


WRITERS = {
    "text.html": lambda path: write_whole(path, "new"),
    "agent.safetensors": lambda path: write_network(path, agents.get("ppo", game_of("interstellar_empire/2")).trained),
    "figure.svg": lambda path: plots.save(Figure(), path),
    "games.parquet": lambda path: write_whole(place(f"file://{path.parent}") / path.name, "new"),
}


@pytest.mark.parametrize("name", WRITERS)
def test_a_writer_leaves_other_files_alone(tmp_path, name):
    """Regression: agent.safetensors was written as agent.tmp first, so that a user lost a file of this name."""
    path = tmp_path / name
    path.write_text("old")
    others = [path.with_suffix(".tmp"), tmp_path / f"{name}.tmp", path.with_suffix(".bak")]
    for other in others[:2]:
        other.mkdir()
        (other / "notes").write_text("mine")
    others[2].write_text("mine")
    WRITERS[name](path)
    assert path.read_bytes() != b"old"
    assert all((other / "notes").read_text() == "mine" for other in others[:2]) and others[2].read_text() == "mine"
    assert sorted(tmp_path.iterdir()) == sorted([path, *others])


def test_numbered_files_stay_in_order_beyond_their_leading_zeros(tmp_path):
    names = ["0001", "9998", "9999", "10000", "10001", "100000"]
    for name in reversed(names):
        (tmp_path / f"{name}.npz").touch()
    assert [path.stem for path in in_order_of_numbers(tmp_path.glob("*.npz"))] == names
