"""Shared helpers of the tests: the variants, and random games of them."""

import functools
import os
from pathlib import Path

import numpy as np
import pytest

import stardeck
from stardeck.game.catalogue import load_source
from stardeck.game.registry import GAMES
from stardeck.kernels.loops import batch

JIT = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"
FULL = os.environ.get("STARDECK_TESTS") == "full"  # `make test-full`: every check over every variant


def scaled(compiled, plain):
    """Return a number of games or steps: uncompiled kernels are a thousand times slower."""
    return compiled if JIT else plain


def thorough(night, day):
    """Return the size of a check: `make test-full` has time for all of it, and fewer cases find most failures."""
    return night if FULL else day


ENTRIES = {entry["id"]: entry for entry in stardeck.variants()}
EVERY_VARIANT = list(ENTRIES)


def _one_of_each_kind(largest_too=False):
    """Return one variant of each group that differs only by set, number of players, difficulty or scenario.

    Args:
        largest_too: Whether to return also the last of each group, which has the most players, and every scenario.
    """
    kinds = {}
    for entry in ENTRIES.values():
        settings = {
            key: bool(value) if key == "scenario" and not largest_too else value
            for key, value in entry["settings"].items()
            if key not in ("set", "players", "difficulty")
        }
        kinds.setdefault(entry["game"] + str(settings), []).append(entry["id"])
    return [one for ids in kinds.values() for one in dict.fromkeys([ids[0], ids[-1]] if largest_too else ids[:1])]


# Tests of libraries and of storage use one variant of each kind. Set, seats and difficulty change only numbers, which
# the tests of rules and of hidden information cover.
KINDS = EVERY_VARIANT if FULL else _one_of_each_kind()
# Rules and hidden information: compiled, each kind with few and with many seats, and every scenario; uncompiled, a
# thousand times slower, one of each kind. The recorded games of test_playthroughs.py are of every variant.
VARIANTS = EVERY_VARIANT if FULL else _one_of_each_kind(largest_too=True) if JIT else KINDS
# One for each compiled program: kernels compile for a type of state. The slowest to compile come first.
PROGRAMS = [
    "empire_of_the_stars/2/powers",
    "star_realms/rise_of_empire/standard/2/scenario=1",
    "star_realms/core/standard/2",
    "interstellar_empire/2",
]
FEW = EVERY_VARIANT if FULL else PROGRAMS  # for tests that are slow uncompiled


@functools.cache
def entry_of_example():
    """Return the entry of the game in examples/new_game.py; Python runs the file once, and the game is not kept."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GAMES, "_entries", dict(GAMES._entries))
        load_source(str(Path(__file__).parents[1] / "examples" / "new_game.py"))
        return GAMES["beacons"]


def registered(variant):
    """Return the registry entry of a variant's game."""
    return GAMES[ENTRIES[variant]["game"]]


@functools.cache
def game_of(variant):
    """Return the game of a variant's id."""
    entry = ENTRIES[variant]
    return stardeck.make(entry["game"], **entry["settings"])


def pick(masks, seed):
    """Return a legal action for each mask."""
    seeds = np.arange(len(masks), dtype=np.uint64) + np.uint64(seed * 1_000_003)
    actions = np.empty(len(masks), np.int64)
    batch.pick_all(masks, seeds, actions)
    return actions


def random_steps(game, games, steps, seed=0, agent=None):
    """Play games in parallel, random ones or those of an agent; yield the states before every step.

    The states leave out finished games.
    """
    states = game.deal(np.arange(games, dtype=np.uint64) + np.uint64(1000 * seed))
    for step in range(steps):
        states = states[~game.is_over(states)]
        if not len(states):
            return
        yield states
        masks = game.legal_actions(states)
        if agent is None:
            actions = pick(masks, seed + 7919 * step)
        else:
            actions = agent.act(game, states, masks, np.arange(len(states), dtype=np.uint64) + np.uint64(step))
        game.apply(states, actions)


def deep_states(game, games=20, steps=400, seed=0, every=1):
    """Return states from all stages of random games, as one array."""
    kept = [states.copy() for step, states in enumerate(random_steps(game, games, steps, seed)) if step % every == 0]
    return np.concatenate(kept, dtype=kept[0].dtype)  # without `dtype` NumPy compares every field of every array


def count(game, states, depth):
    """Count the sequences of `depth` legal actions."""
    actions = np.flatnonzero(game.legal_actions(states)[0])
    if depth == 1:
        return len(actions)
    return sum(split(game, states, depth).values())


def split(game, states, depth):
    """Count the same below each first action."""
    below = {}
    for action in np.flatnonzero(game.legal_actions(states)[0]):
        after = game.copy(states)
        game.apply(after, [action])
        below[game.describe(states[0], action)] = count(game, after, depth - 1) if depth > 1 else 1
    return below


def a_network(game, units=(16, 8), seed=1, sampled=False, tanh=False, judged=False, believes=False):
    """Return a network of random weights that fits a game.

    judged, believes: add a value network, an opponent-hand model, of other weights.
    """
    from stardeck.agents.networks.agent import BELIEF, JUDGE, Network, single_head_network

    random = np.random.default_rng(seed)
    widths = [game.observation_size, *units]
    layers = [
        (random.normal(0, 1 / np.sqrt(width), (width, count)), random.normal(0, 0.1, count))
        for width, count in zip(widths[:-1], widths[1:], strict=True)
    ]
    policy = random.normal(0, 1, (units[-1], game.num_actions)), random.normal(0, 0.1, game.num_actions)
    value = random.normal(0, 1, (units[-1], 1)), random.normal(0, 0.1, 1)
    beside = {}
    for name, wanted, number in ((JUDGE, judged, 100), (BELIEF, believes, 200)):
        if wanted:
            other = a_network(game, (24, 8), seed + number)
            end = other.value if name == JUDGE else tuple(part[..., : game.belief_size] for part in other.policy)
            beside[name] = single_head_network(name, other.layers, end, game.spaces)
    return Network(layers, policy, value, game.spaces, {"variant": game.id}, sampled, tanh, **beside)


def tally(found, numbers, valid):
    """Add the valid ones of numbers[n, …] to the counts in each row: found[n, numbers]."""
    places = np.nonzero(valid)
    np.add.at(found, (places[0], numbers[places]), 1)


class Plain:
    """A compiled agent without its kind or network, which must be asked for every decision."""

    def __init__(self, agent):
        self.name = agent.name
        self.act = agent.act


def starting_decks(game):
    """Return each seat's starting deck in card numbers, by the settings, or in a campaign by the card table."""
    card_set = game.variant.card_set
    if "starting_deck" not in game.settings:
        return [list(card_set.personal_decks[side]) for side in game.variant.campaign.sides]
    entries = [[text.partition(" x") for text in deck] for deck in game.settings["starting_deck"]]
    return [[card_set.numbers[name] for name, _, copies in deck for _ in range(int(copies or 1))] for deck in entries]
