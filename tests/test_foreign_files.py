"""Files of other programs, and paths that are no files: one line names the error, and no reader waits."""

import json
import os
import struct

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from helpers import VARIANTS, a_network, game_of
from stardeck.agents.networks.agent import NetworkError, read_network
from stardeck.agents.star_realms.value_table import read_worth
from stardeck.benchmarks.advantage.measure import advantage
from stardeck.benchmarks.conformance import scenario
from stardeck.benchmarks.fairness.search import fair
from stardeck.benchmarks.league.tournament import league
from stardeck.benchmarks.recordings import record, replay_result
from stardeck.benchmarks.results.store import ResultsError, metadata_of
from stardeck.kernels.contract.card_tables import TableError, read_table
from stardeck.web.choices import RequestError, game_from

CORE = VARIANTS[0]
READERS = {
    "a table": (read_table, TableError),
    "scenarios": (scenario.read_scenarios, scenario.ScenarioError),
    "recorded games": (record.read, record.RecordError),
    "an agent": (read_network, NetworkError),
    "card values": (read_worth, ValueError),
    "results": (metadata_of, ResultsError),
}
GAMES = 8


@pytest.mark.parametrize("of", READERS)
def test_pipes_devices_and_folders_are_refused(of, tmp_path):
    read, error = READERS[of]
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", "/dev/zero", tmp_path):
        with pytest.raises(error, match="regular file|folder"):
            read(type(tmp_path)(path))


@pytest.mark.parametrize("name", ["Zoë\u2028", "a\u0085b", "\u2029\x0b"])
def test_saved_games_of_other_writers_are_read(name, tmp_path):
    game = game_of(CORE)
    written = {
        "variant": game.id, "settings": game.settings, "tables": game.variant.tables, "seed": 1,
        "agents": [name, "b"], "moves": [], "returns": [0.0, 0.0],
    }  # fmt: skip
    lines = json.dumps(written, ensure_ascii=False) + "\r\n"
    (tmp_path / "games.jsonl").write_bytes(b"\xef\xbb\xbf" + (lines * 2).encode())
    assert record.read(tmp_path / "games.jsonl") == [written, written]


def raw_safetensors(path, tensors, metadata):
    """Write a file as the format's description says, with any dtype. tensors: {name: (dtype, shape, bytes)}."""
    header, at = {"__metadata__": metadata}, 0
    for name, (dtype, shape, data) in tensors.items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [at, at + len(data)]}
        at += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(data for _, _, data in tensors.values()))


@pytest.mark.parametrize(("dtype", "bits"), [("F8_E4M3", 8), ("F8_E5M2", 8), ("BF16", 16), ("F4", 4), ("C64", 64),
                                             ("I32", 32), ("BOOL", 8)])  # fmt: skip
def test_numbers_of_other_kinds_are_refused(dtype, bits, tmp_path):
    shapes = {"layer.0.weight": [16, 8], "layer.0.bias": [8], "policy.weight": [8, 8], "policy.bias": [8],
              "value.weight": [8, 2], "value.bias": [2]}  # fmt: skip
    tensors = {name: (dtype, shape, bytes(int(np.prod(shape)) * bits // 8)) for name, shape in shapes.items()}
    raw_safetensors(tmp_path / "agent.safetensors", tensors, {"format": "stardeck network 1", "spaces": "x"})
    with pytest.raises(NetworkError, match="agent.safetensors"):
        read_network(tmp_path / "agent.safetensors")


@pytest.mark.parametrize(
    "layout",
    [
        "[" * 100_000,
        '{"cards": "x", "fields": [["a", 1e999, 1]], "actions": []}',
        '{"cards": "x", "fields": [["a", 1, 1e999]], "actions": []}',
        '{"cards": "x", "fields": [["a", 1, NaN]], "actions": []}',
        '{"cards": "x", "fields": 7, "actions": []}',
    ],
)
def test_layouts_that_say_nothing_are_refused(layout, tmp_path):
    network = a_network(game_of(CORE))
    tensors = {
        f"{name}.{part}": ("F32", list(array.shape), np.ascontiguousarray(array).tobytes())
        for name, layer in (("layer.0", network.layers[0]), ("policy", network.policy), ("value", network.value))
        for part, array in zip(("weight", "bias"), layer, strict=True)
    }
    metadata = {"format": "stardeck network 1", "spaces": network.spaces, "layout": layout}
    raw_safetensors(tmp_path / "agent.safetensors", tensors, metadata)
    with pytest.raises(NetworkError, match="agent.safetensors: "):
        read_network(tmp_path / "agent.safetensors")


def changed(path, column, change):
    """Rewrite a Parquet file with a changed column, as another program would: without our checksum of its rows."""
    table = pq.read_table(path)
    metadata = {key: value for key, value in table.schema.metadata.items() if key != b"stardeck.sums"}
    values = table[column].to_pylist()
    values[3] = change(values[3])
    at = table.column_names.index(column)
    table = table.set_column(
        at, table.schema.field(column), pa.array(values, table.schema.field(column).type)
    ).replace_schema_metadata(metadata)
    pq.write_table(table, path, write_page_checksum=True)


@pytest.mark.parametrize(
    ("column", "value"),
    [("winner", [99]), ("winner", [-1]), ("first", 2), ("first", -1), ("placements", [0, 1]), ("placements", [1, 4]),
     ("turns", -1), ("decisions", -5)],
)  # fmt: skip
def test_results_that_no_game_can_have_are_refused(column, value, tmp_path):
    advantage("star_realms", "random", GAMES, out=tmp_path)
    before = (tmp_path / "summary.json").read_bytes()
    changed(tmp_path / "games.parquet", column, lambda _: value)
    with pytest.raises(ResultsError, match=f"games.parquet: game 3: {column}="):
        advantage("star_realms", "random", GAMES, out=tmp_path)
    assert (tmp_path / "summary.json").read_bytes() == before


@pytest.mark.parametrize(("column", "value"), [("seats", 9), ("actions", 60_000)])
def test_moves_that_no_game_can_have_are_refused(column, value, tmp_path):
    advantage("star_realms", "random", GAMES, out=tmp_path, collect=["moves"])
    changed(tmp_path / "moves.parquet", column, lambda moves: [value, *moves[1:]])
    with pytest.raises(ResultsError, match=r"game 3|moves\.parquet"):
        if column == "actions":
            replay_result.game_of(tmp_path, 3)
        else:
            advantage("star_realms", "random", GAMES, out=tmp_path, collect=["moves"])


def test_the_device_is_no_setting_of_a_game(tmp_path):
    said = "device='cuda': star_realms has no such setting"
    with pytest.raises(RequestError, match=said):
        game_from("star_realms", {"device": "cuda"})
    for measure in (advantage, league):
        with pytest.raises(ValueError, match="device='tpu': must be cpu or cuda"):
            measure("star_realms", ["random", "simple"], 2, device="tpu")
    with pytest.raises(ValueError, match="device='tpu': must be cpu or cuda"):
        fair("star_realms", ["authority.1=40:50"], "random", 2, device="tpu")
    with pytest.raises(scenario.ScenarioError, match=said):
        scenario.run_scenario({"name": "x", "game": "star_realms", "settings": {"device": "cuda"}, "seed": 1})
    game = game_of(CORE)
    written = {
        "variant": game.id, "settings": game.settings | {"device": "cuda"}, "tables": game.variant.tables, "seed": 1,
        "agents": ["a", "b"], "moves": [], "returns": [0.0, 0.0],
    }  # fmt: skip
    with pytest.raises(ValueError, match=said):
        record.game_of(written)


@pytest.mark.parametrize(
    ("column", "value"),
    [("winner", [99]), ("winner", [-1]), ("placements", [0, 1]), ("turns", -1), ("agents", ["a"]), ("index", 9)],
)
def test_a_game_that_no_variant_can_have_is_not_shown(column, value, tmp_path):
    """Only the requested game is checked."""
    advantage("star_realms", "random", GAMES, out=tmp_path)
    changed(tmp_path / "games.parquet", column, lambda _: value)
    with pytest.raises(ResultsError, match=r"games\.parquet: (game 3: |does not hold the games)"):
        replay_result.game_of(tmp_path, 3)
    assert replay_result.game_of(tmp_path, 2)["moves"]
