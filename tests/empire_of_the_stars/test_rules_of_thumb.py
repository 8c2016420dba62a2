"""The rule-based player of Empire of the Stars: the throne, the end of the game, room for ships."""

import numpy as np
import pytest

from helpers import game_of
from stardeck import agents

HOMES = {28: {"tile": "home player_0"}, 38: {"tile": "home player_1"}}
PLANETS = {20: {"tile": "planet PM"}, 21: {"tile": "planet E"}, 22: {"tile": "planet MM"}, 23: {"tile": "planet EE"}}


def moves(position, count=1, after=()):
    """Return its moves in words after some moves."""
    game = game_of("empire_of_the_stars/2")
    states = game.from_position(position)
    for move in after:
        game.play(states, move)
    told = []
    for _ in range(count):
        action = agents.get("rules").act(game, states, game.legal_actions(states), np.zeros(1, np.uint64))
        told.append(game.describe(states[0], action[0]))
        game.apply(states, action)
    return told


def test_one_token_goes_for_the_throne_and_the_chooser_matches_it():
    position = {"scepter": "player_1", "galaxy": HOMES | PLANETS, "players": {"player_0": {}, "player_1": {}}}
    told = moves(position, 4, after=["choose REGENT"])
    assert [move == "influence throne" for move in told] == [True, False, True, False]


@pytest.mark.parametrize(("own", "others", "usurps"), [(3, 9, True), (9, 3, False)])
def test_near_the_end_whoever_is_behind_takes_the_throne_and_whoever_leads_does_not(own, others, usurps):
    players = {"player_0": {"tokens": 0, "throne": own}, "player_1": {"tokens": 5, "throne": others}}
    position = {"emperor": "player_1", "monolith": "MERCHANT", "galaxy_supply": 20, "players": players}
    assert (moves(position) == ["choose REGENT forward"]) == usurps


@pytest.mark.parametrize(("ships", "told"), [("fighter x3", "done"), ("fighter x2", "build fighter")])
def test_no_ship_is_built_that_would_find_no_room(ships, told):
    """The remaining room goes to the free fighter, or to the ship that is paid for."""
    galaxy = {28: {"tile": "home player_0", "ships": {"player_0": [ships]}}, 38: {"tile": "home player_1"}}
    players = {"player_0": {"P": 1, "M": 1}, "player_1": {}}
    position = {"scepter": "player_1", "galaxy": galaxy, "players": players}
    assert moves(position, after=["choose ENGINEER", "done"]) == [told]
