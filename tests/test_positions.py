"""Corrupted positions: each is refused with the name of its error, or gives a playable state.

Real positions of every game are corrupted in one place: by values of every type, by numbers at the limits of bytes and
words, by omission, duplication and exchange. Uncompiled, or compiled with NUMBA_BOUNDSCHECK=1, an index out of range
raises.
"""

import copy
import json
import math
import random

import numpy as np
import pytest

from helpers import game_of, pick, random_steps, scaled, thorough

GAMES = (
    "star_realms/core/standard/2",
    "star_realms/box/pirates_of_the_dark_star/3/veteran",
    "star_realms/box/nemesis_beast/2/veteran",
    "star_realms/box/two_headed_hydra/4",
    "star_realms/box/standard/2/gambits=2",
    "star_realms/box/raid/3",
    "star_realms/rise_of_empire/standard/2/scenario=3",
    "rise_of_empire/2",
    "interstellar_empire/2",
    "interstellar_empire/4/first_player=bid",
    "empire_of_the_stars/2/powers",
    "empire_of_the_stars/3",
    "empire_of_the_stars/4/powers",
)
DEEP = [1]
for _ in range(5000):
    DEEP = [DEEP]
NUMBERS = [0, 1, 2, 3, 7, 39, 40, 41, 60, 64, 96, 100, 127, 128, 141, 200, 255, 256, 32_767, 32_768, 65_536]
NUMBERS += [2**31 - 1, 2**31, 2**63, 2**64, 10**5000, -1, -2, -129, -(2**31) - 1]
TEXTS = [
    "",
    "player_0",
    "player_9",
    "none",
    "x" * 5000,
    "Scout x999",
    "asteroid x60",
    "home player_0",
    "tapped Frigate",
]
JUNK = [None, True, False, 0.0, 1.5, math.nan, math.inf, b"a", (), {1}, 1j, *NUMBERS, *TEXTS]
JUNK += [[], [None], [[]], [5], ["junk"], DEEP, {}, {"junk": 1}, {5: 5}, {None: 1}, {True: 1}, {1.0: 1}, {"card": []}]


def places(value, path=()):
    """Return the paths of all values inside a position."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inside:
        yield *path, key
        yield from places(item, (*path, key))


def at(position, path):
    """Return the value at a path."""
    for key in path:
        position = position[key]
    return position


def spoil(position, chance):
    """Return a copy that differs in one place."""
    spoiled = copy.deepcopy(position)
    ways = list(places(spoiled))
    path = chance.choice(ways)
    inside = at(spoiled, path[:-1])
    how = chance.randrange(5)
    if how == 0:
        del inside[path[-1]]
    elif how == 1:
        inside[path[-1]] = copy.deepcopy(at(position, chance.choice(ways)))
    elif how == 2 and isinstance(inside, list):
        inside += inside[: chance.choice([1, 2, 40, 300])] * chance.choice([1, 3, 100])
    elif how == 3 and isinstance(inside[path[-1]], int):
        inside[path[-1]] = chance.choice(NUMBERS)
    else:
        inside[path[-1]] = chance.choice(JUNK)
    return spoiled


def play_on(game, states, steps, chance):
    """Continue a state at random, with observations and resampling on the way."""
    for step in range(steps):
        if game.is_over(states)[0]:
            return
        masks = game.legal_actions(states)
        assert masks.any(), "nobody can do anything"
        if step % 8 == 0:
            game.observe(states)
            seat = chance.randrange(game.players)
            states = game.resample_hidden(states, [seat], np.array([step], np.uint64))
        game.apply(states, pick(game.legal_actions(states), chance.randrange(10**6)))


def check(game, position, steps, chance):
    """Check that a position is refused with a clear line, or is playable and written as it was read."""
    try:
        states = game.from_position(position)
    except ValueError as error:
        assert 0 < len(str(error)) < 5000 and "x" * 200 not in str(error) and "\n" not in str(error)
        return False
    written = game.position(states[0])
    assert game.position(game.from_position(written)[0]) == written
    play_on(game, states, steps, chance)
    return True


@pytest.mark.parametrize("variant", GAMES)
def test_a_spoiled_position_is_refused_by_name_or_can_be_played(variant):
    game = game_of(variant)
    chance = random.Random(variant)
    accepted = 0
    positions = [
        game.position(states[0])
        for step, states in enumerate(random_steps(game, 1, scaled(600, 40), seed=3))
        if step % scaled(12, 10) == 0
    ]
    for position in positions:
        read = game.from_position(position).tobytes()
        assert game.from_position(json.loads(json.dumps(position))).tobytes() == read
        for _ in range(scaled(thorough(20, 8), 3)):
            accepted += check(game, spoil(position, chance), scaled(60, 5), chance)
    assert accepted
