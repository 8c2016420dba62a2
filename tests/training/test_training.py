"""Training: it learns, resumes to the same end after an interruption, and refuses invalid input."""

import base64
import io
import itertools
import json
import pickle
import shutil
import zipfile

import numpy as np
import pytest
import torch
from click.testing import CliRunner
from safetensors.torch import load, save
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.logger import Logger

import stardeck
from helpers import a_network, game_of, scaled
from stardeck import agents
from stardeck.agents.networks.agent import NetworkAgent, read_network
from stardeck.benchmarks.results.folder_lock import only_writer
from stardeck.commands.cli import cli
from stardeck.envs.base.lanes import Lanes
from stardeck.envs.sb3 import GameVecEnv
from stardeck.training import imitation, train
from stardeck.training.checkpoints import LANES, NOTES, WEIGHTS, CheckpointFolder
from stardeck.training.imitation import returns_of
from stardeck.training.layers.legal_actions import legal_choices
from stardeck.training.policy import MaskedPolicy, export, logits_of, make_policy
from stardeck.training.ppo.learner import PPOLearner
from stardeck.training.ppo.sb3_learner import MaskablePPOLearner, make_model
from stardeck.training.recipe import recipe_for

TINY = {
    "units": [16, 8],
    "num_envs": scaled(8, 2),
    "rollout": scaled(32, 4),
    "batch": 64,
    "epochs": 1,
    "imitation": 0,
    "value_rounds": 0,
    "steps": scaled(8 * 32 * 6, 2 * 4 * 6),
    "freeze_every": 2,
    "evaluate_every": 3,
    "checkpoint_every": 2,
    "evaluation_games": scaled(20, 1),
}


EVALUATION = {"decisions": 0, "seconds": 0.5, "win_rate": 0.5, "copies": 1, "panel": {}, "before": None}
SHORT = scaled({}, {"max_turns": 6})  # uncompiled games last long


def weights(folder):
    return read_network(folder / "agent.safetensors").weights


class Stop:
    """A progress function that interrupts after a number of decisions."""

    def __init__(self, at):
        self.at = at

    def __call__(self, done, total, note):
        if done >= self.at:
            raise KeyboardInterrupt


def test_a_training_goes_on_to_the_same_end_after_interruptions(tmp_path):
    whole = train("star_realms", tmp_path / "whole", seed=3, recipe=TINY, **SHORT)
    for at in (TINY["steps"] // 2, TINY["steps"] // 6 * 5):
        with pytest.raises(KeyboardInterrupt):
            train("star_realms", tmp_path / "broken", seed=3, recipe=TINY, progress=Stop(at), **SHORT)
    broken = train("star_realms", tmp_path / "broken", seed=3, recipe=TINY, **SHORT)
    assert np.array_equal(weights(tmp_path / "whole"), weights(tmp_path / "broken"))
    told = ("decisions", "win_rate", "panel", "before", "copies")
    rates = [[[entry[name] for name in told] for entry in run["evaluations"]] for run in (whole, broken)]
    assert rates[0] == rates[1] and len(rates[0]) == 3
    assert list(whole["evaluations"][0]["panel"]) == ["rules", "ppo-0.1", "cheap-combat", "same-faction"]
    assert [entry["copies"] for entry in whole["evaluations"]] == [1, 2, 3]
    assert whole["evaluations"][0]["before"] is None and whole["evaluations"][1]["before"]["win_rate"] is not None
    assert whole["copies"] == broken["copies"] == 3
    again = train("star_realms", tmp_path / "whole", seed=3, recipe=TINY, **SHORT)
    assert again == json.loads((tmp_path / "whole" / "summary.json").read_text()) | {"seconds": again["seconds"]}
    other = train("star_realms", tmp_path / "other", seed=4, recipe=TINY, **SHORT)
    assert other["evaluations"] and not np.array_equal(weights(tmp_path / "whole"), weights(tmp_path / "other"))


@pytest.mark.parametrize(
    ("game", "settings"),
    [
        ("star_realms", {"set": "box", "format": "free_for_all", "players": 3}),
        ("star_realms", {"set": "box", "format": "two_headed_hydra"}),
        ("star_realms", {"set": "box", "format": "nemesis_beast", "players": 1}),
        ("star_realms", {"set": "box", "format": "raid", "players": 3}),
        ("star_realms", {"set": "rise_of_empire", "scenario": 1}),
        ("rise_of_empire", {}),
        ("interstellar_empire", {"players": 4}),
        ("empire_of_the_stars", {"players": 3}),
    ],
)
def test_every_kind_of_variant_can_be_trained(tmp_path, game, settings):
    recipe = TINY | {"steps": TINY["num_envs"] * TINY["rollout"] * 3}
    settings = settings | (SHORT if game == "star_realms" else {})
    summary = train(game, tmp_path / "out", recipe=recipe, **settings)
    for name in ("agent.safetensors", "learning_curve.png", "summary.json"):
        assert (tmp_path / "out" / name).stat().st_size > 0
    trained = agents.get(str(tmp_path / "out" / "agent.safetensors"), stardeck.make(game, **settings))
    assert trained.network.about["variant"] == summary["variant"]
    assert json.loads(trained.network.about["recipe"]) == summary["recipe"]


def test_a_training_may_begin_from_a_trained_agent(tmp_path):
    train("star_realms", tmp_path / "first", recipe=TINY | {"steps": 1}, **SHORT)
    path = tmp_path / "first" / "agent.safetensors"
    recipe = TINY | {"start": str(path), "learning_rate": 1e-12, "steps": 1}
    train("star_realms", tmp_path / "second", seed=9, recipe=recipe, **SHORT)
    assert np.allclose(weights(tmp_path / "second"), weights(tmp_path / "first"), atol=1e-6)


def test_imitation_learns_to_decide_like_the_teacher(tmp_path, monkeypatch):
    recipe = TINY | {"imitation": scaled(64 * 512 * 2, 1), "steps": 1, "evaluation_games": scaled(200, 1)}
    monkeypatch.setattr(imitation, "LENGTH", scaled(512, 2))
    summary = train("star_realms", tmp_path, recipe=recipe | {"units": [64, 64]}, **SHORT)
    assert summary["evaluations"][0]["win_rate"] >= scaled(0.15, 0.0)  # a random network never wins


def test_of_a_network_the_whole_policy_is_imitated():
    game = game_of("star_realms/core/standard/2")
    states = game.deal(np.arange(64))
    teacher = NetworkAgent(a_network(game), "teacher")
    actions = torch.as_tensor(teacher.act(game, states, None, np.zeros(64, np.uint64)))
    observations, masks = torch.as_tensor(game.observe(states)), torch.as_tensor(game.legal_actions(states))
    _, wanted = legal_choices(logits_of(teacher.network, observations), masks)
    unlike = []
    for imitated in (teacher, agents.get("rules")):  # of `rules` only the actions are known
        policy = make_policy(game, (16, 8), seed=1)
        for group in policy.optimizer.param_groups:
            group["lr"] = 1e-2
        for _ in range(200):
            _, unlikeness = imitation._compare(policy, imitated, observations, masks, actions)
            policy.optimizer.zero_grad()
            unlikeness.backward()
            policy.optimizer.step()
        _, likely = legal_choices(policy.action_net(policy.extract_features(observations)), masks)
        unlike.append(float((wanted.exp() * (wanted - likely)).sum(dim=1).mean().detach()))
    assert unlike[0] < 0.02 < 0.1 < unlike[1], unlike


def test_logits_are_those_that_compiled_networks_play_by():
    game = game_of("star_realms/core/standard/2")
    states = game.deal(np.arange(50))
    for tanh in (False, True):
        network = a_network(game, tanh=tanh)
        _, likely = legal_choices(logits_of(network, torch.as_tensor(game.observe(states))), game.legal_actions(states))
        legal, _ = legal_choices(torch.zeros(50, game.num_actions), game.legal_actions(states))
        chosen = NetworkAgent(network, "network").act(game, states, None, np.zeros(50, np.uint64))
        assert (legal.gather(1, likely.argmax(dim=1, keepdim=True))[:, 0].numpy() == chosen).all()


def test_probabilities_are_those_of_the_library():
    env = GameVecEnv(game_of("star_realms/core/standard/2"), 8, agents.get("random"), skip_forced=True)
    policy = make_model(env, recipe_for("star_realms", TINY), seed=5).policy
    env.seed(3)
    env.reset()
    for step in range(scaled(40, 6)):
        env.step(env.lanes.random_actions(np.arange(8, dtype=np.uint64) + np.uint64(8 * step)))
    observations, masks = torch.as_tensor(env.lanes.observations), torch.as_tensor(env.action_masks())
    assert len(set(masks.sum(dim=1).tolist())) > 1
    actions = torch.as_tensor(env.lanes.random_actions(np.arange(8, dtype=np.uint64)))
    for dense, allowed in itertools.product((False, True), (masks.numpy(), None)):
        policy.dense = dense
        gradients = []
        for judge in (MaskedPolicy, MaskableActorCriticPolicy):
            values, chosen, entropies = judge.evaluate_actions(policy, observations, actions, allowed)
            policy.zero_grad()
            (values.sum() + chosen.sum() + entropies.sum()).backward()
            gradients.append([p.grad.clone() for p in policy.parameters()])
            gradients[-1] += [values.flatten(), chosen, entropies]
        assert all(torch.allclose(own, theirs, atol=1e-4) for own, theirs in zip(*gradients, strict=True))
    for policy.dense in (False, True):
        taken, values, log_probabilities = policy.forward(observations, action_masks=masks.numpy())
        assert masks.gather(1, taken[:, None]).all() and torch.allclose(values, policy.predict_values(observations))
        again = policy.evaluate_actions(observations, taken, masks.numpy())[1]
        assert torch.allclose(log_probabilities, again, atol=1e-6)


def test_an_exported_network_is_the_policy():
    game = game_of("star_realms/core/standard/2")
    env = GameVecEnv(game, 4, "random")
    env.seed(1)
    observations = env.reset()
    policy = make_model(env, recipe_for("star_realms", TINY), seed=1).policy
    agent = agents.networks.agent.NetworkAgent(export(policy, game), "net")
    with torch.no_grad():
        values = policy.predict_values(torch.as_tensor(observations)).numpy().ravel()
        actions, *_ = policy(torch.as_tensor(observations), deterministic=True, action_masks=env.action_masks())
    states = env.lanes._states
    assert np.allclose(agent.values(game, states), values, atol=0.02)
    assert agent.act(game, states, None, np.zeros(4, np.uint64)).tolist() == actions.tolist()


class Untold:
    """A course that records nothing."""

    def before_rollout(self):
        pass

    def after_rollout(self, stepping):
        pass


@pytest.mark.parametrize(("game", "settings"), [("interstellar_empire", {}), ("star_realms", {"max_turns": 8})])
def test_the_loop_for_devices_learns_what_maskable_ppo_does(game, settings):
    played = stardeck.make(game, **settings)
    steps, lanes = scaled(48, 6), 4
    numbers = {"num_envs": lanes, "rollout": steps, "batch": 40, "steps": 3 * steps * lanes, "units": [16, 8]}
    recipe = recipe_for(game, TINY | numbers | {"epochs": 2})
    ended = []

    def in_its_order(count, device):  # there the decisions of a lane are consecutive, here those of a step
        order = np.random.permutation(count)
        return torch.as_tensor(order % steps * lanes + order // steps)

    class Watched(Lanes):
        def cut_short(self):
            ended.extend(super().cut_short())
            return super().cut_short()

    theirs = MaskablePPOLearner(played, recipe)
    ours = PPOLearner(Watched(played, lanes, "random", team=True, skip_forced=True), recipe, in_its_order)
    for learner in (theirs, ours):
        np.random.seed(3)
        learner.begin(3)
        learner.policy.dense = True  # both draw from as many numbers
        start = [weights.detach().clone() for weights in learner.policy.parameters()]
        learner.learn(Untold(), Logger(None, []))
    assert theirs.decisions == ours.decisions == recipe.steps and theirs.recent() == ours.recent()
    for before, one, other in zip(start, theirs.policy.parameters(), ours.policy.parameters(), strict=True):
        assert not torch.equal(before, one) and torch.allclose(one, other, atol=1e-6)
    assert any(ended) == (game == "star_realms") or scaled(False, True)  # truncated games


def test_how_games_ended_is_known_backwards():
    ended = np.array([[0, 1], [1, 0], [0, 0], [0, 1], [0, 0]], bool)
    rewards = np.where(ended, np.array([[0, 1], [-1, 0], [0, 0], [0, -1], [0, 0]]), 0).astype(np.float32)
    returns, known = returns_of(torch.as_tensor(rewards), torch.as_tensor(ended))
    assert returns.tolist() == [[-1, 1], [-1, -1], [0, -1], [0, -1], [0, 0]]
    assert known.tolist() == [[1, 1], [1, 1], [0, 1], [0, 1], [0, 0]]


@pytest.mark.parametrize(
    ("recipe", "message"),
    [
        ({"stpes": 5}, "stpes: is not part of a recipe of ppo; known: steps, "),
        ({"rounds": 3}, "rounds=3: must be left out with method ppo; expert has it"),
        ({"start": "easy"}, "start='easy': must be a trained agent, such as hard, ppo or a file; not simple"),
        ({"start": "strongest"}, "start='strongest': must be a trained agent, .*; not search:400:prior=expert"),
        ({"steps": -1}, "steps=-1: must be from 0 to"),
        ({"entropy": float("inf")}, "entropy=inf: must be from 0 to 10"),
        ({"entropy": float("nan")}, "entropy=nan: must be from 0 to 10"),
        ({"learning_rate": float("inf")}, "learning_rate=inf: must be from 1e-12 to 1"),
        ({"num_envs": 10**9}, "num_envs=1000000000: must be from 1 to 4194304"),
        (
            {"num_envs": 65536, "rollout": 65536},
            "num_envs=65536: must be such that with rollout=65536",
        ),
        ({"units": [8 * 10**6]}, r"units=.8000000,.: must be multiples of 8 up to 1024"),
        ({"steps": True}, "steps=True: must be a int"),
        ({"units": "x" * 10_000}, "units='xxx.*[.]{3}xxx.*: must be a tuple"),
        ({"units": [12]}, "units=.*: must be multiples of 8"),
        ({"opponents": []}, "opponents=.*: must be at least one agent, or fixed_share and late_fixed_share 0"),
        ({"opponents": [], "fixed_share": 0.0}, "opponents=.*: must be at least one agent, or fixed_share and late"),
        ({"opponents": ["nobody"]}, "agent 'nobody': must be one of"),
        ({"fixed_share": 1.5}, "fixed_share=1.5: must be from 0 to 1"),
        ({"opponents": "rules"}, "opponents='rules': must be a tuple"),
        ({"num_envs": 3, "rollout": 11, "batch": 32}, "batch=32: must be such that 3 x 11 decisions leave more"),
    ],
)
def test_impossible_recipes_are_named(tmp_path, recipe, message):
    with pytest.raises(ValueError, match=message):
        train("star_realms", tmp_path / "out", recipe=TINY | recipe, **SHORT)


def test_a_seed_that_is_none_leaves_no_folder(tmp_path):
    with pytest.raises(ValueError, match="seed=-1: must be a whole number from 0 to 4294967295"):
        train("star_realms", tmp_path / "out", seed=-1, recipe=TINY, **SHORT)
    assert not (tmp_path / "out").exists()


def test_a_folder_with_another_training_is_refused(tmp_path):
    train("star_realms", tmp_path, recipe=TINY, **SHORT)
    with pytest.raises(ValueError, match="holds a training with seed 0, not 1; choose another folder"):
        train("star_realms", tmp_path, seed=1, recipe=TINY, **SHORT)
    with pytest.raises(ValueError, match="holds a training with variant 'star_realms/core/standard/2.*, not"):
        train("interstellar_empire", tmp_path, recipe=TINY)


def test_a_training_goes_on_where_it_began(tmp_path):
    CheckpointFolder(tmp_path, {"variant": "of before there were devices"})
    CheckpointFolder(tmp_path, {"variant": "of before there were devices", "device": "cpu"})
    with pytest.raises(ValueError, match="holds a training with device 'cpu', not 'cuda'; choose another folder"):
        CheckpointFolder(tmp_path, {"variant": "of before there were devices", "device": "cuda"})


@pytest.fixture(scope="module")
def half_way(tmp_path_factory):
    folder = tmp_path_factory.mktemp("half_way")
    with pytest.raises(KeyboardInterrupt):
        train("star_realms", folder, recipe=TINY, progress=Stop(TINY["steps"] // 2), **SHORT)
    return folder


@pytest.fixture
def stopped(half_way, tmp_path):
    """Return the folder of a training interrupted half way, and its newest checkpoint."""
    shutil.copytree(half_way, tmp_path, dirs_exist_ok=True)
    return tmp_path, sorted((tmp_path / "checkpoints").glob("*"))[-1]


def test_a_checkpoint_is_numbers_and_nothing_else(stopped):
    folder, newest = stopped
    assert {path.name for path in newest.iterdir()} == {WEIGHTS, LANES, NOTES}
    with np.load(newest / LANES, allow_pickle=False) as arrays:
        assert not any(arrays[name].dtype.hasobject for name in arrays.files)


class Bomb:
    """An object that creates a file when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")


def model_zip(bomb):
    """Return a model of Stable-Baselines3 with a bomb inside."""
    content = io.BytesIO()
    serialized = base64.b64encode(pickle.dumps(bomb)).decode()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("data", json.dumps({"policy_class": {":type:": "x", ":serialized:": serialized}}))
        archive.writestr("policy.pth", pickle.dumps(bomb))
    return content.getvalue()


def lanes_npz(bomb):
    content = io.BytesIO()
    np.savez(content, states=np.array([bomb], object), lanes=np.array([bomb], object))
    return content.getvalue()


@pytest.mark.parametrize(
    "name", [WEIGHTS, LANES, NOTES, "model.zip", "../../course.json", "../../pool/0000.safetensors"]
)
def test_nothing_that_a_folder_holds_is_executed(stopped, name):
    folder, newest = stopped
    bomb = Bomb(folder / "exploded")
    pickle.loads(pickle.dumps(bomb)).close()
    assert (folder / "exploded").exists(), "the bomb works"
    for content in (pickle.dumps(bomb), model_zip(bomb), lanes_npz(bomb)):
        (folder / "exploded").unlink(missing_ok=True)
        (newest / name).write_bytes(content)
        with pytest.raises(KeyboardInterrupt) if name == "model.zip" else pytest.raises(ValueError, match=str(folder)):
            train("star_realms", folder, recipe=TINY, progress=Stop(0), **SHORT)
        assert not (folder / "exploded").exists()


@pytest.mark.parametrize(
    "notes",
    [
        "", "{", "[]", "null", "5", "[" * 100_000, "{}", {"rollouts": None}, {"copies": -1}, {"copies": 1.0},
        {"decisions": "many"}, {"seconds": 5}, {"seconds": {"beginning": None}}, {"evaluations": [{}]},
        {"evaluations": 5}, {"evaluations": [{"win_rate": "x"}]}, {"evaluations": [EVALUATION | {"copies": 9}]},
        {"evaluations": [EVALUATION | {"panel": 5}]}, {"evaluations": [EVALUATION | {"before": {"win_rate": "x"}}]},
        {"evaluating": 5}, {"numpy": []}, {"numpy": ["MT19937", "x", 0, 0.0]},
        {"episodes": [5]}, {"episodes": [{"r": None, "l": 1, "t": 0.0}]},
    ],
)  # fmt: skip
def test_notes_of_another_kind_are_refused(stopped, notes):
    folder, newest = stopped
    before = json.loads((newest / NOTES).read_text())
    (newest / NOTES).write_text(json.dumps(before | notes) if isinstance(notes, dict) else notes)
    with pytest.raises(ValueError, match=f"{newest.name}: is not a whole checkpoint .*; delete it to go on"):
        train("star_realms", folder, recipe=TINY, **SHORT)


@pytest.mark.parametrize("course", ["", "[]", "5", "[" * 100_000])
def test_a_course_of_another_kind_is_refused(tmp_path, course):
    (tmp_path / "course.json").write_text(course)
    with pytest.raises(ValueError, match="course.json: is not a whole file|holds a training with variant None"):
        train("star_realms", tmp_path, recipe=TINY, **SHORT)


@pytest.mark.parametrize("name", [WEIGHTS, LANES, NOTES])
def test_a_damaged_checkpoint_is_named(stopped, name):
    folder, newest = stopped
    (newest / name).write_bytes((newest / name).read_bytes()[:-200])
    with pytest.raises(ValueError, match=f"{newest.name}: is not a whole checkpoint"):
        train("star_realms", folder, recipe=TINY, **SHORT)


def test_weights_of_another_shape_are_refused(stopped):
    folder, newest = stopped
    tensors = load((newest / WEIGHTS).read_bytes())
    for name in ("action_net.bias", "action_net.bias:exp_avg"):
        (newest / WEIGHTS).write_bytes(save(tensors | {name: torch.zeros(1)}))
        with pytest.raises(ValueError, match=r"is not a whole checkpoint \(action_net.bias: \[1\]"):
            train("star_realms", folder, recipe=TINY, **SHORT)


def test_a_training_is_the_one_writer_of_its_folder(tmp_path):
    with only_writer(tmp_path), pytest.raises(ValueError, match="is writing to it"):
        train("star_realms", tmp_path, recipe=TINY, **SHORT)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("command", [["train"], ["exploit"], ["train-value"], ["train-belief"]])
def test_the_range_of_a_seed_is_that_of_the_generators(command):
    agent = [] if command == ["train"] else ["ppo"]
    found = CliRunner().invoke(cli, [*command, "star_realms", *agent, "--seed", str(2**32)])
    assert found.exit_code == 2 and "4294967296 is not in the range 0<=x<=4294967295" in found.output
