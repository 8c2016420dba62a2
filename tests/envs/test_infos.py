"""Infos of all environments: the same keys, types and shapes at every step, which makes them stackable."""

import importlib
import warnings

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from helpers import FEW, game_of, pick, registered, scaled
from stardeck.envs import interstellar_empire_v1, star_realms_v1
from stardeck.envs.base.lanes import FIRST_GAMES

# One of each game, a campaign with longer infos, and one where seats go out.
TRIED = [*FEW, "rise_of_empire/2/max_turns=5", "star_realms/box/free_for_all/3"]
SAME = ("returns", "winners", "placements", "illegal")


def of(variant):
    if variant == "rise_of_empire/2/max_turns=5":
        return importlib.import_module("stardeck.envs.rise_of_empire_v1"), {"max_turns": 5}
    return importlib.import_module(registered(variant).module), game_of(variant).settings


def shape(info):
    """Return the keys of an info with the type, and for arrays the kind of their numbers and their shape."""
    assert all(isinstance(value, np.ndarray | np.generic | dict) for value in info.values()), info
    return {
        key: shape(value) if isinstance(value, dict) else (type(value), value.dtype, value.shape)
        for key, value in info.items()
    }


@pytest.mark.parametrize("end", ["legal", "illegal"])
@pytest.mark.parametrize("mask_in", ["obs", "info"])
@pytest.mark.parametrize("variant", TRIED)
def test_infos_of_one_learner(variant, mask_in, end):
    module, settings = of(variant)
    env = module.SingleAgentEnv(opponents="simple", mask_in=mask_in, **settings)
    _, info = env.reset(seed=1)
    first = shape(info)
    assert set(SAME) <= set(first) and ("action_mask" in first) == (mask_in == "info")
    ended = False
    for step in range(scaled(2000, 10)):
        action = int(pick(env.action_masks()[None].view(np.int8), step)[0])
        *_, terminated, truncated, info = env.step(-1 if end == "illegal" and step == 5 else action)
        assert shape(info) == first
        ended = terminated or truncated
        if ended:
            break
        assert not info["winners"].any() and not info["placements"].any() and not info["returns"].any()
    assert ended or not scaled(True, False)
    assert info["illegal"] == (end == "illegal")
    assert env.reset()[1]["illegal"] == 0


@pytest.mark.parametrize("early_termination", [False, True])
@pytest.mark.parametrize("face", ["raw_env", "parallel_env"])
@pytest.mark.parametrize("variant", TRIED)
def test_infos_of_every_seat(variant, face, early_termination):
    module, settings = of(variant)
    env = getattr(module, face)(mask_in="both", early_termination=early_termination, **settings)
    raw = env if face == "raw_env" else env.aec_env.unwrapped
    for end in ("legal", "illegal"):
        told = env.reset(seed=2)[1] if face == "parallel_env" else env.infos if env.reset(seed=2) is None else None
        first = shape(told["player_0"])
        assert {*SAME, "action_mask"} <= set(first) and ("eliminated" in first) == raw.game.seats_go_out
        for step in range(scaled(5000, 10)):
            assert all(shape(info) == first for info in told.values())
            if not env.agents:
                break
            actor = raw.agent_selection
            done = raw.terminations[actor] or raw.truncations[actor]
            action = None if done else -1 if end == "illegal" and step == 5 else int(pick(raw._mask[None], step)[0])
            if face == "raw_env":
                env.step(action)
                told = env.infos
            else:
                *_, told = env.step({actor: action})
                deciding = {raw.agent_selection} if env.agents else set()
                assert {agent for agent, info in told.items() if info["active"]} == deciding
        assert not env.agents or not scaled(True, False)


@pytest.mark.filterwarnings("ignore:an illegal action has ended each of the first")
@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("variant", TRIED)
def test_infos_of_many_games(variant, mode):
    module, settings = of(variant)
    env = module.VectorEnv(3, opponents="simple", autoreset_mode=mode, **settings)
    _, infos = env.reset(seed=1)
    first = shape(infos)
    finals = {"final_obs", "final_info"} if mode == AutoresetMode.SAME_STEP else set()
    named = {key for key in first if key[0] != "_"}
    assert {*SAME, "action_mask", "seat", *finals} == named - {"scenarios", "victory_points"}
    assert set(first) == named | {f"_{key}" for key in named}
    illegal = False
    for step in range(scaled(500, 10)):
        actions = pick(infos["action_mask"], step)
        actions[step % 3] = -1 if step % 4 == 3 else actions[step % 3]
        *_, terminated, truncated, infos = env.step(actions)
        assert shape(infos) == first
        ended = terminated | truncated
        assert (infos["_returns"] == ended).all() and not infos["returns"][~ended].any()
        if mode == AutoresetMode.SAME_STEP:
            assert (infos["final_info"]["returns"] == infos["returns"]).all()
        illegal |= bool(infos["illegal"].any())
        if mode == AutoresetMode.DISABLED and ended.any():
            _, infos = env.reset(options={"reset_mask": ended})
            assert shape(infos) == first
    assert illegal


def test_a_parallel_environment_that_is_over_steps_to_nothing():
    env = interstellar_empire_v1.parallel_env(players=3)
    env.reset(seed=1)
    *_, infos = env.step({"player_0": -1})
    assert not env.agents and len(infos) == 3
    assert env.step({}) == ({}, {}, {}, {}, {})
    observations, infos = env.reset(seed=1)
    assert len(observations) == len(infos) == 3


def sample_as_gymnasium_does(env):
    """Take the steps of `gymnasium.utils.performance.benchmark_vector_step`, which Gymnasium 1.0 does not have."""
    env.action_space.seed(1)
    env.reset(seed=1)
    env.step(env.action_space.sample())
    env.reset(seed=1)
    env.step(env.action_space.sample())


def test_actions_without_masks_are_warned_of_once_with_the_remedy():
    env = star_realms_v1.VectorEnv(4)
    with pytest.warns(UserWarning, match="each of the first [0-9]+ games: draw actions with the masks") as warned:
        env.reset(seed=1)
        for _ in range(3 * FIRST_GAMES):
            env.step(np.full(4, -1))
    assert len(warned) == 1 and warned[0].filename == __file__
    with pytest.warns(UserWarning, match="an illegal action has ended each of the first"):
        sample_as_gymnasium_does(star_realms_v1.VectorEnv(32))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = star_realms_v1.VectorEnv(4, max_turns=2)
        _, infos = env.reset(seed=1)
        ends = []
        for step in range(200):  # the first games end regularly
            legal = pick(infos["action_mask"], step)
            *_, infos = env.step(legal if step < 100 else np.full(4, -1))
            ends += infos["illegal"][infos["_returns"]].tolist()
        assert ends[0] == 0 and ends.count(1) > FIRST_GAMES


def test_illegal_actions_are_answered_by_the_chance_of_the_game():
    """The answers equal those of a single environment."""
    env = star_realms_v1.VectorEnv(5, on_illegal="random_legal")
    alone = [star_realms_v1.SingleAgentEnv(on_illegal="random_legal") for _ in range(5)]
    observations, infos = env.reset(seed=7)
    for i, one in enumerate(alone):
        one.reset(seed=7 + i)
    going = [True] * 5
    for step in range(scaled(40, 5)):
        actions = pick(infos["action_mask"], step)
        actions[step % 5] = (-1, 10**6, infos["action_mask"][step % 5].argmin())[step % 3]
        observations, _, _, _, infos = env.step(actions)
        for row, one in enumerate(alone):
            if going[row]:
                seen, _, terminated, truncated, _ = one.step(actions[row])
                going[row] = not (terminated or truncated)  # the next game of that row then begins
                assert not going[row] or (seen == observations[row]).all()
        assert not infos["illegal"].any()
    assert not all(going) or not scaled(True, False)
