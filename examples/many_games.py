"""A thousand games in parallel, one decision of each at a time, in a few calls of compiled code."""

import time

import numpy as np

import stardeck
from stardeck import agents

GAMES = 1000

game = stardeck.make("star_realms", players=2)


def own_loop() -> np.ndarray:
    """Play your own policy; games that are over are left out."""
    chance = np.random.default_rng(7)
    states = game.deal(np.arange(GAMES))
    while len(running := np.flatnonzero(~game.is_over(states))):
        some = game.take(states, running)
        masks = game.legal_actions(some)
        game.apply(some, (masks * chance.random(masks.shape, np.float32)).argmax(axis=1))
        game.put(states, running, some)
    return states


def agent_loop() -> np.ndarray:
    """Play an agent, and see each of its decisions."""
    rules = agents.get("rules")
    states = game.deal(np.arange(GAMES))
    while len(running := np.flatnonzero(~game.is_over(states))):
        some = game.take(states, running)
        seeds = some["random"] + some["decisions"].astype(np.uint64)
        game.apply(some, rules.act(game, some, game.legal_actions(some), seeds))
        game.put(states, running, some)
    return states


def playout() -> np.ndarray:
    """Play agents to the end in one call."""
    return game.playout(game.deal(np.arange(GAMES)), "rules", seed=7)


for way in (own_loop, agent_loop, playout):
    way()  # compiles
    began = time.perf_counter()
    states = way()
    speed = states["decisions"].sum() / (time.perf_counter() - began)
    won = game.winners(states)[:, 0].mean()
    print(f"{way.__name__}: {speed:,.0f} decisions/s; player_0, who moves first, wins {won:.1%} of {GAMES} games")
