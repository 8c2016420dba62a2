"""Gymnasium's checks, and further promises of the single-agent environment."""

import io
import warnings
from contextlib import redirect_stdout
from dataclasses import dataclass

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import stardeck
from helpers import KINDS, VARIANTS, Plain, game_of, registered, scaled
from stardeck import agents
from stardeck.benchmarks.arena.series import Series, win_share
from stardeck.envs import star_realms_v1
from stardeck.kernels.loops import batch


def make(variant=VARIANTS[0], **options):
    return gymnasium.make(f"stardeck/{registered(variant).gymnasium_id}", **game_of(variant).settings, **options)


@pytest.mark.once
@pytest.mark.parametrize("variant", KINDS)
@pytest.mark.parametrize(
    "options", [{}, {"mask_in": "both", "seat": "last"}, {"observation_dtype": "float32", "seat": "random"}]
)
def test_gymnasium_finds_nothing_to_complain_of(variant, options):
    if options.get("seat") == "last":
        options = options | {"seat": game_of(variant).players - 1}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # a checked environment rendered without a render mode; an observation without an upper bound
        check_env(make(variant, **options).unwrapped, skip_render_check=True)


def test_gymnasium_renders():
    with redirect_stdout(io.StringIO()):
        check_env(make(render_mode="ansi").unwrapped)


def play(env, seed, limit=5000):
    _, info = env.reset(seed=seed)
    rewards = []
    for step in range(limit):
        _, reward, terminated, truncated, info = env.step(int(batch.pick_one(info["action_mask"], np.uint64(step))))
        rewards.append(reward)
        if terminated or truncated:
            return rewards, terminated, truncated, info
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("seat", [0, 1])
def test_the_learner_is_paid_at_the_end(seat):
    env = make(seat=seat, opponents="simple")
    for seed in range(scaled(10, 1)):
        rewards, terminated, truncated, info = play(env, seed)
        assert not any(rewards[:-1])
        assert rewards[-1] in (1.0, -1.0) and terminated and not truncated
        assert info["action_mask"].all()


def test_reset_deals_the_game_of_that_seed():
    env = make()
    env.reset(seed=5)
    assert env.unwrapped.game.position(env.unwrapped._states[0]) == game_of(VARIANTS[0]).position(
        game_of(VARIANTS[0]).deal(5)[0]
    )


def test_a_random_seat_changes_from_game_to_game():
    env = make(seat="random")
    env.reset(seed=1)
    seats = set()
    for _ in range(20):
        env.reset()
        seats.add(env.unwrapped.seat)
    assert seats == {0, 1}


class FirstLegal:
    """A Python agent that takes the last legal action, and therefore ends a turn only when nothing is left."""

    name = "first"

    def act(self, game, states, masks, seeds):
        assert masks.shape == (len(states), game.num_actions) and seeds.dtype == np.uint64
        return [int(np.flatnonzero(mask)[-1]) for mask in masks]


def test_an_agent_in_python_can_be_the_opponent():
    rewards, *_ = play(make(opponents=FirstLegal()), 1)
    assert len(rewards) > 5


@pytest.mark.once
def test_compiled_opponents_play_the_same_through_the_batch_face():
    class Slow:
        """The same agent without its kind, called through `act`."""

        def __init__(self, agent):
            self.name, self.act = agent.name, agent.act

    for name in agents.NAMES:
        fast, slow = make(opponents=name), make(opponents=Slow(agents.get(name)))
        for seed in range(scaled(3, 1)):
            assert play(fast, seed)[0] == play(slow, seed)[0]
            assert fast.unwrapped._states.tobytes() == slow.unwrapped._states.tobytes()


def test_illegal_actions_lose_by_default_and_change_nothing():
    env = make()
    for action in (-1, 10**6, None):
        _, info = env.reset(seed=1)
        if action is None:
            action = int(info["action_mask"].argmin())
        before = env.unwrapped._states.tobytes()
        _, reward, terminated, truncated, info = env.step(action)
        assert (reward, terminated, truncated) == (-1.0, True, False)
        assert info["illegal"] == 1 and info["action_mask"].all()
        assert env.unwrapped.illegal_action.startswith(str(action))
        assert env.unwrapped._states.tobytes() == before


def test_illegal_actions_can_raise_or_be_replaced():
    env = make(on_illegal="raise")
    _, info = env.reset(seed=1)
    illegal = int(info["action_mask"].argmin())
    before = env.unwrapped._states.tobytes()
    with pytest.raises(stardeck.IllegalAction, match="is not legal; legal: end turn"):
        env.step(illegal)
    assert env.unwrapped._states.tobytes() == before
    env = make(on_illegal="random_legal")
    env.reset(seed=1)
    *_, terminated, truncated, info = env.step(illegal)
    assert not terminated and info["illegal"] == 0 and env.unwrapped._states[0]["decisions"] == 1


def test_advice_is_what_the_agent_would_play_in_that_seat():
    """Each of two learners that follow advice of `simple` plays the game that `simple` plays alone."""
    games = []
    for seat in (0, 1):
        env = star_realms_v1.SingleAgentEnv(seat=seat, opponents="simple")
        env.reset(seed=3)
        over = False
        while not over:
            _, _, terminated, truncated, _ = env.step(env.advice("simple"))
            over = terminated or truncated
        games.append(env._states.tobytes())
        with pytest.raises(RuntimeError, match=r"the game is over; call reset\(\)"):
            env.advice("simple")
    assert games[0] == games[1]


def test_stepping_on_after_the_end_is_an_error():
    env = star_realms_v1.SingleAgentEnv()
    env.reset(seed=1)
    env.step(-1)
    with pytest.raises(stardeck.IllegalAction, match=r"the game is over; call reset\(\)"):
        env.step(0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seat": 2}, "seat=2: must be one of 0, 1, random, rotate"),
        ({"opponents": "nobody"}, "agent 'nobody': must be one of random, simple, rules"),
        ({"opponents": ["rules", "rules"]}, "must be one agent, or 1 of them"),
        ({"mask_in": "nowhere"}, "mask_in='nowhere': must be one of obs, info, both"),
    ],
)
def test_impossible_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        star_realms_v1.SingleAgentEnv(**options)


@pytest.mark.parametrize("seat", range(4))
def test_listed_opponents_sit_clockwise_from_the_learner(seat):
    """As in the vector environment, whether agents are compiled or not."""
    listed = ["random", "simple", "rules"]
    options = {"set": "box", "format": "free_for_all", "players": 4, "seat": seat}
    for given in (listed, [Plain(agents.get(name)) for name in listed]):
        env = gymnasium.make("stardeck/StarRealms-v1", opponents=given, **options).unwrapped
        env.reset(seed=1)
        seated = [env._by_seat[(seat + distance) % 4] for distance in range(1, 4)]
        assert [agent.name for agent in seated] == listed and env._by_seat[seat] is None
    compiled = gymnasium.make("stardeck/StarRealms-v1", opponents=listed, **options).unwrapped
    compiled.reset(seed=1)
    kinds = [compiled._players.kinds[(seat + distance) % 4] for distance in range(1, 4)]
    assert kinds == [agents.get(name).kind for name in listed]


@dataclass
class Weighted:
    """An agent whose `==` compares arrays, and which has no hash: what a user's dataclass does."""

    weights: np.ndarray
    name: str = "weighted"

    def act(self, game, states, masks, seeds):
        return masks.argmax(axis=1)


def test_agents_need_no_equality_and_no_hash():
    one, other = Weighted(np.zeros(3)), Weighted(np.ones(3), "other")
    env = gymnasium.make_vec("stardeck/StarRealms-v1", 2, "vector_entry_point", opponents=one)
    assert env.reset(seed=1)[0].shape == (2, 1029)
    game = game_of(VARIANTS[0])
    assert Series(game, [one, other]).play(0, 2).winners.shape == (2, 2)
    assert win_share(game, one, one, 2, 1) == 0.5
