"""`env()` complains about calls in the wrong order as PettingZoo's own wrapper does around the same one."""

import copy
import pickle

import numpy as np
import pytest
from pettingzoo.utils.env_logger import EnvLogger
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from stardeck.envs import star_realms_v1

MADE_BY_RESET = "agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "num_agents"
CALLS = {
    "render": lambda env: env.render(),
    "step": lambda env: env.step(0),
    "observe": lambda env: env.observe("player_0"),
    "state": lambda env: env.state(),
    "last": lambda env: env.last(),
    "agent_iter": lambda env: env.agent_iter(),
} | {name: lambda env, name=name: getattr(env, name) for name in MADE_BY_RESET}


def pair():
    """Return our environment, and the same in PettingZoo's wrapper."""
    return star_realms_v1.env(render_mode="ansi"), OrderEnforcingWrapper(star_realms_v1.raw_env(render_mode="ansi"))


def outcome(call, env):
    """Return what a call raises, or the type of its result."""
    try:
        return type(call(env)).__name__.lstrip("_")
    except Exception as error:
        return type(error), str(error)


@pytest.mark.parametrize("name", CALLS)
def test_before_the_first_reset_everything_is_refused_in_the_same_words(name):
    ours, theirs = pair()
    answer = outcome(CALLS[name], ours)
    assert answer == outcome(CALLS[name], theirs)
    assert isinstance(answer, tuple), "refused"


def test_a_loop_without_steps_is_stopped():
    for env in pair():
        env.reset(seed=1)
        with pytest.raises(AssertionError, match="need to call step"):
            for _ in env.agent_iter():
                env.last()


def test_loops_are_the_same_to_the_last_step(monkeypatch):
    played, warned = [], []
    monkeypatch.setattr(EnvLogger, "warn_step_after_terminated_truncated", lambda: warned.append(True))
    for env in pair():
        env.reset(seed=3)
        course, chance = [], np.random.default_rng(3)
        for agent in env.agent_iter():
            seen, reward, terminated, truncated, info = env.last()
            over = terminated or truncated
            action = None if over else int(chance.choice(np.flatnonzero(seen["action_mask"])))
            course.append((agent, seen["observation"].tobytes(), reward, terminated, truncated, sorted(info), action))
            env.step(action)
        env.step(None)
        assert env.agents == [] and env.num_agents == 0 and list(env.agent_iter()) == []
        played.append((course, str(env)))
    assert len(warned) == 2, "a step after the end"
    assert played[0] == played[1] and len(played[0][0]) > 50


def test_a_loop_ends_after_the_given_number_of_steps():
    env = star_realms_v1.env()
    env.reset(seed=1)
    seen = 0
    for _ in env.agent_iter(max_iter=7):
        env.step(int(env.last()[0]["action_mask"].argmax()))
        seen += 1
    assert seen == 7


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"])
def test_a_copy_goes_on_alone(copied):
    env = star_realms_v1.env()
    env.reset(seed=2)
    other = copied(env)
    other.step(int(other.last()[0]["action_mask"].argmax()))
    assert other.unwrapped.game.position(other.unwrapped._states) != env.unwrapped.game.position(env.unwrapped._states)
