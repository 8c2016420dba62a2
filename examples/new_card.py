"""A new card, defined in new_card.toml: how often do players buy it, and do its buyers win?"""

from pathlib import Path

import numpy as np

import stardeck
from stardeck import agents

GAMES = 2000
TABLE = Path(__file__).with_name("new_card.toml")

game = stardeck.make("star_realms", set=TABLE)
rules = agents.get("rules", game)
card = game.variant.names.index("Salvager")
buy = next(n for n, action in enumerate(game.variant.actions) if (action.act.name, *action[1:2]) == ("BUY", card))

states = game.deal(np.arange(GAMES))
bought = np.zeros((GAMES, game.players), int)
running = np.arange(GAMES)
while len(running):
    some = game.copy(states[running])
    seeds = np.arange(len(some), dtype=np.uint64)  # rules never draws by chance
    actions = rules.act(game, some, game.legal_actions(some), seeds)
    bought[running, game.to_act(some)] += actions == buy
    game.apply(some, actions)
    states[running] = some
    running = np.flatnonzero(~game.is_over(states))

print(f"{game.id}: the Salvager is bought {bought.sum() / GAMES:.2f} times a game")
unequal = bought[:, 0] != bought[:, 1]
won = game.returns(states)[unequal, bought[unequal].argmax(axis=1)] > 0
print(f"who buys more of them wins {100 * won.mean():.1f} % of the games")
