"""PettingZoo's own checks over every variant, and further promises of the environments."""

import contextlib
import copy
import importlib
import io
import itertools
import pickle
import sys
import types
import warnings

import gymnasium
import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import (
    api_test,
    parallel_api_test,
    parallel_seed_test,
    performance_benchmark,
    render_test,
    seed_test,
    state_test,
)

import stardeck
from helpers import FEW, FULL, KINDS, VARIANTS, game_of, pick, registered, scaled
from stardeck.envs import empire_of_the_stars_v1, star_realms_v1
from stardeck.envs.rllib import ForRLlib
from stardeck.game.registry import GAMES
from stardeck.kernels.loops import batch

CYCLES = scaled(200, 20)
# Wrappers of games differ by program, by the number of seats and where one seat plays against a Boss.
SEATED = KINDS if FULL else [*FEW, "star_realms/core/three_headed_hydra/6", "star_realms/core/nemesis_beast/1/veteran"]
# PettingZoo warns about Dict observations of third-party environments; its own are exempt by name.
DICT = ["Observation space for each agent probably should be", "Observation is not a NumPy array"]


@contextlib.contextmanager
def only_warnings(allowed):
    """Drop all printed text; fail on any warning except those allowed."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("error")
        for message in allowed:
            warnings.filterwarnings("ignore", message)
        yield


def make(variant, function="env", **options):
    module = importlib.import_module(registered(variant).module)
    return getattr(module, function)(**game_of(variant).settings, **options)


@pytest.mark.once
@pytest.mark.parametrize("variant", KINDS)
def test_api(variant):
    with only_warnings(DICT):
        api_test(make(variant), num_cycles=CYCLES)


@pytest.mark.once
@pytest.mark.parametrize("function", ["env", "raw_env"])
def test_api_is_free_of_warnings_with_the_mask_in_info(function):
    with only_warnings([]):
        api_test(make(VARIANTS[0], function, mask_in="info"), num_cycles=scaled(1000, 20))


@pytest.mark.parametrize(
    "options", [{"mask_in": "obs"}, {"observation_dtype": "float32"}, {"on_illegal": "random_legal"}]
)
def test_api_holds_with_every_option(options):
    with only_warnings(DICT):
        api_test(make(VARIANTS[0], **options), num_cycles=CYCLES)


@pytest.mark.once
@pytest.mark.parametrize("variant", SEATED)
def test_seeds(variant):
    with only_warnings(DICT):
        seed_test(lambda: make(variant), CYCLES)


@pytest.mark.once
@pytest.mark.parametrize("variant", SEATED)
def test_parallel_conversion(variant):
    with only_warnings(DICT):
        parallel_api_test(make(variant, "parallel_env"), CYCLES)
        parallel_seed_test(lambda: make(variant, "parallel_env"), CYCLES)


@pytest.mark.once
@pytest.mark.parametrize("variant", SEATED)
def test_global_state(variant):
    with only_warnings(DICT):
        state_test(make(variant), make(variant, "parallel_env"), num_cycles=CYCLES)


@pytest.mark.once
@pytest.mark.parametrize("variant", SEATED)
def test_rendering(variant):
    with only_warnings(DICT):
        render_test(lambda render_mode: make(variant, render_mode=render_mode))


@pytest.mark.once
def test_performance_benchmark_runs(monkeypatch):
    """PettingZoo plays for five seconds: each look at this clock takes one of them."""
    clock = types.SimpleNamespace(time=itertools.count().__next__)
    monkeypatch.setattr(sys.modules["pettingzoo.test.performance_benchmark"], "time", clock)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        performance_benchmark(make(VARIANTS[0]))
    assert "turns per second" in printed.getvalue()


def test_the_registry_of_pettingzoo_makes_it():
    if not hasattr(pettingzoo, "register"):  # PettingZoo before 1.27 has no registry
        assert callable(star_realms_v1.env)
        return
    for entry in GAMES.values():
        name = f"stardeck/{entry.gymnasium_id}"  # the same id as in Gymnasium
        assert name in gymnasium.registry
        for api in ("aec", "parallel"):
            assert pettingzoo.make(api, name).possible_agents == ["player_0", "player_1"]
    env = pettingzoo.make("aec", "stardeck/StarRealms-v1", max_turns=30)
    env.reset(seed=1)
    assert env.unwrapped.game.settings["max_turns"] == 30


def play(env, seed, choose=None):
    """Play an environment to its end at random; return the rewards and all states seen."""
    env.reset(seed=seed)
    rewards = dict.fromkeys(env.possible_agents, 0.0)
    step = 0
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        rewards[agent] += reward
        if terminated or truncated:
            env.step(None)
            continue
        mask = observation["action_mask"]
        assert (mask == info["action_mask"]).all()
        env.step(batch.pick_one(mask, np.uint64(seed + 7919 * step)))
        step += 1
    return rewards


def test_reset_deals_the_game_of_that_seed_and_plays_its_course():
    env = star_realms_v1.raw_env()
    env.reset(seed=77)
    assert env.game.position(env._states[0]) == env.game.position(env.game.deal(77)[0])
    assert play(env, 5) == play(star_realms_v1.env(), 5)


def test_resets_without_a_seed_go_on_from_the_last_seed():
    def decks(env):
        env.reset(seed=9)
        found = []
        for _ in range(3):
            found.append(env._states["trade_deck"].tobytes())
            env.reset()
        return found

    one, two = decks(star_realms_v1.raw_env()), decks(star_realms_v1.raw_env())
    assert one == two and len(set(one)) == 3


def test_copies_of_a_new_environment_deal_games_of_their_own():
    env = star_realms_v1.env()
    star_realms_v1.env().reset()
    compiled = set(getattr(batch.show_one, "signatures", ()))
    decks = set()
    for copied in (env, copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        copied.reset()
        decks.add(copied.unwrapped._states["trade_deck"].tobytes())
    assert len(decks) == 3
    assert set(getattr(batch.show_one, "signatures", ())) == compiled, "copies need no machine code of their own"


def test_a_copy_of_a_game_under_way_goes_on_as_it_does():
    env = star_realms_v1.raw_env()
    env.reset(seed=1)
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    copies = copy.deepcopy(env), pickle.loads(pickle.dumps(env))
    for each in (env, *copies):
        each.step(int(np.flatnonzero(each.last()[0]["action_mask"])[-1]))
    for each in copies:
        assert each._states.tobytes() == env._states.tobytes()
        assert (each.last()[0]["observation"] == env.last()[0]["observation"]).all()


def test_rewards_are_paid_at_the_end_alone():
    env = star_realms_v1.env()
    for seed in range(scaled(20, 1)):
        rewards = play(env, seed)
        truncated = env.unwrapped.game.truncated(env.unwrapped._states)[0]
        assert sorted(rewards.values()) == ([0.0, 0.0] if truncated else [-1.0, 1.0])


def test_the_limit_on_turns_truncates_everybody():
    env = star_realms_v1.env(max_turns=3)
    env.reset(seed=1)
    while not any(env.truncations.values()):
        env.step(env.unwrapped.game.parse(env.unwrapped._states, "end turn")[0])
    assert all(env.truncations.values()) and not any(env.terminations.values())
    assert not any(env.rewards.values())
    for agent in env.agents:
        assert env.observe(agent)["action_mask"].all() and env.infos[agent]["action_mask"].all()


def test_a_game_that_the_score_decides_at_its_limit_is_terminated():
    env = empire_of_the_stars_v1.env(powers=False, max_turns=2, at_limit="score")
    env.reset(seed=1)
    for step in range(1000):
        if any(env.terminations.values()) or any(env.truncations.values()):
            break
        env.step(int(pick(env.infos[env.agent_selection]["action_mask"][None], step)[0]))
    assert all(env.terminations.values()) and not any(env.truncations.values())
    assert sorted(env.rewards.values()) == [-1, 1]
    assert env.unwrapped.game.winners(env.unwrapped._states).sum() == 1


def test_illegal_actions_lose_by_default_and_change_nothing():
    for action in (0, 491, -5, 10**6):
        env = star_realms_v1.env()
        env.reset(seed=1)
        mask = env.observe("player_0")["action_mask"]
        if 0 <= action < len(mask) and mask[action]:
            action = int(mask.argmin())
        before = env.unwrapped._states.tobytes()
        env.step(action)
        assert env.unwrapped._states.tobytes() == before
        assert env.rewards == {"player_0": -1.0, "player_1": 0.0}
        assert all(env.terminations.values()) and not any(env.truncations.values())
        assert all(env.infos[agent]["illegal"] == 1 for agent in env.agents)
        assert env.unwrapped.illegal_action.startswith(f"player_0: {action}")
        while env.agents:
            env.step(None)
        env.reset()
        assert env.unwrapped.illegal_action == "" and env.infos["player_0"]["illegal"] == 0


def test_illegal_actions_can_raise_or_be_replaced():
    env = star_realms_v1.env(on_illegal="raise")
    env.reset(seed=1)
    illegal = int(env.observe("player_0")["action_mask"].argmin())
    before = env.unwrapped._states.tobytes()
    with pytest.raises(stardeck.IllegalAction, match="player_0: .* is not legal; legal: end turn"):
        env.step(illegal)
    assert env.unwrapped._states.tobytes() == before
    env = star_realms_v1.env(on_illegal="random_legal")
    env.reset(seed=1)
    env.step(illegal)
    assert not any(env.terminations.values())
    assert env.unwrapped._states[0]["decisions"] == 1


def test_what_is_no_action_is_an_error():
    env = star_realms_v1.env()
    env.reset(seed=1)
    for action in (None, 1.5, "buy Ram"):
        with pytest.raises(TypeError, match="must be a whole number"):
            env.step(action)
    env.step(np.int32(env.observe("player_0")["action_mask"].argmax()))
    env.step(np.array(env.observe(env.agent_selection)["action_mask"].argmax()))


def test_a_mask_that_its_owner_has_changed_makes_nothing_legal():
    env = star_realms_v1.env()
    env.reset(seed=1)
    observation, *_ = env.last()
    illegal = int(observation["action_mask"].argmin())
    observation["action_mask"][:] = 1
    env.step(illegal)
    assert env.rewards["player_0"] == -1.0


def test_observations_given_out_never_change_afterwards():
    env = star_realms_v1.env()
    env.reset(seed=2)
    kept = []
    for step in range(40):
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            break
        kept.append((observation, observation["observation"].copy(), observation["action_mask"].copy()))
        env.step(batch.pick_one(observation["action_mask"], np.uint64(step)))
    for observation, values, mask in kept:
        assert (observation["observation"] == values).all() and (observation["action_mask"] == mask).all()


def test_scaled_observations_are_the_integers_times_their_scale():
    whole, scaled_env = star_realms_v1.raw_env(), star_realms_v1.raw_env(observation_dtype="float32")
    whole.reset(seed=3)
    scaled_env.reset(seed=3)
    one, two = whole.observe("player_0")["observation"], scaled_env.observe("player_0")["observation"]
    assert two.dtype == np.float32
    assert np.allclose(two, one * whole.game.observation_scale())
    assert scaled_env.observation_space("player_0").contains(scaled_env.observe("player_0"))


def test_a_seat_that_does_not_decide_has_a_mask_of_ones():
    env = star_realms_v1.raw_env()
    env.reset(seed=1)
    assert env.observe("player_1")["action_mask"].all()
    assert env.infos["player_1"]["action_mask"].all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mask_in": "everywhere"}, "mask_in='everywhere': must be one of obs, info, both"),
        ({"on_illegal": "ignore"}, "on_illegal='ignore': must be one of lose, random_legal, raise"),
        ({"render_mode": "svg"}, "render_mode='svg': must be one of None, ansi, human, rgb_array"),
        ({"observation_dtype": "float64"}, "observation_dtype='float64': must be one of uint8, float32"),
        ({"players": 3}, "players=3: standard takes 2"),
        ({"colour": "red"}, "star_realms has no such setting"),
    ],
)
def test_impossible_options_are_named(options, message):
    for function in (star_realms_v1.env, star_realms_v1.raw_env, star_realms_v1.parallel_env):
        with pytest.raises(ValueError, match=message):
            function(**options)


def test_the_table_as_text_can_be_read_by_a_player():
    env = star_realms_v1.env(render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    for part in ("Turn 1: player_0", "trade row", "10 Explorers", "player_0 (you)  authority 50", "hand      5 cards"):
        assert part in text
    assert max(map(len, text.splitlines())) <= 100


def near_elimination(format, **options):
    """Return a game in which the active player can defeat the second next one, or the whole next side."""
    env = star_realms_v1.raw_env(set="box", format=format, players=6 if format == "emperor" else 3, **options)
    env.reset(seed=1)
    seats = {f"player_{seat}": {"authority": 50, "hand": ["Scout x2"], "deck": ["Viper x5"]} for seat in range(6)}
    position = {"turn": "player_0", "players": {agent: seats[agent] for agent in env.possible_agents}}
    victim = "player_5" if format == "emperor" else "player_1"
    position["players"]["player_0"]["combat"] = 5
    position["players"][victim]["authority"] = 5
    env._states = env.game.from_position(position)
    env._refresh()
    env.step(env.game.parse(env._states, f"attack {victim} with all")[0])
    return env, victim


def test_a_seat_that_is_out_stays_until_all_end():
    env, victim = near_elimination("free_for_all")
    assert env.infos[victim]["eliminated"] and victim in env.agents
    assert not any(env.terminations.values()) and env.agent_selection == "player_0"


def test_early_termination_ends_and_pays_a_seat_whose_return_is_certain():
    env, victim = near_elimination("free_for_all", early_termination=True)
    assert env.terminations == {"player_0": False, "player_1": True, "player_2": False}
    assert env.agent_selection == victim and env.last()[1] == -0.5
    env.step(None)
    assert env.agents == ["player_0", "player_2"] and env.agent_selection == "player_0"
    assert env.rewards == {"player_0": 0.0, "player_2": 0.0}
    with only_warnings(DICT):
        api_test(star_realms_v1.env(format="free_for_all", players=4, early_termination=True), num_cycles=CYCLES)


def test_early_termination_keeps_a_seat_whose_side_may_still_win():
    env, victim = near_elimination("emperor", early_termination=True)
    assert env.agent_selection == victim, "a defeated Admiral is asked what to leave"
    env.step(env.game.parse(env._states, "decline")[0])
    assert env.infos[victim]["eliminated"] and not any(env.terminations.values())
    assert env.agent_selection == "player_0"


def test_observations_for_rllib_have_its_names_and_floats():
    env = ForRLlib(star_realms_v1.env(observation_dtype="float32"))
    env.reset(seed=1)
    for agent in env.possible_agents:
        seen, original = env.observe(agent), env.env.observe(agent)
        assert env.observation_space(agent).contains(seen) and seen["action_mask"].dtype == np.float32
        assert (seen["observations"] == original["observation"]).all()
        assert (seen["action_mask"] == original["action_mask"]).all()
    assert set(env.last()[0]) == {"observations", "action_mask"}
    with pytest.raises(ValueError, match="mask_in='info': must be obs or both"):
        ForRLlib(star_realms_v1.env(mask_in="info"))
