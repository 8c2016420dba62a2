"""Notebooks, each run from its first cell to its last on reduced budgets, and stored without outputs."""

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from helpers import scaled

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))


# Budgets in the notebooks, and those of the tests, compiled and not.
BUDGETS = {
    r"GAMES = 20_000": ("GAMES = 100", "GAMES = 2"),
    r"GAMES = 2_000": ("GAMES = 20", "GAMES = 2"),
    r"SEARCH_GAMES = 20": ("SEARCH_GAMES = 2", "SEARCH_GAMES = 1"),
    r"games=20_000": ("games=200", "games=2"),
    r"search:50": ("search:50", "search:1"),
    r"arange\(1000\)": ("arange(1000)", "arange(2)"),
    r"STEPS = 500_000": ("STEPS = 2_048", "STEPS = 8"),
    r"IMITATION = 200_000": ("IMITATION = 1", "IMITATION = 0"),
    r'"StarRealms-v1", 256': ('"StarRealms-v1", 256', '"StarRealms-v1", 2'),
    r'"freeze_every": 3': (
        '"freeze_every": 1, "num_envs": 32, "rollout": 32, "batch": 512',
        '"freeze_every": 1, "num_envs": 2, "rollout": 4, "batch": 8',
    ),
}


def reduced(source):
    """Return the same cell with a smaller budget."""
    for written, spent in BUDGETS.items():
        source = re.sub(written, scaled(*spent), source)
    return source


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning", "ignore::RuntimeWarning")
def test_notebook_runs(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        cell.source = reduced(cell.source)
    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_notebook_is_stored_without_outputs(path):
    for cell in nbformat.read(path, as_version=4).cells:
        assert not cell.get("outputs") and not cell.get("execution_count")


def test_what_is_said_of_the_length_of_games_is_what_was_measured():
    """The first table of docs/results.md lists agents from the weakest: games of strong agents are not shorter."""
    results = (NOTEBOOKS[0].parents[1] / "docs" / "results.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)`[^|]*\|[^|]*\|[^|]*\| ([\d.]+) \|", results, re.M)
    turns = {agent: float(mean) for agent, mean in rows[:4]}
    assert turns["random"] > turns["simple"] and turns["ppo"] > turns["rules"]
    (told,) = [path.read_text(encoding="utf-8") for path in NOTEBOOKS if "advantage" in path.name]
    assert "`ppo` beats `rules`, and its games last longer" in told and "finish sooner" not in told
