"""RLlib: PPO with action masking learns through its `PettingZooEnv`, one policy for all seats."""

import numpy as np
import pytest
import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.rllib.utils.pre_checks.env import check_multiagent_environments
from ray.tune.registry import register_env

from stardeck.envs import star_realms_v1
from stardeck.envs.rllib import ForRLlib
from watched import WatchedAEC, check, check_games_go_on, every_game

OPTIONS = {"on_illegal": "raise", "observation_dtype": "float32"}


@pytest.fixture(scope="module", autouse=True)
def local_ray(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        # nothing is written to the home folder
        patch.setenv("RAY_AUTH_MODE", "disabled")
        patch.setattr("ray.tune.trainable.trainable.DEFAULT_STORAGE_PATH", str(tmp_path_factory.mktemp("results")))
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
        yield
        ray.shutdown()


@every_game
def test_the_checker_finds_nothing_to_complain_of(module, settings):
    check_multiagent_environments(PettingZooEnv(ForRLlib(module.env(**settings))))


@every_game
def test_ppo_learns(module, settings):
    def make(options):
        return PettingZooEnv(ForRLlib(WatchedAEC(module.env(**options))))

    register_env("game", make)
    config = (
        PPOConfig()
        # the checker would sample an action without its mask
        .environment("game", env_config=settings | OPTIONS, disable_env_checking=True)
        .env_runners(num_env_runners=0, batch_mode="complete_episodes")
        .multi_agent(policies={"all"}, policy_mapping_fn=lambda agent, episode, **others: "all")
        .rl_module(
            rl_module_spec=RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config={"fcnet_hiddens": [32]})
        )
        .training(train_batch_size_per_learner=1000, minibatch_size=128, num_epochs=1)
        .debugging(seed=1)
    )
    algorithm = config.build_algo()
    for _ in range(2):
        assert algorithm.train()["learners"]["all"]["num_module_steps_trained"] > 0

    runner = algorithm.env_runner
    watched = runner.env.envs[0].unwrapped.env.env
    games, first = len(watched.results), len(watched.decisions)
    episodes = runner.sample(num_episodes=2)
    check(watched, games=games + 2)
    check_games_go_on(watched)
    decisions, results = watched.decisions[first:], watched.results[games:]
    for seat, agent in enumerate(watched.possible_agents):
        parts = [episode.agent_episodes[agent] for episode in episodes]
        own = [decision for decision in decisions if decision.agent == agent]
        masks = [mask for part in parts for mask in part.get_observations()["action_mask"][:-1]]
        assert (np.array(masks) == [decision.mask for decision in own]).all()
        assert [action for part in parts for action in part.get_actions()] == [decision.action for decision in own]
        assert [part.get_return() for part in parts] == pytest.approx([result[seat] for result in results])
    algorithm.stop()


@pytest.mark.parametrize("early_termination", [False, True])
def test_every_episode_ends_for_all(early_termination):
    """RLlib continues until the remaining agents are all terminated or all truncated."""
    options = {"set": "box", "format": "free_for_all", "players": 3, "max_turns": 150, "on_illegal": "raise"}
    env = PettingZooEnv(ForRLlib(star_realms_v1.env(early_termination=early_termination, **options)))
    endings = set()
    for seed in range(8):
        chance = np.random.default_rng(seed)
        observations, _ = env.reset(seed=seed)
        ended = {}  # agent: kind of end
        while "__all__" not in ended:
            (agent,) = set(observations) - set(ended)
            action = chance.choice(np.flatnonzero(observations[agent]["action_mask"]))
            observations, _, terminated, truncated, _ = env.step({agent: action})
            ended |= {agent: "terminated" for agent, flag in terminated.items() if flag}
            ended |= {agent: "truncated" for agent, flag in truncated.items() if flag}
        assert set(ended) == {"__all__", *env.possible_agents}
        endings.add(tuple(sorted(set(ended.values()))))
    both = {("terminated", "truncated")} if early_termination else set()
    assert endings == {("terminated",), ("truncated",)} | both
