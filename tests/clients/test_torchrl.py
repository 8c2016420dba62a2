"""TorchRL: its wrapper of PettingZoo hands on masks, actions and returns; PPO learns against agents."""

import pytest
import torch
from tensordict.nn import ProbabilisticTensorDictModule, ProbabilisticTensorDictSequential, TensorDictModule
from torchrl.collectors import Collector
from torchrl.envs import DTypeCastTransform, GymWrapper, PettingZooWrapper, TransformedEnv
from torchrl.modules import MaskedCategorical, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from watched import WatchedAEC, WatchedSolo, check, check_games_go_on, every_game

STEPS = 256  # of a rollout


@every_game
def test_its_wrapper_of_pettingzoo_plays(module, settings):
    """Random legal actions until games have ended; the stored data equal those of the game."""
    torch.manual_seed(1)
    watched = WatchedAEC(module.env(on_illegal="raise", mask_in="obs", **settings))  # it fails with the mask in both
    env = PettingZooWrapper(watched, use_mask=True, categorical_actions=True, seed=1)
    while len(watched.results) < 2:
        begun, ended = len(watched.decisions), len(watched.results)
        played = env.rollout(3000, break_when_any_done=True)
        own = watched.decisions[begun:]
        assert len(own) == len(played) and len(watched.results) == ended + 1
        for step, decision in zip(played, own, strict=True):
            kept = step[decision.agent]
            assert kept["mask"].item() and (kept["action_mask"][0].numpy() == decision.mask).all()
            assert kept["action"].item() == decision.action
        paid = [played["next", agent, "reward"].sum().item() for agent in watched.possible_agents]
        assert paid == pytest.approx(watched.results[-1].tolist())
    check(watched)
    check_games_go_on(watched)


def learner(size, actions):
    body = torch.nn.Sequential(torch.nn.Linear(size, 32), torch.nn.ReLU(), torch.nn.Linear(32, actions))
    actor = ProbabilisticTensorDictSequential(
        TensorDictModule(body, in_keys=["observation"], out_keys=["logits"]),
        ProbabilisticTensorDictModule(
            in_keys={"logits": "logits", "mask": "action_mask"}, out_keys=["action"],
            distribution_class=MaskedCategorical, return_log_prob=True,
        ),
    )  # fmt: skip
    return actor, ValueOperator(torch.nn.Linear(size, 1), in_keys=["observation"])


@every_game
def test_ppo_learns(module, settings):
    torch.manual_seed(1)
    options = {"opponents": "simple", "on_illegal": "raise", "mask_in": "obs", "observation_dtype": "float32"}
    watched = WatchedSolo(module.SingleAgentEnv(**options, **settings))
    env = TransformedEnv(
        GymWrapper(watched, categorical_action_encoding=True),
        DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"]),
    )
    game = watched.unwrapped.game
    actor, critic = learner(game.observation_size, game.num_actions)
    loss, advantage = ClipPPOLoss(actor, critic), GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    optimizer = torch.optim.Adam(loss.parameters(), 1e-3)
    env.set_seed(1)
    before = [weights.detach().clone() for weights in actor.parameters()]
    rewards = []
    for batch in Collector(env, actor, frames_per_batch=STEPS, total_frames=8 * STEPS):
        own = watched.decisions[-STEPS:]
        assert (batch["action_mask"].numpy() == [decision.mask for decision in own]).all()
        assert batch["action"].tolist() == [decision.action for decision in own]
        paid, done = batch["next", "reward"].squeeze(-1), batch["next", "done"].squeeze(-1)
        rewards += paid[done].tolist()
        assert not paid[~done].any()
        advantage(batch)
        losses = loss(batch)
        optimizer.zero_grad()
        sum(value for name, value in losses.items() if name.startswith("loss_")).backward()
        optimizer.step()
    check(watched, games=2)
    assert rewards == pytest.approx(watched.won)
    after = list(actor.parameters())
    assert any((old != new).any() for old, new in zip(before, after, strict=True))


@every_game
def test_infos_are_registered_and_stacked(module, settings):
    """Infos of one learner, with the final information in its last step."""
    torch.manual_seed(1)
    watched = WatchedSolo(module.SingleAgentEnv(opponents="simple", on_illegal="random_legal", **settings))
    env = GymWrapper(watched, categorical_action_encoding=True).auto_register_info_dict()
    env.set_seed(1)
    played = env.rollout(100_000, break_when_any_done=True)
    game = watched.unwrapped.game
    told = played["next"]
    assert (played["action_mask"].shape, told["returns"].shape) == (
        (len(played), game.num_actions), (len(played), game.players),
    )  # fmt: skip
    assert not told["returns"][:-1].any() and not told["illegal"].any()
    for key, values in game.info(watched.unwrapped._states).items():
        assert torch.as_tensor(values).equal(told[key][-1])


@every_game
def test_infos_of_a_parallel_environment_are_stacked(module, settings):
    """As `PettingZooWrapper` does by default."""
    torch.manual_seed(1)
    parallel = module.parallel_env(mask_in="obs", on_illegal="random_legal", **settings)
    env = PettingZooWrapper(parallel, categorical_actions=True, seed=1)
    played = env.rollout(20)
    told = played["player", "info"]
    assert (told["active"].reshape(len(played), -1).sum(dim=1) == 1).all()
    assert set(told.keys()) >= {"returns", "winners", "placements", "illegal"}
