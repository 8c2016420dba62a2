"""Expert iteration on a Ray cluster: it learns here from games played there, in spite of lost nodes."""

import json

import numpy as np
import pytest

import stardeck
from stardeck import agents
from stardeck.training import train

NODE = {"num_cpus": 1, "object_store_memory": 80_000_000}

RECIPE = {
    "rounds": 3, "games": 256, "simulations": 4, "learned_share": 0.05, "imitation": 0, "units": [16, 8], "window": 2,
    "batch": 32, "promotion_games": 64, "evaluate_every": 3, "evaluation_games": 20, "panel": ["rules"],
    "value_rounds": 0,
}  # fmt: skip
GIVEN = {"recipe": RECIPE, "method": "expert", "on": "ray", "max_turns": 30}


class Stop(Exception):
    pass


def rounds_of(folder):
    found = {}
    for path in sorted((folder / "rounds").glob("*.npz")):
        with np.load(path) as rows:
            found[path.stem] = {name: rows[name] for name in rows.files}
    return found


def test_a_training_goes_on_after_a_lost_node_and_an_interruption(cluster, tmp_path):
    lost = []

    def lose(done, games, note):
        if done >= RECIPE["games"] and not lost:
            cluster.remove_node(cluster.worker_nodes.copy().pop(), allow_graceful=False)
            lost.append(cluster.add_node(**NODE, wait=False))
        if done >= 2 * RECIPE["games"]:
            raise Stop

    with pytest.raises(Stop):
        train("star_realms", tmp_path, progress=lose, **GIVEN)
    asked = json.loads(next(tmp_path.glob("checkpoints/00000002/notes.json")).read_text())["asked"]
    summary = train("star_realms", tmp_path, **GIVEN)
    assert lost and summary["copies"] >= 1 and len(summary["course"]) == RECIPE["rounds"]
    for entry in summary["course"]:
        assert sum(entry["networks"].values()) >= RECIPE["games"] and entry["decisions"] > 0
    assert asked >= 2 * RECIPE["games"]
    kept = rounds_of(tmp_path)
    seen = [rows["observations"].tobytes() for rows in kept.values()]
    assert len(kept) == RECIPE["window"] and len(set(seen)) == len(seen)
    for rows in kept.values():
        assert (np.diff(rows["offsets"]) >= 2).all() and set(np.unique(rows["results"])) <= {-1, 0, 1}
    game = stardeck.make("star_realms", max_turns=30)
    agents.get(str(tmp_path / "agent.safetensors"), game).check(game)
