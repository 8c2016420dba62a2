"""Subsets of many games: taken out, put back, left alone once over, played to their end by agents."""

import numpy as np
import pytest

import stardeck
from helpers import PROGRAMS, Plain, a_network, game_of, pick, random_steps, scaled
from stardeck import agents
from stardeck.agents.networks.agent import NetworkAgent

GAMES = scaled(30, 3)
SMALL = game_of("interstellar_empire/2")


@pytest.mark.parametrize("variant", PROGRAMS)
def test_rows_are_taken_and_put_as_numpy_does(variant):
    game = game_of(variant)
    early = game.deal(np.arange(6))
    late = list(random_steps(game, 6, 20))[-1]
    for rows in ([4, 0, 4], np.array([5], np.uint8), range(2), [], early["to_act"] == early["to_act"][0]):
        where = np.asarray(rows, None if len(rows) else np.int64)
        assert game.take(early, rows).tobytes() == early[where].tobytes()
        ours, theirs = game.copy(early), game.copy(early)
        some = game.take(late, rows)
        game.put(ours, rows, some)
        theirs[where] = some
        assert ours.tobytes() == theirs.tobytes()
    every_other = early[::2]
    assert game.take(every_other, [1]).tobytes() == early[2:3].tobytes()


@pytest.mark.parametrize("rows", [5, None, "x", [1.5], [-1], [3], [[1]], [[1], [1, 2]], np.array(1), [True, False]])
def test_rows_that_are_none_are_named_and_change_nothing(rows):
    states = SMALL.deal(np.arange(3))
    before = states.tobytes()
    for call in (lambda: SMALL.take(states, rows), lambda: SMALL.put(states, rows, states[:1])):
        with pytest.raises(ValueError, match="^rows: .*: must be numbers from 0 to 2, or 3 truth values"):
            call()
    assert states.tobytes() == before


def test_only_as_many_games_of_the_same_variant_are_put_and_where_one_can_write():
    states, stranger = SMALL.deal(np.arange(3)), stardeck.make("interstellar_empire", players=3).deal(1)
    with pytest.raises(ValueError, match="^some: 2 states for 1 rows"):
        SMALL.put(states, [1], states[:2])
    with pytest.raises(TypeError, match="^row 0: is a state of interstellar_empire/3, not of"):
        SMALL.put(states, [1], stranger)
    states.setflags(write=False)
    with pytest.raises(ValueError, match="states are read-only"):
        SMALL.put(states, [1], SMALL.deal(1))


def test_a_batch_goes_on_until_its_last_game_has_ended():
    game = SMALL
    states = game.deal(np.arange(GAMES))
    while not game.is_over(states).all():
        over = game.is_over(states)
        before = game.take(states, over)
        actions = pick(game.legal_actions(states), 7)
        assert (actions[over] == -1).all()
        game.apply(states, actions, skip_finished=True)
        assert game.take(states, over).tobytes() == before.tobytes()
    before = states.tobytes()
    game.apply(states, np.full(GAMES, 10**9), skip_finished=True)
    assert states.tobytes() == before
    with pytest.raises(stardeck.IllegalAction, match="row 0: action 0: the game is over"):
        game.apply(states, np.zeros(GAMES, int))


def test_an_illegal_action_beside_finished_games_is_named():
    game = SMALL
    states = game.deal([1, 2])
    game.put(states, [0], game.playout(states[:1], "rules", 1))
    illegal = int(game.legal_actions(states)[1].argmin())
    with pytest.raises(stardeck.IllegalAction, match=f"^row 1: action {illegal} "):
        game.apply(states, [0, illegal], skip_finished=True)


@pytest.mark.once
def test_a_playout_is_the_same_compiled_and_asked_and_leaves_its_games_as_they_are():
    game = SMALL
    net = NetworkAgent(a_network(game, sampled=True), "net")
    states = game.deal(np.arange(GAMES))
    before = states.tobytes()
    played = [
        game.playout(states, players, 5)
        for players in ([net, "rules"], [net, Plain(agents.get("rules"))], [Plain(net), Plain(agents.get("rules"))])
    ]
    assert states.tobytes() == before
    assert game.is_over(played[0]).all()
    assert len({ended.tobytes() for ended in played}) == 1
    assert game.playout(states, [net, "rules"], 6).tobytes() != played[0].tobytes()
    assert len(game.playout(states[:0], "rules", 1)) == 0


def test_copies_of_one_position_are_played_out_each_with_a_chance_of_its_own():
    game = SMALL
    start = game.deal(7)
    many = game.playout(game.take(start, np.zeros(GAMES, int)), "random", 1)
    assert len({state.tobytes() for state in many}) == GAMES
    assert many[:1].tobytes() == game.playout(start, "random", 1).tobytes()


@pytest.mark.parametrize(
    ("players", "seed", "message"),
    [
        (["rules"], 1, r"agents=\['rules'\]: must be one agent, or 2 of them, one for each seat"),
        ("nobody", 1, "agent 'nobody': must be one of"),
        ("rules", -1, "seeds: .*: must be one whole number from 0"),
    ],
)
def test_what_a_playout_cannot_take_is_named(players, seed, message):
    with pytest.raises(ValueError, match=message):
        SMALL.playout(SMALL.deal(1), players, seed)
