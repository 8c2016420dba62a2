"""The learning track: equal budgets, curves over seeds, and trainers of one's own."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from stardeck import agents
from stardeck.benchmarks.suite.tasks import tasks_named
from stardeck.commands.cli import cli
from stardeck.training import track_trainers
from stardeck.training.learning_track import learning_track
from stardeck.training.track_trainers import Budget, checkpoints

TASK = "nemesis-beast-2"


def two_agents(game, decisions, seed, checkpoint):
    """Begin as `random`, and end as `rules`."""
    checkpoint(agents.get("random"), 0)
    checkpoint(agents.get("rules"), decisions)


def test_a_curve_rises_with_the_agent_and_is_kept(tmp_path, monkeypatch):
    result = learning_track(two_agents, TASK, tmp_path, 1_000, range(2))
    first, last = result["curve"]
    assert (first["decisions"], last["decisions"]) == (0, 1_000) and first["points"] < last["points"]
    assert result["points"] == last["points"] and len(result["seeds"]) == 2
    held = json.loads((tmp_path / "learning.json").read_text())
    assert held["curve"] == result["curve"] and (tmp_path / "learning_curve.png").stat().st_size > 5_000
    one, other = (run["curve"] for run in result["seeds"])
    assert one == other  # the same deals, and agents that do not depend on the seed

    def fails(*given):
        raise AssertionError("is asked again")

    monkeypatch.setattr(track_trainers, "_Course", fails)
    assert learning_track(two_agents, TASK, tmp_path, 1_000, range(2))["curve"] == result["curve"]

    def changed(game, decisions, seed, checkpoint):
        checkpoint(agents.get("rules"), decisions)

    changed.__name__ = two_agents.__name__
    with pytest.raises(ValueError, match="holds results of another function two_agents; choose another folder"):
        learning_track(changed, TASK, tmp_path, 1_000, range(2))
    with pytest.raises(ValueError, match="decisions 1000, not 2000"):
        learning_track(two_agents, TASK, tmp_path, 2_000, range(2))


class Learner:
    """An agent that goes on learning after it has been handed over, as a network that is being trained does."""

    name = "learner"

    def __init__(self):
        self.now = agents.get("random")

    def act(self, game, states, masks, seeds):
        return self.now.act(game, states, masks, seeds)


def test_an_agent_is_measured_as_it_is_when_it_is_handed_over(tmp_path):
    def learns(game, decisions, seed, checkpoint):
        learner = Learner()
        for made in range(0, decisions // 2, 10):
            checkpoint(learner, made)
        learner.now = agents.get("rules")
        for made in range(decisions // 2, decisions, 10):
            checkpoint(learner, made)
        checkpoint(agents.get("random"), decisions)
        checkpoint(agents.get("rules"), decisions)  # the same time: the last one counts

    curve = learning_track(learns, TASK, tmp_path, 1_000, [0])["curve"]
    made, found = zip(*[(point["decisions"], point["points"]) for point in curve], strict=True)
    assert made == tuple(range(0, 1_001, 100))
    assert set(found[:5]) == {found[0]} and set(found[5:]) == {found[-1]} and found[0] < found[-1]


def test_the_last_point_is_that_of_the_benchmark(tmp_path):
    from stardeck.benchmarks.suite import benchmark

    learned = learning_track(two_agents, TASK, tmp_path / "learned", 1_000, [0])
    measured = benchmark("rules", tmp_path / "measured", 60, [TASK])
    assert learned["points"] == pytest.approx(measured["tasks"][0]["points"])


@pytest.mark.parametrize(("method", "decisions"), [("ppo", 12_000), ("expert", 12_000), ("expert", 1_000)])
def test_methods_of_the_package_keep_their_budget(tmp_path, method, decisions):
    game = tasks_named(["interstellar-empire-3"])[0].played(tasks_named(["interstellar-empire-3"])[0].levels[0])
    budget = Budget(game, decisions, 1, tmp_path)
    made = list(checkpoints(method, budget))
    counts = [count for _, count in made]
    assert len(made) >= 2 and counts == sorted(counts) and counts[0] == 0
    assert 0.5 * decisions <= counts[-1] <= decisions
    whole = json.loads((tmp_path / "summary.json").read_text())["decisions"]
    assert whole <= 1.2 * decisions, "what exceeds the budget is less than a round"
    again = list(checkpoints(method, budget))  # from the folder
    assert [agent.trained.digest for agent, _ in again] == [agent.trained.digest for agent, _ in made]


@pytest.mark.parametrize(
    ("trainer", "message"),
    [
        (lambda *given: None, "has made no checkpoint"),
        (lambda *given: given[3](agents.get("random"), 1_001), r"checkpoint.agent, 1001.: .* from 0 to 1,000"),
        (lambda *given: given[3](agents.get("random"), -1), "whole number from 0"),
        (lambda *given: given[3](agents.get("random"), 0.5), "checkpoint.agent, 0.5.: .* must be a whole number"),
        (lambda *given: given[3](agents.get("random"), "many"), "checkpoint.agent, 'many'.: .* must be a whole number"),
        (
            lambda *given: [given[3](agents.get("random"), made) for made in (900, 10)],
            "from 900 to 1,000, and no less than before",
        ),
        (lambda *given: 1 / 0, "the trainer has failed .ZeroDivisionError"),
    ],
)
def test_a_trainer_that_fails_is_refused(tmp_path, trainer, message):
    with pytest.raises(ValueError, match=message):
        learning_track(trainer, TASK, tmp_path, 1_000, [0])


def test_the_command_takes_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(
        "from stardeck import agents\n\ndef train(game, decisions, seed, checkpoint):\n"
        "    checkpoint(agents.get('simple'), decisions)\n"
    )
    words = ["benchmark", "mine.py:train", "--train-budget", "1000", "--seeds", "2", "--tasks", TASK]
    answer = CliRunner().invoke(cli, words)
    assert answer.exit_code == 0 and "2 seeds of 1,000 decisions" in answer.output
    written = json.loads(Path(f"results/learning-mine.py-train/{TASK}/learning.json").read_text())
    assert written["decisions"] == 1_000 and written["trainer"] == "mine.py:train"
    for given, message in (
        ("nobody", "trainer 'nobody': must be ppo, expert, or a function"),
        ("mine.py:other", "has no function 'other'"),
        ("none.py:train", "cannot be read"),
    ):
        answer = CliRunner().invoke(cli, ["benchmark", given, *words[2:]])
        assert answer.exit_code == 2 and message in answer.output and "Traceback" not in answer.output
    answer = CliRunner().invoke(cli, ["benchmark", "rules", "--seeds", "2"])
    assert answer.exit_code == 2 and "--seeds 2: needs --train-budget" in answer.output
