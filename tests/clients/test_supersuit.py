"""SuperSuit: its vectorisers of AEC and of parallel environments."""

import contextlib

import numpy as np
import pytest
from pettingzoo.utils.conversions import turn_based_aec_to_parallel
from supersuit import black_death_v3, concat_vec_envs_v1, pettingzoo_env_to_vec_env_v1, vectorize_aec_env_v0

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
        # a finished game restarts at the next step, before the `last` of the other seats: all rewards appear here
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


@every_game
def test_a_policy_that_seats_share_learns_behind_black_death(module, settings):
    """REINFORCE with masks over several games; `black_death_v3` steps environments that are over."""
    env = black_death_v3(module.parallel_env(mask_in="info", **settings))
    agents = env.possible_agents
    (size,), actions = env.observation_space(agents[0]).shape, env.action_space(agents[0]).n
    weights = np.zeros((size, actions))
    chance = np.random.default_rng(1)
    for seed in range(2):
        observations, infos = env.reset(seed=seed)
        taken, paid = [], dict.fromkeys(agents, 0.0)
        while env.agents:
            assert set(observations) == set(infos) == set(agents)
            chosen = {}
            for agent in env.agents:
                seen, mask = observations[agent] / 255, infos[agent]["action_mask"]
                logits = np.where(mask == 1, seen @ weights, -np.inf)
                odds = np.exp(logits - logits.max())
                chosen[agent] = int(chance.choice(actions, p=odds / odds.sum()))
                if infos[agent]["active"]:
                    assert mask[chosen[agent]]
                    taken.append((agent, seen, odds / odds.sum(), chosen[agent]))
            observations, rewards, _, _, infos = env.step(chosen)
            for agent, reward in rewards.items():
                paid[agent] += reward
        assert env.unwrapped.game.is_over(env.unwrapped._states)[0] and sum(paid.values()) == pytest.approx(0, abs=1e-6)
        for agent, seen, odds, action in taken:
            gradient = -odds
            gradient[action] += 1
            weights += 0.01 * paid[agent] * np.outer(seen, gradient)
    assert np.isfinite(weights).all()
