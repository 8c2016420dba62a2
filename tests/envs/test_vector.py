"""Vector environments: the same games as a single environment, in every reset mode."""

import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import stardeck
from helpers import FEW, KINDS, VARIANTS, Plain, a_network, game_of, pick, registered, scaled, thorough
from stardeck import agents
from stardeck.agents.networks.agent import NetworkAgent
from stardeck.envs import star_realms_v1
from stardeck.envs.base.lanes import Lanes
from stardeck.game.thread_pool import ThreadPool
from stardeck.kernels.compile import prefetch
from stardeck.kernels.compile.jit import entry, look
from stardeck.kernels.compile.prefetch import AHEAD, LINE, extents
from stardeck.kernels.loops.lanes import LANE

CORE = VARIANTS[0]
LANES = scaled(6, 2)
STEPS = scaled(600, 30)


def make_vec(variant=CORE, **options):
    name = f"stardeck/{registered(variant).gymnasium_id}"
    options = {"num_envs": LANES, "vectorization_mode": "vector_entry_point"} | options
    return gymnasium.make_vec(name, **game_of(variant).settings, **options)


def make(variant=CORE, **options):
    return gymnasium.make(f"stardeck/{registered(variant).gymnasium_id}", **game_of(variant).settings, **options)


@pytest.mark.parametrize("variant", scaled(KINDS, FEW))
def test_every_lane_plays_the_game_that_one_environment_plays_alone(variant):
    """The first games match step by step; the last step follows the same-step mode."""
    seat = game_of(variant).players - 1
    options = {"seat": seat, "opponents": "simple"}
    vector = make_vec(variant, autoreset_mode=AutoresetMode.SAME_STEP, num_envs=2, **options)
    alone = [make(variant, **options) for _ in range(2)]
    observations, infos = vector.reset(seed=11)
    shown = [env.reset(seed=11 + i) for i, env in enumerate(alone)]
    running = [0, 1]
    for step in range(scaled(thorough(400, 250), 15)):
        for i in running:
            observation, info = shown[i]
            assert (observations[i] == observation).all()
            assert (infos["action_mask"][i] == info["action_mask"]).all()
        actions = pick(infos["action_mask"], step)
        observations, rewards, terminated, truncated, infos = vector.step(actions)
        for i in running.copy():
            observation, reward, over, cut, info = alone[i].step(actions[i])
            shown[i] = observation, info
            assert (rewards[i], terminated[i], truncated[i]) == (reward, over, cut)
            if over or cut:
                assert (infos["final_obs"][i] == observation).all() and infos["_final_obs"][i]
                assert infos["final_info"]["action_mask"][i].all()
                running.remove(i)


def play(env, steps=STEPS):
    """Return rewards and ends of a run of random legal actions: arrays [steps, n]."""
    _, infos = env.reset(seed=5)
    rows = []
    for step in range(steps):
        _, rewards, terminated, truncated, infos = env.step(pick(infos["action_mask"], step))
        rows.append((rewards, terminated | truncated))
    return [np.array(column) for column in zip(*rows, strict=True)]


def endings(env):
    """Return step, game and last observation of every game that ends in a run of random legal actions."""
    _, infos = env.reset(seed=5)
    ends = []
    for step in range(scaled(300, 40)):
        _, _, _, _, infos = env.step(pick(infos["action_mask"], step))
        for row in np.flatnonzero(infos.get("_final_obs", [])):
            ends.append((step, int(row), infos["final_obs"][row].tobytes()))
    return ends


def test_next_step_mode_deals_in_the_step_after_the_end():
    env = make_vec(opponents="simple", seat="rotate", on_illegal="raise")
    observations, infos = env.reset(seed=5)
    ended = np.zeros(LANES, bool)
    ends = 0
    for step in range(STEPS):
        was_over = ended
        observations, rewards, terminated, truncated, infos = env.step(pick(infos["action_mask"], step))
        ended = terminated | truncated
        assert not (was_over & ended).any() and not rewards[was_over].any()
        assert infos["action_mask"][ended].all() and not infos["action_mask"][~ended].all(axis=1).any()
        ends += ended.sum()
    assert ends >= scaled(6, 0)


def test_disabled_mode_waits_for_a_reset():
    env = make_vec(opponents="simple", autoreset_mode=AutoresetMode.DISABLED, num_envs=2)
    observations, infos = env.reset(seed=5)
    ended = np.zeros(2, bool)
    step = 0
    while not ended.any():
        observations, _, terminated, truncated, infos = env.step(pick(infos["action_mask"], step))
        ended = terminated | truncated
        step += 1
    with pytest.raises(RuntimeError, match="are over: reset them"):
        env.step(pick(infos["action_mask"], step))
    kept = observations[~ended].copy()
    observations, infos = env.reset(seed=9, options={"reset_mask": ended})
    assert (observations[~ended] == kept).all()
    assert (observations[ended][0] == make(opponents="simple").reset(seed=9 + int(ended.argmax()))[0]).all()
    env.step(pick(infos["action_mask"], step))
    with pytest.raises(ValueError, match="reset_mask=.*: must be 2 bools"):
        env.reset(options={"reset_mask": np.ones(3, bool)})


def test_arrays_stay_as_they_are_for_ever_or_for_a_step():
    for copy, steps in ((True, 5), (False, 1)):
        env = make_vec(copy=copy)
        observations, infos = env.reset(seed=1)
        kept, masks = observations.copy(), infos["action_mask"].copy()
        mask = infos["action_mask"]
        for step in range(steps):
            now, _, _, _, infos = env.step(pick(infos["action_mask"], step))
            assert not np.shares_memory(now, observations)
        assert (observations == kept).all() and (mask == masks).all()
    env.step(pick(infos["action_mask"], 9))
    assert not (observations == kept).all()


@pytest.mark.parametrize("mask_in", ["obs", "info", "both"])
@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_what_is_handed_out_lies_in_the_spaces(mask_in, dtype):
    env = make_vec(mask_in=mask_in, observation_dtype=dtype)
    observations, infos = env.reset(seed=1)
    assert env.observation_space.contains(observations)
    assert ("action_mask" in infos) == (mask_in != "obs")
    observations, rewards, terminated, truncated, infos = env.step(pick(env.unwrapped.action_masks().view(np.int8), 1))
    assert env.observation_space.contains(observations)
    assert rewards.shape == terminated.shape == truncated.shape == (LANES,)


class Last:
    """A Python agent that takes the legal action with the highest number."""

    name = "last"

    def act(self, game, states, masks, seeds):
        return [int(np.flatnonzero(mask)[-1]) for mask in masks]


@pytest.mark.once
@pytest.mark.parametrize("variant", ["star_realms/core/standard/2", "star_realms/box/free_for_all/3"])
def test_opponents_play_the_same_compiled_and_asked(variant):
    game = game_of(variant)
    net = NetworkAgent(a_network(game, sampled=True), "net")
    others = game.players - 1
    pools = {
        "compiled": [["simple"] * others, [net] * others],
        "asked": [[Plain(agents.get("simple"))] * others, [Plain(net)] * others],
        "mixed": [["simple"] * others, [Plain(net)] * others],
    }
    played = [play(make_vec(variant, opponents=pool, seat="rotate"), scaled(300, 10)) for pool in pools.values()]
    for rewards, ended in played[1:]:
        assert (rewards == played[0][0]).all() and (ended == played[0][1]).all()
    play(make_vec(variant, opponents=Last()), 5)
    ends = [
        endings(make_vec(variant, opponents=pool, seat="rotate", autoreset_mode=AutoresetMode.SAME_STEP))
        for pool in pools.values()
    ]
    assert len(ends[0]) > 0 and ends[0] == ends[1] == ends[2]


@pytest.mark.once
def test_a_seat_that_is_never_asked_is_named():
    with pytest.raises(ValueError, match="seat 1: never decides in star_realms/core/standard/2/max_turns=1"):
        star_realms_v1.VectorEnv(2, seat=1, max_turns=1).reset()


class Broken(Last):
    """An agent that raises, or gives an illegal answer."""

    def __init__(self, error):
        self.error = error

    def act(self, game, states, masks, seeds):
        if self.error:
            raise self.error
        return masks.argmin(axis=1)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), None])
def test_after_an_error_of_an_opponent_games_must_be_reset(error):
    env = make_vec(opponents=Broken(error), num_envs=2)
    _, infos = env.reset(seed=1)
    with pytest.raises((KeyboardInterrupt, stardeck.IllegalAction)) as raised:
        for step in range(100):
            *_, infos = env.step(pick(infos["action_mask"], step))
    assert error or str(raised.value).startswith("agent 'last': row ")
    with pytest.raises(RuntimeError, match="again after an error of an opponent"):
        env.step(pick(infos["action_mask"], 1))


def test_seats_rotate_from_reset_to_reset():
    for mode in (AutoresetMode.DISABLED, AutoresetMode.SAME_STEP):
        env = make_vec(seat="rotate", autoreset_mode=mode, num_envs=2, opponents="simple").unwrapped
        seats = []
        for seed in (1, None, None, 1):
            env.reset(seed=seed)
            seats.append(env._lanes._lanes["seat"].tolist())
        assert seats == [[0, 1], [1, 0], [0, 1], [0, 1]]
    with pytest.raises(RuntimeError, match="the first reset must deal all games"):
        make_vec(num_envs=2).reset(options={"reset_mask": np.array([True, False])})


def test_seats_rotate_and_are_drawn():
    for seat, expected in (("rotate", [0, 1, 0, 1]), (1, [1, 1, 1, 1])):
        lanes = Lanes(game_of(CORE), 4, "rules", seat)
        lanes.reset(np.arange(4, dtype=np.uint64))
        assert lanes._lanes["seat"].tolist() == expected
    lanes = Lanes(game_of(CORE), 40, "rules", "random")
    lanes.reset(np.arange(40, dtype=np.uint64))
    assert set(lanes._lanes["seat"]) == {0, 1}


def test_a_learner_can_decide_for_everybody():
    game = game_of(CORE)
    env = make_vec(seat="all", autoreset_mode=AutoresetMode.SAME_STEP)
    _, infos = env.reset(seed=3)
    states = game.deal(np.arange(3, 3 + LANES))
    running = np.ones(LANES, bool)
    for step in range(scaled(1500, 30)):
        assert (infos["seat"][running] == game.to_act(states)[running]).all()
        movers = infos["seat"]
        actions = pick(infos["action_mask"], step)
        observations, rewards, terminated, truncated, infos = env.step(actions)
        for i in np.flatnonzero(running):
            game.apply(states[i : i + 1], actions[i : i + 1])
        assert (
            observations[running & ~terminated & ~truncated] == game.observe(states)[running & ~game.is_over(states)]
        ).all()
        for i in np.flatnonzero(running & (terminated | truncated)):
            assert rewards[i] == game.returns(states)[i, movers[i]]
            running[i] = False
    assert not running.any() or not scaled(True, False)


def test_a_learner_can_decide_for_its_team():
    game = game_of("star_realms/box/two_headed_hydra/4")
    for team in (False, True):
        lanes = Lanes(game, 2, "simple", seat=1, team=team)
        lanes.reset(np.arange(2, dtype=np.uint64))
        asked = set()
        for step in range(scaled(300, 30)):
            asked |= set(lanes._states["to_act"].tolist())
            lanes.step(pick(lanes.masks, step))
        assert asked == ({0, 1} if team else {1})


def test_steps_can_be_real_choices_only():
    game = game_of(CORE)
    counts = {}
    for skip in (False, True):
        lanes = Lanes(game, 4, "simple", skip_forced=skip)
        lanes.reset(np.arange(4, dtype=np.uint64))
        fewest = 99
        for step in range(scaled(200, 25)):
            fewest = min(fewest, lanes.masks.sum(axis=1).min())
            lanes.step(pick(lanes.masks, step))
        counts[skip] = fewest
    assert counts == {False: 1, True: 2}


def test_illegal_actions_lose_raise_or_are_replaced():
    for mode in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP):
        env = make_vec(num_envs=3, autoreset_mode=mode)
        _, infos = env.reset(seed=1)
        actions = pick(infos["action_mask"], 1)
        actions[1] = infos["action_mask"][1].argmin()
        _, rewards, terminated, truncated, infos = env.step(actions)
        assert rewards.tolist() == [0, -1, 0] and terminated.tolist() == [False, True, False] and not truncated.any()
        assert infos["seat"][1] == (-1 if mode == AutoresetMode.NEXT_STEP else infos["seat"][1])
        assert infos["illegal"].tolist() == [0, 1, 0] and infos["_illegal"].tolist() == [False, True, False]
        assert env.unwrapped.illegal_actions == {1: actions[1]}
        env.step(pick(infos["action_mask"], 2))
    for action in (-1, 10**6):
        env = make_vec(num_envs=3, on_illegal="raise")
        _, infos = env.reset(seed=1)
        before = env.unwrapped._lanes._states.tobytes()
        actions = pick(infos["action_mask"], 1)
        actions[2] = action
        with pytest.raises(stardeck.IllegalAction, match=f"game 2: {action} is not legal; legal: "):
            env.step(actions)
        assert env.unwrapped._lanes._states.tobytes() == before
    env = make_vec(num_envs=3, on_illegal="random_legal")
    env.reset(seed=1)
    _, rewards, terminated, _, infos = env.step(np.array([-1, -1, -1]))
    assert not rewards.any() and not terminated.any() and not infos["illegal"].any()
    assert env.unwrapped.illegal_actions == {}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_envs": 0}, "num_envs=0: must be at least 1"),
        ({"seat": 2}, "seat=2: must be one of 0, 1, rotate, random, all"),
        ({"opponents": [["rules", "rules"]]}, "must be one agent, 1 of them, or lists of 1"),
        ({"opponents": []}, "must be one agent, 1 of them, or lists of 1"),
        ({"opponents": "nobody"}, "agent 'nobody': must be one of"),
        ({"autoreset_mode": "never"}, "autoreset_mode='never'"),
        ({"players": 3}, "players=3: standard takes 2"),
        ({"threads": 0}, "threads=0: must be from 1 to 1024"),
    ],
)
def test_impossible_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        star_realms_v1.VectorEnv(**options)


def test_stepping_before_a_reset_and_with_wrong_actions_is_an_error():
    env = star_realms_v1.VectorEnv(2)
    with pytest.raises(RuntimeError, match="reset"):
        env.step(np.zeros(2, np.int64))
    env.reset(seed=1)
    for actions in (np.zeros(3, np.int64), np.zeros(2), [[0, 0]]):
        with pytest.raises(ValueError, match="must be 2 whole numbers, one for each game"):
            env.step(actions)


@pytest.mark.once  # threads of plain Python run one at a time
@pytest.mark.parametrize("opponents", ["simple", Last()], ids=["compiled", "asked"])
@pytest.mark.parametrize("mode", AutoresetMode)
def test_threads_play_the_same_games(opponents, mode):
    def course(threads):
        env = make_vec(num_envs=7, opponents=opponents, autoreset_mode=mode, threads=threads, seat="rotate")
        _, infos = env.reset(seed=3)
        for step in range(200):
            observations, rewards, terminated, truncated, infos = env.step(pick(infos["action_mask"], step))
            ended = {row: infos["returns"][row].tolist() for row in np.flatnonzero(infos.get("_returns", []))}
            final = {row: seen.tobytes() for row, seen in enumerate(infos.get("final_obs", [])) if seen is not None}
            yield [observations.tobytes(), rewards.tolist(), terminated.tolist(), truncated.tolist(), ended, final]
            if mode == AutoresetMode.DISABLED and (over := terminated | truncated).any():
                _, infos = env.reset(options={"reset_mask": over})

    alone = list(course(1))
    assert list(course(2)) == alone and list(course(20)) == alone
    assert any(ended for *_, ended, _ in alone)


def test_a_thread_pool_shares_rows_out_and_raises_the_first_error():
    assert ThreadPool(7, 3).slices == [slice(0, 2), slice(2, 4), slice(4, 7)] and len(ThreadPool(2, 5).slices) == 2
    pool = ThreadPool(100, 4)
    met = []
    pool.run(lambda number, rows: met.append((number, rows)))
    assert sorted(met) == list(enumerate(pool.slices))
    again = pickle.loads(pickle.dumps(pool))
    again.run(lambda number, rows: met.append((number, rows)))
    assert len(met) == 8

    def fail(number, rows):
        if number:
            raise ValueError(f"slice {number}")
        met.append("mine")

    with pytest.raises(ValueError, match="slice 1"):
        pool.run(fail)
    assert met[-1] == "mine"


@entry
def extents_of(states):
    return extents(states)


SEATED = np.dtype(
    [("first", np.int64), ("players", [("cards", np.int16, 3), ("trade", np.int16)], 4), ("last", np.uint8, 7)]
)


@pytest.mark.once
@pytest.mark.parametrize(
    ("dtype", "expected"), [(SEATED, (8, 8, 40, 47)), (LANE, (LANE.itemsize, 0) + 2 * (LANE.itemsize,))]
)
def test_where_the_seats_of_a_state_lie_is_known_to_compiled_code(dtype, expected):
    assert extents_of(np.zeros(1, dtype)) == expected


def test_nothing_of_a_game_lies_outside_the_lines_that_are_asked_for(monkeypatch):
    game = game_of(CORE)
    lanes = Lanes(game, LANES, seat="all")
    lanes.reset(np.arange(LANES, dtype=np.uint64))
    for step in range(scaled(200, 10)):
        lanes.step(pick(lanes.masks, step))
    bytes_used = lanes.snapshot()["states"].view(np.uint8).reshape(LANES, -1).any(axis=0)
    asked = []
    seats, first = game.state_dtype.fields["players"][:2]
    laid = first, seats.base.itemsize, first + seats.itemsize, game.state_dtype.itemsize
    monkeypatch.setattr(prefetch, "extents", lambda states: laid)
    monkeypatch.setattr(prefetch, "fetch", lambda states, row, byte: asked.append((row, byte // LINE * LINE)))
    uncompiled = getattr(prefetch.fetch_row, "py_func", prefetch.fetch_row)
    for i in range(3):  # the first index prefetches the last row
        uncompiled(look(game.rules)[0], np.zeros(AHEAD + 1, game.state_dtype), i)
    rows, lines = map(set, zip(*asked, strict=True))
    assert rows == {AHEAD} and set(np.flatnonzero(bytes_used) // LINE * LINE) <= lines
    assert len(asked) < game.state_dtype.itemsize // LINE  # the other seats are not fetched


def test_lanes_go_on_exactly_from_a_snapshot():
    net = NetworkAgent(a_network(game_of(CORE), sampled=True), "net")
    one, two = (Lanes(game_of(CORE), LANES, [["rules"], [net]], buffers=2) for _ in range(2))
    one.reset(np.arange(LANES, dtype=np.uint64))
    for step in range(scaled(200, 10)):
        one.step(pick(one.masks, step))
    snapshot = one.snapshot()
    in_another_order = snapshot["lanes"][list(reversed(LANE.names))]  # as in earlier versions
    two.restore(snapshot | {"lanes": in_another_order})
    for step in range(scaled(200, 10)):
        assert (one.observations == two.observations).all() and (one.masks == two.masks).all()
        for lanes in (one, two):
            lanes.step(pick(lanes.masks, step))
        assert (one.rewards == two.rewards).all() and (one.ended == two.ended).all()
