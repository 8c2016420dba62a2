"""Opponents in self-play training: fixed agents are frequent early and rare later, and copies may search."""

import numpy as np
import pytest

import stardeck
from helpers import a_network, scaled
from stardeck.agents.networks.agent import NetworkAgent, read_network
from stardeck.agents.search.agent import SearchAgent
from stardeck.training import train
from stardeck.training.checkpoints import CheckpointFolder
from stardeck.training.ppo.opponents import Opponents
from stardeck.training.recipe import recipe_for

GAME = stardeck.make("star_realms", set="box", format="hunter", players=6)  # five opponents in every line-up


def opponents(folder, copies, **numbers):
    """Return a pool with a number of copies, frozen after every rollout of 100 decisions, of 1,000 in all."""
    usual = {"steps": 1_000, "num_envs": 10, "rollout": 10, "batch": 10, "freeze_every": 1}
    found = Opponents(folder, GAME, recipe_for("star_realms", usual | numbers), seed=1)
    for number in range(copies):
        found.freeze(a_network(GAME, seed=number))
    return found


def share(found, kind):
    drawn = [agent for lineup in found.lineups() for agent in lineup]
    return np.mean([isinstance(agent, kind) for agent in drawn])


@pytest.mark.parametrize(("copies", "expected"), [(1, 0.8), (5, 0.8), (6, 0.1), (10, 0.1)])
def test_fixed_agents_become_rare_when_the_early_stage_is_over(tmp_path, copies, expected):
    found = opponents(tmp_path, copies, fixed_share=0.8, late_fixed_share=0.1, early=0.5)
    assert 1 - share(found, NetworkAgent) == pytest.approx(expected, abs=0.07)


def test_before_there_is_a_copy_all_are_fixed(tmp_path):
    assert share(opponents(tmp_path, 0, fixed_share=0.0), NetworkAgent) == 0


def test_the_early_stage_can_last_to_the_end(tmp_path):
    assert share(opponents(tmp_path, 10, fixed_share=1.0, late_fixed_share=0.0, early=1.0), NetworkAgent) == 0


def test_some_copies_search_guided_by_themselves(tmp_path):
    found = opponents(tmp_path, 8, early=0.0, late_fixed_share=0.2, search_share=0.5, search_simulations=3)
    assert share(found, SearchAgent) == pytest.approx(0.4, abs=0.07)
    searching = [agent for lineup in found.lineups() for agent in lineup if isinstance(agent, SearchAgent)]
    assert {agent.simulations for agent in searching} == {3}
    assert len({agent.identity for agent in searching}) > 1, "older copies search too"


def test_a_training_against_searching_copies_goes_on_to_the_same_end(tmp_path):
    recipe = {
        "units": [16, 8], "num_envs": scaled(8, 2), "rollout": scaled(32, 4), "batch": 64, "epochs": 1, "imitation": 0,
        "value_rounds": 0,
        "steps": scaled(8 * 32 * 4, 2 * 4 * 4), "freeze_every": 1, "evaluate_every": 4, "checkpoint_every": 1,
        "evaluation_games": 2, "search_share": 1.0, "search_simulations": 2, "early": 0.3, "late_fixed_share": 0.0,
    }  # fmt: skip
    short = {"max_turns": scaled(20, 4)}

    def stop(done, total, note):
        if done >= total // 2:
            raise KeyboardInterrupt

    whole = train("star_realms", tmp_path / "whole", 3, recipe, **short)
    with pytest.raises(KeyboardInterrupt):
        train("star_realms", tmp_path / "broken", 3, recipe, stop, **short)
    broken = train("star_realms", tmp_path / "broken", 3, recipe, **short)
    assert whole["decisions"] == broken["decisions"] and whole["copies"] == broken["copies"] == 4
    ends = [read_network(tmp_path / name / "agent.safetensors").weights for name in ("whole", "broken")]
    assert np.array_equal(*ends)


def test_the_pool_goes_on_beyond_ten_thousand_copies(tmp_path):
    found = opponents(tmp_path, 1)
    first = (tmp_path / "0000.safetensors").read_bytes()
    for number in (9_998, 9_999, 10_000):
        (tmp_path / f"{number}.safetensors").write_bytes(first)
    assert [path.stem for path in found.files()] == ["0000", "9998", "9999", "10000"]
    found.read_new()
    assert found._copies[-1].name == "10000" and len(found) == 4


def test_the_newest_checkpoint_is_that_of_the_largest_number(tmp_path):
    kept = CheckpointFolder(tmp_path, {})
    for number in (99_942_400, 99_975_168, 100_007_936):
        with kept._new(tmp_path / "checkpoints", number):
            pass
    assert kept.newest().name == "100007936"
