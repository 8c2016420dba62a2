"""Search: legal, deterministic, blind to what its seat cannot know, and stronger than what it looks at first."""

import numpy as np
import pytest

from helpers import FEW, KINDS, VARIANTS, Plain, a_network, deep_states, game_of, random_steps, scaled, thorough
from stardeck import agents
from stardeck.agents import tree
from stardeck.agents.network import NetworkAgent
from stardeck.agents.search import SearchAgent
from stardeck.benchmarks.arena import Series
from stardeck.kernels.errors import IllegalAction
from stardeck.kernels.jit import entry

CORE = VARIANTS[0]


def decide(agent, game, states, seed=7):
    seeds = np.arange(len(states), dtype=np.uint64) + np.uint64(seed)
    return agent.act(game, states, game.legal_actions(states), seeds)


@pytest.mark.parametrize("variant", scaled(VARIANTS, FEW))
def test_search_answers_legally_and_leaves_the_states_alone(variant):
    game = game_of(variant)
    states = deep_states(game, games=scaled(thorough(2, 1), 2), steps=scaled(120, 6), every=scaled(20, 3))
    before = states.tobytes()
    actions = decide(agents.get(f"search:{scaled(12, 2)}", game), game, states)
    assert states.tobytes() == before
    assert game.legal_actions(states)[np.arange(len(states)), actions].all()


@pytest.mark.once
@pytest.mark.parametrize(
    "variant",
    [
        "star_realms/core/standard/2",
        "star_realms/rise_of_empire/standard/2/scenario=1",
        "interstellar_empire/2",
        "empire_of_the_stars/2/powers",
    ],
)
def test_search_does_not_see_what_is_hidden_and_repeats_itself(variant):
    game = game_of(variant)
    agent = agents.get("search:40", game)
    states = deep_states(game, games=3, steps=80, every=4)
    seats = game.to_act(states)
    again = game.resample_hidden(states, seats, np.arange(len(states), dtype=np.uint64))
    assert (decide(agent, game, states) == decide(agent, game, states)).all()
    assert (decide(agent, game, states) == decide(agent, game, again)).all()
    alone = [decide(agent, game, states[k : k + 1], 7 + k)[0] for k in range(len(states))]
    assert decide(agent, game, states).tolist() == alone


def test_search_wins_this_turn_when_it_can():
    game = game_of(CORE)
    players = {
        "player_0": {"authority": 1, "combat": 6, "trade": 8, "deck": ["Scout x9"]},
        "player_1": {"authority": 6, "hand": ["Viper x5"], "deck": ["Viper x9"]},
    }
    states = game.from_position({"trade_row": ["Cutter", "Ram"], "players": players})
    agent = agents.get(f"search:{scaled(200, 30)}", game)
    while not game.is_over(states)[0]:
        assert game.to_act(states)[0] == 0
        game.apply(states, decide(agent, game, states))
    assert game.returns(states)[0].tolist() == [1.0, -1.0]


@pytest.mark.once
@pytest.mark.parametrize(("variant", "opponent"), [(CORE, "simple"), ("interstellar_empire/2", "simple")])
def test_search_is_stronger_than_simple(variant, opponent):
    games = 60
    agent = agents.get("search:60", game_of(variant))
    series = Series(game_of(variant), [agent, opponent], seed=3)
    chunk = series.play(0, games)
    mine = np.array([[seated is agent for seated in lineup] for lineup in series.lineups])[chunk.rotations]
    assert (chunk.winners & mine).any(axis=1).sum() >= 40  # 44 to 60 are within four standard errors


@entry
def returns_all(search, states, returns):
    for i in range(len(states)):
        for seat in range(returns.shape[1]):
            returns[i, seat] = tree.return_of(search[0], states[i], seat)


@pytest.mark.once
@pytest.mark.parametrize("variant", KINDS)
def test_search_counts_returns_as_the_game_does(variant):
    game = game_of(variant)
    ended = [s[game.is_over(s)] for s in finished(game)]
    states = np.concatenate(ended)
    returns = np.empty((len(states), game.players))
    _, search = agents.get("search:1", game).settings(game)
    returns_all(search, states, returns)
    decided = game.winners(states).any(axis=1) | (len(game.variant.sides) == 1)
    assert len(states)
    assert np.allclose(returns[decided], game.returns(states)[decided])
    assert not returns[game.truncated(states)].any()


def finished(game):
    """The last states of a few games of `simple`."""
    states = game.deal(np.arange(20))
    agent = agents.get("simple")
    while not game.is_over(states).all():
        rows = np.flatnonzero(~game.is_over(states))
        running = np.ascontiguousarray(states[rows])
        game.apply(running, agent.act(game, running, None, np.arange(len(rows), dtype=np.uint64)))
        states[rows] = running
    yield states


@pytest.mark.once
def test_search_takes_networks_as_guide_player_and_judge():
    game = game_of(CORE)
    network = NetworkAgent(a_network(game), "net")
    states = next(iter(random_steps(game, 3, 1)))
    for roles in ({"guide": network}, {"player": network}, {"judge": network}, {"judge": network, "turns": 0}):
        given = {"guide": agents.get("rules"), "player": agents.get("rules")} | roles
        agent = SearchAgent(20, **given)
        actions = decide(agent, game, states)
        assert game.legal_actions(states)[np.arange(3), actions].all()
        assert agent.simulated >= 3 * 20


@pytest.mark.once
@pytest.mark.parametrize("variant", ["interstellar_empire/2", CORE])
def test_a_guide_that_is_not_compiled_leads_to_the_same_choices(variant):
    game = game_of(variant)
    states = next(iter(random_steps(game, 4, 1)))
    network = NetworkAgent(a_network(game), "net")  # a network is asked once for each position, compiled or not
    inside, outside = (SearchAgent(50, guide=guide, player=agents.get("rules")) for guide in (network, Plain(network)))
    assert (decide(inside, game, states) == decide(outside, game, states)).all()
    assert inside.thread_safe and not outside.thread_safe and inside.identity != outside.identity


@pytest.mark.once
def test_a_guide_that_answers_what_is_not_legal_is_named():
    game = game_of(CORE)
    guide = Plain(agents.get("random"))
    guide.act = lambda game, states, masks, seeds: masks.argmin(axis=1)
    with pytest.raises(IllegalAction, match="agent 'random': row 0"):
        decide(SearchAgent(5, guide=guide, player=agents.get("rules")), game, game.deal(1))


@pytest.mark.once
def test_a_budget_in_milliseconds():
    game = game_of(CORE)
    agent = agents.get("search:30ms", game)
    states = game.deal(5)
    assert game.legal_actions(states)[0, decide(agent, game, states)[0]]
    assert agent.simulated > 0 and agent.name == "search:30ms"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("search:", "must be search:N or search:Nms"),
        ("search:0", "simulations=0: must be from 1 to 1,000,000"),
        ("search:12:gide=rules", "must be search:N or search:Nms"),
        ("search:12:guide=nobody", "agent 'nobody': must be one of"),
        ("search:12:guide=search:5", "search: guide 'search:5': must be an agent that does not search itself"),
        ("search:12:player=mine.py:Agent", "agent 'mine.py:Agent': mine.py cannot be read"),
        ("search:12:judge=rules", "search: judge 'rules': must be a network"),
        ("search:12:trust=2", "trust=2.0: must be from 0 to 1"),
        ("search:12:trust=much", "could not convert"),
    ],
)
def test_what_is_no_search_is_named(text, message):
    with pytest.raises(ValueError, match=message):
        agents.get(text)
