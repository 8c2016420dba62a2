"""A cluster of three one-core nodes on this machine, short chunks, and one origin for all files."""

import logging
import os

import pytest

os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}  # before Ray reads them
os.environ |= {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}  # credentials of the test server

import ray  # noqa: E402
from ray.cluster_utils import Cluster  # noqa: E402

from stardeck.benchmarks.advantage import measure as advantage  # noqa: E402
from stardeck.benchmarks.arena import ray_executor  # noqa: E402
from stardeck.benchmarks.card_values import measure as worth  # noqa: E402
from stardeck.benchmarks.fairness import search as fair  # noqa: E402
from stardeck.benchmarks.league import tournament as league  # noqa: E402

NODE = {"num_cpus": 1, "object_store_memory": 80_000_000}
ORIGIN = {"version": "1", "command": "test", "date": "today", "machine": "this one"}  # otherwise varies by run


@pytest.fixture(scope="session")
def cluster():
    nodes = Cluster(initialize_head=True, head_node_args=NODE | {"include_dashboard": False})
    for _ in range(2):
        nodes.add_node(**NODE)
    ray.init(nodes.address, log_to_driver=False, logging_level=logging.ERROR)
    yield nodes
    ray.shutdown()
    nodes.shutdown()


@pytest.fixture(scope="session", autouse=True)
def small():
    """Use short chunks, for many of them, and the same origin in all files."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ray_executor, "SECONDS", 0.2)
        for module in (advantage, fair, league, worth):
            patch.setattr(module, "origin", lambda: ORIGIN)
        yield
