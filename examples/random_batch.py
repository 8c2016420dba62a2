"""A thousand games side by side: every decision random, all of them in a few calls of compiled code."""

import numpy as np

import stardeck

GAMES = 1000

game = stardeck.make("star_realms", players=2)
chance = np.random.default_rng(7)
states = game.deal(np.arange(GAMES))
running = np.arange(GAMES)
while len(running):
    masks = game.legal_actions(states[running])
    actions = (masks * chance.random(masks.shape)).argmax(axis=1)  # one of the legal ones, each as likely
    chosen = states[running]
    game.apply(chosen, actions)
    states[running] = chosen
    running = running[~game.is_over(chosen)]

winners = game.winners(states)
print(f"player_0, who moves first, wins {winners[:, 0].mean():.1%} of {GAMES} games")
