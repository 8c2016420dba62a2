"""Resampling with an opponent-hand model: visible cards stay, and each card is held as often as its weight says."""

import numpy as np
import pytest

from helpers import deep_states, game_of, random_steps, scaled, thorough
from stardeck.kernels.compile.jit import entry
from stardeck.kernels.interstellar_empire.state import KIND_LIMIT
from stardeck.kernels.verbs import count_hidden, resample_weighted

SETTINGS = "2", "3", "4", "2/first_player=bid", "3/concede=true", "4/governments=true"


@entry
def resample_all(rules, states, seats, seeds, weights):
    """Resample each row with the same weights, in place."""
    for i in range(len(states)):
        resample_weighted(rules[0], states[i], seats[i], seeds[i], weights)


@entry
def count_all(rules, states, seats, counts):
    """Count the cards that a seat of each row does not see."""
    for i in range(len(states)):
        count_hidden(rules[0], states[i], seats[i], counts[i])


def resampled(game, states, seat, seeds, weights):
    """Return copies, resampled with weights, float64[others, KIND_LIMIT]."""
    copies = game.copy(states)
    seats = np.full(len(states), seat)
    resample_all(game.rules, copies, seats, np.asarray(seeds, np.uint64), np.ascontiguousarray(weights).ravel())
    return copies


def counted(game, states, seat):
    counts = np.empty((len(states), game.players, KIND_LIMIT), np.uint8)
    count_all(game.rules, states, np.full(len(states), seat), counts)
    return counts


def some_weights(game, seed):
    return np.exp(np.random.default_rng(seed).normal(0, 2, (game.players - 1, KIND_LIMIT)))


@pytest.mark.parametrize("settings", SETTINGS)
def test_nothing_that_a_seat_can_see_changes_and_nothing_hidden_leaks(settings):
    game = game_of(f"interstellar_empire/{settings}")
    weights = some_weights(game, 3)
    for step, states in enumerate(random_steps(game, scaled(thorough(40, 12), 2), scaled(200, 24), seed=5)):
        for seat in range(game.players):
            seeds = np.arange(len(states)) + step
            one = resampled(game, states, seat, seeds, weights)
            assert (game.observe(states, seat) == game.observe(one, seat)).all()
            assert (game.to_act(states) == game.to_act(one)).all()
            two = resampled(game, game.resample_hidden(states, seat, seeds + 1000), seat, seeds, weights)
            assert one.tobytes() == two.tobytes()
            assert (counted(game, states, seat)[:, -1] == counted(game, one, seat)[:, -1]).all()
            others = [(seat + k) % game.players for k in range(1, game.players)]
            held = counted(game, one, seat)[:, :-1]
            assert (held == one["players"]["hand"][:, others]).all()


def test_a_hand_is_drawn_card_by_card_by_the_weights_of_its_seat():
    """The reference draw takes the cards with the highest sum of log weight and Gumbel noise."""
    game = game_of("interstellar_empire/3")
    cards = game.variant.card_set.numbers
    deck = ["Frigate x4", "Cruiser x3", "Destroyer x2", "Battleship", "Slavery x2"]
    players = {
        "player_0": {"hand": ["Frigate x2"]},
        "player_1": {"hand": []},
        "player_2": {"hand": ["Cruiser x2", "Resistance", "Battleship x2"]},
    }
    states = game.from_position({"deck": deck, "players": players})
    weights = some_weights(game, 8)
    n = scaled(40_000, 400)
    held = resampled(game, states.repeat(n), 0, np.arange(n), weights)["players"]["hand"][:, 2]
    assert (held.sum(axis=1) == 5).all()
    pool = [cards[name] for name in ("Frigate", "Cruiser", "Destroyer", "Battleship", "Slavery", "Resistance")]
    kinds = np.repeat(pool, [4, 5, 2, 3, 2, 1])
    keys = np.log(weights[1, kinds]) + np.random.default_rng(1).gumbel(size=(n, len(kinds)))
    drawn = kinds[np.argsort(-keys, axis=1)[:, :5]]
    for kind in pool:
        expected = (drawn == kind).sum(axis=1)
        assert abs(held[:, kind].mean() - expected.mean()) < 5 * 5 / n**0.5
        assert abs((held[:, kind] > 1).mean() - (expected > 1).mean()) < 5 / n**0.5


def test_who_takes_first_is_left_to_chance():
    """Two opponents want a single card equally, and each holds it equally often."""
    game = game_of("interstellar_empire/3")
    battleship = game.variant.card_set.numbers["Battleship"]
    players = {
        "player_0": {"hand": ["Frigate"]},
        "player_1": {"hand": ["Cruiser x3"]},
        "player_2": {"hand": ["Cruiser x2", "Battleship"]},
    }
    states = game.from_position({"deck": ["Frigate x9"], "players": players})
    weights = np.ones((2, KIND_LIMIT))
    weights[:, battleship] = 1e4
    n = scaled(10_000, 400)
    held = resampled(game, states.repeat(n), 0, np.arange(n), weights)["players"]["hand"][:, :, battleship]
    assert (held.sum(axis=1) == 1).mean() > 0.99
    assert abs(held[:, 1].mean() - 0.5) < 3 / n**0.5


@pytest.mark.parametrize("weight", [1e-4, 1.0, 1e4])
def test_the_hand_of_whoever_is_asked_explains_the_question_whatever_the_weights(weight):
    game = game_of("interstellar_empire/2")
    resistance = game.variant.card_set.numbers["Resistance"]
    players = {
        "player_0": {"hand": ["Cruiser", "Frigate"], "empire": ["Barren Planet"]},
        "player_1": {"hand": ["Resistance", "Destroyer"]},
    }
    pending = {"ask": "resistance", "seat": "player_1", "planet": "Barren Planet", "how": "discovered"}
    deck = ["Frigate x3", "Battleship x2", "Resistance", "Slavery"]
    states = game.from_position({"deck": deck, "pending": pending, "players": players})
    weights = np.ones((1, KIND_LIMIT))
    weights[:, resistance] = weight
    n = scaled(500, 50)
    held = resampled(game, states.repeat(n), 0, np.arange(n), weights)["players"]["hand"][:, 1]
    assert (held[:, resistance] >= 1).all() and (held.sum(axis=1) == 2).all()
    assert ((held[:, resistance] == 2).mean() > 0.9) == (weight > 1)


def test_states_of_all_stages_are_covered():
    """The games above reach bids, cards looked at and questions to others."""
    states = deep_states(game_of("interstellar_empire/2"), games=20, steps=scaled(300, 60))
    assert (states["to_act"] != states["active"]).any()
    assert scaled((states["looked_at"][:, 0] != 255).any(), True)
