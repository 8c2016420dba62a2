"""Games on a Ray cluster of three one-core nodes: the same files as on threads, in spite of lost nodes."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import ray

from stardeck import agents
from stardeck.benchmarks.advantage import measure as measuring
from stardeck.benchmarks.arena import ray_executor
from stardeck.benchmarks.card_values import measure as trials
from stardeck.benchmarks.fairness import search as searches
from stardeck.benchmarks.league import tournament as ladder
from stardeck.benchmarks.results.event_store import FILE
from stardeck.game.agent import AgentError
from stardeck.game.catalogue import GAMES, load_source

NODE = {"num_cpus": 1, "object_store_memory": 80_000_000}
COLLECTED = ["moves", "events"]
CORE = {"game": "star_realms", "agents": ["simple", "rules"], "games": 30_000, "seed": 3, "collect": COLLECTED}
BOSS = {"game": "star_realms", "set": "box", "format": "nemesis_beast", "agents": "simple", "games": 3_000}


def content(folder):
    found = {path.relative_to(folder): path.read_bytes() for path in sorted(folder.rglob("*.parquet"))}
    assert Path("games.parquet") in found
    return found


def rows(files):
    """Return the content of files without their origin; events stay as first written."""
    return {path: pq.read_table(pa.BufferReader(found)) for path, found in files.items()}


@pytest.fixture(scope="module")
def on_threads(tmp_path_factory):
    """Return the files of the core set, made by threads."""
    folder = tmp_path_factory.mktemp("threads")
    measuring.advantage(**CORE, out=folder)
    return content(folder)


def test_three_nodes_write_the_bytes_that_threads_write(cluster, on_threads, tmp_path):
    measuring.advantage(**CORE, out=tmp_path, on="ray")
    assert content(tmp_path) == on_threads and len(on_threads) == 2 + -(-CORE["games"] // FILE)


def test_a_boss_is_the_same_everywhere(cluster, tmp_path):
    for on in ("local", "ray"):
        measuring.advantage(**BOSS, out=tmp_path / on, on=on)
    assert content(tmp_path / "local") == content(tmp_path / "ray")


def test_a_league_is_the_same_everywhere(cluster, tmp_path):
    for on in ("local", "ray"):
        ladder.league("interstellar_empire", ["rules", "simple", "random"], 200, out=tmp_path / on, on=on, sprt=(0, 50))
    assert content(tmp_path / "local") == content(tmp_path / "ray")


def test_nodes_that_are_lost_and_nodes_that_join_late_change_nothing(cluster, on_threads, tmp_path):
    nodes = []

    def lose_and_join(done, games):
        if done and not nodes:
            cluster.remove_node(cluster.worker_nodes.copy().pop(), allow_graceful=False)
            nodes.append(cluster.add_node(**NODE, wait=False))

    measuring.advantage(**CORE, out=tmp_path, on="ray", progress=lose_and_join)
    assert nodes and content(tmp_path) == on_threads


DRIVER = """
    import sys
    from stardeck.benchmarks.arena import ray_executor
    from stardeck.benchmarks.advantage.measure import advantage
    ray_executor.SECONDS = 0.2
    collect = ["moves", "events"]
    advantage("star_realms", ["simple", "rules"], 30_000, seed=3, collect=collect, out=sys.argv[1], on="ray")
"""


def test_a_driver_that_is_killed_is_gone_on_from(cluster, on_threads, tmp_path):
    environment = os.environ | {"RAY_ADDRESS": cluster.address}
    driver = subprocess.Popen([sys.executable, "-c", textwrap.dedent(DRIVER), tmp_path / "cut"], env=environment)
    until(lambda: list(tmp_path.glob("cut/parts/*.parquet")) or driver.poll() is not None)
    driver.send_signal(signal.SIGKILL)
    assert driver.wait(60) == -signal.SIGKILL
    started = []
    progress = lambda done, games: started.append(done)  # noqa: E731
    measuring.advantage(**CORE, out=tmp_path / "cut", on="ray", progress=progress)
    assert 0 < started[0] < CORE["games"]
    assert rows(content(tmp_path / "cut")) == rows(on_threads)


def until(found, seconds=60.0):
    deadline = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < deadline
        time.sleep(0.02)


ENDLESS = """
    import sys
    sys.argv[1:] = ["advantage", "star_realms", "--agents", "rules", "--games", "1000000000", "--out", sys.argv[1],
                    "--on", "ray"]
    import stardeck_start
    stardeck_start.main()
"""


def test_ctrl_c_ends_the_tasks_on_the_cluster(cluster, tmp_path):
    command = [sys.executable, "-c", textwrap.dedent(ENDLESS), tmp_path / "out"]
    environment = os.environ | {"RAY_ADDRESS": cluster.address}
    driver = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    until(lambda: list(tmp_path.glob("out/parts/*.parquet")) or driver.poll() is not None)
    driver.send_signal(signal.SIGINT)
    _, errors = driver.communicate(timeout=60)
    assert driver.returncode == 130 and "interrupted" in errors and "Traceback" not in errors, errors
    assert (tmp_path / "out" / "games.parquet").exists()
    # Nodes lost in earlier tests may still count when the first figures are requested.
    until(lambda: ray.available_resources().get("CPU") == ray.cluster_resources()["CPU"], 120)


# User agents

HELPER = "STEP = 0.002\n\ndef first(masks):\n    return masks.argmax(axis=1)\n"
MINE = """
    import os, time
    import helper_of_mine

    class Slow:
        name = "slow"

        def act(self, game, states, masks, seeds):
            time.sleep(helper_of_mine.STEP * (os.getpid() % 3))  # processes of different speed
            return helper_of_mine.first(masks)

    class Fatal(Slow):
        name = "fatal"
        marker = ""

        def act(self, game, states, masks, seeds):
            try:
                os.close(os.open(self.marker, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                return helper_of_mine.first(masks)
            os._exit(1)

    class Wrong(Slow):
        name = "wrong"

        def act(self, game, states, masks, seeds):
            if (states["decisions"] > 20).any():
                raise RuntimeError("I do not know")
            return masks.argmax(axis=1)
"""


@pytest.fixture
def mine(tmp_path):
    """Return the path of a file of agents, and put a module that it imports next to it."""
    (tmp_path / "helper_of_mine.py").write_text(HELPER)
    (tmp_path / "mine.py").write_text(textwrap.dedent(MINE))
    yield tmp_path / "mine.py"
    sys.modules.pop("helper_of_mine", None)


def deleted(mine, name):
    """Return the agent of a file that is then deleted: nodes cannot load it."""
    agent = agents.get(f"{mine}:{name}")
    for path in (mine, mine.with_name("helper_of_mine.py")):
        path.unlink()
    return agent


def test_agents_and_tables_travel_without_their_files(cluster, mine, tmp_path):
    agent, table = deleted(mine, "Slow"), {"like": "core", "explorers": 3}
    for on in ("local", "ray"):
        measuring.advantage("star_realms", [agent, "ppo"], 60, out=tmp_path / on, on=on, set=table)
    assert content(tmp_path / "local") == content(tmp_path / "ray")


def test_what_a_killed_process_has_played_is_played_again(cluster, mine, tmp_path):
    agent = deleted(mine, "Fatal")
    agent.marker = str(tmp_path / "marker")
    measuring.advantage("star_realms", [agent, "simple"], 60, out=tmp_path / "ray", on="ray")
    assert (tmp_path / "marker").exists()
    measuring.advantage("star_realms", [agent, "simple"], 60, out=tmp_path / "local")
    assert content(tmp_path / "local") == content(tmp_path / "ray")


@pytest.mark.parametrize("on", ["local", "ray"])
def test_an_error_of_an_agent_names_the_game_and_the_command_that_plays_it(cluster, mine, on):
    told = r"^agent 'wrong': RuntimeError in act, line \d+ of mine.py: I do not know; in game \d+ \(deal seed \d+, "
    told += r"decision 2\d, seat [01]\); `stardeck watch star_realms .*` plays it again$"
    with pytest.raises(AgentError, match=told) as raised:
        measuring.advantage("star_realms", [f"{mine}:Wrong", "simple"], 60, on=on)
    command = str(raised.value).split("`")[1].split()
    played = subprocess.run(
        [sys.executable, "-m", "stardeck.commands.cli", *command[1:]], capture_output=True, text=True
    )
    assert played.returncode == 2 and "I do not know" in played.stderr, played.stderr


def test_an_agent_that_cannot_be_sent_is_named(cluster):
    class Locked:
        name = "locked"
        lock = threading.Lock()

        def act(self, game, states, masks, seeds):
            return masks.argmax(axis=1)

    Locked.__module__ = "__main__"
    with pytest.raises(
        ray_executor.ClusterError, match=r"agent 'locked': cannot be sent to other machines \(.*lock.*--on local"
    ):
        measuring.advantage("star_realms", Locked(), 60, on="ray")


# Games from outside


@pytest.fixture(scope="module")
def beacons(tmp_path_factory):
    """Return the file of a game that is registered until the end of this module."""
    file = tmp_path_factory.mktemp("game") / "beacons.py"
    file.write_text((Path(__file__).parents[2] / "examples" / "new_game.py").read_text())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GAMES, "_entries", dict(GAMES._entries))
        load_source(str(file))
        yield file


OUTSIDE = {"game": "beacons", "agents": ["random", "search:4"], "games": 40}


def test_a_game_from_outside_is_the_same_everywhere(cluster, beacons, tmp_path):
    for on in ("local", "ray"):
        measuring.advantage(**OUTSIDE, out=tmp_path / on, on=on)
    assert content(tmp_path / "local") == content(tmp_path / "ray")


def test_a_node_with_another_version_of_the_game_is_refused(cluster, beacons, monkeypatch):
    """The file changes after the series is sent, as if the nodes had another file."""
    sent, text = ray_executor._sent, beacons.read_text()

    def send_and_change(series):
        found = sent(series)
        beacons.write_text(text.replace("state.points[winner] += ", "state.points[winner] += 2 * "))
        return found

    monkeypatch.setattr(ray_executor, "_sent", send_and_change)
    refusal = "^node .* has other files of the game beacons than the driver: install the same on all$"
    try:
        with pytest.raises(ray_executor.ClusterError, match=refusal):
            measuring.advantage(**OUTSIDE, on="ray")
    finally:
        beacons.write_text(text)


@pytest.mark.parametrize("on", ["cloud", "ray://", "ray://host", "ray:host:1", ""])
def test_other_places_are_refused(on):
    with pytest.raises(ValueError, match=r"on='.*': must be local, ray, or ray://host:port"):
        measuring.advantage("star_realms", "simple", 2, on=on)


SOUGHT = {"game": "star_realms", "knobs": "authority.1=50:58", "agents": "simple", "within": 3.0, "games": 20_000}


def test_what_is_fair_and_what_cards_are_worth_are_the_same_everywhere(cluster, tmp_path):
    found = {on: searches.fair(**SOUGHT, out=tmp_path / f"fair {on}", on=on) for on in ("local", "ray")}
    assert found["local"]["mixture"] == found["ray"]["mixture"] and found["ray"]["games"] >= 1_000
    tried = [trials.worth("star_realms", games=3_000, out=tmp_path / f"worth {on}", on=on) for on in ("local", "ray")]
    assert tried[0]["cards"] == tried[1]["cards"] and tried[0]["trials_made"] == tried[1]["trials_made"]
    for name in ("fair {}/stretches.parquet", "worth {}/trials.parquet"):
        assert (tmp_path / name.format("local")).read_bytes() == (tmp_path / name.format("ray")).read_bytes()
