"""Trainings of several seeds: each is that of one seed, they continue, and their means and intervals are right."""

import json

import numpy as np
import pytest

import stardeck
from stardeck import plots
from stardeck.agents.networks.agent import read_network
from stardeck.benchmarks.results.citation import citation
from stardeck.commands.shared.tables import print_training
from stardeck.envs.base.lanes import Lanes
from stardeck.training import several_seeds, time_limit, train
from stardeck.training.ppo.learner import PPOLearner
from stardeck.training.ppo.sb3_learner import MaskablePPOLearner
from stardeck.training.recipe import recipe_for
from stardeck.training.several_seeds import interquartile_mean, summary_of

RECIPE = {
    "units": [16, 8], "num_envs": 8, "rollout": 8, "batch": 64, "epochs": 1, "imitation": 0, "steps": 6 * 64,
    "freeze_every": 2, "evaluate_every": 3, "checkpoint_every": 1, "evaluation_games": 4, "panel": ["random", "rules"],
    "value_rounds": 0,
}  # fmt: skip
EXPERT = {
    "units": [16, 8], "imitation": 0, "rounds": 2, "games": 2, "simulations": 2, "evaluate_every": 1,
    "evaluation_games": 4, "panel": ["random"], "value_rounds": 0,
}  # fmt: skip


def trained(folder, seed=3, **options):
    return train("interstellar_empire", folder, seed, RECIPE, options.pop("progress", False), **options)


def weights(folder):
    return read_network(folder / "agent.safetensors").weights


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    """Return the folder of two seeds, and their summary."""
    folder = tmp_path_factory.mktemp("two")
    return folder, trained(folder, seeds=2)


def test_each_seed_gives_the_network_of_a_training_of_its_own(two, tmp_path):
    folder, summary = two
    alone = [trained(tmp_path / str(seed), seed) for seed in (3, 4)]
    for seed, one in zip((3, 4), alone, strict=True):
        assert np.array_equal(weights(folder / f"seed_{seed}"), weights(tmp_path / str(seed)))
        held = json.loads((folder / f"seed_{seed}" / "summary.json").read_text())
        assert [entry["panel"] for entry in held["evaluations"]] == [entry["panel"] for entry in one["evaluations"]]
    assert summary["seeds"] == [3, 4] and summary["seed"] == 3 and summary["decisions"] == alone[0]["decisions"]
    for entry, *both in zip(summary["evaluations"], *(one["evaluations"] for one in alone), strict=True):
        for name in ("random", "rules"):
            rates = [one["panel"][name]["win_rate"] for one in both]
            assert entry["panel"][name]["win_rate"] == pytest.approx(np.mean(rates)), "of two values none is left out"
            assert [entry["panel"][name][end] for end in ("low", "high")] == pytest.approx([min(rates), max(rates)])
        assert entry["win_rate"] == entry["panel"]["random"]["win_rate"] and entry["decisions"] == both[0]["decisions"]
    assert [run["panel"] for run in summary["runs"]] == [one["evaluations"][-1]["panel"] for one in alone]


def test_the_folder_of_all_has_a_summary_a_curve_and_nothing_of_one_training(two):
    folder, summary = two
    assert {path.name for path in folder.iterdir() if path.name[0] != "."} == {
        "seed_3", "seed_4", "summary.json", "learning_curve.png",
    }  # fmt: skip
    assert json.loads((folder / "summary.json").read_text()) == summary
    assert "seeds 3 to 4" in citation(folder)["text"]


def test_a_training_of_one_seed_has_the_files_that_it_had(tmp_path):
    summary = trained(tmp_path / "one", seeds=1)
    assert {path.name for path in (tmp_path / "one").iterdir() if path.name[0] != "."} == {
        "agent.safetensors", "checkpoints", "course.json", "learning_curve.png", "logs", "pool", "summary.json",
    }  # fmt: skip
    assert "seeds" not in summary and "runs" not in summary and summary["seed"] == 3


def test_an_interrupted_training_continues_and_more_seeds_extend_it(two, tmp_path):
    told = []

    def interrupt(done, total, note):
        told.append((done, total, note))
        if note.startswith("seed 4") and done >= 1.5 * RECIPE["steps"]:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        trained(tmp_path, seeds=2, progress=interrupt)
    assert told[0][2].startswith("seed 3: ") and {total for _, total, _ in told} == {2 * RECIPE["steps"]}
    assert [done for done, *_ in told] == sorted(done for done, *_ in told)
    assert json.loads((tmp_path / "summary.json").read_text())["finished"] is False
    first = (tmp_path / "seed_3" / "agent.safetensors").stat().st_mtime_ns
    whole = trained(tmp_path, seeds=2)
    assert first and np.array_equal(weights(tmp_path / "seed_4"), weights(two[0] / "seed_4"))
    assert [entry["panel"] for entry in whole["evaluations"]] == [entry["panel"] for entry in two[1]["evaluations"]]
    assert trained(tmp_path, seeds=3)["seeds"] == [3, 4, 5]


def test_a_limit_of_time_counts_for_all_seeds(two, tmp_path, monkeypatch):
    """The clock goes on ten seconds with each look: first a part of one seed, then the rest and a part of the next."""

    class Clock:
        now = 0.0

        def monotonic(self):
            Clock.now += 10
            return Clock.now

    monkeypatch.setattr(time_limit, "time", Clock())
    monkeypatch.setattr(several_seeds, "time", Clock())
    pieces = []
    while not pieces or not pieces[-1]["finished"]:
        pieces.append(trained(tmp_path, seeds=2, minutes=1))
        assert json.loads((tmp_path / "summary.json").read_text()) == pieces[-1] and len(pieces) < 12
        plots.training(tmp_path)
    assert pieces[0]["seeds"] == [3] and pieces[0]["decisions"] < RECIPE["steps"] and pieces[0]["all"] is None
    assert pieces[0]["evaluations"][0]["low"] < pieces[0]["evaluations"][0]["high"], "of the games"
    assert pieces[-1]["seeds"] == [3, 4] and len(pieces) > 2
    assert np.array_equal(weights(tmp_path / "seed_4"), weights(two[0] / "seed_4"))


def test_expert_iteration_trains_several_seeds_too(tmp_path):
    summary = train("interstellar_empire", tmp_path, 0, EXPERT, False, "expert", seeds=2)
    assert summary["method"] == "expert" and summary["seeds"] == [0, 1] and len(summary["evaluations"]) >= 2
    assert (tmp_path / "seed_1" / "agent.safetensors").exists()


# The interquartile mean


def test_the_interquartile_mean_leaves_out_a_quarter_at_either_end():
    """Of eight values the smallest two and the largest two go: the mean of 3, 4, 5 and 6."""
    assert interquartile_mean(np.array([[1, 40], [3, 6], [-9, 4], [5, 90]], float))[0] == 4.5
    # A quarter of five is one, rounded down.
    assert interquartile_mean(np.array([[1], [2], [3], [4], [900.0]]))[0] == 3


def test_means_and_intervals_are_those_of_rliable():
    """rliable 1.2.0, aggregate_iqm and get_interval_estimates with 20,000 resamples.

    Intervals agree for one task. For several, rliable draws the runs of each task anew, so its interval differs.
    """
    values = np.array([[0.61, 0.70], [0.63, 0.66], [0.58, 0.71], [0.66, 0.69], [0.60, 0.75]])
    assert interquartile_mean(values)[0] == pytest.approx(0.6583333)
    assert interquartile_mean(values[:, :1]) == pytest.approx((0.6133333, 0.5866667, 0.65), abs=1e-6)


def test_a_seed_is_drawn_with_all_of_its_win_rates():
    """Seeds that differ by as much on each task: drawn whole, intervals of all tasks are as wide as of one."""
    seeds = np.array([[0.4], [0.5], [0.55], [0.6], [0.7]])
    one, all_ = interquartile_mean(seeds), interquartile_mean(np.repeat(seeds, 8, axis=1))
    assert all_[2] - all_[1] > 0.75 * (one[2] - one[1]), "drawn one by one it would be a third"


def test_an_interval_holds_the_mean_of_a_symmetric_distribution():
    random = np.random.default_rng(0)
    held = [
        low <= 0.5 <= high
        for _, low, high in (interquartile_mean(random.normal(0.5, 0.1, (20, 1))) for _ in range(100))
    ]
    assert 0.85 <= np.mean(held) <= 1


# What is shown


def run_of(seed, *rates):
    def entry(decisions, rate):
        told = {"win_rate": rate, "low": rate - 0.1, "high": rate + 0.1}
        other = {"win_rate": rate / 2, "low": 0.0, "high": 1.0}
        return {"decisions": decisions, "seconds": 60.0, "panel": {"rules": told, "hare": other}, "before": None} | told

    return {
        "variant": "star_realms/core/standard/2", "settings": {}, "tables": "", "method": "ppo", "identities": [],
        "recipe": {}, "opponent": "rules", "fair_share": 50.0, "seed": seed, "decisions": 2_000_000, "finished": True,
        "seconds": {"playing": 60.0}, "evaluations": [entry(n * 1_000_000, rate) for n, rate in enumerate(rates)],
    }  # fmt: skip


FIVE = summary_of([run_of(seed, 0.2, 0.4, rate) for seed, rate in enumerate((0.61, 0.63, 0.58, 0.66, 0.60))])


def test_the_table_shows_each_seed_and_the_mean_with_its_interval(capsys):
    print_training(FIVE, "out")
    out = capsys.readouterr().out
    assert "2,000,000 decisions of self-play, seeds 0, 1, 2, 3, 4" in out and "interquartile mean of 5 seeds" in out
    assert "61.0, 63.0, 58.0, 66.0, 60.0" in out and "61.33 %  [58.67, 65.00]" in out
    assert "30.67 %  [29.33, 32.50]" in out and "out/seed_*/agent.safetensors" in out and "5.0 minutes" in out


def test_the_curve_has_a_band_over_the_seeds():
    figure = plots.training(FIVE)
    (axes,) = figure.axes
    assert figure.get_suptitle().replace("\n", " ").endswith("5 seeds of 2.0 million decisions in 5 minutes")
    assert axes.lines[0].get_ydata() == pytest.approx([20, 40, 61.3333])
    band = axes.collections[0].get_paths()[0].vertices
    assert band[:, 1].min() == pytest.approx(20) and band[:, 1].max() == pytest.approx(65)
    assert axes.get_ylabel() == "games won, %\n(interquartile mean)"
    width = figure.get_figwidth() * figure.dpi
    figure.draw_without_rendering()
    (legend,) = figure.legends
    assert 0 <= legend.get_window_extent().x0 and legend.get_window_extent().x1 <= width


# Mistakes


@pytest.mark.parametrize("seeds", [0, -1, 2.0, "2", True, None])
def test_a_wrong_number_of_seeds_is_named(tmp_path, seeds):
    with pytest.raises(ValueError, match="^seeds=.*: must be a whole number from 1 on$"):
        trained(tmp_path / "out", seeds=seeds)
    assert not (tmp_path / "out").exists()


def test_seeds_stay_below_the_largest(tmp_path):
    with pytest.raises(ValueError, match="^seed=4294967296: must be a whole number from 0 to 4294967295$"):
        trained(tmp_path / "out", seed=2**32 - 1, seeds=2)


def test_a_folder_of_one_training_is_refused_and_the_reverse(two, tmp_path):
    (tmp_path / "course.json").write_text("{}")
    with pytest.raises(ValueError, match="holds a training of one seed, not of several; choose another folder"):
        trained(tmp_path, seeds=2)
    with pytest.raises(ValueError, match="holds trainings of several seeds, not of one; choose another folder"):
        trained(two[0])
    with pytest.raises(ValueError, match=r"seed_3: holds a training with .*; choose another folder"):
        train("interstellar_empire", two[0], 3, RECIPE | {"epochs": 2}, False, seeds=2)


def test_trainings_of_two_seeds_have_no_deal_in_common():
    recipe = recipe_for("interstellar_empire", {"num_envs": 8, "rollout": 32, "batch": 64})
    dealt = []
    for seed in (0, 1):
        learner = MaskablePPOLearner(stardeck.make("interstellar_empire"), recipe)
        learner.begin(seed)
        learner._env.reset()
        dealt.append({int(each) for each in learner.lanes._lanes["seed"]})
        own = PPOLearner(Lanes(stardeck.make("interstellar_empire"), 8, "random"), recipe)
        own.begin(seed)
        own._deal()
        assert {int(each) for each in own.lanes._lanes["seed"]} == dealt[-1]
    assert len(dealt[0]) == len(dealt[1]) == 8 and not dealt[0] & dealt[1]
