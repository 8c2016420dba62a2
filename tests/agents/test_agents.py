"""Agents: their knowledge, their strength, and equal games through both interfaces."""

import numpy as np
import pytest

from helpers import VARIANTS, deep_states, game_of, scaled, thorough
from stardeck import agents
from stardeck.agents.names import HABITS
from stardeck.agents.star_realms.values import WORTH
from stardeck.benchmarks.advantage.measure import advantage
from stardeck.kernels.loops import batch
from stardeck.kernels.star_realms.rules import Op

CORE = VARIANTS[0]


@pytest.mark.parametrize("variant", VARIANTS)
def test_agents_answer_every_state_of_random_games_legally(variant):
    game = game_of(variant)
    states = deep_states(game, scaled(thorough(30, 6), 2), scaled(300, 40), seed=3, every=scaled(1, 3))
    seeds = np.arange(len(states), dtype=np.uint64)
    masks = game.legal_actions(states)
    for name in [*agents.NAMES, *(HABITS if "realms" in variant or "rise" in variant else ())]:
        actions = agents.get(name).act(game, states, masks, seeds)
        assert masks[np.arange(len(states)), actions].all(), name
        assert (actions == agents.get(name).act(game, states, masks, seeds)).all(), name


def test_agents_do_not_change_the_states_they_look_at():
    game = game_of(CORE)
    states = game.deal(np.arange(50))
    before = states.tobytes()
    for name in agents.NAMES:
        agents.get(name).act(game, states, game.legal_actions(states), np.zeros(50, np.uint64))
    assert states.tobytes() == before


def test_the_random_agent_is_uniform_and_agrees_with_a_draw_from_the_mask():
    game = game_of(CORE)
    state = game.from_position(
        {"players": {"player_0": {"authority": 50, "hand": ["Scout", "Viper", "Ram"]}, "player_1": {"authority": 50}}}
    )
    n = scaled(40_000, 400)
    states = game.copy(state.repeat(n))
    seeds = np.arange(n, dtype=np.uint64)
    actions = agents.get("random").act(game, states, None, seeds)
    drawn = np.empty(n, np.int64)
    batch.pick_all(game.legal_actions(states), seeds, drawn)
    assert (actions == drawn).all()
    _, counts = np.unique(actions, return_counts=True)
    assert len(counts) == 4
    assert ((counts - n / 4) ** 2 / (n / 4)).sum() < 25  # 3 degrees of freedom


@pytest.mark.once
@pytest.mark.parametrize(
    ("game", "settings", "opponent", "share"),
    [
        ("star_realms", {}, "simple", 0.85),
        ("star_realms", {}, "random", 0.99),
        ("star_realms", {"set": "rise_of_empire", "scenario": 1}, "simple", 0.85),
        ("rise_of_empire", {}, "simple", 0.99),
        ("empire_of_the_stars", {}, "simple", 0.95),
    ],
)
def test_rules_beats_the_weaker_agents(game, settings, opponent, share):
    games = 400 if game == "rise_of_empire" else 4_000
    summary = advantage(game, agents=["rules", opponent], games=games, seed=1, **settings)
    rules = next(agent for agent in summary["agents"] if agent["agent"] == "rules")
    assert rules["games"] == games
    assert rules["win_rate"] >= share


@pytest.mark.once
@pytest.mark.parametrize("habit", HABITS)
def test_a_habit_holds_its_own_and_is_no_rules(habit):
    """A habit buys differently from `rules`, and is about as strong: a yardstick in addition to it."""
    summary = advantage("star_realms", agents=[habit, "rules"], games=6_000, seed=1)
    rate = next(agent["win_rate"] for agent in summary["agents"] if agent["agent"] == habit)
    assert 0.47 <= rate <= 0.57


@pytest.mark.parametrize(
    ("agent", "bought"), [("rules", "Trade Bot"), ("cheap-combat", "Battle Pod"), ("same-faction", "Imperial Fighter")]
)
def test_habits_buy_otherwise(agent, bought):
    """Purchases on the eighth turn, with two Star Empire cards: a scrapper, a damage dealer, a card with allies."""
    game = game_of(CORE)
    player = {"authority": 50, "trade": 2, "discard": ["Corvette", "Survey Ship", "Imperial Fighter"]}
    position = {"trade_row": ["Battle Pod", "Missile Bot", "Trade Bot", "Imperial Fighter"], "turn_number": 8}
    states = game.from_position(position | {"players": {"player_0": player, "player_1": {"authority": 50}}})
    action = agents.get(agent).act(game, states, game.legal_actions(states), np.zeros(1, np.uint64))[0]
    assert game.describe(states[0], action) == f"buy {bought}"


def test_a_habit_is_of_its_games():
    with pytest.raises(ValueError, match="agent 'cheap-combat': plays star_realms and rise_of_empire, not"):
        agents.get("cheap-combat", game_of("interstellar_empire/2"))


def test_every_effect_has_a_worth():
    assert WORTH.shape == (len(Op), 3)


def test_rules_wins_this_turn_when_it_can():
    """The pool has 11 combat and the outpost takes 5; the scrap ability of the Explorer supplies the rest."""
    game = game_of(CORE)
    states = game.from_position(
        {
            "players": {
                "player_0": {"authority": 50, "combat": 9, "in_play": ["Explorer"]},
                "player_1": {"authority": 6, "in_play": ["Battle Station"]},
            }
        }
    )
    agent = agents.get("rules")
    for _ in range(3):
        game.apply(states, agent.act(game, states, game.legal_actions(states), np.zeros(1, np.uint64)))
    assert game.returns(states)[0].tolist() == [1.0, -1.0]


def test_rules_buys_the_dearest_card_early_and_no_explorer_late():
    game = game_of(CORE)
    early = {"trade_row": ["Trade Pod", "Blob Wheel"], "explorers": 5, "turn_number": 3}
    both = {"player_0": {"authority": 50, "trade": 2}, "player_1": {"authority": 50}}
    agent = agents.get("rules")

    def first_move(position):
        states = game.from_position(position)
        action = agent.act(game, states, game.legal_actions(states), np.zeros(1, np.uint64))[0]
        return game.describe(states[0], action)

    assert first_move(early | {"players": both}) == "buy Trade Pod"
    assert first_move({"explorers": 5, "turn_number": 30, "players": both}) == "end turn"


def test_rules_scraps_its_starting_cards():
    game = game_of(CORE)
    player = {"authority": 50, "hand": ["Trade Bot"], "discard": ["Ram", "Scout", "Cutter"]}
    states = game.from_position({"players": {"player_0": player, "player_1": {"authority": 50}}})
    game.play(states, "play Trade Bot")
    action = agents.get("rules").act(game, states, game.legal_actions(states), np.zeros(1, np.uint64))[0]
    assert game.describe(states[0], action) == "scrap Scout from discard"


def test_an_unknown_agent_is_named():
    with pytest.raises(ValueError, match="agent 'ruls': must be one of random, simple, rules"):
        agents.get("ruls")
