"""The vector environment of Stable-Baselines3."""

import gymnasium
import numpy as np
import pytest

from helpers import pick, scaled
from stardeck.envs.sb3 import GameVecEnv

LANES = scaled(6, 2)
STEPS = scaled(600, 30)


def test_stable_baselines3_gets_what_it_expects():
    env = GameVecEnv("star_realms", num_envs=LANES, opponents="simple", players=2)
    env.seed(3)
    observations = env.reset()
    assert (
        observations[1] == gymnasium.make("stardeck/StarRealms-v1", opponents="simple", seat=1).reset(seed=4)[0]
    ).all()
    assert env.has_attr("action_masks") and not env.has_attr("no_such_thing")
    finished = 0
    for step in range(STEPS):
        masks = np.stack(env.env_method("action_masks"))
        assert masks.dtype == bool and masks.shape == (LANES, env.action_space.n)
        observations, rewards, dones, infos = env.step(pick(masks.view(np.int8), step))
        for row in range(LANES):
            assert ("terminal_observation" in infos[row]) == bool(dones[row])
            if dones[row]:
                finished += 1
                assert infos[row]["episode"]["r"] == rewards[row] and infos[row]["episode"]["l"] > 0
                assert env.observation_space.contains(infos[row]["terminal_observation"])
    assert finished >= scaled(6, 0)


def test_masks_are_rows_that_are_put_together_at_once():
    env = GameVecEnv("star_realms", num_envs=LANES, opponents="simple")
    env.seed(3)
    env.reset()
    for step in range(5):
        rows = env.env_method("action_masks")
        stacked = np.stack(rows)
        assert type(stacked) is np.ndarray and not np.shares_memory(stacked, env.lanes.masks)
        assert (stacked == env.lanes.masks).all() and (np.stack(rows[:2]) == stacked[:2]).all()
        assert all((row == whole).all() for row, whole in zip(rows, stacked, strict=True))
        assert (np.concatenate(rows) == stacked.ravel()).all() and (np.stack(rows, axis=1) == stacked.T).all()
        (last,) = env.env_method("action_masks", indices=LANES - 1)
        assert (last == stacked[-1]).all()
        env.step(pick(stacked.view(np.int8), step))


def test_a_learner_hears_what_every_seat_got():
    """Like the vector environment."""
    settings = {"players": 4, "seat": 2, "opponents": "simple"}
    env = GameVecEnv("interstellar_empire", LANES, **settings)
    same_step = gymnasium.vector.AutoresetMode.SAME_STEP
    vector = gymnasium.make_vec(
        "stardeck/InterstellarEmpire-v1", LANES, "vector_entry_point", **settings, autoreset_mode=same_step
    )
    env.seed(3)
    env.reset()
    _, told = vector.reset(seed=3)
    ended = np.zeros(LANES, bool)
    for step in range(1000):
        actions = pick(told["action_mask"], step)
        _, _, dones, infos = env.step(actions)
        _, rewards, _, _, told = vector.step(actions)
        for row in np.flatnonzero(dones):
            assert told["returns"][row, 2] == rewards[row]
            for key in ("returns", "winners", "placements"):
                assert (infos[row][key] == told[key][row]).all() and len(infos[row][key]) == 4
        ended |= dones
        if ended.all():
            break
    assert ended.all()


def test_maskable_ppo_never_takes_an_illegal_action():
    from sb3_contrib import MaskablePPO

    env = GameVecEnv("interstellar_empire", num_envs=4, opponents="random", on_illegal="raise")
    model = MaskablePPO("MlpPolicy", env, n_steps=scaled(128, 8), batch_size=32, n_epochs=1, seed=1, device="cpu")
    model.learn(scaled(1024, 32))
    assert model.num_timesteps >= scaled(1024, 32)


@pytest.mark.parametrize("seed", [[], [1, 2], True, 1.0, -1, 2**64, "1", np.array([1, 2, 3])], ids=repr)
def test_a_seed_for_stable_baselines_is_one_whole_number(seed):
    env = GameVecEnv("star_realms", num_envs=4, opponents="simple")
    with pytest.raises(ValueError, match="^seed=.*: must be one whole number"):
        env.seed(seed)
    assert env.seed(np.int64(3)) == [3, 4, 5, 6]
