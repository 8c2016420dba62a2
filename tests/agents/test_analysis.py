"""Analysis of a position: consistent probabilities, intervals that contain deeper results, and named mistakes."""

import math

import numpy as np
import pytest

import stardeck
from helpers import VARIANTS, game_of
from stardeck import agents
from stardeck.agents.search.analysis import Analysis, looked_back


def deep(game, seed, decisions):
    states, rules = game.deal(seed), agents.get("rules", game)
    while decisions and not game.is_over(states)[0]:
        game.apply(states, rules.act(game, states, game.legal_actions(states), [decisions]))
        decisions -= 1
    return states


def thought(analysis, searches):
    for _ in range(searches):
        analysis.think_on()
    return analysis


def test_every_move_is_weighed_and_the_estimate_settles():
    game = game_of(VARIANTS[0])
    states = deep(game, 7, 40)
    guide = agents.get("expert", game)
    few, many = (thought(Analysis(game, states, guide, simulations=100), n) for n in (1, 30))
    assert {row.action for row in few.estimates()} == set(np.flatnonzero(game.legal_actions(states)[0]))
    assert all(math.isnan(row.low) for row in few.estimates()), "one search cannot know how sure it is"
    rows = many.estimates()
    assert all(row.tries > 0 and row.low <= row.win <= row.high and 0 <= row.win <= 1 for row in rows)
    assert sum(row.policy for row in rows) == pytest.approx(1, abs=1e-4) == sum(row.prior for row in rows)
    assert min(row.win for row in rows) - 0.05 <= many.win <= max(row.win for row in rows) + 0.05
    assert many.tries == sum(row.tries for row in rows)
    best = rows[0]
    half = thought(Analysis(game, states, guide, simulations=100), 8).of(best.action)
    assert half.high - half.low > best.high - best.low and half.low - 0.02 < best.win < half.high + 0.02


def test_chances_of_three_sides_come_from_returns_that_add_up_to_nothing():
    game = stardeck.make("star_realms", set="box", format="free_for_all", players=3)
    states = deep(game, 3, 10)
    rows = thought(Analysis(game, states, agents.get("rules", game)), 3).estimates()
    assert all(0 <= row.win <= 1 for row in rows)
    assert Analysis(game, states, agents.get("rules"))._chance(-0.5) == 0 and rows[0].win > 0


def test_a_mistake_is_named_with_what_was_better():
    """A player who can win at once and ends the turn instead loses the game."""
    game = game_of(VARIANTS[0])
    states = game.from_position(
        {
            "turn": "player_0",
            "trade_row": ["Cutter", "Ram", "Corvette", "Trade Bot", "Blob Wheel"],
            "players": {
                "player_0": {"authority": 2, "hand": ["Blob Fighter"], "deck": ["Scout x9"]},
                "player_1": {"authority": 3, "hand": ["Dreadnaught x5"], "deck": ["Dreadnaught x5"]},
            },
        }
    )
    (end,) = game.parse(states, "end turn")
    turn = looked_back(game, states, end, agents.get("rules"), searches=3)
    assert turn.played.action == end and game.describe(states, turn.better.action) == "play Blob Fighter"
    assert turn.better.win > 0.9 and turn.played.win < 0.1 and turn.seat == 0


def test_a_forced_move_has_no_better_one_and_a_game_that_is_over_none():
    game = stardeck.make("interstellar_empire")
    states = game.deal(1)
    rules = agents.get("rules")
    while game.legal_actions(states)[0].sum() > 1:
        game.apply(states, rules.act(game, states, game.legal_actions(states), [1]))
    forced = int(game.legal_actions(states)[0].argmax())
    assert looked_back(game, states, forced, rules).played is None
    with pytest.raises(ValueError, match="over"):
        Analysis(game, game.playout(states, rules, 1), rules)
