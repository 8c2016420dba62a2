"""The outcome of a game, which every environment reports for every seat at the end."""

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from helpers import Plain, game_of, pick, registered
from stardeck import agents
from stardeck.envs import interstellar_empire_v1

KEYS = ("returns", "winners", "placements")
# Two, three and six seats, teams, a Raid, an automated Boss; another game.
TOLD = [
    "star_realms/core/standard/2",
    "star_realms/box/free_for_all/3",
    "star_realms/box/two_headed_hydra/4",
    "star_realms/box/raid/4",
    "star_realms/box/nemesis_beast/2/veteran",
    "interstellar_empire/4",
]
LANES = 8


def make_vec(variant, **options):
    name = f"stardeck/{registered(variant).gymnasium_id}"
    return gymnasium.make_vec(name, LANES, "vector_entry_point", **game_of(variant).settings, **options)


def check(told, row, game, states):
    """Check that the reported outcome equals the game's own."""
    for key, rows in game.outcomes(states).items():
        assert told[key][row].dtype == rows.dtype and (told[key][row] == rows[0]).all()


@pytest.mark.once
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("variant", TOLD)
def test_a_learner_that_decides_for_everybody_hears_what_every_seat_got(variant, mode):
    game = game_of(variant)
    env = make_vec(variant, seat="all", autoreset_mode=mode)
    _, infos = env.reset(seed=3)
    states = game.deal(np.arange(3, 3 + LANES))
    running = np.ones(LANES, bool)
    for step in range(10_000):
        movers, actions = infos["seat"], pick(infos["action_mask"], step)
        _, rewards, terminated, truncated, infos = env.step(actions)
        game.apply(states, np.where(running, actions, 0), skip_finished=True)
        ended = terminated | truncated
        assert all((infos.get(f"_{key}", np.zeros(LANES, bool)) == ended).all() for key in KEYS)
        for row in np.flatnonzero(running & ended):
            check(infos, row, game, states[row : row + 1])
            assert rewards[row] == infos["returns"][row, movers[row]]
        running &= ~ended
        if not running.any():
            break
    assert not running.any()
    if len(game.variant.sides) > 2 or game.id.endswith("raid/4"):
        assert (game.returns(states) < 0).any() and (game.returns(states) == 1).any()


@pytest.mark.once
@pytest.mark.parametrize("opponents", ["simple", Plain(agents.get("simple"))])
def test_a_learner_with_one_seat_hears_it_too(opponents):
    """By the vector environment and Gymnasium's vector of single ones; tests/training covers Stable-Baselines3."""
    vector = make_vec("interstellar_empire/4", opponents=opponents, seat=2, autoreset_mode=AutoresetMode.SAME_STEP)
    settings = {"players": 4, "seat": 2, "opponents": opponents}
    usual = gymnasium.make_vec("stardeck/InterstellarEmpire-v1", LANES, "sync", **settings)
    _, infos = vector.reset(seed=3)
    usual.reset(seed=3)
    running = np.ones(LANES, bool)
    for step in range(1000):
        actions = pick(infos["action_mask"], step)
        _, rewards, terminated, truncated, infos = vector.step(actions)
        _, _, _, _, same = usual.step(np.where(running, actions, 0))
        for row in np.flatnonzero(running & (terminated | truncated)):
            assert infos["returns"][row, 2] == rewards[row]
            for key in KEYS:
                assert same[f"_{key}"][row] and same[key].dtype == infos[key].dtype
                assert (same[key][row] == infos[key][row]).all()
        running &= ~(terminated | truncated)
        if not running.any():
            break
    assert not running.any()


@pytest.mark.parametrize("face", ["aec", "parallel"])
def test_every_seat_of_pettingzoo_hears_what_all_got(face):
    env = interstellar_empire_v1.env(players=3) if face == "aec" else interstellar_empire_v1.parallel_env(players=3)
    env.reset(seed=1)
    raw = env.unwrapped if face == "aec" else env.aec_env.unwrapped
    step = 0
    while not raw.game.is_over(raw._states)[0]:
        actor, action = raw.agent_selection, int(pick(raw._mask[None], step)[0])
        if face == "aec":
            env.step(action)
            infos = env.infos
        else:
            *_, infos = env.step({actor: action})
        step += 1
    assert len(infos) == 3
    for info in infos.values():
        check({key: [info[key]] for key in KEYS}, 0, raw.game, raw._states)


def test_an_illegal_action_costs_its_seat_alone():
    """The game stops there: no seat has won, and none has a place."""
    expected = {"returns": [0.0, 0.0, -1.0], "winners": [False] * 3, "placements": [0] * 3}
    solo = interstellar_empire_v1.SingleAgentEnv(players=3, seat=2)
    solo.reset(seed=1)
    *_, told = solo.step(solo.action_masks().argmin())
    assert {key: told[key].tolist() for key in KEYS} == expected
    for mode in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP):
        many = interstellar_empire_v1.VectorEnv(3, players=3, seat=2, autoreset_mode=mode)
        _, infos = many.reset(seed=1)
        actions = pick(infos["action_mask"], 1)
        actions[1] = infos["action_mask"][1].argmin()
        _, rewards, _, _, infos = many.step(actions)
        assert infos["_returns"].tolist() == [False, True, False] and rewards.tolist() == [0, -1, 0]
        assert {key: infos[key][1].tolist() for key in KEYS} == expected
    env = interstellar_empire_v1.env(players=3)
    env.reset(seed=1)
    offender = env.agent_selection
    env.step(int(env.infos[offender]["action_mask"].argmin()))
    assert env.infos[offender]["returns"].tolist() == [env.rewards[agent] for agent in env.possible_agents]
    assert sum(env.rewards.values()) == -1 and not env.infos[offender]["placements"].any()


@pytest.mark.parametrize(
    ("variant", "places", "truncated", "returns", "winners"),
    [
        ("star_realms/core/standard/2", [2, 1], False, [-1, 1], [1]),
        ("star_realms/core/standard/2", [1, 1], False, [0, 0], []),
        ("star_realms/core/standard/2", [1, 2], True, [0, 0], []),
        ("star_realms/box/free_for_all/3", [3, 1, 2], False, [-0.5, 1, -0.5], [1]),
        ("star_realms/box/two_headed_hydra/4", [1, 1, 2, 2], False, [1, 1, -1, -1], [0, 1]),
        ("star_realms/box/nemesis_beast/2/veteran", [1, 1], False, [1, 1], [0, 1]),
        ("star_realms/box/nemesis_beast/2/veteran", [2, 2], False, [-1, -1], []),
        ("star_realms/box/nemesis_beast/2/veteran", [2, 2], True, [0, 0], []),
    ],
)
def test_who_has_won_follows_from_the_places(variant, places, truncated, returns, winners):
    game = game_of(variant)
    states = game.deal(range(2))
    states["placement"][0, : game.players], states["to_act"][0], states["truncated"][0] = places, -1, truncated
    assert game.returns(states).tolist() == [returns, [0] * game.players]
    assert game.placements(states).tolist() == [places, [0] * game.players]
    assert np.flatnonzero(game.winners(states)[0]).tolist() == winners and not game.winners(states)[1].any()
