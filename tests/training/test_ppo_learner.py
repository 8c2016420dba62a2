"""The learner for devices: it seldom waits for the device, and computes in the precision of its recipe."""

from collections import Counter

import numpy as np
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map_only

from helpers import game_of, scaled
from stardeck.agents.networks.agent import read_network
from stardeck.envs.base.lanes import Lanes
from stardeck.training import train
from stardeck.training.checkpoints import CheckpointFolder
from stardeck.training.layers import first_layer
from stardeck.training.policy import export
from stardeck.training.ppo.backend import learner_on
from stardeck.training.ppo.learner import PPOLearner
from stardeck.training.ppo.process_group import Member
from stardeck.training.ppo.replayed import WARM_CALLS
from stardeck.training.ppo.stopwatch import Stopwatch
from stardeck.training.recipe import recipe_for

GAME = "interstellar_empire/2"
LANES, STEPS = 4, scaled(60, 6)
NUMBERS = {
    "num_envs": LANES,
    "rollout": STEPS,
    "batch": 40,
    "epochs": 2,
    "units": [16, 8],
    "steps": 2 * LANES * STEPS,
    "value_rounds": 0,
}
WAITING = (
    "nonzero",
    "_local_scalar_dense",
    "is_nonzero",
    "masked_select",
    "equal",
)  # operators that return to the host


def learner_of(**changes):
    recipe = recipe_for("interstellar_empire", NUMBERS | changes)
    learner = PPOLearner(Lanes(game_of(GAME), LANES, "random", team=True, skip_forced=True), recipe)
    learner.begin(3)
    return learner, learner.new_rollout()


class Waits(TorchDispatchMode):
    """Counter of operators whose result the host reads, which on a GPU waits for all work so far."""

    def __init__(self):
        super().__init__()
        self.counts = Counter()

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        name = function.overloadpacket.__name__
        by_mask = name in ("index", "index_put_", "index_put") and any(
            each is not None and each.dtype == torch.bool for each in args[1]
        )
        self.counts["waits"] += name in WAITING or by_mask
        return function(*args, **kwargs or {})


@pytest.fixture
def waits(monkeypatch):
    """Count what the host reads, the lists of tensors included."""
    counted = Waits()
    listed = torch.Tensor.tolist
    monkeypatch.setattr(torch.Tensor, "tolist", lambda one: counted.counts.update(["waits"]) or listed(one))
    return counted


def test_the_host_waits_for_the_device_once_a_rollout_and_once_an_update(waits):
    learner, rollout = learner_of()
    with waits:
        learner.collect(rollout)
    assert rollout.ended.any() or scaled(False, True)
    assert waits.counts["waits"] == 2  # the results of the ended games: which ended, and their list
    waits.counts.clear()
    with waits:
        learner.update(rollout)
    assert waits.counts["waits"] == 1  # the means for the log


def test_results_of_ended_games_are_kept_in_the_order_of_their_ends():
    learner, rollout = learner_of()
    seen = []
    step = learner.lanes.step

    def watched(actions):
        step(actions)
        seen.extend(learner.lanes.rewards[learner.lanes.ended_rows].tolist())

    learner.lanes.step = watched
    for _ in range(3):
        learner.collect(rollout)
    assert list(learner._returns) == seen[-100:]
    assert len(seen) > 4 or scaled(False, True)


def test_a_truncated_game_is_worth_its_estimated_value():
    learner, rollout = learner_of()
    learner.collect(rollout)
    before = rollout.rewards.clone()
    seen = learner.lanes.game.observe(learner.lanes.game.deal([5, 6]))
    learner._cut = [(1, np.array([2]), seen[:1], None), (3, np.array([0]), seen[1:], None)]
    learner._judge(rollout)
    values = learner._values(torch.as_tensor(seen))
    places = torch.zeros(STEPS, LANES, dtype=torch.bool)
    places[1, 2] = places[3, 0] = True
    assert torch.equal(rollout.cut_values[places], values) and not rollout.cut_values[~places].any()
    assert torch.equal(rollout.rewards, before) and not learner._cut


def test_bfloat16_learns_nearly_the_same_and_float32_is_the_default():
    learnt = {}
    for precision in (None, "float32", "tf32", "bfloat16"):
        learner, rollout = learner_of(**({"precision": precision} if precision else {}))
        learner.collect(rollout)
        kind = learner.policy.action_net.weight.dtype
        figures = learner.update(rollout)
        learnt[precision] = torch.cat([part.detach().flatten() for part in learner.policy.parameters()])
        assert kind == torch.float32 and all(np.isfinite(list(figures.values())))
        assert rollout.values.dtype == rollout.log_probabilities.dtype == torch.float32
    assert torch.equal(learnt[None], learnt["float32"])
    assert not torch.equal(learnt["bfloat16"], learnt["float32"])
    assert torch.allclose(learnt["bfloat16"], learnt["float32"], atol=0.02)
    assert torch.get_float32_matmul_precision() == "highest"


def test_a_precision_that_is_none_or_not_for_the_processor_is_refused(tmp_path):
    with pytest.raises(ValueError, match="precision='half': must be one of float32, tf32, bfloat16"):
        recipe_for("star_realms", {"precision": "half"})
    with pytest.raises(ValueError, match="precision='tf32': must be float32 on the processor"):
        train("interstellar_empire", tmp_path / "out", recipe=NUMBERS | {"precision": "tf32"})
    assert not (tmp_path / "out").exists()


def test_a_folder_of_before_there_were_precisions_goes_on(tmp_path):
    identity = {"variant": "any", "device": "cpu", "recipe": {"steps": 5}}
    CheckpointFolder(tmp_path, identity)
    CheckpointFolder(tmp_path, identity | {"recipe": {"steps": 5, "precision": "float32"}})
    with pytest.raises(ValueError, match="recipe.precision 'float32', not 'tf32'"):
        CheckpointFolder(tmp_path, identity | {"recipe": {"steps": 5, "precision": "tf32"}})


class Graph(TorchDispatchMode):
    """CUDA graph on the processor: it records operators with their tensors, and undoes what the recording changed.

    A replay calls the operators with the recorded tensors and numbers, and writes their results where they were.
    """

    replays = 0

    def __init__(self):
        super().__init__()
        self.calls = []
        self.before = {}

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        assert function.overloadpacket.__name__ not in WAITING, function
        written = [each for each in tree_leaves((args, kwargs)) if isinstance(each, torch.Tensor)]
        if function._schema.is_mutable:
            for tensor in written:
                self.before.setdefault(id(tensor), (tensor, tensor.clone()))
        result = function(*args, **kwargs or {})
        self.calls.append(
            (function, *tree_map_only(torch.Tensor, lambda each: each.data, (args, kwargs or {}, result)))
        )
        return result

    def __enter__(self):
        self.chance = torch.get_rng_state()
        return super().__enter__()

    def __exit__(self, *error):
        super().__exit__(*error)
        torch.set_rng_state(self.chance)
        for tensor, value in self.before.values():
            tensor.data.copy_(value)

    @torch.no_grad()
    def replay(self):
        Graph.replays += 1
        for function, args, kwargs, result in self.calls:
            again = function(*args, **kwargs)
            for old, new in zip(tree_leaves(result), tree_leaves(again), strict=True):
                if isinstance(old, torch.Tensor) and old.data_ptr() != new.data_ptr():
                    old.copy_(new)


def test_recorded_steps_learn_the_same(monkeypatch):
    monkeypatch.setattr(torch.cuda, "CUDAGraph", Graph)
    monkeypatch.setattr(torch.cuda, "graph", lambda graph: graph)
    monkeypatch.setattr(first_layer, "DENSE", np.inf)  # as on a GPU: a recording holds operators of torch alone
    learnt, figures = [], []
    for recorded in (False, True):
        learner, rollout = learner_of(graphs=recorded, batch=4 * LANES)
        Graph.replays = 0
        for _ in range(3):
            learner.collect(rollout)
            figures.append(learner.update(rollout))
        learnt.append([part.detach().clone() for part in learner.policy.parameters()])
        choices, steps = 3 * STEPS, 3 * 2 * (STEPS // 4)  # the last batch of an epoch may be smaller
        assert Graph.replays == (choices + steps - 2 * WARM_CALLS if recorded else 0)
    assert all(torch.allclose(one, other, atol=1e-6) for one, other in zip(*learnt, strict=True))
    assert all(one == pytest.approx(other, abs=1e-5) for one, other in zip(figures[:3], figures[3:], strict=True))


@pytest.mark.parametrize("helpers", [{}, {"critic": "all", "magnet": 0.05}])
def test_sparse_and_dense_products_learn_the_same(helpers, monkeypatch):
    monkeypatch.setattr(torch, "get_num_threads", lambda: 1)
    made, summed = [], first_layer.embedding_bag
    monkeypatch.setattr(first_layer, "embedding_bag", lambda *given, **named: made.append(1) or summed(*given, **named))
    learnt = []
    for dense in (np.inf, first_layer.DENSE):
        monkeypatch.setattr(first_layer, "DENSE", dense)
        learner, rollout = learner_of(**helpers)
        for _ in range(3):
            learner.collect(rollout)
            learner.update(rollout)
        learnt.append([part.detach().clone() for part in learner.policy.parameters()])
        assert bool(made) == (dense != np.inf)
    assert all(torch.allclose(one, other, atol=1e-6) for one, other in zip(*learnt, strict=True))


@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_graphs_that_cannot_be_are_refused(device, tmp_path):
    recipe = recipe_for("interstellar_empire", NUMBERS | {"graphs": True})
    group = Member(0, 1 if device == "cpu" else 2)
    with pytest.raises(ValueError, match="graphs=True: must be False "):
        learner_on(device, game_of(GAME), recipe, group)


class Event:
    """An event of a GPU that records the number of the record as its time, in milliseconds."""

    made = recorded = waited = 0

    def __init__(self, enable_timing):
        assert enable_timing
        Event.made += 1

    def record(self):
        Event.recorded += 1
        self.at = 1000 * Event.recorded**2

    def synchronize(self):
        Event.waited += 1

    def elapsed_time(self, other):
        return other.at - self.at


def test_a_stopwatch_on_a_gpu_waits_once_for_many_times(monkeypatch):
    monkeypatch.setattr(torch.cuda, "Event", Event)
    watch = Stopwatch(torch.device("cuda"))
    for _ in range(2):
        Event.recorded = 0
        for _ in range(3):
            with watch:
                pass
        assert watch.seconds() == (4 - 1) + (16 - 9) + (36 - 25)
    assert (Event.made, Event.waited) == (6, 2)
    assert watch.seconds() == 0


HELPED = {"critic": "all", "magnet": 0.5, "magnet_averaging": 0.75, "entropy": 0.05, "final_entropy": 0.2}


def helped_learner(**changes):
    learner, rollout = learner_of(**(HELPED | changes))
    learner.policy.begin_helpers()
    return learner, rollout


def test_a_critic_begins_as_the_value_head_and_learns_from_hidden_cards():
    learner, rollout = helped_learner()
    with torch.no_grad():
        learner.policy.value_net.weight.normal_()
    learner.policy.begin_helpers()
    learner.collect(rollout)
    seen, hidden = rollout.observations.flatten(0, 1), rollout.hidden.flatten(0, 1)
    with torch.no_grad():
        own = learner.policy.value_net(learner.policy.extract_features(seen))[:, 0]
        assert torch.allclose(learner.policy.critic(seen, hidden), own, atol=1e-5)
        blind = learner.policy.critic(seen, torch.zeros_like(hidden))
        assert torch.allclose(learner.policy.critic(seen, hidden), blind, atol=1e-6)  # sums are rounded by their length
    assert torch.allclose(rollout.values.flatten(), own, atol=1e-5)
    assert hidden.any() and (seen.shape[1], hidden.shape[1]) == (280, learner.lanes.game.hidden_size)
    figures = learner.update(rollout)
    first = learner.policy.critic.trunk.layers[0].weight
    assert first[:, seen.shape[1] :].abs().sum() > 0 and figures["critic_loss"] > 0
    assert not torch.allclose(learner._values(seen, hidden), learner._values(seen))


def test_what_is_hidden_belongs_to_the_seat_that_decides():
    learner, rollout = helped_learner()
    shown = []
    decide = learner._decide

    def watched(rollout, step):
        states = learner.lanes._states.copy()
        shown.append(learner.lanes.game.observe_hidden(states, states["to_act"]))
        return decide(rollout, step)

    learner._decide = watched
    learner.collect(rollout)
    assert np.array_equal(rollout.hidden.numpy(), np.stack(shown))


def test_a_truncated_game_is_judged_with_its_hidden_cards():
    learner, rollout = helped_learner()
    learner.collect(rollout)
    learner.update(rollout)
    states = learner.lanes.game.deal([5, 6])
    seen, hidden = learner.lanes.game.observe(states), learner.lanes.game.observe_hidden(states)
    learner._cut = [(1, np.array([2]), seen[:1], hidden[:1]), (3, np.array([0]), seen[1:], hidden[1:])]
    learner._judge(rollout)
    with torch.no_grad():
        values = learner.policy.critic(torch.as_tensor(seen), torch.as_tensor(hidden))
    assert torch.equal(rollout.cut_values[[1, 3], [2, 0]], values)


def test_the_divergence_from_the_magnet_is_that_of_the_two_policies():
    learner, rollout = helped_learner(critic="own")
    learner.collect(rollout)
    batch = rollout.select(torch.arange(min(30, rollout.size)))
    seen, masks, actions = (batch[name] for name in ("observations", "masks", "actions"))
    assert learner.policy.evaluate(seen, actions, masks)[3].abs().max() < 1e-6  # it begins as the policy
    learner.update(rollout)
    with torch.no_grad():
        divergences = learner.policy.evaluate(seen, actions, masks)[3].numpy()
        ours = learner.policy.action_net(learner.policy.extract_features(seen)).numpy().astype(float)
        theirs = learner.policy.magnet.action_net(learner.policy.magnet.trunk(seen)).numpy().astype(float)
    for row in range(len(seen)):
        legal = masks[row].numpy()
        one, other = (np.exp(each[row][legal]) / np.exp(each[row][legal]).sum() for each in (ours, theirs))
        assert divergences[row] == pytest.approx((one * np.log(one / other)).sum(), abs=1e-5)
    assert divergences.max() > 0


def test_the_magnet_averages_the_past_of_the_policy():
    learner, rollout = helped_learner(epochs=1, batch=LANES * STEPS)
    learner.collect(rollout)
    before = learner.policy.action_net.weight.detach().clone()
    for _ in range(2):
        magnet = learner.policy.magnet.action_net.weight.clone()
        learner.update(rollout)
        after = learner.policy.action_net.weight.detach()
        assert torch.allclose(learner.policy.magnet.action_net.weight, 0.75 * magnet + 0.25 * after, atol=1e-7)
    assert not torch.equal(before, after) and not learner.policy.magnet.action_net.weight.requires_grad


def test_the_weight_of_the_entropy_falls_evenly():
    learner, rollout = helped_learner(final_entropy=0.2, steps=4 * LANES * STEPS)
    weights = []
    for _ in range(4):
        learner.collect(rollout)
        learner.update(rollout)
        weights.append(float(learner._entropy))
    assert weights == pytest.approx([0.05 * (1 - 0.8 * share) for share in (0.25, 0.5, 0.75, 1)])


def test_each_helper_changes_what_is_learned_and_nothing_of_the_agent():
    learnt = []
    for changes in ({}, {"critic": "all"}, {"magnet": 0.5}, {"final_entropy": 0.0, "entropy": 0.05}, {"entropy": 0.05}):
        learner, rollout = learner_of(**changes)
        learner.policy.begin_helpers()
        for _ in range(2):
            learner.collect(rollout)
            learner.update(rollout)
        network = export(learner.policy, learner.lanes.game)
        learnt.append(network.weights)
        assert [len(bias) for _, bias in network.layers] == [16, 8]
    assert len({weights.tobytes() for weights in learnt}) == len(learnt)


def test_an_interrupted_training_with_helpers_goes_on_to_the_same_end(tmp_path):
    numbers = NUMBERS | HELPED | {"imitation": 0, "checkpoint_every": 1, "evaluation_games": 2, "panel": ["random"]}

    def stop(done, total, note):
        if done >= LANES * STEPS:
            raise KeyboardInterrupt

    train("interstellar_empire", tmp_path / "whole", recipe=numbers, progress=False)
    with pytest.raises(KeyboardInterrupt):
        train("interstellar_empire", tmp_path / "broken", recipe=numbers, progress=stop)
    train("interstellar_empire", tmp_path / "broken", recipe=numbers, progress=False)
    one, other = (read_network(tmp_path / name / "agent.safetensors").weights for name in ("whole", "broken"))
    assert np.array_equal(one, other)


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("critic", "both", "one of own, all"),
        ("magnet", -0.1, "from 0 to 10"),
        ("magnet_averaging", 1.0, "from 0 to 0.99999"),
        ("final_entropy", 1.5, "from 0 to 1"),
    ],
)
def test_helpers_that_cannot_be_are_refused(name, value, allowed):
    with pytest.raises(ValueError, match=f"^{name}={value!r}: must be {allowed}"):
        recipe_for("star_realms", {name: value})
