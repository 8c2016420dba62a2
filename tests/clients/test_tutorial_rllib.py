"""The tutorial of RLlib runs."""

import re

import pytest
import ray
from tutorials import run


def test_ppo_learns(capsys, tmp_path):
    with pytest.MonkeyPatch.context() as patch:
        # nothing is written to the home folder
        patch.setenv("RAY_AUTH_MODE", "disabled")
        patch.setattr("ray.tune.trainable.trainable.DEFAULT_STORAGE_PATH", str(tmp_path))
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
        run("rllib_ppo")
        ray.shutdown()
    assert re.search(r"iteration 1: [\d,]{3,} steps trained, entropy [\d.]+", capsys.readouterr().out)
