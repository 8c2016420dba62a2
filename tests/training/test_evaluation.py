"""Evaluations beside a training: the training goes on meanwhile, and its results are the same."""

import threading

import numpy as np
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

import stardeck
from helpers import scaled
from stardeck.agents.networks.agent import read_network
from stardeck.training.evaluation import EvaluationStoppedError, Panel
from stardeck.training.ppo.backend import learner_on
from stardeck.training.ppo.selfplay import SelfPlay
from stardeck.training.recipe import recipe_for

LANES, STEPS = 2, scaled(16, 4)
ROLLOUTS = 7
RECIPE = {
    "units": [16, 8], "num_envs": LANES, "rollout": STEPS, "batch": 64, "epochs": 1, "imitation": 0, "value_rounds": 0,
    "steps": ROLLOUTS * LANES * STEPS, "freeze_every": 2, "evaluate_every": 3, "checkpoint_every": 2,
    "evaluation_games": 4, "panel": ["random", "simple"],
}  # fmt: skip
PATIENCE = 60  # seconds until a test that hangs fails


def training(folder, beside, progress=lambda *_: None):
    game = stardeck.make("interstellar_empire")
    recipe = recipe_for("interstellar_empire", RECIPE)
    made = SelfPlay(game, recipe, 3, folder, progress, learner_on("cpu", game, recipe))
    made._beside = beside
    return made


class Stop:
    """A progress function that interrupts from the beginning of a rollout on."""

    def __init__(self, rollout):
        self.rollout = rollout

    def __call__(self, done, total, note):
        if done >= self.rollout * LANES * STEPS:
            raise KeyboardInterrupt


def told(summary):
    """Return the evaluations without their times."""
    return [{name: value for name, value in entry.items() if name != "seconds"} for entry in summary["evaluations"]]


def logged(folder):
    """Return the logged rows of evaluations by name, in order."""
    rows = {}
    for path in sorted((folder / "logs").glob("events*")):
        log = EventAccumulator(str(path)).Reload()
        for name in log.Tags()["scalars"]:
            if name.startswith("evaluation/"):
                rows.setdefault(name, []).extend((event.step, event.value) for event in log.Scalars(name))
    return rows


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """Return a training whose evaluations were played in its own turn: the folder and the summary."""
    folder = tmp_path_factory.mktemp("plain")
    return folder, training(folder, beside=False).run()


def test_results_logs_and_weights_are_the_same(plain, tmp_path):
    folder, summary = plain
    beside = training(tmp_path, beside=True).run()
    assert told(beside) == told(summary)
    decisions = [0, 3 * LANES * STEPS, 6 * LANES * STEPS, 7 * LANES * STEPS]
    assert [entry["decisions"] for entry in told(beside)] == decisions
    assert logged(tmp_path) == logged(folder)
    assert [step for step, _ in logged(tmp_path)["evaluation/random"]] == decisions
    assert np.array_equal(*(read_network(each / "agent.safetensors").weights for each in (folder, tmp_path)))


def test_an_interrupted_training_evaluates_again_what_had_no_result(plain, tmp_path):
    folder, summary = plain
    for rollout in (0, 2, 4, 6):  # at 0 and 6 an evaluation is under way when the checkpoint is written
        with pytest.raises(KeyboardInterrupt):
            training(tmp_path, True, Stop(rollout)).run()
    found = training(tmp_path, beside=True).run()
    assert told(found) == told(summary)
    assert np.array_equal(*(read_network(each / "agent.safetensors").weights for each in (folder, tmp_path)))


def test_the_training_goes_on_while_an_evaluation_is_played(tmp_path, monkeypatch):
    further = threading.Event()
    waited = []
    measure = Panel.measure

    def slow(self, *args):
        if not waited:
            waited.append(further.wait(PATIENCE))  # the first ends only after a rollout
        return measure(self, *args)

    monkeypatch.setattr(Panel, "measure", slow)
    training(tmp_path, True, lambda done, total, note: further.set() if done >= LANES * STEPS else None).run()
    assert waited == [True]


def test_an_error_of_an_evaluation_ends_the_training(tmp_path, monkeypatch):
    monkeypatch.setattr(Panel, "measure", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        training(tmp_path, beside=True).run()


def test_an_interrupted_training_leaves_no_evaluation_running(tmp_path, monkeypatch):
    rates = []
    stopping = threading.Event()
    ended = threading.Event()

    measure = Panel.measure

    def watched(self, *args):
        try:
            return measure(self, *args)
        except EvaluationStoppedError:
            ended.set()
            raise

    monkeypatch.setattr(Panel, "measure", watched)
    monkeypatch.setattr("stardeck.training.evaluation.win_share", lambda *_: rates.append(1) or stopping.wait(PATIENCE))
    with pytest.raises(KeyboardInterrupt):
        training(tmp_path, True, Stop(0)).run()
    stopping.set()
    assert ended.wait(PATIENCE) and len(rates) == 1


def test_the_summary_says_where_the_time_went(plain):
    _, summary = plain
    parts = {"imitating", "beginning", "freezing", "evaluating", "saving", "choosing", "stepping", "updating"}
    assert set(summary["seconds"]) == parts and all(seconds >= 0 for seconds in summary["seconds"].values())
