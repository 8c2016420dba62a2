"""Choices of agents: the action of `advice`, with the probability of each."""

import numpy as np
import pytest

import stardeck
from stardeck import agents
from stardeck.agents.search.advice import advice, choice


def positions(game, decisions):
    """Yield states of a game in which `rules` plays, each with a choice."""
    states, agent = game.deal(5), agents.get("rules", game)
    for number in range(decisions):
        legal = game.legal_actions(states)
        if legal.sum() > 1:
            yield states
        game.apply(states, agent.act(game, states, legal, np.array([number], np.uint64)))


SLOW = [pytest.param(name, marks=pytest.mark.once) for name in ("expert", "search:8:prior=rules")]  # in plain Python


@pytest.mark.parametrize("name", ["rules", *SLOW])
def test_a_choice_is_the_advice_with_its_probability(name):
    game = stardeck.make("star_realms")
    agent = agents.get(name, game)
    for states in positions(game, 12):
        seat = int(states[0]["to_act"])
        found = choice(game, states, agent, seat)
        assert found.action == advice(game, states, agent, seat)
        assert sum(found.policy.values()) == pytest.approx(1, abs=1e-5)
        assert set(found.policy) <= set(np.flatnonzero(game.legal_actions(states)[0]))
        if name != "search:8:prior=rules":  # a search picks by its tree, and recommends a smoothed policy
            assert found.policy[found.action] == max(found.policy.values())
    if name == "expert":
        assert len(found.policy) > 1


def test_a_choice_does_not_depend_on_what_the_seat_cannot_know():
    game = stardeck.make("star_realms")
    agent = agents.get("rules", game)
    for states in positions(game, 12):
        seat = int(states[0]["to_act"])
        other = game.resample_hidden(states, seat, [99])
        assert choice(game, states, agent, seat) == choice(game, other, agent, seat)
