"""The rule-based player of Interstellar Empire: safe planets, ships to build, and payment."""

import numpy as np
import pytest

from helpers import game_of
from stardeck import agents

EARLY = ["Frigate x4", "Destroyer x4", "Cruiser x4", "Battlecruiser x4", "Jungle Planet x5", "Industrial Planet 4 x3"]
LATE = ["Destroyer x4", "Cruiser x4"]


def moves(position, count=1):
    """Return its first moves in words."""
    game = game_of("interstellar_empire/2")
    states = game.from_position({"turn": "player_0"} | position)
    told = []
    for _ in range(count):
        action = agents.get("rules").act(game, states, game.legal_actions(states), np.zeros(1, np.uint64))
        told.append(game.describe(states[0], action[0]))
        game.apply(states, action)
    return told


@pytest.mark.parametrize(
    ("deck", "enemies", "move"),
    [
        (EARLY, ["Battleship"], "end turn"),  # opponents would take the planet
        (EARLY, [], "explore Barren Planet"),  # opponents could not take it
        (LATE, ["Battleship"], "explore Barren Planet"),  # opponents have no time left to take it
    ],
)
def test_a_planet_is_kept_back_until_it_is_safe_or_the_end_is_near(deck, enemies, move):
    own = {"hand": ["Barren Planet", "Jungle Planet"], "fleet": ["Battlecruiser"]}
    deck = [card for card in deck if "Jungle" not in card]
    assert moves({"deck": deck, "players": {"player_0": own, "player_1": {"fleet": enemies}}}) == [move]


@pytest.mark.parametrize(
    ("enemy", "move"), [("Cruiser", "attack"), ("Battleship", "end"), ("tapped Battleship", "attack")]
)
def test_it_attacks_when_untapped_ships_are_no_stronger(enemy, move):
    owner = {"fleet": [enemy], "empire": ["Barren Planet"]}
    told = moves({"deck": EARLY, "players": {"player_0": {"fleet": ["Cruiser"]}, "player_1": owner}})
    assert told[0].startswith(move)


def test_small_ships_pay_for_large_ones():
    own = {"hand": ["Frigate", "Battlecruiser", "Cruiser"]}
    told = moves({"deck": EARLY[4:] + EARLY[1:2], "players": {"player_0": own, "player_1": {}}}, count=3)
    assert told[0] == "build Battlecruiser"
    assert sorted(told[1:]) == ["pay Cruiser", "pay Frigate"]


def test_two_cheap_cards_pay_rather_than_a_good_one():
    own = {"hand": ["Battleship", "Space Piracy", "Jungle Planet", "Jungle Planet"]}
    told = moves({"deck": EARLY[:4], "players": {"player_0": own, "player_1": {}}}, count=3)
    assert told == ["build Battleship", "pay Jungle Planet", "pay Jungle Planet"]
