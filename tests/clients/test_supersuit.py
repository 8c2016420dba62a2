"""SuperSuit: its vectorisers of AEC and of parallel environments."""

import contextlib

import numpy as np
import pytest
from pettingzoo.utils.conversions import turn_based_aec_to_parallel
from supersuit import concat_vec_envs_v1, pettingzoo_env_to_vec_env_v1, vectorize_aec_env_v0

from watched import WatchedAEC, check, check_games_go_on, every_game


def make(module, settings):
    return WatchedAEC(module.env(on_illegal="raise", **settings))


def pick(chance, mask):
    return chance.choice(np.flatnonzero(mask))


@every_game
def test_aec_environments_side_by_side(module, settings):
    vector = vectorize_aec_env_v0(make(module, settings), num_envs=3)
    chance = np.random.default_rng(1)
    taken = [[] for _ in vector.envs]
    won = 0
    vector.reset(seed=1)
    for agent in vector.agent_iter(10_000):
        observations, _, terminated, truncated, _, _, passes, _ = vector.last()
        masks = [seen["action_mask"] for seen in observations]
        actions = [pick(chance, mask) for mask in masks]
        for index in np.flatnonzero(~(passes | terminated | truncated).astype(bool)):
            taken[index].append((agent, masks[index], actions[index]))
        vector.step(actions)
        # a finished game begins anew at the next step, before the others' `last`: this is where all are paid
        won = won + np.stack([vector.rewards[agent] for agent in vector.possible_agents], axis=1)

    check(*vector.envs)
    check_games_go_on(*vector.envs)
    for env, own, paid in zip(vector.envs, taken, won, strict=True):
        agents, masks, actions = zip(*own, strict=True)
        assert list(agents) == [decision.agent for decision in env.decisions]
        assert (np.array(masks) == [decision.mask for decision in env.decisions]).all()
        assert list(actions) == [decision.action for decision in env.decisions]
        assert paid == pytest.approx(np.sum(env.results, axis=0))


@every_game
def test_a_row_for_each_seat_of_parallel_environments(module, settings):
    parallel = turn_based_aec_to_parallel(make(module, settings))
    vector = concat_vec_envs_v1(pettingzoo_env_to_vec_env_v1(parallel), num_vec_envs=3)
    chance = np.random.default_rng(1)
    observations, _ = vector.reset(seed=1)
    all_masks, all_actions, won = [], [], 0
    for _ in range(3000):
        masks = observations["action_mask"]
        actions = np.array([pick(chance, mask) for mask in masks])
        observations, rewards, _, _, _ = vector.step(actions)
        all_masks.append(masks)
        all_actions.append(actions)
        won = won + rewards

    envs = [part.par_env.aec_env for part in vector.vec_envs]
    check(*envs)
    check_games_go_on(*envs)
    row = 0
    for env in envs:
        for seat, agent in enumerate(env.possible_agents):
            mine = [step for step, decision in enumerate(env.decisions) if decision.agent == agent]
            for step in mine:
                assert (all_masks[step][row] == env.decisions[step].mask).all()
                assert all_actions[step][row] == env.decisions[step].action
            assert won[row] == pytest.approx(sum(result[seat] for result in env.results))
            row += 1


@every_game
def test_parallel_environments_in_processes_of_their_own(module, settings):
    parallel = module.parallel_env(on_illegal="raise", **settings)
    vector = concat_vec_envs_v1(pettingzoo_env_to_vec_env_v1(parallel), num_vec_envs=2, num_cpus=2)
    chance = np.random.default_rng(1)
    finished = 0
    with contextlib.closing(vector):
        observations, _ = vector.reset()
        first, second = np.split(observations["observation"], 2)
        assert (first != second).any(), "copies of an environment deal the same game"
        observations, _ = vector.reset(seed=1)
        for _ in range(3000):
            actions = np.array([pick(chance, mask) for mask in observations["action_mask"]])
            observations, rewards, terminated, truncated, _ = vector.step(actions)
            assert rewards.sum() == pytest.approx(0, abs=1e-6)
            finished += (terminated | truncated).sum()
    assert finished > 0 and finished % len(parallel.possible_agents) == 0
