"""Models of other libraries as agents: they act as in the library, and as files that play without it."""

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3 import DQN
from torch import nn

from helpers import deep_states, game_of
from stardeck import agents
from stardeck.agents.identity import identity_of
from stardeck.agents.networks.agent import NetworkError
from stardeck.benchmarks.arena.series import Series
from stardeck.envs.sb3 import GameVecEnv
from stardeck.kernels.compile.jit import entry
from stardeck.kernels.primitives.network import tanh

GAME = game_of("interstellar_empire/2")
STATES = deep_states(GAME, games=6, steps=60, every=3)
MASKS = GAME.legal_actions(STATES)
SEEDS = np.arange(len(STATES), dtype=np.uint64)


def a_model(dtype="uint8", kind=MaskablePPO, **policy):
    env = GameVecEnv(GAME, 2, "random", observation_dtype=dtype)
    given = {"buffer_size": 10} if kind is DQN else {"n_steps": 8, "batch_size": 4}
    return kind("MlpPolicy", env, policy_kwargs=policy, seed=1, device="cpu", **given)


def a_module(*units, curve=nn.ReLU, ends=None):
    widths = [GAME.observation_size, *units]
    torch.manual_seed(3)
    pairs = zip(widths[:-1], widths[1:], strict=True)
    parts = [part for pair in pairs for part in (nn.Linear(*pair), curve())]
    return nn.Sequential(*parts, nn.Linear(widths[-1], ends or GAME.num_actions))


def decide(agent):
    return agent.act(GAME, STATES, MASKS, SEEDS)


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_a_model_of_sb3_acts_as_it_predicts(dtype):
    model = a_model(dtype)
    agent = agents.get(agents.from_sb3(model), GAME)
    seen = GAME.observe(STATES) * (GAME.observation_scale() if dtype == "float32" else np.uint8(1))
    predicted, _ = model.predict(seen, action_masks=MASKS, deterministic=True)
    assert agent.name == "MaskablePPO" and (decide(agent) == predicted).all()
    assert len(set(predicted)) > 3


def test_a_model_without_masks_takes_legal_actions():
    agent = agents.get(agents.from_sb3(a_model(kind=DQN), "values"), GAME)
    assert agent.name == "values" and MASKS[np.arange(len(MASKS)), decide(agent)].all()


def test_a_sampled_model_draws_from_its_policy_by_the_seeds_alone():
    agent = agents.from_torch(a_module(8), sampled=True)
    n = 4_000
    many, seeds = GAME.copy(STATES[:1].repeat(n)), np.arange(n, dtype=np.uint64)
    masks = GAME.legal_actions(many)
    drawn = agent.act(GAME, many, masks, seeds)
    assert (drawn == agent.act(GAME, many, masks, seeds)).all()
    logits = agent.scores(GAME, STATES[:1], MASKS[:1])[0][MASKS[0] == 1].astype(np.float64)
    expected = n * np.exp(logits) / np.exp(logits).sum()
    counts = np.array([(drawn == action).sum() for action in np.flatnonzero(MASKS[0])])
    assert counts.sum() == n and len(counts) > 1
    assert ((counts - expected) ** 2 / expected).sum() < 10 + 3 * len(counts)


def test_a_model_sees_what_it_is_shown():
    module = nn.Linear(2, GAME.num_actions)
    agent = agents.from_torch(module, observe=lambda game, states: np.stack([states["turn"], states["to_act"]], axis=1))
    assert MASKS[np.arange(len(MASKS)), decide(agents.get(agent, GAME))].all()
    with pytest.raises(NetworkError, match="agent 'Linear': has its own observe function"):
        agents.export(agent, GAME, "mine.safetensors")


@pytest.mark.parametrize(
    ("agent", "alike"),
    [
        (lambda: agents.from_sb3(a_model()), True),
        (lambda: agents.from_sb3(a_model("float32", net_arch={"pi": [20], "vf": [9]})), True),
        (lambda: agents.from_sb3(a_model(activation_fn=nn.ReLU, net_arch={"pi": [24], "vf": [16, 12]})), True),
        (lambda: agents.from_sb3(a_model(kind=DQN)), False),
        (lambda: agents.from_torch(a_module(32, 10), value=a_module(16, ends=1)), True),
        (lambda: agents.from_torch(a_module(32, curve=nn.Tanh), observation_dtype="float32"), False),
    ],
    ids=["sb3", "scaled", "uneven", "dqn", "torch", "tanh"],
)
def test_a_file_plays_as_its_model_does(agent, alike, tmp_path):
    agent = agent()
    written = agents.export(agent, GAME, tmp_path / "mine.safetensors", {"made": "in a test"})
    again = agents.get(tmp_path / "mine.safetensors", GAME)
    assert again.name == "mine" and again.identity == written.identity and again.network.about["made"] == "in a test"
    assert (decide(again) == decide(written)).all()
    assert (decide(again) == decide(agent)).mean() > 0.95  # weights of 16 bits
    values = again.values(GAME, STATES)
    if not alike:
        assert not values.any()
        return
    seen = torch.as_tensor(GAME.observe(STATES) * (GAME.observation_scale() if agent.scaled else 1)).float()
    with torch.no_grad():
        expected = agent.model.policy.predict_values(seen) if hasattr(agent, "model") else agent.value(seen)
    assert np.allclose(values, expected[:, 0].numpy(), atol=0.02 * expected.abs().max().item())


def test_a_written_model_plays_inside_the_compiled_loop(tmp_path):
    written = agents.export(agents.from_torch(a_module(16, curve=nn.Tanh)), GAME, tmp_path / "mine.safetensors")
    series = Series(GAME, [written, "random"])
    assert series.compiled and len(series.play(0, 4).seeds) == 4


@entry
def tangents(x, y):
    for i in range(len(x)):
        y[i] = tanh(x[i])


def test_the_tangent_is_that_of_the_library():
    x = np.linspace(-12, 12, 20_001, dtype=np.float32)
    y = np.empty_like(x)
    tangents(x, y)
    assert np.abs(y - np.tanh(x)).max() < 1e-6


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: agents.from_torch(nn.Sequential(a_module(8), nn.LayerNorm(GAME.num_actions))), "has a LayerNorm; a"),
        (lambda: agents.from_torch(nn.Sequential(a_module(8), nn.ReLU())), "ends in a ReLU; must end in a Linear"),
        (lambda: agents.from_torch(a_module(8), value=a_module(8, curve=nn.Tanh, ends=1)), "takes one of them"),
        (lambda: agents.from_torch(a_module(8, 8, 8, 8, 8)), "5 layers: must be from 1 to 4"),
        (lambda: agents.from_torch(a_module(8, ends=7)), f"scores 7 actions; {GAME.id} has {GAME.num_actions}"),
        (lambda: agents.from_torch(nn.Linear(5, 5)), f"agent 'Linear': cannot evaluate {GAME.id}"),
        (lambda: agents.get("rules"), r"agent CompiledAgent\('rules'\): must be one of from_sb3 or from_torch"),
    ],
)
def test_what_a_file_does_not_hold_is_named(make, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        agents.export(make(), GAME, tmp_path / "mine.safetensors")
    assert not list(tmp_path.iterdir())


def test_what_is_no_model_is_named(tmp_path):
    with pytest.raises(ValueError, match="model 'x': must be of MaskablePPO, PPO, A2C or DQN"):
        agents.from_sb3("x")
    with pytest.raises(ValueError, match="module 'x': must be a torch.nn.Module"):
        agents.from_torch("x")
    with pytest.raises(NetworkError, match="mine.pt: must end in .safetensors"):
        agents.export(agents.from_torch(a_module(8)), GAME, tmp_path / "mine.pt")


def test_weights_tell_models_apart():
    model = a_model()
    agent, module = agents.from_sb3(model), a_module(8)
    before = identity_of(agent)
    assert identity_of(agents.from_sb3(a_model())) == before
    with torch.no_grad():
        model.policy.action_net.bias += 1
    assert identity_of(agent) != before
    kinds = [agents.from_torch(module), agents.from_torch(module, sampled=True), agents.from_torch(a_module(9))]
    assert len({identity_of(agent) for agent in kinds}) == 3


@pytest.mark.parametrize(
    ("agent", "game", "message"),
    [
        ("rules", GAME, "agent 'rules': must be one of from_sb3 or from_torch"),
        (None, GAME, "agent None: must be one of from_sb3 or from_torch"),
        ("model", "star_realms", "game 'star_realms': must be a Game, as stardeck.make gives it"),
    ],
)
def test_what_cannot_be_exported_is_named(tmp_path, agent, game, message):
    """Regression: AttributeError about something without `name` or `deal`."""
    given = agents.from_torch(a_module(16)) if agent == "model" else agent
    with pytest.raises(NetworkError, match=message):
        agents.export(given, game, tmp_path / "mine.safetensors")


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(OSError, match="none/mine.safetensors"):
        agents.export(agents.from_torch(a_module(16)), GAME, tmp_path / "none" / "mine.safetensors")


def test_a_module_that_leaves_is_refused():
    class Leaving(nn.Linear):
        def forward(self, seen):
            raise SystemExit(3)

    leaving = agents.from_torch(Leaving(GAME.observation_size, GAME.num_actions), "leaving")
    with pytest.raises(ValueError, match="agent 'leaving': cannot evaluate .* \\(3\\)"):
        agents.get(leaving, GAME)
