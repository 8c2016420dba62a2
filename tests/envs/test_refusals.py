"""Refusals by the environments: every error names the value and what is allowed, and nothing changes."""

import gymnasium
import numpy as np
import pytest

import stardeck
from stardeck import agents
from stardeck.agents.search import SearchAgent
from stardeck.envs import star_realms_v1 as module
from stardeck.envs.base.lanes import Lanes

NO_SEEDS = [
    [],
    [1, 2],
    (),
    {},
    True,
    False,
    1.0,
    np.float64(1),
    -1,
    2**64,
    "1",
    b"1",
    np.array([]),
    np.array([1, 2, 3]),
]
ENVIRONMENTS = {
    "env": module.env,
    "raw_env": module.raw_env,
    "parallel_env": module.parallel_env,
    "single": lambda: gymnasium.make("stardeck/StarRealms-v1", opponents="simple"),
    "raw single": lambda: module.SingleAgentEnv(opponents="simple"),
    "vector": lambda: module.VectorEnv(num_envs=4, opponents="simple"),
}


def shown(env):
    """Return everything that an environment shows of its game."""
    if isinstance(env, gymnasium.vector.VectorEnv):
        return env.action_masks().tobytes()
    if hasattr(env.unwrapped, "action_masks"):
        return env.unwrapped.action_masks().tobytes()
    return env.state().tobytes()


@pytest.mark.parametrize("seed", NO_SEEDS, ids=repr)
@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_a_seed_is_one_whole_number(name, seed):
    env = ENVIRONMENTS[name]()
    env.reset(seed=5)
    before = shown(env)
    with pytest.raises(ValueError, match=r"^seed=.*: must be one whole number from 0 to 2\*\*64 - 1$"):
        env.reset(seed=seed)
    assert shown(env) == before
    env.reset(seed=5)
    assert shown(env) == before


@pytest.mark.parametrize("seed", [0, np.int64(7), np.uint64(2**63), 2**64 - 5])
@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_whole_numbers_of_any_kind_are_seeds(name, seed):
    env = ENVIRONMENTS[name]()
    env.reset(seed=int(seed))
    before = shown(env)
    env.reset(seed=seed)
    assert shown(env) == before


@pytest.mark.parametrize(
    "seeds", [[1, 2, 3], [1, 2, 3, True], [1, 2, 3, 4.0], [1, 2, 3, None], [[1], [2], [3], [[4, 5], 6]]]
)
def test_a_list_of_seeds_for_a_vector_environment_has_one_for_each_game(seeds):
    env = ENVIRONMENTS["vector"]()
    with pytest.raises(ValueError, match="^seed=.*: must be one whole number"):
        env.reset(seed=seeds)
    env.reset(seed=[1, 2, 3, 4])
    before = shown(env)
    env.reset(seed=1)
    assert shown(env) == before


@pytest.mark.parametrize("call", ["step", "observe", "render", "state", "last", "agents", "agent_iter", "num_agents"])
def test_a_raw_environment_asks_for_a_reset(call):
    env = module.raw_env(render_mode="ansi")
    arguments = {"step": [0], "observe": ["player_0"]}.get(call, [])
    with pytest.raises(AttributeError, match=r"^reset\(\) must be called first"):
        found = getattr(env, call)
        list(found(*arguments)) if callable(found) else found
    assert not hasattr(env, "rewards") and not hasattr(env, "nothing")


@pytest.mark.parametrize("call", ["step", "render", "action_masks"])
def test_a_single_agent_environment_asks_for_a_reset(call):
    env = module.SingleAgentEnv(render_mode="ansi")
    with pytest.raises(AttributeError, match=r"^reset\(\) must be called first"):
        getattr(env, call)(*([0] if call == "step" else []))


@pytest.mark.parametrize("call", ["step", "render", "random_actions", "action_masks"])
def test_a_vector_environment_asks_for_a_reset(call):
    env = module.VectorEnv(num_envs=2, render_mode="ansi")
    arguments = {"step": [np.zeros(2, int)], "random_actions": [np.zeros(2, np.uint64)]}.get(call, [])
    with pytest.raises((AttributeError, RuntimeError), match=r"^reset\(\) must be called first"):
        getattr(env, call)(*arguments)


@pytest.mark.parametrize("seeds", [[], [1], [1, 2, 3], [1.0, 2.0], 5.0, None])
def test_random_actions_take_a_seed_for_each_game(seeds):
    env = module.VectorEnv(num_envs=2)
    env.reset(seed=1)
    if np.ndim(seeds) and len(seeds) == 1:  # as everywhere, one seed serves all games
        assert len(env.random_actions(seeds)) == 2
    else:
        with pytest.raises(ValueError, match="^seeds: "):
            env.random_actions(seeds)


@pytest.mark.parametrize("actions", [{}, None, [0], {"player_1": 0}, {"player_9": 0}])
def test_a_parallel_environment_asks_for_the_action_of_who_decides(actions):
    env = module.parallel_env()
    env.reset(seed=1)
    with pytest.raises(
        ValueError, match="^actions=.*: must be a dict with the action of player_0, the agent that decides"
    ):
        env.step(actions)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_envs": None}, "num_envs None: must be a whole number"),
        ({"num_envs": 2.0}, "num_envs 2.0: must be a whole number"),
        ({"num_envs": 0}, "num_envs=0: must be at least 1"),
        ({"seat": True}, "seat=True: must be one of 0, 1, rotate"),
        ({"seat": np.zeros(2)}, r"seat=array\(\[0., 0.\]\): must be one of"),
        ({"team": 1}, "team=1: must be one of False, True"),
        ({"mask_in": ["obs"]}, r"mask_in=\['obs'\]: must be one of obs, info, both"),
        ({"opponents": ["x" * 5000] * 5000}, r"^opponents=.{0,110}: must be one agent"),
        ({"opponents": "x" * 5000}, r"^agent .{0,110}: must be one of random"),
        ({"opponents": None}, "^agent None: must be one of random"),
        ({"autoreset_mode": 1}, "autoreset_mode=1: must be one of"),
    ],
)
def test_options_of_any_type_are_named(options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        module.VectorEnv(**options)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda game: Lanes(game, 2, thread=2), "lanes: thread: there is no such option; must be one of on_illegal"),
        (lambda game: module.VectorEnv(2, thread=2), "thread=2: star_realms has no such setting; it has set"),
        (lambda game: SearchAgent(5, prior=agents.get("rules"), turn=2), "search: turn: .*must be one of rollout_t"),
    ],
)
def test_an_option_that_there_is_not_is_named(make, message):
    with pytest.raises((TypeError, ValueError), match=f"^{message}"):
        make(stardeck.make("star_realms"))


def test_options_go_by_their_keywords():
    game = stardeck.make("star_realms")
    lanes = Lanes(game, 2, observation_dtype="float32", buffers=2, threads=2, on_illegal="lose")
    assert lanes.view.dtype == np.float32
    env = module.VectorEnv(
        num_envs=2, on_illegal="random_legal", observation_dtype="float32", copy=False, threads=2,
        render_mode="ansi", device="cpu", format="standard",
    )  # fmt: skip
    assert env.render_mode == "ansi" and env.single_observation_space.dtype == np.float32
    assert env.game.settings["format"] == "standard"


@pytest.mark.parametrize(
    "options", [5, [], "reset_mask", {"reset_mask": [1, 0]}, {"reset_mask": [True]}, {"reset_mask": [[1], [1, 2]]}]
)
def test_options_of_a_reset_are_named(options):
    env = module.VectorEnv(num_envs=2)
    with pytest.raises(ValueError, match="^(options|reset_mask)="):
        env.reset(seed=1, options=options)


@pytest.mark.parametrize("agent", ["player_9", None, [], 0])
@pytest.mark.parametrize("call", ["observe", "observation_space", "action_space"])
def test_an_unknown_agent_is_named(call, agent):
    env = module.raw_env()
    env.reset(seed=1)
    with pytest.raises(ValueError, match="^agent=.*: must be one of player_0, player_1"):
        getattr(env, call)(agent)


@pytest.mark.parametrize("action", [10**5000, -(10**5000)], ids=["large", "small"])
@pytest.mark.parametrize("name", ["env", "raw_env", "single", "raw single"])
def test_an_action_of_more_digits_than_python_prints_is_illegal_like_any_other(name, action):
    env = ENVIRONMENTS[name]()
    env.reset(seed=5)
    env.step(action)
    ended = env.unwrapped.terminations if hasattr(env, "terminations") else None
    assert ended is None or all(ended.values())
